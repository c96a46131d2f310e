//! How does a talk between client and server read as a test?
//!
//! ```text
//! PUT /v1/worlds/w {}
//!   201 {"id":"w","preset":"companion"}      what the answer must hold: other fields are free, arrays are whole
//! GET /v1/worlds/nowhere
//!   404 not_found ~ there is no world        an error's code, and words of its message or hint
//! DELETE /v1/worlds/w
//!   204
//! ```
//!
//! A request may go on behind line ends: a line that begins with neither a method nor a status continues the one before.

use serde_json::Value;

use crate::host::Host;

/// Runs a script on a host with a world `w`.
#[track_caller]
pub(crate) fn talk(script: &str) {
    talk_to(&Host::with_world("{}"), script);
}

#[track_caller]
pub(crate) fn talk_to(host: &Host, script: &str) {
    for (request, expected) in exchanges(script) {
        let (method, rest) = request.split_once(' ').unwrap_or((&request, ""));
        let (target, body) = rest.split_once(' ').unwrap_or((rest, ""));
        let (status, answer) = host.send(method, target, body);
        if let Err(problem) = check(&expected, status, &answer) {
            panic!("{problem}\nasked    {request}\nexpected {expected}\ngot      {status} {answer}");
        }
    }
}

fn exchanges(script: &str) -> Vec<(String, String)> {
    let mut exchanges: Vec<(String, String)> = Vec::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(&format!("{word} ")));
        let is_status = line.get(..3).is_some_and(|digits| digits.parse::<u16>().is_ok());
        match exchanges.last_mut() {
            _ if begins(&["GET", "PUT", "POST", "PATCH", "DELETE"]) => {
                exchanges.push((line.to_owned(), String::new()));
            }
            Some((_, expected)) if is_status || !expected.is_empty() => expected.push_str(line),
            Some((request, _)) => request.push_str(line),
            None => panic!("a script begins with a request: {line}"),
        }
    }
    exchanges
}

fn check(expected: &str, status: u16, answer: &Value) -> Result<(), String> {
    let (code, rest) = expected.split_once(' ').unwrap_or((expected, ""));
    if code != status.to_string() {
        return Err(format!("the status is {status}"));
    }
    if rest.is_empty() {
        return Ok(());
    }
    if rest.starts_with(['{', '[', '"']) {
        let wanted: Value = serde_json::from_str(rest).map_err(|error| format!("the script: {error}"))?;
        return holds(answer, &wanted, "");
    }
    let (code, words) = rest.split_once(" ~ ").unwrap_or((rest, ""));
    let error = &answer["error"];
    let said =
        format!("{} {}", error["message"].as_str().unwrap_or(""), error["hint"].as_str().unwrap_or(""));
    if error["code"] != code {
        return Err(format!("the code is {}", error["code"]));
    }
    if said.contains(words) { Ok(()) } else { Err(format!("it says nothing of {words:?}")) }
}

/// Every field that is wanted is there; a wanted null may be absent.
pub(crate) fn holds(answer: &Value, wanted: &Value, path: &str) -> Result<(), String> {
    match (answer, wanted) {
        (Value::Object(_), Value::Object(fields)) => fields
            .iter()
            .try_for_each(|(name, wanted)| holds(&answer[name], wanted, &format!("{path}.{name}"))),
        (Value::Array(items), Value::Array(all)) if items.len() == all.len() => (items.iter().zip(all))
            .enumerate()
            .try_for_each(|(index, (item, wanted))| holds(item, wanted, &format!("{path}[{index}]"))),
        _ if answer == wanted => Ok(()),
        _ => Err(format!("{path} is {answer}, not {wanted}")),
    }
}

#[test]
#[should_panic(expected = ".id is \"w\", not \"v\"")]
fn a_script_notices_another_answer() {
    talk("GET /v1/worlds/w\n 200 {\"id\":\"v\"}");
}

#[test]
#[should_panic(expected = "the status is 404")]
fn a_script_notices_another_status() {
    talk("GET /v1/worlds/v\n 200");
}

#[test]
#[should_panic(expected = "it says nothing of \"a cat\"")]
fn a_script_notices_other_words() {
    talk("GET /v1/worlds/v\n 404 not_found ~ a cat");
}
