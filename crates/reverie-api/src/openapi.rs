//! What can be asked, in OpenAPI 3.1, written from the same table that answers.

use std::sync::LazyLock;

use reverie_core::MOST_STRETCHES;
use reverie_core::map::MapQuery;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::chinese;
use crate::documents::BookForm;
use crate::request::JSON;
use crate::routes::{Created, MOST_DATES, ROUTES, Route};
use crate::wire::{ErrorView, ExportFormat, HealthView};

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
    for (path, operation) in of_the_server(&mut generator) {
        paths.insert(path.to_owned(), json!({"get": operation}));
    }
    let schemas = generator.take_definitions(true);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Reverie",
            "version": "1",
            "summary": "Memory for AI characters",
            "description": "Ids are text with any character, percent-encoded in paths. Ticks lie within ±2^53. Times are RFC 3339, UTC. \
                Lists are paged: hand `next` back as `cursor`. A field without a value is absent from an answer, never null. \
                Version 1 only grows: new fields and new words may come.",
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
            "participants" | "also" | "kind" | "layer" | "about" | "emotion" => {
                json!({"type": "array", "items": {"type": "string"}})
            }
            "limit" => json!({"type": "integer", "minimum": 1}),
            "buckets" => json!({"type": "integer", "minimum": 1, "maximum": MOST_STRETCHES}),
            "points" => json!({"type": "integer", "minimum": 1, "maximum": MapQuery::MOST_POINTS}),
            "from_tick" | "to_tick" => json!({"type": "integer"}),
            "tick" => json!({"type": "array", "items": {"type": "integer"}, "maxItems": MOST_DATES}),
            "from" | "to" => json!({"type": "string", "format": "date-time"}),
            "tree" | "newest" | "all" | "pinned" | "dormant" | "forgotten" => json!({"type": "boolean"}),
            "format" if route.operation == "exportBook" => {
                json!({"type": "string", "enum": BookForm::names()})
            }
            "format" => json!(generator.subschema_for::<ExportFormat>()),
            _ => json!({"type": "string"}),
        };
        parameters.push(json!({"name": name, "in": "query", "description": description, "schema": schema}));
    }
    let mut operation = json!({
        "operationId": route.operation,
        "summary": route.summary,
        "x-summary-zh": chinese::summary(route.operation),
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
        (None, "putCard") => {
            let file = json!({"schema": {"type": "string", "format": "binary"}});
            Some(
                json!({"required": true, "content": {"image/png": file, "application/octet-stream": file, JSON: {"schema": {"type": "object", "additionalProperties": true}, "example": EXAMPLE_CARD.clone()}}}),
            )
        }
        (None, "importChat") => {
            let file = json!({"schema": {"type": "string", "format": "binary"}});
            let text = json!({"schema": {"type": "string"}, "example": EXAMPLE_CHAT});
            Some(
                json!({"required": true, "content": {"application/x-ndjson": text, "application/octet-stream": file}}),
            )
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
    if path.contains("/memories") || path.contains("/characters/{character}/stats") {
        return "memories";
    }
    if path.contains("/connections") {
        return "server";
    }
    let mut nouns =
        path.split('/').filter(|part| !part.starts_with('{') && !part.is_empty() && *part != "v1");
    match nouns.next_back() {
        Some("present" | "head" | "chat" | "chats" | "groups") => "conversations",
        Some("restore") => "checkpoints",
        Some("complete" | "abort") => "rounds",
        Some("events" | "digest" | "rebuild" | "timeline" | "map") => "memories",
        Some("retry" | "answer" | "questions" | "test") => "jobs",
        Some("fork" | "export" | "import" | "stats" | "sharing" | "settings" | "dates") => "worlds",
        Some("history" | "recall" | "perspective" | "suggestions" | "preload") => "prompts",
        Some("document" | "entries") => "books",
        Some("file" | "card" | "portrait") => "cards",
        Some("preview" | "scan") => "lore",
        Some("backup" | "backups") => "server",
        Some(noun) => noun,
        None => "worlds",
    }
}

/// What a server answers beside the API: the same wherever it runs.
fn of_the_server(generator: &mut SchemaGenerator) -> [(&'static str, Value); 2] {
    let health = json!(generator.subschema_for::<HealthView>());
    let mut operation = |id: &str, summary: &str, content: Value| {
        json!({
            "operationId": id,
            "summary": summary,
            "x-summary-zh": chinese::summary(id),
            "tags": ["server"],
            "parameters": [],
            "responses": {"default": error(generator), "200": {"description": "done", "content": content}},
        })
    };
    let content = json!({JSON: {"schema": health}});
    let mut of_health =
        operation("getHealth", "Whether the server and its data file are well", content.clone());
    if let Some(responses) = of_health.get_mut("responses").and_then(Value::as_object_mut) {
        let description = "memory is off: what is stored cannot be read now";
        responses.insert("503".to_owned(), json!({"description": description, "content": content}));
    }
    [
        ("/health", of_health),
        (
            "/metrics",
            operation(
                "getMetrics",
                "Counts for Prometheus",
                json!({"text/plain": {"schema": {"type": "string"}}}),
            ),
        ),
    ]
}

/// The smallest card there is.
static EXAMPLE_CARD: LazyLock<Value> = LazyLock::new(
    || json!({"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "钦灵", "description": "{{char}}是狐娘。"}}),
);

/// A chat of two messages, as SillyTavern saves it.
const EXAMPLE_CHAT: &str = r#"{"user_name":"Mei","character_name":"小雪"}
{"name":"小雪","is_user":false,"mes":"早上好！","send_date":"2024-01-02T09:00:00.000Z"}
{"name":"Mei","is_user":true,"mes":"早。","send_date":"2024-01-02T09:03:00.000Z"}
"#;

fn error(generator: &mut SchemaGenerator) -> Value {
    json!({"description": "what went wrong and what to do",
        "content": {JSON: {"schema": generator.subschema_for::<ErrorView>()}}})
}

fn responses(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let error = error(generator);
    let (status, success) = match (route.answer, route.method) {
        (Some(schema), _) => {
            ("200", json!({"description": "done", "content": {JSON: {"schema": schema(generator)}}}))
        }
        (None, "DELETE") => ("204", json!({"description": "gone"})),
        (None, _) if route.operation == "getCardFile" => {
            let file = json!({"schema": {"type": "string", "format": "binary"}});
            (
                "200",
                json!({"description": "the file", "content": {
                "image/png": file, "application/octet-stream": file, JSON: {"schema": {"type": "object", "additionalProperties": true}}}}),
            )
        }
        (None, _) if route.operation == "getCardPortrait" => {
            let file = json!({"schema": {"type": "string", "format": "binary"}});
            let kinds = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"];
            let content: Map<String, Value> =
                kinds.map(|kind| (kind.to_owned(), file.clone())).into_iter().collect();
            ("200", json!({"description": "the picture", "content": content}))
        }
        (None, _) => (
            "200",
            json!({"description": "the export", "content": {
                "application/x-ndjson": {"schema": {"type": "string"}},
                "text/plain": {"schema": {"type": "string"}},
            }}),
        ),
    };
    let answers = match route.created {
        Created::Never if route.operation == "getCardPortrait" => {
            vec![(status, success), ("204", json!({"description": "no picture, and none was needed"}))]
        }
        Created::Never => vec![(status, success)],
        Created::Sometimes => vec![(status, success.clone()), ("201", success)],
        Created::Always => vec![("201", success)],
    };
    let all = std::iter::once(("default", error)).chain(answers);
    Value::Object(all.map(|(status, response)| (status.to_owned(), response)).collect())
}
