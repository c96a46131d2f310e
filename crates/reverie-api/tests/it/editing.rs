//! Editing entries over HTTP: which names and ids are taken, what is told and what is refused.

use reverie_api::wire::LorePosition;
use serde_json::json;

use crate::host::Host;
use crate::script::{talk, talk_to};

#[test]
fn positions_go_by_the_names_that_answers_use() {
    let host = Host::new();
    host.done("PUT", "/v1/books/b", r#"{"entries":{"5":{"uid":5,"key":["a"]}}}"#);
    for (number, name) in LorePosition::ALL.iter().enumerate() {
        let answer = host.done("PATCH", "/v1/books/b/entries/5", &json!({"position": name}).to_string());
        assert_eq!(answer["fields"]["position"], number, "{name}");
    }
}

#[test]
fn ids_are_stable_and_of_the_type_of_their_format() {
    talk(
        r#"
        PUT /v1/books/b {"entries":{"3":{"uid":3,"key":["a"]},"4":{"uid":3,"key":["twice"]},"x":{"key":["none"]}}}
          201 {"warnings":["entry 3: uid: another entry has the same id; this one goes by 3-2"]}
        PATCH /v1/books/b/entries/3 {"uid":9}
          400 invalid ~ PUT it under that one
        PATCH /v1/books/b/entries/3 {"uid":"abc"}
          400 invalid ~ cannot be changed
        PATCH /v1/books/b/entries/3 {"uid":3,"content":"c"}
          200 {"id":"3","fields":{"uid":3,"content":"c"}}
        PATCH /v1/books/b/entries/3-2 {"uid":"3-2","content":"c"}
          200 {"id":"3-2","fields":{"uid":3}}
        PATCH /v1/books/b/entries/x {"uid":"x","content":"c"}
          200 {"id":"x","fields":{"content":"c"}}
        PUT /v1/books/b/entries/abc {"key":["a"]}
          400 invalid ~ for instance PUT /v1/books/b/entries/4; a name belongs into `comment`
        PUT /v1/books/b/entries/007 {"key":["a"]}
          400 invalid ~ have whole numbers for ids
        PUT /v1/books/b/entries/8 {"uid":9,"key":["a"]}
          400 invalid ~ cannot be changed
        PUT /v1/books/b/entries/8 {"uid":8,"key":["a"]}
          201 {"id":"8","fields":{"uid":8}}
        PUT /v1/books/b/entries/3-2 {"key":["again"]}
          200 {"id":"3-2","fields":{"uid":3,"key":["again"]}}
        GET /v1/books/b/document
          200 {"entries":{"3":{"uid":3,"content":"c"},"4":{"uid":3,"key":["again"]},"x":{"content":"c"},"8":{"uid":8}}}
        PUT /v1/books/n {"lorebookVersion":5,"entries":[]}
          201
        PUT /v1/books/n/entries/12 {"key":["a"]}
          201 {"id":"12","fields":{"uid":"12"}}
        PUT /v1/books/n/entries/abc {"key":["a"]}
          201 {"id":"abc","fields":{"uid":"abc"}}"#,
    );
}

#[test]
fn what_is_odd_is_told_wherever_an_entry_comes_in_and_refused_edits_say_what_to_do() {
    let card = r#"{"spec":"chara_card_v2","data":{"name":"Q","description":"d","character_book":{"entries":[{"id":0,"keys":["/[/"],"content":"x","extensions":{"depth":-3},"enabled":true,"insertion_order":1}]}}}"#;
    talk_to(
        &Host::new(),
        &format!(
            r#"
        PUT /v1/books/b {{"entries":{{"0":{{"uid":0,"key":["/[/"],"depth":-3}}}}}}
          201 {{"warnings":["entry 0: depth: -3 is below 0; 0 is used","entry 0: the key \"/[/\" is looked for as plain text: a class of characters that is not closed"]}}
        PUT /v1/books/b/entries/1 {{"key":["/[/"]}}
          201 {{"warnings":["the key \"/[/\" is looked for as plain text: a class of characters that is not closed"]}}
        PATCH /v1/books/b/entries/1 {{"key":["/[a/"]}}
          200 {{"warnings":["the key \"/[a/\" is looked for as plain text: a class of characters that is not closed"]}}
        GET /v1/books/b/entries/1
          200 {{"warnings":["the key \"/[a/\" is looked for as plain text: a class of characters that is not closed"]}}
        PATCH /v1/books/b/entries/1 {{"key":["好"]}}
          200 {{"warnings":[]}}
        PUT /v1/cards/q {card}
          201 {{"warnings":["entry 0: depth: -3 is below 0; 0 is used","entry 0: the key \"/[/\" is looked for as plain text: a class of characters that is not closed"]}}
        PATCH /v1/books/b/entries/1 {{"depth":-3}}
          400 invalid ~ depth: -3 is not a whole number from 0 to 4294967295 send a whole number from 0 to 4294967295, or null to reset it; nothing was changed
        PATCH /v1/books/b/entries/1 {{"colour":"red"}}
          400 invalid ~ anything else goes into `extra`"#
        ),
    );
}

#[test]
fn what_no_tool_here_knows_is_shown_and_can_be_changed() {
    talk(
        r#"
        PUT /v1/books/b {"entries":{"0":{"uid":0,"key":["a"],"colour":"red","extensions":{"theirs":{"x":1}}}}}
          201
        GET /v1/books/b/entries/0
          200 {"extra":{"colour":"red"},"extensions":{"theirs":{"x":1}}}
        PATCH /v1/books/b/entries/0 {"extra":{"colour":"blue","size":2},"extensions":{"theirs":{"y":2},"mine":true}}
          200 {"extra":{"colour":"blue","size":2},"extensions":{"theirs":{"x":1,"y":2},"mine":true}}
        PATCH /v1/books/b/entries/0 {"extra":{"size":null},"extensions":{"theirs":null}}
          200 {"extra":{"colour":"blue"},"extensions":{"mine":true}}
        GET /v1/books/b/document
          200 {"entries":{"0":{"uid":0,"key":["a"],"colour":"blue","extensions":{"mine":true}}}}
        PATCH /v1/books/b/entries/0 {"extra":{"position":"an_top"}}
          200 {"fields":{"position":2}}
        PATCH /v1/books/b/entries/0 {"extra":7}
          400 invalid ~ extra: must be an object"#,
    );
}

#[test]
fn a_card_is_no_book_and_a_book_is_no_card() {
    let host = Host::new();
    let chunk = |kind: &[u8], data: &[u8]| [&(data.len() as u32).to_be_bytes(), kind, data, &[0; 4]].concat();
    let png = |text: &str| {
        let head = chunk(b"IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
        let card = chunk(b"tEXt", &[b"chara\0", text.as_bytes()].concat());
        [b"\x89PNG\r\n\x1a\n".as_slice(), &head, &card, &chunk(b"IEND", b"")].concat()
    };
    // {"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"Q","description":"d"}}
    let card = png(
        "eyJzcGVjIjoiY2hhcmFfY2FyZF92MiIsInNwZWNfdmVyc2lvbiI6IjIuMCIsImRhdGEiOnsibmFtZSI6IlEiLCJkZXNjcmlwdGlvbiI6ImQifX0=",
    );
    let response = host.raw("PUT", "/v1/books/b", &card);
    let answer = String::from_utf8_lossy(&response.body);
    assert_eq!(response.status, 400, "{answer}");
    assert!(
        answer.contains("a character card, not a world book") && answer.contains("PUT it to /v1/cards/b"),
        "{answer}"
    );
    assert_eq!(host.raw("PUT", "/v1/cards/c", &card).status, 201);
    host.done("DELETE", "/v1/cards/c", "");
    let response = host.raw("PUT", "/v1/books/b", &png(""));
    let answer = String::from_utf8_lossy(&response.body);
    assert!(response.status == 400 && answer.contains("hint"), "{answer}");
    talk_to(
        &host,
        r#"
        PUT /v1/books/b {"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"Q","description":"d"}}
          400 invalid ~ PUT it to /v1/cards/b
        PUT /v1/books/b {"name":"Q","description":"d","first_mes":"hi"}
          400 invalid ~ PUT it to /v1/cards/b
        PUT /v1/books/b {"what":"is this"}
          400 invalid ~ known are world info
        PUT /v1/cards/c {"entries":{"0":{"uid":0,"key":["a"]}}}
          400 invalid ~ PUT it to /v1/books/c
        PUT /v1/cards/c {"what":"is this"}
          400 invalid ~ Character Cards
        PUT /v1/books/b {"name":"空","scan_depth":4}
          201 {"name":"空","entries":0}
        GET /v1/books/b/document
          200 {"name":"空","scan_depth":4,"entries":{}}
        GET /v1/books
          200 {"items":[{"id":"b"}]}"#,
    );
}

#[test]
fn what_a_character_remembers_is_edited_as_a_book_and_goes_back_as_it_was() {
    let memory = r#"{"characterUuid":"雪","lastSyncedAt":5,"episodic":[{"id":"e1","content":"我们在港口见面。","keywords":["港口"],"x":[1]},{"id":"e2","content":" "}],"semantic":[],"traits":[{"name":"性格","value":"温柔"}],"goals":["海に行く"]}"#;
    talk(&format!(
        r#"
        PUT /v1/books/m {memory}
          201 {{"entries":3,"format":"sillytavern","warnings":["episodic[1] has no text"]}}
        GET /v1/books/m/document?format=memory
          200 {memory}
        GET /v1/books/m/document
          200 {memory}
        GET /v1/books/m/document?format=sillytavern
          200 {{"entries":{{"0":{{"uid":0}},"1":{{"uid":1}},"2":{{"uid":2}}}}}}
        PATCH /v1/books/m/entries/e1 {{"priority":"70"}}
          200
        GET /v1/books/m/document
          200 {{"episodic":[{{"id":"e1","priority":70}},{{"id":"e2"}}]}}
        PATCH /v1/books/m/entries/e1 {{"key":"港口, 码头","priority":"80","trigger":"Semantic","position":"an_top"}}
          200 {{"id":"e1","fields":{{"uid":0,"position":2}},"extensions":{{"memory":{{"id":"e1","x":[1]}}}}}}
        PATCH /v1/books/m/entries/trait-1 {{"content":"性格: 倔强"}}
          200
        GET /v1/books/m/document?format=memory
          200 {{"episodic":[{{"id":"e1","keywords":["港口","码头"],"priority":80,"triggerType":"semantic","x":[1]}},{{"id":"e2"}}],"traits":[{{"name":"性格","value":"倔强"}}],"goals":["海に行く"]}}
        GET /v1/books/m/document
          200 {{"entries":{{"0":{{"uid":0}},"1":{{"uid":1}},"2":{{"uid":2}}}}}}
        PUT /v1/books/b {{"entries":{{}}}}
          201
        GET /v1/books/b/document?format=memory
          400 invalid ~ not made of a memory.json"#
    ));
}
