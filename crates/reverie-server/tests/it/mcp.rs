//! The tools over both transports, as a client that writes its own messages sees them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::caller::check_quiet;
use crate::client::{Reply, request};
use crate::run::{Directory, Server, reverie, run, serve};

const ALL: [&str; 7] = [
    "search_memories",
    "add_memory",
    "get_memories",
    "update_memory",
    "delete_memory",
    "recall_context",
    "record_lines",
];

fn initialize() -> Value {
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
}

fn call(id: u64, tool: &str, arguments: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

/// A client that started the program.
struct Started {
    child: std::process::Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    id: u64,
    seen: String,
}

impl Started {
    fn new(directory: &Directory, arguments: &[&str]) -> Self {
        let mut command = reverie(directory);
        command.arg("mcp").args(["--data", "data"]).args(arguments);
        let log = std::fs::File::create(directory.path().join("log")).unwrap();
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let mut started = Self { child, input, output, id: 0, seen: String::new() };
        let begun = started.ask(&initialize());
        assert_eq!(begun["result"]["serverInfo"]["name"], "reverie", "{begun}");
        started.tell(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        started
    }

    fn tell(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    fn ask(&mut self, message: &Value) -> Value {
        self.tell(message);
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        self.seen.push_str(&line);
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.id += 1;
        let answer = self.ask(&call(self.id, tool, &arguments));
        assert_eq!(answer["id"], self.id, "{answer}");
        answer["result"].clone()
    }

    /// Closes its standard input; how it ended, and all that it ever said beyond answers.
    fn leave(mut self) -> (Option<i32>, String) {
        self.input = None;
        let mut rest = String::new();
        std::io::Read::read_to_string(&mut self.output, &mut rest).unwrap();
        (self.child.wait().unwrap().code(), rest)
    }
}

#[test]
fn a_program_that_is_started_speaks_the_protocol_and_nothing_else() {
    let directory = Directory::new();
    let mut client = Started::new(&directory, &["--world", "家", "--character", "阿默"]);
    let listed = client.ask(&json!({"jsonrpc": "2.0", "id": 100, "method": "tools/list"}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ALL);
    for (name, reads, destroys, again) in [
        ("search_memories", true, false, true),
        ("add_memory", false, false, false),
        ("get_memories", true, false, true),
        ("update_memory", false, true, true),
        ("delete_memory", false, true, true),
        ("recall_context", true, false, true),
        ("record_lines", false, false, false),
    ] {
        let hints = &tools.iter().find(|tool| tool["name"] == name).unwrap()["annotations"];
        assert_eq!(hints["readOnlyHint"], reads, "{name}");
        assert_eq!(hints["destructiveHint"], destroys, "{name}");
        assert_eq!(hints["idempotentHint"], again, "{name}");
        assert_eq!(hints["openWorldHint"], false, "{name}");
    }
    let added = client.call("add_memory", json!({"text": "灯塔下面有一条密道。"}));
    assert_eq!(
        (&added["isError"], &added["structuredContent"]["id"]),
        (&json!(false), &json!("1")),
        "{added}"
    );
    let found = client.call("search_memories", json!({"query": "密道"}));
    assert_eq!(found["structuredContent"]["memories"][0]["text"], "灯塔下面有一条密道。", "{found}");
    let text = found["content"][0]["text"].as_str().unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(text).unwrap(),
        found["structuredContent"],
        "for clients that read text alone"
    );
    let wrong = client.call("update_memory", json!({"id": "77", "pinned": true}));
    assert_eq!(wrong["isError"], true);
    assert_eq!(wrong["structuredContent"]["error"]["code"], "not_found", "{wrong}");
    let unknown = client.ask(&call(200, "drop_database", &json!({})));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    assert!(unknown["error"]["message"].as_str().unwrap().contains("search_memories"), "{unknown}");
    let (code, rest) = client.leave();
    assert_eq!((code, rest.as_str()), (Some(0), ""));
    let log = std::fs::read_to_string(directory.path().join("log")).unwrap();
    assert!(!log.contains("密道"), "{log}");
    // What was added is in the file, for everybody else who opens it.
    let shown = run(reverie(&directory).args(["memories", "--data", "data", "家", "阿默", "--json"]));
    assert!(shown.stdout.contains("密道"), "{}", shown.stdout);
}

#[test]
fn a_data_file_that_cannot_be_used_is_told_of_on_standard_error() {
    let directory = Directory::new();
    directory.write("data/reverie.db", "this is no database, and long enough to be looked at as one");
    let ended = run(reverie(&directory).args(["mcp", "--data", "data"]));
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""));
    assert!(ended.stderr.contains("error:"), "{}", ended.stderr);
    let ended = run(reverie(&directory).args(["mcp", "--data", "other", "--character", ""]));
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
}

fn post(server: &Server, extra: &str, body: &Value) -> Reply {
    let headers =
        format!("content-type: application/json\naccept: application/json, text/event-stream\n{extra}");
    request(server.address, "POST /mcp", headers.trim_end(), &body.to_string())
}

#[test]
fn the_server_offers_the_same_tools_over_http() {
    let server = serve(&["--mcp-world", "harbour", "--mcp-character", "mo"], &[]);
    let begun = post(&server, "", &initialize());
    assert_eq!(
        (begun.status, begun.header("content-type")),
        (200, Some("application/json")),
        "{}",
        begun.body
    );
    assert_eq!(begun.json()["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(begun.header("mcp-session-id"), None, "every request stands for itself");
    let version = "mcp-protocol-version: 2025-06-18";
    let listed = post(&server, version, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).json();
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ALL);
    let ask = |tool: &str, arguments: Value| {
        post(&server, version, &call(7, tool, &arguments)).json()["result"].clone()
    };
    // The sample world: 阿默 was told of this on the first evening.
    let recalled =
        ask("recall_context", json!({"message": "你还记得我来找谁吗？", "conversation": "lighthouse"}));
    assert_eq!(recalled["isError"], false, "{recalled}");
    assert!(recalled["structuredContent"]["messages"].as_array().unwrap().len() > 1, "{recalled}");
    let id = ask("add_memory", json!({"text": "The fog horn is broken."}))["structuredContent"]["id"].clone();
    let found = ask("search_memories", json!({"query": "is the fog horn working"}));
    assert_eq!(found["structuredContent"]["memories"][0]["id"], id, "{found}");
    assert_eq!(ask("delete_memory", json!({"id": id}))["isError"], false);
    let notification =
        post(&server, version, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    assert_eq!((notification.status, notification.body.as_str()), (202, ""));
    assert_eq!(request(server.address, "GET /mcp", "accept: text/event-stream", "").status, 405);
    let headers = "content-type: application/json\naccept: application/json, text/event-stream";
    for (body, code) in
        [("{\"jsonrpc\": \"2.0\", ", -32700), ("灯", -32700), ("", -32700), (r#"{"no": "message"}"#, -32600)]
    {
        let refused = request(server.address, "POST /mcp", headers, body);
        assert_eq!(refused.status, 400, "{body:?}: {}", refused.body);
        let told = refused.json();
        assert_eq!((&told["error"]["code"], &told["id"]), (&json!(code), &Value::Null), "{body:?}: {told}");
    }
    let plain = request(server.address, "POST /mcp", "content-type: text/plain", "{}");
    assert!((400..500).contains(&plain.status), "{} {}", plain.status, plain.body);
    check_quiet(&server.log(), &["fog horn", "horn", "lighthouse"]);
}

/// Not even where the log tells everything else.
#[test]
fn what_tools_are_told_is_in_no_log() {
    let secret = json!({"text": "My PRIVATE diary"});
    for level in ["debug", "trace"] {
        let server = serve(&["--mcp-world", "harbour", "--mcp-character", "mo", "--log-level", level], &[]);
        let added = post(&server, "mcp-protocol-version: 2025-06-18", &call(1, "add_memory", &secret)).json();
        assert_eq!(added["result"]["isError"], false, "{added}");
        check_quiet(&server.log(), &["PRIVATE"]);
        let directory = Directory::new();
        let mut client = Started::new(&directory, &["--log-level", level]);
        assert_eq!(client.call("add_memory", secret.clone())["isError"], false);
        client.leave();
        let log = std::fs::read_to_string(directory.path().join("log")).unwrap();
        assert!(!log.contains("PRIVATE"), "{log}");
    }
}

/// The same doors as for everything else.
#[test]
fn nobody_gets_in_by_mcp_who_would_not_otherwise() {
    let server = serve(
        &["--limits-request-bytes", "64 KiB", "--limits-document-bytes", "64 KiB"],
        &[("REVERIE_TOKEN", "rv_0123456789abcdef0123456789abcdef")],
    );
    let token = "authorization: Bearer rv_0123456789abcdef0123456789abcdef";
    let begin = initialize();
    for (extra, status) in [
        (String::new(), 401),
        ("authorization: Bearer rv_other".to_owned(), 401),
        (token.to_owned(), 200),
        (format!("{token}\nhost: evil.example"), 403),
        (format!("{token}\norigin: https://evil.example"), 403),
    ] {
        assert_eq!(post(&server, &extra, &begin).status, status, "{extra}");
    }
    let large = call(1, "add_memory", &json!({"text": "x".repeat(100_000)}));
    let refused = post(&server, token, &large);
    assert_eq!(refused.status, 413);
    assert!(refused.error().contains("limits.request_bytes"), "{}", refused.body);
}
