//! How long prompts take, told by a stopwatch that a test moves: exact, and without any influence on what they say.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use reverie_core::laps::Part;
use reverie_core::{Limits, RecallTimes};
use serde_json::{Value, json};

use crate::host::Host;

/// A host whose stopwatch goes so many nanoseconds further whenever it is looked at.
struct Timed {
    host: Host,
    step: Arc<AtomicU64>,
    /// Prompts so far.
    asked: AtomicU64,
}

const MILLISECOND: u64 = 1_000_000;

impl Timed {
    fn new() -> Self {
        let (step, now) = (Arc::new(AtomicU64::new(MILLISECOND)), AtomicU64::new(0));
        let steps = Arc::clone(&step);
        let stopwatch = move || now.fetch_add(steps.load(Ordering::Relaxed), Ordering::Relaxed);
        let host = Host::with_engine(Limits::default(), |engine| engine.timed_by(Arc::new(stopwatch)));
        fill(&host);
        Self { host, step, asked: AtomicU64::new(0) }
    }

    /// Makes so many prompts, each look at the stopwatch taking so long. What was asked before is known again and takes fewer
    /// looks, so each asks something else.
    fn recall(&self, count: usize, milliseconds: u64) {
        self.step.store(milliseconds * MILLISECOND, Ordering::Relaxed);
        for _ in 0..count {
            let number = self.asked.fetch_add(1, Ordering::Relaxed);
            recall(&self.host, &format!("船呢？{number}"));
        }
    }

    fn times(&self) -> RecallTimes {
        self.host.api().engine().recall_times().expect("somebody measures")
    }
}

fn fill(host: &Host) {
    host.done("PUT", "/v1/worlds/w", "{}");
    host.done("PUT", "/v1/books/b", r#"{"entries":{"0":{"uid":0,"key":["船"],"content":"船有三桅。"}}}"#);
    host.done("PUT", "/v1/worlds/w/lore/b", "{}");
    for text in ["船在雾里撞上了礁石。", "阿默的姐姐在找她。"] {
        let body = json!({"text": text, "kind": "semantic"}).to_string();
        host.done("POST", "/v1/worlds/w/characters/mo/memories", &body);
    }
}

fn recall(host: &Host, message: &str) -> Value {
    let cue = json!({"character": "mo", "history": [], "message": message, "explain": true});
    host.done("POST", "/v1/worlds/w/recall", &cue.to_string())
}

/// Every look is a millisecond, so a part takes as many of them as it has laps.
#[test]
fn the_parts_of_a_prompt_add_up_to_the_whole() {
    let timed = Timed::new();
    let nothing = timed.times();
    assert_eq!((nothing.recalls, nothing.of, nothing.whole, nothing.parts.len()), (0, 0, None, 0));
    timed.recall(1, 1);
    let times = timed.times();
    assert_eq!((times.recalls, times.of), (1, 1));
    assert_eq!(times.parts.iter().map(|(part, _)| *part).collect::<Vec<_>>(), Part::ALL);
    let whole = times.whole.expect("there was one");
    let sum: f64 = times.parts.iter().map(|(_, took)| took.p50_ms).sum();
    assert_eq!((whole.p50_ms, whole.p99_ms), (sum, sum));
    for (part, took) in &times.parts {
        assert!(took.p50_ms >= 1.0, "nobody timed {}", part.as_str());
    }
}

/// Of a hundred prompts one may be slow; two are seen, until five hundred others have come.
#[test]
fn one_in_a_hundred_may_be_slow() {
    let timed = Timed::new();
    timed.recall(1, 1);
    let usual = timed.times().whole.expect("there was one").p50_ms;
    timed.recall(98, 1);
    timed.recall(1, 1000);
    let times = timed.times().whole.expect("there were some");
    assert_eq!((times.p50_ms, times.p99_ms), (usual, usual));
    timed.recall(1, 1000);
    let times = timed.times().whole.expect("there were some");
    assert_eq!((times.p50_ms, times.p99_ms), (usual, usual * 1000.0));
    timed.recall(512, 1);
    let times = timed.times();
    assert_eq!((times.recalls, times.of), (613, 512));
    assert_eq!(times.whole.map(|whole| whole.p99_ms), Some(usual));
}

#[test]
fn what_is_recalled_does_not_depend_on_the_stopwatch() {
    let plain = Host::new();
    fill(&plain);
    assert!(plain.api().engine().recall_times().is_none(), "nobody measures");
    let timed = Timed::new();
    let first = recall(&plain, "船呢？");
    assert!(first.to_string().contains("礁石") && first.to_string().contains("三桅"), "{first}");
    for step in [0, 1, 1 << 40] {
        timed.step.store(step, Ordering::Relaxed);
        assert_eq!(recall(&timed.host, "船呢？"), first);
    }
}
