//! Which dialogues could a host hand in, however odd? Random ones, for property tests.
//!
//! Names and ids come from small pools, so that they collide: the same id in two namespaces, one name for two
//! characters, a player who speaks under a character's name.

use crate::{Line, Speaker};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use reverie_core::attribute::Attribute;
use reverie_core::perspective::{AddressedNames, Brackets, Profile, SceneEmotion};

/// Never part of a random text, so that a test can mark its lines with them.
pub const MARKER_OPEN: char = '«';
pub const MARKER_CLOSE: char = '»';

const IDS: &[&str] = &["1", "2", "npc-1", ""];
const NAMES: &[&str] = &["钦灵", "白小喵", "莱姆", "旁白", "Narrator", "ライム", "Alice", ""];
const PHRASES: &[&str] = &[
    "",
    "你好呀",
    "怎么今天来找我玩啦，作业写完了吗？",
    "こんにちは、ライム",
    "がぎぐ",
    "Good evening.",
    "é ñ ß",
    "👩‍👩‍👧‍👦🎄",
    "{旁白：不是场景}",
    "【开心】",
    "<tts>",
    "（笑）",
    "}\n{",
    "\n",
    " ",
    "：",
    "未知",
    "|",
    "\u{0}",
];

/// Up to 24 lines of anybody, to anybody.
pub fn dialogues() -> impl Strategy<Value = Vec<Line>> {
    prop::collection::vec(lines(), 0..24)
}

pub fn lines() -> impl Strategy<Value = Line> {
    // Assistant lines twice as often, as in real dialogues: they are own or foreign.
    let attribute = select(vec![
        Attribute::System,
        Attribute::User,
        Attribute::User,
        Attribute::Assistant,
        Attribute::Assistant,
        Attribute::Assistant,
    ]);
    let witnesses = option::weighted(0.2, prop::collection::vec(speakers(), 0..3));
    (attribute, speakers(), texts(), parts(), parts(), parts(), witnesses).prop_map(
        |(attribute, speaker, content, emotion, tts, action, witnesses)| Line {
            // A direction reaches its addressee and nobody else: it has no other witnesses.
            witnesses: witnesses.filter(|_| attribute != Attribute::System),
            attribute,
            speaker,
            content,
            emotion,
            tts,
            action,
        },
    )
}

/// Somebody, or nobody: each part may be missing or empty.
pub fn speakers() -> impl Strategy<Value = Speaker> {
    let id = || option::weighted(0.4, select(IDS).prop_map(str::to_owned));
    let name = option::weighted(0.8, select(NAMES).prop_map(str::to_owned));
    (id(), id(), name).prop_map(|(role_id, script_role_id, display_name)| Speaker {
        role_id,
        script_role_id,
        display_name,
    })
}

/// Both presets, and any punctuation of one's own.
pub fn profiles() -> impl Strategy<Value = Profile> {
    prop_oneof![Just(Profile::example()), Just(Profile::rule_text()), custom_profiles()]
}

fn custom_profiles() -> impl Strategy<Value = Profile> {
    let mark = || select(&["", " ", "\n", "*", "[[", "》", "——", "🎭"][..]).prop_map(str::to_owned);
    let brackets = move || (mark(), mark()).prop_map(|(open, close)| Brackets { open, close });
    let emotion_in_scene = select(vec![SceneEmotion::Hidden, SceneEmotion::BeforeContent]);
    let addressed_names =
        select(vec![AddressedNames::Hidden, AddressedNames::WhenSeveral, AddressedNames::Always]);
    (
        (brackets(), brackets(), brackets(), brackets()),
        (mark(), mark(), mark(), mark(), mark(), mark()),
        (emotion_in_scene, addressed_names),
    )
        .prop_map(|((scene, emotion, tts, action), marks, (emotion_in_scene, addressed_names))| {
            let (name_separator, unknown_name, scene_joiner, after_scene, addressed_joiner, own_joiner) =
                marks;
            Profile {
                scene,
                emotion,
                tts,
                action,
                name_separator,
                unknown_name,
                scene_joiner,
                after_scene,
                addressed_joiner,
                own_joiner,
                emotion_in_scene,
                addressed_names,
            }
        })
}

/// A few phrases in any language, or anything printable.
fn texts() -> impl Strategy<Value = String> {
    let phrases = prop::collection::vec(select(PHRASES), 0..4).prop_map(|phrases| phrases.concat());
    let anything = prop::collection::vec(any::<char>(), 0..12)
        .prop_map(|text| text.into_iter().filter(|c| ![MARKER_OPEN, MARKER_CLOSE].contains(c)).collect());
    prop_oneof![4 => phrases, 1 => anything]
}

fn parts() -> impl Strategy<Value = Option<String>> {
    option::of(texts())
}

/// Edits that break a seed a little: where, with what, and how.
pub fn edits() -> impl Strategy<Value = Vec<(prop::sample::Index, u8, u8)>> {
    prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..8)
}

/// A seed after such edits, as a fuzzer would try it.
pub fn mutated(seed: &[u8], edits: Vec<(prop::sample::Index, u8, u8)>) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for (at, byte, edit) in edits {
        let at = at.index(bytes.len().max(1));
        match (edit, bytes.get_mut(at)) {
            (0, Some(there)) => *there = byte,
            (1, Some(_)) => drop(bytes.remove(at)),
            (2, _) => bytes.insert(at.min(bytes.len()), byte),
            _ => bytes.truncate(bytes.len().saturating_sub(at % 16)),
        }
    }
    bytes
}
