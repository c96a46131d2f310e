//! Which requests need a token, and which tokens are right?

use crate::client::request;
use crate::run::{Directory, Server, serve};

const CONFIGURED: &str = "rv_configured_0123456789";

/// Whether `GET path` is let in (whatever the answer then is).
fn is_let_in(server: &Server, path: &str, header: &str) -> bool {
    let reply = request(server.address, &format!("GET {path}"), header, "");
    if reply.status == 401 {
        assert!(reply.error().starts_with("denied: "), "{}", reply.error());
        assert!(reply.error().contains("REVERIE_TOKEN"), "{}", reply.error());
        assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
    }
    reply.status != 401
}

#[test]
fn with_a_token_set_every_request_needs_one() {
    let server = serve(&[], &[("REVERIE_TOKEN", CONFIGURED)]);
    for path in ["/v1/worlds/a", "/metrics", "/nowhere", "/v1/import"] {
        assert!(!is_let_in(&server, path, ""), "{path}");
        assert!(is_let_in(&server, path, &format!("authorization: Bearer {CONFIGURED}")), "{path}");
        assert!(is_let_in(&server, path, &format!("X-Reverie-Token: {CONFIGURED}")), "{path}");
        assert!(!is_let_in(&server, path, "authorization: Bearer rv_configured_012345678X"), "{path}");
        assert!(!is_let_in(&server, path, &format!("x-reverie-token: {CONFIGURED}0")), "{path}");
    }
    for path in ["/health", "/docs", "/docs/docs.js", "/docs/docs.css", "/openapi.json", "/"] {
        assert!(is_let_in(&server, path, ""), "{path}");
    }
    // The process that started the server need not know the settings.
    let of_this_run = server.ready["token"].as_str().unwrap();
    assert_ne!(of_this_run, CONFIGURED);
    assert!(is_let_in(&server, "/metrics", &format!("authorization: Bearer {of_this_run}")));
}

#[test]
fn on_loopback_without_a_token_none_is_needed_but_a_wrong_one_is_wrong() {
    let server = serve(&[], &[]);
    assert!(is_let_in(&server, "/metrics", ""));
    let of_this_run = server.ready["token"].as_str().unwrap();
    assert!(is_let_in(&server, "/metrics", &format!("authorization: Bearer {of_this_run}")));
    assert!(!is_let_in(&server, "/metrics", "authorization: Bearer rv_of_another_server"));
    assert!(!is_let_in(&server, "/health", "x-reverie-token: rv_of_another_server"));
}

/// A client that puts its key somewhere else means the same; where a key is no use, that is told, and nobody chats as somebody else.
#[test]
fn a_key_counts_wherever_a_client_puts_it() {
    let directory = Directory::new();
    let text = "[keys.k]\ntoken = \"rv_tavern_0123456789\"\nworld = \"tavern\"\n";
    let config = directory.write("reverie.toml", text);
    let server = serve(&["--config", &config], &[]);
    let body = r#"{"model":"echo","messages":[{"role":"user","content":"Good evening, all."}]}"#;
    let ask = |query: &str, header: &str| {
        let reply = request(server.address, &format!("POST /v1/chat/completions{query}"), header, body);
        (reply.status, reply.header("x-reverie-world").map(str::to_owned), reply.body)
    };
    for header in [
        "authorization: Bearer rv_tavern_0123456789",
        "authorization: rv_tavern_0123456789",
        "authorization: Token rv_tavern_0123456789",
        "x-api-key: rv_tavern_0123456789",
        "api-key: rv_tavern_0123456789",
        "x-reverie-token: rv_tavern_0123456789\nauthorization: sk-of-the-upstream",
    ] {
        let (status, world, told) = ask("", header);
        assert_eq!((status, world.as_deref()), (200, Some("tavern")), "{header}: {told}");
    }
    for (query, header) in [
        ("", "authorization: rv_another"),
        ("", "x-api-key: rv_another"),
        ("?key=rv_tavern_0123456789", ""),
        ("?a=1&key=rv%5Ftavern_0123456789", ""),
        ("", "x-goog-api-key: rv_tavern_0123456789"),
    ] {
        let (status, _, told) = ask(query, header);
        assert_eq!(status, 401, "{query} {header}: {told}");
        let is_clear = told.contains("X-Reverie-Token") || told.contains("settings");
        assert!(is_clear && !told.contains("0123456789"), "{told}");
    }
    for (query, header) in [
        ("?key=sk-of-the-upstream", "authorization: Bearer sk-of-the-upstream"),
        // Some other program's on the same machine.
        ("", "cookie: session=rv_tavern_0123456789"),
        // Where one is read, another one is no harm.
        ("?key=rv_tavern_0123456789", "authorization: Bearer rv_tavern_0123456789"),
    ] {
        assert_eq!(ask(query, header).0, 200, "{query} {header}");
    }
}

#[test]
fn tokens_may_come_from_a_file() {
    let directory = Directory::new();
    let file = directory.write("tokens", "rv_first_0123456789\n\nrv_second_0123456789\r\n");
    let server = serve(&["--token-file", &file], &[]);
    assert!(!is_let_in(&server, "/metrics", ""));
    assert!(is_let_in(&server, "/metrics", "authorization: Bearer rv_first_0123456789"));
    assert!(is_let_in(&server, "/metrics", "authorization: Bearer rv_second_0123456789"));
}
