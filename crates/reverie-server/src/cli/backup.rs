//! `reverie backup`: a consistent copy of the data file, while a server goes on working on it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use reverie::SystemClock;
use reverie_core::clock::Clock as _;
use reverie_core::{Error, Result};
use serde_json::json;

use crate::backups::Backups;
use crate::data;
use crate::output::{Failure, Output};
use crate::progress::Progress;
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// The copy; an existing file is not overwritten. Without it: a new file in the folder of backups (backup.folder), where the
    /// oldest makes room (backup.keep).
    to: Option<PathBuf>,
}

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    let (store, _) = data::open_existing(settings)?;
    let copy = |to: &Path| watched(output, &settings.data_file(), to, || store.backup(to));
    let to = match &options.to {
        Some(to) => {
            check_folder(to)?;
            copy(to)?;
            to.clone()
        }
        None => {
            let backups = Backups::of(settings);
            let made = backups.make(SystemClock.now_ms(), copy)?;
            backups.folder().join(made.file)
        }
    };
    let bytes = size(&to);
    output.answer(
        &format!(
            "backed up to {} ({bytes} bytes); to use it, put it in the data directory as reverie.db",
            to.display()
        ),
        &json!({"file": to.to_string_lossy(), "bytes": bytes}),
    );
    Ok(())
}

/// SQLite does not tell how far it is; the copy's size does.
fn watched<T: Send>(
    output: Output,
    from: &Path,
    to: &Path,
    backup: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    const LOOK_EVERY: Duration = Duration::from_millis(20);
    let mut progress = Progress::new(output, "backing up");
    std::thread::scope(|scope| {
        let backup = scope.spawn(backup);
        while !backup.is_finished() {
            progress.at(size(to), size(from));
            std::thread::sleep(LOOK_EVERY);
        }
        backup.join().unwrap_or_else(|defect| std::panic::resume_unwind(defect))
    })
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |file| file.len())
}

/// SQLite's own words for it would speak of the data file.
fn check_folder(to: &Path) -> Result<()> {
    match to.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => {
            Err(Error::not_found(format!("there is no folder {}", folder.display()))
                .hint("name a file in a folder that exists"))
        }
        _ => Ok(()),
    }
}
