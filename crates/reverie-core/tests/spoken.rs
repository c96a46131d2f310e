//! Which language is a text in, and does a space of meanings speak it, as far as memories themselves can tell?

#![expect(clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;

use reverie_core::embed::{Embedder, Languages, Tongue, Vector};
use reverie_core::laps::Laps;
use reverie_core::memory::{Held, Kind, Memory, Origin, State};
use reverie_core::mind::{Mind, Said};
use reverie_core::rank::{Bearing, Question, recollect};
use reverie_core::recollection::Kept;
use reverie_core::settings::RecallRules;
use reverie_core::{CharacterId, MemoryId, Result};

#[test]
fn languages_by_their_letters() {
    for (text, expected) in [
        ("我最爱吃四川火锅", Some(Tongue::Chinese)),
        ("我們明天去圖書館讀書", Some(Tongue::Chinese)),
        ("東京大學", Some(Tongue::Chinese)),
        ("灯台でドラゴンの話をしよう。", Some(Tongue::Japanese)),
        ("新宿駅", Some(Tongue::Japanese)),
        ("桜並木", Some(Tongue::Japanese)),
        ("図書館読書会", Some(Tongue::Japanese)),
        ("她在游戏里的名字叫桜，其实本名是小樱，我们都这样叫她", Some(Tongue::Chinese)),
        ("The lighthouse", Some(Tongue::English)),
        ("Где маяк?", None),
        ("42", None),
    ] {
        assert_eq!(Tongue::of(text), expected, "{text}");
    }
}

const CHINESE: [&str; 12] =
    ["火锅", "灯塔", "打猎", "钓鱼", "唱歌", "结婚", "考试", "下雪", "搬家", "看病", "种花", "修车"];
const ENGLISH: [&str; 12] = [
    "hotpot",
    "lighthouse",
    "hunting",
    "fishing",
    "singing",
    "wedding",
    "exam",
    "snow",
    "moving",
    "doctor",
    "garden",
    "repair",
];
const JAPANESE: [&str; 12] = [
    "ドラゴン",
    "ピアノ",
    "テニス",
    "カメラ",
    "ホテル",
    "ケーキ",
    "ギター",
    "スキー",
    "ゲーム",
    "バイク",
    "プール",
    "ワイン",
];
const PER_TOPIC: usize = 4;

/// What is told of each topic, several times in other words.
fn told(tongue: Tongue, topic: usize, time: usize) -> String {
    match tongue {
        Tongue::Chinese => format!("{}那回是第{time}次，大家都在", CHINESE[topic]),
        Tongue::English => format!("The {} was our number {time}, everybody came", ENGLISH[topic]),
        Tongue::Japanese => format!("{}は{time}回目で、みんながいた", JAPANESE[topic]),
    }
}

/// Where a text stands: by its topic where the space speaks, anywhere where it does not.
fn place(seed: usize, topic: usize, speaks: bool) -> Vector {
    let mut state = seed as u64 * 2 + 1;
    let mut any = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 24) as f32 - 0.5
    };
    let of = |number: usize| if speaks && number == topic { 3.0 } else { 0.0 };
    Vector::normal((0..24).map(|number| of(number) + any()).collect()).expect("a direction")
}

fn kept(number: usize, text: String, vector: Vector) -> Kept {
    let memory = Memory {
        id: MemoryId::new(number as u64 + 1).expect("a number"),
        kind: Kind::Episodic,
        origin: Origin::Round,
        text,
        sources: Vec::new(),
        from: Vec::new(),
        about: Vec::new(),
        importance: 0.6,
        keywords: Vec::new(),
        topics: Vec::new(),
        emotions: Vec::new(),
        tick: None,
        wall_ms: 0,
        model: None,
        revision: 1,
    };
    let held = Held {
        memory,
        holder: CharacterId::new("ann").expect("an id"),
        state: State::new(None, None),
        version: 0,
        live: true,
        summarised: None,
        superseded: None,
        refreshed: None,
    };
    Kept { held, place: None, names: Vec::new(), vectors: vec![vector] }
}

/// All topics in these languages, each in a space that speaks it or does not.
fn mind(languages: &[(Tongue, bool)], topics: usize, backwards: bool) -> Mind {
    let mut notes: Vec<Kept> = Vec::new();
    for (tongue, speaks) in languages {
        for number in 0..topics * PER_TOPIC {
            let (topic, seed) = (number / PER_TOPIC, notes.len());
            notes.push(kept(seed, told(*tongue, topic, number % PER_TOPIC), place(seed, topic, *speaks)));
        }
    }
    if backwards {
        notes.reverse();
    }
    let mut mind = Mind::default();
    notes.into_iter().for_each(|note| mind.keep(note, None));
    mind
}

#[test]
fn a_space_is_silent_in_a_language_that_it_does_not_speak() {
    for spoken in Tongue::ALL {
        let all = Tongue::ALL.map(|tongue| (tongue, tongue == spoken));
        for backwards in [false, true] {
            let languages = mind(&all, CHINESE.len(), backwards).languages();
            for tongue in Tongue::ALL {
                let share = languages.finds(Some(tongue), Some(tongue));
                assert_eq!(
                    share,
                    if tongue == spoken { 1.0 } else { 0.0 },
                    "{tongue:?} where {spoken:?} is spoken"
                );
            }
        }
    }
}

#[test]
fn of_a_few_memories_nobody_can_tell() {
    for tongue in Tongue::ALL {
        let languages = mind(&[(tongue, false)], 1, false).languages();
        assert_eq!(languages.finds(Some(tongue), Some(tongue)), 1.0, "{tongue:?}");
    }
}

#[test]
fn what_it_knows_is_found_out_again_when_memories_change() {
    let mut mind = mind(&[(Tongue::Chinese, false)], CHINESE.len(), false);
    let share = |mind: &Mind| mind.languages().finds(Some(Tongue::Chinese), Some(Tongue::Chinese));
    assert_eq!(share(&mind), 0.0);
    for number in 0..CHINESE.len() * PER_TOPIC {
        let topic = number / PER_TOPIC;
        let text = told(Tongue::Chinese, topic, number % PER_TOPIC);
        mind.keep(kept(number, text, place(number, topic, true)), None);
    }
    assert_eq!(share(&mind), 1.0);
}

/// Nobody was asked which languages it speaks: where it does not speak the language, words decide, and it only
/// orders what they leave equal.
#[test]
fn noise_brings_nothing_before_what_words_found() {
    let first = |speaks: bool, meaning: Option<Vector>| -> BTreeSet<u64> {
        let mind = mind(&[(Tongue::Chinese, speaks)], CHINESE.len(), false);
        let question = Question {
            said: Said::of(["那次灯塔和唱歌"].into_iter()),
            tongue: Some(Tongue::Chinese),
            meaning,
            ..Question::default()
        };
        let found = recollect(&mind, &question, &RecallRules::default(), &|_| true, &Laps::default());
        let id = |slot: usize| mind.note(slot).map_or(0, |note| note.held.memory.id.get());
        found.iter().map(|candidate| id(candidate.slot)).take(2 * PER_TOPIC).collect()
    };
    let by_words = first(false, None);
    assert_eq!(first(false, Some(place(999, 7, true))), by_words);
    assert_ne!(first(true, Some(place(999, 7, true))), by_words, "what it says counts where it speaks");
}

/// Finds every sentence that it is asked with, in whichever language.
struct Polyglot;

impl Embedder for Polyglot {
    fn space(&self) -> &str {
        "polyglot"
    }

    fn is_local(&self) -> bool {
        true
    }

    fn embed(&self, texts: &[&str], _deadline_ms: i64) -> Result<Vec<Vec<f32>>> {
        // Pairs that say the same come one after the other, and in the same order in every language.
        let pairs = texts.len() / 2 / Tongue::ALL.len();
        let place =
            |text: usize| (0..pairs).map(|pair| f32::from(u8::from(pair == text / 2 % pairs))).collect();
        Ok((0..texts.len()).map(place).collect())
    }
}

/// Characters without kana may be Chinese or Japanese: words in common say as much whichever they are taken for.
#[test]
fn kanji_alone_are_found_by_japanese_and_by_chinese() {
    let languages = Some(Languages::ask(&Polyglot, 0).expect("it answers"));
    let mut mind = Mind::default();
    for (number, text) in
        ["京都会議延期", "宿の朝ごはんは静かだった", "The harbour was quiet"].into_iter().enumerate()
    {
        mind.keep(kept(number, text.to_owned(), place(number, number, true)), None);
    }
    let score = |said: &str, tongue: Tongue| {
        assert_eq!(Tongue::of(said), Some(tongue), "{said}");
        let question = Question {
            said: Said::of(["京都会議"].into_iter()),
            meaning: Some(place(77, 1, true)),
            bearing: Bearing { languages, ..Bearing::default() },
            tongue: Tongue::of(said),
            ..Question::default()
        };
        let found = recollect(&mind, &question, &RecallRules::default(), &|_| true, &Laps::default());
        found.iter().find(|candidate| candidate.slot == 0).map(|candidate| candidate.score)
    };
    let by_japanese = score("京都の会議はどうなった？", Tongue::Japanese);
    assert!(by_japanese.is_some_and(|score| score > 0.0));
    assert_eq!(by_japanese, score("京都会議", Tongue::Chinese));
    assert!(by_japanese > score("The meeting in Kyoto", Tongue::English), "English shares no words with it");
}
