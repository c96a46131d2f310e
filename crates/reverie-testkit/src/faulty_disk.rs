//! What if the disk loses, refuses or runs out? A disk for SQLite that can be told to.
//!
//! What is written stays in memory until it is synced; only then does the real file get it. A process that dies leaves
//! what a machine without power leaves: synced bytes, and of the rest whatever the disk happened to take.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use crate::faulty_vfs::register;

/// One registered disk. Files on it are known by their full path.
#[derive(Debug, Default)]
pub struct Disk {
    files: Mutex<HashMap<String, Arc<Mutex<Image>>>>,
    trouble: Mutex<Trouble>,
}

/// A file as running programs see it, and what of it the real file has not got yet.
#[derive(Debug, Default)]
pub(crate) struct Image {
    pub(crate) bytes: Vec<u8>,
    pub(crate) unsynced: Vec<Change>,
}

#[derive(Debug)]
pub(crate) enum Change {
    Write { at: u64, bytes: Vec<u8> },
    Truncate { to: u64 },
}

#[derive(Debug, Default)]
struct Trouble {
    /// How many bytes files may still grow by.
    room: Option<u64>,
    /// After so many that go well, so many fail.
    writes: Option<(u64, u64)>,
    syncs: Option<(u64, u64)>,
    is_read_only: bool,
}

/// What a write or a sync comes to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Good,
    Full,
    Broken,
}

impl Disk {
    /// From now on files may grow by so many bytes altogether.
    pub fn leave_room(&self, bytes: u64) {
        lock(&self.trouble).room = Some(bytes);
    }

    /// After `good` writes the next `bad` ones fail.
    pub fn fail_writes(&self, good: u64, bad: u64) {
        lock(&self.trouble).writes = Some((good, bad));
    }

    pub fn fail_syncs(&self, good: u64, bad: u64) {
        lock(&self.trouble).syncs = Some((good, bad));
    }

    /// Databases opened from now on can only be read.
    pub fn forbid_writing(&self) {
        lock(&self.trouble).is_read_only = true;
    }

    /// Everything is as it should be again.
    pub fn repair(&self) {
        *lock(&self.trouble) = Trouble::default();
    }

    /// The power goes. Of what was not synced some reaches the disk, torn and in no order.
    pub fn lose_power(&self, seed: u64) -> ! {
        let mut dice = Dice(seed | 1);
        for (path, image) in lock(&self.files).iter() {
            let image = lock(image);
            for change in &image.unsynced {
                // A disk that fails here loses the change, which is all the same.
                let _ = dice.maybe_apply(Path::new(path), change);
            }
            std::mem::forget(image);
        }
        std::process::abort();
    }

    pub(crate) fn is_read_only(&self) -> bool {
        lock(&self.trouble).is_read_only
    }

    pub(crate) fn write_verdict(&self, growth: u64) -> Verdict {
        let mut trouble = lock(&self.trouble);
        if is_due(&mut trouble.writes) {
            return Verdict::Broken;
        }
        match &mut trouble.room {
            Some(room) if *room < growth => Verdict::Full,
            Some(room) => {
                *room -= growth;
                Verdict::Good
            }
            None => Verdict::Good,
        }
    }

    pub(crate) fn sync_verdict(&self) -> Verdict {
        if is_due(&mut lock(&self.trouble).syncs) { Verdict::Broken } else { Verdict::Good }
    }

    pub(crate) fn known(&self, path: &str) -> Option<Arc<Mutex<Image>>> {
        lock(&self.files).get(path).cloned()
    }

    /// The one image of a file, read from the real one when it is first opened.
    pub(crate) fn image(&self, path: &str) -> std::io::Result<Arc<Mutex<Image>>> {
        let mut files = lock(&self.files);
        if let Some(image) = files.get(path) {
            return Ok(Arc::clone(image));
        }
        let mut bytes = Vec::new();
        std::fs::File::open(path)?.read_to_end(&mut bytes)?;
        let image = Arc::new(Mutex::new(Image { bytes, unsynced: Vec::new() }));
        files.insert(path.to_owned(), Arc::clone(&image));
        Ok(image)
    }

    pub(crate) fn forget(&self, path: &str) {
        lock(&self.files).remove(path);
    }
}

impl Image {
    pub(crate) fn write(&mut self, at: usize, bytes: &[u8]) {
        let end = at + bytes.len();
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        if let Some(place) = self.bytes.get_mut(at..end) {
            place.copy_from_slice(bytes);
        }
        self.unsynced.push(Change::Write { at: at as u64, bytes: bytes.to_vec() });
    }

    pub(crate) fn truncate(&mut self, to: usize) {
        self.bytes.resize(to, 0);
        self.unsynced.push(Change::Truncate { to: to as u64 });
    }
}

/// Brings a change to the real file.
fn apply(path: &Path, change: &Change) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    match change {
        Change::Write { at, bytes } => {
            file.seek(SeekFrom::Start(*at))?;
            file.write_all(bytes)
        }
        Change::Truncate { to } => file.set_len(*to),
    }
}

fn is_due(plan: &mut Option<(u64, u64)>) -> bool {
    let Some((good, bad)) = plan else { return false };
    if *good > 0 {
        *good -= 1;
        return false;
    }
    let is_bad = *bad > 0;
    *bad = bad.saturating_sub(1);
    is_bad
}

/// Numbers that look random and are the same for the same seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }

    /// Nothing, everything, or some sectors of a change.
    fn maybe_apply(&mut self, path: &Path, change: &Change) -> std::io::Result<()> {
        const SECTOR: usize = 512;
        match (self.roll(3), change) {
            (0, _) => Ok(()),
            (1, Change::Write { at, bytes }) => {
                for (index, sector) in bytes.chunks(SECTOR).enumerate() {
                    if self.roll(2) == 0 {
                        let at = at + (index * SECTOR) as u64;
                        apply(path, &Change::Write { at, bytes: sector.to_vec() })?;
                    }
                }
                Ok(())
            }
            (_, change) => apply(path, change),
        }
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
