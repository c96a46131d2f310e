//! What is a world, what is a checkpoint, and what does the change log say?

use crate::Error;
use crate::id::{CharacterId, CheckpointId, ConversationId, LineId, MemoryId, RoundId, WorldId};
use crate::round::RoundState;
use crate::settings::{Pairs, Preset};
use crate::store::NAMED;
use crate::time::Tick;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    pub id: WorldId,
    pub preset: Preset,
    /// What differs from the preset, as the host set it.
    pub settings: Pairs,
    /// Every commit adds one.
    pub revision: u64,
    /// The greatest tick on an active path.
    pub time: Option<Tick>,
    pub forked_from: Option<WorldId>,
    pub created_ms: i64,
}

/// What to change about a world; None leaves a thing as it is. An empty value removes a setting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorldPatch {
    pub preset: Option<Preset>,
    pub settings: Pairs,
}

/// A host-chosen name for a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    pub id: CheckpointId,
    pub revision: u64,
    pub time: Option<Tick>,
    pub created_ms: i64,
}

/// One value that a commit gave to one thing. Rows refer to texts and hold none, so that deletion can really erase.
///
/// The state of a world at revision R is, for each thing, its last value at or before R. That is all there is to
/// checkpoint, restore, fork and `as_of`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Head {
        conversation: ConversationId,
        line: Option<LineId>,
    },
    /// Who is there when a scene begins; None: it has not begun.
    Beginning {
        conversation: ConversationId,
        people: Option<Vec<CharacterId>>,
    },
    Wording {
        line: LineId,
        version: u32,
    },
    Hidden {
        line: LineId,
        hidden: bool,
    },
    /// Whether a line was never shown to anybody.
    Unshown {
        line: LineId,
        unshown: bool,
    },
    /// Which of its witnesses forgot a line; sorted, empty: nobody.
    Forgotten {
        line: LineId,
        by: Vec<CharacterId>,
    },
    /// None: it had not begun.
    Round {
        round: RoundId,
        state: Option<RoundState>,
    },
    /// What a memory is to a holder; None: it is not there.
    Holding {
        memory: MemoryId,
        holder: CharacterId,
        version: Option<u32>,
    },
    Card {
        character: CharacterId,
        version: u32,
    },
    Settings {
        version: u32,
    },
    /// Whether a restore went back behind the opening of a conversation, and nobody used it since.
    ConversationAway {
        conversation: ConversationId,
        away: bool,
    },
    /// The same of the first mention of a character.
    CharacterAway {
        character: CharacterId,
        away: bool,
    },
}

/// Why a checkpoint is not given, with some of those that are there.
pub fn no_checkpoint(id: &CheckpointId, there: &[Checkpoint]) -> Error {
    let mut names: Vec<&str> = there.iter().take(NAMED).map(|checkpoint| checkpoint.id.as_str()).collect();
    if there.len() > NAMED {
        names.push("…");
    }
    let hint = match names.is_empty() {
        true => "the world has no checkpoints yet".to_owned(),
        false => format!("the world has these: {}", names.join(", ")),
    };
    Error::not_found(format!("there is no checkpoint {id:?}")).hint(hint)
}
