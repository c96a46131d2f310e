//! What is understood and done, but looks wrong?

use std::collections::BTreeSet;

use super::{Degraded, Engine};
use crate::character::Who;
use crate::conversation::{Appended, Conversation, LinesQuery, WhichLines};
use crate::cue::Cue;
use crate::id::{CharacterId, ConversationId, LineId, WorldId};
use crate::library::Link;
use crate::line::{Line, NewLine};
use crate::near::looks_like;
use crate::settings::Audience;
use crate::store::Gathered;
use crate::{Attribute, Result};

pub(super) fn answered_elsewhere() -> Degraded {
    Degraded {
        code: "answered_elsewhere",
        message: "the prompt was made for another branch: what it set off does not run here".to_owned(),
        hint: "record an answer behind the lines that its prompt was made of".to_owned(),
    }
}

impl Engine {
    /// What looks wrong about a prompt.
    pub(super) fn looks_wrong(
        &self,
        world: &WorldId,
        gathered: &Gathered,
        cue: &Cue,
    ) -> Result<Vec<Degraded>> {
        let is_nobody = gathered.character.is_none() && cue.history.is_none();
        let nobody = is_nobody.then(|| self.unknown_character(world, &cue.character)).transpose()?;
        let others = strangers_voiced(gathered, cue)
            .into_iter()
            .chain(books_missing(&gathered.missing_books))
            .chain(books_as_now(gathered, cue));
        Ok(nobody.into_iter().chain(others).collect())
    }
}

/// A bot that remembers nothing because its host does not say to whom it speaks must not go unnoticed.
pub(super) fn audience_unknown(gathered: &Gathered, cue: &Cue, audience: Audience) -> Option<Degraded> {
    cue.history.as_ref()?;
    let (why, hint) = match audience {
        Audience::Open => return None,
        Audience::Strict if !gathered.people.is_empty() => return None,
        Audience::Strict => (
            "`history` does not say who listens",
            "name the `speaker` of every line of `history` and of `message`; whoever only listens is named in `witnesses`",
        ),
        Audience::SameConversation => (
            "`history` is no conversation of this world",
            "record the lines and give their `conversation`, or let the world's `audience` be `strict` or `open`",
        ),
    };
    Some(Degraded {
        code: "audience_unknown",
        message: format!("{why}, so that by the world's `audience` only what is shareable may be told"),
        hint: hint.to_owned(),
    })
}

/// Somebody to whom a voice is given knows something; a misspelt name must not go unnoticed.
fn strangers_voiced(gathered: &Gathered, cue: &Cue) -> Option<Degraded> {
    let strangers = gathered.strangers.iter().filter(|who| cue.with.contains(who) && **who != cue.character);
    let named: Vec<String> = strangers.take(NAMED).map(|who| format!("{:?}", name_of(who))).collect();
    (!named.is_empty() && cue.history.is_none()).then(|| Degraded {
        code: "unknown_character",
        message: format!(
            "nobody in this world is called like these, who are given a voice and know nothing: {}",
            named.join(", ")
        ),
        hint: "check the ids in `with`: GET …/characters lists them all".to_owned(),
    })
}

/// As the host has it.
fn name_of(who: &Who) -> String {
    let strong = |who: &Who| who.first_id().map(|id| id.to_string()).ok();
    who.id().map(|id| id.to_string()).or_else(|| strong(who)).unwrap_or_default()
}

/// Books are shared by worlds and have no part in the revisions of one: nobody knows what they said then, or which were linked.
fn books_as_now(gathered: &Gathered, cue: &Cue) -> Option<Degraded> {
    let is_affected = !gathered.books.is_empty() || !gathered.missing_books.is_empty();
    (cue.as_of.is_some() && is_affected).then(|| Degraded {
        code: "books_as_now",
        message: "books are as they are linked and written now: they belong to no revision of a world"
            .to_owned(),
        hint: "keep a copy of a book whose earlier wording matters: GET /v1/books/{book}/document".to_owned(),
    })
}

/// A link outlives its book, so that a book can be taken away and put back; but nobody should wonder where it is.
fn books_missing(links: &[Link]) -> Option<Degraded> {
    let books: BTreeSet<&str> = links.iter().map(|link| link.book.as_str()).collect();
    let named: Vec<String> = books.iter().take(NAMED).map(|book| format!("{book:?}")).collect();
    (!named.is_empty()).then(|| Degraded {
        code: "book_missing",
        message: format!("linked, but not in the library: {}", named.join(", ")),
        hint: "PUT /v1/books/{book} brings a book back; DELETE …/lore/{book} takes the link away".to_owned(),
    })
}

pub(super) fn made_for_a_link(id: &CharacterId) -> Degraded {
    Degraded {
        code: "unknown_character",
        message: format!("nobody in this world was called {id:?}; the character was made for this link"),
        hint: format!("if the id is misspelt, DELETE …/characters/{id}: the link goes with it"),
    }
}

/// A witness may be somebody of whom nobody heard before; but a misspelt name must not go unnoticed.
pub(super) fn made_for_a_memory(strangers: &[CharacterId], known: &[(CharacterId, String)]) -> Degraded {
    let is_new = |id: &CharacterId| strangers.contains(id);
    let others = || known.iter().filter(|(id, _)| !is_new(id));
    let mut near: BTreeSet<String> = BTreeSet::new();
    for stranger in strangers {
        let is_near = |(id, name): &&(CharacterId, String)| {
            looks_like(stranger.as_str(), id.as_str()) || looks_like(stranger.as_str(), name)
        };
        near.extend(others().filter(is_near).map(|(id, _)| format!("{id:?}")));
    }
    let named: Vec<String> = strangers.iter().take(NAMED).map(|id| format!("{id:?}")).collect();
    let near: Vec<String> = near.into_iter().take(NAMED).collect();
    let like = if near.is_empty() { String::new() } else { format!("was {} meant? ", near.join(" or ")) };
    Degraded {
        code: "unknown_character",
        message: format!(
            "nobody in this world was called like this; made for this memory: {}",
            named.join(", ")
        ),
        hint: format!(
            "{like}If a name is misspelt, send it again as it should be and DELETE …/characters/{{id}}"
        ),
    }
}

pub(super) fn narrators_left_out(narrators: &BTreeSet<CharacterId>) -> Degraded {
    let named: Vec<String> = narrators.iter().take(NAMED).map(|id| format!("{id:?}")).collect();
    Degraded {
        code: "narrator_left_out",
        message: format!("a narrator is nobody in the story, so it was left out: {}", named.join(", ")),
        hint: "if this is a person, PUT …/characters/{id} {\"kind\":\"person\"} and send it again".to_owned(),
    }
}

pub(super) fn ticks_ran_back(from: i64) -> Degraded {
    Degraded {
        code: "tick_ran_back",
        message: format!("a tick lies before the world's time, {from}"),
        hint: "send lines in the order of their ticks; after loading an older save, restore its checkpoint first: \
               POST …/checkpoints/{id}/restore"
            .to_owned(),
    }
}

/// Most people that a warning names.
const NAMED: usize = 20;

/// Which lines of a batch name their witnesses, by their place in it.
pub(super) struct Whispers(Vec<usize>);

impl Whispers {
    pub(super) fn of(lines: &[NewLine]) -> Self {
        // Whatever a system line says, its addressee is the only witness.
        let is_whisper = |line: &NewLine| {
            line.witnesses.is_some() && (line.attribute != Attribute::System || line.speaker.is_none())
        };
        Self(lines.iter().enumerate().filter(|(_, line)| is_whisper(line)).map(|(place, _)| place).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Hosts may whisper to somebody who is not listed; but a misspelt id must not go unnoticed. `people` is the
    /// conversation before these lines, so whoever speaks in them is there, too.
    pub(super) fn to_absent(&self, people: &Conversation, lines: &[Line]) -> Option<Degraded> {
        let spoken = lines.iter().filter(|line| line.attribute != Attribute::System);
        let speakers = spoken.filter_map(|line| line.speaker.as_ref());
        let there: BTreeSet<&CharacterId> =
            people.participants.iter().chain(&people.present).chain(speakers).collect();
        let whispers = self.0.iter().filter_map(|place| lines.get(*place));
        let witnesses: BTreeSet<&CharacterId> = whispers.flat_map(|line| &line.witnesses).collect();
        let absent: Vec<&str> =
            witnesses.difference(&there).take(NAMED).map(|character| character.as_str()).collect();
        if absent.is_empty() {
            return None;
        }
        Some(Degraded {
            code: "absent_witness",
            message: format!("these witnesses are not in the conversation: {}", absent.join(", ")),
            hint: "the lines are recorded; check the spelling of the ids, and list whoever is there with \
                   PUT …/present or among the participants"
                .to_owned(),
        })
    }
}

impl Engine {
    /// A key that is used again after an undo or a restore brings back lines that no prompt holds.
    pub(super) fn off_path(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        replayed: &Appended,
    ) -> Result<Option<Degraded>> {
        let Some(last) = replayed.lines.last().map(|line| line.id) else { return Ok(None) };
        let from_there = LinesQuery {
            which: WhichLines::Path,
            witness: None,
            after: LineId::new(last.get() - 1).ok(),
            newest_first: false,
            limit: 1,
        };
        let on_path = self.store.lines(world, conversation, &from_there)?;
        if on_path.first().is_some_and(|line| line.id == last) {
            return Ok(None);
        }
        Ok(Some(Degraded {
            code: "replayed_off_path",
            message: "this key was used before an undo or a restore: its lines are not on the active path, and nothing \
                      was recorded"
                .to_owned(),
            hint: format!(
                "choose another key to record them anew, or go back to them: PUT …/head {{\"line\":\"{last}\"}}"
            ),
        }))
    }
}
