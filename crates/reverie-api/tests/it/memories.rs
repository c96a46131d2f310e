//! How are memories made by hand and by events, found, changed, forgotten and brought back?

use reverie_core::Limits;
use serde_json::{Value, json};

use crate::host::{Host, encode};
use crate::script::{talk, talk_to};
use crate::stage::Stage;

#[test]
fn an_event_is_a_memory_of_those_who_saw_it() {
    talk(
        r#"
        POST /v1/worlds/w/events {"text":"张三和李四举行了婚礼","witnesses":["张三","李四",{"display_name":"王五"}],"emotions":["喜悦"],"tick":60000,"key":"wedding"}
          201 {"id":"1","kind":"episodic","origin":"event","text":"张三和李四举行了婚礼","tick":60000,"emotions":["喜悦"],"sources":[],
               "holders":[{"holder":"张三","layer":"situational","activity":1.0},{"holder":"李四"},{"holder":"王五"}]}
        POST /v1/worlds/w/events {"text":"张三和李四举行了婚礼","witnesses":["张三","李四",{"display_name":"王五"}],"emotions":["喜悦"],"tick":60000,"key":"wedding"}
          200 {"id":"1"}
        POST /v1/worlds/w/events {"text":"The roof was mended","witnesses":["李四"],"about":["张三"],"importance":0.25,"topics":["house"],"wall_time":"2026-01-01T00:00:00Z"}
          201 {"id":"2","importance":0.25,"about":["张三"],"topics":["house"],"time":"2026-01-01T00:00:00.000Z","tick":null,"degraded":[]}
        GET /v1/worlds/w/characters/%E5%BC%A0%E4%B8%89/memories
          200 {"items":[{"id":"1"}]}
        POST /v1/worlds/w/events {"text":" ","witnesses":["a"]}
          400 invalid ~ needs a text
        POST /v1/worlds/w/events {"text":"x","witnesses":[]}
          400 invalid ~ at least one witness
        POST /v1/worlds/w/events {"text":"x","witnesses":["a"],"importance":1.5}
          400 invalid ~ between 0 and 1
        POST /v1/worlds/w/events {"text":"x","witnesses":["a"],"time":"yesterday"}
          400 invalid ~ RFC 3339
        POST /v1/worlds/w/events {"text":"x"}
          400 invalid ~ witnesses
        POST /v1/worlds/nowhere/events {"text":"x","witnesses":["a"]}
          404 not_found"#,
    );
}

#[test]
fn a_memory_is_written_by_hand_changed_forgotten_and_brought_back() {
    talk(
        r#"
        PUT /v1/worlds/w/characters/a {}
          201
        POST /v1/worlds/w/characters/a/memories {"text":"Bob is afraid of water","kind":"semantic","about":["b"],"shareable":true,"key":"n1"}
          201 {"id":"1","holder":"a","kind":"semantic","origin":"hand","layer":null,"importance":0.7,"about":["b"],"shareable":true,"version":0}
        POST /v1/worlds/w/characters/a/memories {"text":"Bob is afraid of water","kind":"semantic","about":["b"],"shareable":true,"key":"n1"}
          200 {"id":"1"}
        POST /v1/worlds/w/characters/b/memories {"text":"I am afraid of water","kind":"trait","key":"n1"}
          201 {"id":"2","holder":"b","text":"I am afraid of water"}
        PATCH /v1/worlds/w/memories/1 {"text":"Bob was afraid of water","importance":0.9}
          200 {"text":"Bob is afraid of water","importance":0.7,"holders":[{"holder":"a","text":"Bob was afraid of water","importance":0.9,"version":1}]}
        GET /v1/worlds/w/characters/a/memories
          200 {"items":[{"text":"Bob was afraid of water","own_text":"Bob is afraid of water","importance":0.9}]}
        PATCH /v1/worlds/w/memories/1 {"importance":null,"holder":"a"}
          200 {"holders":[{"importance":null,"text":"Bob was afraid of water"}]}
        DELETE /v1/worlds/w/memories/1?holder=a
          204
        GET /v1/worlds/w/characters/a/memories
          200 {"items":[]}
        GET /v1/worlds/w/characters/a/memories?all=true
          200 {"items":[{"id":"1","forgotten":true}]}
        POST /v1/worlds/w/memories/1/undo {"holder":"a"}
          200 {"id":"1","holders":[{"holder":"a","forgotten":false,"text":"Bob was afraid of water","activity":1.0}]}
        GET /v1/worlds/w/memories/1/history?holder=a
          200 {"states":[{"held":true,"text":null},{"importance":0.9},{"importance":null,"forgotten":false},{"forgotten":true},{"forgotten":false}]}
        POST /v1/worlds/w/memories/1/undo {"holder":"a","revision":4}
          200 {"text":"Bob is afraid of water","holders":[{"text":null}]}
        PATCH /v1/worlds/w/memories/1 {}
          400 invalid ~ nothing to change
        PATCH /v1/worlds/w/memories/1 {"pinned":true,"holder":"b"}
          404 not_found ~ these have it: a
        DELETE /v1/worlds/w/memories/1?holder=b
          404 not_found ~ these have it: a
        POST /v1/worlds/w/memories/1/undo {"holder":"b"}
          404 not_found ~ these have it: a
        GET /v1/worlds/w/memories/1/history?holder=b
          404 not_found ~ these have it: a
        PATCH /v1/worlds/w/memories/1 {"pinned":true,"lines":true}
          400 invalid ~ the memory is forgotten, too
        PATCH /v1/worlds/w/memories/1 {"importance":-1}
          400 invalid
        PATCH /v1/worlds/w/memories/77 {"pinned":true}
          404 not_found
        GET /v1/worlds/w/memories/77/history
          404 not_found ~ lists them
        POST /v1/worlds/w/memories/77/undo {}
          404 not_found ~ lists them
        POST /v1/worlds/w/memories/2/undo {"holder":"b","revision":1}
          409 conflict ~ history
        POST /v1/worlds/w/memories/2/undo {"holder":"b"}
          200 {"holders":[{"holder":"b","forgotten":true}]}
        POST /v1/worlds/w/memories/2/undo {}
          200 {"holders":[{"holder":"b","forgotten":false}]}
        POST /v1/worlds/w/characters/a/memories {"text":"x","kind":"feeling"}
          400 invalid ~ semantic
        GET /v1/worlds/w/characters/nobody/memories
          404 not_found
        GET /v1/worlds/w/characters/a/memories?layer=deep
          400 invalid ~ archive"#,
    );
}

/// What a checkpoint brings back is what each made of its memories then.
#[test]
fn a_checkpoint_brings_memories_back() {
    talk(
        r#"
        POST /v1/worlds/w/events {"text":"It rained","witnesses":["a"]}
          201 {"id":"1"}
        PUT /v1/worlds/w/checkpoints/save
          201
        PATCH /v1/worlds/w/memories/1 {"pinned":true}
          200
        POST /v1/worlds/w/events {"text":"It snowed","witnesses":["a"]}
          201 {"id":"2"}
        POST /v1/worlds/w/checkpoints/save/restore
          200
        GET /v1/worlds/w/characters/a/memories
          200 {"items":[{"id":"1","pinned":false}]}
        GET /v1/worlds/w/memories/2
          404 not_found
        GET /v1/worlds/w/memories/1/history?holder=a
          200 {"states":[{"pinned":false},{"pinned":true},{"pinned":false}]}"#,
    );
}

/// Without a holder all of them are meant.
#[test]
fn a_memory_is_changed_for_all_who_have_it() {
    talk(
        r#"
        POST /v1/worlds/w/events {"text":"It rained","witnesses":["a","b"]}
          201 {"id":"1"}
        PATCH /v1/worlds/w/memories/1 {"pinned":true}
          200 {"holders":[{"holder":"a","pinned":true},{"holder":"b","pinned":true}]}
        PATCH /v1/worlds/w/memories/1 {"text":"It poured","holder":"a"}
          200 {"holders":[{"holder":"a","text":"It poured"}]}
        POST /v1/worlds/w/memories/1/undo {}
          200 {"holders":[{"holder":"a","text":null,"pinned":true}]}
        POST /v1/worlds/w/memories/1/undo {"revision":2}
          409 conflict ~ history
        POST /v1/worlds/w/memories/1/undo {"revision":4}
          200 {"holders":[{"holder":"a","pinned":false},{"holder":"b","pinned":false}]}
        GET /v1/worlds/w/memories/1/history
          200 {"states":[{"holder":"a","pinned":false},{"pinned":true},{"text":"It poured"},{"text":null},{"holder":"a","pinned":false},
               {"holder":"b","pinned":false},{"pinned":true},{"holder":"b","pinned":false}]}
        GET /v1/worlds/w/memories/1/history?holder=b
          200 {"states":[{"holder":"b"},{"holder":"b"},{"holder":"b"}]}
        DELETE /v1/worlds/w/memories/1
          204
        POST /v1/worlds/w/memories/1/undo {}
          200 {"holders":[{"forgotten":false},{"forgotten":false}]}"#,
    );
}

/// Somebody may be heard of first by what they saw; but a slip of the pen is told.
#[test]
fn what_looks_wrong_about_an_event_is_told() {
    talk(
        r#"
        PUT /v1/worlds/w/characters/Alice {}
          201
        PUT /v1/worlds/w/characters/role-1 {"display_name":"钦灵"}
          201
        POST /v1/worlds/w/events {"text":"It rained","witnesses":["Alice","role-1"],"tick":100}
          201 {"degraded":[]}
        POST /v1/worlds/w/events {"text":"It snowed","witnesses":["Alcie"]}
          201 {"holders":[{"holder":"Alcie"}],"degraded":[{"code":"unknown_character","message":"nobody in this world was called like this; made for this memory: \"Alcie\"","hint":"was \"Alice\" meant? If a name is misspelt, send it again as it should be and DELETE …/characters/{id}"}]}
        POST /v1/worlds/w/events {"text":"下雪了","witnesses":["欽灵"]}
          201 {"degraded":[{"code":"unknown_character","hint":"was \"role-1\" meant? If a name is misspelt, send it again as it should be and DELETE …/characters/{id}"}]}
        POST /v1/worlds/w/events {"text":"It snowed again","witnesses":["Alcie"]}
          201 {"degraded":[]}
        POST /v1/worlds/w/characters/Alice/memories {"text":"Zed is tall","about":["Zed"]}
          201 {"holder":"Alice","degraded":[{"code":"unknown_character","hint":"If a name is misspelt, send it again as it should be and DELETE …/characters/{id}"}]}
        POST /v1/worlds/w/conversations {"id":"c","participants":["Alice"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"Alice","attribute":"user","content":"Hi","tick":500}]}
          201
        POST /v1/worlds/w/events {"text":"It hailed","witnesses":["Alice"],"tick":499,"key":"hail"}
          201 {"tick":499,"degraded":[{"code":"tick_ran_back"}]}
        POST /v1/worlds/w/events {"text":"It hailed","witnesses":["Alice"],"tick":499,"key":"hail"}
          200 {"degraded":[]}
        POST /v1/worlds/w/events {"text":"It cleared up","witnesses":["Alice"],"tick":500}
          201 {"degraded":[]}
        POST /v1/worlds/w/characters/Alice/memories {"text":"I was born by the sea","tick":-9}
          201 {"degraded":[]}"#,
    );
}

/// A narrator tells the story and is nobody in it.
#[test]
fn narrators_see_nothing() {
    talk(
        r#"
        POST /v1/worlds/w/events {"text":"天黑了","witnesses":["旁白","张三"],"about":["旁白","张三"]}
          201 {"holders":[{"holder":"张三"}],"about":["张三"],"degraded":[{"code":"unknown_character"},{"code":"narrator_left_out","message":"a narrator is nobody in the story, so it was left out: \"旁白\""}]}
        POST /v1/worlds/w/events {"text":"天黑了","witnesses":["旁白"]}
          400 {"error":{"code":"invalid","hint":"name at least one witness who is a person"}}
        POST /v1/worlds/w/characters/旁白/memories {"text":"我知道一切"}
          400 {"error":{"code":"invalid","hint":"name at least one witness who is a person"}}
        PUT /v1/worlds/w/characters/说书人 {"kind":"narrator"}
          201
        POST /v1/worlds/w/events {"text":"天亮了","witnesses":["张三","说书人"]}
          201 {"holders":[{"holder":"张三"}],"degraded":[{"code":"narrator_left_out"}]}"#,
    );
}

#[test]
fn one_emotion_or_several() {
    talk(
        r#"
        POST /v1/worlds/w/events {"text":"They won","witnesses":["Ann"],"emotion":"joy"}
          201 {"emotions":["joy"]}
        POST /v1/worlds/w/events {"text":"他们输了","witnesses":["Ann"],"emotion":"怒","emotions":["悲","怒"]}
          201 {"emotions":["悲","怒"]}
        POST /v1/worlds/w/characters/Ann/memories {"text":"雨が降った","emotion":"寂しい","emotions":["静か"]}
          201 {"emotions":["寂しい","静か"]}"#,
    );
}

/// A host that knows people by ids of its own says with them what they are called.
#[test]
fn names_beside_ids() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"sc","name":"tavern"}
          201
        POST /v1/worlds/w/conversations/sc/rounds {"present":[{"id":"pawn17","display_name":"张三"},{"id":"pawn18","display_name":"李四"}]}
          201 {"id":"1","present":[{"character":"pawn17","display_name":"张三"},{"character":"pawn18","display_name":"李四"}]}
        POST /v1/worlds/w/conversations/sc/lines {"lines":[{"speaker":"pawn17","attribute":"user","content":"你好","round":"1"},{"speaker":"pawn18","attribute":"assistant","content":"好","round":"1"}]}
          201 {"lines":[{"witnesses":["pawn17","pawn18"]},{"witnesses":["pawn17","pawn18"]}]}
        POST /v1/worlds/w/rounds/1/complete {}
          200
        POST /v1/worlds/w/digest {"now":true,"slice_ms":10000}
          200 {"memories":1}
        GET /v1/worlds/w/memories/1
          200 {"text":"[对话参与者：张三、李四]\n张三: \"你好\"\n李四: \"好\""}
        POST /v1/worlds/w/events {"text":"打了一仗","witnesses":[{"id":"pawn19","display_name":"王五"}]}
          201 {"holders":[{"holder":"pawn19"}]}
        GET /v1/worlds/w/characters/pawn19
          200 {"display_name":"王五"}"#,
    );
}

/// Lines are forgotten by one, while the others keep them; a rebuild, and the same lines sent again, bring nothing back.
#[test]
fn lines_are_forgotten_with_a_memory() {
    let host = Host::with_world("{}");
    talk_to(
        &host,
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"I stole a horse","host_id":"h1"}],"key":"k1"}
          201
        POST /v1/worlds/w/digest {"now":true,"slice_ms":10000}
          200 {"memories":1}
        DELETE /v1/worlds/w/memories/1?holder=b&lines=true
          204
        GET /v1/worlds/w/memories/1
          200 {"holders":[{"holder":"a","forgotten":false,"lines_forgotten":false},{"holder":"b","forgotten":true,"lines_forgotten":true,"live":false}]}
        GET /v1/worlds/w/lines/1
          200 {"witnesses":["a","b"],"forgotten_by":["b"]}
        GET /v1/worlds/w/conversations/c/lines?as=b
          200 {"items":[]}
        GET /v1/worlds/w/conversations/c/lines?as=a
          200 {"items":[{"id":"1"}]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"I stole a horse","host_id":"h1"}],"key":"k1"}
          200 {"replayed":true}
        POST /v1/worlds/w/digest {"slice_ms":10000}
          200 {"memories":0,"more":false}
        POST /v1/worlds/w/rebuild {"checkpoint":"before"}
          200 {"checkpoint":"before","rounds":1,"memories":1}
        POST /v1/worlds/w/digest {"slice_ms":10000}
          200 {"memories":1,"more":false}
        GET /v1/worlds/w/characters/b/memories
          200 {"items":[]}
        GET /v1/worlds/w/characters/a/memories
          200 {"items":[{"id":"1"}]}
        GET /v1/worlds/w/conversations/c/lines?as=b
          200 {"items":[]}
        PATCH /v1/worlds/w/memories/1 {"holder":"b","forgotten":false}
          200 {"holders":[{"forgotten":false,"lines_forgotten":false,"live":true}]}
        GET /v1/worlds/w/conversations/c/lines?as=b
          200 {"items":[{"id":"1"}]}
        POST /v1/worlds/w/checkpoints/before/restore
          200
        GET /v1/worlds/w/conversations/c/lines?as=b
          200 {"items":[]}
        POST /v1/worlds/w/rebuild
          200
        POST /v1/worlds/nowhere/rebuild {}
          404 not_found"#,
    );
    let prompt = |character: &str| {
        let cue = json!({"character": character, "conversation": "c", "budget": 500}).to_string();
        host.done("POST", "/v1/worlds/w/recall", &cue).to_string()
    };
    assert!(prompt("a").contains("I stole a horse"));
    assert!(!prompt("b").contains("I stole a horse"), "{}", prompt("b"));
}

fn ids(list: &Value) -> Vec<&str> {
    list["items"].as_array().expect("a list").iter().filter_map(|item| item["id"].as_str()).collect()
}

#[test]
fn memories_are_searched_by_words() {
    let host = Host::with_world("{}");
    talk_to(
        &host,
        r#"
        PUT /v1/worlds/w/characters/mary {"display_name":"Mary Ann"}
          201
        POST /v1/worlds/w/events {"text":"明天去北山打猎。","witnesses":["a"]}
          201
        POST /v1/worlds/w/events {"text":"我不会打猎，去钓鱼。","witnesses":["a"]}
          201
        POST /v1/worlds/w/events {"text":"She lost the ring near the lighthouse.","witnesses":["a"],"about":["mary"]}
          201
        POST /v1/worlds/w/events {"text":"灯台でドラゴンを見た。","witnesses":["a"],"topics":["竜"]}
          201
        POST /v1/worlds/w/events {"text":"打猎的秘密","witnesses":["b"]}
          201"#,
    );
    for (query, expected) in [
        ("q=打猎", &["2", "1"][..]),
        ("q=北山打獵", &["1", "2"]),
        ("q=RING", &["3"]),
        ("q=Mary", &["3"]),
        ("q=ﾄﾞﾗｺﾞﾝ", &["4"]),
        ("q=竜", &["4"]),
        ("q=penguin", &[]),
        ("q=打猎&about=mary", &[]),
        ("q=打猎&layer=archive", &[]),
        ("q=打猎&limit=1", &["2"]),
        ("q=打猎&limit=1&cursor=1", &["1"]),
    ] {
        let encoded: String = query
            .split('&')
            .map(|pair| pair.split_once('=').expect("a pair"))
            .map(|(name, value)| format!("{name}={}&", encode(value)))
            .collect();
        let found = host.get(&format!("/v1/worlds/w/characters/a/memories?{encoded}"));
        assert_eq!(ids(&found), expected, "{query}");
        assert!(
            found["items"].as_array().expect("a list").iter().all(|item| item["score"].as_f64() > Some(0.0))
        );
    }
    host.done("DELETE", "/v1/worlds/w/memories/1", "");
    let found =
        |more: &str| host.get(&format!("/v1/worlds/w/characters/a/memories?q={}{more}", encode("打猎")));
    assert_eq!(ids(&found("")), ["2"]);
    assert_eq!(ids(&found("&all=true")), ["2", "1"]);
    let (status, _) = host.send("GET", "/v1/worlds/w/characters/a/memories?q=x&cursor=first", "");
    assert_eq!(status, 400);
}

/// A day passes, and it is summed up; rounds leave, events fade, and a search finds all of them.
#[test]
fn days_pass_and_are_summed_up() {
    let stage = Stage::new(r#"{"calendar":{"kind":"rimworld"},"layers":{"active":{"capacity":1}}}"#);
    let host = &stage.host;
    stage.tell(
        "张三、李四",
        "100 @张三: 我答应明天修屋顶。\n李四: 好，一言为定。\n@张三: 晚安。\n李四: 晚安。",
    );
    host.done("POST", "/v1/worlds/w/events", r#"{"text":"狼群袭击了营地","witnesses":["张三"],"tick":200}"#);
    let digest = || -> (u64, u64) {
        let mut made = (0, 0);
        loop {
            let done = host.done("POST", "/v1/worlds/w/digest", r#"{"now":true,"slice_ms":10000}"#);
            made.0 += done["memories"].as_u64().expect("a number");
            made.1 += done["summaries"].as_u64().expect("a number");
            if done["more"] == false {
                return made;
            }
        }
    };
    assert_eq!(digest(), (2, 0));
    // 24 hours of 2500 ticks make a day; three weeks go by.
    stage.tell("张三、李四", "1260000 @张三: 早上好。");
    assert_eq!(digest(), (5, 4));
    let memories =
        |query: &str| host.get(&format!("/v1/worlds/w/characters/{}/memories?{query}", encode("张三")));
    let told = |list: &Value| -> Vec<String> {
        let one = |memory: &Value| {
            format!(
                "{} {} {}",
                memory["layer"].as_str().unwrap_or("-"),
                memory["origin"].as_str().unwrap_or("-"),
                memory["dormant"].as_str().unwrap_or("-")
            )
        };
        list["items"].as_array().expect("a list").iter().map(one).collect()
    };
    assert_eq!(
        told(&memories("")),
        [
            "situational event faded",
            "active round past",
            "active round past",
            "active round -",
            "events day -",
            "archive era -"
        ],
        "{}",
        memories("")
    );
    let day = &memories("layer=events")["items"][0];
    assert!(
        day["text"]
            .as_str()
            .is_some_and(|text| text.contains("我答应明天修屋顶") && text.contains("2轮对话，1件事")),
        "{day}"
    );
    assert_eq!(day["from"], json!(["1", "2", "3"]));
    assert_eq!(memories("layer=active")["items"][0]["summarised_by"], day["id"]);
    assert!(ids(&memories(&format!("q={}", encode("狼群")))).contains(&"1"));

    let stats = host.get("/v1/worlds/w/stats?limit=1");
    assert_eq!(
        stats,
        json!({"revision": stats["revision"], "characters": 2, "conversations": 1, "lines": 5,
            "rounds": {"open": 0, "closed": 0, "digested": 3}, "memories": 8, "waiting_conversations": 0, "embedding": {"texts": 8, "by_space": {}, "set_aside_by_space": {}, "set_aside": []}, "degraded": [],
            "by_character": {"items": [{"character": "张三", "memories": 6, "by_kind": {"episodic": 6},
                "by_layer": {"active": 3, "archive": 1, "events": 1, "situational": 1}, "pinned": 0, "repeats": 1,
                "dormant": {"crowded": 0, "faded": 1, "past": 2}}], "next": "张三"}})
    );
    let rest = host.get(&format!("/v1/worlds/w/stats?cursor={}", encode("张三")));
    assert_eq!(rest["by_character"]["items"][0]["character"], "李四");
    assert_eq!(rest["by_character"].get("next"), None);
}

#[test]
fn memories_keep_the_limits() {
    let host = Host::with_limits(Limits {
        bytes_per_memory: 10,
        words_per_memory: 1,
        people: 2,
        bytes_per_key: 3,
        page: 5,
        ..Limits::default()
    });
    talk_to(
        &host,
        r#"
        PUT /v1/worlds/w {}
          201
        POST /v1/worlds/w/events {"text":"12345678901","witnesses":["a"]}
          400 invalid ~ limits.memory_bytes
        POST /v1/worlds/w/events {"text":"x","witnesses":["a"],"topics":["a","b"]}
          400 invalid ~ limits.memory_words
        POST /v1/worlds/w/events {"text":"x","witnesses":["a","b","c"]}
          400 invalid ~ limits.participants
        POST /v1/worlds/w/events {"text":"x","witnesses":["a"],"key":"1234"}
          400 invalid ~ limits.key_bytes
        POST /v1/worlds/w/characters/a/memories {"text":"x","key":"1234"}
          400 invalid ~ limits.key_bytes
        POST /v1/worlds/w/characters/a/memories {"text":"x","key":"123"}
          201
        PATCH /v1/worlds/w/memories/1 {"text":"12345678901"}
          400 invalid ~ limits.memory_bytes
        GET /v1/worlds/w/characters/a/memories?limit=6
          400 invalid ~ from 1 to 5
        GET /v1/worlds/w/stats?limit=6
          400 invalid ~ from 1 to 5"#,
    );
}
