//! Which people and books do settings and chats name, and who gets them?

use reverie_core::Result;

use super::super::keep::Change;
use super::Import;
use super::report::Kind;
use super::talks::Talk;

impl Import<'_> {
    pub(super) fn personas(&mut self) -> Result<()> {
        let Some(settings) = self.settings.take() else { return Ok(()) };
        for persona in &settings.personas {
            let (id, is_new) = self.people.persona(self.engine, self.world, persona)?;
            self.report.add(Kind::Personas, if is_new { Change::New } else { Change::Same });
            let Some(name) = &persona.lorebook else { continue };
            match self.books.get(name) {
                Some(book) => self.persona_books.push((id, book.clone())),
                None => self.report.warn("settings.json", no_book(name)),
            }
        }
        self.settings = Some(settings);
        Ok(())
    }

    /// Books for everybody, and more books of single cards.
    pub(super) fn books_of_all(&mut self) -> Result<()> {
        let Some(settings) = self.settings.take() else { return Ok(()) };
        for name in &settings.lore.global_books {
            match self.books.get(name).cloned() {
                Some(book) => self.books.for_everybody(&mut self.brought, &book)?,
                None => self.report.warn("settings.json", no_book(name)),
            }
        }
        for (stem, names) in &settings.lore.character_books {
            let Some(who) = self.people.by_stem(stem).map(|member| member.id.clone()) else {
                self.report
                    .warn("settings.json", format!("books are given to {stem:?}, who has no card here"));
                continue;
            };
            for name in names {
                match self.books.get(name).cloned() {
                    Some(book) => self.books.for_character(&mut self.brought, &who, &book)?,
                    None => self.report.warn("settings.json", no_book(name)),
                }
            }
        }
        Ok(())
    }

    pub(super) fn books_of_talk(&mut self, shown: &str, talk: &Talk) -> Result<()> {
        let conversation = &talk.done.conversation;
        if let Some(name) = &talk.book {
            match self.books.get(name).cloned() {
                Some(book) => {
                    self.books.for_conversation(&mut self.brought, conversation, &book, true)?;
                }
                None => self.report.warn(shown, no_book(name)),
            }
        }
        for (persona, book) in &self.persona_books {
            if talk.done.people.iter().any(|member| member.id == *persona) {
                self.books.for_conversation(&mut self.brought, conversation, book, false)?;
            }
        }
        Ok(())
    }
}

fn no_book(name: &str) -> String {
    format!("the book {name:?} is not in worlds/")
}
