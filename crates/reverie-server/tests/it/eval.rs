//! `reverie eval`: figures for a corpus that somebody brings.

use serde_json::{Value, json};

use crate::run::{Directory, reverie, run};

const CORPUS: &str = r#"{"id":"c1","scope":"mei","speaker":"梅","text":"我最爱吃四川火锅。","time":"2024-05-01"}
{"id":"c2","scope":"mei","speaker":"Tom","text":"I lost my ring at the old lighthouse.","time":"2024-05-03T09:30"}
{"id":"c3","scope":"mei","speaker":"健","text":"灯台でドラゴンの話をしよう。","time":"2024-06-02"}
{"id":"c4","scope":"mei","text":"明天去北山打猎。","time":"2024-07-03","seq":4}
{"id":"d1","scope":"other","text":"火锅太辣了。"}
"#;

/// What is asked, as far as the figures go; the others do not count.
const QUERIES: &str = r#"{"id":"q1","scope":"mei","query":"火锅","gold":["c1"]}
{"id":"q2","scope":"mei","query":"Where are the rings?","gold":["c2"]}
{"id":"q3","scope":"mei","query":"6月2日说了什么？","gold":["c3"]}
{"id":"later","scope":"mei","query":"打猎","gold":["c4"],"as_of":"2024-06"}
{"id":"sooner","scope":"mei","query":"打猎","gold":["c4"],"as_of_seq":4}
{"id":"trick","scope":"mei","query":"Who stole it?","gold":["c2"],"category":"adversarial"}
{"id":"none","scope":"mei","query":"Who stole it?","gold":[]}
"#;

fn figures(arguments: &[&str], files: &[(&str, &str)]) -> Value {
    let directory = Directory::new();
    for (name, text) in files {
        directory.write(name, text);
    }
    let ended = run(reverie(&directory)
        .args(["eval", "--corpus", "corpus", "--queries", "queries", "--json"])
        .args(arguments));
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    ended.json()
}

/// Three of five are found, each as the first; what came later than a question is not.
#[test]
fn what_is_found_is_counted() {
    let found = figures(&["--no-embedder", "--k", "2,1"], &[("corpus", CORPUS), ("queries", QUERIES)]);
    let expected = json!({"recall@1": 0.6, "recall@2": 0.6, "mrr": 0.6, "ndcg@10": 0.6});
    assert_eq!(found["fused"], expected, "{found}");
    assert_eq!(found["lexical"], expected, "{found}");
    assert_eq!(found["queries"], 5);
    assert!(found.get("semantic").is_none(), "{found}");
    assert!(found["latency_ms"]["p99"].as_f64() >= found["latency_ms"]["p50"].as_f64());
}

/// With no model at all: the built-in table, also across languages.
#[test]
fn the_built_in_table_is_a_leg() {
    let corpus = r#"{"id":"spicy","scope":"a","text":"我最爱吃四川火锅。"}
{"id":"dog","scope":"a","text":"我家的金毛叫旺财。"}
{"id":"exam","scope":"a","text":"There is a maths exam next week."}
"#;
    let queries = r#"{"id":"q1","scope":"a","query":"他喜欢什么辣的食物？","gold":["spicy"]}
{"id":"q2","scope":"a","query":"What spicy food does he like?","gold":["spicy"]}
{"id":"q3","scope":"a","query":"下周有什么数学考试？","gold":["exam"]}
"#;
    let found = figures(&["--k", "1"], &[("corpus", corpus), ("queries", queries)]);
    assert_eq!(found["fused"]["recall@1"], json!(1.0), "{found}");
    assert_eq!(found["semantic"]["recall@1"], json!(1.0), "{found}");
}

/// What many memories have in common with a question says nothing of any of them: there meaning decides.
#[test]
fn a_verb_in_common_does_not_outweigh_what_is_meant() {
    let item = |(id, text): (usize, &&str)| json!({"id": format!("i{id}"), "scope": "a", "text": text});
    for (query, items) in [
        (
            "他喜欢什么辣的食物？",
            ["我最爱吃四川火锅。", "他喜欢看足球比赛。", "他喜欢在雨天散步。", "他喜欢听爵士乐。"],
        ),
        (
            "What spicy food does he like?",
            [
                "I adore Sichuan hotpot.",
                "He likes football.",
                "He likes walking in the rain.",
                "He likes jazz.",
            ],
        ),
    ] {
        let corpus: String = items.iter().enumerate().map(|one| format!("{}\n", item(one))).collect();
        let query = json!({"id": "q", "scope": "a", "query": query, "gold": ["i0"]}).to_string();
        let found = figures(&["--k", "1"], &[("corpus", &corpus), ("queries", &query)]);
        assert_eq!(found["fused"]["recall@1"], json!(1.0), "{query}: {found}");
    }
}

/// Every way of finding is told, with what the digest without a model would give an item.
#[test]
fn each_leg_is_measured() {
    let queries = r#"{"id":"q1","scope":"mei","query":"火锅呢？","gold":["c1"]}
{"id":"q2","scope":"mei","query":"上个月的今天呢？","gold":["c3"],"as_of":"2024-07-02"}
{"id":"q3","scope":"mei","query":"Tom呢？","gold":["c2"]}
{"id":"q4","scope":"mei","query":"真开心！","gold":["c1"]}
"#;
    let found = figures(&["--k", "1"], &[("corpus", CORPUS), ("queries", queries)]);
    for (leg, expected) in [("keyword", 0.5), ("temporal", 0.25), ("related", 0.25), ("emotional", 0.0)] {
        assert_eq!(found[leg]["recall@1"], expected, "{leg}: {found}");
    }
}

/// Times are as Reverie itself tells them, too: with a zone. Wherever somebody's clock stood, it is one order.
#[test]
fn times_may_name_a_zone() {
    // In UTC all of it is on the first of May, half an hour apart.
    let corpus = r#"{"id":"early","scope":"a","text":"灯塔着火了。","time":"2024-05-01T22:00:00Z"}
{"id":"east","scope":"a","text":"The harbour froze over.","time":"2024-05-02T06:30:00+08:00"}
{"id":"west","scope":"a","text":"桜が咲いた。","time":"2024-05-01T18:00:00.250-05:00"}
"#;
    for (as_of, seen) in [
        ("2024-05-01", [true, true, true]),
        ("2024-05-01T22:15:00Z", [true, false, false]),
        ("2024-05-02T06:45:00+08:00", [true, true, false]),
        ("2024-05-01T17:45:00-05:00", [true, true, false]),
        ("2024-05-01T22:45", [true, true, false]),
        ("2024-04-30T23:59:59Z", [false, false, false]),
    ] {
        for ((query, gold), is_seen) in
            [("灯塔", "early"), ("the harbour", "east"), ("桜", "west")].into_iter().zip(seen)
        {
            let query =
                json!({"id": "q", "scope": "a", "query": query, "gold": [gold], "as_of": as_of}).to_string();
            let found = figures(&["--no-embedder", "--k", "1"], &[("corpus", corpus), ("queries", &query)]);
            let share = if is_seen { 1.0 } else { 0.0 };
            assert_eq!(found["fused"]["recall@1"], json!(share), "{gold} as of {as_of}: {found}");
        }
    }
}

/// What is wrong in a file is not measured as if it were right.
#[test]
fn what_cannot_be_measured_is_refused() {
    for (queries, why) in [
        (r#"{"id":"q","scope":"mei","query":"火锅","gold":"c1"}"#, "`gold` must be a list"),
        (r#"{"id":"q","scope":"mei","query":"火锅","gold":["c1"],"as_of":"soon"}"#, "`as_of` must be like"),
        (
            r#"{"id":"q","scope":"mei","query":"火锅","gold":["c1"],"as_of_seq":"4"}"#,
            "`as_of_seq` must be a whole number",
        ),
        (
            "{\"id\":\"p\",\"scope\":\"mei\",\"query\":\"火锅\",\"gold\":[\"c1\"]}\n\
             {\"id\":\"q\",\"scope\":\"mei\",\"query\":\" \",\"gold\":[\"c1\"]}",
            "queries:2: `query` is empty",
        ),
        (r#"{"id":"q","scope":"mei","query":"火锅","gold":[]}"#, "asks for nothing that counts"),
        ("", "asks for nothing that counts"),
    ] {
        let directory = Directory::new();
        directory.write("corpus", &format!("\u{FEFF}{CORPUS}"));
        directory.write("queries", queries);
        let ended = run(reverie(&directory).args(["eval", "--corpus", "corpus", "--queries", "queries"]));
        assert_eq!(ended.code, Some(1), "{}", ended.stdout);
        assert!(ended.stderr.contains(why), "{}", ended.stderr);
    }
}

/// Meaning finds what no word leads to, and what words lead to is found with it.
#[test]
fn vectors_of_any_model_are_a_leg() {
    let corpus = r#"{"id":"spicy","scope":"a","text":"我最爱吃四川火锅。"}
{"id":"sea","scope":"a","text":"我怕水。"}
{"id":"cat","scope":"a","text":"猫睡着了。"}
"#;
    let queries = r#"{"id":"q1","scope":"a","query":"What does he like to eat?","gold":["spicy"]}
{"id":"q2","scope":"a","query":"猫","gold":["cat"]}
"#;
    let vectors = r#"{"id":"spicy","vector":[1,0.1,0]}
{"id":"sea","vector":[0,1,0.1]}
{"id":"cat","vector":[0.1,0,1]}
{"id":"q1","vector":[2,0.2,0.3]}
{"id":"q2","vector":[0.1,0,1]}
"#;
    let files = [("corpus", corpus), ("queries", queries), ("vectors", vectors)];
    let found = figures(&["--vectors", "vectors", "--k", "1"], &files);
    for (leg, expected) in [("fused", 1.0), ("semantic", 1.0), ("lexical", 0.5)] {
        assert_eq!(found[leg]["recall@1"], expected, "{leg}: {found}");
    }
    assert_eq!(found["without_vector"], json!({"items": 0, "queries": 0}), "{found}");
}

/// Figures of meaning that saw half of the data do not look as if they had seen it all.
#[test]
fn what_has_no_vector_is_told() {
    let vectors = r#"{"id":"c1","vector":[1,0,0]}
{"id":"c3","vector":[0,1,0]}
{"id":"q1","vector":[1,0,0]}
{"id":"stranger","vector":[0,0,1]}
"#;
    let directory = Directory::new();
    for (name, text) in [("corpus", CORPUS), ("queries", QUERIES), ("vectors", vectors)] {
        directory.write(name, text);
    }
    let arguments = ["eval", "--corpus", "corpus", "--queries", "queries", "--vectors", "vectors"];
    for form in [&["--json"][..], &[]] {
        let ended = run(reverie(&directory).args(arguments).args(form));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let warning = "warning: 3 of 5 items and 6 of 7 queries have no vector in vectors";
        assert!(ended.stderr.contains(warning), "{}", ended.stderr);
        if !form.is_empty() {
            assert_eq!(ended.json()["without_vector"], json!({"items": 3, "queries": 6}));
        }
    }
}
