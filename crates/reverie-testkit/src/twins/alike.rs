//! Is everything that can be seen of both stores the same?

use reverie_core::conversation::{LinesQuery, WhichLines};
use reverie_core::history::HistoryQuery;
use reverie_core::settings::HistoryScope;
use reverie_core::store::{Gather, Place, Select};
use reverie_core::{ConversationId, LineId, Who, WorldId};

use super::take::{pick, who};
use super::{Twins, Verdict, essence, exported, secrets};
use crate::story::Question;

impl Twins<'_> {
    pub(super) fn look_around(&self) -> Verdict {
        let page = |limit| Select::Page { after: None, limit };
        self.both("worlds", |store| store.worlds(&page(100)))?;
        self.look_at_the_library()?;
        self.look_at_backlogs()?;
        self.look_at_jobs()?;
        self.look_at_vectors()?;
        for world in &self.worlds {
            self.both("links", |store| store.links(world))?;
            self.both("files", |store| store.keepsakes(world, None))?;
            let characters = self.both("characters", |store| store.characters(world, &page(100)))?;
            self.both("page of characters", |store| {
                let after = characters.iter().flatten().nth(1).map(|character| character.id.to_string());
                store.characters(world, &Select::Page { after, limit: 2 })
            })?;
            self.both("counts", |store| store.counts(world))?;
            for most in [2, 100] {
                self.both("who shares what", |store| store.sharing(world, most))?;
            }
            self.both("checkpoints", |store| store.checkpoints(world, &page(100)))?;
            let rooms = self.both("conversations", |store| store.conversations(world, &page(100)))?;
            for room in rooms.into_iter().flatten() {
                self.look_into(world, &room.id)?;
                self.look_at_rounds(world, &room.id)?;
                // Of a crowd only some are asked.
                let everyone = characters.iter().flatten();
                for character in everyone.step_by(1 + characters.iter().flatten().count() / 16) {
                    let path = lines(WhichLines::Path);
                    let query = LinesQuery { witness: Some(character.id.clone()), ..path };
                    self.both("what one witnessed", |store| store.lines(world, &room.id, &query))?;
                }
            }
            self.look_into_minds(world)?;
            self.look_at_what_is_at_hand(world)?;
            self.both("export", |store| exported(store, world, None).map(essence))?;
        }
        Ok(())
    }

    fn look_into(&self, world: &WorldId, room: &ConversationId) -> Verdict {
        self.both("what a prompt is made of", |store| {
            store.gather(
                world,
                &Gather { window_lines: 1, ..Gather::new(who(0), Place::Conversation(room.clone())) },
            )
        })?;
        self.both("path", |store| store.lines(world, room, &lines(WhichLines::Path)))?;
        self.both("what is kept", |store| store.keepsakes(world, Some(room)))?;
        let tree = self.both("tree", |store| store.lines(world, room, &lines(WhichLines::Tree)))?;
        let tree: Vec<LineId> = tree.into_iter().flatten().map(|line| line.id).collect();
        self.both("words", |store| store.words_of(world, &tree))?;
        for parent in std::iter::once(None).chain(tree.iter().copied().map(Some)) {
            let children = lines(WhichLines::Children(parent));
            self.both("children", |store| store.lines(world, room, &children))?;
        }
        let after = tree.get(tree.len() / 2).copied();
        for newest_first in [false, true] {
            let query = LinesQuery { after, newest_first, limit: 3, ..lines(WhichLines::Path) };
            self.both("page of lines", |store| store.lines(world, room, &query))?;
        }
        Ok(())
    }

    /// One question asked in every way, and nothing in the answers that was not meant for the one who asks.
    pub(super) fn ask(&self, question: &Question) -> Verdict {
        let world = self.world(question.world);
        let known = self.both("characters", |store| store.characters(&world, &Select::default()))?;
        let witness =
            question.witness.and_then(|at| pick(known.as_deref()?, at).map(|known| known.id.clone()));
        let mut also = Vec::new();
        for at in &question.also {
            also.extend(self.room(&world, *at)?.map(|room| room.id));
        }
        let query = HistoryQuery {
            participants: question.people.iter().map(|pick| who(*pick)).collect(),
            witness: witness.clone(),
            also: also.clone(),
            limit: usize::from(question.limit),
        };
        let history = self.both("history", |store| store.history(&world, &query))?;
        if let (Some(history), Some(witness)) = (&history, &witness) {
            secrets::check_history(history, witness)?;
        }
        let place = match question.room {
            Some(at) => self.room(&world, at)?.map_or(Place::Nowhere, |room| Place::Conversation(room.id)),
            None => Place::Among(query.participants.clone()),
        };
        let gather = Gather {
            character: question.witness.map_or_else(|| who(0), who),
            place,
            scope: question
                .own_room_only
                .map(|only| if only { HistoryScope::Conversation } else { HistoryScope::Primary }),
            window_lines: if question.limit > 6 { usize::MAX } else { usize::from(question.limit) },
            budget: question.budget.map(usize::from),
            unremembered_lines: usize::from(question.limit) * 2,
            also,
            listeners: listeners(question),
            ..Gather::new(who(0), Place::Nowhere)
        };
        let Some(gathered) = self.both("gather", |store| store.gather(&world, &gather))? else {
            return Ok(());
        };
        secrets::check_gathered(&gathered)?;
        let revision = gathered.world.revision * u64::from(question.limit % 9) / 8;
        let then = Gather { as_of: Some(revision), ..gather.clone() };
        self.both("gather as of then", |store| store.gather(&world, &then))?;
        secrets::check_prompt(self.other, &world, &gather, &gathered)?;
        self.ask_of_several(&world, &gather, &query.participants)
    }

    /// What waits to be remembered, where several are given a voice; what they have in mind is compared elsewhere.
    fn ask_of_several(&self, world: &WorldId, gather: &Gather, others: &[Who]) -> Verdict {
        let minds = std::iter::once(&gather.character).chain(others).cloned().collect();
        let several = Gather { minds, ..gather.clone() };
        let gathered = self.other.gather(world, &several).map_err(|error| error.to_string())?;
        secrets::check_gathered(&gathered)?;
        for as_of in [None, Some(gathered.world.revision / 2)] {
            let several = Gather { as_of, ..several.clone() };
            self.both("what waits for several", |store| {
                let found = store.gather(world, &several)?;
                Ok((found.remembered_through, found.unremembered, found.elsewhere, found.decided))
            })?;
        }
        Ok(())
    }
}

/// Some of those who are there, and others, known or not.
fn listeners(question: &Question) -> Vec<Who> {
    let some = question.people.iter().take(usize::from(question.limit % 3));
    some.map(|pick| who(pick.wrapping_add(question.limit % 2 * 5))).collect()
}

pub(super) fn lines(which: WhichLines) -> LinesQuery {
    LinesQuery { which, witness: None, after: None, newest_first: false, limit: usize::MAX }
}
