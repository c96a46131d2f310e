//! The pages that the server delivers itself.

use crate::client::{get, request};
use crate::run::serve;

#[test]
fn health_metrics_and_description() {
    let server = serve(&[], &[]);
    let health: serde_json::Value = serde_json::from_str(&get(server.address, "/health").body).unwrap();
    assert_eq!(health["status"], "ok");
    assert_eq!(health["version"], env!("CARGO_PKG_VERSION"));
    assert!(health["uptime_seconds"].is_u64());
    let openapi: serde_json::Value =
        serde_json::from_str(&get(server.address, "/openapi.json").body).unwrap();
    assert!(openapi["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")), "{openapi}");
    let metrics = get(server.address, "/metrics");
    assert_eq!(metrics.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    for line in [
        "reverie_requests_total{operation=\"health\",status=\"200\"} 1",
        "reverie_request_duration_seconds_count{operation=\"openapi\"} 1",
        "reverie_requests_in_flight 1",
        concat!("reverie_build_info{version=\"", env!("CARGO_PKG_VERSION"), "\"} 1"),
    ] {
        assert!(metrics.body.lines().any(|found| found == line), "{line}\n{}", metrics.body);
    }
}

/// So that a terminal's prompt begins on a line of its own.
#[test]
fn every_json_answer_ends_its_line() {
    let server = serve(&[], &[]);
    for path in ["/health", "/openapi.json", "/nowhere", "/v1/worlds"] {
        assert!(get(server.address, path).body.ends_with("}\n"), "{path}");
    }
    assert!(request(server.address, "POST /health", "", "").body.ends_with("}\n"));
}

#[test]
fn the_reference_page_needs_nothing_but_this_server() {
    let server = serve(&[], &[]);
    for (path, kind) in
        [("/docs", "text/html"), ("/docs/docs.js", "text/javascript"), ("/docs/docs.css", "text/css")]
    {
        let page = get(server.address, path);
        assert_eq!(page.status, 200);
        assert!(page.header("content-type").unwrap().starts_with(kind));
        let policy = page.header("content-security-policy").unwrap();
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "connect-src 'self'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
        for elsewhere in ["https://", "http://", "//cdn", "@import", "innerHTML", "style=\""] {
            assert!(!page.body.contains(elsewhere), "{path} contains {elsewhere}");
        }
    }
    let html = get(server.address, "/docs").body;
    assert!(html.contains("src=\"docs/docs.js\"") && html.contains("href=\"docs/docs.css\""));
}

/// What the page names is there, and nothing of it is from elsewhere. What people do in it is tried in a browser: `xtask/console`.
#[test]
fn the_console_needs_nothing_but_this_server() {
    let server = serve(&[], &[]);
    let root = get(server.address, "/");
    assert_eq!((root.status, root.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let names = root.body.split(['"']).filter(|part| part.starts_with("console/"));
    let mut waiting: Vec<String> = names.map(|name| format!("/{name}")).collect();
    let mut seen = vec!["/".to_owned()];
    while let Some(path) = waiting.pop() {
        let page = get(server.address, &path);
        assert_eq!(page.status, 200, "{path}");
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"), "{policy}");
        let folder = path.rsplit_once('/').unwrap().0;
        for name in page.body.split(['"', '`']).filter(|part| part.starts_with('.') && part.ends_with(".js"))
        {
            let mut parts: Vec<&str> = folder.split('/').collect();
            for step in name.split('/') {
                match step {
                    "." => {}
                    ".." => drop(parts.pop()),
                    step => parts.push(step),
                }
            }
            let path = parts.join("/");
            if !path.contains('$') && !seen.contains(&path) {
                seen.push(path.clone());
                waiting.push(path);
            }
        }
    }
    assert!(seen.len() > 10, "{seen:?}");
    assert_eq!(get(server.address, "/console/nothing.js").status, 404);
}

#[test]
fn head_tells_the_length_and_sends_nothing() {
    let server = serve(&[], &[]);
    let full = get(server.address, "/docs");
    let head = request(server.address, "HEAD /docs", "", "");
    assert_eq!(head.status, 200);
    assert_eq!(head.header("content-length"), Some(full.body.len().to_string().as_str()));
}
