//! How does a chat become a tree of lines?
//!
//! Every message hangs behind the chosen wording of the one before; its other wordings stand beside it, in the order of
//! the file. The head is the last message's chosen wording. A line's host id is made of what was said up to and including
//! it, so that the same file gives the same ids, a chat that went on gives the old ids and some new ones, and a message
//! that was changed begins a branch.

use std::collections::HashMap;
use std::ops::Range;

use reverie_core::line::NewLine;
use reverie_core::{Attribute, CharacterId, Result, Who};
use serde_json::Value;

use super::cast::{Cast, Casting, Member, NARRATOR, host_id};
use super::kept::{Kept, keep, of_chat};
use super::{ChatDocument, ChatMessage, Voice, Zone, time};
use crate::tree::{Plan, chains};

/// What is known besides the file.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlanOptions<'a> {
    pub cast: Option<&'a Cast>,
    /// Whose chat it is: the card in whose folder it lies.
    pub host: Option<&'a Member>,
    /// Who is there besides those who speak: a group's members.
    pub also_present: &'a [Member],
    /// That of the user's clock, for dates that name none. None: UTC.
    pub zone: Option<&'a Zone>,
}

/// A chat, ready to be recorded. Lines and plan have the shape that a table of lines has.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatPlan {
    /// Parents come before their children; each has a host id of its own.
    pub lines: Vec<NewLine>,
    /// By index of `lines`.
    pub tree: Plan,
    /// Who is there from the start, and witnesses everything.
    pub people: Vec<Member>,
    /// What is to be kept of the file, by index of `lines`.
    pub keepsakes: Vec<String>,
    /// What is to be kept of it with the conversation.
    pub keepsake: String,
    /// Which lines and which messages of the file belong together.
    pub(super) messages: Vec<Planned>,
    /// What the host ids are made of, by index of `lines`.
    said: Vec<Said>,
    /// True if the character [`NARRATOR`] speaks, who must be known as a narrator before anything is recorded.
    pub has_narrator: bool,
}

/// A message with words, and those without that follow it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Planned {
    pub(super) lines: Range<usize>,
    pub(super) chosen: usize,
    /// By index of the document's messages.
    pub(super) sources: Range<usize>,
}

/// What of a line, besides its words, tells it from others behind the same line.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Said {
    is_user: bool,
    name: String,
    /// How many wordings of its message before it say the same.
    repeat: usize,
}

impl ChatPlan {
    /// The host id that a line would have if it stood behind another one, which has this id.
    pub fn id_behind(&self, line: usize, parent: &str) -> Option<String> {
        let (said, words) = (self.said.get(line)?, &self.lines.get(line)?.wording.content);
        Some(host_id(Some(parent), said.is_user, &said.name, words, said.repeat))
    }

    /// Where in the file a line stands, as its reader would look for it: which line, and which of its swipes.
    pub fn place_of(&self, document: &ChatDocument, line: usize) -> String {
        let planned = self.messages.iter().find(|planned| planned.lines.contains(&line));
        let message = planned.and_then(|planned| {
            let message = document.messages.get(planned.sources.start)?;
            let mut spoken = message.wordings.iter().enumerate().filter(|(at, _)| is_line(message, *at));
            Some((message, spoken.nth(line - planned.lines.start)?.1))
        });
        match message {
            None => format!("line {}", line + 1),
            Some((message, wording)) => match wording.at.filter(|_| message.wordings.len() > 1) {
                Some(swipe) => format!("line {} of the chat, swipe {swipe}", message.line),
                None => format!("line {} of the chat", message.line),
            },
        }
    }

    /// Lines whose date names no zone, by index: of each message the chosen wording.
    pub fn dated_locally<'p>(&'p self, document: &'p ChatDocument) -> impl Iterator<Item = usize> + 'p {
        let local = self.messages.iter().filter(|planned| document.is_dated_locally(planned.sources.start));
        local.map(|planned| planned.chosen)
    }

    pub fn participants(&self) -> Vec<Who> {
        self.people.iter().map(|member| Who::Id(member.id.clone())).collect()
    }

    pub fn narrator(&self) -> Option<CharacterId> {
        CharacterId::new(NARRATOR).ok().filter(|_| self.has_narrator)
    }
}

pub fn plan(document: &ChatDocument, options: &PlanOptions<'_>) -> Result<ChatPlan> {
    let nobody = Cast::default();
    let mut casting = Casting::new(options.cast.unwrap_or(&nobody), options.host);
    casting.host_is_called = document.header_name("character_name");
    let utc = Zone::default();
    let zone = options.zone.unwrap_or(&utc);
    let created = document.header.as_ref().and_then(|header| header.get("create_date")).and_then(time::read);
    let mut planner = Planner {
        casting,
        user: document.header_name("user_name").unwrap_or_else(|| "User".to_owned()),
        character: options
            .host
            .map(|host| host.name.clone())
            .or_else(|| document.header_name("character_name"))
            .unwrap_or_else(|| "Character".to_owned()),
        zone,
        wall_ms: created.map(|time| time.wall_ms(zone)),
        lines: Vec::new(),
        said: Vec::new(),
        parents: HashMap::new(),
        head: None,
        has_narrator: false,
        kept: Vec::new(),
        first: Vec::new(),
        messages: Vec::new(),
    };
    planner.greet(document, options)?;
    for (index, message) in document.messages.iter().enumerate() {
        planner.add(index, message)?;
    }
    let all: Vec<usize> = (0..planner.lines.len()).collect();
    let tree = Plan { chains: chains(&all, &planner.parents), head: planner.head };
    let Planner { lines, said, casting, has_narrator, kept, first, messages, .. } = planner;
    let keepsakes = kept.into_iter().map(Kept::write).collect();
    let keepsake = of_chat(document, &first);
    Ok(ChatPlan { lines, tree, people: casting.people, keepsakes, keepsake, messages, said, has_narrator })
}

struct Planner<'a> {
    casting: Casting<'a>,
    /// Names for those who have none.
    user: String,
    character: String,
    zone: &'a Zone,
    /// Of the message before; one without a date was sent about then.
    wall_ms: Option<i64>,
    lines: Vec<NewLine>,
    said: Vec<Said>,
    parents: HashMap<usize, Option<usize>>,
    head: Option<usize>,
    has_narrator: bool,
    kept: Vec<Kept>,
    /// Messages without words, before all others.
    first: Vec<Value>,
    messages: Vec<Planned>,
}

impl Planner<'_> {
    /// Those whom the file or its folder names are there, whether they ever speak or not.
    fn greet(&mut self, document: &ChatDocument, options: &PlanOptions<'_>) -> Result<()> {
        if let Some(host) = options.host {
            self.casting.meet(host.clone());
        } else if let Some(name) = document.header_name("character_name") {
            self.casting.person(false, &name, None)?;
        }
        if let Some(name) = document.header_name("user_name") {
            self.casting.person(true, &name, None)?;
        }
        options.also_present.iter().for_each(|member| self.casting.meet(member.clone()));
        Ok(())
    }

    fn add(&mut self, index: usize, message: &ChatMessage) -> Result<()> {
        if message.wordings.is_empty() {
            self.leave_aside(message);
            return Ok(());
        }
        let fallback = if message.is_user { &self.user } else { &self.character }.clone();
        let speaker = self.casting.speaker(message, &fallback)?;
        self.has_narrator |= message.voice == Voice::Narrator;
        let is_said_by_user = message.is_user && message.voice == Voice::Person;
        let attribute = if is_said_by_user { Attribute::User } else { Attribute::Assistant };
        let parent = self.head;
        let parent_id = parent.and_then(|at| self.lines.get(at)).and_then(|line| line.host_id.clone());
        let mut repeats: HashMap<&str, usize> = HashMap::new();
        let mut wall_ms = self.wall_ms;
        let is_line = |at: usize| is_line(message, at);
        let begin = self.lines.len();
        for ((at, wording), kept) in message.wordings.iter().enumerate().zip(keep(message, is_line)) {
            if !is_line(at) {
                continue;
            }
            let is_chosen = at == message.chosen;
            let repeat = repeats.entry(&wording.text).and_modify(|count| *count += 1).or_insert(0);
            let id = host_id(parent_id.as_deref(), message.is_user, &message.name, &wording.text, *repeat);
            let time = wording.time.map(|time| time.wall_ms(self.zone)).or(self.wall_ms);
            let at = self.lines.len();
            self.lines.push(NewLine {
                display_name: Some(&message.name).filter(|name| !name.is_empty()).cloned(),
                wall_ms: time,
                host_id: Some(id),
                hidden: message.hidden,
                ..NewLine::new(attribute, Some(Who::Id(speaker.clone())), wording.text.clone())
            });
            self.kept.push(kept);
            self.said.push(Said { is_user: message.is_user, name: message.name.clone(), repeat: *repeat });
            self.parents.insert(at, parent);
            if is_chosen {
                self.head = Some(at);
                wall_ms = time;
            }
        }
        self.wall_ms = wall_ms;
        let chosen = self.head.unwrap_or(begin);
        self.messages.push(Planned { lines: begin..self.lines.len(), chosen, sources: index..index + 1 });
        Ok(())
    }

    /// Without words it is no line; it stays behind the message before it.
    fn leave_aside(&mut self, message: &ChatMessage) {
        let before = self.messages.last_mut();
        match before.and_then(|before| Some((self.kept.get_mut(before.chosen)?, before))) {
            Some((kept, before)) => {
                kept.then.push(message.source.clone());
                before.sources.end += 1;
            }
            None => self.first.push(message.source.clone()),
        }
    }
}

/// Whether a wording becomes one: a swipe that was never written does not.
fn is_line(message: &ChatMessage, at: usize) -> bool {
    at == message.chosen || message.wordings.get(at).is_some_and(|wording| !wording.text.is_empty())
}

#[cfg(test)]
#[path = "tests/plan.rs"]
mod tests;
