//! How much there is, and what a slice of digesting did, on the wire.

use std::collections::BTreeMap;

use reverie_core::embed::{Embeddable, SetAside};
use reverie_core::{CharacterStats, Digested, Error, Facets, MOST_WAITING, Rebuilding, Stats, WorldId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::time::format_time;
use super::{DegradedView, ErrorDetails, ErrorView, MomentView, Page};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "DigestNow")]
pub struct DigestBody {
    /// True: what was said last is a round that is over, whatever the rules say.
    #[serde(default)]
    pub now: bool,
    /// How long to work at most, in milliseconds; default 100, at most 10000. A step that has begun is ended.
    pub slice_ms: Option<u64>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Rebuild")]
pub struct RebuildBody {
    /// The id of the checkpoint that is set before; an id that is in use moves. Absent: `before-rebuild-` and the revision.
    pub checkpoint: Option<String>,
}

/// What is to be derived anew. The server does so by itself; `POST …/digest` hurries it, and `rounds` of `GET …/stats` tell how far it is.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Rebuilding")]
pub struct RebuildView {
    /// Restoring this checkpoint takes the rebuild back.
    pub checkpoint: String,
    /// Rounds that wait to be remembered now.
    pub rounds: u64,
    /// Memories that were let go of, each counted for each who had it.
    pub memories: u64,
}

impl From<Rebuilding> for RebuildView {
    fn from(begun: Rebuilding) -> Self {
        Self {
            checkpoint: begun.checkpoint.to_string(),
            rounds: begun.let_go.rounds,
            memories: begun.let_go.holdings,
        }
    }
}

/// What was done.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Digested")]
pub struct DigestView {
    /// Conversations in which a round was over.
    pub conversations: usize,
    /// Memories that were made, each once, however many characters have it.
    pub memories: usize,
    /// Those of them that sum up a day or an era; whoever lived through the same day shares one.
    pub summaries: usize,
    /// True if there was more to do when the time was over: ask again.
    pub more: bool,
    /// When a round will be over at the latest, if nothing is said until then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look_again: Option<String>,
    /// What could not be done. The rest went on.
    pub failed: Vec<DigestFailure>,
    /// Absent, unless texts could not be embedded. What is remembered does not wait for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_embedded: Option<ErrorDetails>,
    /// What it goes on without: models that fail and are left alone. What they would make of it waits.
    pub degraded: Vec<DegradedView>,
}

impl DigestView {
    #[must_use]
    pub fn without(mut self, degraded: Vec<DegradedView>) -> Self {
        self.degraded = degraded;
        self
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct DigestFailure {
    pub world: String,
    pub error: ErrorDetails,
}

impl From<Digested> for DigestView {
    fn from(done: Digested) -> Self {
        let details = |error: &Error| ErrorView::new(error.code(), error.message(), error.hint_text()).error;
        let failure = |(world, error): (WorldId, Error)| DigestFailure {
            world: world.to_string(),
            error: details(&error),
        };
        Self {
            conversations: done.conversations,
            memories: done.memories,
            summaries: done.summaries,
            more: done.more,
            look_again: done.look_again_ms.and_then(format_time),
            failed: done.failed.into_iter().map(failure).collect(),
            not_embedded: done.not_embedded.as_ref().map(details),
            degraded: Vec::new(),
        }
    }
}

/// How much a world holds that is there now; what came after a checkpoint that was restored is not.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Stats")]
pub struct StatsView {
    pub revision: u64,
    pub characters: u64,
    pub conversations: u64,
    /// On the active paths: neither swipes beside them nor what was taken back.
    pub lines: u64,
    pub rounds: RoundCounts,
    /// Memories that somebody has.
    pub memories: u64,
    /// Conversations in which something waits to be remembered.
    pub waiting_conversations: usize,
    /// Absent, unless so many wait that the rest was not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_is_more: Option<bool>,
    /// Where texts stand in spaces of meanings.
    pub embedding: EmbeddingStats,
    /// What it goes on without: models that fail and are left alone. What they would make of rounds and days waits.
    pub degraded: Vec<DegradedView>,
    /// What each character can recall.
    pub by_character: Page<CharacterStatsView>,
}

impl StatsView {
    #[must_use]
    pub fn without(mut self, degraded: Vec<DegradedView>) -> Self {
        self.degraded = degraded;
        self
    }
}

/// How far the texts of memories have vectors.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EmbeddingStats {
    /// Texts of memories that somebody has.
    pub texts: usize,
    /// How many of them have a vector, by the name of the space: model and dimensions.
    pub by_space: BTreeMap<String, usize>,
    /// How many of them the model of a space refused, where it did: they have none.
    pub set_aside_by_space: BTreeMap<String, usize>,
    /// Texts that the embedding model refused, those of book entries too. They are found by their words alone, and tried again when
    /// their wording, the model or its settings change. The first hundred.
    pub set_aside: Vec<SetAsideView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SetAside")]
pub struct SetAsideView {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// Whose own words they are; absent: the memory's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub character: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub book: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    pub space: String,
    pub reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

impl From<SetAside> for SetAsideView {
    fn from(text: SetAside) -> Self {
        let (memory, character, book, entry) = match text.what {
            Embeddable::Memory { memory, .. } => (Some(memory), None, None, None),
            Embeddable::Own { memory, holder, .. } => (Some(memory), Some(holder), None, None),
            Embeddable::Entry { book, entry } => (None, None, Some(book), Some(entry)),
        };
        Self {
            memory: memory.map(|memory| memory.to_string()),
            character: character.map(|character| character.to_string()),
            book: book.map(|book| book.to_string()),
            entry: entry.map(|entry| entry.to_string()),
            space: text.space,
            reason: text.reason,
            at: format_time(text.at_ms),
        }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct RoundCounts {
    pub open: u64,
    pub closed: u64,
    pub digested: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "CharacterStats")]
pub struct CharacterStatsView {
    pub character: String,
    /// All that it can recall, dormant ones too.
    pub memories: usize,
    pub by_kind: BTreeMap<&'static str, usize>,
    /// Episodic ones.
    pub by_layer: BTreeMap<&'static str, usize>,
    pub pinned: usize,
    /// Summaries made without a model of one memory alone that can be recalled itself: they only repeat it.
    pub repeats: usize,
    /// Those that are not put before the character, by reason.
    pub dormant: BTreeMap<&'static str, usize>,
}

/// What one character can recall, counted by what one would look for it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "CharacterFacets")]
pub struct CharacterFacetsView {
    #[serde(flatten)]
    pub stats: CharacterStatsView,
    /// What was felt, by the names that memories have for it: how many each, without `repeats`. The 200 most frequent.
    pub emotions: BTreeMap<String, usize>,
    /// Whom memories are about, by id: how many each, without `repeats`. The 200 most frequent.
    pub people: BTreeMap<String, usize>,
    /// Memories that it forgot; none of the others.
    pub forgotten: usize,
    /// The earliest tick and the earliest time of any memory; absent without memories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<MomentView>,
    /// The latest ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<MomentView>,
}

impl From<Facets> for CharacterFacetsView {
    fn from(facets: Facets) -> Self {
        Self {
            stats: facets.stats.into(),
            emotions: facets.emotions.into_iter().collect(),
            people: facets.people.into_iter().map(|(id, count)| (id.to_string(), count)).collect(),
            forgotten: facets.forgotten,
            first: facets.first.map(MomentView::from),
            last: facets.last.map(MomentView::from),
        }
    }
}

impl From<Stats> for StatsView {
    fn from(stats: Stats) -> Self {
        let counts = stats.counts;
        let items: Vec<_> = stats.characters.items.into_iter().map(CharacterStatsView::from).collect();
        let next = items.last().filter(|_| stats.characters.has_more).map(|last| last.character.clone());
        Self {
            revision: stats.revision,
            characters: counts.characters,
            conversations: counts.conversations,
            lines: counts.lines,
            rounds: RoundCounts {
                open: counts.open_rounds,
                closed: counts.closed_rounds,
                digested: counts.digested_rounds,
            },
            memories: counts.memories,
            waiting_conversations: stats.waiting,
            waiting_is_more: (stats.waiting >= MOST_WAITING).then_some(true),
            embedding: EmbeddingStats {
                texts: stats.spaces.texts,
                by_space: stats.spaces.embedded,
                set_aside_by_space: stats.aside_by_space,
                set_aside: stats.set_aside.into_iter().map(SetAsideView::from).collect(),
            },
            degraded: Vec::new(),
            by_character: Page { items, next },
        }
    }
}

impl From<CharacterStats> for CharacterStatsView {
    fn from(stats: CharacterStats) -> Self {
        Self {
            character: stats.character.to_string(),
            memories: stats.memories,
            by_kind: stats.kinds.into_iter().map(|(kind, count)| (kind.as_str(), count)).collect(),
            by_layer: stats.layers.into_iter().map(|(layer, count)| (layer.as_str(), count)).collect(),
            pinned: stats.pinned,
            repeats: stats.repeats,
            dormant: stats.dormant.into_iter().map(|(reason, count)| (reason.as_str(), count)).collect(),
        }
    }
}
