//! How long does it take? Many samples, the median and the slow end; what is compared takes turns.

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::Result;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Time {
    pub(crate) median: Duration,
    pub(crate) p99: Duration,
}

impl Time {
    pub(crate) fn of(mut samples: Vec<Duration>) -> Self {
        samples.sort_unstable();
        let at = |part: f64| {
            let index = (samples.len().saturating_sub(1) as f64 * part).round() as usize;
            samples.get(index).copied().unwrap_or_default()
        };
        Self { median: at(0.5), p99: at(0.99) }
    }

    /// How many times as long as the other, by the medians.
    pub(crate) fn over(self, other: Self) -> f64 {
        self.median.as_secs_f64() / other.median.as_secs_f64()
    }
}

/// How often something is run: first to warm up, then to measure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Often {
    pub(crate) warm_up: usize,
    pub(crate) samples: usize,
}

pub(crate) fn time<T>(often: Often, mut work: impl FnMut() -> Result<T>) -> Result<Time> {
    for _ in 0..often.warm_up {
        black_box(work()?);
    }
    let samples: Result<Vec<Duration>> = (0..often.samples).map(|_| once(&mut work)).collect();
    Ok(Time::of(samples?))
}

/// Two things in turns, so that whatever else the machine does meets both.
pub(crate) fn time_both<A, B>(
    often: Often,
    mut first: impl FnMut() -> Result<A>,
    mut second: impl FnMut() -> Result<B>,
) -> Result<(Time, Time)> {
    for _ in 0..often.warm_up {
        black_box(first()?);
        black_box(second()?);
    }
    let (mut of_first, mut of_second) = (Vec::new(), Vec::new());
    for _ in 0..often.samples {
        of_first.push(once(&mut first)?);
        of_second.push(once(&mut second)?);
    }
    Ok((Time::of(of_first), Time::of(of_second)))
}

/// What is given back is dropped within the time: who makes more, cleans up more.
fn once<T>(work: &mut impl FnMut() -> Result<T>) -> Result<Duration> {
    let start = Instant::now();
    drop(black_box(work()?));
    Ok(start.elapsed())
}
