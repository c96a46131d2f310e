//! Which conversation does a request belong to, and where on its path does it stand?

use std::collections::HashSet;
use std::time::{Duration, Instant};

use reverie_core::character::Who;
use reverie_core::conversation::{Conversation, LinesQuery, OpenConversation, WhichLines};
use reverie_core::history::HistoryQuery;
use reverie_core::{Code, ConversationId, Engine, Line, LineId, Result, WorldId};
use reverie_formats::completions::{Alignment, Dialogue, Path, Said, Stored, Then, align};

use super::cast::Cast;
use super::places::{Place, Places};
use super::searching::{NEWEST_LINES, Search};
use super::stored::{children, stored};

/// Lines that are read besides those that the client sends.
pub(super) const MORE_LINES: usize = 32;
/// The same for a client that sends no history: only its end can be meant.
const FEW_LINES: usize = 8;
/// Of a path at most.
pub(super) const MOST_LINES: usize = 1000;
/// Chats may begin with the same words: so many messages of the user are no chance.
const ENOUGH_OF_THE_USER: usize = 2;

/// Where a request stands.
pub(super) struct Found {
    pub(super) conversation: Conversation,
    /// The end of the path, oldest first.
    pub(super) lines: Vec<Line>,
    pub(super) alignment: Alignment<LineId>,
}

impl Found {
    /// True if nothing of the list was found.
    pub(super) fn is_elsewhere(&self) -> bool {
        matches!(self.alignment.then, Then::Elsewhere { .. })
    }
}

pub(super) struct Finder<'a> {
    pub(super) engine: &'a Engine,
    pub(super) world: &'a WorldId,
    pub(super) cast: &'a Cast,
    pub(super) dialogue: &'a Dialogue,
    pub(super) places: &'a Places,
    /// How long other chats are searched.
    pub(super) patience: Duration,
}

impl Finder<'_> {
    /// In a conversation that the client names.
    pub(super) fn named(&self, name: &str) -> Result<Found> {
        let conversation = match ConversationId::new(name)
            .and_then(|id| self.engine.conversation(self.world, &id))
        {
            Ok(conversation) => conversation,
            Err(error) if matches!(error.code(), Code::NotFound | Code::Invalid) => {
                let open =
                    OpenConversation { id: None, name: Some(name.to_owned()), participants: self.people() };
                self.engine.open_conversation(self.world, open)?.value
            }
            Err(error) => return Err(error),
        };
        self.look_on_any_branch(conversation)
    }

    /// In this conversation, whatever else there is.
    pub(super) fn look_on_any_branch(&self, conversation: Conversation) -> Result<Found> {
        let found = self.look(conversation)?;
        self.on_another_branch(found, Instant::now() + self.patience)
    }

    /// In the one of these people's conversations that the list is of; a new one, if it is of none.
    pub(super) fn unnamed(&self, place: &mut Place) -> Result<Found> {
        self.part_what_came_alone(place)?;
        // Nothing is opened for two who go on in a chat of somebody else's.
        let is_first = place.newest.is_none() && self.may_be_somebody_else() && !self.have_talked()?;
        if is_first {
            let mut search = Search::new(self);
            self.look_as_somebody_else(&mut search)?;
            if let Some(found) = search.best {
                return Ok(found);
            }
        }
        let open = OpenConversation { id: None, name: None, participants: self.people() };
        let first = match &place.newest {
            Some(newest) => self.engine.conversation(self.world, newest),
            None => self.engine.open_conversation(self.world, open.clone()).map(|opened| opened.value),
        };
        let first = match first {
            Err(error) if error.code() == Code::NotFound => {
                self.engine.open_conversation(self.world, open.clone())?.value
            }
            first => first?,
        };
        let found = self.look(first)?;
        if !found.is_elsewhere() && (!self.dialogue.has_history() || self.is_settled(&found)) {
            return Ok(found);
        }
        let keeps_history = self.dialogue.has_history() || self.dialogue.starts || place.keeps_history;
        if !keeps_history && place.newest.is_some() {
            return Ok(found);
        }
        let mut search = Search::new(self);
        let found = self.on_another_branch(found, search.deadline)?;
        if self.is_settled(&found) {
            return Ok(found);
        }
        let others = self.others(&found.conversation.id)?;
        // Before this server began: where they talked last, unless they had chats that were told apart.
        if !keeps_history && !others.all.iter().any(is_told_apart) {
            return match others.newest {
                Some(newest) => self.look(self.engine.conversation(self.world, &newest)?),
                None => Ok(found),
            };
        }
        place.keeps_history = true;
        let mut participants = self.cast.ids();
        participants.sort_unstable();
        let unused = Some(&found.conversation).filter(|unused| unused.head.is_none()).cloned();
        search.take(found);
        search.look_at(others.all)?;
        search.look_everywhere(|chat| chat.participants == participants)?;
        search.look_on_branches()?;
        if !is_first && !search.best.as_ref().is_some_and(|best| self.has_most(best)) {
            self.look_as_somebody_else(&mut search)?;
        }
        if let Some(best) = search.best {
            return Ok(best);
        }
        if let Some(unused) = unused {
            return self.look(unused);
        }
        let fresh = self.engine.open_conversation(self.world, open)?.value;
        match fresh.head {
            None => self.look(fresh),
            Some(_) => self.new_chat(),
        }
    }

    /// Whether no other chat can come closer: the list is the end of this one, or has one message at most, its last, that is not in this one.
    pub(super) fn is_settled(&self, found: &Found) -> bool {
        let closeness = found.alignment.closeness;
        if found.is_elsewhere() || closeness.is_end {
            return closeness.is_end;
        }
        let Some((_, before)) = self.dialogue.said.split_last() else { return false };
        let seen: HashSet<usize> = found.alignment.seen.iter().map(|(at, _)| *at).collect();
        let is_seen = |said: &Said| seen.contains(&said.at);
        closeness.users >= ENOUGH_OF_THE_USER && before.iter().all(is_seen)
    }

    /// Another conversation of the same people: a scene, because a set of people has only one without a name.
    pub(super) fn new_chat(&self) -> Result<Found> {
        let names: Vec<&str> =
            self.cast.all().filter_map(|person| person.names.last().map(String::as_str)).collect();
        let mut at = self.engine.now_ms();
        loop {
            let name = Some(scene_name(&names, at));
            let open = OpenConversation { id: None, name, participants: self.people() };
            let opened = self.engine.open_conversation(self.world, open)?;
            if opened.created {
                return self.look(opened.value);
            }
            at += 1;
        }
    }

    fn have_talked(&self) -> Result<bool> {
        let query = HistoryQuery { participants: self.people(), witness: None, also: Vec::new(), limit: 1 };
        Ok(!self.engine.history(self.world, query)?.primary.is_empty())
    }

    fn others(&self, but: &ConversationId) -> Result<Others> {
        let limit = NEWEST_LINES.min(self.engine.limits().history);
        let query = HistoryQuery { participants: self.people(), witness: None, also: Vec::new(), limit };
        let lines = self.engine.history(self.world, query)?.primary;
        let newest = lines.last().map(|line| line.conversation.clone());
        let mut seen: HashSet<&ConversationId> = HashSet::from([but]);
        let newest_first = lines.iter().rev().map(|line| &line.conversation);
        let ids = newest_first.filter(|id| seen.insert(id));
        let all = ids.map(|id| self.engine.conversation(self.world, id)).collect::<Result<_>>()?;
        Ok(Others { newest, all })
    }

    pub(super) fn people(&self) -> Vec<Who> {
        self.cast.all().map(|person| person.who.clone()).collect()
    }

    /// As much of the path as is needed.
    pub(super) fn look(&self, conversation: Conversation) -> Result<Found> {
        let most = MOST_LINES.min(self.engine.limits().page);
        let more = match self.dialogue.said.len() {
            _ if self.dialogue.has_history() => MORE_LINES,
            0 | 1 => FEW_LINES,
            // One of several may be an instruction that was sent long ago for the first time.
            _ => NEWEST_LINES,
        };
        let few = self.dialogue.said.len().saturating_add(more).min(most);
        let (found, is_whole) = self.look_at(conversation, few)?;
        // A client that sends no history has nothing that could stand further back.
        if found.is_elsewhere() && !is_whole && few < most && self.dialogue.has_history() {
            return Ok(self.look_at(found.conversation, most)?.0);
        }
        Ok(found)
    }

    /// Only as much of it as the list has: for whoever wants nothing but its end.
    pub(super) fn look_at_its_end(&self, conversation: Conversation) -> Result<Found> {
        let most = MOST_LINES.min(self.engine.limits().page);
        let few = self.dialogue.said.len().saturating_add(MORE_LINES).min(most);
        Ok(self.look_at(conversation, few)?.0)
    }

    fn look_at(&self, conversation: Conversation, limit: usize) -> Result<(Found, bool)> {
        let query =
            LinesQuery { which: WhichLines::Path, witness: None, after: None, newest_first: true, limit };
        let listed = self.engine.lines(self.world, &conversation.id, query)?;
        let mut lines = listed.items;
        lines.reverse();
        let is_whole = !listed.has_more;
        let mut alignment = self.aligned(&conversation.id, &lines, is_whole);
        if let Some(waiting) = self.waiting(&lines, &alignment) {
            if self.has_left(waiting, conversation.name.is_some()) {
                return self.look_at(self.engine.conversation(self.world, &conversation.id)?, limit);
            }
            alignment.then = waiting.then;
        }
        Ok((Found { conversation, lines, alignment }, is_whole))
    }

    /// Where the list stands, if these lines are the end of the path.
    pub(super) fn aligned(
        &self,
        conversation: &ConversationId,
        lines: &[Line],
        is_whole: bool,
    ) -> Alignment<LineId> {
        let waiting = self.waits_for_tools(lines);
        let stored = |line: &Line| {
            let line_as_stored = stored(line)?;
            Some(Stored { waits: waiting.is_some() && line.round == waiting, ..line_as_stored })
        };
        let stored: Vec<Stored<LineId>> = lines.iter().filter_map(stored).collect();
        let children = |line: LineId| self.children(conversation, line).unwrap_or_default();
        align(Path { lines: &stored, is_whole }, children, self.dialogue)
    }

    fn children(&self, conversation: &ConversationId, line: LineId) -> Result<Vec<Stored<LineId>>> {
        let children = children(self.engine, self.world, conversation, line)?;
        Ok(children.iter().filter_map(stored).collect())
    }
}

struct Others {
    newest: Option<ConversationId>,
    /// Newest first.
    all: Vec<Conversation>,
}

/// What a chat is called that is not the only one of its people: see [`Finder::new_chat`].
const BEFORE_TIME: &str = " · ";

/// Of these people, at this time.
pub(super) fn scene_name(names: &[&str], at: i64) -> String {
    let names: String = names.join(BEFORE_TIME).chars().take(180).collect();
    format!("{names}{BEFORE_TIME}{at}")
}

fn is_told_apart(chat: &Conversation) -> bool {
    let time = chat.name.as_deref().and_then(|name| name.rsplit_once(BEFORE_TIME)).map(|(_, time)| time);
    time.is_some_and(|time| time.len() >= 10 && time.bytes().all(|byte| byte.is_ascii_digit()))
}
