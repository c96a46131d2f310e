//! Does a search find what was recorded? Runs a file of cases through the stateless scan, as any front end would.
//!
//! One case a line: `{id, input: {entries, chat | turns, settings, maxContext, trigger, names?, character?, scan?},
//! expected?}`. Answers one `{"id":…,"output":{…}}` a line and a score on stderr. Tokens are counted as a quarter of the
//! UTF-16 length; random draws are those of `expected.draws`.

#![expect(clippy::print_stdout, reason = "the answers are the output")]
#![expect(clippy::indexing_slicing, reason = "an index of a JSON value gives null where there is nothing")]

use std::collections::BTreeMap;
use std::process::ExitCode;

use reverie_api::lore;
use reverie_core::Limits;
use serde_json::{Map, Value, json};

const POSITIONS: [(&str, &str); 6] = [
    ("before", "before_char"),
    ("after", "after_char"),
    ("anTop", "note_top"),
    ("anBottom", "note_bottom"),
    ("emTop", "examples_top"),
    ("emBottom", "examples_bottom"),
];

fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a file of cases, one JSON object a line")?;
    let text = std::fs::read_to_string(path)?;
    let mut score = Score::default();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))?;
        let output = run(&case).map_err(|error| format!("line {number}: {error}"))?;
        println!("{}", json!({"id": case["id"], "output": output}));
        score.count(&case, &output);
    }
    Ok(score.tell())
}

fn run(case: &Value) -> Result<Value, Box<dyn std::error::Error>> {
    let input = &case["input"];
    let expected = &case["expected"];
    let Some(turns) = input["turns"].as_array() else {
        return Ok(turn(input, &input["chat"], &expected["draws"], &Value::Null)?.0);
    };
    let mut state = Value::Null;
    let mut outputs = Vec::with_capacity(turns.len());
    for (index, given) in turns.iter().enumerate() {
        let (output, next) = turn(input, &given["chat"], &expected["turns"][index]["draws"], &state)?;
        state = next;
        outputs.push(output);
    }
    Ok(json!({"turns": outputs}))
}

/// What was found, and the state for the next turn.
fn turn(
    input: &Value,
    chat: &Value,
    draws: &Value,
    state: &Value,
) -> Result<(Value, Value), Box<dyn std::error::Error>> {
    let entries: Map<String, Value> = input["entries"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|entry| (entry["uid"].to_string(), entry.clone()))
        .collect();
    let mut body = json!({
        "books": [{"id": "book", "document": {"entries": entries}}],
        "messages": chat,
        "tokens": "utf16/4",
        "draws": if draws.is_array() { draws.clone() } else { json!([]) },
    });
    for (from, to) in [
        ("settings", "settings"),
        ("maxContext", "max_context"),
        ("seed", "seed"),
        ("trigger", "generation"),
        ("names", "names"),
        ("character", "character"),
        ("scan", "texts"),
    ] {
        if !input[from].is_null() {
            body[to] = input[from].clone();
        }
    }
    if !state.is_null() {
        body["state"] = state.clone();
    }
    let found = lore::run(serde_json::from_value(body)?, &Limits::default())?;
    let found = serde_json::to_value(found)?;
    Ok((output(&found), found["state"].clone()))
}

fn output(found: &Value) -> Value {
    let slots = found["slots"].as_array().map(Vec::as_slice).unwrap_or_default();
    let at = |position: &'static str| slots.iter().filter(move |slot| slot["position"] == position);
    let mut output = Map::new();
    for (name, position) in POSITIONS {
        output.insert(name.to_owned(), at(position).flat_map(uids).collect());
    }
    let depths = at("at_depth").map(|slot| {
        let role = ["system", "user", "assistant"].iter().position(|role| slot["role"] == *role);
        json!({"depth": slot["depth"], "role": role, "uids": uids(slot)})
    });
    output.insert("atDepth".to_owned(), depths.collect());
    let outlets: Map<String, Value> = at("outlet")
        .filter_map(|slot| Some((slot["outlet"].as_str()?.to_owned(), json!(uids(slot)))))
        .collect();
    if !outlets.is_empty() {
        output.insert("outlets".to_owned(), Value::Object(outlets));
    }
    let active = found["active"].as_array().into_iter().flatten().map(|active| uid(&active["entry"]));
    output.insert("activated".to_owned(), active.collect());
    if found["draws"].as_array().is_some_and(|draws| !draws.is_empty()) {
        output.insert("draws".to_owned(), found["draws"].clone());
    }
    Value::Object(output)
}

fn uids(slot: &Value) -> Vec<Value> {
    slot["entries"].as_array().into_iter().flatten().map(|name| uid(&name["entry"])).collect()
}

/// Ids are texts in Reverie and numbers in these files.
fn uid(id: &Value) -> Value {
    let number = id.as_str().and_then(|id| id.parse::<u64>().ok());
    number.map_or_else(|| id.clone(), |number| json!(number))
}

#[derive(Default)]
struct Score {
    /// By mark: how many agree, of how many.
    marks: BTreeMap<&'static str, (usize, usize)>,
    differing: Vec<String>,
}

impl Score {
    fn count(&mut self, case: &Value, output: &Value) {
        if !case["expected"].is_object() {
            return;
        }
        let is = |mark: &str| case[mark].as_bool().unwrap_or(false);
        let mark = if is("known_bug") {
            "known bugs"
        } else if is("quirk") {
            "quirks"
        } else {
            "cases"
        };
        let agrees = comparable(output) == comparable(&case["expected"]);
        let (right, all) = self.marks.entry(mark).or_default();
        *all += 1;
        *right += usize::from(agrees);
        if !agrees && mark == "cases" {
            self.differing.push(case["id"].to_string());
        }
    }

    fn tell(self) -> ExitCode {
        for (mark, (right, all)) in &self.marks {
            eprintln!("{right} of {all} {mark} as recorded");
        }
        if self.differing.is_empty() {
            return ExitCode::SUCCESS;
        }
        eprintln!("different: {}", self.differing.join(", "));
        ExitCode::FAILURE
    }
}

/// What is active is a set.
fn comparable(output: &Value) -> Value {
    let mut output = output.clone();
    if let Some(turns) = output["turns"].as_array() {
        return json!({"turns": turns.iter().map(comparable).collect::<Vec<_>>()});
    }
    if let Some(active) = output.get_mut("activated").and_then(Value::as_array_mut) {
        active.sort_by_key(Value::to_string);
    }
    output
}
