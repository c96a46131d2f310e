//! What does a chat bring to a conversation that may have some of it?
//!
//! A row is there if a line is known by its id. A row that is not there and was deleted stays away: a mark tells, or a line
//! behind it that is still there. Where a message was edited in the chat, what follows has other ids; it is compared under
//! the ids that it had behind the old words, too, so that no deleted line comes back behind the new ones.

use std::collections::{BTreeSet, HashMap, HashSet};

use reverie_core::conversation::Attach;
use reverie_core::{Code, ConversationId, Engine, Error, LineId, Record, Result, WorldId};
use reverie_formats::chat::{ChatPlan, Known, Recorded};

/// Where a row stands.
#[derive(Clone, Copy)]
enum Place {
    /// In the tree already; None: at its root.
    There(Option<LineId>),
    /// Among the lines that are new, counted through all of them.
    New(usize),
}

pub(super) struct Growth<'a> {
    plan: &'a ChatPlan,
    /// A row that is gone stands where its parent does, so that what follows has a place.
    places: HashMap<usize, Place>,
    /// Rows that were recorded once and deleted since.
    deleted: HashSet<usize>,
    /// Lines that the chat shows or hides and the conversation does not.
    pub(super) to_hide: Vec<(LineId, bool)>,
    pub(super) new: usize,
    pub(super) gone: usize,
}

impl<'a> Growth<'a> {
    /// All of a chat is new.
    pub(super) fn of_new(plan: &'a ChatPlan) -> Self {
        let (places, deleted) = (HashMap::new(), HashSet::new());
        Self { plan, places, deleted, to_hide: Vec::new(), new: 0, gone: 0 }
    }

    pub(super) fn of(
        plan: &'a ChatPlan,
        recorded: &Recorded,
        was_hidden: Option<&HashSet<String>>,
        (engine, world, conversation): (&Engine, &WorldId, &ConversationId),
    ) -> Result<Self> {
        let mut growth = Self::of_new(plan);
        let id = |row: usize| plan.lines.get(row).and_then(|line| line.host_id.as_deref());
        let known = |row: usize| id(row).and_then(|id| recorded.find(id));
        for row in 0..plan.lines.len() {
            if let Some(known) = known(row) {
                growth.places.insert(row, Place::There(Some(known.id)));
            }
        }
        growth.to_hide = to_hide(plan, known, was_hidden);
        let missing: Vec<String> = (0..plan.lines.len())
            .filter(|row| !growth.places.contains_key(row))
            .filter_map(id)
            .map(ToOwned::to_owned)
            .collect();
        if missing.is_empty() {
            return Ok(growth);
        }
        let erased = engine.erased_host_ids(world, conversation, &missing)?;
        let erased: HashSet<&str> = erased.iter().map(String::as_str).collect();
        growth.deleted = before_known(plan, &growth.places);
        growth
            .deleted
            .extend((0..plan.lines.len()).filter(|row| id(*row).is_some_and(|id| erased.contains(id))));
        growth.deleted.retain(|row| !growth.places.contains_key(row));
        let is_erased = |id: &String| {
            Ok(!engine.erased_host_ids(world, conversation, std::slice::from_ref(id))?.is_empty())
        };
        let others = Others { plan, recorded, places: &growth.places };
        let behind_old_words = others.erased(is_erased)?;
        growth.deleted.extend(behind_old_words);
        Ok(growth)
    }

    /// The line that a row is, if it was there before.
    pub(super) fn known(&self, row: usize) -> Option<LineId> {
        match self.places.get(&row)? {
            Place::There(line) => *line,
            Place::New(_) => None,
        }
    }

    /// True if a row was recorded now; asked when that is done.
    pub(super) fn is_new(&self, row: usize) -> bool {
        matches!(self.places.get(&row), Some(Place::New(_)))
    }

    /// Where the chat stands, if that is known.
    pub(super) fn known_head(&self) -> Option<LineId> {
        self.known(self.plan.tree.head?)
    }

    fn is_missing(&self, row: usize) -> bool {
        !self.places.contains_key(&row) && !self.deleted.contains(&row)
    }

    pub(super) fn has_news(&self) -> bool {
        (0..self.plan.lines.len()).any(|row| self.is_missing(row))
    }

    /// The missing rows, in parts of at most so many.
    pub(super) fn branches(&mut self, most: usize) -> Result<Vec<(Option<usize>, Record)>> {
        let mut branches = Vec::new();
        for chain in &self.plan.tree.chains {
            let mut place = match chain.parent {
                None => Place::There(None),
                Some(parent) => self.place(parent)?,
            };
            // Rows that follow each other go into the same branch.
            let mut open: Option<(Option<usize>, Record)> = None;
            for row in &chain.rows {
                if !self.is_missing(*row) {
                    branches.extend(open.take());
                    if self.deleted.contains(row) {
                        self.gone += 1;
                        self.places.insert(*row, place);
                    }
                    place = self.place(*row)?;
                    continue;
                }
                if open.as_ref().is_some_and(|(_, record)| record.lines.len() == most) {
                    branches.extend(open.take());
                }
                let (_, record) = open.get_or_insert_with(|| begin(place));
                let keepsake = self.plan.keepsakes.get(*row).cloned();
                record.keepsakes.extend(keepsake.map(|text| (record.lines.len(), text)));
                record.lines.extend(self.plan.lines.get(*row).cloned());
                place = Place::New(self.new);
                self.new += 1;
                self.places.insert(*row, place);
            }
            branches.extend(open);
        }
        Ok(branches)
    }

    fn place(&self, row: usize) -> Result<Place> {
        let lost =
            || Error::new(Code::Internal, format!("line {row} was not recorded before those behind it"));
        self.places.get(&row).copied().ok_or_else(lost)
    }

    pub(super) fn new_head(&self) -> Option<usize> {
        match self.places.get(&self.plan.tree.head?)? {
            Place::New(line) => Some(*line),
            Place::There(_) => None,
        }
    }
}

/// The rows that a path goes through: of each message the chosen wording.
fn chosen(plan: &ChatPlan) -> impl Iterator<Item = usize> {
    let parents: HashSet<usize> = rows(plan).filter_map(|(_, parent)| parent).collect();
    parents.into_iter().chain(plan.tree.head)
}

/// Each row with its parent, which comes before it.
fn rows(plan: &ChatPlan) -> impl Iterator<Item = (usize, Option<usize>)> {
    plan.tree.chains.iter().flat_map(|chain| {
        let parents = [chain.parent].into_iter().chain(chain.rows.iter().copied().map(Some));
        chain.rows.iter().copied().zip(parents)
    })
}

/// The host ids of messages that the chat hides.
pub(super) fn hidden(plan: &ChatPlan) -> BTreeSet<&str> {
    let lines = chosen(plan).filter_map(|row| plan.lines.get(row)).filter(|line| line.hidden);
    lines.filter_map(|line| line.host_id.as_deref()).collect()
}

/// Only the chosen wording says whether a message is hidden; the others are in no prompt. Where the chat says what it said when it
/// was last imported, what somebody did here since stays.
fn to_hide<'r>(
    plan: &ChatPlan,
    known: impl Fn(usize) -> Option<&'r Known>,
    was_hidden: Option<&HashSet<String>>,
) -> Vec<(LineId, bool)> {
    let differs = |row: usize| {
        let (line, known) = (plan.lines.get(row)?, known(row)?);
        let before = was_hidden.zip(line.host_id.as_ref()).map(|(hidden, id)| hidden.contains(id));
        let is_news = before != Some(line.hidden);
        (line.hidden != known.hidden && is_news).then_some((known.id, line.hidden))
    };
    let mut all: Vec<(LineId, bool)> = chosen(plan).filter_map(differs).collect();
    all.sort_unstable();
    all.dedup_by_key(|(line, _)| *line);
    all
}

/// Rows before one that is there.
fn before_known(plan: &ChatPlan, places: &HashMap<usize, Place>) -> HashSet<usize> {
    let mut deleted = HashSet::new();
    let mut rows: Vec<_> = rows(plan).collect();
    rows.reverse();
    for (row, parent) in rows {
        if let Some(parent) = parent.filter(|_| places.contains_key(&row) || deleted.contains(&row)) {
            deleted.insert(parent);
        }
    }
    deleted
}

/// What stands where a message stands, and is not in the chat any more: its words before it was edited.
struct Others<'a> {
    plan: &'a ChatPlan,
    recorded: &'a Recorded,
    places: &'a HashMap<usize, Place>,
}

impl Others<'_> {
    /// Rows that were deleted behind older words of a message before them.
    fn erased(&self, is_erased: impl Fn(&String) -> Result<bool>) -> Result<HashSet<usize>> {
        let in_chat: HashSet<&str> =
            self.plan.lines.iter().filter_map(|line| line.host_id.as_deref()).collect();
        let mut erased = HashSet::new();
        let mut ids_of: HashMap<usize, Vec<String>> = HashMap::new();
        for (row, parent) in rows(self.plan) {
            let before = parent.and_then(|parent| ids_of.get(&parent)).cloned().unwrap_or_default();
            let mut ids = Vec::new();
            for id in before.iter().filter_map(|before| self.plan.id_behind(row, before)) {
                let was_erased = is_erased(&id)?;
                if was_erased && !self.places.contains_key(&row) {
                    erased.insert(row);
                }
                if was_erased || self.recorded.find(&id).is_some() {
                    ids.push(id);
                }
            }
            let place = match parent.map(|parent| self.places.get(&parent)) {
                None => Some(None),
                Some(Some(Place::There(line))) => Some(*line),
                Some(_) => None,
            };
            let older = before.iter().filter_map(|id| self.recorded.find(id)).map(|known| Some(known.id));
            for known in place.into_iter().chain(older).flat_map(|line| self.recorded.behind(line)) {
                if !known.ids().any(|id| in_chat.contains(id)) {
                    ids.extend(known.ids().map(ToOwned::to_owned));
                }
            }
            if !ids.is_empty() {
                ids_of.insert(row, ids);
            }
        }
        Ok(erased)
    }
}

fn begin(place: Place) -> (Option<usize>, Record) {
    match place {
        Place::New(line) => (Some(line), Record::default()),
        Place::There(line) => {
            let attach = line.map_or(Attach::Root, Attach::Behind);
            (None, Record { attach, ..Record::default() })
        }
    }
}
