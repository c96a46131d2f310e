//! Is what is kept at hand good for something, bounded, and never seen in an answer?

use std::sync::Arc;

use reverie_core::{Limits, MindsAtHand, Store};

use super::prompter::{Prompter, Told, told};

/// A store that cannot tell what changed is read anew each time, and nothing is kept.
fn counts_changes(store: &Arc<dyn Store>) -> bool {
    let mut prompter = Prompter::new(store, "does it count");
    prompter.play("set 小雪, 莱姆\nevent 小雪: 灯塔\nkept 小雪: 灯塔");
    prompter.theatre.engine.minds_at_hand().whole > 0
}

pub fn read_once_and_then_continued(store: Arc<dyn Store>) {
    if !counts_changes(&store) {
        let nothing = MindsAtHand { most_bytes: Limits::default().minds_bytes, ..MindsAtHand::default() };
        let mut prompter = Prompter::new(&store, "continued");
        prompter.play("set 小雪, 莱姆\nevent 小雪: 灯塔\nkept 小雪: 灯塔");
        assert_eq!(prompter.theatre.engine.minds_at_hand(), nothing);
        return;
    }
    // Every question is asked twice of the same engine.
    let story = "
        set 小雪, 莱姆
        event 小雪, 莱姆: 灯塔修好了
        minds
        kept 小雪: 灯塔
        minds
        kept 小雪: 屋顶
        minds
        event 小雪: 屋顶漏水了
        kept 小雪: 屋顶
        minds
        kept 莱姆: 屋顶
        minds
        name 莱姆 = 莱莱
        kept 小雪: 莱莱
        minds
        put calendar.kind = rimworld
        kept 小雪: 屋顶
        minds";
    let outcome = "
        0 0 0
        M1
        1 1 1
        nothing
        1 1 3
        M2
        1 1 5
        nothing
        2 2 6
        M1
        2 2 8
        M2
        2 3 10";
    told(&store, &[Told { what: "continued", story, outcome }]);
}

pub fn a_small_limit_changes_no_answer(store: Arc<dyn Store>) {
    let story = "
        set 小雪, 莱姆, 阿青
        event 小雪, 莱姆, 阿青: 灯塔修好了
        event 小雪: 屋顶漏水了
        event 阿青: 屋顶又漏水了
        kept 小雪: 灯塔
        kept 莱姆: 灯塔
        kept 阿青: 屋顶
        kept 小雪: 屋顶
        reword 小雪 M2: 屋顶补好了
        ask 小雪: 屋顶
        forget 阿青 M3
        kept 阿青: 屋顶
        kept 莱姆: 屋顶";
    let mut answers = Vec::new();
    let is_kept = counts_changes(&store);
    for most_bytes in [0, 1, 4096, usize::MAX] {
        let limits = Limits { minds_bytes: most_bytes, ..Limits::default() };
        let mut prompter = Prompter::with(store.clone(), &format!("limit {most_bytes}"), limits, None);
        answers.push(prompter.play(story));
        let MindsAtHand { minds, bytes, let_go, .. } = prompter.theatre.engine.minds_at_hand();
        assert!(bytes <= most_bytes, "{bytes} bytes are at hand, and {most_bytes} may be");
        match most_bytes {
            _ if !is_kept => assert_eq!((minds, let_go), (0, 0)),
            0 | 1 => assert!(minds == 0 && let_go > 0, "{minds} are at hand, {let_go} were let go"),
            usize::MAX => assert_eq!((minds, let_go), (3, 0)),
            _ => {}
        }
    }
    assert!(answers.windows(2).all(|two| two.first() == two.last()), "{answers:#?}");
}

pub fn whatever_was_asked_before(store: Arc<dyn Store>) {
    let story = "
        set 小雪, 莱姆
        @莱姆: 我养了一只狐狸
        小雪: 真的
        @莱姆: 灯塔修好了
        小雪: 好
        digest now
        note 小雪 (trait): 她怕猫
        event 小雪: 狐狸跑了
        forget 小雪 M1
        event 小雪: 灯塔又坏了
        unforget 小雪 M1
        reword 小雪 M2: 灯塔亮着
        window 1";
    let questions = ["狐狸和灯塔", "猫", "昨天", "莱姆"];
    let mut eager = Prompter::new(&store, "eager");
    for step in story.lines() {
        eager.play(step);
        if !step.trim().is_empty() && step.trim() != "set 小雪, 莱姆" {
            questions.iter().for_each(|question| drop(eager.recall(&format!("小雪: {question}"))));
        }
    }
    let mut late = Prompter::new(&store, "late");
    late.play(story);
    for question in questions {
        let asked = format!("小雪: {question}");
        let (one, other) = (eager.recall(&asked).unwrap(), late.recall(&asked).unwrap());
        assert_eq!(one.messages, other.messages, "{question}");
        assert_eq!(one.tokens, other.tokens, "{question}");
    }
}
