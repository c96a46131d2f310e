//! Which lines of a conversation does a chat say again?
//!
//! A line is known by the host id that an import gave it, whatever became of its words since. It is known by its words,
//! too, and by those of the lines before it: so a conversation that was written out as a chat is found again, lines that
//! were edited here and lines that no import brought included.

use std::collections::HashMap;

use reverie_core::{Attribute, CharacterId, Line, LineId};

use super::cast::host_id;
use super::kept::{Keepsakes, Kept};

/// The whole tree of a conversation.
#[derive(Debug, Default)]
pub struct Recorded {
    known: HashMap<LineId, Known>,
    by_host_id: HashMap<String, LineId>,
    by_words: HashMap<String, LineId>,
    behind: HashMap<Option<LineId>, Vec<LineId>>,
    /// How many lines behind the same one say the same.
    repeats: HashMap<String, usize>,
    speakers: HashMap<(bool, String), CharacterId>,
}

/// What of a line is needed to know it again.
#[derive(Debug, Clone)]
pub struct Known {
    pub id: LineId,
    pub hidden: bool,
    host_id: Option<String>,
    /// The host id that it has in a chat of the words as they are now.
    words_id: String,
}

impl Known {
    /// Every host id that means this line.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.host_id.as_deref().into_iter().chain([self.words_id.as_str()])
    }
}

impl Recorded {
    /// Lines come in the order of recording, so a parent before its children.
    pub fn add(&mut self, line: &Line, keepsakes: &Keepsakes) {
        let kept = keepsakes.of(line.id);
        let (is_user, name) = match kept.and_then(|kept| kept.said.as_ref()) {
            Some((is_user, name)) => (*is_user, name.as_str()),
            None => says(line),
        };
        let content = Kept::words(kept, &line.wording.content);
        let parent = line.parent.and_then(|parent| self.known.get(&parent));
        let parent_id = parent.map(|parent| parent.words_id.clone());
        let words = |repeat| host_id(parent_id.as_deref(), is_user, name, content, repeat);
        let repeat = self.repeats.entry(words(0)).and_modify(|count| *count += 1).or_insert(0);
        let words_id = words(*repeat);
        self.by_words.insert(words_id.clone(), line.id);
        if let Some(host_id) = &line.host_id {
            self.by_host_id.insert(host_id.clone(), line.id);
        }
        if let Some(speaker) = &line.speaker {
            self.speakers.entry((is_user, name.to_owned())).or_insert_with(|| speaker.clone());
        }
        self.behind.entry(line.parent).or_default().push(line.id);
        let known = Known { id: line.id, hidden: line.hidden, host_id: line.host_id.clone(), words_id };
        self.known.insert(line.id, known);
    }

    pub fn find(&self, host_id: &str) -> Option<&Known> {
        let id = self.by_host_id.get(host_id).or_else(|| self.by_words.get(host_id))?;
        self.known.get(id)
    }

    /// The lines behind a line; None: those at the root.
    pub fn behind(&self, line: Option<LineId>) -> impl Iterator<Item = &Known> {
        self.behind.get(&line).into_iter().flatten().filter_map(|id| self.known.get(id))
    }

    /// Who speaks in it, under which name, as a user or not.
    pub fn speakers(&self) -> impl Iterator<Item = (bool, &str, &CharacterId)> {
        self.speakers.iter().map(|((is_user, name), id)| (*is_user, name.as_str(), id))
    }
}

/// What a chat says of the speaker: whether it is a user, and the name; whoever has none is called by id.
pub(super) fn says(line: &Line) -> (bool, &str) {
    let name = line.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let name = name.or(line.speaker.as_ref().map(CharacterId::as_str));
    (line.attribute == Attribute::User, name.unwrap_or_default())
}
