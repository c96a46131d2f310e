//! How is a story told in which somebody is asked something, and how is what came to mind put into words?
//!
//! The language is that of [`theatre`](crate::digest_suite::theatre), with more steps:
//!
//! ```text
//! note 小雪 (trait, pinned): 她怕猫     written down by hand; in brackets what there is to say about it:
//!                                     semantic, trait, goal; about 莱姆|阿青; keywords 猫|狗; topics 动物; feels 开心;
//!                                     tick 60000; on 2024-04-30; weighs 0.9; pinned; shareable
//! event 小雪 (feels 开心): 放烟花了     something happened, and these saw it; with the same in brackets
//! share 小雪 M1                        may be told to everyone
//! feeling 开心                         the next line is said so
//! window 2 / window all               lines of history in prompts, from here on
//! budget 300 / budget any             tokens of a prompt, from here on
//! mood 开心, 害怕 / mood any           what is in the air, from here on
//! at 60000 / at now                   when it is asked, in game time, from here on
//! with 阿青 / alone                    who else is given a voice, from here on
//! among 小雪, 莱姆 / here              where it is asked, from here on: among these, or in the conversation
//! brought @莱姆: 你好 / stored         the host's own history instead of the stored one, from here on; one line more
//! background off / background on       whether what was said with others around is quoted, from here on
//! besides 莱姆来自北方 / besides nothing  one more text that the model gets besides, from here on
//! from 莱姆 / from anybody             who asks, from here on
//! kept 小雪: 你怕猫吗                   which memories stand in the prompt
//! ask 小雪: 你怕猫吗                    what stands there
//! why 小雪: 你怕猫吗                    what became of all that came to mind
//! lacking 小雪: 你怕猫吗                what the audience policy keeps out, and who of those around lacks it
//! legs 小雪: 你怕猫吗                   by what it came to mind
//! related 小雪: 你怕猫吗                which memories stand in the prompt, and what is said to belong to each
//! prompt 小雪: 你怕猫吗                 the whole prompt; history | said
//! missing 小雪: 你怕猫吗                what it went on without
//! kept 小雪                            nothing is said besides what is recorded
//! answer 小雪: 有一点                   recorded with the id of the last prompt
//! revision 甲                          how the world stands now, under this name
//! as of 甲 / as of 12 / as of now      recall as it was then, or at that revision, from here on
//! suggest 小雪 / suggest 小雪 2         what is worth raising here, all or so many; `nowhere`: wherever
//! nowhere                              it is asked in no place, from here on
//! preset bot                           of the world
//! world 二 / fork 二                    another world from here on: a new one or a copy of this one
//! back 一                              a world that is there
//! erase world                          and created again under its id
//! embed                                what waits for a meaning gets one
//! minds                                what is at hand: minds, read whole, continued
//! ```

mod shown;

use std::collections::BTreeMap;
use std::sync::Arc;

use reverie_core::clock::Clock;
use reverie_core::cue::{CueMessage, Detail, InlineLine, Position, Recalled};
use reverie_core::embed::Embedder;
use reverie_core::line::NewLine;
use reverie_core::memory::Kind;
use reverie_core::rank::{Dropped, Fate, Suggestion};
use reverie_core::settings::Preset;
use reverie_core::store::{Erase, LinePatch, Place};
use reverie_core::tokens::Counter;
use reverie_core::world::WorldPatch;
use reverie_core::{Cue, Engine, Limits, MemoryPatch, Recall, Record, Remember, Result, Store, Who, WorldId};

use crate::digest_suite::theatre::{Theatre, all, bare, happened, id_of, memory_id, who};
use crate::remindings::prompt_of;
use crate::store_suite::stage::lines;
pub use shown::of_parts;
use shown::{raised, shown};

/// One world, told of through the engine, in which somebody is asked something.
pub struct Prompter {
    pub theatre: Theatre,
    embedder: Option<Arc<dyn Embedder>>,
    /// How the next one is asked; for whom and what is said when it is.
    pub cue: Cue,
    from: Option<Who>,
    is_here: bool,
    revisions: BTreeMap<String, u64>,
    feeling: Option<String>,
    last: String,
}

/// A story, and what comes of it.
pub struct Told<'s> {
    pub what: &'static str,
    pub story: &'s str,
    pub outcome: &'s str,
}

/// Each in a world of its own.
#[track_caller]
pub fn told(store: &Arc<dyn Store>, stories: &[Told<'_>]) {
    told_with(store, None, stories);
}

/// The same with an embedder.
#[track_caller]
pub fn told_with(store: &Arc<dyn Store>, embedder: Option<Arc<dyn Embedder>>, stories: &[Told<'_>]) {
    for Told { what, story, outcome } in stories {
        let mut prompter = Prompter::with(store.clone(), what, Limits::default(), embedder.clone());
        let told = prompter.play(story);
        assert_eq!(bare(&told), bare(outcome), "\n{what}: it became\n{told}");
    }
}

impl Prompter {
    pub fn new(store: &Arc<dyn Store>, world: &str) -> Self {
        Self::with(store.clone(), world, Limits::default(), None)
    }

    pub fn with(
        store: Arc<dyn Store>,
        world: &str,
        limits: Limits,
        embedder: Option<Arc<dyn Embedder>>,
    ) -> Self {
        let theatre = Theatre::with(store, world, limits, |engine| embedding(engine, embedder.clone()));
        let cue = Cue::new(Who::Id(id_of("?")), Place::Nowhere);
        Self {
            theatre,
            embedder,
            cue,
            from: None,
            is_here: true,
            revisions: BTreeMap::new(),
            feeling: None,
            last: String::new(),
        }
    }

    /// Tells a story; what it asks to see.
    pub fn play(&mut self, story: &str) -> String {
        let mut told = String::new();
        for step in story.lines().map(str::trim).filter(|step| !step.is_empty()) {
            self.take(step, &mut told);
        }
        told
    }

    fn take(&mut self, step: &str, told: &mut String) {
        let (verb, rest) = step.split_once(' ').unwrap_or((step, ""));
        match (verb, rest) {
            ("note" | "event", rest) => self.write_down(verb, rest),
            ("share", what) => {
                self.change(what, MemoryPatch { shareable: Some(true), ..MemoryPatch::default() })
            }
            ("feeling", emotion) => self.feeling = Some(emotion.to_owned()),
            ("window", count) => self.cue.history_limit = count.parse().ok(),
            ("budget", count) => self.cue.budget = count.parse().ok(),
            ("mood", "any") => self.cue.mood.clear(),
            ("mood", moods) => self.cue.mood = moods.split(", ").map(str::to_owned).collect(),
            ("at", tick) => self.cue.tick = tick.parse().ok(),
            ("with", people) => self.cue.with = all(people),
            ("alone", "") => self.cue.with.clear(),
            ("among", people) => {
                self.is_here = false;
                self.cue.place = Place::Among(all(people));
            }
            ("here", "") => self.is_here = true,
            ("nowhere", "") => {
                self.is_here = false;
                self.cue.place = Place::Nowhere;
            }
            ("revision", name) => drop(self.revisions.insert(name.to_owned(), self.revision())),
            ("as", then) => {
                let then = then.strip_prefix("of ").unwrap();
                let known = self.revisions.get(then).copied();
                self.cue.as_of = known.or_else(|| then.parse().ok());
                assert!(self.cue.as_of.is_some() || then == "now", "{then}");
            }
            ("suggest", rest) => {
                let (name, most) = rest.split_once(' ').unwrap_or((rest, "100"));
                *told += &match self.suggestions(name, most.parse().unwrap()) {
                    Ok(found) => raised(&found),
                    Err(error) => format!("{}: {}\n", error.code().as_str(), error.message()),
                };
            }
            ("brought", line) => {
                let line = lines(line).pop().map(brought);
                self.cue.history.get_or_insert_default().extend(line);
            }
            ("stored", "") => self.cue.history = None,
            ("background", quoted) => self.cue.background = quoted == "on",
            ("besides", "nothing") => self.cue.shown.clear(),
            ("besides", text) => self.cue.shown.push(text.replace('⏎', "\n")),
            ("from", "anybody") => self.from = None,
            ("from", name) => self.from = Some(who(name)),
            ("kept" | "ask" | "why" | "lacking" | "legs" | "related" | "prompt" | "missing", rest) => {
                *told += &match self.recall(rest) {
                    Ok(recall) => shown(verb, &recall),
                    Err(error) => format!("{}: {}\n", error.code().as_str(), error.message()),
                };
            }
            ("answer", line) => {
                let record =
                    Record { lines: lines(line), recall: Some(self.last.clone()), ..Record::default() };
                let room = self.theatre.room();
                let done = self.theatre.engine.record(&self.theatre.world, &room, record).unwrap();
                done.degraded.iter().for_each(|degraded| *told += &format!("{}\n", degraded.code));
            }
            ("world", id) => {
                self.theatre.world = WorldId::new(id).unwrap();
                self.theatre.engine.put_world(&self.theatre.world, WorldPatch::default()).unwrap();
            }
            ("fork", id) => {
                let from = std::mem::replace(&mut self.theatre.world, WorldId::new(id).unwrap());
                self.theatre.engine.fork(&from, &self.theatre.world, None).unwrap();
            }
            ("preset", name) => {
                let preset = Some(Preset::from_name(name).unwrap());
                let patch = WorldPatch { preset, ..WorldPatch::default() };
                self.theatre.engine.put_world(&self.theatre.world, patch).unwrap();
            }
            ("back", id) => self.theatre.world = WorldId::new(id).unwrap(),
            ("erase", "world") => {
                let Theatre { engine, world, .. } = &self.theatre;
                engine.erase(world, &Erase::World).unwrap();
                engine.put_world(world, WorldPatch::default()).unwrap();
            }
            ("embed", "") => drop(self.theatre.engine.embed(&|| true).unwrap()),
            ("minds", "") => {
                let at_hand = self.theatre.engine.minds_at_hand();
                *told += &format!("{} {} {}\n", at_hand.minds, at_hand.whole, at_hand.continued);
            }
            _ => self.go_on(step, told),
        }
    }

    fn go_on(&mut self, step: &str, told: &mut String) {
        self.theatre.take(step, told);
        if let Some(feeling) = self.feeling.take() {
            let newest = self.theatre.engine.conversation(&self.theatre.world, &self.theatre.room()).unwrap();
            let patch = LinePatch { original_emotion: Some(Some(feeling)), ..LinePatch::default() };
            self.theatre.engine.revise_line(&self.theatre.world, newest.head.unwrap(), patch).unwrap();
        }
    }

    /// Of the world, now.
    pub fn revision(&self) -> u64 {
        self.theatre.engine.world(&self.theatre.world).unwrap().revision
    }

    /// What time it is.
    pub fn now_ms(&self) -> i64 {
        self.theatre.clock.now_ms()
    }

    fn suggestions(&self, name: &str, most: usize) -> Result<Vec<Suggestion>> {
        let mut cue = self.cue.clone();
        cue.character = who(name);
        if self.is_here {
            cue.place = Place::Conversation(self.theatre.room());
        }
        let Theatre { engine, world, .. } = &self.theatre;
        let found = engine.suggestions(world, &cue, most);
        assert_eq!(found, self.cold().suggestions(world, &cue, most), "{world}: with nothing at hand");
        found
    }

    /// `小雪: 你怕猫吗`, or only who.
    pub fn recall(&mut self, rest: &str) -> Result<Recall> {
        let (name, message) = match rest.split_once(": ") {
            Some((name, message)) => (name, Some(message.to_owned())),
            None => (rest, None),
        };
        let mut cue = self.cue.clone();
        cue.character = who(name);
        if self.is_here {
            cue.place = Place::Conversation(self.theatre.room());
        }
        cue.message = message.map(|content| CueMessage { content, speaker: self.from.clone() });
        let Theatre { engine, world, .. } = &self.theatre;
        let recalled = engine.recall(world, &cue);
        assert_eq!(recalled, engine.recall(world, &cue), "{world}: asked again, {cue:?}");
        assert_eq!(recalled, self.cold().recall(world, &cue), "{world}: with nothing at hand, {cue:?}");
        let recall = recalled?;
        self.check_lean(&cue)?;
        self.check(&cue, &recall);
        self.last.clone_from(&recall.id);
        Ok(recall)
    }

    /// Whoever wants no more than a prompt gets the same one. By words alone: tests count how often an embedder is asked.
    fn check_lean(&self, cue: &Cue) -> Result<()> {
        let Theatre { store, clock, engine, world, .. } = &self.theatre;
        let cold = || Engine::new(store.clone(), clock.clone(), engine.limits().clone());
        let lean = cold().recall(world, &Cue { detail: Detail::Prompt, ..cue.clone() })?;
        assert_eq!(prompt_of(&lean), prompt_of(&cold().recall(world, cue)?), "{world}: {cue:?}");
        Ok(())
    }

    /// An engine that has nothing at hand.
    pub fn cold(&self) -> Engine {
        let Theatre { store, clock, engine, .. } = &self.theatre;
        let cold = Engine::new(store.clone(), clock.clone(), engine.limits().clone());
        embedding(cold, self.embedder.clone())
    }

    /// What holds of every prompt.
    fn check(&self, cue: &Cue, recall: &Recall) {
        let world = &self.theatre.world;
        let counter = Counter::from_name(recall.tokens.counter).unwrap();
        let counted: usize = recall
            .messages
            .iter()
            .map(|message| {
                let name = message.name.as_deref().map_or(0, |name| 1 + counter.count(name));
                4 + counter.count(&message.content) + name
            })
            .sum();
        assert_eq!(recall.tokens.used, counted + 3, "{world}: {recall:?}");
        assert!(recall.tokens.used <= recall.tokens.budget, "{world}: {:?}", recall.tokens);
        let kept = recall.memories.iter().filter(|one| one.fate == Fate::Kept);
        let kept: Vec<_> = kept.map(|one| one.considered.note.held.memory.id).collect();
        let told = recall.blocks.iter().filter(|block| block.position == Position::Memory);
        let told: Vec<_> = told.flat_map(|block| block.memories.clone()).collect();
        assert_eq!(kept, told, "{world}: what is said to stand in the prompt of {cue:?}");
        let had_no_room = |one: &&Recalled| one.fate == Fate::Dropped(Dropped::Room);
        let had_no_room = recall.memories.iter().filter(had_no_room);
        let had_no_room: Vec<_> = had_no_room.map(|one| one.considered.note.held.memory.id).collect();
        let left_out: Vec<_> = recall.left_out.iter().flat_map(|left| left.memories.clone()).collect();
        assert_eq!(had_no_room, left_out, "{world}: {:?}", recall.left_out);
        for one in &recall.memories {
            let note = &one.considered.note;
            assert!(note.held.is_valid(), "{world}: {note:?}");
            assert!(!one.considered.known_by.is_empty(), "{world}: {note:?}");
            for part in of_parts(&one.considered.parts).map(|(_, part)| part) {
                assert!((0.0..=1.0).contains(&part), "{world}: {:?}", one.considered.parts);
            }
            assert!((0.3..=1.5).contains(&one.considered.time_factor), "{world}: {one:?}");
        }
    }

    /// `小雪, 阿青 (trait, pinned): 她怕猫`
    fn write_down(&self, verb: &str, rest: &str) {
        let (head, text) = rest.split_once(": ").unwrap();
        let (people, details) = match head.split_once(" (") {
            Some((people, details)) => (people, details.trim_end_matches(')')),
            None => (head, ""),
        };
        let mut new = happened(people, text);
        details.split(", ").filter(|detail| !detail.is_empty()).for_each(|one| describe(&mut new, one));
        let Theatre { engine, world, .. } = &self.theatre;
        match verb {
            "note" => engine.remember(world, new).unwrap(),
            _ => engine.event(world, new).unwrap(),
        };
    }

    fn change(&self, what: &str, patch: MemoryPatch) {
        let (name, memory) = what.split_once(' ').unwrap();
        let Theatre { engine, world, .. } = &self.theatre;
        engine.change_memory(world, memory_id(memory), Some(&id_of(name)), patch).unwrap();
    }
}

fn embedding(engine: Engine, embedder: Option<Arc<dyn Embedder>>) -> Engine {
    match embedder {
        Some(embedder) => engine.embedding_with(embedder),
        None => engine,
    }
}

fn describe(new: &mut Remember, detail: &str) {
    let (what, value) = detail.split_once(' ').unwrap_or((detail, ""));
    let values =
        || -> Vec<String> { value.split('|').filter(|value| !value.is_empty()).map(str::to_owned).collect() };
    match what {
        "pinned" => new.pinned = true,
        "shareable" => new.shareable = true,
        "about" => new.about = Some(values().iter().map(|name| who(name)).collect()),
        "keywords" => new.keywords = Some(values()),
        "topics" => new.topics = values(),
        "feels" => new.emotions = values(),
        "tick" => new.tick = Some(value.parse().unwrap()),
        "on" => new.wall_ms = Some(noon_of(value)),
        "weighs" => new.importance = Some(value.parse().unwrap()),
        kind => new.kind = Kind::from_name(kind).unwrap(),
    }
}

/// Noon of a day on Earth, without a calendar at hand: days from the civil date, after Howard Hinnant.
fn noon_of(date: &str) -> i64 {
    let [year, month, day]: [i64; 3] =
        date.split('-').map(|part| part.parse().unwrap()).collect::<Vec<_>>().try_into().unwrap();
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    days * 86_400_000 + 43_200_000
}

fn brought(line: NewLine) -> InlineLine {
    let NewLine { attribute, speaker, display_name, wording, tick, wall_ms, witnesses, .. } = line;
    InlineLine { attribute, speaker, display_name, wording, tick, wall_ms, witnesses }
}
