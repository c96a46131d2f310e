//! Which conversation is a group's, though its members come and go?
//!
//! Two people are found by who they are. A group is a scene: it is found by what was said in it, and whoever the client lists is there
//! from now on, so that a member who joins late has not heard what was said before, and one who is muted has not left for good. A client that
//! lists who is there has a group even while only one member is left of it.

use reverie_core::conversation::Conversation;
use reverie_core::{CharacterId, Code, Result};

use super::finding::{Finder, Found};
use super::places::Place;
use super::searching::Search;

impl Finder<'_> {
    /// In the scene that the list is of; a new one, if it is of none.
    pub(super) fn group(&self, place: &Place) -> Result<Found> {
        let keeps_history = self.dialogue.has_history() || self.dialogue.starts || place.keeps_history;
        let mut search = Search::new(self);
        if let Some(newest) = self.newest(place)? {
            let found = self.look(newest)?;
            if !keeps_history || self.is_settled(&found) {
                return Ok(found);
            }
            search.take(self.on_another_branch(found, search.deadline)?);
        }
        let exact = std::cell::RefCell::new(None::<Conversation>);
        let is_theirs = |scene: &Conversation| {
            let is_theirs = self.is_theirs(scene);
            let mut exact = exact.borrow_mut();
            if is_theirs && self.is_exactly(scene) && exact.as_ref().is_none_or(|old| old.head < scene.head) {
                *exact = Some(scene.clone());
            }
            is_theirs
        };
        for people in self.cast.pairs() {
            if search.is_over() {
                break;
            }
            search.look_where_they_spoke(people, is_theirs)?;
        }
        search.look_everywhere(is_theirs)?;
        search.look_on_branches()?;
        match (search.best, exact.take()) {
            (Some(best), _) => Ok(best),
            (None, Some(exact)) if !keeps_history => self.look(exact),
            (None, _) => self.new_chat(),
        }
    }

    fn newest(&self, place: &Place) -> Result<Option<Conversation>> {
        let Some(newest) = &place.newest else { return Ok(None) };
        match self.engine.conversation(self.world, newest) {
            Err(error) if error.code() == Code::NotFound => Ok(None),
            found => found.map(Some),
        }
    }

    /// Whether somebody of the user's side and some character of theirs have talked there.
    fn is_theirs(&self, scene: &Conversation) -> bool {
        let is_one = |people: &[CharacterId]| {
            people.iter().any(|person| scene.participants.binary_search(person).is_ok())
        };
        let (users, characters) = self.cast.sides();
        // Without a name it is of some of these people and nobody else: the others join.
        let is_open = scene.name.is_some() || self.is_among(scene);
        scene.head.is_some() && is_open && is_one(&users) && is_one(&characters)
    }

    fn is_among(&self, scene: &Conversation) -> bool {
        let (users, characters) = self.cast.sides();
        scene.participants.iter().all(|person| users.contains(person) || characters.contains(person))
    }

    fn is_exactly(&self, scene: &Conversation) -> bool {
        let mut people = self.cast.ids();
        people.sort_unstable();
        scene.present == people
    }
}
