//! Where do backups lie that nobody named, what are they called, and how many of them are kept?
//!
//! Each is called by the moment in which it was begun. It is written under another name and gets its own when it is whole, so that
//! what has such a name is a backup. Files of other names in the folder are nobody's business here.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, TryLockError};

use reverie_api::wire::{BackupView, BackupsView, format_time, parse_time};
use reverie_core::{Code, Error, Result};

use crate::settings::{BACKUP_FOLDER, Settings};

const BEFORE: &str = "reverie-";
const BEHIND: &str = ".db";
/// While it is being written.
const UNFINISHED: &str = ".db.part";
/// What was begun so long ago will never be whole.
const GIVEN_UP_MS: i64 = 24 * 3_600_000;

pub(crate) struct Backups {
    folder: PathBuf,
    keep: usize,
    making: Mutex<()>,
}

impl Backups {
    pub(crate) fn of(settings: &Settings) -> Self {
        Self { folder: settings.backup_folder(), keep: settings.backup.keep, making: Mutex::default() }
    }

    /// Makes one with `copy`, which is told where to, and lets the oldest go. One at a time: each reads the whole file.
    pub(crate) fn make(&self, now_ms: i64, copy: impl FnOnce(&Path) -> Result<()>) -> Result<BackupView> {
        let _alone = match self.making.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(Error::conflict("a backup is being made already")
                    .hint("wait for it; GET /v1/backups shows it when it is done"));
            }
            // Nothing is left half-done behind a panic but an unfinished file, which has its own name.
            Ok(alone) => alone,
            Err(TryLockError::Poisoned(alone)) => alone.into_inner(),
        };
        std::fs::create_dir_all(&self.folder).map_err(|error| self.refused("cannot be made", &error))?;
        let at = format_time(now_ms).ok_or_else(|| Error::invalid("the clock tells no time"))?;
        let named = |ending: &str| self.folder.join(format!("{BEFORE}{}{ending}", at.replace(':', "-")));
        let (unfinished, file) = (named(UNFINISHED), named(BEHIND));
        copy(&unfinished)?;
        // Another program may have been as fast.
        if file.exists() {
            let _ = std::fs::remove_file(&unfinished);
            return Err(Error::conflict(format!("{} exists already", file.display())).hint("try again"));
        }
        std::fs::rename(&unfinished, &file).map_err(|error| self.refused("cannot be written", &error))?;
        self.let_go(now_ms);
        let bytes = std::fs::metadata(&file).map_or(0, |file| file.len());
        Ok(BackupView { file: name_of(&file), bytes, at })
    }

    pub(crate) fn list(&self) -> Result<BackupsView> {
        let mut backups: Vec<BackupView> = Vec::new();
        for path in self.files()? {
            let name = name_of(&path);
            let Some(at) = time_of(&name, BEHIND) else { continue };
            // Somebody may have taken it away meanwhile.
            let Ok(about) = std::fs::metadata(&path) else { continue };
            backups.push(BackupView { file: name, bytes: about.len(), at });
        }
        backups.sort_by(|a, b| b.file.cmp(&a.file));
        let folder = self.folder.to_string_lossy().into_owned();
        Ok(BackupsView { folder, keep: self.keep, backups })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Those that are too many, the oldest first, and what was never finished. A backup that cannot be taken away is told of, and
    /// no reason to refuse a new one.
    fn let_go(&self, now_ms: i64) {
        let Ok(files) = self.files() else { return };
        let mut whole: Vec<&PathBuf> =
            files.iter().filter(|path| time_of(&name_of(path), BEHIND).is_some()).collect();
        whole.sort();
        let too_many = whole.len().saturating_sub(self.keep);
        let is_given_up = |path: &&PathBuf| {
            let begun = time_of(&name_of(path), UNFINISHED).and_then(|at| parse_time(&at).ok());
            begun.is_some_and(|begun_ms| now_ms.saturating_sub(begun_ms) > GIVEN_UP_MS)
        };
        for path in whole.into_iter().take(too_many).chain(files.iter().filter(is_given_up)) {
            if let Err(error) = std::fs::remove_file(path) {
                tracing::warn!(file = name_of(path), %error, "an old backup cannot be removed");
            }
        }
    }

    /// Nothing is in a folder that is not there.
    fn files(&self) -> Result<Vec<PathBuf>> {
        let entries = match self.folder.read_dir() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| self.refused("cannot be read", &error))?,
        };
        let files = entries.filter_map(|entry| entry.ok()).filter(|entry| entry.path().is_file());
        Ok(files.map(|entry| entry.path()).collect())
    }

    fn refused(&self, what: &str, error: &std::io::Error) -> Error {
        Error::new(
            Code::Unavailable,
            format!("the folder of backups {what}: {}: {error}", self.folder.display()),
        )
        .hint(format!("make it writable for this user, or name another one with {}", BACKUP_FOLDER.name))
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// When a file of such a name was begun; None: it is none of ours.
fn time_of(name: &str, ending: &str) -> Option<String> {
    let written = name.strip_prefix(BEFORE)?.strip_suffix(ending)?;
    let (date, time) = written.split_once('T')?;
    let at = format!("{date}T{}", time.replace('-', ":"));
    // Only as it would be written: whatever else looks like a time is somebody else's.
    let is_ours = parse_time(&at).ok().and_then(format_time).is_some_and(|same| same == at);
    is_ours.then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Environment, Flags};

    /// 2026-01-31T08:15:30Z.
    const NOW_MS: i64 = 1_769_847_330_000;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            folder.read_dir().unwrap().map(|entry| name_of(&entry.unwrap().path())).collect();
        names.sort();
        names
    }

    fn write(to: &Path) -> Result<()> {
        std::fs::write(to, "copy").map_err(|error| Error::new(Code::Internal, error.to_string()))
    }

    #[test]
    fn the_oldest_make_room_and_what_is_not_ours_stays() {
        let place = std::env::temp_dir().join(format!("reverie-backups-{}", std::process::id()));
        let flags = [("data", place.to_str().unwrap()), ("backup-keep", "2")];
        let settings = Settings::resolve(&Flags::of(&flags), &Environment::default(), None).unwrap();
        let backups = Backups::of(&settings);
        assert_eq!(backups.list().unwrap().backups, [], "nobody made the folder yet");
        let folder = place.join("backups");
        std::fs::create_dir_all(&folder).unwrap();
        let others = [
            "reverie-2001-02-03T04-05-06.000Z.db.bak",
            "reverie-2001-02-03.db",
            "reverie-mine.db",
            // Somebody's, or one that is being written.
            "reverie-2026-01-31T00-00-00.000Z.db.part",
        ];
        others.iter().for_each(|name| write(&folder.join(name)).unwrap());
        // Of a server that was killed long ago.
        write(&folder.join("reverie-2026-01-01T00-00-00.000Z.db.part")).unwrap();
        for later in 0..3 {
            let made = backups.make(NOW_MS + later, write).unwrap();
            assert_eq!(made.file, format!("reverie-2026-01-31T08-15-30.00{later}Z.db"));
            assert_eq!((made.bytes, made.at), (4, format!("2026-01-31T08:15:30.00{later}Z")));
        }
        let listed = backups.list().unwrap();
        let files: Vec<&str> = listed.backups.iter().map(|backup| backup.file.as_str()).collect();
        assert_eq!(files, ["reverie-2026-01-31T08-15-30.002Z.db", "reverie-2026-01-31T08-15-30.001Z.db"]);
        assert_eq!((listed.keep, listed.folder.as_str()), (2, folder.to_str().unwrap()));
        let mut expected: Vec<String> = others.into_iter().chain(files).map(ToOwned::to_owned).collect();
        expected.sort();
        assert_eq!(names(&folder), expected);
        // Whoever comes while one is made, and one that fails: neither leaves anything or takes anything away.
        let mut second = None;
        backups
            .make(NOW_MS + 2, |_| {
                second = backups.make(NOW_MS + 4, write).err();
                Err(Error::invalid("no"))
            })
            .unwrap_err();
        assert_eq!(second.map(|error| error.code()), Some(Code::Conflict));
        assert_eq!(backups.make(NOW_MS + 2, write).unwrap_err().code(), Code::Conflict, "the name is taken");
        assert_eq!(names(&folder), expected);
        std::fs::remove_dir_all(&place).unwrap();
    }
}
