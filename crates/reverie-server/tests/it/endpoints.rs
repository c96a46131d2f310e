//! A newcomer's first hour: a fresh folder, a world that answers at once, and every operation called over real HTTP.

use serde_json::Value;

use crate::caller::{Caller, check_quiet};
use crate::lore_tour::LORE;
use crate::memory_tour::MEMORIES;
use crate::run::{Directory, serve};

/// Method and path, body, status, and a pointer into the answer with what stands there (none: not looked at).
pub(crate) type Row = (&'static str, &'static str, u16, &'static str, &'static str);

/// In this order, on one fresh server. `%E9%92%A6%E7%81%B5` is 钦灵.
const TOUR: &[Row] = &[
    ("GET /health", "", 200, "/status", r#""ok""#),
    ("GET /v1/worlds", "", 200, "/items/0/id", r#""harbour""#),
    ("PUT /v1/worlds/tour", r#"{"preset":"game","settings":{"language":"en"}}"#, 201, "/preset", r#""game""#),
    ("PUT /v1/worlds/tour", "", 200, "/settings/language", r#""en""#),
    ("GET /v1/worlds/tour", "", 200, "/revision", "1"),
    ("GET /v1/worlds/nowhere", "", 404, "/error/code", r#""not_found""#),
    ("GET /v1/worlds/tour/dates?tick=200", "", 200, "/dates/0/tick", "200"),
    // Characters: any text is an id.
    (
        "PUT /v1/worlds/tour/characters/%E9%92%A6%E7%81%B5",
        r#"{"persona":"你叫钦灵","role_id":1}"#,
        201,
        "/id",
        r#""钦灵""#,
    ),
    ("PUT /v1/worlds/tour/characters/a%2Fb%20c", r#"{"display_name":"Slash"}"#, 201, "/id", r#""a/b c""#),
    ("GET /v1/worlds/tour/characters/%E9%92%A6%E7%81%B5", "", 200, "/role_id", r#""1""#),
    ("GET /v1/worlds/tour/characters?limit=1", "", 200, "/next", r#""a/b c""#),
    ("GET /v1/worlds/tour/characters?limit=1&cursor=a%2Fb+c", "", 200, "/items/0/id", r#""钦灵""#),
    ("DELETE /v1/worlds/tour/characters/a%2Fb%20c", "", 204, "", ""),
    // Conversations: by set, whatever its order, or by name.
    (
        "POST /v1/worlds/tour/conversations",
        r#"{"id":"home","participants":["player","钦灵"]}"#,
        201,
        "/head",
        "null",
    ),
    (
        "POST /v1/worlds/tour/conversations",
        r#"{"participants":["钦灵","player","钦灵"]}"#,
        200,
        "/id",
        r#""home""#,
    ),
    (
        "POST /v1/worlds/tour/conversations",
        r#"{"id":"market","name":"market","participants":["钦灵"]}"#,
        201,
        "/name",
        r#""market""#,
    ),
    ("GET /v1/worlds/tour/conversations", "", 200, "/items/1/id", r#""market""#),
    ("GET /v1/worlds/tour/conversations/home", "", 200, "/participants/0", r#""player""#),
    (
        "PUT /v1/worlds/tour/conversations/market/present",
        r#"{"present":["钦灵","player"]}"#,
        200,
        "/present/1",
        r#""钦灵""#,
    ),
    (
        "PUT /v1/worlds/tour/conversations/home/present",
        r#"{"present":["钦灵"]}"#,
        400,
        "/error/code",
        r#""invalid""#,
    ),
    // Lines, in the names of either design.
    (
        "POST /v1/worlds/tour/conversations/home/lines",
        r#"{"key":"k1","expected_head":null,"lines":[
            {"speaker":"player","attribute":"user","content":"Hello","tick":200},
            {"ParticipantId":"钦灵","Role":"character","Content":"Hi","GameTicksTimestamp":201,"emotion":"happy"}]}"#,
        201,
        "/lines/1/attribute",
        r#""assistant""#,
    ),
    (
        "POST /v1/worlds/tour/conversations/home/lines",
        r#"{"key":"k1","expected_head":null,"lines":[
            {"speaker":"player","attribute":"user","content":"Hello","tick":200},
            {"ParticipantId":"钦灵","Role":"character","Content":"Hi","GameTicksTimestamp":201,"emotion":"happy"}]}"#,
        200,
        "/replayed",
        "true",
    ),
    (
        "POST /v1/worlds/tour/conversations/home/lines",
        r#"{"key":"k1","lines":[{"speaker":"player","attribute":"user","content":"other"}]}"#,
        409,
        "/error/code",
        r#""conflict""#,
    ),
    (
        "POST /v1/worlds/tour/conversations/home/lines",
        r#"{"expected_head":null,"lines":[{"speaker":"player","attribute":"user","content":"late"}]}"#,
        409,
        "/error/code",
        r#""conflict""#,
    ),
    (
        "POST /v1/worlds/tour/conversations/home/lines",
        r#"{"lines":[{"speaker":"player","attribute":"user","content":"bad \ud83d and \u0007"}]}"#,
        201,
        "/lines/0/content",
        "\"bad \u{FFFD} and \u{FFFD}\"",
    ),
    (
        "POST /v1/worlds/tour/conversations/home/lines",
        r#"{"lines":[{"speaker":"player","attribute":"user","content":"back in time","tick":7}]}"#,
        201,
        "/degraded/0/code",
        r#""tick_ran_back""#,
    ),
    ("GET /v1/worlds/tour/conversations/home/lines?newest=true&limit=1", "", 200, "/next", r#""5""#),
    ("GET /v1/worlds/tour/conversations/home/lines?as=nobody", "", 200, "/items", "[]"),
    ("PATCH /v1/worlds/tour/lines/5", r#"{"content":"mended"}"#, 200, "/version", "1"),
    ("GET /v1/worlds/tour/lines/5", "", 200, "/content", r#""mended""#),
    ("GET /v1/worlds/tour/conversations/home/lines/5", "", 200, "/seq", "5"),
    ("GET /v1/worlds/tour/conversations/nowhere/chat", "", 404, "/error/code", r#""not_found""#),
    (
        "POST /v1/worlds/chats/chats?file=minds.jsonl",
        r#"{"name":"钦灵","is_user":false,"mes":"roof","send_date":"2024-01-02T09:00:00.000Z"}"#,
        201,
        "/new_lines",
        "1",
    ),
    ("GET /v1/worlds/tour/groups", "", 200, "/groups", "[]"),
    ("GET /v1/worlds/tour/groups/nobody", "", 404, "/error/code", r#""not_found""#),
    ("GET /v1/worlds/tour/conversations/market/lines/5", "", 404, "/error/code", r#""not_found""#),
    ("GET /health", "", 200, "/status", r#""ok""#),
    ("PATCH /v1/worlds/tour/conversations/home/lines/5", r#"{"hidden":true}"#, 200, "/hidden", "true"),
    (
        "PATCH /v1/worlds/tour/conversations/market/lines/5",
        r#"{"hidden":false}"#,
        404,
        "/error/code",
        r#""not_found""#,
    ),
    ("DELETE /v1/worlds/tour/conversations/market/lines/4", "", 404, "/error/code", r#""not_found""#),
    ("DELETE /v1/worlds/tour/conversations/home/lines/4", "", 204, "", ""),
    ("DELETE /v1/worlds/tour/lines/5", "", 204, "", ""),
    ("DELETE /v1/worlds/tour/lines/5", "", 404, "/error/code", r#""not_found""#),
    // Checkpoints, undo, swipes and branches.
    ("PUT /v1/worlds/tour/checkpoints/auto%201", "", 201, "/tick", "201"),
    ("PUT /v1/worlds/tour/checkpoints/auto%201", "", 200, "/id", r#""auto 1""#),
    ("GET /v1/worlds/tour/checkpoints/auto%201", "", 200, "/tick", "201"),
    ("GET /v1/worlds/tour/checkpoints", "", 200, "/items/0/id", r#""auto 1""#),
    ("PUT /v1/worlds/tour/conversations/home/head", r#"{"undo":1}"#, 200, "/head", r#""2""#),
    (
        "POST /v1/worlds/tour/conversations/home/lines",
        r#"{"swipe_of":"3","lines":[{"speaker":"钦灵","attribute":"assistant","content":"Welcome"}]}"#,
        201,
        "/lines/0/parent",
        r#""2""#,
    ),
    (
        "GET /v1/worlds/tour/conversations/home/lines?children_of=2",
        "",
        200,
        "/items/1/content",
        r#""Welcome""#,
    ),
    ("GET /v1/worlds/tour/conversations/home/lines?tree=true", "", 200, "/items/2/content", r#""Welcome""#),
    ("POST /v1/worlds/tour/checkpoints/auto%201/restore", "", 200, "/tick", "201"),
    ("GET /v1/worlds/tour/conversations/home", "", 200, "/head", r#""3""#),
    (
        "POST /v1/worlds/tour/fork",
        r#"{"id":"what if","checkpoint":"auto 1"}"#,
        201,
        "/forked_from",
        r#""tour""#,
    ),
    // Reading for a prompt.
    (
        "GET /v1/worlds/tour/history?participants=player&participants=%E9%92%A6%E7%81%B5&limit=1",
        "",
        200,
        "/primary/0/content",
        r#""Hi""#,
    ),
    ("GET /v1/worlds/tour/history?participants=nobody&as=player", "", 200, "/ancillary", "[]"),
    ("GET /v1/worlds/tour/history", "", 400, "/error/code", r#""invalid""#),
    (
        "POST /v1/worlds/tour/recall",
        r#"{"character":"钦灵","conversation":"home","message":"And now?","scene":{"place":"harbour"}}"#,
        200,
        "/messages/0",
        r#"{"role":"system","content":"你叫钦灵"}"#,
    ),
    (
        "POST /v1/worlds/tour/recall",
        r#"{"character":"钦灵","conversation":"home","budget":1}"#,
        400,
        "/error/code",
        r#""invalid""#,
    ),
    (
        "POST /v1/perspective",
        r#"{"as":{"role_id":1},"lines":[{"attribute":"user","content":"你好","display_name":"莱姆"}]}"#,
        200,
        "/messages",
        r#"[{"role":"user","content":"你好"}]"#,
    ),
    // The file itself.
    ("POST /v1/backup", "", 201, "/error", "null"),
    ("GET /v1/backups", "", 200, "/keep", "7"),
    // What can be set, and which models are used.
    ("GET /v1/settings", "", 200, "/settings/0/name", r#""language""#),
    ("GET /v1/connections", "", 200, "/connections/0/origin", r#""none""#),
    ("POST /v1/connections/chat/test", "{}", 400, "/error/code", r#""invalid""#),
    (
        "PUT /v1/connections/chat",
        r#"{"url":"http://127.0.0.1:9","model":"m"}"#,
        200,
        "/origin",
        r#""chosen""#,
    ),
    ("DELETE /v1/connections/chat", "", 200, "/origin", r#""none""#),
    // Away with it.
    ("DELETE /v1/worlds/tour/checkpoints/auto%201", "", 204, "", ""),
    ("GET /v1/worlds/tour/checkpoints/auto%201", "", 404, "/error/code", r#""not_found""#),
    ("DELETE /v1/worlds/what%20if", "", 204, "", ""),
    ("GET /v1/worlds/what%20if", "", 404, "/error/code", r#""not_found""#),
];

#[test]
fn every_operation_answers_over_http() {
    let data = Directory::new();
    let server = serve(&["--data", data.path().to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    for (line, body, status, pointer, expected) in TOUR.iter().chain(LORE).chain(MEMORIES) {
        let reply = caller.try_send(line, body).unwrap();
        assert_eq!(reply.status, *status, "{line} {body}: {}", reply.body);
        if pointer.is_empty() {
            assert_eq!(reply.body, "", "{line}");
            continue;
        }
        let expected: Value = serde_json::from_str(expected).unwrap();
        // A null in the table stands for nothing: answers have none.
        let expected = Some(&expected).filter(|expected| !expected.is_null());
        assert_eq!(reply.json().pointer(pointer), expected, "{line} {body}: {}", reply.body);
    }
    let moves = travel(&mut caller);
    let metrics = caller.send("GET /metrics", &Value::Null).body;
    assert!(metrics.contains("operation=\"recordLines\""), "{metrics}");
    let called: Vec<&str> = TOUR
        .iter()
        .chain(LORE)
        .chain(MEMORIES)
        .map(|(line, ..)| *line)
        .chain(moves)
        .chain(["GET /metrics"])
        .collect();
    let openapi = caller.get("/openapi.json");
    let described = openapi["components"]["schemas"]["Health"]["properties"].as_object().unwrap();
    let health = caller.get("/health");
    // A server that is well tells of no error.
    let described: Vec<&String> = described.keys().filter(|name| *name != "error").collect();
    assert_eq!(health.as_object().unwrap().keys().collect::<Vec<_>>(), described);
    for (path, methods) in openapi["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let operation = format!("{} {path}", method.to_uppercase());
            assert!(called.iter().any(|line| is_call_of(&operation, line)), "nobody called {operation}");
        }
    }
    check_quiet(
        &server.log(),
        &[
            "tour", "钦灵", "player", "home", "auto", "Hello", "%E9", "莱姆", "k1", "what if", "harbour",
            "minds", "roof", "ann",
        ],
    );
}

/// Out in both formats, and in again under other names: the same world.
fn travel(caller: &mut Caller) -> [&'static str; 3] {
    for format in ["jsonl", "save"] {
        let export = caller.send(&format!("GET /v1/worlds/tour/export?format={format}"), &Value::Null);
        assert_eq!(export.status, 200);
        let line = format!("POST /v1/import?world=from-{format}");
        let reply = caller.try_send(&line, &export.body).unwrap();
        assert_eq!(reply.status, 201, "{}", reply.body);
        assert_eq!(caller.try_send(&line, &export.body).unwrap().status, 409, "it is there already");
        let there = format!("/v1/worlds/from-{format}/conversations/home");
        assert_eq!(caller.lines(&there), caller.lines("/v1/worlds/tour/conversations/home"));
    }
    let chat = caller.send("GET /v1/worlds/tour/conversations/home/chat", &Value::Null);
    assert_eq!(chat.status, 200);
    let spoken = caller.lines("/v1/worlds/tour/conversations/home");
    assert_eq!(chat.body.lines().count(), 1 + spoken.len(), "a header, and a message for each line");
    ["GET /v1/worlds/tour/export", "POST /v1/import", "GET /v1/worlds/tour/conversations/home/chat"]
}

/// `GET /v1/worlds/{world}` is called by `GET /v1/worlds/tour?x=y`.
fn is_call_of(operation: &str, line: &str) -> bool {
    let path = line.split('?').next().unwrap_or_default();
    let (template, path): (Vec<&str>, Vec<&str>) =
        (operation.split('/').collect(), path.split('/').collect());
    let fits = |(part, given): (&&str, &&str)| part == given || part.starts_with('{');
    template.len() == path.len() && template.iter().zip(&path).all(fits)
}

#[test]
fn the_sample_world_is_alive() {
    let data = Directory::new();
    let folder = data.path().join("not/there/yet");
    let flags = ["--data", folder.to_str().unwrap()];
    let world = "/v1/worlds/harbour";
    let prompts = |caller: &mut Caller| {
        ["mo", "xia", "you"].map(|character| caller.recall(world, character, "lighthouse"))
    };
    let server = serve(&flags, &[]);
    let mut caller = Caller::new(&server);
    let [mo, xia, you] = prompts(&mut caller);
    assert!(mo.starts_with("你是阿默，雾港的灯塔看守人。"), "{mo}");
    assert!(mo.contains("找我姐姐") && mo.contains("借你的炉子烤烤书"), "{mo}");
    // She came later, and the last line was whispered past her.
    assert!(
        xia.contains("借你的炉子烤烤书") && !xia.contains("找我姐姐") && !xia.contains("一模一样"),
        "{xia}"
    );
    assert!(you.contains("一模一样"), "{you}");
    // It is made once: what the newcomer changes or deletes stays so.
    let line =
        serde_json::json!({"lines": [{"speaker": "you", "attribute": "user", "content": "在哪里见过？"}]});
    caller.call(&format!("POST {world}/conversations/lighthouse/lines"), line);
    let before = prompts(&mut caller);
    drop(server);
    let server = serve(&flags, &[]);
    let mut caller = Caller::new(&server);
    assert_eq!(prompts(&mut caller), before);
    caller.call(&format!("DELETE {world}"), Value::Null);
    drop(server);
    let server = serve(&flags, &[]);
    assert_eq!(Caller::new(&server).get("/v1/worlds")["items"], serde_json::json!([]));
}
