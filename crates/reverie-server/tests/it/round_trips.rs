//! Files of SillyTavern come in and leave as they were, from the command line and over HTTP, whatever was done in between.

use std::fs;

use serde_json::{Value, json};

use crate::caller::Caller;
use crate::run::{Directory, reverie, run, serve};

/// Each as `name`, then one JSON object a line: solo and group, Chinese, Japanese and English.
fn chats() -> Vec<(&'static str, Vec<Value>)> {
    vec![
        (
            "小雪",
            vec![
                json!({"user_name": "Mei", "character_name": "小雪", "create_date": "2024-01-02@09h00m00s",
                    "chat_metadata": {"note_prompt": "语气温柔", "variables": {"好感": 0.1}, "timedWorldInfo": {}, "tainted": true}}),
                json!({"extra": {"api": "openai", "model": "m", "token_count": 12}, "name": "小雪", "is_user": false,
                    "is_system": false, "send_date": "2024-01-02T09:01:00.000Z", "mes": "早上好！", "gen_id": 1704186060000_i64,
                    "gen_started": "2024-01-02T09:00:58.000Z", "gen_finished": "2024-01-02T09:01:00.000Z", "swipe_id": 1,
                    "swipes": ["你来了。", "早上好！", ""], "swipe_info": [
                        {"send_date": "January 2, 2024 9:00am", "gen_started": null, "extra": {"reasoning": "先打招呼"}},
                        {"send_date": "2024-01-02T09:01:00.000Z", "extra": {"api": "openai"}},
                        {"extra": {}}], "title": "", "odd": [1.0, null, {"深": []}]}),
                json!({"name": "Mei", "is_user": true, "mes": "下雪了。", "send_date": "四月 27, 2023 8:00pm",
                    "force_avatar": "User Avatars/mei.png", "extra": {"isSmallSys": false, "bias": null}}),
                json!({"name": "小雪", "is_user": false, "title": "没有话的消息"}),
            ],
        ),
        (
            "ゆき",
            vec![
                json!({"chat_metadata": {}, "user_name": "unused", "character_name": "unused"}),
                json!({"name": "ユーザー", "is_user": true, "is_name": true, "send_date": "2024年1月2日 21:00", "mes": "こんばんは。",
                    "extra": {}, "force_avatar": "/thumbnail?type=persona&file=u.png"}),
                json!({"name": "ゆき", "is_user": false, "is_name": true, "send_date": 1704196800000_i64, "mes": "おかえり。",
                    "original_avatar": "ゆき.png", "force_avatar": "/thumbnail?type=avatar&file=%E3%82%86%E3%81%8D.png",
                    "swipes": ["おかえり。", "遅かったね。"], "swipe_id": 0, "swipe_info": [{"send_date": 1704196800000_i64}],
                    "is_group": true, "extra": {"display_text": "Welcome back."}}),
                json!({"name": "猫", "is_user": false, "is_system": true, "send_date": "?", "mes": "にゃ。",
                    "original_avatar": "猫.png", "is_group": true}),
            ],
        ),
        (
            "Ada",
            vec![
                json!({"name": "Ada", "is_user": false, "mes": "No header, no dates.", "extra": {"type": "narrator", "gen": 3}}),
                json!({"name": "", "is_user": true, "mes": "\u{7}bell", "swipes": ["\u{7}bell", 5], "swipe_id": 0}),
                json!({"mes": "the text counts", "swipes": ["another", "one more"], "swipe_id": 0, "name": "Ada"}),
            ],
        ),
    ]
}

fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn ask(directory: &Directory, arguments: &[&str]) -> String {
    let ended = run(reverie(directory).args(arguments).args(["--data", "d"]));
    assert_eq!(ended.code, Some(0), "{arguments:?}: {}{}", ended.stdout, ended.stderr);
    ended.stdout
}

fn import(directory: &Directory, world: &str, name: &str, chat: &str) -> Value {
    directory.write("in.jsonl", chat);
    let answer = ask(directory, &["import", "in.jsonl", "--world", world, "--conversation", name, "--json"]);
    serde_json::from_str(&answer).unwrap()
}

fn written(directory: &Directory, world: &str, name: &str) -> String {
    ask(directory, &["export", world, "--chat", name])
}

#[test]
fn chats_leave_as_they_came() {
    let directory = Directory::new();
    for (name, lines) in chats() {
        let chat = text(&lines);
        let new = import(&directory, "w", name, &chat);
        assert_eq!(new["new"], new["lines"], "{name}");
        assert_eq!(written(&directory, "w", name), chat, "{name}");
        let whole = ask(&directory, &["export", "w"]);
        let again = import(&directory, "w", name, &chat);
        assert_eq!((&again["new"], &again["changed"], &again["details"]), (&json!(0), &json!(0), &json!(0)));
        assert_eq!(ask(&directory, &["export", "w"]), whole, "{name}: the same file again changes nothing");
    }
    // A world that goes elsewhere takes it along, and so does a copy.
    fs::write(directory.path().join("w.jsonl"), ask(&directory, &["export", "w"])).unwrap();
    ask(&directory, &["import", "w.jsonl", "--world", "other"]);
    let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    caller.call("POST /v1/worlds/w/fork", json!({"id": "fork"}));
    for world in ["w", "other", "fork"] {
        let rooms = caller.get(&format!("/v1/worlds/{world}/conversations"));
        for ((name, lines), room) in chats().iter().zip(rooms["items"].as_array().unwrap()) {
            assert_eq!(room["name"], *name);
            let path = format!("GET /v1/worlds/{world}/conversations/{}/chat", room["id"].as_str().unwrap());
            let reply = caller.send(&path, &Value::Null);
            assert_eq!((reply.status, reply.body), (200, text(lines)), "{world} {name}");
        }
    }
}

#[test]
fn what_was_done_here_is_in_it_and_the_rest_stays() {
    let directory = Directory::new();
    let (name, mut lines) = chats().swap_remove(1);
    import(&directory, "w", name, &text(&lines));
    {
        let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
        let mut caller = Caller::new(&server);
        let room = "/v1/worlds/w/conversations/c1";
        let said = caller.lines(room);
        let line = |at: usize| format!("/v1/worlds/w/lines/{}", said[at]["id"].as_str().unwrap());
        caller.call(&format!("PATCH {}", line(1)), json!({"content": "おかえりなさい。"}));
        caller.call(&format!("PATCH {}", line(2)), json!({"hidden": false}));
        let beside = json!({"swipe_of": said[2]["id"], "lines": [
            {"attribute": "assistant", "speaker": "猫", "display_name": "猫", "content": "にゃあ。", "time": "2024-01-02T12:00:00Z"}]});
        caller.call(&format!("POST {room}/lines"), beside);
        let more = json!({"lines": [
            {"attribute": "user", "speaker": "ユーザー", "content": "ただいま。", "time": "2024-01-02T12:01:00Z"},
            {"attribute": "assistant", "speaker": "ゆき", "content": "はい。", "time": "2024-01-02T12:02:00Z"}]});
        caller.call(&format!("POST {room}/lines"), more);
    }
    lines[2]["mes"] = json!("おかえりなさい。");
    lines[2]["swipes"][0] = json!("おかえりなさい。");
    let noon = "2024-01-02T12:00:00.000Z";
    lines[3] = json!({"name": "猫", "is_user": false, "is_system": false, "send_date": noon, "mes": "にゃあ。",
        "original_avatar": "猫.png", "is_group": true, "swipes": ["にゃ。", "にゃあ。"],
        "swipe_info": [{"send_date": "?"}, {"send_date": noon, "extra": {}}], "swipe_id": 1, "extra": {}});
    lines.push(json!({"name": "ユーザー", "is_user": true, "is_system": false, "send_date": "2024-01-02T12:01:00.000Z",
        "mes": "ただいま。", "extra": {}, "force_avatar": "/thumbnail?type=persona&file=u.png"}));
    lines.push(
        json!({"name": "ゆき", "is_user": false, "is_system": false, "send_date": "2024-01-02T12:02:00.000Z",
        "mes": "はい。", "extra": {}, "original_avatar": "ゆき.png",
        "force_avatar": "/thumbnail?type=avatar&file=%E3%82%86%E3%81%8D.png"}),
    );
    let now = written(&directory, "w", name);
    let values: Vec<Value> = now.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(values, lines);
    let whole = ask(&directory, &["export", "w"]);
    let again = import(&directory, "w", name, &now);
    assert_eq!((&again["new"], &again["changed"], &again["details"]), (&json!(0), &json!(0), &json!(0)));
    assert_eq!(ask(&directory, &["export", "w"]), whole);
}

#[test]
fn details_follow_the_chat_but_no_older_copy_of_it() {
    let directory = Directory::new();
    let (name, before) = chats().swap_remove(0);
    import(&directory, "w", name, &text(&before));
    let mut later = before.clone();
    later[0]["chat_metadata"]["note_prompt"] = json!("语气冷淡");
    later[1]["extra"]["bookmark_link"] = json!("branch");
    let again = import(&directory, "w", name, &text(&later));
    assert_eq!((&again["new"], &again["details"]), (&json!(0), &json!(2)), "the header and a message");
    assert_eq!(written(&directory, "w", name), text(&later));
    later.push(json!({"name": "Mei", "is_user": true, "mes": "走吧。"}));
    import(&directory, "w", name, &text(&later));
    assert_eq!(written(&directory, "w", name), text(&later));
    let older = import(&directory, "w", name, &text(&before));
    assert_eq!((&older["new"], &older["details"]), (&json!(0), &json!(0)));
    assert_eq!(written(&directory, "w", name), text(&later));
}

/// As a version left it that kept nothing of the file.
#[test]
fn what_was_not_kept_before_comes_with_the_same_file() {
    let directory = Directory::new();
    let (name, lines) = chats().swap_remove(0);
    import(&directory, "w", name, &text(&lines));
    let whole = ask(&directory, &["export", "w"]);
    let (kept, mut rest): (Vec<&str>, Vec<&str>) =
        whole.lines().partition(|line| line.starts_with(r#"{"type":"keepsake""#));
    assert_eq!(kept.len(), 5, "of the conversation, three lines, and what it hides");
    rest.pop();
    let old = format!("{}\n{}\n", rest.join("\n"), json!({"type": "end", "records": rest.len()}));
    fs::write(directory.path().join("old.jsonl"), old.replacen(r#""version":3"#, r#""version":2"#, 1))
        .unwrap();
    ask(&directory, &["import", "old.jsonl", "--world", "old"]);
    assert_ne!(written(&directory, "old", name), text(&lines));
    {
        let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
        let said = json!({"lines": [{"attribute": "user", "speaker": "Mei", "content": "later"}]});
        Caller::new(&server).call("POST /v1/worlds/old/conversations/c1/lines", said);
    }
    let again = import(&directory, "old", name, &text(&lines));
    assert_eq!((&again["new"], &again["details"]), (&json!(0), &json!(4)));
    let now = written(&directory, "old", name);
    assert_eq!(
        now.lines().take(lines.len()).map(|line| format!("{line}\n")).collect::<String>(),
        text(&lines)
    );
}

#[test]
fn a_group_leaves_with_its_chat() {
    let directory = Directory::new();
    let put = |name: &str, text: &str| {
        let path = directory.path().join("st").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for (file, name) in [("ゆき", "ゆき"), ("猫", "猫"), ("Silent", "Silent One")] {
        let card = json!({"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": name, "description": name}});
        put(&format!("characters/{file}.json"), &card.to_string());
    }
    let group = "{\n    \"id\": \"1704196800000\",\n    \"name\": \"夜の部屋\",\n    \"members\": [\"ゆき.json\", \"猫.json\", \
                 \"Silent.json\"],\n    \"chat_id\": \"2024-1-2\",\n    \"chats\": [\"2024-1-2\"],\n    \"fav\": false,\n    \
                 \"past_metadata\": {\"x\": 1.50}\n}\n";
    put("groups/1704196800000.json", group);
    let (_, lines) = chats().swap_remove(1);
    let chat = text(&lines).replace("ゆき.png", "ゆき.json").replace("猫.png", "猫.json");
    put("group chats/2024-1-2.jsonl", &chat);
    ask(&directory, &["import", "st", "--world", "w"]);
    let whole = ask(&directory, &["export", "w"]);
    ask(&directory, &["import", "st", "--world", "w"]);
    assert_eq!(ask(&directory, &["export", "w"]), whole, "the same folder again changes nothing");
    assert_eq!(written(&directory, "w", "夜の部屋 - 2024-1-2"), chat);
    assert_eq!(ask(&directory, &["export", "--group", "夜の部屋"]), group);
    ask(&directory, &["export", "w", "--group", "1704196800000", "--output", "group.json"]);
    assert_eq!(fs::read_to_string(directory.path().join("group.json")).unwrap(), group);
    let lost = run(reverie(&directory).args(["export", "w", "--group", "nobody", "--data", "d"]));
    assert_eq!(lost.code, Some(1));
    assert!(lost.stderr.contains("1704196800000 (夜の部屋)"), "{}", lost.stderr);

    let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    let groups = caller.get("/v1/worlds/w/groups");
    assert_eq!(groups["groups"][0]["members"], json!(["ゆき.json", "猫.json", "Silent.json"]));
    let file = caller.send("GET /v1/worlds/w/groups/1704196800000", &Value::Null);
    assert_eq!((file.status, file.body.as_str()), (200, group));
    // Somebody who did not speak in the file, added here, is shown as a group shows its members.
    let said = json!({"lines": [{"attribute": "assistant", "speaker": "Silent One", "content": "…"}]});
    caller.call("POST /v1/worlds/w/conversations/c1/lines", said);
    let now = caller.send("GET /v1/worlds/w/conversations/c1/chat", &Value::Null).body;
    let last: Value = serde_json::from_str(now.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["name"], &last["original_avatar"], &last["force_avatar"]),
        (&json!("Silent One"), &json!("Silent.json"), &json!("/thumbnail?type=avatar&file=Silent.json"))
    );
    // Whoever is deleted is not named by what was kept of groups either.
    caller.call("DELETE /v1/worlds/w/characters/Silent%20One", Value::Null);
    assert_eq!(caller.get("/v1/worlds/w/groups")["groups"], json!([]));
}

#[test]
fn json_cards_leave_byte_for_byte() {
    let directory = Directory::new();
    let card = "\u{FEFF}{\r\n  \"spec\": \"chara_card_v2\", \"z\": 1.50,\r\n  \"data\": {\"name\": \"\\u96ea\", \"description\": \"\", \
                \"character_book\": {\"entries\": [{\"keys\": [\"茶\"], \"content\": \"c\", \"extensions\": {}, \"enabled\": true, \
                \"insertion_order\": 1}], \"extensions\": {}}}}\r\n\r\n";
    directory.write("雪.json", card);
    ask(&directory, &["import", "雪.json"]);
    assert_eq!(ask(&directory, &["export", "--card", "雪"]), card);
    for file in ["again.json", "again"] {
        ask(&directory, &["export", "--card", "雪", file]);
        assert_eq!(fs::read_to_string(directory.path().join(file)).unwrap(), card, "{file}");
    }
}
