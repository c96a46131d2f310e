//! How does a whole folder get into one world? A SillyTavern data folder, or one of memories.
//!
//! File by file: what can be read comes in, what cannot is named at the end. In reading order: `walk` (which files),
//! `user` (whose), `people` (who), `lore` (books), `given` (whose books), `talks` (chats), `report` (what became of all).

mod given;
mod lore;
mod people;
mod report;
mod talks;
mod user;
mod walk;

use std::fs::File;
use std::path::Path;

use reverie_api::library::{keep_book, keep_card};
use reverie_core::library::DocumentKind;
use reverie_core::{CharacterId, DocumentId, Engine, Error, Result, WorldId};
use reverie_formats::book;
use reverie_formats::folder::{Group, Kind as FileKind, UserSettings};
use reverie_formats::memory::MemoryFile;
use reverie_formats::{Limits, Opened};

use self::lore::Books;
use self::people::{People, stem_of};
use self::report::{Kind, Report};
use self::talks::Talks;
use self::user::{default_world, of_one_user};
use self::walk::{Item, Walk, walk};
use super::chats::of_threads;
use super::keep::{self, Change};
use super::memories::Memory;
use super::{cannot_read, limits, open, read_all};
use crate::output::{Failure, Output};
use crate::progress::Progress;
use crate::settings::Settings;

pub(super) fn run(
    output: Output,
    settings: &Settings,
    path: &Path,
    world: Option<WorldId>,
) -> Result<(), Failure> {
    let Walk { items, problems, .. } = walk(path)?;
    let items = of_one_user(path, items)?;
    let world = world.map_or_else(|| default_world(path), Ok)?;
    let limits = limits(settings);
    let api = open(settings)?;
    let mut import = Import::begin(api.engine(), &world, limits, &items, Progress::new(output, "importing"))?;
    problems.into_iter().for_each(|(file, error)| import.report.fail(&file, error));
    for step in [
        Import::worlds,
        Import::cards,
        Import::personas,
        Import::books_of_all,
        Import::groups,
        Import::chats,
        Import::memories,
    ] {
        step(&mut import)?;
    }
    let Import { mut report, progress, books, .. } = import;
    drop(progress);
    if books.links > 0 {
        report.add_many(Kind::Links, books.links, books.new_links);
    }
    report.finish(output, &path.display().to_string(), &world)
}

/// What one import knows and has done so far.
struct Import<'a> {
    engine: &'a Engine,
    world: &'a WorldId,
    limits: Limits,
    items: &'a [Item],
    settings: Option<UserSettings>,
    people: People,
    books: Books,
    /// Books of personas.
    persona_books: Vec<(CharacterId, DocumentId)>,
    talks: Talks,
    report: Report,
    progress: Progress,
    done_bytes: u64,
}

impl<'a> Import<'a> {
    fn begin(
        engine: &'a Engine,
        world: &'a WorldId,
        limits: Limits,
        items: &'a [Item],
        progress: Progress,
    ) -> Result<Self> {
        let mut report = Report::default();
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
            items,
            settings,
            people,
            books,
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
                if error.code() == reverie_core::Code::Unavailable {
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
            let read = book::read(&bytes, &import.limits)?;
            let id = import.books.id(import.engine, import.world, &name, &keep_book(&read, &name))?;
            let (_, change) = keep::book(import.engine, &id, &read, &name)?;
            for warning in read.oddities() {
                import.report.warn(file, warning);
            }
            import.books.add(&name, id);
            import.report.add(Kind::Books, change);
            Ok(())
        })
    }

    fn cards(&mut self) -> Result<()> {
        let file = |kind: &FileKind| match kind {
            FileKind::Card { file } => Some(file.clone()),
            _ => None,
        };
        self.each(file, |import, shown, file, bytes| {
            let Opened::Card(card) = reverie_formats::open(&bytes, &import.limits)? else {
                return Err(Error::invalid("this is a book, not a card").hint("books belong into worlds/"));
            };
            let (engine, world) = (import.engine, import.world);
            keep::check_card(engine, &card, &bytes)?;
            let put = keep_card(&card, bytes.clone());
            let is_ours = import.people.knows(&file);
            let id = keep::id_in(engine, world, stem_of(&file), &put, (DocumentKind::Card, is_ours))?;
            let (_, change) = keep::card(engine, &id, &card, bytes)?;
            import.report.add(Kind::Cards, change);
            let of_book = card.book.iter().flat_map(book::BookDocument::oddities);
            card.warnings
                .iter()
                .cloned()
                .chain(of_book)
                .for_each(|warning| import.report.warn(shown, warning));
            let who = import.people.card(engine, world, &file, &card, change)?;
            let named = card.world.as_deref();
            // The book that a card names is the one in use; the one on it is a copy.
            let mut book = named.and_then(|name| import.books.get(name)).cloned();
            if let (None, Some(on_card)) = (&book, &card.book) {
                let name = import.books.name_on_card(stem_of(&file));
                let id = import.books.id(engine, world, &name, &keep_book(on_card, &card.name))?;
                let (_, change) = keep::book(engine, &id, on_card, &card.name)?;
                import.report.add(Kind::Books, change);
                book = Some(id);
            } else if let (None, Some(name)) = (&book, named) {
                import.report.warn(shown, format!("the book {name:?} that it names is not in worlds/"));
            }
            if let Some(book) = book {
                import.books.for_character(engine, world, &who, &book)?;
            }
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
            let stage = (import.engine, import.world, &import.people);
            let (kind, talk) = match character {
                Some(character) => (
                    Kind::Chats,
                    import.talks.chat(stage, (shown, &character, &name), &bytes, &import.limits)?,
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
            import.report.add_many(Kind::Lines, talk.done.lines, talk.done.new);
            talk.warnings.iter().for_each(|warning| import.report.warn(shown, warning));
            import.books_of_talk(shown, &talk)
        })
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

fn read(item: &Item, limits: &Limits) -> Result<Vec<u8>> {
    let file = File::open(&item.path).map_err(|error| cannot_read(&item.path, &error))?;
    read_all(file, &item.path, limits.file_bytes)
}
