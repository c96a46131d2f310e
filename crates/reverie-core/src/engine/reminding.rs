//! What does a question remind somebody of, with nobody about to speak?
//!
//! As in a prompt, by words, meaning, keywords, days and people, and in the same order; but nothing is left out because it is
//! far, dormant or not for everybody's ears: whoever asks decides what to do with it.

use super::minds::Spoken;
use super::recalling::Whole;
use super::{Engine, FoundMemory, Remembered};
use crate::Result;
use crate::character::Who;
use crate::cue::{Cue, CueMessage};
use crate::id::{CharacterId, WorldId};
use crate::laps::Laps;
use crate::store::Place;

/// How often it is read again because others changed a mind meanwhile; after that it is read as a whole.
const TRIES: usize = 4;

impl Engine {
    /// What a text brings to somebody's mind, the nearest first, at most so many. The score is how near each is, from 0 to 1,
    /// whatever its age. Writes nothing, calls no chat model; an embedder, where there is one, is asked once.
    pub fn reminded(
        &self,
        world: &WorldId,
        holder: &CharacterId,
        text: &str,
        most: usize,
    ) -> Result<Vec<FoundMemory>> {
        self.limits.check_text("the search", text.len())?;
        self.character(world, holder)?;
        let message = CueMessage { content: text.to_owned(), speaker: None };
        let cue = Cue { message: Some(message), ..Cue::new(Who::Id(holder.clone()), Place::Nowhere) };
        let mut asked = None;
        let laps = Laps::default();
        for left in (0..TRIES).rev() {
            let Whole { mut gathered, settings, space, .. } = self.gather_minds(world, &cue, left > 0)?;
            // However often the rest is read again, an embedder is asked once.
            let asked = &*asked.get_or_insert_with(|| self.meaning_of(&cue, &gathered, None, &settings));
            let spoken = Spoken { space, calendar: settings.calendar.clone() };
            let minds = std::mem::take(&mut gathered.minds);
            let found = self.recollect(
                world,
                &cue,
                (&gathered, minds),
                (&settings, &spoken),
                (asked, &laps),
                left == 0,
            )?;
            let Some(found) = found else { continue };
            let mut found: Vec<FoundMemory> = found
                .considered
                .into_iter()
                // What is always there did not come to mind by this.
                .filter(|one| one.score > 0.0 && one.time_factor > 0.0)
                .map(|one| FoundMemory {
                    score: f64::from((one.score / one.time_factor).min(1.0)),
                    remembered: Remembered { held: one.note.held.clone(), standing: one.standing },
                })
                .collect();
            found.sort_by(|a, b| {
                let id = |found: &FoundMemory| found.remembered.held.memory.id;
                b.score.total_cmp(&a.score).then_with(|| id(b).cmp(&id(a)))
            });
            found.truncate(most);
            return Ok(found);
        }
        Ok(Vec::new())
    }
}
