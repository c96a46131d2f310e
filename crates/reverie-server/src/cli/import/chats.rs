//! How does a chat get into the data file, and nothing of it twice?
//!
//! Lines are found again by their host ids, so only what is new is recorded: nothing of the same file, the end of a chat
//! that went on, a branch where something was changed. It comes in as a whole or not at all. A line that was deleted
//! meanwhile stays so, as long as one behind it is there to tell.

use std::collections::{HashMap, HashSet};

use reverie_core::character::{CharacterKind, CharacterPatch};
use reverie_core::conversation::{
    Attach, Conversation, ExpectedHead, HeadTarget, LinesQuery, OpenConversation, WhichLines,
};
use reverie_core::world::WorldPatch;
use reverie_core::{
    CharacterId, Code, ConversationId, Engine, Error, Limits, LineId, Record, Result, Who, WorldId,
};
use reverie_formats::chat::{self, ChatPlan, PlanOptions};
use serde_json::json;

use super::keep::found;
use super::{Options, filled, limits, open, stem, tell};
use crate::output::{Failure, Output};
use crate::settings::Settings;

/// Lines of one branch.
const MOST_AT_ONCE: usize = 500;

/// Where a chat goes.
pub(super) struct Target<'a> {
    pub(super) world: &'a WorldId,
    /// Of the conversation.
    pub(super) name: &'a str,
}

pub(super) struct Imported {
    pub(super) conversation: ConversationId,
    pub(super) lines: usize,
    pub(super) new: usize,
    /// Recorded by an earlier import and deleted since; they stay so.
    pub(super) gone: usize,
    pub(super) head: Option<LineId>,
}

pub(super) fn run(
    output: Output,
    settings: &Settings,
    options: &Options,
    world: Option<WorldId>,
    bytes: &[u8],
) -> Result<(), Failure> {
    // A file that cannot be understood makes no data file.
    let document = chat::read(bytes, &limits(settings))?;
    let plan = chat::plan(&document, &PlanOptions::default())?;
    check(&settings.limits.of_engine(), &plan)?;
    let name = stem(&options.path);
    let world = world.map_or_else(|| WorldId::new(&name), Ok)?;
    let name = options.conversation.as_deref().unwrap_or(&name);
    ConversationId::new(name)?;
    let api = open(settings)?;
    let done = import(api.engine(), &Target { world: &world, name }, &plan)?;
    let warnings = tell(output, &document.warnings);
    let head = done.head.map(|head| head.to_string());
    let text = format!(
        "imported a chat of {} messages: {} lines ({} new) in conversation {} of world {world}; its head is line {}",
        document.messages.len(),
        done.lines,
        done.new,
        done.conversation,
        head.as_deref().unwrap_or("none")
    );
    let json = json!({"world": world.as_str(), "conversation": done.conversation.as_str(),
        "messages": document.messages.len(), "lines": done.lines, "new": done.new, "gone": done.gone, "head": head,
        "warnings": warnings});
    output.answer(&text, &filled(json));
    Ok(())
}

/// For a world that the import makes: each chat is a story of its own, though the same people tell it.
pub(super) fn of_threads(engine: &Engine, world: &WorldId) -> Result<WorldPatch> {
    let mut patch = WorldPatch::default();
    match engine.world(world) {
        Ok(_) => {}
        Err(error) if error.code() == Code::NotFound => {
            patch.settings.insert("prompt.history".to_owned(), "conversation".to_owned());
            patch.settings.insert("audience".to_owned(), "same-conversation".to_owned());
        }
        // A world that could not be read is not a new one.
        Err(error) => return Err(error),
    }
    Ok(patch)
}

/// Records what is not there yet.
pub(super) fn import(engine: &Engine, target: &Target<'_>, plan: &ChatPlan) -> Result<Imported> {
    check(engine.limits(), plan)?;
    let Target { world, name } = target;
    engine.put_world(world, of_threads(engine, world)?)?;
    introduce(engine, world, plan)?;
    let open =
        OpenConversation { id: None, name: Some((*name).to_owned()), participants: plan.participants() };
    let opened = engine.open_conversation(world, open)?;
    let conversation = opened.value;
    let there = if opened.created { HashMap::new() } else { recorded(engine, world, &conversation.id)? };
    let mut growth = Growth::new(plan, &there);
    if !opened.created && growth.has_news() {
        admit(engine, world, &conversation, plan)?;
    }
    let branches = growth.branches(engine.limits().lines_per_append.clamp(1, MOST_AT_ONCE))?;
    let (new, gone) = (growth.new, growth.gone);
    let done =
        |head| Imported { conversation: conversation.id.clone(), lines: plan.lines.len(), new, gone, head };
    if branches.is_empty() {
        return Ok(done(conversation.head));
    }
    // The head goes where the chat stands, if that is news; somebody may have gone on from where it stood before.
    let head = growth.new_head();
    let grafted = engine.graft(world, &conversation.id, branches, head)?.value;
    if head.is_some() {
        return Ok(done(grafted.head));
    }
    let target = conversation.head.map_or(HeadTarget::Empty, HeadTarget::Line);
    Ok(done(engine.move_head(world, &conversation.id, target, ExpectedHead::Any)?.head))
}

/// Everything that could be refused half-way is refused before.
fn check(limits: &Limits, plan: &ChatPlan) -> Result<()> {
    limits.check_people(plan.people.len())?;
    for (index, line) in plan.lines.iter().enumerate() {
        limits.admit_line(&mut line.clone()).map_err(|error| error.within(format!("line {}", index + 1)))?;
    }
    Ok(())
}

/// Gives names to those whose ids do not tell them, and makes the narrator one. Whoever is known stays as they are.
fn introduce(engine: &Engine, world: &WorldId, plan: &ChatPlan) -> Result<()> {
    let narrator = CharacterPatch { kind: Some(CharacterKind::Narrator), ..CharacterPatch::default() };
    let mut strangers: Vec<(CharacterId, CharacterPatch)> =
        plan.narrator().map(|id| (id, narrator)).into_iter().collect();
    for member in plan.people.iter().filter(|member| member.id.as_str() != member.name) {
        let patch =
            CharacterPatch { display_name: Some(Some(member.name.clone())), ..CharacterPatch::default() };
        strangers.push((member.id.clone(), patch));
    }
    for (id, patch) in strangers {
        if found(engine.character(world, &id))?.is_none() {
            engine.put_character(world, Who::Id(id), patch)?;
        }
    }
    Ok(())
}

/// Lines of the conversation by host id.
fn recorded(
    engine: &Engine,
    world: &WorldId,
    conversation: &ConversationId,
) -> Result<HashMap<String, LineId>> {
    let mut found = HashMap::new();
    let mut query = LinesQuery {
        which: WhichLines::Tree,
        witness: None,
        after: None,
        newest_first: false,
        limit: engine.limits().page,
    };
    loop {
        let page = engine.lines(world, conversation, query.clone())?;
        query.after = page.items.last().map(|line| line.id);
        found.extend(page.items.into_iter().filter_map(|line| Some((line.host_id?, line.id))));
        if !page.has_more {
            return Ok(found);
        }
    }
}

/// Whoever came into the chat since the last import hears what is new.
fn admit(engine: &Engine, world: &WorldId, conversation: &Conversation, plan: &ChatPlan) -> Result<()> {
    let known: HashSet<&CharacterId> = conversation.participants.iter().collect();
    let comes = |id: &&CharacterId| !known.contains(id);
    let mut present: Vec<Who> =
        plan.people.iter().map(|member| &member.id).filter(comes).cloned().map(Who::Id).collect();
    if present.is_empty() {
        return Ok(());
    }
    present.extend(conversation.present.iter().cloned().map(Who::Id));
    engine.set_present(world, &conversation.id, present, ExpectedHead::Any).map(drop)
}

/// Where a row stands.
#[derive(Clone, Copy)]
enum Place {
    /// In the tree already; None: at its root.
    There(Option<LineId>),
    /// Among the lines that are new, counted through all of them.
    New(usize),
}

/// What a chat brings to a tree that may have some of it.
struct Growth<'a> {
    plan: &'a ChatPlan,
    /// A row that is gone stands where its parent does, so that what follows has a place.
    places: HashMap<usize, Place>,
    /// Rows that an earlier import recorded and somebody deleted: something behind them is still there.
    deleted: HashSet<usize>,
    new: usize,
    gone: usize,
}

impl<'a> Growth<'a> {
    fn new(plan: &'a ChatPlan, there: &HashMap<String, LineId>) -> Self {
        let mut places = HashMap::new();
        for (row, line) in plan.lines.iter().enumerate() {
            if let Some(id) = line.host_id.as_ref().and_then(|host_id| there.get(host_id)) {
                places.insert(row, Place::There(Some(*id)));
            }
        }
        let mut deleted = HashSet::new();
        for chain in plan.tree.chains.iter().rev() {
            let rows = chain.rows.iter().rev().copied();
            let parents = chain.rows.iter().rev().skip(1).copied().map(Some).chain([chain.parent]);
            for (row, parent) in rows.zip(parents) {
                if let Some(parent) = parent.filter(|_| places.contains_key(&row) || deleted.contains(&row)) {
                    deleted.insert(parent);
                }
            }
        }
        deleted.retain(|row| !places.contains_key(row));
        Self { plan, places, deleted, new: 0, gone: 0 }
    }

    fn is_missing(&self, row: usize) -> bool {
        !self.places.contains_key(&row) && !self.deleted.contains(&row)
    }

    fn has_news(&self) -> bool {
        (0..self.plan.lines.len()).any(|row| self.is_missing(row))
    }

    /// The missing rows, in parts of at most so many.
    fn branches(&mut self, most: usize) -> Result<Vec<(Option<usize>, Record)>> {
        let mut branches = Vec::new();
        for chain in &self.plan.tree.chains {
            let mut place = match chain.parent {
                None => Place::There(None),
                Some(parent) => self.place(parent)?,
            };
            // Rows that follow each other go into the same branch.
            let mut open: Option<(Option<usize>, Record)> = None;
            for row in &chain.rows {
                if !self.is_missing(*row) {
                    branches.extend(open.take());
                    if self.deleted.contains(row) {
                        self.gone += 1;
                        self.places.insert(*row, place);
                    }
                    place = self.place(*row)?;
                    continue;
                }
                if open.as_ref().is_some_and(|(_, record)| record.lines.len() == most) {
                    branches.extend(open.take());
                }
                let (_, record) = open.get_or_insert_with(|| begin(place));
                record.lines.extend(self.plan.lines.get(*row).cloned());
                place = Place::New(self.new);
                self.new += 1;
                self.places.insert(*row, place);
            }
            branches.extend(open);
        }
        Ok(branches)
    }

    fn place(&self, row: usize) -> Result<Place> {
        let lost =
            || Error::new(Code::Internal, format!("line {row} was not recorded before those behind it"));
        self.places.get(&row).copied().ok_or_else(lost)
    }

    fn new_head(&self) -> Option<usize> {
        match self.places.get(&self.plan.tree.head?)? {
            Place::New(line) => Some(*line),
            Place::There(_) => None,
        }
    }
}

fn begin(place: Place) -> (Option<usize>, Record) {
    match place {
        Place::New(line) => (Some(line), Record::default()),
        Place::There(line) => {
            let attach = line.map_or(Attach::Root, Attach::Behind);
            (None, Record { attach, ..Record::default() })
        }
    }
}
