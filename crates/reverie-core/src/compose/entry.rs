//! How does the character take each line, whether it was recorded or brought along?

use crate::Attribute;
use crate::character::{Character, Who};
use crate::cue::{Cue, CueMessage, InlineLine};
use crate::id::{CharacterId, LineId};
use crate::line::{Line, Wording};
use crate::perspective::{Seen, Voice};
use crate::settings::Audience;
use crate::store::Gathered;
use crate::target::Target;
use crate::time::Moment;

/// A line on its way into the prompt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) seen: Seen<'a>,
    pub(super) source: Option<LineId>,
    pub(super) moment: Moment,
    /// The speaker's id, for the `name` of a message.
    pub(super) speaker: Option<&'a str>,
    /// A system line for this character alone.
    pub(super) is_addressed_system: bool,
    /// A system line that is part of the persona: never cut.
    pub(super) is_pinned: bool,
}

/// What the character lived through, as far as it was read, oldest first, with what was just said to it.
pub(super) struct Past<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    /// True if there is more that was not read.
    pub(super) is_cut: bool,
    /// True if the cue's limit is what ended the reading.
    pub(super) is_limited: bool,
}

impl Entry<'_> {
    /// Only directions to the character, and those to everyone before the first word, must survive every cut; later
    /// ones to everyone are part of what happened.
    fn unpinned(mut self, has_begun: &mut bool) -> Self {
        *has_begun |= self.seen.voice != Voice::System;
        self.is_pinned &= self.is_addressed_system || !*has_begun;
        self
    }
}

impl<'a> Past<'a> {
    pub(super) fn gather(gathered: &'a Gathered, cue: &'a Cue, audience: Audience, now_ms: i64) -> Self {
        let mut past = match &cue.history {
            Some(lines) => Self::brought(lines, gathered, cue),
            None => Self::recorded(gathered, cue, audience),
        };
        if let Some(message) = &cue.message {
            let moment = Moment { tick: cue.tick.or(gathered.world.time), wall_ms: Some(now_ms) };
            let said = said(message, moment, &past.entries);
            past.entries.push(said);
        }
        past
    }

    fn recorded(gathered: &'a Gathered, cue: &Cue, audience: Audience) -> Self {
        let window = gathered.window.iter().filter(|line| may_be_told(line, gathered, audience));
        let mut entries: Vec<Entry<'a>> =
            gathered.earlier_system.iter().filter_map(|line| stored(line, gathered)).collect();
        let mut has_begun = gathered.window_is_cut;
        entries.extend(
            window.filter_map(|line| stored(line, gathered)).map(|entry| entry.unpinned(&mut has_begun)),
        );
        let is_limited = cue.history_limit.is_some_and(|limit| gathered.window.len() >= limit);
        Self { entries, is_cut: gathered.window_is_cut, is_limited: is_limited && gathered.window_is_cut }
    }

    fn brought(lines: &'a [InlineLine], gathered: &'a Gathered, cue: &'a Cue) -> Self {
        let target = Target::new(&cue.character, gathered.character.as_ref());
        let mut has_begun = false;
        let entries = lines.iter().filter_map(|line| inline(line, &target));
        let mut entries: Vec<Entry<'a>> = entries.map(|entry| entry.unpinned(&mut has_begun)).collect();
        let beyond = entries.len().saturating_sub(cue.history_limit.unwrap_or(usize::MAX));
        let mut index = 0;
        entries.retain(|entry| {
            index += 1;
            index > beyond || entry.is_pinned
        });
        Self { entries, is_cut: beyond > 0, is_limited: beyond > 0 }
    }
}

/// The current conversation's own history is always told; of other conversations only what the audience policy lets in.
fn may_be_told(line: &Line, gathered: &Gathered, audience: Audience) -> bool {
    if is_here(line, gathered) {
        return true;
    }
    match audience {
        Audience::Open => true,
        Audience::SameConversation => false,
        Audience::Strict => gathered.people.iter().all(|person| line.is_witnessed_by(person)),
    }
}

fn is_here(line: &Line, gathered: &Gathered) -> bool {
    gathered.conversation.as_ref().is_some_and(|here| here.id == line.conversation)
}

fn stored<'a>(line: &'a Line, gathered: &Gathered) -> Option<Entry<'a>> {
    let character: Option<&Character> = gathered.character.as_ref();
    let is_target =
        line.speaker.is_some() && line.speaker.as_ref() == character.map(|character| &character.id);
    let voice = match line.attribute {
        Attribute::User => Voice::User,
        Attribute::Assistant if is_target => Voice::Own,
        Attribute::Assistant => Voice::Other,
        Attribute::System if is_target || line.speaker.is_none() => Voice::System,
        Attribute::System => return None,
    };
    // Directions from another conversation are part of its history, not of who the character is here.
    let is_here = is_here(line, gathered);
    Some(Entry {
        seen: seen(voice, line.name.as_deref(), &line.wording),
        source: Some(line.id),
        moment: Moment { tick: line.tick, wall_ms: Some(line.wall_ms) },
        speaker: line.speaker.as_ref().map(|id| id.as_str()),
        is_addressed_system: is_target && voice == Voice::System,
        is_pinned: is_here && voice == Voice::System,
    })
}

fn inline<'a>(line: &'a InlineLine, target: &Target<'a>) -> Option<Entry<'a>> {
    let voice = match line.is_the_characters() {
        true => Voice::Own,
        false if !target.witnesses(line.speaker.as_ref(), line.witnesses.as_deref()) => return None,
        false => target.voice(line.attribute, line.speaker.as_ref())?,
    };
    let name = line.display_name.as_deref().or_else(|| line.speaker.as_ref().and_then(shown_name));
    Some(Entry {
        seen: seen(voice, name, &line.wording),
        source: None,
        moment: Moment { tick: line.tick, wall_ms: line.wall_ms },
        speaker: line.speaker.as_ref().and_then(known_id),
        is_addressed_system: voice == Voice::System && line.speaker.is_some(),
        is_pinned: voice == Voice::System,
    })
}

/// What was just said, under the name that the speaker had before, so that recording it does not change how it is told.
fn said<'a>(message: &'a CueMessage, moment: Moment, before: &[Entry<'a>]) -> Entry<'a> {
    let speaker = message.speaker.as_ref().and_then(known_id);
    let known = before.iter().rev().find(|entry| speaker.is_some() && entry.speaker == speaker);
    let name = known.and_then(|entry| entry.seen.name);
    let name = name.or_else(|| message.speaker.as_ref().and_then(shown_name));
    let seen =
        Seen { voice: Voice::User, name, content: &message.content, emotion: None, tts: None, action: None };
    Entry { seen, source: None, moment, speaker, is_addressed_system: false, is_pinned: false }
}

fn seen<'a>(voice: Voice, name: Option<&'a str>, wording: &'a Wording) -> Seen<'a> {
    Seen {
        voice,
        name,
        content: &wording.content,
        emotion: wording.original_emotion.as_deref(),
        tts: wording.tts.as_deref(),
        action: wording.action.as_deref(),
    }
}

fn shown_name(who: &Who) -> Option<&str> {
    who.called().or_else(|| known_id(who))
}

fn known_id(who: &Who) -> Option<&str> {
    who.id().map(CharacterId::as_str)
}
