//! The library and its lore over real HTTP, as rows of the tour in `endpoints`: after it, on the same server.

use crate::endpoints::Row;

pub(crate) const LORE: &[Row] = &[
    (
        "PUT /v1/books/city",
        r#"{"entries":{"0":{"uid":0,"key":["青龙"],"content":"青龙守着东门。"}}}"#,
        201,
        "/entries",
        "1",
    ),
    ("GET /v1/books", "", 200, "/items/0/id", r#""city""#),
    ("GET /v1/books/city", "", 200, "/format", r#""sillytavern""#),
    ("GET /v1/books/city/document", "", 200, "/entries/0/content", r#""青龙守着东门。""#),
    ("PUT /v1/books/city/entries/1", r#"{"key":["白虎"],"content":"西门。"}"#, 201, "/id", r#""1""#),
    ("PATCH /v1/books/city/entries/1", r#"{"sticky":2}"#, 200, "/fields/sticky", "2"),
    ("GET /v1/books/city/entries/1", "", 200, "/fields/content", r#""西门。""#),
    ("GET /v1/books/city/entries", "", 200, "/items/1/id", r#""1""#),
    ("DELETE /v1/books/city/entries/1", "", 204, "", ""),
    (
        "PUT /v1/cards/qin",
        r#"{"spec":"chara_card_v2","data":{"name":"钦灵","description":"{{char}}"}}"#,
        201,
        "/name",
        r#""钦灵""#,
    ),
    ("GET /v1/cards", "", 200, "/items/0/id", r#""qin""#),
    ("GET /v1/cards/qin", "", 200, "/persona", r#""{{char}}""#),
    ("GET /v1/cards/qin/file", "", 200, "/data/name", r#""钦灵""#),
    ("GET /v1/cards/qin/portrait", "", 404, "/error/code", r#""not_found""#),
    ("PUT /v1/worlds/harbour/characters/qin/card", r#"{"card":"qin"}"#, 201, "/display_name", r#""钦灵""#),
    ("PUT /v1/worlds/harbour/lore/city", r#"{"rank":3}"#, 201, "/rank", "3"),
    ("GET /v1/worlds/harbour/lore", "", 200, "/books/0/book", r#""city""#),
    (
        "POST /v1/worlds/harbour/lore/preview",
        r#"{"character":"mo","conversation":"lighthouse","message":"青龙呢？"}"#,
        200,
        "/why/0/reason",
        r#""key""#,
    ),
    (
        "POST /v1/lore/scan",
        r#"{"books":[{"entries":{}}],"messages":[{"text":"青龙"}]}"#,
        200,
        "/budget/is_over",
        "false",
    ),
    ("DELETE /v1/worlds/harbour/lore/city", "", 204, "", ""),
    ("DELETE /v1/cards/qin", "", 204, "", ""),
    ("DELETE /v1/books/city", "", 204, "", ""),
];
