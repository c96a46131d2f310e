//! How is a value made of JSON text, counted and looked at on the way?

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::Problem;
use crate::repeated::{Trail, named, numbered};

pub(super) const TOO_MANY: &str = "too many values";

/// One value and nothing behind it. `left` is how many values it may be made of, and goes down.
pub(super) fn read(text: &str, left: &mut usize) -> Result<Value, Problem> {
    let state = State { left: Cell::new(*left), trail: Trail::default() };
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = Node(&state).deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    *left = state.left.get();
    read.map_err(|error| match state.trail.into_repeated(&error) {
        Some(repeated) => Problem::Repeated(repeated),
        None => Problem::of(&error),
    })
}

struct State {
    /// How many more values may come.
    left: Cell<usize>,
    trail: Trail,
}

/// One value. Counts what it reads, and sees members that stand twice, which a map could not tell any more.
struct Node<'s>(&'s State);

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let left = self.0.left.get().checked_sub(1);
        self.0.left.set(left.ok_or_else(|| serde::de::Error::custom(TOO_MANY))?);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) =
            self.0.trail.step(items.next_element_seed(Node(self.0)), || numbered(list.len()))?
        {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            if map.contains_key(&name) {
                return Err(self.0.trail.stop(&name));
            }
            let value = self.0.trail.step(members.next_value_seed(Node(self.0)), || named(&name))?;
            map.insert(name, value);
        }
        Ok(Value::Object(map))
    }
}
