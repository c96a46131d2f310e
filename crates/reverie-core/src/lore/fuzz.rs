//! What must hold for every text that an author or a front end hands over? The bodies of the fuzz targets, which the tests
//! run for a moment too. None may panic, hang or grow without bound.

use super::decorators;
use super::dice::Dice;
use super::entry::Entry;
use super::fold::Folding;
use super::macros::{self, Names};
use super::pattern::{Pattern, Purse, Search};
use super::timers::Timers;

/// Of one search.
const STEPS: usize = 1 << 20;

/// Flags and pattern, then the text that is searched, with a line break between them.
pub fn pattern(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (key, text) = text.split_once('\n').unwrap_or((&text, "the lamp 龙 ÅÅ"));
    let mut purse = Purse::for_scan();
    // Whatever the spelling, so that every way of reading has its turn.
    let folding = Folding { case: false, width: text.len() % 2 == 1, script: text.len() % 4 > 1 };
    let bare = || Some(Pattern::new(key, "iu", folding, &mut Purse::for_scan()));
    let Some(Ok(pattern)) = Pattern::from_key(key, folding, &mut purse).or_else(bare) else { return };
    // Whoever needs a text finds nothing where it is not.
    let folded = Folding { case: pattern.ignores_case(), ..folding }.fold(text);
    let needs = pattern.needs();
    let is_there = needs.iter().any(|need| folded.contains(need));
    let text = &*pattern.form().spell(text);
    let mut steps = STEPS;
    let found = pattern.search(text, &mut steps);
    let mut again = STEPS;
    assert_eq!((pattern.search(text, &mut again), again), (found, steps), "the same search, the same steps");
    if found == Search::Found {
        assert!(needs.is_empty() || is_there, "{key:?} needs one of {needs:?}, and matches {text:?}");
    }
}

/// A content: its orders and its macros.
pub fn content(bytes: &[u8]) {
    let content = String::from_utf8_lossy(bytes).into_owned();
    let mut entry = Entry { content: content.clone(), ..Entry::default() };
    let orders = decorators::obey(&mut entry);
    assert!(content.ends_with(&entry.content), "only the head is taken away");
    assert!(!entry.content.starts_with("@@"), "nothing of it is left");
    assert!(orders.only_every != Some(0));
    let names = Names { user: "小明".to_owned(), char: "若兰".to_owned() };
    let expanded = macros::expand(&entry.content, &names, &mut Dice::new(1));
    // A name is longer than its macro by no more than this.
    assert!(expanded.len() <= 8 * entry.content.len() + 8);
    assert_eq!(
        expanded,
        macros::expand(&entry.content, &names, &mut Dice::new(1)),
        "the same dice, the same text"
    );
}

/// Timers as text.
pub fn timers(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(timers) = text.parse::<Timers>() else { return };
    assert_eq!(timers.to_string().parse::<Timers>().as_ref().ok(), Some(&timers), "written as it was read");
}
