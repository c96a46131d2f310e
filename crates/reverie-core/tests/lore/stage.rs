//! How is a case played, and does the engine answer as it should?
//!
//! Answers that are compared: where everything stands (`before: …`, always and in full), `not name: why`, `why name: why`,
//! `at name: 7` (the character at which its key begins), `text name: content`, `one name: content / content`, `active: …` (all, in the order of activation), `over budget`, `problem: …`.

use std::collections::HashMap;

use reverie_core::lore::{Activation, Draw, Meter, Request, Shelf, Texts, Timers, place, scan};

use crate::script::{Case, Turn};
use crate::show;

/// A character is a token, so that budgets can be counted by eye.
const METER: Meter = Meter { length: |text| text.chars().count(), per_token: 1 };

pub(crate) fn play(case: &Case) -> Result<(), String> {
    let mut timers = Timers::default();
    for turn in &case.turns {
        let shelf = Shelf::new(&case.books, turn.rules.spelling)?;
        let told = ask(&shelf, turn, timers.clone(), Ask::Why);
        let untold = ask(&shelf, turn, timers.clone(), Ask::Only);
        let wrong = match (told, untold) {
            (Ok(told), Ok(untold)) if told.active != untold.active || told.timers != untold.timers => {
                Err(format!("told why: {:?}\nnot told: {:?}", told.active, untold.active))
            }
            (Ok(told), Ok(_)) => {
                let problems = shelf.problems().iter().chain(&told.problems);
                let problems: Vec<String> = problems.map(|problem| problem.message.clone()).collect();
                let wrong = compare(turn, &told, &problems);
                if !turn.is_dry {
                    timers = told.timers;
                }
                wrong
            }
            (Err(wrong), _) | (_, Err(wrong)) => Err(wrong),
        };
        wrong.map_err(|wrong| {
            let Case { language, title, line, .. } = case;
            format!("{title} (line {line} in {language}, answer in line {})\n{wrong}", turn.line)
        })?;
    }
    if case.turns.is_empty() {
        return Err(format!("{} (line {}) expects nothing", case.title, case.line));
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum Ask {
    Why,
    Only,
}

fn ask(shelf: &Shelf, turn: &Turn, timers: Timers, ask: Ask) -> Result<Activation, String> {
    let chat: Vec<(&str, &str)> =
        turn.chat.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let scene = &turn.scene;
    let text = |wanted: &str| {
        scene.texts.iter().find(|(name, _)| name == wanted).map_or("", |(_, text)| text.as_str())
    };
    let request = Request {
        seed: 0,
        messages: &chat,
        message_count: scene.message_count,
        texts: Texts {
            persona: text("persona"),
            character: text("character"),
            personality: text("personality"),
            depth_prompt: text("depth prompt"),
            scenario: text("scenario"),
            creator_notes: text("creator notes"),
        },
        names: scene.names.clone(),
        character: scene.character.iter().map(String::as_str).collect(),
        tags: scene.tags.as_ref().map(|tags| tags.iter().map(String::as_str).collect()),
        voices: Vec::new(),
        private: HashMap::new(),
        generation: &scene.generation,
        facts: &scene.facts,
        topics: &scene.topics,
        mood: &scene.mood,
        tick: scene.tick,
        ticks_per_day: scene.ticks_per_day,
        similar: &scene.similar,
        most_similar: None,
        meaning: None,
        max_context: scene.max_context,
        explain: ask == Ask::Why,
    };
    let mut draws = turn.draws.iter();
    let mut drawn = 0;
    let activation = scan(shelf, &turn.rules, &request, timers, METER, &mut |draw| {
        let given = draws.next().copied();
        // What macros draw by themselves is not written down, so that only those cases give draws that are about them.
        drawn += usize::from(given.is_some() || draw == Draw::Roll);
        match draw {
            Draw::Macro(own) => given.unwrap_or(own),
            Draw::Roll => given.unwrap_or(0.5),
        }
    });
    match drawn == turn.draws.len() {
        true => Ok(activation),
        false => Err(format!("  {} draws were given and {drawn} made", turn.draws.len())),
    }
}

fn compare(turn: &Turn, found: &Activation, problems: &[String]) -> Result<(), String> {
    let places: Vec<String> = place(&found.active).iter().map(show::slot).collect();
    let mut expected_places = Vec::new();
    let mut wrong = Vec::new();
    for expected in &turn.expected {
        let (head, rest) = expected.split_once(": ").unwrap_or((expected, ""));
        let (question, name) = head.split_once(' ').unwrap_or((head, ""));
        let of_entry = || found.verdicts.iter().find(|verdict| *verdict.entry == *name);
        let verdict = || of_entry().map_or_else(|| "no verdict".to_owned(), show::verdict);
        let is_active = || found.active.iter().find(|active| *active.entry == *name);
        let answer = match question {
            // Says it for the reader: whatever stands somewhere must be listed anyway.
            "nothing" => continue,
            "not" if is_active().is_some() => format!("active: {}", verdict()),
            "why" if is_active().is_none() => format!("not active: {}", verdict()),
            "not" | "why" => verdict(),
            "at" => of_entry().map_or_else(String::new, |verdict| show::at(&verdict.outcome)),
            "text" => is_active().map_or_else(|| "not active".to_owned(), |active| active.content.clone()),
            // For macros that choose: what it says is one of these.
            "one" => match is_active() {
                Some(active) if rest.split(" / ").any(|choice| choice == active.content) => rest.to_owned(),
                Some(active) => active.content.clone(),
                None => "not active".to_owned(),
            },
            "active" => show::ids(found.active.iter()),
            "over" => if found.is_over_budget { "" } else { "no" }.to_owned(),
            "problem" => match problems.iter().any(|problem| problem.contains(rest)) {
                true => rest.to_owned(),
                false => problems.join("; "),
            },
            _ => {
                expected_places.push(expected.clone());
                continue;
            }
        };
        if answer != rest {
            wrong.push(format!("  expected {expected}\n       got {answer}"));
        }
    }
    if expected_places != places {
        wrong.push(format!("  expected {}\n       got {}", expected_places.join("; "), places.join("; ")));
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n")),
    }
}
