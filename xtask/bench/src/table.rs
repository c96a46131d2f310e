//! How are the figures shown?

use std::time::Duration;

use serde_json::{Value, json};

use crate::measure::Time;

pub(crate) struct Row {
    pub(crate) case: String,
    pub(crate) time: Time,
    /// What it is measured against, with the ratio that counts.
    pub(crate) against: Option<Against>,
    /// Lines a second and the like.
    pub(crate) note: String,
}

pub(crate) struct Against {
    pub(crate) name: &'static str,
    pub(crate) time: Time,
    pub(crate) ratio: f64,
    pub(crate) target: Target,
}

#[derive(Clone, Copy)]
pub(crate) enum Target {
    AtMost(f64),
    AtLeast(f64),
    /// For comparison only.
    None,
}

impl Target {
    fn verdict(self, ratio: f64) -> String {
        match self {
            Self::AtMost(most) => format!("≤ {most} {}", if ratio <= most { "ok" } else { "MISSED" }),
            Self::AtLeast(least) => format!("≥ {least} {}", if ratio >= least { "ok" } else { "MISSED" }),
            Self::None => String::new(),
        }
    }
}

pub(crate) fn text(bench: &str, rows: &[Row]) -> String {
    let head = ["case", "median", "p99", "against", "median", "ratio", "target", ""].map(str::to_owned);
    let mut cells = vec![head];
    for row in rows {
        let (name, other, ratio, verdict) = match &row.against {
            Some(against) => (
                against.name.to_owned(),
                shown(against.time.median),
                format!("{:.2}", against.ratio),
                against.target.verdict(against.ratio),
            ),
            None => Default::default(),
        };
        let (median, p99) = (shown(row.time.median), shown(row.time.p99));
        cells.push([row.case.clone(), median, p99, name, other, ratio, verdict, row.note.clone()]);
    }
    let mut widths = [0; 8];
    for line in &cells {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = format!("\n{bench}\n");
    for line in &cells {
        let padded: Vec<String> =
            line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        text.push_str(&format!("  {}\n", padded.join("  ").trim_end()));
    }
    text
}

pub(crate) fn json(all: &[(&str, Vec<Row>)]) -> Value {
    let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    let time = |time: Time| json!({"median_ns": nanoseconds(time.median), "p99_ns": nanoseconds(time.p99)});
    let rows = all.iter().flat_map(|(bench, rows)| rows.iter().map(move |row| (bench, row)));
    let rows = rows.map(|(bench, row)| {
        let against = row.against.as_ref().map(|against| {
            let target = match against.target {
                Target::AtMost(most) => json!({"at_most": most}),
                Target::AtLeast(least) => json!({"at_least": least}),
                Target::None => Value::Null,
            };
            json!({"name": against.name, "time": time(against.time), "ratio": against.ratio, "target": target})
        });
        json!({"bench": bench, "case": row.case, "time": time(row.time), "against": against, "note": row.note})
    });
    rows.collect()
}

fn shown(time: Duration) -> String {
    let nanoseconds = time.as_nanos() as f64;
    match nanoseconds {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.1} µs", n / 1e3),
        n if n < 1e9 => format!("{:.2} ms", n / 1e6),
        n => format!("{:.2} s", n / 1e9),
    }
}
