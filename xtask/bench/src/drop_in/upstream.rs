//! A chat model that answers at once, or as slowly as people read, and keeps what it was last asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;

use crate::dialogue::Dice;
use crate::minds::sentence;

/// How it speaks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    pub(super) words: usize,
    /// Before each word.
    pub(super) pause: Duration,
}

pub(super) struct Upstream {
    pub(super) host: String,
    heard: Arc<Heard>,
}

/// What it was asked last, and how often so far: it never says the same twice.
#[derive(Default)]
struct Heard {
    last: Mutex<Vec<u8>>,
    count: AtomicU64,
}

impl Upstream {
    /// Serves as long as the program runs.
    pub(super) fn start(manner: Manner) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let host = listener.local_addr()?.to_string();
        let heard = Arc::<Heard>::default();
        let kept = Arc::clone(&heard);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let kept = Arc::clone(&kept);
                let serving = std::thread::Builder::new().stack_size(128 << 10);
                // Whoever is not served sees a closed connection, and is counted by the client.
                let _ = serving.spawn(move || {
                    let _ = serve(stream, manner, &kept);
                });
            }
        });
        Ok(Self { host, heard })
    }

    /// The body of the last request.
    pub(super) fn last(&self) -> Vec<u8> {
        self.heard.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn serve(stream: TcpStream, manner: Manner, heard: &Heard) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line)? == 0 {
                return Ok(());
            }
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body)?;
        *heard.last.lock().unwrap_or_else(PoisonError::into_inner) = body;
        let mut dice = Dice::new(heard.count.fetch_add(1, Ordering::Relaxed));
        answer(stream.get_mut(), &sentence(&mut dice, manner.words), manner.pause)?;
    }
}

fn answer(stream: &mut TcpStream, said: &str, pause: Duration) -> Result<()> {
    stream.write_all(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n",
    )?;
    for word in said.split(' ') {
        if !pause.is_zero() {
            std::thread::sleep(pause);
        }
        let delta = format!(
            "data: {{\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{word} \"}},\"finish_reason\":null}}]}}\n\n"
        );
        chunk(stream, &delta)?;
    }
    chunk(
        stream,
        "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    )?;
    stream.write_all(b"0\r\n\r\n")?;
    Ok(())
}

fn chunk(stream: &mut TcpStream, text: &str) -> Result<()> {
    stream.write_all(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes())?;
    Ok(())
}
