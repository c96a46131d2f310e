//! The tools that agents call: which are there, what does each take, and what does it do?
//!
//! Without any protocol, as the API is without any transport: a tool is a name and an object in, an object out. Each of them is
//! one or a few operations of the API, so that whoever calls a tool is treated as one who speaks HTTP.

mod answers;
mod arguments;
mod calling;
mod described;

use reverie_core::{CharacterId, WorldId};
use serde_json::{Map, Value};

pub use described::{Tool, all};

use crate::{Request, Response};

/// Where a call goes that does not say it.
#[derive(Debug, Clone)]
pub struct Defaults {
    pub world: WorldId,
    pub character: CharacterId,
}

/// Whatever answers requests: [`crate::Api::dispatch`], or a server around it.
pub type Ask<'a> = &'a dyn Fn(&Request) -> Response;

/// What a tool answers. An error has `code`, `message` and, where there is something to do about it, `hint`.
pub enum Outcome {
    Done(Value),
    Failed(Value),
}

/// None: there is no such tool.
pub fn call(ask: Ask<'_>, defaults: &Defaults, tool: &str, arguments: Map<String, Value>) -> Option<Outcome> {
    let caller = calling::Caller { ask, defaults };
    let done = match tool {
        "add_memory" => caller.read(arguments).and_then(|read| caller.add_memory(read)),
        "search_memories" => caller.read(arguments).and_then(|read| caller.search_memories(read)),
        "get_memories" => caller.read(arguments).and_then(|read| caller.get_memories(read)),
        "update_memory" => caller.read(arguments).and_then(|read| caller.update_memory(read)),
        "delete_memory" => caller.read(arguments).and_then(|read| caller.delete_memory(read)),
        "recall_context" => caller.read(arguments).and_then(|read| caller.recall_context(read)),
        "record_lines" => caller.read(arguments).and_then(|read| caller.record_lines(read)),
        _ => return None,
    };
    Some(match done {
        Ok(answer) => Outcome::Done(Value::Object(answer)),
        Err(failure) => Outcome::Failed(failure.into_json()),
    })
}
