//! What could happen next to rounds and memories?

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::asides::aside_step;
use super::{Expect, Pick, Step, append, step, target};

#[derive(Debug, Clone)]
pub enum MindStep {
    OpenRound {
        room: Pick,
        people: Option<Vec<Pick>>,
    },
    CloseRound {
        room: Pick,
        round: Pick,
        aborted: bool,
        through: Option<Pick>,
    },
    /// Reads what waits and remembers some of it, unless something is not as it was read.
    Digest {
        room: Pick,
        limit: Pick,
        /// How many lines that were only posted make a round.
        size: Pick,
        /// How many rounds are remembered.
        count: Pick,
        slip: Option<Pick>,
    },
    /// Gives a holding another state.
    Change {
        memory: Pick,
        other: Pick,
        what: Pick,
        guard: GuardKind,
    },
    /// Somebody forgets some lines of a room, or has them in mind again.
    Lines {
        room: Pick,
        who: Pick,
        lines: Vec<Pick>,
        forgotten: bool,
    },
    /// Sums up some of what somebody has.
    SumUp {
        who: Pick,
        count: Pick,
        slip: bool,
    },
    /// Something that no line says, or of some line.
    Write {
        line: Option<Pick>,
        holders: Vec<Pick>,
        about: Vec<Pick>,
        fingerprint: Option<Pick>,
    },
    /// Lets go of what was derived.
    Rebuild {
        id: Pick,
    },
    /// Something that cannot be.
    Nonsense {
        room: Pick,
        what: Pick,
    },
}

#[derive(Debug, Clone, Copy)]
pub enum GuardKind {
    None,
    Version,
    StaleVersion,
    Valid(bool),
}

/// A life in few rooms, about which there is much to remember.
pub fn mindful_steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    vec(mindful_step(), most / 2..most)
}

fn mindful_step() -> impl Strategy<Value = Step> {
    let p = || any::<Pick>();
    let w = || prop_oneof![4 => Just(0), 1 => any::<Pick>()];
    let room = || 0..2u8;
    let said = append(0.6).prop_map(|mut step| {
        if let Step::Append { world, room, expect, key, .. } = &mut step {
            (*world, *room, *expect, *key) = (*world % 3, *room % 2, Expect::Any, None);
        }
        step
    });
    let minded = mind_step().prop_map(|mut step| {
        match &mut step {
            MindStep::OpenRound { room, .. }
            | MindStep::CloseRound { room, .. }
            | MindStep::Digest { room, .. }
            | MindStep::Lines { room, .. }
            | MindStep::Nonsense { room, .. } => *room %= 2,
            MindStep::Change { .. }
            | MindStep::SumUp { .. }
            | MindStep::Write { .. }
            | MindStep::Rebuild { .. } => {}
        }
        step
    });
    prop_oneof![
        16 => said,
        24 => (w(), minded).prop_map(|(world, step)| Step::Mind { world, step }),
        8 => (w(), aside_step()).prop_map(|(world, step)| Step::Aside { world, step }),
        5 => (w(), room(), target())
            .prop_map(|(world, room, to)| Step::MoveHead { world, room, to, expect: Expect::Any }),
        2 => (w(), room(), vec(p(), 0..4))
            .prop_map(|(world, room, people)| Step::SetPresent { world, room, people, expect: Expect::Any }),
        4 => (w(), p(), any::<bool>(), option::of(any::<bool>()))
            .prop_map(|(world, line, reword, hidden)| Step::Revise { world, line, reword, hidden }),
        3 => (w(), 0..3u8).prop_map(|(world, id)| Step::Checkpoint { world, id }),
        3 => (w(), 0..3u8).prop_map(|(world, id)| Step::Restore { world, id }),
        1 => (w(), p()).prop_map(|(world, line)| Step::EraseLine { world, line }),
        4 => step(),
    ]
}

pub(super) fn mind_step() -> impl Strategy<Value = MindStep> {
    let p = || any::<Pick>();
    prop_oneof![
        4 => (p(), option::weighted(0.6, vec(p(), 0..4))).prop_map(|(room, people)| MindStep::OpenRound { room, people }),
        4 => (p(), p(), any::<bool>(), option::weighted(0.5, p()))
            .prop_map(|(room, round, aborted, through)| MindStep::CloseRound { room, round, aborted, through }),
        7 => (p(), p(), 1..4u8, 1..4u8, option::weighted(0.2, p()))
            .prop_map(|(room, limit, size, count, slip)| MindStep::Digest { room, limit, size, count, slip }),
        6 => (p(), p(), p(), guard())
            .prop_map(|(memory, other, what, guard)| MindStep::Change { memory, other, what, guard }),
        4 => (p(), p(), vec(p(), 1..4), prop::bool::weighted(0.7))
            .prop_map(|(room, who, lines, forgotten)| MindStep::Lines { room, who, lines, forgotten }),
        3 => (p(), 1..4u8, prop::bool::weighted(0.1))
            .prop_map(|(who, count, slip)| MindStep::SumUp { who, count, slip }),
        2 => (option::weighted(0.5, p()), vec(p(), 0..3), vec(p(), 0..3), option::weighted(0.3, 0..3u8))
            .prop_map(|(line, holders, about, fingerprint)| MindStep::Write { line, holders, about, fingerprint }),
        1 => (0..3u8).prop_map(|id| MindStep::Rebuild { id }),
        1 => (p(), p()).prop_map(|(room, what)| MindStep::Nonsense { room, what }),
    ]
}

fn guard() -> impl Strategy<Value = GuardKind> {
    prop_oneof![
        3 => Just(GuardKind::None),
        3 => Just(GuardKind::Version),
        1 => Just(GuardKind::StaleVersion),
        1 => any::<bool>().prop_map(GuardKind::Valid),
    ]
}
