//! What goes with a line or a person that is deleted for good, and what waits to be remembered anew?

use reverie_core::conversation::Append;
use reverie_core::memories::{Effect, NewMemory, WhichRounds};
use reverie_core::memory::{Layer, Origin};
use reverie_core::round::{OpenRound, Participant, RoundState};
use reverie_core::store::{Erase, Gather, Place};
use reverie_core::{ConversationId, LineId, MemoryId, RoundId, Store};

use super::minds::found;
use super::stage::{Stage, id, lines, who};

fn line(number: u64) -> LineId {
    LineId::new(number).unwrap()
}

/// Two rounds of two lines, a memory of each and one that sums up both, all of them さくら's; 甲 has the first, too.
fn days(store: &dyn Store) -> (Stage<'_>, ConversationId, [MemoryId; 3]) {
    let stage = Stage::named(store, "日々", Default::default());
    let room = stage.set(&["甲", "さくら"]);
    stage.say(&room, "甲: 下雨了\nさくら: 傘がない");
    let first = stage.remember("雨〔一〕", &[line(1), line(2)], &["甲", "さくら"]);
    stage.digest(&room, line(1), line(2));
    let round = stage.begin(&room);
    stage.say_in(&room, round, "@甲: 晴了\nさくら: よかった");
    stage.complete(round);
    let second = stage.remember("晴〔二〕", &[line(3), line(4)], &["さくら"]);
    stage.make(vec![Effect::Digested(round)]);
    let both = stage.sum_up("二日〔三〕", &[first, second], "さくら");
    stage.save("remembered");
    (stage, room, [first, second, both])
}

fn is_told(stage: &Stage<'_>, text: &str) -> bool {
    format!("{:?}", stage.export(None)).contains(text)
}

pub fn an_erased_line_takes_its_memories_along(store: &dyn Store) {
    let (stage, room, [first, second, _]) = days(store);
    let mut answer = Append { lines: lines("[5] さくら: うん"), ..Append::default() };
    answer.refreshed = vec![(first, id("さくら")), (second, id("さくら"))];
    stage.append(&room, &answer).unwrap();
    stage.erase(Erase::Line(line(1)));
    assert_eq!((stage.whole_mind("甲"), stage.whole_mind("さくら")), (String::new(), "晴〔二〕".into()));
    for (text, is_there) in [("雨〔一〕", false), ("晴〔二〕", true), ("二日〔三〕", false)] {
        assert_eq!(is_told(&stage, text), is_there, "{text}");
    }
    let left = stage.one(second, "さくら");
    assert_eq!(
        (left.state.summarised_by, left.summarised, left.refreshed.unwrap().tick),
        (None, None, Some(5))
    );
    assert_eq!(stage.told_rounds(&room), "1 closed 2-2 | 2 digested さくら, 甲 3-4");
    assert_eq!(stage.waiting(&room), "covered 4 | 2 5", "what is left of the round is remembered anew");
    stage.load("remembered");
    assert_eq!(stage.whole_mind("さくら"), "晴〔二〕", "no restore brings it back");
    assert_eq!(stage.waiting(&room), "covered 4 | 2", "nor says that it is remembered");
    assert_eq!(stage.remember("新", &[], &["甲"]).get(), 4, "nor is its number given again");
}

pub fn what_nothing_is_left_of_is_gone(store: &dyn Store) {
    let (stage, room, _) = days(store);
    stage.erase(Erase::Line(line(2)));
    stage.erase(Erase::Line(line(1)));
    stage.erase(Erase::Line(line(4)));
    assert_eq!(stage.told_rounds(&room), "2 closed さくら, 甲 3-3");
    stage.erase(Erase::Line(line(3)));
    assert_eq!((stage.told_rounds(&room), stage.waiting(&room)), ("2 closed さくら, 甲".into(), "-".into()));
    stage.load("remembered");
    assert_eq!((stage.told_rounds(&room), stage.waiting(&room)), ("2 closed さくら, 甲".into(), "-".into()));
}

pub fn an_erased_character_is_remembered_by_nobody(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.scene("酒馆", &["甲", "乙", "Bob"]);
    stage.say(&room, "甲: 一\n乙: 二\nBob: three\n甲: 四");
    let with = |text: &str, of: &[u64], holders: &[&str], about: &[&str]| {
        let of: Vec<LineId> = of.iter().map(|number| line(*number)).collect();
        let about = about.iter().map(|who| id(who)).collect();
        Effect::Remember(NewMemory { about, ..stage.memory(text, &of, holders) })
    };
    let made = stage.make(vec![
        with("无关〔1〕", &[1], &["甲", "乙", "Bob"], &["甲"]),
        with("关于Bob〔2〕", &[1], &["甲"], &["甲", "Bob"]),
        with("Bob说的〔3〕", &[1, 3], &["甲"], &[]),
        with("只有Bob知道〔4〕", &[1], &["Bob"], &[]),
        with("谁也不记得〔5〕", &[1], &[], &[]),
    ]);
    stage.sum_up("乙的一天〔6〕", &made[..1], "乙");
    stage.sum_up("甲的一天〔7〕", &made[..2], "甲");
    stage.put_state(made[0], "甲", |state| state.layer = Some(Layer::Archive));
    stage.save("s");
    stage.erase(Erase::Character(id("Bob")));
    for when in ["now", "then"] {
        assert_eq!(stage.whole_mind("甲"), "无关〔1〕", "{when}");
        assert_eq!(stage.mind("乙"), "无关〔1〕 | 乙的一天〔6〕", "{when}");
        assert_eq!(stage.whole_mind("deleted:1"), "", "{when}");
        let text = format!("{:?}", stage.export(None));
        for gone in ["Bob", "〔2〕", "〔3〕", "〔4〕", "〔7〕"] {
            assert!(!text.contains(gone), "{when}: {gone}");
        }
        assert!(text.contains("〔5〕"), "{when}: nobody had that before");
        assert_eq!(stage.one(made[0], "甲").state.summarised_by, None, "{when}");
        stage.load("s");
    }
}

pub fn rounds_with_somebody_erased_wait_again(store: &dyn Store) {
    let stage = Stage::new(store);
    let (room, pair) = (stage.scene("居酒屋", &["甲", "乙"]), stage.set(&["甲", "乙"]));
    let told = |people: &[&str], play: &str| {
        let round = stage.open_round(&room, Some(people)).unwrap().id;
        stage.say_in(&room, round, play);
        stage.complete(round);
        Effect::Digested(round)
    };
    let mut effects = vec![
        told(&["甲", "乙"], "甲: 一"),
        told(&["甲", "丙"], "甲: 二"),
        told(&["甲", "乙"], "丙: 三\n甲: 我在"),
    ];
    stage.present(&room, &["甲", "乙"]);
    stage.say(&room, "甲: 五");
    stage.present(&room, &["甲", "丙"]);
    stage.say(&room, "甲: 六\n甲: 七");
    stage.present(&room, &["甲"]);
    stage.say(&room, "甲: 八");
    stage.say(&pair, "甲: 九");
    let spans = [(5, 5), (6, 6), (7, 8)];
    let spoken: Vec<u64> = stage.lines(&room, Default::default()).iter().map(|line| line.id.get()).collect();
    let at = |place: usize| line(spoken[place - 1]);
    effects.extend(spans.map(|(first, last)| found(&room, at(first), at(last))));
    let there = stage.room(&pair).head.unwrap();
    effects.push(found(&pair, there, there));
    stage.make(effects);
    stage.save("all");
    stage.erase(Erase::Character(id("丙")));
    let states = |stage: &Stage<'_>| {
        let rounds = stage.rounds(WhichRounds::Of(room.clone()));
        rounds.iter().map(|round| round.state.as_str()).collect::<Vec<_>>().join(" ")
    };
    let expected = "digested closed closed digested closed closed";
    assert_eq!(states(&stage), expected, "listed, spoke, was present in one of the lines");
    let untouched = stage.rounds(WhichRounds::Of(pair.clone()))[0].state;
    assert_eq!(untouched, RoundState::Digested);
    stage.load("all");
    assert_eq!(states(&stage), expected, "whatever is restored");
    let second = &stage.rounds(WhichRounds::One(RoundId::new(2).unwrap()))[0];
    assert_eq!(second.present, [Participant { character: id("甲"), name: Some("甲".into()) }]);
}

/// In other people's lines a number stays behind; it has no mind.
pub fn the_erased_remember_nothing_new(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 一");
    stage.erase(Erase::Character(id("乙")));
    let new = stage.memory("一", &[line(1)], &["甲", "deleted:1"]);
    let about = vec![id("deleted:1"), id("甲")];
    let made = stage.make(vec![Effect::Remember(NewMemory { about, ..new })]);
    assert_eq!((stage.whole_mind("甲"), stage.whole_mind("deleted:1")), ("一".into(), String::new()));
    assert_eq!(stage.one(made[0], "甲").memory.about, [id("甲")]);
    for present in [None, Some(vec![who("deleted:1"), who("甲")])] {
        let round = store.open_round(&stage.world, &room, &OpenRound { present, now_ms: 1 }).unwrap();
        let people: Vec<_> = round.present.into_iter().map(|person| person.character).collect();
        assert_eq!(people, [id("甲")]);
    }
}

/// What a host said happened, and what others wrote down, is theirs; so is what a model made of others' talk.
pub fn what_no_line_says_stays_with_the_others(store: &dyn Store) {
    let stage = Stage::new(store);
    let (room, others) = (stage.set(&["甲", "Bob"]), stage.set(&["甲", "乙"]));
    stage.say(&room, "甲: 一");
    stage.say(&others, "甲: 二");
    let with = |origin: Origin, text: &str, of: &[u64], holders: &[&str]| {
        let of: Vec<LineId> = of.iter().map(|number| line(*number)).collect();
        let about = vec![id("Bob"), id("甲")];
        Effect::Remember(NewMemory { about, origin, ..stage.memory(text, &of, holders) })
    };
    let made = stage.make(vec![
        with(Origin::Event, "婚礼〔1〕", &[], &["甲", "Bob"]),
        with(Origin::Hand, "笔记〔2〕", &[], &["甲"]),
        with(Origin::Statement, "当面说的〔3〕", &[1], &["甲"]),
        with(Origin::Statement, "背后说的〔4〕", &[2], &["甲"]),
        with(Origin::Event, "独自〔5〕", &[], &["Bob"]),
    ]);
    stage.sum_up("一天〔6〕", &made[..1], "甲");
    stage.save("s");
    stage.erase(Erase::Character(id("Bob")));
    for when in ["now", "then"] {
        assert_eq!(stage.mind("甲"), "婚礼〔1〕 | 笔记〔2〕 | 背后说的〔4〕 | 一天〔6〕", "{when}");
        assert_eq!(stage.one(made[0], "甲").memory.about, [id("甲")], "{when}");
        let text = format!("{:?}", stage.export(None));
        for gone in ["Bob", "〔3〕", "〔5〕"] {
            assert!(!text.contains(gone), "{when}: {gone}");
        }
        stage.load("s");
    }
}

/// Nobody who digests in between finds a round about which nothing was decided.
/// Whoever keeps somebody's mind at hand is told that nothing in it is about the erased any more.
pub fn what_is_at_hand_names_no_erased(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.scene("酒馆", &["甲", "乙", "丙"]);
    let about = vec![id("乙"), id("丙")];
    let by_hand =
        NewMemory { origin: Origin::Hand, about, ..stage.memory("丙欠乙一壶酒", &[], &["甲"]) };
    stage.make(vec![Effect::Remember(by_hand)]);
    let gather = |known| Gather { minds: vec![who("甲")], known, ..Gather::new(who("甲"), Place::Nowhere) };
    let read = |known| stage.store.gather(&stage.world, &gather(known)).unwrap().minds.remove(0);
    let first = read(Vec::new());
    assert_eq!(first.kept[0].held.memory.about, [id("丙"), id("乙")]);
    stage.erase(Erase::Character(id("乙")));
    let news = read(first.mark.into_iter().collect());
    assert_eq!(news.kept[0].held.memory.about, [id("丙")]);
    assert_eq!(news.kept[0].names, ["丙"]);
}

pub fn what_was_decided_is_kept_at_once(store: &dyn Store) {
    for (what, erase) in [("a line", Erase::Line(line(2))), ("somebody", Erase::Character(id("Bob")))] {
        let stage = Stage::named(store, what, Default::default());
        let room = stage.scene("酒馆", &["甲", "乙", "Bob"]);
        stage.say(&room, "甲: 一\nBob: two\n乙: 三");
        stage.digest(&room, line(1), line(3));
        let everybody = vec![id("Bob"), id("乙"), id("甲")];
        let new = stage.memory("一二三", &[line(1), line(2), line(3)], &["甲", "乙", "Bob"]);
        let made = stage.make(vec![Effect::Remember(NewMemory { about: everybody, ..new })]);
        stage.put_state(made[0], "甲", |state| state.pinned = true);
        stage.put_state(made[0], "乙", |state| state.forgotten = true);
        stage.erase(erase);
        assert_eq!(stage.told_rounds(&room), "1 digested 1-3", "{what}");
        let anew = MemoryId::new(made[0].get() + 1).unwrap();
        assert!(stage.one(anew, "甲").state.pinned, "{what}");
        assert!(stage.one(anew, "乙").state.forgotten, "{what}");
        assert!(!stage.whole_mind("甲").contains("two"), "{what}: {}", stage.whole_mind("甲"));
    }
}

pub fn an_erased_world_remembers_nothing(store: &dyn Store) {
    let (stage, _, [first, _, _]) = days(store);
    stage.erase(Erase::World);
    let again = Stage::named(store, "日々", Default::default());
    assert_eq!(store.backlogs(&Default::default()).unwrap(), []);
    let room = again.set(&["さくら", "甲"]);
    assert_eq!((again.whole_mind("甲"), again.told_rounds(&room)), (String::new(), String::new()));
    assert_eq!(again.remember("新", &[], &["甲"]), first, "it counts from one");
}
