//! `reverie import`: an export, or a table of lines, becomes part of the data file.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use reverie_api::wire::{WireLine, numbered};
use reverie_api::{Api, export};
use reverie_core::conversation::{Attach, ExpectedHead, HeadTarget, OpenConversation};
use reverie_core::line::NewLine;
use reverie_core::settings::narrator_names;
use reverie_core::store::Select;
use reverie_core::{Attribute, ConversationId, Engine, Error, LineId, Record, Result, Who, WorldId};
use reverie_formats::rows::{self, Row};
use reverie_formats::tree::{self, Chain, Plan};
use reverie_sqlite::SqliteStore;
use serde_json::{Value, json};

use super::{import_chat, read_file};
use crate::data;
use crate::output::{Failure, Output};
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// An export of Reverie, or a table of lines: a JSON array, or one JSON object a line.
    file: PathBuf,
    /// The world to import into; default: the exported one's id, for a table the file's name.
    #[arg(long)]
    world: Option<String>,
    /// Of a table: the id of the newest line of the save; default: the last row.
    #[arg(long)]
    head: Option<String>,
    /// Of a table: the name of the conversation; default: the file's name.
    #[arg(long)]
    conversation: Option<String>,
}

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    let bytes = read_file(&options.file)?;
    let world = options.world.as_deref().map(WorldId::new).transpose()?;
    let text = String::from_utf8_lossy(&bytes);
    if is_export(&text) {
        let (store, _) = open(settings)?;
        let made = export::read(store.as_ref(), world.as_ref(), &text, settings.limits.import_bytes)?;
        let (id, revision) = (made.id.as_str(), made.revision);
        output.answer(
            &format!("imported the world {id} at revision {revision}"),
            &json!({"world": id, "revision": revision}),
        );
        return Ok(());
    }
    if reverie_formats::chat::is_chat(&bytes) {
        let file = file_name(&options.file);
        let world = world.map_or_else(|| WorldId::new(&file), Ok)?;
        let name = options.conversation.clone().unwrap_or(file);
        return import_chat::run(output, settings, &bytes, &import_chat::Target { world, name });
    }
    // A file that cannot be understood makes no data file.
    let table = Table::read(&bytes, options.head.as_deref())?;
    let (_, api) = open(settings)?;
    let done = import_rows(api.engine(), &table, options, world)?;
    let text = format!(
        "imported {} lines ({} new) into conversation {} of world {}; its head is line {}",
        done.lines,
        done.new,
        done.conversation,
        done.world,
        done.head.map_or_else(|| "none".to_owned(), |head| head.to_string())
    );
    let json = json!({"world": done.world.as_str(), "conversation": done.conversation.as_str(), "lines": done.lines,
        "new": done.new, "head": done.head.map(|head| head.to_string())});
    output.answer(&text, &json);
    Ok(())
}

fn is_export(text: &str) -> bool {
    let start = text.trim_start();
    let first = start.lines().next().unwrap_or_default();
    let is_world = |value: Value| value.get("type").and_then(Value::as_str) == Some("world");
    start.starts_with("reverie-save/") || serde_json::from_str(first).is_ok_and(is_world)
}

pub(super) fn open(settings: &Settings) -> Result<(Arc<SqliteStore>, Api)> {
    data::check_writable(settings)?;
    data::open(settings)
}

/// Rows that were understood, all of them.
struct Table {
    rows: Vec<Row>,
    lines: Vec<NewLine>,
    plan: Plan,
}

impl Table {
    fn read(bytes: &[u8], head: Option<&str>) -> Result<Self> {
        let rows = rows::read(bytes)?;
        let plan = tree::plan(&rows, head)?;
        let lines = rows.iter().enumerate().map(|(index, row)| numbered(index, line(row)));
        Ok(Self { lines: lines.collect::<Result<_>>()?, plan, rows })
    }
}

struct Done {
    world: WorldId,
    conversation: ConversationId,
    lines: usize,
    new: usize,
    head: Option<LineId>,
}

fn import_rows(engine: &Engine, table: &Table, options: &Options, world: Option<WorldId>) -> Result<Done> {
    let name = file_name(&options.file);
    let world = world.map_or_else(|| WorldId::new(&name), Ok)?;
    engine.store().put_world(&world, &Default::default(), engine.now_ms())?;
    // In such a table everybody sees everything, so everybody is there from the start.
    let open = OpenConversation {
        id: None,
        name: Some(options.conversation.clone().unwrap_or(name)),
        participants: participants(engine, &world, &table.plan.chains, &table.lines)?,
    };
    let (conversation, _) = engine.store().open_conversation(&world, &open)?;
    let mut done = Done { world, conversation: conversation.id.clone(), lines: 0, new: 0, head: None };
    let mut recorded: HashMap<usize, LineId> = HashMap::new();
    for chain in &table.plan.chains {
        record_chain(engine, chain, table, &mut recorded, &mut done)?;
    }
    let head = table.plan.head.and_then(|head| recorded.get(&head).copied());
    done.head = match head.filter(|_| done.new > 0) {
        Some(head) => {
            let target = HeadTarget::Line(head);
            engine.store().move_head(&done.world, &done.conversation, target, ExpectedHead::Any)?.head
        }
        // Whoever imported it before may have gone on from there.
        None => conversation.head,
    };
    Ok(done)
}

fn record_chain(
    engine: &Engine,
    chain: &Chain,
    table: &Table,
    recorded: &mut HashMap<usize, LineId>,
    done: &mut Done,
) -> Result<()> {
    let mut parent = chain.parent;
    for part in chain.rows.chunks(engine.limits().lines_per_append.min(500)) {
        let attach = match parent {
            None => Attach::Root,
            Some(row) => Attach::Behind(*recorded.get(&row).ok_or_else(|| lost(row))?),
        };
        let first = part.first().copied().unwrap_or_default();
        let name = table.rows.get(first).and_then(tree::row_id).unwrap_or_else(|| format!("#{first}"));
        let record = Record {
            lines: part.iter().filter_map(|row| table.lines.get(*row).cloned()).collect(),
            attach,
            expected_head: ExpectedHead::Any,
            // The same file again changes nothing.
            key: Some(format!("import:{name}:{}", part.len())),
        };
        let result = engine.record(&done.world, &done.conversation, record)?;
        if result.appended.lines.len() != part.len() {
            return Err(Error::conflict("some of these lines were imported before and deleted since")
                .hint("import into another conversation with --conversation"));
        }
        recorded.extend(part.iter().copied().zip(result.appended.lines.iter().map(|line| line.id)));
        done.lines += part.len();
        done.new += if result.appended.replayed { 0 } else { part.len() };
        parent = part.last().copied();
    }
    Ok(())
}

fn lost(row: usize) -> Error {
    Error::new(reverie_core::Code::Internal, format!("row {} was not recorded before its children", row + 1))
}

fn line(row: &Row) -> Result<NewLine> {
    let mut row = row.clone();
    if let Some(id) = tree::row_id(&row).filter(|_| !row.contains_key("host_id")) {
        row.insert("host_id".to_owned(), Value::String(id));
    }
    let line: WireLine =
        serde_json::from_value(Value::Object(row)).map_err(|error| Error::invalid(error.to_string()))?;
    line.into_new_line()
}

fn participants(engine: &Engine, world: &WorldId, chains: &[Chain], lines: &[NewLine]) -> Result<Vec<Who>> {
    let found = engine.store().worlds(&Select::One(world.as_str().to_owned()))?.pop();
    let narrators = narrator_names(&found.map(|world| world.settings).unwrap_or_default());
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

fn file_name(path: &Path) -> String {
    path.file_stem().map_or_else(|| "import".to_owned(), |name| name.to_string_lossy().into_owned())
}
