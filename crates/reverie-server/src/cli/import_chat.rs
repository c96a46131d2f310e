//! How does a chat get into the data file, and nothing of it twice?
//!
//! Lines are found again by their host ids, so only what is new is recorded: nothing of the same file, the end of a chat
//! that went on, a branch where something was changed. Whoever stops in the middle runs it again.

use std::collections::{HashMap, HashSet};

use reverie_core::character::{CharacterKind, CharacterPatch};
use reverie_core::conversation::{
    Append, Attach, Conversation, ExpectedHead, HeadTarget, LinesQuery, OpenConversation, WhichLines,
};
use reverie_core::line::NewLine;
use reverie_core::store::Select;
use reverie_core::{
    CharacterId, Code, ConversationId, Engine, Error, Limits, LineId, Record, Result, Who, WorldId,
};
use reverie_formats::bounded;
use reverie_formats::chat::{self, ChatPlan, PlanOptions};
use serde_json::json;

use super::import;
use crate::output::{Failure, Output};
use crate::settings::Settings;

/// Lines of one transaction.
const MOST_AT_ONCE: usize = 500;

/// Where a chat goes.
pub(super) struct Target {
    pub(super) world: WorldId,
    /// Of the conversation.
    pub(super) name: String,
}

pub(super) struct Imported {
    pub(super) conversation: ConversationId,
    pub(super) lines: usize,
    pub(super) new: usize,
    /// Recorded by an earlier import and deleted since; they stay so.
    pub(super) gone: usize,
    pub(super) head: Option<LineId>,
}

pub(super) fn run(output: Output, settings: &Settings, bytes: &[u8], target: &Target) -> Result<(), Failure> {
    let limits = bounded::Limits { file_bytes: settings.limits.import_bytes, ..bounded::Limits::default() };
    // A file that cannot be understood makes no data file.
    let document = chat::read(bytes, &limits)?;
    let plan = chat::plan(&document, &PlanOptions::default())?;
    let (_, api) = import::open(settings)?;
    let done = import(api.engine(), target, &plan)?;
    let warnings: Vec<String> = document.warnings.iter().map(ToString::to_string).collect();
    warnings.iter().for_each(|warning| output.warning(warning));
    let head = done.head.map(|head| head.to_string());
    let text = format!(
        "imported a chat of {} messages: {} lines ({} new) in conversation {} of world {}; its head is line {}",
        document.messages.len(),
        done.lines,
        done.new,
        done.conversation,
        target.world,
        head.as_deref().unwrap_or("none")
    );
    let json = json!({"world": target.world.as_str(), "conversation": done.conversation.as_str(),
        "messages": document.messages.len(), "lines": done.lines, "new": done.new, "gone": done.gone, "head": head,
        "warnings": warnings});
    output.answer(&text, &json);
    Ok(())
}

/// Records what is not there yet.
pub(super) fn import(engine: &Engine, target: &Target, plan: &ChatPlan) -> Result<Imported> {
    check(engine.limits(), plan)?;
    let Target { world, name } = target;
    engine.store().put_world(world, &Default::default(), engine.now_ms())?;
    introduce(engine, world, plan)?;
    let open = OpenConversation { id: None, name: Some(name.clone()), participants: plan.participants() };
    let (conversation, is_new) = engine.store().open_conversation(world, &open)?;
    let there = if is_new { HashMap::new() } else { recorded(engine, world, &conversation.id)? };
    let mut writer = Writer::new(engine, world, &conversation.id, plan, &there);
    if !is_new && !writer.missing().is_empty() {
        admit(engine, world, &conversation, plan)?;
    }
    writer.write()?;
    let head = writer.put_head(conversation.head)?;
    let Writer { new, gone, .. } = writer;
    Ok(Imported { conversation: conversation.id, lines: plan.lines.len(), new, gone, head })
}

/// Everything that could be refused half-way is refused before.
fn check(limits: &Limits, plan: &ChatPlan) -> Result<()> {
    limits.check_people(plan.people.len())?;
    if plan.lines.is_empty() {
        return Ok(());
    }
    let any_number = Limits { lines_per_append: usize::MAX, ..limits.clone() };
    any_number.check_append(&mut Append { lines: plan.lines.clone(), ..Append::default() })
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
        if engine.store().characters(world, &Select::One(id.as_str().to_owned()))?.is_empty() {
            engine.store().put_character(world, &Who::Id(id), &patch)?;
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
        let page = engine.store().lines(world, conversation, &query)?;
        let Some(last) = page.last() else { return Ok(found) };
        query.after = Some(last.id);
        found.extend(page.into_iter().filter_map(|line| Some((line.host_id?, line.id))));
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
    engine.store().set_present(world, &conversation.id, &present, ExpectedHead::Any).map(drop)
}

struct Writer<'a> {
    engine: &'a Engine,
    world: &'a WorldId,
    conversation: &'a ConversationId,
    plan: &'a ChatPlan,
    /// Rows that have a line. A row that is gone has that of its parent, so that what follows has a place.
    lines: HashMap<usize, Option<LineId>>,
    /// Rows that an earlier import recorded and somebody deleted: something behind them is still there.
    deleted: HashSet<usize>,
    new: usize,
    gone: usize,
    head_is_new: bool,
}

impl<'a> Writer<'a> {
    fn new(
        engine: &'a Engine,
        world: &'a WorldId,
        conversation: &'a ConversationId,
        plan: &'a ChatPlan,
        there: &HashMap<String, LineId>,
    ) -> Self {
        let mut lines = HashMap::new();
        for (row, line) in plan.lines.iter().enumerate() {
            if let Some(id) = line.host_id.as_ref().and_then(|host_id| there.get(host_id)) {
                lines.insert(row, Some(*id));
            }
        }
        let mut deleted = HashSet::new();
        for chain in plan.tree.chains.iter().rev() {
            let rows = chain.rows.iter().rev().copied();
            let parents = chain.rows.iter().rev().skip(1).copied().map(Some).chain([chain.parent]);
            for (row, parent) in rows.zip(parents) {
                if let Some(parent) = parent.filter(|_| lines.contains_key(&row) || deleted.contains(&row)) {
                    deleted.insert(parent);
                }
            }
        }
        deleted.retain(|row| !lines.contains_key(row));
        Self { engine, world, conversation, plan, lines, deleted, new: 0, gone: 0, head_is_new: false }
    }

    fn missing(&self) -> Vec<usize> {
        let is_missing = |row: &usize| !self.lines.contains_key(row) && !self.deleted.contains(row);
        (0..self.plan.lines.len()).filter(is_missing).collect()
    }

    fn write(&mut self) -> Result<()> {
        let most = self.engine.limits().lines_per_append.clamp(1, MOST_AT_ONCE);
        for chain in &self.plan.tree.chains {
            let mut parent = chain.parent;
            let mut run: Vec<usize> = Vec::new();
            for row in &chain.rows {
                let is_missing = !self.lines.contains_key(row) && !self.deleted.contains(row);
                if !is_missing || run.len() == most {
                    parent = self.record(parent, &std::mem::take(&mut run))?;
                }
                if is_missing {
                    run.push(*row);
                    continue;
                }
                if self.deleted.contains(row) {
                    self.gone += 1;
                    let place = self.place(parent)?;
                    self.lines.insert(*row, place);
                }
                parent = Some(*row);
            }
            self.record(parent, &run)?;
        }
        Ok(())
    }

    /// Records rows of which each continues the one before; answers the last of them.
    fn record(&mut self, parent: Option<usize>, run: &[usize]) -> Result<Option<usize>> {
        let lines: Vec<NewLine> = run.iter().filter_map(|row| self.plan.lines.get(*row).cloned()).collect();
        let Some(first) = lines.first().and_then(|line| line.host_id.clone()) else { return Ok(parent) };
        let mut place = self.place(parent)?;
        let record = Record {
            lines,
            attach: place.map_or(Attach::Root, Attach::Behind),
            expected_head: ExpectedHead::Any,
            key: Some(format!("import:{first}:{}", run.len())),
        };
        let appended = self.engine.record(self.world, self.conversation, record)?.appended;
        let mut found: HashMap<String, LineId> =
            appended.lines.into_iter().filter_map(|line| Some((line.host_id?, line.id))).collect();
        for row in run {
            let host_id = self.plan.lines.get(*row).and_then(|line| line.host_id.as_ref());
            match host_id.and_then(|host_id| found.remove(host_id)) {
                Some(id) => {
                    place = Some(id);
                    self.new += usize::from(!appended.replayed);
                    self.head_is_new |= !appended.replayed && self.plan.tree.head == Some(*row);
                }
                None => self.gone += 1,
            }
            self.lines.insert(*row, place);
        }
        Ok(run.last().copied())
    }

    fn place(&self, row: Option<usize>) -> Result<Option<LineId>> {
        let Some(row) = row else { return Ok(None) };
        let lost =
            || Error::new(Code::Internal, format!("line {row} was not recorded before those behind it"));
        self.lines.get(&row).copied().ok_or_else(lost)
    }

    /// The head goes where the chat stands, if that is news; somebody may have gone on from where it stood before.
    fn put_head(&self, before: Option<LineId>) -> Result<Option<LineId>> {
        if self.new == 0 {
            return Ok(before);
        }
        let head = if self.head_is_new { self.place(self.plan.tree.head)? } else { before };
        let target = head.map_or(HeadTarget::Empty, HeadTarget::Line);
        let store = self.engine.store();
        Ok(store.move_head(self.world, self.conversation, target, ExpectedHead::Any)?.head)
    }
}
