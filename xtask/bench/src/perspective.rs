//! What does a point of view cost, against copying the same text into one string?

use anyhow::Result;
use reverie_core::perspective::{Profile, Seen, Voice, perspective};

use crate::Workshop;
use crate::dialogue::{Dice, feeling, words};
use crate::measure::{Often, time_both};
use crate::table::{Against, Row, Target};

const LINES: usize = 10_000;
const OFTEN: Often = Often { warm_up: 20, samples: 300 };

/// What a dialogue looks like: who speaks (in tenths: own, user, the rest others), how long, how richly.
struct Shape {
    name: &'static str,
    own: usize,
    user: usize,
    clauses: usize,
    rich: bool,
}

const SHAPES: &[Shape] = &[
    Shape { name: "mixed", own: 3, user: 3, clauses: 3, rich: false },
    Shape { name: "mixed, with emotion, TTS and action", own: 3, user: 3, clauses: 3, rich: true },
    Shape { name: "short lines", own: 3, user: 3, clauses: 1, rich: false },
    Shape { name: "long lines", own: 3, user: 3, clauses: 30, rich: false },
    Shape { name: "others only: one scene", own: 0, user: 0, clauses: 3, rich: false },
    Shape { name: "own lines only", own: 10, user: 0, clauses: 3, rich: true },
    Shape { name: "the two of us", own: 5, user: 5, clauses: 3, rich: false },
];

struct Spoken {
    voice: Voice,
    name: String,
    content: String,
    emotion: Option<String>,
    tts: Option<String>,
    action: Option<String>,
}

pub(crate) fn run(_workshop: &Workshop) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for shape in SHAPES {
        let dialogue = dialogue(shape);
        let profile = Profile::example();
        let seen = || {
            dialogue.iter().map(|line| Seen {
                voice: line.voice,
                name: Some(&line.name),
                content: &line.content,
                emotion: line.emotion.as_deref(),
                tts: line.tts.as_deref(),
                action: line.action.as_deref(),
            })
        };
        let written = perspective(seen(), &profile);
        let bytes: usize = written.iter().map(|message| message.content.len()).sum();
        let (view, copy) =
            time_both(OFTEN, || Ok(perspective(seen(), &profile)), || Ok(copied(&dialogue, bytes)))?;
        rows.push(Row {
            case: shape.name.to_owned(),
            time: view,
            against: Some(Against {
                name: "copying",
                time: copy,
                ratio: view.over(copy),
                target: Target::AtMost(3.0),
            }),
            note: format!("{} messages, {} KiB", written.len(), bytes / 1024),
        });
    }
    Ok(rows)
}

fn dialogue(shape: &Shape) -> Vec<Spoken> {
    let mut dice = Dice::new(7);
    (0..LINES)
        .map(|_| {
            let voice = match dice.below(10) {
                n if n < shape.own => Voice::Own,
                n if n < shape.own + shape.user => Voice::User,
                _ => Voice::Other,
            };
            let own = shape.rich && voice == Voice::Own;
            Spoken {
                voice,
                name: ["钦灵", "莱姆", "Zorg", "旁白"]
                    .get(dice.below(4))
                    .copied()
                    .unwrap_or_default()
                    .to_owned(),
                content: words(&mut dice, shape.clauses),
                emotion: if shape.rich { feeling(&mut dice) } else { None },
                tts: own.then(|| words(&mut dice, 1)),
                action: shape.rich.then(|| words(&mut dice, 1)),
            }
        })
        .collect()
}

/// The same text, one piece after the other, into one string that is large enough from the start. What the view leaves
/// out (names of those it does not name, emotions that it does not tell) is not copied either.
fn copied(dialogue: &[Spoken], bytes: usize) -> String {
    let mut text = String::with_capacity(bytes);
    for line in dialogue {
        if line.voice == Voice::Other {
            text.push_str(&line.name);
        }
        if line.voice == Voice::Own {
            text.push_str(line.emotion.as_deref().unwrap_or_default());
        }
        text.push_str(&line.content);
        text.push_str(line.tts.as_deref().unwrap_or_default());
        text.push_str(line.action.as_deref().unwrap_or_default());
    }
    text
}
