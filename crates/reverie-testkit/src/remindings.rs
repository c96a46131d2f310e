//! Whatever a host does: is every memory in a prompt one that may be there, and is the prompt always the same?
//!
//! Two stores live through a story, and now and then people are asked something: over one store by an engine that has minds at
//! hand since the beginning and by one that has nothing, over the other one by a third. What may be told is read from the
//! plain store, memory by memory and line by line.

use std::collections::BTreeSet;
use std::sync::Arc;

use reverie_core::character::CharacterKind;
use reverie_core::clock::Clock;
use reverie_core::conversation::{LinesQuery, WhichLines};
use reverie_core::cue::{CueMessage, InlineLine, Recalled};
use reverie_core::embed::Embedder;
use reverie_core::layers::{Now, standings};
use reverie_core::line::Wording;
use reverie_core::memories::{HeldQuery, WhichHeld};
use reverie_core::memory::{Held, Kind, Source};
use reverie_core::rank::{Barred, Dropped, Fate};
use reverie_core::settings::{Audience, WorldSettings};
use reverie_core::store::{Place, Select};
use reverie_core::tokens::Counter;
use reverie_core::{
    Attribute, CharacterId, Conversation, ConversationId, Cue, Engine, Limits, MemoryId, Recall, Result,
    Store, Who, World, WorldId,
};

use crate::story::Step;
use crate::twins::{SPACE, Twins, Verdict};

/// What counts in all these worlds: all that comes to mind is told, so that much can go wrong.
const SETTINGS: [(&str, &str); 8] = [
    ("recall.threshold", "0"),
    ("recall.near_duplicate", "1"),
    ("recall.max_chars", "0"),
    ("recall.most.episodic", "1000"),
    ("recall.most.semantic", "1000"),
    ("recall.most.trait", "1000"),
    ("recall.most.goal", "1000"),
    ("layers.hour", "3"),
];

/// So many people are asked in each world, in so many rooms.
const PEOPLE: usize = 4;
const ROOMS: usize = 3;
const POLICIES: [&str; 3] = ["strict", "open", "same-conversation"];
const BUDGETS: [usize; 3] = [60, 200, 16_384];

struct Midday;

impl Clock for Midday {
    fn now_ms(&self) -> i64 {
        2_000
    }
}

/// Finds a place for each text in the space in which stories put vectors.
struct ThreeWays;

impl Embedder for ThreeWays {
    fn space(&self) -> &str {
        SPACE
    }

    fn is_local(&self) -> bool {
        true
    }

    fn embed(&self, texts: &[&str], _deadline_ms: i64) -> Result<Vec<Vec<f32>>> {
        let place = |text: &&str| {
            let sum: u32 = text.chars().map(u32::from).fold(0, u32::wrapping_add);
            vec![1.0, (sum % 7) as f32, (sum % 11) as f32]
        };
        Ok(texts.iter().map(place).collect())
    }
}

/// Two stores and those who are asked.
pub struct Remindings {
    model: Arc<dyn Store>,
    other: Arc<dyn Store>,
    warm: Engine,
}

/// What came of being asked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    /// How much was told.
    pub told: usize,
    /// How much was not for those who would have heard it.
    pub barred: usize,
    /// Of what was told, how much nobody remembers yet.
    pub lines: usize,
}

impl Tally {
    pub fn add(&mut self, other: &Self) {
        self.told += other.told;
        self.barred += other.barred;
        self.lines += other.lines;
    }
}

impl Remindings {
    pub fn new(model: Arc<dyn Store>, other: Arc<dyn Store>) -> Self {
        let warm = engine(&other);
        Self { model, other, warm }
    }

    /// Lives through a story, asking now and then, under one policy after the other.
    pub fn live(&self, story: &[Step]) -> Verdict<Tally> {
        let mut twins = Twins::new(self.model.as_ref(), self.other.as_ref());
        twins.settle_in()?;
        for (key, value) in SETTINGS {
            twins.set(key, value)?;
        }
        let mut tally = Tally::default();
        for (turn, steps) in story.chunks(6).enumerate() {
            steps.iter().try_for_each(|step| twins.take_step(&readable(step)))?;
            twins.set("audience", POLICIES.get(turn % POLICIES.len()).copied().unwrap_or_default())?;
            for world in twins.worlds() {
                let asked = self.ask_everybody(world).map_err(|why| format!("after {steps:?}: {why}"))?;
                tally.add(&asked);
            }
        }
        Ok(tally)
    }

    fn ask_everybody(&self, world: &WorldId) -> Verdict<Tally> {
        let page = |limit| Select::Page { after: None, limit };
        let say = |error: reverie_core::Error| error.to_string();
        let people = self.model.characters(world, &page(PEOPLE)).map_err(say)?;
        let rooms = self.model.conversations(world, &page(ROOMS)).map_err(say)?;
        let mut tally = Tally::default();
        for (turn, person) in people.iter().enumerate() {
            for (place, room) in rooms.iter().enumerate() {
                let mut cue = Cue::new(Who::Id(person.id.clone()), Place::Conversation(room.id.clone()));
                cue.budget = BUDGETS.get((turn + place) % BUDGETS.len()).copied();
                cue.history_limit = Some(2 * place);
                let numbers: Vec<String> = (1..60).map(|number| number.to_string()).collect();
                let content = format!("说改写心里的 开心 {}", numbers.join(" "));
                cue.message = (place != 1).then_some(CueMessage { content, speaker: None });
                if turn % 2 == 1 {
                    cue.with = people.iter().take(turn).map(|other| Who::Id(other.id.clone())).collect();
                }
                // Whoever is given a voice hears what is told; a narrator is nobody.
                let mut room = room.clone();
                let voiced = people.iter().filter(|other| cue.with.contains(&Who::Id(other.id.clone())));
                let voiced = voiced.filter(|other| other.card.kind == CharacterKind::Person);
                room.present.extend(voiced.map(|other| other.id.clone()));
                tally.add(&self.asked(world, &room, &cue)?);
                // Whoever is asked for by name brings all that there is of them, and no more.
                if let Some(other) =
                    people.get((turn + place + 1) % people.len().max(1)).filter(|_| place == 0)
                {
                    let content = format!("{}跟你说过什么？", other.name());
                    let message = Some(CueMessage { content, speaker: None });
                    tally.add(&self.asked(world, &room, &Cue { message, ..cue.clone() })?);
                }
                // Some also before a stranger, and some with a history of the host's, where there is room for memories.
                let elsewhere = match (turn, place) {
                    (0 | 3, 2) => among_strangers(&room, &mut cue),
                    (1 | 2, 0) => brought_along(&room, &mut cue),
                    _ => continue,
                };
                tally.add(&self.asked(world, &elsewhere, &cue)?);
            }
        }
        Ok(tally)
    }

    /// How much came of it.
    fn asked(&self, world: &WorldId, room: &Conversation, cue: &Cue) -> Verdict<Tally> {
        let Some(recall) = self.ask(world, room, cue)? else { return Ok(Tally::default()) };
        let kept = || recall.memories.iter().filter(|one| one.fate == Fate::Kept);
        let is_of_lines = |one: &&Recalled| one.considered.note.held.memory.id.line().is_some();
        let audience = Fate::Dropped(Dropped::Barred(Barred::Audience));
        Ok(Tally {
            told: kept().count(),
            barred: recall.memories.iter().filter(|one| one.fate == audience).count(),
            lines: kept().filter(is_of_lines).count(),
        })
    }

    /// None if all refuse.
    fn ask(&self, world: &WorldId, room: &Conversation, cue: &Cue) -> Verdict<Option<Recall>> {
        let warm = self.warm.recall(world, cue);
        let cold = engine(&self.other).recall(world, cue);
        if warm != cold {
            return Err(format!(
                "with minds at hand it is another prompt\n   warm: {warm:?}\n   cold: {cold:?}"
            ));
        }
        let plain = engine(&self.model).recall(world, cue);
        let (recall, plain) = match (warm, plain) {
            (Ok(recall), Ok(plain)) => (recall, plain),
            (Err(one), Err(other)) if one.code() == other.code() => return Ok(None),
            (one, other) => return Err(format!("{cue:?}\n   store: {one:?}\n   model: {other:?}")),
        };
        if essence(&recall) != essence(&plain) {
            return Err(format!("prompts differ\n   store: {recall:?}\n   model: {plain:?}"));
        }
        check_budget(&recall)?;
        self.check_memories(world, room, cue, &recall)?;
        Ok(Some(recall))
    }

    fn check_memories(&self, world: &WorldId, room: &Conversation, cue: &Cue, recall: &Recall) -> Verdict {
        let say = |error: reverie_core::Error| error.to_string();
        let found = self.model.worlds(&Select::One(world.to_string())).map_err(say)?;
        let world_now = found.first().ok_or("the world is gone")?;
        let settings = WorldSettings::resolve(world_now.preset, &world_now.settings).map_err(say)?;
        for one in recall.memories.iter().filter(|one| one.fate == Fate::Kept) {
            let considered = &one.considered;
            for holder in &considered.known_by {
                let is_held = match considered.note.held.memory.id.line() {
                    Some(_) => self.heard(world, holder, &considered.note.held)?,
                    None => {
                        let held = self.held_by(world, holder)?;
                        held.iter().any(|held| is_same(held, &considered.note.held))
                    }
                };
                if !is_held || !cue.voiced().contains(&Who::Id(holder.clone())) {
                    return Err(format!("{holder:?} does not hold {:?}", considered.note.held));
                }
            }
            if !self.may_be_told(world, room, &settings, &considered.note.held, &considered.known_by)? {
                return Err(format!("{:?} is not for {:?}", considered.note.held, room.present));
            }
            for related in &considered.related {
                if !self.may_be_named(world, room, &settings, cue, related.memory)? {
                    return Err(format!("{related:?} is not for {:?}", room.present));
                }
            }
        }
        if recall.tokens.budget == 16_384 {
            self.check_constants(world_now, room, &settings, cue, recall)?;
        }
        Ok(())
    }

    /// Where there is room for all, all that is always told is told.
    fn check_constants(
        &self,
        world: &World,
        room: &Conversation,
        settings: &WorldSettings,
        cue: &Cue,
        recall: &Recall,
    ) -> Verdict {
        let now = Now::new(&settings.layers, settings.calendar.as_ref(), world.time, Midday.now_ms());
        for who in cue.voiced() {
            let Who::Id(holder) = who else { continue };
            // Who tells the story remembers nothing of it.
            let known = self.model.characters(&world.id, &Select::One(holder.to_string()));
            let known = known.map_err(|error| error.to_string())?;
            if known.iter().any(|one| one.card.kind == CharacterKind::Narrator) {
                continue;
            }
            let held = self.held_by(&world.id, &holder)?;
            for (held, standing) in held.iter().zip(standings(&held, &settings.layers, &now)) {
                let is_constant = held.state.pinned || held.memory.kind == Kind::Trait;
                let may_be_told =
                    self.may_be_told(&world.id, room, settings, held, std::slice::from_ref(&holder))?;
                if !is_constant || standing.dormant.is_some() || !may_be_told || held.text().trim().is_empty()
                {
                    continue;
                }
                let fate = recall.memories.iter().find(|one| is_same(held, &one.considered.note.held));
                if fate.map(|one| one.fate) != Some(Fate::Kept) {
                    return Err(format!(
                        "{held:?} is always told, and was {:?}, asked {cue:?}",
                        fate.map(|one| one.fate)
                    ));
                }
            }
        }
        Ok(())
    }

    /// Whether one of those who speak has it, and may tell it here.
    fn may_be_named(
        &self,
        world: &WorldId,
        room: &Conversation,
        settings: &WorldSettings,
        cue: &Cue,
        memory: MemoryId,
    ) -> Verdict<bool> {
        for who in cue.voiced() {
            let Who::Id(holder) = who else { continue };
            for held in self.held_by(world, &holder)?.iter().filter(|held| held.memory.id == memory) {
                if self.may_be_told(world, room, settings, held, std::slice::from_ref(&holder))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Whether somebody witnessed all these lines of one conversation's path, can see them, and reads them as they are now.
    fn heard(&self, world: &WorldId, holder: &CharacterId, held: &Held) -> Verdict<bool> {
        let query = LinesQuery {
            which: WhichLines::Path,
            witness: None,
            after: None,
            newest_first: false,
            limit: usize::MAX,
        };
        let Some(first) = held.memory.sources.first() else { return Ok(false) };
        let room = self.model.line(world, first.line).map_err(|error| error.to_string())?.conversation;
        let path = self.model.lines(world, &room, &query).map_err(|error| error.to_string())?;
        let is_heard = |source: &Source| {
            path.iter().any(|line| {
                (line.id, line.version) == (source.line, source.version)
                    && (line.shown && !line.hidden && line.attribute != Attribute::System)
                    && (line.is_witnessed_by(holder) && !line.is_forgotten_by(holder))
                    && held.text().contains(&line.wording.content)
            })
        };
        Ok(held.memory.sources.iter().all(is_heard))
    }

    /// All that somebody can recall.
    fn held_by(&self, world: &WorldId, holder: &CharacterId) -> Verdict<Vec<Held>> {
        let query = HeldQuery { limit: usize::MAX, ..HeldQuery::of(Some(holder), WhichHeld::Any) };
        let held = self.model.held(world, &query).map_err(|error| error.to_string())?;
        Ok(held.into_iter().filter(Held::is_valid).collect())
    }

    /// Line by line.
    fn may_be_told(
        &self,
        world: &WorldId,
        room: &Conversation,
        settings: &WorldSettings,
        held: &Held,
        known_by: &[CharacterId],
    ) -> Verdict<bool> {
        if settings.audience == Audience::Open || held.state.shareable {
            return Ok(true);
        }
        let say = |error: reverie_core::Error| error.to_string();
        let of = |memory: MemoryId| {
            let query =
                HeldQuery { limit: usize::MAX, all: true, ..HeldQuery::of(None, WhichHeld::One(memory)) };
            self.model.held(world, &query).map_err(say)
        };
        let mut lines: BTreeSet<_> = held.memory.sources.iter().map(|source| source.line).collect();
        for part in &held.memory.from {
            lines.extend(of(*part)?.iter().flat_map(|part| &part.memory.sources).map(|source| source.line));
        }
        let others: Vec<&CharacterId> =
            room.present.iter().filter(|person| !known_by.contains(person)).collect();
        let mut is_here = !lines.is_empty();
        let mut is_common = true;
        for line in &lines {
            let line = self.model.line(world, *line).map_err(say)?;
            is_here &= line.conversation == room.id;
            is_common &= others.iter().all(|person| line.is_witnessed_by(person));
        }
        if lines.is_empty() {
            let having = of(held.memory.id)?;
            let has = |person: &CharacterId| {
                having.iter().any(|held| held.holder == *person && !held.state.forgotten)
            };
            is_common = others.iter().all(|person| has(person));
        }
        // Who heard the lines did not hear what somebody made of them.
        if held.text() != held.memory.text {
            let having = of(held.memory.id)?;
            let has = |person: &CharacterId| {
                having
                    .iter()
                    .any(|one| one.holder == *person && !one.state.forgotten && one.text() == held.text())
            };
            is_common = others.iter().all(|person| has(person));
        }
        // Where nobody is known to be, anybody may be.
        is_common &= !room.present.is_empty();
        Ok(if settings.audience == Audience::Strict { is_common } else { is_here })
    }
}

/// Among those who are in a room and somebody of whom nobody has heard, one of them asking: as a conversation that never was.
fn among_strangers(room: &Conversation, cue: &mut Cue) -> Conversation {
    let stranger = CharacterId::new("路过的人").expect("legal");
    let present: Vec<CharacterId> = room.present.iter().cloned().chain([stranger]).collect();
    cue.place = Place::Among(present.iter().cloned().map(Who::Id).collect());
    if let (Some(message), Some(first)) = (&mut cue.message, present.first()) {
        message.speaker = Some(Who::Id(first.clone()));
    }
    Conversation { id: nowhere(), present, ..room.clone() }
}

/// The same people in a history that is recorded nowhere. Where nobody speaks in it but those who are asked, nobody knows who
/// listens.
fn brought_along(room: &Conversation, cue: &mut Cue) -> Conversation {
    let said = |speaker: &CharacterId| InlineLine {
        attribute: Attribute::User,
        speaker: Some(Who::Id(speaker.clone())),
        display_name: None,
        wording: Wording { content: "早".to_owned(), ..Wording::default() },
        tick: None,
        wall_ms: None,
        witnesses: None,
    };
    cue.place = Place::Nowhere;
    cue.history = Some(room.present.iter().map(said).collect());
    let voiced = cue.voiced();
    let is_voiced = |person: &CharacterId| voiced.contains(&Who::Id(person.clone()));
    let present = if room.present.iter().all(is_voiced) { Vec::new() } else { room.present.clone() };
    Conversation { id: nowhere(), present, ..room.clone() }
}

fn nowhere() -> ConversationId {
    ConversationId::new("无处").expect("legal")
}

/// Stories write down timers that no engine can read.
fn readable(step: &Step) -> Step {
    let mut step = step.clone();
    if let Step::Append { timers, .. } = &mut step {
        *timers = false;
    }
    step
}

fn engine(store: &Arc<dyn Store>) -> Engine {
    Engine::new(store.clone(), Arc::new(Midday), Limits::default()).embedding_with(Arc::new(ThreeWays))
}

fn is_same(one: &Held, other: &Held) -> bool {
    (one.memory.id, one.text()) == (other.memory.id, other.text())
}

/// All but the store's own numbers.
fn essence(recall: &Recall) -> (String, Vec<(MemoryId, Fate, u32)>, String) {
    let fates = recall.memories.iter();
    let fates = fates.map(|one| {
        let considered = &one.considered;
        (considered.note.held.memory.id, one.fate, considered.score.to_bits())
    });
    (prompt_of(recall), fates.collect(), recall.id.clone())
}

/// What a model gets, and what is told of it.
pub(crate) fn prompt_of(recall: &Recall) -> String {
    format!("{:?} {:?} {:?} {:?}", recall.messages, recall.blocks, recall.left_out, recall.tokens)
}

fn check_budget(recall: &Recall) -> Verdict {
    let counter = Counter::from_name(recall.tokens.counter).map_err(|error| error.to_string())?;
    let counted: usize = recall
        .messages
        .iter()
        .map(|message| {
            let name = message.name.as_deref().map_or(0, |name| 1 + counter.count(name));
            4 + counter.count(&message.content) + name
        })
        .sum();
    if counted + 3 > recall.tokens.budget || counted + 3 != recall.tokens.used {
        return Err(format!("{} tokens are {:?}: {:?}", counted + 3, recall.tokens, recall.messages));
    }
    Ok(())
}
