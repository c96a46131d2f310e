//! Are the nearest by meaning exactly those that reading every vector finds, whatever the vectors are like?

use std::collections::BTreeMap;

use proptest::prelude::*;
use reverie_core::embed::Vector;
use reverie_core::memory::{Held, Kind, Memory, Origin, State};
use reverie_core::mind::{Mind, Note};
use reverie_core::{CharacterId, MemoryId};

/// What a note has: its vectors, one behind the other, in whole numbers.
type Given = Vec<Vec<i8>>;

fn note(number: u64) -> Note {
    let memory = Memory {
        id: MemoryId::new(number).expect("a number"),
        kind: Kind::Episodic,
        origin: Origin::Hand,
        text: String::new(),
        sources: Vec::new(),
        from: Vec::new(),
        about: Vec::new(),
        importance: 0.5,
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
    Note::new(held, None, Vec::new(), None)
}

/// Of length 1 where it has a direction; where a host gave none, all zeros.
fn vector(values: &[i8]) -> Vector {
    let values: Vec<f32> = values.iter().map(|value| f32::from(*value)).collect();
    Vector::normal(values.clone()).unwrap_or_else(|| Vector(values.into()))
}

/// As a host may give it, of any length.
fn as_given(values: &[i8]) -> Vector {
    Vector(values.iter().map(|value| f32::from(*value) / 16.0).collect())
}

/// So many of the admitted, and whoever is as near as the last of them: slot by slot, to the last bit.
fn by_reading_all(
    notes: &BTreeMap<usize, Vec<Vector>>,
    query: &Vector,
    most: usize,
    is_admitted: &dyn Fn(usize) -> bool,
) -> Vec<(usize, u32)> {
    let mut all: Vec<(usize, f32)> = Vec::new();
    for (slot, vectors) in notes.iter().filter(|(slot, _)| is_admitted(**slot)) {
        let best = vectors.iter().map(|vector| query.cosine(vector)).reduce(f32::max);
        all.extend(best.map(|best| (*slot, best)));
    }
    let mut cosines: Vec<f32> = all.iter().map(|(_, cosine)| *cosine).collect();
    cosines.sort_by(|a, b| b.total_cmp(a));
    let least = cosines.get(most - 1).copied().unwrap_or(f32::NEG_INFINITY);
    all.retain(|(_, cosine)| *cosine >= least);
    all.into_iter().map(|(slot, cosine)| (slot, cosine.to_bits())).collect()
}

fn check(
    given: &[Given],
    gone: &[usize],
    query: &Vector,
    most: usize,
    every: usize,
    make: fn(&[i8]) -> Vector,
) -> Result<(), TestCaseError> {
    let mut mind = Mind::default();
    let mut notes: BTreeMap<usize, Vec<Vector>> = BTreeMap::new();
    for (index, given) in given.iter().enumerate() {
        let vectors: Vec<Vector> = given.iter().map(|values| make(values)).collect();
        let note = note(index as u64 + 1);
        let id = note.held.memory.id;
        mind.put(note, &vectors);
        notes.insert(mind.slot_of(id).expect("it was put"), vectors);
    }
    for index in gone {
        let id = MemoryId::new((index % given.len().max(1)) as u64 + 1).expect("a number");
        if let Some(slot) = mind.slot_of(id) {
            mind.remove(id);
            notes.remove(&slot);
        }
    }
    let is_admitted = |slot: usize| slot % every != every - 1 || every == 1;
    let found = mind.by_meaning(query, most, &is_admitted);
    let found: Vec<(usize, u32)> = found.iter().map(|near| (near.slot, near.cosine.to_bits())).collect();
    prop_assert_eq!(found, by_reading_all(&notes, query, most, &is_admitted));
    Ok(())
}

/// Notes of so many dimensions, with few different values or many, so that there are ties, twins, zeros and outliers; a query like
/// them.
fn worlds() -> impl Strategy<Value = (Vec<Given>, Vec<i8>)> {
    let kinds = prop_oneof![
        Just(prop_oneof![-100..=100i8].boxed()),
        Just(prop_oneof![8 => -1..=1i8, 1 => Just(0i8)].boxed()),
        Just(prop_oneof![20 => -3..=3i8, 1 => Just(127i8), 1 => Just(-128i8)].boxed()),
    ];
    let dimensions = prop_oneof![
        Just(1usize),
        Just(2),
        Just(7),
        Just(8),
        Just(31),
        Just(32),
        Just(33),
        Just(100),
        Just(384)
    ];
    (kinds, dimensions).prop_flat_map(|(values, dimensions)| {
        let one = prop::collection::vec(values, dimensions);
        let several = prop::collection::vec(one.clone(), 0..4);
        (prop::collection::vec(several, 1..60), one)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn the_nearest_are_those_that_reading_all_finds(
        (given, query) in worlds(),
        gone in prop::collection::vec(0..60usize, 0..20),
        most in 1..20usize,
        every in 1..4usize,
    ) {
        check(&given, &gone, &vector(&query), most, every, vector)?;
    }

    /// The bounds hold for whatever length a host's vectors have.
    #[test]
    fn they_are_so_for_vectors_of_any_length((given, query) in worlds(), most in 1..20usize) {
        check(&given, &[], &as_given(&query), most, 1, as_given)?;
    }

    /// Every note twice, many times over: whoever is as near as the last is found, too.
    #[test]
    fn twins_are_found_together((given, query) in worlds(), most in 1..5usize, times in 2..20usize) {
        let many: Vec<Given> = std::iter::repeat_n(given, times).flatten().take(400).collect();
        check(&many, &[], &vector(&query), most, 1, vector)?;
    }
}

/// Enough notes that most of them are ruled out by their upper halves.
#[test]
fn they_are_so_among_many() {
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 32) as i8
    };
    let mut one = || (0..384).map(|_| next() / 4 + next() / 4).collect::<Vec<i8>>();
    let given: Vec<Given> = (0..3000).map(|_| vec![one()]).collect();
    for most in [1, 10, 200] {
        check(&given, &[3, 5, 8], &vector(&one()), most, 3, vector).expect("the same as reading all");
    }
}
