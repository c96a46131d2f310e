//! `--from mem0`: where are the memories that mem0 kept, and how do they come in?
//!
//! A JSON file with what its calls answer (`{"results": […]}`, or the list alone, or one object a line), or its local store: the
//! folder of Qdrant's local mode, one of its `storage.sqlite` files, or a folder around them. A `history.db` alone tells texts
//! and not whose they are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reverie_api::mem0::{Brought, Record, bring};
use reverie_core::{CharacterId, Error, Result};
use reverie_formats::{pickle, utf8};
use reverie_sqlite::others::{self, Table};
use serde_json::{Map, Value, json};

use super::{Options, open, read_all};
use crate::cli::cannot_read;
use crate::output::{Failure, Output, counted, error_json};
use crate::settings::Settings;

/// How deep a store may lie in a folder.
const DEPTH: usize = 6;
/// So many that did not come are told in lines of their own.
const TOLD: usize = 20;
/// Collections of mem0's own, which hold no memories.
const OTHERS: [&str; 1] = ["mem0migrations"];

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    options.check("a store of mem0", &["--world", "--as"])?;
    let world = options.world.as_deref().map(reverie_core::WorldId::new).transpose()?;
    let world = world.unwrap_or_else(|| settings.mem0.clone());
    let owner = options.character.as_deref().map(CharacterId::new).transpose()?;
    let mut records = read(&options.path, super::limits(settings).file_bytes)?;
    let total = records.len();
    for record in &mut records {
        let is_nobodys = record.user_id.is_none() && record.agent_id.is_none() && record.run_id.is_none();
        if let Some(owner) = owner.as_ref().filter(|_| is_nobodys) {
            record.user_id = Some(owner.to_string());
        }
    }
    let api = open(settings)?;
    let brought = bring(api.engine(), &world, &records)?;
    let count = |what: Brought| brought.iter().filter(|one| matches!(one, Ok(one) if *one == what)).count();
    let (new, changed, same) = (count(Brought::New), count(Brought::Changed), count(Brought::Same));
    let failed = brought.iter().enumerate().filter_map(|(at, one)| Some((at, one.as_ref().err()?)));
    let failed: Vec<(usize, &Error)> = failed.collect();
    let came = counted((total - failed.len()) as u64, "memory", "memories");
    let mut lines = vec![format!(
        "imported {came} of mem0 into world {world}: {new} new, {changed} changed, {same} as before"
    )];
    for (at, error) in failed.iter().take(TOLD) {
        lines.push(format!("  not imported: memory {}: {}", at + 1, error.message()));
    }
    if let more @ 1.. = failed.len().saturating_sub(TOLD) {
        lines.push(format!("  not imported: {more} more; --json tells them"));
    }
    let told = failed.iter().map(|(at, error)| {
        let id = records.get(*at).and_then(|record| record.id.as_deref());
        json!({"memory": at + 1, "id": id, "error": error_json(error)})
    });
    let mut json = json!({"world": world.as_str(), "memories": total, "new": new, "changed": changed, "same": same,
        "failed": told.map(without_null).collect::<Vec<_>>()});
    let failure = failure(&failed);
    if let (Some(failure), Some(fields)) = (&failure, json.as_object_mut()) {
        fields.insert("error".to_owned(), error_json(failure));
    }
    output.answer(&lines.join("\n"), &json);
    failure.map_or(Ok(()), |failure| Err(Failure::from(failure).already_in_json()))
}

/// What the command ends with, if some did not come.
fn failure(failed: &[(usize, &Error)]) -> Option<Error> {
    let (first, error) = failed.first()?;
    let count = counted(failed.len() as u64, "memory", "memories");
    let message = format!("{count} could not be imported; memory {}: {}", first + 1, error.message());
    let hint = error.hint_text().map_or_else(String::new, |hint| format!("{hint}; "));
    let hint = format!("{hint}all others were imported, and the same file again brings only what is new");
    Some(Error::new(error.code(), message).hint(hint))
}

/// Answers hold no null.
fn without_null(mut value: Value) -> Value {
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    value
}

fn read(path: &Path, most: usize) -> Result<Vec<Record>> {
    if path.is_dir() {
        return of_folder(path);
    }
    match others::table_of(path) {
        Some(Table::Points) => of_points(path),
        Some(Table::Mem0History) => of_history(path),
        None => {
            let file = std::fs::File::open(path).map_err(|error| cannot_read(path, &error))?;
            of_json(&read_all(file, path, most)?)
        }
    }
}

/// All collections that are there; a history only where there is none.
fn of_folder(path: &Path) -> Result<Vec<Record>> {
    let mut stores = Vec::new();
    let mut histories = Vec::new();
    look(path, DEPTH, &mut stores, &mut histories);
    let mut records = Vec::new();
    for store in &stores {
        records.extend(of_points(store)?);
    }
    if stores.is_empty() {
        for history in &histories {
            records.extend(of_history(history)?);
        }
    }
    if stores.is_empty() && histories.is_empty() {
        return Err(nothing(path).hint(
            "name the folder that holds `collection/…/storage.sqlite`, or a JSON file with its memories",
        ));
    }
    Ok(records)
}

fn look(folder: &Path, depth: usize, stores: &mut Vec<PathBuf>, histories: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            let is_other = OTHERS.contains(&name.as_str()) || name.ends_with("_entities");
            if depth > 0 && !is_other {
                look(&path, depth - 1, stores, histories);
            }
        } else if name == "storage.sqlite" && others::table_of(&path) == Some(Table::Points) {
            stores.push(path);
        } else if name == "history.db" && others::table_of(&path) == Some(Table::Mem0History) {
            histories.push(path);
        }
    }
}

fn of_points(path: &Path) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    for (at, point) in others::points(path)?.iter().enumerate() {
        let point = pickle::read(point).map_err(|problem| {
            Error::invalid(format!("point {} of {}: {problem}", at + 1, path.display()))
                .hint("import a JSON file with what `GET /memories` or `get_all` answers instead")
        })?;
        let Some(mut fields) = point.get("payload").and_then(Value::as_object).cloned() else { continue };
        if let Some(id) = point.get("id").filter(|id| !id.is_null()) {
            fields.insert("id".to_owned(), id.clone());
        }
        records.extend(Record::read(&fields));
    }
    Ok(records)
}

/// What each memory says at last, of those that were not deleted.
fn of_history(path: &Path) -> Result<Vec<Record>> {
    let mut last: BTreeMap<String, Record> = BTreeMap::new();
    for event in others::mem0_history(path)? {
        let Some(text) = event.text.filter(|_| event.event != "DELETE") else {
            last.remove(&event.memory);
            continue;
        };
        let record = last.entry(event.memory.clone()).or_default();
        record.id = Some(event.memory);
        record.text = text;
        record.role = event.role.or(record.role.take());
        record.actor_id = event.actor.or(record.actor_id.take());
        record.created_at = record.created_at.take().or(event.created_at);
    }
    Ok(last.into_values().collect())
}

fn of_json(bytes: &[u8]) -> Result<Vec<Record>> {
    let text =
        utf8::text(bytes).map_err(|problem| Error::invalid(format!("the file cannot be read: {problem}")))?;
    let text = text.trim_start_matches('\u{FEFF}');
    let all: Vec<Value> = match serde_json::from_str(text) {
        Ok(Value::Array(all)) => all,
        Ok(Value::Object(fields)) => listed(fields),
        Ok(_) => Vec::new(),
        // One object a line.
        Err(error) => {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let lines: std::result::Result<Vec<Value>, _> = lines.map(serde_json::from_str).collect();
            lines.map_err(|_| Error::invalid(format!("the file is no JSON: {error}")))?
        }
    };
    let records: Vec<Record> = all.iter().filter_map(|one| Record::read(one.as_object()?)).collect();
    if records.is_empty() && !all.is_empty() {
        let error = Error::invalid("there is no memory in the file");
        return Err(error.hint("each is an object with `memory`, and `user_id`, `agent_id` or `run_id`"));
    }
    Ok(records)
}

/// Under whichever name a call or an export has them; or one alone.
fn listed(mut fields: Map<String, Value>) -> Vec<Value> {
    for name in ["results", "memories", "data"] {
        if let Some(Value::Array(all)) = fields.get_mut(name).map(Value::take) {
            return all;
        }
    }
    vec![Value::Object(fields)]
}

fn nothing(path: &Path) -> Error {
    Error::not_found(format!("there is no store of mem0 in {}", path.display()))
}
