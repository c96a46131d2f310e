//! How is something remembered that no line says: a host's event, or a memory written by hand?

use std::collections::BTreeSet;

use super::{Degraded, Engine, warnings};
use crate::admit::check_share;
use crate::character::{Character, CharacterKind, CharacterPatch, Who};
use crate::digest::importance_of_event;
use crate::fingerprint::fingerprint_of_key;
use crate::id::{CharacterId, WorldId};
use crate::line::{check_tick, check_wall_ms};
use crate::memories::{Commit, Committed, Effect, NewMemory};
use crate::memory::{Held, Kind, Layer, Origin, State};
use crate::store::Select;
use crate::time::Tick;
use crate::words::keywords;
use crate::{Error, Result};

/// Something to remember that no line says: a host's event, or a memory written by hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Remember {
    pub text: String,
    /// Who saw it, or has it in mind.
    pub holders: Vec<Who>,
    /// None: those who hold it.
    pub about: Option<Vec<Who>>,
    pub kind: Kind,
    /// None: by rules.
    pub importance: Option<f64>,
    /// None: those that the text shows.
    pub keywords: Option<Vec<String>>,
    pub topics: Vec<String>,
    pub emotions: Vec<String>,
    /// None: now.
    pub tick: Option<Tick>,
    pub wall_ms: Option<i64>,
    pub pinned: bool,
    pub shareable: bool,
    /// Makes a retry safe.
    pub key: Option<String>,
}

/// What was written down, for each who has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Noted {
    pub held: Vec<Held>,
    /// False if it was there already.
    pub created: bool,
    /// How many characters could not be kept.
    pub replaced: usize,
    /// What looks wrong about it.
    pub degraded: Vec<Degraded>,
}

/// What a weight is where nobody says, of memories written by hand.
const HAND_IMPORTANCE: f64 = 0.7;
const KEYWORDS: usize = 16;
/// Among so many a misspelt name is looked for.
const KNOWN_NAMES: usize = 10_000;

/// Whom a memory names, besides those who were known.
#[derive(Default)]
struct Met {
    /// Who was made for it, in order.
    strangers: Vec<CharacterId>,
    /// Who tells the story and is nobody in it.
    narrators: BTreeSet<CharacterId>,
}

impl Engine {
    /// Something happened, and these saw it: it becomes a situational memory of theirs.
    pub fn event(&self, world: &WorldId, event: Remember) -> Result<Noted> {
        self.write_down(world, event, Origin::Event)
    }

    /// A memory written by hand.
    pub fn remember(&self, world: &WorldId, remember: Remember) -> Result<Noted> {
        self.write_down(world, remember, Origin::Hand)
    }

    fn write_down(&self, world: &WorldId, mut new: Remember, origin: Origin) -> Result<Noted> {
        let replaced = self.admit_memory(&mut new)?;
        let now = self.world(world)?;
        let mut met = Met::default();
        let holders = self.people(world, &new.holders, &mut met)?;
        if holders.is_empty() && met.narrators.is_empty() {
            return Err(Error::invalid("nobody would have this memory").hint("name at least one witness"));
        }
        if holders.is_empty() {
            return Err(Error::invalid("a narrator is nobody in the story and remembers nothing")
                .hint("name at least one witness who is a person"));
        }
        let mut about = match &new.about {
            Some(about) => self.people(world, about, &mut met)?,
            None => holders.clone(),
        };
        about.sort();
        let tick = new.tick.or(now.time);
        let names = self.names(world, about.iter().cloned())?;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let importance = new.importance.unwrap_or_else(|| match origin {
            Origin::Event => importance_of_event(&new.text, !new.emotions.is_empty(), holders.len()),
            _ => HAND_IMPORTANCE,
        });
        let layer = (new.kind == Kind::Episodic).then_some(Layer::Situational);
        let state = State { pinned: new.pinned, shareable: new.shareable, ..State::new(layer, tick) };
        let memory = NewMemory {
            fingerprint: new
                .key
                .as_deref()
                .map(|key| fingerprint_of_key(origin, &scoped(key, origin, &holders))),
            kind: new.kind,
            origin,
            keywords: new.keywords.unwrap_or_else(|| keywords([new.text.as_str()], &names, KEYWORDS)),
            text: new.text,
            sources: Vec::new(),
            from: Vec::new(),
            about,
            importance,
            topics: new.topics,
            emotions: new.emotions,
            tick,
            wall_ms: new.wall_ms.unwrap_or_else(|| self.now_ms()),
            model: None,
            holders: holders.into_iter().map(|holder| (holder, state.clone())).collect(),
        };
        let commit = Commit { guards: Vec::new(), effects: vec![Effect::Remember(memory)] };
        let before = now.revision;
        let Committed::Done { memories, .. } = self.store.commit(world, &commit)? else {
            return Err(Error::conflict("the world changed meanwhile").hint("send it again"));
        };
        self.sum_up_anew(world);
        let made = memories.first().map(|id| self.holdings(world, *id)).transpose()?;
        let held = made.unwrap_or_default();
        let created = held.iter().any(|held| held.memory.revision > before);
        let mut degraded = Vec::new();
        if !met.strangers.is_empty() {
            degraded.push(warnings::made_for_a_memory(&met.strangers, &self.known_names(world)?));
        }
        if !met.narrators.is_empty() {
            degraded.push(warnings::narrators_left_out(&met.narrators));
        }
        let is_late =
            |from: &Tick| created && origin == Origin::Event && tick.is_some_and(|tick| tick < *from);
        degraded.extend(now.time.filter(is_late).map(warnings::ticks_ran_back));
        Ok(Noted { held, created, replaced, degraded })
    }

    /// The persons who are meant; created on first mention, and then strangers. Each once, in order.
    fn people(&self, world: &WorldId, people: &[Who], met: &mut Met) -> Result<Vec<CharacterId>> {
        let mut ids = Vec::new();
        for who in people {
            let (character, created) = self.store.put_character(world, who, &CharacterPatch::default())?;
            if character.card.kind == CharacterKind::Narrator {
                met.narrators.insert(character.id);
                continue;
            }
            met.strangers.extend(created.then(|| character.id.clone()));
            if !ids.contains(&character.id) {
                ids.push(character.id);
            }
        }
        Ok(ids)
    }

    /// Ids and labels of those whom the world knows, as far as anybody would look.
    fn known_names(&self, world: &WorldId) -> Result<Vec<(CharacterId, String)>> {
        let select = Select::Page { after: None, limit: KNOWN_NAMES };
        let all = self.store.characters(world, &select)?;
        let label = |character: Character| {
            let name = character.card.display_name.unwrap_or_else(|| character.id.to_string());
            (character.id, name)
        };
        Ok(all.into_iter().map(label).collect())
    }

    fn admit_memory(&self, new: &mut Remember) -> Result<usize> {
        let mut replaced = self.limits.admit_memory_text(&mut new.text)?;
        if new.text.trim().is_empty() {
            return Err(Error::invalid("a memory needs a text").hint("say in `text` what is remembered"));
        }
        replaced += self.limits.admit_people(&mut new.holders)?;
        if let Some(about) = &mut new.about {
            replaced += self.limits.admit_people(about)?;
        }
        let keywords = new.keywords.as_mut();
        for words in [Some(&mut new.topics), Some(&mut new.emotions), keywords].into_iter().flatten() {
            replaced += self.limits.admit_words(words)?;
        }
        new.importance.map(|share| check_share("importance", share)).transpose()?;
        new.tick.map(check_tick).transpose()?;
        new.wall_ms.map(check_wall_ms).transpose()?;
        new.key.as_deref().map(|key| self.limits.check_key(key)).transpose()?;
        Ok(replaced)
    }
}

/// An event's key is the world's; what is written by hand is its holder's, so that others may use the same key.
fn scoped(key: &str, origin: Origin, holders: &[CharacterId]) -> String {
    let holders = holders.iter().filter(|_| origin == Origin::Hand).map(CharacterId::as_str);
    holders.chain([key]).collect::<Vec<_>>().join("\n")
}
