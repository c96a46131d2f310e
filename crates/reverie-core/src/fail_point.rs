//! Where may a process die while it digests? For tests: with the feature `fail-points` a process can be told to die at one of these
//! steps. Without it nothing of this is left in a build.

macro_rules! steps {
    ($($(#[$about:meta])+ $name:ident,)+) => {
        /// The steps of digest, in about the order in which they are reached.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Step {
            $($(#[$about])+ $name,)+
        }

        impl Step {
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)+
                }
            }
        }
    };
}

steps! {
    // In the engine, between two transactions.
    /// What of a conversation waits to be remembered was read.
    BacklogRead,
    /// A round that nobody closed was closed.
    RoundAbandoned,
    /// Memories of rounds are to be written.
    RoundsMade,
    /// They are written.
    RoundsKept,
    /// A summary of a day or an era is to be written.
    SummaryMade,
    /// It is written.
    SummaryKept,
    /// Jobs are to be put down.
    JobsPlanned,
    /// They are put down.
    JobsKept,
    /// A question is known, and not taken yet.
    QuestionMade,
    /// It is taken, and not asked yet.
    QuestionTaken,
    /// A model has answered.
    AnswerHeard,
    /// It said that something is worth keeping, and that is written.
    DecisionKept,
    /// What its answer brought is to be written.
    AnswerMade,
    /// It is written.
    AnswerKept,
    /// That it failed is written.
    FailureKept,
    /// Texts without vectors were read.
    TextsRead,
    /// They have vectors that are not written yet.
    VectorsMade,
    /// They are written.
    VectorsKept,
    /// That texts were refused is written.
    RefusalsKept,
    /// Every text has a vector; those of the old space are still there.
    SpaceFull,
    /// They are gone.
    SpaceKept,
    // In the store, inside of a transaction.
    /// What was read is still so.
    GuardsHeld,
    /// A memory is written, for nobody yet.
    MemoryWritten,
    /// Somebody has it.
    HoldingWritten,
    /// A state of a holding is written.
    StateWritten,
    /// A round of a host's is digested.
    RoundWritten,
    /// A round that was found is digested.
    FoundWritten,
    /// A job is written.
    JobWritten,
    /// What can be recalled now is derived.
    LivingSettled,
    /// The vectors of one text are written.
    VectorWritten,
    /// All is written, and not durable.
    BeforeCommit,
    /// It is durable, and nobody knows yet.
    Committed,
}

/// A process that was told to die here does.
#[cfg(not(feature = "fail-points"))]
#[inline(always)]
pub fn reach(_: Step) {}

#[cfg(feature = "fail-points")]
pub use armed::{arm, reach, reached};

#[cfg(feature = "fail-points")]
mod armed {
    use std::collections::BTreeMap;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use super::Step;

    struct Armed {
        at: Option<(Step, u64)>,
        reached: BTreeMap<Step, u64>,
    }

    static ARMED: Mutex<Armed> = Mutex::new(Armed { at: None, reached: BTreeMap::new() });

    fn armed() -> MutexGuard<'static, Armed> {
        ARMED.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// This process dies when it reaches the step for so many times.
    pub fn arm(step: Step, times: u64) {
        armed().at = Some((step, times));
    }

    /// How often each step was reached.
    pub fn reached() -> BTreeMap<Step, u64> {
        armed().reached.clone()
    }

    pub fn reach(step: Step) {
        let mut armed = armed();
        let times = armed.reached.entry(step).or_default();
        *times += 1;
        let times = *times;
        if armed.at == Some((step, times)) {
            std::process::abort();
        }
    }
}
