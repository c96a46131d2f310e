//! How does a host say where an exchange begins and ends, and what is remembered of it?

use serde_json::Value;

use crate::host::{Host, encode};
use crate::script::{talk, talk_to};
use crate::stage::Stage;

/// Of three people one is silent; all of them remember the same.
#[test]
fn a_round_is_remembered_by_everybody_who_was_there() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","name":"营地","participants":["张三"]}
          201
        POST /v1/worlds/w/conversations/c/rounds {"present":["张三",{"role_id":4,"display_name":"李四"},"王五"]}
          201 {"id":"1","conversation":"c","explicit":true,"state":"open","opened":"2026-01-31T08:15:30.000Z","first_line":null,
               "present":[{"character":"张三","display_name":"张三"},{"character":"role_id:4","display_name":"李四"},{"character":"王五","display_name":"王五"}]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"张三","attribute":"user","content":"你好，今天天气真好。","tick":100,"round":"1"},
            {"speaker":"role_id:4","attribute":"assistant","content":"是啊，适合出去打猎。","emotion":"开心","round":1}]}
          201 {"lines":[{"round":"1","witnesses":["role_id:4","张三","王五"]},{"round":"1","shown":null}]}
        POST /v1/worlds/w/digest {"now":true,"slice_ms":10000}
          200 {"conversations":0,"memories":0,"summaries":0,"more":false,"look_again":"2026-01-31T09:15:30.000Z","failed":[]}
        GET /v1/worlds/w/rounds/1
          200 {"state":"open","first_line":"2","last_line":"3"}
        POST /v1/worlds/w/rounds/1/complete {}
          200 {"state":"closed"}
        POST /v1/worlds/w/digest {"slice_ms":10000}
          200 {"conversations":1,"memories":1,"more":false,"look_again":null,"failed":[]}
        GET /v1/worlds/w/rounds/1
          200 {"state":"digested"}
        GET /v1/worlds/w/characters/%E7%8E%8B%E4%BA%94/memories
          200 {"items":[{"id":"1","holder":"王五","kind":"episodic","layer":"active","origin":"round","importance":0.6,"activity":1.0,"dormant":null,
               "text":"[对话参与者：张三、李四、王五]\n张三: \"你好，今天天气真好。\"\n李四: \"是啊，适合出去打猎。\"","own_text":null,
               "sources":["2","3"],"from":[],"about":["role_id:4","张三","王五"],"emotions":["开心"],"topics":[],"tick":100,
               "time":"2026-01-31T08:15:30.000Z","live":true,"pinned":false,"forgotten":false,"shareable":false,"version":0}],"next":null}
        GET /v1/worlds/w/memories/1
          200 {"importance":0.6,"holders":[{"holder":"role_id:4"},{"holder":"张三"},{"holder":"王五","activity":1.0}]}
        POST /v1/worlds/w/digest {"now":true,"slice_ms":10000}
          200 {"conversations":0,"memories":0}"#,
    );
}

/// A whisper splits those who heard it from those who did not.
#[test]
fn each_remembers_what_it_heard() {
    let stage = Stage::new("{}");
    stage.tell("酒馆: 甲、乙、丙", "@甲: 都在吗？\n乙 →甲: 钥匙在第三级台阶下面。\n丙: 你们在嘀咕什么？");
    let done = stage.host.done("POST", "/v1/worlds/w/digest", r#"{"now":true,"slice_ms":10000}"#);
    assert_eq!((&done["conversations"], &done["memories"]), (&1.into(), &2.into()), "{done}");
    for (who, hears) in [("甲", true), ("乙", true), ("丙", false)] {
        let memories = stage.host.get(&format!("/v1/worlds/w/characters/{}/memories", encode(who)));
        let texts: Vec<&str> =
            memories["items"].as_array().expect("a list").iter().filter_map(|m| m["text"].as_str()).collect();
        assert_eq!(texts.len(), 1, "{who}");
        assert_eq!(texts[0].contains("台阶"), hears, "{who}: {texts:?}");
        assert!(
            texts[0].starts_with("[对话参与者：甲、乙、丙]")
                || texts[0].starts_with("[对话参与者：甲、丙、乙]"),
            "{texts:?}"
        );
    }
}

/// What was never shown is in no view, and nobody remembers it.
#[test]
fn an_aborted_round_keeps_what_was_shown() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["player","qin"]}
          201
        POST /v1/worlds/w/conversations/c/rounds
          201 {"id":"1","present":[{"character":"player"},{"character":"qin"}]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"player","attribute":"user","content":"where is the key?","round":1},
            {"speaker":"qin","attribute":"assistant","content":"under the","round":1},{"speaker":"qin","attribute":"assistant","content":"stairs","round":1}]}
          201 {"head":"3"}
        POST /v1/worlds/w/rounds/1/abort {"shown_through":2}
          200 {"state":"closed","first_line":"1","last_line":"2"}
        GET /v1/worlds/w/conversations/c
          200 {"head":"2"}
        GET /v1/worlds/w/conversations/c/lines
          200 {"items":[{"id":"1","shown":null},{"id":"2"}]}
        GET /v1/worlds/w/conversations/c/lines?tree=true
          200 {"items":[{"id":"1"},{"id":"2"},{"id":"3","shown":false}]}
        GET /v1/worlds/w/lines/3
          200 {"shown":false,"hidden":false,"round":"1"}
        POST /v1/worlds/w/rounds/1/abort {"shown_through":"2"}
          200 {"state":"closed"}
        POST /v1/worlds/w/rounds/1/complete {}
          409 conflict
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"qin","attribute":"assistant","content":"late","round":1}]}
          409 conflict ~ open a new round
        POST /v1/worlds/w/digest {"slice_ms":10000}
          200 {"memories":1}
        GET /v1/worlds/w/characters/qin/memories
          200 {"items":[{"sources":["1","2"]}]}
        POST /v1/worlds/w/conversations/c/rounds {}
          201 {"id":"2"}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"player","attribute":"user","content":"and?","round":2},
            {"speaker":"qin","attribute":"assistant","content":"never seen","round":2}]}
          201
        POST /v1/worlds/w/rounds/2/abort
          200
        GET /v1/worlds/w/conversations/c/lines
          200 {"items":[{"id":"1"},{"id":"2"},{"content":"and?"}]}
        GET /v1/worlds/w/conversations/c/rounds?limit=1
          200 {"items":[{"id":"1","state":"digested"}],"next":"1"}
        GET /v1/worlds/w/conversations/c/rounds?limit=1&cursor=1
          200 {"items":[{"id":"2","state":"closed"}],"next":null}"#,
    );
}

#[test]
fn rounds_that_cannot_be() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"outside"}]}
          201
        POST /v1/worlds/w/conversations/c/rounds {"present":["a","stranger"]}
          400 invalid
        POST /v1/worlds/w/conversations/nowhere/rounds {}
          404 not_found
        POST /v1/worlds/w/conversations/c/rounds {"people":["a"]}
          400 invalid ~ unknown field
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"x","round":9}]}
          404 not_found
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"x","round":"first"}]}
          404 not_found ~ opening it returned
        POST /v1/worlds/w/conversations/c/rounds {"present":["a"]}
          201 {"id":"1","present":[{"character":"a"}]}
        POST /v1/worlds/w/rounds/1/complete {"shown_through":"1"}
          400 invalid
        POST /v1/worlds/w/rounds/2/complete {}
          404 not_found
        GET /v1/worlds/w/rounds/0
          404 not_found
        GET /v1/worlds/w/rounds/one
          404 not_found"#,
    );
}

/// Undoing brings back what was before; a round whose lines changed is remembered anew, and pins carry over.
#[test]
fn memories_follow_the_path_and_the_wording() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations/c/rounds {}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"the red door","round":1}]}
          201
        POST /v1/worlds/w/rounds/1/complete
          200
        POST /v1/worlds/w/digest {"slice_ms":10000}
          200 {"memories":1}
        PATCH /v1/worlds/w/memories/1 {"pinned":true,"holder":"a"}
          200 {"holders":[{"holder":"a","pinned":true,"layer":"situational","version":1}]}
        PUT /v1/worlds/w/conversations/c/head {"undo":1}
          200
        GET /v1/worlds/w/characters/a/memories
          200 {"items":[]}
        GET /v1/worlds/w/characters/a/memories?all=true
          200 {"items":[{"id":"1","live":false,"activity":null}]}
        PUT /v1/worlds/w/conversations/c/head {"line":"1"}
          200
        GET /v1/worlds/w/characters/a/memories
          200 {"items":[{"id":"1","live":true,"pinned":true}]}
        PATCH /v1/worlds/w/lines/1 {"content":"the green door"}
          200
        GET /v1/worlds/w/rounds/1
          200 {"state":"closed"}
        POST /v1/worlds/w/digest {"slice_ms":10000}
          200 {"memories":1}
        GET /v1/worlds/w/characters/a/memories
          200 {"items":[{"id":"2","pinned":true,"sources":["1"]}]}
        GET /v1/worlds/w/characters/b/memories
          200 {"items":[{"id":"2","pinned":false}]}
        DELETE /v1/worlds/w/lines/1
          204
        GET /v1/worlds/w/characters/a/memories?all=true
          200 {"items":[]}
        GET /v1/worlds/w/memories/2
          404 not_found"#,
    );
}

/// A host that only posts lines gets memories too: a round ends where a user speaks again after a reply.
#[test]
fn lines_without_a_round_find_one() {
    let stage = Stage::new("{}");
    stage.tell(
        "钦灵、莱姆",
        "@莱姆: 我喜欢草莓。\n钦灵: 记住了。\n@莱姆: 明天见。\n钦灵: 再见。\n@莱姆: 还在吗？",
    );
    let done = stage.host.done("POST", "/v1/worlds/w/digest", r#"{"slice_ms":10000}"#);
    assert_eq!(done["memories"], 2, "{done}");
    assert_eq!(done["look_again"], "2026-01-31T08:20:30.000Z");
    let done = stage.host.done("POST", "/v1/worlds/w/digest", r#"{"now":true,"slice_ms":10000}"#);
    assert_eq!(done["memories"], 1, "{done}");
    let list = stage.host.get(&format!("/v1/worlds/w/characters/{}/memories?newest=true", encode("钦灵")));
    let sources: Vec<&Value> =
        list["items"].as_array().expect("a list").iter().map(|memory| &memory["sources"]).collect();
    assert_eq!(serde_json::json!(sources), serde_json::json!([["5"], ["3", "4"], ["1", "2"]]));
    let rounds = stage.host.get("/v1/worlds/w/conversations/c1/rounds");
    let found = |round: &Value| round["explicit"] == false && round["state"] == "digested";
    assert!(
        rounds["items"].as_array().is_some_and(|rounds| rounds.len() == 3 && rounds.iter().all(found)),
        "{rounds}"
    );
}

/// A world may keep no memories at all.
#[test]
fn digesting_can_be_off() {
    let host = Host::with_world(r#"{"settings":{"digest":{"enabled":false}}}"#);
    talk_to(
        &host,
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"x"}]}
          201
        POST /v1/worlds/w/digest {"now":true,"slice_ms":10000}
          200 {"memories":0,"more":false}
        GET /v1/worlds/w
          200 {"settings":{"digest":{"enabled":false}}}
        PUT /v1/worlds/w {"settings":{"digest":{"enabled":null,"idle_seconds":60},"layers":{"hour":"wall","active":{"capacity":3},"floor":0.1,"events":{"decay":0.5}}}}
          200 {"settings":{"digest":{"idle_seconds":60},"layers":{"floor":0.1,"active":{"capacity":3}}}}
        PUT /v1/worlds/w {"settings":{"layers":{"floor":2}}}
          400 invalid
        POST /v1/worlds/w/digest {"now":true,"slice_ms":10000}
          200 {"memories":1}
        POST /v1/worlds/w/digest {"slice_ms":0}
          400 invalid ~ slice_ms
        POST /v1/worlds/nowhere/digest
          404 not_found"#,
    );
}

/// The most common act in a chat: another answer, after the round was completed and remembered.
#[test]
fn another_answer_is_remembered_on_its_branch() {
    let stage = Stage::new("{}");
    talk_to(
        &stage.host,
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["莱姆","钦灵"]}
          201
        POST /v1/worlds/w/conversations/c/rounds
          201 {"id":"1"}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"莱姆","attribute":"user","content":"喝什么？","round":1},
            {"speaker":"钦灵","attribute":"assistant","content":"茶。","round":1}]}
          201
        POST /v1/worlds/w/rounds/1/complete
          200
        POST /v1/worlds/w/digest {"slice_ms":10000}
          200 {"memories":1}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"钦灵","attribute":"assistant","content":"晚了。","round":1}]}
          409
        POST /v1/worlds/w/conversations/c/lines {"swipe_of":"2","lines":[{"speaker":"钦灵","attribute":"assistant","content":"咖啡。","round":1}]}
          201
        GET /v1/worlds/w/rounds/1
          200 {"state":"open","first_line":"1","last_line":"3"}
        POST /v1/worlds/w/rounds/1/complete
          200 {"state":"closed"}
        POST /v1/worlds/w/digest {"slice_ms":10000}
          200 {"memories":1}
        GET /v1/worlds/w/characters/%E9%92%A6%E7%81%B5/memories
          200 {"items":[{"id":"2","sources":["1","3"]}]}
        PUT /v1/worlds/w/conversations/c/head {"line":"2"}
          200
        GET /v1/worlds/w/characters/%E9%92%A6%E7%81%B5/memories
          200 {"items":[{"id":"1","sources":["1","2"]}]}
        POST /v1/worlds/w/digest {"now":true,"slice_ms":10000}
          200 {"memories":0,"more":false}
        GET /v1/worlds/w/characters/%E9%92%A6%E7%81%B5/memories
          200 {"items":[{"id":"1","sources":["1","2"]}]}"#,
    );
}
