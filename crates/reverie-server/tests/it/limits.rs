//! How much is too much, and does the refusal say which setting decides?

use crate::client::{Connection, get, metric, request};
use crate::run::serve;

#[test]
fn bodies() {
    let server = serve(&["--limits-request-bytes", "1000", "--limits-import-bytes", "2000"], &[]);
    let post =
        |path: &str, bytes: usize| request(server.address, &format!("POST {path}"), "", &"x".repeat(bytes));
    for (path, limit, setting) in
        [("/v1/perspective", 1000, "limits.request_bytes"), ("/v1/import", 2000, "limits.import_bytes")]
    {
        assert_ne!(post(path, limit).status, 413);
        let reply = post(path, limit + 1);
        assert_eq!(reply.status, 413, "{path}");
        let error = reply.error();
        assert!(error.starts_with("invalid: ") && error.contains(setting), "{error}");
        assert!(error.contains(&limit.to_string()), "{error}");
    }
    assert_eq!(metric(server.address, "reverie_requests_refused_total{reason=\"body_size\"}"), 2);
}

#[test]
fn a_body_without_a_declared_length_is_counted_too() {
    let server = serve(&["--limits-request-bytes", "1000"], &[]);
    let mut connection = Connection::open(server.address);
    connection
        .send(b"POST /v1/perspective HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n");
    for _ in 0..3 {
        connection.send(b"190\r\n").send(&[b'x'; 400]).send(b"\r\n");
    }
    connection.send(b"0\r\n\r\n");
    assert_eq!(connection.reply().status, 413);
}

#[test]
fn a_client_that_sends_far_too_much_still_reads_why() {
    let server = serve(&[], &[]);
    let reply = request(server.address, "POST /v1/perspective", "", &"x".repeat(20 << 20));
    assert_eq!(reply.status, 413);
}

#[test]
fn one_who_asks_first_is_told_before_sending() {
    let server = serve(&["--limits-request-bytes", "1000"], &[]);
    let mut connection = Connection::open(server.address);
    connection.send(
        b"POST /v1/x HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: 100000\r\n\r\n",
    );
    assert_eq!(connection.reply().status, 413);
}

#[test]
fn heads() {
    let server = serve(&["--limits-header-bytes", "2000"], &[]);
    let reply = request(server.address, "GET /health", &format!("x-long: {}", "x".repeat(2000)), "");
    assert_eq!(reply.status, 431);
    assert!(reply.error().contains("limits.header_bytes"), "{}", reply.error());
    let reply = get(server.address, &format!("/v1/{}", "x".repeat(2000)));
    assert_eq!(reply.status, 431);
    // So large that it may not even be read to its end.
    let mut connection = Connection::open(server.address);
    connection.send(
        format!("GET /health HTTP/1.1\r\nhost: localhost\r\nx-long: {}\r\n\r\n", "x".repeat(200_000))
            .as_bytes(),
    );
    assert_eq!(connection.reply().status, 431);
    assert_eq!(get(server.address, "/health").status, 200);
}

#[test]
fn nonsense_ends_its_connection_and_nothing_else() {
    let server = serve(&[], &[]);
    for nonsense in ["\u{1}\u{2}\u{3}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n"] {
        let mut connection = Connection::open(server.address);
        assert_eq!(connection.send(nonsense.as_bytes()).reply().status, 400, "{nonsense:?}");
    }
    // Two ways to say where the body ends are one too many.
    let smuggled = "POST /v1/x HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n";
    assert_eq!(Connection::open(server.address).send(smuggled.as_bytes()).reply().status, 400);
    assert_eq!(get(server.address, "/health").status, 200);
}
