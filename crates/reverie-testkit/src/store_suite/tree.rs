//! The tree of lines: heads, branches, pages, edits, deletions.

use reverie_core::conversation::{Append, Attach, ExpectedHead, HeadTarget, LinesQuery, WhichLines};
use reverie_core::store::{Erase, LinePatch};
use reverie_core::{Code, LineId, Store};

use super::stage::{Stage, check_code, lines, shown};

pub fn from_the_root_to_the_head(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    assert_eq!((stage.room(&room).head, stage.path(&room)), (None, String::new()));
    let head = stage.say(&room, "甲: 一\n乙: 二\n甲: 三");
    assert_eq!(stage.room(&room).head, Some(head));
    let path = stage.lines(&room, WhichLines::Path);
    assert_eq!(shown(&path), "甲: 一 | 乙: 二 | 甲: 三");
    let parents: Vec<_> = path.iter().map(|line| line.parent).collect();
    assert_eq!(parents, [None, Some(path[0].id), Some(path[1].id)]);
}

pub fn undo_goes_back_some_lines(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一\n乙: 二\n甲: 三");
    stage.head(&room, HeadTarget::Back(2));
    assert_eq!(stage.path(&room), "甲: 一");
    let far = store.move_head(&stage.world, &room, HeadTarget::Back(2), ExpectedHead::Any);
    check_code(far, Code::Invalid);
    stage.head(&room, HeadTarget::Back(0));
    assert_eq!(stage.path(&room), "甲: 一");
    stage.say(&room, "乙: 另一种二");
    assert_eq!(stage.path(&room), "甲: 一 | 乙: 另一种二");
    assert_eq!(stage.lines(&room, WhichLines::Tree).len(), 4, "nothing is lost");
}

pub fn a_swipe_is_a_sibling(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let asked = stage.say(&room, "甲: 问");
    let answer = stage.say(&room, "乙: 答一");
    stage.say(&room, "甲: 后来");
    stage.say_at(&room, Attach::Beside(answer), "乙: 答二");
    assert_eq!(stage.path(&room), "甲: 问 | 乙: 答二");
    assert_eq!(shown(&stage.lines(&room, WhichLines::Children(Some(asked)))), "乙: 答一 | 乙: 答二");
    stage.head(&room, HeadTarget::Line(answer));
    assert_eq!(stage.path(&room), "甲: 问 | 乙: 答一");
}

pub fn a_branch_behind_any_line(store: &dyn Store) {
    let stage = Stage::new(store);
    let (room, other) = (stage.set(&["甲", "乙"]), stage.set(&["丙"]));
    let one = stage.say(&room, "甲: 一");
    stage.say(&room, "乙: 二\n甲: 三");
    stage.say_at(&room, Attach::Behind(one), "乙: 贰\n甲: 叁");
    assert_eq!(stage.path(&room), "甲: 一 | 乙: 贰 | 甲: 叁");
    for attach in [Attach::Behind(one), Attach::Beside(one)] {
        let append = Append { lines: lines("丙: 认错了"), attach, ..Default::default() };
        check_code(stage.append(&other, &append), Code::NotFound);
    }
}

pub fn a_second_root(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let greeting = stage.say(&room, "乙: 你好");
    stage.say_at(&room, Attach::Root, "乙: 另一种开场");
    stage.say_at(&room, Attach::Beside(greeting), "乙: 第三种");
    assert_eq!(stage.path(&room), "乙: 第三种");
    let roots = stage.lines(&room, WhichLines::Children(None));
    assert_eq!(shown(&roots), "乙: 你好 | 乙: 另一种开场 | 乙: 第三种");
}

pub fn a_head_can_be_put_anywhere(store: &dyn Store) {
    let stage = Stage::new(store);
    let (room, other) = (stage.set(&["甲", "乙"]), stage.set(&["丙"]));
    let left = stage.say(&room, "甲: 一\n乙: 左");
    let elsewhere = stage.say(&other, "丙: 别处");
    let right = stage.say_at(&room, Attach::Beside(left), "乙: 右\n甲: 右右");
    stage.head(&room, HeadTarget::Line(left));
    assert_eq!(stage.path(&room), "甲: 一 | 乙: 左");
    stage.head(&room, HeadTarget::Line(right));
    assert_eq!(stage.path(&room), "甲: 一 | 乙: 右 | 甲: 右右");
    assert_eq!(stage.head(&room, HeadTarget::Empty).head, None);
    for nowhere in [elsewhere, LineId::new(999).unwrap()] {
        let moved = store.move_head(&stage.world, &room, HeadTarget::Line(nowhere), ExpectedHead::Any);
        check_code(moved, Code::NotFound);
    }
}

pub fn expected_head_guards_against_races(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let say = |expected_head, play: &str| {
        stage.append(&room, &Append { lines: lines(play), expected_head, ..Default::default() })
    };
    let one = say(ExpectedHead::Empty, "甲: 一").unwrap().head.unwrap();
    check_code(say(ExpectedHead::Empty, "乙: 也是第一"), Code::Conflict);
    let two = say(ExpectedHead::Line(one), "乙: 二").unwrap().head.unwrap();
    check_code(say(ExpectedHead::Line(one), "乙: 也是第二"), Code::Conflict);
    let undo = |expected| store.move_head(&stage.world, &room, HeadTarget::Back(1), expected);
    check_code(undo(ExpectedHead::Line(one)), Code::Conflict);
    undo(ExpectedHead::Line(two)).unwrap();
    assert_eq!(stage.path(&room), "甲: 一");
}

pub fn lines_are_read_in_pages(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    for number in 1..=7 {
        stage.say(&room, &format!("甲: {number}"));
    }
    for (newest_first, expected) in
        [(false, ["1 2 3", "4 5 6", "7", ""]), (true, ["7 6 5", "4 3 2", "1", ""])]
    {
        let mut after = None;
        for page in expected {
            let query = LinesQuery { which: WhichLines::Path, witness: None, after, newest_first, limit: 3 };
            let lines = store.lines(&stage.world, &room, &query).unwrap();
            let told: Vec<&str> = lines.iter().map(|line| line.wording.content.as_str()).collect();
            assert_eq!(told.join(" "), page);
            after = lines.last().map(|line| line.id).or(after);
        }
    }
}

pub fn an_edit_is_a_new_version(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let line = stage.say(&room, "甲: 打错子");
    let edited = stage.edit(line, "打错字");
    assert_eq!((edited.id, edited.version, edited.wording.content.as_str()), (line, 1, "打错字"));
    assert_eq!(stage.edit(line, "打错字").version, 1, "into the same: no edit");
    assert_eq!(stage.edit(line, "没打错").version, 2);
    assert_eq!(stage.path(&room), "甲: 没打错");
    let nobody = store.revise(&stage.world, LineId::new(99).unwrap(), &LinePatch::default());
    check_code(nobody, Code::NotFound);
}

pub fn a_hidden_line_is_in_no_prompt(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let line = stage.say(&room, "甲: 别当真");
    stage.say(&room, "乙: 好");
    assert!(stage.hide(line, true).hidden);
    assert_eq!(stage.path(&room), "甲: 别当真 | 乙: 好", "it is still on the path");
    assert_eq!(shown(&stage.history(&["甲", "乙"], None).primary), "乙: 好");
    stage.hide(line, false);
    assert_eq!(shown(&stage.history(&["甲", "乙"], None).primary), "甲: 别当真 | 乙: 好");
}

pub fn deleting_splices_a_line_out(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一");
    let two = stage.say(&room, "乙: 二");
    let three = stage.say(&room, "甲: 三");
    stage.say_at(&room, Attach::Behind(two), "甲: 叁");
    stage.erase(Erase::Line(two));
    assert_eq!(stage.path(&room), "甲: 一 | 甲: 叁");
    stage.head(&room, HeadTarget::Line(three));
    assert_eq!(stage.path(&room), "甲: 一 | 甲: 三");
    check_code(store.erase(&stage.world, &Erase::Line(two)), Code::NotFound);
    check_code(store.revise(&stage.world, two, &LinePatch::default()), Code::NotFound);
}

pub fn deleting_the_head_moves_it_up(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let one = stage.say(&room, "甲: 一");
    let two = stage.say(&room, "乙: 二");
    stage.erase(Erase::Line(two));
    assert_eq!(stage.room(&room).head, Some(one));
    stage.erase(Erase::Line(one));
    assert_eq!((stage.room(&room).head, stage.path(&room)), (None, String::new()));
    stage.say(&room, "甲: 又一");
    assert_eq!(stage.path(&room), "甲: 又一");
}
