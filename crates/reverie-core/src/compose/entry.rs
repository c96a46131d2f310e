//! How does the character take each line, whether it was recorded or brought along?

use crate::Attribute;
use crate::character::{Character, Who};
use crate::cue::{Cue, InlineLine};
use crate::id::LineId;
use crate::line::{Line, Wording};
use crate::perspective::{Seen, Voice};
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
}

/// The window, oldest first, and the message that was just said.
pub(super) fn entries<'a>(gathered: &'a Gathered, cue: &'a Cue, now_ms: i64) -> Vec<Entry<'a>> {
    let mut entries: Vec<Entry<'a>> = match &cue.history {
        Some(lines) => {
            let target = Target::new(&cue.character, gathered.character.as_ref());
            lines.iter().filter_map(|line| inline(line, &target)).collect()
        }
        None => {
            let lines = gathered.earlier_system.iter().chain(&gathered.window);
            lines.filter_map(|line| stored(line, gathered.character.as_ref())).collect()
        }
    };
    if let Some(message) = &cue.message {
        let speaker = message.speaker.as_ref();
        let seen = Seen {
            voice: Voice::User,
            name: speaker.and_then(shown_name),
            content: &message.content,
            emotion: None,
            tts: None,
            action: None,
        };
        entries.push(Entry {
            seen,
            source: None,
            moment: Moment { tick: cue.tick.or(gathered.world.time), wall_ms: Some(now_ms) },
            speaker: speaker.and_then(known_id),
            is_addressed_system: false,
        });
    }
    entries
}

fn stored<'a>(line: &'a Line, character: Option<&Character>) -> Option<Entry<'a>> {
    let is_target =
        line.speaker.is_some() && line.speaker.as_ref() == character.map(|character| &character.id);
    let voice = match line.attribute {
        Attribute::User => Voice::User,
        Attribute::Assistant if is_target => Voice::Own,
        Attribute::Assistant => Voice::Other,
        Attribute::System if is_target || line.speaker.is_none() => Voice::System,
        Attribute::System => return None,
    };
    Some(Entry {
        seen: seen(voice, line.name.as_deref(), &line.wording),
        source: Some(line.id),
        moment: Moment { tick: line.tick, wall_ms: Some(line.wall_ms) },
        speaker: line.speaker.as_ref().map(|id| id.as_str()),
        is_addressed_system: is_target && voice == Voice::System,
    })
}

fn inline<'a>(line: &'a InlineLine, target: &Target<'a>) -> Option<Entry<'a>> {
    let is_witness = line
        .witnesses
        .as_ref()
        .is_none_or(|witnesses| line.speaker.iter().chain(witnesses).any(|who| target.is(who)));
    if !is_witness {
        return None;
    }
    let voice = target.voice(line.attribute, line.speaker.as_ref())?;
    let name = line.display_name.as_deref().or_else(|| line.speaker.as_ref().and_then(shown_name));
    Some(Entry {
        seen: seen(voice, name, &line.wording),
        source: None,
        moment: Moment { tick: line.tick, wall_ms: line.wall_ms },
        speaker: line.speaker.as_ref().and_then(known_id),
        is_addressed_system: voice == Voice::System && line.speaker.is_some(),
    })
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
    match who {
        Who::Id(id) => Some(id.as_str()),
        Who::Named(named) => named.display_name.as_deref(),
    }
}

fn known_id(who: &Who) -> Option<&str> {
    match who {
        Who::Id(id) => Some(id.as_str()),
        Who::Named(_) => None,
    }
}
