//! How much is too much?
//!
//! Every bound here is a setting. What no setting moves is part of the format: an id has at most
//! [`MAX_ID_BYTES`](crate::MAX_ID_BYTES), a tick lies within ±2^53 ([`MAX_TICK`](crate::line::MAX_TICK)), a time in the years 0000 to 9999, a line's number
//! below [`LineId::LIMIT`](crate::LineId::LIMIT), a budget below [`MAX_BUDGET`](crate::settings::MAX_BUDGET), and the
//! parts of a calendar and of a profile have the sizes that their own settings name.

use crate::cue::{Cue, InlineLine};
use crate::keepsake::KeptFor;
use crate::library::DocumentPut;
use crate::line::check_tick;
use crate::settings::{Pairs, WorldSettings};
use crate::store::Place;
use crate::{Error, Result};

/// Bounds on what hosts hand in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    pub lines_per_append: usize,
    /// Of each text of a line: content, TTS, action ….
    pub bytes_per_text: usize,
    /// Of a memory's text: a whole round.
    pub bytes_per_memory: usize,
    /// Keywords, topics, emotions: of each so many.
    pub words_per_memory: usize,
    /// In a conversation, a presence list or a witness list.
    pub people: usize,
    pub bytes_per_persona: usize,
    /// Of a display name, of a host's own id of a character or of a line.
    pub bytes_per_name: usize,
    /// Of the key that makes a retry safe.
    pub bytes_per_key: usize,
    /// Of a world.
    pub settings: usize,
    /// Of the name and of the value of a world's setting.
    pub bytes_per_setting: usize,
    /// Conversations opened to one prompt or one history.
    pub also: usize,
    /// Tokens of a prompt.
    pub budget: usize,
    /// Of a book in the library.
    pub entries_per_book: usize,
    /// Of a book or card in the library, its file included.
    pub bytes_per_document: usize,
    /// Of a prompt's window.
    pub window_lines: usize,
    pub page: usize,
    pub history: usize,
    /// Of all memories that are kept at hand.
    pub minds_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            lines_per_append: 1000,
            bytes_per_text: 64 << 10,
            bytes_per_memory: 1 << 20,
            words_per_memory: 256,
            people: 256,
            bytes_per_persona: 1 << 20,
            bytes_per_name: 1024,
            bytes_per_key: 256,
            settings: 512,
            bytes_per_setting: 4096,
            also: 100,
            budget: 10_000_000,
            entries_per_book: 100_000,
            bytes_per_document: 64 << 20,
            window_lines: 10_000,
            page: 1000,
            history: 1000,
            minds_bytes: 512 << 20,
        }
    }
}

impl Limits {
    pub(crate) fn check_cue(&self, cue: &Cue) -> Result<()> {
        self.check_also(cue.also.len())?;
        self.check_budget(cue.budget.unwrap_or(0))?;
        if let Place::Among(people) = &cue.place {
            self.check_people(people.len())?;
        }
        cue.tick.map(check_tick).transpose()?;
        self.check_inline(cue.history.as_deref().unwrap_or_default())?;
        self.check_pairs(&cue.settings)?;
        self.check_cue_texts(cue)
    }

    /// Settings that a cue brings along.
    fn check_pairs(&self, pairs: &Pairs) -> Result<()> {
        // What only takes away adds nothing.
        let added = pairs.values().filter(|value| !value.is_empty()).count();
        check("settings", added, self.settings, "limits.settings")?;
        let longest = pairs.iter().map(|(key, value)| key.len().max(value.len())).max();
        check("bytes in a setting", longest.unwrap_or(0), self.bytes_per_setting, "limits.setting_bytes")
    }

    /// A history that a host brings along.
    pub fn check_inline(&self, lines: &[InlineLine]) -> Result<()> {
        check("lines of history", lines.len(), self.window_lines, "limits.window_lines")?;
        for line in lines {
            line.tick.map(check_tick).transpose()?;
            self.check_people(line.witnesses.as_ref().map_or(0, Vec::len))?;
            let wording = &line.wording;
            let parts = [&wording.original_emotion, &wording.tts, &wording.action, &line.display_name];
            let longest = parts.into_iter().flatten().chain([&wording.content]).map(String::len).max();
            self.check_text("a line of the history", longest.unwrap_or(0))?;
        }
        Ok(())
    }

    fn check_cue_texts(&self, cue: &Cue) -> Result<()> {
        self.check_persona("system", cue.system.as_ref().map_or(0, String::len))?;
        self.check_text("the message", cue.message.as_ref().map_or(0, |message| message.content.len()))?;
        let scene = &cue.scene;
        let fixed = [&scene.time, &scene.place, &scene.event].into_iter().flatten().chain(&scene.people);
        let labelled = scene.more.iter().chain(&cue.other).flat_map(|(label, text)| [label, text]);
        check(
            "entries in scene and other",
            scene.more.len() + cue.other.len(),
            self.people,
            "limits.participants",
        )?;
        self.check_people(scene.people.len())?;
        let longest = fixed.chain(labelled).map(String::len).max();
        self.check_text("a part of scene or other", longest.unwrap_or(0))
    }

    /// What a world asks for itself; what a preset would ask for is cut down where it is used.
    pub(crate) fn check_settings(&self, pairs: &Pairs, settings: &WorldSettings) -> Result<()> {
        if pairs.contains_key("prompt.budget") {
            self.check_budget(settings.budget)?;
        }
        if !pairs.contains_key("prompt.background_lines") {
            return Ok(());
        }
        check("lines of background", settings.background_lines, self.history, "limits.history")
    }

    fn check_budget(&self, tokens: usize) -> Result<()> {
        check("tokens of budget", tokens, self.budget, "limits.budget")
    }

    pub(crate) fn check_text(&self, what: &str, bytes: usize) -> Result<()> {
        check(&format!("bytes in {what}"), bytes, self.bytes_per_text, "limits.content_bytes")
    }

    pub(crate) fn check_name(&self, what: &str, bytes: usize) -> Result<()> {
        check(&format!("bytes in {what}"), bytes, self.bytes_per_name, "limits.name_bytes")
    }

    pub(crate) fn check_key(&self, key: &str) -> Result<()> {
        check("bytes in the key", key.len(), self.bytes_per_key, "limits.key_bytes")
    }

    pub fn check_persona(&self, what: &str, bytes: usize) -> Result<()> {
        check(&format!("bytes in {what}"), bytes, self.bytes_per_persona, "limits.persona_bytes")
    }

    pub(crate) fn check_also(&self, conversations: usize) -> Result<()> {
        check("conversations in also", conversations, self.also, "limits.also")
    }

    /// A whole book or card.
    pub fn check_document(&self, put: &DocumentPut) -> Result<()> {
        let texts: usize = put.entries.iter().map(|entry| entry.id.len() + entry.text.len()).sum();
        let file = put.file.as_ref().map_or(0, Vec::len);
        self.check_book(put.entries.len(), put.name.len() + put.text.len() + texts + file)
    }

    /// Not cleaned, as books are not: it goes back into a file of the host as it is.
    pub(crate) fn check_keepsake(&self, of: &KeptFor, text: &str) -> Result<()> {
        if let KeptFor::File(name) = of {
            self.check_name("the name of a file", name.len())?;
        }
        self.check_kept(text)
    }

    pub(crate) fn check_kept(&self, text: &str) -> Result<()> {
        check("bytes", text.len(), self.bytes_per_document, "limits.document_bytes")
    }

    pub(crate) fn check_book(&self, entries: usize, bytes: usize) -> Result<()> {
        check("entries", entries, self.entries_per_book, "limits.book_entries")?;
        check("bytes", bytes, self.bytes_per_document, "limits.document_bytes")
    }

    /// Of a chat that is searched and not kept.
    pub fn check_messages(&self, count: usize) -> Result<()> {
        check("messages", count, self.window_lines, "limits.window_lines")
    }

    pub fn check_people(&self, count: usize) -> Result<()> {
        check("people", count, self.people, "limits.participants")
    }
}

/// Refuses more than the limit, naming the setting that moves it.
pub(crate) fn check(what: &str, count: usize, most: usize, setting: &str) -> Result<()> {
    if count <= most {
        return Ok(());
    }
    Err(Error::invalid(format!("{count} {what} are too many: at most {most}"))
        .hint(format!("send less at a time, or change {setting}")))
}
