//! How does a whole folder get into one world? A SillyTavern data folder, or one of loose files.
//!
//! File by file: what can be read comes in, what cannot is named at the end. In reading order: `walk` (which files of a data
//! folder), `loose` (which of any other), `user` (whose), `people` (who), `tags`, `cards`, `steps` (all other kinds of files), `lore` (books),
//! `given` (whose books), `talks` (chats), `report` (what became of all).

mod cards;
mod given;
mod loose;
mod lore;
mod people;
mod report;
mod steps;
mod tags;
mod talks;
mod user;
mod walk;

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use reverie_api::chats::of_threads;
use reverie_core::settings::Pairs;
use reverie_core::world::WorldPatch;
use reverie_core::{CharacterId, Code, DocumentId, Engine, Result, WorldId};
use reverie_formats::Limits;
use reverie_formats::chat::Zone;
use reverie_formats::folder::{Kind as FileKind, UserSettings};

use self::cards::CardIds;
use self::lore::Books;
use self::people::People;
use self::report::{Kind, Report};
use self::tags::TagNames;
use self::talks::Talks;
use self::user::{default_world, is_of_user, of_one_user};
use self::walk::{Item, Walk, walk};
use super::afterwards::{self, Before};
use super::brought::{Brought, Thing};
use super::keep::Change;
use super::{cannot_read, limits, open, read_all};
use crate::output::{Failure, Output};
use crate::progress::Progress;
use crate::settings::Settings;

/// How the files of a folder hang together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// By where they lie: a file's name is its identity.
    SillyTavern,
    /// Not at all: files of the same name may have nothing in common.
    Loose,
}

/// What is to be imported.
struct Contents {
    layout: Layout,
    items: Vec<Item>,
    tables: Vec<(PathBuf, String)>,
    report: Report,
}

pub(super) fn run(
    output: Output,
    settings: &Settings,
    path: &Path,
    world: Option<WorldId>,
    zone: Zone,
) -> Result<(), Failure> {
    let limits = limits(settings);
    let Contents { layout, items, tables, report } = contents(path, &limits)?;
    let world = world.map_or_else(|| default_world(path), Ok)?;
    let api = open(settings)?;
    let before = Before::of(api.engine(), &world)?;
    let progress = Progress::new(output, "importing");
    let mut import = Import::begin((api.engine(), &world), limits, (layout, &items), report, progress, zone)?;
    for step in [
        Import::worlds,
        Import::cards,
        Import::personas,
        Import::books_of_all,
        Import::loose_books,
        Import::groups,
        Import::chats,
        Import::memories,
    ] {
        let done = step(&mut import);
        // What came in before something went wrong came in.
        import.brought.keep()?;
        done?;
    }
    import.tables(&tables, settings)?;
    if import.is_language_open {
        api.engine().speak_as_there(&world)?;
    }
    let Import { mut report, progress, books, zone, .. } = import;
    drop(progress);
    if books.links > 0 {
        report.add_many(Kind::Links, books.links, books.new_links);
    }
    report.removed_links = books.removed_links;
    let new_lines = report.new_lines();
    let done = report.finish(output, &path.display().to_string(), &world, &zone);
    afterwards::tell(output, api.engine(), &world, before, new_lines)?;
    done
}

/// A folder with cards, books and chats in their places is a user's; in any other one each file is looked at.
fn contents(path: &Path, limits: &Limits) -> Result<Contents> {
    let mut report = Report::default();
    let Walk { items, problems, .. } = walk(path)?;
    if items.iter().any(is_of_user) {
        let items = of_one_user(path, items)?;
        problems.into_iter().for_each(|(file, error)| report.fail(&file, error));
        return Ok(Contents { layout: Layout::SillyTavern, items, tables: Vec::new(), report });
    }
    let loose = loose::sort(path, limits)?;
    if loose.is_empty() {
        return Err(user::nothing_in(path, &loose));
    }
    loose.skipped.iter().for_each(|(file, why)| report.skip(file, why));
    loose.problems.into_iter().for_each(|(file, error)| report.fail(&file, error));
    Ok(Contents { layout: Layout::Loose, items: loose.items, tables: loose.tables, report })
}

/// What one import knows and has done so far.
struct Import<'a> {
    engine: &'a Engine,
    world: &'a WorldId,
    limits: Limits,
    layout: Layout,
    items: &'a [Item],
    zone: Zone,
    settings: Option<UserSettings>,
    /// Whether what comes in tells the world's language.
    is_language_open: bool,
    people: People,
    card_ids: CardIds,
    books: Books,
    brought: Brought<'a>,
    tags: TagNames,
    /// Books that a card names.
    named_books: HashSet<DocumentId>,
    /// Books of personas.
    persona_books: Vec<(CharacterId, DocumentId)>,
    talks: Talks,
    report: Report,
    progress: Progress,
    done_bytes: u64,
}

impl<'a> Import<'a> {
    fn begin(
        (engine, world): (&'a Engine, &'a WorldId),
        limits: Limits,
        (layout, items): (Layout, &'a [Item]),
        mut report: Report,
        progress: Progress,
        zone: Zone,
    ) -> Result<Self> {
        let mut settings = None;
        for item in items.iter().filter(|item| item.found.kind == FileKind::Settings) {
            match read(item, &limits).and_then(|bytes| UserSettings::read(&bytes, &limits)) {
                Ok(read) => settings = Some(read),
                Err(error) => report.fail(&item.shown, error),
            }
        }
        let is_language_open = engine.is_language_open(world)?;
        engine.make_world(world, of_threads(), [], [])?;
        let mut brought = Brought::of(engine, world)?;
        let tags =
            TagNames::of(settings.as_ref().and_then(|settings| settings.tags.as_ref()), engine.limits());
        if tags.left_out > 0 {
            report.warn("settings.json", tags.told());
        }
        if let Some(settings) = &settings {
            let mut pairs = lore::settings(&settings.lore);
            pairs.extend(tags.settings());
            set_world((engine, world), &mut brought, pairs)?;
            report.add(Kind::Settings, Change::Same);
        }
        let people = People::of(engine, world)?;
        let books = Books::of(engine, world, settings.as_ref().map(|settings| &settings.lore))?;
        Ok(Self {
            engine,
            world,
            limits,
            layout,
            items,
            zone,
            settings,
            is_language_open,
            people,
            card_ids: CardIds::default(),
            books,
            brought,
            tags,
            named_books: HashSet::new(),
            persona_books: Vec::new(),
            talks: Talks::default(),
            report,
            progress,
            done_bytes: 0,
        })
    }

    /// Every file of a kind. What is wrong with one is told, and the next one comes; only a store that does not work ends
    /// it all.
    fn each<T>(
        &mut self,
        wanted: impl Fn(&FileKind) -> Option<T>,
        mut import: impl FnMut(&mut Self, &str, T, Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        let all: u64 = self.items.iter().map(|item| item.bytes).sum();
        for item in self.items {
            let Some(wanted) = wanted(&item.found.kind) else { continue };
            let done = read(item, &self.limits).and_then(|bytes| import(self, &item.shown, wanted, bytes));
            if let Err(error) = done {
                if error.code() == Code::Unavailable {
                    return Err(error.within(&item.shown));
                }
                self.report.fail(&item.shown, error);
            }
            self.done_bytes += item.bytes;
            self.progress.at(self.done_bytes, all);
        }
        Ok(())
    }
}

/// Whoever sets something otherwise afterwards is not overruled by the same file.
fn set_world((engine, world): (&Engine, &WorldId), brought: &mut Brought<'_>, pairs: Pairs) -> Result<()> {
    let says: Vec<&str> = pairs.iter().flat_map(|(key, value)| [key.as_str(), value.as_str()]).collect();
    if brought.said(Thing::Settings, &[], &says) == Some(true) {
        return Ok(());
    }
    brought.note(Thing::Settings, &[], &says);
    engine.put_world(world, WorldPatch { settings: pairs, ..WorldPatch::default() })?;
    Ok(())
}

/// The name of one of several files that are called the same: with the folder that it lies in, or its ending.
fn qualified(name: &str, file: &str) -> String {
    let more = match file.rsplit_once('/') {
        Some((folder, _)) => folder.replace('/', "-"),
        None => file.rsplit('.').next().unwrap_or_default().to_owned(),
    };
    format!("{name}~{more}")
}

fn read(item: &Item, limits: &Limits) -> Result<Vec<u8>> {
    let file = File::open(&item.path).map_err(|error| cannot_read(&item.path, &error))?;
    read_all(file, &item.path, limits.file_bytes)
}
