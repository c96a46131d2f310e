//! How does the character take each line, whether it was recorded or brought along?

use crate::Attribute;
use crate::character::{Character, Named, Namespace, Who};
use crate::cue::{Cue, InlineLine};
use crate::id::LineId;
use crate::identity::{Identity, voice};
use crate::line::{Line, Wording};
use crate::perspective::{Seen, Voice};
use crate::store::Gathered;
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
            let target = Target::of(cue, gathered.character.as_ref());
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

/// All the ways in which the speaking character may be named in a history brought along.
struct Target<'a> {
    id: Option<&'a str>,
    identity: Identity<'a>,
    /// How a witness list may name it.
    who: &'a Who,
}

impl<'a> Target<'a> {
    fn of(cue: &'a Cue, known: Option<&'a Character>) -> Self {
        let card = known.map(|character| &character.card);
        let named = match &cue.character {
            Who::Named(named) => Some(named),
            Who::Id(_) => None,
        };
        let strong = |from: fn(&Named) -> Option<&str>, namespace| {
            named.and_then(from).or_else(|| known.and_then(|character| character.alias(namespace)))
        };
        let id = match &cue.character {
            Who::Id(id) => Some(id.as_str()),
            Who::Named(_) => known.map(|character| character.id.as_str()),
        };
        let name = named.and_then(|named| named.display_name.as_deref());
        let label = card.and_then(|card| card.display_name.as_deref());
        Self {
            id,
            identity: Identity {
                role_id: strong(|named| named.role_id.as_deref(), Namespace::Role),
                script_role_id: strong(|named| named.script_role_id.as_deref(), Namespace::ScriptRole),
                // A host that names people only by name has the name as id.
                display_name: name.or(label).or(id),
            },
            who: &cue.character,
        }
    }

    fn is(&self, who: &Who) -> bool {
        match who {
            Who::Id(id) => self.id == Some(id.as_str()),
            Who::Named(named) => identity(named, None).same_as(&self.identity),
        }
    }
}

fn inline<'a>(line: &'a InlineLine, target: &Target<'a>) -> Option<Entry<'a>> {
    let witnessed = line.witnesses.as_ref().is_none_or(|witnesses| {
        let is_speaker = line.speaker.as_ref().is_some_and(|speaker| target.is(speaker));
        is_speaker || witnesses.iter().any(|witness| witness == target.who || target.is(witness))
    });
    let voice = match &line.speaker {
        Some(Who::Id(id)) => match (line.attribute, target.id == Some(id.as_str())) {
            (Attribute::User, _) => Voice::User,
            (Attribute::Assistant, true) => Voice::Own,
            (Attribute::Assistant, false) => Voice::Other,
            (Attribute::System, true) => Voice::System,
            (Attribute::System, false) => return None,
        },
        Some(Who::Named(named)) => voice(line.attribute, &identity(named, None), &target.identity)?,
        None => voice(line.attribute, &Identity::default(), &target.identity)?,
    };
    if !witnessed {
        return None;
    }
    let name = line.display_name.as_deref().or_else(|| line.speaker.as_ref().and_then(shown_name));
    Some(Entry {
        seen: seen(voice, name, &line.wording),
        source: None,
        moment: Moment { tick: line.tick, wall_ms: line.wall_ms },
        speaker: line.speaker.as_ref().and_then(known_id),
        is_addressed_system: voice == Voice::System && line.speaker.is_some(),
    })
}

fn identity<'a>(named: &'a Named, display_name: Option<&'a str>) -> Identity<'a> {
    Identity {
        role_id: named.role_id.as_deref(),
        script_role_id: named.script_role_id.as_deref(),
        display_name: named.display_name.as_deref().or(display_name),
    }
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
