//! Keys on their way from one format to another: how they are written there, and what is told where they cannot mean the same.

use serde_json::{Value, json};

use super::*;
use crate::Limits;

/// An entry of a format, where it goes, the keys as they stand there, and what is told.
#[test]
fn keys_are_written_as_the_tools_of_a_format_read_them() {
    use Format::*;
    let v3 =
        |keys: Value, use_regex: bool| json!({"keys": keys, "use_regex": use_regex, "content": "c", "id": 1});
    let st = |keys: Value| json!({"uid": 1, "key": keys, "content": "c"});
    let risu =
        |key: &str, use_regex: bool| json!({"id": "1", "key": key, "useRegex": use_regex, "content": "c"});
    let tools = |format: &str| {
        format!("is plain text between slashes, which the tools of the format {format} read as a pattern")
    };
    for (from, source, to, field, expected, told) in [
        // All keys are patterns.
        (CardV3, v3(json!(["^har.*$", "a/b", "/x/s"]), true), SillyTavern, "key", json!(["/^har.*$/i", r"/a\/b/i", "/x/s"]), None),
        (LorebookV3, v3(json!(["月|星"]), true), NovelAi, "keys", json!(["/月|星/i"]), None),
        (CardV3, v3(json!(["月|星"]), true), CardV2, "keys", json!(["/月|星/i"]), None),
        (CardV3, v3(json!(["ab", "["]), true), SillyTavern, "key", json!(["/ab/i", "["]), None),
        (CardV3, v3(json!(["^月"]), true), LorebookV3, "keys", json!(["^月"]), None),
        (CardV3, v3(json!(["^月"]), true), Risu, "key", json!("^月"), None),
        (Risu, risu("^竜,王", true), SillyTavern, "key", json!(["/^竜,王/i"]), None),
        (CardV3, v3(json!(["^月", "^星"]), true), Risu, "key", json!("^月, ^星"), Some("is one of several, of which some are patterns; the tools of the format risu read one pattern or plain texts".to_owned())),
        (CardV3, v3(json!(["^月"]), true), Agnai, "keywords", json!(["^月"]), Some("is a pattern, which the format agnai does not know; its tools read it as plain text".to_owned())),
        // None is, though it looks like one.
        (CardV3, v3(json!(["/月/", "星"]), false), SillyTavern, "key", json!([r"/\/月\//i", "星"]), None),
        (LorebookV3, v3(json!(["/a.b/"]), false), NovelAi, "keys", json!([r"/\/a\.b\//i"]), None),
        (Risu, risu("/dragon/", false), SillyTavern, "key", json!([r"/\/dragon\//i"]), None),
        (Risu, risu("/dragon/", false), CardV3, "keys", json!(["/dragon/"]), None),
        (CardV3, v3(json!(["/{{char}}/"]), false), SillyTavern, "key", json!(["/{{char}}/"]), Some(tools("sillytavern"))),
        (CardV3, json!({"keys": ["/月/"], "use_regex": false, "content": "@@exclude_keys /a/\nc", "id": 1}), NovelAi, "keys", json!(["/月/"]), Some(tools("novelai"))),
        (CardV3, v3(json!(["/月/"]), false), Agnai, "keywords", json!(["/月/"]), None),
        // Slashes decide.
        (SillyTavern, st(json!(["/月/i"])), NovelAi, "keys", json!(["/月/i"]), None),
        (NovelAi, json!({"id": "1", "keys": ["/月/i", "星"], "text": "c"}), SillyTavern, "key", json!(["/月/i", "星"]), None),
        (SillyTavern, st(json!(["/月/i", "星"])), CardV3, "keys", json!(["/月/i", "星"]), None),
        (SillyTavern, st(json!(["/月/i", "c++"])), CardV3, "keys", json!(["/月/i", "c++"]), Some("\"c++\" is plain text beside patterns; the tools of the format character_book_v3 read it as a pattern, too".to_owned())),
        (SillyTavern, st(json!(["/月/i"])), Risu, "key", json!("/月/i"), None),
        (SillyTavern, st(json!(["/月/i", "星"])), Risu, "key", json!("/月/i, 星"), Some("is one of several, of which some are patterns; the tools of the format risu read one pattern or plain texts".to_owned())),
        (SillyTavern, st(json!(["/月/i"])), Agnai, "keywords", json!(["/月/i"]), Some("is a pattern, which the format agnai does not know; its tools read it as plain text".to_owned())),
        (SillyTavern, st(json!(["月"])), Agnai, "keywords", json!(["月"]), None),
    ] {
        let mut book = new_book(from, "b");
        book.entries.push(BookEntry { id: "1".to_owned(), slot: None, source: source.clone() });
        let other = book.to(to);
        assert_eq!(other.entries[0].source[field], expected, "{from:?} to {to:?}: {source}");
        let warnings: Vec<String> = other.warnings.iter().map(ToString::to_string).collect();
        let told: Vec<String> = told.iter().map(|told| format!("entry 1: key: {told}")).collect();
        assert_eq!(warnings, told, "{from:?} to {to:?}: {source}");
        let back = from_value(write(&other), to, &Limits::default()).unwrap().to(from);
        assert_eq!(back.entries[0].source, source, "{from:?} by way of {to:?}");
    }
}

/// A single pattern of another tool is one for RisuAI's, and here still what it was.
#[test]
fn a_pattern_for_risu_says_so() {
    let mut book = new_book(Format::SillyTavern, "b");
    let source = json!({"uid": 1, "key": ["/a,b/i"], "content": "c"});
    book.entries.push(BookEntry { id: "1".to_owned(), slot: None, source });
    let other = book.to(Format::Risu);
    let there = &other.entries[0].source;
    assert_eq!((&there["key"], &there["useRegex"]), (&json!("/a,b/i"), &json!(true)));
    let (read, warnings) = entry(there, Format::Risu);
    assert_eq!((read.keys, read.use_regex, warnings), (vec!["/a,b/i".to_owned()], None, vec![]));
}

/// What is done to a book elsewhere counts, and what was kept for the way back does not come in its way.
#[test]
fn an_edit_of_keys_or_of_a_category_made_elsewhere_comes_back() {
    let value = json!({"lorebookVersion": 5, "categories": [{"id": "d", "name": "旧事", "enabled": false}], "entries": [
        {"id": "60", "text": "旧", "keys": ["k"], "enabled": true, "category": "d"},
        {"id": "61", "text": "更旧", "keys": ["k"], "enabled": false, "category": "d"},
        {"id": "62", "text": "新", "keys": ["k"], "enabled": true, "category": ""},
    ]});
    let book = from_value(value.clone(), Format::NovelAi, &Limits::default()).unwrap();
    let off = |book: &BookDocument| -> Vec<(bool, Option<String>)> {
        let (core, _) = book.to_core("b", 0);
        core.entries.iter().map(|entry| (entry.disabled, entry.disabled_with.clone())).collect()
    };
    let old = Some("旧事".to_owned());
    assert_eq!(off(&book), [(false, old.clone()), (true, old), (false, None)]);

    let mut tavern = book.to(Format::SillyTavern);
    let disabled: Vec<&Value> = tavern.entries.iter().map(|entry| &entry.source["disable"]).collect();
    assert_eq!(disabled, [true, true, false]);
    assert!(tavern.warnings.is_empty(), "{:?}", tavern.warnings);
    assert_eq!(write(&tavern.to(Format::NovelAi)), value);

    // Enabled there: the entry says so itself, and its category still keeps it back, which is told.
    let edit = json!({"disable": false});
    tavern.entries[0].source =
        patch_entry(&tavern.entries[0].source, Format::SillyTavern, edit.as_object().unwrap()).unwrap();
    let back = tavern.to(Format::NovelAi);
    assert_eq!(back.entries[0].source["enabled"], true);
    let told: Vec<String> = back.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["entry 60: disable: cannot be said in the same way in the format novelai"]);

    // The category enabled again: every entry is what it was by itself.
    let mut enabled = book.clone();
    enabled.rest["categories"][0]["enabled"] = json!(true);
    assert_eq!(off(&enabled), [(false, None), (true, None), (false, None)]);
    let tavern = enabled.to(Format::SillyTavern);
    let disabled: Vec<&Value> = tavern.entries.iter().map(|entry| &entry.source["disable"]).collect();
    assert_eq!(disabled, [false, true, false]);
}

/// Whether keys are patterns was said of those that were there; new ones are what they look like where they were written.
#[test]
fn keys_that_were_edited_elsewhere_mean_at_home_what_they_mean_there() {
    let v3 =
        |keys: Value, use_regex: bool| json!({"keys": keys, "use_regex": use_regex, "content": "c", "id": 1});
    let risu =
        |key: &str, use_regex: bool| json!({"id": "1", "key": key, "useRegex": use_regex, "content": "c"});
    let is_pattern =
        |entry: reverie_core::lore::Entry| match (entry.use_regex, entry.keys.first().map(String::as_str)) {
            (Some(all), _) => all,
            (None, key) => key.is_some_and(|key| key.starts_with('/')),
        };
    for (from, source) in [
        (Format::LorebookV3, v3(json!(["/月/"]), false)),
        (Format::CardV3, v3(json!(["^月"]), true)),
        (Format::Risu, risu("/月/", false)),
        (Format::Risu, risu("^月", true)),
    ] {
        for key in ["/zed/", "zed", "月|星"] {
            let mut book = new_book(from, "b");
            book.entries.push(BookEntry { id: "1".to_owned(), slot: None, source: source.clone() });
            let mut tavern = book.to(Format::SillyTavern);
            let edit = json!({"key": [key]});
            let edited =
                patch_entry(&tavern.entries[0].source, Format::SillyTavern, edit.as_object().unwrap());
            tavern.entries[0].source = edited.unwrap();
            let there = entry(&tavern.entries[0].source, Format::SillyTavern).0;
            let back = &tavern.to(from).entries[0].source;
            let here = entry(back, from).0;
            assert_eq!(here.keys, [key], "{from:?}: {back}");
            assert_eq!(is_pattern(here), is_pattern(there), "{from:?}: {key}: {back}");
        }
    }
}
