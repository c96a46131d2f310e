//! How much is too much?

use crate::character::CharacterPatch;
use crate::conversation::Append;
use crate::cue::Cue;
use crate::line::{Wording, check_tick};
use crate::settings::MAX_BUDGET;
use crate::store::{LinePatch, Place};
use crate::{Error, Result};

/// Conversations opened to one prompt.
const MAX_ALSO: usize = 100;

/// Bounds on what hosts hand in. Every one is a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    pub lines_per_append: usize,
    /// Of each text of a line: content, TTS, action ….
    pub bytes_per_text: usize,
    /// In a conversation, a presence list or a witness list.
    pub people: usize,
    pub bytes_per_persona: usize,
    /// Of a prompt's window.
    pub window_lines: usize,
    pub page: usize,
    pub history: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            lines_per_append: 1000,
            bytes_per_text: 256 << 10,
            people: 1000,
            bytes_per_persona: 1 << 20,
            window_lines: 10_000,
            page: 1000,
            history: 1000,
        }
    }
}

impl Limits {
    pub fn check_append(&self, append: &mut Append) -> Result<()> {
        if append.lines.is_empty() {
            return Err(Error::invalid("there are no lines to record")
                .hint("send {\"lines\":[…]} with at least one line"));
        }
        check("lines", append.lines.len(), self.lines_per_append, "limits.lines")?;
        if let Some(key) = &append.key {
            check("bytes in the key", key.key.len(), 256, "a shorter key")?;
        }
        for (index, line) in append.lines.iter_mut().enumerate() {
            for (name, text) in line.wording.texts_mut() {
                let what = format!("bytes in {name} of line {index}");
                check(&what, text.len(), self.bytes_per_text, "limits.content_bytes")?;
            }
            for short in [&line.display_name, &line.host_id].into_iter().flatten() {
                check("bytes in a name or host id", short.len(), 1024, "a shorter one")?;
            }
            line.tick.map(check_tick).transpose()?;
            self.check_people(line.witnesses.as_ref().map_or(0, Vec::len))?;
        }
        Ok(())
    }

    pub fn check_patch(&self, patch: &LinePatch) -> Result<()> {
        for (name, text) in patch.apply(&Wording::default()).texts_mut() {
            check(&format!("bytes in {name}"), text.len(), self.bytes_per_text, "limits.content_bytes")?;
        }
        Ok(())
    }

    pub fn check_card(&self, patch: &CharacterPatch) -> Result<()> {
        let persona = patch.persona.iter().flatten().map(String::len).max().unwrap_or(0);
        check("bytes in the persona", persona, self.bytes_per_persona, "limits.persona_bytes")?;
        let name = patch.display_name.iter().flatten().map(String::len).max().unwrap_or(0);
        check("bytes in the display name", name, 1024, "a shorter one")
    }

    pub fn check_cue(&self, cue: &Cue) -> Result<()> {
        self.check_also(cue.also.len())?;
        check("tokens of budget", cue.budget.unwrap_or(0), MAX_BUDGET, "the cue")?;
        if let Place::Among(people) = &cue.place {
            self.check_people(people.len())?;
        }
        let history = cue.history.as_deref().unwrap_or_default();
        check("lines of history", history.len(), self.window_lines, "limits.window_lines")?;
        cue.tick.map(check_tick).transpose()?;
        for line in history {
            line.tick.map(check_tick).transpose()?;
            self.check_people(line.witnesses.as_ref().map_or(0, Vec::len))?;
            let wording = &line.wording;
            let parts = [&wording.original_emotion, &wording.tts, &wording.action, &line.display_name];
            let longest = parts.into_iter().flatten().chain([&wording.content]).map(String::len).max();
            self.check_text("a line of the history", longest)?;
        }
        self.check_cue_texts(cue)
    }

    fn check_cue_texts(&self, cue: &Cue) -> Result<()> {
        let system = cue.system.as_ref().map_or(0, String::len);
        check("bytes in system", system, self.bytes_per_persona, "limits.persona_bytes")?;
        self.check_text("the message", cue.message.as_ref().map(|message| message.content.len()))?;
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
        self.check_text("a part of scene or other", fixed.chain(labelled).map(String::len).max())
    }

    fn check_text(&self, what: &str, bytes: Option<usize>) -> Result<()> {
        check(&format!("bytes in {what}"), bytes.unwrap_or(0), self.bytes_per_text, "limits.content_bytes")
    }

    pub fn check_also(&self, conversations: usize) -> Result<()> {
        check("conversations in also", conversations, MAX_ALSO, "the request")
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
