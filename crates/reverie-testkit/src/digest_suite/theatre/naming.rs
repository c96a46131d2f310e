//! Whom and what do the words of a story name?

use reverie_core::character::{Named, Who};
use reverie_core::memory::Kind;
use reverie_core::{CharacterId, CheckpointId, LineId, MemoryId, Remember};

/// `张三#2` has an id of their own, `?#3` no name; `张三@pawn17` is Reverie's id and a name beside it.
pub fn who(text: &str) -> Who {
    if let Some((name, id)) = text.split_once('@') {
        return Who::Called(CharacterId::new(id).unwrap(), name.to_owned());
    }
    let Some((name, role)) = text.split_once('#') else {
        return Who::Id(CharacterId::new(text).unwrap());
    };
    Who::Named(Named {
        role_id: Some(role.to_owned()),
        script_role_id: None,
        display_name: (name != "?").then(|| name.to_owned()),
    })
}

pub(super) fn renamed(one: Who) -> Who {
    match one {
        Who::Id(id) => who(id.as_str()),
        named => named,
    }
}

pub fn all(people: &str) -> Vec<Who> {
    people.split(", ").map(who).collect()
}

pub fn id_of(text: &str) -> CharacterId {
    who(text).first_id().unwrap()
}

pub fn happened(people: &str, text: &str) -> Remember {
    Remember {
        text: text.to_owned(),
        holders: all(people),
        about: None,
        kind: Kind::Episodic,
        importance: None,
        keywords: None,
        topics: Vec::new(),
        emotions: Vec::new(),
        tick: None,
        wall_ms: None,
        pinned: false,
        shareable: false,
        key: None,
    }
}

pub(super) fn number(text: &str) -> u64 {
    text.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().unwrap()
}

pub(super) fn line_id(text: &str) -> LineId {
    LineId::new(number(text)).unwrap()
}

pub fn memory_id(text: &str) -> MemoryId {
    MemoryId::new(number(text)).unwrap()
}

pub fn save_id(text: &str) -> CheckpointId {
    CheckpointId::new(text).unwrap()
}
