//! What comes to the minds of those who are about to speak?

use std::collections::BTreeSet;
use std::sync::Arc;

use super::audible::Listening;
use super::audience::{Confidence, Telling};
use super::embedders::Source;
use super::minds::{Spoken, Stale};
use super::mood::{InTheAir, in_the_air};
use super::similar::Asked;
use super::{Degraded, Engine, unremembered};
use crate::Result;
use crate::character::{Character, Who};
use crate::cue::{Cue, Detail};
use crate::embed::Tongue;
use crate::id::{CharacterId, LineId, MemoryId, WorldId};
use crate::laps::{Laps, Part};
use crate::layers::Now;
use crate::line::Wording;
use crate::mind::{Said, when};
use crate::names::Names;
use crate::rank::{Barred, Bearing, Considered, Question, considered, merge, note_who_else, relate, sort};
use crate::recollection::Recollections;
use crate::settings::{Audience, RecallRules, WorldSettings};
use crate::store::Gathered;
use crate::time::Moment;

/// What came to mind, and what it needs to enter a prompt.
#[derive(Default)]
pub(super) struct Recollected {
    pub(super) considered: Vec<Considered>,
    /// None: nobody's memories enter this prompt.
    pub(super) rules: Option<RecallRules>,
    /// Those who are given a voice, if they are several: id and name.
    pub(super) people: Vec<(CharacterId, String)>,
    /// What is being said.
    pub(super) said: Said,
    pub(super) degraded: Option<Degraded>,
}

/// Of so many times the lines that are listened to, rounds are what is being said.
const BEING_SAID: usize = 4;

impl Engine {
    /// None if others changed a mind since this was gathered. `alone`: it was read as a whole, and nothing else is used.
    pub(super) fn recollect(
        &self,
        world: &WorldId,
        cue: &Cue,
        (gathered, minds): (&Gathered, Vec<Recollections>),
        (settings, spoken): (&WorldSettings, &Spoken),
        (asked, laps): (&Asked, &Laps),
        alone: bool,
    ) -> Result<Option<Recollected>> {
        let mut all = Recollected::default();
        let Ok(names) = self.names.of(world, &gathered.names).map_err(|Stale| ()) else { return Ok(None) };
        let voiced = cue.voiced();
        let is_one_of_several = voiced.len() > 1;
        // Strangers have no mind, and then nobody can tell whose each is.
        if minds.len() == voiced.len() {
            let named = voiced.iter().zip(&minds);
            named.for_each(|(who, mind)| self.minds.learn_name(world, who, &mind.holder));
        }
        let speaking: Vec<CharacterId> = minds.iter().map(|mind| mind.holder.clone()).collect();
        let listening = Listening { world, gathered, settings, voiced: &speaking, as_of: cue.as_of };
        let is_asked_why = cue.detail == Detail::Related;
        let mut holders = Vec::new();
        let mut first = None;
        for read in minds {
            let holder = read.holder.clone();
            let rules = settings.recall_of(&holder).clone();
            if !rules.enabled {
                continue;
            }
            let question = self.question(cue, gathered, (settings, &names), &rules, asked);
            let now = Now::new(
                &settings.layers,
                settings.calendar.as_ref(),
                cue.tick.or(gathered.world.time),
                self.now_ms(),
            );
            let read = if alone { Recollections { mark: None, ..read } } else { read };
            let looked =
                self.minds.look_into(world, read, spoken, (&settings.layers, &now), |mind, standings| {
                    laps.lap(Part::Gather);
                    let found =
                        self.come_to_mind((mind, standings), (&question, &rules), &listening, laps)?;
                    let standing = |slot: usize| standings.of(slot);
                    // What is far from one of several may be near to another, and is told as what both know.
                    let why = (&now, is_asked_why || is_one_of_several, laps);
                    let mut found = considered((mind, &holder), found, &question, &rules, &standing, why);
                    if is_asked_why {
                        relate(&mut found, mind, &rules, &standing);
                        laps.lap(Part::Rank);
                    }
                    Ok(found)
                });
            let Ok(found) = looked.map_err(|Stale| ()) else { return Ok(None) };
            merge(&mut all.considered, found?);
            holders.push(holder.clone());
            // The prompt is written as the first of them has it.
            if first.is_none() {
                (all.rules, first) = (Some(rules), Some(question));
            }
            if is_one_of_several {
                let known = gathered.voiced.iter().find(|one| one.id == holder);
                all.people.push((holder.clone(), known.map_or_else(|| holder.to_string(), Character::name)));
            }
        }
        if let (Some(rules), Some(question)) = (&all.rules, first) {
            let now = Now::new(
                &settings.layers,
                settings.calendar.as_ref(),
                cue.tick.or(gathered.world.time),
                self.now_ms(),
            );
            let of = (holders.as_slice(), rules);
            let found = unremembered::come_to_mind(cue, gathered, settings, of, &question, (&now, laps));
            all.considered.extend(found);
            all.said = question.said;
        }
        sort(&mut all.considered);
        self.guard(world, gathered, settings, &mut all.considered, cue.as_of)?;
        // Where what is alike stands in the prompt once, it stands there for all who have it.
        let is_told_once = |rules: &RecallRules| rules.near_duplicate.is_some_and(|alike| alike < 1.0);
        if is_one_of_several && all.rules.as_ref().is_some_and(is_told_once) {
            note_who_else(&mut all.considered);
        }
        all.degraded = asked.without_memories();
        laps.lap(Part::Rank);
        Ok(Some(all))
    }

    /// What is being said, as far as memories are concerned.
    fn question(
        &self,
        cue: &Cue,
        gathered: &Gathered,
        (settings, names): (&WorldSettings, &Names),
        rules: &RecallRules,
        asked: &Asked,
    ) -> Question {
        let said = Moment { tick: cue.tick.or(gathered.world.time), wall_ms: Some(self.now_ms()) };
        let before = rules.said.max(1) - usize::from(cue.message.is_some()).min(rules.said.max(1));
        let recorded =
            gathered.window.get(gathered.window.len().saturating_sub(before)..).unwrap_or_default();
        let told: Vec<&Wording> = match &cue.history {
            Some(history) => {
                let told = history.get(history.len().saturating_sub(before)..).unwrap_or_default();
                told.iter().map(|line| &line.wording).collect()
            }
            None => recorded.iter().map(|line| &line.wording).collect(),
        };
        // A round that is being talked about may have begun before the lines that are listened to.
        let newest = gathered.window.iter().rev().take(before.saturating_mul(BEING_SAID));
        let lines: BTreeSet<LineId> = match &cue.history {
            Some(_) => BTreeSet::new(),
            None => newest.map(|line| line.id).collect(),
        };
        let message = cue.message.as_ref().map(|message| message.content.as_str());
        let texts: Vec<&str> = told.iter().map(|wording| wording.content.as_str()).chain(message).collect();
        let newest = texts.last().copied().unwrap_or_default();
        let InTheAir { feelings, moods } = in_the_air(cue, &told);
        let calendar = settings.calendar.as_ref();
        let wanted = when::without_counted(newest, said, calendar);
        let before = texts.len().saturating_sub(1);
        let told = texts.iter().copied().take(before).chain((!texts.is_empty()).then_some(wanted.as_ref()));
        let told: Vec<&str> = told.collect();
        Question {
            said: names.spell_out(Said::of(told.into_iter())),
            meaning: asked.meaning().cloned(),
            newest: asked.newest().cloned(),
            tongue: Tongue::of(newest),
            bearing: asked.meaning().map(|_| self.bearing(settings)).unwrap_or_default(),
            days: when::days(newest, said, calendar),
            lines,
            feelings,
            moods,
            called: called(gathered),
            asker: asker(cue, gathered),
        }
    }

    /// How the space of a world is to be read.
    fn bearing(&self, settings: &WorldSettings) -> Bearing {
        let choice = self.meanings.embedders.of(settings);
        let known = |source: &Arc<Source>| Bearing {
            reading: source.reading(),
            languages: source.languages(self.patience_ms()),
        };
        choice.source().map(known).unwrap_or_default()
    }

    /// Bars what not everybody may know who hears the answer.
    fn guard(
        &self,
        world: &WorldId,
        gathered: &Gathered,
        settings: &WorldSettings,
        all: &mut [Considered],
        as_of: Option<u64>,
    ) -> Result<()> {
        // Of lines it is known where they were said and who heard them.
        let is_open = |one: &Considered| one.barred.is_none() && one.note.held.memory.id.line().is_none();
        let open: Vec<&Considered> = all.iter().filter(|one| is_open(one)).collect();
        let asked: Vec<Confidence<'_>> =
            open.iter().map(|one| Confidence::of(&one.note.held, &one.known_by)).collect();
        let mut told = self.may_be_told(world, gathered, settings, &asked, as_of)?.into_iter();
        for one in all.iter_mut().filter(|one| is_open(one)) {
            one.lacked_by = match told.next() {
                Some(Telling::Allowed) => continue,
                Some(Telling::KeptFrom(lacking)) => lacking,
                None => Vec::new(),
            };
            one.barred = Some(Barred::Audience);
        }
        self.guard_related(world, gathered, settings, all, as_of)
    }

    /// Leaves out of what belongs to a memory what may not be told itself: that there is something is news, too.
    fn guard_related(
        &self,
        world: &WorldId,
        gathered: &Gathered,
        settings: &WorldSettings,
        all: &mut [Considered],
        as_of: Option<u64>,
    ) -> Result<()> {
        if settings.audience == Audience::Open {
            return Ok(());
        }
        let named = all.iter().flat_map(|one| &one.related).filter(|related| !related.shareable);
        let named: BTreeSet<MemoryId> = named.map(|related| related.memory).collect();
        // Whoever has it is one of those who know where it comes from, and need not be excepted.
        let asked =
            |memory: &MemoryId| Confidence { memory: *memory, shareable: false, known_by: &[], words: None };
        let asked: Vec<Confidence<'_>> = named.iter().map(asked).collect();
        let told = self.may_be_told(world, gathered, settings, &asked, as_of)?;
        let told: BTreeSet<MemoryId> = named
            .into_iter()
            .zip(told)
            .filter(|(_, telling)| telling.is_allowed())
            .map(|(memory, _)| memory)
            .collect();
        for one in all.iter_mut() {
            one.related.retain(|related| related.shareable || told.contains(&related.memory));
        }
        Ok(())
    }
}

/// What those who are given a voice are called.
fn called(gathered: &Gathered) -> Vec<String> {
    let voiced = gathered.character.iter().chain(&gathered.voiced);
    voiced.flat_map(|one| std::iter::once(one.name()).chain(one.card.aliases.iter().cloned())).collect()
}

/// Who says what was said last. A message of nobody is of whoever is there alone with those who speak.
fn asker(cue: &Cue, gathered: &Gathered) -> Option<CharacterId> {
    let speaker = match (&cue.message, &cue.history) {
        (Some(message), _) => message.speaker.as_ref().and_then(Who::id).cloned(),
        (None, Some(history)) => history.last()?.speaker.as_ref().and_then(Who::id).cloned(),
        (None, None) => return gathered.window.last()?.speaker.clone(),
    };
    let voiced = || gathered.character.iter().chain(&gathered.voiced).map(|one| &one.id);
    let mut others = gathered.people.iter().filter(|one| voiced().all(|voiced| voiced != *one));
    speaker.or_else(|| others.next().filter(|_| others.next().is_none()).cloned())
}
