//! Does every setting of recall change a prompt?

mod stories;

use std::sync::Arc;

use reverie_core::settings::recall::KEYS;
use reverie_core::{Limits, Store};

use super::prompter::Prompter;
use super::thesaurus::Thesaurus;
use stories::{KINDS, MANY, PAST, TALK, WAYS};

/// A setting, and a story in which it counts.
struct Row {
    key: &'static str,
    /// Not its default.
    value: &'static str,
    story: &'static str,
    /// The story goes on so.
    and: &'static str,
    asked: &'static str,
    /// The lines of the answer without it, and with it.
    before: &'static str,
    after: &'static str,
}

const ROWS: &[Row] = &[
    Row {
        key: "recall.enabled",
        value: "false",
        story: TALK,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M1 M2",
        after: "nothing",
    },
    Row {
        key: "recall.keyword",
        value: "0",
        story: WAYS,
        and: "",
        asked: "legs 小雪: 狐狸",
        before: "M3 lexical keyword related / M6 semantic related / M5 semantic related / M1 related / M2 related",
        after: "M3 lexical related / M6 semantic related / M5 semantic related / M1 related / M2 related",
    },
    Row {
        key: "recall.lexical",
        value: "0",
        story: WAYS,
        and: "",
        asked: "kept 小雪: 半夜",
        before: "M4",
        after: "nothing",
    },
    Row {
        key: "recall.semantic",
        value: "0",
        story: WAYS,
        and: "",
        asked: "kept 小雪: cats",
        before: "M1",
        after: "nothing",
    },
    Row {
        key: "recall.temporal",
        value: "0",
        story: WAYS,
        and: "",
        asked: "kept 小雪: 昨天呢",
        before: "M6",
        after: "nothing",
    },
    Row {
        key: "recall.emotional",
        value: "0",
        story: WAYS,
        and: "mood 害怕",
        asked: "kept 小雪: 邻居",
        before: "M3 M5",
        after: "M3",
    },
    Row {
        key: "recall.related",
        value: "1",
        story: WAYS,
        and: "put recall.lexical = 0",
        asked: "kept 小雪: 阿青呢",
        before: "nothing",
        after: "M4",
    },
    Row {
        key: "recall.semantic_top",
        value: "1",
        story: WAYS,
        and: "",
        asked: "kept 小雪: cats, the ocean",
        before: "M2 M1",
        after: "M2",
    },
    Row {
        key: "recall.semantic_floor",
        value: "0.8",
        story: WAYS,
        and: "",
        asked: "kept 小雪: cats, the ocean",
        before: "M2 M1",
        after: "M2",
    },
    Row {
        key: "recall.most.episodic",
        value: "1",
        story: MANY,
        and: "",
        asked: "kept Snow: the lighthouse",
        before: "M10 M11 M4 M5 M1 M6 M9 M8 M3",
        after: "M10 M11 M4 M5 M1 M6 M9 M8",
    },
    Row {
        key: "recall.most.semantic",
        value: "0",
        story: MANY,
        and: "",
        asked: "kept Snow: the lighthouse",
        before: "M10 M11 M4 M5 M1 M6 M9 M8 M3",
        after: "M10 M11 M1 M6 M9 M8 M3",
    },
    Row {
        key: "recall.most.trait",
        value: "1",
        story: MANY,
        and: "",
        asked: "kept Snow: the lighthouse",
        before: "M10 M11 M4 M5 M1 M6 M9 M8 M3",
        after: "M10 M4 M5 M1 M6 M9 M8 M3",
    },
    Row {
        key: "recall.most.goal",
        value: "4",
        story: MANY,
        and: "",
        asked: "kept Snow: the lighthouse",
        before: "M10 M11 M4 M5 M1 M6 M9 M8 M3",
        after: "M10 M11 M4 M5 M1 M6 M9 M8 M3 M7",
    },
    Row {
        key: "recall.threshold",
        value: "0.9",
        story: TALK,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M1 M2",
        after: "M1",
    },
    Row {
        key: "recall.weight.episodic",
        value: "0",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M3 M4 M2",
    },
    Row {
        key: "recall.weight.semantic",
        value: "0",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M3 M4 M1",
    },
    Row {
        key: "recall.weight.trait",
        value: "0",
        story: KINDS,
        and: "put recall.constant.trait = false",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M4 M2 M1",
    },
    Row {
        key: "recall.weight.goal",
        value: "0",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M3 M2 M1",
    },
    Row {
        key: "recall.emotional_weight.episodic",
        value: "0",
        story: KINDS,
        and: "mood 害怕",
        asked: "legs 小雪: 灯塔",
        before: "M3 lexical keyword emotional related / M4 lexical keyword emotional related / M2 lexical keyword emotional related / M1 lexical keyword emotional related",
        after: "M3 lexical keyword emotional related / M4 lexical keyword emotional related / M2 lexical keyword emotional related / M1 lexical keyword related",
    },
    Row {
        key: "recall.emotional_weight.semantic",
        value: "0",
        story: KINDS,
        and: "mood 害怕",
        asked: "legs 小雪: 灯塔",
        before: "M3 lexical keyword emotional related / M4 lexical keyword emotional related / M2 lexical keyword emotional related / M1 lexical keyword emotional related",
        after: "M3 lexical keyword emotional related / M4 lexical keyword emotional related / M2 lexical keyword related / M1 lexical keyword emotional related",
    },
    Row {
        key: "recall.emotional_weight.trait",
        value: "0",
        story: KINDS,
        and: "mood 害怕",
        asked: "legs 小雪: 灯塔",
        before: "M3 lexical keyword emotional related / M4 lexical keyword emotional related / M2 lexical keyword emotional related / M1 lexical keyword emotional related",
        after: "M3 lexical keyword related / M4 lexical keyword emotional related / M2 lexical keyword emotional related / M1 lexical keyword emotional related",
    },
    Row {
        key: "recall.emotional_weight.goal",
        value: "0",
        story: KINDS,
        and: "mood 害怕",
        asked: "legs 小雪: 灯塔",
        before: "M3 lexical keyword emotional related / M4 lexical keyword emotional related / M2 lexical keyword emotional related / M1 lexical keyword emotional related",
        after: "M3 lexical keyword emotional related / M4 lexical keyword related / M2 lexical keyword emotional related / M1 lexical keyword emotional related",
    },
    Row {
        key: "recall.decay.episodic",
        value: "0",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M3 M1 M4 M2",
    },
    Row {
        key: "recall.decay.semantic",
        value: "1",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M3 M4 M1 M2",
    },
    Row {
        key: "recall.decay.trait",
        value: "1",
        story: KINDS,
        and: "put recall.constant.trait = false",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M4 M2 M1 M3",
    },
    Row {
        key: "recall.decay.goal",
        value: "1",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M3 M2 M1 M4",
    },
    Row {
        key: "recall.constant.episodic",
        value: "true",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 你好",
        before: "M3",
        after: "M3 M1",
    },
    Row {
        key: "recall.constant.semantic",
        value: "true",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 你好",
        before: "M3",
        after: "M2 M3",
    },
    Row {
        key: "recall.constant.trait",
        value: "false",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 你好",
        before: "M3",
        after: "nothing",
    },
    Row {
        key: "recall.constant.goal",
        value: "true",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 你好",
        before: "M3",
        after: "M3 M4",
    },
    Row {
        key: "recall.time_decay",
        value: "false",
        story: KINDS,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M3 M4 M2 M1",
        after: "M3 M2 M4 M1",
    },
    Row {
        key: "recall.emotional_boost",
        value: "false",
        story: WAYS,
        and: "mood 害怕",
        asked: "kept 小雪: 邻居",
        before: "M3 M5",
        after: "M3",
    },
    Row {
        key: "recall.near_duplicate",
        value: "1",
        story: MANY,
        and: "",
        asked: "kept Snow: it fell into the sea",
        before: "M10 M11 M1",
        after: "M10 M11 M1 M2",
    },
    Row {
        key: "recall.archive",
        value: "false",
        story: PAST,
        and: "",
        asked: "why 小雪: 桂花酒",
        before: "M1 kept / M4 kept / M2 threshold / M3 threshold",
        after: "M1 past / M4 kept / M2 past / M3 threshold",
    },
    Row {
        key: "recall.said",
        value: "1",
        story: TALK,
        and: "",
        asked: "kept 小雪: 你好",
        before: "M1 M2",
        after: "M1",
    },
    Row {
        key: "recall.max_chars",
        value: "30",
        story: TALK,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M1 M2",
        after: "M1",
    },
    Row {
        key: "recall.max_tokens",
        value: "20",
        story: TALK,
        and: "",
        asked: "kept 小雪: 灯塔",
        before: "M1 M2",
        after: "M1",
    },
    Row {
        key: "recall.position",
        value: "assistant",
        story: TALK,
        and: "",
        asked: "prompt 小雪: 灯塔",
        before: "user | 灯塔呢 / assistant | 不知道 / system | ## 角色记忆⏎### 情景记忆⏎- 灯塔修好了⏎### 特质记忆⏎- 她怕猫 / user | 灯塔",
        after: "user | 灯塔呢 / assistant | 不知道 / assistant | ## 角色记忆⏎### 情景记忆⏎- 灯塔修好了⏎### 特质记忆⏎- 她怕猫 / user | 灯塔",
    },
    Row {
        key: "recall.depth",
        value: "1",
        story: TALK,
        and: "put recall.position = depth",
        asked: "prompt 小雪: 灯塔",
        before: "system | ## 角色记忆⏎### 情景记忆⏎- 灯塔修好了⏎### 特质记忆⏎- 她怕猫 / user | 灯塔呢 / assistant | 不知道 / user | 灯塔",
        after: "user | 灯塔呢 / assistant | 不知道 / system | ## 角色记忆⏎### 情景记忆⏎- 灯塔修好了⏎### 特质记忆⏎- 她怕猫 / user | 灯塔",
    },
    Row {
        key: "recall.by_kind",
        value: "false",
        story: TALK,
        and: "",
        asked: "ask 小雪: 灯塔",
        before: "## 角色记忆 / ### 情景记忆 / - 灯塔修好了 / ### 特质记忆 / - 她怕猫",
        after: "## 角色记忆 / - 她怕猫 / - 灯塔修好了",
    },
    Row {
        key: "recall.show_time",
        value: "true",
        story: TALK,
        and: "",
        asked: "ask 小雪: 灯塔",
        before: "## 角色记忆 / ### 情景记忆 / - 灯塔修好了 / ### 特质记忆 / - 她怕猫",
        after: "## 角色记忆 / ### 情景记忆 / - [2024-05-05] 灯塔修好了 / ### 特质记忆 / - [2024-05-05] 她怕猫",
    },
    Row {
        key: "recall.show_source",
        value: "true",
        story: TALK,
        and: "",
        asked: "ask 小雪: 灯塔",
        before: "## 角色记忆 / ### 情景记忆 / - 灯塔修好了 / ### 特质记忆 / - 她怕猫",
        after: "## 角色记忆 / ### 情景记忆 / - 灯塔修好了 (事件) / ### 特质记忆 / - 她怕猫 (手记)",
    },
    Row {
        key: "recall.template",
        value: "{{#each memories}}({{text}}){{/each}}",
        story: TALK,
        and: "",
        asked: "ask 小雪: 灯塔",
        before: "## 角色记忆 / ### 情景记忆 / - 灯塔修好了 / ### 特质记忆 / - 她怕猫",
        after: "(她怕猫)(灯塔修好了)",
    },
];

pub fn every_setting_does_something(store: Arc<dyn Store>) {
    let shown: Vec<&str> = ROWS.iter().map(|row| row.key).collect();
    let known: Vec<&str> = KEYS.iter().map(|(key, ..)| *key).collect();
    assert_eq!(shown, known, "each key once, in the table's order");
    for Row { key, value, story, and, asked, before, after } in ROWS {
        let thesaurus = Arc::new(Thesaurus::new());
        let mut prompter = Prompter::with(store.clone(), key, Limits::default(), Some(thesaurus));
        prompter.play(story);
        prompter.play(and);
        assert_eq!(on_one_line(&prompter.play(asked)), *before, "without {key} = {value}");
        prompter.play(&format!("put {key} = {value}"));
        assert_eq!(on_one_line(&prompter.play(asked)), *after, "with {key} = {value}");
        assert_ne!(before, after, "{key} = {value}");
    }
}

/// For one character alone, and no other.
pub fn every_setting_counts_for_one_character(store: Arc<dyn Store>) {
    for Row { key, value, story, and, asked, before, after } in ROWS {
        let thesaurus = Arc::new(Thesaurus::new());
        let mut prompter = Prompter::with(store.clone(), key, Limits::default(), Some(thesaurus));
        prompter.play(story);
        prompter.play(and);
        let name = if story.contains("Snow") { "Snow" } else { "小雪" };
        prompter.play(&format!("put {key}@路人 = {value}"));
        assert_eq!(on_one_line(&prompter.play(asked)), *before, "with {key} = {value} for somebody else");
        prompter.play(&format!("put {key}@{name} = {value}"));
        assert_eq!(on_one_line(&prompter.play(asked)), *after, "with {key}@{name} = {value}");
    }
}

fn on_one_line(answer: &str) -> String {
    let lines = answer.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" / ")
}
