//! How fast is the embedder, against the transformer on the same core in the same run?

use std::collections::HashMap;
use std::time::{Duration, Instant};

use anyhow::Result;
use reverie_offline::OfflineEmbedder;

use crate::sources::Sources;
use crate::vocabulary::tokens;

/// Short sentences; the transformer gets the English ones only, it reads no Chinese.
const ENGLISH: &[&str] = &[
    "I love Sichuan hot pot more than anything.",
    "We went for a walk in the park yesterday.",
    "What spicy food does he like?",
    "She bought a new bicycle for her brother.",
    "The exam next week makes me nervous.",
    "My dog is afraid of thunder.",
    "He promised to call me when he arrives.",
    "The library closes at nine in the evening.",
];
const CHINESE: &[&str] = &[
    "我最爱吃四川火锅。",
    "昨天和妈妈去公园散步。",
    "他喜欢什么辣的食物？",
    "她给弟弟买了一辆新自行车。",
    "下周要考试，我很紧张。",
    "我的狗害怕打雷。",
    "他答应到了以后给我打电话。",
    "图书馆晚上九点关门。",
];
const BATCH: usize = 4_000;
const ROUNDS: usize = 9;

/// Sentences a second, in the fastest of some rounds.
pub(crate) fn run(sources: &Sources) -> Result<String> {
    let begun = Instant::now();
    let embedder = OfflineEmbedder::new();
    let first = embedder.vectors(&["火锅"]).first().map_or(0, Vec::len);
    let start = begun.elapsed();
    let known: HashMap<String, u32> = sources.pieces.iter().cloned().zip(0..).collect();
    let read: Vec<Vec<u32>> = ENGLISH.iter().cycle().take(32).map(|text| tokens(&known, text)).collect();
    let (mut english, mut chinese, mut transformer) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        english.push(each(BATCH, || embedder.vectors(&many(ENGLISH)).len()));
        chinese.push(each(BATCH, || embedder.vectors(&many(CHINESE)).len()));
        transformer.push(each(read.len(), || sources.transformer.means(&read).rows));
    }
    let (english, chinese, transformer) = (fastest(&english), fastest(&chinese), fastest(&transformer));
    let per_second = |time: Duration| 1.0 / time.as_secs_f64();
    Ok(format!(
        "from nothing to the first vector ({first} dimensions): {:.3} ms\n\
         English sentences: {:.0}/s, {:.0} times the transformer ({:.0}/s)\nChinese sentences: {:.0}/s\n",
        start.as_secs_f64() * 1e3,
        per_second(english),
        transformer.as_secs_f64() / english.as_secs_f64(),
        per_second(transformer),
        per_second(chinese),
    ))
}

fn many(texts: &[&'static str]) -> Vec<&'static str> {
    texts.iter().copied().cycle().take(BATCH).collect()
}

/// The time of one, of so many.
fn each(count: usize, run: impl FnOnce() -> usize) -> Duration {
    let begun = Instant::now();
    std::hint::black_box(run());
    begun.elapsed() / count as u32
}

/// On a machine with other work the fastest round is the undisturbed one.
fn fastest(times: &[Duration]) -> Duration {
    times.iter().min().copied().unwrap_or_default()
}
