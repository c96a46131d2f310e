//! How does a host say where an exchange begins and ends?

use super::{Engine, Listed, Written};
use crate::character::Who;
use crate::id::{ConversationId, RoundId, WorldId};
use crate::memories::{RoundsQuery, WhichRounds};
use crate::round::{CloseRound, OpenRound, Round};
use crate::{Error, Result};

impl Engine {
    /// Begins a round with these people, or with those present. Lines that are recorded with it belong to it.
    pub fn open_round(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        mut present: Option<Vec<Who>>,
    ) -> Result<Written<Round>> {
        let replaced = present.as_deref_mut().map_or(Ok(0), |people| self.limits.admit_people(people))?;
        let open = OpenRound { present, now_ms: self.now_ms() };
        let value = self.store.open_round(world, conversation, &open)?;
        Ok(Written { value, created: true, replaced })
    }

    /// Ends a round. It is remembered by and by; nothing is lost if the program ends before.
    pub fn close_round(&self, world: &WorldId, round: RoundId, close: CloseRound) -> Result<Round> {
        self.store.close_round(world, round, &close)
    }

    pub fn round(&self, world: &WorldId, round: RoundId) -> Result<Round> {
        let query = RoundsQuery { which: WhichRounds::One(round), after: None, limit: 1 };
        let found = self.store.rounds(world, &query)?.pop();
        found.ok_or_else(|| Error::not_found(format!("there is no round {round}")))
    }

    /// The rounds of a conversation, in the order in which they began or were found.
    pub fn rounds(
        &self,
        world: &WorldId,
        conversation: &ConversationId,
        after: Option<RoundId>,
        limit: usize,
    ) -> Result<Listed<Round>> {
        self.check_page(limit)?;
        let query = RoundsQuery { which: WhichRounds::Of(conversation.clone()), after, limit: limit + 1 };
        Ok(Listed::of(self.store.rounds(world, &query)?, limit))
    }
}
