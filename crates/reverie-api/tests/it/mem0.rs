//! Does code that was written for mem0's REST server find what it expects, and nothing of anybody else's?

use serde_json::{Value, json};

use crate::host::{Host, encode};
use crate::script::talk_to;

/// The texts of an answer's results, in order.
fn texts(answer: &Value) -> Vec<&str> {
    answer["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|one| one["memory"].as_str().unwrap_or(""))
        .collect()
}

#[test]
fn messages_as_they_stand_are_memories_with_all_that_came_along() {
    let host = Host::new();
    talk_to(
        &host,
        r#"
        GET /memories?user_id=alice
          200 {"results":[]}
        POST /search {"query":"mountains","user_id":"alice","filters":{"category":"hobby"}}
          200 {"results":[]}
        POST /search {"query":"山","agent_id":"guide","run_id":"r1"}
          200 {"results":[]}
        DELETE /memories?user_id=alice
          200
        GET /memories/1/history
          200 []
        POST /memories {"messages":[{"role":"user","content":"I love hiking in the Alps"},{"role":"system","content":"be kind"},
            {"role":"assistant","content":"Noted!","name":"Guide"}],"user_id":"alice","metadata":{"category":"hobby","n":3},"infer":false}
          200 {"results":[{"id":"1","memory":"I love hiking in the Alps","event":"ADD","actor_id":null,"role":"user"},
            {"id":"2","memory":"Noted!","event":"ADD","actor_id":"Guide","role":"assistant"}]}
        GET /memories/1
          200 {"id":"1","memory":"I love hiking in the Alps","metadata":{"category":"hobby","n":3},"user_id":"alice","role":"user",
            "created_at":"2026-01-31T08:15:30.000Z","updated_at":"2026-01-31T08:15:30.000Z"}
        PUT /memories/1 {"text":"I love hiking in the Dolomites"}
          200 {"message":"Memory updated successfully!"}
        DELETE /memories/2
          200 {"message":"Memory deleted successfully"}
        GET /memories/2
          404 {"detail":"Memory with id 2 not found"}
        GET /memories?user_id=alice
          200 {"results":[{"id":"1","memory":"I love hiking in the Dolomites","metadata":{"category":"hobby","n":3}}]}
        GET /memories/1/history
          200 [{"memory_id":"1","old_memory":null,"new_memory":"I love hiking in the Alps","event":"ADD","is_deleted":false},
            {"memory_id":"1","old_memory":"I love hiking in the Alps","new_memory":"I love hiking in the Dolomites","event":"UPDATE"}]
        GET /memories/2/history
          200 [{"event":"ADD","new_memory":"Noted!"},{"event":"DELETE","old_memory":"Noted!","new_memory":null,"is_deleted":true}]
        PUT /memories/1 {"metadata":{"category":"sport"}}
          200 {"message":"Memory updated successfully!"}
        GET /memories/1
          200 {"memory":"I love hiking in the Dolomites","metadata":{"category":"sport"}}
        POST /reset
          200 {"message":"All memories reset"}
        GET /memories?user_id=alice
          200 {"results":[]}
        POST /search {"query":"mountains","user_id":"alice"}
          200 {"results":[]}
        "#,
    );
}

/// What tools answer and what prompts say is nobody's words.
#[test]
fn only_users_and_assistants_talk() {
    let host = Host::new();
    talk_to(
        &host,
        r#"
        POST /memories/ {"messages":[{"role":"system","content":"Be kind to everybody."},{"role":"user","content":"What is the weather in Oslo?"},
            {"role":"tool","content":"{\"temperature\":21}"},{"role":"developer","content":"Answer briefly."},
            {"role":"assistant","content":"奥斯陆今天晴。"},{"role":"function","content":"done"}],"user_id":"alice","agent_id":"guide"}
          200 {"results":[{"event":"ADD"}]}
        POST /memories {"messages":[{"role":"tool","content":"{}"}],"user_id":"alice"}
          200 {"results":[]}
        POST /search/ {"query":"weather in Oslo","user_id":"alice"}
          200 {"results":[{"id":"1"}]}
        GET /memories/1/
          200 {"id":"1"}
        GET /memories//
          404
        "#,
    );
    let list = host.get("/memories/?user_id=alice");
    let known = texts(&list).join(" ");
    assert!(known.contains("Oslo") && known.contains("奥斯陆"), "{known}");
    for words in ["kind", "temperature", "briefly", "done"] {
        assert!(!known.contains(words), "{known}");
    }
}

/// As a round they are remembered by everybody whom the ids name, and each finds them.
#[test]
fn an_exchange_is_remembered_at_once_by_those_who_took_part() {
    let host = Host::new();
    let said = r#"{"messages":[{"role":"user","content":"我对花生过敏"},{"role":"assistant","content":"记住了，不放花生。"}],
        "user_id":"李四","agent_id":"厨师","run_id":"晚饭","metadata":{"桌":7}}"#;
    let added = host.done("POST", "/memories", said);
    assert_eq!(texts(&added), ["李四: \"我对花生过敏\"\n厨师: \"记住了，不放花生。\""], "{added}");
    assert_eq!(added["results"][0]["event"], "ADD");
    let id = added["results"][0]["id"].as_str().expect("an id").to_owned();
    for asked in
        ["user_id=李四", "agent_id=厨师", "run_id=晚饭", "user_id=李四&agent_id=厨师&run_id=晚饭&x=unknown"]
    {
        let found = host.get(&format!("/memories?{asked}"));
        assert_eq!(found["results"].as_array().map(Vec::len), Some(1), "{asked}: {found}");
        let one = &found["results"][0];
        assert_eq!(
            (&one["id"], &one["metadata"]["桌"], &one["run_id"]),
            (&id.clone().into(), &7.into(), &"晚饭".into())
        );
    }
    for asked in ["user_id=厨师", "agent_id=李四", "run_id=午饭", "user_id=李四&run_id=午饭", "user_id=王五"]
    {
        let found = host.get(&format!("/memories?{asked}"));
        assert_eq!(texts(&found), [""; 0], "{asked}");
    }
    let lines = host.get("/v1/worlds/mem0/conversations/mem0%2F%E6%99%9A%E9%A5%AD%2F%E6%9D%8E%E5%9B%9B%2B%E5%8E%A8%E5%B8%88/lines");
    assert_eq!(lines["items"].as_array().map(Vec::len), Some(2), "{lines}");
}

/// Where no agent is named somebody answers all the same, and learns nothing of one user for the next.
#[test]
fn an_unnamed_voice_remembers_nothing() {
    let host = Host::new();
    for user in ["alice", "bob"] {
        let body = format!(
            r#"{{"messages":[{{"role":"user","content":"My secret is {user}1"}},{{"role":"assistant","content":"It is safe."}}],"user_id":"{user}"}}"#
        );
        let added = host.done("POST", "/memories", &body);
        assert_eq!(texts(&added), [format!("{user}: \"My secret is {user}1\"\nassistant: \"It is safe.\"")]);
    }
    for user in ["alice", "bob"] {
        let found =
            host.done("POST", "/search", &format!(r#"{{"query":"what is the secret","user_id":"{user}"}}"#));
        let found = texts(&found);
        assert!(found.len() == 1 && found[0].contains(&format!("{user}1")), "{user}: {found:?}");
    }
    assert_eq!(texts(&host.get("/memories?agent_id=assistant")), [""; 0]);
    assert_eq!(texts(&host.get("/memories?agent_id=mem0:assistant")), [""; 0]);
}

#[test]
fn a_search_ranks_and_filters() {
    let host = Host::new();
    for (text, more) in [
        ("Alice's cat is called Mochi", r#""metadata":{"kind":"pet","n":1}"#),
        ("Alice works at the harbour", r#""metadata":{"kind":"work","n":2,"tags":["sea","Ships"]}"#),
        ("Alice's dog is called Rex", r#""metadata":{"kind":"pet","n":3},"run_id":"walk""#),
    ] {
        let body = format!(r#"{{"messages":"{text}","user_id":"alice","infer":false,{more}}}"#);
        host.done("POST", "/memories", &body);
    }
    let search = |more: &str| {
        let body = format!(r#"{{"query":"How is the cat of Alice called?"{more}}}"#);
        host.done("POST", "/search", &body)
    };
    let all = search(r#","user_id":"alice""#);
    let scores: Vec<f64> =
        all["results"].as_array().unwrap().iter().map(|one| one["score"].as_f64().unwrap()).collect();
    assert_eq!(texts(&all)[0], "Alice's cat is called Mochi", "{all}");
    assert!(
        scores.windows(2).all(|pair| pair[0] >= pair[1]) && scores[0] <= 1.0 && scores.len() == 3,
        "{all}"
    );
    for (more, expected) in [
        (r#","filters":{"user_id":"alice"},"top_k":1"#, &["Mochi"][..]),
        (r#","user_id":"alice","limit":1"#, &["Mochi"]),
        (r#","filters":{"user_id":"alice","run_id":"walk"}"#, &["Rex"]),
        (r#","filters":{"AND":[{"user_id":"alice"},{"kind":"work"}]}"#, &["harbour"]),
        (r#","user_id":"alice","filters":{"n":{"gte":2,"lt":3}}"#, &["harbour"]),
        (
            r#","user_id":"alice","filters":{"OR":[{"n":1},{"kind":{"eq":"work"}}],"NOT":[{"kind":"work"}]}"#,
            &["Mochi"],
        ),
        (r#","user_id":"alice","filters":{"kind":{"in":["work","play"]}}"#, &["harbour"]),
        (r#","user_id":"alice","filters":{"kind":{"nin":["pet"]}}"#, &["harbour"]),
        (r#","user_id":"alice","filters":{"tags":{"contains":"sea"}}"#, &["harbour"]),
        (r#","user_id":"alice","filters":{"memory":{"icontains":"REX"}}"#, &["Rex"]),
        (r#","user_id":"alice","filters":{"run_id":"*"}"#, &["Rex"]),
        (r#","user_id":"alice","threshold":1.01"#, &[]),
        (r#","filters":{"user_id":"bob"}"#, &[]),
    ] {
        let found = search(more);
        let found = texts(&found);
        let fits = found.len() == expected.len()
            && found.iter().zip(expected).all(|(text, word)| text.contains(word));
        assert!(fits, "{more}: {found:?}");
    }
}

#[test]
fn all_of_one_go_and_nothing_of_the_others() {
    let host = Host::new();
    for user in ["a", "b"] {
        for run in ["1", "2"] {
            let body = format!(
                r#"{{"messages":[{{"role":"user","content":"{user} in {run}"}}],"user_id":"{user}","run_id":{run}}}"#
            );
            host.done("POST", "/memories", &body);
        }
    }
    talk_to(
        &host,
        r#"
        DELETE /memories?user_id=a&run_id=2
          200 {"message":"All relevant memories deleted"}
        GET /memories?user_id=a
          200 {"results":[{"memory":"a: \"a in 1\""}]}
        GET /memories?run_id=2
          200 {"results":[{"memory":"b: \"b in 2\""}]}
        DELETE /memories?user_id=b
          200 {"message":"All relevant memories deleted"}
        GET /memories?user_id=b
          200 {"results":[]}
        POST /v1/worlds/mem0/digest {"now":true}
          200
        GET /memories?user_id=b
          200 {"results":[]}
        GET /memories?run_id=1
          200 {"results":[{"memory":"a: \"a in 1\""}]}
        "#,
    );
}

#[test]
fn what_has_expired_is_not_found() {
    talk_to(
        &Host::new(),
        r#"
        POST /memories {"messages":"old news","user_id":"a","infer":false,"expiration_date":"2026-01-30"}
          200 {"results":[{"id":"1"}]}
        POST /memories {"messages":"news of today","user_id":"a","infer":false,"expiration_date":"2026-01-31"}
          200 {"results":[{"id":"2"}]}
        GET /memories?user_id=a
          200 {"results":[{"id":"2","expiration_date":"2026-01-31"}]}
        GET /memories?user_id=a&show_expired=true
          200 {"results":[{"id":"2"},{"id":"1"}]}
        PUT /memories/1 {"expiration_date":null}
          200
        GET /memories?user_id=a
          200 {"results":[{"id":"2"},{"id":"1","expiration_date":null}]}
        "#,
    );
}

#[test]
fn what_is_wrong_is_told_as_the_original_tells_it() {
    talk_to(
        &Host::new(),
        r#"
        POST /memories {"messages":[{"role":"user","content":"x"}]}
          400 {"detail":"At least one identifier (user_id, agent_id, run_id) is required."}
        GET /memories
          400 {"detail":"At least one identifier is required."}
        DELETE /memories
          400 {"detail":"At least one identifier is required."}
        POST /search {"query":"x"}
          400 {"detail":"At least one identifier is required."}
        POST /memories {"user_id":"a"}
          422 {"detail":[{"type":"missing","loc":["body","messages"],"msg":"Field required"}]}
        POST /memories {"messages":[{"role":"user"}],"user_id":"a"}
          422 {"detail":[{"type":"missing","loc":["body","messages","0","content"]}]}
        POST /search {"user_id":"a"}
          422 {"detail":[{"loc":["body","query"]}]}
        POST /memories {"messages":"x","user_id":["a"]}
          422 {"detail":[{"loc":["body","user_id"]}]}
        POST /memories [1]
          422 {"detail":[{"loc":["body"]}]}
        POST /memories {"messages":
          422 {"detail":[{"type":"json_invalid"}]}
        POST /memories {"messages":"x","user_id":"a","expiration_date":"tomorrow"}
          422 {"detail":[{"loc":["body","expiration_date"]}]}
        PUT /memories/7 {"text":"x"}
          404 {"detail":"Memory with id 7 not found"}
        GET /memories/58e5df4b-b6c2-46cd-baf7-bc3fcb6d475c
          404 {"detail":"Memory with id 58e5df4b-b6c2-46cd-baf7-bc3fcb6d475c not found"}
        GET /memories/7/history
          200 []
        PATCH /memories/7 {}
          405 {"detail":"Method Not Allowed"}
        POST /memories {"messages":"x","user_id":"a","infer":false}
          200
        PUT /memories/1 {}
          422 {"detail":[{"loc":["body","text"]}]}
        POST /search {"query":"x","user_id":"a","filters":{"n":{"near":1}}}
          400
        POST /configure {"llm":{"provider":"openai"}}
          200 {"message":"Reverie takes its models and its store from its own settings; this configuration was not used"}
        "#,
    );
}

/// A character of Reverie's own is a user here: what it remembers in another way is found, and can be changed.
#[test]
fn memories_of_the_engine_are_found_too() {
    let host = Host::new();
    host.done("PUT", "/v1/worlds/mem0", "{}");
    host.done(
        "POST",
        "/v1/worlds/mem0/characters/mo/memories",
        r#"{"text":"The lighthouse was built in 1911."}"#,
    );
    talk_to(
        &host,
        r#"
        GET /memories?user_id=mo
          200 {"results":[{"id":"1","memory":"The lighthouse was built in 1911.","user_id":"mo","metadata":null}]}
        GET /memories?user_id=mo&run_id=x
          200 {"results":[]}
        POST /search {"query":"when was the lighthouse built","agent_id":"mo"}
          200 {"results":[{"id":"1","agent_id":"mo"}]}
        PUT /memories/1 {"text":"The lighthouse was built in 1912."}
          200
        GET /v1/worlds/mem0/characters/mo/memories
          200 {"items":[{"text":"The lighthouse was built in 1912."}]}
        "#,
    );
}

/// What a model finds in an exchange is told as what it was found in: under its ids, and with its metadata.
#[test]
fn facts_that_a_model_finds_follow_with_the_same_ids() {
    let host = Host::new();
    host.done("PUT", "/v1/worlds/mem0", r#"{"settings":{"digest.batch_rounds":1,"digest.decide":false}}"#);
    let said = r#"{"messages":[{"role":"user","content":"我从小就怕打雷。"},{"role":"assistant","content":"打雷的时候我陪着你。"}],
        "user_id":"白小喵","agent_id":"李四","metadata":{"来源":"聊天"}}"#;
    host.done("POST", "/memories", said);
    let taken = host.done("POST", "/v1/questions", r#"{"limit":5,"world":"mem0"}"#);
    let question = &taken["questions"][0];
    let text = json!({"memories": [{"kind": "trait", "text": "白小喵怕打雷。", "about": ["白小喵"], "lines": ["L1"]}]});
    let path =
        format!("/v1/worlds/mem0/questions/{}/answer", encode(question["id"].as_str().expect("a question")));
    let answered = host.done("POST", &path, &json!({"text": text.to_string(), "model": "mine"}).to_string());
    assert_eq!(answered["memories"], 1, "{answered}");
    for asked in ["user_id=白小喵", "agent_id=李四", "user_id=白小喵&agent_id=李四"] {
        let listed = host.get(&format!("/memories?{asked}"));
        let fact = listed["results"]
            .as_array()
            .expect("results")
            .iter()
            .find(|one| one["memory"] == "白小喵怕打雷。");
        let fact = fact.unwrap_or_else(|| panic!("{asked}: {listed}"));
        assert_eq!((&fact["user_id"], &fact["agent_id"]), (&json!("白小喵"), &json!("李四")), "{fact}");
        assert_eq!(fact["metadata"], json!({"来源": "聊天"}), "{fact}");
    }
}

/// All that means nothing to the engine goes where its world goes.
#[test]
fn what_is_kept_beside_memories_travels_with_the_world() {
    let host = Host::new();
    let added = r#"{"messages":[{"role":"user","content":"I keep bees."}],"user_id":"ann","run_id":"r","metadata":{"n":1}}"#;
    host.done("POST", "/memories", added);
    host.done(
        "POST",
        "/memories",
        &added
            .replace("I keep bees.", "Ann keeps a hen.")
            .replace("\"user_id\"", "\"infer\":false,\"user_id\""),
    );
    let before = host.get("/memories?user_id=ann");
    assert_eq!(before["results"].as_array().map(Vec::len), Some(2), "{before}");
    let export = host.export("mem0", "format=jsonl");
    host.done("POST", "/reset", "");
    assert_eq!(texts(&host.get("/memories?user_id=ann")), [""; 0]);
    host.done("DELETE", "/v1/worlds/mem0", "");
    let arrived = host.raw("POST", "/v1/import", export.as_bytes());
    assert_eq!(arrived.status, 201, "{}", String::from_utf8_lossy(&arrived.body));
    for asked in ["user_id=ann", "run_id=r"] {
        assert_eq!(host.get(&format!("/memories?{asked}"))["results"], before["results"], "{asked}");
    }
}

/// Whoever is deleted for good takes along what is said of them, and nothing of the others.
#[test]
fn a_deleted_user_takes_along_nothing_of_the_others() {
    let host = Host::new();
    for (user, metadata) in
        [("al", "{}"), ("alice", r#"{"rules":"annual"}"#), ("user", "{}"), ("bob", r#"{"friend":"alice"}"#)]
    {
        let body = format!(
            r#"{{"messages":[{{"role":"user","content":"I am {user}."}}],"user_id":"{user}","infer":false,"metadata":{metadata}}}"#
        );
        host.done("POST", "/memories", &body);
    }
    for gone in ["al", "user"] {
        host.done("DELETE", &format!("/v1/worlds/mem0/characters/{gone}"), "");
        assert_eq!(texts(&host.get(&format!("/memories?user_id={gone}"))), [""; 0]);
    }
    let alice = host.get("/memories?user_id=alice");
    assert_eq!(alice["results"][0]["metadata"], json!({"rules": "annual"}), "{alice}");
    assert_eq!(alice["results"][0]["role"], "user");
    host.done("DELETE", "/v1/worlds/mem0/characters/alice", "");
    let bob = host.get("/memories?user_id=bob");
    assert_eq!(texts(&bob), ["I am bob."]);
    assert!(!host.export("mem0", "format=jsonl").contains("alice"), "what names her goes");
}
