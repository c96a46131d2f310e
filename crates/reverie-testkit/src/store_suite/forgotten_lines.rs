//! What does a witness see that forgot lines, and what do the others?

use reverie_core::conversation::{LinesQuery, WhichLines};
use reverie_core::memories::Effect;
use reverie_core::record::Record;
use reverie_core::settings::HistoryScope;
use reverie_core::store::{Erase, Gather, Place};
use reverie_core::world::Change;
use reverie_core::{Code, ConversationId, LineId, Store, WorldId};

use super::stage::{Stage, id, people, shown, who};

fn line(number: u64) -> LineId {
    LineId::new(number).unwrap()
}

fn forget(stage: &Stage<'_>, who: &str, lines: &[u64], forgotten: bool) {
    let lines = lines.iter().map(|number| line(*number)).collect();
    stage.make(vec![Effect::Lines { lines, holder: id(who), forgotten }]);
}

fn window(stage: &Stage<'_>, character: &str, room: &ConversationId, lines: usize) -> [String; 3] {
    let gather = Gather {
        scope: Some(HistoryScope::Conversation),
        window_lines: lines,
        also: vec![room.clone()],
        ..Gather::new(who(character), Place::Conversation(room.clone()))
    };
    let gathered = stage.store.gather(&stage.world, &gather).unwrap();
    [shown(&gathered.earlier_system), shown(&gathered.window), shown(&gathered.also)]
}

pub fn a_witness_forgets_alone(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲", "さくら", "Bob"]);
    stage.say(&room, "#さくら: 你是さくら\n甲: 一\nさくら: 二\n甲 → Bob: 三\nBob: four");
    let before = stage.view().revision;
    forget(&stage, "さくら", &[1, 2, 4], true);
    assert_eq!(stage.view().revision, before + 1, "one change, one revision");
    let left = "さくら: 二 | Bob: four";
    assert_eq!(stage.path_of(&room, "さくら"), left);
    assert_eq!(stage.path_of(&room, "甲"), "甲: 一 | さくら: 二 | 甲: 三 | Bob: four");
    assert_eq!(stage.path(&room), "さくら: 你是さくら | 甲: 一 | さくら: 二 | 甲: 三 | Bob: four");
    let by = |number| people(&stage.line(line(number)).unwrap().forgotten_by);
    assert_eq!(
        [by(1), by(2), by(3), by(4)],
        ["さくら", "さくら", "", ""],
        "what one did not witness one cannot forget"
    );
    assert_eq!(
        window(&stage, "さくら", &room, 9),
        ["", left, "さくら: 二 | 甲: 三 | Bob: four"],
        "{}",
        stage.path(&room)
    );
    assert_eq!(window(&stage, "さくら", &room, 1), ["", "Bob: four", "さくら: 二 | 甲: 三 | Bob: four"]);
    let everybody = ["甲", "さくら", "Bob"];
    assert_eq!(shown(&stage.history(&everybody, Some("さくら")).primary), left);
    assert_eq!(shown(&stage.history(&["甲", "さくら"], Some("さくら")).ancillary), left);
    assert_eq!(
        shown(&stage.history_of(&["甲"], Some("さくら"), &[&room], 9).also),
        "さくら: 二 | 甲: 三 | Bob: four"
    );
    let children = |of: u64, whose: &str| {
        let which = WhichLines::Children(Some(line(of)));
        let query = LinesQuery { which, witness: Some(id(whose)), after: None, newest_first: true, limit: 9 };
        shown(&stage.store.lines(&stage.world, &room, &query).unwrap())
    };
    assert_eq!([children(1, "さくら"), children(1, "Bob")], ["", "甲: 一"]);

    forget(&stage, "甲", &[2], true);
    assert_eq!(by(2), "さくら | 甲");
    let revision = stage.view().revision;
    forget(&stage, "甲", &[2], true);
    forget(&stage, "Bob", &[2], false);
    forget(&stage, "没有的人", &[2], true);
    assert_eq!(stage.view().revision, revision, "nothing new is no change");
    forget(&stage, "さくら", &[1, 2], false);
    assert_eq!(by(2), "甲");
    assert_eq!(stage.path_of(&room, "さくら"), "さくら: 你是さくら | 甲: 一 | さくら: 二 | Bob: four");
}

pub fn memories_of_forgotten_lines_are_in_no_view(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一\n乙: 二\n甲: 三");
    let first = stage.remember("一二", &[line(1), line(2)], &["甲", "乙"]);
    let second = stage.remember("三", &[line(3)], &["乙"]);
    stage.digest(&room, line(1), line(2));
    let day = stage.sum_up("一天", &[first, second], "乙");
    let era = stage.sum_up("一世", &[first, second, day], "乙");
    assert_eq!(stage.mind("乙"), "一二 | 三 | 一天 | 一世");
    forget(&stage, "乙", &[2], true);
    assert_eq!((stage.mind("甲"), stage.mind("乙")), ("一二".into(), "三".into()));
    assert!(!stage.one(era, "乙").live);
    assert_eq!(stage.told_rounds(&room), "1 closed 1-2", "what is left of it is remembered anew");
    forget(&stage, "乙", &[2], false);
    assert_eq!(stage.mind("乙"), "一二 | 三 | 一天 | 一世");
}

pub fn a_restore_and_a_journey_keep_who_forgot_what(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一\n乙: 二");
    stage.save("before");
    forget(&stage, "乙", &[1, 2], true);
    stage.save("after");
    forget(&stage, "乙", &[2], false);
    let sees = |stage: &Stage<'_>| stage.path_of(&room, "乙");
    assert_eq!(sees(&stage), "乙: 二");
    for (checkpoint, expected) in [(None, "乙: 二"), (Some("before"), "甲: 一 | 乙: 二"), (Some("after"), "")]
    {
        let copy = stage.fork(checkpoint.unwrap_or("now"), checkpoint);
        assert_eq!(sees(&copy), expected, "{checkpoint:?}");
        if checkpoint != Some("before") {
            copy.load("before");
            assert_eq!(sees(&copy), "甲: 一 | 乙: 二", "{checkpoint:?}");
        }
    }
    for (checkpoint, expected) in
        [("before", "甲: 一 | 乙: 二"), ("after", ""), ("before", "甲: 一 | 乙: 二")]
    {
        stage.load(checkpoint);
        assert_eq!(sees(&stage), expected, "{checkpoint}");
    }
    // Nobody forgets what others alone heard.
    let whispered = stage.say(&room, "甲 → 甲: 三");
    let mut records = stage.export(None);
    let revision = stage.view().revision;
    let place = records.iter().rposition(|record| matches!(record, Record::Change { .. })).unwrap();
    let change = Change::Forgotten { line: whispered, by: vec![id("乙")] };
    records.insert(place + 1, Record::Change { revision, change });
    let refused = store.import(&WorldId::new("假").unwrap(), &mut records.into_iter().map(Ok)).unwrap_err();
    assert_eq!(refused.code(), Code::Invalid, "{refused}");
}

pub fn an_erased_line_was_forgotten_by_nobody(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一\n乙: 二");
    forget(&stage, "乙", &[1, 2], true);
    stage.save("s");
    stage.erase(Erase::Line(line(1)));
    stage.erase(Erase::Character(id("甲")));
    let told = stage.export(None);
    let about_it = told.iter().filter(|record| {
        matches!(record, Record::Change { change: Change::Forgotten { line: of, .. }, .. } if *of == line(1))
    });
    assert_eq!(about_it.count(), 0);
    stage.load("s");
    assert_eq!((stage.path(&room), stage.path_of(&room, "乙")), ("乙: 二".into(), String::new()));
}
