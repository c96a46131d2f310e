//! `reverie import` of cards in pictures, and of folders that are not as they should be.

use std::fs;

use serde_json::{Value, json};

use crate::caller::Caller;
use crate::pictures::{charx, png};
use crate::run::{Directory, Ended, reverie, run, serve};

fn card(name: &str, key: &str) -> Value {
    json!({"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": name, "description": format!("{{{{char}}}} is {name}."),
        "first_mes": "你来了。", "extensions": {"mine": 1.5}, "character_book": {"extensions": {}, "entries": [
            {"keys": [key], "content": format!("{name} knows {key}."), "extensions": {}, "enabled": true,
                "insertion_order": 1, "use_regex": false}]}}})
}

fn put(directory: &Directory, name: &str, bytes: &[u8]) {
    let path = directory.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn import(directory: &Directory, arguments: &[&str]) -> Ended {
    run(reverie(directory).arg("import").args(arguments).args(["--data", "d", "--json"]))
}

#[test]
fn cards_come_in_and_leave_as_they_were() {
    let directory = Directory::new();
    put(&directory, "yuki.png", &png(&card("雪", "港口")));
    put(&directory, "cat.bin", &charx(&card("Cat", "fish")));
    for (file, id) in [("yuki.png", "yuki"), ("cat.bin", "cat")] {
        let ended = import(&directory, &[file, "--world", "w"]);
        assert_eq!(ended.code, Some(0), "{}", ended.stdout);
        assert_eq!(ended.json()["change"], "new");
        assert_eq!(import(&directory, &[file, "--world", "w"]).json()["change"], "unchanged");
        let back = format!("back-{file}");
        let ended = run(reverie(&directory).args(["export", "--card", id, &back, "--data", "d"]));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let read = |name: &str| fs::read(directory.path().join(name)).unwrap();
        assert!(read(file) == read(&back), "{file} is what it was");
    }
    let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    let cue = |who: &str| {
        json!({"character": who, "participants": [who, "Mei"],
            "message": {"content": "港口 has fish.", "speaker": "Mei"}})
    };
    for (who, knows, does_not) in
        [("雪", "雪 knows 港口.", "Cat knows"), ("Cat", "Cat knows fish.", "雪 knows")]
    {
        let recall = caller.call("POST /v1/worlds/w/recall", cue(who)).to_string();
        assert!(recall.contains(knows) && !recall.contains(does_not), "{recall}");
    }
    // Percent-encoded: 雪.
    for (who, card) in [("%E9%9B%AA", "yuki"), ("Cat", "cat")] {
        assert_eq!(caller.get(&format!("/v1/worlds/w/characters/{who}"))["card"], card);
    }
    // An edited book leaves on its card.
    caller.call("PATCH /v1/books/yuki/entries/0", json!({"content": "The harbour burnt down."}));
    drop(server);
    let ended = run(reverie(&directory).args(["export", "--card", "yuki", "edited.png", "--data", "d"]));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let again = import(&directory, &["edited.png", "--id", "edited"]);
    assert_eq!(again.json()["entries"], 1);
    let book = run(reverie(&directory).args(["export", "--book", "edited", "--data", "d"]));
    assert_eq!(book.json()["entries"][0]["content"], "The harbour burnt down.");
}

#[test]
fn a_folder_is_understood_wherever_it_is_entered() {
    let directory = Directory::new();
    put(&directory, "st/data/default-user/characters/yuki.png", &png(&card("雪", "港口")));
    put(&directory, "st/data/default-user/characters/cat.charx", &charx(&card("Cat", "fish")));
    let chat = [
        json!({"user_name": "Mei", "character_name": "雪", "chat_metadata": {}}),
        json!({"name": "雪", "is_user": false, "mes": "早上好！"}),
        json!({"name": "Mei", "is_user": true, "mes": "港口！"}),
    ];
    let chat = chat.map(|line| line.to_string()).join("\n");
    put(&directory, "st/data/default-user/chats/yuki/one.jsonl", chat.as_bytes());
    for (path, new) in [("st/data/default-user", 2), ("st/data", 0), ("st", 0)] {
        let ended = import(&directory, &[path, "--world", "w"]);
        assert_eq!(ended.code, Some(0), "{}", ended.stdout);
        let counts = &ended.json()["counts"];
        assert_eq!((&counts["cards"]["new"], &counts["lines"]["new"]), (&json!(new), &json!(new)), "{path}");
    }
    let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    let recall = caller.recall("/v1/worlds/w", "雪", "c1");
    assert!(recall.contains("早上好！") && recall.contains("雪 knows 港口."), "{recall}");
    assert_eq!(recall.matches("雪 knows 港口.").count(), 1, "{recall}");
    let yuki = caller.get("/v1/worlds/w/characters/%E9%9B%AA");
    assert_eq!(yuki["role_id"], "yuki.png", "{yuki}");
}

/// A link to a folder above, one to nowhere, a pipe, and many files that are nothing.
#[cfg(unix)]
#[test]
fn a_strange_folder_ends() {
    let directory = Directory::new();
    let characters = directory.path().join("f/characters");
    put(&directory, "f/characters/yuki.png", &png(&card("雪", "港口")));
    for number in 0..5000 {
        fs::write(characters.join(format!("{number}.txt")), "").unwrap();
    }
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, directory.path().join(name)).unwrap();
    link("..", "f/characters/up");
    link("../f", "f/again");
    link("nowhere", "f/characters/lost.png");
    let _socket = std::os::unix::net::UnixListener::bind(characters.join("pipe.png")).unwrap();
    put(&directory, "f/worlds/large.json", format!("{{\"entries\":{}", "[".repeat(100_000)).as_bytes());
    let ended = import(&directory, &["f", "--world", "w"]);
    assert_eq!(ended.code, Some(1), "{}", ended.stdout);
    let answer = ended.json();
    assert_eq!(answer["counts"]["cards"], json!({"found": 1, "new": 1, "changed": 0}));
    let failed: Vec<&str> =
        answer["failed"].as_array().unwrap().iter().map(|one| one["file"].as_str().unwrap()).collect();
    assert_eq!(failed, ["characters/lost.png", "characters/pipe.png", "worlds/large.json"]);
    for one in answer["failed"].as_array().unwrap() {
        assert!(
            answer["error"]["message"].as_str().unwrap().contains(one["file"].as_str().unwrap()),
            "{answer}"
        );
    }
}

/// Links out of a folder and round in circles, a pipe, pictures of nobody: told one by one, and no obstacle.
#[cfg(unix)]
#[test]
fn loose_files_lie_among_others() {
    let directory = Directory::new();
    put(&directory, "f/yuki.png", &png(&card("雪", "港口")));
    put(&directory, "f/deep/er/yuki.charx", &charx(&card("雪", "fish")));
    put(&directory, "f/deep/yuki.png", &png(&card("Cat", "milk")));
    put(&directory, "outside/other.png", &png(&card("Other", "tea")));
    put(&directory, "f/flower.png", &[&png(&card("x", "x"))[..33], b"\0\0\0\0IEND\xAE\x42\x60\x82"].concat());
    put(&directory, "f/broken.png", &png(&card("x", "x"))[..80]);
    put(&directory, "f/film.bin", &[0_u8; 100_000]);
    put(&directory, "f/empty.json", b"");
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, directory.path().join(name)).unwrap();
    link("../outside/other.png", "f/link.png");
    link("../outside", "f/folder");
    link("..", "f/deep/up");
    link("nowhere", "f/lost");
    let _socket = std::os::unix::net::UnixListener::bind(directory.path().join("f/pipe")).unwrap();
    for change in ["new", "unchanged"] {
        let ended = import(&directory, &["f", "--world", "w"]);
        assert_eq!(ended.code, Some(1), "{}", ended.stdout);
        let answer = ended.json();
        let new = if change == "new" { 3 } else { 0 };
        assert_eq!(answer["counts"]["cards"], json!({"found": 3, "new": new, "changed": 0}), "{answer}");
        let files = |list: &str| -> Vec<String> {
            let all = answer[list].as_array().unwrap().iter();
            all.map(|one| one["file"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(files("failed"), ["broken.png"]);
        assert_eq!(
            files("skipped"),
            ["deep/up", "empty.json", "film.bin", "flower.png", "folder", "link.png", "lost", "pipe"]
        );
    }
    for (id, file) in
        [("yuki", "f/deep/er/yuki.charx"), ("yuki~雪", "f/yuki.png"), ("yuki~Cat", "f/deep/yuki.png")]
    {
        let back = format!("{id}.bin");
        let ended = run(reverie(&directory).args(["export", "--card", id, &back, "--data", "d"]));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let read = |name: &str| fs::read(directory.path().join(name)).unwrap();
        assert!(read(file) == read(&back), "{id} is {file}");
    }
    let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    let all = caller.get("/v1/worlds/w/characters");
    let ids: Vec<&str> =
        all["items"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["Cat", "character:雪", "雪"]);
}

/// Two cards of one name in a data folder, as a picture and as a text.
#[test]
fn files_of_one_name_are_two_cards() {
    let directory = Directory::new();
    put(&directory, "f/characters/yuki.json", card("雪", "fish").to_string().as_bytes());
    put(&directory, "f/characters/yuki.png", &png(&card("雪", "港口")));
    let counts = |new: u64, changed: u64| {
        let ended = import(&directory, &["f", "--world", "w"]);
        assert_eq!(ended.code, Some(0), "{}", ended.stdout);
        let answer = ended.json();
        assert_eq!(
            answer["counts"]["cards"],
            json!({"found": 2, "new": new, "changed": changed}),
            "{answer}"
        );
        assert_eq!(answer["counts"]["books"]["found"], 2);
    };
    counts(2, 0);
    counts(0, 0);
    put(&directory, "f/characters/yuki.png", &png(&card("雪", "milk")));
    counts(0, 1);
    put(&directory, "f/characters/yuki.json", card("雪", "tea").to_string().as_bytes());
    counts(0, 1);
    counts(0, 0);
    for (id, key) in [("yuki", "tea"), ("yuki~雪", "milk")] {
        let ended = run(reverie(&directory).args(["export", "--book", id, "--data", "d"]));
        assert_eq!(ended.json()["entries"][0]["keys"][0], key, "{id}");
    }
}

/// What Reverie writes into the prompts of a world that an import makes is in the language of what comes in.
#[test]
fn a_world_speaks_the_language_of_what_is_imported_into_it() {
    let directory = Directory::new();
    let chat = |name: &str, said: &str| {
        let header = json!({"user_name": "Mei", "character_name": name, "chat_metadata": {}});
        let line =
            json!({"name": name, "is_user": false, "mes": said, "send_date": "2024-01-02T09:00:00.000Z"});
        format!("{header}\n{line}\n").into_bytes()
    };
    let english = "You are late again, and the soup that I made for you is cold.";
    put(&directory, "english.jsonl", &chat("Cat", english));
    put(&directory, "short.jsonl", &chat("Cat", "You are late again."));
    put(&directory, "chinese.jsonl", &chat("小雪", "你来了。"));
    put(&directory, "named.jsonl", &chat("小雪", english));
    put(&directory, "folder/Cat.jsonl", &chat("Cat", english));
    put(&directory, "mixed/Cat.jsonl", &chat("Cat", english));
    put(&directory, "mixed/Dog.jsonl", &chat("Dog", "你来了，今天的汤很好喝。"));
    put(&directory, "card.json", card("Cat", "fish").to_string().replace("你来了。", english).as_bytes());
    put(
        &directory,
        "card-of-snow.json",
        card("雪", "fish").to_string().replace("你来了。", english).as_bytes(),
    );
    put(
        &directory,
        "table.json",
        json!([{"speaker": "Cat", "attribute": "assistant", "content": english}]).to_string().as_bytes(),
    );
    for (file, is_english) in [
        ("english.jsonl", true),
        ("short.jsonl", false),
        ("chinese.jsonl", false),
        ("named.jsonl", false),
        ("folder", true),
        ("mixed", false),
        ("card.json", true),
        ("card-of-snow.json", false),
        ("table.json", true),
    ] {
        let world = format!("w-{}", file.replace('.', "-"));
        let ended = import(&directory, &[file, "--world", &world]);
        assert_eq!(ended.code, Some(0), "{}", ended.stdout);
        let ended = run(reverie(&directory).args(["export", &world, "--data", "d"]));
        assert_eq!(ended.stdout.contains(r#""language""#), is_english, "{file}: {}", ended.stdout);
    }
}
