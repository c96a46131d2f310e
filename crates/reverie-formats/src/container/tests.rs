//! Containers in and out, and hostile ones.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use serde_json::json;

use super::testing::{card_chunk, chunk, deflate, png, zip, zlib};
use super::*;

const V2: &str = r#"{"spec":"chara_card_v2","spec_version":"2.0","data":{"name":"港","only2":1}}"#;
const V3: &str = r#"{"spec":"chara_card_v3","spec_version":"3.0","data":{"name":"港","only3":1}}"#;

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn read_default(bytes: &[u8]) -> Result<Contents> {
    read(bytes, &Limits::default())
}

fn told(bytes: &[u8]) -> Vec<String> {
    read_default(bytes).unwrap().warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn a_card_is_found_wherever_tools_put_it() {
    let itxt =
        |flag: u8, text: &[u8]| chunk("iTXt", &[b"chara\0", &[flag, 0][..], b"en\0title\0", text].concat());
    let base64 = STANDARD.encode(V2);
    let broken_lines = base64.as_bytes().chunks(20).collect::<Vec<_>>().join(&b"\r\n"[..]);
    let animated =
        [chunk("acTL", &[0; 8]), chunk("fcTL", &[0; 26]), card_chunk("chara", V2), chunk("fdAT", &[1; 9])];
    for (what, bytes) in [
        ("tEXt", png(&[card_chunk("chara", V2)])),
        ("another case", png(&[card_chunk("Chara", V2)])),
        ("no padding", png(&[chunk("tEXt", &[b"chara\0", STANDARD_NO_PAD.encode(V2).as_bytes()].concat())])),
        ("lines", png(&[chunk("tEXt", &[b"chara\0", &broken_lines[..]].concat())])),
        ("no base64", png(&[chunk("tEXt", &[b"chara\0", V2.as_bytes()].concat())])),
        ("zTXt", png(&[chunk("zTXt", &[b"chara\0\0", &zlib(base64.as_bytes())[..]].concat())])),
        ("iTXt", png(&[itxt(0, base64.as_bytes())])),
        ("packed iTXt", png(&[itxt(1, &zlib(base64.as_bytes()))])),
        ("APNG", png(&animated)),
        ("after the end", [png(&[card_chunk("chara", V2)]), b"more".to_vec()].concat()),
        ("stored", zip(&[("card.json", 0, V2.as_bytes())])),
        ("deflated", zip(&[("assets/a.png", 0, b"picture"), ("card.json", 8, V2.as_bytes())])),
        (
            "after a picture",
            [b"\xFF\xD8\xFF\xE0JPEG".to_vec(), zip(&[("card.json", 8, V2.as_bytes())])].concat(),
        ),
        ("JSON", [b"\xEF\xBB\xBF\n", V2.as_bytes()].concat()),
    ] {
        let contents = read_default(&bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(contents.value, value(V2), "{what}");
        assert_eq!(contents.warnings, [], "{what}");
        assert_eq!(write(&bytes, &value(V2), &Limits::default()).unwrap(), bytes, "{what}");

        let other = json!({"spec": "chara_card_v2", "data": {"name": "新"}});
        let written = write(&bytes, &other, &Limits::default()).unwrap();
        assert_eq!(read_default(&written).unwrap().value, other, "{what}");
        assert_eq!(told(&written), Vec::<String>::new(), "{what}");
    }
}

#[test]
fn everything_but_the_card_stays_byte_for_byte() {
    let other = json!({"name": "x"});
    let odd = [chunk("tEXt", b"Title\0me"), chunk("pHYs", &[1; 9])];
    let bad_crc = [&[0, 0, 0, 1], &b"tIMEx"[..], &[9; 4]].concat();
    let before = png(&[odd[0].clone(), card_chunk("chara", V2), bad_crc.clone(), odd[1].clone()]);
    let text = other.to_string();
    let after = png(&[odd[0].clone(), card_chunk("chara", &text), bad_crc, odd[1].clone()]);
    let tail = b"behind the end";
    let written = write(&[&before[..], tail].concat(), &other, &Limits::default()).unwrap();
    assert_eq!(written, [&after[..], tail].concat());

    let bytes = zip(&[("a", 0, b"AAA"), ("card.json", 0, V2.as_bytes()), ("资产/b", 8, &b"B".repeat(99))]);
    let written = write(&bytes, &other, &Limits::default()).unwrap();
    let expected =
        zip(&[("a", 0, b"AAA"), ("card.json", 8, text.as_bytes()), ("资产/b", 8, &b"B".repeat(99))]);
    // The same but for how well the card itself is packed, which the test's packer may do differently.
    assert!(written.len().abs_diff(expected.len()) < 16);
    let packed = deflate(&b"B".repeat(99));
    assert!(written.windows(packed.len()).any(|window| window == packed));
}

#[test]
fn a_picture_without_card_gets_one() {
    let written = write(&png(&[]), &value(V3), &Limits::default()).unwrap();
    assert_eq!(read_default(&written).unwrap().value, value(V3));
    assert!(written.ends_with(&chunk("IEND", b"")));
}

#[test]
fn of_two_cards_the_newer_wins_and_both_follow_a_change() {
    let bytes = png(&[card_chunk("chara", V2), card_chunk("ccv3", V3)]);
    assert_eq!(read_default(&bytes).unwrap().value, value(V3));
    let mut new = value(V3);
    new["data"]["name"] = json!("海");
    let written = write(&bytes, &new, &Limits::default()).unwrap();
    assert_eq!(read_default(&written).unwrap().value, new);
    let mut old = value(V2);
    old["data"]["name"] = json!("海");
    let expected = png(&[card_chunk("chara", &old.to_string()), card_chunk("ccv3", &new.to_string())]);
    assert_eq!(written, expected);
}

/// Both versions require that a book has extensions.
#[test]
fn a_card_without_a_book_gets_the_whole_book_of_the_other() {
    for extensions in [None, Some(json!({"x": 1}))] {
        let mut newer = value(V3);
        newer["data"]["character_book"] = json!({"name": "海", "entries": []});
        if let Some(extensions) = &extensions {
            newer["data"]["character_book"]["extensions"] = extensions.clone();
        }
        let bytes = png(&[card_chunk("chara", V2), card_chunk("ccv3", &newer.to_string())]);
        newer["data"]["character_book"]["entries"] = json!([{"keys": ["a"], "content": "b"}]);
        let written = write(&bytes, &newer, &Limits::default()).unwrap();
        assert_eq!(read_default(&written).unwrap().value, newer);
        let mut older = value(V2);
        older["data"]["character_book"] = newer["data"]["character_book"].clone();
        older["data"]["character_book"]["extensions"] = extensions.unwrap_or_else(|| json!({}));
        let expected =
            png(&[card_chunk("chara", &older.to_string()), card_chunk("ccv3", &newer.to_string())]);
        assert_eq!(written, expected);
    }
}

#[test]
fn oddities_are_told_and_read() {
    let mut bad_crc = card_chunk("chara", V2);
    *bad_crc.last_mut().unwrap() ^= 1;
    let mut bad_zip = zip(&[("card.json", 0, V2.as_bytes())]);
    let at = bad_zip.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    bad_zip[at + 16] ^= 1;
    let endless = png(&[card_chunk("chara", V2)]);
    for (bytes, expected) in [
        (png(&[bad_crc]), "checksum of the chunk chara"),
        (bad_zip, "checksum of card.json"),
        (png(&[card_chunk("chara", V2), card_chunk("chara", V3)]), "2 chunks chara"),
        (png(&[card_chunk("ccv3", "{oops"), card_chunk("chara", V2)]), "chunk ccv3 cannot be read"),
        (endless[..endless.len() - 12].to_vec(), "no end"),
        (png(&[card_chunk("chara", r#"{"name":"\ud800"}"#)]), "U+FFFD"),
    ] {
        let told = told(&bytes).join("; ");
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn hostile_files_are_refused_with_a_reason() {
    let limits =
        Limits { file_bytes: 8 << 20, json_bytes: 4 << 20, chunks: 1000, members: 100, ..Limits::default() };
    let bomb = vec![b' '; 4 << 20];
    let signature = b"\x89PNG\r\n\x1A\n";
    let long_chunk = [&signature[..], &u32::MAX.to_be_bytes(), b"tEXtchara\0"].concat();
    let many_chunks = png(&vec![chunk("tEXt", b"a\0b"); 2000]);
    let many_members: Vec<(&str, u16, &[u8])> = vec![("a", 0, b""); 101];
    let zip_with = |at_end: usize, bytes: [u8; 4]| {
        let mut zip = zip(&[("card.json", 0, b"{}")]);
        let end = zip.len() - 22;
        zip[end + at_end..end + at_end + 4].copy_from_slice(&bytes);
        zip
    };
    let mut outside = zip(&[("card.json", 0, b"{}")]);
    let entry = outside.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    outside[entry + 42] = 200;
    let deep = [r#"{"a":"#.repeat(300), "1".to_owned(), "}".repeat(300)].concat();
    let mut locked = zip(&[("card.json", 0, b"{}")]);
    locked[entry + 8] |= 1;
    for (what, bytes, expected) in [
        ("length beyond the file", long_chunk, "claims 4294967295 bytes"),
        ("cut off", png(&[card_chunk("chara", V2)])[..60].to_vec(), "claims"),
        ("half a length", [&signature[..], &[0, 0]].concat(), "in the middle of a chunk"),
        ("chunks", many_chunks, "more than 1000 chunks"),
        ("no card", png(&[chunk("tEXt", b"Title\0x")]), "no card in this picture"),
        ("no zero", png(&[chunk("tEXt", b"chara")]), "damaged"),
        ("bad base64", png(&[chunk("tEXt", b"chara\0a?b!")]), "not base64"),
        ("not UTF-8", png(&[chunk("tEXt", b"chara\0eyJhIjoi/yJ9")]), "not UTF-8"),
        ("no JSON", png(&[card_chunk("chara", "hello")]), "not JSON"),
        ("deep JSON", png(&[card_chunk("chara", &deep)]), "nested too deep"),
        (
            "packed bomb",
            png(&[chunk("zTXt", &[b"chara\0\0", &zlib(&bomb)[..]].concat())]),
            "unpack to more than",
        ),
        ("damaged packing", png(&[chunk("zTXt", b"chara\0\0xyz")]), "packed data is damaged"),
        ("zip bomb", zip(&[("card.json", 8, &bomb)]), "unpack to more than"),
        ("members", zip(&many_members), "101 members"),
        ("no card.json", zip(&[("other", 0, b"{}")]), "no card.json"),
        ("two cards", zip(&[("card.json", 0, b"{}"), ("card.json", 0, b"[]")]), "more than one card.json"),
        ("strange packing", zip(&[("card.json", 9, b"{}")]), "not read here (9)"),
        ("no directory", zip(&[("card.json", 0, b"{}")])[..40].to_vec(), "no directory"),
        ("directory outside", zip_with(16, [0, 0, 0, 1]), "lies outside"),
        ("directory too large", zip_with(12, [0, 0, 0, 1]), "larger than the file"),
        ("zip64", zip_with(16, [255; 4]), "zip64"),
        ("member outside", outside, "lies outside"),
        ("JPEG", b"\xFF\xD8\xFF\xE0 picture".to_vec(), "JPEG picture without a card"),
        ("large file", vec![b' '; (8 << 20) + 1], "at most"),
        ("empty", Vec::new(), "it is empty"),
        (
            "sent as text",
            png(&[]).into_iter().filter(|byte| *byte != b'\r').collect(),
            "beginning is damaged",
        ),
        ("PNG of 5 bytes", b"\x89PNG\r".to_vec(), "beginning is damaged"),
        ("locked", locked, "encrypted"),
        ("one of two disks", zip_with(4, [1, 0, 0, 0]), "one of several parts"),
        ("twice", png(&[card_chunk("chara", r#"{"name":"a","name":"b"}"#)]), "\"name\" is given twice"),
    ] {
        let error = read(&bytes, &limits).expect_err(what);
        assert!(error.message().contains(expected), "{what}: {error}");
        assert!(error.hint_text().is_some(), "{what}");
    }
    // A file that is whole is not said to be damaged.
    for (bytes, expected) in [
        (zip_with(16, [255; 4]), "pack it again as a plain zip"),
        (zip_with(4, [1, 0, 0, 0]), "join the parts"),
        (zip(&[("card.json", 0, b"{}"), ("card.json", 0, b"{}")]), "all but one"),
        (zip(&[("card.json", 0, br#"{"a":1e400}"#)]), "1.8e308"),
        (png(&[chunk("tEXt", b"chara\0eyJhIjoi/yJ9")]), "save the file as UTF-8"),
    ] {
        let error = read(&bytes, &limits).expect_err(expected);
        assert!(error.hint_text().is_some_and(|hint| hint.contains(expected)), "{error:?}");
    }
}

/// Tools write base64 in more than one way.
#[test]
fn base64_is_read_in_every_way_of_writing_it() {
    let json = r#"{"name":"\u00ff？？>>>"}"#;
    let standard = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, json);
    assert!(standard.contains(['+', '/']), "{standard}");
    let wrapped: String = standard.chars().flat_map(|c| [c, '\r', '\n']).collect();
    for text in [
        standard.replace('+', "-").replace('/', "_"),
        standard.trim_end_matches('=').to_owned(),
        format!("  {wrapped}\t"),
        json.to_owned(),
    ] {
        let picture = png(&[chunk("tEXt", &[b"chara\0", text.as_bytes()].concat())]);
        assert_eq!(read_default(&picture).unwrap().value, value(json), "{text}");
    }
}

#[test]
fn a_card_is_written_in_the_form_that_is_asked_for() {
    let limits = Limits::default();
    let as_json = write_as(Container::Json, None, &value(V2), &limits).unwrap();
    let grey = write_as(Container::Png, None, &value(V3), &limits).unwrap();
    let picture = png(&[card_chunk("chara", V2)]);
    let archive = zip(&[("card.json", 8, V2.as_bytes()), ("a.png", 0, b"x")]);
    assert_eq!(write_as(Container::Png, Some(&picture), &value(V2), &limits).unwrap(), picture);
    assert_eq!(write_as(Container::Charx, Some(&archive), &value(V2), &limits).unwrap(), archive);
    assert_eq!(write_as(Container::Json, Some(&picture), &value(V2), &limits).unwrap(), as_json);
    assert_eq!(
        read_default(&grey).unwrap(),
        Contents { container: Container::Png, value: value(V3), warnings: vec![] }
    );
    let again = write_as(Container::Png, Some(&archive), &value(V3), &limits).unwrap();
    assert_eq!(again, grey, "an archive has no picture of its own");
    let refused = write_as(Container::Charx, Some(&picture), &value(V2), &limits).unwrap_err();
    assert!(refused.hint_text().unwrap().contains(".png or .json"), "{refused}");
}

#[test]
fn a_picture_need_not_be_a_card() {
    let limits = Limits::default();
    for (bytes, expected) in [
        (png(&[card_chunk("chara", "broken")]), true),
        (png(&[]), false),
        (zip(&[("card.json", 0, b"broken")]), true),
        (zip(&[("notes.txt", 0, b"x")]), false),
        (b"\xFF\xD8\xFF\xE0".to_vec(), false),
        (b"{".to_vec(), true),
    ] {
        assert_eq!(holds_card(&bytes, &limits), Ok(expected));
    }
    assert!(holds_card(&png(&[])[..40], &limits).is_err());
}
