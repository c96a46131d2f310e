//! Is a vector the same everywhere and always, and does whoever changes one change the name of the space?

use proptest::prelude::*;
use reverie_core::embed::Embedder;
use reverie_offline::OfflineEmbedder;

/// FNV-1a, continued.
fn digest(state: u64, bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(state, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

const BEGIN: u64 = 0xCBF2_9CE4_8422_2325;

/// Of the bits of all values.
fn digest_of(texts: &[&str]) -> u64 {
    let vectors = OfflineEmbedder::new().embed(texts, 0).expect("it never fails");
    digest(BEGIN, vectors.iter().flatten().flat_map(|value| value.to_bits().to_le_bytes()))
}

/// What these tests found when the space got its name. Whoever gets something else gives the space another name first:
/// vectors would be compared that do not belong together.
const SPACE: &str = "reverie-offline-zh-en-256-v2";
const OF_TABLE: u64 = 3_423_942_379_355_978_476;
const OF_TEXTS: u64 = 14_055_720_954_700_498_316;
const OF_CHARACTERS: u64 = 12_599_571_916_056_779_688;

#[test]
fn this_table_is_this_space() {
    let table = include_bytes!("../../src/table.bin");
    assert_eq!((OfflineEmbedder::new().space(), digest(BEGIN, table.iter().copied())), (SPACE, OF_TABLE));
}

/// Every way in which a text is folded and cut.
#[test]
fn these_texts_stand_here_in_this_space() {
    let long_word = "pneumonoultramicroscopicsilicovolcanoconiosis".repeat(3);
    let texts = [
        // Words of one, two, three, four and more characters; grammar; a character without an entry.
        "我最爱吃四川火锅",
        "他把新年快乐的图书馆钥匙交给了中华人民共和国的自行车手",
        "龘靐齉 𠀀 㐂",
        "壹贰叁 二〇二四年 二零二四年 々",
        // Traditional and Japanese forms, old prints, compatibility characters.
        "我愛吃四川火鍋，乾隆與龍",
        "広島の桜と渡邉さんの気持ち、髙橋、豈",
        // English: whole words, pieces, beginnings, long ones, case, accents, letters without an entry, digits.
        "What spicy food does he like?",
        "Zorblaxian antidisestablishmentarianism unfriendliness",
        &long_word,
        "CAFÉ crème cafe\u{301} Straße Ærøskøbing q\u{323}uick ŁÓDŹ",
        "7 2024 1234567890123456789 3点 x86",
        // Width, compatibility forms, marks beside a letter, what cannot be seen.
        "ＨＯＴ　ｐｏｔ１２！ ① ㎞ ﬁre №5 ²",
        "ﾃｽﾄ ｶﾞ か\u{3099} カ\u{309B} は\u{309C}",
        "火\u{200B}锅 葛\u{E0100}城 so\u{AD}ft ❤\u{FE0F}",
        // Kana, Hangul, alphabets, symbols: alone and in runs.
        "昨日、駅でコーヒーを飲みました。の ア ー",
        "안녕하세요 안 ㅋㅋ \u{1112}\u{1161}\u{11AB}",
        "привет ΟΔΟΣ οδος שלום، مرحبا สวัสดี नमस्ते। я",
        "😀 😀😀 👍🏽 👨\u{200D}👩\u{200D}👧 ★☆ ─── →→ ⏰",
        // Nothing to read.
        "",
        "?!",
        " \u{3000}…",
    ];
    assert_eq!(digest_of(&texts), OF_TEXTS);
}

/// Every character of the scripts that are written most, with its neighbours: a library that folds one otherwise is found.
#[test]
fn these_characters_stand_here_in_this_space() {
    let blocks = [
        '\u{20}'..='\u{377}',
        '\u{384}'..='\u{52F}',
        '\u{531}'..='\u{586}',
        '\u{5D0}'..='\u{5EA}',
        '\u{600}'..='\u{6FF}',
        '\u{900}'..='\u{97F}',
        '\u{E01}'..='\u{E3A}',
        '\u{1E00}'..='\u{1EFF}',
        '\u{2010}'..='\u{2060}',
        '\u{2100}'..='\u{218B}',
        '\u{2190}'..='\u{23FF}',
        '\u{2460}'..='\u{27BF}',
        '\u{3000}'..='\u{30FF}',
        '\u{3131}'..='\u{318E}',
        '\u{31F0}'..='\u{321E}',
        '\u{3220}'..='\u{33FF}',
        '\u{3400}'..='\u{9FFC}',
        '\u{AC00}'..='\u{D7A3}',
        '\u{F900}'..='\u{FAD9}',
        '\u{FF01}'..='\u{FFEE}',
        '\u{1F300}'..='\u{1F64F}',
    ];
    let texts: Vec<String> = blocks
        .into_iter()
        .flat_map(|block| {
            let characters: Vec<char> = block.collect();
            let texts: Vec<String> = characters.chunks(48).map(|some| some.iter().collect()).collect();
            texts
        })
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert_eq!(digest_of(&texts), OF_CHARACTERS);
}

proptest! {
    #[test]
    fn every_text_has_a_vector_of_length_one(text in any::<String>()) {
        let [vector] = OfflineEmbedder::new().vectors(&[&text]).try_into().unwrap();
        prop_assert_eq!(vector.len(), 256);
        let length = vector.iter().map(|value| f64::from(*value) * f64::from(*value)).sum::<f64>().sqrt();
        prop_assert!((length - 1.0).abs() < 1e-5, "{}", length);
    }

    #[test]
    fn a_batch_is_its_texts(texts in prop::collection::vec("[a-z我你他爱吃火锅の。 ]{0,40}", 0..8)) {
        let embedder = OfflineEmbedder::new();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let single: Vec<Vec<f32>> = texts.iter().flat_map(|text| embedder.vectors(&[text])).collect();
        prop_assert_eq!(embedder.vectors(&texts), single);
    }

    /// What cannot be seen takes a text the long way; it must come to the same place.
    #[test]
    fn the_short_way_is_the_long_way(text in "([a-zA-Z0-9 ，。！？“”…Ａ-Ｚ０-９　我愛爱吃火鍋锅気の々コーヒー가힣😀-😏]|[一-龥]|[ぁ-ん]){1,40}") {
        let invisible = format!("{text}\u{FE0F}");
        let [short, long] = OfflineEmbedder::new().vectors(&[&text, &invisible]).try_into().unwrap();
        prop_assert_eq!(short, long);
    }
}

#[test]
fn a_very_long_text_overflows_nothing() {
    let embedder = OfflineEmbedder::new();
    let [once, often] = embedder.vectors(&["火锅", &"火锅 ".repeat(50_000)]).try_into().unwrap();
    assert_eq!(once, often);
}
