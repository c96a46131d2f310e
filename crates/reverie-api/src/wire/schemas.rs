//! What may stand in settings and in a profile, as schemas: there they are maps, here they have fields.

use std::borrow::Cow;

use reverie_core::perspective::Profile;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::{
    AddressedNames, Audience, CalendarKind, HistoryScope, Language, ProfileName, PromptPreset,
    RecallPosition, SceneEmotion, TokenCounter,
};

/// Settings as they come back.
pub(crate) struct Settings;

/// Settings as they are sent: null takes one away.
pub(crate) struct SettingsPatch;

/// Settings that a cue may bring along for its own prompt.
pub(crate) struct PromptSettings;

/// Single parts of a profile.
pub(crate) struct ProfileParts;

impl JsonSchema for Settings {
    fn schema_name() -> Cow<'static, str> {
        "Settings".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        settings(generator, |schema| schema)
    }
}

impl JsonSchema for SettingsPatch {
    fn schema_name() -> Cow<'static, str> {
        "SettingsPatch".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = settings(generator, |schema| json!({"anyOf": [schema, {"type": "null"}]}));
        // Dotted keys.
        schema.insert("additionalProperties".to_owned(), json!(true));
        schema
    }
}

impl JsonSchema for PromptSettings {
    fn schema_name() -> Cow<'static, str> {
        "PromptSettings".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = settings(generator, |schema| json!({"anyOf": [schema, {"type": "null"}]}));
        if let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            fields.retain(|name, _| ["recall", "lore"].contains(&name.as_str()));
        }
        // Dotted keys.
        schema.insert("additionalProperties".to_owned(), json!(true));
        schema
    }
}

impl JsonSchema for ProfileParts {
    fn schema_name() -> Cow<'static, str> {
        "ProfileParts".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut parts = parts(generator);
        parts.insert("base".to_owned(), reference::<ProfileName>(generator));
        json_schema!({"type": "object", "properties": parts, "additionalProperties": false})
    }
}

/// Every one of these can be set for one character: its name, an @ and the id.
fn for_each_character(mut schema: Value) -> Value {
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("patternProperties".to_owned(), json!({"@": {}}));
    }
    schema
}

fn settings(generator: &mut SchemaGenerator, value: impl Fn(Value) -> Value) -> Schema {
    let object = |fields: Map<String, Value>| {
        let fields: Map<String, Value> = fields.into_iter().map(|(name, of)| (name, value(of))).collect();
        json!({"type": "object", "properties": fields, "additionalProperties": false})
    };
    let mut perspective = parts(generator);
    perspective.insert("profile".to_owned(), reference::<ProfileName>(generator));
    let prompt = fields([
        ("history", reference::<HistoryScope>(generator)),
        ("counter", reference::<TokenCounter>(generator)),
        ("budget", json!({"type": "integer", "minimum": 0, "description": "tokens of a whole prompt"})),
        ("background_lines", json!({"type": "integer", "minimum": 0})),
        ("background_percent", json!({"type": "integer", "minimum": 0, "maximum": 100})),
        ("embed_ms", json!({"type": "integer", "minimum": 0, "maximum": 60000})),
    ]);
    let count = || json!({"type": "integer", "minimum": 0});
    let flag = || json!({"type": "boolean"});
    let real = || json!({"type": "number", "minimum": 0, "maximum": 1});
    let weight = || json!({"type": "number", "minimum": 0, "maximum": 2});
    let lore = fields([
        ("depth", count()),
        ("budget_percent", json!({"type": "integer", "minimum": 0, "maximum": 100})),
        ("budget_cap", count()),
        ("recursive", flag()),
        ("max_recursion_steps", count()),
        ("min_activations", count()),
        ("min_activations_depth_max", count()),
        ("include_names", flag()),
        ("case_sensitive", flag()),
        ("whole_words", flag()),
        ("group_scoring", flag()),
        ("fold_width", flag()),
        ("fold_script", flag()),
        ("similarity", real()),
        ("similar_entries", count()),
        ("tags", json!({"type": "object", "additionalProperties": {"type": "string"}})),
    ]);
    let digest = fields([
        ("enabled", flag()),
        ("idle_seconds", count()),
        ("round_lines", count()),
        ("abandoned_seconds", count()),
        ("models", flag()),
        ("decide", flag()),
        ("prompts", reference::<PromptPreset>(generator)),
        ("decide_prompt", json!({"type": "string"})),
        ("summarise_prompt", json!({"type": "string"})),
        ("retell_prompt", json!({"type": "string"})),
        ("batch_rounds", count()),
        ("batch_seconds", count()),
        ("batch_tokens", count()),
        ("chunk_chars", count()),
    ]);
    let capacity = || object(fields([("capacity", count())]));
    let layer = || object(fields([("capacity", count()), ("decay", real())]));
    let layers = fields([
        ("active", object(fields([("capacity", count()), ("hours", count())]))),
        ("situational", layer()),
        ("events", layer()),
        ("archive", layer()),
        ("semantic", capacity()),
        ("trait", capacity()),
        ("goal", capacity()),
        ("floor", real()),
        (
            "hour",
            json!({"type": ["string", "number"], "description": "calendar, wall, never, or a number of ticks"}),
        ),
        ("era_days", count()),
    ]);
    let kinds = |of: &dyn Fn() -> Value| {
        let kinds = ["episodic", "semantic", "trait", "goal"];
        for_each_character(object(fields(kinds.map(|kind| (kind, of())))))
    };
    let recall = fields([
        ("enabled", flag()),
        ("keyword", weight()),
        ("lexical", weight()),
        ("semantic", weight()),
        ("temporal", weight()),
        ("emotional", weight()),
        ("related", weight()),
        ("semantic_top", count()),
        ("semantic_floor", real()),
        ("most", kinds(&count)),
        ("threshold", real()),
        ("weight", kinds(&weight)),
        ("emotional_weight", kinds(&weight)),
        ("decay", kinds(&real)),
        ("constant", kinds(&flag)),
        ("time_decay", flag()),
        ("emotional_boost", flag()),
        ("near_duplicate", real()),
        ("archive", flag()),
        ("said", count()),
        ("max_chars", count()),
        ("max_tokens", count()),
        ("max_memory_chars", count()),
        ("position", reference::<RecallPosition>(generator)),
        ("depth", count()),
        ("by_kind", flag()),
        ("show_time", flag()),
        ("show_source", flag()),
        ("template", json!({"type": "string"})),
    ]);
    let all = fields([
        ("language", reference::<Language>(generator)),
        ("audience", reference::<Audience>(generator)),
        (
            "embedder",
            json!({"type": "string", "description": "default, offline, none, or the name of a configured model"}),
        ),
        ("narrator", object(fields([("names", texts())]))),
        ("calendar", object(calendar(generator))),
        ("perspective", object(perspective)),
        ("prompt", object(prompt)),
        ("lore", object(lore)),
        ("digest", object(digest)),
        ("layers", object(layers)),
        ("recall", for_each_character(object(recall))),
    ]);
    let mut schema = Schema::try_from(object(all)).unwrap_or_default();
    let about = "docs/reference/settings.md tells what each one means.";
    schema.insert("description".to_owned(), json!(about));
    schema
}

fn calendar(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let text = || json!({"type": "string"});
    let by_language = |of: Value| json!({"type": "object", "properties": {"zh": of, "en": of}, "additionalProperties": false});
    let unit = json!({
        "type": "object",
        "properties": {
            "name": text(),
            "size": {"type": "integer"},
            "first": {"type": "integer"},
            "names": by_language(texts()),
        },
        "additionalProperties": false,
    });
    fields([
        ("kind", reference::<CalendarKind>(generator)),
        ("format", by_language(text())),
        ("base_year", json!({"type": "integer"})),
        ("longitude", json!({"type": "number", "minimum": -180, "maximum": 180})),
        ("hemisphere", json!({"type": "string", "enum": ["north", "south"]})),
        ("ticks", json!({"type": "string", "enum": ["absolute", "game"]})),
        ("start_tick", json!({"type": "integer"})),
        ("time_zone", text()),
        ("epoch", text()),
        (
            "ticks_per_second",
            json!({"type": ["integer", "string"], "description": "a whole number, or a fraction such as 1/60"}),
        ),
        ("units", json!({"type": "array", "items": unit})),
    ])
}

/// Marks are any text; two parts are words of a list.
fn parts(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let part = |(key, meaning): &(&str, &str)| {
        let schema = match *key {
            "emotion_in_scene" => reference::<SceneEmotion>(generator),
            "addressed_names" => reference::<AddressedNames>(generator),
            _ => json!({"type": "string", "description": meaning}),
        };
        ((*key).to_owned(), schema)
    };
    Profile::KEYS.iter().map(part).collect()
}

fn reference<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}

fn texts() -> Value {
    json!({"type": "array", "items": {"type": "string"}})
}

fn fields<const N: usize>(of: [(&str, Value); N]) -> Map<String, Value> {
    of.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}
