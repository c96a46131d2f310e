//! What does a map show: does alike lie together, does everything add up, and is it the same each time?

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use reverie_core::embed::Vector;
use reverie_core::map::{By, MapQuery, MemoryMap, When, draw};
use reverie_core::memory::{Held, Kind, Memory, Origin, State};
use reverie_core::mind::{Mind, Note};
use reverie_core::{CharacterId, Code, MemoryId};

/// A memory as a test tells it.
#[derive(Debug, Clone)]
struct Told {
    number: u64,
    text: String,
    keywords: Vec<String>,
    vector: Vec<f32>,
}

impl Told {
    fn note(&self) -> Note {
        let kind = if self.number.is_multiple_of(3) { Kind::Semantic } else { Kind::Episodic };
        let emotions = if self.number.is_multiple_of(2) { vec!["快乐".to_owned()] } else { Vec::new() };
        let memory = Memory {
            id: id(self.number),
            kind,
            origin: Origin::Hand,
            text: self.text.clone(),
            sources: Vec::new(),
            from: Vec::new(),
            about: Vec::new(),
            importance: (self.number % 10) as f64 / 10.0,
            keywords: self.keywords.clone(),
            topics: Vec::new(),
            emotions,
            tick: (!self.number.is_multiple_of(5)).then_some(self.number as i64),
            wall_ms: self.number as i64 * 1000,
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

    fn put(&self, mind: &mut Mind) {
        let vectors: Vec<Vector> = Vector::normal(self.vector.clone()).into_iter().collect();
        mind.put(self.note(), &vectors);
    }
}

fn id(number: u64) -> MemoryId {
    MemoryId::new(number).expect("a number")
}

fn mind(all: &[Told]) -> Mind {
    let mut mind = Mind::default();
    all.iter().for_each(|told| told.put(&mut mind));
    mind
}

fn whole(points: usize) -> MapQuery {
    MapQuery { points, cluster: None, when: When::default() }
}

fn drawn(mind: &Mind, query: &MapQuery) -> MemoryMap {
    draw(mind, query).expect("a map")
}

/// Evenings of three kinds, told in two languages; the last number of a vector is what all have in common.
const EVENINGS: [(&str, &str, [f32; 4]); 12] = [
    ("昨晚我们吃了火锅。", "火锅 辣椒", [1.0, 0.1, 0.0, 1.0]),
    ("The chili was far too hot.", "chili 火锅", [0.9, 0.0, 0.1, 1.0]),
    ("他又点了火锅，加了一份毛肚。", "火锅 毛肚", [1.0, 0.0, 0.1, 1.0]),
    ("We ate hotpot until midnight.", "hotpot 火锅", [1.1, 0.1, 0.1, 1.0]),
    ("灯塔在暴风雨里亮着。", "灯塔 暴风雨", [0.0, 1.0, 0.1, 1.0]),
    ("The lighthouse went dark in the storm.", "storm 灯塔", [0.1, 1.0, 0.0, 1.0]),
    ("暴风雨打坏了灯塔的窗。", "灯塔 窗户", [0.0, 0.9, 0.0, 1.0]),
    ("She watched the storm from the tower.", "tower 灯塔", [0.1, 1.1, 0.1, 1.0]),
    ("猫睡在书上。", "猫咪 书本", [0.1, 0.0, 1.0, 1.0]),
    ("The cat stole a fish.", "猫咪 fish", [0.0, 0.1, 1.0, 1.0]),
    ("猫偷了一条鱼。", "猫咪 鱼干", [0.1, 0.1, 0.9, 1.0]),
    ("Her cat is called Miso.", "猫咪 miso", [0.0, 0.0, 1.1, 1.0]),
];

fn evenings(with_vectors: bool) -> Vec<Told> {
    let told = |(number, (text, keywords, vector)): (usize, &(&str, &str, [f32; 4]))| Told {
        number: number as u64 + 1,
        text: (*text).to_owned(),
        keywords: keywords.split(' ').map(str::to_owned).collect(),
        vector: if with_vectors { vector.to_vec() } else { Vec::new() },
    };
    EVENINGS.iter().enumerate().map(told).collect()
}

/// Which memories lie together, and by which words they are known first.
fn told_clusters(map: &MemoryMap) -> Vec<(Vec<u64>, String)> {
    let mut told: Vec<(Vec<u64>, String)> = Vec::new();
    for cluster in &map.clusters {
        let mine = map.points.iter().filter(|point| point.cluster == cluster.id);
        let mut numbers: Vec<u64> = mine.map(|point| point.note.held.memory.id.get()).collect();
        numbers.sort_unstable();
        let words: Vec<&str> = cluster.words.iter().take(2).map(String::as_str).collect();
        told.push((numbers, words.join(" ")));
    }
    told.sort();
    told
}

#[test]
fn what_is_alike_lies_together_by_meaning_and_by_words() {
    let expected = [
        (vec![1, 2, 3, 4], "火锅 chili".to_owned()),
        (vec![5, 6, 7, 8], "灯塔 tower".to_owned()),
        (vec![9, 10, 11, 12], "猫咪 miso".to_owned()),
    ];
    for (by, with_vectors) in [(By::Meaning, true), (By::Words, false)] {
        let map = drawn(&mind(&evenings(with_vectors)), &whole(100));
        assert_eq!((map.by, map.memories, map.placed), (by, 12, 12));
        assert_eq!(told_clusters(&map), expected, "{by:?}");
    }
}

#[test]
fn a_map_tells_how_much_there_is_of_each() {
    let mind = mind(&evenings(true));
    let map = drawn(&mind, &whole(100));
    let fire = map.clusters.iter().find(|cluster| cluster.words.contains(&"火锅".to_owned())).expect("there");
    assert_eq!(
        (fire.memories, fire.kinds.get(&Kind::Semantic), fire.kinds.get(&Kind::Episodic)),
        (4, Some(&1), Some(&3))
    );
    assert_eq!(fire.emotions, BTreeMap::from([("快乐".to_owned(), 2)]));
    assert!((fire.importance - 0.25).abs() < 1e-9, "{}", fire.importance);
    assert_eq!(
        (fire.from.wall_ms, fire.to.wall_ms, fire.from.tick, fire.to.tick),
        (Some(1000), Some(4000), Some(1), Some(4))
    );
    // Of each those that matter most; of one group more, if that is asked for.
    let few = drawn(&mind, &whole(3));
    let mut numbers: Vec<u64> = few.points.iter().map(|point| point.note.held.memory.id.get()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [4, 8, 9]);
    let of_one = drawn(&mind, &MapQuery { cluster: Some(fire.id), ..whole(3) });
    let numbers: Vec<u64> = of_one.points.iter().map(|point| point.note.held.memory.id.get()).collect();
    assert_eq!((numbers, of_one.clusters.len()), (vec![4, 3, 2], 3));
    let nobody = draw(&mind, &MapQuery { cluster: Some(id(99)), ..whole(3) }).expect_err("there is none");
    assert_eq!(nobody.code(), Code::NotFound);
}

#[test]
fn a_stretch_of_time_moves_nothing() {
    let mind = mind(&evenings(true));
    let all = drawn(&mind, &whole(100));
    let places = |map: &MemoryMap| -> BTreeMap<MemoryId, (u64, u64)> {
        let place = |x: f64, y: f64| (x.to_bits(), y.to_bits());
        map.points.iter().map(|point| (point.note.held.memory.id, place(point.x, point.y))).collect()
    };
    for (when, expected) in [
        (When { from_ms: Some(3000), to_ms: Some(6000), ..When::default() }, vec![3, 4, 5]),
        (When { from_ms: Some(12_000), ..When::default() }, vec![12]),
        (When { to_tick: Some(7), ..When::default() }, vec![1, 2, 3, 4, 6]),
        (When { from_tick: Some(9), to_tick: Some(11), ..When::default() }, vec![9]),
        (When { to_ms: Some(0), ..When::default() }, vec![]),
    ] {
        let some = drawn(&mind, &MapQuery { when, ..whole(100) });
        let expected: BTreeSet<MemoryId> = expected.into_iter().map(id).collect();
        assert_eq!((some.memories, some.placed), (expected.len(), expected.len()));
        assert_eq!(places(&some).into_keys().collect::<BTreeSet<_>>(), expected);
        assert!(places(&some).iter().all(|(id, place)| places(&all).get(id) == Some(place)));
        let circles =
            |map: &MemoryMap| map.clusters.iter().map(|one| (one.id, one.words.clone())).collect::<Vec<_>>();
        assert_eq!(circles(&some), circles(&all));
    }
}

#[test]
fn what_has_no_vector_among_many_that_have_is_counted_and_not_placed() {
    let mut told = evenings(true);
    told.iter_mut().take(3).for_each(|told| told.vector.clear());
    let map = drawn(&mind(&told), &whole(100));
    assert_eq!((map.by, map.memories, map.placed), (By::Meaning, 12, 9));
    told.iter_mut().take(7).for_each(|told| told.vector.clear());
    let map = drawn(&mind(&told), &whole(100));
    assert_eq!((map.by, map.memories, map.placed), (By::Words, 12, 12));
}

#[test]
fn few_memories_are_a_map_too() {
    let empty = drawn(&Mind::default(), &whole(9));
    assert_eq!((empty.memories, empty.clusters.len(), empty.points.len()), (0, 0, 0));
    let one = drawn(&mind(&evenings(true)[..1]), &whole(9));
    assert_eq!((one.clusters.len(), one.points.len()), (1, 1));
    let same = |number| Told { number, ..evenings(true)[0].clone() };
    let map = drawn(&mind(&(1..50).map(same).collect::<Vec<_>>()), &whole(9));
    assert_eq!((map.clusters.len(), map.placed, map.points.len()), (1, 49, 9), "all say the same");
    let nothing = Told { number: 1, text: "？！".to_owned(), keywords: Vec::new(), vector: Vec::new() };
    let map = drawn(&mind(&[nothing]), &whole(9));
    assert_eq!((map.by, map.memories, map.placed), (By::Words, 1, 0), "it means nothing");
}

const WORDS: [&str; 10] =
    ["lamp", "harbour", "Mary", "storm", "火锅", "打猎", "北山", "ドラゴン", "猫", "灯台"];

/// Any memories: with and without words and vectors, alike and not.
fn any_memories() -> impl Strategy<Value = Vec<Told>> {
    let one = (
        proptest::collection::vec(0..WORDS.len(), 0..4),
        proptest::option::weighted(0.8, proptest::array::uniform6(-3i8..4)),
    );
    proptest::collection::vec(one, 0..120).prop_map(|all| {
        let told = |(number, (words, vector)): (usize, (Vec<usize>, Option<[i8; 6]>))| {
            let words: Vec<String> =
                words.iter().filter_map(|word| WORDS.get(*word)).map(|word| (*word).to_owned()).collect();
            let vector = vector.into_iter().flatten().map(f32::from).collect();
            Told { number: number as u64 + 1, text: words.join(" "), keywords: words, vector }
        };
        all.into_iter().enumerate().map(told).collect()
    })
}

/// Everything of a map, to the last bit.
fn essence(map: &MemoryMap) -> String {
    let points: Vec<_> = map
        .points
        .iter()
        .map(|point| (point.note.held.memory.id, point.cluster, point.x.to_bits(), point.y.to_bits()))
        .collect();
    format!("{:?} {} {} {:?} {points:?}", map.by, map.memories, map.placed, map.clusters)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn everything_lies_inside_and_adds_up(told in any_memories(), points in 1usize..150) {
        let map = drawn(&mind(&told), &whole(points));
        prop_assert_eq!(map.memories, told.len());
        prop_assert!(map.placed <= map.memories);
        prop_assert_eq!(map.clusters.iter().map(|cluster| cluster.memories).sum::<usize>(), map.placed);
        prop_assert_eq!(map.points.len(), points.min(map.placed));
        for (at, cluster) in map.clusters.iter().enumerate() {
            prop_assert_eq!(cluster.kinds.values().sum::<usize>(), cluster.memories);
            prop_assert!(cluster.memories > 0 && cluster.radius > 0.0);
            for value in [cluster.x, cluster.y] {
                prop_assert!(value.abs() + cluster.radius <= 1.0 + 1e-9, "{:?}", cluster);
            }
            for other in map.clusters.iter().skip(at + 1) {
                let far = ((cluster.x - other.x).powi(2) + (cluster.y - other.y).powi(2)).sqrt();
                prop_assert!(far >= cluster.radius + other.radius - 1e-9, "{:?} covers {:?}", cluster, other);
            }
        }
        let mut seen = BTreeSet::new();
        for point in &map.points {
            let memory = &point.note.held.memory;
            prop_assert!(seen.insert(memory.id), "each once");
            prop_assert!(told.iter().any(|told| id(told.number) == memory.id));
            let cluster = map.clusters.iter().find(|cluster| cluster.id == point.cluster).expect("there");
            let far = ((cluster.x - point.x).powi(2) + (cluster.y - point.y).powi(2)).sqrt();
            prop_assert!(far <= cluster.radius + 1e-6);
        }
    }

    #[test]
    fn the_same_memories_are_the_same_map(told in any_memories(), gone in proptest::collection::vec(0usize..120, 0..30)) {
        let straight = mind(&told);
        let mut winding = Mind::default();
        for told in told.iter().rev() {
            told.put(&mut winding);
        }
        // A look in between must not stay.
        drawn(&winding, &whole(5));
        for at in &gone {
            if let Some(told) = told.get(*at) {
                winding.remove(id(told.number));
                drawn(&winding, &whole(5));
                told.put(&mut winding);
            }
        }
        prop_assert_eq!(essence(&drawn(&straight, &whole(200))), essence(&drawn(&winding, &whole(200))));
    }
}
