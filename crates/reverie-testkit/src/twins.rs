//! Do two stores answer alike, whatever a host does?

mod alike;
mod asides;
mod at_hand;
mod books;
mod digests;
mod keepsakes;
mod minds;
mod recollect;
mod secrets;
mod take;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::sync::Mutex;

use reverie_core::record::Record;
use reverie_core::world::{Change, WorldPatch};
use reverie_core::{CharacterId, CheckpointId, ConversationId, Result, Store, WorldId};

use crate::story::Step;
use at_hand::AtHand;
pub use at_hand::SPACE;

/// Two stores that live through the same story, the first of them taken as the measure.
pub struct Twins<'s> {
    model: &'s dyn Store,
    other: &'s dyn Store,
    worlds: Vec<WorldId>,
    forks: usize,
    /// Numbers every text, so that each can be found again.
    texts: usize,
    /// The conversations that were ever listed: what a restore went back behind is used by its id.
    rooms: Mutex<BTreeMap<WorldId, BTreeSet<ConversationId>>>,
    /// What was read of minds so far.
    at_hand: Mutex<BTreeMap<(WorldId, CharacterId), AtHand>>,
}

/// What went differently, in words.
pub type Verdict<T = ()> = std::result::Result<T, String>;

impl<'s> Twins<'s> {
    /// Both stores are empty.
    pub fn new(model: &'s dyn Store, other: &'s dyn Store) -> Self {
        let (rooms, at_hand) = (Mutex::default(), Mutex::default());
        Self { model, other, worlds: Vec::new(), forks: 0, texts: 0, rooms, at_hand }
    }

    /// Gives the world a past: so many conversations, small and large, in which something was said.
    pub fn remember(&mut self, rooms: u8) -> Verdict {
        (0..rooms).try_for_each(|number| self.take_past(number))
    }

    /// Gives the world two conversations of few people, a set and a scene, about which there is something to remember.
    pub fn settle_in(&mut self) -> Verdict {
        [1, 2].into_iter().try_for_each(|number| self.take_past(number))
    }

    /// Takes every step with both, looking around now and then.
    pub fn live(&mut self, steps: &[Step]) -> Verdict {
        for (index, step) in steps.iter().enumerate() {
            self.take(step).map_err(|why| format!("step {index}, {step:?}: {why}"))?;
            if index % 5 == 4 {
                self.look_around().map_err(|why| format!("after step {index}, {step:?}: {why}"))?;
            }
        }
        self.look_around().map_err(|why| format!("at the end: {why}"))
    }

    /// Takes one step with both.
    pub fn take_step(&mut self, step: &Step) -> Verdict {
        self.take(step).map_err(|why| format!("{step:?}: {why}"))
    }

    /// The worlds that there are now.
    pub fn worlds(&self) -> &[WorldId] {
        &self.worlds
    }

    /// Gives every world that there is now a setting.
    pub fn set(&self, key: &str, value: &str) -> Verdict {
        let settings = [(key.to_owned(), value.to_owned())].into();
        let patch = WorldPatch { preset: None, settings };
        let put = |world: &WorldId| self.both(key, |store| store.put_world(world, &patch, 8)).map(drop);
        self.worlds.iter().try_for_each(put)
    }

    /// Asks both the same and compares: values with values, errors by what they mean.
    fn both<T: Debug + PartialEq>(
        &self,
        what: &str,
        ask: impl Fn(&dyn Store) -> Result<T>,
    ) -> Verdict<Option<T>> {
        match (ask(self.model), ask(self.other)) {
            (Ok(model), Ok(other)) if model == other => Ok(Some(model)),
            (Err(model), Err(other)) if model.code() == other.code() => Ok(None),
            (model, other) => Err(format!("{what} differs\n   model: {model:?}\n   other: {other:?}")),
        }
    }
}

/// All records of an export.
pub fn exported(
    store: &dyn Store,
    world: &WorldId,
    checkpoint: Option<&CheckpointId>,
) -> Result<Vec<Record>> {
    let mut records = Vec::new();
    store.export(world, checkpoint, &mut |record| {
        records.push(record);
        Ok(())
    })?;
    Ok(records)
}

/// The same log without changes that change nothing, which deleting can leave behind; what changed at once in any order.
pub fn essence(mut records: Vec<Record>) -> Vec<Record> {
    records.sort_by_cached_key(order);
    let mut last: Vec<Change> = Vec::new();
    let mut kept = Vec::new();
    for record in records {
        if let Record::Change { change, .. } = &record {
            let before = last.iter_mut().find(|before| is_same_thing(before, change));
            match before {
                Some(before) if before == change => continue,
                Some(before) => *before = change.clone(),
                None if is_first_value(change) => continue,
                None => last.push(change.clone()),
            }
        }
        kept.push(record);
    }
    kept
}

/// Changes stand together already; everything else stays where it is.
fn order(record: &Record) -> (u8, u64, String) {
    match record {
        Record::Change { revision, change } => (1, *revision, format!("{change:?}")),
        Record::Key(_) | Record::Checkpoint(_) | Record::Link(_) | Record::Book(_) | Record::Entry { .. } => {
            (2, 0, String::new())
        }
        _ => (0, 0, String::new()),
    }
}

fn is_same_thing(one: &Change, other: &Change) -> bool {
    match (one, other) {
        (Change::Head { conversation: a, .. }, Change::Head { conversation: b, .. }) => a == b,
        (Change::Wording { line: a, .. }, Change::Wording { line: b, .. }) => a == b,
        (Change::Hidden { line: a, .. }, Change::Hidden { line: b, .. }) => a == b,
        (Change::Card { character: a, .. }, Change::Card { character: b, .. }) => a == b,
        (Change::Settings { .. }, Change::Settings { .. }) => true,
        (
            Change::ConversationAway { conversation: a, .. },
            Change::ConversationAway { conversation: b, .. },
        ) => a == b,
        (Change::CharacterAway { character: a, .. }, Change::CharacterAway { character: b, .. }) => a == b,
        (Change::Beginning { conversation: a, .. }, Change::Beginning { conversation: b, .. }) => a == b,
        (Change::Unshown { line: a, .. }, Change::Unshown { line: b, .. }) => a == b,
        (Change::Forgotten { line: a, .. }, Change::Forgotten { line: b, .. }) => a == b,
        (Change::Round { round: a, .. }, Change::Round { round: b, .. }) => a == b,
        (
            Change::Holding { memory: a, holder: its, .. },
            Change::Holding { memory: b, holder: others, .. },
        ) => (a, its) == (b, others),
        _ => false,
    }
}

fn is_first_value(change: &Change) -> bool {
    match change {
        Change::Head { line, .. } => line.is_none(),
        Change::Beginning { people, .. } => people.is_none(),
        Change::Hidden { hidden, .. } => !hidden,
        Change::ConversationAway { away, .. } | Change::CharacterAway { away, .. } => !away,
        Change::Unshown { unshown, .. } => !unshown,
        Change::Forgotten { by, .. } => by.is_empty(),
        Change::Round { state, .. } => state.is_none(),
        Change::Holding { version, .. } => version.is_none(),
        Change::Wording { version, .. } | Change::Card { version, .. } | Change::Settings { version } => {
            *version == 0
        }
    }
}
