//! A book that leaves in another format: does it fire there for the same words, and is it told what it cannot say?

use serde_json::{Value, json};

use crate::host::Host;
use crate::script::talk;

const FORMATS: [&str; 7] =
    ["sillytavern", "character_book_v2", "character_book_v3", "lorebook_v3", "risu", "agnai", "novelai"];

fn active(host: &Host, book: &Value, said: &str) -> Vec<String> {
    let scan = json!({"books": [book], "messages": [{"text": said}], "settings": {"include_names": false}});
    let found = host.done("POST", "/v1/lore/scan", &scan.to_string());
    let mut active: Vec<String> = found["active"]
        .as_array()
        .expect("JSON of that kind")
        .iter()
        .map(|entry| entry["content"].as_str().expect("JSON of that kind").to_owned())
        .collect();
    active.sort();
    active
}

/// Patterns, texts that look like patterns, and what counts in them: in English, Chinese and Japanese.
fn books() -> Vec<Value> {
    let v3 = |entries: Value| json!({"spec": "lorebook_v3", "data": {"extensions": {}, "entries": entries}});
    let entry = |content: &str, keys: Value, more: Value| {
        let mut entry = json!({"content": content, "keys": keys, "enabled": true, "insertion_order": 1, "extensions": {},
            "id": content, "use_regex": true});
        entry
            .as_object_mut()
            .expect("JSON of that kind")
            .extend(more.as_object().expect("JSON of that kind").clone());
        entry
    };
    vec![
        v3(json!([
            entry("pattern", json!(["^har.?bou?r", "quay|码头|波止場"]), json!({})),
            entry("case", json!(["^Mira$"]), json!({"case_sensitive": true})),
            entry("slash", json!(["and/or", r"c:\\/d"]), json!({})),
            entry("broken", json!(["c++", "["]), json!({})),
            entry("secondary", json!(["港.*"]), json!({"secondary_keys": ["雾$"], "selective": true})),
            entry("ordered", json!(["灯"]), json!({"content": "@@additional_keys ^点.\nordered"})),
            entry("literal", json!(["/harbour/", r"/a\/b/"]), json!({"use_regex": false})),
            entry("literal-case", json!(["/Mira/"]), json!({"use_regex": false, "case_sensitive": true})),
            entry(
                "literal-order",
                json!(["/灯/"]),
                json!({"use_regex": false, "content": "@@exclude_keys /x/\nliteral-order"})
            ),
        ])),
        json!({"entries": {
            "0": {"uid": 0, "key": ["/har.?bou?r/i", "c++"], "content": "mixed"},
            "1": {"uid": 1, "key": ["/(?<=点)灯/"], "keysecondary": ["/今|夜/"], "selective": true, "content": "both"},
            "2": {"uid": 2, "key": ["/月/i"], "content": "one"},
        }}),
        json!({"type": "risu", "ver": 1, "data": [
            {"key": "^竜|dragon", "secondkey": "", "insertorder": 1, "content": "risu", "mode": "normal", "useRegex": true},
            {"key": "/dragon/", "secondkey": "", "insertorder": 1, "content": "risu-literal", "mode": "normal", "useRegex": false},
        ]}),
        json!({"lorebookVersion": 5, "categories": [{"id": "off", "name": "Off", "enabled": false}], "entries": [
            {"text": "novelai", "displayName": "n", "id": "a", "keys": ["/^月/", "星"], "enabled": true},
            {"text": "silent", "displayName": "n", "id": "b", "keys": ["/月/"], "enabled": true, "category": "off"},
        ]}),
    ]
}

const SAID: [&str; 16] = [
    "Harbor lights",
    "the old harbour",
    "去码头吧",
    "波止場で",
    "Mira",
    "mira",
    "and/or",
    r"c:\/d",
    "c++",
    "港口，雾",
    "点灯 [1]",
    "see /harbour/ and a/b and /a\\/b/ or /Mira/",
    "今夜、点灯した。/灯/",
    "月と竜",
    "A DRAGON, a /dragon/",
    "星",
];

#[test]
fn a_book_fires_for_the_same_words_in_every_format() {
    let host = Host::with_world("{}");
    for book in books() {
        host.done("PUT", "/v1/books/b", &book.to_string());
        for format in FORMATS {
            let other = host.get(&format!("/v1/books/b/document?format={format}"));
            for said in SAID {
                assert_eq!(
                    active(&host, &other, said),
                    active(&host, &book, said),
                    "{format}: {said}\n{other}"
                );
            }
        }
    }
}

#[test]
fn what_a_format_cannot_say_is_reported() {
    talk(
        r#"
        PUT /v1/books/b {"entries":{"0":{"uid":0,"key":["/月/i"],"content":"c"},"1":{"uid":1,"key":["星"],"content":"d"}}}
          201
        GET /v1/books/b/document?format=agnai&report=true
          200 {"warnings":["entry 0: key: is a pattern, which the format agnai does not know; its tools read it as plain text"]}
        GET /v1/books/b/document?format=novelai&report=true
          200 {"warnings":[]}
        GET /v1/books/b/document?report=true
          200 {"warnings":[]}
        GET /v1/books/b/document?format=novelai
          200 {"lorebookVersion":5}
        GET /v1/books/b/document?report=perhaps
          400 invalid ~ use true or false
        "#,
    );
}

/// What would be live for everybody in the other tool is named, entry by entry.
#[test]
fn what_only_we_know_is_reported() {
    talk(
        r#"
        PUT /v1/books/b {"entries":{"0":{"uid":0,"key":["月"],"content":"秘","disable":true,"sticky":3,"characterFilter":{"isExclude":false,"names":["Rei"],"tags":[]},"extensions":{"reverie":{"known_by":["Rei"]}}},"1":{"uid":1,"key":["星"],"content":"d"}}}
          201
        GET /v1/books/b/document?format=agnai&report=true
          200 {"warnings":["entry 0: the tools of the format agnai do not know characterFilter, known_by: there this entry may come for anybody and at any time","sticky: the tools of the format agnai do not know this (in 1 entry)"]}
        GET /v1/books/b/document?format=risu
          200 {"data":[{"activationPercent":0},{"key":"星"}]}
        GET /v1/books/b/document?format=sillytavern&report=true
          200 {"warnings":[]}
        PUT /v1/books/m {"characterUuid":"u","semantic":[{"id":"a","content":"tea","keywords":["tea"]}]}
          201
        GET /v1/books/m/document?format=memory&report=true
          200 {"warnings":[]}
        PATCH /v1/books/m/entries/a {"sticky":3}
          200
        GET /v1/books/m/document?format=memory&report=true
          200 {"warnings":["sticky: a memory.json cannot say this (in 1 entry)"]}
        GET /v1/books/m/document?report=true
          200 {"warnings":[]}
        PATCH /v1/books/m/entries/a {"sticky":null,"disable":true}
          200
        GET /v1/books/m/document?report=true
          200 {"warnings":["disable: a memory.json cannot say this (in 1 entry)"]}
        "#,
    );
}

/// A category that is off keeps its entries back, whatever they say, and says so; enabled again, each is what it was.
#[test]
fn a_disabled_category_keeps_its_entries_back() {
    let book = |enabled: bool| {
        format!(
            r#"{{"lorebookVersion":5,"categories":[{{"id":"c","name":"旧事","enabled":{enabled}}}],"settings":{{"x":1}},"entries":[
                {{"id":"on","text":"开","keys":["月"],"enabled":true,"category":"c"}},
                {{"id":"off","text":"关","keys":["月"],"enabled":false,"category":"c"}},
                {{"id":"free","text":"闲","keys":["月"],"enabled":true,"category":""}},
                {{"id":"always","text":"常","keys":[],"enabled":true,"forceActivation":true,"category":"c"}}]}}"#
        )
    };
    let (closed, open) = (book(false), book(true));
    talk(&format!(
        r#"
        PUT /v1/books/b {closed}
          201
        PUT /v1/worlds/w/lore/b {{}}
          201
        POST /v1/worlds/w/lore/preview {{"character":"a","history":[],"message":"月"}}
          200 {{"active":[{{"entry":"free"}}],"why":[
            {{"entry":"on","reason":"disabled","detail":{{"category":"旧事"}}}},{{"entry":"off","reason":"disabled"}},
            {{"entry":"free","reason":"key"}},{{"entry":"always","reason":"disabled","detail":{{"category":"旧事"}}}}]}}
        PATCH /v1/books/b/entries/on {{"content":"开了"}}
          200 {{"fields":{{"disable":false,"content":"开了"}}}}
        GET /v1/books/b/document
          200 {{"categories":[{{"enabled":false}}],"entries":[{{"enabled":true,"text":"开了"}},{{"enabled":false}},{{"enabled":true}},{{"enabled":true}}]}}
        GET /v1/books/b/document?format=sillytavern
          200 {{"entries":{{"0":{{"content":"开了","disable":true}},"1":{{"disable":true}},"2":{{"disable":false}},"3":{{"disable":true}}}}}}
        PUT /v1/books/b {open}
          200
        POST /v1/worlds/w/lore/preview {{"character":"a","history":[],"message":"月"}}
          200 {{"why":[{{"entry":"on","reason":"key"}},{{"entry":"off","reason":"disabled","detail":{{}}}},{{"entry":"free","reason":"key"}},{{"entry":"always","reason":"constant"}}]}}
        "#
    ));
}
