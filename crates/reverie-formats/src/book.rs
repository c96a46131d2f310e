//! World books of many tools: how are they read, changed and written back without losing anything?
//!
//! A [`BookDocument`] keeps the file as it was: everything around the entries, and each entry's own JSON. What the engine
//! needs is read from that on demand ([`entry`]), and an edit changes only what it names ([`patch_entry`]).

mod carry;
mod categories;
mod change;
mod convert;
mod detect;
#[cfg(test)]
mod edit_tests;
#[cfg(test)]
mod entry_tests;
mod fields;
mod kept;
mod kinds;
mod own;
mod patch;
#[cfg(test)]
mod pattern_tests;
mod patterns;
mod read;
mod shown;
mod switch;
mod template;
#[cfg(test)]
pub(crate) mod tests;
mod typed;
pub(crate) mod unknown;
#[cfg(test)]
mod unknown_tests;
mod wire;

use reverie_core::lore::{Book, Shelf, Spelling};
use serde_json::Value;
use std::sync::Arc;

pub use detect::detect;
pub use patch::patch_entry;
pub use read::{from_value, read, write};
pub use shown::{Shown, shown};
pub use template::{new_book, new_entry, uid_of};
pub use typed::entry;
pub use wire::wire;

use crate::warning::{Warning, cap};
use categories::Categories;

/// Which tool's file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// World info: `{"entries": {"0": {…}}}`.
    SillyTavern,
    /// The `character_book` of a Character Card V2.
    CardV2,
    /// The `character_book` of a Character Card V3.
    CardV3,
    /// `{"spec": "lorebook_v3", "data": {…}}`.
    LorebookV3,
    /// `{"type": "risu", "data": […]}`.
    Risu,
    /// `{"kind": "memory", "entries": […]}`.
    Agnai,
    /// `{"lorebookVersion": 5, "entries": […]}`.
    NovelAi,
}

impl Format {
    pub const ALL: [Self; 7] = [
        Self::SillyTavern,
        Self::CardV2,
        Self::CardV3,
        Self::LorebookV3,
        Self::Risu,
        Self::Agnai,
        Self::NovelAi,
    ];

    /// Its name on the wire and in storage.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SillyTavern => "sillytavern",
            Self::CardV2 => "character_book_v2",
            Self::CardV3 => "character_book_v3",
            Self::LorebookV3 => "lorebook_v3",
            Self::Risu => "risu",
            Self::Agnai => "agnai",
            Self::NovelAi => "novelai",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }
}

/// A book as its file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct BookDocument {
    pub format: Format,
    /// The file without its entries: the list or object that held them is there, and empty.
    pub rest: Value,
    pub entries: Vec<BookEntry>,
    /// What was odd about the file; [`entry`] tells what is odd about an entry.
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct BookEntry {
    /// The file's id where it has one that no other entry of the book has; unique.
    pub id: String,
    /// The name under which the file lists it, where entries are listed by name and the name is not the id.
    pub slot: Option<String>,
    /// The entry's JSON, whole.
    pub source: Value,
}

impl BookDocument {
    /// What the book calls itself.
    pub fn name(&self) -> Option<String> {
        let map = wire::read_fields(&self.rest, fields::book_table(self.format));
        map.get("name").and_then(crate::lenient::as_text).filter(|name| !name.is_empty())
    }

    /// The book for the engine, and everything that could not be taken as it stands.
    pub fn to_core(&self, id: &str, rank: i64) -> (Book, Vec<Warning>) {
        let map = wire::read_fields(&self.rest, fields::book_table(self.format));
        let mut reader = crate::lenient::Reader::new(&map);
        let mut book = Book {
            id: Arc::from(id),
            name: reader.text("name").unwrap_or_default(),
            rank,
            scan_depth: reader.count("scan_depth"),
            token_budget: reader.count("token_budget"),
            recursive: reader.flag("recursive_scanning"),
            entries: Vec::with_capacity(self.entries.len()),
        };
        let mut warnings = self.warnings.clone();
        warnings.append(&mut reader.warnings);
        let categories = Categories::of(&self.rest, self.format);
        for item in &self.entries {
            let (mut entry, odd) = entry(&item.source, self.format);
            entry.id = Arc::from(item.id.as_str());
            entry.disabled_with = categories.disabled_with(&item.source).map(str::to_owned);
            book.entries.push(Arc::new(entry));
            warnings.extend(odd.into_iter().map(|warning| warning.of_entry(&item.id)));
        }
        (book, warnings)
    }

    /// Everything that its author should hear about: what could not be taken as it stands, and keys that cannot mean what
    /// they say.
    pub fn oddities(&self) -> Vec<Warning> {
        let (book, mut warnings) = self.to_core("", 0);
        match Shelf::new([&book], Spelling::default()) {
            Ok(shelf) => {
                let problems = shelf.problems().iter();
                let told =
                    problems.map(|problem| Warning::new(problem.message.clone()).of_entry(&problem.entry));
                warnings.extend(told);
            }
            Err(problem) => warnings.push(Warning::new(format!("this book cannot be searched: {problem}"))),
        }
        cap(&mut warnings);
        warnings
    }

    /// The same book in another format. What that one has no place for goes along under `extensions.reverie`, so that
    /// the way back restores it, unless it was changed there meanwhile. A field that cannot be said is warned about.
    pub fn to(&self, format: Format) -> Self {
        convert::convert(self, format)
    }
}
