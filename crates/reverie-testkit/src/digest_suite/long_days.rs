//! What is told of days in which very much was said, and of eras; and what is counted?

use std::sync::Arc;

use reverie_core::Store;
use reverie_core::memory::Origin;

use super::theatre::{Theatre, happened};

/// The summaries that somebody has, in their order.
fn summaries(theatre: &Theatre, name: &str) -> Vec<String> {
    let held = theatre.held_by(name).into_iter();
    let is_summary = |origin: Origin| matches!(origin, Origin::Day | Origin::Era);
    held.filter(|held| is_summary(held.memory.origin)).map(|held| held.text().to_owned()).collect()
}

/// A speech, and how it is told.
struct Speech {
    name: &'static str,
    said: String,
    told: String,
}

pub fn speeches_end_with_a_sentence(store: Arc<dyn Store>) {
    let zh = "今天我们在山谷里遇到了一群从北边来的商人。";
    let ja = "今日は谷で北から来た商人たちに会いました。";
    let en = "Today we met some traders in the valley. ";
    let speeches = [
        Speech { name: "张三", said: zh.repeat(20), told: format!("张三: \"{}…\"", zh.repeat(7)) },
        Speech {
            name: "さくら", said: ja.repeat(20), told: format!("さくら: \"{}…\"", ja.repeat(7))
        },
        Speech {
            name: "Ann",
            said: en.repeat(20).trim_end().to_owned(),
            told: format!("Ann: \"{}…\"", en.repeat(3).trim_end()),
        },
        // No sentence ends, but parts of one do.
        Speech {
            name: "李四",
            said: "山谷里遇到商人，".repeat(30),
            told: format!("李四: \"{}…\"", "山谷里遇到商人，".repeat(19)),
        },
        // Not even that: then a word does.
        Speech {
            name: "Bob",
            said: "traders ".repeat(40).trim_end().to_owned(),
            told: format!("Bob: \"{}…\"", "traders ".repeat(19).trim_end()),
        },
        // 3.5 ends no sentence.
        Speech {
            name: "Eve",
            said: format!(
                "We paid 3.5 coins. {}",
                "and so on it went with 3.5 coins and ".repeat(9).trim_end()
            ),
            told: "Eve: \"We paid 3.5 coins.…\"".to_owned(),
        },
    ];
    for Speech { name, said, told } in speeches {
        let theatre = Theatre::new(store.clone(), &format!("a speech of {name}"));
        theatre.play(&format!("set {name}\n{name}: {said}\ndigest now\nwait 86400\ndigest"));
        let summary = summaries(&theatre, name).remove(0);
        assert_eq!(summary.lines().nth(1), Some(told.as_str()), "{summary}");
    }
}

pub fn from_one_day_to_another(store: Arc<dyn Store>) {
    for (name, said, span) in [
        ("张三", "盖房子", "[小结：2024-05-05至2024-05-08；张三；2天]"),
        ("さくら", "家を建てる", "[まとめ：2024-05-05から2024-05-08まで；さくら；2日]"),
        ("Ann", "Building a house.", "[Summary: 2024-05-05 to 2024-05-08; Ann; 2 days]"),
    ] {
        let theatre = Theatre::new(store.clone(), &format!("an era of {name}"));
        theatre.play(&format!(
            "set {name}
             {name}: {said}
             digest now
             wait 259200
             {name}: {said}
             digest now
             wait 2592000
             digest"
        ));
        let era = summaries(&theatre, name).pop().unwrap();
        assert_eq!(era.lines().next(), Some(span), "{era}");
    }
    let theatre = Theatre::new(store, "in a game");
    theatre.play(
        "put calendar.kind = rimworld
         set Ann
         [2500] Ann: Dawn.
         digest now
         [50000] Ann: Dusk.
         digest now
         [70000] Ann: Next day.
         digest",
    );
    let day = summaries(&theatre, "Ann").remove(0);
    let heading = day.lines().next().unwrap();
    assert_eq!(
        heading, "[Summary: day 1 of spring 5500, 1h to day 1 of spring 5500, 20h; Ann; 2 conversations]",
        "as its calendar tells it"
    );
}

pub fn each_memory_counts_once(store: Arc<dyn Store>) {
    let theatre = Theatre::new(store, "世界");
    theatre.play("set 张三, 李四, 王五\n@张三: 天亮了\n李四: 早\n张三 → 李四: 悄悄话");
    let done = theatre.digest(true);
    assert_eq!((done.memories, done.summaries), (2, 0), "two heard the same, the third heard less");
    theatre.wait(86_400);
    let done = theatre.digest(false);
    assert_eq!((done.memories, done.summaries), (2, 2), "those two share their day, too");
    theatre.play("edit L1: 天黑了\nedit L1: 天亮了");
    let done = theatre.digest(false);
    assert_eq!((done.memories, done.summaries), (4, 2), "in other words it is another memory");
    assert_eq!(theatre.digest(true).memories, 0);
}

pub fn however_much_there_is(store: Arc<dyn Store>) {
    // More memories than are read at a time.
    let theatre = Theatre::new(store.clone(), "many things");
    theatre.play("put layers.hour = 10\nset 张三");
    for day in 0..3 {
        theatre.play(&format!("[{}] 张三: 第{day}天\ndigest now", day * 240));
        for number in 0..40 {
            theatre.play(&format!("event 张三: 第{day}天的第{number}件事"));
        }
    }
    theatre.play("digest now\n[720] 张三: 完了\ndigest");
    let counts: Vec<String> =
        summaries(&theatre, "张三").iter().map(|text| text.lines().next().unwrap().to_owned()).collect();
    assert_eq!(counts, ["[小结：2024-05-05；张三；1轮对话，40件事]"; 3]);

    // More text than is in mind at a time, and a day that is more by itself.
    let theatre = Theatre::new(store, "long things");
    theatre.play("put layers.hour = 10\nset Ann\n[0] Ann: Begin.\ndigest now");
    let long = "x".repeat(60_000);
    for (day, count) in [(0, 12), (1, 3), (2, 50), (3, 2)] {
        theatre.play(&format!("[{}] Ann: Day {day}.", day * 240));
        for number in 0..count {
            let event = reverie_core::Remember {
                tick: Some(day * 240),
                ..happened("Ann", &format!("{day} {number} {long}"))
            };
            theatre.engine.event(&theatre.world, event).unwrap();
        }
    }
    theatre.play("[960] Ann: End.\ndigest");
    let all = theatre.held_by("Ann").into_iter();
    let days: Vec<(i64, usize)> = all
        .filter(|held| held.memory.origin == Origin::Day)
        .map(|held| (held.memory.tick.unwrap() / 240, held.memory.from.len()))
        .collect();
    let told =
        |day: i64| days.iter().filter(|(of, _)| *of == day).map(|(_, count)| *count).collect::<Vec<_>>();
    assert_eq!((told(0).iter().sum::<usize>(), told(1), told(3)), (13, vec![3], vec![2]), "{days:?}");
    assert_eq!(told(2).iter().sum::<usize>(), 50, "a day that is too long is told in parts: {days:?}");
    assert!(told(2).len() > 1, "{days:?}");
}
