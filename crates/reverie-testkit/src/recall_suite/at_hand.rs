//! Is what is kept at hand good for something, bounded, and never seen in an answer?

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use reverie_core::cue::CueMessage;
use reverie_core::store::Place;
use reverie_core::{CharacterId, Cue, Limits, MindsAtHand, Store};

use super::prompter::{Prompter, Told, told};
use super::thesaurus::Thesaurus;
use crate::digest_suite::theatre::{Theatre, happened, who};

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
        let (queries, results) = Default::default();
        assert_eq!(MindsAtHand { queries, results, ..prompter.theatre.engine.minds_at_hand() }, nothing);
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

/// Every question is asked twice of the same engine and once of one that knows nothing, and all say the same: so whatever is known of
/// a text can only be what it means.
pub fn what_was_asked_before(store: Arc<dyn Store>) {
    let thesaurus = Arc::new(Thesaurus::far());
    let mut prompter = Prompter::with(store, "asked", Limits::default(), Some(thesaurus.clone()));
    // What is asked for, by whom it was asked: how often the embedder is, by both engines.
    for (step, outcome, times) in [
        ("put recall.said = 1", "", 0),
        ("set 小雪, 莱姆", "", 0),
        ("event 小雪: 邻居家的小动物喵喵叫了一夜", "", 0),
        ("event 莱姆: 院子里喵喵叫", "", 0),
        ("event 小雪, 莱姆: 师父醉倒在路边", "", 0),
        ("embed", "", 0),
        ("kept 小雪: my cat", "M1", 2),
        ("kept 小雪: my cat", "M1", 1),
        // Another character.
        ("kept 莱姆: my cat", "M2", 1),
        // Another branch.
        ("forget 小雪 M1", "", 0),
        ("kept 小雪: my cat", "nothing", 1),
        ("take back 小雪 M1", "", 0),
        ("kept 小雪: my cat", "M1", 1),
        // Another save.
        ("fork 岔路", "", 0),
        ("set 小雪, 莱姆", "", 0),
        ("forget 小雪 M1", "", 0),
        ("embed", "", 0),
        ("kept 小雪: my cat", "nothing", 1),
        ("world 空空", "", 0),
        ("put recall.said = 1", "", 0),
        ("set 小雪, 莱姆", "", 0),
        ("kept 小雪: my cat", "nothing", 0),
        ("back asked", "", 0),
        ("set 小雪, 莱姆", "", 0),
        ("kept 小雪: my cat", "M1", 1),
        ("kept 小雪: the wine", "M3", 2),
        // What is deleted is nowhere.
        ("erase 莱姆", "", 0),
        ("kept 小雪: my cat", "M1", 2),
    ] {
        let before = thesaurus.asked.load(Ordering::SeqCst);
        assert_eq!(prompter.play(step).trim(), outcome, "{step}");
        if !outcome.is_empty() {
            assert_eq!(thesaurus.asked.load(Ordering::SeqCst) - before, times, "{step}");
        }
    }
    let queries = prompter.theatre.engine.minds_at_hand().queries;
    assert_eq!((queries.texts, queries.found, queries.asked), (1, 15, 3), "{queries:?}");
    thesaurus.fails.store(true, Ordering::SeqCst);
    let Theatre { engine, world, .. } = &prompter.theatre;
    let mut cue = Cue::new(who("小雪"), Place::Nowhere);
    for (asked, missing) in [("my cat", None), ("my kitten", Some("embedder_unavailable"))] {
        cue.message = Some(CueMessage { content: asked.to_owned(), speaker: None });
        let recall = engine.recall(world, &cue).unwrap();
        assert_eq!(recall.degraded.first().map(|one| one.code), missing, "{asked}");
    }
}

/// What came to a mind is known again for the same question alone, and only until that mind changes. That it is then the same is looked
/// at by every story: each asks twice, and once where nothing is at hand.
pub fn what_came_to_mind_before(store: Arc<dyn Store>) {
    if !counts_changes(&store) {
        return;
    }
    let mut prompter = Prompter::with(store, "again", Limits::default(), None);
    // How often it was looked for, and how often it was known; each step that asks does so twice.
    for (step, outcome, made, found) in [
        ("put recall.said = 1", "", 0, 0),
        ("set 小雪, 莱姆", "", 0, 0),
        ("event 小雪, 莱姆: 灯塔修好了", "", 0, 0),
        ("kept 小雪: 灯塔", "M1", 1, 1),
        ("kept 小雪: 灯塔", "M1", 0, 2),
        ("kept 小雪: 屋顶", "nothing", 1, 1),
        ("kept 小雪: 灯塔", "M1", 0, 2),
        // Another character, and other rules.
        ("kept 莱姆: 灯塔", "M1", 1, 1),
        ("put recall.lexical = 0.9", "", 0, 0),
        ("kept 小雪: 灯塔", "M1", 1, 1),
        // What one learns is no news for the other.
        ("event 小雪: 屋顶漏水了", "", 0, 0),
        ("kept 小雪: 屋顶", "M2", 1, 1),
        ("put recall.lexical = 1", "", 0, 0),
        ("kept 莱姆: 灯塔", "M1", 0, 2),
        ("forget 小雪 M2", "", 0, 0),
        ("kept 小雪: 屋顶", "nothing", 1, 1),
        // Another save.
        ("fork 岔路", "", 0, 0),
        ("set 小雪, 莱姆", "", 0, 0),
        ("kept 莱姆: 灯塔", "M1", 1, 1),
        ("back again", "", 0, 0),
        ("set 小雪, 莱姆", "", 0, 0),
        ("kept 莱姆: 灯塔", "M1", 0, 2),
        // Only so many questions are known.
        ("kept 莱姆: 一", "nothing", 1, 1),
        ("kept 莱姆: 二", "nothing", 1, 1),
        ("kept 莱姆: 三", "nothing", 1, 1),
        ("kept 莱姆: 四", "nothing", 1, 1),
        ("kept 莱姆: 灯塔", "M1", 1, 1),
        // What is deleted is nowhere.
        ("erase 小雪", "", 0, 0),
        ("kept 莱姆: 灯塔", "M1", 1, 1),
    ] {
        let before = prompter.theatre.engine.minds_at_hand().results;
        assert_eq!(prompter.play(step).trim(), outcome, "{step}");
        let MindsAtHand { results, bytes, .. } = prompter.theatre.engine.minds_at_hand();
        assert_eq!((results.made - before.made, results.found - before.found), (made, found), "{step}");
        assert!(results.bytes <= bytes, "{results:?} of {bytes}");
        assert_eq!(results.bytes == 0, step.starts_with("erase") || results.made == 0, "{step}: {results:?}");
    }
}

pub fn what_is_asked_takes_little(store: Arc<dyn Store>) {
    for most_bytes in [0, 4096, 64 << 10, 1 << 20] {
        let thesaurus = Arc::new(Thesaurus::far());
        let limits = Limits { minds_bytes: most_bytes, ..Limits::default() };
        let world = format!("little {most_bytes}");
        let mut prompter = Prompter::with(store.clone(), &world, limits, Some(thesaurus));
        prompter.play("put recall.said = 1\nset 小雪, 莱姆\nevent 小雪: 喵喵叫\nembed");
        for number in 0..40 {
            prompter.recall(&format!("小雪: cat {number}")).unwrap();
            let MindsAtHand { bytes, queries, .. } = prompter.theatre.engine.minds_at_hand();
            assert!(queries.bytes <= queries.most_bytes, "{queries:?}");
            assert!(bytes + queries.bytes <= most_bytes, "{bytes} {queries:?}");
        }
        let queries = prompter.theatre.engine.minds_at_hand().queries;
        // The first of many texts are known no more, the last one is.
        match most_bytes {
            0 | 4096 => assert_eq!((queries.texts, queries.found), (0, 0)),
            0x10000 => assert!((1..40).contains(&queries.texts) && queries.found > 0, "{queries:?}"),
            _ => assert_eq!((queries.texts, queries.asked), (40, 40)),
        }
    }
}

/// Whoever reads ahead while others write and read is told no fewer memories than there were when they asked.
pub fn reading_ahead_while_others_write(store: Arc<dyn Store>) {
    const EVENTS: usize = 60;
    let prompter = Prompter::new(&store, "ahead");
    prompter.theatre.play("set 小雪, 莱姆\nevent 小雪: 灯塔");
    let Theatre { engine, world, .. } = &prompter.theatre;
    let told = AtomicUsize::new(1);
    std::thread::scope(|scope| {
        let write = || {
            for number in 0..EVENTS {
                engine.event(world, happened("小雪", &format!("第{number}天"))).unwrap();
                told.fetch_add(1, Ordering::SeqCst);
            }
        };
        let read = || {
            while told.load(Ordering::SeqCst) <= EVENTS {
                let before = told.load(Ordering::SeqCst);
                let read = engine.preload(world, &who("小雪")).unwrap();
                assert!(read >= before, "{read} memories are read, and {before} were told");
            }
        };
        scope.spawn(write);
        (0..3).for_each(|_| drop(scope.spawn(read)));
    });
    assert_eq!(engine.preload(world, &who("小雪")).unwrap(), EVENTS + 1);
}

/// Whoever is not at hand stays so; whoever is learns what is new before anybody asks, and the next prompt reads nothing of it again.
pub fn keeping_up_with_what_is_new(store: Arc<dyn Store>) {
    let prompter = Prompter::new(&store, "keeping up");
    prompter.theatre.play("set 小雪, 莱姆\nevent 小雪: 灯塔");
    let Theatre { engine, world, .. } = &prompter.theatre;
    let snow = CharacterId::new("小雪").unwrap();
    engine.keep_up(world, &snow);
    assert_eq!(engine.minds_at_hand().minds, 0);
    assert_eq!(engine.preload(world, &who("小雪")).unwrap(), 1);
    let before = engine.minds_at_hand();
    engine.event(world, happened("小雪", "海上的风")).unwrap();
    engine.keep_up(world, &snow);
    let after = engine.minds_at_hand();
    // A store that cannot tell what changed keeps nothing at hand.
    assert_eq!(after.minds, before.minds);
    assert_eq!(after.whole, before.whole, "it is not read as a whole again");
    assert!(before.minds == 0 || after.bytes > before.bytes, "{before:?} {after:?}");
    assert_eq!(engine.preload(world, &who("小雪")).unwrap(), 2);
}
