//! How long prompts take, how large the data file is, and how upstreams do: as Prometheus text.

use std::fmt::{Result, Write};

use reverie_api::wire::{StoreFileView, UpstreamView};
use reverie_core::{Quantiles, RecallTimes};

use super::metrics::describe;

/// Nothing if nobody measures.
pub(super) fn write(page: &mut String, times: Option<&RecallTimes>) -> Result {
    let Some(times) = times else { return Ok(()) };
    describe(page, "reverie_recalls_total", "counter", "Prompts that were made.")?;
    writeln!(page, "reverie_recalls_total {}", times.recalls)?;
    let name = "reverie_recall_seconds";
    let help = format!("How long the last {} prompts took, by part; `whole` is all of it.", times.of);
    describe(page, name, "gauge", &help)?;
    let whole = times.whole.iter().map(|whole| ("whole", whole));
    for (part, Quantiles { p50_ms, p99_ms }) in
        whole.chain(times.parts.iter().map(|(part, took)| (part.as_str(), took)))
    {
        for (quantile, ms) in [("0.5", p50_ms), ("0.99", p99_ms)] {
            writeln!(page, "{name}{{part=\"{part}\",quantile=\"{quantile}\"}} {}", ms / 1000.0)?;
        }
    }
    Ok(())
}

/// Nothing if there is none.
pub(super) fn write_file(page: &mut String, file: Option<&StoreFileView>) -> Result {
    let Some(file) = file else { return Ok(()) };
    for (name, help, bytes) in [
        ("reverie_store_bytes", "Bytes of the data file.", file.bytes),
        ("reverie_store_wal_bytes", "Bytes of its write-ahead log.", file.wal_bytes),
    ] {
        describe(page, name, "gauge", help)?;
        writeln!(page, "{name} {bytes}")?;
    }
    Ok(())
}

/// Nothing if there are none. Their names come from settings.
pub(super) fn write_upstreams(page: &mut String, upstreams: &[UpstreamView]) -> Result {
    if upstreams.is_empty() {
        return Ok(());
    }
    let name = "reverie_upstream_requests_total";
    describe(page, name, "counter", "Requests that were passed on, by upstream and by what became of them.")?;
    for upstream in upstreams {
        let label = upstream.name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        writeln!(page, "{name}{{upstream=\"{label}\",outcome=\"answered\"}} {}", upstream.answered)?;
        writeln!(page, "{name}{{upstream=\"{label}\",outcome=\"failed\"}} {}", upstream.failed)?;
    }
    Ok(())
}
