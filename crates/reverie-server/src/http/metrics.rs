//! How many requests, how long, and which were turned away? Prometheus text.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use reverie_api::wire::{StoreFileView, UpstreamView};
use reverie_models::{Driver, Health};

use super::{Counts, mind_metrics, model_metrics, recall_metrics};
use crate::worker::Watch;

/// Upper bounds in microseconds, with the text that Prometheus wants to see.
const BUCKETS: [(u64, &str); 14] = [
    (500, "0.0005"),
    (1_000, "0.001"),
    (2_500, "0.0025"),
    (5_000, "0.005"),
    (10_000, "0.01"),
    (25_000, "0.025"),
    (50_000, "0.05"),
    (100_000, "0.1"),
    (250_000, "0.25"),
    (500_000, "0.5"),
    (1_000_000, "1"),
    (2_500_000, "2.5"),
    (10_000_000, "10"),
    (30_000_000, "30"),
];

/// What others count.
pub(crate) struct Now<'a> {
    pub(crate) started: Instant,
    /// How many requests are worked on, and how many wait.
    pub(crate) load: (usize, usize),
    pub(crate) digest: &'a Watch,
    pub(crate) models: Option<&'a Driver>,
    pub(crate) dependencies: &'a [Health],
    pub(crate) counts: &'a Counts,
    pub(crate) file: Option<&'a StoreFileView>,
    pub(crate) upstreams: &'a [UpstreamView],
}

/// Labels come from code and from settings alone (operation ids, status codes, reasons), so the number of series is bounded.
#[derive(Default)]
pub(crate) struct Metrics {
    in_flight: AtomicI64,
    counts: Mutex<Requests>,
}

#[derive(Default)]
struct Requests {
    requests: BTreeMap<(&'static str, u16), u64>,
    durations: BTreeMap<&'static str, Histogram>,
    refused: BTreeMap<&'static str, u64>,
}

#[derive(Default)]
struct Histogram {
    /// Not yet cumulative; what is above the last bound is only in `count`.
    buckets: [u64; BUCKETS.len()],
    count: u64,
    sum: Duration,
}

impl Metrics {
    pub(crate) fn begin(&self) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn end(
        &self,
        operation: &'static str,
        status: u16,
        refused: Option<&'static str>,
        took: Duration,
    ) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
        let mut counts = self.counts();
        *counts.requests.entry((operation, status)).or_default() += 1;
        if let Some(reason) = refused {
            *counts.refused.entry(reason).or_default() += 1;
        }
        let histogram = counts.durations.entry(operation).or_default();
        histogram.count += 1;
        histogram.sum += took;
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let slots = BUCKETS.iter().zip(&mut histogram.buckets);
        if let Some((_, slot)) = slots.into_iter().find(|((bound, _), _)| micros <= *bound) {
            *slot += 1;
        }
    }

    pub(crate) fn render(&self, now: &Now<'_>) -> String {
        let mut page = String::new();
        // Writing to a String cannot fail.
        let _ = self.write(&mut page, now.started, now.load);
        let _ = write_digest(&mut page, now.digest);
        let _ = model_metrics::write(&mut page, now.models);
        let _ = model_metrics::write_dependencies(&mut page, now.dependencies);
        let _ = mind_metrics::write(&mut page, &now.counts.minds);
        let _ = recall_metrics::write(&mut page, now.counts.recall.as_ref());
        let _ = recall_metrics::write_file(&mut page, now.file);
        let _ = recall_metrics::write_upstreams(&mut page, now.upstreams);
        page
    }

    fn write(
        &self,
        page: &mut String,
        started: Instant,
        (working, waiting): (usize, usize),
    ) -> std::fmt::Result {
        let counts = self.counts();
        let version = env!("CARGO_PKG_VERSION");
        describe(page, "reverie_build_info", "gauge", "The running version.")?;
        writeln!(page, "reverie_build_info{{version=\"{version}\"}} 1")?;
        describe(page, "reverie_uptime_seconds", "gauge", "Seconds since the start.")?;
        writeln!(page, "reverie_uptime_seconds {}", started.elapsed().as_secs())?;
        describe(page, "reverie_requests_in_flight", "gauge", "Requests under way.")?;
        writeln!(page, "reverie_requests_in_flight {}", self.in_flight.load(Ordering::Relaxed))?;
        describe(page, "reverie_requests_working", "gauge", "Requests that the API works on.")?;
        writeln!(page, "reverie_requests_working {working}")?;
        describe(page, "reverie_requests_waiting", "gauge", "Requests in the queue for the API.")?;
        writeln!(page, "reverie_requests_waiting {waiting}")?;
        describe(page, "reverie_requests_total", "counter", "Requests by operation and status.")?;
        for ((operation, status), count) in &counts.requests {
            writeln!(
                page,
                "reverie_requests_total{{operation=\"{operation}\",status=\"{status}\"}} {count}"
            )?;
        }
        let refused = "Requests turned away before their operation, by reason.";
        describe(page, "reverie_requests_refused_total", "counter", refused)?;
        for (reason, count) in &counts.refused {
            writeln!(page, "reverie_requests_refused_total{{reason=\"{reason}\"}} {count}")?;
        }
        let name = "reverie_request_duration_seconds";
        describe(page, name, "histogram", "Time from a request's head to its answer, by operation.")?;
        for (operation, histogram) in &counts.durations {
            let mut up_to = 0;
            for ((_, bound), count) in BUCKETS.iter().zip(histogram.buckets) {
                up_to += count;
                writeln!(page, "{name}_bucket{{operation=\"{operation}\",le=\"{bound}\"}} {up_to}")?;
            }
            let Histogram { count, sum, .. } = histogram;
            writeln!(page, "{name}_bucket{{operation=\"{operation}\",le=\"+Inf\"}} {count}")?;
            writeln!(page, "{name}_sum{{operation=\"{operation}\"}} {}", sum.as_secs_f64())?;
            writeln!(page, "{name}_count{{operation=\"{operation}\"}} {count}")?;
        }
        Ok(())
    }

    fn counts(&self) -> MutexGuard<'_, Requests> {
        // Counting cannot leave a half-done state behind.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write_digest(page: &mut String, digest: &Watch) -> std::fmt::Result {
    let counters = [
        ("reverie_digest_runs_total", "Slices of digesting.", &digest.runs),
        ("reverie_digest_memories_total", "Memories that were made.", &digest.memories),
        ("reverie_digest_summaries_total", "Those of them that sum up a day or an era.", &digest.summaries),
        ("reverie_digest_failures_total", "Slices that failed for a world.", &digest.failures),
    ];
    for (name, help, count) in counters {
        describe(page, name, "counter", help)?;
        writeln!(page, "{name} {}", count.load(Ordering::Relaxed))?;
    }
    let gauges = [
        (
            "reverie_digest_failing_worlds",
            "Worlds in which nothing can be remembered for now.",
            &digest.failing,
        ),
        (
            "reverie_digest_waiting_conversations",
            "Conversations in which something waits to be remembered, as last counted.",
            &digest.waiting,
        ),
    ];
    for (name, help, count) in gauges {
        describe(page, name, "gauge", help)?;
        writeln!(page, "{name} {}", count.load(Ordering::Relaxed))?;
    }
    Ok(())
}

pub(super) fn describe(page: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(page, "# HELP {name} {help}\n# TYPE {name} {kind}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_cumulative() {
        let metrics = Metrics::default();
        for millis in [1, 1, 3, 60_000] {
            metrics.begin();
            metrics.end("recall", 200, None, Duration::from_millis(millis));
        }
        metrics.begin();
        let page = metrics.render(&Now {
            started: Instant::now(),
            load: (0, 0),
            digest: &Watch::default(),
            models: None,
            dependencies: &[],
            counts: &Counts::default(),
            file: None,
            upstreams: &[],
        });
        for line in [
            "reverie_requests_in_flight 1",
            "reverie_digest_runs_total 0",
            "reverie_digest_waiting_conversations 0",
            "reverie_requests_total{operation=\"recall\",status=\"200\"} 4",
            "reverie_request_duration_seconds_bucket{operation=\"recall\",le=\"0.0005\"} 0",
            "reverie_request_duration_seconds_bucket{operation=\"recall\",le=\"0.001\"} 2",
            "reverie_request_duration_seconds_bucket{operation=\"recall\",le=\"30\"} 3",
            "reverie_request_duration_seconds_bucket{operation=\"recall\",le=\"+Inf\"} 4",
            "reverie_request_duration_seconds_sum{operation=\"recall\"} 60.005",
        ] {
            assert!(page.lines().any(|found| found == line), "{line}\n{page}");
        }
    }
}
