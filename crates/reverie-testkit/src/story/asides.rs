//! What could happen next beside the log: questions to models, and where texts stand in spaces of meanings?

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::Pick;

#[derive(Debug, Clone)]
pub enum AsideStep {
    /// Jobs are put or taken away, and perhaps a memory changes with them.
    Jobs {
        jobs: Vec<JobStep>,
        considers: Option<Pick>,
    },
    /// Texts get vectors: some of those that have none, or what is not there.
    Embed {
        space: Pick,
        book: Option<Pick>,
        from: Pick,
        count: Pick,
        slip: Slip,
    },
    KeepSpace {
        space: Pick,
        book: Option<Pick>,
    },
}

#[derive(Debug, Clone)]
pub struct JobStep {
    pub key: Pick,
    /// None: it is taken away.
    pub put: Option<Pick>,
    pub holders: Vec<Pick>,
    pub guard: JobGuard,
}

#[derive(Debug, Clone, Copy)]
pub enum JobGuard {
    None,
    Right,
    Wrong,
}

/// What is wrong with a vector.
#[derive(Debug, Clone, Copy)]
pub enum Slip {
    None,
    /// It is of another wording.
    Outdated,
    /// It is of something that is not there.
    Unknown,
    /// It is no vector.
    Broken,
}

pub(super) fn aside_step() -> impl Strategy<Value = AsideStep> {
    let p = || any::<Pick>();
    let space = || 0..3u8;
    let book = || option::weighted(0.3, p());
    let slip = prop_oneof![
        6 => Just(Slip::None),
        1 => Just(Slip::Outdated),
        1 => Just(Slip::Unknown),
        1 => Just(Slip::Broken),
    ];
    prop_oneof![
        5 => (vec(job(), 1..4), option::weighted(0.2, p()))
            .prop_map(|(jobs, considers)| AsideStep::Jobs { jobs, considers }),
        6 => (space(), book(), p(), 0..4u8, slip)
            .prop_map(|(space, book, from, count, slip)| AsideStep::Embed { space, book, from, count, slip }),
        1 => (space(), book()).prop_map(|(space, book)| AsideStep::KeepSpace { space, book }),
    ]
}

fn job() -> impl Strategy<Value = JobStep> {
    let guard =
        prop_oneof![2 => Just(JobGuard::None), 4 => Just(JobGuard::Right), 1 => Just(JobGuard::Wrong)];
    (0..4u8, option::weighted(0.8, any::<Pick>()), vec(any::<Pick>(), 0..3), guard)
        .prop_map(|(key, put, holders, guard)| JobStep { key, put, holders, guard })
}
