//! Pictures of cards, in and out.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::Limits;
use crate::container::portrait;
use crate::container::testing::{card_chunk, chunk, png, zip};

const CARD: &str = r#"{"spec":"chara_card_v2","data":{"name":"港","description":"秘密"}}"#;
const JPEG: &[u8] = b"\xFF\xD8\xFF\xE0 JPEG";
const WEBP: &[u8] = b"RIFF\x04\0\0\0WEBP";
const SVG: &[u8] = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";

/// A card with these assets: type, name and address of each.
fn with_assets(assets: &[(&str, &str, &str)]) -> String {
    let assets = assets.iter().map(|(kind, name, uri)| json!({"type": kind, "name": name, "uri": uri}));
    let assets: Vec<_> = assets.collect();
    json!({"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": "港", "assets": assets}})
        .to_string()
}

fn data_uri(kind: &str, bytes: &[u8]) -> String {
    format!("data:{kind};base64,{}", STANDARD.encode(bytes))
}

#[test]
fn a_picture_comes_out_of_every_kind_of_file() {
    let plain = png(&[]);
    let with_texts =
        png(&[card_chunk("chara", CARD), card_chunk("ccv3", CARD), chunk("iTXt", b"Title\0\0\0\0\0secret")]);
    let coloured = |text: &[Vec<u8>]| png(&[&[chunk("gAMA", &[0, 0, 0xB1, 0x8F])], text].concat());
    let main = with_assets(&[
        ("background", "main", "embeded://b.png"),
        ("icon", "happy", "embeded://assets/happy.webp"),
        ("icon", "main", "embeded://assets/main.png"),
    ]);
    let members = |card: &str| {
        zip(&[
            ("b.png", 0, SVG),
            ("assets/happy.webp", 0, WEBP),
            ("card.json", 8, card.as_bytes()),
            ("assets/main.png", 8, &with_texts),
        ])
    };
    let only = |uri: &str| with_assets(&[("icon", "main", uri)]);
    let json_of = |field: &str, uri: &str| {
        let mut card: serde_json::Value = serde_json::from_str(CARD).unwrap();
        card[field] = json!(uri);
        card.to_string().into_bytes()
    };
    for (what, file, expected) in [
        ("a PNG", with_texts.clone(), Some(("image/png", plain.clone()))),
        ("what follows its end", [&with_texts[..], b"more"].concat(), Some(("image/png", plain.clone()))),
        ("its colours", coloured(&[card_chunk("chara", CARD)]), Some(("image/png", coloured(&[])))),
        ("an icon", members(&main), Some(("image/png", plain.clone()))),
        (
            "the other spelling",
            members(&only("embedded://assets/happy.webp")),
            Some(("image/webp", WEBP.to_vec())),
        ),
        (
            "an icon that is not there gives way to the next",
            members(&with_assets(&[
                ("icon", "main", "embeded://gone.png"),
                ("icon", "b", "embeded://assets/happy.webp"),
            ])),
            Some(("image/webp", WEBP.to_vec())),
        ),
        ("the picture before", [JPEG, &members(CARD)].concat(), Some(("image/jpeg", JPEG.to_vec()))),
        ("no picture at all", members(CARD), None),
        ("scripts are no picture", members(&only("embeded://b.png")), None),
        ("nothing is fetched", members(&only("https://example.com/a.png")), None),
        ("written out", only(&data_uri("image/png", &with_texts)).into_bytes(), Some(("image/png", plain))),
        (
            "an avatar, whatever it says it is",
            json_of("avatar", &data_uri("text/html", WEBP)),
            Some(("image/webp", WEBP.to_vec())),
        ),
        ("no avatar", json_of("avatar", "none"), None),
        ("an archive's address alone", json_of("avatar", "embeded://assets/main.png"), None),
        ("no base64", json_of("avatar", "data:image/png;base64,%%%"), None),
        ("no pixels", json_of("avatar", &data_uri("image/png", SVG)), None),
        ("JSON", CARD.as_bytes().to_vec(), None),
    ] {
        let found = portrait(&file, &Limits::default()).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(found.map(|found| (found.media_type, found.bytes)), expected, "{what}");
    }
}

#[test]
fn what_is_no_card_file_is_refused() {
    for bytes in [&b"\xFF\xD8\xFF\xE0 alone"[..], b"PK\x03\x04", b"{"] {
        assert!(portrait(bytes, &Limits::default()).is_err());
    }
}
