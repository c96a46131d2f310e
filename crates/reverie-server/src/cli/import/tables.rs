//! How does a table of lines become a conversation?

use std::collections::{BTreeSet, HashMap};

use reverie_api::wire::{WireLine, numbered};
use reverie_api::wording::plain;
use reverie_core::character::is_erased;
use reverie_core::conversation::{Attach, OpenConversation};
use reverie_core::line::NewLine;
use reverie_core::settings::{Pairs, narrator_names};
use reverie_core::{
    Attribute, Code, Conversation, ConversationId, Engine, Error, Limits, LineId, Record, Result, Who,
    WorldId,
};
use reverie_formats::rows::{self, Row};
use reverie_formats::tree::{self, Chain, Plan};
use serde_json::{Value, json};

use super::afterwards::{self, Before};
use super::{Options, in_this_house, not_kept, open, stem};
use crate::output::{Failure, Output, counted};
use crate::settings::Settings;

pub(super) fn run(
    output: Output,
    settings: &Settings,
    options: &Options,
    world: Option<WorldId>,
    bytes: &[u8],
) -> Result<(), Failure> {
    // A file that cannot be understood makes no data file.
    let table = Table::read(bytes, options.head.as_deref(), &settings.limits.of_engine())?;
    let api = open(settings)?;
    let name = stem(&options.path);
    let world = world.map_or_else(|| WorldId::new(&name), Ok)?;
    let name = options.conversation.as_deref().unwrap_or(&name);
    let there = options.there(api.engine(), &world, name)?;
    let before = Before::of(api.engine(), &world)?;
    let is_language_open = api.engine().is_language_open(&world)?;
    let done = import_rows(api.engine(), &table, world, (name, there))?;
    if is_language_open {
        api.engine().speak_as_there(&done.world)?;
    }
    let text = format!(
        "imported {} ({} new) into conversation {} of world {}; {}{}",
        counted(done.lines as u64, "line", "lines"),
        done.new,
        done.conversation,
        done.world,
        done.head.map_or_else(|| "it has no line yet".to_owned(), |head| format!("its head is line {head}")),
        not_kept(table.replaced)
    );
    let mut json = json!({"world": done.world.as_str(), "conversation": done.conversation.as_str(), "lines": done.lines,
        "new": done.new, "replaced": table.replaced});
    if let (Some(head), Some(fields)) = (done.head, json.as_object_mut()) {
        fields.insert("head".to_owned(), json!(head.to_string()));
    }
    output.answer(&text, &json);
    Ok(afterwards::tell(output, api.engine(), &done.world, before, done.new)?)
}

/// Rows that were understood and may come in, all of them: what would be refused is refused before anything is written.
struct Table {
    rows: Vec<Row>,
    lines: Vec<NewLine>,
    plan: Plan,
    /// Characters that could not be kept.
    replaced: usize,
}

impl Table {
    fn read(bytes: &[u8], head: Option<&str>, limits: &Limits) -> Result<Self> {
        let rows = rows::read(bytes)?;
        if rows.is_empty() {
            return Err(Error::invalid("the file holds no lines: nothing was imported").hint(
                "name an export of Reverie, or a table of lines: a JSON array, or one JSON object a line",
            ));
        }
        let plan = tree::plan(&rows, head)?;
        let mut lines = Vec::with_capacity(rows.len());
        let mut replaced = 0;
        for (index, row) in rows.iter().enumerate() {
            let (line, count) = numbered(index, line(row, limits))?;
            lines.push(line);
            replaced += count;
        }
        Ok(Self { rows, lines, plan, replaced })
    }
}

struct Done {
    world: WorldId,
    conversation: ConversationId,
    lines: usize,
    new: usize,
    head: Option<LineId>,
}

/// A table that comes with other files of a folder: how many lines it has, and how many of them are new.
pub(super) fn import(
    engine: &Engine,
    (world, name, there): (&WorldId, &str, Option<Conversation>),
    bytes: &[u8],
    limits: &Limits,
) -> Result<(usize, usize)> {
    let table = Table::read(bytes, None, limits)?;
    let done = import_rows(engine, &table, world.clone(), (name, there))?;
    Ok((done.lines, done.new))
}

/// Into the conversation that is there, or a new one of this name.
fn import_rows(
    engine: &Engine,
    table: &Table,
    world: WorldId,
    (name, there): (&str, Option<Conversation>),
) -> Result<Done> {
    let name = ConversationId::new(name)?;
    // In such a table everybody sees everything, so everybody is there from the start.
    let participants = participants(engine, &world, &table.plan.chains, &table.lines)?;
    engine.limits().check_people(participants.len())?;
    let (branches, head) = branches(table, engine.limits().lines_per_append.min(500))?;
    engine.make_world(&world, Default::default(), [], [])?;
    let conversation = match there {
        Some(there) => there,
        None => {
            let open = OpenConversation { id: None, name: Some(name.to_string()), participants };
            engine.open_conversation(&world, open)?.value
        }
    };
    let grafted = engine
        .graft(&world, &conversation.id, branches, head)
        .map_err(|error| in_this_house(error, "import into another conversation with --conversation"))?
        .value;
    let count = |new_only: bool| {
        let of = grafted.appended.iter().filter(|appended| !(new_only && appended.replayed));
        of.map(|appended| appended.lines.len()).sum()
    };
    let (lines, new) = (count(false), count(true));
    Ok(Done { world, conversation: conversation.id, lines, new, head: grafted.head })
}

type Branches = Vec<(Option<usize>, Record)>;

/// The rows in the order in which they are recorded, in parts, and which of them is the head.
fn branches(table: &Table, most: usize) -> Result<(Branches, Option<usize>)> {
    let mut places: HashMap<usize, usize> = HashMap::new();
    let mut branches = Vec::new();
    for chain in &table.plan.chains {
        let mut parent = chain.parent;
        for part in chain.rows.chunks(most) {
            let parent_place =
                parent.map(|row| places.get(&row).copied().ok_or_else(|| lost(row))).transpose()?;
            for row in part {
                places.insert(*row, places.len());
            }
            branches.push((parent_place, record(table, part)));
            parent = part.last().copied();
        }
    }
    let head = table.plan.head.and_then(|head| places.get(&head).copied());
    Ok((branches, head))
}

fn record(table: &Table, part: &[usize]) -> Record {
    let first = part.first().copied().unwrap_or_default();
    let name = table.rows.get(first).and_then(tree::row_id);
    // A key is short; a row's own id need not be.
    let name = name.filter(|name| name.len() <= 64).unwrap_or_else(|| format!("#{first}"));
    Record {
        lines: part.iter().filter_map(|row| table.lines.get(*row).cloned()).collect(),
        attach: Attach::Root,
        // The same file again changes nothing.
        key: Some(format!("import:{name}:{}", part.len())),
        ..Record::default()
    }
}

fn lost(row: usize) -> Error {
    Error::new(Code::Internal, format!("row {} was not recorded before its children", row + 1))
}

/// The line, fit to be recorded, and how many of its characters could not be kept.
fn line(row: &Row, limits: &Limits) -> Result<(NewLine, usize)> {
    let mut row = row.clone();
    if let Some(id) = tree::row_id(&row).filter(|_| !row.contains_key("host_id")) {
        row.insert("host_id".to_owned(), Value::String(id));
    }
    // A host's own column of this name is no round of ours.
    row.remove("round");
    let mut line: WireLine =
        serde_json::from_value(Value::Object(row)).map_err(|error| Error::invalid(plain(&error)))?;
    let mut replaced = line.clean_names();
    let mut line = line.into_new_line()?;
    replaced.extend(limits.admit_line(&mut line)?);
    line.speaker.iter().chain(line.witnesses.iter().flatten()).try_for_each(check_id)?;
    Ok((line, replaced.iter().map(|(_, count)| count).sum()))
}

/// Nobody like this may be known yet, and then needs an id.
fn check_id(who: &Who) -> Result<()> {
    let id = who.first_id()?;
    if is_erased(&id) {
        return Err(
            Error::invalid(format!("{id:?} is an id of a deleted character")).hint("choose another id")
        );
    }
    Ok(())
}

fn participants(engine: &Engine, world: &WorldId, chains: &[Chain], lines: &[NewLine]) -> Result<Vec<Who>> {
    let settings = match engine.world(world) {
        Ok(world) => world.settings,
        Err(error) if error.code() == Code::NotFound => Pairs::new(),
        Err(error) => return Err(error),
    };
    let narrators = narrator_names(&settings);
    let rows: BTreeSet<usize> = chains.iter().flat_map(|chain| chain.rows.iter().copied()).collect();
    let mut all: Vec<Who> = Vec::new();
    for line in rows.iter().filter_map(|row| lines.get(*row)) {
        let Some(who) = line.speaker.as_ref().filter(|_| line.attribute != Attribute::System) else {
            continue;
        };
        let is_narrator = line.display_name.as_ref().is_some_and(|name| narrators.contains(name));
        if !is_narrator && !all.contains(who) {
            all.push(who.clone());
        }
    }
    Ok(all)
}
