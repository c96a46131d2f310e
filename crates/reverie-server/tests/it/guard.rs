//! Who may ask: hosts, origins, preflights. A web page must not reach a local engine.

use std::net::SocketAddr;

use crate::client::{Connection, Reply, request};
use crate::run::serve;

const OK: u16 = 200;
const REFUSED: u16 = 403;

fn health(address: SocketAddr, headers: &str) -> Reply {
    // `PORT` stands for the server's own.
    request(address, "GET /health", &headers.replace("PORT", &address.port().to_string()), "")
}

#[test]
fn hosts() {
    let flags =
        ["--allow-host", "memory.local", "--allow-host", "Bot.Example:7878", "--allow-host", "2001:db8::7"];
    let server = serve(&flags, &[]);
    for (host, expected) in [
        ("localhost", OK),
        ("localhost:PORT", OK),
        ("localhost:1", OK),
        ("LOCALHOST:PORT", OK),
        ("localhost.:PORT", OK),
        ("127.0.0.1:PORT", OK),
        ("127.0.0.1", OK),
        ("[::1]:PORT", OK),
        ("[::1]", OK),
        ("[0:0:0:0:0:0:0:1]:PORT", OK),
        ("[::ffff:127.0.0.1]", OK),
        ("memory.local", OK),
        ("Memory.Local.:99", OK),
        ("bot.example:7878", OK),
        ("[2001:db8::7]:80", OK),
        // DNS rebinding: the attacker's own name, resolved to this machine.
        ("evil.example", REFUSED),
        ("evil.example:PORT", REFUSED),
        ("127.0.0.1.evil.example", REFUSED),
        ("localhost.evil.example:PORT", REFUSED),
        ("evil-localhost", REFUSED),
        ("localhost@evil.example", REFUSED),
        ("127.0.0.1:PORT@evil.example", REFUSED),
        // Other ways to write an address; no honest client does.
        ("127.1", REFUSED),
        ("2130706433", REFUSED),
        ("0x7f.0.0.1", REFUSED),
        ("0.0.0.0", REFUSED),
        ("[::]", REFUSED),
        ("192.168.0.7:PORT", REFUSED),
        ("[::2]", REFUSED),
        // Nearly right.
        ("bot.example", REFUSED),
        ("bot.example:1", REFUSED),
        ("x.memory.local", REFUSED),
        ("localhost..", REFUSED),
        ("localhost:99999", REFUSED),
        ("", REFUSED),
    ] {
        let reply = health(server.address, &format!("host: {host}"));
        assert_eq!(reply.status, expected, "{host}: {}", reply.body);
        if expected == REFUSED {
            assert!(reply.error().starts_with("denied: "), "{}", reply.error());
            let shown = host.replace("PORT", &server.address.port().to_string());
            assert!(reply.error().contains(&format!("\"{shown}\"")), "{}", reply.error());
            assert!(reply.error().contains(&format!("--allow-host {shown}")), "{}", reply.error());
        }
    }
}

#[test]
fn a_request_must_name_one_host() {
    let server = serve(&[], &[]);
    for head in [
        "GET /health HTTP/1.1\r\n\r\n",
        "GET /health HTTP/1.0\r\n\r\n",
        "GET /health HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n\r\n",
        "GET http://evil.example/health HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "GET http://localhost/health HTTP/1.1\r\nhost: evil.example\r\n\r\n",
    ] {
        let reply = Connection::open(server.address).send(head.as_bytes()).reply();
        assert_eq!(reply.status, REFUSED, "{head:?}");
        assert!(reply.error().starts_with("denied: "), "{}", reply.error());
    }
    let absolute = "GET http://localhost/health HTTP/1.1\r\nhost: localhost\r\n\r\n";
    assert_eq!(Connection::open(server.address).send(absolute.as_bytes()).reply().status, OK);
}

#[test]
fn origins() {
    let flags = ["--allow-origin", "https://app.example", "--allow-origin", "tauri://localhost"];
    let flags = [&flags[..], &["--allow-host", "memory.example", "--allow-origin", "null"]].concat();
    let server = serve(&flags, &[]);
    let plain = serve(&[], &[]);
    for (headers, expected, where_null_is_not_listed) in [
        ("origin: http://localhost:PORT\nhost: localhost:PORT", OK, OK),
        ("origin: http://LOCALHOST:PORT\nhost: localhost.:PORT", OK, OK),
        ("origin: http://[::1]:PORT\nhost: [::1]:PORT", OK, OK),
        ("origin: http://localhost\nhost: localhost", OK, OK),
        // A page that a TLS proxy in front of us delivered.
        ("origin: https://memory.example\nhost: memory.example", OK, REFUSED),
        ("origin: https://app.example", OK, REFUSED),
        ("origin: HTTPS://App.Example:443", OK, REFUSED),
        ("origin: tauri://localhost", OK, REFUSED),
        ("origin: null", OK, REFUSED),
        ("origin: http://app.example", REFUSED, REFUSED),
        ("origin: https://app.example:444", REFUSED, REFUSED),
        ("origin: https://app.example.evil.example", REFUSED, REFUSED),
        ("origin: https://evil.example", REFUSED, REFUSED),
        // Another server on this machine is another origin.
        ("origin: http://localhost:3000\nhost: localhost:PORT", REFUSED, REFUSED),
        ("origin: http://127.0.0.1:PORT\nhost: localhost:PORT", REFUSED, REFUSED),
        ("origin: file://", REFUSED, REFUSED),
        ("origin:", REFUSED, REFUSED),
        ("origin: https://app.example\norigin: https://evil.example", REFUSED, REFUSED),
        // DNS rebinding again, now as «same origin».
        ("origin: http://evil.example:PORT\nhost: evil.example:PORT", REFUSED, REFUSED),
        // Pages of other sites without Origin: images, scripts, frames; but links are fine.
        ("sec-fetch-site: cross-site\nsec-fetch-mode: no-cors\nsec-fetch-dest: image", REFUSED, REFUSED),
        ("sec-fetch-site: same-site\nsec-fetch-mode: no-cors\nsec-fetch-dest: script", REFUSED, REFUSED),
        ("sec-fetch-site: cross-site\nsec-fetch-mode: navigate\nsec-fetch-dest: iframe", REFUSED, REFUSED),
        ("sec-fetch-site: cross-site\nsec-fetch-mode: navigate\nsec-fetch-dest: document", OK, OK),
        ("sec-fetch-site: same-origin\nsec-fetch-mode: cors\nsec-fetch-dest: empty", OK, OK),
        ("sec-fetch-site: none\nsec-fetch-mode: navigate\nsec-fetch-dest: document", OK, OK),
    ] {
        assert_eq!(health(server.address, headers).status, expected, "{headers}");
        assert_eq!(health(plain.address, headers).status, where_null_is_not_listed, "{headers}");
    }
    let refused = health(server.address, "origin: https://evil.example");
    assert!(refused.error().contains("\"https://evil.example\""), "{}", refused.error());
    assert!(refused.error().contains("--allow-origin https://evil.example"), "{}", refused.error());
    assert_eq!(refused.header("access-control-allow-origin"), None);
}

#[test]
fn allowed_origins_may_read_answers_and_errors() {
    let server =
        serve(&["--allow-origin", "https://app.example"], &[("REVERIE_TOKEN", "rv_swordfish_0123456789")]);
    for path in ["/health", "/v1/nowhere"] {
        let reply = request(server.address, &format!("GET {path}"), "origin: https://app.example", "");
        assert_eq!(reply.header("access-control-allow-origin"), Some("https://app.example"), "{path}");
        assert_eq!(reply.header("vary"), Some("origin"));
        assert_eq!(reply.header("access-control-expose-headers"), Some("x-request-id, x-reverie-replaced"));
    }
    let preflight = "origin: https://app.example\naccess-control-request-method: POST";
    let reply = request(server.address, "OPTIONS /v1/perspective", preflight, "");
    assert_eq!((reply.status, reply.body.as_str()), (204, ""));
    let list = |name: &str| reply.header(name).unwrap().split(", ").map(str::to_owned).collect::<Vec<_>>();
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
        assert!(list("access-control-allow-methods").contains(&method.to_owned()));
    }
    for header in ["authorization", "content-type", "x-reverie-token"] {
        assert!(list("access-control-allow-headers").contains(&header.to_owned()));
    }
    assert!(reply.header("access-control-max-age").is_some());
    let foreign = "origin: https://evil.example\naccess-control-request-method: POST";
    assert_eq!(request(server.address, "OPTIONS /v1/perspective", foreign, "").status, REFUSED);
}

#[test]
fn the_address_that_is_listened_on_is_a_name_of_the_server() {
    // Any address of 127/8 is loopback on Linux; elsewhere only one is.
    if !cfg!(target_os = "linux") {
        return;
    }
    let server = serve(&["--listen", "127.0.0.2:0"], &[]);
    assert_eq!(health(server.address, "host: 127.0.0.2:PORT").status, OK);
    let everywhere = serve(&["--listen", "0.0.0.0:0"], &[("REVERIE_TOKEN", "rv_swordfish_0123456789")]);
    assert_eq!(health(everywhere.address, "host: localhost:PORT").status, OK);
    assert_eq!(health(everywhere.address, "host: 0.0.0.0:PORT").status, REFUSED);
    assert_eq!(health(everywhere.address, "host: 203.0.113.9:PORT").status, REFUSED);
}
