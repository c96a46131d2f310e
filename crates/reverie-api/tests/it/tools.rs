//! Does each tool do what it says, for whom it says, and does a mistake say what to do?

use reverie_api::tools::{self, Defaults, Outcome};
use reverie_core::{CharacterId, WorldId};
use serde_json::{Value, json};

use crate::host::Host;
use crate::script::holds;

struct Agent {
    host: Host,
    defaults: Defaults,
}

impl Agent {
    fn new() -> Self {
        let defaults = Defaults {
            world: WorldId::new("家").expect("a world"),
            character: CharacterId::new("阿默").expect("a character"),
        };
        Self { host: Host::new(), defaults }
    }

    fn call(&self, tool: &str, arguments: Value) -> Result<Value, Value> {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let ask = |request: &reverie_api::Request| self.host.api().dispatch(request);
        match tools::call(&ask, &self.defaults, tool, arguments).expect("a tool") {
            Outcome::Done(answer) => Ok(answer),
            Outcome::Failed(error) => Err(error),
        }
    }

    #[track_caller]
    fn done(&self, tool: &str, arguments: Value, expected: Value) -> Value {
        let answer =
            self.call(tool, arguments.clone()).unwrap_or_else(|error| panic!("{tool} {arguments}: {error}"));
        holds(&answer, &expected, "")
            .unwrap_or_else(|problem| panic!("{tool} {arguments}: {problem} in {answer}"));
        answer
    }
}

#[test]
fn a_fact_is_added_found_changed_and_forgotten() {
    let agent = Agent::new();
    agent.done("search_memories", json!({"query": "水"}), json!({"memories": []}));
    agent.done("get_memories", json!({}), json!({"memories": []}));
    agent.done("get_memories", json!({"character": "新しい人"}), json!({"memories": []}));
    agent.done(
        "recall_context",
        json!({"message": "在吗？"}),
        json!({"messages": [{"role": "user", "content": "在吗？"}]}),
    );
    assert_eq!(agent.host.get("/v1/worlds")["items"], json!([]), "whoever only reads makes nothing");
    let added = agent.done(
        "add_memory",
        json!({"text": "李四怕水", "about": ["李四"], "key": "1"}),
        json!({"id": "1", "kind": "semantic", "pinned": false}),
    );
    assert!(added["warnings"][0].as_str().expect("a warning").contains("李四"), "{added}");
    agent.done("add_memory", json!({"text": "李四怕水", "about": ["李四"], "key": "1"}), json!({"id": "1"}));
    agent.done(
        "add_memory",
        json!({"text": "The tower has ninety steps.", "pinned": true, "kind": "episodic"}),
        json!({"id": "2"}),
    );
    agent.done(
        "search_memories",
        json!({"query": "谁怕水？", "limit": 1}),
        json!({"memories": [{"id": "1", "text": "李四怕水"}]}),
    );
    agent.done(
        "get_memories",
        json!({"kind": "episodic"}),
        json!({"memories": [{"id": "2", "pinned": true}]}),
    );
    let page = agent.done("get_memories", json!({"limit": 1}), json!({"memories": [{"id": "2"}]}));
    agent.done(
        "get_memories",
        json!({"cursor": page["next"]}),
        json!({"memories": [{"id": "1"}], "next": null}),
    );
    agent.done(
        "update_memory",
        json!({"id": "1", "text": "李四怕火", "importance": 1.0}),
        json!({"id": "1", "text": "李四怕火"}),
    );
    agent.done(
        "search_memories",
        json!({"query": "李四"}),
        json!({"memories": [{"text": "李四怕火", "importance": 1.0}]}),
    );
    agent.done("delete_memory", json!({"id": "1"}), json!({"forgotten": "1"}));
    agent.done("delete_memory", json!({"id": "1"}), json!({"forgotten": "1"}));
    agent.done("get_memories", json!({}), json!({"memories": [{"id": "2"}]}));
}

/// Each remembers what it heard, and nobody else's.
#[test]
fn an_exchange_is_remembered_by_those_who_heard_it() {
    let agent = Agent::new();
    let said = json!([{"speaker": "小夏", "content": "灯塔下面有一条密道。"}, {"speaker": "阿默", "content": "别告诉别人。"}]);
    let first = agent.done("record_lines", json!({"lines": said}), json!({"lines": ["1", "2"]}));
    let other = json!([{"speaker": "小夏", "content": "The cat ran away."}, {"speaker": "老王", "content": "Poor cat."}]);
    agent.done(
        "record_lines",
        json!({"lines": other, "character": "老王", "conversation": "酒馆"}),
        json!({"conversation": "酒馆", "lines": ["3", "4"]}),
    );
    let more = json!([{"speaker": "老王", "content": "She is back."}]);
    agent.done(
        "record_lines",
        json!({"lines": more, "character": "老王", "conversation": "酒馆"}),
        json!({"conversation": "酒馆", "lines": ["5"]}),
    );
    let found = |who: &str, query: &str| {
        let found =
            agent.call("search_memories", json!({"query": query, "character": who})).expect("a search");
        found["memories"].to_string()
    };
    for (who, passage, cat) in [("阿默", true, false), ("老王", false, true), ("小夏", true, true)] {
        for query in ["密道在哪里", "where is the cat"] {
            let found = found(who, query);
            // What belongs to the nearest comes to mind with it; what one never heard does not.
            let (knows_passage, knows_cat) = (found.contains("密道"), found.contains("cat"));
            assert!((passage || !knows_passage) && (cat || !knows_cat), "{who}, {query}: {found}");
            let (is_passage, knows) =
                (query.contains("密道"), if query.contains("密道") { knows_passage } else { knows_cat });
            assert_eq!(knows, if is_passage { passage } else { cat }, "{who}, {query}: {found}");
        }
    }
    let recalled = agent.done(
        "recall_context",
        json!({"message": "密道在哪里？", "conversation": first["conversation"]}),
        json!({}),
    );
    let text = recalled["messages"].to_string();
    assert!(text.contains("灯塔下面有一条密道") && !text.contains("cat"), "{recalled}");
}

/// What is written into the prompts of a world that a tool makes is in the language of what the agent brings.
#[test]
fn a_world_speaks_the_language_of_what_is_brought() {
    let agent = Agent::new();
    let english = "The tower by the harbour has ninety steps, and a bell.";
    let lines = |speaker: &str| json!([{"speaker": speaker, "content": english}]);
    for (world, tool, arguments, language) in [
        ("fact", "add_memory", json!({"text": english, "character": "mo"}), json!("en")),
        ("about", "add_memory", json!({"text": english, "character": "mo", "about": ["李四"]}), Value::Null),
        ("short", "add_memory", json!({"text": "Ninety steps.", "character": "mo"}), Value::Null),
        ("named", "add_memory", json!({"text": english}), Value::Null),
        ("said", "record_lines", json!({"lines": lines("Ann"), "character": "mo"}), json!("en")),
        ("called", "record_lines", json!({"lines": lines("小夏"), "character": "mo"}), Value::Null),
    ] {
        let mut arguments = arguments;
        arguments["world"] = json!(world);
        agent.done(tool, arguments, json!({}));
        let made = agent.host.get(&format!("/v1/worlds/{world}"));
        assert_eq!(made["settings"]["language"], language, "{world}");
    }
}

#[test]
fn a_mistake_says_what_to_do() {
    let agent = Agent::new();
    agent.done("add_memory", json!({"text": "x"}), json!({}));
    agent.done("search_memories", json!({"query": "x", "character": "nobody"}), json!({"memories": []}));
    agent.done("get_memories", json!({"character": "nobody", "world": "家"}), json!({"memories": []}));
    for (tool, arguments, code, words) in [
        ("add_memory", json!({}), "invalid", "this tool takes: text, kind"),
        ("add_memory", json!({"txt": "x"}), "invalid", "\"txt\""),
        ("add_memory", json!({"text": "  "}), "invalid", "`text`"),
        ("add_memory", json!({"text": "x", "importance": 7}), "invalid", "importance"),
        ("add_memory", json!({"text": "x", "kind": "odd"}), "invalid", "episodic semantic"),
        ("search_memories", json!({"query": "x", "limit": 0}), "invalid", "from 1 to 100"),
        (
            "search_memories",
            json!({"query": "x", "character": "nobody", "world": "nowhere"}),
            "not_found",
            "add_memory or record_lines",
        ),
        ("get_memories", json!({"world": "nowhere"}), "not_found", "name another world"),
        ("update_memory", json!({"id": "1"}), "invalid", "give text, importance or pinned"),
        (
            "update_memory",
            json!({"id": "9", "pinned": true}),
            "not_found",
            "search_memories and get_memories",
        ),
        ("delete_memory", json!({"id": "x"}), "not_found", "search_memories and get_memories"),
        ("recall_context", json!({"conversation": "c9"}), "not_found", "leave `conversation` out"),
        ("record_lines", json!({"lines": []}), "invalid", "at least one"),
        ("record_lines", json!({"lines": [{"speaker": "a"}]}), "invalid", "content"),
    ] {
        let error = agent.call(tool, arguments.clone()).expect_err(tool);
        let said = error["error"].to_string();
        let fits = error["error"]["code"] == code && said.replace("\\\"", "\"").contains(words);
        assert!(fits && !said.contains("/v1/") && !said.contains("GET "), "{tool} {arguments}: {said}");
    }
    let ask = |request: &reverie_api::Request| agent.host.api().dispatch(request);
    assert!(tools::call(&ask, &agent.defaults, "drop_database", Default::default()).is_none());
}

/// The same search is there for everybody who speaks HTTP.
#[test]
fn memories_are_found_by_what_they_bring_to_mind() {
    let agent = Agent::new();
    for (text, kind) in
        [("Ann keeps bees.", "semantic"), ("Ann sold her bees.", "episodic"), ("It rained.", "episodic")]
    {
        agent.done("add_memory", json!({"text": text, "kind": kind}), json!({}));
    }
    let list = |query: &str| {
        agent.host.send(
            "GET",
            &format!("/v1/worlds/%E5%AE%B6/characters/%E9%98%BF%E9%BB%98/memories?{query}"),
            "",
        )
    };
    let (status, found) = list("q=bees&by=mind&limit=1");
    assert_eq!(
        (status, found["items"].as_array().map(Vec::len), &found["next"]),
        (200, Some(1), &json!("1")),
        "{found}"
    );
    let (_, rest) = list("q=bees&by=mind&cursor=1");
    let texts: Vec<&str> =
        rest["items"].as_array().expect("items").iter().filter_map(|one| one["text"].as_str()).collect();
    assert!(
        !texts.is_empty() && texts[0].contains("bees") && rest["items"][0]["id"] != found["items"][0]["id"],
        "{rest}"
    );
    let score = |page: &Value| page["items"][0]["score"].as_f64().expect("a score");
    assert!(1.0 >= score(&found) && score(&found) >= score(&rest) && score(&rest) > 0.0, "{found} {rest}");
    let (_, kind) = list("q=bees&by=mind&kind=semantic");
    assert_eq!(kind["items"][0]["text"], "Ann keeps bees.", "{kind}");
    assert_eq!(kind["items"].as_array().map(Vec::len), Some(1));
    for (query, words) in
        [("q=bees&by=smell", "use words or mind"), ("q=bees&by=mind&all=true", "search by words")]
    {
        let (status, answer) = list(query);
        assert!(status == 400 && answer.to_string().contains(words), "{answer}");
    }
}
