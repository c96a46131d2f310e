//! Which vectors does a file not have? Figures of a leg that could not see all of the data say little, and must not look as if they did.

use std::path::Path;

use reverie_core::{Error, Result};
use serde_json::{Value, json};

use super::data::{Corpus, Query, Vectors};

/// How many have no vector.
#[derive(Debug, Clone, Copy)]
pub(super) struct Missing {
    items: Share,
    queries: Share,
}

#[derive(Debug, Clone, Copy, Default)]
struct Share {
    without: u64,
    all: u64,
}

impl Share {
    fn of<'i>(ids: impl Iterator<Item = &'i str>, vectors: &Vectors) -> Self {
        ids.fold(Self::default(), |share, id| Self {
            without: share.without + u64::from(!vectors.has(id)),
            all: share.all + 1,
        })
    }

    fn is_all(self) -> bool {
        self.all > 0 && self.without == self.all
    }
}

impl Vectors {
    /// Refused if meaning could not find a thing.
    pub(super) fn missing(&self, file: &Path, corpus: &Corpus, queries: &[Query]) -> Result<Missing> {
        let items = Share::of(corpus.ids(), self);
        let asked = Share::of(queries.iter().map(|query| query.id.as_str()), self);
        let nobody = match (items.is_all(), asked.is_all()) {
            (true, true) => Some("no item and no query"),
            (true, false) => Some("no item of the corpus"),
            (false, true) => Some("no query"),
            (false, false) => None,
        };
        match nobody {
            Some(nobody) => Err(Error::invalid(format!("{nobody} has a vector in {}", file.display()))
                .hint("each line is {\"id\": …, \"vector\": […]} with an id of the corpus or of the queries; --no-embedder measures without vectors")),
            None => Ok(Missing { items, queries: asked }),
        }
    }
}

impl Missing {
    pub(super) fn any(self) -> bool {
        self.items.without + self.queries.without > 0
    }

    pub(super) fn text(self, file: &Path) -> String {
        let Self { items, queries } = self;
        format!(
            "{} of {} items and {} of {} queries have no vector in {}: meaning finds nothing for them",
            items.without,
            items.all,
            queries.without,
            queries.all,
            file.display()
        )
    }

    pub(super) fn json(self) -> Value {
        json!({"items": self.items.without, "queries": self.queries.without})
    }
}
