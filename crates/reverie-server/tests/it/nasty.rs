//! Files that are not what they seem, through every door: one by one, in a folder, over HTTP. A refusal names the true fault
//! and what to do, and leaves nothing behind.

use std::fs;

use serde_json::{Value, json};

use crate::client::Connection;
use crate::pictures::{charx, png};
use crate::run::{Directory, reverie, run, serve};

const BOOK: &str = r#"{"entries":{"0":{"uid":0,"key":["港口"],"content":"雾"}}}"#;

/// What becomes of a file: it comes in, with these words among the warnings; or it is refused with these words, and this advice.
enum Fate {
    In(&'static str),
    Refused(&'static str, &'static str),
}
use Fate::{In, Refused};

/// A line longer than any may be, behind a message with several wordings and a line that says nothing.
fn long_chat(line: &str) -> Vec<u8> {
    let before = "{\"user_name\":\"a\",\"character_name\":\"b\"}\n{\"name\":\"b\",\"mes\":\"早\",\"swipes\":[\"早\",\"晚\",\"午\"],\"swipe_id\":0}\n\n";
    format!("{before}{}\n", line.replace("LONG", &"长".repeat(30_000))).into_bytes()
}

fn files() -> Vec<(&'static str, Vec<u8>, Fate)> {
    let card =
        json!({"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Mira", "extensions": {}}});
    let wide = |mark: &[u8], unit: fn(u16) -> [u8; 2]| {
        [mark, &BOOK.encode_utf16().flat_map(unit).collect::<Vec<u8>>()].concat()
    };
    let picture = png(&card);
    let archive = charx(&card);
    let changed = |file: &[u8], at: &[u8], further: isize, change: fn(&mut u8)| {
        let mut file = file.to_vec();
        let place = file.windows(at.len()).rposition(|window| window == at).unwrap();
        change(&mut file[place.checked_add_signed(further).unwrap()]);
        file
    };
    let replaced = |from: &str, to: &str| BOOK.replace(from, to).into_bytes();
    let utf8 = "save the file as UTF-8";
    let twice = "remove or rename one";
    let whole = "is it whole?";
    vec![
        ("plain.json", BOOK.into(), In("")),
        ("mark.json", [b"\xEF\xBB\xBF", BOOK.as_bytes()].concat(), In("")),
        ("wide.json", wide(b"\xFF\xFE", u16::to_le_bytes), In("")),
        ("wide-big.json", wide(b"\xFE\xFF", u16::to_be_bytes), In("")),
        ("wide-unmarked.json", wide(b"", u16::to_le_bytes), Refused("byte 1 is not UTF-8 (this looks like UTF-16)", utf8)),
        ("wide-odd.json", [wide(b"\xFF\xFE", u16::to_le_bytes), vec![0]].concat(), Refused("ends in the middle of a character", whole)),
        ("gbk.json", b"{\"entries\":{\"0\":{\"content\":\"\xCE\xED\"}}}".to_vec(), Refused("byte 29 is not UTF-8 (0xCE)", utf8)),
        ("lines.json", b"{\n\"entries\":\n{\"0\":{\"content\":\"\xFF\"}}\n}".to_vec(), Refused("byte 31 is not UTF-8 (0xFF)", utf8)),
        ("nul.json", replaced("雾", "雾\0"), In("1 characters that JSON cannot hold")),
        ("lone.json", replaced("雾", "\\ud83d"), In("1 characters that JSON cannot hold")),
        ("empty.json", Vec::new(), Refused("an empty file", "what can be imported")),
        ("blank.json", b"\xEF\xBB\xBF \n".to_vec(), Refused("an empty file", "what can be imported")),
        ("cut.json", BOOK.as_bytes()[..35].to_vec(), Refused("byte 34 is not UTF-8 (the text ends in the middle", whole)),
        ("cut-early.json", BOOK.as_bytes()[..20].to_vec(), Refused("cut off at line 1 column 20", whole)),
        ("twins.json", br#"{"entries":{"0":{"content":"a"},"0":{"content":"b"}}}"#.to_vec(), Refused(r#"the name "0" is given twice in entries,"#, twice)),
        ("twice.json", br#"{"entries":{"0":{"key":["a"],"key":["b"]}}}"#.to_vec(), Refused(r#"the name "key" is given twice in entries.0,"#, twice)),
        ("same-uid.json", br#"{"entries":{"0":{"uid":1,"content":"a"},"1":{"uid":1,"content":"b"}}}"#.to_vec(), In("this one goes by 1-2")),
        ("large.json", replaced("[\"港口\"]", "[],\"order\":1e400"), Refused("the number at line 1 column", "1.8e308")),
        ("long.json", replaced("[\"港口\"]", "[],\"note\":123456789012345678901234"), In("1 whole numbers of more than 64 bits are rounded")),
        ("nan.json", replaced("[\"港口\"]", "[],\"order\":NaN"), Refused("expected value at line 1 column", "no NaN")),
        ("deep.json", replaced("[\"港口\"]", &("[".repeat(9000) + &"]".repeat(9000))), Refused("nested too deep", "127 levels")),
        ("two.json", BOOK.repeat(2).into_bytes(), Refused("trailing characters", "something stands behind it")),
        ("quotes.json", b"{'entries':{}}".to_vec(), Refused("key must be a string", "double quotes")),
        ("picture.png", picture.clone(), In("")),
        ("picture-cut.png", picture[..70].to_vec(), Refused("claims", "is the file whole?")),
        ("picture-empty.png", Vec::new(), Refused("an empty file", "what can be imported")),
        ("picture-sum.png", changed(&picture, b"IDAT", -5, |byte| *byte ^= 1), In("checksum of the chunk chara is wrong")),
        ("picture-wrong.png", changed(&picture, b"chara", 6, |byte| *byte = b'$'), Refused("not base64", "is the file whole?")),
        ("picture-text.png", picture.iter().copied().filter(|byte| *byte != b'\r').collect(), Refused("whose beginning is damaged", "get the file again")),
        ("archive.charx", archive.clone(), In("")),
        ("archive-cut.charx", archive[..40].to_vec(), Refused("it has no directory", "is the file whole?")),
        ("archive-64.charx", (16..20).fold(archive.clone(), |file, at| changed(&file, b"PK\x05\x06", at, |byte| *byte = 0xFF)), Refused("zip64", "plain zip archive")),
        ("archive-sum.charx", changed(&archive, b"PK\x01\x02", 16, |byte| *byte ^= 1), In("checksum of card.json is wrong")),
        ("archive-locked.charx", changed(&archive, b"PK\x01\x02", 8, |byte| *byte |= 1), Refused("encrypted", "without a password")),
        ("chat.jsonl", b"{\"user_name\":\"a\",\"character_name\":\"b\"}\n{\"name\":\"a\",\"mes\":\"\xFF\"}\n".to_vec(), Refused("line 2 of the chat cannot be read: byte 20 is not UTF-8", utf8)),
        ("chat-twice.jsonl", b"{\"user_name\":\"a\",\"character_name\":\"b\"}\n{\"name\":\"a\",\"mes\":\"x\",\"mes\":\"y\"}\n".to_vec(), Refused(r#"line 2 of the chat cannot be read: the name "mes" is given twice"#, twice)),
        ("chat-long.jsonl", long_chat(r#"{"name":"a","mes":"LONG"}"#), Refused("line 4 of the chat: 90000 bytes in content are too many", "limits.content_bytes")),
        ("chat-long-swipe.jsonl", long_chat(r#"{"name":"b","mes":"x","swipes":["","x","LONG"],"swipe_id":1}"#), Refused("line 4 of the chat, swipe 2: 90000 bytes", "limits.content_bytes")),
        ("table.json", b"[{\"attribute\":\"user\",\"content\":\"\xC4\xE3\"}]".to_vec(), Refused("byte 33 is not UTF-8 (0xC4)", utf8)),
        ("table-twice.jsonl", b"{\"attribute\":\"user\",\"content\":\"a\"}\n{\"attribute\":\"user\",\"content\":\"a\",\"content\":\"b\"}".to_vec(), Refused(r#"line 2: the name "content" is given twice"#, twice)),
        ("memory-twice.json", br#"{"characterUuid":"u","episodic":[{"content":"x"}],"episodic":[]}"#.to_vec(), Refused(r#""episodic" is given twice"#, twice)),
        ("memory-text.json", br#"{"characterUuid":"u","episodic":"x","semantic":null,"traits":[{"value":"shy"}]}"#.to_vec(), In("episodic: \"x\" is not a list; it is left aside")),
    ]
}

#[test]
fn alone_each_says_what_is_wrong_with_it_and_leaves_nothing() {
    let directory = Directory::new();
    for (name, bytes, fate) in files() {
        fs::write(directory.path().join(name), bytes).unwrap();
        let data = format!("data-{name}");
        let ended = run(reverie(&directory).args(["import", name, "--data", &data]));
        match fate {
            In(warning) => {
                assert_eq!(ended.code, Some(0), "{name}: {}", ended.stderr);
                assert!(ended.stderr.contains(warning), "{name}: {}", ended.stderr);
                assert_eq!(warning.is_empty(), ended.stderr.is_empty(), "{name}: {}", ended.stderr);
            }
            Refused(why, advice) => {
                assert_eq!(ended.code, Some(1), "{name}: {}{}", ended.stdout, ended.stderr);
                assert!(ended.stderr.contains(why), "{name}: {}", ended.stderr);
                assert!(ended.stderr.contains(advice), "{name}: {}", ended.stderr);
                assert!(!directory.path().join(data).exists(), "{name} made a data file");
            }
        }
    }
}

#[test]
fn in_a_folder_the_others_come_in_and_each_is_named() {
    let directory = Directory::new();
    fs::create_dir(directory.path().join("all")).unwrap();
    // A folder may be called like a file.
    fs::create_dir(directory.path().join("all/folder.json")).unwrap();
    for (name, bytes, _) in files() {
        fs::write(directory.path().join("all").join(name), bytes).unwrap();
    }
    let ended = run(reverie(&directory).args(["import", "all", "--data", "d", "--json"]));
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    let told = report.to_string();
    for (name, _, fate) in files() {
        match fate {
            In(_) => assert!(!has_failed(&report, name), "{name}: {told}"),
            Refused(why, _) if why != "an empty file" => assert!(has_failed(&report, name), "{name}: {told}"),
            Refused(..) => assert!(told.contains(name), "{name}: {told}"),
        }
    }
    let is_book = |name: &str| name.ends_with("json") && !name.starts_with("memory");
    let books = files().iter().filter(|(name, _, fate)| matches!(fate, In(_)) && is_book(name)).count();
    assert_eq!(report["counts"]["books"]["found"].as_u64(), Some(books as u64), "{told}");
}

fn has_failed(report: &Value, name: &str) -> bool {
    report["failed"].as_array().unwrap().iter().any(|failed| failed["file"] == name)
}

#[test]
fn over_http_the_same_files_are_refused_for_the_same_reason() {
    let directory = Directory::new();
    let server = serve(&["--data", directory.path().join("d").to_str().unwrap()], &[]);
    let mut connection = Connection::open(server.address);
    let mut ask = |method: &str, path: &str, body: &[u8]| {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\ncontent-length: {}\r\n\r\n",
            server.address,
            body.len()
        );
        connection.send(&[head.as_bytes(), body].concat()).reply_to(method)
    };
    for (name, bytes, fate) in files() {
        let shelf = if name.ends_with(".json") { "books" } else { "cards" };
        // Nothing to put there: chats and tables go elsewhere, and nothing at all is an empty book.
        let is_elsewhere = ["chat", "table", "memory"].iter().any(|kind| name.contains(kind));
        if is_elsewhere || matches!(fate, Refused("an empty file", _)) {
            continue;
        }
        let answer = ask("PUT", &format!("/v1/{shelf}/{name}"), &bytes);
        let text = answer.error();
        match fate {
            In(_) => assert_eq!(answer.status, 201, "{name}: {text}"),
            Refused(why, advice) => {
                assert_eq!(answer.status, 400, "{name}: {text}");
                assert!(text.contains(why) && text.contains(advice), "{name}: {text}");
                assert_eq!(ask("GET", &format!("/v1/{shelf}/{name}"), b"").status, 404, "{name}");
            }
        }
    }
}
