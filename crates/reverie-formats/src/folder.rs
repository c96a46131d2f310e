//! What is a file of a SillyTavern data folder, by its path alone?
//!
//! The folder of a user holds `characters/*.png`, `worlds/*.json`, `chats/<character>/*.jsonl`, `groups/*.json`,
//! `group chats/*.jsonl`, `User Avatars/*` and `settings.json`. It is imported as such, or from a few levels above
//! (`data/<user>/…`; in older versions `public/…`), so a path says whose it is as well.

pub mod group;
pub mod settings;

pub use group::Group;
pub use settings::{LoreSettings, Persona, Tags, UserSettings};

/// A file that is of use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The folder of its user, with `/` between the levels; empty: the one that is imported.
    pub root: String,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A character card. Chats and groups name it by its file.
    Card {
        file: String,
    },
    /// A world book. Cards, chats and settings name it without the ending.
    World {
        name: String,
    },
    /// A chat of the card whose file is `character` and an ending.
    Chat {
        character: String,
        name: String,
    },
    Group,
    /// A chat that some group has in its list, by this name.
    GroupChat {
        name: String,
    },
    /// Personas, and how world books are searched.
    Settings,
    /// The picture of a persona.
    UserAvatar {
        file: String,
    },
    /// What one character remembers, in the file of another program.
    Memory {
        character: String,
    },
}

/// Levels above a user's folder that can be imported at once.
const MOST_LEVELS: usize = 4;

/// Folders whose contents only look like those of a user.
const NOT_OURS: [&str; 9] = [
    "backups",
    "thumbnails",
    "node_modules",
    "extensions",
    "assets",
    "vectors",
    "default",
    "content",
    "_storage",
];

/// None: nothing to import. The path is relative to what is imported, with either kind of slash.
pub fn what(path: &str) -> Option<Found> {
    let levels: Vec<&str> =
        path.split(['/', '\\']).filter(|level| !level.is_empty() && *level != ".").collect();
    if levels.iter().any(|level| level.starts_with('.')) {
        return None;
    }
    let (above, kind) = kind(&levels)?;
    let is_foreign = |level: &&str| NOT_OURS.iter().any(|not| level.eq_ignore_ascii_case(not));
    if above.len() > MOST_LEVELS || above.iter().any(is_foreign) {
        return None;
    }
    Some(Found { root: above.join("/"), kind })
}

/// Whether something to import can lie in this folder, or below it.
pub fn leads_on(path: &str) -> bool {
    let mut levels = path.split(['/', '\\']).filter(|level| !level.is_empty() && *level != ".");
    let is_foreign =
        |level: &str| level.starts_with('.') || NOT_OURS.iter().any(|not| level.eq_ignore_ascii_case(not));
    // A chat lies two folders below that of its user. A card may be called like one of those that are not ours.
    let count = levels.clone().count();
    count <= MOST_LEVELS + 2 && !levels.clone().rev().skip(1).any(is_foreign) && {
        let (last, above) = (levels.next_back(), levels.next_back());
        let is_chats = above.is_some_and(|above| above.eq_ignore_ascii_case("chats"));
        last.is_none_or(|last| !last.starts_with('.') && (is_chats || !is_foreign(last)))
    }
}

/// The kind, and the levels above the part that tells it.
fn kind<'a>(levels: &'a [&'a str]) -> Option<(&'a [&'a str], Kind)> {
    let (file, folders) = levels.split_last()?;
    let (name, ending) = file.rsplit_once('.')?;
    let ending = ending.to_ascii_lowercase();
    let (folder, above) =
        folders.split_last().map_or((None, folders), |(folder, above)| (Some(*folder), above));
    let is = |folder: Option<&str>, expected: &str| {
        folder.is_some_and(|folder| folder.eq_ignore_ascii_case(expected))
    };
    let (name, file) = (name.to_owned(), (*file).to_owned());
    match ending.as_str() {
        "png" | "json" | "charx" if is(folder, "characters") => Some((above, Kind::Card { file })),
        "json" if is(folder, "worlds") => Some((above, Kind::World { name })),
        "json" if is(folder, "groups") => Some((above, Kind::Group)),
        "jsonl" if is(folder, "group chats") => Some((above, Kind::GroupChat { name })),
        "jsonl" if is(above.last().copied(), "chats") => {
            let (_, above) = above.split_last()?;
            Some((above, Kind::Chat { character: folder?.to_owned(), name }))
        }
        "json" if file.eq_ignore_ascii_case("settings.json") => Some((folders, Kind::Settings)),
        "json" if file.eq_ignore_ascii_case("memory.json") => {
            Some((above, Kind::Memory { character: folder?.to_owned() }))
        }
        "png" | "jpg" | "jpeg" | "webp" | "gif" if is(folder, "User Avatars") => {
            Some((above, Kind::UserAvatar { file }))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(path: &str) -> String {
        match what(path) {
            None => "-".to_owned(),
            Some(Found { root, kind }) => format!("{root}|{kind:?}"),
        }
    }

    #[test]
    fn files_are_told_by_where_they_lie() {
        for (path, expected) in [
            ("characters/Yuki.png", "|Card { file: \"Yuki.png\" }"),
            ("./characters/Yuki.PNG", "|Card { file: \"Yuki.PNG\" }"),
            ("data/default-user/characters/小雪.png", "data/default-user|Card { file: \"小雪.png\" }"),
            ("data\\mei\\worlds\\Eldoria.v2.json", "data/mei|World { name: \"Eldoria.v2\" }"),
            (
                "public/chats/Yuki/2023-4-27 @20h.jsonl",
                "public|Chat { character: \"Yuki\", name: \"2023-4-27 @20h\" }",
            ),
            ("groups/17.json", "|Group"),
            ("group chats/2024-01-03@18h.jsonl", "|GroupChat { name: \"2024-01-03@18h\" }"),
            ("mei/User Avatars/me.png", "mei|UserAvatar { file: \"me.png\" }"),
            ("settings.json", "|Settings"),
            ("data/mei/settings.json", "data/mei|Settings"),
            ("memory/5f2c/memory.json", "memory|Memory { character: \"5f2c\" }"),
        ] {
            assert_eq!(told(path), expected, "{path}");
        }
    }

    #[test]
    fn folders_lead_to_files() {
        for path in ["", "data", "data/mei/chats/Yuki", "chats/Default", "a/b/c/d/chats/Yuki"] {
            assert!(leads_on(path), "{path}");
        }
        for path in ["node_modules", ".git", "chats/.x", "a/backups/chats", "a/b/c/d/e/chats/Yuki"] {
            assert!(!leads_on(path), "{path}");
        }
    }

    #[test]
    fn everything_else_is_left_alone() {
        for path in [
            "",
            "/",
            "characters",
            "characters/Yuki/happy.png",
            "characters/Yuki.png.tmp",
            "characters/._Yuki.png",
            ".git/characters/Yuki.png",
            "worlds/notes.txt",
            "chats/loose.jsonl",
            "chats/Yuki/deep/er.jsonl",
            "backups/chats/Yuki/old.jsonl",
            "extensions/x/settings.json",
            "default/content/settings.json",
            "a/b/c/d/e/characters/Yuki.png",
            "secrets.json",
            "memory.json",
        ] {
            assert_eq!(told(path), "-", "{path}");
        }
    }
}
