//! What does an entry say that the tools of a format do not know?
//!
//! It goes along and means the same here again, but there it is as if it were not said. What keeps an entry back is told of
//! each one: there it may be shown to anybody. The rest is told once for each field.

use reverie_core::lore::Entry;
use reverie_core::lore::entry::Position;
use serde_json::{Map, Value};

use super::Format;
use super::fields::{Writing, entry_table};
use super::typed::from_wire;
use crate::warning::{Warning, cap};

/// Without these an entry is there for more people, or more often, than its author meant.
const GUARDS: [&str; 5] = ["disable", "characterFilter", "known_by", "conditions", "keysecondary"];
/// What is no order to anybody, is known everywhere, or is told elsewhere (patterns).
const ASIDE: [&str; 10] = [
    "uid",
    "comment",
    "content",
    "key",
    "use_regex",
    "displayIndex",
    "addMemo",
    "automationId",
    "selective",
    "useProbability",
];

/// Who reads a field in the files of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Readers {
    /// The tools of the format.
    All,
    /// Of these only the one that has put it into the extensions of cards.
    SillyTavern,
    /// Nobody but this program.
    Us,
}

/// What is told of a whole book.
pub(super) struct Unknown {
    format: Format,
    guards: Vec<Warning>,
    others: Counted,
}

impl Unknown {
    pub(super) fn to(format: Format) -> Self {
        Self { format, guards: Vec::new(), others: Counted::default() }
    }

    /// `fields` is what an entry says, in the common names.
    pub(super) fn add(&mut self, id: &str, fields: &Map<String, Value>) {
        let format = self.format.as_str();
        for readers in [Readers::Us, Readers::SillyTavern] {
            let said = said(fields).into_iter().filter(|field| self.readers(field) == readers);
            let is_guard = |field: &&str| GUARDS.contains(field) && !self.has_substitute(field);
            let (guards, others): (Vec<&str>, Vec<&str>) = said.partition(is_guard);
            let (who, there) = match readers {
                Readers::SillyTavern => {
                    (format!("of the tools of the format {format} only SillyTavern knows"), "with others")
                }
                _ => (format!("the tools of the format {format} do not know"), "there"),
            };
            if !guards.is_empty() {
                let message = format!(
                    "{who} {}: {there} this entry may come for anybody and at any time",
                    guards.join(", ")
                );
                self.guards.push(Warning::new(message).of_entry(id));
            }
            for field in others {
                let why = match self.has_substitute(field) {
                    true => format!("the format {format} has no switch; a chance of 0 percent stands for it"),
                    false => format!("{who} this"),
                };
                self.others.add(field, why);
            }
        }
    }

    pub(super) fn told(mut self) -> Vec<Warning> {
        cap(&mut self.guards);
        self.guards.extend(self.others.told());
        self.guards
    }

    /// See [`super::switch`].
    fn has_substitute(&self, field: &str) -> bool {
        self.format == Format::Risu && field == "disable"
    }

    fn readers(&self, field: &str) -> Readers {
        // It hands on secondary keys and looks at none.
        if self.format == Format::Agnai && field == "keysecondary" {
            return Readers::Us;
        }
        let places = entry_table(self.format).iter().find(|(name, _)| *name == field);
        let places = places.into_iter().flat_map(|(_, places)| places);
        let written = places.filter(|place| place.writing == Writing::Always);
        let readers = written.map(|place| match place.path {
            ["extensions", "reverie", ..] => Readers::Us,
            ["extensions", ..] => Readers::SillyTavern,
            _ => Readers::All,
        });
        let readers: Vec<Readers> = readers.collect();
        match readers.contains(&Readers::SillyTavern) {
            true => Readers::SillyTavern,
            false if readers.contains(&Readers::All) => Readers::All,
            false => Readers::Us,
        }
    }
}

/// Fields that say the same of several entries.
#[derive(Default)]
pub(crate) struct Counted {
    all: Vec<(String, String, usize)>,
}

impl Counted {
    pub(crate) fn add(&mut self, field: &str, why: String) {
        match self.all.iter_mut().find(|(of, because, _)| of == field && *because == why) {
            Some((_, _, count)) => *count += 1,
            None => self.all.push((field.to_owned(), why, 1)),
        }
    }

    pub(crate) fn told(self) -> impl Iterator<Item = Warning> {
        self.all.into_iter().map(|(field, why, count)| {
            let noun = if count == 1 { "entry" } else { "entries" };
            Warning::field(&field, format!("{why} (in {count} {noun})"))
        })
    }
}

/// What an entry says that makes a difference.
pub(crate) fn said(fields: &Map<String, Value>) -> Vec<&str> {
    let (entry, silent) = (from_wire(fields).0, from_wire(&Map::new()).0);
    let differs = |field: &str, value: &Value| {
        from_wire(&Map::from_iter([(field.to_owned(), value.clone())])).0 != silent
    };
    let all = fields.iter().filter(|(field, _)| !ASIDE.contains(&field.as_str()));
    all.filter(|(field, value)| matters(field, &entry) && differs(field, value))
        .map(|(field, _)| field.as_str())
        .collect()
}

/// Some fields mean something only beside others.
fn matters(field: &str, entry: &Entry) -> bool {
    match field {
        "keysecondary" | "selectiveLogic" => entry.selective && !entry.secondary_keys.is_empty(),
        "probability" => entry.probability.is_some_and(|percent| percent < 100.0),
        "characterFilter" => !(entry.filter.names.is_empty() && entry.filter.tags.is_empty()),
        "depth" | "role" => entry.position == Position::AtDepth,
        "outletName" => entry.position == Position::Outlet,
        // Before or after the character: every tool has a place of its own for what it puts there.
        "position" => !matches!(entry.position, Position::BeforeCharacter | Position::AfterCharacter),
        "groupWeight" | "groupOverride" | "useGroupScoring" => !entry.groups.is_empty(),
        "caseSensitive" => entry.case_sensitive == Some(true),
        "matchWholeWords" => entry.whole_words == Some(true),
        _ => true,
    }
}
