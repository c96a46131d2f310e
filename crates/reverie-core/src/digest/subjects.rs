//! Whom is a statement about?

use std::collections::BTreeSet;

use super::consider::Cast;
use super::evidence::names_that_open;
use super::question::RawStatement;
use crate::id::CharacterId;
use crate::line::Line;
use crate::words::mentions;

/// Those whom it names, or who are named as its subjects. Nobody, where that is somebody whom the world does not know; where nobody is
/// named, those who speak.
/// Of several with one name those are meant who were there.
pub(super) fn about(
    subjects: &[String],
    text: &str,
    there: &BTreeSet<&CharacterId>,
    cited: &[&Line],
    cast: &Cast,
) -> Vec<CharacterId> {
    let named: Vec<(&CharacterId, &String)> =
        cast.iter().filter(|(_, name)| subjects.contains(name) || mentions(text, name)).collect();
    let has_namesake_there =
        |name: &String| named.iter().any(|(id, other)| *other == name && there.contains(id));
    let mut about: BTreeSet<CharacterId> = named
        .iter()
        .filter(|(id, name)| there.contains(id) || !has_namesake_there(name))
        .map(|(id, _)| (*id).clone())
        .collect();
    if about.is_empty() && !names_a_stranger(subjects, text) {
        about.extend(cited.iter().filter_map(|line| line.speaker.clone()));
    }
    about.into_iter().collect()
}

/// Whether a statement tells of somebody, and of nobody whom the world knows.
pub(crate) fn tells_of_a_stranger(raw: &RawStatement, cast: &Cast) -> bool {
    let is_known = |name: &String| raw.about.contains(name) || mentions(&raw.text, name);
    !cast.values().any(is_known) && names_a_stranger(&raw.about, &raw.text)
}

fn names_a_stranger(subjects: &[String], text: &str) -> bool {
    subjects.iter().any(|name| !is_whoever(name)) || !names_that_open(text).is_empty()
}

/// What models call whoever speaks, or nobody in particular.
fn is_whoever(name: &str) -> bool {
    const WHOEVER: [&str; 24] = [
        "",
        "user",
        "the user",
        "assistant",
        "the assistant",
        "character",
        "the character",
        "speaker",
        "me",
        "i",
        "he",
        "she",
        "they",
        "everyone",
        "everybody",
        "self",
        "用户",
        "角色",
        "我",
        "他",
        "她",
        "大家",
        "私",
        "ユーザー",
    ];
    WHOEVER.contains(&name.trim().to_lowercase().as_str())
}
