//! Whose memories and which meanings are at hand, and what that was good for: as Prometheus text.

use std::fmt::{Result, Write};

use reverie_core::{MindsAtHand, QueriesAtHand};

use super::metrics::describe;

pub(super) fn write(page: &mut String, minds: &MindsAtHand) -> Result {
    let MindsAtHand { minds, bytes, word_bytes, vector_bytes, most_bytes, whole, continued, let_go, queries } =
        minds;
    let QueriesAtHand { texts, bytes: query_bytes, found, asked, .. } = queries;
    for (name, help, value) in [
        ("reverie_minds", "Characters whose memories are at hand.", *minds),
        ("reverie_minds_bytes", "Bytes of the memories that are at hand.", *bytes),
        ("reverie_minds_word_bytes", "Bytes of these that find memories by words.", *word_bytes),
        ("reverie_minds_vector_bytes", "Bytes of these that find memories by meaning.", *vector_bytes),
        ("reverie_minds_most_bytes", "Bytes that memories and texts at hand may take.", *most_bytes),
        ("reverie_queries", "Texts that were asked about and are known by their meaning.", *texts),
        ("reverie_queries_bytes", "Bytes of these texts and meanings.", *query_bytes),
    ] {
        describe(page, name, "gauge", help)?;
        writeln!(page, "{name} {value}")?;
    }
    let name = "reverie_minds_used_total";
    describe(page, name, "counter", "Minds that prompts looked into: read whole, or at hand and continued.")?;
    writeln!(page, "{name}{{from=\"store\"}} {whole}")?;
    writeln!(page, "{name}{{from=\"hand\"}} {continued}")?;
    describe(page, "reverie_minds_let_go_total", "counter", "Minds that had to make room for others.")?;
    writeln!(page, "reverie_minds_let_go_total {let_go}")?;
    let name = "reverie_queries_used_total";
    describe(page, name, "counter", "Texts compared by meaning over a network: asked about, or known.")?;
    writeln!(page, "{name}{{from=\"embedder\"}} {asked}")?;
    writeln!(page, "{name}{{from=\"hand\"}} {found}")
}
