//! In which shape may a host's words come in?
//!
//! Each text is cleaned first and measured then, because a replacement is longer than what it replaces. An optional
//! text that is empty says nothing. Everything here answers with how many characters could not be kept.

mod records;

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization;

use crate::character::{CharacterPatch, Who};
use crate::conversation::OpenConversation;
use crate::id::ConversationId;
use crate::limits::{Limits, check};
use crate::line::{NewLine, Wording, check_tick, check_wall_ms};
use crate::settings::Pairs;
use crate::store::LinePatch;
use crate::text::{clean, clean_in_place};
use crate::{Error, Result};

pub(crate) use records::Inspection;

/// A field, and how many of its characters could not be kept.
type Replaced = (&'static str, usize);

/// What one is called besides: nobody says more of them.
const MOST_ALIASES: usize = 64;

impl Limits {
    /// The lines of one batch.
    pub(crate) fn check_batch(&self, lines: &[NewLine]) -> Result<()> {
        if lines.is_empty() {
            return Err(Error::invalid("there are no lines to record")
                .hint("send {\"lines\":[…]} with at least one line"));
        }
        check("lines", lines.len(), self.lines_per_append, "limits.lines")
    }

    /// Makes a line fit to be recorded; which fields held characters that could not be kept, and how many.
    pub fn admit_line(&self, line: &mut NewLine) -> Result<Vec<(&'static str, usize)>> {
        let mut replaced = self.admit_wording(&mut line.wording)?;
        for (field, text) in [("display_name", &mut line.display_name), ("host_id", &mut line.host_id)] {
            replaced.push((field, keep(text)));
            self.check_name(field, length(text))?;
        }
        replaced.push(("speaker", line.speaker.as_mut().map_or(Ok(0), |who| self.admit_who(who))?));
        line.tick.map(check_tick).transpose()?;
        line.wall_ms.map(check_wall_ms).transpose()?;
        let witnesses = line.witnesses.as_deref_mut().unwrap_or_default();
        replaced.push(("witnesses", self.admit_people(witnesses)?));
        replaced.retain(|(_, count)| *count > 0);
        Ok(replaced)
    }

    fn admit_wording(&self, wording: &mut Wording) -> Result<Vec<Replaced>> {
        let Wording { content, original_emotion, predicted_emotion, tts, action, audio } = wording;
        let mut replaced = vec![("content", clean_in_place(content))];
        self.check_text("content", content.len())?;
        for (field, text) in [
            ("original_emotion", original_emotion),
            ("predicted_emotion", predicted_emotion),
            ("tts_content", tts),
            ("action_content", action),
            ("audio_file", audio),
        ] {
            replaced.push((field, keep(text)));
            self.check_text(field, length(text))?;
        }
        Ok(replaced)
    }

    pub(crate) fn admit_patch(&self, patch: &mut LinePatch) -> Result<usize> {
        let mut replaced = 0;
        if let Some(content) = &mut patch.content {
            replaced += clean_in_place(content);
            self.check_text("content", content.len())?;
        }
        for (field, text) in [
            ("original_emotion", &mut patch.original_emotion),
            ("predicted_emotion", &mut patch.predicted_emotion),
            ("tts_content", &mut patch.tts),
            ("action_content", &mut patch.action),
            ("audio_file", &mut patch.audio),
        ] {
            let Some(text) = text else { continue };
            replaced += keep(text);
            self.check_text(field, length(text))?;
        }
        Ok(replaced)
    }

    pub(crate) fn admit_character(&self, who: &mut Who, patch: &mut CharacterPatch) -> Result<usize> {
        let mut replaced = self.admit_who(who)?;
        if let Some(name) = &mut patch.display_name {
            replaced += self.admit_name("display_name", name)?;
        }
        if let Some(aliases) = &mut patch.aliases {
            replaced += self.admit_aliases(aliases)?;
        }
        if let Some(persona) = &mut patch.persona {
            replaced += keep(persona);
            self.check_persona("the persona", length(persona))?;
        }
        if let Some(Some(tags)) = &mut patch.tags {
            replaced += self.admit_tags(tags)?;
        }
        for (namespace, value) in &mut patch.host_ids {
            replaced += self.admit_name(namespace.as_str(), value)?;
        }
        Ok(replaced)
    }

    /// A round is many lines, so its text may be longer than that of any line.
    pub(crate) fn admit_memory_text(&self, text: &mut String) -> Result<usize> {
        let replaced = clean_in_place(text);
        check("bytes in a memory", text.len(), self.bytes_per_memory, "limits.memory_bytes")?;
        Ok(replaced)
    }

    /// Keywords, topics, emotions: each stands on a line of its own somewhere.
    pub(crate) fn admit_words(&self, words: &mut Vec<String>) -> Result<usize> {
        let mut replaced = 0;
        for word in words.iter_mut() {
            replaced += clean_in_place(word);
            *word = word.split_whitespace().collect::<Vec<_>>().join(" ");
            self.check_name("a word", word.len())?;
        }
        words.retain(|word| !word.is_empty());
        check("words", words.len(), self.words_per_memory, "limits.memory_words")?;
        Ok(replaced)
    }

    /// Each once, in the order in which they are given.
    pub(crate) fn admit_tags(&self, tags: &mut Vec<String>) -> Result<usize> {
        let replaced = self.admit_words(tags)?;
        let mut known = HashSet::new();
        tags.retain(|tag| known.insert(tag.clone()));
        Ok(replaced)
    }

    /// As tags are, and spelled in one way, so that they are found however they are typed.
    pub(crate) fn admit_aliases(&self, aliases: &mut Vec<String>) -> Result<usize> {
        for alias in aliases.iter_mut() {
            *alias = alias.nfc().collect();
        }
        if aliases.len() > MOST_ALIASES {
            let message = format!("{} aliases are too many: at most {MOST_ALIASES}", aliases.len());
            return Err(Error::invalid(message).hint("keep those that people say"));
        }
        self.admit_tags(aliases)
    }

    pub(crate) fn admit_open(&self, open: &mut OpenConversation) -> Result<usize> {
        let mut replaced = 0;
        if let Some(name) = open.name.take().filter(|name| !name.is_empty()) {
            let (name, count) = admit_scene(&name)?;
            replaced += count;
            open.name = Some(name);
        }
        Ok(replaced + self.admit_people(&mut open.participants)?)
    }

    pub(crate) fn admit_people(&self, people: &mut [Who]) -> Result<usize> {
        self.check_people(people.len())?;
        people.iter_mut().map(|who| self.admit_who(who)).sum()
    }

    fn admit_who(&self, who: &mut Who) -> Result<usize> {
        let named = match who {
            Who::Id(_) => return Ok(0),
            Who::Called(_, name) => {
                let replaced = clean_in_place(name);
                self.check_name("display_name", name.len())?;
                return Ok(replaced);
            }
            Who::Named(named) => named,
        };
        [
            ("role_id", &mut named.role_id),
            ("script_role_id", &mut named.script_role_id),
            ("display_name", &mut named.display_name),
        ]
        .into_iter()
        .map(|(field, text)| self.admit_name(field, text))
        .sum()
    }

    fn admit_name(&self, field: &str, name: &mut Option<String>) -> Result<usize> {
        let replaced = keep(name);
        self.check_name(field, length(name))?;
        Ok(replaced)
    }

    /// Names and values of a world's settings; how many there may be in the end is another question.
    pub(crate) fn admit_pairs(&self, pairs: &mut Pairs) -> Result<usize> {
        let mut replaced = 0;
        let mut admitted = Pairs::new();
        for (key, mut value) in std::mem::take(pairs) {
            let (key, count) = clean(&key);
            replaced += count + clean_in_place(&mut value);
            let bytes = key.len().max(value.len());
            check("bytes in a setting", bytes, self.bytes_per_setting, "limits.setting_bytes")?;
            admitted.insert(key.into_owned(), value);
        }
        *pairs = admitted;
        Ok(replaced)
    }
}

/// A scene's name is its key, so it obeys the rules of ids.
fn admit_scene(name: &str) -> Result<(String, usize)> {
    let (name, replaced) = clean(name);
    Ok((ConversationId::new(&name)?.to_string(), replaced))
}

fn keep(text: &mut Option<String>) -> usize {
    if text.as_ref().is_some_and(String::is_empty) {
        *text = None;
    }
    text.as_mut().map_or(0, clean_in_place)
}

/// A part of 1: importance, activity.
pub(crate) fn check_share(what: &str, share: f64) -> Result<()> {
    if (0.0..=1.0).contains(&share) {
        return Ok(());
    }
    Err(Error::invalid(format!("{what} {share} is not between 0 and 1")).hint("use a number from 0 to 1"))
}

fn length(text: &Option<String>) -> usize {
    text.as_ref().map_or(0, String::len)
}
