//! How is a prompt made: gather, trigger, rank, compose?

use std::collections::BTreeMap;

use super::audience::{is_known_who_listens, listeners};
use super::minds::Spoken;
use super::recollecting::Recollected;
use super::similar::{Asked, no_vectors};
use super::unremembered::LOOKED_THROUGH;
use super::{Degraded, Engine, warnings, without};
use crate::character::Character;
use crate::compose::{Composed, Lore, Remembering, Speaking, Voices, With, compose};
use crate::cue::{Cue, Recall};
use crate::dependency::Resting;
use crate::id::{CharacterId, DocumentId, WorldId};
use crate::laps::{Laps, Part};
use crate::library::{self, Scope};
use crate::line::Line;
use crate::lore::Timers;
use crate::lore::timers::Step;
use crate::recall_id::RecallId;
use crate::settings::WorldSettings;
use crate::store::{Gather, Gathered, Place};
use crate::{Code, Result};

/// However small a cue's budget, so many tokens of history are read: the newest message and the directions behind it, so
/// that a refusal can say what they need.
const LEAST_READ: usize = 1024;
/// How often a prompt is gathered again because others changed a mind meanwhile; after that it is read as a whole.
pub(super) const TRIES: usize = 4;

/// All that a prompt is made of, and the world's settings.
pub(super) struct Whole {
    pub(super) gathered: Gathered,
    pub(super) settings: WorldSettings,
    /// Those who speak, if they are several.
    pub(super) voices: Voices,
    /// In which vectors were read.
    pub(super) space: Option<String>,
    /// Why they were not.
    degraded: Option<Degraded>,
}

impl Engine {
    /// Composes the prompt for a character about to speak. Writes nothing, calls no chat model; an embedder, where there is
    /// one, is asked once and within a deadline. While the store is away, a cue with a message or with its own history is answered
    /// without memory, and says so.
    pub fn recall(&self, world: &WorldId, cue: &Cue) -> Result<Recall> {
        match self.recall_with_memory(world, cue) {
            Err(error) if without::is_away(&error) && without::can_go_on(cue) => {
                self.recall_without_memory(world, cue, &error)
            }
            recalled => recalled,
        }
    }

    fn recall_with_memory(&self, world: &WorldId, cue: &Cue) -> Result<Recall> {
        let laps = self.laps();
        let mut tries = TRIES;
        let mut asked = None;
        loop {
            tries -= 1;
            let whole = self.gather_minds(world, cue, tries > 0)?;
            laps.lap(Part::Gather);
            if let Some(recall) = self.recall_from(world, cue, whole, (&mut asked, &laps), tries == 0)? {
                self.note_times(&laps);
                return Ok(recall);
            }
        }
    }

    /// None if others changed a mind meanwhile; `alone`: then nobody else's reading is used.
    fn recall_from(
        &self,
        world: &WorldId,
        cue: &Cue,
        whole: Whole,
        (asked, laps): (&mut Option<Asked>, &Laps),
        alone: bool,
    ) -> Result<Option<Recall>> {
        let Whole { mut gathered, settings, voices, space, degraded: without_vectors } = whole;
        let settings = &settings;
        let shelf = self.shelves.get(self.store.as_ref(), &gathered.books, settings.lore.spelling)?;
        let running: Timers = gathered.lore_timers.as_deref().unwrap_or_default().parse()?;
        laps.lap(Part::Lore);
        // However often the rest is read again, an embedder is asked once.
        let asked =
            &*asked.get_or_insert_with(|| self.meaning_of(cue, &gathered, shelf.as_deref(), settings));
        laps.lap(Part::Embed);
        let near = self.near(cue, &gathered, shelf.as_deref(), settings, asked);
        laps.lap(Part::Lore);
        let spoken = Spoken { space, calendar: settings.calendar.clone() };
        let minds = std::mem::take(&mut gathered.minds);
        let Some(recollected) =
            self.recollect(world, cue, (&gathered, minds), (settings, &spoken), (asked, laps), alone)?
        else {
            return Ok(None);
        };
        let Recollected { considered, rules, people, said, degraded } = recollected;
        let said_again = &self.said_again(world, cue, &considered)?;
        let cue = near.cue.as_ref().unwrap_or(cue);
        let with = With {
            lore: shelf.as_deref().map(|shelf| Lore {
                shelf,
                timers: running.clone(),
                explain: None,
                voices,
            }),
            memories: rules.as_ref().map(|rules| Remembering {
                all: considered,
                rules,
                people: &people,
                said: &said,
                said_again,
                elsewhere: gathered.elsewhere.iter().map(|line| line.id).collect(),
            }),
            laps: Some(laps),
        };
        let Composed { mut recall, found } = compose(&gathered, cue, settings, with, self.clock.now_ms())?;
        let id = RecallId {
            world: world.as_str().to_owned(),
            conversation: gathered.conversation.as_ref().map_or("", |here| here.id.as_str()).to_owned(),
            head: gathered.conversation.as_ref().and_then(|here| here.head),
            step: found.map(|found| Step::between(&running, &found.timers)).unwrap_or_default(),
            memories: recall.refreshed(),
        };
        recall.id = id.encode();
        recall.books = gathered.books.iter().map(|(link, revision)| (link.book.clone(), *revision)).collect();
        recall.degraded.extend(self.looks_wrong(world, &gathered, cue)?);
        recall.degraded.extend(warnings::audience_unknown(&gathered, cue, settings.audience));
        recall.degraded.extend(near.degraded);
        // That vectors cannot be read says why there are none.
        let is_told = |_: &Degraded| without_vectors.is_none() || !matches!(asked, Asked::NotEmbedded);
        recall.degraded.extend(degraded.filter(is_told));
        recall.degraded.extend(without_vectors);
        recall.degraded.extend(self.only_read());
        laps.lap(Part::Compose);
        Ok(Some(recall))
    }

    /// All that a prompt is made of besides memories; of several, whoever they are must be known all the same.
    pub(super) fn gather(&self, world: &WorldId, cue: &Cue) -> Result<Whole> {
        if !cue.with.is_empty() {
            return self.gather_in(world, cue, None, true);
        }
        let (gathered, settings, voices) = self.gathered(world, cue, |_| {})?;
        Ok(Whole { gathered, settings, voices, space: None, degraded: None })
    }

    /// With memories; `continues`: as far as they are not at hand. Where vectors cannot be read, without them.
    pub(super) fn gather_minds(&self, world: &WorldId, cue: &Cue, continues: bool) -> Result<Whole> {
        let mut whole = self.gather_as_chosen(world, cue, continues)?;
        let chosen = self.meanings.embedders.of(&whole.settings);
        // Somebody chose another embedder since a prompt of this world was last made.
        if self.meanings.embedders.note(world, &chosen) {
            whole = self.gather_as_chosen(world, cue, continues)?;
        }
        if cue.as_of.is_none() {
            self.place_at_once(&mut whole);
        }
        Ok(whole)
    }

    /// With vectors of the embedder that the world used last.
    fn gather_as_chosen(&self, world: &WorldId, cue: &Cue, continues: bool) -> Result<Whole> {
        let choice = self.meanings.embedders.last_of(world);
        let Some(space) = choice.space() else { return self.gather_in(world, cue, None, continues) };
        let permit = match self.meanings.index.ask().map_err(Resting::into_error) {
            Ok(permit) => permit,
            Err(resting) => {
                let whole = self.gather_in(world, cue, None, continues)?;
                return Ok(Whole { degraded: Some(no_vectors("memories", &resting)), ..whole });
            }
        };
        let error = match self.gather_in(world, cue, Some(space), continues) {
            Ok(whole) => {
                // Where nothing was read, nobody knows whether it could be.
                if whole.gathered.minds.iter().any(|mind| !mind.kept.is_empty()) {
                    permit.succeeded();
                }
                return Ok(whole);
            }
            Err(error) if matches!(error.code(), Code::Unavailable | Code::Corrupt | Code::Internal) => error,
            Err(error) => return Err(error),
        };
        // If it is not about vectors, it fails again.
        let Ok(whole) = self.gather_in(world, cue, None, continues) else { return Err(error) };
        permit.failed(error.code().as_str(), error.message(), None);
        Ok(Whole { degraded: Some(no_vectors("memories", &error)), ..whole })
    }

    fn gather_in(&self, world: &WorldId, cue: &Cue, space: Option<&str>, continues: bool) -> Result<Whole> {
        let known = if continues { self.minds.known(world, &cue.voiced(), space) } else { Vec::new() };
        let (gathered, settings, voices) = self.gathered(world, cue, |gather| {
            gather.minds = cue.voiced();
            gather.space = space.map(str::to_owned);
            gather.known = known;
            gather.unremembered_lines = LOOKED_THROUGH;
            gather.known_names = self.names.known(world).filter(|_| continues);
        })?;
        Ok(Whole { gathered, settings, voices, space: space.map(str::to_owned), degraded: None })
    }

    pub(super) fn gathered(
        &self,
        world: &WorldId,
        cue: &Cue,
        also: impl FnOnce(&mut Gather),
    ) -> Result<(Gathered, WorldSettings, Voices)> {
        self.limits.check_cue(cue)?;
        let place = if cue.history.is_some() { Place::Nowhere } else { cue.place.clone() };
        let mut gather = Gather {
            scope: cue.scope,
            window_lines: cue.history_limit.unwrap_or(usize::MAX).min(self.limits.window_lines),
            budget: cue.budget.map(|budget| budget.max(LEAST_READ)),
            also: cue.also.clone(),
            background: cue.background,
            listeners: listeners(cue),
            as_of: cue.as_of,
            ..Gather::new(cue.character.clone(), place)
        };
        also(&mut gather);
        let mut gathered = self.store.gather(world, &gather)?;
        if cue.history.as_ref().is_some_and(|history| !is_known_who_listens(history, &gathered)) {
            gathered.people.clear();
        }
        let mut voices = Voices::default();
        if !cue.with.is_empty() {
            leave_what_all_witnessed(&mut gathered);
            voices = voices_of(&gathered);
        }
        gathered.books = library::stack(gathered.books);
        let world = &gathered.world;
        let mut settings = WorldSettings::for_one_prompt(world.preset, &world.settings, &cue.settings)?;
        settings.budget = settings.budget.min(self.limits.budget);
        Ok((gathered, settings, voices))
    }
}

/// Those who speak, by name, and which books are only for some of them.
fn voices_of(gathered: &Gathered) -> Voices {
    let speaking = |one: &Character| Speaking {
        id: one.id.clone(),
        name: one.name(),
        tags: one.card.tags.clone(),
        host_ids: one.host_ids.clone(),
    };
    let people: Vec<Speaking> = gathered.voiced.iter().map(speaking).collect();
    let mut owners: BTreeMap<&DocumentId, Option<Vec<usize>>> = BTreeMap::new();
    for (link, _) in &gathered.books {
        let place = match &link.scope {
            Scope::Character(owner) => people.iter().position(|one| one.id == *owner),
            Scope::World | Scope::Conversation(_) => {
                owners.insert(&link.book, None);
                continue;
            }
        };
        // What is for all of them is not for some, whoever else has it.
        if let Some(owners) = owners.entry(&link.book).or_insert_with(|| Some(Vec::new())) {
            owners.extend(place);
        }
    }
    let private = owners.into_iter().filter_map(|(book, whom)| Some((book.clone(), whom?)));
    Voices { private: private.collect(), people }
}

/// A prompt that gives a voice to several tells what all of them lived through: what one of them alone knows is for that one.
fn leave_what_all_witnessed(gathered: &mut Gathered) {
    let voiced: Vec<CharacterId> = gathered.minds.iter().map(|mind| mind.holder.clone()).collect();
    let is_common = |line: &Line| voiced.iter().all(|one| line.is_witnessed_by(one));
    let Gathered { window, earlier_system, background, .. } = gathered;
    for lines in [window, earlier_system, background] {
        lines.retain(&is_common);
    }
}
