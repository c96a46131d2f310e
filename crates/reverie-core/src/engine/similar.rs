//! Which entries of books are near what was said last?
//!
//! A prompt embeds only that, once, and within a deadline. Without an embedder, or while it fails, everything else goes on, and
//! what is missing is said.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};

use super::embedders::Choice;
use super::embedding::{EntriesKey, EntryVectors};
use super::{Degraded, Engine};
use crate::cue::{Cue, LoreName};
use crate::embed::{Embeddable, Vector};
use crate::lore::Shelf;
use crate::lore::why::{Meaning, Unlike, Unmeasured};
use crate::memories::Embedding;
use crate::mind::when;
use crate::recollection::Recollections;
use crate::settings::WorldSettings;
use crate::store::Gathered;
use crate::time::Moment;
use crate::{Error, Result};

/// Stacks of books whose vectors are kept at hand.
const STACKS: usize = 16;
/// Of what was said last, so much is embedded.
const QUERY_CHARS: usize = 1000;

/// What is near, and what could not be found out.
#[derive(Default)]
pub(super) struct Near {
    /// The cue with the entries that are near what was said last. None: it says so itself, or nobody knows.
    pub(super) cue: Option<Cue>,
    pub(super) degraded: Option<Degraded>,
    /// What is known of the other entries, for those who ask why.
    pub(super) meaning: Meaning,
}

/// Entries and how near they are: those that are near enough, and what is known of the others.
type Measured = (Vec<(LoreName, f64)>, Vec<(LoreName, Unlike)>);

/// What became of the question what it means that was said last.
pub(super) enum Asked {
    /// There is no embedder.
    Nobody,
    /// Nothing is found by meaning, or nothing was said that has one.
    Nothing,
    /// There are memories, and none of them has a place in the space of an embedder that others run: nobody was asked for nothing.
    NotEmbedded,
    /// `memories`: they would have been looked for by it.
    Failed { error: Error, memories: bool },
    /// `newest`: of the newest line alone, if there are others and the embedder never waits: a prompt asks for one meaning, not two.
    Meaning { all: Vector, newest: Option<Vector> },
}

impl Asked {
    pub(super) fn meaning(&self) -> Option<&Vector> {
        match self {
            Self::Meaning { all, .. } => Some(all),
            _ => None,
        }
    }

    pub(super) fn newest(&self) -> Option<&Vector> {
        match self {
            Self::Meaning { newest, .. } => newest.as_ref(),
            _ => None,
        }
    }

    /// What is said if memories were to be found by meaning and were not.
    pub(super) fn without_memories(&self) -> Option<Degraded> {
        match self {
            Self::Failed { error, memories: true } => Some(no_meaning("memories", error)),
            Self::NotEmbedded => Some(Degraded {
                code: "memories_not_embedded",
                message: "memories were not looked for by meaning: none of them has a vector yet".to_owned(),
                hint:
                    "embedding goes on in the background; see /health for what may be wrong with the embedder"
                        .to_owned(),
            }),
            _ => None,
        }
    }

    fn measure(
        &self,
        entries: &EntryVectors,
        settings: &WorldSettings,
    ) -> std::result::Result<Measured, &Error> {
        let query = match self {
            Self::Failed { error, .. } if !entries.is_empty() => return Err(error),
            Self::Meaning { all, .. } => all,
            _ => {
                // What was said has no meaning that could be near any other.
                let nothing = Unlike::Unmeasured(Unmeasured::NothingSaid);
                let unlike = entries.iter().map(|(name, _)| (name.clone(), nothing.clone())).collect();
                return Ok((Vec::new(), unlike));
            }
        };
        let nearest = |vectors: &[Vector]| {
            vectors.iter().map(|vector| f64::from(query.cosine(vector))).max_by(f64::total_cmp)
        };
        let threshold = settings.lore_similarity;
        let (similar, far): (Vec<_>, Vec<_>) = entries
            .iter()
            .filter_map(|(name, vectors)| Some((name.clone(), nearest(vectors)?)))
            .partition(|(_, near)| *near >= threshold);
        let below = |(name, similarity)| (name, Unlike::Below { similarity, weight: 1.0, threshold });
        Ok((similar, far.into_iter().map(below).collect()))
    }
}

impl Near {
    fn nothing(others: Unmeasured, degraded: Option<Degraded>) -> Self {
        Self { cue: None, degraded, meaning: Meaning { unlike: Vec::new(), others } }
    }
}

impl Engine {
    /// What was said last, in the space of meanings: asked for once, and only if anything is found by it.
    pub(super) fn meaning_of(
        &self,
        cue: &Cue,
        gathered: &Gathered,
        shelf: Option<&Shelf>,
        settings: &WorldSettings,
    ) -> Asked {
        let choice = self.meanings.embedders.of(settings);
        if matches!(choice, Choice::Nothing) {
            return Asked::Nobody;
        }
        let is_wanted = |mind: &&Recollections| {
            let rules = settings.recall_of(&mind.holder);
            rules.enabled && rules.legs.semantic > 0.0
        };
        let mut minds = gathered.minds.iter().filter(is_wanted);
        // Whether there is anything to be found by an embedder that is missing, nobody knows.
        let has_vectors =
            |mind| choice.source().is_none() || self.minds.has_vectors(&gathered.world.id, mind);
        let memories = minds.any(has_vectors);
        let finds_entries = cue.lore.similar.is_empty() && !by_meaning(shelf).0.is_empty();
        let query = said_last(cue, gathered, settings.lore.depth as usize);
        if query.is_empty() {
            return Asked::Nothing;
        }
        if !(memories || finds_entries) {
            let is_of_others = choice.source().is_some_and(|source| !source.embedder.is_local());
            let has_notes = |mind| self.minds.has_notes(&gathered.world.id, mind);
            let are_waiting = is_of_others && gathered.minds.iter().filter(is_wanted).any(has_notes);
            return if are_waiting { Asked::NotEmbedded } else { Asked::Nothing };
        }
        // A time that is named finds in its own way.
        let said = Moment { tick: cue.tick.or(gathered.world.time), wall_ms: Some(self.now_ms()) };
        let (before, newest) = query.split_at(query.rfind('\n').map_or(0, |at| at + 1));
        let newest = when::without_counted(newest, said, settings.calendar.as_ref());
        let query = format!("{before}{newest}");
        let deadline_ms = self.now_ms().saturating_add(settings.embed_ms);
        let made = match &choice {
            Choice::Source(source) => {
                self.meanings.queries.meaning(source.embedder.as_ref(), &query, deadline_ms)
            }
            Choice::Missing(name) => Err(self.meanings.embedders.missing(name)),
            Choice::Nothing => return Asked::Nobody,
        };
        match made {
            Ok(Some(all)) => {
                Asked::Meaning { all, newest: newest_alone(&choice, before, &newest, deadline_ms) }
            }
            Ok(None) => Asked::Nothing,
            Err(error) => Asked::Failed { error, memories },
        }
    }

    /// Which entries are near what was said last.
    pub(super) fn near(
        &self,
        cue: &Cue,
        gathered: &Gathered,
        shelf: Option<&Shelf>,
        settings: &WorldSettings,
        asked: &Asked,
    ) -> Near {
        // A host that says what is near knows better.
        if !cue.lore.similar.is_empty() {
            return Near::nothing(Unmeasured::NotNamed, None);
        }
        let choice = self.meanings.embedders.of(settings);
        if matches!(choice, Choice::Nothing) {
            return Near::nothing(Unmeasured::NoEmbedder, None);
        }
        let (wanted, blank) = by_meaning(shelf);
        let blank = blank.into_iter().map(|name| (name, Unlike::Unmeasured(Unmeasured::NothingToEmbed)));
        if wanted.is_empty() || said_last(cue, gathered, settings.lore.depth as usize).is_empty() {
            let meaning = Meaning { unlike: blank.collect(), others: Unmeasured::NothingSaid };
            return Near { meaning, ..Near::default() };
        }
        let entries =
            match choice.source().map(|source| self.entry_vectors(source.space(), &wanted, gathered)) {
                Some(Ok(entries)) => entries,
                None => {
                    let degraded = match asked {
                        Asked::Failed { error, .. } => {
                            Some(no_meaning("entries that are found by meaning", error))
                        }
                        _ => None,
                    };
                    return Near::nothing(Unmeasured::EmbedderUnavailable, degraded);
                }
                Some(Err(error)) => {
                    let degraded = no_vectors("entries that are found by meaning", &error);
                    return Near::nothing(Unmeasured::VectorsUnavailable, Some(degraded));
                }
            };
        let missing = wanted.len().saturating_sub(entries.len());
        match asked.measure(&entries, settings) {
            Ok((similar, mut unlike)) => {
                unlike.extend(blank);
                let mut near = cue.clone();
                near.lore.similar = similar;
                near.lore.most_similar = Some(settings.lore_similar_entries);
                Near {
                    cue: Some(near),
                    degraded: (missing > 0).then(|| not_embedded(missing)),
                    meaning: Meaning { unlike, others: Unmeasured::NotEmbedded },
                }
            }
            Err(error) => {
                let degraded = no_meaning("entries that are found by meaning", error);
                Near::nothing(Unmeasured::EmbedderUnavailable, Some(degraded))
            }
        }
    }

    /// Of these entries, as far as they have vectors.
    fn entry_vectors(
        &self,
        space: &str,
        wanted: &[LoreName],
        gathered: &Gathered,
    ) -> Result<Arc<EntryVectors>> {
        let books = gathered.books.iter().map(|(link, revision)| (link.book.clone(), *revision)).collect();
        let key: EntriesKey = (space.to_owned(), books);
        if let Some(known) = self.vectors_at_hand().get(&key) {
            return Ok(Arc::clone(known));
        }
        let mut found: EntryVectors = Vec::new();
        for (book, _) in &key.1 {
            let entries: Vec<Arc<str>> = wanted
                .iter()
                .filter(|name| *name.book == *book.as_str())
                .map(|name| Arc::clone(&name.entry))
                .collect();
            if entries.is_empty() {
                continue;
            }
            let limit = entries.len();
            let of = Embedding::Book { book: book.clone(), entries };
            for embedded in self.with_vectors(|store| store.vectors(space, &of, None, limit))? {
                let Embeddable::Entry { book, entry } = embedded.what else { continue };
                found.push((LoreName { book: Arc::from(book.as_str()), entry }, embedded.chunks));
            }
        }
        let found = Arc::new(found);
        if found.len() == wanted.len() {
            let mut known = self.vectors_at_hand();
            if known.len() >= STACKS {
                known.clear();
            }
            known.insert(key, Arc::clone(&found));
        }
        Ok(found)
    }

    fn vectors_at_hand(&self) -> MutexGuard<'_, HashMap<EntriesKey, Arc<EntryVectors>>> {
        self.meanings.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the newest line means by itself, where that costs no waiting.
fn newest_alone(choice: &Choice, before: &str, newest: &str, deadline_ms: i64) -> Option<Vector> {
    let embedder = choice.source().map(|source| &source.embedder)?;
    if before.is_empty() || !embedder.is_local() {
        return None;
    }
    embedder.embed(&[newest], deadline_ms).ok()?.pop().and_then(Vector::normal)
}

/// Entries that are found by meaning, and those of them that would be if they said anything.
fn by_meaning(shelf: Option<&Shelf>) -> (Vec<LoreName>, Vec<LoreName>) {
    let all = shelf.into_iter().flat_map(Shelf::by_meaning);
    let (wanted, blank): (Vec<_>, Vec<_>) = all.partition(|(_, content)| !content.trim().is_empty());
    let names = |found: Vec<(LoreName, &str)>| found.into_iter().map(|(name, _)| name).collect();
    (names(wanted), names(blank))
}

/// The newest message and the lines before it, as many as books are searched for, the newest last.
fn said_last(cue: &Cue, gathered: &Gathered, lines: usize) -> String {
    let before = lines.max(1).saturating_sub(usize::from(cue.message.is_some()));
    let told: Vec<&str> = match &cue.history {
        Some(history) => history.iter().map(|line| line.wording.content.as_str()).collect(),
        None => gathered.window.iter().map(|line| line.wording.content.as_str()).collect(),
    };
    let begin = told.len().saturating_sub(before);
    let message = cue.message.as_ref().map(|message| message.content.as_str());
    let said = told.get(begin..).unwrap_or_default().iter().copied().chain(message);
    // A sign means nothing by itself: ？ asks again what was asked before.
    let said: Vec<&str> = said.filter(|text| !text.chars().all(is_mere_sign)).collect();
    let text = said.join("\n");
    let skipped = text.chars().count().saturating_sub(QUERY_CHARS);
    text.chars().skip(skipped).collect::<String>().trim().to_owned()
}

/// Of punctuation; a smiley says something.
fn is_mere_sign(c: char) -> bool {
    let is_wide = matches!(c, '\u{2000}'..='\u{206F}' | '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF65}');
    c.is_whitespace() || c.is_ascii_punctuation() || c == '·' || is_wide
}

fn not_embedded(missing: usize) -> Degraded {
    Degraded {
        code: "lore_not_embedded",
        message: match missing {
            1 => "1 entry that is found by meaning has no vector yet".to_owned(),
            _ => format!("{missing} entries that are found by meaning have no vector yet"),
        },
        hint: "embedding goes on in the background; ask again in a moment".to_owned(),
    }
}

pub(super) fn no_vectors(what: &str, error: &Error) -> Degraded {
    Degraded {
        code: "vectors_unavailable",
        message: format!("{what} were not looked for by meaning: {}", error.message()),
        hint: error.hint_text().unwrap_or("see /health for what is wrong with the vectors").to_owned(),
    }
}

fn no_meaning(what: &str, error: &Error) -> Degraded {
    Degraded {
        code: "embedder_unavailable",
        message: format!("{what} were not looked for by meaning: {}", error.message()),
        hint: error.hint_text().unwrap_or("see /health for what is wrong with the embedder").to_owned(),
    }
}
