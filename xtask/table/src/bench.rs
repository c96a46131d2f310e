//! How fast is the embedder, against the transformer on the same core in the same run?

use std::collections::HashMap;
use std::time::{Duration, Instant};

use anyhow::Result;
use reverie_offline::OfflineEmbedder;

use crate::sources::Sources;
use crate::vocabulary::tokens;

/// Who, when and what: every sentence is another one. The transformer gets the English ones only, it reads no Chinese.
const ENGLISH: [&[&str]; 3] = [
    &[
        "I",
        "My brother",
        "The captain",
        "Our teacher",
        "Alice",
        "The old gardener",
        "She",
        "His sister",
        "The baker's son",
        "Nobody",
        "A stranger",
        "The whole crew",
        "Grandfather",
        "The healer",
        "Mark",
        "We",
    ],
    &[
        "never",
        "always",
        "often",
        "last winter",
        "on Sundays",
        "after the storm",
        "before breakfast",
        "in the evening",
        "at the harbour",
        "with great care",
        "for many years",
        "in Chengdu",
        "secretly",
        "during the exam",
        "without a word",
        "as a child",
    ],
    &[
        "ate spicy hot pot.",
        "was afraid of thunder.",
        "lost a silver ring near the lighthouse.",
        "played the violin.",
        "bought a new bicycle.",
        "repaired wooden boats.",
        "read about astronomy.",
        "fed the neighbour's cat.",
        "drank jasmine tea.",
        "wrote letters to the queen.",
        "missed the last train.",
        "learned to swim.",
        "painted the kitchen yellow.",
        "sang in the choir.",
        "collected rare stamps.",
        "worked at the bank.",
    ],
];
const CHINESE: [&[&str]; 3] = [
    &[
        "我",
        "哥哥",
        "船长",
        "我们的老师",
        "小雪",
        "老园丁",
        "她",
        "他妹妹",
        "面包师的儿子",
        "谁也没有",
        "一个陌生人",
        "全体船员",
        "爷爷",
        "医生",
        "莱姆",
        "我们",
    ],
    &[
        "从来不",
        "总是",
        "经常",
        "去年冬天",
        "每个周日",
        "暴风雨过后",
        "早饭前",
        "晚上",
        "在码头",
        "小心翼翼地",
        "多年来",
        "在成都",
        "偷偷",
        "考试期间",
        "一言不发地",
        "小时候",
    ],
    &[
        "吃四川火锅。",
        "害怕打雷。",
        "在灯塔附近丢了银戒指。",
        "拉小提琴。",
        "买了新自行车。",
        "修理木船。",
        "读天文学的书。",
        "喂邻居的猫。",
        "喝茉莉花茶。",
        "给女王写信。",
        "错过末班车。",
        "学游泳。",
        "把厨房刷成黄色。",
        "在合唱团唱歌。",
        "收集珍贵邮票。",
        "在银行上班。",
    ],
];
const ROUNDS: usize = 9;

/// Sentences a second, in the middle one of some rounds: half of them were faster.
pub(crate) fn run(sources: &Sources) -> Result<String> {
    let begun = Instant::now();
    let embedder = OfflineEmbedder::new();
    let first = embedder.vectors(&["火锅"]).first().map_or(0, Vec::len);
    let start = begun.elapsed();
    let known: HashMap<String, u32> = sources.pieces.iter().cloned().zip(0..).collect();
    let (in_english, in_chinese) = (sentences(ENGLISH, " "), sentences(CHINESE, ""));
    let english_texts: Vec<&str> = in_english.iter().map(String::as_str).collect();
    let chinese_texts: Vec<&str> = in_chinese.iter().map(String::as_str).collect();
    let step = in_english.len() / 32;
    let read: Vec<Vec<u32>> = in_english.iter().step_by(step).map(|text| tokens(&known, text)).collect();
    let (mut english, mut chinese, mut transformer) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        english.push(each(in_english.len(), || embedder.vectors(&english_texts).len()));
        chinese.push(each(in_chinese.len(), || embedder.vectors(&chinese_texts).len()));
        transformer.push(each(read.len(), || sources.transformer.means(&read).rows));
    }
    let (english, chinese, transformer) = (middle(english), middle(chinese), middle(transformer));
    let per_second = |time: Duration| 1.0 / time.as_secs_f64();
    Ok(format!(
        "from nothing to the first vector ({first} dimensions): {:.3} ms\n\
         {} English sentences: {:.0}/s, {:.0} times the transformer ({:.0}/s)\n{} Chinese sentences: {:.0}/s\n",
        start.as_secs_f64() * 1e3,
        in_english.len(),
        per_second(english),
        transformer.as_secs_f64() / english.as_secs_f64(),
        per_second(transformer),
        in_chinese.len(),
        per_second(chinese),
    ))
}

/// Every way to put a sentence together.
fn sentences(parts: [&[&str]; 3], between: &str) -> Vec<String> {
    let [who, when, what] = parts;
    let all = who.iter().flat_map(|who| when.iter().map(move |when| (who, when)));
    all.flat_map(|(who, when)| what.iter().map(move |what| [*who, *when, *what].join(between))).collect()
}

/// The time of one, of so many.
fn each(count: usize, run: impl FnOnce() -> usize) -> Duration {
    let begun = Instant::now();
    std::hint::black_box(run());
    begun.elapsed() / count.max(1) as u32
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
