//! Do mem0's memories come over, from its answers and from its local store, and once?

use std::path::Path;
use std::process::Command;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::run::{Directory, Ended, reverie, run, serve};

fn import(directory: &Directory, arguments: &[&str]) -> Ended {
    let mut command: Command = reverie(directory);
    run(command.args(["import", "--from", "mem0", "--data", "data", "--json"]).args(arguments))
}

/// How many are new, changed and as before.
#[track_caller]
fn counts(ended: &Ended) -> (u64, u64, u64) {
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let told = ended.json();
    let count = |name: &str| told[name].as_u64().unwrap();
    (count("new"), count("changed"), count("same"))
}

fn served(directory: &Directory) -> (crate::run::Server, Caller) {
    let data = directory.path().join("data");
    let server = serve(&["--data", data.to_str().unwrap()], &[]);
    let caller = Caller::new(&server);
    (server, caller)
}

fn texts(answer: &Value) -> Vec<&str> {
    answer["results"].as_array().unwrap().iter().map(|one| one["memory"].as_str().unwrap()).collect()
}

const ALPS: &str = "58e5df4b-b6c2-46cd-baf7-bc3fcb6d475c";
const WATER: &str = "49da03b7-c2bb-45b6-ad79-3920c455bcc2";

fn answer(alps: &str) -> Value {
    json!({"results": [
        {"id": ALPS, "memory": alps, "hash": "x", "metadata": {"category": "hobby", "n": 3}, "user_id": "alice", "role": "user",
         "created_at": "2024-05-01T14:21:26.788701-07:00", "updated_at": "2024-05-02T00:00:00+00:00"},
        {"id": WATER, "memory": "钦灵怕水", "metadata": null, "user_id": "alice", "agent_id": "bot", "run_id": "r1", "actor_id": "李四"},
        {"id": "e1", "memory": "alps", "linked_memory_ids": [ALPS], "user_id": "alice"}
    ]})
}

#[test]
fn an_answer_comes_over_with_its_ids_and_once() {
    let directory = Directory::new();
    let file = directory.write("all.json", &answer("I love the Alps").to_string());
    assert_eq!(counts(&import(&directory, &[&file])), (2, 0, 0));
    assert_eq!(counts(&import(&directory, &[&file])), (0, 0, 2));
    let (server, mut caller) = served(&directory);
    let one = caller.get(&format!("/memories/{ALPS}"));
    let expected = json!({"id": ALPS, "memory": "I love the Alps", "metadata": {"category": "hobby", "n": 3}, "user_id": "alice",
        "role": "user", "created_at": "2024-05-01T21:21:26.788Z"});
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&one[name], value, "{name}: {one}");
    }
    for (asked, count) in [("user_id=alice", 2), ("agent_id=bot", 1), ("run_id=r1", 1), ("user_id=bot", 0)] {
        assert_eq!(texts(&caller.get(&format!("/memories?{asked}"))).len(), count, "{asked}");
    }
    let found = caller.call("POST /search", json!({"query": "mountains", "user_id": "alice"}));
    assert_eq!(found["results"][0]["id"], ALPS, "{found}");
    // What is taken away here stays away; what the file says anew comes.
    caller.call(&format!("DELETE /memories/{WATER}"), Value::Null);
    drop(server);
    assert_eq!(counts(&import(&directory, &[&file])), (0, 0, 2));
    let file = directory.write("later.json", &answer("I love the Dolomites")["results"].to_string());
    assert_eq!(counts(&import(&directory, &[&file])), (0, 1, 1));
    let (_server, mut caller) = served(&directory);
    assert_eq!(texts(&caller.get("/memories?user_id=alice")), ["I love the Dolomites"]);
}

/// A point as Qdrant's local mode keeps it.
fn pickled(id: &str, payload: &[(&str, &str)]) -> Vec<u8> {
    let text = |bytes: &mut Vec<u8>, text: &str| {
        bytes.push(b'X');
        bytes.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
        bytes.extend(text.as_bytes());
    };
    let mut bytes = b"\x80\x04cqdrant_client.http.models.models\nPointStruct\n)\x81}(".to_vec();
    text(&mut bytes, "__dict__");
    bytes.extend(b"}(");
    text(&mut bytes, "id");
    text(&mut bytes, id);
    text(&mut bytes, "vector");
    bytes.extend(b"](G\x3f\xe0\x00\x00\x00\x00\x00\x00e");
    text(&mut bytes, "payload");
    bytes.extend(b"}(");
    for (name, value) in payload {
        text(&mut bytes, name);
        text(&mut bytes, value);
    }
    bytes.extend(b"uuub.");
    bytes
}

fn store(folder: &Path, name: &str, points: &[Vec<u8>]) {
    let folder = folder.join("qdrant/collection").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let database = Connection::open(folder.join("storage.sqlite")).unwrap();
    database.execute_batch("CREATE TABLE points (id TEXT PRIMARY KEY, point BLOB)").unwrap();
    for (at, point) in points.iter().enumerate() {
        database
            .execute("INSERT INTO points VALUES (?1, ?2)", rusqlite::params![at.to_string(), point])
            .unwrap();
    }
}

fn history(folder: &Path) {
    let database = Connection::open(folder.join("history.db")).unwrap();
    database
        .execute_batch(&format!(
            "CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT,
               created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT);
             INSERT INTO history VALUES
               ('1', '{ALPS}', NULL, 'I love the Alps', 'ADD', '2024-05-01T14:21:26+00:00', NULL, 0, NULL, 'user'),
               ('2', 'gone', NULL, 'a secret', 'ADD', NULL, NULL, 0, NULL, 'user'),
               ('3', '{ALPS}', 'I love the Alps', 'I love the sea', 'UPDATE', '2024-05-01T14:21:26+00:00', NULL, 0, NULL, 'user'),
               ('4', 'gone', 'a secret', NULL, 'DELETE', NULL, NULL, 1, NULL, NULL);"
        ))
        .unwrap();
}

#[test]
fn a_local_store_comes_over() {
    let directory = Directory::new();
    let folder = directory.path().join("mem0");
    std::fs::create_dir_all(&folder).unwrap();
    let alps = pickled(
        ALPS,
        &[
            ("data", "I love the Alps"),
            ("user_id", "alice"),
            ("category", "hobby"),
            ("hash", "x"),
            ("created_at", "2024-05-01T14:21:26.788701+00:00"),
            ("text_lemmatized", "love alps"),
        ],
    );
    store(&folder, "mem0", &[alps, pickled(WATER, &[("data", "钦灵怕水"), ("agent_id", "bot")])]);
    store(&folder, "mem0_entities", &[pickled("e", &[("data", "Alps"), ("user_id", "alice")])]);
    store(&folder, "mem0migrations", &[pickled("m", &[("user_id", "somebody")])]);
    history(&folder);
    let whole = folder.to_str().unwrap();
    assert_eq!(counts(&import(&directory, &[whole, "--world", "old"])), (2, 0, 0));
    let one = folder.join("qdrant/collection/mem0/storage.sqlite");
    assert_eq!(counts(&import(&directory, &[one.to_str().unwrap(), "--world", "old"])), (0, 0, 2));
    let shown = run(reverie(&directory).args(["memories", "--data", "data", "old", "alice"]));
    assert!(shown.stdout.contains("I love the Alps"), "{}", shown.stdout);
    let data = directory.path().join("data");
    let server = serve(&["--data", data.to_str().unwrap(), "--mem0-world", "old"], &[]);
    let listed = Caller::new(&server).get("/memories?user_id=alice");
    assert_eq!(listed["results"][0]["metadata"], json!({"category": "hobby"}), "{listed}");
}

/// A history tells no ids: whose it is must be said.
#[test]
fn a_history_comes_over_for_whom_it_is_said() {
    let directory = Directory::new();
    history(directory.path());
    let file = directory.path().join("history.db");
    let file = file.to_str().unwrap();
    let refused = import(&directory, &[file]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stdout.contains("--as CHARACTER"), "{}", refused.stdout);
    assert_eq!(counts(&import(&directory, &[file, "--as", "alice"])), (1, 0, 0));
    let (_server, mut caller) = served(&directory);
    assert_eq!(texts(&caller.get("/memories?user_id=alice")), ["I love the sea"]);
}

/// What cannot come is told by its number, and holds nothing else up.
#[test]
fn one_that_is_nobodys_does_not_stop_the_others() {
    let directory = Directory::new();
    let all = json!([{"id": "m1", "memory": "I love the Alps", "user_id": "alice"}, {"id": "m2", "memory": "谁的？"},
        {"memory": "海が好きです", "user_id": "alice"}]);
    let file = directory.write("all.json", &all.to_string());
    for (new, same) in [(2, 0), (0, 2)] {
        let ended = import(&directory, &[&file]);
        let told = ended.json();
        assert_eq!((ended.code, &told["new"], &told["same"]), (Some(1), &json!(new), &json!(same)), "{told}");
        assert_eq!(
            (&told["failed"][0]["memory"], &told["failed"][0]["id"]),
            (&json!(2), &json!("m2")),
            "{told}"
        );
        let error = &told["error"];
        assert!(error["message"].as_str().unwrap().contains("memory 2: it names neither"), "{told}");
        assert!(error["hint"].as_str().unwrap().contains("--as CHARACTER"), "{told}");
    }
    let shown = run(reverie(&directory).args(["import", "--from", "mem0", "--data", "data"]).arg(&file));
    assert_eq!(shown.code, Some(1));
    assert!(
        shown.stdout.contains("imported 2 memories of mem0 into world mem0: 0 new, 0 changed, 2 as before\n"),
        "{}",
        shown.stdout
    );
    assert!(shown.stdout.contains("  not imported: memory 2: it names neither"), "{}", shown.stdout);
    assert!(shown.stderr.contains("error: 1 memory could not be imported"), "{}", shown.stderr);
    let (_server, mut caller) = served(&directory);
    assert_eq!(texts(&caller.get("/memories?user_id=alice")).len(), 2);
}

/// Whatever writes them: without an offset they are of UTC.
#[test]
fn times_are_read_as_others_write_them() {
    let directory = Directory::new();
    let times = [
        (json!("2024-05-01T10:00:00.123456"), "2024-05-01T10:00:00.123Z"),
        (json!("2024-01-01 00:00:00"), "2024-01-01T00:00:00.000Z"),
        (json!("2024-05-01"), "2024-05-01T00:00:00.000Z"),
        (json!(1_714_550_400), "2024-05-01T08:00:00.000Z"),
        (json!(1_714_550_400.25), "2024-05-01T08:00:00.250Z"),
        (json!("2024-05-01T10:00:00+08:00"), "2024-05-01T02:00:00.000Z"),
    ];
    let memory = |(at, (time, _)): (usize, &(Value, &str))| json!({"id": format!("t{at}"), "memory": format!("记忆 {at}"), "user_id": "e", "created_at": time});
    let all: Vec<Value> = times.iter().enumerate().map(memory).collect();
    let file = directory.write("times.json", &json!(all).to_string());
    assert_eq!(counts(&import(&directory, &[&file])), (times.len() as u64, 0, 0));
    let (_server, mut caller) = served(&directory);
    for (at, (written, expected)) in times.iter().enumerate() {
        assert_eq!(caller.get(&format!("/memories/t{at}"))["created_at"], *expected, "{written}");
    }
}

#[test]
fn a_blank_memory_is_told_by_its_number() {
    let directory = Directory::new();
    let all = json!([{"id": "m1", "memory": "I love the Alps", "user_id": "alice"}, {"id": "m2", "memory": "  ", "user_id": "alice"},
        {"id": "m3", "memory": "海が好きです", "user_id": "alice"}]);
    let file = directory.write("all.json", &all.to_string());
    let ended = import(&directory, &[&file]);
    let told = ended.json();
    assert_eq!((ended.code, &told["new"]), (Some(1), &json!(2)), "{told}");
    assert_eq!((&told["failed"][0]["memory"], &told["failed"][0]["id"]), (&json!(2), &json!("m2")), "{told}");
}

#[test]
fn what_cannot_be_read_is_told() {
    let directory = Directory::new();
    let empty = directory.path().join("empty");
    std::fs::create_dir_all(&empty).unwrap();
    let broken = directory.path().join("broken");
    store(&broken, "mem0", &[b"\x80\x04cos\nsystem\n".to_vec()]);
    for (path, words) in [
        (directory.path().join("nowhere.json"), "cannot read"),
        (empty, "collection/"),
        (broken, "no pickled value"),
        (directory.write("a.json", "{\"results\": [1]}").into(), "each is an object"),
        (directory.write("b.json", "hello").into(), "no JSON"),
        (directory.write("c.json", "{\"results\":[{\"memory\":\"x\"}]}").into(), "--as CHARACTER"),
    ] {
        let ended = import(&directory, &[path.to_str().unwrap()]);
        assert!(
            ended.code == Some(1) && ended.stdout.contains(words),
            "{path:?}: {} {}",
            ended.stdout,
            ended.stderr
        );
    }
    let odd = import(&directory, &["b.json", "--rank", "1"]);
    assert_eq!(odd.code, Some(2), "{}", odd.stderr);
}
