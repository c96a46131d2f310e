//! Does a mind answer the same whatever happened to it before, and exactly what reading everything would?

use proptest::prelude::*;
use reverie_core::embed::Vector;
use reverie_core::laps::Laps;
use reverie_core::memory::{Held, Kind, Memory, Origin, State};
use reverie_core::mind::{Mind, Said};
use reverie_core::rank::{Question, recollect};
use reverie_core::recollection::{Kept, Place};
use reverie_core::settings::RecallRules;
use reverie_core::{CharacterId, MemoryId};

const WORDS: &[&str] = &[
    "lamp",
    "harbour",
    "hunting",
    "Mary",
    "the ring",
    "storm at sea",
    "火锅",
    "打猎",
    "北山",
    "灯塔",
    "昨天下雨",
    "我们去钓鱼",
    "ドラゴン",
    "猫が好き",
    "灯台",
    "ＬＡＭＰ",
    "龍與劍",
];

fn note(number: u64, words: &[usize], vector: &[i8]) -> Kept {
    let text = words.iter().filter_map(|word| WORDS.get(*word)).copied().collect::<Vec<_>>().join(" ");
    let memory = Memory {
        id: MemoryId::new(number).expect("a number"),
        kind: Kind::Episodic,
        origin: Origin::Round,
        text,
        sources: Vec::new(),
        from: Vec::new(),
        about: Vec::new(),
        importance: 0.6,
        keywords: words
            .iter()
            .take(1)
            .filter_map(|word| WORDS.get(*word))
            .map(|word| (*word).to_owned())
            .collect(),
        topics: Vec::new(),
        emotions: Vec::new(),
        tick: None,
        wall_ms: number as i64 * 3_600_000,
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
    let stands = Some(Place { conversation: number % 2, order: number });
    let vectors = vector.chunks_exact(8).filter_map(place).collect();
    Kept { held, place: stands, names: Vec::new(), vectors }
}

fn place(values: &[i8]) -> Option<Vector> {
    Vector::normal(values.iter().map(|value| f32::from(*value)).collect())
}

/// What is said, where it stands, and all that comes to mind, to the last bit.
fn answers(mind: &Mind, said: &[&str], meaning: Option<&Vector>) -> Vec<(u64, u32, [u32; 3])> {
    let question =
        Question { said: Said::of(said.iter().copied()), meaning: meaning.cloned(), ..Question::default() };
    let found = recollect(mind, &question, &RecallRules::default(), &|_| true, &Laps::default());
    let told = |found: &reverie_core::rank::Candidate| {
        let parts = [found.parts.lexical, found.parts.semantic, found.parts.keyword];
        (
            mind.note(found.slot).expect("it was found").held.memory.id.get(),
            found.score.to_bits(),
            parts.map(f32::to_bits),
        )
    };
    found.iter().map(told).collect()
}

#[derive(Debug, Clone)]
enum Act {
    Put(u64, Vec<usize>, Vec<i8>),
    /// With the words that it has, if there is one.
    Change(u64, Vec<i8>, bool),
    Remove(u64),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let put = (1..20u64, prop::collection::vec(0..WORDS.len(), 1..6), prop::collection::vec(-9..9i8, 8..=16))
        .prop_map(|(number, words, vector)| Act::Put(number, words, vector));
    let change = (1..20u64, prop::collection::vec(-9..9i8, 0..=16), any::<bool>())
        .prop_map(|(number, vector, pinned)| Act::Change(number, vector, pinned));
    let remove = (1..20u64).prop_map(Act::Remove);
    prop::collection::vec(prop_oneof![4 => put, 3 => change, 1 => remove], 1..60)
}

proptest! {
    #[test]
    fn a_mind_knows_only_what_is_in_it_now(acts in acts(), said in prop::collection::vec(prop::sample::select(WORDS), 1..4), query in prop::collection::vec(-9..9i8, 8)) {
        let mut lived = Mind::default();
        let mut now = std::collections::BTreeMap::new();
        for act in acts {
            match act {
                Act::Put(number, words, vector) => {
                    lived.keep(note(number, &words, &vector), None);
                    now.insert(number, note(number, &words, &vector));
                }
                Act::Change(number, vector, pinned) => {
                    let Some(known) = now.get_mut(&number) else { continue };
                    known.vectors = vector.chunks_exact(8).filter_map(place).collect();
                    known.held.state.pinned = pinned;
                    known.held.version += 1;
                    lived.keep(known.clone(), None);
                }
                Act::Remove(number) => {
                    lived.remove(MemoryId::new(number).expect("a number"));
                    now.remove(&number);
                }
            }
        }
        // In another order, too.
        let mut anew = Mind::default();
        now.into_values().rev().for_each(|note| anew.keep(note, None));
        let query = place(&query);
        prop_assert_eq!(answers(&lived, &said, query.as_ref()), answers(&anew, &said, query.as_ref()));
        prop_assert_eq!(lived.len(), anew.len());
        let pinned = |mind: &Mind| -> std::collections::BTreeSet<MemoryId> {
            mind.pinned().filter_map(|slot| mind.note(slot)).map(|note| note.held.memory.id).collect()
        };
        prop_assert_eq!(pinned(&lived), pinned(&anew));
    }
}

/// A question, and the numbers of what it brings to mind, the nearest first.
#[test]
fn words_bring_to_mind_what_they_name() {
    let texts = [
        "张三: 明天我们去北山打猎吧。",
        "李四: 我不会打猎，我最爱吃四川火锅。",
        "Mary lost her ring by the old lighthouse while hunting.",
        "健: 灯台でドラゴンの話をする約束をした。",
        "張三答應把獵刀借給李四。",
    ];
    let mut mind = Mind::default();
    for (index, text) in texts.iter().enumerate() {
        let mut note = note(index as u64 + 1, &[], &[]);
        note.held.memory.text = (*text).to_owned();
        note.place = None;
        mind.keep(note, None);
    }
    for (said, expected) in [
        ("谁爱吃火锅？", &[2][..]),
        ("猎刀在谁那里", &[5]),
        ("Who hunted near a lighthouse?", &[3]),
        ("rings", &[3]),
        ("ﾄﾞﾗｺﾞﾝ", &[4]),
        ("北山", &[1]),
        ("的了吗", &[]),
        ("", &[]),
    ] {
        let found = answers(&mind, &[said], None);
        let first: Vec<u64> = found.iter().take(expected.len().max(1)).map(|(id, ..)| *id).collect();
        assert_eq!(first, expected, "{said}");
    }
}

/// What was said just before helps an answer that says nothing by itself; what was said days before does not.
#[test]
fn an_answer_is_found_by_its_question() {
    for (hours, expected) in [(1, &[1, 2][..]), (48, &[1])] {
        let mut mind = Mind::default();
        for (number, text, at) in
            [(1, "你最喜欢哪座灯塔？", 0), (2, "北边那座。", hours), (3, "今天吃面。", 900)]
        {
            let mut note = note(number, &[], &[]);
            note.held.memory.text = text.to_owned();
            note.held.memory.wall_ms = at * 3_600_000;
            note.place = Some(Place { conversation: 1, order: number });
            mind.keep(note, None);
        }
        let found: Vec<u64> = answers(&mind, &["灯塔"], None).iter().map(|(id, ..)| *id).collect();
        assert_eq!(found, expected, "{hours} hours later");
    }
}

#[test]
fn of_very_many_that_are_equally_near_some_are_looked_at() {
    const MANY: u64 = 3000;
    for (name, about) in [("Mira", "hunting"), ("钦灵", "打猎"), ("ミラ", "ドラゴン")] {
        let word = WORDS.iter().position(|word| *word == about).expect("one of them");
        let named = |number: u64| {
            let words: &[usize] = if number % 1000 == 500 { &[0, word] } else { &[0, 9] };
            Kept { names: vec![name.to_owned()], ..note(number, words, &[]) }
        };
        let (mut lived, mut anew) = (Mind::default(), Mind::default());
        (1..=MANY).for_each(|number| lived.keep(named(number), None));
        (1..=MANY).rev().for_each(|number| anew.keep(named(number), None));
        let asked = format!("{name} {about}");
        let found = answers(&lived, &[&asked], None);
        assert_eq!(found, answers(&anew, &[&asked], None), "whatever order they came in");
        let first: std::collections::BTreeSet<u64> = found.iter().take(3).map(|found| found.0).collect();
        assert_eq!(first, [500, 1500, 2500].into(), "what words speak for");
        let found = answers(&lived, &[name], None);
        assert!(found.len() < 1000, "{} are looked at", found.len());
        let is_found = |number: u64| found.iter().any(|found| found.0 == number);
        assert!(is_found(1) && is_found(MANY), "the oldest and the newest");
    }
}
