//! Which of the memories that came to mind stand in this prompt, and where?

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::extras::Extras;
use super::lore::Part;
use super::prompt::Piece;
use super::template::{self, Item};
use super::text;
use crate::cue::{LeftOut, Position, Reason, Recalled};
use crate::id::{CharacterId, LineId, MemoryId};
use crate::memory::Origin;
use crate::perspective::Role;
use crate::rank::{Choice, Choosing, Considered, Dropped, Fate};
use crate::settings::recall::Position as Place;
use crate::settings::{RecallRules, WorldSettings};
use crate::time::{Language, Moment};

/// What came to mind.
pub struct Remembering<'a> {
    pub all: Vec<Considered>,
    pub rules: &'a RecallRules,
    /// Those who are given a voice, if they are several: id and name.
    pub people: &'a [(CharacterId, String)],
}

/// What a text may cost besides its own tokens: a message of its own, or a break to what stands before it.
const AROUND: usize = 6;

impl Remembering<'_> {
    pub(super) fn telling<'s>(&'s self, settings: &'s WorldSettings) -> Telling<'s> {
        Telling {
            remembering: self,
            settings,
            choosing: Choosing::new(&self.all, self.rules),
            items: self.all.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// What became of each of them.
    pub(super) fn told(self, choice: Choice) -> (Vec<Recalled>, Option<LeftOut>) {
        let fates = self.all.into_iter().zip(choice.fates);
        let recalled: Vec<Recalled> = fates.map(|(considered, fate)| Recalled { considered, fate }).collect();
        let had_no_room = |one: &&Recalled| one.fate == Fate::Dropped(Dropped::Room);
        let lost: Vec<MemoryId> =
            recalled.iter().filter(had_no_room).map(|one| one.considered.note.held.memory.id).collect();
        let left_out = (!lost.is_empty()).then(|| LeftOut {
            position: Position::Memory,
            reason: Reason::Budget,
            lines: Vec::new(),
            and_older: false,
            lore: Vec::new(),
            memories: lost,
        });
        (recalled, left_out)
    }

    fn item(&self, one: &Considered, settings: &WorldSettings) -> Item {
        let held = &one.note.held;
        let moment = Moment { tick: held.memory.tick, wall_ms: Some(held.memory.wall_ms) };
        let stamp = text::stamp(settings.calendar.as_ref(), moment, settings.language);
        let name = |id: &CharacterId| {
            let found = self.people.iter().find(|(known, _)| known == id);
            found.map(|(_, name)| name.clone())
        };
        Item {
            kind: held.memory.kind,
            text: match held.memory.id.line() {
                Some(_) => format!("{}\n{}", said_here(settings.language), held.text()),
                None => held.text().to_owned(),
            },
            time: Some(stamp.trim().to_owned()).filter(|stamp| !stamp.is_empty()).or_else(|| day(moment)),
            source: Some(source(held.memory.origin, settings.language).to_owned()),
            who: one.known_by.iter().filter_map(name).collect(),
            importance: held.importance(),
        }
    }
}

/// Memories on their way into a prompt.
pub(super) struct Telling<'s> {
    remembering: &'s Remembering<'s>,
    settings: &'s WorldSettings,
    choosing: Choosing<'s>,
    /// Of each, as soon as it is written: with every one that enters all are written once more.
    items: Vec<OnceCell<Item>>,
}

impl Telling<'_> {
    /// What memories would cost if none of them stood in the history.
    pub(super) fn cost(&self, room: usize) -> usize {
        let (_, text) = self.choose(&BTreeSet::new(), room);
        if text.is_empty() { 0 } else { self.settings.counter.count(&text) + AROUND }
    }

    /// Puts memories into the prompt: what does not stand in the history, as far as there is room.
    pub(super) fn place(&self, extras: &mut Extras, shown: &BTreeSet<LineId>, room: usize) -> Choice {
        let (choice, text) = self.choose(shown, room);
        let kept = choice.kept.iter().filter_map(|place| self.remembering.all.get(*place));
        let memories: Vec<MemoryId> = kept.map(|one| one.note.held.memory.id).collect();
        if !text.is_empty() {
            self.lay(extras, text, memories);
        }
        choice
    }

    fn lay(&self, extras: &mut Extras, text: String, memories: Vec<MemoryId>) {
        let counter = self.settings.counter;
        let rules = self.remembering.rules;
        let alone = |role: Role, text: String| {
            Piece::new(role, text, None, Position::Memory, counter).of_memories(memories.clone())
        };
        match rules.position {
            Place::System => {
                let tokens = counter.count(&text);
                let part = Part { position: Position::Memory, tokens, text, lore: None, memories };
                extras.volatile = Some(Piece::behind(extras.volatile.take(), part, counter));
            }
            Place::User => extras.remembered = Some(alone(Role::User, text)),
            Place::Assistant => extras.remembered = Some(alone(Role::Assistant, text)),
            Place::Depth => extras.deep = Some((rules.depth, alone(Role::System, text))),
        }
    }

    /// What enters, and as what text.
    fn choose(&self, shown: &BTreeSet<LineId>, room: usize) -> (Choice, String) {
        let mut written = String::new();
        let mut fits = |kept: &[usize]| {
            let text = self.write(kept);
            let fits = self.fits(&text, room);
            if fits {
                written = text;
            }
            fits
        };
        let choice = self.choosing.choose(shown, &mut fits);
        (choice, written)
    }

    fn fits(&self, text: &str, room: usize) -> bool {
        let rules = self.remembering.rules;
        if rules.max_chars.is_some_and(|most| text.chars().count() > most) {
            return false;
        }
        let most = rules.max_tokens.map_or(room, |most| most.saturating_add(AROUND).min(room));
        // No counter finds more tokens than bytes, and counting takes longer than measuring.
        text.len() + AROUND <= most || self.settings.counter.count(text) + AROUND <= most
    }

    fn write(&self, kept: &[usize]) -> String {
        let items: Vec<&Item> = kept.iter().filter_map(|place| self.item(*place)).collect();
        template::write(&items, self.remembering.rules, self.settings.language).trim_end().to_owned()
    }

    fn item(&self, place: usize) -> Option<&Item> {
        let one = self.remembering.all.get(place)?;
        Some(self.items.get(place)?.get_or_init(|| self.remembering.item(one, self.settings)))
    }
}

/// On Earth, where the world has no calendar of its own.
fn day(moment: Moment) -> Option<String> {
    let at = jiff::Timestamp::from_millisecond(moment.wall_ms?).ok()?;
    let date = at.to_zoned(jiff::tz::TimeZone::UTC).date();
    Some(format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day()))
}

/// What stands above lines that the history does not reach back to.
fn said_here(language: Language) -> &'static str {
    match language {
        Language::Zh => "[本次对话早先]",
        Language::En => "[earlier in this conversation]",
    }
}

fn source(origin: Origin, language: Language) -> &'static str {
    match (origin, language) {
        (Origin::Round, Language::Zh) => "对话",
        (Origin::Round, Language::En) => "conversation",
        (Origin::Event, Language::Zh) => "事件",
        (Origin::Event, Language::En) => "event",
        (Origin::Hand, Language::Zh) => "手记",
        (Origin::Hand, Language::En) => "note",
        (Origin::Statement, Language::Zh) => "对话要点",
        (Origin::Statement, Language::En) => "gist of a conversation",
        (Origin::Day, Language::Zh) => "当日摘要",
        (Origin::Day, Language::En) => "summary of a day",
        (Origin::Era, Language::Zh) => "往事摘要",
        (Origin::Era, Language::En) => "summary of days past",
    }
}
