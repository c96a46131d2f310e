//! Whose memories and which meanings are at hand, and what that was good for: as Prometheus text.

use std::fmt::{Result, Write};

use reverie_core::{MindsAtHand, QueriesAtHand, ResultsAtHand};

use super::metrics::describe;

pub(super) fn write(page: &mut String, minds: &MindsAtHand) -> Result {
    let MindsAtHand { results, queries, .. } = minds;
    let MindsAtHand { minds, bytes, word_bytes, vector_bytes, most_bytes, whole, continued, let_go, .. } =
        minds;
    let ResultsAtHand { bytes: result_bytes, found: found_again, made } = results;
    let QueriesAtHand { texts, bytes: query_bytes, found, asked, .. } = queries;
    for (name, help, value) in [
        ("reverie_minds", "Characters whose memories are at hand.", *minds),
        ("reverie_minds_bytes", "Bytes of the memories that are at hand.", *bytes),
        ("reverie_minds_word_bytes", "Bytes of these that find memories by words.", *word_bytes),
        ("reverie_minds_vector_bytes", "Bytes of these that find memories by meaning.", *vector_bytes),
        ("reverie_minds_result_bytes", "Bytes of these that know what came to mind last.", *result_bytes),
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
    let name = "reverie_results_used_total";
    describe(page, name, "counter", "What came to mind: looked for, or known because the same was asked.")?;
    writeln!(page, "{name}{{from=\"mind\"}} {made}")?;
    writeln!(page, "{name}{{from=\"hand\"}} {found_again}")?;
    let name = "reverie_queries_used_total";
    describe(page, name, "counter", "Texts compared by meaning over a network: asked about, or known.")?;
    writeln!(page, "{name}{{from=\"embedder\"}} {asked}")?;
    writeln!(page, "{name}{{from=\"hand\"}} {found}")
}
