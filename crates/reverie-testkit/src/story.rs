//! What could a host do next? Random steps through the life of a few worlds.
//!
//! A step names things by small numbers; what they stand for is decided when the step is taken, among what exists then.

mod asides;
mod minds;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use reverie_core::Attribute;

pub use asides::{AsideStep, JobGuard, JobStep, Slip};
pub use minds::{GuardKind, MindStep, mindful_steps};

/// A number that picks one of however many there are.
pub type Pick = u8;

#[derive(Debug, Clone)]
pub enum Step {
    Open {
        world: Pick,
        id: Option<Pick>,
        name: Option<Pick>,
        people: Vec<Pick>,
    },
    Append {
        world: Pick,
        room: Pick,
        lines: Vec<Said>,
        attach: At,
        expect: Expect,
        key: Option<Pick>,
        timers: bool,
        round: Option<Pick>,
        refreshed: Vec<Pick>,
    },
    SetPresent {
        world: Pick,
        room: Pick,
        people: Vec<Pick>,
        expect: Expect,
    },
    MoveHead {
        world: Pick,
        room: Pick,
        to: Target,
        expect: Expect,
    },
    Revise {
        world: Pick,
        line: Pick,
        reword: bool,
        hidden: Option<bool>,
    },
    PutCharacter {
        world: Pick,
        who: Pick,
        card: Pick,
    },
    PutWorld {
        world: Pick,
        setting: Pick,
        value: Pick,
    },
    Checkpoint {
        world: Pick,
        id: Pick,
    },
    Restore {
        world: Pick,
        id: Pick,
    },
    EraseCheckpoint {
        world: Pick,
        id: Pick,
    },
    EraseLine {
        world: Pick,
        line: Pick,
    },
    EraseCharacter {
        world: Pick,
        who: Pick,
    },
    /// A copy at a checkpoint or now, each store taking what the other one gave.
    Fork {
        world: Pick,
        checkpoint: Option<Pick>,
        /// A document that is put between leaving and arriving.
        meanwhile: Option<(Pick, Vec<Pick>)>,
    },
    EraseWorld {
        world: Pick,
    },
    PutDocument {
        id: Pick,
        entries: Vec<Pick>,
        expect: Option<Pick>,
    },
    /// Even picks put an entry, odd ones remove one.
    ChangeEntries {
        id: Pick,
        changes: Vec<Pick>,
    },
    EraseDocument {
        id: Pick,
    },
    Link {
        world: Pick,
        scope: Pick,
        book: Pick,
        rank: i64,
    },
    Unlink {
        world: Pick,
        link: Pick,
    },
    /// Something of a host's file is kept, or not any more.
    Keep {
        world: Pick,
        of: Vec<Pick>,
        text: Option<Pick>,
    },
    Mind {
        world: Pick,
        step: MindStep,
    },
    Aside {
        world: Pick,
        step: AsideStep,
    },
    Ask(Question),
}

/// Every question that a read can ask, in one.
#[derive(Debug, Clone)]
pub struct Question {
    pub world: Pick,
    pub people: Vec<Pick>,
    pub witness: Option<Pick>,
    pub also: Vec<Pick>,
    pub limit: Pick,
    pub room: Option<Pick>,
    pub own_room_only: Option<bool>,
    pub budget: Option<Pick>,
}

#[derive(Debug, Clone)]
pub struct Said {
    pub attribute: Attribute,
    pub speaker: Option<Pick>,
    pub tick: Option<i64>,
    pub witnesses: Option<Vec<Pick>>,
    pub hidden: bool,
    pub host_id: Option<Pick>,
    pub named: bool,
}

#[derive(Debug, Clone, Copy)]
pub enum At {
    Head,
    Root,
    Behind(Pick),
    Beside(Pick),
}

#[derive(Debug, Clone, Copy)]
pub enum Expect {
    Any,
    Empty,
    Right,
    Line(Pick),
}

#[derive(Debug, Clone, Copy)]
pub enum Target {
    Empty,
    Line(Pick),
    Back(Pick),
}

pub fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    vec(step(), 1..most)
}

fn step() -> impl Strategy<Value = Step> {
    let w = || any::<Pick>();
    let p = || any::<Pick>();
    let people = || vec(any::<Pick>(), 0..5);
    prop_oneof![
        4 => (w(), option::weighted(0.2, p()), option::weighted(0.4, p()), people())
            .prop_map(|(world, id, name, people)| Step::Open { world, id, name, people }),
        14 => append(0.3),
        4 => (w(), p(), people(), expect())
            .prop_map(|(world, room, people, expect)| Step::SetPresent { world, room, people, expect }),
        4 => (w(), p(), target(), expect())
            .prop_map(|(world, room, to, expect)| Step::MoveHead { world, room, to, expect }),
        3 => (w(), p(), any::<bool>(), option::of(any::<bool>()))
            .prop_map(|(world, line, reword, hidden)| Step::Revise { world, line, reword, hidden }),
        2 => (w(), p(), p()).prop_map(|(world, who, card)| Step::PutCharacter { world, who, card }),
        1 => (w(), p(), p()).prop_map(|(world, setting, value)| Step::PutWorld { world, setting, value }),
        3 => (w(), 0..3u8).prop_map(|(world, id)| Step::Checkpoint { world, id }),
        3 => (w(), 0..3u8).prop_map(|(world, id)| Step::Restore { world, id }),
        1 => (w(), 0..3u8).prop_map(|(world, id)| Step::EraseCheckpoint { world, id }),
        2 => (w(), p()).prop_map(|(world, line)| Step::EraseLine { world, line }),
        1 => (w(), p()).prop_map(|(world, who)| Step::EraseCharacter { world, who }),
        1 => (w(), option::weighted(0.6, 0..3u8), option::weighted(0.7, (p(), vec(p(), 0..4))))
            .prop_map(|(world, checkpoint, meanwhile)| Step::Fork { world, checkpoint, meanwhile }),
        1 => w().prop_map(|world| Step::EraseWorld { world }),
        2 => (p(), vec(p(), 0..4), option::weighted(0.3, 0..4u8))
            .prop_map(|(id, entries, expect)| Step::PutDocument { id, entries, expect }),
        1 => (p(), vec(p(), 0..4)).prop_map(|(id, changes)| Step::ChangeEntries { id, changes }),
        1 => p().prop_map(|id| Step::EraseDocument { id }),
        3 => (w(), p(), p(), -2..3i64)
            .prop_map(|(world, scope, book, rank)| Step::Link { world, scope, book, rank }),
        1 => (w(), p()).prop_map(|(world, link)| Step::Unlink { world, link }),
        4 => (w(), vec(p(), 1..4), option::weighted(0.8, p()))
            .prop_map(|(world, of, text)| Step::Keep { world, of, text }),
        20 => (w(), minds::mind_step()).prop_map(|(world, step)| Step::Mind { world, step }),
        4 => (w(), asides::aside_step()).prop_map(|(world, step)| Step::Aside { world, step }),
        8 => question().prop_map(Step::Ask),
    ]
}

fn append(in_round: f64) -> impl Strategy<Value = Step> {
    let place = (any::<Pick>(), any::<Pick>(), attach(), expect());
    let with = (
        option::weighted(0.15, 0..4u8),
        any::<bool>(),
        option::weighted(in_round, any::<Pick>()),
        vec(any::<Pick>(), 0..3),
    );
    (place, vec(said(), 1..4), with).prop_map(
        |((world, room, attach, expect), lines, (key, timers, round, refreshed))| Step::Append {
            world,
            room,
            lines,
            attach,
            expect,
            key,
            timers,
            round,
            refreshed,
        },
    )
}

fn said() -> impl Strategy<Value = Said> {
    let attribute = prop_oneof![
        3 => Just(Attribute::User),
        5 => Just(Attribute::Assistant),
        2 => Just(Attribute::System),
    ];
    let tick = option::weighted(0.6, prop_oneof![4 => 0..20i64, 1 => -5..0i64, 1 => Just(-(1i64 << 53))]);
    (
        attribute,
        option::weighted(0.85, any::<Pick>()),
        tick,
        option::weighted(0.25, vec(any::<Pick>(), 0..3)),
        prop::bool::weighted(0.1),
        option::weighted(0.1, 0..6u8),
        prop::bool::weighted(0.1),
    )
        .prop_map(|(attribute, speaker, tick, witnesses, hidden, host_id, named)| Said {
            attribute,
            speaker,
            tick,
            witnesses,
            hidden,
            host_id,
            named,
        })
}

fn attach() -> impl Strategy<Value = At> {
    prop_oneof![
        8 => Just(At::Head),
        1 => Just(At::Root),
        2 => any::<Pick>().prop_map(At::Behind),
        2 => any::<Pick>().prop_map(At::Beside),
    ]
}

fn expect() -> impl Strategy<Value = Expect> {
    prop_oneof![
        12 => Just(Expect::Any),
        1 => Just(Expect::Empty),
        2 => Just(Expect::Right),
        1 => any::<Pick>().prop_map(Expect::Line),
    ]
}

fn target() -> impl Strategy<Value = Target> {
    prop_oneof![
        1 => Just(Target::Empty),
        3 => any::<Pick>().prop_map(Target::Line),
        3 => (0..5u8).prop_map(Target::Back),
    ]
}

fn question() -> impl Strategy<Value = Question> {
    (
        any::<Pick>(),
        vec(any::<Pick>(), 0..4),
        option::weighted(0.7, any::<Pick>()),
        vec(any::<Pick>(), 0..2),
        0..12u8,
        option::weighted(0.6, any::<Pick>()),
        option::weighted(0.3, any::<bool>()),
        option::weighted(0.3, any::<Pick>()),
    )
        .prop_map(|(world, people, witness, also, limit, room, own_room_only, budget)| Question {
            world,
            people,
            witness,
            also,
            limit,
            room,
            own_room_only,
            budget,
        })
}
