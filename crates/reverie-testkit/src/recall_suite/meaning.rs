//! Does what means the same come to mind, and what if nobody can tell what it means?

use std::sync::Arc;
use std::sync::atomic::Ordering;

use reverie_core::embed::Embedder;
use reverie_core::{Limits, Store};

use super::prompter::{Prompter, Told, told, told_with};
use super::thesaurus::Thesaurus;

/// Three memories whose words nobody says.
const STORY: &str = "
    set 小雪, 莱姆
    event 小雪: 邻居家的小动物喵喵叫了一夜
    event 小雪: 他们整天听着浪花和波涛
    event 小雪: 师父醉倒在路边
    digest now
    kept 小雪: Do you like my cat?
    kept 小雪: The ocean!
    kept 小雪: ネコ
    kept 小雪: 你好
    legs 小雪: Do you like my cat?
    missing 小雪: Do you like my cat?";

pub fn in_other_words(store: Arc<dyn Store>) {
    let thesaurus: Arc<dyn Embedder> = Arc::new(Thesaurus::new());
    let outcome = "
        M1
        M2
        M1
        nothing
        M1 semantic
        M2 related
        M3 related
        nothing";
    told_with(&store, Some(thesaurus), &[Told { what: "with an embedder", story: STORY, outcome }]);
    let outcome = "
        nothing
        nothing
        nothing
        nothing
        nothing
        nothing";
    told(&store, &[Told { what: "without one", story: STORY, outcome }]);
}

/// What was only just remembered or reworded is found by its meaning before anybody embeds it, if that costs no waiting.
pub fn at_once(store: Arc<dyn Store>) {
    let story = "
        set 小雪, 莱姆
        event 小雪: 邻居家的小动物喵喵叫了一夜
        kept 小雪: my cat
        event 小雪: 师父醉倒在路边
        kept 小雪: the wine
        reword 小雪 M1: 波涛声响了一夜
        kept 小雪: my cat
        kept 小雪: The ocean!
        embed
        kept 小雪: The ocean!";
    let near = "
        M1
        M2
        nothing
        M1
        M1";
    let far = "
        nothing
        nothing
        nothing
        nothing
        M1";
    for (what, thesaurus, outcome) in
        [("near at hand", Thesaurus::new(), near), ("over a network", Thesaurus::far(), far)]
    {
        let thesaurus: Arc<dyn Embedder> = Arc::new(thesaurus);
        told_with(&store, Some(thesaurus), &[Told { what, story, outcome }]);
    }
}

pub fn beside_other_ways(store: Arc<dyn Store>) {
    let story = "
        set 小雪, 莱姆
        event 小雪: 灯塔下面的喵喵叫声
        event 小雪: 灯塔下面的浪花和波涛
        event 小雪: 师父醉倒在路边
        digest now
        kept 小雪: 灯塔下的cat
        legs 小雪: 灯塔下的cat
        put recall.semantic = 0
        legs 小雪: 灯塔下的cat";
    let outcome = "
        M1 M2
        M1 lexical semantic keyword related
        M2 lexical keyword related
        M3 related
        M1 lexical keyword related
        M2 lexical keyword related
        M3 related";
    let thesaurus: Arc<dyn Embedder> = Arc::new(Thesaurus::new());
    told_with(&store, Some(thesaurus), &[Told { what: "two ways", story, outcome }]);
}

pub fn a_holders_own_words_have_their_own_meaning(store: Arc<dyn Store>) {
    let story = "
        set 小雪, 莱姆
        event 小雪, 莱姆: 邻居家的小动物喵喵叫了一夜
        event 小雪, 莱姆: 师父醉倒在路边
        digest now
        reword 小雪 M1: 波涛声响了一夜
        kept 小雪: my cat
        digest now
        kept 小雪: my cat
        kept 小雪: the ocean
        kept 莱姆: my cat
        kept 莱姆: the ocean";
    let outcome = "
        nothing
        nothing
        M1
        M1
        nothing";
    let thesaurus: Arc<dyn Embedder> = Arc::new(Thesaurus::new());
    told_with(&store, Some(thesaurus), &[Told { what: "own words", story, outcome }]);
}

pub fn an_embedder_that_fails(store: Arc<dyn Store>) {
    let thesaurus = Arc::new(Thesaurus::new());
    let mut prompter = Prompter::with(store, "fails", Limits::default(), Some(thesaurus.clone()));
    prompter.play(STORY);
    thesaurus.fails.store(true, Ordering::SeqCst);
    for (step, expected) in [
        ("missing 小雪: Do you like my cat?", "embedder_unavailable"),
        ("kept 小雪: Do you like my cat?", "nothing"),
        ("kept 小雪: 师父呢", "M3"),
        ("prompt 小雪: Do you like my cat?", "user | Do you like my cat?"),
        // Whoever does not want meanings misses none.
        ("put recall.semantic@小雪 = 0", ""),
        ("missing 小雪: Do you like my cat?", "nothing"),
        ("put recall.semantic@小雪 = 1", ""),
        ("put recall.enabled = false", ""),
        ("missing 小雪: Do you like my cat?", "nothing"),
        ("put recall.enabled = true", ""),
        // Where nothing has a meaning, none is missed.
        ("missing 莱姆: Do you like my cat?", "nothing"),
        ("forget 小雪 M2", ""),
        ("missing 小雪: Do you like my cat?", "embedder_unavailable"),
        ("forget 小雪 M1", ""),
        ("forget 小雪 M3", ""),
        ("missing 小雪: Do you like my cat?", "nothing"),
        ("unforget 小雪 M1", ""),
        ("unforget 小雪 M3", ""),
    ] {
        assert_eq!(prompter.play(step).trim(), expected, "{step}");
    }
    thesaurus.fails.store(false, Ordering::SeqCst);
    assert_eq!(prompter.play("kept 小雪: Do you like my cat?").trim(), "M1");
}

pub fn an_embedder_that_never_answered(store: Arc<dyn Store>) {
    let thesaurus = Arc::new(Thesaurus::far());
    let mut prompter = Prompter::with(store, "never answered", Limits::default(), Some(thesaurus.clone()));
    thesaurus.fails.store(true, Ordering::SeqCst);
    prompter.play(STORY);
    for (step, expected) in [
        ("missing 小雪: Do you like my cat?", "memories_not_embedded"),
        // A sign means nothing by itself.
        ("missing 小雪: ……？！", "nothing"),
        ("put recall.semantic = 0", ""),
        ("missing 小雪: Do you like my cat?", "nothing"),
        ("put recall.semantic = 1", ""),
        ("missing 莱姆: Do you like my cat?", "nothing"),
    ] {
        assert_eq!(prompter.play(step).trim(), expected, "{step}");
    }
    thesaurus.fails.store(false, Ordering::SeqCst);
    assert_eq!(prompter.play("embed\nmissing 小雪: Do you like my cat?").trim(), "nothing");
}

/// About what is said. Which languages it speaks at all is another question, and once answered for every engine.
pub fn asked_once_at_most(store: Arc<dyn Store>) {
    let thesaurus = Arc::new(Thesaurus::new());
    let mut prompter = Prompter::with(store, "once", Limits::default(), Some(thesaurus.clone()));
    prompter.play(STORY);
    prompter.play("event 莱姆: 波涛");
    prompter.play("digest now");
    // Each is asked three times: twice with minds at hand, once without.
    for (step, times) in [
        ("kept 小雪: my cat", 3),
        ("kept 小雪: 你好", 3),
        ("with 莱姆", 0),
        ("kept 小雪: my cat", 3),
        ("kept 阿青: my cat", 3),
        ("alone", 0),
        ("kept 阿青: my cat", 0),
        // Nothing is said.
        ("kept 小雪", 0),
        ("put recall.semantic = 0", 0),
        ("kept 小雪: my cat", 0),
    ] {
        let before = thesaurus.asked.load(Ordering::SeqCst);
        prompter.play(step);
        assert_eq!(thesaurus.asked.load(Ordering::SeqCst) - before, times, "{step}");
    }
}
