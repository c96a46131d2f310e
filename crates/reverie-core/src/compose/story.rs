//! How is the past told, and where does it begin if all of it is too long?

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::again::SaidAgain;
use super::entry::{Entry, Past};
use super::prompt::Piece;
use super::text;
use super::verbatim::spelled;
use super::window::{self, Room, Start};
use crate::cue::{LeftOut, Position, Reason};
use crate::id::LineId;
use crate::perspective::{Message, Role, Voice, perspective};
use crate::settings::WorldSettings;

/// The history as messages, each with the entries that it is made of.
pub(super) struct Story<'a> {
    past: &'a Past<'a>,
    settings: &'a WorldSettings,
    told: Vec<Told>,
    /// By its words, as spelled, the last entry that says them; what is pinned comes behind all.
    words: OnceCell<HashMap<String, usize>>,
}

struct Told {
    piece: Piece,
    entries: Range<usize>,
    is_pinned: bool,
}

impl<'a> Story<'a> {
    /// Tells as much as could fit into the budget, and one message more.
    pub(super) fn tell(past: &'a Past<'a>, settings: &'a WorldSettings, budget: usize) -> Self {
        let told = tell(&past.entries, 0, settings, budget);
        Self { past, settings, told, words: OnceCell::new() }
    }

    /// Of the system lines that are never cut.
    pub(super) fn pinned_cost(&self) -> usize {
        self.told.iter().filter(|told| told.is_pinned).map(|told| told.piece.cost()).sum()
    }

    /// Of what the character answers to, told alone.
    pub(super) fn newest_cost(&self) -> usize {
        let newest = self.past.entries.get(self.newest()..).unwrap_or_default();
        let told = tell(newest, self.newest(), self.settings, usize::MAX);
        told.iter().filter(|told| !told.is_pinned).map(|told| told.piece.cost()).sum()
    }

    /// The first entry to tell so that all that is not pinned fits into the room.
    pub(super) fn start(&self, room: &Room) -> usize {
        let whole: usize =
            self.told.iter().filter(|told| !told.is_pinned).map(|told| told.piece.cost()).sum();
        let ends_with_reading = self.past.is_cut && !self.past.is_limited;
        if whole <= room.most && !ends_with_reading {
            return if self.past.is_limited { self.next_start(0) } else { 0 };
        }
        let mut start = room.choose(&self.starts(room.most)).unwrap_or(self.newest());
        // Inside a message the sum of its lines is an estimate; the finished message decides.
        while start < self.newest() && self.cost_from(start) > room.most {
            start = self.next_start(start + 1);
        }
        start
    }

    /// What a history that begins with this entry leaves of the room.
    pub(super) fn rest(&self, start: usize, room: &Room) -> usize {
        room.most.saturating_sub(self.cost_from(start))
    }

    /// The messages from an entry on, and the pinned ones before it.
    pub(super) fn into_pieces(self, start: usize) -> Vec<Piece> {
        let first = self.first_from(start);
        let kept = self.told.into_iter().filter(|told| told.is_pinned || told.entries.start >= start);
        let (before, after): (Vec<Told>, Vec<Told>) = kept.partition(|told| told.entries.start < start);
        before.into_iter().chain(first).chain(after).map(|told| told.piece).collect()
    }

    /// The lines that are told from an entry on; of a history that the host brought along, the recorded ones that say the same.
    pub(super) fn shown(&self, start: usize, again: &SaidAgain) -> BTreeSet<LineId> {
        let entries = self.past.entries.iter().enumerate();
        let told = entries.filter(|(index, entry)| *index >= start || entry.is_pinned);
        let lines = told.flat_map(|(_, entry)| match &entry.source {
            Some(line) => std::slice::from_ref(line),
            None => again.with(entry.seen.content),
        });
        lines.copied().collect()
    }

    /// Whether these words, as spelled, are told from an entry on.
    pub(super) fn says(&self, words: &str, start: usize) -> bool {
        let said = self.words.get_or_init(|| {
            let entries = self.past.entries.iter().enumerate();
            // Of several that say the same, the last one counts.
            let places = entries.map(|(place, entry)| if entry.is_pinned { usize::MAX } else { place });
            let said = self.past.entries.iter().map(|entry| spelled(entry.seen.content));
            let mut words = HashMap::new();
            for (said, place) in said.zip(places) {
                let last = words.entry(said).or_insert(place);
                *last = place.max(*last);
            }
            words
        });
        said.get(words).is_some_and(|place| *place >= start)
    }

    pub(super) fn left_out(&self, start: usize) -> Vec<LeftOut> {
        let beyond =
            self.past.is_cut.then_some(if self.past.is_limited { Reason::Limit } else { Reason::Budget });
        let entries = self.past.entries.iter().take(start).filter(|entry| !entry.is_pinned);
        let lines = entries.filter_map(|entry| entry.source).collect();
        let left_out = |reason, lines, and_older| LeftOut {
            position: Position::History,
            reason,
            lines,
            and_older,
            lore: Vec::new(),
            memories: Vec::new(),
        };
        match beyond {
            Some(Reason::Budget) => vec![left_out(Reason::Budget, lines, true)],
            Some(Reason::Limit) if self.is_repair_only(start) => vec![left_out(Reason::Limit, lines, true)],
            Some(Reason::Limit) => {
                vec![left_out(Reason::Limit, Vec::new(), true), left_out(Reason::Budget, lines, false)]
            }
            None if start > 0 => vec![left_out(Reason::Budget, lines, false)],
            None => Vec::new(),
        }
    }

    /// True if no more than the assistant's beginning of a cut window was dropped.
    fn is_repair_only(&self, start: usize) -> bool {
        start == self.next_start(0)
    }

    /// The index of what the character answers to: the newest entry that is not only a direction.
    fn newest(&self) -> usize {
        let entries = &self.past.entries;
        let spoken = entries.iter().rposition(|entry| entry.seen.voice != Voice::System);
        spoken.unwrap_or(entries.len().saturating_sub(1))
    }

    /// A window starts at a user message: some providers refuse one that begins with the assistant.
    fn next_start(&self, from: usize) -> usize {
        let entries = self.past.entries.iter().enumerate().skip(from);
        let found = entries.into_iter().find(|(_, entry)| begins_well(entry)).map(|(index, _)| index);
        found.unwrap_or(usize::MAX).min(self.newest())
    }

    /// Every place where the story could begin, newest first, with about what it would cost from there.
    fn starts(&self, room: usize) -> Vec<window::Start> {
        let mut starts = Vec::new();
        let mut after = 0usize;
        for told in self.told.iter().rev().filter(|told| !told.is_pinned) {
            let mut within = 0usize;
            for index in told.entries.clone().rev() {
                let Some(entry) = self.past.entries.get(index) else { continue };
                let is_whole = index == told.entries.start;
                let cost = if is_whole {
                    after + told.piece.cost()
                } else {
                    within += self.entry_cost(entry);
                    after + within + self.opening_cost(entry)
                };
                if index < self.newest() && begins_well(entry) && cost <= room {
                    let standing = window::standing(entry, self.previous_start(index));
                    starts.push(Start { index, cost, standing });
                }
            }
            after += told.piece.cost();
            if after > room {
                break;
            }
        }
        starts
    }

    /// The line of the next older place to begin.
    fn previous_start(&self, index: usize) -> Option<LineId> {
        let older = self.past.entries.get(..index).unwrap_or_default();
        older.iter().rev().find(|entry| begins_well(entry))?.source
    }

    fn cost_from(&self, start: usize) -> usize {
        let after = self.told.iter().filter(|told| !told.is_pinned && told.entries.start >= start);
        after.chain(&self.first_from(start)).map(|told| told.piece.cost()).sum()
    }

    /// The message in whose middle the story begins, told from there on.
    fn first_from(&self, start: usize) -> Option<Told> {
        let torn = self.told.iter().find(|told| told.entries.start < start && start < told.entries.end)?;
        let entries = self.past.entries.get(start..torn.entries.end)?;
        tell(entries, start, self.settings, usize::MAX).pop()
    }

    /// About what a message costs besides its entries if it begins with this one.
    fn opening_cost(&self, entry: &Entry<'_>) -> usize {
        let stamp = text::stamp(self.settings.calendar.as_ref(), entry.moment, self.settings.language);
        Piece::system_cost(&stamp, self.settings.counter)
    }

    /// About what an entry adds to a message, and rather more.
    fn entry_cost(&self, entry: &Entry<'_>) -> usize {
        let counter = self.settings.counter;
        let count = |text: Option<&str>| text.map_or(0, |text| counter.count(text) + 2);
        let seen = &entry.seen;
        [Some(seen.content), seen.name, seen.emotion, seen.action].into_iter().map(count).sum()
    }
}

fn begins_well(entry: &Entry<'_>) -> bool {
    matches!(entry.seen.voice, Voice::User | Voice::Other)
}

/// Tells entries; `first` is the index of the first of them. What is older than the message that exceeds the room is left
/// out without counting it, except for what is pinned.
fn tell(entries: &[Entry<'_>], first: usize, settings: &WorldSettings, room: usize) -> Vec<Told> {
    let mut cost = 0;
    let mut told = Vec::new();
    let messages = perspective(entries.iter().map(|entry| entry.seen), &settings.profile);
    for message in messages.iter().rev() {
        let of = entries.get(message.lines.clone()).unwrap_or_default();
        let is_pinned = of.first().is_some_and(|entry| entry.is_pinned);
        if cost > room && !is_pinned {
            continue;
        }
        let range = first + message.lines.start..first + message.lines.end;
        let piece = piece(&message, of, settings);
        cost += if is_pinned { 0 } else { piece.cost() };
        told.push(Told { piece, entries: range, is_pinned });
    }
    told.reverse();
    told
}

fn piece(message: &Message<'_>, entries: &[Entry<'_>], settings: &WorldSettings) -> Piece {
    // The latest moment of a message: while it grows, it is told for when it was last added to.
    let stamps = entries
        .iter()
        .rev()
        .map(|entry| text::stamp(settings.calendar.as_ref(), entry.moment, settings.language));
    let mut content = match message.role {
        Role::System => String::new(),
        _ => stamps.into_iter().find(|stamp| !stamp.is_empty()).unwrap_or_default(),
    };
    let last_line = content.len() + message.last_line;
    content.push_str(message.content);
    let name = speaker_name(entries, message.role);
    let piece = Piece::new(message.role, content, name, Position::History, settings.counter);
    let piece = piece.made_of(entries.iter().filter_map(|entry| entry.source).collect());
    match entries {
        [_, .., last] => piece.ending(last_line, usize::from(last.source.is_some())),
        _ => piece,
    }
}

/// The one speaker of what is said in a message, if providers accept the name.
fn speaker_name(entries: &[Entry<'_>], role: Role) -> Option<String> {
    let mut speakers = entries.iter().rev().take_while(|entry| match role {
        Role::User => entry.seen.voice == Voice::User,
        Role::Assistant => entry.seen.voice == Voice::Own,
        Role::System => false,
    });
    let first = speakers.next()?;
    let is_first = |entry: &Entry<'_>| match (entry.speaker, first.speaker) {
        (Some(speaker), Some(first)) => speaker == first,
        _ => entry.seen.name == first.seen.name,
    };
    if !speakers.all(is_first) {
        return None;
    }
    [first.seen.name, first.speaker]
        .into_iter()
        .flatten()
        .find(|name| is_provider_name(name))
        .map(str::to_owned)
}

fn is_provider_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}
