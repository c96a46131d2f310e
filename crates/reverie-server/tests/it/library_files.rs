//! Cards in pictures and archives, and books in other formats: in and out through the real binary.

use std::fs;

use serde_json::{Value, json};

use crate::caller::Caller;
use crate::pictures::{apng, archive, png};
use crate::run::{Directory, reverie, run, serve};

fn ask(directory: &Directory, arguments: &[&str]) -> (String, String) {
    let ended = run(reverie(directory).args(arguments).args(["--data", "d"]));
    assert_eq!(ended.code, Some(0), "{arguments:?}: {}{}", ended.stdout, ended.stderr);
    (ended.stdout, ended.stderr)
}

fn card(spec: &str, name: &str, key: &str) -> Value {
    json!({"spec": spec, "spec_version": "3.0", "zusatz": [1.5, null], "data": {"name": name, "description": "…", "extensions": {"mine": {"a": 1}},
        "character_book": {"extensions": {}, "entries": [{"keys": [key], "content": "旧", "extensions": {"other": 1}, "enabled": true,
            "insertion_order": 1, "use_regex": false, "id": 1}]}}})
}

/// A file, what it is called, and the card that is in it.
fn files() -> Vec<(&'static str, Vec<u8>, Value)> {
    let of = |name: &str| card("chara_card_v3", name, "茶");
    let picture = card("chara_card_v2", "雪", "茶");
    let packed = of("ゆき");
    let text = packed.to_string();
    let members: [(&str, &[u8]); 3] =
        [("assets/icon/main.png", b"\x89PNG"), ("card.json", text.as_bytes()), ("readme.txt", b"hello")];
    vec![
        ("plain.png", png(&picture), picture),
        ("moving.png", apng(&card("chara_card_v2", "Mira", "tea"), &of("Mira")), of("Mira")),
        ("packed.charx", archive(&members), packed),
    ]
}

/// Everything of a file but the texts that hold the card: pictures and other members stay as they were.
fn around(file: &[u8]) -> Vec<Vec<u8>> {
    let parts: &[&[u8]] = match file.starts_with(b"\x89PNG") {
        true => &[b"acTL", b"fcTL", b"IDAT", b"fdAT", b"IEND", b"Software"],
        false => &[b"assets/icon/main.png", b"readme.txt", b"hello"],
    };
    let found = parts.iter().filter(|part| file.windows(part.len()).any(|window| window == **part));
    found.map(|part| part.to_vec()).collect()
}

#[test]
fn cards_leave_as_they_came_and_with_what_was_edited() {
    for (file, bytes, value) in files() {
        let directory = Directory::new();
        let ending = file.rsplit_once('.').unwrap().1;
        fs::write(directory.path().join(file), &bytes).unwrap();
        ask(&directory, &["import", file]);
        let id = file.rsplit_once('.').unwrap().0;
        let again = format!("again.{ending}");
        ask(&directory, &["export", "--card", id, &again]);
        assert_eq!(fs::read(directory.path().join(&again)).unwrap(), bytes, "{file}: nothing was changed");
        ask(&directory, &["export", "--card", id, "plain.json"]);
        let plain = fs::read_to_string(directory.path().join("plain.json")).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&plain).unwrap(), value, "{file}");
        {
            let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
            let mut caller = Caller::new(&server);
            caller.call(&format!("PATCH /v1/books/{id}/entries/1"), json!({"content": "新", "sticky": 2}));
        }
        let mut edited = value.clone();
        let entry = &mut edited["data"]["character_book"]["entries"][0];
        entry["content"] = json!("新");
        entry["extensions"]["sticky"] = json!(2);
        let changed = format!("changed.{ending}");
        ask(&directory, &["export", "--card", id, &changed]);
        let written = fs::read(directory.path().join(&changed)).unwrap();
        assert_eq!(around(&written), around(&bytes), "{file}");
        // As the next reader sees it: every card in it says the same.
        let other = Directory::new();
        fs::write(other.path().join(&changed), &written).unwrap();
        ask(&other, &["import", &changed]);
        ask(&other, &["export", "--card", "changed", "plain.json"]);
        let plain = fs::read_to_string(other.path().join("plain.json")).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&plain).unwrap(), edited, "{file}");
        // Everybody fits into a picture; into an archive only who came in one.
        ask(&directory, &["export", "--card", id, "other.png"]);
        let elsewhere = Directory::new();
        let picture = fs::read(directory.path().join("other.png")).unwrap();
        fs::write(elsewhere.path().join("other.png"), picture).unwrap();
        ask(&elsewhere, &["import", "other.png"]);
        ask(&elsewhere, &["export", "--card", "other", "plain.json"]);
        let plain = fs::read_to_string(elsewhere.path().join("plain.json")).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&plain).unwrap(), edited, "{file} as a picture");
        let packed = run(reverie(&directory).args(["export", "--card", id, "other.charx", "--data", "d"]));
        assert_eq!(packed.code == Some(0), ending == "charx", "{file}: {}", packed.stderr);
    }
}

#[test]
fn a_book_in_another_format_comes_back_and_what_it_cannot_say_is_told() {
    let directory = Directory::new();
    let book = json!({"spec": "lorebook_v3", "own": true, "data": {"name": "独立", "extensions": {}, "entries": [
        {"keys": ["^月.*", "a/b"], "use_regex": true, "content": "月", "extensions": {}, "enabled": true, "insertion_order": 5, "id": 1},
        {"keys": ["/星/"], "use_regex": false, "content": "星", "extensions": {"x": 1}, "enabled": true, "insertion_order": 6, "id": 2},
    ]}});
    directory.write("sky.json", &book.to_string());
    ask(&directory, &["import", "sky.json"]);
    for (format, field, keys, told) in [
        ("sillytavern", "/entries/1/key", json!(["/^月.*/i", r"/a\/b/i"]), 0),
        ("novelai", "/entries/1/keys", json!([r"/\/星\//i"]), 0),
        ("agnai", "/entries/0/keywords", json!(["^月.*", "a/b"]), 1),
    ] {
        let file = format!("{format}.json");
        let (answer, _) = ask(&directory, &["export", "--book", "sky", &file, "--format", format, "--json"]);
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert_eq!(answer["warnings"].as_array().map(Vec::len), Some(told), "{format}: {answer}");
        let written: Value =
            serde_json::from_str(&fs::read_to_string(directory.path().join(&file)).unwrap()).unwrap();
        assert_eq!(written.pointer(field), Some(&keys), "{format}: {written}");
        let (plain, warnings) = ask(&directory, &["export", "--book", "sky", "--format", format]);
        assert_eq!(serde_json::from_str::<Value>(&plain).unwrap(), written, "{format}");
        assert_eq!(
            warnings.matches("warning: entry 1: key: is a pattern").count(),
            told,
            "{format}: {warnings}"
        );
        // Elsewhere and back.
        let other = Directory::new();
        other.write(&file, &plain);
        ask(&other, &["import", &file]);
        let (back, _) = ask(&other, &["export", "--book", format, "--format", "lorebook_v3"]);
        assert_eq!(serde_json::from_str::<Value>(&back).unwrap(), book, "{format}");
    }
}
