//! Which conversation does a request belong to, and where on its path does it stand?

use std::collections::HashSet;
use std::time::{Duration, Instant};

use reverie_core::character::Who;
use reverie_core::conversation::{Conversation, ExpectedHead, LinesQuery, OpenConversation, WhichLines};
use reverie_core::history::HistoryQuery;
use reverie_core::{Attribute, CharacterId, Code, ConversationId, Engine, Line, LineId, Result, WorldId};
use reverie_formats::completions::{Alignment, By, Dialogue, Path, Stored, Then, align};

use super::cast::Cast;
use super::places::Place;

/// Lines that are read besides those that the client sends.
const MORE_LINES: usize = 32;
/// Of a path at most.
const MOST_LINES: usize = 1000;
/// Other chats of the same people that have lines among their newest ones are looked at first.
const OTHER_LINES: usize = 400;

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
    /// Whether the client says who is there.
    pub(super) is_all: bool,
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
        let conversation = self.with_everybody(conversation)?;
        self.look(conversation)
    }

    /// In the one of these people's conversations that the list is of; a new one, if it is of none.
    pub(super) fn unnamed(&self, place: &mut Place) -> Result<Found> {
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
        let is_found = !found.is_elsewhere();
        if is_found && (found.alignment.closeness.is_end || !self.dialogue.has_history()) {
            return Ok(found);
        }
        let keeps_history = self.dialogue.has_history() || self.dialogue.starts || place.keeps_history;
        if !keeps_history && place.newest.is_some() {
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
        let participants = found.conversation.participants.clone();
        let mut seen: HashSet<ConversationId> = others.all.iter().map(|other| other.id.clone()).collect();
        seen.insert(found.conversation.id.clone());
        let deadline = Instant::now() + self.patience;
        let (mut best, unused) = if is_found { (Some(found), None) } else { (None, Some(found)) };
        self.search(others.all, deadline, &mut best)?;
        if !is_end(best.as_ref()) {
            self.search(self.older(&participants, &seen, deadline)?, deadline, &mut best)?;
        }
        if let Some(best) = best {
            return Ok(best);
        }
        if let Some(unused) = unused.filter(|unused| unused.conversation.head.is_none()) {
            return Ok(unused);
        }
        let fresh = self.engine.open_conversation(self.world, open)?.value;
        match fresh.head {
            None => self.look(fresh),
            Some(_) => self.new_chat(),
        }
    }

    /// Another conversation of the same people: a scene, because a set of people has only one without a name.
    pub(super) fn new_chat(&self) -> Result<Found> {
        let names: Vec<&str> =
            self.cast.all().filter_map(|person| person.names.last().map(String::as_str)).collect();
        let mut at = self.engine.now_ms();
        loop {
            let name: String = names.join(BEFORE_TIME).chars().take(180).collect();
            let name = format!("{name}{BEFORE_TIME}{at}");
            let open = OpenConversation { id: None, name: Some(name), participants: self.people() };
            let opened = self.engine.open_conversation(self.world, open)?;
            if opened.created {
                return self.look(opened.value);
            }
            at += 1;
        }
    }

    /// The one that comes closest; of several, the one that comes first.
    fn search(&self, chats: Vec<Conversation>, deadline: Instant, best: &mut Option<Found>) -> Result<()> {
        for chat in chats {
            if is_end(best.as_ref()) || Instant::now() > deadline {
                break;
            }
            let found = self.look(chat)?;
            let closeness = found.alignment.closeness;
            let is_better = best.as_ref().is_none_or(|best| closeness > best.alignment.closeness);
            if is_better && !found.is_elsewhere() {
                *best = Some(found);
            }
        }
        Ok(())
    }

    fn others(&self, but: &ConversationId) -> Result<Others> {
        let limit = OTHER_LINES.min(self.engine.limits().history);
        let query = HistoryQuery { participants: self.people(), witness: None, also: Vec::new(), limit };
        let lines = self.engine.history(self.world, query)?.primary;
        let newest = lines.last().map(|line| line.conversation.clone());
        let mut seen: HashSet<&ConversationId> = HashSet::from([but]);
        let newest_first = lines.iter().rev().map(|line| &line.conversation);
        let ids = newest_first.filter(|id| seen.insert(id));
        let all = ids.map(|id| self.engine.conversation(self.world, id)).collect::<Result<_>>()?;
        Ok(Others { newest, all })
    }

    /// Chats of the same people in which nobody spoke for long, newest first.
    fn older(
        &self,
        participants: &[CharacterId],
        but: &HashSet<ConversationId>,
        deadline: Instant,
    ) -> Result<Vec<Conversation>> {
        let mut older = Vec::new();
        let mut after: Option<ConversationId> = None;
        while Instant::now() < deadline {
            let limit = self.engine.limits().page.min(MOST_LINES);
            let listed =
                self.engine.conversations(self.world, after.as_ref().map(ConversationId::as_str), limit)?;
            after = listed.items.last().map(|last| last.id.clone());
            let is_theirs = |chat: &Conversation| {
                chat.head.is_some() && chat.participants == participants && !but.contains(&chat.id)
            };
            older.extend(listed.items.into_iter().filter(is_theirs));
            if !listed.has_more {
                break;
            }
        }
        older.sort_unstable_by_key(|chat| std::cmp::Reverse(chat.head));
        Ok(older)
    }

    /// In a scene everybody who talks is there; nobody else, if the client says who is.
    pub(super) fn with_everybody(&self, conversation: Conversation) -> Result<Conversation> {
        if conversation.name.is_none() {
            return Ok(conversation);
        }
        let is_there = |who: &Who| {
            let id = who.first_id();
            id.is_ok_and(|id| conversation.present.binary_search(&id).is_ok())
        };
        let people = self.people();
        if people.iter().all(is_there) && (!self.is_all || people.len() == conversation.present.len()) {
            return Ok(conversation);
        }
        let before = conversation.present.iter().filter(|_| !self.is_all).cloned().map(Who::Id);
        let present = before.chain(people).collect();
        Ok(self.engine.set_present(self.world, &conversation.id, present, ExpectedHead::Any)?.value)
    }

    pub(super) fn people(&self) -> Vec<Who> {
        self.cast.all().map(|person| person.who.clone()).collect()
    }

    /// As much of the path as is needed.
    pub(super) fn look(&self, conversation: Conversation) -> Result<Found> {
        let most = MOST_LINES.min(self.engine.limits().page);
        let few = self.dialogue.said.len().saturating_add(MORE_LINES).min(most);
        let (found, is_whole) = self.look_at(conversation, few)?;
        // A client that sends no history has nothing that could stand further back.
        if found.is_elsewhere() && !is_whole && few < most && self.dialogue.has_history() {
            return Ok(self.look_at(found.conversation, most)?.0);
        }
        Ok(found)
    }

    fn look_at(&self, conversation: Conversation, limit: usize) -> Result<(Found, bool)> {
        let query =
            LinesQuery { which: WhichLines::Path, witness: None, after: None, newest_first: true, limit };
        let listed = self.engine.lines(self.world, &conversation.id, query)?;
        let mut lines = listed.items;
        lines.reverse();
        let is_whole = !listed.has_more;
        let stored: Vec<Stored<LineId>> = lines.iter().filter_map(stored).collect();
        let children = |line: LineId| self.children(&conversation.id, line).unwrap_or_default();
        let alignment = align(Path { lines: &stored, is_whole }, children, self.dialogue);
        Ok((Found { conversation, lines, alignment }, is_whole))
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

/// True if no other chat can come closer.
fn is_end(best: Option<&Found>) -> bool {
    best.is_some_and(|best| best.alignment.closeness.is_end)
}

/// What a chat is called that is not the only one of its people: see [`Finder::new_chat`].
const BEFORE_TIME: &str = " · ";

fn is_told_apart(chat: &Conversation) -> bool {
    let time = chat.name.as_deref().and_then(|name| name.rsplit_once(BEFORE_TIME)).map(|(_, time)| time);
    time.is_some_and(|time| time.len() >= 10 && time.bytes().all(|byte| byte.is_ascii_digit()))
}

/// All lines that stand directly behind a line.
pub(super) fn children(
    engine: &Engine,
    world: &WorldId,
    conversation: &ConversationId,
    line: LineId,
) -> Result<Vec<Line>> {
    let query = LinesQuery {
        which: WhichLines::Children(Some(line)),
        witness: None,
        after: None,
        newest_first: false,
        limit: MOST_LINES.min(engine.limits().page),
    };
    Ok(engine.lines(world, conversation, query)?.items)
}

fn stored(line: &Line) -> Option<Stored<LineId>> {
    let by = match line.attribute {
        Attribute::User => By::User,
        Attribute::Assistant => By::Assistant,
        _ => return None,
    };
    let name = line.name.clone().or_else(|| line.speaker.as_ref().map(ToString::to_string));
    line.shown.then(|| Stored { key: line.id, by, name, text: line.wording.content.clone() })
}
