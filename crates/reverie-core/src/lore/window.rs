//! What is searched, and what was found in it?

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::entry::Sources;
use super::fold::Folding;
use super::shelf::Shelf;
use super::words;

/// Stands before every part, so that no key reaches from one into the next.
const MARK: char = '\u{1}';

/// Where a text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A message; 0 is the newest.
    Message(u32),
    Persona,
    Character,
    Personality,
    DepthPrompt,
    Scenario,
    CreatorNotes,
    /// The content of an entry that became active in this pass.
    Entry {
        pass: u32,
        item: u32,
    },
}

#[derive(Debug)]
struct Part {
    origin: Origin,
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    key: u32,
    part: u32,
    is_partial: bool,
}

/// How much of the window an entry looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct View {
    pub(super) depth: u32,
    pub(super) sources: Sources,
    pub(super) entries: bool,
}

impl View {
    fn shows(self, origin: Origin) -> bool {
        match origin {
            Origin::Message(index) => index < self.depth,
            Origin::Persona => self.sources.persona,
            Origin::Character => self.sources.character,
            Origin::Personality => self.sources.personality,
            Origin::DepthPrompt => self.sources.depth_prompt,
            Origin::Scenario => self.sources.scenario,
            Origin::CreatorNotes => self.sources.creator_notes,
            Origin::Entry { .. } => self.entries,
        }
    }
}

/// What was joined once for a view, folded or not.
type Joined = HashMap<(View, Option<Folding>), Rc<str>>;

pub(super) struct Window<'s> {
    shelf: &'s Shelf,
    folding: (Folding, Folding),
    parts: Vec<Part>,
    /// Sorted, one of each key and part; those that stand alone first.
    hits: Vec<Hit>,
    joined: RefCell<Joined>,
}

impl<'s> Window<'s> {
    /// `folding` for keys that ignore case, and for those that do not.
    pub(super) fn new(shelf: &'s Shelf, folding: (Folding, Folding)) -> Self {
        Self { shelf, folding, parts: Vec::new(), hits: Vec::new(), joined: RefCell::default() }
    }

    /// Adds texts and tells which keys they brought, some perhaps known before.
    pub(super) fn add(&mut self, texts: impl IntoIterator<Item = (Origin, String)>) -> Vec<u32> {
        let known = self.hits.len();
        for (origin, text) in texts {
            let part = self.parts.len() as u32;
            for (finder, folding) in
                [(&self.shelf.insensitive, self.folding.0), (&self.shelf.sensitive, self.folding.1)]
            {
                if finder.is_empty() {
                    continue;
                }
                let folded = folding.fold(&text);
                for (key, from, to) in finder.find(&folded) {
                    let single = self.shelf.single.get(key as usize).copied().unwrap_or(false);
                    let is_partial = single && !words::stands_alone(&folded, from, to);
                    self.hits.push(Hit { key, part, is_partial });
                }
            }
            self.parts.push(Part { origin, text });
        }
        self.joined.get_mut().clear();
        let mut new: Vec<u32> =
            self.hits.get(known..).unwrap_or_default().iter().map(|hit| hit.key).collect();
        new.sort_unstable();
        new.dedup();
        self.hits.sort_unstable();
        self.hits.dedup_by_key(|hit| (hit.key, hit.part));
        new
    }

    /// Where a plain key stands, the first place in the order of reading.
    pub(super) fn find(&self, key: u32, view: View, whole_words: bool) -> Option<Origin> {
        let start = self.hits.partition_point(|hit| hit.key < key);
        let hits = self.hits.get(start..).unwrap_or_default().iter().take_while(|hit| hit.key == key);
        hits.filter(|hit| !whole_words || !hit.is_partial)
            .filter_map(|hit| self.parts.get(hit.part as usize))
            .map(|part| part.origin)
            .find(|origin| view.shows(*origin))
    }

    /// The text of all that is seen, for what cannot be looked for part by part.
    pub(super) fn text(&self, view: View, folding: Option<Folding>) -> Rc<str> {
        if let Some(text) = self.joined.borrow().get(&(view, folding)) {
            return Rc::clone(text);
        }
        let text: Rc<str> = match folding {
            None => self.join(view).into(),
            Some(folding) => folding.fold(&self.text(view, None)).into(),
        };
        self.joined.borrow_mut().insert((view, folding), Rc::clone(&text));
        text
    }

    /// Contents of one pass stand together; every other part begins with the mark.
    fn join(&self, view: View) -> String {
        let mut text = String::new();
        let mut last = None;
        for part in self.parts.iter().filter(|part| view.shows(part.origin)) {
            let pass = match part.origin {
                Origin::Entry { pass, .. } => Some(pass),
                _ => None,
            };
            if !text.is_empty() {
                text.push('\n');
            }
            if pass.is_none() || pass != last {
                text.push(MARK);
            }
            text.push_str(&part.text);
            last = pass;
        }
        text
    }
}
