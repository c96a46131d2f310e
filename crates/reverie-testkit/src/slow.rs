//! What does perspective's description say, taken word by word and without haste?
//!
//! A second opinion for differential tests. It shares no code with the real one: it asks again and again
//! about indices instead of carrying a state along, compares identities on its own, and builds text by
//! joining. Keep it obvious, never make it fast.

use crate::{Line, Speaker};
use reverie_core::attribute::Attribute;
use reverie_core::perspective::{AddressedNames, Brackets, Message, Profile, Role, SceneEmotion};
use std::collections::BTreeSet;
use std::ops::Range;

/// What `target` sees of the lines, filtered and written from scratch. Indices in [`Message::lines`] count
/// the lines that are seen, as those of the real one do.
pub fn slow_perspective(target: &Speaker, lines: &[Line], profile: &Profile) -> Vec<SlowMessage> {
    let seen: Vec<(&Line, Role)> = lines
        .iter()
        .filter(|line| is_present(target, line) && !is_direction_to_somebody_else(target, line))
        .map(|line| (line, role_for(target, line)))
        .collect();

    let starts_a_message =
        |index: usize| match (index.checked_sub(1).and_then(|i| seen.get(i)), seen.get(index)) {
            (Some((_, before)), Some((_, role))) => before != role || *role == Role::System,
            _ => true,
        };
    let starts: Vec<usize> = (0..seen.len()).filter(|index| starts_a_message(*index)).collect();

    let mut messages = Vec::new();
    for start in starts.iter().copied() {
        let end = starts.iter().copied().find(|next| *next > start).unwrap_or(seen.len());
        let run: Vec<&Line> = seen.iter().take(end).skip(start).map(|(line, _)| *line).collect();
        let Some((_, role)) = seen.get(start) else { continue };
        let content = match role {
            Role::System => run.iter().map(|line| line.content.clone()).collect(),
            Role::Assistant => {
                run.iter().map(|line| own_text(line, profile)).collect::<Vec<_>>().join(&profile.own_joiner)
            }
            Role::User => user_text(&run, profile),
        };
        let after_last_line = after_last_line(&run, *role, profile);
        let last_line = content.len() - after_last_line;
        messages.push(SlowMessage { role: *role, content, lines: start..end, last_line });
    }
    messages
}

/// A [`Message`] with a text of its own.
pub struct SlowMessage {
    role: Role,
    content: String,
    lines: Range<usize>,
    last_line: usize,
}

impl SlowMessage {
    pub fn as_message(&self) -> Message<'_> {
        Message {
            role: self.role,
            content: &self.content,
            lines: self.lines.clone(),
            last_line: self.last_line,
        }
    }
}

fn is_present(target: &Speaker, line: &Line) -> bool {
    let Some(mut present) = line.witnesses.clone() else { return true };
    present.push(line.speaker.clone());
    present.iter().any(|who| is_same(who, target))
}

fn is_direction_to_somebody_else(target: &Speaker, line: &Line) -> bool {
    let addressee = &line.speaker;
    let is_addressed =
        [&addressee.role_id, &addressee.script_role_id, &addressee.display_name].into_iter().any(is_given);
    line.attribute == Attribute::System && is_addressed && !is_same(addressee, target)
}

fn role_for(target: &Speaker, line: &Line) -> Role {
    if line.attribute == Attribute::System {
        Role::System
    } else if line.attribute == Attribute::Assistant && is_same(&line.speaker, target) {
        Role::Assistant
    } else {
        Role::User
    }
}

fn is_same(one: &Speaker, two: &Speaker) -> bool {
    let lacks_strong_id = |who: &Speaker| !is_given(&who.role_id) && !is_given(&who.script_role_id);
    let agree = |one: &Option<String>, two: &Option<String>| is_given(one) && is_given(two) && one == two;
    if lacks_strong_id(one) || lacks_strong_id(two) {
        return agree(&one.display_name, &two.display_name);
    }
    agree(&one.role_id, &two.role_id) || agree(&one.script_role_id, &two.script_role_id)
}

fn own_text(line: &Line, profile: &Profile) -> String {
    let emotion = bracketed(&line.emotion, &profile.emotion);
    let tts = bracketed(&line.tts, &profile.tts);
    let action = bracketed(&line.action, &profile.action);
    format!("{emotion}{}{tts}{action}", line.content)
}

fn user_text(run: &[&Line], profile: &Profile) -> String {
    let last_foreign = run.iter().rposition(|line| line.attribute != Attribute::User);
    let scene_length = last_foreign.map_or(0, |index| index + 1);
    let scene: Vec<String> = run.iter().take(scene_length).map(|line| scene_text(line, profile)).collect();
    let addressed: Vec<&Line> = run.iter().skip(scene_length).copied().collect();
    let addressed = addressed_texts(&addressed, profile);
    let scene_text =
        format!("{}{}{}", profile.scene.open, scene.join(&profile.scene_joiner), profile.scene.close);
    let addressed_text = addressed.join(&profile.addressed_joiner);
    match (scene.is_empty(), addressed.is_empty()) {
        (true, _) => addressed_text,
        (false, true) => scene_text,
        (false, false) => format!("{scene_text}{}{addressed_text}", profile.after_scene),
    }
}

/// How long what the last line has become is, with what stands behind it.
fn after_last_line(run: &[&Line], role: Role, profile: &Profile) -> usize {
    let Some(last) = run.last() else { return 0 };
    let last_foreign = run.iter().rposition(|line| line.attribute != Attribute::User);
    let addressed: Vec<&Line> = run.iter().skip(last_foreign.map_or(0, |index| index + 1)).copied().collect();
    match (role, addressed_texts(&addressed, profile).last()) {
        (Role::System, _) => last.content.len(),
        (Role::Assistant, _) => own_text(last, profile).len(),
        (Role::User, Some(addressed)) => addressed.len(),
        (Role::User, None) => scene_text(last, profile).len() + profile.scene.close.len(),
    }
}

fn addressed_texts(lines: &[&Line], profile: &Profile) -> Vec<String> {
    let name = |line: &Line| line.speaker.display_name.clone().unwrap_or_default();
    let names: BTreeSet<String> = lines.iter().map(|line| name(line)).collect();
    let is_named = match profile.addressed_names {
        AddressedNames::Hidden => false,
        AddressedNames::WhenSeveral => names.len() > 1,
        AddressedNames::Always => true,
    };
    let text = |line: &&Line| match name(line) {
        name if is_named && !name.is_empty() => format!("{name}{}{}", profile.name_separator, line.content),
        _ => line.content.clone(),
    };
    lines.iter().map(text).collect()
}

fn scene_text(line: &Line, profile: &Profile) -> String {
    let name = line.speaker.display_name.clone().unwrap_or_default();
    let name = if name.is_empty() { &profile.unknown_name } else { &name };
    let emotion = match (profile.emotion_in_scene, line.attribute) {
        (SceneEmotion::Hidden, _) | (_, Attribute::User) => String::new(),
        (SceneEmotion::BeforeContent, _) => bracketed(&line.emotion, &profile.emotion),
    };
    let action = bracketed(&line.action, &profile.action);
    format!("{name}{}{emotion}{}{action}", profile.name_separator, line.content)
}

fn bracketed(part: &Option<String>, brackets: &Brackets) -> String {
    match part.as_deref() {
        None | Some("") => String::new(),
        Some(text) => format!("{}{text}{}", brackets.open, brackets.close),
    }
}

fn is_given(part: &Option<String>) -> bool {
    part.as_deref().is_some_and(|text| !text.is_empty())
}
