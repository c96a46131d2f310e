//! Whole files: what is read, what comes back, what is refused.

use super::*;
use crate::chat::{Voice, write};

const SOLO: &str = include_str!("solo.jsonl");
const GROUP: &str = include_str!("group.jsonl");

fn document(text: &str) -> ChatDocument {
    read(text.as_bytes(), &Limits::default()).expect("a chat")
}

fn warnings(document: &ChatDocument) -> Vec<String> {
    document.warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn a_file_comes_back_equal_in_value() {
    for text in [SOLO, GROUP] {
        let document = document(text);
        let values = |text: &str| -> Vec<Value> {
            text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
        };
        let written = write(&document);
        assert_eq!(values(&written), values(text));
        assert_eq!(read(written.as_bytes(), &Limits::default()).map(|again| write(&again)), Ok(written));
    }
}

#[test]
fn a_chat_of_two_is_understood() {
    let document = document(SOLO);
    assert_eq!(warnings(&document), ["line 7: send_date \"the day before\" is in no known form"]);
    let seen: Vec<(&str, bool, bool, usize, usize)> = document
        .messages
        .iter()
        .map(|m| (m.name.as_str(), m.is_user, m.hidden, m.wordings.len(), m.chosen))
        .collect();
    assert_eq!(
        seen,
        [
            ("小雪", false, false, 3, 1),
            ("Mei", true, false, 1, 0),
            ("小雪", false, true, 1, 0),
            ("Note", false, true, 1, 0),
            ("System", false, false, 1, 0),
            ("Mei", true, false, 1, 0),
        ]
    );
    let voices: Vec<Voice> = document.messages.iter().map(|message| message.voice).collect();
    assert_eq!(voices.iter().filter(|voice| **voice == Voice::Narrator).count(), 2);
    let times = |at: usize| -> Vec<Option<i64>> {
        document.messages[at].wordings.iter().map(|wording| wording.time.map(|time| time.ms)).collect()
    };
    assert_eq!(times(0), [Some(1_704_186_000_000), Some(1_704_186_060_000), Some(1_704_186_120_000)]);
    assert_eq!(times(5), [None]);
}

#[test]
fn a_group_needs_no_header() {
    let document = document(GROUP);
    assert_eq!((document.header.is_none(), document.messages.len()), (true, 4));
    let avatars: Vec<Option<&str>> =
        document.messages.iter().map(|message| message.avatar.as_deref()).collect();
    assert_eq!(avatars, [Some("mei 2.png"), Some("Yuki.png"), Some("猫.png"), None]);
}

#[test]
fn odd_bytes_are_tolerated_or_named() {
    let header = r#"{"user_name":"a","character_name":"b"}"#;
    let message = r#"{"name":"a","mes":"x"}"#;
    for (input, expected) in [
        (format!("\u{FEFF}{header}\r\n\r\n{message}\r\n"), Ok(1)),
        (format!("{header}\n{{\"name\":\"a\",\"mes\":\"\\ud83d\"}}"), Ok(1)),
        (format!("{header}\n{{\"name\":\"a\",\"mes\":\"line\u{2028}separator\"}}"), Ok(1)),
        (header.to_owned(), Ok(0)),
        (String::new(), Err("the file is empty")),
        (" \n\n".to_owned(), Err("the file is empty")),
        ("hello".to_owned(), Err("line 1 of the chat cannot be read")),
        ("[1]".to_owned(), Err("line 1 is not an object")),
        (r#"{"attribute":"user","content":"x"}"#.to_owned(), Err("the first line is neither")),
        (
            format!("{header}\n\n{message}\n{{\"name\":\"a\",\"me"),
            Err("line 4 of the chat cannot be read: the text is cut off"),
        ),
        (format!("{header}\n5"), Err("line 2 is not an object")),
        (
            format!("{header}\n{}1{}", "[".repeat(5000), "]".repeat(5000)),
            Err("line 2 of the chat cannot be read"),
        ),
    ] {
        match (read(input.as_bytes(), &Limits::default()), expected) {
            (Ok(document), Ok(count)) => assert_eq!(document.messages.len(), count, "{input}"),
            (Err(error), Err(part)) => {
                assert!(error.message().contains(part) && error.hint_text().is_some(), "{error}");
            }
            (found, _) => panic!("{input}: {found:?}"),
        }
    }
    let invalid = [header.as_bytes(), b"\n{\"name\":\"a\",\"mes\":\"\xFF\"}"].concat();
    let error = read(&invalid, &Limits::default()).expect_err("not UTF-8");
    assert!(error.message().contains("line 2 of the chat cannot be read: byte 20 is not UTF-8"), "{error}");
}

#[test]
fn limits_hold() {
    let many: String = std::iter::repeat_n("{\"name\":\"a\",\"mes\":\"x\"}\n", 50).collect();
    for (limits, expected) in [
        (Limits { entries: 49, ..Limits::default() }, "line 50: there are more than 49 messages"),
        (Limits { file_bytes: 100, ..Limits::default() }, "at most 100 are read"),
        (
            Limits { json_bytes: 20, ..Limits::default() },
            "line 1 of the chat cannot be read: it has 22 bytes; at most 20 are read",
        ),
        (
            Limits { json_values: 60, ..Limits::default() },
            "line 21 of the chat cannot be read: it holds more values",
        ),
    ] {
        let error = read(many.as_bytes(), &limits).expect_err(expected);
        assert!(error.message().contains(expected), "{error}");
    }
    let odd: String = std::iter::repeat_n("{\"name\":\"a\",\"mes\":5}\n", 500).collect();
    assert_eq!(document(&odd).warnings.len(), 101);
}

#[test]
fn chats_are_told_from_other_files() {
    for (text, expected) in [
        (SOLO, true),
        (GROUP, true),
        ("", false),
        ("{\"type\":\"world\"}", false),
        ("[{\"attribute\":\"user\"}]", false),
        ("{\"attribute\":\"user\",\"content\":\"x\"}", false),
        ("reverie-save/1", false),
    ] {
        assert_eq!(is_chat(text.as_bytes()), expected, "{text}");
    }
}
