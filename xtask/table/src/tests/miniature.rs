//! Does the recipe still do what it did when the table was made?
//!
//! The whole way from sources to a table, with a transformer and a dictionary of a few words. Whoever changes the recipe
//! changes the digest: then run the maker, commit what it writes, give the space a new name, and write the new digest here.

use reverie_offline::Table;
use serde_json::{Map, json};

use crate::forms::Forms;
use crate::glosses::{self, tests::pickled};
use crate::layout;
use crate::matrix::Matrix;
use crate::recipe;
use crate::sha256::sha256;
use crate::sources::Sources;
use crate::transformer::Transformer;
use crate::vocabulary::Vocabulary;

const DIGEST: &str = "03c82e954c6d57aba0efe58048c75b2ff10d998e4d6949e992a65b921e0067e9";

const ENGLISH: &[&str] = &[
    "the", "of", "one", "hot", "spicy", "fire", "pot", "food", "dog", "cat", "rain", "umbrella", "week",
    "exam", "##s", "##ing", "##ed", "3", "2024",
];
/// A word, how often it was counted, and what the dictionary says; those with a count above 10 have a company, too.
const CHINESE: &[(&str, u64, &str)] = &[
    ("的", 900_000, "/of/~'s (possessive particle)/"),
    ("一", 90_000, "/one/"),
    ("壹", 30, "/one (banker's anti-fraud numeral)/"),
    ("辣", 800, "/hot (spicy)/hot (food) (idiom)/"),
    ("火", 4_000, "/fire/"),
    ("锅", 700, "/pot/CL:口[kou3],隻|只[zhi1]/"),
    ("火锅", 250, "/hot pot (old)/"),
    ("狗", 3_000, "/dog/"),
    ("猫", 2_500, "/cat/"),
    ("雨", 2_000, "/rain/"),
    ("雨伞", 90, "/(literary) umbrella/"),
    ("周", 5_000, "/surname Zhou/week; one week (exam)/"),
    ("考试", 1_200, "/to take an exam/exam/"),
    ("旺财", 8, ""),
    ("食品", 6_000, "/food/foods (to be eaten while it rains)/"),
];
/// Of the transformer: a number for each head.
const SIZE: usize = 12;
const COMPANY: usize = 10;

/// Numbers that look random, exact in 32 bits.
fn numbers(seed: u64) -> impl Iterator<Item = f32> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 48) as i16).into()
    })
    .map(|number: f32| number / 32_768.0)
}

/// One layer, as a safetensors file has it.
fn transformer(words: usize) -> Transformer {
    let layer = "encoder.layer.0.";
    let mut shapes = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![words, SIZE]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![8, SIZE]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![1, SIZE]),
        ("embeddings.LayerNorm.weight".to_owned(), vec![SIZE]),
        ("embeddings.LayerNorm.bias".to_owned(), vec![SIZE]),
    ];
    for (name, inputs, outputs) in [
        ("attention.self.query", SIZE, SIZE),
        ("attention.self.key", SIZE, SIZE),
        ("attention.self.value", SIZE, SIZE),
        ("attention.output.dense", SIZE, SIZE),
        ("intermediate.dense", SIZE, 2 * SIZE),
        ("output.dense", 2 * SIZE, SIZE),
    ] {
        shapes.push((format!("{layer}{name}.weight"), vec![outputs, inputs]));
        shapes.push((format!("{layer}{name}.bias"), vec![outputs]));
    }
    for name in ["attention.output.LayerNorm", "output.LayerNorm"] {
        shapes.push((format!("{layer}{name}.weight"), vec![SIZE]));
        shapes.push((format!("{layer}{name}.bias"), vec![SIZE]));
    }
    let (mut index, mut data) = (Map::new(), Vec::new());
    for ((name, shape), seed) in shapes.into_iter().zip(1..) {
        let begin = data.len();
        let values = numbers(seed).take(shape.iter().product());
        data.extend(values.flat_map(f32::to_le_bytes));
        index.insert(name, json!({"dtype": "F32", "shape": shape, "data_offsets": [begin, data.len()]}));
    }
    let header = serde_json::to_vec(&index).unwrap();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header);
    file.extend(data);
    Transformer::read(&file).unwrap()
}

fn sources() -> Sources {
    let mut pieces: Vec<String> = (0..1000).map(|at| format!("[unused{at}]")).collect();
    pieces.extend(('a'..='z').map(String::from));
    pieces.extend((pieces.len()..1996).map(|at| format!("[unused{at}]")));
    pieces.extend(ENGLISH.iter().map(|piece| (*piece).to_owned()));
    let forms = Forms::read("鍋\t锅\n傘\t伞\n", "氣 気\n");
    let known: Vec<&str> =
        CHINESE.iter().filter(|(_, count, _)| *count > 10).map(|(word, ..)| *word).collect();
    let values = numbers(99).take(known.len() * COMPANY).collect();
    let line = |(word, _, says): &(&str, u64, &str)| format!("{word} {word} [pin1 yin1] {says}");
    let lines: Vec<String> = CHINESE.iter().map(line).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Sources {
        transformer: transformer(pieces.len()),
        pieces,
        chinese: known.iter().map(|word| (*word).to_owned()).zip(0..).collect(),
        chinese_vectors: Matrix { rows: known.len(), columns: COMPANY, values },
        counts: CHINESE.iter().map(|(word, count, _)| ((*word).to_owned(), *count)).collect(),
        glosses: glosses::read(&pickled(&lines)).unwrap(),
        forms,
    }
}

#[test]
fn the_recipe_is_the_one_that_the_table_was_made_by() {
    let sources = sources();
    let words = Vocabulary::choose(&sources);
    let space = recipe::space(&sources, &words);
    let (bytes, nearness) = layout::table(&words, &space, &sources.forms);
    assert!(nearness > 0.8, "{nearness}");
    let table = Table::read(&bytes).unwrap();
    let near = |a: &str, b: &str| {
        let [a, b] = table.vectors(&[a, b]).try_into().unwrap();
        a.iter().zip(&b).map(|(a, b)| a * b).sum::<f32>()
    };
    for (word, translation, other) in
        [("狗", "dog", "umbrella"), ("雨傘", "umbrella", "dog"), ("火", "fire", "cat"), ("辣", "hot", "rain")]
    {
        assert!(
            near(word, translation) > near(word, other) + 0.3,
            "{word} {translation}: {} {}",
            near(word, translation),
            near(word, other)
        );
    }
    assert_eq!(near("火鍋", "火锅"), near("火锅", "火锅"));
    assert_eq!(sha256(&bytes), DIGEST, "see the top of this file");
}
