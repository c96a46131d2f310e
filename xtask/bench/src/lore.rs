//! What does a search of the world books cost, against the one pass over the text that nothing can avoid?

use std::sync::Arc;

use aho_corasick::AhoCorasick;
use anyhow::{Result, anyhow};
use reverie_core::lore::{Activation, Book, Entry, Meter, Request, Rules, Shelf, Timers, scan};

use crate::Workshop;
use crate::dialogue::Dice;
use crate::measure::{Often, Time, time, time_both};
use crate::table::{Against, Row, Target};

const ENTRIES: usize = 10_000;
const KEYS_OF_ONE: usize = 3;
/// Characters of the window, in messages of so many.
const WINDOW: usize = 4_000;
const MESSAGE: usize = 200;
/// In the window, about so many characters lie between two keys that were put there.
const BETWEEN_KEYS: usize = 100;

const OFTEN: Often = Often { warm_up: 50, samples: 500 };
const SELDOM: Often = Often { warm_up: 1, samples: 10 };
const METER: Meter = Meter { length: str::len, per_token: 4 };

pub(crate) fn run(_workshop: &Workshop) -> Result<Vec<Row>> {
    let mut dice = Dice::new(11);
    let book = book("plain", ENTRIES, &mut dice);
    let chat = chat(&book, &mut dice);
    let shelf = shelf(&[&book])?;
    let pass = OnePass::new(&book, &chat)?;
    let found = look(&shelf, &chat);
    let note = format!("{} of {} active, {} hits", found.active.len(), shelf.len(), pass.count());

    let (warm, single) = time_both(OFTEN, || Ok(look(&shelf, &chat)), || Ok(pass.count()))?;
    let mut rows =
        vec![row("warm", warm, Some(("one Aho-Corasick pass", single, Target::AtMost(2.0))), note)];

    let looped = time(SELDOM, || Ok(pass.key_by_key()))?;
    rows.push(row("warm", warm, Some(("each key in turn", looped, Target::None)), speed_up(looped, warm)));

    let cold = time(SELDOM, || self::shelf(&[&book]).map(|shelf| look(&shelf, &chat)))?;
    rows.push(row(
        "cold: shelf and scan",
        cold,
        Some(("each key in turn", looped, Target::None)),
        String::new(),
    ));

    let others = strangers(9 * ENTRIES);
    let large = self::shelf(&[&book, &others])?;
    let (ten_times, once) = time_both(OFTEN, || Ok(look(&large, &chat)), || Ok(look(&shelf, &chat)))?;
    let against = ("10 000 entries", once, Target::AtMost(3.0));
    rows.push(row("warm, 90 000 more that do not match", ten_times, Some(against), String::new()));

    for (name, extra) in
        [("and 500 constants", constants(500)), ("and 1 000 patterns", patterns(1_000, &mut dice))]
    {
        let more = self::shelf(&[&book, &extra])?;
        let often = Often { warm_up: 5, samples: 50 };
        let (with, without) = time_both(often, || Ok(look(&more, &chat)), || Ok(look(&shelf, &chat)))?;
        let note = format!("{} active", look(&more, &chat).active.len());
        rows.push(row(name, with, Some(("without", without, Target::None)), note));
    }
    Ok(rows)
}

fn row(case: &str, time: Time, against: Option<(&'static str, Time, Target)>, note: String) -> Row {
    let against =
        against.map(|(name, other, target)| Against { name, time: other, ratio: time.over(other), target });
    Row { case: case.to_owned(), time, against, note }
}

fn speed_up(slow: Time, quick: Time) -> String {
    format!("{:.0} times as fast", slow.over(quick))
}

fn shelf(books: &[&Book]) -> Result<Shelf> {
    Shelf::new(books.iter().copied(), Rules::default().spelling).map_err(|error| anyhow!(error))
}

fn look(shelf: &Shelf, chat: &[String]) -> Activation {
    let messages: Vec<(&str, &str)> = chat.iter().map(|text| ("Mira", text.as_str())).collect();
    let rules = Rules { depth: messages.len() as u32, budget_percent: 100.0, ..Rules::default() };
    let request = Request { messages: &messages, max_context: 1_000_000, ..Request::default() };
    scan(shelf, &rules, &request, Timers::default(), METER, &mut |_| 0.5)
}

/// The same text and the same keys, with nothing else to do.
struct OnePass {
    automaton: AhoCorasick,
    keys: Vec<String>,
    text: String,
}

impl OnePass {
    fn new(book: &Book, chat: &[String]) -> Result<Self> {
        let mut keys: Vec<String> = book.entries.iter().flat_map(|entry| entry.keys.clone()).collect();
        keys.sort_unstable();
        keys.dedup();
        let text: Vec<String> = chat.iter().map(|text| format!("mira: {}", text.to_lowercase())).collect();
        Ok(Self { automaton: AhoCorasick::new(&keys)?, keys, text: text.join("\n") })
    }

    fn count(&self) -> usize {
        self.automaton.find_overlapping_iter(&self.text).count()
    }

    fn key_by_key(&self) -> usize {
        self.keys.iter().filter(|key| self.text.contains(key.as_str())).count()
    }
}

fn book(name: &str, entries: usize, dice: &mut Dice) -> Book {
    let entries = (0..entries).map(|number| Entry {
        id: Arc::from(number.to_string()),
        keys: (0..KEYS_OF_ONE).map(|_| word(dice)).collect(),
        content: "A few words about something. 关于某事的几句话。".to_owned(),
        ..Entry::default()
    });
    bound(name, entries)
}

/// Keys of the same shapes, with a letter that nobody uses.
fn strangers(entries: usize) -> Book {
    let mut dice = Dice::new(5);
    let entries = (0..entries).map(|number| Entry {
        id: Arc::from(number.to_string()),
        keys: (0..KEYS_OF_ONE).map(|_| format!("{}ß", word(&mut dice))).collect(),
        ..Entry::default()
    });
    bound("strangers", entries)
}

fn constants(count: usize) -> Book {
    let entries = (0..count).map(|number| Entry {
        id: Arc::from(number.to_string()),
        constant: true,
        content: "Something that always holds. 总是成立的事。".to_owned(),
        ..Entry::default()
    });
    bound("constants", entries)
}

fn patterns(count: usize, dice: &mut Dice) -> Book {
    let shapes = [r"/\bWORD\b/i", r"/WORD(?!s)/", r"/(?:WORD|WORD)\d{2,}/", r"/[Ww]WORD.{0,5}了/"];
    let entries = (0..count).map(|number| {
        let shape = dice.pick(&shapes).copied().unwrap_or_default();
        Entry {
            id: Arc::from(number.to_string()),
            keys: vec![shape.replace("WORD", &word(dice))],
            ..Entry::default()
        }
    });
    bound("patterns", entries)
}

fn bound(name: &str, entries: impl Iterator<Item = Entry>) -> Book {
    Book {
        id: Arc::from(name),
        name: name.to_owned(),
        rank: 0,
        scan_depth: None,
        token_budget: None,
        recursive: None,
        entries: entries.map(Arc::new).collect(),
    }
}

/// A word in Chinese (of the two thousand first ideographs) or something like English.
fn word(dice: &mut Dice) -> String {
    let length = 2 + dice.below(3);
    if dice.below(2) == 0 {
        return (0..length).filter_map(|_| char::from_u32(0x4E00 + dice.below(2_000) as u32)).collect();
    }
    let mut letters = |from: &'static str| from.chars().nth(dice.below(from.len()));
    (0..length)
        .flat_map(|_| [letters("bcdfghjklmnprstvwz"), letters("aeiou"), letters("nrslmt")])
        .flatten()
        .collect()
}

/// Talk that is made of the same parts as the keys, with some keys in it.
fn chat(book: &Book, dice: &mut Dice) -> Vec<String> {
    let mut messages = Vec::new();
    let mut since_key = 0;
    while messages.len() * MESSAGE < WINDOW {
        let mut message = String::new();
        let mut length = 0;
        while length < MESSAGE {
            let mut next = word(dice);
            if since_key >= BETWEEN_KEYS
                && let Some(key) = dice.pick(&book.entries).and_then(|entry| entry.keys.first())
            {
                next.clone_from(key);
                since_key = 0;
            }
            next.push_str(if next.is_ascii() { " " } else { "，" });
            let characters = next.chars().count();
            length += characters;
            since_key += characters;
            message.push_str(&next);
        }
        messages.push(message);
    }
    messages
}
