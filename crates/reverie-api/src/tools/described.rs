//! What do agents read of the tools before they call one?

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use super::arguments::{
    AddMemory, DeleteMemory, GetMemories, RecallContext, RecordLines, SearchMemories, UpdateMemory,
};

/// A tool, and what a client may rely on.
#[derive(Debug, Clone)]
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    /// JSON Schema of its arguments.
    pub arguments: Map<String, Value>,
    /// Changes nothing.
    pub reads_only: bool,
    /// Takes something away, or puts something else in its place.
    pub is_destructive: bool,
    /// The same call again changes nothing more.
    pub is_idempotent: bool,
}

enum Nature {
    Reads,
    Adds,
    Changes,
    Removes,
}

/// In the order in which agents should read about them.
pub fn all() -> Vec<Tool> {
    vec![
        tool::<SearchMemories>(
            "search_memories",
            "Search memories",
            "Find what is remembered about something, by words and by meaning, the nearest first.",
            Nature::Reads,
        ),
        tool::<AddMemory>(
            "add_memory",
            "Add a memory",
            "Remember one fact for later conversations.",
            Nature::Adds,
        ),
        tool::<GetMemories>(
            "get_memories",
            "List memories",
            "List what is remembered, the newest first.",
            Nature::Reads,
        ),
        tool::<UpdateMemory>(
            "update_memory",
            "Change a memory",
            "Reword, weigh or pin a memory that is there.",
            Nature::Changes,
        ),
        tool::<DeleteMemory>(
            "delete_memory",
            "Forget a memory",
            "Forget a memory that is wrong or unwanted.",
            Nature::Removes,
        ),
        tool::<RecallContext>(
            "recall_context",
            "Recall for a reply",
            "The messages to give a chat model before a character replies: persona, history, and the memories that belong to what was said.",
            Nature::Reads,
        ),
        tool::<RecordLines>(
            "record_lines",
            "Record an exchange",
            "Record what was said, word by word, when an exchange is over; everybody who heard it remembers it.",
            Nature::Adds,
        ),
    ]
}

fn tool<A: JsonSchema>(
    name: &'static str,
    title: &'static str,
    description: &'static str,
    nature: Nature,
) -> Tool {
    Tool {
        name,
        title,
        description,
        arguments: schema::<A>(),
        reads_only: matches!(nature, Nature::Reads),
        is_destructive: matches!(nature, Nature::Changes | Nature::Removes),
        is_idempotent: !matches!(nature, Nature::Adds),
    }
}

/// Written out whole: not every client follows references.
fn schema<A: JsonSchema>() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<A>();
    let mut schema = schema.to_value();
    shorten(&mut schema);
    let mut fields = match schema {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    // What is not listed is refused, and agents are told so before they try.
    fields.insert("additionalProperties".to_owned(), Value::Bool(false));
    fields
}

/// Without what says nothing to an agent: an argument that may be left out need not be null, and a number is a number.
fn shorten(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            for name in ["title", "format"] {
                if fields.get(name).is_some_and(Value::is_string) {
                    fields.remove(name);
                }
            }
            if fields.get("minimum").is_some_and(|least| least.as_u64() == Some(0)) {
                fields.remove("minimum");
            }
            if let Some(Value::Array(values)) = fields.get_mut("enum") {
                values.retain(|value| !value.is_null());
            }
            if let Some(Value::Array(types)) = fields.get_mut("type") {
                types.retain(|name| name != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    fields.insert("type".to_owned(), only);
                }
            }
            fields.values_mut().for_each(shorten);
        }
        Value::Array(items) => items.iter_mut().for_each(shorten),
        _ => {}
    }
}

/// The arguments that are there, in order.
pub(super) fn names<A: JsonSchema>() -> Vec<String> {
    let schema = schema::<A>();
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(Map::keys).cloned().collect()
}
