//! Is what is said to belong to a memory something else each time?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::{Told, told};

pub fn different_things(store: Arc<dyn Store>) {
    told(
        &store,
        &[
            Told {
                what: "an event once, however often it was summed up",
                story: "
                    put layers.hour = 10
                    put layers.era_days = 2
                    put recall.most.episodic = 9
                    put recall.near_duplicate = 1
                    set 张三
                    [0] 张三: 灯塔的灯坏了
                    digest now
                    [240] 张三: 灯塔的门锁着
                    digest now
                    [480] 张三: 灯塔的钥匙在树下
                    digest now
                    note 张三 (topics 灯塔): 灯塔有三十米高
                    digest
                    window 0
                    related 张三: 灯塔有多高",
                outcome: "
                    M7: M3 M4 M5
                    M2: M6 M4 M7
                    M4: M3 M5 M7
                    M1: M6 M4 M7
                    M6: M4 M7
                    M5: M6 M4 M7
                    M3: M6 M4 M7",
            },
            Told {
                what: "what says the same once, and neither the memory itself nor what has sunk",
                story: "
                    put language = en
                    put layers.hour = 60
                    put layers.situational.decay = 0.5
                    set Snow, Lime
                    [0] @Lime: Hello
                    event Snow (topics lighthouse): The lighthouse was painted white
                    [600] @Lime: Well
                    note Snow (semantic, topics lighthouse): The lighthouse is thirty metres tall
                    note Snow (semantic, topics lighthouse): The lighthouse is thirty metres tall.
                    note Snow (semantic, topics lighthouse): The door of the lighthouse is locked
                    note Snow (semantic, topics lighthouse): The door of the lighthouse is locked!
                    note Snow (semantic, topics lighthouse): Its key lies under a tree
                    related Snow: How tall is the lighthouse?",
                outcome: "
                    M2: M4 M6
                    M4: M2 M6",
            },
            Told {
                what: "what a summary does not tell, and no summary of what is told",
                story: "
                    put layers.hour = 10
                    put recall.most.episodic = 9
                    set さくら
                    [0] さくら: 灯台の明かりが消えた
                    digest now
                    [20] さくら: 植木鉢が割れた
                    digest now
                    [240] さくら: 雨が降った
                    digest now
                    digest
                    note さくら (topics 灯台): 灯台は三十メートルある
                    window 0
                    related さくら: 灯台の明かりはどうなった？",
                outcome: "
                    M1: M4 M5 M3
                    M5: M4 M3",
            },
        ],
    );
}
