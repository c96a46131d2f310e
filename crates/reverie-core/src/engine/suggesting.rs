//! What is worth raising now: how is it found, and who may hear it?

use std::collections::BTreeSet;

use super::Engine;
use super::audience::Confidence;
use super::minds::Spoken;
use super::recalling::{TRIES, Whole};
use crate::cue::Cue;
use crate::id::{CharacterId, LineId, WorldId};
use crate::layers::Now;
use crate::rank::{Occasions, Suggestion, each_once, suggest};
use crate::store::Place;
use crate::time::Moment;
use crate::{Error, Result};

impl Engine {
    /// Memories that are worth raising now or about to fade, at most so many; where the cue says where, only what everybody who is
    /// there may hear.
    pub fn suggestions(&self, world: &WorldId, cue: &Cue, most: usize) -> Result<Vec<Suggestion>> {
        self.check_page(most)?;
        let mut tries = TRIES;
        loop {
            tries = tries.saturating_sub(1);
            // As it was then it is in nobody's mind.
            let continues = tries > 0 && cue.as_of.is_none();
            if let Some(found) = self.suggested(world, cue, most, continues)? {
                return Ok(found);
            }
        }
    }

    /// With a mind that is at hand, if `continues`; None if others changed it meanwhile.
    fn suggested(
        &self,
        world: &WorldId,
        cue: &Cue,
        most: usize,
        continues: bool,
    ) -> Result<Option<Vec<Suggestion>>> {
        let Whole { mut gathered, settings, space, .. } = self.gather_minds(world, cue, continues)?;
        let minds = std::mem::take(&mut gathered.minds);
        let Some(mut read) = minds.into_iter().next() else {
            return Err(Error::not_found("there is no such character"));
        };
        let rules = settings.recall_of(&read.holder).clone();
        // Whoever is to recall nothing has nothing to raise.
        if !rules.enabled {
            return Ok(Some(Vec::new()));
        }
        // It was read as a whole, and nothing else is used.
        if !continues {
            read.mark = None;
        }
        let holder = read.holder.clone();
        let shown: BTreeSet<LineId> = gathered.window.iter().rev().take(SHOWN).map(|line| line.id).collect();
        let people: Vec<CharacterId> =
            gathered.people.iter().filter(|person| **person != holder).cloned().collect();
        let (tick, now_ms) = (cue.tick.or(gathered.world.time), self.now_ms());
        let now = Now::new(&settings.layers, settings.calendar.as_ref(), tick, now_ms);
        let occasions = Occasions {
            people: &people,
            shown: &shown,
            now: Moment { tick, wall_ms: Some(now_ms) },
            calendar: settings.calendar.as_ref(),
            floor: settings.layers.floor,
        };
        let spoken = Spoken { space, calendar: settings.calendar.clone() };
        let found =
            self.minds.look_into(world, read, &spoken, (&settings.layers, &now), |mind, standings| {
                suggest(mind, &|slot| standings.of(slot), &occasions)
            });
        let Ok(mut found) = found else { return Ok(None) };
        // Without a place nobody listens: what one could raise is for whoever asks.
        if cue.place != Place::Nowhere {
            let known_by = [holder];
            let asked: Vec<Confidence<'_>> =
                found.iter().map(|one| Confidence::of(&one.suggestion.note.held, &known_by)).collect();
            let mut told = self.may_be_told(world, &gathered, &settings, &asked, cue.as_of)?.into_iter();
            found.retain(|_| told.next().is_some_and(|telling| telling.is_allowed()));
        }
        // Only now: what may not be told here takes the place of nothing that may.
        Ok(Some(each_once(found, rules.near_duplicate.map(f64::from), most)))
    }
}

/// Of the last lines so many need not be raised.
const SHOWN: usize = 50;
