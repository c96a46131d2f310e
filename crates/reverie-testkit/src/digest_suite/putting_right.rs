//! Do days and eras tell what somebody has put into other words since?

use std::sync::Arc;

use reverie_core::digest::Purpose;
use reverie_core::memory::{Held, Origin};
use reverie_core::{Answered, Store};

use super::theatre::{Story, Theatre, tell};

pub fn days_and_eras(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "a day at once, and for whom it was put right alone",
                story: "
                    set 小雪, 莱姆
                    event 小雪, 莱姆: 小雪从老周那里买了一匹棕马
                    event 小雪, 莱姆: 莱姆的船漏了
                    wait 172800
                    digest
                    reword 小雪 M1: 小雪从老周那里买了一匹白马
                    mind 小雪
                    digest
                    mind 小雪
                    mind 莱姆",
                outcome: "
                    小雪 M1
                    小雪从老周那里买了一匹白马
                    小雪 M2
                    莱姆的船漏了
                    小雪 M4
                    [小结：2024-05-05；小雪、莱姆；2件事]
                    小雪从老周那里买了一匹白马
                    莱姆的船漏了
                    小雪 M1
                    小雪从老周那里买了一匹白马
                    小雪 M2
                    莱姆的船漏了
                    小雪 M4
                    [小结：2024-05-05；小雪、莱姆；2件事]
                    小雪从老周那里买了一匹白马
                    莱姆的船漏了
                    莱姆 M1
                    小雪从老周那里买了一匹棕马
                    莱姆 M2
                    莱姆的船漏了
                    莱姆 M3
                    [小结：2024-05-05；小雪、莱姆；2件事]
                    小雪从老周那里买了一匹棕马
                    莱姆的船漏了",
            },
            Story {
                what: "an era with its day, in English",
                story: "
                    put layers.era_days = 2
                    set Snow
                    event Snow: Snow bought a brown horse
                    wait 86400
                    event Snow: The mill burned down
                    wait 345600
                    digest
                    mind Snow
                    reword Snow M1: Snow bought a white horse
                    mind Snow",
                outcome: "
                    Snow M1
                    Snow bought a brown horse
                    Snow M2
                    The mill burned down
                    Snow M3
                    [Summary: 2024-05-05; Snow; 1 event]
                    Snow bought a brown horse
                    Snow M4
                    [Summary: 2024-05-06; Snow; 1 event]
                    The mill burned down
                    Snow M5
                    [Summary: 2024-05-05 to 2024-05-06; Snow; 2 days]
                    Snow bought a brown horse
                    The mill burned down
                    Snow M1
                    Snow bought a white horse
                    Snow M2
                    The mill burned down
                    Snow M4
                    [Summary: 2024-05-06; Snow; 1 event]
                    The mill burned down
                    Snow M6
                    [Summary: 2024-05-05; Snow; 1 event]
                    Snow bought a white horse
                    Snow M7
                    [Summary: 2024-05-05 to 2024-05-06; Snow; 2 days]
                    Snow bought a white horse
                    The mill burned down",
            },
            Story {
                what: "in words of the holder's own it stays",
                story: "
                    set さくら
                    event さくら: 茶色い馬を買った
                    wait 172800
                    digest
                    reword さくら M2: 馬の日
                    reword さくら M1: 白い馬を買った
                    mind さくら",
                outcome: "
                    さくら M1
                    白い馬を買った
                    さくら M2
                    馬の日",
            },
        ],
    );
}

pub fn back_again(store: Arc<dyn Store>) {
    tell(
        &store,
        &[
            Story {
                what: "with the old wording its telling, and the new one with the new",
                story: "
                    set 小雪
                    event 小雪: 买了一匹棕马
                    wait 172800
                    digest
                    reword 小雪 M1: 买了一匹白马
                    take back M1
                    mind 小雪
                    digest
                    reword 小雪 M1: 买了一匹白马
                    mind 小雪",
                outcome: "
                    小雪 M1
                    买了一匹棕马
                    小雪 M2
                    [小结：2024-05-05；小雪；1件事]
                    买了一匹棕马
                    小雪 M1
                    买了一匹白马
                    小雪 M3
                    [小结：2024-05-05；小雪；1件事]
                    买了一匹白马",
            },
            Story {
                what: "once its day is over",
                story: "
                    set さくら
                    event さくら: 茶色い馬を買った
                    reword さくら M1: 白い馬を買った
                    wait 172800
                    digest
                    mind さくら
                    take back M1
                    mind さくら",
                outcome: "
                    さくら M1
                    白い馬を買った
                    さくら M2
                    [まとめ：2024-05-05；さくら；出来事1件]
                    白い馬を買った
                    さくら M1
                    茶色い馬を買った
                    さくら M3
                    [まとめ：2024-05-05；さくら；出来事1件]
                    茶色い馬を買った",
            },
            Story {
                what: "with a checkpoint",
                story: "
                    set Snow
                    event Snow: Snow bought a brown horse
                    wait 172800
                    digest
                    save before
                    reword Snow M1: Snow bought a white horse
                    save after
                    load before
                    mind Snow
                    digest
                    load after
                    mind Snow",
                outcome: "
                    Snow M1
                    Snow bought a brown horse
                    Snow M2
                    [Summary: 2024-05-05; Snow; 1 event]
                    Snow bought a brown horse
                    Snow M1
                    Snow bought a white horse
                    Snow M3
                    [Summary: 2024-05-05; Snow; 1 event]
                    Snow bought a white horse",
            },
            Story {
                what: "with the path",
                story: "
                    set 小雪, 莱姆
                    @莱姆: 我买了一匹棕马
                    小雪: 好
                    @莱姆: 船漏了
                    小雪: 糟了
                    digest now
                    wait 172800
                    digest
                    reword 小雪 M1: 莱姆买了一匹白马
                    mind 小雪
                    undo 2
                    digest
                    mind 小雪
                    head L4
                    digest
                    mind 小雪",
                outcome: "
                    小雪 M1
                    莱姆买了一匹白马
                    小雪 M2
                    [对话参与者：莱姆、小雪]
                    莱姆: \"船漏了\"
                    小雪: \"糟了\"
                    小雪 M4
                    [小结：2024-05-05；小雪、莱姆；2轮对话]
                    莱姆买了一匹白马
                    莱姆: \"船漏了\"
                    小雪: \"糟了\"
                    小雪 M1
                    莱姆买了一匹白马
                    小雪 M5
                    [小结：2024-05-05；小雪、莱姆；1轮对话]
                    莱姆买了一匹白马
                    小雪 M1
                    莱姆买了一匹白马
                    小雪 M2
                    [对话参与者：莱姆、小雪]
                    莱姆: \"船漏了\"
                    小雪: \"糟了\"
                    小雪 M4
                    [小结：2024-05-05；小雪、莱姆；2轮对话]
                    莱姆买了一匹白马
                    莱姆: \"船漏了\"
                    小雪: \"糟了\"",
            },
        ],
    );
}

/// The rules tell it at once, a model when it is asked next; what it told before comes back with the old words.
pub fn in_a_models_words(store: Arc<dyn Store>) {
    let theatre = Theatre::new(store, "世界");
    theatre.play(
        "put layers.hour = 10
         put digest.batch_seconds = 31536000
         set 张三
         [0] 张三: 早上我去打猎
         digest now
         [50] 张三: 晚上我烤了鹿肉
         digest now
         [240] 张三: 第二天
         digest",
    );
    let told = |expected: &str| {
        let held = theatre.held_by("张三").into_iter();
        let days: Vec<Held> = held.filter(|held| held.memory.origin == Origin::Day).collect();
        let [day] = days.as_slice() else { panic!("{days:?}") };
        assert!(day.text().contains(expected), "{day:?}");
        day.clone()
    };
    let retold = |text: &str| {
        let asked = theatre.ask();
        let [question] = asked.as_slice() else { panic!("{asked:?}") };
        assert_eq!(question.purpose, Purpose::Retell);
        assert_eq!(theatre.answer(question, text), Answered::Taken { memories: 1, rejected: 0 });
        question.messages[0].1.clone()
    };
    retold("张三早上去打猎，晚上烤了鹿肉。");
    let first = told("张三早上去打猎，晚上烤了鹿肉。");
    theatre.play("reword 张三 M1: 早上我去钓鱼\ndigest");
    assert_eq!(told("钓鱼").memory.model, None, "by rules first");
    let question = retold("张三早上去钓鱼，晚上烤了鹿肉。");
    assert!(question.contains("钓鱼") && !question.contains("打猎"), "{question}");
    let second = told("张三早上去钓鱼，晚上烤了鹿肉。");
    theatre.play("take back M1\ndigest");
    assert_eq!(told("打猎").memory.id, first.memory.id);
    theatre.play("reword 张三 M1: 早上我去钓鱼\ndigest");
    assert_eq!(told("钓鱼").memory.id, second.memory.id);
    assert_eq!(theatre.ask(), [], "both are told already");
}
