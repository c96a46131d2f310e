//! Does the quick search find what the obvious one finds?
//!
//! The obvious one joins what is searched and looks for each key of each entry in turn. It knows keys, secondary keys,
//! patterns without tricks, depth, case, whole words and recursion; the rest is in the cases.

use std::collections::BTreeSet;
use std::sync::Arc;

use proptest::prelude::*;
use reverie_core::lore::entry::Logic;
use reverie_core::lore::why::Outcome;
use reverie_core::lore::{Activation, Book, Dice, Entry, Meter, Request, Rules, Shelf, Timers, scan};

const METER: Meter = Meter { length: |text| text.chars().count(), per_token: 1 };

/// Few words, so that they meet; some inside others.
const WORDS: &[&str] =
    &["cat", "Cat", "concat", "a cat", "青龙", "龙", "竜の巣", "ネコ", "É", "é", "x1", "_"];
const GLUE: &[&str] = &[" ", "", "，", "。", "-", "s", "\n"];

fn words() -> impl Strategy<Value = String> {
    let piece = (0..WORDS.len(), 0..GLUE.len()).prop_map(|(word, glue)| [WORDS[word], GLUE[glue]].concat());
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (0..WORDS.len()).prop_map(|word| WORDS[word].to_owned()),
        1 => Just(String::new()),
        2 => (0..WORDS.len()).prop_map(|word| format!("/{}/", WORDS[word])),
        1 => (0..WORDS.len()).prop_map(|word| format!("/(?:{}|zebra)(?!!)/", WORDS[word])),
    ]
}

prop_compose! {
    fn entry()(
        id in 0..30_u32,
        keys in prop::collection::vec(key(), 0..3),
        secondary_keys in prop::collection::vec(key().prop_filter("counted", |key| !key.is_empty()), 0..3),
        logic in prop_oneof![Just(Logic::AndAny), Just(Logic::AndAll), Just(Logic::NotAny), Just(Logic::NotAll)],
        constant in prop::bool::weighted(0.1),
        case_sensitive in prop::option::of(any::<bool>()),
        whole_words in prop::option::of(any::<bool>()),
        scan_depth in prop::option::weighted(0.3, 0..4_u32),
        order in 0..3_i64,
        prevent_recursion in any::<bool>(),
        exclude_recursion in prop::bool::weighted(0.2),
        content in words(),
    ) -> Entry {
        Entry {
            id: Arc::from(if id % 7 == 0 { format!("x{id}") } else { id.to_string() }),
            keys, secondary_keys, logic, constant, case_sensitive, whole_words, scan_depth, order,
            prevent_recursion, exclude_recursion, content,
            ..Entry::default()
        }
    }
}

fn books() -> impl Strategy<Value = Vec<Book>> {
    let one = (prop::collection::vec(entry(), 0..12), 0..2_i64);
    prop::collection::vec(one, 1..4).prop_map(|books| {
        let bound = |(place, (entries, rank)): (usize, (Vec<Entry>, i64))| {
            let mut seen = BTreeSet::new();
            let entries = entries.into_iter().filter(|entry| seen.insert(Arc::clone(&entry.id)));
            Book {
                id: Arc::from(format!("book {place}")),
                name: String::new(),
                rank,
                scan_depth: None,
                token_budget: None,
                recursive: None,
                entries: entries.map(Arc::new).collect(),
            }
        };
        books.into_iter().enumerate().map(bound).collect()
    })
}

fn rules() -> impl Strategy<Value = Rules> {
    (0..4_u32, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(depth, recursive, whole_words, include_names)| Rules {
            depth,
            recursive,
            whole_words,
            include_names,
            budget_percent: 100.0,
            ..Rules::default()
        },
    )
}

type Chat = Vec<(String, String)>;

fn chats() -> impl Strategy<Value = Chat> {
    prop::collection::vec((prop_oneof![Just("Cat".to_owned()), Just("小明".to_owned())], words()), 0..5)
}

fn search(books: &[Book], rules: &Rules, chat: &Chat, explain: bool, dice: &mut Dice) -> (Activation, usize) {
    let shelf = Shelf::new(books, rules.spelling).unwrap();
    let messages: Vec<(&str, &str)> =
        chat.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let request = Request { messages: &messages, max_context: 1_000_000, explain, ..Request::default() };
    let mut drawn = 0;
    let mut draw = |_| {
        drawn += 1;
        dice.draw()
    };
    let found = scan(&shelf, rules, &request, Timers::default(), METER, &mut draw);
    (found, drawn)
}

type Names = BTreeSet<(String, String)>;

fn names(found: &Activation) -> Names {
    found.active.iter().map(|active| (active.book.to_string(), active.entry.to_string())).collect()
}

/// Everything in turn, until nothing is new.
fn obvious(books: &[Book], rules: &Rules, chat: &Chat) -> Names {
    let mut active = Names::new();
    let mut said: Vec<String> = Vec::new();
    let mut is_first = true;
    loop {
        let mut new = Vec::new();
        for book in books {
            for entry in &book.entries {
                let name = (book.id.to_string(), entry.id.to_string());
                let is_kept_out = !is_first && entry.exclude_recursion;
                if active.contains(&name) || is_kept_out || !is_set_off(entry, rules, chat, &said) {
                    continue;
                }
                new.push((name, Arc::clone(entry)));
            }
        }
        let feeding: Vec<String> = (new.iter())
            .filter(|(_, entry)| !entry.prevent_recursion)
            .map(|(_, entry)| entry.content.clone())
            .collect();
        active.extend(new.into_iter().map(|(name, _)| name));
        if feeding.is_empty() || !rules.recursive {
            return active;
        }
        said.extend(feeding);
        is_first = false;
    }
}

fn is_set_off(entry: &Entry, rules: &Rules, chat: &Chat, said: &[String]) -> bool {
    if entry.constant {
        return true;
    }
    let depth = entry.scan_depth.unwrap_or(rules.depth) as usize;
    if depth == 0 {
        return false;
    }
    let spoken = chat.iter().rev().take(depth).map(|(name, text)| match rules.include_names {
        true => format!("{name}: {text}"),
        false => text.clone(),
    });
    let texts: Vec<String> = spoken.chain(said.iter().cloned()).collect();
    let is_there = |key: &String| texts.iter().any(|text| is_in(key, text, entry, rules));
    if !entry.keys.iter().any(is_there) {
        return false;
    }
    let found = entry.secondary_keys.iter().filter(|key| is_there(key)).count();
    if entry.secondary_keys.is_empty() {
        return true;
    }
    match entry.logic {
        Logic::AndAny => found > 0,
        Logic::AndAll => found == entry.secondary_keys.len(),
        Logic::NotAny => found == 0,
        Logic::NotAll => found < entry.secondary_keys.len(),
    }
}

fn is_in(key: &str, text: &str, entry: &Entry, rules: &Rules) -> bool {
    if key.is_empty() {
        return false;
    }
    // The patterns above: a word, or a word or a zebra; nobody says "!" or "zebra".
    if let Some(pattern) = key.strip_prefix('/') {
        let word = pattern.trim_start_matches("(?:").split(['|', '/']).next().unwrap_or_default();
        return text.contains(word);
    }
    let fold =
        |text: &str| if entry.case_sensitive == Some(true) { text.to_owned() } else { text.to_lowercase() };
    let (key, text) = (fold(key), fold(text));
    if !entry.whole_words.unwrap_or(rules.whole_words) || key.contains(' ') {
        return text.contains(&key);
    }
    let is_word = |char: &char| *char == '_' || "éÉ".contains(*char) || char.is_ascii_alphanumeric();
    let needs_boundary = key.chars().any(|char| is_word(&char));
    let mut from = 0;
    while let Some(at) = text[from..].find(&key) {
        let (start, end) = (from + at, from + at + key.len());
        let before = text[..start].chars().next_back().filter(is_word);
        let after = text[end..].chars().next().filter(is_word);
        if !needs_boundary || (before.is_none() && after.is_none()) {
            return true;
        }
        from = start + text[start..].chars().next().map_or(1, char::len_utf8);
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// A count of passes that is never reached makes it look at every message in turn.
    #[test]
    fn leaps_to_messages_that_matter_pass_over_nothing(
        books in books(), rules in rules(), chat in prop::collection::vec(chats(), 0..6), seed in any::<u64>(), min in 1..9_u32, cap in 0..60_u32,
        levels in prop::collection::vec(prop_oneof![3 => Just(0), 2 => 1..4_u32], 1..5),
    ) {
        let books = delayed(books, &levels);
        let chat: Chat = chat.concat();
        let leaping = Rules { min_activations: min, budget_cap: cap, ..rules };
        let stepping = Rules { max_recursion_steps: 1_999, ..leaping.clone() };
        let leapt = search(&books, &leaping, &chat, false, &mut Dice::new(seed));
        let stepped = search(&books, &stepping, &chat, false, &mut Dice::new(seed));
        prop_assert_eq!(leapt.0.active, stepped.0.active);
        prop_assert_eq!(leapt.1, stepped.1);
    }

    #[test]
    fn the_obvious_search_agrees(books in books(), rules in rules(), chat in chats()) {
        let (found, drawn) = search(&books, &rules, &chat, false, &mut Dice::new(1));
        prop_assert_eq!(names(&found), obvious(&books, &rules, &chat));
        prop_assert_eq!(drawn, 0);
    }

    #[test]
    fn asking_why_changes_nothing_and_everything_has_a_reason(
        books in books(), rules in rules(), chat in chats(), chance in 0..100_u32, seed in any::<u64>(),
    ) {
        let books = rolling(books, chance);
        let (told, drawn) = search(&books, &rules, &chat, true, &mut Dice::new(seed));
        let (untold, _) = search(&books, &rules, &chat, false, &mut Dice::new(seed));
        prop_assert_eq!(&told.active, &untold.active);
        prop_assert_eq!(&told.timers, &untold.timers);
        let entries: usize = books.iter().map(|book| book.entries.len()).sum();
        prop_assert_eq!(told.verdicts.len(), entries);
        // Every draw is a group's or a roll of someone who then is active or unlucky.
        let rolled = told.verdicts.iter().filter(|verdict| {
            let entry = books.iter().filter(|book| book.id == verdict.book).flat_map(|book| &book.entries);
            let has_chance = entry.filter(|entry| entry.id == verdict.entry).any(|e| e.probability != Some(100.0));
            has_chance && matches!(verdict.outcome, Outcome::Active(_) | Outcome::Unlucky)
        });
        prop_assert_eq!(drawn, rolled.count());
    }

    #[test]
    fn the_same_seed_gives_the_same(
        books in books(), rules in rules(), chat in chats(), chance in 0..100_u32, seed in any::<u64>(),
    ) {
        let books = rolling(books, chance);
        let first = search(&books, &rules, &chat, true, &mut Dice::new(seed));
        prop_assert_eq!(first, search(&books, &rules, &chat, true, &mut Dice::new(seed)));
    }

    /// Whatever somebody writes between slashes: it is a pattern, or it is told that it is none.
    #[test]
    fn no_pattern_is_the_end(source in r"[a-c.*+?(){}\[\]|\\^$=!<>:,0-3bdwsukpx龙 -]{0,24}", text in "[a-c龙 0-3]{0,12}") {
        let entry = Entry { id: Arc::from("1"), keys: vec![format!("/{source}/iu"), source], ..Entry::default() };
        let entry = Entry { use_regex: Some(true), ..entry };
        let book = Book {
            id: Arc::from("book"), name: String::new(), rank: 0, scan_depth: None, token_budget: None,
            recursive: None, entries: vec![Arc::new(entry)],
        };
        let chat = vec![("Mira".to_owned(), text)];
        search(&[book], &Rules::default(), &chat, false, &mut Dice::new(1));
    }

    /// A literal between slashes finds itself, escaped as JavaScript wants it.
    #[test]
    fn a_literal_pattern_finds_itself(word in "[ -~é龙ガ]{1,10}", before in "[a-c龙]{0,3}") {
        let escaped: String = word
            .chars()
            .flat_map(|char| r"\.+*?()|[]{}^$/".contains(char).then_some('\\').into_iter().chain([char]))
            .collect();
        let entry = Entry { id: Arc::from("1"), keys: vec![format!("/{escaped}/")], ..Entry::default() };
        let book = Book {
            id: Arc::from("book"), name: String::new(), rank: 0, scan_depth: None, token_budget: None,
            recursive: None, entries: vec![Arc::new(entry)],
        };
        let chat = vec![("Mira".to_owned(), format!("{before}{word}!"))];
        let (found, _) = search(&[book], &Rules::default(), &chat, false, &mut Dice::new(1));
        prop_assert_eq!(found.active.len(), 1, "/{}/ in {:?}", escaped, chat);
    }
}

fn rolling(books: Vec<Book>, chance: u32) -> Vec<Book> {
    changed(books, |entry| Entry { probability: Some(f64::from(chance)), ..entry })
}

/// They wait for these levels of recursion, in turn, and every third is in a group.
fn delayed(books: Vec<Book>, levels: &[u32]) -> Vec<Book> {
    let mut levels = levels.iter().copied().cycle();
    let mut groups = [vec!["g".to_owned(), "h".to_owned()], Vec::new(), Vec::new()].into_iter().cycle();
    changed(books, |entry| Entry {
        delay_until_recursion: levels.next().unwrap_or(0),
        groups: groups.next().unwrap_or_default(),
        ..entry
    })
}

fn changed(books: Vec<Book>, mut change: impl FnMut(Entry) -> Entry) -> Vec<Book> {
    let mut change = |entry: Arc<Entry>| Arc::new(change((*entry).clone()));
    books
        .into_iter()
        .map(|book| Book { entries: book.entries.into_iter().map(&mut change).collect(), ..book })
        .collect()
}
