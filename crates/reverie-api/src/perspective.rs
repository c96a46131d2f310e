//! One character's view of lines that nobody stores.

use reverie_core::character::Who;
use reverie_core::cue::InlineLine;
use reverie_core::perspective::{Profile, Seen, perspective};
use reverie_core::target::Target;
use reverie_core::{Degraded, Error, Limits, Result};
use serde_json::Value;

use crate::wire::{MessageView, PerspectiveBody, PerspectiveView, ProfileBody, flatten, numbered};

pub fn run(body: PerspectiveBody, limits: &Limits) -> Result<PerspectiveView> {
    let target = body.target.into_who()?;
    let profile = match body.profile {
        None => Profile::example(),
        Some(ProfileBody::Name(name)) => Profile::from_name(&name)?,
        Some(ProfileBody::Parts(mut parts)) => {
            let base = match parts.remove("base") {
                None => Profile::example(),
                Some(Value::String(name)) => Profile::from_name(&name)?,
                Some(_) => return Err(Error::invalid("a profile's base is example or rule-text")),
            };
            let pairs = flatten(&parts, limits)?;
            Profile::from_pairs(
                base,
                pairs
                    .iter()
                    .filter(|(key, _)| !key.ends_with('*'))
                    .map(|(key, value)| (key.as_str(), value.as_str())),
            )?
        }
    };
    let lines = body.lines.into_iter().enumerate();
    let lines: Vec<InlineLine> =
        lines.map(|(index, line)| numbered(index, line.into_inline())).collect::<Result<_>>()?;
    limits.check_inline(&lines)?;
    let target = Target::new(&target, None);
    let degraded = if is_unknown(&target, &lines) { vec![nobody_like_this().into()] } else { Vec::new() };
    let seen = lines.iter().filter_map(|line| see(line, &target));
    let messages = perspective(seen, &profile)
        .iter()
        .map(|message| MessageView {
            role: message.role.into(),
            content: message.content.to_owned(),
            name: None,
        })
        .collect();
    Ok(PerspectiveView { messages, degraded })
}

/// True if there is somebody in the lines, but not whose view is wanted.
fn is_unknown(target: &Target<'_>, lines: &[InlineLine]) -> bool {
    let people = |line: &InlineLine| -> bool {
        line.speaker.iter().chain(line.witnesses.iter().flatten()).any(|who| target.is(who))
    };
    !lines.is_empty() && !lines.iter().any(people)
}

fn nobody_like_this() -> Degraded {
    Degraded {
        code: "unknown_character",
        message: "nobody in these lines is called like the character whose view was asked for".to_owned(),
        hint: "check the name: it is taken for somebody who listens and never speaks".to_owned(),
    }
}

fn see<'a>(line: &'a InlineLine, target: &Target<'_>) -> Option<Seen<'a>> {
    if !target.witnesses(line.speaker.as_ref(), line.witnesses.as_deref()) {
        return None;
    }
    let id_as_name = match &line.speaker {
        Some(Who::Id(id)) => Some(id.as_str()),
        _ => None,
    };
    Some(Seen {
        voice: target.voice(line.attribute, line.speaker.as_ref())?,
        name: line.display_name.as_deref().or(id_as_name),
        content: &line.wording.content,
        emotion: line.wording.original_emotion.as_deref(),
        tts: line.wording.tts.as_deref(),
        action: line.wording.action.as_deref(),
    })
}
