//! How is a case written?
//!
//!     == en key.plain · A key that is said sets its entry off
//!     [harbour] keys=harbour, quay; order=50 | What is known of it.
//!     [tower]   keys=tower
//!     Mira: Shall we walk to the harbour?
//!     => before: harbour
//!     => not tower: no key found
//!
//! Behind the language stand the rules that the case shows, if any; `variants` says how a case is written for all
//! languages at once. An entry without a text says its own name. `rules`, `scene`, `text` and `draws` lines set what is not said in the chat, `book`
//! begins another book. A block of `=>` ends a turn and commits its timers; one of `?>` is a dry run. The chat goes on
//! behind it, and `<< 2` takes two messages back. `⏎` is a line break, `␠` a space; fields are separated by `; ` and
//! lists by `, `. A mistake is told with its line.

use std::sync::Arc;

use reverie_core::lore::{Book, Names, Rules};

use crate::fields::read_entry;
use crate::variants::spell_out;

pub(crate) struct Case {
    pub(crate) language: String,
    /// Names of the rules that it shows.
    pub(crate) rules: Vec<String>,
    pub(crate) title: String,
    pub(crate) line: usize,
    pub(crate) books: Vec<Book>,
    pub(crate) turns: Vec<Turn>,
}

/// What is there when the engine is asked, and what it must answer.
#[derive(Clone, Default)]
pub(crate) struct Turn {
    pub(crate) line: usize,
    pub(crate) rules: Rules,
    pub(crate) scene: Scene,
    pub(crate) chat: Vec<(String, String)>,
    pub(crate) draws: Vec<f64>,
    pub(crate) expected: Vec<String>,
    pub(crate) is_dry: bool,
}

#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) max_context: usize,
    pub(crate) names: Names,
    pub(crate) character: Vec<String>,
    pub(crate) tags: Option<Vec<String>>,
    pub(crate) generation: String,
    pub(crate) facts: Vec<(String, String)>,
    pub(crate) mood: Vec<String>,
    pub(crate) topics: Vec<String>,
    pub(crate) tick: Option<i64>,
    pub(crate) ticks_per_day: Option<f64>,
    pub(crate) similar: Vec<(Arc<str>, Arc<str>, f64)>,
    pub(crate) message_count: Option<u32>,
    /// Persona, character and so on, by name.
    pub(crate) texts: Vec<(String, String)>,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            max_context: 1_000_000,
            names: Names::default(),
            character: Vec::new(),
            tags: None,
            generation: String::new(),
            facts: Vec::new(),
            mood: Vec::new(),
            topics: Vec::new(),
            tick: None,
            ticks_per_day: None,
            similar: Vec::new(),
            message_count: None,
            texts: Vec::new(),
        }
    }
}

pub(crate) type Read<T> = Result<T, String>;

impl Case {
    pub(crate) fn read_all(text: &str) -> Read<Vec<Self>> {
        let mut cases: Vec<Self> = Vec::new();
        let mut turn = Turn::default();
        for (line, written) in spell_out(text)? {
            let written = written.trim();
            if written.is_empty() || written.starts_with("--") {
                continue;
            }
            let read = match written.strip_prefix("== ") {
                Some(title) => Self::begin(title, line).map(|case| {
                    cases.push(case);
                    turn = Turn::default();
                }),
                None => match cases.last_mut() {
                    Some(case) => case.line(written, line, &mut turn),
                    None => Err("no case has begun".to_owned()),
                },
            };
            read.map_err(|problem| format!("line {line}: {problem}: {written}"))?;
        }
        Ok(cases)
    }

    fn begin(title: &str, line: usize) -> Read<Self> {
        let (head, title) = title.split_once(" · ").ok_or("a title is `== language rules · title`")?;
        let mut head = head.split_whitespace().map(str::to_owned);
        Ok(Self {
            language: head.next().ok_or("a title begins with a language")?,
            rules: head.collect(),
            title: title.to_owned(),
            line,
            books: vec![book("book")],
            turns: Vec::new(),
        })
    }

    fn line(&mut self, written: &str, line: usize, turn: &mut Turn) -> Read<()> {
        if let Some((mark, expected)) =
            written.split_at_checked(3).filter(|(mark, _)| matches!(*mark, "=> " | "?> "))
        {
            let is_dry = mark == "?> ";
            // A block of answers is one turn; what came before it belongs to it.
            if turn.expected.is_empty() {
                turn.line = line;
                turn.is_dry = is_dry;
                self.turns.push(turn.clone());
            }
            turn.expected.push(plain(expected));
            self.turns.last_mut().ok_or("no turn")?.expected.clone_from(&turn.expected);
            return Ok(());
        }
        if !turn.expected.is_empty() {
            turn.expected.clear();
            turn.draws.clear();
        }
        if let Some(entry) = written.strip_prefix('[') {
            let entry = read_entry(entry)?;
            self.books.last_mut().ok_or("no book")?.entries.push(Arc::new(entry));
            return Ok(());
        }
        let (word, rest) = written.split_once(' ').unwrap_or((written, ""));
        match word {
            "book" => self.book(rest),
            "rules" => each(rest, |name, value| rule(&mut turn.rules, name, value)),
            "scene" => each(rest, |name, value| self.scene(&mut turn.scene, name, value)),
            "text" => {
                let (name, text) = rest.split_once(": ").ok_or("a text is `text name: …`")?;
                turn.scene.texts.push((name.to_owned(), plain(text)));
                Ok(())
            }
            "draws" => {
                turn.draws = list(rest).iter().map(|draw| number(draw)).collect::<Read<_>>()?;
                Ok(())
            }
            "<<" => {
                let back: usize = number(rest)?;
                turn.chat.truncate(turn.chat.len().checked_sub(back).ok_or("so far back there is nothing")?);
                Ok(())
            }
            _ => {
                let (name, text) = written.split_once(": ").ok_or("nobody says that: `name: text`")?;
                turn.chat.push((name.to_owned(), plain(text)));
                Ok(())
            }
        }
    }

    /// The first book has no name; an empty one is renamed.
    fn book(&mut self, rest: &str) -> Read<()> {
        let (name, fields) = rest.split_once(';').unwrap_or((rest, ""));
        if self.books.last().is_some_and(|book| book.entries.is_empty()) {
            self.books.pop();
        }
        let mut new = book(name.trim());
        each(fields, |name, value| {
            match name {
                "rank" => new.rank = number(value)?,
                "depth" => new.scan_depth = Some(number(value)?),
                "budget" => new.token_budget = Some(number(value)?),
                "recursive" => new.recursive = Some(flag(value)?),
                _ => return Err(format!("a book has no {name}")),
            }
            Ok(())
        })?;
        self.books.push(new);
        Ok(())
    }

    fn scene(&self, scene: &mut Scene, name: &str, value: &str) -> Read<()> {
        match name {
            "context" => scene.max_context = number(value)?,
            "user" => scene.names.user = value.to_owned(),
            "char" => scene.names.char = value.to_owned(),
            "character" => scene.character = list(value),
            "tags" => scene.tags = Some(list(value)),
            "generation" => scene.generation = value.to_owned(),
            "mood" => scene.mood = list(value),
            "topics" => scene.topics = list(value),
            "tick" => scene.tick = Some(number(value)?),
            "day" => scene.ticks_per_day = Some(number(value)?),
            "messages" => scene.message_count = Some(number(value)?),
            "similar" => {
                let (entry, score) = value.split_once(' ').ok_or("similar=entry score")?;
                let book = self.books.last().map_or(Arc::from(""), |book| Arc::clone(&book.id));
                scene.similar.push((book, Arc::from(entry), number(score)?));
            }
            _ => match name.strip_prefix("fact ") {
                Some(fact) => {
                    scene.facts.retain(|(known, _)| known != fact);
                    scene.facts.extend(list(value).into_iter().map(|value| (fact.to_owned(), value)));
                }
                None => return Err(format!("a scene has no {name}")),
            },
        }
        Ok(())
    }
}

fn book(id: &str) -> Book {
    Book {
        id: Arc::from(id),
        name: String::new(),
        rank: 0,
        scan_depth: None,
        token_budget: None,
        recursive: None,
        entries: Vec::new(),
    }
}

fn rule(rules: &mut Rules, name: &str, value: &str) -> Read<()> {
    match name {
        "depth" => rules.depth = number(value)?,
        "percent" => rules.budget_percent = number(value)?,
        "cap" => rules.budget_cap = number(value)?,
        "recursive" => rules.recursive = flag(value)?,
        "work" => rules.most_steps = number(value)?,
        "steps" => rules.max_recursion_steps = number(value)?,
        "min" => rules.min_activations = number(value)?,
        "min depth" => rules.min_activations_depth_max = number(value)?,
        "names" => rules.include_names = flag(value)?,
        "whole words" => rules.whole_words = flag(value)?,
        "scoring" => rules.group_scoring = flag(value)?,
        "case" => rules.spelling.case_sensitive = flag(value)?,
        "width" => rules.spelling.fold_width = flag(value)?,
        "script" => rules.spelling.fold_script = flag(value)?,
        "patience" => rules.most_steps = number(value)?,
        _ => return Err(format!("there is no rule {name}")),
    }
    Ok(())
}

pub(crate) fn each(fields: &str, mut take: impl FnMut(&str, &str) -> Read<()>) -> Read<()> {
    for field in fields.split("; ").map(str::trim).filter(|field| !field.is_empty()) {
        let (name, value) = field.split_once('=').unwrap_or((field, ""));
        take(name.trim(), value)?;
    }
    Ok(())
}

pub(crate) fn list(value: &str) -> Vec<String> {
    value.split(", ").map(plain).collect()
}

/// A field that is only named is on.
pub(crate) fn flag(value: &str) -> Read<bool> {
    match value {
        "" | "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("neither yes nor no: {value}")),
    }
}

pub(crate) fn number<T: std::str::FromStr>(text: &str) -> Read<T> {
    text.trim().parse().map_err(|_| format!("no number: {text}"))
}

pub(crate) fn plain(text: &str) -> String {
    text.trim().replace('⏎', "\n").replace('␠', " ")
}
