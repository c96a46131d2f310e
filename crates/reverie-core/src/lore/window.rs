//! What is searched, and what was found in it?

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::fold::Folding;
use super::origin::{Origin, Source, Spot, View};
use super::pattern::Form;
use super::rules::{Request, Rules};
use super::shelf::{Shelf, Spelling};
use super::words;

/// Stands before every part, so that no key reaches from one into the next.
const MARK: char = '\u{1}';
/// No search looks further back.
pub(super) const DEEPEST: u32 = 1000;
/// Hits of one text before those that say nothing new are thrown away.
const MANY_HITS: usize = 1 << 12;
/// Joined texts that are kept: entries with depths of their own may ask for a great many.
const MOST_JOINED: usize = 16;

/// `from..to` of all that was written.
#[derive(Debug)]
struct Part {
    source: Source,
    from: usize,
    /// Where the text begins; before it stands who said it.
    text: usize,
    to: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    key: u32,
    part: u32,
    is_partial: bool,
    /// The byte at which it begins, in the spelling of the key.
    from: u32,
}

/// What was joined once for a view, in the form that somebody wants.
type Joined = HashMap<(View, Form), Rc<str>>;

pub(super) struct Window<'s> {
    shelf: &'s Shelf,
    /// For keys that ignore case, and for those that do not.
    foldings: [Folding; 2],
    parts: Vec<Part>,
    /// All parts as they were said, one behind the other.
    written: String,
    /// The part at hand in the spelling of the keys; kept to be filled again.
    folded: String,
    /// When settled: sorted, one of each key and part, those that stand alone first.
    hits: Vec<Hit>,
    joined: RefCell<Joined>,
    /// Of parts in which somebody asks for places, by whether case counts, where each character ends in the spelling of keys.
    ends: RefCell<HashMap<(u32, bool), Vec<usize>>>,
}

impl<'s> Window<'s> {
    pub(super) fn new(shelf: &'s Shelf, spelling: Spelling) -> Self {
        let folding = |case| Folding { case, width: spelling.fold_width, script: spelling.fold_script };
        Self {
            shelf,
            foldings: [folding(true), folding(false)],
            parts: Vec::new(),
            written: String::new(),
            folded: String::new(),
            hits: Vec::new(),
            joined: RefCell::default(),
            ends: RefCell::default(),
        }
    }

    /// Fills it with the messages, newest first, and the other texts that somebody wants searched. Tells which keys
    /// are there.
    pub(super) fn open(&mut self, rules: &Rules, request: &Request<'_>) -> Vec<u32> {
        let mut keys = Vec::new();
        let further = match (rules.min_activations, rules.min_activations_depth_max) {
            (0, _) => 0,
            (_, 0) => DEEPEST,
            (_, depth) => depth.saturating_add(1),
        };
        let depth = rules.depth.max(self.shelf.deepest).max(further).min(DEEPEST);
        for (index, (name, text)) in (0..depth).zip(request.messages.iter().rev()) {
            match rules.include_names {
                true => self.add(Source::Message(index), &[name, ": ", text], &mut keys),
                false => self.add(Source::Message(index), &[text], &mut keys),
            }
        }
        let (wanted, given) = (self.shelf.sources, request.texts);
        for (source, is_wanted, text) in [
            (Source::Persona, wanted.persona, given.persona),
            (Source::Character, wanted.character, given.character),
            (Source::Personality, wanted.personality, given.personality),
            (Source::DepthPrompt, wanted.depth_prompt, given.depth_prompt),
            (Source::Scenario, wanted.scenario, given.scenario),
            (Source::CreatorNotes, wanted.creator_notes, given.creator_notes),
        ] {
            if is_wanted && !text.is_empty() {
                self.add(source, &[text], &mut keys);
            }
        }
        self.settle();
        keys
    }

    /// Adds a text, given in pieces of which the last is the text itself, and the keys in it. Before anything is looked up, [`Self::settle`].
    pub(super) fn add(&mut self, source: Source, pieces: &[&str], keys: &mut Vec<u32>) {
        let from = self.written.len();
        pieces.iter().for_each(|piece| self.written.push_str(piece));
        let text = self.written.get(from..).unwrap_or_default();
        let part = self.parts.len() as u32;
        let start = self.hits.len();
        let mut compact_at = start + MANY_HITS;
        for (finder, folding) in
            [&self.shelf.insensitive, &self.shelf.sensitive].into_iter().zip(self.foldings)
        {
            if finder.is_empty() {
                continue;
            }
            self.folded.clear();
            folding.fold_into(text, &mut self.folded);
            for (key, from, to) in finder.find(&self.folded) {
                let single = self.shelf.single.get(key as usize).copied().unwrap_or(false);
                let is_partial = single && !words::stands_alone(&self.folded, from, to);
                self.hits.push(Hit { key, part, is_partial, from: from as u32 });
                if self.hits.len() == compact_at {
                    compact(&mut self.hits, start);
                    compact_at = start + MANY_HITS.max(2 * (self.hits.len() - start));
                }
            }
        }
        keys.extend(self.hits.get(start..).unwrap_or_default().iter().map(|hit| hit.key));
        let to = self.written.len();
        self.parts.push(Part { source, from, text: to - pieces.last().map_or(0, |text| text.len()), to });
    }

    /// Puts in order what was added.
    pub(super) fn settle(&mut self) {
        self.joined.get_mut().clear();
        compact(&mut self.hits, 0);
    }

    /// True if a plain key stands anywhere, seen by whomever.
    pub(super) fn has(&self, key: u32) -> bool {
        self.hits.binary_search_by_key(&key, |hit| hit.key).is_ok()
    }

    /// How much was found.
    pub(super) fn hits(&self) -> usize {
        self.hits.len()
    }

    /// The newest message at this depth or further back in which a plain key stands.
    pub(super) fn next_message(&self, key: u32, from: u32) -> Option<u32> {
        let start = self.hits.partition_point(|hit| hit.key < key);
        let hits = self.hits.get(start..).unwrap_or_default().iter().take_while(|hit| hit.key == key);
        let messages = hits.filter_map(|hit| match self.parts.get(hit.part as usize)?.source {
            Source::Message(index) => Some(index),
            _ => None,
        });
        messages.filter(|index| *index >= from).min()
    }

    /// Where a plain key stands, the first place in the order of reading.
    pub(super) fn find(&self, key: u32, view: View, whole_words: bool) -> Option<Spot> {
        let start = self.hits.partition_point(|hit| hit.key < key);
        let hits = self.hits.get(start..).unwrap_or_default().iter().take_while(|hit| hit.key == key);
        let is_seen =
            |hit: &&Hit| self.parts.get(hit.part as usize).is_some_and(|part| view.shows(part.source));
        let mut whole = hits.filter(|hit| !whole_words || !hit.is_partial);
        whole.find(is_seen).map(|hit| Spot::Key { key: hit.key, part: hit.part, from: hit.from })
    }

    /// The text of all that is seen, for what cannot be looked for part by part.
    pub(super) fn text(&self, view: View, form: Form) -> Rc<str> {
        if let Some(text) = self.joined.borrow().get(&(view, form)) {
            return Rc::clone(text);
        }
        let text: Rc<str> = if form == Form::default() {
            self.join(view).into()
        } else {
            let written = self.text(view, Form::default());
            match form.spell(&written) {
                Cow::Borrowed(_) => Rc::clone(&written),
                Cow::Owned(spelled) => spelled.into(),
            }
        };
        let mut joined = self.joined.borrow_mut();
        if joined.len() >= MOST_JOINED {
            joined.clear();
        }
        joined.insert((view, form), Rc::clone(&text));
        text
    }

    /// The first part that passes a test by itself; None: it takes several together.
    pub(super) fn locate(&self, view: View, test: impl Fn(&str) -> bool) -> Option<Spot> {
        let mut parts = (0..).zip(&self.parts).filter(|(_, part)| view.shows(part.source));
        let found = parts.find(|(_, part)| test(&format!("{MARK}{}", self.said(part))));
        found.map(|(index, _)| Spot::Part(index))
    }

    /// Where that is, by the names that others know.
    pub(super) fn origin(&self, spot: Spot) -> Origin {
        let (Spot::Part(part) | Spot::Key { part, .. }) = spot else { return Origin::Several };
        let source = self.parts.get(part as usize).map(|part| part.source);
        source.and_then(|source| source.named(self.shelf)).unwrap_or(Origin::Several)
    }

    /// The character at which a plain key begins, in the text as it was written; None also if that is in a speaker's name.
    pub(super) fn at(&self, spot: Spot) -> Option<u32> {
        let Spot::Key { key, part, from } = spot else { return None };
        let is_sensitive = self.shelf.plain.get(key as usize)?.case_sensitive;
        let [insensitive, sensitive] = self.foldings;
        let folding = if is_sensitive { sensitive } else { insensitive };
        let searched = self.parts.get(part as usize)?;
        let mut ends = self.ends.borrow_mut();
        let ends = ends.entry((part, is_sensitive)).or_insert_with(|| folding.ends(self.said(searched)));
        let speaker = self.written.get(searched.from..searched.text)?.chars().count();
        let place = ends.partition_point(|end| *end <= from as usize).checked_sub(speaker)?;
        u32::try_from(place).ok()
    }

    fn said(&self, part: &Part) -> &str {
        self.written.get(part.from..part.to).unwrap_or_default()
    }

    /// Contents of one pass stand together; every other part begins with the mark.
    fn join(&self, view: View) -> String {
        let mut text = String::new();
        let mut last = None;
        for part in self.parts.iter().filter(|part| view.shows(part.source)) {
            let pass = match part.source {
                Source::Entry { pass, .. } => Some(pass),
                _ => None,
            };
            if !text.is_empty() {
                text.push('\n');
            }
            if pass.is_none() || pass != last {
                text.push(MARK);
            }
            text.push_str(self.said(part));
            last = pass;
        }
        text
    }
}

/// Leaves one hit of each key and part behind `start`, one that stands alone if there is any. A key that is found a
/// thousand times in a message takes the room of one.
fn compact(hits: &mut Vec<Hit>, start: usize) {
    if start == 0 {
        hits.sort_unstable();
        hits.dedup_by_key(|hit| (hit.key, hit.part));
        return;
    }
    let mut new = hits.split_off(start);
    compact(&mut new, 0);
    hits.append(&mut new);
}
