//! What was found in a folder, and what became of it?

use reverie_core::{Code, Error, WorldId};
use reverie_formats::chat::Zone;
use serde_json::{Map, Value, json};

use super::super::keep::Change;
use crate::output::{Failure, Output, error_json};

/// How many are named in an error and told one by one; the JSON has more.
const NAMED: usize = 10;
const TOLD: usize = 20;
const MOST_WARNINGS: usize = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Settings,
    Books,
    Cards,
    Personas,
    Groups,
    Chats,
    GroupChats,
    Memories,
    Links,
    Tables,
    Lines,
}

impl Kind {
    const ALL: [Self; 11] = [
        Self::Settings,
        Self::Cards,
        Self::Personas,
        Self::Books,
        Self::Links,
        Self::Groups,
        Self::Chats,
        Self::GroupChats,
        Self::Tables,
        Self::Lines,
        Self::Memories,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::Books => "books",
            Self::Cards => "cards",
            Self::Personas => "personas",
            Self::Groups => "groups",
            Self::Chats => "chats",
            Self::GroupChats => "group chats",
            Self::Memories => "memories",
            Self::Links => "links to books",
            Self::Tables => "tables of lines",
            Self::Lines => "lines",
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    found: usize,
    new: usize,
    changed: usize,
}

#[derive(Default)]
pub(super) struct Report {
    counts: Vec<(Kind, Count)>,
    failed: Vec<(String, Error)>,
    /// Nothing that can be imported, and why.
    skipped: Vec<(String, String)>,
    /// Lines that were deleted here and stay so.
    pub(super) gone: usize,
    /// Links to books that were taken away here and stay so.
    pub(super) removed_links: usize,
    /// Books and cards that were deleted here and are there again.
    back: usize,
    /// New lines whose date names no zone.
    pub(super) local_times: usize,
    warnings: Vec<String>,
    more_warnings: usize,
}

impl Report {
    pub(super) fn add(&mut self, kind: Kind, change: Change) {
        let new = usize::from(matches!(change, Change::New | Change::Back));
        self.back += usize::from(change == Change::Back);
        self.add_all(kind, Count { found: 1, new, changed: usize::from(change == Change::Changed) });
    }

    pub(super) fn add_many(&mut self, kind: Kind, found: usize, new: usize) {
        self.add_all(kind, Count { found, new, changed: 0 });
    }

    pub(super) fn add_lines(&mut self, found: usize, new: usize, changed: usize) {
        self.add_all(Kind::Lines, Count { found, new, changed });
    }

    pub(super) fn new_lines(&self) -> usize {
        self.counts.iter().filter(|(kind, _)| *kind == Kind::Lines).map(|(_, count)| count.new).sum()
    }

    fn add_all(&mut self, kind: Kind, more: Count) {
        match self.counts.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => {
                count.found += more.found;
                count.new += more.new;
                count.changed += more.changed;
            }
            None => self.counts.push((kind, more)),
        }
    }

    pub(super) fn fail(&mut self, file: &str, error: Error) {
        self.failed.push((file.to_owned(), error));
    }

    pub(super) fn skip(&mut self, file: &str, why: &str) {
        self.skipped.push((file.to_owned(), why.to_owned()));
    }

    pub(super) fn warn(&mut self, file: &str, warning: impl std::fmt::Display) {
        match self.warnings.len() < MOST_WARNINGS {
            true => self.warnings.push(format!("{file}: {warning}")),
            false => self.more_warnings += 1,
        }
    }

    /// The answer, and a failure if a file could not be imported.
    pub(super) fn finish(
        self,
        output: Output,
        folder: &str,
        world: &WorldId,
        zone: &Zone,
    ) -> Result<(), Failure> {
        let mut lines = vec![format!("imported {folder} into world {world}")];
        let mut counts = Map::new();
        for kind in Kind::ALL {
            let Some((_, count)) = self.counts.iter().find(|(known, _)| *known == kind) else { continue };
            let Count { found, new, changed } = *count;
            let told = match (kind, changed) {
                (Kind::Settings | Kind::Groups, _) => format!("{}: {found}", kind.name()),
                (_, 0) => format!("{}: {found} ({new} new)", kind.name()),
                _ => format!("{}: {found} ({new} new, {changed} changed)", kind.name()),
            };
            lines.push(format!("  {told}"));
            counts.insert(
                kind.name().replace(' ', "_"),
                json!({"found": found, "new": new, "changed": changed}),
            );
        }
        if self.gone > 0 {
            lines.push(format!("  deleted here, and not brought back: {}", self.gone));
        }
        if self.removed_links > 0 {
            lines.push(format!("  links taken away here, and not brought back: {}", self.removed_links));
        }
        if self.back > 0 {
            lines.push(format!(
                "  books and cards that were deleted here, and are there again: {}",
                self.back
            ));
        }
        if self.local_times > 0 {
            lines.push(format!("  dated without a time zone, taken as {zone}: {}", self.local_times));
        }
        if !output.json {
            self.warnings.iter().take(TOLD).for_each(|warning| output.warning(warning));
            let more = self.warnings.len().saturating_sub(TOLD) + self.more_warnings;
            if more > 0 {
                output.warning(&format!("and {more} more; --json tells them"));
            }
        }
        for (file, error) in self.failed.iter().take(TOLD) {
            lines.push(format!("  not imported: {file}: {}", error.message()));
        }
        if let more @ 1.. = self.failed.len().saturating_sub(TOLD) {
            lines.push(format!("  not imported: {more} more files; --json tells them"));
        }
        for (file, why) in self.skipped.iter().take(TOLD) {
            lines.push(format!("  skipped: {file}: {why}"));
        }
        if let more @ 1.. = self.skipped.len().saturating_sub(TOLD) {
            lines.push(format!("  skipped: {more} more files; --json tells them"));
        }
        let skipped: Vec<Value> =
            self.skipped.iter().map(|(file, why)| json!({"file": file, "reason": why})).collect();
        let failed: Vec<Value> = self
            .failed
            .iter()
            .map(|(file, error)| json!({"file": file, "error": error_json(error)}))
            .collect();
        let mut json = json!({"folder": folder, "world": world.as_str(), "counts": counts, "failed": failed,
            "skipped": skipped, "gone": self.gone, "removed_links": self.removed_links, "brought_back": self.back, "dates_without_zone": self.local_times,
            "timezone": zone.to_string(), "warnings": self.warnings});
        let failure = self.failure();
        if let (Some(failure), Some(fields)) = (&failure, json.as_object_mut()) {
            fields.insert("error".to_owned(), error_json(&failure.error));
        }
        output.answer(&lines.join("\n"), &json);
        failure.map_or(Ok(()), |failure| Err(failure.already_in_json()))
    }

    fn failure(&self) -> Option<Failure> {
        let count = self.failed.len();
        let mut names: Vec<&str> = self.failed.iter().map(|(file, _)| file.as_str()).take(NAMED).collect();
        if count > NAMED {
            names.push("…");
        }
        let noun = if count == 1 { "file" } else { "files" };
        let error =
            Error::new(Code::Invalid, format!("{count} {noun} could not be imported: {}", names.join(", ")))
                .hint("all others were; repair these and run it again, which brings only what is new");
        (count > 0).then(|| error.into())
    }
}
