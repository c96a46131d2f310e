//! Do ids of prompts and settings of worlds leave the engine standing, whatever they are? A short run of the fuzz targets.

use proptest::prelude::*;
use reverie_core::fuzz;
use reverie_testkit::strategies::{edits, mutated};

const SEEDS: &[&str] = &[
    "1:w1:c1:70:14:s,1,2,0;1:a1:b\ns,1,2,0;1:a1:bc,3,9,1;1:a1:c",
    "6:港口1:c0:14:s,1,2,0;1:a1:b14:c,3,9,0;1:a1:b\ns,1,2,0;1:a1:b",
    "rc1-00000000000000003131",
    "calendar.kind=rimworld\ncalendar.hemisphere=south\ncalendar.longitude=-179\n\n[时间: 5503年春第3天, 8时] 早",
    "calendar.kind=gregorian\ncalendar.time_zone=Asia/Shanghai\ncalendar.epoch=1889-03-01T06:00\ncalendar.ticks_per_second=1/60\n\n[Time: 2026-01-31 8:15] hello",
    "calendar.kind=custom\ncalendar.units.0.name=hour\ncalendar.units.0.size=2500\ncalendar.units.1.name=day\ncalendar.units.1.size=24\ncalendar.units.1.first=1\ncalendar.format.zh=[第{day}天{hour:02}时]\n\n［第３天０８时］早",
    "budget=4000\nlore.depth=9\nlore.budget_percent=1e9\ntokens=o200k\nnarrator=旁白",
];

fn all(bytes: &[u8]) {
    fuzz::recall_id(bytes);
    fuzz::settings(bytes);
}

#[test]
fn the_seeds_pass() {
    SEEDS.iter().for_each(|seed| all(seed.as_bytes()));
}

/// The settings that there are, each with something that may be a value of it.
fn settings() -> impl Strategy<Value = String> {
    let names = reverie_core::time::KEYS.iter().map(|(name, ..)| format!("calendar.{name}"));
    let of_recall = reverie_core::settings::recall::KEYS.iter();
    let of_recall = of_recall.flat_map(|(name, ..)| [(*name).to_owned(), format!("{name}@钦灵")]);
    // Without a kind nothing else counts.
    let names: Vec<String> = names
        .chain(of_recall)
        .chain(["calendar.kind".to_owned(), "calendar.kind".to_owned()])
        .flat_map(|name| [name.replace(".N.", ".0."), name.replace(".N.", ".1.")])
        .collect();
    let value = prop::sample::select(
        &[
            "rimworld",
            "gregorian",
            "custom",
            "0",
            "1",
            "-1",
            "60",
            "9223372036854775807",
            "Asia/Shanghai",
            "UTC",
            "zh",
            "en",
            "[{year}-{month}-{day} {hour:02}:{minute}]",
            "[{",
            "}]",
            "[第{day}天]",
            "1889-03-01T06:00",
            "-9999-01-01T00:00",
            "1/60",
            "day",
            "hour",
            "north",
            "game",
            "180",
            "0.5",
            "true",
            "{{#each memories}}{{#if time}}{{time}}{{else}}{{/if}}{{text}}{{/each}}",
            "{{#each memories}}{{/if}}{{",
            "",
        ][..],
    );
    let pair = (prop::sample::select(names), value).prop_map(|(name, value)| format!("{name}={value}"));
    (prop::collection::vec(pair, 0..8), ".{0,20}")
        .prop_map(|(pairs, said)| format!("{}\n\n{said}", pairs.join("\n")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn mutated_seeds_pass(which in 0..SEEDS.len(), edits in edits()) {
        all(&mutated(SEEDS[which].as_bytes(), edits));
    }

    #[test]
    fn any_settings_pass(text in settings()) {
        all(text.as_bytes());
    }
}
