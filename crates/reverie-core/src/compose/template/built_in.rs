//! How are memories written where nobody set a template, and which words does a language have for them?

use std::sync::OnceLock;

use super::Template;
use crate::memory::Kind;
use crate::time::Language;

struct Words {
    heading: &'static str,
    /// Over what happened, facts, traits and goals.
    headings: [&'static str; 4],
    /// Around the names of those who know it.
    label: (&'static str, &'static str),
}

const ZH: Words = Words {
    heading: "## 角色记忆",
    headings: ["### 情景记忆", "### 语义记忆", "### 特质记忆", "### 目标记忆"],
    label: ("【", "】"),
};

const EN: Words = Words {
    heading: "## Memories",
    headings: ["### What happened", "### Facts", "### Traits", "### Goals"],
    label: ("[", "] "),
};

impl Template {
    /// The template of a language, where nobody set one.
    pub fn built_in(language: Language) -> &'static Self {
        static BUILT_IN: OnceLock<[Template; 2]> = OnceLock::new();
        let [zh, en] = BUILT_IN.get_or_init(|| [&ZH, &EN].map(read));
        match language {
            Language::Zh => zh,
            Language::En => en,
        }
    }

    /// As one would write it into `recall.template`.
    pub fn built_in_text(language: Language) -> String {
        match language {
            Language::Zh => text(&ZH),
            Language::En => text(&EN),
        }
    }
}

/// Tests see to it that it can be read.
fn read(words: &Words) -> Template {
    Template::parse(&text(words)).unwrap_or_default()
}

fn text(words: &Words) -> String {
    let (open, close) = words.label;
    let item = format!(
        "- {{{{#if who}}}}{open}{{{{who}}}}{close}{{{{/if}}}}\
         {{{{#if show_time}}}}{{{{#if time}}}}[{{{{time}}}}] {{{{/if}}}}{{{{/if}}}}\
         {{{{text}}}}\
         {{{{#if show_source}}}}{{{{#if source}}}} ({{{{source}}}}){{{{/if}}}}{{{{/if}}}}\n"
    );
    let mut text = format!("{}\n{{{{#if by_kind}}}}\n", words.heading);
    for (kind, heading) in Kind::ALL.iter().zip(words.headings) {
        let list = kind.as_str();
        text.push_str(&format!(
            "{{{{#if {list}}}}}\n{heading}\n{{{{#each {list}}}}}\n{item}{{{{/each}}}}\n{{{{/if}}}}\n"
        ));
    }
    text.push_str(&format!("{{{{else}}}}\n{{{{#each memories}}}}\n{item}{{{{/each}}}}\n{{{{/if}}}}\n"));
    text
}

/// What stands around the names of those who know something.
pub(super) fn label(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Zh => ZH.label,
        Language::En => EN.label,
    }
}

pub(super) fn kind(kind: Kind, language: Language) -> &'static str {
    match (kind, language) {
        (Kind::Episodic, Language::Zh) => "情景",
        (Kind::Semantic, Language::Zh) => "语义",
        (Kind::Trait, Language::Zh) => "特质",
        (Kind::Goal, Language::Zh) => "目标",
        (_, Language::En) => kind.as_str(),
    }
}

pub(super) fn between_names(language: Language) -> &'static str {
    match language {
        Language::Zh => "、",
        Language::En => ", ",
    }
}
