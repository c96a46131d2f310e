//! What the server says when it begins, and what it writes down while it runs.

use std::process::Stdio;

use crate::client::{get, request};
use crate::run::{Directory, reverie, run, serve};

#[test]
fn the_ready_line_has_all_that_a_host_needs() {
    let directory = Directory::new();
    let data = directory.path().join("deep/data");
    let server = serve(&["--data", data.to_str().unwrap()], &[]);
    assert_eq!(server.ready["ready"], true);
    assert_eq!(server.ready["pid"], server.child.id());
    assert_ne!(server.address.port(), 0);
    let token = server.ready["token"].as_str().unwrap();
    assert!(token.starts_with("rv_"));
    assert!(server.ready["data"].as_str().unwrap().starts_with(data.to_str().unwrap()));
    assert!(data.is_dir());
    let reply = request(server.address, "GET /health", &format!("authorization: Bearer {token}"), "");
    assert_eq!(reply.status, 200);
}

/// What a person reads when the server starts with this address, in this folder.
fn greeting(directory: &Directory, listen: &str) -> Vec<String> {
    use std::io::{BufRead, BufReader};
    let mut child = reverie(directory)
        .args(["--listen", listen])
        .env("REVERIE_TOKEN", "rv_configured_0123456789")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut said: Vec<String> = lines.take_while(|line| !line.starts_with("Ctrl-C")).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    said.iter_mut().for_each(|line| *line = line.trim().to_owned());
    said
}

#[test]
fn people_are_told_where() {
    let directory = Directory::new();
    let lines = greeting(&directory, "127.0.0.1:0");
    assert!(lines[0].starts_with("Reverie ") && lines[0].contains("http://127.0.0.1:"), "{lines:?}");
    assert!(lines[1].starts_with("data  ") && lines[1].ends_with("reverie.db"), "{lines:?}");
    assert!(lines[2].starts_with("docs  ") && lines[2].ends_with("/docs"), "{lines:?}");
    assert!(
        lines[3].starts_with("chat  http://127.0.0.1:") && lines[3].contains("/v1, answered by echo"),
        "{lines:?}"
    );
    assert!(lines[4].contains("a sample world, harbour: http://127.0.0.1:"), "{lines:?}");
    assert_eq!(lines.len(), 5, "nobody else can reach it: {lines:?}");
    assert!(!lines.concat().contains("rv_"), "tokens are for programs: {lines:?}");
    let again = greeting(&directory, "127.0.0.1:0");
    assert_eq!(again.len(), 4, "whoever deleted the sample does not get it again: {again:?}");
}

#[test]
fn people_are_told_that_others_can_reach_it() {
    let lines = greeting(&Directory::new(), "0.0.0.0:0");
    assert!(lines[0].contains("http://127.0.0.1:"), "{lines:?}");
    let port = lines[0].rsplit(':').next().unwrap();
    let expected = format!(
        "open  other machines can reach it, with a token, at http://<address of this machine>:{port}"
    );
    assert_eq!(lines.last(), Some(&expected), "{lines:?}");
}

#[test]
fn a_taken_port_names_the_ways_out() {
    let server = serve(&[], &[]);
    let taken = server.address.to_string();
    let directory = Directory::new();
    let ended = run(reverie(&directory).args(["--listen", &taken]));
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.stderr.contains(&format!("error: {taken} is taken by another program")),
        "{}",
        ended.stderr
    );
    for way in ["--listen 127.0.0.1:0", "/health", "--listen 127.0.0.1:7878"] {
        assert!(ended.stderr.contains(way), "{}", ended.stderr);
    }
    let json = run(reverie(&directory).args(["--listen", &taken, "--json"])).json();
    assert_eq!(json["error"]["code"], "unavailable");
}

#[test]
fn the_log_has_one_line_a_request_and_no_text_or_token() {
    for format in ["text", "json"] {
        let configured = "rv_configured_0123456789";
        let server = serve(&["--log-format", format], &[("REVERIE_TOKEN", configured)]);
        let of_this_run = server.ready["token"].as_str().unwrap().to_owned();
        let dialogue = "{\"lines\":[{\"speaker\":\"钦灵\",\"content\":\"谁知道你提前来了\"}]}";
        for (line, extra) in [
            (
                "POST /v1/worlds/secretworld/conversations/c/lines?secret=query",
                format!("authorization: Bearer {configured}"),
            ),
            ("POST /v1/perspective", format!("x-reverie-token: {of_this_run}")),
            ("POST /v1/perspective", "authorization: Bearer rv_wrong_token".to_owned()),
            ("POST /v1/perspective", "host: secret.example".to_owned()),
            ("POST /v1/perspective", "origin: http://secret.example".to_owned()),
        ] {
            request(server.address, line, &format!("x-request-id: my-id-7\n{extra}"), dialogue);
        }
        let log = server.log();
        let lines: Vec<&str> = log.lines().filter(|line| line.contains("my-id-7")).collect();
        assert_eq!(lines.len(), 5, "{log}");
        for forbidden in ["钦灵", "提前", "secret", configured, &of_this_run, "rv_", "speaker"] {
            assert!(!log.contains(forbidden), "{forbidden}: {log}");
        }
        for line in lines {
            for field in ["operation", "status", "micros"] {
                assert!(line.contains(field), "{line}");
            }
            if format == "json" {
                let json: serde_json::Value = serde_json::from_str(line).unwrap();
                assert_eq!(json["request_id"], "my-id-7");
            }
        }
    }
}

#[test]
fn errors_of_paths_and_methods_are_ours() {
    let server = serve(&[], &[]);
    for line in ["GET /nowhere", "GET /v1/nowhere", "CONNECT localhost:80", "BREW /v1/worlds", "OPTIONS *"] {
        let reply = request(server.address, line, "", "");
        assert!((400..500).contains(&reply.status), "{line}: {}", reply.status);
        assert_eq!(reply.header("content-type"), Some("application/json"));
        assert!(!reply.error().starts_with(':'), "{line}: {}", reply.body);
    }
    assert_eq!(get(server.address, "/nowhere").status, 404);
    for (line, allow) in [
        ("POST /health", "GET, HEAD"),
        ("POST /v1/worlds", "GET, HEAD"),
        ("POST /v1/worlds/w", "PUT, GET, HEAD, DELETE"),
        ("GET /v1/perspective", "POST"),
    ] {
        let reply = request(server.address, line, "", "");
        assert_eq!((reply.status, reply.header("allow")), (405, Some(allow)), "{line}");
    }
}
