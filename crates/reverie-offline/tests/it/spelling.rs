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
    ] {
        assert_eq!(embedder.vectors(&[text]), embedder.vectors(&[same]), "{text} {same}");
    }
}

#[test]
fn unknown_words_are_near_what_shares_their_letters() {
    let embedder = OfflineEmbedder::new();
    let near = |a: &str, b: &str| {
        let [a, b] = embedder.vectors(&[a, b]).try_into().unwrap();
        Vector(a.into()).cosine(&Vector(b.into()))
    };
    for (text, nearer, further) in [
        ("コーヒーメーカー", "コーヒー", "テレビ"),
        ("안녕하세요", "안녕", "고양이"),
        ("Zorblaxian", "Zorblax", "Quimbefty"),
        ("привет", "приветы", "собака"),
        ("龘龘", "龘", "靐"),
    ] {
        assert!(
            near(text, nearer) > near(text, further) + 0.2,
            "{text}: {} {}",
            near(text, nearer),
            near(text, further)
        );
    }
}
