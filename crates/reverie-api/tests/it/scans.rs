//! Does a scan tell the truth: what it drew, what it did not come to, what it did not understand?

use serde_json::{Value, json};

use crate::host::Host;
use crate::script::talk;

fn scan(body: &Value) -> Value {
    Host::new().done("POST", "/v1/lore/scan", &body.to_string())
}

fn book(contents: &[&str]) -> Value {
    let entry = |(uid, content): (usize, &&str)| {
        let entry = json!({"uid": uid, "constant": true, "content": content, "order": 100 - uid});
        (uid.to_string(), entry)
    };
    json!({"entries": contents.iter().enumerate().map(entry).collect::<serde_json::Map<_, _>>()})
}

/// Groups, chances and macros take one draw after another, and the answer names all of them.
#[test]
fn injected_draws_feed_macros_in_their_order() {
    for (contents, draws, texts) in [
        (&["{{random:a,b,c}} {{pick:d,e}}"][..], vec![0.9, 0.6], vec!["c e"]),
        (&["{{roll:2d10}}", "{{random::东::西}}"], vec![0.0, 0.95, 0.5], vec!["11", "西"]),
        (
            &["{{char}}: {{roll:1d6+2}}", "no macro", "{{pick:x,y}}"],
            vec![1.0, 0.0],
            vec!["Char: 8", "no macro", "x"],
        ),
    ] {
        let found = scan(&json!({"books": [book(contents)], "messages": [], "draws": draws}));
        let told: Vec<&str> = found["active"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["content"].as_str().unwrap())
            .collect();
        assert_eq!(told, texts, "{found}");
        assert_eq!(found["draws"], json!(draws));
    }
}

/// Whatever was drawn, by whichever seed: the draws of the answer bring it again, without the seed.
#[test]
fn the_draws_of_an_answer_bring_the_same_answer() {
    let contents = ["{{random:a,b,c,d,e,f}}{{roll:3d100}}", "{{pick:a,b,c,d,e,f}}", "{{random:1,2,3,4,5}}"];
    let mut books = book(&contents);
    books["entries"]["0"]["probability"] = json!(60);
    books["entries"]["1"]["group"] = json!("g");
    books["entries"]["2"]["group"] = json!("g");
    let mut outcomes = std::collections::BTreeSet::new();
    for seed in 0..12 {
        let first = scan(&json!({"books": [books], "messages": [], "seed": seed}));
        let again = scan(&json!({"books": [books], "messages": [], "draws": first["draws"]}));
        assert_eq!(first, again, "seed {seed}");
        outcomes.insert(first["slots"].to_string());
    }
    assert!(outcomes.len() > 6, "{outcomes:?}");
}

#[test]
fn nobody_draws_without_end() {
    let found = scan(
        &json!({"books": [book(&["{{roll:1000d6}} ".repeat(100).as_str(), "{{random:a,b}}"])], "messages": [],
        "max_context": 1_000_000}),
    );
    assert_eq!(found["draws"].as_array().map(Vec::len), Some(65_536));
    assert!(
        found["problems"][0]["message"].as_str().unwrap().contains("at most 65536"),
        "{}",
        found["problems"]
    );
    assert_eq!(found["active"][1]["content"], "{{random:a,b}}");
}

/// An entry that the search never came to is not said to have no key in the text.
#[test]
fn what_was_not_reached_says_what_stopped_the_search() {
    let entries = json!({"entries": {
        "0": {"uid": 0, "key": ["灯"], "content": "港口有雾。"},
        "1": {"uid": 1, "key": ["雾"], "content": "雾里有船。"},
        "2": {"uid": 2, "key": ["船"], "content": "船长。"},
        "3": {"uid": 3, "key": ["山"], "content": "山。"},
    }});
    for (settings, stopped_by) in [
        (json!({"recursive": true, "max_recursion_steps": 1}), Some("max_recursion_steps")),
        (json!({"recursive": true, "budget_cap": 1}), Some("budget")),
        (json!({"recursive": false}), None),
    ] {
        let found =
            scan(&json!({"books": [{"id": "b", "document": entries}], "messages": [{"text": "点灯"}],
            "settings": settings, "explain": true}));
        let why = |entry: &str| {
            let why = found["why"].as_array().unwrap().iter().find(|why| why["entry"] == *entry).unwrap();
            (why["reason"].clone(), why["detail"].clone())
        };
        match stopped_by {
            Some(stop) => {
                let expected = |key: &str, entry: &str| {
                    let place = json!({"key": key, "in": "entry", "book": "b", "entry": entry, "at": 3, "stopped_by": stop});
                    (json!("not_reached"), place)
                };
                assert_eq!((why("1"), why("2")), (expected("雾", "0"), expected("船", "1")), "{found}");
            }
            None => assert_eq!((&why("1").0, &why("2").0), (&json!("no_key_found"), &json!("no_key_found"))),
        }
        assert_eq!(why("3").0, "no_key_found", "{found}");
    }
}

#[test]
fn a_key_that_is_not_looked_for_is_not_said_to_be_missing() {
    let long = "x".repeat(5000);
    let found = scan(&json!({"books": [{"entries": {
        "0": {"uid": 0, "key": [long], "content": "a"},
        "1": {"uid": 1, "key": ["harbor", long], "content": "b"},
        "2": {"uid": 2, "key": ["/(?=(a+))(a|aa)+$\\1?b/"], "content": "c"},
        "3": {"uid": 3, "key": [], "content": "d"},
    }}], "messages": [{"text": "a".repeat(4000)}], "explain": true}));
    let reasons: Vec<&str> =
        found["why"].as_array().unwrap().iter().map(|why| why["reason"].as_str().unwrap()).collect();
    assert_eq!(reasons, ["not_searched", "not_searched", "not_searched", "no_keys"], "{}", found["why"]);
    let keys: Vec<usize> =
        found["why"].as_array().unwrap().iter().map(|why| why["detail"]["key"].to_string().len()).collect();
    assert!(keys.iter().all(|length| *length < 100), "{keys:?}");
}

/// Told when the book comes in, in every preview and scan; kept in the file as it is.
#[test]
fn decorators_that_nobody_knows_are_told_and_kept() {
    let entry = r#"{"uid":0,"key":["灯"],"content":"@@is_greeting 2\n@@@depth 1\n@@reverse_depth 3\n@@role user\n正文"}"#;
    let told = r#"the decorator \"@@is_greeting 2\" is not known here, or not with this value; \"@@@depth 1\" is used instead"#;
    let other =
        r#"the decorator \"@@reverse_depth 3\" is not known here, or not with this value; it is ignored"#;
    talk(&format!(
        r#"
        PUT /v1/books/b {{"entries":{{"0":{entry}}}}}
          201 {{"warnings":["entry 0: {told}","entry 0: {other}"]}}
        PUT /v1/worlds/w/lore/b {{}}
          201 {{}}
        POST /v1/worlds/w/lore/preview {{"character":"a","history":[],"message":"点灯"}}
          200 {{"problems":[{{"book":"b","entry":"0","message":"{told}"}},{{"book":"b","entry":"0","message":"{other}"}}],
               "slots":[{{"position":"at_depth","depth":1,"role":"user","text":"正文"}}]}}
        POST /v1/lore/scan {{"books":[{{"id":"b","document":{{"entries":{{"0":{entry}}}}}}}],"messages":[{{"text":"点灯"}}]}}
          200 {{"problems":[{{"entry":"0","message":"{told}"}},{{"entry":"0","message":"{other}"}}]}}
        GET /v1/books/b/document
          200 {{"entries":{{"0":{entry}}}}}
        "#
    ));
}

/// One entry of each kind: what was wanted and what was there, in one answer.
#[test]
fn every_reason_says_what_was_wanted_and_what_was_there() {
    let entries = [
        (
            json!({"key": ["城"], "content": "城里有公爵。"}),
            "key",
            json!({"key": "城", "in": "message", "message": 0, "at": 2}),
        ),
        (
            json!({"key": ["公爵"]}),
            "key",
            json!({"key": "公爵", "in": "entry", "book": "b", "entry": "0", "at": 3}),
        ),
        (
            json!({"key": ["城"], "probability": 50}),
            "key",
            json!({"key": "城", "in": "message", "message": 0, "at": 2, "roll": 12.34, "chance": 50.0}),
        ),
        (json!({"key": ["城"], "probability": 30}), "unlucky", json!({"roll": 30.01, "chance": 30.0})),
        (
            json!({"vectorized": true}),
            "not_similar",
            json!({"similarity": {"score": 0.299, "threshold": 0.3}}),
        ),
        (
            json!({"trigger": "semantic", "relevance_weight": 0.5}),
            "not_similar",
            json!({"similarity": {"score": 0.2, "threshold": 0.3, "similarity": 0.4, "weight": 0.5}}),
        ),
        (json!({"trigger": "semantic"}), "not_similar", json!({"similarity": {"unknown": "not_given"}})),
        (
            json!({"trigger": "temporal", "tick": -900}),
            "not_its_time",
            json!({"time": {"tick": -900, "now": 1100, "days": 20.0, "near": 0.135, "threshold": 0.3}}),
        ),
        (json!({"trigger": "temporal"}), "not_its_time", json!({"time": {"unknown": "no_tick"}})),
        (
            json!({"trigger": "emotional", "emotions": ["喜", "joy"]}),
            "not_in_mood",
            json!({"mood": {"wanted": ["喜", "joy"], "present": ["悲"]}}),
        ),
        (
            json!({"trigger": "emotional", "emotions": ["悲"], "emotional_weight": 0.2}),
            "not_in_mood",
            json!({"mood": {"wanted": ["悲"], "present": ["悲"], "strength": 0.2, "threshold": 0.3}}),
        ),
        (
            json!({"topics": ["trade"]}),
            "not_on_topic",
            json!({"topic": {"wanted": ["trade"], "named": ["magic", "魔法"]}}),
        ),
        (
            json!({"key": ["龙"], "topics": ["trade"]}),
            "no_key_found",
            json!({"topic": {"wanted": ["trade"], "named": ["magic", "魔法"]}}),
        ),
        (
            json!({"characterFilter": {"isExclude": false, "names": ["若兰"], "tags": []}}),
            "filtered",
            json!({"by": "name", "wanted": ["若兰"], "present": ["阿宁"]}),
        ),
        (
            json!({"characterFilter": {"isExclude": true, "names": [], "tags": ["elf"]}}),
            "filtered",
            json!({"by": "tag", "unwanted": ["elf"], "present": ["elf", "archer"]}),
        ),
        (
            json!({"triggers": ["continue", "quiet"]}),
            "other_generation",
            json!({"wanted": ["continue", "quiet"], "present": "swipe"}),
        ),
        (
            json!({"known_by": ["若兰"]}),
            "not_known_by_character",
            json!({"wanted": ["若兰"], "present": ["阿宁"]}),
        ),
        (
            json!({"conditions": [{"fact": "place", "is": ["酒馆"]}]}),
            "condition",
            json!({"fact": "place", "is": ["酒馆"], "present": "港口"}),
        ),
        (
            json!({"conditions": [{"fact": "rank", "at_least": 3}]}),
            "condition",
            json!({"fact": "rank", "at_least": 3.0, "present": "2"}),
        ),
        (
            json!({"conditions": [{"fact": "war", "set": true}]}),
            "condition",
            json!({"fact": "war", "set": true, "given": false}),
        ),
        (json!({}), "no_keys", json!({})),
    ];
    let document: serde_json::Map<String, Value> = entries
        .iter()
        .enumerate()
        .map(|(uid, (entry, ..))| {
            let mut whole = json!({"uid": uid, "key": [], "content": "x", "order": 1000 - uid});
            whole.as_object_mut().unwrap().extend(entry.as_object().unwrap().clone());
            (uid.to_string(), whole)
        })
        .collect();
    let found = scan(&json!({
        "books": [{"id": "b", "document": {"entries": document}}],
        "messages": [{"name": "小明", "text": "看那城！"}],
        "settings": {"recursive": true}, "draws": [0.123_499, 0.300_01], "explain": true,
        "similar": [{"book": "b", "entry": "4", "score": 0.2999}, {"book": "b", "entry": "5", "score": 0.4}],
        "tick": 1100, "ticks_per_day": 100, "mood": ["悲"], "topics": ["magic", "魔法"],
        "character": {"names": ["阿宁"], "tags": ["elf", "archer"]}, "generation": "swipe",
        "facts": {"place": "港口", "rank": 2},
    }));
    for (uid, (entry, reason, detail)) in entries.iter().enumerate() {
        let name = uid.to_string();
        let why = found["why"].as_array().unwrap().iter().find(|why| why["entry"] == *name).unwrap();
        assert_eq!((&why["reason"], &why["detail"]), (&json!(reason), detail), "{entry}");
    }
}

/// Who sends a thousand topics for a thousand entries gets some of them back with each, and how many more there were.
#[test]
fn what_is_there_is_told_in_part_where_it_is_much() {
    let topics: Vec<String> =
        (0..1000).map(|number| format!("topic {number} {}", "长".repeat(100))).collect();
    let found = scan(
        &json!({"books": [{"entries": {"0": {"uid": 0, "key": [], "content": "x", "topics": ["other"]}}}],
        "messages": [], "topics": topics, "explain": true}),
    );
    let topic = &found["why"][0]["detail"]["topic"];
    assert_eq!((topic["named"].as_array().map(Vec::len), &topic["named_more"]), (Some(16), &json!(984)));
    assert!(topic.to_string().len() < 16 * 300, "{topic}");
}

#[test]
fn what_nobody_knows_is_refused_with_what_is_known() {
    talk(
        r#"
        POST /v1/lore/scan {"books":[],"messages":[],"tokens":"wat"}
          400 invalid ~ "wat"
        POST /v1/lore/scan {"books":[],"messages":[],"generation":"dream"}
          400 invalid ~ no kind of generation named "dream"
        POST /v1/lore/scan {"books":[],"messages":[],"generation":""}
          200
        POST /v1/worlds/w/recall {"character":"a","history":[],"generation":"dream"}
          400 invalid ~ no kind of generation named "dream"
        POST /v1/worlds/w/lore/preview {"character":"a","history":[],"generation":"dream"}
          400 invalid ~ no kind of generation named "dream"
        POST /v1/worlds/w/recall {"character":"a","history":[],"generation":"quiet"}
          200
        PUT /v1/books/b {"entries":{"0":{"uid":0,"key":["龙"],"content":"龙。","triggers":["dream"]}}}
          201 {"warnings":["entry 0: triggers: dream is no kind of generation that is known: normal, continue, impersonate, swipe, regenerate, quiet"]}
        "#,
    );
    assert_eq!(reverie_api::wire::Generation::ALL, reverie_core::lore::entry::GENERATIONS);
    let host = Host::new();
    for (body, known) in [
        (json!({"books": [], "messages": [], "tokens": "wat"}), "use one of: estimate, o200k, utf16/4"),
        (
            json!({"books": [], "messages": [], "generation": "wat"}),
            "use one of: normal, continue, impersonate, swipe, regenerate, quiet",
        ),
    ] {
        let (status, answer) = host.send("POST", "/v1/lore/scan", &body.to_string());
        assert_eq!((status, &answer["error"]["hint"]), (400, &json!(known)), "{answer}");
    }
}

/// The book of the lowest rank is chosen first when there is no room for all, and stands last when there is.
#[test]
fn the_lowest_rank_is_chosen_first_and_stands_last() {
    let placed =
        |id: &str, rank: i64| json!({"id": id, "rank": rank, "document": book(&[&format!("{id}の本")])});
    let books = [placed("高", 5), placed("low", -1), placed("middle", 2)];
    for (cap, expected) in [(0, &["高の本", "middleの本", "lowの本"][..]), (6, &["lowの本"])] {
        let found = scan(&json!({"books": books, "messages": [], "settings": {"budget_cap": cap}}));
        assert_eq!(found["slots"][0]["text"], expected.join("\n"), "{found}");
    }
}

/// A filter names a tag by id or by name, and so does whoever searches.
#[test]
fn tags_are_known_by_id_and_by_name() {
    let filter = |exclude: bool, tag: &str| json!({"isExclude": exclude, "names": [], "tags": [tag]});
    let entry = |filter: Value| json!({"constant": true, "content": "x", "characterFilter": filter});
    let entries = json!({"0": entry(filter(false, "t-1")), "1": entry(filter(false, "英雄")), "2": entry(filter(true, "t-1"))});
    for (tags, expected) in [
        (json!(["英雄"]), "0 1"),
        (json!(["t-1"]), "0 1"),
        (json!(["hero"]), "2"),
        (json!([]), "2"),
        (Value::Null, "0 1 2"),
    ] {
        let found =
            scan(&json!({"books": [{"entries": entries}], "messages": [], "character": {"tags": tags},
            "settings": {"tags": {"t-1": "英雄", "t-2": "villain"}}}));
        let active = found["active"].as_array().unwrap().iter();
        let mut active: Vec<&str> = active.map(|entry| entry["entry"].as_str().unwrap()).collect();
        active.sort_unstable();
        assert_eq!(active.join(" "), expected, "{tags}");
    }
}

/// What of a request could not be taken as it was sent is among the problems, whatever book it is in.
#[test]
fn what_was_repaired_is_told() {
    talk(
        r#"
        POST /v1/lore/scan {"books":[{"entries":{"0":{"uid":0,"constant":true,"content":"a\ud83d","note":123456789012345678901234}}}],"messages":[{"text":"\u0001"}]}
          200 {"active":[{"content":"a\ufffd"}],"problems":[
            {"book":"","entry":null,"message":"2 characters of the request could not be kept: send well-formed UTF-8, no lone surrogates, and only what XML can carry; U+FFFD stands in their place"},
            {"book":"","entry":null,"message":"1 whole numbers of more than 64 bits are rounded, the first in line 1; write such ids as text, in quotes"}]}
        POST /v1/lore/scan {"books":[{"entries":{"0":{"uid":0,"constant":true,"content":"a"}}}],"messages":[{"text":"123456789012345678901234"}]}
          200 {"problems":[]}
        POST /v1/worlds/w/lore/preview {"character":"a","history":[],"message":"\ud83d"}
          200 {"degraded":[{"code":"characters_replaced"}]}
        "#,
    );
}

/// Somebody is told once who is there, however many names are the same.
#[test]
fn nobody_is_named_twice() {
    talk(
        r#"
        POST /v1/lore/scan {"books":[{"entries":{
              "0":{"uid":0,"constant":true,"content":"x","known_by":["乙"]},
              "1":{"uid":1,"constant":true,"content":"x","order":1,"characterFilter":{"isExclude":true,"names":[],"tags":["elf"]}}}}],
            "messages":[],"explain":true,"character":{"names":["甲","甲","Mira"],"file":"Mira","tags":["elf","elf"]}}
          200 {"why":[{"detail":{"wanted":["乙"],"present":["甲","Mira"]}},{"detail":{"unwanted":["elf"],"present":["elf"]}}]}
        PUT /v1/books/b {"entries":{"0":{"uid":0,"constant":true,"content":"x","known_by":["乙"]}}}
          201
        PUT /v1/worlds/w/lore/b {}
          201
        POST /v1/worlds/w/lore/preview {"character":"甲","history":[]}
          200 {"why":[{"detail":{"wanted":["乙"],"present":["甲"]}}]}
        "#,
    );
}

/// A card brings its book along; one without is told what to send.
#[test]
fn cards_are_searched_for_their_books() {
    let book = r#"{"entries":[{"keys":["灯"],"content":"灯塔","extensions":{},"enabled":true,"insertion_order":1,"id":1}]}"#;
    talk(&format!(
        r#"
        POST /v1/lore/scan {{"books":[{{"spec":"chara_card_v2","spec_version":"2.0","data":{{"name":"Mira","character_book":{book}}}}}],"messages":[{{"text":"灯"}}]}}
          200 {{"active":[{{"content":"灯塔","book":"0"}}]}}
        POST /v1/lore/scan {{"books":[{{"id":"m","document":{{"spec":"chara_card_v3","spec_version":"3.0","data":{{"name":"Mira","character_book":{book}}}}}}}],"messages":[{{"text":"灯"}}]}}
          200 {{"active":[{{"content":"灯塔","book":"m"}}]}}
        POST /v1/lore/scan {{"books":[{{"spec":"chara_card_v2","data":{{"name":"Mira"}}}}],"messages":[]}}
          400 invalid ~ book "0": this is a character card without a book send a world book, or a card with a `character_book`
        POST /v1/lore/scan {{"books":[{{"no":"book"}}],"messages":[]}}
          400 invalid ~ book "0": this JSON is no world book that is known here known are world info of SillyTavern
        "#
    ));
}

/// By the counter of front ends that have none: four characters are a token, and each entry ends in a line break. A budget must not be
/// reached, so one of a single token holds nothing at all.
#[test]
fn line_breaks_count_and_a_budget_is_not_reached() {
    for (max_context, contents, active) in [
        (2, vec!["", "a"], vec![]),
        (6, vec!["abc"], vec![0]),
        (6, vec!["abcd"], vec![]),
        (6, vec!["abc", "d"], vec![0]),
        (10, vec!["abc", "def"], vec![0, 1]),
        (10, vec!["abc", "defg"], vec![0]),
        (10, vec!["abcd", "defg", "h"], vec![0]),
        (10, vec!["龙龙龙", "竜竜竜"], vec![0, 1]),
        (10, vec!["龙龙龙龙", "竜竜竜竜"], vec![0]),
    ] {
        let found = scan(
            &json!({"books": [book(&contents)], "messages": [], "tokens": "utf16/4", "max_context": max_context}),
        );
        let ids: Vec<usize> = found["active"]
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["entry"].as_str().unwrap().parse().unwrap())
            .collect();
        assert_eq!(ids, active, "{max_context} {contents:?}: {found}");
    }
}
