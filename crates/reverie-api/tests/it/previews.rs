//! What hosts are told about the lore of a prompt: what was left out, what is missing, under which names.

use serde_json::{Value, json};

use crate::lore::with_book;
use crate::script::talk;

#[test]
fn a_preview_leaves_out_what_a_recall_would_and_says_so() {
    let long = "很长的设定。".repeat(40);
    let stage = with_book(
        r#"{"lore":{"budget_percent":100}}"#,
        json!([{"key": ["早"], "content": long, "order": 1}, {"key": ["早"], "content": "短。", "order": 2}]),
    );
    stage.tell("甲、乙", "@乙: 早");
    let preview = |budget: u64| {
        let cue = json!({"character": "甲", "conversation": "c1", "budget": budget}).to_string();
        (stage.host.send("POST", "/v1/worlds/w/lore/preview", &cue), stage.ask(&cue))
    };
    let mut was_cut = false;
    for budget in (20..500).step_by(10) {
        let ((status, preview), (recall_status, recall)) = preview(budget);
        assert_eq!(status, recall_status, "{preview} {recall}");
        if status != 200 {
            assert_eq!(preview["error"], recall["error"]);
            continue;
        }
        assert_eq!((&preview["tokens"], &preview["degraded"]), (&recall["tokens"], &recall["degraded"]));
        let cut: Vec<Value> = recall["left_out"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|left| left["lore"].as_array().unwrap().clone())
            .collect();
        assert_eq!(preview["left_out"], json!(cut), "{budget}");
        for name in &cut {
            let why =
                preview["why"].as_array().unwrap().iter().find(|why| why["entry"] == name["entry"]).unwrap();
            assert_eq!(
                (&why["active"], &why["reason"], &why["detail"]),
                (&json!(false), &json!("over_prompt_budget"), &json!({"budget": budget}))
            );
            assert!(
                !preview["active"].to_string().contains(&format!(r#""entry":{}"#, name["entry"])),
                "{preview}"
            );
            was_cut = true;
        }
    }
    assert!(was_cut);
}

#[test]
fn a_book_that_is_gone_is_missed_and_a_link_to_a_stranger_is_noticed() {
    talk(
        r#"
        PUT /v1/books/b {"entries":{"0":{"uid":0,"key":["龙"],"content":"龙。"}}}
          201
        PUT /v1/worlds/w/lore/b {}
          201 {"book":"b","degraded":[]}
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","p"]}
          201
        PUT /v1/worlds/w/lore/b {"character":"a"}
          201 {"character":"a","degraded":[]}
        PUT /v1/worlds/w/lore/b {"character":"aa"}
          201 {"character":"aa","degraded":[{"code":"unknown_character","message":"nobody in this world was called \"aa\"; the character was made for this link"}]}
        PUT /v1/worlds/w/lore/b {"character":"aa","rank":2}
          200 {"degraded":[]}
        DELETE /v1/worlds/w/characters/aa
          204
        GET /v1/worlds/w/lore
          200 {"books":[{"book":"b","missing":false},{"book":"b","character":"a"}]}
        POST /v1/worlds/w/recall {"character":"a","conversation":"c","message":"龙"}
          200 {"degraded":[]}
        DELETE /v1/books/b
          204
        POST /v1/worlds/w/recall {"character":"a","conversation":"c","message":"龙"}
          200 {"books":[],"degraded":[{"code":"book_missing","message":"linked, but not in the library: \"b\"","hint":"PUT /v1/books/{book} brings a book back; DELETE …/lore/{book} takes the link away"}]}
        POST /v1/worlds/w/lore/preview {"character":"a","conversation":"c","message":"龙"}
          200 {"active":[],"degraded":[{"code":"book_missing"}]}
        GET /v1/worlds/w/lore
          200 {"books":[{"book":"b","missing":true},{"book":"b","character":"a","missing":true}]}
        DELETE /v1/worlds/w/lore/b?character=a
          204
        DELETE /v1/worlds/w/lore/b
          204
        POST /v1/worlds/w/recall {"character":"a","conversation":"c","message":"龙"}
          200 {"degraded":[]}"#,
    );
}

#[test]
fn one_name_for_each_thing_and_numbers_that_can_be_read() {
    let scan = |settings: &str, rest: &str| {
        format!(
            r#"POST /v1/lore/scan {{"books":[{{"entries":{{
                "0":{{"uid":0,"key":["cat"],"content":"猫","position":"an_top"}},
                "1":{{"uid":1,"constant":true,"content":"甲知","extensions":{{"reverie":{{"known_by":["甲"]}}}}}},
                "2":{{"uid":2,"constant":true,"content":"运气","probability":50}}}}}}],
                "messages":[{{"text":"concatenate"}}],"explain":true,"draws":[0.7234567890123],"settings":{settings}{rest}}}"#
        )
    };
    for settings in [
        r#"{"whole_words":true,"group_scoring":true}"#,
        r#"{"match_whole_words":true,"use_group_scoring":true}"#,
    ] {
        talk(&format!(
            "{}\n200 {}",
            scan(settings, r#","character":{"names":["乙"]}"#),
            r#"{"active":[],"why":[{"reason":"no_key_found"},{"reason":"not_known_by_character"},{"reason":"unlucky","detail":{"roll":72.35,"chance":50.0}}]}"#
        ));
    }
    talk(&format!("{}\n200 {}", scan("{}", ""), r#"{"slots":[{"position":"note_top"}]}"#));
    talk(&format!("{}\n400 invalid ~ a whole number from 0 to 4294967295", scan(r#"{"depth":-1}"#, "")));
}

/// Clients are written in many languages: no answer speaks of the types of this one.
#[test]
fn a_value_of_the_wrong_type_is_named_in_the_words_of_json() {
    let host = crate::host::Host::with_world("{}");
    host.done("PUT", "/v1/books/b", r#"{"entries":{}}"#);
    host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"c","participants":["a"]}"#);
    let recall = r#""character":"a","conversation":"c""#;
    let scan = r#""books":[],"messages":[]"#;
    for (method, path, body) in [
        ("POST", "/v1/lore/scan", format!(r#"{{{scan},"settings":{{"depth":-1}}}}"#)),
        ("POST", "/v1/lore/scan", format!(r#"{{{scan},"settings":{{"recursive":"x"}}}}"#)),
        ("POST", "/v1/lore/scan", format!(r#"{{{scan},"settings":[]}}"#)),
        ("POST", "/v1/lore/scan", format!(r#"{{{scan},"draws":"x"}}"#)),
        ("POST", "/v1/lore/scan", format!(r#"{{{scan},"seed":-1}}"#)),
        ("POST", "/v1/lore/scan", format!(r#"{{{scan},"max_context":1.5}}"#)),
        (
            "POST",
            "/v1/lore/scan",
            format!(r#"{{{scan},"similar":[{{"book":"b","entry":"0","score":"x"}}]}}"#),
        ),
        (
            "POST",
            "/v1/lore/scan",
            format!(
                r#"{{{scan},"state":{{"timers":[{{"book":"b","entry":"0","kind":"sticky","start":-1,"end":2}}]}}}}"#
            ),
        ),
        ("POST", "/v1/lore/scan", format!(r#"{{{scan},"character":{{"tags":"x"}}}}"#)),
        ("POST", "/v1/lore/scan", r#"{"books":5,"messages":[]}"#.to_owned()),
        ("POST", "/v1/lore/scan", r#"{"books":[],"messages":[5]}"#.to_owned()),
        ("POST", "/v1/worlds/w/recall", format!(r#"{{{recall},"budget":-1}}"#)),
        ("POST", "/v1/worlds/w/recall", format!(r#"{{{recall},"tick":1.5}}"#)),
        ("POST", "/v1/worlds/w/recall", format!(r#"{{{recall},"lore":{{"tags":"x"}}}}"#)),
        ("POST", "/v1/worlds/w/recall", format!(r#"{{{recall},"scene":5}}"#)),
        ("POST", "/v1/worlds/w/recall", format!(r#"{{{recall},"mood":{{}}}}"#)),
        ("PUT", "/v1/worlds/w/lore/b", r#"{"rank":"x"}"#.to_owned()),
        ("PUT", "/v1/worlds/w/lore/b", r#"{"rank":99999999999999999999}"#.to_owned()),
        ("PUT", "/v1/worlds/w/conversations/c/head", r#"{"undo":-1}"#.to_owned()),
        (
            "POST",
            "/v1/worlds/w/conversations/c/lines",
            r#"{"lines":[{"attribute":"user","content":"x","tick":"y"}]}"#.to_owned(),
        ),
        ("POST", "/v1/worlds/w/conversations/c/lines", r#"{"lines":{}}"#.to_owned()),
        ("PATCH", "/v1/books/b/entries/0", "[]".to_owned()),
    ] {
        let (status, answer) = host.send(method, path, &body);
        let message = answer["error"]["message"].as_str().unwrap_or_default();
        assert_eq!(status, 400, "{body}: {answer}");
        let rust = [
            "u32", "u64", "usize", "i64", "f64", "struct", "enum", "sequence", "map", "boolean", "string",
            "Option", "variant",
        ];
        let spoken = message.split(|c: char| !c.is_alphanumeric()).find(|word| rust.contains(word));
        assert_eq!(spoken, None, "{body}: {message}");
    }
}

/// Where several speak, an entry is asked about those for whom its book is.
#[test]
fn what_nobody_of_its_readers_knows_says_who_they_are() {
    let host = crate::host::Host::with_world("{}");
    for (id, name) in [("a", "Ann"), ("b", "Ben"), ("c", "小夏")] {
        host.done(
            "PUT",
            &format!("/v1/worlds/w/characters/{id}"),
            &json!({"display_name": name}).to_string(),
        );
    }
    host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"k","participants":["a","b","c"]}"#);
    let filter = json!({"isExclude": false, "names": ["a"], "tags": []});
    let book = json!({"entries": {
        "0": {"uid": 0, "constant": true, "content": "x", "extensions": {"reverie": {"known_by": ["a"]}}},
        "1": {"uid": 1, "constant": true, "content": "y", "characterFilter": filter},
    }});
    host.done("PUT", "/v1/books/b", &book.to_string());
    for (readers, present) in
        [(vec!["b"], json!(["b", "Ben"])), (vec!["b", "c"], json!(["b", "Ben", "c", "小夏"]))]
    {
        for reader in readers {
            host.done("PUT", "/v1/worlds/w/lore/b", &json!({"character": reader}).to_string());
        }
        let cue = json!({"character": "a", "with": ["b", "c"], "conversation": "k", "message": "?"});
        let why = host.done("POST", "/v1/worlds/w/lore/preview", &cue.to_string())["why"].clone();
        let known = json!({"wanted": ["a"], "present": present});
        assert_eq!((&why[0]["reason"], &why[0]["detail"]), (&json!("not_known_by_character"), &known));
        let filtered = json!({"by": "name", "wanted": ["a"], "present": present});
        assert_eq!((&why[1]["reason"], &why[1]["detail"]), (&json!("filtered"), &filtered));
    }
}
