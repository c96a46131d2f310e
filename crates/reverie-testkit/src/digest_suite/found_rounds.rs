//! When is a round over that no host opened?

use std::sync::Arc;

use reverie_core::{Record, Slice, Store};

use super::theatre::{NOON, Story, Theatre, tell};
use crate::store_suite::stage::lines;

pub fn a_reply_and_then_a_user(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "a user speaks again after a reply",
                story: "
                    set 张三, 李四
                    @张三: 一
                    @张三: 二
                    李四: 三
                    李四: 四
                    digest
                    rounds
                    @张三: 五
                    digest
                    rounds
                    李四: 六
                    @张三: 七
                    digest
                    rounds",
                outcome: "
                    R1 digested L1-L4
                    R1 digested L1-L4
                    R2 digested L5-L6",
            },
            Story {
                what: "before the reply it is one round",
                story: "
                    set Ann, Bob
                    Bob: Welcome!
                    @Ann: Hi.
                    @Ann: Still there?
                    digest
                    rounds
                    mind Bob",
                outcome: "
                    R1 digested L1-L1
                    Bob M1
                    [对话参与者：Bob、Ann]
                    Bob: \"Welcome!\"",
            },
            Story {
                what: "directions end nothing",
                story: "
                    set さくら, 太郎
                    @さくら: はい
                    太郎: うん
                    #: 静かに
                    digest
                    rounds
                    @さくら: ねえ
                    digest
                    rounds",
                outcome: "R1 digested L1-L3",
            },
        ],
    );
}

pub fn silence(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "five minutes",
                story: "
                    set 张三, 李四
                    @张三: 在吗
                    wait 299
                    digest
                    rounds
                    wait 1
                    digest
                    rounds",
                outcome: "R1 digested L1-L1",
            },
            Story {
                what: "as long as was set, and between lines too",
                story: "
                    put digest.idle_seconds = 60
                    set Ann, Bob
                    @Ann: Morning.
                    Bob: Morning.
                    wait 60
                    Bob: Evening.
                    digest
                    rounds
                    wait 60
                    digest
                    rounds",
                outcome: "
                    R1 digested L1-L2
                    R1 digested L1-L2
                    R2 digested L3-L3",
            },
        ],
    );
    let theatre = Theatre::new(store, "it is said when to look again");
    theatre.play("set さくら, 太郎\n@さくら: もしもし");
    assert_eq!(theatre.digest(false).look_again_ms, Some(NOON + 300_000));
    theatre.play("wait 100\n太郎: はい");
    assert_eq!(theatre.digest(false).look_again_ms, Some(NOON + 400_000));
    theatre.play("wait 300");
    let done = theatre.digest(false);
    assert_eq!((done.conversations, done.memories, done.look_again_ms), (1, 1, None));
}

pub fn too_many_lines(store: Arc<dyn Store>) {
    tell(
        &store,
        &[Story {
            what: "as many as was set",
            story: "
                put digest.round_lines = 3
                set 张三, 李四
                李四: 一
                李四: 二
                digest
                rounds
                李四: 三
                李四: 四
                digest
                rounds",
            outcome: "R1 digested L1-L3",
        }],
    );
}

pub fn now(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "whatever there is",
                story: "
                    set 张三, 李四
                    @张三: 一
                    digest now
                    李四: 二
                    digest now
                    digest now
                    rounds
                    mind 李四",
                outcome: "
                    R1 digested L1-L1
                    R2 digested L2-L2
                    李四 M1
                    [对话参与者：张三、李四]
                    张三: \"一\"
                    李四 M2
                    [对话参与者：李四、张三]
                    李四: \"二\"",
            },
            Story {
                what: "but not what a host has still open",
                story: "
                    set Ann, Bob
                    @Ann: Before.
                    open
                    @Ann: Inside.
                    digest now
                    rounds
                    mind Bob",
                outcome: "
                    R1 open L2-L2
                    R2 digested L1-L1
                    Bob M1
                    [对话参与者：Ann、Bob]
                    Ann: \"Before.\"",
            },
        ],
    );
}

pub fn old_lines(store: Arc<dyn Store>) {
    let theatre = Theatre::new(store, "an imported chat");
    theatre.play("set 张三, さくら");
    let day = 86_400_000;
    let mut said = lines("@张三: 一月\nさくら: はい\nさくら: 二月\n@张三: 三月");
    for (line, wall_ms) in said.iter_mut().zip([0, 1000, 40 * day, 41 * day]) {
        line.wall_ms = Some(wall_ms);
    }
    theatre
        .engine
        .record(&theatre.world, &theatre.room(), Record { lines: said, ..Record::default() })
        .unwrap();
    let told = theatre.play("digest\nrounds");
    assert_eq!(told, "R1 digested L1-L2\nR2 digested L3-L3\nR3 digested L4-L4\n");
    let when: Vec<i64> = theatre.held_by("张三").iter().map(|held| held.memory.wall_ms).take(3).collect();
    assert_eq!(when, [1000, 40 * day, 41 * day]);
}

pub fn switched_off(store: Arc<dyn Store>) {
    tell(
        &store,
        &[Story {
            what: "nothing is remembered, and nothing is lost",
            story: "
                put digest.enabled = false
                set 张三, 李四
                @张三: 一
                digest now
                rounds
                put digest.enabled = true
                digest now
                rounds",
            outcome: "R1 digested L1-L1",
        }],
    );
}

/// More than is read at once, in rounds of hosts and without.
pub fn much_to_do(store: Arc<dyn Store>) {
    let theatre = Theatre::new(store.clone(), "a long chat");
    theatre.play("set 张三, 李四");
    let room = theatre.room();
    let record = |play: String| {
        let record = Record { lines: lines(&play), ..Record::default() };
        theatre.engine.record(&theatre.world, &room, record).unwrap();
    };
    record((0..400).map(|n| format!("@张三: 问{n}\n李四: 答{n}\n")).collect());
    record((0..150).map(|n| format!("@张三: 再问{n}\n李四: 再答{n}\n")).collect());
    let slice = Slice { world: None, now: false, go_on: &|| false };
    let first = theatre.engine.digest(&slice).unwrap();
    assert!(first.more && first.memories > 0, "a slice ends when it is told to: {first:?}");
    theatre.play("digest now");
    assert_eq!(theatre.engine.rounds(&theatre.world, &room, None, 1000).unwrap().items.len(), 550);
    let held = theatre.all_of("李四", false);
    assert!(held.iter().all(|one| one.held.text().lines().count() == 3), "no round was cut in two");

    let theatre = Theatre::new(store, "a long round");
    theatre.play("set Ann, Bob\n@Ann: Before.\nopen");
    let round = theatre.engine.rounds(&theatre.world, &theatre.room(), None, 10).unwrap().items[0].id;
    for part in 0..3 {
        let mut said = lines(&(0..400).map(|n| format!("Bob: {part}.{n}\n")).collect::<String>());
        said.iter_mut().for_each(|line| line.round = Some(round));
        let record = Record { lines: said, ..Record::default() };
        theatre.engine.record(&theatre.world, &theatre.room(), record).unwrap();
        theatre.play("wait 3000");
        assert_eq!(
            theatre.digest(false).look_again_ms.is_some(),
            part < 2,
            "it goes on, and is not abandoned"
        );
    }
    assert_eq!(theatre.play("rounds").lines().next(), Some("R1 open L2-L1201"));
    theatre.play("close\ndigest");
    let texts: Vec<usize> = theatre.held_by("Ann").iter().map(|held| held.text().lines().count()).collect();
    assert_eq!(texts, [2, 1201], "the long round is one memory");
}
