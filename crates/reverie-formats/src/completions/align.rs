//! Where does a client's list of messages meet the lines that are recorded?
//!
//! The list is a window over the path: what is missing at its front was cut off by the client. What it has behind the path
//! is new; where it leaves the path, it branches. What is not clear is taken for the longest run that ends latest.

mod abridged;
mod any_order;
mod at_once;
mod beside;
mod depth;
mod edited;
mod evidence;
mod gaps;
mod instructions;
mod joined;
mod notes;
mod pairs;
mod stateless;
mod tools;
mod verdict;
mod voices;

pub use instructions::sent_in_other_chats;

use super::dialogue::{By, Dialogue};
use super::words::Words;

/// More of a list or a path is not compared: only their ends are.
const MOST_SAID: usize = 400;
const MOST_STORED: usize = 1200;

/// A line that is recorded. Only lines of users and characters count: no directions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored<K> {
    pub key: K,
    pub by: By,
    /// Who said it, by a name that [`Rules`](super::Rules) has, too.
    pub name: Option<String>,
    /// The same by an id, which says for sure who it is.
    pub speaker: Option<String>,
    pub text: String,
    /// Which words it says or answers, if a host has said so: what is said at once is told apart by it.
    pub exchange: Option<u64>,
    /// True if it is kept, but nobody is to remember it: a client's own words, or what somebody has hidden.
    pub hidden: bool,
    /// True if it goes on when the tools that were called with it have answered.
    pub waits: bool,
}

/// The end of a conversation's active path, oldest first. A few times as many lines as the list has messages will do: a
/// branch that leaves the path before them is taken for another chat.
#[derive(Debug, Clone, Copy)]
pub struct Path<'a, K> {
    pub lines: &'a [Stored<K>],
    /// True if these are all lines of the path.
    pub is_whole: bool,
}

/// What becomes of a request's dialogue. To be done in this order: move the head, reword lines, then the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alignment<K> {
    /// The client is on another branch that is known: the head moves to this line first.
    pub switch: Option<K>,
    /// Lines that have other words now, while what follows them is the same.
    pub revised: Vec<Revised<K>>,
    pub then: Then<K>,
    /// Which messages of the request (by their place among its messages) are which lines: for what was not witnessed.
    pub seen: Vec<(usize, K)>,
    /// Places in [`Dialogue::said`] of messages that the client sends in the user's name with every request: they are not
    /// recorded.
    pub instructions: Vec<usize>,
    /// Lines that were recorded as a user's words, and are the client's, as the list shows.
    pub clients: Vec<K>,
    /// Where several conversations come into question, the one with the largest is meant.
    pub closeness: Closeness,
    /// True if something was found that is not in every chat: no greeting, and no "hi" with its answer.
    pub is_proven: bool,
}

/// How surely a list is of a conversation. What stands first counts most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Closeness {
    /// The list is the end of the path, word for word, and one new message at most: no other conversation comes closer.
    pub is_end: bool,
    /// Messages of the user that were found.
    pub users: usize,
    /// The list goes on where the path ends.
    pub goes_on: bool,
    /// Characters that were found.
    pub size: usize,
}

/// A line and its new words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revised<K> {
    pub line: K,
    pub text: String,
}

/// Where what is new belongs. `from` counts in [`Dialogue::said`]: what stands there and behind it is to be recorded, the
/// answer behind that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then<K> {
    /// Behind the head, or behind the line that it was switched to. Nothing is new if `from` is the length of the list.
    Append { from: usize },
    /// Nothing is new, and the coming answer is another one instead of this line and what follows it: a swipe.
    Regenerate { beside: K },
    /// The same where others asked at the same time: the coming answer is this line in other words, and what others said before and
    /// behind it stays.
    Reword { line: K },
    /// The list leaves the path: behind `after`, where `beside` stands now; None: before all. If nothing is left to record, the
    /// answer goes there.
    Branch { after: Option<K>, beside: K, from: usize },
    /// Nothing is new, and the coming answer is the end of this line: it is reworded, with the answer behind its words.
    Continue { line: K },
    /// Nothing of the list is on the path. With a history it is another conversation; without one, a client that sends only
    /// its newest words goes on with this one.
    Elsewhere { has_history: bool },
}

/// Finds a request's dialogue on a path. `children` tells all lines that stand directly behind a line, on any branch, oldest
/// first; it is asked where the list leaves the path, and once for what is new.
pub fn align<K: Copy + Eq>(
    path: Path<'_, K>,
    mut children: impl FnMut(K) -> Vec<Stored<K>>,
    dialogue: &Dialogue,
) -> Alignment<K> {
    if let Some(found) = tools::go_on(path, &mut children, dialogue) {
        return found;
    }
    if let Some(rewritten) = tools::rewritten(path.lines, dialogue) {
        let Path { is_whole, .. } = path;
        return rewritten.told(aligned(
            Path { lines: &rewritten.lines, is_whole },
            children,
            &rewritten.dialogue,
        ));
    }
    aligned(path, children, dialogue)
}

/// The same for a list in which every answer is as it was given.
fn aligned<K: Copy + Eq>(
    path: Path<'_, K>,
    mut children: impl FnMut(K) -> Vec<Stored<K>>,
    dialogue: &Dialogue,
) -> Alignment<K> {
    let recorded = voices::as_recorded(path.lines, dialogue);
    let has_history = dialogue.has_history() || recorded.has_history();
    let dialogue = recorded.as_ref();
    let list = List { dialogue, has_history };
    let mut instructions = instructions::instructions(path.lines, dialogue);
    let found = align_without(path, &mut children, list, instructions.clone());
    if !found.has_new_answers(dialogue) {
        return found;
    }
    let notes = notes::moved(path.lines, dialogue);
    if notes.is_empty() {
        return found;
    }
    instructions.extend(notes);
    instructions.sort_unstable();
    instructions.dedup();
    align_without(path, &mut children, list, instructions)
}

/// What is looked for.
#[derive(Clone, Copy)]
struct List<'d> {
    dialogue: &'d Dialogue,
    /// Whether somebody answered in it, as it was sent or as it was recorded.
    has_history: bool,
}

/// The same for a list of which these places are the client's.
fn align_without<K: Copy + Eq>(
    path: Path<'_, K>,
    mut children: &mut impl FnMut(K) -> Vec<Stored<K>>,
    list: List<'_>,
    instructions: Vec<usize>,
) -> Alignment<K> {
    if instructions.is_empty() {
        return align_all(path, &mut children, list);
    }
    let dialogue = list.dialogue;
    let words: Vec<Words<'_>> = instructions
        .iter()
        .filter_map(|place| dialogue.said.get(*place).map(instructions::words_of_said))
        .collect();
    let is_one = |line: &Words<'_>| words.iter().any(|instruction| instruction.is_same(line));
    let path_words: Vec<Words<'_>> = path.lines.iter().map(words_of).collect();
    let is_line = |place: usize| {
        let says_it = path_words.get(place).is_some_and(is_one);
        let is_clients =
            |line: &Words<'_>| line.by == By::Assistant || instructions::is_beside_user(&path_words, place);
        !(says_it && path_words.get(place).is_some_and(is_clients))
    };
    let all = || path.lines.iter().enumerate();
    let lines: Vec<Stored<K>> =
        all().filter(|(place, _)| is_line(*place)).map(|(_, line)| line.clone()).collect();
    let clients = all().filter(|(place, line)| line.by == By::User && !is_line(*place));
    let clients: Vec<K> = clients.map(|(_, line)| line.key).collect();
    let kept: Vec<usize> = (0..dialogue.said.len()).filter(|place| !instructions.contains(place)).collect();
    let said = kept.iter().filter_map(|place| dialogue.said.get(*place).cloned()).collect();
    // What stands behind one that was recorded stands behind what it was said beside.
    let mut through = |line: K| {
        let children_of = children(line);
        let next = children_of.into_iter().flat_map(|child| match is_one(&words_of(&child)) {
            true => children(child.key),
            false => vec![child],
        });
        next.collect()
    };
    let without = Dialogue { said, ..dialogue.clone() };
    let list = List { dialogue: &without, has_history: without.has_history() };
    let mut found = align_all(Path { lines: &lines, is_whole: path.is_whole }, &mut through, list);
    if let Then::Append { from } | Then::Branch { from, .. } = &mut found.then {
        *from = kept.get(*from).copied().unwrap_or(dialogue.said.len());
    }
    found.instructions = instructions;
    found.clients.extend(clients);
    found
}

/// The same for a list in which all is dialogue.
fn align_all<K: Copy + Eq>(
    path: Path<'_, K>,
    mut children: &mut impl FnMut(K) -> Vec<Stored<K>>,
    List { dialogue, has_history }: List<'_>,
) -> Alignment<K> {
    let skipped = dialogue.said.len().saturating_sub(MOST_SAID);
    let said = dialogue.said.get(skipped..).unwrap_or_default();
    let lines = path.lines.get(path.lines.len().saturating_sub(MOST_STORED)..).unwrap_or_default();
    let is_whole = path.is_whole && lines.len() == path.lines.len();
    let said_words: Vec<Words<'_>> = said.iter().map(instructions::words_of_said).collect();
    let recorded = lines;
    let listed = any_order::as_listed(lines, &said_words);
    let lines = listed.as_deref().unwrap_or(lines);
    let answers = dialogue.answers.as_deref();
    let told = if has_history { at_once::told(lines, &said_words, answers) } else { None };
    let as_told = told.as_ref().map(at_once::Told::lines);
    let path = Path { lines: as_told.as_deref().unwrap_or(lines), is_whole };
    let path_words: Vec<Words<'_>> = path.lines.iter().map(words_of).collect();
    let is_named = dialogue.is_named;
    let scene =
        verdict::Scene { said, said_words: &said_words, path, path_words: &path_words, skipped, is_named };
    // A client that says where its chat begins has a history: answers that it does not send were taken back.
    let answers = answers.filter(|_| !dialogue.starts);
    let mut found = match has_history {
        true => verdict::judge(&scene, &mut children, dialogue.continues),
        false => {
            let is_edited = dialogue.starts.then(|| edited::first_of_all(&scene)).flatten();
            is_edited.unwrap_or_else(|| stateless::judge(&scene, &mut children, answers))
        }
    };
    if let (Some(told), Then::Regenerate { beside }) = (&told, found.then)
        && told.is_asked_again(&beside)
    {
        found.then = Then::Reword { line: beside };
    }
    // What others said at once stays before what comes next, whether this client knows of it or not.
    if let (Some(told), Then::Branch { after, beside, .. }) = (&told, &mut found.then) {
        *after = told.before(beside).copied().or(*after);
    } else if let (Some(_), Then::Branch { after, beside, .. }) = (&listed, &mut found.then) {
        let place = recorded.iter().position(|line| line.key == *beside);
        let before = place.and_then(|place| recorded.get(place.checked_sub(1)?));
        *after = before.map(|line| line.key).or(*after);
    }
    found
}

fn words_of<K>(line: &Stored<K>) -> Words<'_> {
    Words::new(line.by, line.name.as_deref(), &line.text)
}

impl<K> Alignment<K> {
    /// Whether it leaves the path, or brings answers that were not recorded when they were given: seldom is that so.
    fn has_new_answers(&self, dialogue: &Dialogue) -> bool {
        match self.then {
            Then::Append { from } => {
                let new = dialogue.said.get(from..).unwrap_or_default();
                new.iter().any(|said| said.by == By::Assistant)
            }
            Then::Branch { .. } | Then::Elsewhere { has_history: true } => true,
            Then::Regenerate { .. }
            | Then::Reword { .. }
            | Then::Continue { .. }
            | Then::Elsewhere { has_history: false } => false,
        }
    }

    fn elsewhere(has_history: bool) -> Self {
        Self {
            switch: None,
            revised: Vec::new(),
            then: Then::Elsewhere { has_history },
            seen: Vec::new(),
            instructions: Vec::new(),
            clients: Vec::new(),
            closeness: Closeness::default(),
            is_proven: false,
        }
    }
}
