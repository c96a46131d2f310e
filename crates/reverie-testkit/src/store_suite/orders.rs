//! In which order memories are listed, page by page: as they were made, and by either clock as it happened.

use reverie_core::Store;
use reverie_core::memories::{Effect, HeldQuery, MemoryOrder, NewMemory, WhichHeld};
use reverie_core::memory::{Held, Layer, Origin};

use super::minds::{everything, told_held};
use super::stage::{Stage, id};

pub fn memories_come_in_the_order_in_which_it_happened(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.set(&["甲", "乙"]);
    let with = |text: &str, tick: Option<i64>, wall_ms: i64, layer: Option<Layer>| {
        let mut new = NewMemory { origin: Origin::Event, ..stage.memory(text, &[], &["甲", "乙"]) };
        (new.tick, new.wall_ms) = (tick, wall_ms);
        new.holders.iter_mut().for_each(|(_, state)| state.layer = layer);
        Effect::Remember(new)
    };
    // Written down long after it happened, in several layers, at the same time, at no tick, and at one before all others.
    let made = stage.make(vec![
        with("昨天", Some(20), 50, Some(Layer::Active)),
        with("childhood", Some(-7), 60, Some(Layer::Archive)),
        with("むかし", None, 40, Some(Layer::Events)),
        with("今", Some(20), 50, None),
        with("never", None, 90, Some(Layer::Situational)),
        with("once", Some(0), 10, Some(Layer::Active)),
    ]);
    stage.put_state(made[5], "甲", |state| state.forgotten = true);
    for (order, all, expected) in [
        (MemoryOrder::Made, false, "昨天 | childhood | むかし | 今 | never"),
        (MemoryOrder::Time, false, "むかし | 昨天 | 今 | childhood | never"),
        (MemoryOrder::Tick, false, "むかし | never | childhood | 昨天 | 今"),
        (MemoryOrder::Made, true, "昨天 | childhood | むかし | 今 | never | once"),
        (MemoryOrder::Time, true, "once | むかし | 昨天 | 今 | childhood | never"),
        (MemoryOrder::Tick, true, "むかし | never | childhood | once | 昨天 | 今"),
    ] {
        let of_one = HeldQuery { order, all, ..everything("甲") };
        let of_all = HeldQuery { holder: None, ..of_one.clone() };
        assert_eq!(told_held(&store.held(&stage.world, &of_one).unwrap()), expected, "{order:?} {all}");
        for query in [of_one, of_all] {
            let forwards = store.held(&stage.world, &query).unwrap();
            let backwards = HeldQuery { newest_first: true, ..query.clone() };
            let mut backwards = paged(store, &stage, &backwards, 100);
            backwards.reverse();
            assert_eq!(backwards, forwards, "{order:?} {all}, the last one first");
            for limit in [1, 2, 5] {
                assert_eq!(paged(store, &stage, &query, limit), forwards, "{order:?} {all} by {limit}");
                let newest_first = HeldQuery { newest_first: true, ..query.clone() };
                let mut newest_first = paged(store, &stage, &newest_first, limit);
                newest_first.reverse();
                assert_eq!(newest_first, forwards, "{order:?} {all} backwards by {limit}");
            }
        }
    }
    let order = MemoryOrder::Tick;
    let about = WhichHeld::About(vec![id("甲")]);
    let by_layer = HeldQuery { order, layers: vec![Layer::Active, Layer::Events], ..everything("乙") };
    assert_eq!(told_held(&store.held(&stage.world, &by_layer).unwrap()), "むかし | once | 昨天");
    let about = HeldQuery { order, which: about, limit: 2, newest_first: true, ..everything("乙") };
    let found = store.held(&stage.world, &about).unwrap();
    assert_eq!(found.len(), found.iter().filter(|held| held.memory.about.contains(&id("甲"))).count());
}

fn paged(store: &dyn Store, stage: &Stage<'_>, query: &HeldQuery, limit: usize) -> Vec<Held> {
    let mut all: Vec<Held> = Vec::new();
    loop {
        let after = all.last().map(|last| query.order.place(last));
        let page = store.held(&stage.world, &HeldQuery { after, limit, ..query.clone() }).unwrap();
        let is_last = page.len() < limit;
        all.extend(page);
        if is_last {
            return all;
        }
    }
}
