//! A tiny blocking HTTP client that sends exactly the bytes it is given. Waits for nothing longer than `PATIENCE`.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Null if there is no body.
    pub(crate) fn json(&self) -> Value {
        if self.body.is_empty() {
            return Value::Null;
        }
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// `code`, `message` and `hint` of an error in one text.
    pub(crate) fn error(&self) -> String {
        let json = self.json();
        let field = |name: &str| json["error"][name].as_str().unwrap_or_default().to_owned();
        format!("{}: {} ({})", field("code"), field("message"), field("hint"))
    }
}

pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Self {
        Self::try_open(address).unwrap()
    }

    pub(crate) fn try_open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream) })
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) -> &mut Self {
        self.try_send(bytes).unwrap();
        self
    }

    pub(crate) fn try_send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    pub(crate) fn reply(&mut self) -> Reply {
        self.reply_to("GET")
    }

    pub(crate) fn reply_to(&mut self, method: &str) -> Reply {
        self.try_reply_to(method).unwrap()
    }

    /// An error if the server goes away before all of it has arrived.
    pub(crate) fn try_reply_to(&mut self, method: &str) -> io::Result<Reply> {
        let first = self.line()?;
        let status =
            first.split(' ').nth(1).unwrap_or_else(|| panic!("no status in {first:?}")).parse().unwrap();
        let mut headers = Vec::new();
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut reply = Reply { status, headers, body: String::new() };
        let length = reply.header("content-length").map_or(0, |length| length.parse().unwrap());
        if method != "HEAD" {
            let body = match reply.header("transfer-encoding") {
                Some("chunked") => self.chunks()?,
                _ => self.bytes(length)?,
            };
            reply.body = String::from_utf8(body).unwrap();
        }
        Ok(reply)
    }

    fn chunks(&mut self) -> io::Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let length = usize::from_str_radix(&self.line()?, 16).unwrap();
            body.extend(self.bytes(length)?);
            self.line()?;
            if length == 0 {
                return Ok(body);
            }
        }
    }

    fn bytes(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// True once the server has closed the connection; panics if it says anything more.
    pub(crate) fn is_closed(&mut self) -> bool {
        let mut rest = Vec::new();
        // A reset is an end as well.
        let _ = self.stream.read_to_end(&mut rest).map_err(|error| {
            assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}");
        });
        assert_eq!(String::from_utf8_lossy(&rest), "");
        true
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end().to_owned())
    }
}

/// `GET /path` becomes a whole request with a Host that names the address; `extra` are header lines.
pub(crate) fn request(address: SocketAddr, line: &str, extra: &str, body: &str) -> Reply {
    let length = if body.is_empty() { String::new() } else { format!("content-length: {}\r\n", body.len()) };
    let extra: String = extra.lines().map(|line| format!("{}\r\n", line.trim())).collect();
    let host = if extra.to_ascii_lowercase().contains("host:") {
        String::new()
    } else {
        format!("host: {address}\r\n")
    };
    let bytes = format!("{line} HTTP/1.1\r\n{host}{length}{extra}\r\n{body}");
    let method = line.split(' ').next().unwrap_or_default();
    Connection::open(address).send(bytes.as_bytes()).reply_to(method)
}

pub(crate) fn get(address: SocketAddr, path: &str) -> Reply {
    request(address, &format!("GET {path}"), "", "")
}

/// The value of a metric, or 0 if it is not there (yet).
pub(crate) fn metric(address: SocketAddr, series: &str) -> u64 {
    let page = get(address, "/metrics").body;
    let value = page.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    value.map_or(0, |value| value.parse().unwrap())
}
