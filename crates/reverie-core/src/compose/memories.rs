//! Which of the memories that came to mind stand in this prompt, and where?

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
use crate::rank::{Choice, Considered, Dropped, Fate, choose};
use crate::settings::recall::Position as Place;
use crate::settings::{RecallRules, WorldSettings};
use crate::time::{Language, Moment};

/// What came to mind.
#[derive(Clone, Copy)]
pub struct Remembering<'a> {
    pub all: &'a [Considered],
    pub rules: &'a RecallRules,
    /// Those who are given a voice, if they are several: id and name.
    pub people: &'a [(CharacterId, String)],
}

/// What a text may cost besides its own tokens: a message of its own, or a break to what stands before it.
const AROUND: usize = 6;

impl Remembering<'_> {
    /// What memories would cost if none of them stood in the history.
    pub(super) fn cost(&self, settings: &WorldSettings, room: usize) -> usize {
        let (_, text) = self.choose(settings, &BTreeSet::new(), room);
        if text.is_empty() { 0 } else { settings.counter.count(&text) + AROUND }
    }

    /// Puts memories into the prompt: what does not stand in the history, as far as there is room.
    pub(super) fn place(
        &self,
        extras: &mut Extras,
        settings: &WorldSettings,
        shown: &BTreeSet<LineId>,
        room: usize,
    ) -> (Vec<Recalled>, Option<LeftOut>) {
        let (choice, text) = self.choose(settings, shown, room);
        let kept = choice.kept.iter().filter_map(|place| self.all.get(*place));
        let memories: Vec<MemoryId> = kept.map(|one| one.note.held.memory.id).collect();
        if !text.is_empty() {
            self.lay(extras, settings, text, memories);
        }
        let recalled: Vec<Recalled> = self
            .all
            .iter()
            .zip(choice.fates)
            .map(|(one, fate)| Recalled { considered: one.clone(), fate })
            .collect();
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

    fn lay(&self, extras: &mut Extras, settings: &WorldSettings, text: String, memories: Vec<MemoryId>) {
        let counter = settings.counter;
        let alone = |role: Role, text: String| {
            Piece::new(role, text, None, Position::Memory, counter).of_memories(memories.clone())
        };
        match self.rules.position {
            Place::System => {
                let tokens = counter.count(&text);
                let part = Part { position: Position::Memory, tokens, text, lore: None, memories };
                extras.volatile = Some(Piece::behind(extras.volatile.take(), part, counter));
            }
            Place::User => extras.remembered = Some(alone(Role::User, text)),
            Place::Assistant => extras.remembered = Some(alone(Role::Assistant, text)),
            Place::Depth => extras.deep = Some((self.rules.depth, alone(Role::System, text))),
        }
    }

    /// What enters, and as what text.
    fn choose(&self, settings: &WorldSettings, shown: &BTreeSet<LineId>, room: usize) -> (Choice, String) {
        let mut written = String::new();
        let mut fits = |kept: &[&Considered]| {
            let text = self.write(kept, settings);
            let fits = self.fits(&text, settings, room);
            if fits {
                written = text;
            }
            fits
        };
        let choice = choose(self.all, self.rules, shown, &mut fits);
        (choice, written)
    }

    fn fits(&self, text: &str, settings: &WorldSettings, room: usize) -> bool {
        if self.rules.max_chars.is_some_and(|most| text.chars().count() > most) {
            return false;
        }
        let most = self.rules.max_tokens.map_or(room, |most| most.saturating_add(AROUND).min(room));
        // No counter finds more tokens than bytes, and counting takes longer than measuring.
        text.len() + AROUND <= most || settings.counter.count(text) + AROUND <= most
    }

    fn write(&self, kept: &[&Considered], settings: &WorldSettings) -> String {
        let items = kept.iter().map(|one| self.item(one, settings)).collect();
        template::write(items, self.rules, settings.language).trim_end().to_owned()
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
            text: held.text().to_owned(),
            time: Some(stamp.trim().to_owned()).filter(|stamp| !stamp.is_empty()).or_else(|| day(moment)),
            source: Some(source(held.memory.origin, settings.language).to_owned()),
            who: one.known_by.iter().filter_map(name).collect(),
            importance: held.importance(),
        }
    }
}

/// On Earth, where the world has no calendar of its own.
fn day(moment: Moment) -> Option<String> {
    let at = jiff::Timestamp::from_millisecond(moment.wall_ms?).ok()?;
    let date = at.to_zoned(jiff::tz::TimeZone::UTC).date();
    Some(format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day()))
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
