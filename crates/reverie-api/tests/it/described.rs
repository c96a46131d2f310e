//! Is every answer that a test sees what /openapi.json says of its operation?
//!
//! A small checker of the JSON Schema that we write ourselves: a keyword that it does not know fails the test, and so
//! does a field that is not described. No answer holds a null: a field without a value is absent.

use std::sync::OnceLock;

use reverie_api::{Api, Response};
use serde_json::{Map, Value};

pub(crate) fn document() -> &'static Value {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    DOCUMENT.get_or_init(|| serde_json::from_str(&Api::openapi()).expect("JSON"))
}

/// What is wrong with an answer, if anything.
pub(crate) fn problem(method: &str, response: &Response) -> Option<String> {
    let operation = operation(method, response.operation);
    let status = response.status.to_string();
    let declared = match operation {
        Some(operation) => {
            let key = if response.status < 400 { status.as_str() } else { "default" };
            match operation["responses"].get(key) {
                Some(declared) => declared,
                None => return Some(format!("{} does not declare {status}", response.operation)),
            }
        }
        // No operation at all: then it is an error.
        None if response.status >= 400 => &document()["paths"]["/v1/worlds"]["get"]["responses"]["default"],
        None => return Some(format!("there is no operation {:?}", response.operation)),
    };
    if response.status == 204 {
        return (!response.body.is_empty()).then(|| "a 204 has no body".to_owned());
    }
    let kind = response.content_type.split(';').next().unwrap_or_default();
    let Some(media) = declared["content"].get(kind) else {
        return Some(format!("{} does not declare {kind}", response.operation));
    };
    if kind != "application/json" {
        return None;
    }
    let body: Value = match serde_json::from_slice(&response.body) {
        Ok(body) => body,
        Err(error) => return Some(format!("not JSON: {error}")),
    };
    // What authors wrote is given back as it is.
    if ["exportBook", "exportGroup", "getCardFile"].contains(&response.operation) && response.status < 400 {
        return None;
    }
    check(&media["schema"], &body).and_then(|()| no_nulls(&body, "")).and_then(|()| no_commands(&body)).err()
}

/// Whoever sends requests types no commands.
fn no_commands(body: &Value) -> Result<(), String> {
    match body["error"]["hint"].as_str().filter(|hint| hint.contains("--") || hint.contains("`reverie ")) {
        Some(hint) => Err(format!("the hint is for the command line: {hint}")),
        None => Ok(()),
    }
}

fn operation(method: &str, id: &str) -> Option<&'static Value> {
    let paths = document()["paths"].as_object()?;
    let of_path = |item: &'static Value| item.get(method.to_lowercase());
    paths.values().filter_map(of_path).find(|operation| operation["operationId"] == id)
}

/// Whether a value is what a schema of the document says.
pub(crate) fn check(schema: &Value, value: &Value) -> Result<(), String> {
    check_at(document(), schema, value, "")
}

fn check_at(document: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let Value::Object(keywords) = schema else {
        return if *schema == Value::Bool(true) { Ok(()) } else { Err(format!("{at}: nothing may be here")) };
    };
    let again = |schema: &Value| check_at(document, schema, value, at);
    for (keyword, said) in keywords {
        match (keyword.as_str(), said) {
            ("$ref", Value::String(reference)) => {
                let pointer = reference.trim_start_matches('#');
                again(document.pointer(pointer).ok_or_else(|| format!("nothing at {reference}"))?)?;
            }
            ("type", said) => check_type(said, value, at)?,
            ("enum", Value::Array(words)) if words.contains(value) => {}
            ("const", said) if said == value => {}
            ("anyOf" | "oneOf", Value::Array(branches)) => {
                let failed: Vec<String> = branches.iter().map_while(|branch| again(branch).err()).collect();
                if failed.len() == branches.len() {
                    return Err(format!("{at}: none of these: {}", failed.join("; ")));
                }
            }
            ("allOf", Value::Array(all)) => all.iter().try_for_each(again)?,
            ("properties" | "patternProperties" | "required" | "additionalProperties", _) => {}
            ("items", said) => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check_at(document, said, item, &format!("{at}[{index}]"))?;
                }
            }
            ("minimum", said) if value.as_f64() >= said.as_f64() || !value.is_number() => {}
            ("maximum", said) if value.as_f64() <= said.as_f64() || !value.is_number() => {}
            ("format" | "description" | "title" | "default", _) => {}
            (keyword, said) => return Err(format!("{at}: {value} is not {keyword} {said}")),
        }
    }
    match value {
        Value::Object(fields) => check_fields(document, keywords, fields, at),
        _ => Ok(()),
    }
}

fn check_type(said: &Value, value: &Value, at: &str) -> Result<(), String> {
    let fits = |name: &str| match name {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("nobody knows the type {other:?}"),
    };
    let names = said.as_array().map_or_else(|| vec![said], |all| all.iter().collect());
    if names.into_iter().filter_map(Value::as_str).any(fits) {
        return Ok(());
    }
    Err(format!("{at}: {value} is not of type {said}"))
}

fn check_fields(
    document: &Value,
    schema: &Map<String, Value>,
    fields: &Map<String, Value>,
    at: &str,
) -> Result<(), String> {
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        if !name.as_str().is_some_and(|name| fields.contains_key(name)) {
            return Err(format!("{at}: {name} is missing"));
        }
    }
    let is_object = schema.get("type").is_some_and(|said| said == "object");
    for (name, value) in fields.iter().filter(|_| is_object) {
        let place = format!("{at}.{name}");
        let described = schema.get("properties").and_then(|properties| properties.get(name));
        // The only pattern that we write is one character, which means itself.
        let patterns = schema.get("patternProperties").and_then(Value::as_object);
        let alike =
            patterns.into_iter().flatten().find(|(part, _)| name.contains(*part)).map(|(_, said)| said);
        match described.or(alike).or(schema.get("additionalProperties")) {
            Some(schema) => check_at(document, schema, value, &place)?,
            None => return Err(format!("{place} is not described")),
        }
    }
    Ok(())
}

fn no_nulls(value: &Value, at: &str) -> Result<(), String> {
    match value {
        Value::Null => Err(format!("{at} is null, not absent")),
        Value::Object(fields) => {
            // What a book holds beyond the fields that are known is its author's, nulls and all.
            let ours = fields.iter().filter(|(name, _)| !["extra", "extensions"].contains(&name.as_str()));
            ours.into_iter().try_for_each(|(name, value)| no_nulls(value, &format!("{at}.{name}")))
        }
        Value::Array(items) => items.iter().try_for_each(|item| no_nulls(item, &format!("{at}[]"))),
        _ => Ok(()),
    }
}

/// The checker itself can fail: each of these is wrong in one place.
#[test]
fn a_wrong_answer_is_noticed() {
    let line = |fields: &str| {
        format!(
            r#"{{"items":[{{"id":"1","seq":1,"conversation":"c","attribute":"user","content":"x","witnesses":[],"hidden":false,"version":0{fields}}}]}}"#
        )
    };
    let answers = [
        (200, line(""), ""),
        (200, line(r#","tick":1.5"#), "items[0].tick: 1.5"),
        (200, line(r#","colour":"red""#), ".items[0].colour is not described"),
        (200, line(r#","parent":null"#), "parent is null, not absent"),
        (200, line("").replace("\"user\"", "\"User\""), "\"User\" is not enum"),
        (200, r#"{"items":[{"id":"1"}]}"#.to_owned(), "is missing"),
        (200, "[]".to_owned(), "is not of type"),
        (201, line(""), "does not declare 201"),
        (404, r#"{"error":{"code":"not_found","message":"x"}}"#.to_owned(), ""),
        (404, r#"{"error":{"code":"lost","message":"x"}}"#.to_owned(), "\"lost\" is not enum"),
        (404, r#"{"error":{"code":"not_found","message":"x","hint":null}}"#.to_owned(), "hint is null"),
        (
            404,
            r#"{"error":{"code":"not_found","message":"x","hint":"use --data DIR"}}"#.to_owned(),
            "for the command line",
        ),
    ];
    for (status, body, wanted) in answers {
        let response = Response {
            status,
            content_type: "application/json",
            body: body.clone().into_bytes(),
            stream: None,
            operation: "listLines",
            replaced: 0,
            allow: None,
        };
        let found = problem("GET", &response).unwrap_or_default();
        assert!(found.contains(wanted) && wanted.is_empty() == found.is_empty(), "{body}: {found}");
    }
}
