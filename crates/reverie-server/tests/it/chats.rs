//! `reverie import` of a chat: once, again, and after it went on.

use serde_json::{Value, json};

use crate::caller::Caller;
use crate::run::{Directory, reverie, run, serve};

const HEADER: &str =
    r#"{"user_name":"Mei","character_name":"小雪","create_date":"2024-01-02@09h00m00s","chat_metadata":{}}"#;

fn messages() -> Vec<Value> {
    vec![
        json!({"name": "小雪", "is_user": false, "mes": "早上好！", "swipes": ["你来了。", "早上好！"], "swipe_id": 1,
            "send_date": "2024-01-02T09:00:00.000Z"}),
        json!({"name": "Mei", "is_user": true, "mes": "おはよう。", "send_date": "January 2, 2024 9:03am"}),
        json!({"name": "小雪", "is_user": false, "is_system": true, "mes": "a secret", "send_date": 1_704_186_240_000_i64}),
        json!({"name": "System", "is_user": false, "mes": "It snows.", "extra": {"type": "narrator"}, "send_date": "?"}),
    ]
}

fn file(messages: &[Value]) -> String {
    let lines: Vec<String> = messages.iter().map(ToString::to_string).collect();
    format!("{HEADER}\n{}\n", lines.join("\n"))
}

fn import(directory: &Directory, chat: &str) -> Value {
    directory.write("chat.jsonl", chat);
    let ended =
        run(reverie(directory).args(["import", "chat.jsonl", "--world", "w", "--data", ".", "--json"]));
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    ended.json()
}

fn export(directory: &Directory) -> String {
    let ended = run(reverie(directory).args(["export", "w", "--data", "."]));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    ended.stdout
}

fn counts(answer: &Value) -> [u64; 3] {
    ["lines", "new", "gone"].map(|key| answer[key].as_u64().unwrap())
}

#[test]
fn a_chat_becomes_a_tree_once() {
    let directory = Directory::new();
    let first = import(&directory, &file(&messages()));
    assert_eq!(counts(&first), [5, 5, 0]);
    assert_eq!(first["warnings"], json!(["line 5: send_date \"?\" is in no known form"]));
    let whole = export(&directory);
    assert_eq!(counts(&import(&directory, &file(&messages()))), [5, 0, 0]);
    assert_eq!(export(&directory), whole, "the same file again changes nothing");

    let server = serve(&["--data", directory.path().to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    let conversation = format!("/v1/worlds/w/conversations/{}", first["conversation"].as_str().unwrap());
    let path = caller.lines(&conversation);
    let seen: Vec<(&str, &str, &str, bool)> = path
        .iter()
        .map(|line| {
            let text = |key: &str| line[key].as_str().unwrap();
            (text("speaker"), text("attribute"), text("content"), line["hidden"].as_bool().unwrap())
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("小雪", "assistant", "早上好！", false),
            ("Mei", "user", "おはよう。", false),
            ("小雪", "assistant", "a secret", true),
            ("Narrator", "assistant", "It snows.", false),
        ]
    );
    assert_eq!(path[0]["witnesses"], json!(["Mei", "小雪"]));
    assert_eq!(path[1]["time"], json!("2024-01-02T09:03:00.000Z"));
}

#[test]
fn a_chat_that_went_on_brings_only_its_end() {
    let directory = Directory::new();
    let mut chat = messages();
    let first = import(&directory, &file(&chat));
    chat.push(json!({"name": "Captain", "is_user": true, "mes": "出发！"}));
    chat[0]["swipes"].as_array_mut().unwrap().push(json!("（挥手）"));
    let second = import(&directory, &file(&chat));
    assert_eq!(counts(&second), [7, 2, 0]);
    assert_eq!(second["conversation"], first["conversation"]);
    assert_ne!(second["head"], first["head"]);
    // A message that was changed begins a branch, which is where the chat stands now.
    chat[3]["mes"] = json!("It rains.");
    let third = import(&directory, &file(&chat));
    assert_eq!(counts(&third), [7, 2, 0]);
    let whole = export(&directory);
    assert_eq!(counts(&import(&directory, &file(&chat))), [7, 0, 0]);
    // An older copy brings nothing, and moves nothing.
    assert_eq!(counts(&import(&directory, &file(&messages()))), [5, 0, 0]);
    assert_eq!(export(&directory), whole);
}

#[test]
fn what_was_deleted_stays_so() {
    let directory = Directory::new();
    let first = import(&directory, &file(&messages()));
    {
        let server = serve(&["--data", directory.path().to_str().unwrap()], &[]);
        let mut caller = Caller::new(&server);
        let conversation = format!("/v1/worlds/w/conversations/{}", first["conversation"].as_str().unwrap());
        let line = caller.lines(&conversation)[1]["id"].as_str().unwrap().to_owned();
        caller.call(&format!("DELETE /v1/worlds/w/lines/{line}"), Value::Null);
    }
    let whole = export(&directory);
    assert_eq!(counts(&import(&directory, &file(&messages()))), [5, 0, 1]);
    assert_eq!(export(&directory), whole);
}

/// Does something to the conversation with a server running, whose lines are given with the callback.
fn with_lines(directory: &Directory, conversation: &Value, act: impl FnOnce(&mut Caller, &[Value])) {
    let server = serve(&["--data", directory.path().to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    let path = format!("/v1/worlds/w/conversations/{}", conversation.as_str().unwrap());
    let lines = caller.lines(&path);
    act(&mut caller, &lines);
}

fn line(of: &Value) -> String {
    format!("/v1/worlds/w/lines/{}", of["id"].as_str().unwrap())
}

#[test]
fn the_last_lines_stay_deleted_too() {
    let directory = Directory::new();
    let mut chat = messages();
    let first = import(&directory, &file(&chat));
    with_lines(&directory, &first["conversation"], |caller, lines| {
        for last in &lines[2..] {
            caller.call(&format!("DELETE {}", line(last)), Value::Null);
        }
    });
    let whole = export(&directory);
    assert_eq!(counts(&import(&directory, &file(&chat))), [5, 0, 2]);
    assert_eq!(export(&directory), whole);
    // The chat went on: only its end comes.
    chat.push(json!({"name": "Mei", "is_user": true, "mes": "出发！"}));
    assert_eq!(counts(&import(&directory, &file(&chat))), [6, 1, 2]);
    // A message before them was edited in the chat: they do not come back behind the new words.
    chat.truncate(4);
    chat[1]["mes"] = json!("こんにちは。");
    assert_eq!(counts(&import(&directory, &file(&chat))), [5, 1, 2]);
    let whole = export(&directory);
    assert_eq!(counts(&import(&directory, &file(&chat))), [5, 0, 2]);
    assert_eq!(export(&directory), whole);
    with_lines(&directory, &first["conversation"], |_, lines| {
        let texts: Vec<&str> = lines.iter().map(|line| line["content"].as_str().unwrap()).collect();
        assert_eq!(texts, ["早上好！", "こんにちは。"]);
    });
}

/// Said anew behind another swipe, the same words are no deleted line.
#[test]
fn another_swipe_is_not_an_edit() {
    let directory = Directory::new();
    let mut chat = vec![
        json!({"name": "小雪", "is_user": false, "mes": "a", "swipes": ["a", "b"], "swipe_id": 0}),
        json!({"name": "Mei", "is_user": true, "mes": "ok"}),
    ];
    let first = import(&directory, &file(&chat));
    with_lines(&directory, &first["conversation"], |caller, lines| {
        caller.call(&format!("DELETE {}", line(&lines[1])), Value::Null);
    });
    chat[0]["mes"] = json!("b");
    chat[0]["swipe_id"] = json!(1);
    assert_eq!(counts(&import(&directory, &file(&chat))), [3, 1, 0]);
}

#[test]
fn what_is_hidden_follows_the_chat() {
    let directory = Directory::new();
    let mut chat = messages();
    let first = import(&directory, &file(&chat));
    chat[1]["is_system"] = json!(true);
    chat[2]["is_system"] = json!(false);
    let second = import(&directory, &file(&chat));
    assert_eq!((counts(&second), &second["changed"]), ([5, 0, 0], &json!(2)));
    with_lines(&directory, &first["conversation"], |_, lines| {
        let hidden: Vec<bool> = lines.iter().map(|line| line["hidden"].as_bool().unwrap()).collect();
        assert_eq!(hidden, [false, true, false, false]);
    });
    with_lines(&directory, &first["conversation"], |caller, lines| {
        caller.call(&format!("PATCH {}", line(&lines[0])), json!({"hidden": true}));
        caller.call(&format!("PATCH {}", line(&lines[1])), json!({"hidden": false}));
    });
    // What was hidden and shown by hand stays so until the chat says something new.
    let whole = export(&directory);
    assert_eq!(import(&directory, &file(&chat))["changed"], 0);
    assert_eq!(export(&directory), whole);
    chat[2]["is_system"] = json!(true);
    assert_eq!(import(&directory, &file(&chat))["changed"], 1);
}

/// Whatever was done to it here: written out and read again, nothing changes.
#[test]
fn a_chat_that_was_written_out_brings_nothing() {
    let directory = Directory::new();
    let first = import(&directory, &file(&messages()));
    with_lines(&directory, &first["conversation"], |caller, lines| {
        caller.call(&format!("PATCH {}", line(&lines[0])), json!({"content": "晚上好！", "action": "挥手"}));
        caller.call(&format!("PATCH {}", line(&lines[3])), json!({"hidden": true}));
        caller.call(&format!("DELETE {}", line(&lines[1])), Value::Null);
        let conversation = format!("/v1/worlds/w/conversations/{}", first["conversation"].as_str().unwrap());
        let said = json!({"lines": [
            {"attribute": "user", "speaker": "Mei", "content": "no import brought this"},
            {"attribute": "assistant", "speaker": "小雪", "content": "好。", "witnesses": ["小雪"]},
            {"attribute": "system", "content": "The end."}]});
        caller.call(&format!("POST {conversation}/lines"), said);
        let last = caller.lines(&conversation).last().unwrap()["id"].clone();
        let beside = json!({"swipe_of": last, "lines": [{"attribute": "system", "content": "The end?"}]});
        caller.call(&format!("POST {conversation}/lines"), beside);
    });
    let whole = export(&directory);
    let written = run(reverie(&directory).args(["export", "w", "--chat", "chat", "--data", "."]));
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    let again = import(&directory, &written.stdout);
    assert_eq!((counts(&again), &again["changed"], &again["details"]), ([8, 0, 0], &json!(0), &json!(0)));
    assert_eq!(export(&directory), whole);
    // The file that it once came from brings nothing either: what was hidden here stays so.
    let original = import(&directory, &file(&messages()));
    assert_eq!((counts(&original), &original["changed"]), ([5, 0, 1], &json!(0)));
    assert_eq!(export(&directory), whole);
}

#[test]
fn a_broken_chat_makes_no_data_file() {
    let directory = Directory::new();
    directory.write("chat.jsonl", &format!("{HEADER}\n{{\"name\":\"Mei\",\"mes\":\"cut"));
    let ended = run(reverie(&directory).args(["import", "chat.jsonl", "--data", "data"]));
    assert_eq!(ended.code, Some(1));
    assert!(
        ended.stderr.contains("line 2 of the chat cannot be read: the text is cut off"),
        "{}",
        ended.stderr
    );
    assert!(!directory.path().join("data").exists());
}

/// The command and HTTP bring in the same world, and each knows what the other brought.
#[test]
fn both_doors_bring_in_the_same() {
    let chat = file(&messages());
    let by_command = Directory::new();
    import(&by_command, &chat);
    let by_http = Directory::new();
    let flags = ["--data", by_http.path().to_str().unwrap(), "--digest-worker", "off"];
    let server = serve(&flags, &[]);
    let mut caller = Caller::new(&server);
    let line = "POST /v1/worlds/w/chats?file=chat.jsonl";
    let sent = caller.try_send(line, &chat).unwrap();
    assert_eq!(sent.status, 201, "{}", sent.body);
    assert_eq!(sent.json()["degraded"][0]["message"], "line 5: send_date \"?\" is in no known form");
    // When it was made is told by the world alone.
    let told = |export: &str| export.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let world = |export: &str| {
        let mut world: Value = serde_json::from_str(export.lines().next().unwrap()).unwrap();
        world.as_object_mut().unwrap().remove("created_ms");
        world
    };
    let (there, here) = (export(&by_command), caller.send("GET /v1/worlds/w/export", &Value::Null).body);
    assert_eq!(world(&there), world(&here));
    assert_eq!(without_times(&told(&there)), without_times(&told(&here)));
    drop(server);
    assert_eq!(counts(&import(&by_http, &chat)), [5, 0, 0], "HTTP brought it already");
}

/// Lines without a date of their own have the moment at which they were recorded.
fn without_times(records: &[String]) -> Vec<Value> {
    let one = |record: &String| {
        let mut record: Value = serde_json::from_str(record).unwrap();
        if let Some(fields) = record.as_object_mut() {
            fields.retain(|name, _| !name.ends_with("_ms"));
        }
        record
    };
    records.iter().map(one).collect()
}
