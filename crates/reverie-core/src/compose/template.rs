//! How are memories written into a prompt? By a template: text with `{{name}}`, `{{#if name}}…{{else}}…{{/if}}` and
//! `{{#each memories}}…{{/each}}` in it.
//!
//! A template is checked whole when it is set, so that none can fail, or reach a model half read, when a prompt is made.
//! What a memory says is never read as a template.

mod built_in;
mod parse;

use crate::memory::Kind;
use crate::settings::RecallRules;
use crate::time::{BRACKETS, Language};

/// A template that was read and is in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Template {
    nodes: Vec<Node>,
}

/// What a template writes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sections<'a> {
    /// In the order of the prompt.
    pub items: &'a [&'a Item],
    /// What the world, or the character, wants to see. Templates ask for them with `{{#if …}}`.
    pub by_kind: bool,
    pub show_time: bool,
    pub show_source: bool,
}

/// A memory, as a prompt tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub kind: Kind,
    pub text: String,
    /// When it happened; in brackets or without.
    pub time: Option<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// The names of those who know it, where a prompt gives a voice to several characters.
    pub who: Vec<String>,
    /// 0 to 1.
    pub importance: f64,
}

/// Memories, written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Written {
    pub text: String,
    /// How many of them stand in it: a template need not tell them all.
    pub told: usize,
}

/// Writes memories as the rules say: by their own template, and else by the built-in one of the language.
pub fn write(items: &[&Item], rules: &RecallRules, language: Language) -> Written {
    let RecallRules { by_kind, show_time, show_source, .. } = *rules;
    let sections = Sections { items, by_kind, show_time, show_source };
    let template = rules.template.as_ref().unwrap_or_else(|| Template::built_in(language));
    template.render(&sections, language)
}

/// Whether memories of a kind can stand in a prompt at all, as the rules have them written.
pub(crate) fn writes(kind: Kind, rules: &RecallRules) -> bool {
    rules.template.as_ref().is_none_or(|template| may_write(&template.nodes, kind, rules))
}

fn may_write(nodes: &[Node], kind: Kind, rules: &RecallRules) -> bool {
    nodes.iter().any(|node| match node {
        Node::Text(_) | Node::Value(_) => false,
        Node::Each { list, body } => list.has(kind) && tells_a_text(body, kind, rules),
        Node::If { test, then, otherwise } => taken(*test, (then, otherwise), kind, rules)
            .into_iter()
            .any(|nodes| may_write(nodes, kind, rules)),
    })
}

fn tells_a_text(nodes: &[Node], kind: Kind, rules: &RecallRules) -> bool {
    nodes.iter().any(|node| match node {
        Node::Value(field) => *field == Field::Text,
        Node::If { test, then, otherwise } => {
            let taken = taken(*test, (then, otherwise), kind, rules);
            taken.into_iter().any(|nodes| tells_a_text(nodes, kind, rules))
        }
        Node::Text(_) | Node::Each { .. } => false,
    })
}

/// What may be written of a choice if there is a memory of this kind.
fn taken<'n>(
    test: Test,
    (then, otherwise): (&'n [Node], &'n [Node]),
    kind: Kind,
    rules: &RecallRules,
) -> Vec<&'n [Node]> {
    let holds = match test {
        Test::Flag(Flag::ByKind) => Some(rules.by_kind),
        Test::Flag(Flag::ShowTime) => Some(rules.show_time),
        Test::Flag(Flag::ShowSource) => Some(rules.show_source),
        Test::List(list) => list.has(kind).then_some(true),
        Test::Field(_) => None,
    };
    match holds {
        Some(true) => vec![then],
        Some(false) => vec![otherwise],
        None => vec![then, otherwise],
    }
}

/// A text that only these know, as memories say it of themselves: behind their names, and whatever follows a line break further in.
pub(super) fn labelled(names: &[String], text: &str, language: Language) -> String {
    let (open, close) = built_in::label(language);
    let names: Vec<String> = names.iter().map(|name| on_one_line(name)).collect();
    let said: Vec<&str> = lines(text).collect();
    format!("{open}{}{close}{}", names.join(built_in::between_names(language)), said.join("\n  "))
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Text(String),
    Value(Field),
    If { test: Test, then: Vec<Self>, otherwise: Vec<Self> },
    Each { list: List, body: Vec<Self> },
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Test {
    Flag(Flag),
    List(List),
    Field(Field),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Flag {
    ByKind,
    ShowTime,
    ShowSource,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum List {
    All,
    Of(Kind),
}

impl List {
    fn has(self, kind: Kind) -> bool {
        match self {
            Self::All => true,
            Self::Of(other) => other == kind,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Field {
    Text,
    Time,
    Source,
    Kind,
    Who,
    Importance,
}

impl Template {
    /// The memories, written; nothing at all where there is none.
    pub fn render(&self, sections: &Sections<'_>, language: Language) -> Written {
        let says_something = |item: &&Item| !item.text.trim().is_empty();
        let items: Vec<&Item> = sections.items.iter().copied().filter(says_something).collect();
        if items.is_empty() {
            return Written::default();
        }
        let is_told = vec![false; items.len()];
        let mut page = Page { sections, items, is_told, language, written: String::new() };
        page.write(&self.nodes, None);
        let told = page.is_told.iter().filter(|is_told| **is_told).count();
        Written { text: page.written.trim_end().trim_start_matches('\n').to_owned(), told }
    }
}

/// What is being written.
struct Page<'a> {
    sections: &'a Sections<'a>,
    /// Those that say something.
    items: Vec<&'a Item>,
    /// Of each whether its text is written.
    is_told: Vec<bool>,
    language: Language,
    written: String,
}

impl<'a> Page<'a> {
    /// `place` is that of the memory that is being written.
    fn write(&mut self, nodes: &[Node], place: Option<usize>) {
        let item = place.and_then(|place| self.items.get(place).copied());
        for node in nodes {
            match node {
                Node::Text(text) => self.written.push_str(text),
                Node::Value(Field::Text) => self.write_text(place),
                Node::Value(field) => {
                    let value = item.and_then(|item| self.value(*field, item)).unwrap_or_default();
                    self.written.push_str(&value);
                }
                Node::If { test, then, otherwise } => {
                    let chosen = if self.holds(*test, item) { then } else { otherwise };
                    self.write(chosen, place);
                }
                Node::Each { list, body } => {
                    for place in self.listed(*list) {
                        self.write(body, Some(place));
                    }
                }
            }
        }
    }

    fn listed(&self, list: List) -> Vec<usize> {
        let items = self.items.iter().enumerate().filter(|(_, item)| list.has(item.kind));
        items.map(|(place, _)| place).collect()
    }

    fn holds(&self, test: Test, item: Option<&Item>) -> bool {
        match test {
            Test::Flag(Flag::ByKind) => self.sections.by_kind,
            Test::Flag(Flag::ShowTime) => self.sections.show_time,
            Test::Flag(Flag::ShowSource) => self.sections.show_source,
            Test::List(list) => !self.listed(list).is_empty(),
            Test::Field(Field::Importance) => item.is_some_and(|item| item.importance > 0.0),
            Test::Field(field) => item.and_then(|item| self.value(field, item)).is_some(),
        }
    }

    /// On one line. None: there is nothing to say.
    fn value(&self, field: Field, item: &Item) -> Option<String> {
        let value = match field {
            Field::Text => lines(&item.text).collect::<Vec<_>>().join(" "),
            Field::Time => on_one_line(unbracketed(item.time.as_deref()?.trim())),
            Field::Source => on_one_line(item.source.as_deref()?),
            Field::Kind => built_in::kind(item.kind, self.language).to_owned(),
            Field::Who => {
                let names: Vec<String> = item.who.iter().map(|name| on_one_line(name)).collect();
                let named = names.iter().map(String::as_str).filter(|name| !name.is_empty());
                named.collect::<Vec<_>>().join(built_in::between_names(self.language))
            }
            Field::Importance => shown(item.importance),
        };
        Some(value).filter(|value| !value.is_empty())
    }

    /// Whatever follows a line break stands further in than the line on which the text began, so that it can neither end a
    /// list nor pass for a heading of ours.
    fn write_text(&mut self, place: Option<usize>) {
        let Some((place, item)) = place.and_then(|place| Some((place, *self.items.get(place)?))) else {
            return;
        };
        self.is_told.iter_mut().skip(place).take(1).for_each(|is_told| *is_told = true);
        let line_start = self.written.rfind('\n').map_or(0, |at| at + 1);
        let line = self.written.get(line_start..).unwrap_or_default();
        let indent: String = line.chars().take_while(|char| matches!(char, ' ' | '\t')).collect();
        for (index, line) in lines(&item.text).enumerate() {
            if index > 0 {
                self.written.push('\n');
                self.written.push_str(&indent);
                self.written.push_str("  ");
            }
            self.written.push_str(line);
        }
    }
}

/// Lines with something on them, whichever way they were broken.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let breaks = ['\n', '\r', '\u{B}', '\u{C}', '\u{85}', '\u{2028}', '\u{2029}'];
    text.trim().split(breaks).map(str::trim_end).filter(|line| !line.is_empty())
}

fn on_one_line(text: &str) -> String {
    lines(text).map(str::trim).collect::<Vec<_>>().join(" ")
}

/// A calendar's stamps stand in brackets of their own; the template has its own.
fn unbracketed(time: &str) -> &str {
    let inside = BRACKETS.iter().find_map(|(open, close)| time.strip_prefix(*open)?.strip_suffix(*close));
    inside.unwrap_or(time)
}

/// Two digits are more than anyone can tell apart.
fn shown(importance: f64) -> String {
    let within = if importance > 0.0 { importance.min(1.0) } else { 0.0 };
    format!("{}", (within * 100.0).round() / 100.0)
}
