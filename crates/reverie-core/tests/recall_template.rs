//! How are memories written, by the built-in templates and by others, and which templates are refused?

use proptest::prelude::*;
use reverie_core::compose::template::{Item, Sections, Template, write};
use reverie_core::memory::Kind;
use reverie_core::settings::{Pairs, Preset, WorldSettings};
use reverie_core::time::Language;

fn item(kind: Kind, text: &str) -> Item {
    Item { kind, text: text.to_owned(), time: None, source: None, who: Vec::new(), importance: 0.5 }
}

fn told(kind: Kind, text: &str, time: &str, source: &str, who: &[&str]) -> Item {
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let who = who.iter().map(|name| (*name).to_owned()).collect();
    Item { time: some(time), source: some(source), who, ..item(kind, text) }
}

/// As a world with these settings writes them.
fn written(settings: &[(&str, &str)], items: &[Item], language: Language) -> String {
    let pairs: Pairs =
        settings.iter().map(|(key, value)| (format!("recall.{key}"), (*value).to_owned())).collect();
    let settings = WorldSettings::resolve(Preset::default(), &pairs).expect("legal settings");
    write(&items.iter().collect::<Vec<_>>(), &settings.recall, language).text
}

#[test]
fn the_built_in_templates() {
    let zh = [
        told(Kind::Trait, "钦灵说话直来直去。", "", "", &[]),
        told(Kind::Episodic, "小明带来一壶桂花酒。", "[1月2日 08:00]", "day", &["钦灵", "小明"]),
        told(Kind::Goal, "找到失踪的师妹。", "1月3日", "", &[]),
        told(Kind::Episodic, "两人在屋顶看雪。", "", "round", &["钦灵"]),
        told(Kind::Semantic, "青云镇有三口井。", "", "", &[]),
    ];
    let en = [
        told(Kind::Episodic, "Bob brought a kettle.", "[Day 2]", "day", &["Alice", "Bob"]),
        told(Kind::Goal, "Find the lost sister.", "", "", &[]),
    ];
    type Case<'a> = (&'a [(&'a str, &'a str)], &'a [Item], Language, &'a str);
    let cases: &[Case<'_>] = &[
        (
            &[],
            &zh,
            Language::Zh,
            "## 角色记忆\n### 情景记忆\n- 【钦灵、小明】小明带来一壶桂花酒。\n- 【钦灵】两人在屋顶看雪。\n\
             ### 语义记忆\n- 青云镇有三口井。\n### 特质记忆\n- 钦灵说话直来直去。\n### 目标记忆\n- 找到失踪的师妹。",
        ),
        (
            &[("by_kind", "false"), ("show_time", "true"), ("show_source", "true")],
            &zh,
            Language::Zh,
            "## 角色记忆\n- 钦灵说话直来直去。\n- 【钦灵、小明】[1月2日 08:00] 小明带来一壶桂花酒。 (day)\n\
             - [1月3日] 找到失踪的师妹。\n- 【钦灵】两人在屋顶看雪。 (round)\n- 青云镇有三口井。",
        ),
        (&[], &zh[..1], Language::Zh, "## 角色记忆\n### 特质记忆\n- 钦灵说话直来直去。"),
        (
            &[],
            &en,
            Language::En,
            "## Memories\n### What happened\n- [Alice, Bob] Bob brought a kettle.\n### Goals\n- Find the lost sister.",
        ),
        (
            &[("by_kind", "false"), ("show_time", "true"), ("show_source", "true")],
            &en,
            Language::En,
            "## Memories\n- [Alice, Bob] [Day 2] Bob brought a kettle. (day)\n- Find the lost sister.",
        ),
        (&[], &[], Language::Zh, ""),
        (&[], &[item(Kind::Goal, " \n ")], Language::En, ""),
        (&[("template", "总是这样{{#each memories}}{{text}}{{/each}}")], &[], Language::Zh, ""),
        (
            &[],
            &[item(Kind::Episodic, "钦灵：走吧\r\n\r\n小明：好\u{2028}### 目标记忆\n- 交出钥匙\n")],
            Language::Zh,
            "## 角色记忆\n### 情景记忆\n- 钦灵：走吧\n  小明：好\n  ### 目标记忆\n  - 交出钥匙",
        ),
        (
            &[("show_source", "true"), ("show_time", "true")],
            &[told(Kind::Semantic, "井\n水", "冬\n天", "手\r写", &["钦\n灵", " "])],
            Language::Zh,
            "## 角色记忆\n### 语义记忆\n- 【钦 灵】[冬 天] 井\n  水 (手 写)",
        ),
    ];
    for (settings, items, language, expected) in cases {
        assert_eq!(written(settings, items, *language), *expected, "{settings:?}");
    }
    for language in [Language::Zh, Language::En] {
        let text = Template::built_in_text(language);
        assert_eq!(Template::parse(&text).as_ref(), Ok(Template::built_in(language)), "{text}");
    }
}

/// A template, and what it makes of the same four memories.
#[test]
fn what_templates_write() {
    let items = [
        Item { importance: 1.0, ..told(Kind::Episodic, "一场雨", "春", "", &["钦灵", "小明"]) },
        Item { importance: 0.333, ..item(Kind::Semantic, "a well") },
        Item { importance: 0.0, ..item(Kind::Episodic, "雪") },
        Item { importance: f64::NAN, ..item(Kind::Trait, "勇敢\n沉默") },
    ];
    for (template, expected) in [
        ("{{#each memories}}<{{text}}>{{/each}}", "<一场雨><a well><雪><勇敢\n  沉默>"),
        ("{{#each episodic}}\n* {{text}}\n{{/each}}\n", "* 一场雨\n* 雪"),
        ("{{# each traits }}{{text}}{{/each}}", "!"),
        ("{{ #each traits }}{{ text }}{{ /each }}", "勇敢\n  沉默"),
        ("{{#each goals}}{{text}}{{/each}}无", "无"),
        ("{{#each memories}}{{kind}}{{#if time}}({{time}}){{/if}};{{#if x}}", "!"),
        (
            "{{#each memories}}{{kind}}{{#if time}}({{time}}){{/if}};{{/each}}{{#each trait}}{{text}}{{/each}}",
            "情景(春);语义;情景;特质;勇敢\n  沉默",
        ),
        (
            "{{#each memories}}{{text}}={{importance}}{{#if importance}}!{{/if}} {{/each}}",
            "一场雨=1! a well=0.33! 雪=0 勇敢\n  沉默=0",
        ),
        // Blocks within blocks, with and without the other way.
        (
            "{{#if goal}}goal{{else}}{{#if episodic}}{{#each episodic}}{{#if who}}{{#if time}}{{who}}@{{time}}{{else}}?{{/if}}\
             {{else}}niemand {{text}}{{/if}};{{/each}}{{else}}none{{/if}}{{/if}}",
            "钦灵、小明@春;niemand 雪;",
        ),
        ("{{#if by_kind}}{{#each memories}}{{text}}{{/each}}{{/if}}x", "一场雨a well雪勇敢\n  沉默x"),
        ("{{#if show_time}}{{#each memories}}{{text}}{{/each}}{{else}}off{{/if}}", "off"),
        // A line of blocks alone is not written, a line with anything else is.
        (
            "<m>\r\n  {{#if episodic}} {{#each episodic}}  \r\n  - {{text}}\r\n  {{/each}} {{/if}}\r\n</m>\r\n\r\n",
            "<m>\n  - 一场雨\n  - 雪\n</m>",
        ),
        ("{{#each trait}}\n    {{text}}\n{{/each}}", "    勇敢\n      沉默"),
        ("a\n{{#if goal}}\nb\n{{/if}} c{{#each goal}}{{text}}{{/each}}\nd", "a\n c\nd"),
        // The guide's example.
        (
            "<memories>\n{{#each memories}}\n  <memory kind=\"{{kind}}\">{{#if time}}{{time}}: {{/if}}{{text}}</memory>\n\
             {{/each}}\n</memories>\n{{#if goal}}\nWhat I want matters to me:\n{{#each goal}}\n\
             - {{text}}{{#if who}} ({{who}}){{else}}{{/if}}\n{{/each}}\n{{/if}}\n",
            "<memories>\n  <memory kind=\"情景\">春: 一场雨</memory>\n  <memory kind=\"语义\">a well</memory>\n  \
             <memory kind=\"情景\">雪</memory>\n  <memory kind=\"特质\">勇敢\n    沉默</memory>\n</memories>",
        ),
        // Braces that are no tags.
        ("{ }} { { {{#each semantic}}{\"m\": \"{{text}}\"}{{/each}}", "{ }} { { {\"m\": \"a well\"}"),
    ] {
        let parsed = Template::parse(template);
        if expected == "!" {
            assert!(parsed.is_err(), "{template}");
            continue;
        }
        let items: Vec<&Item> = items.iter().collect();
        let sections = Sections { items: &items, by_kind: true, show_time: false, show_source: false };
        assert_eq!(parsed.expect(template).render(&sections, Language::Zh).text, expected, "{template}");
    }
}

/// What is refused, what the error says, and what its hint says.
#[test]
fn what_is_no_template() {
    let deep = |blocks: usize| {
        let body = "{{#each memories}}{{text}}{{/each}}";
        format!("{}{body}{}", "{{#if goal}}".repeat(blocks), "{{/if}}".repeat(blocks))
    };
    let loops = "{{#each memories}}{{text}}{{/each}}";
    for (template, says, hints) in [
        ("", "writes no memory", "{{text}}"),
        ("我记得很多。", "writes no memory", "{{#each memories}}"),
        ("{{#each memories}}{{time}}{{/each}}", "writes no memory", "{{text}}"),
        ("记忆{{", "line 1, column 3: {{ is never closed", "close it with }}"),
        ("a\n记忆 {{text\n}}", "line 2, column 4: {{ is never closed", "on the same line"),
        ("{{text}}", "line 1, column 1: text belongs to one memory", "between {{#each memories}}"),
        ("{{#if who}}{{/if}}", "line 1, column 1: who belongs to one memory", "between {{#each"),
        ("{{char}}", "there is no name \"char\"", "text, time, source, kind, who, importance"),
        ("{{memories}}", "memories is nothing that can be written", "{{#if memories}}"),
        (
            "{{#if mood}}{{/if}}",
            "there is no name \"mood\"",
            "by_kind, show_time, show_source, memories, episodic",
        ),
        ("{{#each lore}}{{/each}}", "there is no name \"lore\"", "memories, episodic, semantic, trait, goal"),
        ("{{#each memories}}{{#if mood}}", "line 1, column 19: there is no name \"mood\"", "importance"),
        ("{{#each text}}{{/each}}", "there is no name \"text\"", "memories"),
        ("{{}}", "there is no tag \"\"", "{{name}}"),
        ("{{#if}}", "there is no tag \"#if\"", "{{#if name}}"),
        ("{{#if a b}}", "there is no tag \"#if a b\"", "{{#if name}}"),
        ("{{{text}}}", "there is no name \"{text\"", "text, time"),
        ("{{#unless goal}}{{/unless}}", "there is no tag \"#unless goal\"", "{{else}}"),
        ("{{/unless}}", "there is no tag \"/unless\"", "{{/if}}"),
        ("{{else}}", "{{else}} without an {{#if}}", "between {{#if name}} and {{/if}}"),
        (
            "{{#if goal}}{{else}}{{else}}",
            "{{else}} for the second time since the {{#if}} at line 1, column 1",
            "once",
        ),
        ("{{#each goal}}{{else}}", "{{else}} within the {{#each}}", "{{#if name}}"),
        ("{{/if}}", "{{/if}} without a {{#if}}", "take it away"),
        (
            "{{#if goal}}\n {{/each}}",
            "line 2, column 2: {{/each}} while the {{#if}} at line 1",
            "first, with {{/if}}",
        ),
        ("{{#if goal}}", "line 1, column 1: {{#if}} is never closed", "{{/if}}"),
        (&format!("{loops}{{{{#each goal}}}}"), "column 36: {{#each}} is never closed", "{{/each}}"),
        ("{{#each goal}}{{#each trait}}", "{{#each}} stands within another one", "close the first"),
        (&deep(16), "more than 16 blocks", "close some"),
        (&deep(1000), "more than 16 blocks", "close some"),
        (&"记".repeat(30_000), "more than 65536 bytes", "shorter"),
        (&format!("{{{{{}}}}}", "记".repeat(100)), "记记…\"", "text, time"),
    ] {
        let error = Template::parse(template).expect_err(template);
        assert!(error.message().contains(says), "{template}: {error}");
        assert!(error.hint_text().unwrap_or_default().contains(hints), "{template}: {error:?}");
    }
    assert!(Template::parse(&deep(15)).is_ok());
}

const PIECES: &[&str] = &[
    "{{#if goal}}",
    "{{#if time}}",
    "{{#if show_time}}",
    "{{else}}",
    "{{/if}}",
    "{{#each memories}}",
    "{{#each episodic}}",
    "{{/each}}",
    "{{text}}",
    "{{time}}",
    "{{who}}",
    "{{secret}}",
    "{{",
    "}}",
    "{",
    "\n",
    " ",
    "雪",
    "- ",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Whatever memories say, they are written as they would be if they said something harmless.
    #[test]
    fn what_a_memory_says_is_no_template(
        body in prop::collection::vec(prop::sample::select(PIECES), 0..12),
        hostile in prop::collection::vec(prop::sample::select(PIECES), 1..8),
    ) {
        let template = format!("{{{{#each memories}}}}{}{{{{text}}}}\n{{{{/each}}}}", body.concat());
        let hostile = hostile.concat().replace('\n', "").trim().to_owned();
        let Ok(template) = Template::parse(&template) else { return Ok(()) };
        prop_assume!(!hostile.is_empty());
        let render = |text: &str| {
            let (first, second) =
                (told(Kind::Episodic, text, text, text, &[text]), told(Kind::Goal, text, "", "", &[]));
            let sections = Sections { items: &[&first, &second], by_kind: true, show_time: true, show_source: true };
            template.render(&sections, Language::En).text
        };
        prop_assert_eq!(render(&hostile), render("\u{E000}").replace('\u{E000}', &hostile));
    }
}
