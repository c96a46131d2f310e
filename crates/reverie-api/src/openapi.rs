//! What can be asked, in OpenAPI 3.1, written from the same table that answers.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::request::JSON;
use crate::routes::{Created, ROUTES, Route};

pub(crate) fn document() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.definitions_path = "/components/schemas".into();
    let mut generator = settings.into_generator();
    let mut paths: Map<String, Value> = Map::new();
    for route in ROUTES {
        let entry = paths.entry(route.path).or_insert_with(|| json!({}));
        if let Value::Object(methods) = entry {
            methods.insert(route.method.to_lowercase(), operation(route, &mut generator));
        }
    }
    let mut schemas = generator.take_definitions(true);
    schemas.insert("Error".to_owned(), error_schema());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Reverie",
            "version": "1",
            "summary": "Memory for AI characters",
            "description": "Ids are text with any character, percent-encoded in paths. Ticks lie within ±2^53. Times are RFC 3339, UTC. \
                Lists are paged: hand `next` back as `cursor`. Version 1 only grows.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": "A token that begins rv_"},
            },
        },
        "security": [{}, {"token": []}],
    })
}

fn operation(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let mut parameters: Vec<Value> = route
        .path
        .split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}))
        .collect();
    for (name, description) in route.query {
        let schema = match *name {
            "participants" | "also" => json!({"type": "array", "items": {"type": "string"}}),
            "limit" => json!({"type": "integer", "minimum": 1}),
            "tree" | "newest" => json!({"type": "boolean"}),
            _ => json!({"type": "string"}),
        };
        parameters.push(json!({"name": name, "in": "query", "description": description, "schema": schema}));
    }
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "tags": [tag(route.path)],
        "parameters": parameters,
        "responses": responses(route, generator),
    });
    let body = match (route.body, route.operation) {
        (Some(schema), _) => {
            let mut content = Map::from_iter([("schema".to_owned(), json!(schema(generator)))]);
            let example = route.example.and_then(|text| serde_json::from_str::<Value>(text).ok());
            content.extend(example.map(|example| ("example".to_owned(), example)));
            Some(json!({"content": {JSON: content}}))
        }
        (None, "importWorld") => {
            Some(json!({"required": true, "content": {"text/plain": {"schema": {"type": "string"}}}}))
        }
        (None, _) => None,
    };
    if let (Some(body), Value::Object(fields)) = (body, &mut operation) {
        fields.insert("requestBody".to_owned(), body);
    }
    operation
}

/// The noun that an operation is about: the last one in its path that is not an id.
fn tag(path: &str) -> &str {
    let mut nouns =
        path.split('/').filter(|part| !part.starts_with('{') && !part.is_empty() && *part != "v1");
    match nouns.next_back() {
        Some("present" | "head") => "conversations",
        Some("restore") => "checkpoints",
        Some("fork" | "export" | "import") => "worlds",
        Some("history" | "recall" | "perspective") => "prompts",
        Some(noun) => noun,
        None => "worlds",
    }
}

fn responses(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let error = json!({"description": "what went wrong and what to do",
        "content": {JSON: {"schema": {"$ref": "#/components/schemas/Error"}}}});
    let (status, success) = match (route.answer, route.method) {
        (Some(schema), _) => {
            ("200", json!({"description": "done", "content": {JSON: {"schema": schema(generator)}}}))
        }
        (None, "DELETE") => ("204", json!({"description": "gone"})),
        (None, _) => (
            "200",
            json!({"description": "the export", "content": {
                "application/x-ndjson": {"schema": {"type": "string"}},
                "text/plain": {"schema": {"type": "string"}},
            }}),
        ),
    };
    let answers = match route.created {
        Created::Never => vec![(status, success)],
        Created::Sometimes => vec![(status, success.clone()), ("201", success)],
        Created::Always => vec![("201", success)],
    };
    let all = std::iter::once(("default", error)).chain(answers);
    Value::Object(all.map(|(status, response)| (status.to_owned(), response)).collect())
}

fn error_schema() -> Value {
    json!({
        "type": "object",
        "required": ["error"],
        "properties": {"error": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": {"enum": ["invalid", "not_found", "conflict", "unavailable", "corrupt", "denied", "internal"]},
                "message": {"type": "string"},
                "hint": {"type": ["string", "null"], "description": "what to do about it"},
            },
        }},
    })
}
