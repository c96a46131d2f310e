//! What may be told before everybody who hears the answer?

use std::collections::HashSet;

use super::Engine;
use crate::character::{Character, Who};
use crate::cue::{Cue, InlineLine};
use crate::id::{CharacterId, MemoryId, WorldId};
use crate::memory::Held;
use crate::recollection::Provenance;
use crate::settings::{Audience, WorldSettings};
use crate::store::Gathered;
use crate::{Attribute, Result};

/// A memory that may come up, and who of those that speak has it.
pub(super) struct Confidence<'a> {
    pub(super) memory: MemoryId,
    pub(super) shareable: bool,
    pub(super) known_by: &'a [CharacterId],
    /// In words of their own, which nobody heard.
    pub(super) words: Option<&'a str>,
}

impl<'a> Confidence<'a> {
    pub(super) fn of(held: &'a Held, known_by: &'a [CharacterId]) -> Self {
        let words = held.state.text.as_deref().filter(|words| *words != held.memory.text);
        Self { memory: held.memory.id, shareable: held.state.shareable, known_by, words }
    }
}

/// What the world's audience policy says to one memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Telling {
    Allowed,
    /// Who of those around lacks it. Nobody: it is not a matter of people, or nobody knows who is around.
    KeptFrom(Vec<CharacterId>),
}

impl Telling {
    pub(super) fn is_allowed(&self) -> bool {
        *self == Self::Allowed
    }
}

impl Engine {
    /// Of each what the world's audience policy says to its being told here; `as_of`: as it was known at that revision.
    pub(super) fn may_be_told(
        &self,
        world: &WorldId,
        gathered: &Gathered,
        settings: &WorldSettings,
        all: &[Confidence<'_>],
        as_of: Option<u64>,
    ) -> Result<Vec<Telling>> {
        if settings.audience == Audience::Open {
            return Ok(vec![Telling::Allowed; all.len()]);
        }
        let guarded = all.iter().filter(|one| !one.shareable);
        let ids: Vec<MemoryId> = guarded.map(|one| one.memory).collect();
        let found = if ids.is_empty() { Vec::new() } else { self.store.provenance(world, &ids, as_of)? };
        let mut found = found.iter();
        let telling = |one: &Confidence<'_>| match one.shareable {
            true => Telling::Allowed,
            false => found.next().map_or(Telling::KeptFrom(Vec::new()), |from| {
                telling(from, one, gathered, settings.audience)
            }),
        };
        Ok(all.iter().map(telling).collect())
    }
}

pub(super) fn telling(
    from: &Provenance,
    one: &Confidence<'_>,
    gathered: &Gathered,
    audience: Audience,
) -> Telling {
    match audience {
        Audience::Open => Telling::Allowed,
        Audience::SameConversation => {
            let here = gathered.conversation.as_ref().map(|here| &here.id);
            let is_from_here =
                !from.conversations.is_empty() && from.conversations.iter().all(|other| Some(other) == here);
            if is_from_here { Telling::Allowed } else { Telling::KeptFrom(Vec::new()) }
        }
        Audience::Strict => {
            let knows = |person: &CharacterId| match one.words {
                // Whoever heard what was said did not hear what one of them made of it.
                Some(words) => from.reworded.iter().any(|(who, own)| who == person && own == words),
                // What was made of no lines is known to those who have it.
                None if from.conversations.is_empty() => from.holders.contains(person),
                None => from.witnesses.contains(person),
            };
            let lacks = |person: &&CharacterId| !one.known_by.contains(person) && !knows(person);
            let lacking: Vec<CharacterId> = gathered.people.iter().filter(lacks).cloned().collect();
            // Where nobody knows who listens, anybody may.
            let is_allowed = !gathered.people.is_empty() && lacking.is_empty();
            if is_allowed { Telling::Allowed } else { Telling::KeptFrom(lacking) }
        }
    }
}

/// Those who hear the answer besides whoever is known to be there: who said what is being answered, others who are given a voice, and,
/// in a history that the host brings along, everybody who speaks, is spoken to or listens.
pub(super) fn listeners(cue: &Cue) -> Vec<Who> {
    let asking = cue.message.iter().filter_map(|message| message.speaker.as_ref());
    let lines = cue.history.iter().flatten();
    let around = lines.flat_map(|line| line.speaker.iter().chain(line.witnesses.iter().flatten()));
    let mut each: HashSet<&Who> = HashSet::new();
    asking.chain(&cue.with).chain(around).filter(|who| each.insert(who)).cloned().collect()
}

/// Whether a history that the host brings along says before whom it was told: somebody besides those who speak, and nobody
/// without a name.
pub(super) fn is_known_who_listens(history: &[InlineLine], gathered: &Gathered) -> bool {
    let is_nobodys = |line: &InlineLine| {
        line.speaker.is_none() && line.attribute != Attribute::System && !line.is_the_characters()
    };
    let own = gathered.character.iter().chain(&gathered.voiced).map(|speaking: &Character| &speaking.id);
    let own: Vec<&CharacterId> = own.collect();
    !history.iter().any(is_nobodys) && gathered.people.iter().any(|person| !own.contains(&person))
}
