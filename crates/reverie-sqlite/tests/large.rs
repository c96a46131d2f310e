//! Deep trees, crowds and many circles: is anything slower than it has to be?
//!
//! Nothing is timed here; each of these took minutes when its cost grew with the square of its size.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use reverie_core::conversation::{Append, Attach, HeadTarget, WhichLines};
use reverie_core::memories::{BacklogsQuery, Effect, WhichHeld};
use reverie_core::store::Erase;
use reverie_core::{LineId, Memories as _};
use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::store_suite::minds::found;
use reverie_testkit::store_suite::stage::{Stage, id, lines, shown};

const DEEP: usize = 20_000;

fn with_store(work: impl FnOnce(&SqliteStore)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = SqliteStore::open(&path, Options::default()).unwrap();
    work(&store);
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

#[test]
fn a_deep_tree() {
    with_store(|store| {
        let stage = Stage::new(store);
        let room = stage.set(&["甲", "乙"]);
        let mut first = None;
        for batch in 0..DEEP / 500 {
            let play: Vec<String> = (0..250).map(|n| format!("甲: {batch} {n}\n乙: {batch} {n}")).collect();
            let said = Append { lines: lines(&play.join("\n")), ..Append::default() };
            first = first.or(stage.append(&room, &said).unwrap().lines.first().map(|line| line.id));
            // Every head was somewhere else once.
            stage.head(&room, HeadTarget::Back(1));
            stage.say(&room, "乙: 改口");
        }
        stage.save("deep");
        stage.head(&room, HeadTarget::Empty);
        stage.say_at(&room, Attach::Root, "甲: 另起");
        stage.load("deep");
        stage.head(&room, HeadTarget::Back(DEEP - 1));
        assert_eq!(stage.room(&room).head, first);
        stage.load("deep");
        stage.erase(Erase::Line(first.unwrap()));
        stage.erase(Erase::Character(id("乙")));
        let newest = stage.history_of(&["甲", "deleted:1"], Some("甲"), &[], 2).primary;
        assert_eq!(shown(&newest), "甲: 39 248 | 甲: 39 249");
        let fork = stage.fork("写し", Some("deep"));
        assert_eq!(fork.room(&room).head, stage.room(&room).head);
    });
}

#[test]
fn a_crowd_that_comes_one_by_one() {
    with_store(|store| {
        let stage = Stage::new(store);
        let square = stage.scene("广场", &[]);
        for number in 0..300 {
            stage.say(&square, &format!("群众 {number}: 到"));
        }
        assert_eq!(stage.room(&square).participants.len(), 300);
        assert_eq!(stage.path_of(&square, "群众 299"), "群众 299: 到");
        let newest = stage.history_of(&["群众 7"], Some("群众 7"), &[], 2).ancillary;
        assert_eq!(shown(&newest), "群众 298: 到 | 群众 299: 到");
        stage.head(&square, HeadTarget::Back(200));
        assert_eq!(stage.room(&square).participants.len(), 100);
    });
}

#[test]
fn as_many_circles_as_lines() {
    with_store(|store| {
        let stage = Stage::new(store);
        let names: Vec<String> = (0..12).map(|number| format!("客{number}")).collect();
        let crowd: Vec<&str> = names.iter().map(String::as_str).collect();
        let room = stage.set(&crowd);
        let mut play = String::new();
        for number in 1..2000usize {
            let heard: Vec<&str> = crowd
                .iter()
                .enumerate()
                .filter(|(at, _)| number & (1 << at) != 0)
                .map(|(_, name)| *name)
                .collect();
            play.push_str(&format!("客0 → {}: {number}\n", heard.join(", ")));
        }
        stage.append(&room, &Append { lines: lines(&play), ..Append::default() }).unwrap();
        let newest = stage.history_of(&crowd, Some("客1"), &[], 3).primary;
        assert_eq!(shown(&newest), "客0: 1995 | 客0: 1998 | 客0: 1999");
        stage.head(&room, HeadTarget::Back(1000));
        assert_eq!(shown(&stage.history_of(&crowd, Some("客11"), &[], 3).primary), "");
    });
}

#[test]
fn a_door_that_never_rests() {
    with_store(|store| {
        let stage = Stage::new(store);
        let inn = stage.scene("酒馆", &["甲"]);
        let said = stage.say(&inn, "甲: 欢迎");
        for number in 0..4000 {
            let people: &[&str] = if number % 2 == 0 { &["甲", "乙"] } else { &["甲"] };
            assert_eq!(stage.present(&inn, people).head, Some(said));
        }
        let line = stage.say(&inn, "甲: 都走了");
        assert_eq!(stage.lines(&inn, WhichLines::Path).get(1).unwrap().parent, Some(said));
        stage.erase(Erase::Line(line));
        assert_eq!(stage.room(&inn).head, Some(said));
        stage.erase(Erase::Line(said));
        assert_eq!(stage.room(&inn).head, None);
    });
}

/// Thousands of rounds, each remembered by two, many of them summed up; then much of it moves at once.
#[test]
fn a_long_memory() {
    const ROUNDS: usize = 2000;
    with_store(|store| {
        let stage = Stage::new(store);
        let room = stage.set(&["甲", "乙"]);
        let play: Vec<String> =
            (0..ROUNDS).map(|number| format!("[{number}] 甲: {number}\n乙: 嗯")).collect();
        stage.append(&room, &Append { lines: lines(&play.join("\n")), ..Append::default() }).unwrap();
        let mut digested = 0;
        while digested < ROUNDS {
            let waiting = store.backlog(&stage.world, &room, 40).unwrap();
            assert_eq!(waiting.lines.len(), 40);
            let mut effects = Vec::new();
            for pair in waiting.lines.chunks(2) {
                let of: Vec<LineId> = pair.iter().map(|line| line.line.id).collect();
                effects.push(Effect::Remember(stage.memory(
                    &format!("第 {digested} 轮"),
                    &of,
                    &["甲", "乙"],
                )));
                effects.push(found(&room, of[0], of[1]));
                digested += 1;
            }
            let made = stage.make(effects);
            let holder = if digested % 200 < 100 { "甲" } else { "乙" };
            stage.sum_up(&format!("到第 {digested} 轮"), &made, holder);
        }
        let backlogs = || store.backlogs(&BacklogsQuery { limit: 9, ..BacklogsQuery::default() }).unwrap();
        let minds = || ["甲", "乙"].map(|who| stage.held_by(who, WhichHeld::Unsummarised, false).len());
        assert_eq!((backlogs(), minds()), (Vec::new(), [1000, 1000]));
        stage.save("all");
        stage.head(&room, HeadTarget::Empty);
        assert_eq!(minds(), [0, 0]);
        stage.load("all");
        stage.head(&room, HeadTarget::Back(3));
        let line = stage.say(&room, "甲: 改口");
        assert_eq!(backlogs().len(), 1);
        stage.load("all");
        stage.edit(LineId::new(1).unwrap(), "改了");
        assert_eq!(stage.waiting(&room), format!("covered {} | 1 2", 2 * ROUNDS));
        stage.erase(Erase::Line(line));
        stage.erase(Erase::Character(id("乙")));
        assert_eq!(stage.mind("甲"), "", "every memory was of a line that is gone");
        assert_eq!(stage.backlog(&room).lines.len(), 1000);
        assert_eq!(stage.fork("写し", Some("all")).waiting(&room), stage.waiting(&room));
    });
}
