//! What passed, what failed, what was left out, and how long did it take?

use std::time::{Duration, Instant};

use anyhow::Result;

/// A count of checks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    pub(crate) skipped: usize,
}

impl Tally {
    pub(crate) const PASSED: Self = Self { passed: 1, failed: 0, skipped: 0 };
    pub(crate) const FAILED: Self = Self { passed: 0, failed: 1, skipped: 0 };
    pub(crate) const SKIPPED: Self = Self { passed: 0, failed: 0, skipped: 1 };

    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    /// The word for a step with these results.
    fn verdict(self) -> &'static str {
        match self {
            Self { failed: 1.., .. } => "FAILED",
            Self { passed: 0, skipped: 1.., .. } => "skipped",
            _ => "ok",
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(f, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

/// The steps so far.
pub(crate) struct Report {
    start: Instant,
    steps: Vec<(&'static str, Tally, Duration)>,
}

impl Report {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), steps: Vec::new() }
    }

    /// Runs a step and says so. An error is one failed check; the steps after it run all the same.
    pub(crate) fn step(&mut self, name: &'static str, work: impl FnOnce() -> Result<Tally>) {
        println!("==> {name}");
        let start = Instant::now();
        let tally = work().unwrap_or_else(|error| {
            println!("error: {error:#}");
            Tally::FAILED
        });
        let took = start.elapsed();
        println!("<== {name}: {} ({tally}) in {}\n", tally.verdict(), seconds(took));
        self.steps.push((name, tally, took));
    }

    /// Prints the summary; its last line is the sum and nothing else. True if nothing failed.
    pub(crate) fn close(self) -> bool {
        let width = self.steps.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
        let mut sum = Tally::default();
        println!("summary, {} in all", seconds(self.start.elapsed()));
        for (name, tally, took) in &self.steps {
            println!("  {name:width$}  {:7}  {:>9}  {tally}", tally.verdict(), seconds(*took));
            sum.add(*tally);
        }
        println!("{sum}");
        sum.failed == 0
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
