//! Is a map drawn by meaning with no key and no network, and by words where nothing has a meaning yet?

#![cfg(feature = "offline")]

use std::collections::BTreeMap;

use reverie::map::{By, MapQuery, MemoryMap, When};
use reverie::memory::Kind;
use reverie::world::WorldPatch;
use reverie::{CharacterId, Remember, Slice, Who, WorldId};

/// Of three things, in two languages, without a word in common.
const TOLD: [(&str, &str); 12] = [
    ("food", "我最爱吃四川火锅"),
    ("food", "晚饭做了红烧肉和青菜"),
    ("food", "The noodle soup tasted of pepper"),
    ("food", "面包和奶酪当早餐"),
    ("weather", "昨天夜里下了一场暴雨"),
    ("weather", "It snowed for three days"),
    ("weather", "今天多云转晴，风很大"),
    ("weather", "雷阵雨之后天气转凉"),
    ("animals", "我家养了一只金毛犬"),
    ("animals", "The kitten chased the dog"),
    ("animals", "兔子和小猫在院子里打架"),
    ("animals", "那匹马跑得比狗还快"),
];

fn remember(text: &str, holder: &CharacterId) -> Remember {
    Remember {
        text: text.to_owned(),
        holders: vec![Who::Id(holder.clone())],
        about: None,
        kind: Kind::Episodic,
        importance: None,
        keywords: None,
        topics: Vec::new(),
        emotions: Vec::new(),
        tick: None,
        wall_ms: None,
        pinned: false,
        shareable: false,
        key: None,
    }
}

/// How often two of one thing lie together, and two of different things.
fn together(map: &MemoryMap) -> (usize, usize) {
    let thing: BTreeMap<&str, &str> = TOLD.iter().map(|(thing, text)| (*text, *thing)).collect();
    let (mut alike, mut apart) = (0, 0);
    for (at, one) in map.points.iter().enumerate() {
        for other in map.points.iter().skip(at + 1).filter(|other| other.cluster == one.cluster) {
            match thing.get(one.note.held.text()) == thing.get(other.note.held.text()) {
                true => alike += 1,
                false => apart += 1,
            }
        }
    }
    (alike, apart)
}

#[test]
fn a_map_is_of_meanings_as_soon_as_there_are_some() {
    let folder = tempfile::tempdir().unwrap();
    let memory = reverie::open(&format!("sqlite:{}", folder.path().join("memory.db").display())).unwrap();
    let world = WorldId::new("w").unwrap();
    let embedder = |name: &str| WorldPatch {
        settings: [("embedder".to_owned(), name.to_owned())].into(),
        ..WorldPatch::default()
    };
    memory.put_world(&world, embedder("none")).unwrap();
    let (ann, bob) = (CharacterId::new("ann").unwrap(), CharacterId::new("bob").unwrap());
    for (_, text) in TOLD {
        memory.remember(&world, remember(text, &ann)).unwrap();
    }
    memory.remember(&world, remember("鲍勃的秘密", &bob)).unwrap();
    let query = MapQuery { points: 100, cluster: None, when: When::default() };
    let before = memory.memory_map(&world, &ann, &query).unwrap();
    assert_eq!((before.by, before.space.is_none(), before.memories), (By::Words, true, 12));
    memory.put_world(&world, embedder("offline")).unwrap();
    memory.engine().digest(&Slice { world: None, now: true, go_on: &|| true }).unwrap();
    let map = memory.memory_map(&world, &ann, &query).unwrap();
    assert_eq!((map.by, map.space.is_some(), map.memories, map.placed), (By::Meaning, true, 12, 12));
    assert!(map.points.iter().all(|point| point.note.held.holder == ann), "nothing of others");
    let (alike, apart) = together(&map);
    assert!(
        alike >= 9 && alike > 3 * apart,
        "{alike} pairs of one thing and {apart} of different ones lie together"
    );
    assert!(together(&before).0 < alike, "words in common say less");
}
