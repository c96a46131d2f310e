//! Is a vector the same everywhere and always, and does whoever changes one change the name of the space?

use proptest::prelude::*;
use reverie_core::embed::Embedder;
use reverie_offline::OfflineEmbedder;

/// FNV-1a over the bits of all values.
fn digest(vectors: &[Vec<f32>]) -> u64 {
    let bytes = vectors.iter().flatten().flat_map(|value| value.to_bits().to_le_bytes());
    bytes.fold(0xCBF2_9CE4_8422_2325, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

#[test]
fn these_texts_stand_here_in_this_space() {
    let texts = [
        "我最爱吃四川火锅",
        "What spicy food does he like?",
        "昨日、駅でコーヒーを飲みました。",
        "Café crème 😀 №5 ﾃｽﾄ 안녕하세요 привет",
        "",
        "?!",
    ];
    let embedder = OfflineEmbedder::new();
    let found = (embedder.space(), digest(&embedder.embed(&texts, 0).unwrap()));
    // Another digest under the old name would let vectors be compared that do not belong together.
    assert_eq!(found, ("reverie-offline-zh-en-256-v1", 2_398_400_638_799_305_495));
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
}

#[test]
fn a_very_long_text_overflows_nothing() {
    let embedder = OfflineEmbedder::new();
    let [once, often] = embedder.vectors(&["火锅", &"火锅 ".repeat(50_000)]).try_into().unwrap();
    assert_eq!(once, often);
}
