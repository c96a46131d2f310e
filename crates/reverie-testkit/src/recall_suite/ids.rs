//! Which ids of prompts are taken, and what can somebody do with one that is made up?

use std::sync::Arc;

use reverie_core::{Code, Record, Store};

use super::prompter::Prompter;
use crate::store_suite::stage::lines;

const STORY: &str = "
    put layers.hour = 60
    put layers.situational.decay = 0.5
    set 小雪, 莱姆
    [0] @莱姆: 开始
    event 小雪: 灯塔修好了
    [60] @莱姆: 说说灯塔
    kept 小雪";

fn answer(prompter: &Prompter, id: &str) -> Result<(), Code> {
    let record =
        Record { lines: lines("[60] 小雪: 好"), recall: Some(id.to_owned()), ..Record::default() };
    let theatre = &prompter.theatre;
    theatre.engine.record(&theatre.world, &theatre.room(), record).map(drop).map_err(|error| error.code())
}

/// What is no id is refused, and nothing is recorded.
pub fn made_up(store: Arc<dyn Store>) {
    let mut prompter = Prompter::new(&store, "made up");
    prompter.play(STORY);
    let id = prompter.recall("小雪").unwrap().id;
    let flipped: String = id.chars().rev().map(|char| if char == '0' { '1' } else { char }).collect();
    for forged in ["", "rc1-", "灯塔", &id[..id.len() - 2], &format!("{id}00"), &flipped] {
        assert_eq!(answer(&prompter, forged), Err(Code::Invalid), "{forged}");
    }
    assert_eq!(prompter.play("sees 小雪").trim(), "小雪 sees L1 L2");
    assert_eq!(prompter.play("standing 小雪").trim(), "M1 situational 0.5000");
}

/// An id counts where it was made, and there however often.
pub fn of_another_place(store: Arc<dyn Store>) {
    let mut other = Prompter::new(&store, "another world");
    other.play(STORY);
    let foreign = other.recall("小雪").unwrap().id;
    let mut prompter = Prompter::new(&store, "this world");
    prompter.play(STORY);
    assert_eq!(answer(&prompter, &foreign), Err(Code::Invalid), "of another world");
    let id = prompter.recall("小雪").unwrap().id;
    prompter.play("set 小雪, 阿青");
    assert_eq!(answer(&prompter, &id), Err(Code::Invalid), "of another conversation");
    assert_eq!(prompter.play("standing 小雪").trim(), "M1 situational 0.5000");
    prompter.play("set 小雪, 莱姆");
    // It means the same to an engine that never made it.
    let cold = prompter.cold();
    let record = Record { lines: lines("[60] 小雪: 好"), recall: Some(id.clone()), ..Record::default() };
    cold.record(&prompter.theatre.world, &prompter.theatre.room(), record).unwrap();
    assert_eq!(prompter.play("standing 小雪").trim(), "M1 situational 1.0000");
    assert_eq!(answer(&prompter, &id), Ok(()), "once more");
    assert_eq!(prompter.play("standing 小雪").trim(), "M1 situational 1.0000");
}

/// Neither a memory that is gone nor one of somebody else comes back by an id.
pub fn of_what_is_gone(store: Arc<dyn Store>) {
    let mut prompter = Prompter::new(&store, "gone");
    prompter.play(STORY);
    let id = prompter.recall("小雪").unwrap().id;
    prompter.play("forget 小雪 M1");
    assert_eq!(answer(&prompter, &id), Ok(()));
    assert_eq!(prompter.play("kept 小雪: 灯塔").trim(), "nothing");
    let mut prompter = Prompter::new(&store, "gone with its world");
    prompter.play(STORY);
    let id = prompter.recall("小雪").unwrap().id;
    prompter.play("erase world\nset 小雪, 莱姆\n[0] @莱姆: 开始");
    let recorded = answer(&prompter, &id);
    assert!(recorded.is_ok() || recorded == Err(Code::Invalid), "{recorded:?}");
    assert_eq!(prompter.play("kept 小雪: 灯塔").trim(), "nothing");
    assert_eq!(prompter.play("mind 小雪").trim(), "小雪: nothing");
}
