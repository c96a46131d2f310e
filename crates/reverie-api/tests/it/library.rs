//! Books and cards over HTTP: kept as their authors wrote them, changed field by field, used by many worlds.

use crate::host::Host;
use crate::script::{talk, talk_to};

#[test]
fn a_book_is_kept_and_given_back_as_it_was() {
    let book = r#"{"name":"城","entries":{"3":{"uid":3,"key":["青龙"],"content":"东门","theirs":{"x":[1,null]}},"7":{"uid":7,"key":["白虎"],"content":"西门"}},"made_with":"a tool"}"#;
    let host = Host::with_world("{}");
    talk_to(
        &host,
        &format!(
            r#"
        PUT /v1/books/city {book}
          201 {{"id":"city","format":"sillytavern","revision":1,"entries":2}}
        PUT /v1/books/city {book}
          200 {{"revision":1}}
        GET /v1/books/city/document
          200 {book}
        GET /v1/books/city/entries?limit=1
          200 {{"items":[{{"id":"3","fields":{{"key":["青龙"],"content":"东门"}}}}],"next":"3"}}
        GET /v1/books/city/entries?limit=1&cursor=3
          200 {{"items":[{{"id":"7"}}]}}
        PATCH /v1/books/city/entries/3 {{"content":"东门，新漆","sticky":2}}
          200 {{"id":"3","fields":{{"content":"东门，新漆","sticky":2,"key":["青龙"]}}}}
        GET /v1/books/city/document
          200 {{"entries":{{"3":{{"content":"东门，新漆","theirs":{{"x":[1,null]}}}},"7":{{"content":"西门"}}}},"made_with":"a tool"}}
        PUT /v1/books/city/entries/9 {{"key":["朱雀"],"content":"南门"}}
          201 {{"id":"9","fields":{{"key":["朱雀"]}}}}
        DELETE /v1/books/city/entries/7
          204
        DELETE /v1/books/city/entries/7
          404 not_found
        GET /v1/books/city
          200 {{"revision":4,"entries":2}}
        PUT /v1/books/city/entries/9?expected_revision=1 {{"key":["朱雀"]}}
          409 conflict
        PUT /v1/books/city?expected_revision=0 {book}
          409 conflict
        GET /v1/books
          200 {{"items":[{{"id":"city"}}]}}
        DELETE /v1/books/city
          204
        GET /v1/books/city
          404 not_found ~ there is no book "city"
        PUT /v1/books/city {{"name":"新城"}}
          201 {{"name":"新城","entries":0}}
        PUT /v1/books/odd {{"entries":{{"0":{{"uid":0,"key":["/[/"]}}}}}}
          201 {{"warnings":["entry 0: the key \"/[/\" is looked for as plain text: a class of characters that is not closed"]}}
        PUT /v1/books/bad {{"entries":"none"}}
          400 invalid"#
        ),
    );
}

#[test]
fn a_book_speaks_other_formats() {
    talk(
        r#"
        PUT /v1/books/city {"entries":{"0":{"uid":0,"key":["龙"],"content":"东门","sticky":3}}}
          201
        GET /v1/books/city/document?format=lorebook_v3
          200 {"spec":"lorebook_v3","data":{"entries":[{"keys":["龙"],"content":"东门"}]}}
        GET /v1/books/city/document?format=scroll
          400 invalid ~ sillytavern"#,
    );
}

#[test]
fn a_card_makes_a_character_and_brings_its_book() {
    let card = r#"{"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"钦灵","description":"{{char}}是狐娘。","personality":"","scenario":"","first_mes":"你来啦。","mes_example":"","tags":["狐"],"character_book":{"entries":[{"keys":["尾巴"],"content":"{{char}}有九条尾巴。","extensions":{},"enabled":true,"insertion_order":1}],"extensions":{}}}}"#;
    let host = Host::with_world("{}");
    talk_to(
        &host,
        &format!(
            r#"
        PUT /v1/cards/qin {card}
          201 {{"id":"qin","name":"钦灵","greetings":["你来啦。"],"tags":["狐"],"book":"qin"}}
        GET /v1/cards/qin/file
          200 {card}
        GET /v1/books/qin
          200 {{"entries":1}}
        PUT /v1/worlds/w/characters/q/card {{"card":"qin"}}
          201 {{"id":"q","display_name":"钦灵","tags":["狐"]}}
        PATCH /v1/books/qin/entries/0 {{"comment":"手写"}}
          200
        PUT /v1/cards/qin {card}
          200 {{"revision":1}}
        GET /v1/books/qin/entries/0
          200 {{"fields":{{"comment":"手写"}}}}
        GET /v1/worlds/w/lore
          200 {{"books":[{{"book":"qin","rank":0,"character":"q"}}]}}
        POST /v1/worlds/w/conversations {{"id":"c","participants":["q","p"]}}
          201
        POST /v1/worlds/w/recall {{"character":"q","conversation":"c","message":"让我看看尾巴"}}
          200 {{"messages":[{{"role":"system"}},{{"role":"system","content":"钦灵有九条尾巴。"}},{{"content":"让我看看尾巴"}}]}}
        POST /v1/worlds/w/recall {{"character":"p","conversation":"c","message":"让我看看尾巴"}}
          200 {{"messages":[{{"content":"让我看看尾巴"}}]}}
        PUT /v1/cards/none {{"entries":{{}}}}
          400 invalid
        DELETE /v1/cards/qin
          204
        GET /v1/cards/qin
          404 not_found"#
        ),
    );
}

#[test]
fn a_world_uses_books_for_everybody_for_one_and_in_one_place() {
    talk(
        r#"
        PUT /v1/books/b {"entries":{}}
          201
        PUT /v1/worlds/w/lore/b {"rank":5}
          201 {"book":"b","rank":5}
        PUT /v1/worlds/w/lore/b {"rank":2}
          200 {"rank":2}
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","p"]}
          201
        PUT /v1/worlds/w/lore/b {"character":"a"}
          201
        PUT /v1/worlds/w/lore/b {"conversation":"c"}
          201
        PUT /v1/worlds/w/lore/b {"conversation":"c","character":"a"}
          400 invalid ~ twice
        PUT /v1/worlds/w/lore/nothing {}
          404 not_found ~ nothing
        DELETE /v1/worlds/w/lore/b?character=a
          204
        DELETE /v1/worlds/w/lore/b?character=a
          404 not_found
        GET /v1/worlds/w/lore
          200 {"books":[{"book":"b","rank":2},{"book":"b","conversation":"c"}]}"#,
    );
}
