//! Rounds, events and memories over real HTTP, as rows of the tour in `endpoints`: after it, on the same server.

use crate::endpoints::Row;

/// The server's own worker may be faster than any row: none of them asks who made a memory.
pub(crate) const MEMORIES: &[Row] = &[
    ("PUT /v1/worlds/minds", "{}", 201, "/id", r#""minds""#),
    (
        "POST /v1/worlds/minds/events",
        r#"{"text":"The roof fell in","witnesses":["ann","bob"],"key":"roof"}"#,
        201,
        "/holders/1/holder",
        r#""bob""#,
    ),
    ("GET /v1/worlds/minds/characters/ann/memories?q=ROOF", "", 200, "/items/0/id", r#""1""#),
    (
        "POST /v1/worlds/minds/characters/ann/memories",
        r#"{"text":"Bob snores","kind":"trait","about":["bob"]}"#,
        201,
        "/origin",
        r#""hand""#,
    ),
    ("GET /v1/worlds/minds/memories/1", "", 200, "/holders/0/layer", r#""situational""#),
    (
        "PATCH /v1/worlds/minds/memories/1",
        r#"{"pinned":true,"holder":"bob"}"#,
        200,
        "/holders/0/pinned",
        "true",
    ),
    ("DELETE /v1/worlds/minds/memories/1?holder=bob", "", 204, "", ""),
    ("GET /v1/worlds/minds/characters/bob/memories", "", 200, "/items", "[]"),
    ("POST /v1/worlds/minds/memories/1/undo", r#"{"holder":"bob"}"#, 200, "/holders/0/forgotten", "false"),
    ("GET /v1/worlds/minds/memories/1/history?holder=bob", "", 200, "/states/2/forgotten", "true"),
    (
        "POST /v1/worlds/minds/conversations",
        r#"{"id":"yard","participants":["ann","bob"]}"#,
        201,
        "/id",
        r#""yard""#,
    ),
    ("POST /v1/worlds/minds/conversations/yard/rounds", "", 201, "/state", r#""open""#),
    (
        "POST /v1/worlds/minds/conversations/yard/lines",
        r#"{"lines":[{"speaker":"ann","attribute":"user","content":"Mend it","round":1}]}"#,
        201,
        "/lines/0/round",
        r#""1""#,
    ),
    ("POST /v1/worlds/minds/rounds/1/complete", "{}", 200, "/explicit", "true"),
    ("POST /v1/worlds/minds/rounds/1/abort", "{}", 409, "/error/code", r#""conflict""#),
    ("GET /v1/worlds/minds/rounds/1", "", 200, "/last_line", r#""1""#),
    ("GET /v1/worlds/minds/conversations/yard/rounds", "", 200, "/items/0/id", r#""1""#),
    ("POST /v1/worlds/minds/digest", r#"{"now":true,"slice_ms":5000}"#, 200, "/failed", "[]"),
    ("POST /v1/worlds/minds/rebuild", r#"{"checkpoint":"before"}"#, 200, "/checkpoint", r#""before""#),
    ("POST /v1/worlds/minds/digest", r#"{"now":true,"slice_ms":5000}"#, 200, "/failed", "[]"),
    ("GET /v1/worlds/minds/stats", "", 200, "/lines", "1"),
    // What models are asked; there is none here.
    (
        "PUT /v1/worlds/minds",
        r#"{"settings":{"digest":{"batch_rounds":1}}}"#,
        200,
        "/settings/digest/batch_rounds",
        "1",
    ),
    ("POST /v1/questions", r#"{"world":"minds","limit":1}"#, 200, "/questions/0/purpose", r#""decide""#),
    ("GET /v1/worlds/minds/jobs", "", 200, "/items/0/id", r#""consider:3:2:ann""#),
    ("GET /v1/worlds/minds/jobs/consider:3:2:ann", "", 200, "/state", r#""asked""#),
    ("POST /v1/worlds/minds/jobs/consider:3:2:ann/retry", "", 409, "/error/code", r#""conflict""#),
    (
        "POST /v1/worlds/minds/questions/1.1.consider:3:2:ann/answer",
        r#"{"failed":{"code":"asleep","message":"my model sleeps"}}"#,
        200,
        "/taken",
        r#""late""#,
    ),
    ("POST /v1/models/test", "", 200, "/models", "[]"),
];
