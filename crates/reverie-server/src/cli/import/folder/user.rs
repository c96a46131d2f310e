//! Whose files are these, and which world do they make?

use std::collections::BTreeSet;
use std::path::Path;

use reverie_core::{Error, Result, WorldId};
use reverie_formats::chat::cast::id_of;
use reverie_formats::folder::Kind as FileKind;

use super::super::cannot_read;
use super::loose::Loose;
use super::walk::Item;

/// Folders that are called so everywhere name no world.
const COMMON_NAMES: [&str; 4] = ["data", "default-user", "public", "SillyTavern"];

pub(super) fn default_world(path: &Path) -> Result<WorldId> {
    let full = path.canonicalize().map_err(|error| cannot_read(path, &error))?;
    let name = full.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    match name.is_empty() || COMMON_NAMES.contains(&name.as_str()) {
        true => WorldId::new("sillytavern"),
        false => WorldId::new(id_of(&name)?.as_str()),
    }
}

/// A folder of settings alone may be any program's; one with cards, books or chats is a user's.
pub(super) fn is_of_user(item: &Item) -> bool {
    !matches!(item.found.kind, FileKind::Settings | FileKind::Memory { .. } | FileKind::UserAvatar { .. })
}

pub(super) fn of_one_user(path: &Path, items: Vec<Item>) -> Result<Vec<Item>> {
    let of_users = items.iter().filter(|item| is_of_user(item));
    let users: BTreeSet<&str> = of_users.map(|item| item.found.root.as_str()).collect();
    let users: Vec<String> = users.into_iter().map(ToOwned::to_owned).collect();
    if users.len() > 1 {
        let names: Vec<&str> = users.iter().map(|user| if user.is_empty() { "." } else { user }).collect();
        return Err(Error::invalid(format!(
            "{} holds the data of several users: {}",
            path.display(),
            names.join(", ")
        ))
        .hint("import one of these folders at a time, each into a world of its own with --world ID"));
    }
    let is_memory = |item: &Item| matches!(item.found.kind, FileKind::Memory { .. });
    let user = users.into_iter().next();
    Ok(items.into_iter().filter(|item| is_memory(item) || Some(&item.found.root) == user.as_ref()).collect())
}

/// Files that an error names.
const NAMED: usize = 5;

/// Says what lies there instead.
pub(super) fn nothing_in(path: &Path, loose: &Loose) -> Error {
    let broken = loose.problems.iter().map(|(file, error)| format!("{file} ({})", error.message()));
    let skipped = loose.skipped.iter().map(|(file, why)| format!("{file} ({why})"));
    let mut there: Vec<String> = broken.chain(skipped).collect();
    if there.len() > NAMED {
        there.truncate(NAMED);
        there.push("…".to_owned());
    }
    let there = if there.is_empty() { String::new() } else { format!(": {}", there.join(", ")) };
    Error::invalid(format!("{} holds nothing that can be imported{there}", path.display())).hint(
        "name a SillyTavern data folder (with characters, worlds, chats …), a folder of cards, books, chats or memories, or \
         a single file",
    )
}
