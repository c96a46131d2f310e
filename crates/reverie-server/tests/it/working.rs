//! What `/health` and `/metrics` tell of a server at work: how long prompts take, how large files and indexes are, what waits.

use serde_json::{Value, json};

use crate::caller::Caller;
use crate::run::{Directory, serve};

const LEGS: [&str; 11] = [
    "compose",
    "embed",
    "emotional",
    "gather",
    "keyword",
    "lexical",
    "lore",
    "rank",
    "related",
    "semantic",
    "temporal",
];

#[test]
fn a_server_tells_what_it_is_busy_with() {
    let data = Directory::new();
    let server = serve(&["--data", data.path().to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    let idle = caller.get("/health");
    assert_eq!(idle["recall"], json!({"recalls": 0, "of": 0, "legs": {}}), "{idle}");
    assert_eq!(idle["queue"], json!({"working": 0, "waiting": 0}), "{idle}");
    assert_eq!(idle["upstreams"], json!([]), "{idle}");
    caller.call(
        "POST /v1/worlds/harbour/characters/mo/memories",
        json!({"text": "船在雾里撞上了礁石。", "kind": "semantic"}),
    );
    for _ in 0..3 {
        caller.call(
            "POST /v1/worlds/harbour/recall",
            json!({"character": "mo", "history": [], "message": "船呢？"}),
        );
    }
    // Looking is not recalling, and what is refused took no time.
    caller.call(
        "POST /v1/worlds/harbour/lore/preview",
        json!({"character": "mo", "history": [], "message": "船呢？"}),
    );
    let refused =
        caller.send("POST /v1/worlds/harbour/recall", &json!({"character": "mo", "conversation": "x"}));
    assert_eq!(refused.status, 404);
    let health = caller.get("/health");
    let recall = &health["recall"];
    assert_eq!((&recall["recalls"], &recall["of"]), (&json!(3), &json!(3)), "{health}");
    assert_eq!(recall["legs"].as_object().unwrap().keys().collect::<Vec<_>>(), LEGS, "{health}");
    for times in recall["legs"].as_object().unwrap().values().chain([recall]) {
        let (p50, p99) = (times["p50_ms"].as_f64().unwrap(), times["p99_ms"].as_f64().unwrap());
        assert!(0.0 <= p50 && p50 <= p99, "{health}");
    }
    assert!(recall["p50_ms"].as_f64().unwrap() > 0.0, "{health}");
    let minds = &health["minds"];
    let [all, words, vectors] =
        ["bytes", "word_bytes", "vector_bytes"].map(|name| minds[name].as_u64().unwrap());
    assert!(words > 0 && vectors > 0 && words + vectors < all, "{health}");
    let file = data.path().join("reverie.db");
    let wal = data.path().join("reverie.db-wal");
    let [bytes, wal_bytes] = [file, wal].map(|path| std::fs::metadata(path).unwrap().len());
    let told = caller.get("/health")["store"].clone();
    assert_eq!(told, json!({"file": "reverie.db", "bytes": bytes, "wal_bytes": wal_bytes}));
    let metrics = caller.send("GET /metrics", &Value::Null).body;
    for line in [
        "reverie_recalls_total 3".to_owned(),
        format!("reverie_minds_word_bytes {words}"),
        format!("reverie_minds_vector_bytes {vectors}"),
        format!("reverie_store_bytes {bytes}"),
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line}\n{metrics}");
    }
    for part in LEGS.iter().chain(&["whole"]) {
        let begin = format!("reverie_recall_seconds{{part=\"{part}\",quantile=\"0.99\"}} ");
        assert!(metrics.lines().any(|found| found.starts_with(&begin)), "{begin}\n{metrics}");
    }
}
