//! Chats that come in over HTTP: once, again, after they went on, and what is no chat.

use serde_json::{Value, json};

use crate::host::{Host, encode};

const HEADER: &str = r#"{"user_name":"Mei","character_name":"小雪","chat_metadata":{"note":"雪"}}"#;
const MORNING: &str = r#"{"name":"小雪","is_user":false,"mes":"早上好！","swipes":["你来了。","早上好！"],"swipe_id":1,"send_date":"2024-01-02T09:00:00.000Z"}"#;
const ANSWER: &str =
    r#"{"name":"Mei","is_user":true,"mes":"おはよう。","send_date":"January 2, 2024 9:03am"}"#;
const HIDDEN: &str =
    r#"{"name":"小雪","is_user":false,"is_system":true,"mes":"a secret","send_date":1704186240000}"#;
const NOON: &str =
    r#"{"name":"小雪","is_user":false,"mes":"中午吃什么？","send_date":"2024-01-02T12:00:00.000Z"}"#;

fn file(lines: &[&str]) -> String {
    format!("{}\n", lines.join("\n"))
}

#[track_caller]
fn import(host: &Host, query: &str, lines: &[&str]) -> (u16, Value) {
    host.send("POST", &format!("/v1/worlds/w/chats?{query}"), &file(lines))
}

/// What a second import of a chat is called, what it says, and how many lines it has, brings, changes and leaves deleted.
#[test]
fn only_what_is_new_comes_in() {
    let host = Host::new();
    let name = format!("file={}", encode("chats/小雪/小雪 - 1.jsonl"));
    let (status, first) = import(&host, &name, &[HEADER, MORNING, ANSWER, HIDDEN]);
    assert_eq!(status, 201, "{first}");
    let counts = |answer: &Value| {
        ["lines", "new_lines", "changed", "details", "stay_deleted"]
            .map(|name| answer[name].as_u64().unwrap())
    };
    assert_eq!(counts(&first), [4, 4, 0, 0, 0], "{first}");
    assert_eq!(
        (&first["character"], &first["participants"]),
        (&json!("小雪"), &json!(["小雪", "Mei"])),
        "{first}"
    );
    assert_eq!(first["degraded"][0]["code"], "dates_without_zone", "{first}");
    let conversation = format!("/v1/worlds/w/conversations/{}", first["conversation"].as_str().unwrap());
    assert_eq!(host.get(&conversation)["name"], "小雪 - 1");
    let world = host.export("w", "");
    for (lines, status, expected) in [
        (&[HEADER, MORNING, ANSWER, HIDDEN][..], 200, [4, 0, 0, 0, 0]),
        (&[HEADER, MORNING, ANSWER, HIDDEN, NOON], 201, [5, 1, 0, 0, 0]),
        // An older copy tells nothing new.
        (&[HEADER, MORNING, ANSWER], 200, [3, 0, 0, 0, 0]),
    ] {
        let (found, answer) = import(&host, &name, lines);
        assert_eq!((found, counts(&answer)), (status, expected), "{answer}");
        assert_eq!(answer["conversation"], first["conversation"]);
        assert_eq!(host.export("w", "") == world, expected[1] == 0 && lines.len() == 4, "{answer}");
    }
    let path = host.get(&format!("{conversation}/lines"));
    let said: Vec<&str> =
        path["items"].as_array().unwrap().iter().map(|line| line["content"].as_str().unwrap()).collect();
    assert_eq!(said, ["早上好！", "おはよう。", "a secret", "中午吃什么？"]);
    // What is deleted stays so, and the rest leaves as it came.
    let second = path["items"][1]["id"].as_str().unwrap();
    host.done("DELETE", &format!("/v1/worlds/w/lines/{second}"), "");
    let (_, again) = import(&host, &name, &[HEADER, MORNING, ANSWER, HIDDEN, NOON]);
    assert_eq!(counts(&again), [5, 0, 0, 0, 1], "{again}");
    assert_eq!(again["degraded"][0]["code"], "lines_stay_deleted", "{again}");
    let chat = host.raw("GET", &format!("{conversation}/chat"), b"");
    let chat: Vec<Value> = String::from_utf8(chat.body)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(chat.len(), 4);
    assert_eq!(chat[0]["chat_metadata"]["note"], "雪");
    assert_eq!(chat[1], serde_json::from_str::<Value>(MORNING).unwrap());
}

#[test]
fn a_chat_goes_where_it_is_told_to_and_reads_dates_as_told() {
    let host = Host::with_world("{}");
    host.done(
        "POST",
        "/v1/worlds/w/conversations",
        r#"{"id":"c9","name":"雪夜","participants":["Mei","小雪"]}"#,
    );
    let (_, by_id) = import(&host, "file=x.jsonl&conversation=c9&timezone=Asia/Shanghai", &[HEADER, ANSWER]);
    assert_eq!((&by_id["conversation"], &by_id["new_lines"]), (&json!("c9"), &json!(1)), "{by_id}");
    let path = host.get("/v1/worlds/w/conversations/c9/lines");
    assert_eq!(path["items"][0]["time"], "2024-01-02T01:03:00.000Z");
    let (_, by_name) = import(&host, &format!("conversation={}", encode("雪夜")), &[HEADER, ANSWER, NOON]);
    assert_eq!((&by_name["conversation"], &by_name["new_lines"]), (&json!("c9"), &json!(1)), "{by_name}");
    // A world that is made for a chat keeps chats apart; one that is there stays as it is.
    assert_eq!(host.get("/v1/worlds/w")["settings"], json!({}));
    host.done("POST", "/v1/worlds/new/chats?file=a.jsonl", &file(&[HEADER, NOON]));
    assert_eq!(host.get("/v1/worlds/new")["settings"]["prompt"]["history"], "conversation");
}

/// Several at once bring what one brings.
#[test]
fn the_same_chat_at_once_comes_in_once() {
    let host = Host::with_world("{}");
    let lines: Vec<String> = (0..200)
        .map(|number| json!({"name": "小雪", "is_user": false, "mes": format!("第{number}句"), "send_date": "2024-01-02T09:00:00.000Z"}).to_string())
        .collect();
    let lines: Vec<&str> = [HEADER].into_iter().chain(lines.iter().map(String::as_str)).collect();
    let answers: Vec<(u16, Value)> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..4).map(|_| scope.spawn(|| import(&host, "file=a.jsonl", &lines))).collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let new: u64 = answers.iter().filter_map(|(_, answer)| answer["new_lines"].as_u64()).sum();
    assert_eq!(new, 200, "{answers:?}");
    assert!(answers.iter().all(|(status, _)| *status < 300), "{answers:?}");
    assert_eq!(host.get("/v1/worlds/w/stats")["lines"], 200);
}

/// What is sent, where to, and what the refusal says.
#[test]
fn what_is_no_chat_is_refused_and_leaves_nothing() {
    let host = Host::new();
    let card = r#"{"spec":"chara_card_v2","data":{"name":"钦灵","description":"x"}}"#;
    let book = r#"{"entries":{"0":{"uid":0,"key":["龙"],"content":"龙。"}}}"#;
    let png = b"\x89PNG\r\n\x1a\nrest".as_slice();
    let chat = file(&[HEADER, NOON]);
    let long =
        file(&[HEADER, &json!({"name": "小雪", "is_user": false, "mes": "长".repeat(1 << 16)}).to_string()]);
    for (query, body, says) in [
        ("file=a.jsonl", card.as_bytes(), "which is no chat"),
        ("file=a.jsonl", book.as_bytes(), "PUT /v1/books"),
        ("file=a.jsonl", png, "which is no chat"),
        ("file=a.jsonl", b"", "which is no chat"),
        ("file=a.jsonl", b"{\"type\":\"world\",\"version\":1}\n", "export"),
        ("file=a.jsonl", b"{\"name\":\"\xC4\xE3\",\"mes\":\"x\"}", "byte 10 is not UTF-8 (0xC4)"),
        ("", chat.as_bytes(), "?file=NAME.jsonl"),
        ("file=.jsonl", chat.as_bytes(), "?file=NAME.jsonl"),
        ("file=a.jsonl&timezone=Mars", chat.as_bytes(), "there is no time zone"),
        ("file=a.jsonl&colour=red", chat.as_bytes(), "unknown query parameter"),
        ("file=a.jsonl", long.as_bytes(), "limits.content_bytes"),
        ("file=a.jsonl", b"{\"user_name\":\"a\",\"character_name\":\"b\"}\n{\"name\":", "line 2"),
    ] {
        let response = host.raw("POST", &format!("/v1/worlds/w/chats?{query}"), body);
        let told = String::from_utf8_lossy(&response.body).into_owned();
        assert_eq!(response.status, 400, "{query}: {told}");
        assert!(told.contains(says), "{query}: {told}");
    }
    assert_eq!(host.get("/v1/worlds")["items"], json!([]));
}

/// What could not be understood is told, and does not keep the rest out.
#[test]
fn what_is_odd_is_told() {
    let host = Host::with_world("{}");
    let odd = r#"{"name":"小雪","is_user":false,"mes":"雪。","send_date":"?"}"#;
    let (status, answer) = import(&host, "file=a.jsonl", &[HEADER, odd]);
    assert_eq!((status, &answer["new_lines"]), (201, &json!(1)), "{answer}");
    let told = &answer["degraded"][0];
    assert_eq!(
        (&told["code"], &told["message"]),
        (&json!("file_odd"), &json!("line 2: send_date \"?\" is in no known form")),
        "{answer}"
    );
    let nothing_odd = import(&host, "file=b.jsonl", &[HEADER, NOON]).1;
    assert_eq!(nothing_odd["degraded"], json!([]), "{nothing_odd}");
}
