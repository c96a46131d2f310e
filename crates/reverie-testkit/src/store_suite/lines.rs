//! Lines: what is kept of each, when was it said, and who witnessed it?

use reverie_core::conversation::{Append, AppendKey, Attach, ExpectedHead, HeadTarget};
use reverie_core::fingerprint::fingerprint;
use reverie_core::line::{NewLine, Wording};
use reverie_core::store::Erase;
use reverie_core::{Attribute, Code, LineId, Store};

use super::stage::{Stage, check_code, lines, named, people, shown, who};

pub fn every_field_comes_back(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &[]);
    let text = |text: &str| Some(text.to_owned());
    let wording = Wording {
        content: "你好！\n「こんにちは」 Hi 🐱 {x}【y】".to_owned(),
        original_emotion: text("开心"),
        predicted_emotion: text("高兴"),
        tts: text("ニャー"),
        action: text("挥手"),
        audio: text("声/1.ogg"),
    };
    let line = NewLine {
        attribute: Attribute::Assistant,
        speaker: Some(named("1", "-", "钦灵")),
        display_name: text("神秘人"),
        wording: wording.clone(),
        tick: Some(-(1 << 53)),
        wall_ms: Some(1_700_000_000_000),
        host_id: text("行 #1"),
        witnesses: Some(vec![who("さくら"), who("さくら")]),
        hidden: true,
    };
    let append = Append { lines: vec![line], now_ms: 5, ..Default::default() };
    let appended = stage.append(&room, &append).unwrap();
    let line = appended.lines[0].clone();
    assert_eq!((line.attribute, &line.wording), (Attribute::Assistant, &wording));
    assert_eq!(line.speaker.as_ref().unwrap().as_str(), "role_id:1");
    assert_eq!(line.name.as_deref(), Some("神秘人"));
    assert_eq!((line.tick, line.wall_ms), (Some(-(1 << 53)), 1_700_000_000_000));
    assert_eq!(line.host_id.as_deref(), Some("行 #1"));
    assert_eq!(people(&line.witnesses), "role_id:1 | さくら");
    assert_eq!((line.hidden, line.version, line.parent), (true, 0, None));
    assert_eq!((line.conversation.clone(), appended.head), (room.clone(), Some(line.id)));
    assert_eq!(stage.line(line.id), Ok(line.clone()));
    check_code(stage.line(LineId::new(line.id.get() + 1).unwrap()), Code::NotFound);
    assert_eq!(stage.lines(&room, Default::default()), [line]);
}

pub fn numbers_run_through_the_world(store: &dyn Store) {
    let stage = Stage::new(store);
    let (one, two) = (stage.set(&["甲", "乙"]), stage.set(&["丙", "丁"]));
    let numbers: Vec<_> = [
        stage.say(&one, "甲: 一"),
        stage.say(&two, "丙: 二"),
        stage.say(&one, "乙: 三\n甲: 四"),
        stage.say_at(&two, Attach::Root, "丁: 五"),
    ]
    .into();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    stage.erase(Erase::Line(numbers[3]));
    assert!(stage.say(&two, "丁: 六") > numbers[3], "a number is given once");
}

pub fn wall_time_is_given_or_now(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let mut two = lines("甲: 一\n乙: 二");
    two[0].wall_ms = Some(-1);
    let appended = stage.append(&room, &Append { lines: two, now_ms: 77, ..Default::default() }).unwrap();
    assert_eq!(appended.lines.iter().map(|line| line.wall_ms).collect::<Vec<_>>(), [-1, 77]);
}

pub fn a_missing_tick_is_inherited(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲"]);
    stage.say(&room, "甲: 没有");
    let ten = stage.say(&room, "[10] 甲: 十");
    stage.present(&room, &["甲", "乙"]);
    stage.say(&room, "甲: 也是十\n[3] 甲: 三\n甲: 也是三");
    let ticks = |stage: &Stage<'_>| {
        stage.lines(&room, Default::default()).iter().map(|line| line.tick).collect::<Vec<_>>()
    };
    assert_eq!(ticks(&stage), [None, Some(10), Some(10), Some(3), Some(3)]);
    stage.say_at(&room, Attach::Beside(ten), "甲: 又没有");
    assert_eq!(ticks(&stage), [None, None]);
}

pub fn a_tick_that_runs_back_is_reported(store: &dyn Store) {
    let stage = Stage::new(store);
    let (one, two) = (stage.set(&["甲", "乙"]), stage.set(&["丙", "丁"]));
    let ran_back = |room, play: &str| {
        let append = Append { lines: lines(play), ..Default::default() };
        stage.append(room, &append).unwrap().tick_ran_back_from
    };
    assert_eq!(ran_back(&one, "[100] 甲: 一"), None);
    assert_eq!(ran_back(&one, "[100] 甲: 同时"), None);
    assert_eq!(ran_back(&two, "丙: 没有时间"), None);
    stage.save("s");
    assert_eq!(ran_back(&two, "[150] 丙: 晚"), None);
    assert_eq!(ran_back(&one, "[160] 甲: 晚\n甲: 同时\n[120] 甲: 早"), Some(160), "within a batch");
    assert_eq!(ran_back(&two, "[159] 丙: 早\n[170] 丙: 晚"), Some(160));
    stage.load("s");
    assert_eq!(ran_back(&one, "[120] 甲: 不早"), None, "a restore turns time back");
    assert_eq!(ran_back(&one, "[-5] 甲: 史前"), Some(120));
}

pub fn world_time_follows_the_active_paths(store: &dyn Store) {
    let stage = Stage::new(store);
    let (one, two) = (stage.set(&["甲", "乙"]), stage.set(&["丙", "丁"]));
    stage.say(&one, "甲: 没有");
    assert_eq!(stage.view().time, None);
    stage.say(&one, "[-7] 甲: 史前");
    assert_eq!(stage.view().time, Some(-7));
    stage.say(&two, "[9] 丙: 九\n[4] 丙: 四");
    assert_eq!(stage.view().time, Some(9), "the greatest");
    stage.head(&two, HeadTarget::Empty);
    assert_eq!(stage.view().time, Some(-7));
}

pub fn everybody_present_witnesses(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["白小喵", "さくら", "Bob"]);
    stage.say(&room, "Bob: hi\n旁白: 夜\n: 无名");
    for line in stage.lines(&room, Default::default()) {
        assert_eq!(people(&line.witnesses), "Bob | さくら | 白小喵");
    }
}

pub fn a_whisper_is_for_a_subset(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["白小喵", "さくら", "Bob"]);
    stage.say(&room, "Bob: hi\nBob → さくら: psst\nさくら → Bob: うん\n旁白 → さくら: 她脸红了");
    assert_eq!(stage.path_of(&room, "白小喵"), "Bob: hi");
    assert_eq!(stage.path_of(&room, "Bob"), "Bob: hi | Bob: psst | さくら: うん");
    assert_eq!(stage.path_of(&room, "さくら"), "Bob: hi | Bob: psst | さくら: うん | 旁白: 她脸红了");
    assert_eq!(stage.path_of(&room, "誰か"), "");
}

pub fn a_system_line_is_for_its_addressee(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["钦灵", "白小喵"]);
    stage.say(&room, "#钦灵: 你叫钦灵\n#白小喵 → 钦灵: 你叫白小喵\n#: 都听着\n#莱姆: 你在别处");
    assert_eq!(stage.path_of(&room, "钦灵"), "钦灵: 你叫钦灵 | : 都听着");
    assert_eq!(stage.path_of(&room, "白小喵"), "白小喵: 你叫白小喵 | : 都听着");
    assert_eq!(stage.path_of(&room, "莱姆"), "莱姆: 你在别处");
}

pub fn a_narrator_witnesses_nothing(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "旁白: 夜\n甲 → 旁白, 乙: 嘘\n#旁白: 讲慢一点\n旁白 → 旁白: 独白");
    assert_eq!(stage.path_of(&room, "旁白"), "");
    let witnesses: Vec<String> =
        stage.lines(&room, Default::default()).iter().map(|line| people(&line.witnesses)).collect();
    assert_eq!(witnesses, ["乙 | 甲", "乙 | 甲", "", ""]);
}

pub fn host_ids_are_unique_in_a_conversation(store: &dyn Store) {
    let stage = Stage::new(store);
    let (one, two) = (stage.set(&["甲", "乙"]), stage.set(&["丙", "丁"]));
    let say = |room, play: &str| {
        let mut lines = lines(play);
        lines.iter_mut().for_each(|line| line.host_id = Some("r1".to_owned()));
        stage.append(room, &Append { lines, ..Default::default() })
    };
    let first = say(&one, "甲: 一").unwrap().lines[0].id;
    check_code(say(&one, "甲: 一"), Code::Conflict);
    say(&two, "丙: 别处可以").unwrap();
    stage.head(&one, HeadTarget::Empty);
    check_code(say(&one, "甲: 别的枝也不行"), Code::Conflict);
    stage.erase(Erase::Line(first));
    check_code(say(&one, "甲: 一\n甲: 一批里也不行"), Code::Conflict);
    say(&one, "甲: 删掉以后可以").unwrap();
}

fn keyed(key: &str, play: &str) -> Append {
    let mut append = Append { lines: lines(play), ..Default::default() };
    append.key = Some(AppendKey { key: key.to_owned(), digest: fingerprint(&append) });
    append
}

pub fn a_key_makes_a_retry_safe(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let batch = Append { expected_head: ExpectedHead::Empty, ..keyed("k", "甲: 一\n乙: 二") };
    let first = stage.append(&room, &batch).unwrap();
    stage.say(&room, "甲: 三");
    let before = stage.view();
    let again = stage.append(&room, &batch).unwrap();
    assert!(!first.replayed && again.replayed, "the expected head was right then");
    assert_eq!((again.lines, again.revision), (first.lines, first.revision));
    assert_eq!(stage.path(&room), "甲: 一 | 乙: 二 | 甲: 三");
    assert_eq!((again.head, stage.view()), (stage.room(&room).head, before));
    let later = Append { now_ms: 99, ..batch };
    assert!(stage.append(&room, &later).unwrap().replayed, "whenever it is sent");
}

pub fn a_key_stands_for_one_batch(store: &dyn Store) {
    let stage = Stage::new(store);
    let (one, two) = (stage.set(&["甲", "乙"]), stage.set(&["丙", "甲"]));
    stage.append(&one, &keyed("k", "甲: 一")).unwrap();
    for other in ["甲: 二", "甲: 一\n甲: 一", "@甲: 一", "[1] 甲: 一", "甲 → 甲: 一"] {
        check_code(stage.append(&one, &keyed("k", other)), Code::Conflict);
    }
    assert!(!stage.append(&two, &keyed("k", "甲: 一")).unwrap().replayed, "per conversation");
    assert!(!stage.append(&one, &keyed("k2", "甲: 一")).unwrap().replayed);
}

pub fn a_key_outlives_its_lines(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.save("empty");
    let batch = keyed("k", "甲: 一\n乙: 二");
    let first = stage.append(&room, &batch).unwrap();
    stage.erase(Erase::Line(first.lines[0].id));
    assert_eq!(shown(&stage.append(&room, &batch).unwrap().lines), "乙: 二");
    stage.load("empty");
    let again = stage.append(&room, &batch).unwrap();
    assert!(again.replayed);
    assert_eq!((shown(&again.lines), again.head), ("乙: 二".to_owned(), None), "written once, though undone");
}

pub fn a_failed_batch_leaves_nothing(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let before = (stage.view(), stage.names(), stage.export(None));
    let batch = keyed("k", "甲: 一\n旁白: 有人来了\n丙: 我");
    check_code(stage.append(&room, &batch), Code::Invalid);
    assert_eq!((stage.view(), stage.names(), stage.export(None)), before);
}

pub fn the_host_id_of_a_deleted_line_is_known_again(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let mut said = lines("甲: 一\n乙: 二\n甲: 三");
    for (line, host_id) in said.iter_mut().zip(["h1", "行 #2"]) {
        line.host_id = Some(host_id.to_owned());
    }
    let ids: Vec<LineId> = stage
        .append(&room, &Append { lines: said, ..Append::default() })
        .unwrap()
        .lines
        .iter()
        .map(|line| line.id)
        .collect();
    stage.save("s");
    let all = ["h1", "行 #2", "h3"].map(str::to_owned);
    let erased = |stage: &Stage<'_>| stage.store.erased_host_ids(&stage.world, &room, &all).unwrap();
    assert_eq!(erased(&stage), [""; 0]);
    stage.erase(Erase::Line(ids[1]));
    stage.erase(Erase::Line(ids[2]));
    assert_eq!(erased(&stage), ["行 #2"]);
    stage.load("s");
    assert_eq!(erased(&stage), ["行 #2"], "deletions are final");
    for (name, checkpoint) in [("今", None), ("档", Some("s"))] {
        assert_eq!(erased(&stage.fork(name, checkpoint)), ["行 #2"], "{name}");
    }
    // The words of somebody who was erased, too; and another conversation has ids of its own.
    stage.erase(Erase::Character(stage.character("甲").unwrap().id));
    assert_eq!(erased(&stage), ["h1", "行 #2"]);
    let other = stage.scene("酒馆", &["乙"]);
    assert_eq!(stage.store.erased_host_ids(&stage.world, &other, &all).unwrap(), [""; 0]);
}
