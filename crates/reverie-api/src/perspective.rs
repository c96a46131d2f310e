//! One character's view of lines that nobody stores.

use reverie_core::character::Who;
use reverie_core::cue::InlineLine;
use reverie_core::perspective::{Profile, Seen, perspective};
use reverie_core::target::Target;
use reverie_core::{Error, Limits, Result};
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
    let seen = lines.iter().filter_map(|line| see(line, &target));
    let messages = perspective(seen, &profile)
        .iter()
        .map(|message| MessageView {
            role: message.role.into(),
            content: message.content.to_owned(),
            name: None,
        })
        .collect();
    Ok(PerspectiveView { messages, degraded: Vec::new() })
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
