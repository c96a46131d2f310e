//! How does a whole folder get into one world? A SillyTavern data folder, or one of loose files.
//!
//! File by file: what can be read comes in, what cannot is named at the end. In reading order: `walk` (which files of a data
//! folder), `loose` (which of any other), `user` (whose), `people` (who), `cards`, `lore` (books), `given` (whose books),
//! `talks` (chats), `report` (what became of all).

mod cards;
mod given;
mod loose;
mod lore;
mod people;
mod report;
mod talks;
mod user;
mod walk;

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use reverie_api::library::keep_book;
use reverie_core::{CharacterId, Code, DocumentId, Engine, Result, WorldId};
use reverie_formats::book;
use reverie_formats::chat::Zone;
use reverie_formats::folder::{Group, Kind as FileKind, UserSettings};
use reverie_formats::memory::MemoryFile;
use reverie_formats::{Limits, Opened};

use self::cards::CardIds;
use self::lore::Books;
use self::people::{People, stem_of};
use self::report::{Kind, Report};
use self::talks::Talks;
use self::user::{default_world, is_of_user, of_one_user};
use self::walk::{Item, Walk, walk};
use super::chats::of_threads;
use super::keep::{self, Change};
use super::memories::Memory;
use super::{cannot_read, limits, open, read_all, tables};
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
        step(&mut import)?;
    }
    import.tables(&tables, settings)?;
    let Import { mut report, progress, books, zone, .. } = import;
    drop(progress);
    if books.links > 0 {
        report.add_many(Kind::Links, books.links, books.new_links);
    }
    report.finish(output, &path.display().to_string(), &world, &zone)
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
    people: People,
    card_ids: CardIds,
    books: Books,
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
        let lore = settings.as_ref().map(|settings| &settings.lore);
        let mut patch = of_threads(engine, world)?;
        if let Some(lore) = lore {
            patch.settings.extend(lore::settings(lore));
            report.add(Kind::Settings, Change::Same);
        }
        engine.put_world(world, patch)?;
        let people = People::of(engine, world)?;
        let books = Books::of(engine, world, lore)?;
        Ok(Self {
            engine,
            world,
            limits,
            layout,
            items,
            zone,
            settings,
            people,
            card_ids: CardIds::default(),
            books,
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

    fn worlds(&mut self) -> Result<()> {
        let name = |kind: &FileKind| match kind {
            FileKind::World { name } => Some(name.clone()),
            _ => None,
        };
        self.each(name, |import, file, name, bytes| {
            let read = match reverie_formats::open(&bytes, &import.limits)? {
                Opened::Book(book) => book,
                Opened::Card(_) => book::read(&bytes, &import.limits)?,
            };
            // Loose books of the same name are different ones.
            let name = if import.books.get(&name).is_some() { qualified(&name, file) } else { name };
            let id = import.books.id(import.engine, import.world, &name, &keep_book(&read, &name))?;
            let (_, change) = keep::book(import.engine, &id, &read, &name)?;
            for warning in read.to_core(id.as_str(), 0).1 {
                import.report.warn(file, warning);
            }
            import.books.add(&name, id);
            import.report.add(Kind::Books, change);
            Ok(())
        })
    }

    fn groups(&mut self) -> Result<()> {
        let is_group = |kind: &FileKind| (*kind == FileKind::Group).then_some(());
        self.each(is_group, |import, _, (), bytes| {
            import.talks.add_group(Group::read(&bytes, &import.limits)?);
            import.report.add(Kind::Groups, Change::Same);
            Ok(())
        })
    }

    fn chats(&mut self) -> Result<()> {
        let chat = |kind: &FileKind| match kind {
            FileKind::Chat { character, name } => Some((Some(character.clone()), name.clone())),
            FileKind::GroupChat { name } => Some((None, name.clone())),
            _ => None,
        };
        self.each(chat, |import, shown, (character, name), bytes| {
            let stage = (import.engine, import.world, &import.people, &import.zone);
            let (kind, talk) = match character {
                Some(character) => (
                    Kind::Chats,
                    import.talks.chat(
                        stage,
                        (shown, &character, &name, import.layout),
                        &bytes,
                        &import.limits,
                    )?,
                ),
                None => (
                    Kind::GroupChats,
                    import.talks.group_chat(stage, (shown, &name), &bytes, &import.limits)?,
                ),
            };
            import.report.add_many(
                kind,
                1,
                usize::from(talk.done.new == talk.done.lines && talk.done.new > 0),
            );
            import.report.add_lines(talk.done.lines, talk.done.new, talk.done.changed);
            import.report.gone += talk.done.gone;
            import.report.local_times += talk.local_times;
            talk.warnings.iter().for_each(|warning| import.report.warn(shown, warning));
            import.books_of_talk(shown, &talk)
        })
    }

    /// Nobody says for whom a loose book is, unless a card names it: so it is for everybody.
    fn loose_books(&mut self) -> Result<()> {
        if self.layout == Layout::SillyTavern {
            return Ok(());
        }
        for book in self.books.all() {
            if !self.named_books.contains(&book) {
                self.books.for_everybody(self.engine, self.world, &book)?;
            }
        }
        Ok(())
    }

    fn tables(&mut self, all: &[(PathBuf, String)], settings: &Settings) -> Result<()> {
        for (path, shown) in all {
            let file = File::open(path).map_err(|error| cannot_read(path, &error));
            let done = file.and_then(|file| read_all(file, path, self.limits.file_bytes)).and_then(|bytes| {
                tables::import(
                    self.engine,
                    (self.world, stem_of(shown)),
                    &bytes,
                    &settings.limits.of_engine(),
                )
            });
            match done {
                Ok((lines, new)) => {
                    self.report.add_many(Kind::Tables, 1, usize::from(lines == new && new > 0));
                    self.report.add_lines(lines, new, 0);
                }
                Err(error) if error.code() == Code::Unavailable => return Err(error.within(shown)),
                Err(error) => self.report.fail(shown, error),
            }
        }
        Ok(())
    }

    fn memories(&mut self) -> Result<()> {
        let character = |kind: &FileKind| match kind {
            FileKind::Memory { character } => Some(character.clone()),
            _ => None,
        };
        self.each(character, |import, shown, character, bytes| {
            let mut read = MemoryFile::read(&bytes, &import.limits)?;
            // The folder is called like whoever remembers.
            if read.character.is_none() {
                read.belongs_to(&character);
            }
            let memory = Memory::new(&read, None)?;
            let change = memory.keep(import.engine, &read)?;
            memory.link(import.engine, import.world.clone(), None)?;
            import.report.add(Kind::Memories, change);
            read.warnings.iter().for_each(|warning| import.report.warn(shown, warning));
            Ok(())
        })
    }
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
