//! How much of what was wanted was found, and how soon?

use std::collections::HashSet;
use std::time::Duration;

use reverie_core::{Error, Result};
use serde_json::{Map, Value, json};

/// Places behind which the found ones are counted, in order.
#[derive(Debug, Clone)]
pub(super) struct Cutoffs(Vec<usize>);

impl Cutoffs {
    pub(super) fn new(places: &[usize]) -> Result<Self> {
        if places.is_empty() || places.contains(&0) {
            return Err(Error::invalid("--k must name places from 1 on").hint("for example --k 5,10,20"));
        }
        let mut places = places.to_vec();
        places.sort_unstable();
        places.dedup();
        Ok(Self(places))
    }
}

/// Means over queries.
pub(super) struct Score {
    cutoffs: Cutoffs,
    recall: Vec<f64>,
    reciprocal_rank: f64,
    ndcg: f64,
    queries: usize,
}

/// Of normalised discounted cumulative gain.
const GAIN_PLACES: usize = 10;

impl Score {
    pub(super) fn new(cutoffs: &Cutoffs) -> Self {
        let recall = vec![0.0; cutoffs.0.len()];
        Self { cutoffs: cutoffs.clone(), recall, reciprocal_rank: 0.0, ndcg: 0.0, queries: 0 }
    }

    /// The best first.
    pub(super) fn add<'i>(&mut self, found: impl Iterator<Item = &'i str>, gold: &HashSet<String>) {
        let hits: Vec<bool> = found.map(|id| gold.contains(id)).collect();
        let wanted = gold.len() as f64;
        for (recall, places) in self.recall.iter_mut().zip(&self.cutoffs.0) {
            *recall += hits.iter().take(*places).filter(|hit| **hit).count() as f64 / wanted;
        }
        let first = hits.iter().position(|hit| *hit);
        self.reciprocal_rank += first.map_or(0.0, |place| 1.0 / (place + 1) as f64);
        let gain = |place: usize| 1.0 / (place as f64 + 2.0).log2();
        let gained = hits.iter().take(GAIN_PLACES).enumerate().filter(|(_, hit)| **hit);
        let best: f64 = (0..gold.len().min(GAIN_PLACES)).map(gain).sum();
        self.ndcg += gained.map(|(place, _)| gain(place)).sum::<f64>() / best;
        self.queries += 1;
    }

    pub(super) fn json(&self) -> Value {
        Value::Object(
            self.figures().map(|(name, value)| (name, json!(rounded(value)))).collect::<Map<_, _>>(),
        )
    }

    pub(super) fn text(&self) -> String {
        let figures: Vec<String> = self.figures().map(|(name, value)| format!("{name} {value:.3}")).collect();
        figures.join("  ")
    }

    fn figures(&self) -> impl Iterator<Item = (String, f64)> {
        let recall =
            self.cutoffs.0.iter().zip(&self.recall).map(|(k, recall)| (format!("recall@{k}"), *recall));
        let others = [("mrr", self.reciprocal_rank), ("ndcg@10", self.ndcg)];
        let all = recall.chain(others.map(|(name, sum)| (name.to_owned(), sum)));
        all.map(|(name, sum)| (name, sum / self.queries.max(1) as f64))
    }
}

/// What a prompt's threshold lets through, of the first ten.
#[derive(Default)]
pub(super) struct Told {
    recall: f64,
    all: usize,
    queries: usize,
}

const TOLD: usize = 10;

impl Told {
    /// The best first.
    pub(super) fn add<'i>(&mut self, found: impl Iterator<Item = &'i str>, gold: &HashSet<String>) {
        let hits: Vec<bool> = found.take(TOLD).map(|id| gold.contains(id)).collect();
        self.recall += hits.iter().filter(|hit| **hit).count() as f64 / gold.len() as f64;
        self.all += hits.len();
        self.queries += 1;
    }

    pub(super) fn json(&self) -> Value {
        let (recall, passing) = self.figures();
        json!({"recall@10": rounded(recall), "passing": rounded(passing)})
    }

    pub(super) fn text(&self) -> String {
        let (recall, passing) = self.figures();
        format!("recall@10 {recall:.3}  passing {passing:.1} of 10")
    }

    fn figures(&self) -> (f64, f64) {
        let queries = self.queries.max(1) as f64;
        (self.recall / queries, self.all as f64 / queries)
    }
}

/// How long searches took.
#[derive(Default)]
pub(super) struct Latency(Vec<Duration>);

impl Latency {
    pub(super) fn took(&mut self, time: Duration) {
        self.0.push(time);
    }

    pub(super) fn json(&self) -> Value {
        json!({"p50": rounded(self.ms(50)), "p99": rounded(self.ms(99))})
    }

    pub(super) fn text(&self) -> String {
        format!("p50 {:.3} ms  p99 {:.3} ms", self.ms(50), self.ms(99))
    }

    fn ms(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let place = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
        sorted.get(place).map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    }
}

fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
