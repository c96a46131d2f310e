//! What does a newcomer find in a fresh data file? A small world, recorded through the same door as everybody's.
//!
//! The file appears with all of it, or not at all: it is made under another name first. So whoever is killed meanwhile
//! starts anew, and whoever deleted the sample does not get it again.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;

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
        Err(_) => rename_if_free(draft, file, PATIENCE),
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

/// How often to look again whether a claim is gone, and how long in between. To hold one takes no time: one that is older
/// was left behind by somebody who was killed.
const PATIENCE: (usize, Duration) = (500, Duration::from_millis(10));

/// Gives the draft the file's name unless something has it already. Renaming overwrites, so whoever does it claims the right
/// first. A claim is swept away with the drafts once the file is there; whoever gets one then finds the file.
fn rename_if_free(draft: &Path, file: &Path, (looks, pause): (usize, Duration)) -> std::io::Result<()> {
    let claim = file.with_file_name(format!("{}claim", draft_prefix(file)));
    for _ in 0..looks {
        if file.exists() {
            return Ok(());
        }
        match fs::File::create_new(&claim) {
            Ok(_) => {
                let renamed = if file.exists() { Ok(()) } else { fs::rename(draft, file) };
                // What cannot be removed is old soon.
                let _ = fs::remove_file(&claim);
                return renamed;
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => std::thread::sleep(pause),
            Err(error) => return Err(error),
        }
    }
    fs::remove_file(&claim)?;
    Err(std::io::Error::new(
        ErrorKind::WouldBlock,
        "somebody else began to create it and did not end; try again",
    ))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("reverie-sample-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Where there are no hard links: the first file stays, however many come at once.
    #[test]
    fn a_file_that_is_there_is_never_overwritten() {
        let folder = folder("rename");
        for round in 0..50 {
            let file = folder.join(format!("{round}.db"));
            let seen: Vec<String> = std::thread::scope(|scope| {
                let publish = |number: usize| {
                    let (file, draft) = (&file, folder.join(format!("{round}.db.new-{number}")));
                    move || {
                        fs::write(&draft, number.to_string()).unwrap();
                        rename_if_free(&draft, file, PATIENCE).unwrap();
                        fs::read_to_string(file).unwrap()
                    }
                };
                let started: Vec<_> = (0..8).map(|number| scope.spawn(publish(number))).collect();
                started.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            let first = fs::read_to_string(&file).unwrap();
            assert!(seen.iter().all(|seen| *seen == first), "{seen:?}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_claim_left_behind_is_not_for_ever() {
        let folder = folder("claim");
        let (file, draft) = (folder.join("a.db"), folder.join("a.db.new-1"));
        fs::write(&draft, "x").unwrap();
        fs::write(folder.join("a.db.new-claim"), "").unwrap();
        let brief = (2, Duration::from_millis(1));
        rename_if_free(&draft, &file, brief).unwrap_err();
        rename_if_free(&draft, &file, brief).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "x");
        fs::remove_dir_all(folder).unwrap();
    }
}
