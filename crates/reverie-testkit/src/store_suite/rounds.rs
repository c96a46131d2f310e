//! Rounds: who is in one, which lines, and what becomes of lines that were never shown?

use reverie_core::character::{CharacterKind, CharacterPatch};
use reverie_core::conversation::{Attach, HeadTarget, WhichLines};
use reverie_core::memories::{RoundsQuery, WhichRounds};
use reverie_core::round::{Ending, OpenRound, Round};
use reverie_core::{Code, ConversationId, LineId, RoundId, Store};

use super::minds::in_round;
use super::prompt::{at, gather};
use super::stage::{Stage, check_code, named, people, shown, who};

/// `甲=甲, role_id:1=钦灵, 乙=?`
fn cast(round: &Round) -> String {
    let one = |person: &reverie_core::round::Participant| {
        format!("{}={}", person.character, person.name.as_deref().unwrap_or("?"))
    };
    round.present.iter().map(one).collect::<Vec<_>>().join(", ")
}

pub fn a_round_has_its_people_and_its_lines(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["さくら", "甲", "Bob"]);
    stage.say(&room, "甲: 不在回合里");
    let round = stage.open_round(&room, None).unwrap();
    assert_eq!((round.id.get(), round.explicit, round.opened_ms, round.span), (1, true, 6, None));
    assert_eq!(cast(&round), "Bob=Bob, さくら=さくら, 甲=甲", "silent ones too, by id");
    stage.say_in(&room, round.id, "@甲: 一");
    stage.say(&room, "Bob: an aside");
    let last = stage.say_in(&room, round.id, "さくら: 三");
    assert_eq!(stage.told_rounds(&room), "1 open Bob, さくら, 甲 2-4");
    assert_eq!(stage.line(last).unwrap().round, Some(round.id));
    let closed = stage.close(round.id, Ending::Complete, None).unwrap();
    assert_eq!(vec![closed], stage.rounds(WhichRounds::One(round.id)));
    assert_eq!(stage.told_rounds(&room), "1 closed Bob, さくら, 甲 2-4");
    assert_eq!(stage.path(&room), "甲: 不在回合里 | 甲: 一 | Bob: an aside | さくら: 三");
    stage.head(&room, HeadTarget::Back(2));
    assert_eq!(stage.told_rounds(&room), "1 closed Bob, さくら, 甲 2-2", "as far as the path leads");
    stage.head(&room, HeadTarget::Empty);
    assert_eq!(stage.told_rounds(&room), "1 closed Bob, さくら, 甲");
}

pub fn names_are_those_of_the_moment(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲"]);
    let called = |name: Option<&str>| CharacterPatch {
        display_name: Some(name.map(str::to_owned)),
        ..CharacterPatch::default()
    };
    stage.card("乙", called(Some("小乙")));
    stage.card("丙", called(None));
    let present =
        vec![named("1", "-", "钦灵"), who("乙"), who("丙"), named("1", "-", "神秘人"), named("-", "2", "-")];
    let open = |present: Vec<_>| OpenRound { present: Some(present), now_ms: 6 };
    let round = store.open_round(&stage.world, &room, &open(present)).unwrap();
    assert_eq!(
        cast(&round),
        "role_id:1=钦灵, 乙=小乙, 丙=?, script_role_id:2=?",
        "in the host's order, each once"
    );
    stage.card("乙", called(Some("老乙")));
    let later = vec![named("1", "-", "神秘人"), who("乙")];
    let later = store.open_round(&stage.world, &room, &open(later)).unwrap();
    assert_eq!(cast(&later), "role_id:1=神秘人, 乙=老乙", "the host's name wins for this round");
    assert_eq!(stage.character("role_id:1").unwrap().card.display_name.as_deref(), Some("钦灵"));
    assert_eq!(cast(&stage.rounds(WhichRounds::One(round.id))[0]), cast(&round));
}

pub fn a_scene_turns_to_those_of_the_round(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("居酒屋", &["甲", "乙"]);
    stage.say(&room, "甲: 一");
    let before = stage.view().revision;
    let round = stage.open_round(&room, Some(&["丙", "甲"])).unwrap();
    assert_eq!(stage.view().revision, before + 1, "one revision for all of it");
    assert_eq!(people(&stage.room(&room).present), "丙 | 甲");
    assert!(stage.character("丙").is_some());
    let line = stage.say_in(&room, round.id, "丙: 二");
    assert_eq!(people(&stage.line(line).unwrap().witnesses), "丙 | 甲");
    let same = stage.open_round(&room, Some(&["甲", "丙"])).unwrap();
    assert_eq!((cast(&same), stage.room(&room).head), ("甲=甲, 丙=丙".into(), Some(line)));
}

pub fn a_set_has_only_its_own(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙", "丙"]);
    let before = stage.view().revision;
    check_code(stage.open_round(&room, Some(&["甲", "外人"])), Code::Invalid);
    assert_eq!((stage.view().revision, stage.character("外人")), (before, None));
    let round = stage.open_round(&room, Some(&["乙", "甲"])).unwrap();
    assert_eq!(cast(&round), "乙=乙, 甲=甲");
    assert_eq!(people(&stage.room(&room).present), "丙 | 乙 | 甲", "the set stays as it is");
    let nowhere = ConversationId::new("没有").unwrap();
    check_code(stage.open_round(&nowhere, None), Code::NotFound);
    check_code(stage.store.backlog(&stage.world, &nowhere, 9), Code::NotFound);
}

pub fn narrators_are_in_no_round(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let round = stage.open_round(&room, Some(&["旁白", "甲", "甲"])).unwrap();
    assert_eq!(cast(&round), "甲=甲");
    stage.card("乙", CharacterPatch { kind: Some(CharacterKind::Narrator), ..Default::default() });
    assert_eq!(cast(&stage.open_round(&room, Some(&["乙", "甲"])).unwrap()), "甲=甲");
    let line = stage.say_in(&room, round.id, "旁白: 天黑了");
    assert_eq!(stage.line(line).unwrap().round, Some(round.id));
}

pub fn a_line_needs_an_open_round(store: &dyn Store) {
    let stage = Stage::new(store);
    let (room, other) = (stage.set(&["甲", "乙"]), stage.set(&["甲", "丙"]));
    let (round, elsewhere) = (stage.begin(&room), stage.begin(&other));
    let line = stage.say_in(&room, round, "甲: 一");
    stage.complete(round);
    stage.digest(&room, stage.say(&room, "乙: 二"), line_after(line));
    let (unknown, posted) = (RoundId::new(99).unwrap(), RoundId::new(3).unwrap());
    let before = stage.view().revision;
    for (round, code) in [
        (round, Code::Conflict),
        (posted, Code::Conflict),
        (elsewhere, Code::NotFound),
        (unknown, Code::NotFound),
    ] {
        check_code(stage.append(&room, &in_round(round, "甲: 晚了")), code);
    }
    check_code(stage.close(unknown, Ending::Complete, None), Code::NotFound);
    check_code(stage.close(posted, Ending::Complete, None), Code::Conflict);
    assert_eq!((stage.path(&room), stage.view().revision), ("甲: 一 | 乙: 二".into(), before));
}

fn line_after(line: LineId) -> LineId {
    LineId::new(line.get() + 1).unwrap()
}

pub fn a_round_ends_once(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let round = stage.begin(&room);
    let first = stage.say_in(&room, round, "@甲: 一");
    let last = stage.say_in(&room, round, "乙: 二\n乙: 三");
    let outside = stage.say(&room, "甲: 外");
    check_code(stage.close(round, Ending::Complete, Some(outside)), Code::Invalid);
    let closed = stage.close(round, Ending::Aborted, Some(last)).unwrap();
    let before = stage.view().revision;
    assert_eq!(stage.close(round, Ending::Aborted, Some(last)).unwrap(), closed);
    check_code(stage.close(round, Ending::Complete, Some(last)), Code::Conflict);
    check_code(stage.close(round, Ending::Aborted, Some(first)), Code::Conflict);
    check_code(stage.close(round, Ending::Aborted, None), Code::Conflict);
    assert_eq!(stage.view().revision, before);
    let empty = stage.begin(&room);
    let closed = stage.close(empty, Ending::Aborted, None).unwrap();
    assert_eq!((closed.state.as_str(), closed.span), ("closed", None));
}

pub fn what_was_not_shown_is_in_no_view(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let round = stage.begin(&room);
    let shown_last = stage.say_in(&room, round, "@甲: 一\n乙: 二");
    let lost = stage.say_in(&room, round, "乙: 三\n乙: 四");
    let round = stage.close(round, Ending::Complete, Some(shown_last)).unwrap();
    assert_eq!(stage.told_rounds(&room), "1 closed 乙, 甲 1-2");
    assert_eq!(round.span.unwrap().last, shown_last);
    assert_eq!((stage.path(&room), stage.room(&room).head), ("甲: 一 | 乙: 二".into(), Some(shown_last)));
    // Even where the path leads through them.
    stage.head(&room, HeadTarget::Line(lost));
    stage.say(&room, "甲: 五");
    assert_eq!(stage.path(&room), "甲: 一 | 乙: 二 | 甲: 五");
    assert_eq!(stage.path_of(&room, "乙"), "甲: 一 | 乙: 二 | 甲: 五");
    assert_eq!(shown(&stage.history(&["甲", "乙"], None).primary), "甲: 一 | 乙: 二 | 甲: 五");
    assert_eq!(shown(&stage.history_of(&[], None, &[&room], 9).also), "甲: 一 | 乙: 二 | 甲: 五");
    assert_eq!(shown(&gather(&stage, "乙", at(&room), |_| ()).window), "甲: 一 | 乙: 二 | 甲: 五");
    assert_eq!(shown(&stage.lines(&room, WhichLines::Children(Some(shown_last)))), "");
    assert_eq!(stage.waiting(&room), "1 2 5");
    let tree = stage.lines(&room, WhichLines::Tree);
    assert_eq!(tree.iter().map(|line| line.shown).collect::<Vec<_>>(), [true, true, false, false, true]);
    let line = stage.hide(lost, true);
    assert_eq!((line.shown, line.hidden), (false, true));
    let line = stage.hide(lost, false);
    assert_eq!((line.shown, line.hidden), (false, false), "hiding is something else");
}

pub fn an_aborted_round_keeps_what_users_said(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let round = stage.begin(&room);
    stage.say_in(&room, round, "#: 下雨了\n@甲: 在吗\n乙: 在\n@甲: 喂\n乙: 我说在");
    stage.close(round, Ending::Aborted, None).unwrap();
    assert_eq!(stage.path(&room), ": 下雨了 | 甲: 在吗 | 甲: 喂");
    assert_eq!(stage.room(&room).head, Some(LineId::new(4).unwrap()));
    assert_eq!(stage.told_rounds(&room), "1 closed 乙, 甲 1-4");
    let unheard = stage.begin(&room);
    stage.say_in(&room, unheard, "乙: 那个\n乙: 嗯");
    stage.close(unheard, Ending::Aborted, None).unwrap();
    assert_eq!(stage.told_rounds(&room), "1 closed 乙, 甲 1-4 | 2 closed 乙, 甲");
    assert_eq!(stage.path(&room), ": 下雨了 | 甲: 在吗 | 甲: 喂");
}

pub fn the_head_moves_before_what_was_not_shown(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲", "乙"]);
    let first = stage.say(&room, "甲: 一");
    stage.present(&room, &["甲", "乙", "丙"]);
    let round = stage.begin(&room);
    stage.say_in(&room, round, "乙: 二");
    stage.present(&room, &["甲"]);
    stage.say_in(&room, round, "甲: 三");
    stage.present(&room, &["甲", "丁"]);
    stage.close(round, Ending::Aborted, None).unwrap();
    let here = stage.room(&room);
    assert_eq!((here.head, stage.path(&room)), (Some(first), "甲: 一".into()));
    assert_eq!(people(&here.present), "丙 | 乙 | 甲", "whoever came before it is still there");
    let second = stage.begin(&room);
    let shown_last = stage.say_in(&room, second, "乙: 贰");
    stage.present(&room, &["甲", "乙"]);
    stage.say(&room, "甲: 插话");
    let head = stage.say_in(&room, second, "乙: 叁");
    let between = stage.say(&room, "甲: 收尾");
    stage.close(second, Ending::Complete, Some(shown_last)).unwrap();
    assert_eq!(stage.room(&room).head, Some(between), "what follows keeps the path");
    assert_eq!(stage.path(&room), "甲: 一 | 乙: 贰 | 甲: 插话 | 甲: 收尾");
    assert!(!stage.line(head).unwrap().shown);
    let nobody = stage.scene("空", &[]);
    let only = stage.begin(&nobody);
    stage.say_in(&nobody, only, "甲: 没人听见");
    stage.close(only, Ending::Aborted, None).unwrap();
    assert_eq!((stage.room(&nobody).head, stage.path(&nobody)), (None, String::new()));
}

pub fn every_branch_of_a_round_ends(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let round = stage.begin(&room);
    let asked = stage.say_in(&room, round, "@甲: 一");
    let one = stage.say_in(&room, round, "乙: 二");
    let swipe = stage.append(
        &room,
        &reverie_core::conversation::Append { attach: Attach::Beside(one), ..in_round(round, "乙: 贰") },
    );
    let swipe = swipe.unwrap().lines[0].id;
    stage.head(&room, HeadTarget::Line(one));
    stage.close(round, Ending::Complete, Some(one)).unwrap();
    assert_eq!(shown(&stage.lines(&room, WhichLines::Children(Some(asked)))), "乙: 二");
    assert_eq!((stage.path(&room), stage.line(swipe).unwrap().shown), ("甲: 一 | 乙: 二".into(), false));
}

pub fn a_restore_opens_a_round_again(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.save("before");
    let round = stage.begin(&room);
    let line = stage.say_in(&room, round, "@甲: 一\n乙: 二");
    stage.save("open");
    stage.close(round, Ending::Aborted, None).unwrap();
    stage.save("closed");
    assert_eq!(stage.path(&room), "甲: 一");
    stage.load("open");
    assert_eq!(
        (stage.path(&room), stage.told_rounds(&room)),
        ("甲: 一 | 乙: 二".into(), "1 open 乙, 甲 1-2".into())
    );
    stage.say_in(&room, round, "乙: 三");
    stage.close(round, Ending::Complete, None).unwrap();
    assert_eq!(stage.path(&room), "甲: 一 | 乙: 二 | 乙: 三");
    stage.load("closed");
    assert_eq!(
        (stage.path(&room), stage.told_rounds(&room)),
        ("甲: 一".into(), "1 closed 乙, 甲 1-1".into())
    );
    assert!(!stage.line(line).unwrap().shown);
    stage.load("before");
    assert_eq!(stage.told_rounds(&room), "", "it has not begun");
    check_code(stage.append(&room, &in_round(round, "甲: 二")), Code::NotFound);
    check_code(stage.close(round, Ending::Complete, None), Code::NotFound);
    assert_eq!(stage.begin(&room).get(), 2, "its number is not given again");
    stage.load("closed");
    assert_eq!(stage.told_rounds(&room), "1 closed 乙, 甲 1-1");
}

pub fn rounds_are_listed_in_pages(store: &dyn Store) {
    let stage = Stage::new(store);
    let (room, other) = (stage.set(&["甲", "乙"]), stage.set(&["甲", "丙"]));
    let opened: Vec<RoundId> =
        (0..6).map(|number| stage.begin(if number == 2 { &other } else { &room })).collect();
    stage.complete(opened[3]);
    let page = |which: &WhichRounds, after: Option<RoundId>, limit| {
        let query = RoundsQuery { which: which.clone(), after, limit };
        let rounds = store.rounds(&stage.world, &query).unwrap();
        rounds.iter().map(|round| round.id.to_string()).collect::<Vec<_>>().join(" ")
    };
    let (all, open) = (WhichRounds::Of(room.clone()), WhichRounds::Open(room));
    assert_eq!((page(&all, None, 9), page(&open, None, 9)), ("1 2 4 5 6".into(), "1 2 5 6".into()));
    assert_eq!((page(&all, None, 2), page(&all, Some(opened[1]), 2)), ("1 2".into(), "4 5".into()));
    assert_eq!(page(&open, Some(opened[1]), 1), "5");
    assert_eq!(page(&WhichRounds::One(opened[2]), None, 9), "3");
    assert_eq!(page(&WhichRounds::One(RoundId::new(77).unwrap()), None, 9), "");
}
