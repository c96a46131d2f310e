//! How does a character get a hundred thousand memories quickly, so that it looks as if it had lived through them?
//!
//! A line and a memory of it each, in one talk a character, with words as people use them: few very often, most of them seldom.
//! Vectors stand around topics, as those of a model do.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, ensure};
use reverie_core::conversation::{Append, OpenConversation};
use reverie_core::embed::{Embeddable, Embedded, Embedder, Vector};
use reverie_core::fingerprint::fingerprint_of_text;
use reverie_core::line::NewLine;
use reverie_core::memories::{Commit, Committed, Effect, Memories, NewMemory};
use reverie_core::memory::{Kind, Layer, Origin, Source, State};
use reverie_core::world::WorldPatch;
use reverie_core::{Attribute, CharacterId, ConversationId, Line, Store, Who, WorldId};
use reverie_sqlite::{Options, SqliteStore};

use crate::Workshop;
use crate::dialogue::Dice;
use crate::world;

pub(crate) const DIMENSIONS: usize = 384;
const TOPICS: usize = 1000;
const BATCH: usize = 500;
const DAY_MS: i64 = 86_400_000;
/// 2024-01-01.
const FIRST_MS: i64 = 1_704_067_200_000;
const LINES_A_DAY: usize = 40;
/// Changes with what is written, so that kept files of another kind are not used.
const LAYOUT: u32 = 1;

/// How many have how much in mind.
#[derive(Clone, Copy)]
pub(crate) struct Crowd {
    pub(crate) characters: usize,
    pub(crate) memories: usize,
}

pub(crate) fn world_id() -> Result<WorldId> {
    Ok(WorldId::new("bench")?)
}

pub(crate) fn character(number: usize) -> Result<CharacterId> {
    Ok(CharacterId::new(&format!("人{number}"))?)
}

pub(crate) fn room(number: usize) -> Result<ConversationId> {
    Ok(ConversationId::new(&format!("c{number}"))?)
}

/// The file with such a crowd, made if it is not there yet.
pub(crate) fn file(workshop: &Workshop, crowd: Crowd) -> Result<PathBuf> {
    let Crowd { characters, memories } = crowd;
    let schema = world::schema(workshop)?;
    let path = workshop.folder.join(format!("minds-{characters}-{memories}-{LAYOUT}-{schema:016x}.db"));
    if path.exists() {
        return Ok(path);
    }
    eprintln!("  making {characters} characters with {memories} memories each");
    let start = Instant::now();
    let unfinished = workshop.folder.join("unfinished-minds.db");
    world::remove(&unfinished);
    let store = SqliteStore::open(&unfinished, Options::default())?;
    let world = world_id()?;
    store.put_world(&world, &WorldPatch::default(), 0)?;
    let (mut dice, topics) = (Dice::new(29), Topics::new());
    for number in 0..characters {
        live(&store, &world, (number, memories), &mut dice, &topics)?;
    }
    store.tidy()?;
    drop(store);
    std::fs::rename(&unfinished, &path)?;
    eprintln!("  made in {:.1} s", start.elapsed().as_secs_f64());
    Ok(path)
}

/// One character talks to a traveller, and remembers every line.
fn live(
    store: &SqliteStore,
    world: &WorldId,
    (number, memories): (usize, usize),
    dice: &mut Dice,
    topics: &Topics,
) -> Result<()> {
    let (one, traveller) = (character(number)?, CharacterId::new("旅人")?);
    let people = vec![Who::Id(one.clone()), Who::Id(traveller.clone())];
    let open =
        OpenConversation { id: Some(room(number)?), participants: people, ..OpenConversation::default() };
    let room = store.open_conversation(world, &open)?.0.id;
    let mut done = 0;
    while done < memories {
        let lines: Vec<NewLine> = (done..memories.min(done + BATCH))
            .map(|place| {
                let (speaker, attribute) = match place % 2 {
                    0 => (&traveller, Attribute::User),
                    _ => (&one, Attribute::Assistant),
                };
                let mut line = NewLine::new(attribute, Some(Who::Id(speaker.clone())), sentence(dice, 8));
                let (day, of_day) = (place / LINES_A_DAY, place % LINES_A_DAY);
                line.wall_ms = Some(FIRST_MS + day as i64 * DAY_MS + of_day as i64 * 60_000);
                line
            })
            .collect();
        done += lines.len();
        let said = store.append(world, &room, Append { lines, ..Append::default() })?.lines;
        let effects: Vec<Effect> =
            said.iter().map(|line| Effect::Remember(memory_of(line, &one, &traveller))).collect();
        let Committed::Done { memories: ids, .. } =
            store.commit(world, &Commit { guards: Vec::new(), effects })?
        else {
            anyhow::bail!("somebody else changes this file")
        };
        ensure!(ids.len() == said.len(), "a memory is missing");
        let embedded: Vec<Embedded> = ids
            .into_iter()
            .zip(&said)
            .map(|(memory, line)| Embedded {
                what: Embeddable::Memory { world: world.clone(), memory },
                digest: fingerprint_of_text(&line.wording.content),
                chunks: vec![topics.vector(&line.wording.content)],
            })
            .collect();
        store.put_vectors(topics.space(), &embedded)?;
    }
    Ok(())
}

fn memory_of(line: &Line, holder: &CharacterId, about: &CharacterId) -> NewMemory {
    NewMemory {
        fingerprint: None,
        kind: Kind::Episodic,
        origin: Origin::Round,
        text: line.wording.content.clone(),
        sources: vec![Source { line: line.id, version: line.version }],
        from: Vec::new(),
        about: vec![about.clone()],
        importance: 0.6,
        keywords: line.wording.content.split(' ').take(2).map(str::to_owned).collect(),
        topics: Vec::new(),
        emotions: Vec::new(),
        tick: None,
        wall_ms: line.wall_ms,
        model: None,
        holders: vec![(holder.clone(), State::new(Some(Layer::Active), None))],
    }
}

const IDEOGRAPHS: &str = "灯塔海风雨夜船帆山林火光城门钥匙信纸雪花茶杯刀剑龙猫狗马桥河田星月云雷石金木歌画书";
const SYLLABLES: &[&str] = &[
    "ka", "lo", "mir", "ten", "sha", "vor", "eli", "dun", "bra", "cor", "fen", "gul", "hax", "iro", "jun",
    "kel", "lam", "nor", "oda", "pel", "qui", "ras", "sol", "tir", "umb", "vex", "wen", "yar", "zin", "ost",
];

/// So many words, Chinese and English; the first ones of a vocabulary of thousands are said most.
pub(crate) fn sentence(dice: &mut Dice, words: usize) -> String {
    let ideographs: Vec<char> = IDEOGRAPHS.chars().collect();
    let mut skewed = |below: usize| {
        let end = dice.below(below) + 1;
        dice.below(end)
    };
    let mut text = String::new();
    for word in 0..words {
        let (first, second) = (skewed(ideographs.len()), skewed(ideographs.len()));
        match word % 2 {
            0 => text.extend([first, second].iter().filter_map(|place| ideographs.get(*place))),
            _ => {
                let syllables =
                    [first, second, first + second].map(|place| SYLLABLES.get(place % SYLLABLES.len()));
                syllables.into_iter().flatten().for_each(|syllable| text.push_str(syllable));
            }
        }
        text.push(' ');
    }
    text.trim_end().to_owned()
}

/// A space of topics: a text stands near one of them, which its letters decide.
pub(crate) struct Topics {
    common: Vec<f32>,
    topics: Vec<Vec<f32>>,
}

/// How much of a vector all texts share, those of a topic share, and is its own.
const COMMON: f32 = 0.3;
const TOPIC: f32 = 0.6;
const OWN: f32 = 0.74;

impl Topics {
    pub(crate) fn new() -> Self {
        let mut dice = Dice::new(5);
        let common = direction(&mut dice);
        Self { common, topics: (0..TOPICS).map(|_| direction(&mut dice)).collect() }
    }

    pub(crate) fn vector(&self, text: &str) -> Vector {
        let hash = text.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        let mut dice = Dice::new(hash);
        let topic = dice.pick(&self.topics).map(Vec::as_slice).unwrap_or_default();
        let own = direction(&mut dice);
        let values = self.common.iter().zip(topic).zip(own);
        let values: Vec<f32> = values.map(|((c, t), o)| COMMON * c + TOPIC * t + OWN * o).collect();
        Vector::normal(values.clone()).unwrap_or_else(|| Vector(values.into()))
    }
}

/// Any direction, as likely as any other one: the hardest case for whoever rules out what is far.
pub(crate) fn direction(dice: &mut Dice) -> Vec<f32> {
    let mut part = || dice.below(1 << 16) as f32 / 65_536.0 - 0.5;
    let values: Vec<f32> = (0..DIMENSIONS).map(|_| part() + part() + part() + part()).collect();
    Vector::normal(values).map(|vector| vector.0.to_vec()).unwrap_or_default()
}

impl Embedder for Topics {
    fn space(&self) -> &str {
        "topics"
    }

    fn is_local(&self) -> bool {
        true
    }

    fn embed(&self, texts: &[&str], _: i64) -> reverie_core::Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| self.vector(text).0.to_vec()).collect())
    }
}
