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

#[test]
fn tokens_may_come_from_a_file() {
    let directory = Directory::new();
    let file = directory.write("tokens", "rv_first_0123456789\n\nrv_second_0123456789\r\n");
    let server = serve(&["--token-file", &file], &[]);
    assert!(!is_let_in(&server, "/metrics", ""));
    assert!(is_let_in(&server, "/metrics", "authorization: Bearer rv_first_0123456789"));
    assert!(is_let_in(&server, "/metrics", "authorization: Bearer rv_second_0123456789"));
}
