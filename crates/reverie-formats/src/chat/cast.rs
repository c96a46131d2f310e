//! Who is meant by the names and pictures in a chat?

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use reverie_core::conversation::Append;
use reverie_core::fingerprint::fingerprint;
use reverie_core::line::NewLine;
use reverie_core::text::clean;
use reverie_core::{Attribute, CharacterId, MAX_ID_BYTES, Result};

use super::{ChatMessage, Voice};

/// Whoever tells a story without being in it.
pub const NARRATOR: &str = "Narrator";

/// Somebody whom the importer knows already: a card, or a persona of the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub id: CharacterId,
    pub name: String,
    /// The name of the picture's file.
    pub avatar: Option<String>,
    pub is_user: bool,
}

/// Those who are known. Pictures decide before names do, because two cards can bear the same name; a name decides only
/// where a single one bears it.
#[derive(Debug, Clone, Default)]
pub struct Cast {
    members: Vec<Member>,
    by_avatar: HashMap<(bool, String), usize>,
    by_name: HashMap<(bool, String), Option<usize>>,
}

impl Cast {
    pub fn new(members: impl IntoIterator<Item = Member>) -> Self {
        let mut cast = Self::default();
        members.into_iter().for_each(|member| cast.add(member));
        cast
    }

    pub fn add(&mut self, member: Member) {
        let at = self.members.len();
        if let Some(avatar) = &member.avatar {
            self.by_avatar.entry((member.is_user, avatar.clone())).or_insert(at);
        }
        let namesake = self.by_name.entry((member.is_user, member.name.clone()));
        namesake.and_modify(|only| *only = None).or_insert(Some(at));
        self.members.push(member);
    }

    /// Whether anybody bears this name, be it one or several.
    pub fn knows(&self, is_user: bool, name: &str) -> bool {
        self.by_name.contains_key(&(is_user, name.to_owned()))
    }

    pub fn by_avatar(&self, is_user: bool, avatar: &str) -> Option<&Member> {
        self.by_avatar.get(&(is_user, avatar.to_owned())).and_then(|at| self.members.get(*at))
    }

    pub fn by_name(&self, is_user: bool, name: &str) -> Option<&Member> {
        let at = self.by_name.get(&(is_user, name.to_owned())).copied().flatten()?;
        self.members.get(at)
    }
}

/// Gives everybody in one chat an id, the same one each time.
pub(super) struct Casting<'a> {
    cast: &'a Cast,
    /// Whose chat it is, where that is known.
    host: Option<&'a Member>,
    /// Its name in the file, which may be older than the card.
    pub(super) host_is_called: Option<String>,
    known: HashMap<(bool, String, Option<String>), CharacterId>,
    /// Whether a user or a character bears the id.
    taken: HashMap<CharacterId, bool>,
    /// Everybody but the narrator, in the order of first mention.
    pub(super) people: Vec<Member>,
}

impl<'a> Casting<'a> {
    pub(super) fn new(cast: &'a Cast, host: Option<&'a Member>) -> Self {
        let (known, taken) = (HashMap::new(), HashMap::new());
        Self { cast, host, host_is_called: None, known, taken, people: Vec::new() }
    }

    pub(super) fn speaker(&mut self, message: &ChatMessage, fallback: &str) -> Result<CharacterId> {
        if message.voice == Voice::Narrator {
            return CharacterId::new(NARRATOR);
        }
        let name = if message.name.is_empty() { fallback } else { &message.name };
        self.person(message.is_user, name, message.avatar.as_deref())
    }

    pub(super) fn person(&mut self, is_user: bool, name: &str, avatar: Option<&str>) -> Result<CharacterId> {
        let key = (is_user, name.to_owned(), avatar.map(ToOwned::to_owned));
        if let Some(id) = self.known.get(&key) {
            return Ok(id.clone());
        }
        let id = match self.member(is_user, name, avatar) {
            Some(member) => member.id.clone(),
            None => self.new_id(is_user, name)?,
        };
        self.meet(Member { id: id.clone(), name: name.to_owned(), avatar: key.2.clone(), is_user });
        self.known.insert(key, id.clone());
        Ok(id)
    }

    /// Somebody is there.
    pub(super) fn meet(&mut self, member: Member) {
        if let Entry::Vacant(vacant) = self.taken.entry(member.id.clone()) {
            vacant.insert(member.is_user);
            self.people.push(member);
        }
    }

    fn member(&self, is_user: bool, name: &str, avatar: Option<&str>) -> Option<&'a Member> {
        if let Some(member) = avatar.and_then(|avatar| self.cast.by_avatar(is_user, avatar)) {
            return Some(member);
        }
        let is_host = |host: &&Member| host.name == name || self.host_is_called.as_deref() == Some(name);
        if let Some(host) = self.host.filter(|_| !is_user).filter(is_host) {
            return Some(host);
        }
        self.cast.by_name(is_user, name)
    }

    /// A user who bears a character's name is somebody else all the same.
    fn new_id(&self, is_user: bool, name: &str) -> Result<CharacterId> {
        let id = id_of(name)?;
        match self.taken.get(&id) {
            Some(by_user) if *by_user != is_user => {
                id_of(&format!("{}:{name}", if is_user { "user" } else { "character" }))
            }
            _ => Ok(id),
        }
    }
}

/// An id that looks like the name, however long that is.
pub fn id_of(name: &str) -> Result<CharacterId> {
    const TAIL: usize = 17;
    let (name, _) = clean(name);
    if let Ok(id) = CharacterId::new(&name) {
        return Ok(id);
    }
    let mut end = (MAX_ID_BYTES - TAIL) / 3;
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    let start = name.get(..end).unwrap_or_default();
    CharacterId::new(&format!("{start}~{}", digest(None, false, "", &name, 0).get(..16).unwrap_or_default()))
}

/// The id of a line in a chat: equal for the same words of the same speaker behind the line with the same id, whenever and
/// wherever it is computed.
pub(super) fn host_id(parent: Option<&str>, is_user: bool, name: &str, text: &str, repeat: usize) -> String {
    format!("chat:{}", digest(parent, is_user, name, text, repeat))
}

/// Equal for the same words of the same speaker behind the same words, whenever and wherever it is computed.
fn digest(parent: Option<&str>, is_user: bool, name: &str, text: &str, repeat: usize) -> String {
    let line = NewLine {
        display_name: Some(name.to_owned()),
        tick: Some(repeat as i64),
        host_id: parent.map(ToOwned::to_owned),
        ..NewLine::new(if is_user { Attribute::User } else { Attribute::Assistant }, None, text)
    };
    let append = Append { lines: vec![line], ..Append::default() };
    fingerprint(&append).iter().map(|byte| format!("{byte:02x}")).collect()
}
