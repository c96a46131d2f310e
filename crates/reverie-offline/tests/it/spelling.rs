//! Which spellings are the same, and which are only near?

use reverie_core::embed::Vector;
use reverie_offline::OfflineEmbedder;

#[test]
fn spellings_of_one_text_stand_in_one_place() {
    let embedder = OfflineEmbedder::new();
    for (text, same) in [
        ("Hot Pot", "hot pot"),
        ("我愛吃四川火鍋", "我爱吃四川火锅"),
        ("ＨＯＴ　ＰＯＴ１２", "hot pot12"),
        ("café", "cafe\u{301}"),
        ("Café au lait", "cafe au lait"),
        ("ﾃｽﾄ", "テスト"),
        ("天気", "天气"),
        ("火锅！", "“火锅”"),
        ("二〇二四年", "二零二四年"),
        ("乾隆皇帝", "干隆皇帝"),
        ("広島と渡邉と宮﨑", "广岛と渡边と宫崎"),
        ("國學來體", "国学来体"),
        ("カ\u{309B}ラス", "ガラス"),
        ("№5 ﬁre", "no5 fire"),
        ("火\u{200B}锅", "火锅"),
        ("ΟΔΟΣ", "οδος"),
    ] {
        assert_eq!(embedder.vectors(&[text]), embedder.vectors(&[same]), "{text} {same}");
    }
}

fn near(a: &str, b: &str) -> f32 {
    let [a, b] = OfflineEmbedder::new().vectors(&[a, b]).try_into().expect("a vector each");
    Vector(a.into()).cosine(&Vector(b.into()))
}

#[test]
fn unknown_words_are_near_what_shares_their_letters() {
    for (text, nearer, further) in [
        ("コーヒーメーカー", "コーヒー", "テレビ"),
        ("안녕하세요", "안녕", "고양이"),
        ("Zorblaxian", "Zorblax", "Quimbefty"),
        ("привет", "приветы", "собака"),
        ("龘龘", "龘", "靐"),
        ("😀", "😀😀", "😡😡"),
        ("👍", "👍🏽", "👎🏽"),
        ("안", "안녕", "고양"),
        ("ね", "ねこ", "いぬ"),
        ("カ", "カメ", "イヌ"),
    ] {
        assert!(
            near(text, nearer) > near(text, further) + 0.2,
            "{text}: {} {}",
            near(text, nearer),
            near(text, further)
        );
    }
}

#[test]
fn a_word_is_read_to_its_end() {
    let long = "internationalization".repeat(4);
    let (dogs, cats) = (format!("{long}dog"), format!("{long}cat"));
    assert!(near(&dogs, &cats) < 0.999, "{}", near(&dogs, &cats));
    assert!(near("Donaudampfschifffahrtsgesellschaftskapitaen".repeat(2).as_str(), "kapitaen") > 0.1);
}

#[test]
fn a_character_that_is_written_for_another_is_near_it() {
    for (formal, plain, other) in [("壹", "一", "狗"), ("贰", "二", "狗")] {
        assert!(near(formal, plain) > near(formal, other) + 0.1, "{formal}: {}", near(formal, plain));
    }
    assert!(near("辣", "spicy") > near("辣", "cold") + 0.3, "{} {}", near("辣", "spicy"), near("辣", "cold"));
}
