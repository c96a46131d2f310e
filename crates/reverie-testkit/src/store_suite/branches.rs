//! Where does a host's round stand when its conversation branches?

use reverie_core::conversation::{Append, Attach, HeadTarget};
use reverie_core::memories::Effect;
use reverie_core::round::Ending;
use reverie_core::store::Erase;
use reverie_core::{Code, ConversationId, LineId, Result, RoundId, Store};

use super::minds::{found, in_round};
use super::stage::{Stage, check_code};

fn line(number: u64) -> LineId {
    LineId::new(number).unwrap()
}

/// Another answer beside a line.
fn swipe(
    stage: &Stage<'_>,
    room: &ConversationId,
    round: RoundId,
    beside: u64,
    play: &str,
) -> Result<LineId> {
    let append = Append { attach: Attach::Beside(line(beside)), ..in_round(round, play) };
    Ok(stage.append(room, &append)?.lines[0].id)
}

/// A round of two lines that is over and remembered.
fn asked_and_answered(stage: &Stage<'_>) -> (ConversationId, RoundId) {
    let room = stage.set(&["甲", "乙"]);
    let round = stage.begin(&room);
    stage.say_in(&room, round, "@甲: 一\n乙: 二");
    stage.complete(round);
    stage.make(vec![Effect::Digested(round)]);
    assert_eq!(stage.waiting(&room), "covered 2 | -");
    (room, round)
}

pub fn what_is_left_of_a_round_waits(store: &dyn Store) {
    let stage = Stage::new(store);
    let (room, _) = asked_and_answered(&stage);
    stage.say_at(&room, Attach::Beside(line(2)), "乙: 贰");
    assert_eq!(stage.waiting(&room), "1 3", "what was asked belongs with the new answer");
    assert_eq!(stage.backlog(&room).rounds, [], "its host's round ended elsewhere");
    stage.digest(&room, line(1), line(3));
    assert_eq!(stage.waiting(&room), "covered 3 | -");
    assert_eq!(stage.told_rounds(&room), "1 digested 乙, 甲 1-1 | 2 digested 1-3");
    stage.head(&room, HeadTarget::Line(line(2)));
    assert_eq!(stage.waiting(&room), "covered 2 | -");
    stage.head(&room, HeadTarget::Back(1));
    assert_eq!(stage.waiting(&room), "1");
    stage.head(&room, HeadTarget::Line(line(3)));
    stage.edit(line(1), "壹");
    assert_eq!(stage.waiting(&room), "1 3", "words of both rounds");
    stage.head(&room, HeadTarget::Line(line(2)));
    assert_eq!(stage.waiting(&room), "1 2");
}

pub fn another_answer_joins_its_round(store: &dyn Store) {
    let stage = Stage::new(store);
    let (room, round) = asked_and_answered(&stage);
    check_code(stage.append(&room, &in_round(round, "乙: 晚了")), Code::Conflict);
    let root = Append { attach: Attach::Root, ..in_round(round, "甲: 重来") };
    stage.append(&room, &root).unwrap();
    assert_eq!(stage.told_rounds(&room), "1 open 乙, 甲 3-3", "another beginning, too");
    stage.complete(round);
    assert_eq!(swipe(&stage, &room, round, 2, "乙: 贰").unwrap(), line(4));
    assert_eq!((stage.told_rounds(&room), stage.waiting(&room)), ("1 open 乙, 甲 1-4".into(), "1 4".into()));
    stage.head(&room, HeadTarget::Line(line(2)));
    assert_eq!(stage.waiting(&room), "1 2", "it goes on elsewhere, and nobody said that this is remembered");
    stage.make(vec![found(&room, line(1), line(2))]);
    assert_eq!(stage.waiting(&room), "covered 2 | -");
    stage.head(&room, HeadTarget::Line(line(4)));
    stage.complete(round);
    assert_eq!(stage.waiting(&room), "1 4");
    stage.make(vec![Effect::Digested(round)]);
    assert_eq!(stage.waiting(&room), "covered 4 | -");
    check_code(stage.append(&room, &in_round(round, "乙: 又晚了")), Code::Conflict);
    stage.say(&room, "甲: 五");
    check_code(stage.append(&room, &in_round(round, "乙: 离得远")), Code::Conflict);
}

pub fn an_end_judges_only_what_came_since(store: &dyn Store) {
    let stage = Stage::new(store);
    let (room, round) = asked_and_answered(&stage);
    let draft = swipe(&stage, &room, round, 2, "乙: 草稿").unwrap();
    stage.close(round, Ending::Aborted, None).unwrap();
    assert_eq!(stage.path(&room), "甲: 一", "nobody saw the new answer");
    assert!(!stage.line(draft).unwrap().shown && stage.line(line(2)).unwrap().shown);
    stage.close(round, Ending::Aborted, None).unwrap();
    check_code(stage.close(round, Ending::Complete, None), Code::Conflict);
    stage.head(&room, HeadTarget::Line(line(2)));
    assert_eq!(stage.path(&room), "甲: 一 | 乙: 二");
    assert_eq!(stage.told_rounds(&room), "1 closed 乙, 甲 1-2", "it ends where it ended before");
    let second = swipe(&stage, &room, round, 2, "乙: 贰\n乙: 叁").unwrap();
    stage.close(round, Ending::Complete, Some(second)).unwrap();
    assert_eq!(stage.path(&room), "甲: 一 | 乙: 贰");
    assert_eq!(stage.told_rounds(&room), "1 closed 乙, 甲 1-4");
    let copy = stage.fork("分叉", None);
    assert_eq!((copy.told_rounds(&room), copy.waiting(&room)), ("1 closed 乙, 甲 1-4".into(), "1 4".into()));
    stage.erase(Erase::Line(second));
    assert_eq!(stage.waiting(&room), "1", "it ends with what is left of it");
    assert_eq!(stage.backlog(&room).rounds.len(), 1);
}

pub fn a_round_that_a_restore_took_back_leaves_its_lines(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 零");
    stage.digest(&room, line(1), line(1));
    stage.save("before");
    let round = stage.begin(&room);
    stage.say_in(&room, round, "@甲: 一\n乙: 二");
    stage.complete(round);
    stage.save("after");
    stage.load("before");
    stage.head(&room, HeadTarget::Line(line(3)));
    assert_eq!((stage.waiting(&room), stage.backlog(&room).rounds.len()), ("covered 1 | 2 3".into(), 0));
    stage.digest(&room, line(2), line(3));
    assert_eq!(stage.waiting(&room), "covered 3 | -");
    stage.load("after");
    assert_eq!(stage.waiting(&room), "covered 1 | 2 3", "it is back, and waits");
    stage.make(vec![Effect::Digested(round)]);
    assert_eq!(stage.waiting(&room), "covered 3 | -");
}

pub fn rounds_at_once_leave_nothing_behind(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙", "丙"]);
    let (one, two) = (stage.begin(&room), stage.begin(&room));
    stage.say_in(&room, one, "甲: 一");
    stage.say_in(&room, two, "乙: 二\n丙: 三");
    stage.say_in(&room, one, "甲: 四");
    stage.complete(one);
    stage.complete(two);
    stage.make(vec![Effect::Digested(one), Effect::Digested(two)]);
    assert_eq!(stage.waiting(&room), "covered 4 | -");
    stage.head(&room, HeadTarget::Back(1));
    assert_eq!(stage.waiting(&room), "1 2 3", "what is left of the first stands before all of the second");
    stage.digest(&room, line(1), line(1));
    assert_eq!(stage.waiting(&room), "covered 3 | -");
    stage.head(&room, HeadTarget::Line(line(4)));
    assert_eq!(stage.waiting(&room), "covered 4 | -");
}

pub fn going_back_counts_what_was_shown(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一");
    let round = stage.begin(&room);
    let shown = stage.say_in(&room, round, "乙: 二");
    let lost = stage.say_in(&room, round, "乙: 三\n乙: 四");
    stage.close(round, Ending::Complete, Some(shown)).unwrap();
    stage.head(&room, HeadTarget::Line(lost));
    stage.say(&room, "甲: 五");
    stage.hide(line(5), true);
    let back = |lines| {
        stage.head(&room, HeadTarget::Line(line(5)));
        stage.head(&room, HeadTarget::Back(lines)).head.map(LineId::get)
    };
    assert_eq!((back(0), back(1), back(2), back(3)), (Some(5), Some(2), Some(1), None));
    stage.head(&room, HeadTarget::Line(line(5)));
    let target = HeadTarget::Back(4);
    let expected = reverie_core::conversation::ExpectedHead::Any;
    check_code(store.move_head(&stage.world, &room, target, expected), Code::Invalid);
}
