//! Is this known already, does it say better what is known, or does it take its place?

use crate::digest::{Compared, compare};
use crate::likeness::letters;
pub use crate::likeness::similarity;
use crate::memory::{Held, Kind};

/// What to do with something new.
#[derive(Debug, Clone, PartialEq)]
pub enum Reconciled<'a> {
    Add,
    /// It says the same, or less.
    Ignore {
        known: &'a Held,
    },
    /// It says the same and more; of several that it covers all give way.
    Refine {
        known: Vec<&'a Held>,
    },
    /// What was known holds no longer.
    Supersede {
        known: Vec<&'a Held>,
    },
}

/// Above this, two texts of a kind say the same.
fn same(kind: Kind) -> f64 {
    match kind {
        Kind::Episodic => 0.85,
        Kind::Semantic | Kind::Trait | Kind::Goal => 0.90,
    }
}

/// Whether two texts of a kind are almost the same letter by letter. What they say may differ all the same, by a name or a number.
pub(crate) fn is_alike(kind: Kind, a: &str, b: &str) -> bool {
    similarity(a, b) > same(kind)
}

/// `known` are memories of one holder about one of those whom the new text is about; `replaces` the one of them that the model
/// named.
///
/// What the model names gives way, unless both say the very same. Without its word: another number, name, date or denial in almost the same text takes
/// the place of what was known, but what happened twice in a like way happened twice. What says the same in other words, or less, is
/// known already; what says more takes the place of all that it covers. Facts, traits and goals are compared with each other, because
/// models do not always call the same thing by the same kind.
pub fn reconcile<'a>(
    text: &str,
    kind: Kind,
    known: impl IntoIterator<Item = &'a Held>,
    replaces: Option<&'a Held>,
) -> Reconciled<'a> {
    if let Some(known) = replaces {
        return match letters(known.text()) == letters(text) {
            true => Reconciled::Ignore { known },
            false => Reconciled::Supersede { known: vec![known] },
        };
    }
    let is_lived = |kind: Kind| kind == Kind::Episodic;
    let mut compared: Vec<(Compared, f64, &Held)> = known
        .into_iter()
        .filter(|held| is_lived(held.memory.kind) == is_lived(kind))
        .map(|held| (compare(kind, held.text(), text), similarity(text, held.text()), held))
        .filter(|(compared, ..)| *compared != Compared::Other)
        .collect();
    compared.sort_by(|(_, a, held_a), (_, b, held_b)| {
        b.total_cmp(a).then(held_a.memory.id.cmp(&held_b.memory.id))
    });
    let all = |wanted: Compared| -> Vec<&'a Held> {
        compared.iter().filter(|(compared, ..)| *compared == wanted).map(|(.., held)| *held).collect()
    };
    let told = |is: &dyn Fn(Compared) -> bool| {
        compared.iter().find(|(compared, ..)| is(*compared)).map(|(.., held)| *held)
    };
    if is_lived(kind) {
        let same = told(&|compared| compared != Compared::Changed);
        return same.map_or(Reconciled::Add, |known| Reconciled::Ignore { known });
    }
    if let Some(known) = told(&|compared| matches!(compared, Compared::Same | Compared::Less)) {
        return Reconciled::Ignore { known };
    }
    let changed = all(Compared::Changed);
    if !changed.is_empty() {
        return Reconciled::Supersede { known: changed };
    }
    match all(Compared::More) {
        known if known.is_empty() => Reconciled::Add,
        known => Reconciled::Refine { known },
    }
}
