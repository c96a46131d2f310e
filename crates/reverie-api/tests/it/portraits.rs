//! The picture on a card, and which card somebody is made from.

use reverie_formats::Limits;
use reverie_formats::container::{Container, portrait, write_as};
use serde_json::json;

use crate::host::Host;
use crate::script::talk_to;

/// A card in a picture.
fn picture(name: &str) -> Vec<u8> {
    let card =
        json!({"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": name, "description": "狐"}});
    write_as(Container::Png, None, &card, &Limits::default()).expect("a picture")
}

#[test]
fn a_picture_is_told_alone() {
    let host = Host::with_world("{}");
    let file = picture("钦灵");
    assert_eq!(host.raw("PUT", "/v1/cards/qin", &file).status, 201);
    let answer = host.raw("GET", "/v1/cards/qin/portrait", b"");
    assert_eq!((answer.status, answer.content_type), (200, "image/png"));
    let is_in = |bytes: &[u8], text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    assert!(is_in(&file, b"tEXt") && !is_in(&answer.body, b"tEXt"), "the card itself is no part of it");
    let again = portrait(&answer.body, &Limits::default()).expect("a picture").expect("a picture");
    assert_eq!(again.bytes, answer.body);
    assert_eq!(host.raw("GET", "/v1/cards/qin/file", b"").body, file, "the file is what it was");

    let gif = "data:image/png;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAAC";
    let card = json!({"name": "Mo", "description": "", "first_mes": "", "avatar": gif}).to_string();
    host.done("PUT", "/v1/cards/mo", &card);
    assert_eq!(host.raw("GET", "/v1/cards/mo/portrait", b"").content_type, "image/gif");
}

#[test]
fn who_has_no_picture_is_told_what_has() {
    talk_to(
        &Host::with_world("{}"),
        r#"
        PUT /v1/cards/qin {"spec":"chara_card_v2","data":{"name":"钦灵"}}
          201
        GET /v1/cards/qin/portrait
          404 not_found ~ there is one in a PNG card
        GET /v1/cards/mo/portrait
          404 not_found ~ there is no card "mo"
        GET /v1/cards/qin/portrait?optional=true
          204
        GET /v1/cards/mo/portrait?optional=true
          204"#,
    );
}

/// A checkpoint brings back which one it was, a copy of the world knows it, and taking over a persona by hand changes nothing of it.
#[test]
fn a_character_says_which_card_it_is_made_from() {
    let host = Host::with_world("{}");
    for card in ["qin", "mo"] {
        assert_eq!(host.raw("PUT", &format!("/v1/cards/{card}"), &picture(card)).status, 201);
    }
    talk_to(
        &host,
        r#"
        PUT /v1/worlds/w/characters/q/card {"card":"qin"}
          201 {"id":"q","card":"qin"}
        PUT /v1/worlds/w/characters/q {"persona":"猫"}
          200 {"persona":"猫","card":"qin"}
        PUT /v1/worlds/w/checkpoints/one
          201
        PUT /v1/worlds/w/characters/q {"card":"mo"}
          200 {"persona":"猫","display_name":"qin","card":"mo"}
        GET /v1/worlds/w/characters
          200 {"items":[{"id":"q","card":"mo"}]}
        POST /v1/worlds/w/fork {"id":"v","checkpoint":"one"}
          201
        GET /v1/worlds/v/characters/q
          200 {"card":"qin"}
        POST /v1/worlds/w/checkpoints/one/restore
          200
        GET /v1/worlds/w/characters/q
          200 {"card":"qin"}
        PUT /v1/worlds/w/characters/q {"card":"nobody"}
          404 not_found ~ there is no card "nobody"
        DELETE /v1/cards/qin
          204
        GET /v1/worlds/w/characters/q
          200 {"card":"qin"}"#,
    );
    assert!(host.export("w", "").contains(r#""card":"qin""#));
    let answer = host.done("PUT", "/v1/worlds/w/characters/q", r#"{"card":null}"#);
    assert_eq!(answer.get("card"), None);
}
