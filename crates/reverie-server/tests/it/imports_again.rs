//! The same file or folder once more: it changes nothing, not even what was changed or taken away by hand since.

use std::fs;

use serde_json::{Value, json};

use crate::caller::Caller;
use crate::pictures::png;
use crate::run::{Directory, Ended, reverie, run, serve};

fn book(content: &str) -> Value {
    json!({"entries": {"0": {"uid": 0, "key": ["雪"], "content": content}, "1": {"uid": 1, "key": ["fire"], "content": "火"}}})
}

fn card(name: &str, content: &str) -> Value {
    json!({"spec": "chara_card_v2", "data": {"name": name, "description": format!("我是{name}。"), "tags": ["author's"],
        "character_book": {"entries": [{"id": 1, "keys": ["港"], "content": content, "extensions": {}, "enabled": true,
            "insertion_order": 1}]}}})
}

fn chat(book: &str) -> String {
    let lines = [
        json!({"user_name": "梅", "character_name": "Yuki", "chat_metadata": {"world_info": book}}),
        json!({"name": "梅", "is_user": true, "mes": "おはよう", "force_avatar": "User Avatars/mei.png"}),
    ];
    lines.map(|line| line.to_string()).join("\n")
}

/// A folder of SillyTavern: books for everybody, for a card, for a chat and for a persona; tags; settings.
fn folder(directory: &Directory) {
    directory.write("st/worlds/Eldoria.json", &book("冬").to_string());
    directory.write("st/worlds/Tea.json", &book("茶").to_string());
    directory.write("st/worlds/Idle.json", &book("nobody uses it").to_string());
    fs::create_dir_all(directory.path().join("st/characters")).unwrap();
    fs::write(directory.path().join("st/characters/Yuki.png"), png(&card("雪", "港口"))).unwrap();
    fs::write(directory.path().join("st/characters/Rei.png"), png(&card("Rei", "harbour"))).unwrap();
    directory.write("st/chats/Yuki/one.jsonl", &chat("Tea"));
    directory.write("st/settings.json", &settings(5).to_string());
}

fn settings(depth: u32) -> Value {
    json!({
        "tags": [{"id": "t-1", "name": "英雄"}, {"id": "t-2", "name": "villain"}],
        "tag_map": {"Yuki.png": ["t-1"], "Rei.png": ["t-2"]},
        "power_user": {"personas": {"mei.png": "梅"}, "persona_descriptions": {"mei.png": {"description": "学生", "lorebook": "Tea"}}},
        "world_info_settings": {"world_info_depth": depth, "world_info": {"globalSelect": ["Eldoria"],
            "charLore": [{"name": "Rei", "extraBooks": ["Tea"]}]}}})
}

fn import(directory: &Directory, arguments: &[&str]) -> Ended {
    let ended = run(reverie(directory).arg("import").args(arguments).args(["--data", "d", "--json"]));
    assert_eq!(ended.code, Some(0), "{}", ended.stdout);
    ended
}

/// All of the world, and every book and card of the library.
fn all(directory: &Directory) -> Vec<String> {
    let export =
        |what: &[&str]| run(reverie(directory).arg("export").args(what).args(["--data", "d"])).stdout;
    let mut all = vec![export(&["w"])];
    let mut others = ["Eldoria", "Tea", "Idle", "Yuki", "Rei"].map(|book| export(&["--book", book])).to_vec();
    all.append(&mut others);
    all
}

fn edit(directory: &Directory, calls: &[(&str, Value)]) {
    let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    for (line, body) in calls {
        let reply = caller.send(line, body);
        assert!(reply.status < 300, "{line}: {}", reply.body);
    }
}

fn see(directory: &Directory, path: &str) -> Value {
    let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
    Caller::new(&server).get(path)
}

#[test]
fn a_folder_leaves_alone_what_was_changed_since() {
    let directory = Directory::new();
    folder(&directory);
    import(&directory, &["st", "--world", "w"]);
    let first = all(&directory);
    import(&directory, &["st", "--world", "w"]);
    assert_eq!(all(&directory), first, "nothing was changed, nothing changes");
    edit(
        &directory,
        &[
            ("PATCH /v1/books/Eldoria/entries/0", json!({"content": "春"})),
            ("DELETE /v1/books/Eldoria/entries/1", Value::Null),
            ("PUT /v1/books/Idle/entries/7", json!({"key": ["new"], "content": "新"})),
            ("PATCH /v1/books/Yuki/entries/1", json!({"content": "海"})),
            ("PUT /v1/worlds/w/lore/Eldoria", json!({"rank": 9})),
            ("DELETE /v1/worlds/w/lore/Tea?character=Rei", Value::Null),
            ("DELETE /v1/worlds/w/lore/Tea?conversation=c1", Value::Null),
            (
                "PUT /v1/worlds/w/characters/Rei",
                json!({"persona": "by hand", "tags": ["mine"], "name": "零"}),
            ),
            ("PUT /v1/worlds/w", json!({"settings": {"lore.depth": "7"}})),
        ],
    );
    let edited = all(&directory);
    for _ in 0..2 {
        let ended = import(&directory, &["st", "--world", "w"]).json();
        assert_eq!(ended["removed_links"], 2, "{ended}");
        assert_eq!(all(&directory), edited);
    }
}

#[test]
fn a_folder_that_says_something_else_is_imported() {
    let directory = Directory::new();
    folder(&directory);
    import(&directory, &["st", "--world", "w"]);
    edit(
        &directory,
        &[
            ("PATCH /v1/books/Idle/entries/0", json!({"content": "by hand"})),
            ("PUT /v1/worlds/w", json!({"settings": {"lore.depth": "7"}})),
        ],
    );
    directory.write("st/worlds/Idle.json", &book("by its author").to_string());
    directory.write("st/settings.json", &settings(3).to_string());
    fs::write(directory.path().join("st/characters/Yuki.png"), png(&card("雪", "河"))).unwrap();
    let ended = import(&directory, &["st", "--world", "w"]).json();
    assert_eq!(ended["counts"]["books"], json!({"found": 5, "new": 0, "changed": 2}), "{ended}");
    assert_eq!(ended["counts"]["cards"], json!({"found": 2, "new": 0, "changed": 1}), "{ended}");
    assert_eq!(see(&directory, "/v1/books/Idle/entries/0")["fields"]["content"], "by its author");
    assert_eq!(see(&directory, "/v1/books/Yuki/entries/1")["fields"]["content"], "河");
    assert_eq!(see(&directory, "/v1/worlds/w")["settings"]["lore"]["depth"], 3);
}

#[test]
fn what_was_deleted_comes_back_and_that_is_told() {
    let directory = Directory::new();
    folder(&directory);
    import(&directory, &["st", "--world", "w"]);
    let calls = ["DELETE /v1/books/Idle", "DELETE /v1/cards/Rei"].map(|line| (line, Value::Null));
    edit(&directory, &calls);
    let ended = import(&directory, &["st", "--world", "w"]).json();
    assert_eq!((&ended["brought_back"], &ended["removed_links"]), (&json!(2), &json!(0)), "{ended}");
    edit(&directory, &[("DELETE /v1/books/Idle", Value::Null)]);
    let ended = import(&directory, &["st/worlds/Idle.json"]).json();
    assert_eq!(ended["change"], "brought back", "{ended}");
    assert_eq!(import(&directory, &["st/worlds/Idle.json"]).json()["change"], "unchanged");
}

/// With a character went its tags and its books, which nobody took away by themselves.
#[test]
fn a_character_that_was_deleted_comes_back_with_all_that_it_had() {
    let directory = Directory::new();
    folder(&directory);
    import(&directory, &["st", "--world", "w"]);
    let seen = |directory: &Directory| {
        let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
        let mut caller = Caller::new(&server);
        let rei = caller.get("/v1/worlds/w/characters/Rei");
        let mut books = caller.get("/v1/worlds/w/lore")["books"].as_array().unwrap().clone();
        books.iter_mut().for_each(|book| *book = json!([book["book"], book["rank"], book["character"]]));
        (rei["persona"].clone(), rei["tags"].clone(), books)
    };
    let first = seen(&directory);
    assert_eq!(first.1, json!(["villain"]));
    edit(&directory, &[("DELETE /v1/worlds/w/characters/Rei", Value::Null)]);
    let ended = import(&directory, &["st", "--world", "w"]).json();
    assert_eq!(ended["removed_links"], 0, "{ended}");
    assert_eq!(seen(&directory), first);
    // By its card alone, and what else the folder has for it afterwards.
    edit(&directory, &[("DELETE /v1/worlds/w/characters/Rei", Value::Null)]);
    import(&directory, &["st/characters/Rei.png", "--world", "w"]);
    let alone = seen(&directory);
    assert_eq!((&alone.0, &alone.1), (&first.0, &json!(["author's"])));
    assert!(alone.2.iter().any(|book| book[0] == "Rei" && book[2] == "Rei"), "{alone:?}");
    let ended = import(&directory, &["st", "--world", "w"]).json();
    assert_eq!(ended["removed_links"], 0, "{ended}");
    let again = seen(&directory);
    assert_eq!(again.1, first.1);
    assert!(again.2.iter().any(|book| book[0] == "Tea" && book[2] == "Rei"), "{again:?}");
}

/// A folder is called like a role, its memory names a character, and each record whom it belongs to.
#[test]
fn records_of_a_memory_reach_whom_they_name() {
    let record = |id: &str, role: Option<&str>| json!({"id": id, "content": format!("{id} saw the sea"), "keywords": ["sea"], "roleUuid": role});
    let memory = json!({"characterUuid": "char-1", "semantic": [], "traits": [], "goals": [],
        "episodic": [record("e1", Some("role-9")), record("e2", Some("char-1")), record("e3", None)]});
    for single in [false, true] {
        let directory = Directory::new();
        directory.write("m/role-9/memory.json", &memory.to_string());
        for _ in 0..2 {
            import(&directory, &[if single { "m/role-9/memory.json" } else { "m" }, "--world", "m"]);
        }
        let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
        let mut caller = Caller::new(&server);
        for (who, expected) in [("role-9", &["e1"][..]), ("char-1", &["e2", "e3"])] {
            let cue = json!({"character": who, "participants": [who], "message": {"content": "the sea"}});
            let preview = caller.call("POST /v1/worlds/m/lore/preview", cue);
            let why = preview["why"].as_array().unwrap().iter().filter(|why| why["active"] == true);
            let mut active: Vec<&str> = why.map(|why| why["entry"].as_str().unwrap()).collect();
            active.sort_unstable();
            assert_eq!(active, expected, "{who}, single: {single}: {preview}");
        }
    }
}

#[test]
fn a_single_file_leaves_alone_what_was_changed_since() {
    let directory = Directory::new();
    folder(&directory);
    directory.write(
        "memory.json",
        &json!({"characterUuid": "梅", "semantic": [{"id": "m", "content": "likes tea"}]}).to_string(),
    );
    let book = ["st/worlds/Eldoria.json", "--world", "w", "--rank", "4"];
    let card = ["st/characters/Yuki.png", "--world", "w"];
    let memory = ["memory.json", "--world", "w"];
    for file in [&book[..], &card, &memory] {
        assert_eq!(import(&directory, file).json()["change"], "new");
    }
    let memory_book = "memory-%E6%A2%85";
    edit(
        &directory,
        &[
            ("PATCH /v1/books/Eldoria/entries/0", json!({"content": "春"})),
            ("PATCH /v1/books/Yuki/entries/1", json!({"content": "海"})),
            (&format!("PATCH /v1/books/{memory_book}/entries/m"), json!({"content": "likes coffee"})),
            ("PUT /v1/worlds/w/characters/%E9%9B%AA", json!({"persona": null, "tags": null})),
            ("DELETE /v1/worlds/w/lore/Yuki?character=%E9%9B%AA", Value::Null),
        ],
    );
    let edited = all(&directory);
    for file in [&book[..], &card, &memory] {
        assert_eq!(import(&directory, file).json()["change"], "unchanged");
    }
    assert_eq!(all(&directory), edited);
    let content = see(&directory, &format!("/v1/books/{memory_book}/entries/m"));
    assert_eq!(content["fields"]["content"], "likes coffee");
    // Whoever says into which world a book goes, and where, means it.
    edit(&directory, &[("DELETE /v1/worlds/w/lore/Eldoria", Value::Null)]);
    assert_eq!(import(&directory, &["st/worlds/Eldoria.json", "--world", "w"]).json()["linked"], true);
    import(&directory, &["st/worlds/Eldoria.json", "--world", "w", "--rank", "6"]);
    assert_eq!(see(&directory, "/v1/worlds/w/lore")["books"][0]["rank"], 6);
}

/// Where a world goes, what was brought into it is known there.
#[test]
fn a_world_that_travelled_still_knows_what_was_brought() {
    let directory = Directory::new();
    folder(&directory);
    import(&directory, &["st", "--world", "w"]);
    edit(
        &directory,
        &[
            ("PATCH /v1/books/Tea/entries/0", json!({"content": "抹茶"})),
            ("DELETE /v1/worlds/w/lore/Eldoria", Value::Null),
        ],
    );
    let ended = run(reverie(&directory).args(["export", "w", "-o", "w.jsonl", "--data", "d"]));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    fs::remove_dir_all(directory.path().join("d")).unwrap();
    import(&directory, &["w.jsonl"]);
    // Cards do not travel, nor do books that the world does not use.
    let ended = import(&directory, &["st", "--world", "w"]).json();
    assert_eq!(ended["removed_links"], 1, "{ended}");
    assert_eq!(see(&directory, "/v1/books/Tea/entries/0")["fields"]["content"], "抹茶");
    let links = see(&directory, "/v1/worlds/w/lore");
    assert!(!links.to_string().contains("Eldoria"), "{links}");
}

/// Entries name tags by ids, hosts by ids or names, cards by names; who has no known tags passes.
#[test]
fn filters_by_tag_and_file_mean_in_a_world_what_they_meant_in_the_folder() {
    let directory = Directory::new();
    folder(&directory);
    let filtered = |exclude: bool, names: &[&str], tags: &[&str]| json!({"isExclude": exclude, "names": names, "tags": tags});
    let entry = |uid: u32, filter: Value| json!({"uid": uid, "key": ["snow"], "content": "x", "characterFilter": filter});
    let entries = [
        filtered(false, &[], &["t-1"]),
        filtered(true, &[], &["t-1"]),
        filtered(false, &["Yuki"], &[]),
        filtered(false, &[], &["villain"]),
    ];
    let entries = (0..).zip(entries).map(|(uid, filter)| (uid.to_string(), entry(uid, filter)));
    directory
        .write("st/worlds/Eldoria.json", &json!({"entries": Value::Object(entries.collect())}).to_string());
    fs::write(directory.path().join("st/characters/Mei.png"), png(&card("Mei", "x"))).unwrap();
    import(&directory, &["st", "--world", "w"]);
    let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    let tags = |caller: &mut Caller, who: &str| {
        caller.get(&format!("/v1/worlds/w/characters/{who}"))["tags"].clone()
    };
    assert_eq!(tags(&mut caller, "%E9%9B%AA"), json!(["英雄"]));
    assert_eq!((tags(&mut caller, "Rei"), tags(&mut caller, "Mei")), (json!(["villain"]), Value::Null));
    let active = |caller: &mut Caller, who: &str, given: Option<&[&str]>, with: &[&str]| {
        let cue = json!({"character": who, "participants": [who, "梅"], "with": with, "message": {"content": "snow!"},
            "lore": given.map_or_else(|| json!({}), |tags| json!({"tags": tags}))});
        let preview = caller.call("POST /v1/worlds/w/lore/preview", cue);
        let why = preview["why"].as_array().unwrap().iter().filter(|why| why["book"] == "Eldoria");
        let active =
            why.filter(|why| why["active"] == true).map(|why| why["entry"].as_str().unwrap().to_owned());
        let mut active: Vec<String> = active.collect();
        active.sort();
        active.join(" ")
    };
    for (who, given, with, expected) in [
        ("雪", None, &[][..], "0 2"),
        ("Rei", None, &[], "1 3"),
        ("Mei", None, &[], "0 1 3"),
        ("Mei", Some(&["英雄"][..]), &[], "0"),
        ("Mei", Some(&["t-2"]), &[], "1 3"),
        ("Mei", Some(&[]), &[], "1"),
        ("雪", Some(&["t-2", "t-1"]), &[], "0 2 3"),
        ("雪", None, &["Rei"], "0 1 2 3"),
    ] {
        assert_eq!(active(&mut caller, who, given, with), expected, "{who} {given:?} {with:?}");
    }
    // A card of the library gives its tags to whoever uses it, and they are settled by hand like anything else.
    caller.call("PUT /v1/worlds/w/characters/new/card", json!({"card": "Mei"}));
    assert_eq!(tags(&mut caller, "new"), json!(["author's"]));
    caller.call("PUT /v1/worlds/w/characters/new", json!({"tags": [" a   hero ", "英雄", "英雄"]}));
    assert_eq!(tags(&mut caller, "new"), json!(["a hero", "英雄"]));
    assert_eq!(active(&mut caller, "new", None, &[]), "0");
}

/// A chat that came by itself is known when it comes in its folder, and the other way round; another one of the same name is another one.
#[test]
fn a_chat_is_known_alone_and_in_its_folder() {
    let greeted = |words: &str| {
        let lines = [
            json!({"user_name": "梅", "character_name": "Yuki", "chat_metadata": {}}),
            json!({"name": "Yuki", "is_user": false, "mes": "いらっしゃい。"}),
            json!({"name": "梅", "is_user": true, "mes": words}),
            json!({"name": "Yuki", "is_user": false, "mes": "好的。"}),
        ];
        lines.map(|line| line.to_string()).join("\n")
    };
    let tea = greeted("来一壶茶。");
    let longer = format!("{tea}\n{}", json!({"name": "梅", "is_user": true, "mes": "谢谢。"}));
    for is_alone_first in [true, false] {
        let directory = Directory::new();
        folder(&directory);
        let alone = ["one.jsonl", "--world", "w"];
        let whole = ["st", "--world", "w"];
        let (first, second) =
            if is_alone_first { (&alone[..], &whole[..]) } else { (&whole[..], &alone[..]) };
        // It went on since, where it comes second.
        directory.write("one.jsonl", if is_alone_first { &tea } else { &longer });
        directory.write("st/chats/Yuki/one.jsonl", if is_alone_first { &longer } else { &tea });
        import(&directory, first);
        import(&directory, second);
        let conversations = |directory: &Directory| {
            let export = run(reverie(directory).args(["export", "w", "--data", "d"])).stdout;
            let lines = export.matches("来一壶茶。").count();
            (export.matches("谢谢。").count(), lines)
        };
        let (ends, said) = conversations(&directory);
        assert_eq!((ends, said), (1, 1), "alone first: {is_alone_first}");
        // The same name, and something else is said in it.
        directory.write("one.jsonl", &greeted("Where does the river go?"));
        import(&directory, &alone);
        assert_eq!(conversations(&directory), (1, 1));
        let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
        let mut caller = Caller::new(&server);
        let list = caller.get("/v1/worlds/w/conversations");
        assert_eq!(list["items"].as_array().unwrap().len(), if is_alone_first { 1 } else { 2 }, "{list}");
    }
}
