//! How is a run of lines written as the text of one message?
//!
//! Each layout is a function that names its pieces in order. It runs twice: once to add up their lengths,
//! once to copy them, so that every message is allocated once and exactly.

use super::{Brackets, Profile, SceneEmotion, Seen, Voice};

/// The character's own lines, one after the other: `【emotion】content<tts>（action）`.
pub(super) fn own(lines: &[Seen<'_>], profile: &Profile) -> String {
    let mut length = 0;
    own_pieces(lines, profile, |piece| length += piece.len());
    let mut text = String::with_capacity(length);
    own_pieces(lines, profile, |piece| text.push_str(piece));
    text
}

/// The scene in braces, then what the player says to the character; either may be missing.
pub(super) fn scene_and_addressed(scene: &[Seen<'_>], addressed: &[Seen<'_>], profile: &Profile) -> String {
    let mut length = 0;
    scene_and_addressed_pieces(scene, addressed, profile, |piece| length += piece.len());
    let mut text = String::with_capacity(length);
    scene_and_addressed_pieces(scene, addressed, profile, |piece| text.push_str(piece));
    text
}

/// Directions are passed on as they are.
pub(super) fn content_only(lines: &[Seen<'_>]) -> String {
    let mut text = String::with_capacity(lines.iter().map(|line| line.content.len()).sum());
    text.extend(lines.iter().map(|line| line.content));
    text
}

fn own_pieces(lines: &[Seen<'_>], profile: &Profile, mut put: impl FnMut(&str)) {
    for line in lines {
        put_part(line.emotion, &profile.emotion, &mut put);
        put(line.content);
        put_part(line.tts, &profile.tts, &mut put);
        put_part(line.action, &profile.action, &mut put);
    }
}

fn scene_and_addressed_pieces(
    scene: &[Seen<'_>],
    addressed: &[Seen<'_>],
    profile: &Profile,
    mut put: impl FnMut(&str),
) {
    if !scene.is_empty() {
        put(&profile.scene.open);
        put_joined(scene, &profile.scene_joiner, &mut put, |line, put| put_scene_line(line, profile, put));
        put(&profile.scene.close);
        if !addressed.is_empty() {
            put(&profile.after_scene);
        }
    }
    put_joined(addressed, &profile.addressed_joiner, &mut put, |line, put| put(line.content));
}

/// `name：content（action）`. The emotion is shown for those who act one out, never for the player.
fn put_scene_line(line: &Seen<'_>, profile: &Profile, put: &mut impl FnMut(&str)) {
    put(line.name.filter(|name| !name.is_empty()).unwrap_or(&profile.unknown_name));
    put(&profile.name_separator);
    if profile.emotion_in_scene == SceneEmotion::BeforeContent && line.voice != Voice::User {
        put_part(line.emotion, &profile.emotion, put);
    }
    put(line.content);
    put_part(line.action, &profile.action, put);
}

/// An absent or empty part is left out with its brackets.
fn put_part(part: Option<&str>, brackets: &Brackets, put: &mut impl FnMut(&str)) {
    if let Some(text) = part.filter(|text| !text.is_empty()) {
        put(&brackets.open);
        put(text);
        put(&brackets.close);
    }
}

fn put_joined<P: FnMut(&str)>(
    lines: &[Seen<'_>],
    joiner: &str,
    put: &mut P,
    put_line: impl Fn(&Seen<'_>, &mut P),
) {
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            put(joiner);
        }
        put_line(line, put);
    }
}
