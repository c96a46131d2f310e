//! What waits to be remembered, and when does it wait again?

use reverie_core::character::CharacterPatch;
use reverie_core::conversation::{Append, Attach, HeadTarget};
use reverie_core::memories::{Backlog, BacklogsQuery, Effect, WhichRounds};
use reverie_core::round::RoundState;
use reverie_core::store::Erase;
use reverie_core::{LineId, Store, WorldId};

use super::minds::found;
use super::stage::{Stage, id, lines};

fn line(number: u64) -> LineId {
    LineId::new(number).unwrap()
}

pub fn what_nobody_remembers_waits(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    assert_eq!(stage.waiting(&room), "-");
    stage.say(&room, "甲: 一\n乙: 二");
    assert_eq!(stage.waiting(&room), "1 2");
    stage.digest(&room, line(1), line(2));
    assert_eq!(
        (stage.waiting(&room), stage.told_rounds(&room)),
        ("covered 2 | -".into(), "1 digested 1-2".into())
    );
    let round = stage.begin(&room);
    stage.say_in(&room, round, "@甲: 三\n乙: 四");
    assert_eq!(stage.waiting(&room), "covered 2 | 3 4");
    assert_eq!(stage.backlog(&room).rounds, stage.rounds(WhichRounds::Open(room.clone())));
    stage.complete(round);
    let backlog = stage.backlog(&room);
    assert_eq!(backlog.rounds.iter().map(|round| round.state).collect::<Vec<_>>(), [RoundState::Closed]);
    stage.make(vec![Effect::Digested(round)]);
    assert_eq!(stage.waiting(&room), "covered 4 | -");
    assert_eq!(stage.told_rounds(&room), "1 digested 1-2 | 2 digested 乙, 甲 3-4");
}

pub fn a_round_waits_again_when_a_line_of_it_changes(store: &dyn Store) {
    type Turn = fn(&Stage<'_>, LineId);
    let turns: &[(&str, Turn)] = &[
        ("reworded", |stage, line| drop(stage.edit(line, "改"))),
        ("hidden", |stage, line| drop(stage.hide(line, true))),
        ("erased", |stage, line| stage.erase(Erase::Line(line))),
    ];
    for (what, turn) in turns {
        let stage = Stage::named(store, what, Default::default());
        let room = stage.set(&["甲", "乙"]);
        stage.say(&room, "甲: 一\n乙: 二\n甲: 三");
        let round = stage.begin(&room);
        stage.say_in(&room, round, "@甲: 四\n乙: 五\n乙: 六");
        stage.complete(round);
        stage.make(vec![found(&room, line(1), line(3)), Effect::Digested(round)]);
        let (of_found, of_opened) = if *what == "erased" { ("1 3", "4 6") } else { ("1 2 3", "4 5 6") };
        let before = stage.view().revision;
        turn(&stage, line(2));
        assert_eq!(stage.view().revision, before + 1, "{what}");
        assert_eq!(stage.told_rounds(&room), "1 digested 乙, 甲 4-6 | 2 closed 1-3", "{what}");
        assert_eq!(stage.waiting(&room), format!("covered 6 | {of_found}"), "{what}");
        turn(&stage, line(5));
        assert_eq!(stage.told_rounds(&room), "1 closed 乙, 甲 4-6 | 2 closed 1-3", "{what}");
        assert_eq!(stage.waiting(&room), format!("{of_found} {of_opened}"), "{what}");
        let second = reverie_core::RoundId::new(2).unwrap();
        stage.make(vec![Effect::Digested(round), Effect::Digested(second)]);
        assert_eq!(stage.waiting(&room), "covered 6 | -", "{what}");
    }
    let stage = Stage::named(store, "shown again", Default::default());
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一\n乙: 二");
    stage.hide(line(1), true);
    stage.digest(&room, line(1), line(2));
    stage.hide(line(1), true);
    stage.edit(line(2), "二");
    assert_eq!(stage.waiting(&room), "covered 2 | -", "nothing changed");
    stage.hide(line(1), false);
    assert_eq!(stage.waiting(&room), "1 2");
}

pub fn a_backlog_follows_the_path(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一\n乙: 二\n甲: 三\n乙: 四");
    stage.make(vec![found(&room, line(1), line(2)), found(&room, line(3), line(4))]);
    stage.head(&room, HeadTarget::Back(1));
    assert_eq!(stage.waiting(&room), "covered 2 | 3", "a round is not covered by half of it");
    stage.say(&room, "乙: 五");
    assert_eq!(stage.waiting(&room), "covered 2 | 3 5");
    stage.digest(&room, line(3), line(5));
    stage.head(&room, HeadTarget::Line(line(4)));
    assert_eq!(stage.waiting(&room), "covered 4 | -");
    stage.edit(line(3), "叁");
    assert_eq!(stage.waiting(&room), "covered 2 | 3 4");
    let here: Vec<String> = stage.backlog(&room).rounds.iter().map(|round| round.id.to_string()).collect();
    assert_eq!(here, ["2"], "that of the other branch waits there");
    stage.head(&room, HeadTarget::Line(line(5)));
    assert_eq!(stage.waiting(&room), "covered 2 | 3 5");
    stage.digest(&room, line(3), line(5));
    assert_eq!(stage.told_rounds(&room), "1 digested 1-2 | 2 closed 3-4 | 3 digested 3-5", "found again");
    stage.head(&room, HeadTarget::Empty);
    assert_eq!(stage.waiting(&room), "-");
    stage.say_at(&room, Attach::Root, "甲: 另一头");
    assert_eq!(stage.waiting(&room), "6");
}

pub fn a_restore_brings_back_what_waited(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一\n乙: 二");
    stage.save("said");
    stage.digest(&room, line(1), line(2));
    stage.save("remembered");
    stage.edit(line(1), "壹");
    assert_eq!(stage.waiting(&room), "1 2");
    stage.load("remembered");
    assert_eq!(stage.waiting(&room), "covered 2 | -");
    stage.load("said");
    assert_eq!((stage.waiting(&room), stage.told_rounds(&room)), ("1 2".into(), String::new()));
    stage.digest(&room, line(1), line(2));
    assert_eq!(stage.told_rounds(&room), "1 digested 1-2", "the same round");
}

pub fn a_round_shrinks_with_its_lines(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一\n乙: 二");
    let round = stage.begin(&room);
    stage.say_in(&room, round, "甲: 夹在中间");
    stage.say(&room, "甲: 四\n乙: 五");
    stage.say_at(&room, Attach::Behind(line(2)), "甲: 另一枝");
    stage.head(&room, HeadTarget::Line(line(5)));
    stage.digest(&room, line(1), line(5));
    let after = |erased: u64| {
        stage.erase(Erase::Line(line(erased)));
        stage.told_rounds(&room).split(" | ").nth(1).map(str::to_owned)
    };
    assert_eq!(after(5).as_deref(), Some("2 closed 1-4"));
    assert_eq!(after(1).as_deref(), Some("2 closed 2-4"));
    assert_eq!(after(2).as_deref(), Some("2 closed 4-4"), "what a host put into a round is not of this one");
    assert_eq!(after(4), None, "nothing is left of it");
    assert_eq!(stage.waiting(&room), "3");
}

pub fn people_as_they_were_called(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲", "乙"]);
    let called = |name: &str| CharacterPatch { display_name: Some(Some(name.into())), ..Default::default() };
    stage.save("nameless");
    stage.card("乙", called("小乙"));
    stage.say(&room, "甲: 一");
    stage.card("乙", called("老乙"));
    let mut masked = lines("乙 → 乙: 二\n旁白: 三\n: 四");
    masked[0].display_name = Some("神秘人".into());
    stage.append(&room, &Append { lines: masked, ..Append::default() }).unwrap();
    let told = |backlog: Backlog| {
        let one = |line: &reverie_core::memories::PathLine| {
            let names = line.present.iter().map(|p| p.name.as_deref().unwrap_or("?")).collect::<Vec<_>>();
            format!("{} {}", names.join(","), if line.by_person { "person" } else { "nobody" })
        };
        backlog.lines.iter().map(one).collect::<Vec<_>>().join(" | ")
    };
    assert_eq!(
        told(stage.backlog(&room)),
        "小乙,甲 person | 神秘人,甲 person | 老乙,甲 nobody | 老乙,甲 nobody"
    );
    stage.hide(line(1), true);
    assert!(stage.backlog(&room).lines[0].line.hidden, "whoever remembers must know");
    assert_eq!(stage.backlog(&room).lines[1].line, stage.line(line(2)).unwrap());
    stage.load("nameless");
    stage.say(&room, "甲: 又一");
    assert_eq!(told(stage.backlog(&room)), "乙,甲 person", "as it was at the first mention");
}

pub fn a_backlog_is_cut_behind_a_whole_round(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    let cut = |limit| {
        let backlog = store.backlog(&stage.world, &room, limit).unwrap();
        (backlog.lines.len(), backlog.rounds.len(), backlog.is_cut)
    };
    stage.say(&room, "甲: 一\n乙: 二\n甲: 三");
    assert_eq!((cut(0), cut(1), cut(2)), ((1, 0, true), (1, 0, true), (2, 0, true)));
    assert_eq!((cut(3), cut(4)), ((3, 0, false), (3, 0, false)));
    let round = stage.begin(&room);
    stage.say_in(&room, round, "@甲: 四\n乙: 五");
    stage.complete(round);
    let next = stage.begin(&room);
    stage.say_in(&room, next, "@甲: 六\n乙: 七");
    stage.complete(next);
    assert_eq!((cut(1), cut(5), cut(6)), ((5, 1, true), (5, 1, true), (6, 2, true)));
    assert_eq!((cut(7), cut(99)), ((7, 2, false), (7, 2, false)));
}

pub fn conversations_that_wait_are_listed_in_pages(store: &dyn Store) {
    let (one, two) =
        (Stage::named(store, "一", Default::default()), Stage::named(store, "二", Default::default()));
    let rooms: Vec<_> = (0..5).map(|n| one.set(&["甲", &format!("客 {n}")])).collect();
    for room in &rooms {
        one.say(room, "甲: 在吗");
    }
    let silent = two.scene("Tavern", &["Bob"]);
    two.present(&silent, &["Bob", "さくら"]);
    let elsewhere = two.set(&["さくら", "Bob"]);
    two.say(&elsewhere, "Bob: hi");
    let list = |world: Option<&str>, after: Option<(WorldId, _)>, limit| {
        let world = world.map(|world| WorldId::new(world).unwrap());
        store.backlogs(&BacklogsQuery { world, after, limit }).unwrap()
    };
    let all = list(None, None, 99);
    assert_eq!(all.len(), 6);
    assert!(all.is_sorted());
    assert!(all.contains(&(two.world.clone(), elsewhere.clone())));
    let mut paged = Vec::new();
    while let [last] = list(None, paged.last().cloned(), 1).as_slice() {
        paged.push(last.clone());
    }
    assert_eq!(paged, all);
    assert_eq!(list(Some("二"), None, 9), [(two.world.clone(), elsewhere.clone())]);
    assert_eq!(list(Some("没有"), None, 9), []);
    one.digest(&rooms[0], line(1), line(1));
    one.erase(Erase::Line(line(2)));
    one.head(&rooms[2], HeadTarget::Empty);
    two.erase(Erase::Character(id("Bob")));
    let left: Vec<_> = list(None, None, 9).into_iter().map(|(_, room)| room).collect();
    let mut expected = vec![rooms[3].clone(), rooms[4].clone()];
    expected.sort();
    assert_eq!(left, expected);
    one.head(&rooms[2], HeadTarget::Line(line(3)));
    assert_eq!(list(None, None, 9).len(), 3);
}
