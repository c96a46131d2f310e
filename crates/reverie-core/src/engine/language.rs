//! In what language does Reverie write into the prompts of a world for which nobody chose one?
//!
//! In Chinese, until it can be told that nobody there writes Chinese or Japanese: by the first words that are said, not by the very
//! first. A greeting, a picture or a piece of code tells nothing.

use std::collections::BTreeSet;

use super::Engine;
use crate::conversation::{LinesQuery, WhichLines};
use crate::digest::is_of_letters;
use crate::id::{CharacterId, LineId, WorldId};
use crate::store::Select;
use crate::time::Language;
use crate::world::WorldPatch;
use crate::{Code, Result};

/// The setting that says so.
const LANGUAGE: &str = "language";
/// So many lines are waited for; after that a world stays as it is.
const FIRST_LINES: u64 = 20;
/// So many conversations, and so many lines of each, are listened to.
const LISTENED_TO: usize = 20;

impl Engine {
    /// Makes a world for what somebody brings, and for whom that is about, unless it is there. What it brings tells its language. True
    /// if it was made.
    pub fn make_world<'t>(
        &self,
        id: &WorldId,
        mut patch: WorldPatch,
        brought: impl IntoIterator<Item = &'t str>,
        names: impl IntoIterator<Item = &'t str>,
    ) -> Result<bool> {
        match self.world(id) {
            Err(error) if error.code() == Code::NotFound => {}
            found => return found.map(|_| false),
        }
        if is_of_letters(brought, names) {
            patch.settings.extend(english().settings);
        }
        Ok(self.put_world(id, patch)?.created)
    }

    /// Whether what comes into a world may tell its language: nobody chose one, and hardly anything was said there.
    pub fn is_language_open(&self, id: &WorldId) -> Result<bool> {
        match self.world(id) {
            Err(error) if error.code() == Code::NotFound => Ok(true),
            Ok(world) if world.settings.contains_key(LANGUAGE) => Ok(false),
            found => found.and_then(|_| Ok(self.counts(id)?.lines <= FIRST_LINES)),
        }
    }

    /// Listens to what is said in a world as long as that may tell its language. `newest` is what was said last; once that is not one of
    /// the first lines, nothing is read.
    pub fn speak_as_said(&self, id: &WorldId, newest: LineId) -> Result<()> {
        if newest.get() > FIRST_LINES {
            return Ok(());
        }
        self.speak_as_there(id)
    }

    /// Writes in the language of what was said in a world last, if that can be told and nobody chose one.
    pub fn speak_as_there(&self, id: &WorldId) -> Result<()> {
        if self.world(id)?.settings.contains_key(LANGUAGE) {
            return Ok(());
        }
        let mut said = Vec::new();
        let mut people: BTreeSet<CharacterId> = BTreeSet::new();
        for conversation in self.store.latest_conversations(id, None, LISTENED_TO)? {
            let newest = LinesQuery {
                which: WhichLines::Path,
                witness: None,
                after: None,
                newest_first: true,
                limit: LISTENED_TO,
            };
            said.extend(self.store.lines(id, &conversation.id, &newest)?);
            people.extend(conversation.participants);
        }
        let said = || said.iter().map(|line| line.wording.content.as_str());
        if !is_of_letters(said(), []) {
            return Ok(());
        }
        let mut names = Vec::new();
        for person in &people {
            let known = self.store.characters(id, &Select::One(person.to_string()))?.pop();
            names.extend(known.map(|known| known.name()));
            names.push(person.to_string());
        }
        if is_of_letters(said(), names.iter().map(String::as_str)) {
            self.put_world(id, english())?;
        }
        Ok(())
    }
}

fn english() -> WorldPatch {
    let settings = [(LANGUAGE.to_owned(), Language::En.name().to_owned())];
    WorldPatch { settings: settings.into(), ..WorldPatch::default() }
}
