//! What is done with the files of each kind? Cards have a file of their own.

use std::fs::File;
use std::path::{Path, PathBuf};

use reverie_api::chats::keep_group;
use reverie_api::library::keep_book;
use reverie_core::{Code, Limits, Result};
use reverie_formats::folder::{Group, Kind as FileKind};
use reverie_formats::memory::MemoryFile;
use reverie_formats::{Opened, book};

use super::super::brought::{Thing, Wish};
use super::super::keep::{self, Change};
use super::super::memories::Memory;
use super::super::{cannot_read, read_all, tables};
use super::people::stem_of;
use super::report::Kind;
use super::{Import, Layout, qualified};
use crate::settings::Settings;

impl Import<'_> {
    pub(super) fn worlds(&mut self) -> Result<()> {
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
            let id = import.books.id(
                (import.engine, import.world),
                &import.brought,
                &name,
                &keep_book(&read, &name),
            )?;
            let (_, change) = keep::book(import.engine, &id, &read, &name)?;
            for warning in read.oddities() {
                import.report.warn(file, warning);
            }
            import.brought.note(Thing::Book, &[id.as_str()], &[]);
            import.books.add(&name, id);
            import.report.add(Kind::Books, change);
            Ok(())
        })
    }

    pub(super) fn groups(&mut self) -> Result<()> {
        let is_group = |kind: &FileKind| (*kind == FileKind::Group).then_some(());
        self.each(is_group, |import, shown, (), bytes| {
            let group = Group::read(&bytes, &import.limits)?;
            // As it is, if it is plain text; what else could be read is written anew.
            let text = String::from_utf8(bytes).unwrap_or_else(|_| group.source.to_string());
            keep_group(import.engine, import.world, stem_of(shown), text)?;
            import.talks.add_group(group);
            import.report.add(Kind::Groups, Change::Same);
            Ok(())
        })
    }

    pub(super) fn chats(&mut self) -> Result<()> {
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
            import.report.local_times += talk.done.local_times;
            talk.warnings.iter().for_each(|warning| import.report.warn(shown, warning));
            import.books_of_talk(shown, &talk)
        })
    }

    /// Nobody says for whom a loose book is, unless a card names it: so it is for everybody.
    pub(super) fn loose_books(&mut self) -> Result<()> {
        if self.layout == Layout::SillyTavern {
            return Ok(());
        }
        for book in self.books.all() {
            if !self.named_books.contains(&book) {
                self.books.for_everybody(&mut self.brought, &book)?;
            }
        }
        Ok(())
    }

    pub(super) fn tables(&mut self, all: &[(PathBuf, String)], settings: &Settings) -> Result<()> {
        for (path, shown) in all {
            let done = self.table(path, shown, &settings.limits.of_engine());
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

    fn table(&mut self, path: &Path, shown: &str, limits: &Limits) -> Result<(usize, usize)> {
        let file = File::open(path).map_err(|error| cannot_read(path, &error))?;
        let bytes = read_all(file, path, self.limits.file_bytes)?;
        let folder = shown.rsplit('/').nth(1).unwrap_or_default();
        let name = self.talks.name(shown, folder, stem_of(shown))?;
        let there = self.talks.there(self.engine, self.world, &name)?;
        tables::import(self.engine, (self.world, &name, there), &bytes, limits)
    }

    pub(super) fn memories(&mut self) -> Result<()> {
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
            let memory = Memory::new(&mut read, None)?;
            let change = memory.keep(import.engine, &read)?;
            for scope in memory.scopes(import.engine, import.world, &mut import.brought)? {
                import.brought.link(scope, &memory.book, Wish::Along(None))?;
            }
            import.report.add(Kind::Memories, change);
            read.warnings.iter().for_each(|warning| import.report.warn(shown, warning));
            Ok(())
        })
    }
}
