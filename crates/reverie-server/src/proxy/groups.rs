//! Which conversation is a group's, though its members come and go?
//!
//! Two people are found by who they are. A group is a scene: it is found by what was said in it, and whoever the client lists is there
//! from now on, so that a member who joins late has not heard what was said before, and one who is muted has not left for good.

use std::cmp::Reverse;

use reverie_core::conversation::Conversation;
use reverie_core::{CharacterId, Result};

use super::finding::{Finder, Found};
use super::places::Place;

/// So many of these people's scenes are looked at, the newest first.
const SCENES: usize = 50;

impl Finder<'_> {
    /// In the scene that the list is of; a new one, if it is of none.
    pub(super) fn group(&self, place: &Place) -> Result<Found> {
        let scenes = self.scenes(place)?;
        let mut best: Option<Found> = None;
        for scene in &scenes {
            let found = self.look(scene.clone())?;
            let is_better =
                best.as_ref().is_none_or(|best| found.alignment.closeness > best.alignment.closeness);
            if !found.is_elsewhere() && is_better {
                best = Some(found);
            }
        }
        let goes_on = !self.dialogue.has_history() && !place.keeps_history;
        match (best, scenes.into_iter().find(|scene| self.is_exactly(scene))) {
            (Some(best), _) => {
                Ok(Found { conversation: self.with_everybody(best.conversation.clone())?, ..best })
            }
            (None, Some(newest)) if goes_on => self.look(newest),
            (None, _) => self.new_chat(),
        }
    }

    /// Where somebody of the user's side and some character of theirs have talked, the newest first.
    fn scenes(&self, place: &Place) -> Result<Vec<Conversation>> {
        let limit = self.engine.limits().page;
        let mut scenes = self.engine.conversations(self.world, None, limit)?.items;
        let is_one = |people: &[CharacterId], scene: &Conversation| {
            people.iter().any(|person| scene.participants.binary_search(person).is_ok())
        };
        let (users, characters) = self.cast.sides();
        scenes.retain(|scene| {
            let is_theirs = is_one(&users, scene) && is_one(&characters, scene);
            // Without a name it is of these people and nobody else.
            is_theirs && scene.head.is_some() && (scene.name.is_some() || self.is_exactly(scene))
        });
        scenes.sort_by_key(|scene| (Some(&scene.id) != place.newest.as_ref(), Reverse(scene.head)));
        scenes.truncate(SCENES);
        Ok(scenes)
    }

    fn is_exactly(&self, scene: &Conversation) -> bool {
        let mut people = self.cast.ids();
        people.sort_unstable();
        scene.present == people
    }
}
