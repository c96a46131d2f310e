//! What is a day that is over summed up to, while somebody goes back in it and forth again?
//!
//! On each path a day has one summary, of all that is remembered of it there. Where the head was before, everything is there already:
//! nothing is remembered or summed up a second time.

use std::collections::BTreeSet;
use std::sync::Arc;

use reverie_core::digest::{Purpose, Question};
use reverie_core::memory::{Held, Origin};
use reverie_core::{Answered, MemoryId, Store};

use super::theatre::Theatre;

/// Two exchanges of one conversation (L1 to L4), one of another, and some days pass.
const DAYS: [(&str, &str); 3] = [
    (
        "only posted",
        "set 张三, 李四
         @张三: 早上好
         李四: 早
         digest now
         @张三: 喝什么？
         李四: 茶
         digest now
         set 张三, さくら, Bob
         @张三: 雨だ
         さくら: 傘がない
         digest now",
    ),
    (
        "a host's rounds, and a bystander",
        "scene 酒馆: 张三, 李四, Ann
         open
         @张三: Good morning.
         李四: Morning!
         close
         open
         @张三: Tea or coffee?
         李四: Tea.
         close
         digest
         set 张三, Ann
         open
         @张三: It rains.
         Ann: And the roof leaks.
         close
         digest",
    ),
    (
        "something that happened, and whispers",
        "set 张三, 李四, さくら
         @张三: 开始吧
         さくら: はい
         digest now
         @张三 → さくら: 别告诉他
         さくら: わかった
         digest now
         event 张三, 李四: 屋顶塌了",
    ),
];

/// Where the head goes, from where all of it is on the path. In brackets: where it is for the first time and finds a summary of all but
/// one exchange, which gets one of its own.
const WALKS: &[&str] = &[
    "L3 L4 L3 L4",
    "L2 L4 L2 L4",
    "L3 L2 L4 L3 L2",
    "L2 (L3) L4 L2 (L3) L4",
    "L1 L4 L3 L1 L4",
    "L3 L1 L2 L4 L1 L3 L2 L4",
];

struct Walk<'t> {
    theatre: &'t Theatre,
    people: Vec<&'static str>,
    been: BTreeSet<String>,
    what: String,
}

impl Walk<'_> {
    /// What each can recall of a kind.
    fn of(&self, name: &str, origin: Origin) -> Vec<Held> {
        self.theatre.held_by(name).into_iter().filter(|held| held.memory.origin == origin).collect()
    }

    fn go(&mut self, step: &str, summaries: &[Origin]) {
        let head = step.trim_matches(['(', ')']);
        self.theatre.play(&format!("head {head}"));
        let done = self.theatre.digest(true);
        let what = format!("{}, at {head}", self.what);
        if !self.been.insert(head.to_owned()) {
            assert_eq!((done.memories, done.summaries), (0, 0), "{what}: it was all there already");
        }
        for name in &self.people {
            let lived = [Origin::Round, Origin::Event].map(|origin| self.of(name, origin)).concat();
            let mut parts: BTreeSet<MemoryId> = lived.iter().map(|held| held.memory.id).collect();
            for origin in summaries {
                let told = self.of(name, *origin);
                assert!(told.len() == 1 || head != step, "{what}: {name} has {} of {origin:?}", told.len());
                let mut from: Vec<MemoryId> = told.iter().flat_map(|held| held.memory.from.clone()).collect();
                from.sort_unstable();
                let all: Vec<MemoryId> = parts.iter().copied().collect();
                assert_eq!(from, all, "{what}: {name} sums up what can be recalled, once");
                parts.extend(told.iter().map(|held| held.memory.id));
            }
            for held in lived {
                let by = held.summarised.expect("a summary has it as a part");
                assert!(parts.contains(&by), "{what}: {name} has {} summed up by {by}", held.memory.id);
            }
        }
    }
}

fn walk(store: &Arc<dyn Store>, days: i64, summaries: &[Origin]) {
    for (kind, day) in DAYS {
        for way in WALKS {
            let what = format!("{kind}: {way}");
            let theatre = Theatre::new(store.clone(), &what);
            theatre.play(&format!("put digest.models = false\n{day}\nwait {}", days * 86_400));
            let room = day.lines().next().unwrap_or_default();
            theatre.play(room);
            let people = ["张三", "李四", "さくら", "Ann", "Bob"];
            let people = people.into_iter().filter(|name| day.contains(name)).collect();
            let mut walk = Walk { theatre: &theatre, people, been: BTreeSet::new(), what };
            walk.go("L4", summaries);
            way.split(' ').for_each(|head| walk.go(head, summaries));
        }
    }
}

pub fn a_day_has_one_summary(store: Arc<dyn Store>) {
    walk(&store, 1, &[Origin::Day]);
}

pub fn so_has_an_era(store: Arc<dyn Store>) {
    walk(&store, 40, &[Origin::Day, Origin::Era]);
}

/// A model is told of all that was lived through, and what it made of the day stands for the day in its era.
pub fn in_a_models_words(store: Arc<dyn Store>) {
    const TOLD: &str = "张三早上去打猎，晚上烤了鹿肉。";
    for is_told in [false, true] {
        let theatre = Theatre::new(store.clone(), if is_told { "told" } else { "not told yet" });
        theatre.play(
            "put layers.hour = 10
             put layers.era_days = 2
             put digest.batch_seconds = 31536000
             set 张三, 李四
             [0] @张三: 早上我去打猎
             [1] 李四: 好
             digest now
             set 张三
             [50] 张三: 晚上我烤了鹿肉
             digest now
             [500] 张三: 第三天
             digest now
             set 张三, 李四",
        );
        let is_of_day = |question: &&Question| question.purpose == Purpose::Retell && !question.json;
        let words = ["早上我去打猎", "晚上我烤了鹿肉"];
        let asked = || {
            let asked = theatre.ask();
            let about_all =
                |question: &&Question| words.iter().all(|word| question.messages[0].1.contains(word));
            asked.iter().filter(is_of_day).find(about_all).cloned()
        };
        if is_told {
            let question = asked().unwrap();
            assert_eq!(theatre.answer(&question, TOLD), Answered::Taken { memories: 1, rejected: 0 });
        }
        let mind = || {
            let summaries = theatre.held_by("张三").into_iter().filter(|held| !held.memory.from.is_empty());
            summaries.map(|held| held.text().to_owned()).collect::<Vec<_>>()
        };
        let before = mind();
        theatre.play("head L1\ndigest now");
        assert_ne!(mind(), before);
        theatre.play("head L2");
        let done = theatre.digest(true);
        assert_eq!((done.memories, done.summaries, mind()), (0, 0, before));
        if !is_told {
            theatre.wait(3600);
            assert!(asked().is_some(), "all of the day is told to a model, whatever summed it up meanwhile");
        }
    }
}
