//! How are the books made ready, so that a search costs what is said and not what was written?
//!
//! All plain keys of all entries are looked for in one pass over the text. From each key it is known who uses it, so
//! entries that nothing speaks of are never looked at.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use aho_corasick::AhoCorasick;

use super::decorators::{self, Orders};
use super::entry::{Book, Entry, Sources, Trigger};
use super::fold::Folding;
use super::key::{self, Key, Plain, Read, Reading, Written};
use super::pattern::Purse;
use super::words;
use crate::cue::LoreName;

/// Bytes of all plain keys together: the automaton takes about thirty times as much.
const MOST_KEYS: usize = 8 << 20;

/// How spellings are compared where an entry does not say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Spelling {
    pub case_sensitive: bool,
    pub fold_width: bool,
    pub fold_script: bool,
}

/// Books that are searched together.
#[derive(Debug, Default)]
pub struct Shelf {
    /// In the order in which they are looked at.
    pub(super) items: Vec<Item>,
    pub(super) plain: Vec<Plain>,
    /// Of each plain key, whether it is a single word.
    pub(super) single: Vec<bool>,
    /// Of each plain key, the items that it can set off.
    pub(super) users: Vec<Vec<u32>>,
    pub(super) insensitive: Finder,
    pub(super) sensitive: Finder,
    /// Items to look at whatever is said.
    pub(super) always: Vec<u32>,
    /// Of each topic, folded, the items that name it.
    pub(super) topics: HashMap<String, Vec<u32>>,
    /// The most messages that any entry wants searched.
    pub(super) deepest: u32,
    /// Texts besides the chat that any entry wants searched.
    pub(super) sources: Sources,
    /// True if somebody gives way when the budget is short.
    pub(super) gives_way: bool,
    /// Levels of `delay_until_recursion` that occur, ascending.
    pub(super) levels: Vec<u32>,
    by_id: HashMap<(Arc<str>, Arc<str>), u32>,
    /// Patterns and macros so far.
    numbered: u32,
    problems: Vec<Problem>,
    /// Bytes, about.
    memory: usize,
}

/// An entry on the shelf.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) book: Arc<str>,
    /// Without the orders at the head of its content.
    pub(super) entry: Entry,
    pub(super) orders: Orders,
    pub(super) reading: Reading,
    pub(super) primary: Vec<Written>,
    pub(super) secondary: Vec<Written>,
    pub(super) additional: Vec<Written>,
    pub(super) excluded: Vec<Written>,
    /// A primary key that is not looked for, if any.
    pub(super) refused: Option<String>,
    pub(super) book_depth: Option<u32>,
    pub(super) book_recursive: Option<bool>,
    pub(super) book_budget: Option<u32>,
}

/// Something that an author should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub book: Arc<str>,
    pub entry: Arc<str>,
    pub message: String,
}

/// What is needed until the shelf is ready.
struct Making {
    /// Of each plain key.
    numbers: HashMap<Plain, u32>,
    purse: Purse,
}

/// Finds many texts in one pass.
#[derive(Debug, Default)]
pub(super) struct Finder {
    automaton: Option<AhoCorasick>,
    /// The plain key that each of its patterns is.
    keys: Vec<u32>,
}

impl Finder {
    fn new(plain: &[Plain], case_sensitive: bool) -> Result<Self, String> {
        let keys: Vec<u32> = (0..plain.len() as u32)
            .filter(|key| {
                plain.get(*key as usize).is_some_and(|plain| plain.case_sensitive == case_sensitive)
            })
            .collect();
        if keys.is_empty() {
            return Ok(Self::default());
        }
        let texts = keys.iter().filter_map(|key| plain.get(*key as usize)).map(|plain| plain.text.as_str());
        let automaton = AhoCorasick::new(texts).map_err(|error| error.to_string())?;
        Ok(Self { automaton: Some(automaton), keys })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.automaton.is_none()
    }

    fn memory(&self) -> usize {
        self.automaton.as_ref().map_or(0, AhoCorasick::memory_usage) + self.keys.len() * size_of::<u32>()
    }

    /// Every place where a key stands: the key, from, to.
    pub(super) fn find<'a>(&'a self, folded: &'a str) -> impl Iterator<Item = (u32, usize, usize)> + 'a {
        self.automaton.iter().flat_map(move |automaton| {
            automaton.find_overlapping_iter(folded).filter_map(|found| {
                let key = self.keys.get(found.pattern().as_usize())?;
                Some((*key, found.start(), found.end()))
            })
        })
    }
}

impl Item {
    fn memory(&self) -> usize {
        let entry = &self.entry;
        let keys = entry.keys.iter().chain(&entry.secondary_keys);
        let keys: usize = keys.map(|key| 2 * (key.len() + size_of::<Written>())).sum();
        size_of::<Self>() + entry.content.len() + entry.comment.len() + keys
    }
}

impl Shelf {
    /// Entries of a higher order come first; of equal order, those of higher priority, then of the lower book, then by
    /// number.
    pub fn new<'b>(books: impl IntoIterator<Item = &'b Book>, spelling: Spelling) -> Result<Self, String> {
        let mut shelf = Self::default();
        let mut making = Making { numbers: HashMap::new(), purse: Purse::for_shelf() };
        let mut sorted: Vec<(&Book, &Arc<Entry>)> =
            books.into_iter().flat_map(|book| book.entries.iter().map(move |entry| (book, entry))).collect();
        // Every part of the key is a total order of its own; what is still equal stays as it was given.
        let mut book_places: HashMap<&Arc<str>, usize> = HashMap::new();
        for (book, _) in &sorted {
            let next = book_places.len();
            book_places.entry(&book.id).or_insert(next);
        }
        sorted.sort_by_cached_key(|(book, entry)| {
            let number = entry.id.parse::<u64>().ok();
            let first = (Reverse(entry.order), Reverse(entry.priority), book.rank);
            (first, book_places.get(&book.id).copied(), number.is_none(), number)
        });
        for (book, entry) in sorted {
            shelf.put(book, entry, spelling, &mut making);
        }
        let size: usize = shelf.plain.iter().map(|plain| plain.text.len()).sum();
        if size > MOST_KEYS {
            return Err(format!("all keys together may have {MOST_KEYS} bytes, these have {size}"));
        }
        shelf.users = vec![Vec::new(); shelf.plain.len()];
        for (index, item) in (0_u32..).zip(&shelf.items) {
            for key in item.primary.iter().flat_map(|written| written.key.awaited()) {
                if let Some(users) = shelf.users.get_mut(*key as usize).filter(|u| u.last() != Some(&index)) {
                    users.push(index);
                }
            }
        }
        shelf.insensitive = Finder::new(&shelf.plain, false)?;
        shelf.sensitive = Finder::new(&shelf.plain, true)?;
        // Each plain key is kept twice, and named by its author.
        let items: usize = shelf.items.iter().map(Item::memory).sum();
        let finders = shelf.insensitive.memory() + shelf.sensitive.memory();
        shelf.memory = items + 2 * size + finders + making.purse.spent_by_shelf();
        Ok(shelf)
    }

    fn put(&mut self, book: &Book, entry: &Entry, spelling: Spelling, making: &mut Making) {
        let mut entry = entry.clone();
        let orders = decorators::obey(&mut entry);
        let folding = Folding {
            case: !entry.case_sensitive.unwrap_or(spelling.case_sensitive),
            width: spelling.fold_width,
            script: spelling.fold_script,
        };
        let reading = Reading { folding, use_regex: entry.use_regex };
        let index = self.items.len() as u32;
        let mut take = |keys: &[String]| -> (Vec<Written>, Option<String>) {
            let mut taken = Vec::with_capacity(keys.len());
            let mut refused = None;
            for key in keys {
                match self.take(key, reading, book, &entry, making) {
                    Some(written) => taken.push(written),
                    None if refused.is_none() && !key.trim().is_empty() => refused = Some(key::short(key)),
                    None => {}
                }
            }
            (taken, refused)
        };
        let (primary, refused) = take(&entry.keys);
        let (secondary, _) = take(&entry.secondary_keys);
        let ((additional, _), (excluded, _)) = (take(&orders.additional_keys), take(&orders.exclude_keys));
        for message in &orders.ignored {
            self.problem(book, &entry, message.clone());
        }
        let is_always = entry.constant
            || orders.activate.is_some()
            || primary.iter().any(|written| written.key.awaited().is_empty())
            || matches!(entry.trigger, Trigger::Temporal | Trigger::Emotional);
        for topic in &entry.topics {
            self.topics.entry(topic.trim().to_lowercase()).or_default().push(index);
        }
        if is_always && !entry.is_off() {
            self.always.push(index);
        }
        self.deepest = self.deepest.max(entry.scan_depth.unwrap_or(0)).max(book.scan_depth.unwrap_or(0));
        self.sources = self.sources | entry.sources;
        self.gives_way |= orders.ignore_on_max_context;
        if entry.delay_until_recursion > 0
            && let Err(place) = self.levels.binary_search(&entry.delay_until_recursion)
        {
            self.levels.insert(place, entry.delay_until_recursion);
        }
        self.by_id.insert((Arc::clone(&book.id), Arc::clone(&entry.id)), index);
        self.items.push(Item {
            book: Arc::clone(&book.id),
            entry,
            orders,
            reading,
            primary,
            secondary,
            additional,
            excluded,
            refused,
            book_depth: book.scan_depth,
            book_recursive: book.recursive,
            book_budget: book.token_budget,
        });
    }

    fn take(
        &mut self,
        text: &str,
        reading: Reading,
        book: &Book,
        entry: &Entry,
        making: &mut Making,
    ) -> Option<Written> {
        let Making { numbers, purse } = making;
        let mut number = |plain: Plain, shelf: &mut Self| {
            *numbers.entry(plain).or_insert_with_key(|plain| {
                shelf.single.push(words::is_single(&plain.text));
                shelf.plain.push(plain.clone());
                shelf.plain.len() as u32 - 1
            })
        };
        let key = match reading.read(text, purse) {
            Read::Nothing => return None,
            Read::Plain(plain) => Key::Plain(number(plain, self)),
            Read::Pattern(pattern) => {
                self.numbered += 1;
                let needs = Reading::needed(&pattern).into_iter().map(|plain| number(plain, self)).collect();
                Key::Pattern { pattern, number: self.numbered, needs }
            }
            Read::Macro => {
                self.numbered += 1;
                Key::Macro { number: self.numbered }
            }
            Read::Refused(why) => {
                let message = format!("the key {} is not looked for: {why}", key::shown(text));
                self.problem(book, entry, message);
                return None;
            }
            Read::Wrong(plain, problem) => {
                let message = format!("the key {text:?} is looked for as plain text: {problem}");
                self.problem(book, entry, message);
                Key::Plain(number(plain, self))
            }
        };
        Some(Written { text: text.to_owned(), key })
    }

    fn problem(&mut self, book: &Book, entry: &Entry, message: String) {
        let (book, entry) = (Arc::clone(&book.id), Arc::clone(&entry.id));
        self.problems.push(Problem { book, entry, message });
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Entries that are found by meaning, and what they say.
    pub(crate) fn by_meaning(&self) -> impl Iterator<Item = (LoreName, &str)> {
        let found = self.items.iter().filter(|item| item.entry.is_found_by_meaning() && !item.entry.is_off());
        found.map(|item| {
            let name = LoreName { book: Arc::clone(&item.book), entry: Arc::clone(&item.entry.id) };
            (name, item.entry.content.as_str())
        })
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Bytes that it takes with all its patterns compiled, about: patterns take at most twice what is reckoned here.
    pub fn memory(&self) -> usize {
        self.memory
    }

    pub(super) fn find(&self, book: &Arc<str>, entry: &Arc<str>) -> Option<u32> {
        self.by_id.get(&(Arc::clone(book), Arc::clone(entry))).copied()
    }

    /// The items that one of these keys can set off.
    pub(super) fn users_of(&self, keys: &[u32], into: &mut Vec<u32>) {
        for key in keys {
            into.extend(self.users.get(*key as usize).into_iter().flatten());
        }
    }
}
