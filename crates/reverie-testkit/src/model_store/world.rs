//! What is the whole of one world, and which part of it can be brought back?

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::character::{Card, Namespace, Who};
use reverie_core::job::Job;
use reverie_core::keepsake::KeptFor;
use reverie_core::library::Link;
use reverie_core::line::{Order, Wording};
use reverie_core::memory::{self, Memory};
use reverie_core::round::{Ending, RoundState};
use reverie_core::settings::{Pairs, Preset, WorldSettings};
use reverie_core::store::{Gather, Gathered};
use reverie_core::time::Tick;
use reverie_core::world::{Checkpoint, WorldPatch};
use reverie_core::{
    Attribute, CharacterId, CheckpointId, ConversationId, Error, MemoryId, Result, RoundId, World, WorldId,
};

use super::vectors::Kept;
use super::{no_checkpoint, patched};

/// People and rooms are known by their place in these lists; nodes by their number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ModelWorld {
    pub(super) id: WorldId,
    pub(super) forked_from: Option<WorldId>,
    pub(super) created_ms: i64,
    pub(super) revision: u64,
    pub(super) next_line: u64,
    pub(super) next_round: u64,
    pub(super) next_memory: u64,
    pub(super) settings: BTreeMap<u32, (Preset, Pairs)>,
    pub(super) people: Vec<Person>,
    pub(super) rooms: Vec<Room>,
    pub(super) nodes: BTreeMap<u64, Node>,
    pub(super) rounds: BTreeMap<RoundId, KeptRound>,
    pub(super) memories: BTreeMap<MemoryId, KeptMemory>,
    /// Every version of what a memory ever was to a holder.
    pub(super) holdings: BTreeMap<(MemoryId, usize), BTreeMap<u32, memory::State>>,
    /// Lines that answered a prompt, and which memory of whom was in it.
    pub(super) refreshed: BTreeSet<(u64, MemoryId, usize)>,
    pub(super) keys: BTreeMap<(usize, String), Key>,
    pub(super) checkpoints: BTreeMap<CheckpointId, Checkpoint>,
    /// No restore brings them back.
    pub(super) links: Vec<Link>,
    /// Nor these.
    pub(super) keepsakes: BTreeMap<KeptFor, String>,
    /// Whom names meant so far in this commit: one name is one person throughout.
    pub(super) met: Vec<(Who, usize)>,
    pub(super) aside: Aside,
    pub(super) now: State,
    /// The state after every commit, under its revision.
    pub(super) states: BTreeMap<u64, State>,
}

/// What is kept with a world and is no part of its log.
#[derive(Debug, Clone, Default)]
pub(super) struct Aside {
    pub(super) jobs: BTreeMap<String, Job>,
    /// Of a memory's own text, or of a holder's rewording of it, in a space.
    pub(super) vectors: BTreeMap<(MemoryId, Option<usize>, String), Kept>,
}

/// Whatever changes here, the world is the same.
impl PartialEq for Aside {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// All that a restore brings back. What is in no map has its first value.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct State {
    pub(super) settings: u32,
    pub(super) heads: BTreeMap<usize, u64>,
    pub(super) wordings: BTreeMap<u64, u32>,
    pub(super) hidden: BTreeSet<u64>,
    pub(super) unshown: BTreeSet<u64>,
    /// Who forgot a line.
    pub(super) forgotten: BTreeMap<u64, BTreeSet<usize>>,
    /// A round that is not here has not begun.
    pub(super) rounds: BTreeMap<RoundId, RoundState>,
    /// Which version each holding has; one that is not here is not there.
    pub(super) holdings: BTreeMap<(MemoryId, usize), u32>,
    pub(super) cards: BTreeMap<usize, u32>,
    /// Who is there when a scene begins; a scene that is not here has not begun.
    pub(super) beginnings: BTreeMap<usize, BTreeSet<usize>>,
    /// What came after the checkpoint that was restored, until somebody uses it.
    pub(super) rooms_away: BTreeSet<usize>,
    pub(super) people_away: BTreeSet<usize>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Person {
    pub(super) id: CharacterId,
    pub(super) host_ids: Vec<(Namespace, String)>,
    pub(super) cards: BTreeMap<u32, Card>,
    pub(super) erased: bool,
    pub(super) revision: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Room {
    pub(super) id: ConversationId,
    pub(super) name: Option<String>,
    /// Of a set; scenes have theirs in the state.
    pub(super) participants: BTreeSet<usize>,
    pub(super) revision: u64,
}

/// Something said, or (without an attribute) a change of who is present.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) room: usize,
    pub(super) parent: Option<u64>,
    pub(super) attribute: Option<Attribute>,
    pub(super) speaker: Option<usize>,
    pub(super) display_name: Option<String>,
    pub(super) wordings: BTreeMap<u32, Wording>,
    pub(super) tick: Option<Tick>,
    pub(super) at: Tick,
    pub(super) wall_ms: i64,
    pub(super) host_id: Option<String>,
    pub(super) present: BTreeSet<usize>,
    pub(super) witnesses: BTreeSet<usize>,
    pub(super) revision: u64,
    pub(super) hidden_at_first: bool,
    /// How many lines were on the path up to here when it was recorded.
    pub(super) said: u64,
    pub(super) lore_timers: Option<String>,
    pub(super) round: Option<RoundId>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeptRound {
    pub(super) room: usize,
    pub(super) explicit: bool,
    pub(super) present: Vec<(usize, Option<String>)>,
    pub(super) opened_ms: i64,
    /// Of a round that was found: its first and last line.
    pub(super) span: Option<(u64, u64)>,
    pub(super) ending: Option<Ending>,
    /// Of a round that a host ended: the line at which it ended.
    pub(super) ends_at: Option<u64>,
    /// Of one that went on after its end: lines up to here were judged then.
    pub(super) settled: u64,
    pub(super) revision: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeptMemory {
    pub(super) memory: Memory,
    pub(super) fingerprint: Option<[u8; 16]>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Key {
    pub(super) digest: [u8; 16],
    pub(super) first: u64,
    pub(super) count: u64,
    pub(super) revision: u64,
}

impl ModelWorld {
    pub(super) fn new(id: &WorldId, preset: Preset, pairs: Pairs, created_ms: i64) -> Result<Self> {
        WorldSettings::resolve(preset, &pairs)?;
        Ok(Self {
            id: id.clone(),
            forked_from: None,
            created_ms,
            revision: 1,
            next_line: 1,
            next_round: 1,
            next_memory: 1,
            settings: BTreeMap::from([(0, (preset, pairs))]),
            people: Vec::new(),
            rooms: Vec::new(),
            nodes: BTreeMap::new(),
            rounds: BTreeMap::new(),
            memories: BTreeMap::new(),
            holdings: BTreeMap::new(),
            refreshed: BTreeSet::new(),
            keys: BTreeMap::new(),
            checkpoints: BTreeMap::new(),
            links: Vec::new(),
            keepsakes: BTreeMap::new(),
            met: Vec::new(),
            aside: Aside::default(),
            now: State::default(),
            states: BTreeMap::from([(1, State::default())]),
        })
    }

    pub(super) fn commit(&mut self) {
        self.revision += 1;
        self.states.insert(self.revision, self.now.clone());
    }

    pub(super) fn restore(&mut self, id: &CheckpointId) -> Result<()> {
        let target = self.checkpoints.get(id).ok_or_else(|| no_checkpoint(id))?.revision;
        self.go_back_to(target);
        Ok(())
    }

    pub(super) fn gather_as_of(&self, gather: &Gather, revision: u64) -> Result<Gathered> {
        let mut gathered = self.as_of(revision)?.gather(gather)?;
        gathered.world.revision = revision;
        Ok(gathered)
    }

    pub(super) fn as_of(&self, revision: u64) -> Result<Self> {
        if revision > self.revision {
            return Err(Error::invalid(format!(
                "the world is at revision {}, not yet at {revision}",
                self.revision
            )));
        }
        let mut then = self.clone();
        then.go_back_to(revision);
        Ok(then)
    }

    fn go_back_to(&mut self, target: u64) {
        self.now = self.state_at(target);
        let later = self.nodes.iter().filter(|(_, node)| node.revision > target && node.hidden_at_first);
        self.now.hidden.extend(later.map(|(number, _)| *number));
        let rooms = self.rooms.iter().enumerate().filter(|(_, room)| room.revision > target);
        self.now.rooms_away.extend(rooms.map(|(index, _)| index));
        let people = self.people.iter().enumerate().filter(|(_, person)| person.revision > target);
        self.now.people_away.extend(people.map(|(index, _)| index));
        // Even a restore that changes nothing begins anew.
        self.commit();
    }

    pub(super) fn state_at(&self, revision: u64) -> State {
        self.states.range(..=revision).next_back().map(|(_, state)| state.clone()).unwrap_or_default()
    }

    pub(super) fn put_settings(&mut self, patch: &WorldPatch) -> Result<()> {
        let (old_preset, old_pairs) = self.current_settings();
        let preset = patch.preset.unwrap_or(old_preset);
        let pairs = patched(old_pairs.clone(), patch);
        if (preset, &pairs) == (old_preset, &old_pairs) {
            return Ok(());
        }
        WorldSettings::resolve(preset, &pairs)?;
        let version = self.settings.keys().next_back().map_or(0, |newest| newest + 1);
        self.settings.insert(version, (preset, pairs));
        self.now.settings = version;
        Ok(())
    }

    pub(super) fn current_settings(&self) -> (Preset, Pairs) {
        self.settings.get(&self.now.settings).cloned().unwrap_or_default()
    }

    pub(super) fn view(&self) -> World {
        let (preset, settings) = self.current_settings();
        World {
            id: self.id.clone(),
            preset,
            settings,
            revision: self.revision,
            time: self.time(),
            forked_from: self.forked_from.clone(),
            created_ms: self.created_ms,
        }
    }

    /// The greatest time on an active path.
    pub(super) fn time(&self) -> Option<Tick> {
        let nodes = (0..self.rooms.len()).flat_map(|room| self.path(room));
        let times = nodes.filter_map(|number| self.nodes.get(&number)).map(|node| node.at);
        times.max().filter(|at| *at != Order::BEFORE_TIME)
    }

    /// The numbers of all nodes from the root to the head.
    pub(super) fn path(&self, room: usize) -> Vec<u64> {
        let mut path = Vec::new();
        let mut at = self.now.heads.get(&room).copied();
        while let Some(number) = at {
            path.push(number);
            at = self.nodes.get(&number).and_then(|node| node.parent);
        }
        path.reverse();
        path
    }
}
