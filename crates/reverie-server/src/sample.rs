//! What does a newcomer find in a fresh data file? A small world, recorded through the same door as everybody's.
//!
//! The file appears with all of it, or not at all: it is made under another name first. So whoever is killed meanwhile
//! starts anew, and whoever deleted the sample does not get it again.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use reverie_api::{Api, Request};
use reverie_core::{Code, Error, Result};
use serde_json::Value;

use crate::settings::Settings;
use crate::{data, secret};

/// Requests to make, in order: method, path, body.
const SAMPLE: &str = include_str!("sample.json");

/// The world that it makes.
pub(crate) const WORLD: &str = "harbour";

/// Makes the data file if there is none; true if there was none.
pub(crate) fn make_data_file(settings: &Settings) -> Result<bool> {
    let file = settings.data_file();
    let Some(folder) = file.parent() else { return Ok(false) };
    // A journal without its file is a loss to be told of, not a place for a new file.
    let is_missing = !file.exists() && !folder.join(format!("{}-wal", name_of(&file))).exists();
    if is_missing {
        let draft = folder.join(format!("{}{:08x}", draft_prefix(&file), secret::random_number()?));
        let made = write(settings, &draft).and_then(|()| publish(&draft, &file));
        remove_drafts(folder, &name_of(&draft));
        // Whoever was faster may have tidied our draft away under us.
        made.or_else(|error| if file.exists() { Ok(()) } else { Err(error) })?;
    }
    // Also what others left behind who were killed: whoever is still at it finds the file and needs no draft.
    remove_drafts(folder, &draft_prefix(&file));
    Ok(is_missing)
}

/// Everything is in the one file when its last connection closes.
fn write(settings: &Settings, draft: &Path) -> Result<()> {
    let (_, api) = data::open_at(settings, draft)?;
    fill(&api)
}

/// Somebody else may have been faster: then theirs is the file.
fn publish(draft: &Path, file: &Path) -> Result<()> {
    let linked = match fs::hard_link(draft, file) {
        Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => return Ok(()),
        // Some file systems have no links.
        Err(_) => fs::rename(draft, file),
        linked => linked,
    };
    linked.map_err(|error| {
        Error::new(Code::Unavailable, format!("cannot create {}: {error}", file.display()))
            .hint("check the disk, the folder and its permissions")
    })?;
    // Not every system can do this; those that cannot need not.
    let _ = file.parent().map(|folder| fs::File::open(folder).and_then(|folder| folder.sync_all()));
    Ok(())
}

fn draft_prefix(file: &Path) -> String {
    format!("{}.new-", name_of(file))
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// With what SQLite keeps beside them.
fn remove_drafts(folder: &Path, prefix: &str) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix)) {
        // What cannot be removed is in nobody's way.
        let _ = fs::remove_file(entry.path());
    }
}

pub(crate) fn fill(api: &Api) -> Result<()> {
    let requests: Vec<(String, String, Value)> =
        serde_json::from_str(SAMPLE).map_err(|error| broken(&error.to_string()))?;
    for (method, path, body) in requests {
        let request = Request { method, path, query: String::new(), body: body.to_string().into_bytes() };
        let response = api.dispatch(&request);
        if response.status >= 300 {
            return Err(broken(&String::from_utf8_lossy(&response.body)));
        }
    }
    Ok(())
}

fn broken(why: &str) -> Error {
    Error::new(Code::Internal, format!("the sample world cannot be made: {why}"))
}
