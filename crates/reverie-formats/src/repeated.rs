//! Does a member of an object stand there twice?
//!
//! Readers of JSON differ on which of the two counts, so one of them would be lost, and nobody could tell which.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};

use crate::warning::excerpt;

/// A name that stands twice in one object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    pub name: String,
    /// The object that has it, such as `entries.0`; empty: the outermost one.
    pub object: String,
    /// Where the second one stands, counted from 1.
    pub line: usize,
    pub column: usize,
}

pub const HINT: &str =
    "programs differ on which of the two counts, so one would be lost: remove or rename one of them";

impl fmt::Display for Repeated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the name {:?} is given twice in ", self.name)?;
        match self.object.as_str() {
            "" => f.write_str("the outermost object")?,
            object => f.write_str(object)?,
        }
        write!(f, ", the second time at line {} column {}", self.line, self.column)
    }
}

/// The first name that stands twice in an object of this text. What is no JSON is no business of this.
pub fn find(json: &str) -> Option<Repeated> {
    let trail = Trail::default();
    let mut reader = serde_json::Deserializer::from_str(json);
    let error = Names(&trail).deserialize(&mut reader).err()?;
    trail.into_repeated(&error)
}

/// Where a repeated name was found: written down from the inside out, while the error is on its way.
#[derive(Default)]
pub(crate) struct Trail(RefCell<Option<(String, Vec<String>)>>);

impl Trail {
    /// Ends the reading.
    pub(crate) fn stop<E: Error>(&self, name: &str) -> E {
        *self.0.borrow_mut() = Some((excerpt(name), Vec::new()));
        E::custom("a name is given twice")
    }

    /// What was read at this step of the path, or the step written down.
    pub(crate) fn step<T, E>(&self, read: Result<T, E>, step: impl FnOnce() -> String) -> Result<T, E> {
        if read.is_err()
            && let Some((_, path)) = self.0.borrow_mut().as_mut()
        {
            path.push(step());
        }
        read
    }

    /// What was found, if that is what the error was about.
    pub(crate) fn into_repeated(self, error: &serde_json::Error) -> Option<Repeated> {
        let (name, steps) = self.0.into_inner()?;
        let mut object = String::new();
        for step in steps.iter().rev() {
            if !object.is_empty() && !step.starts_with('[') {
                object.push('.');
            }
            object.push_str(step);
        }
        Some(Repeated { name, object, line: error.line(), column: error.column() })
    }
}

pub(crate) fn named(name: &str) -> String {
    excerpt(name)
}

pub(crate) fn numbered(index: usize) -> String {
    format!("[{index}]")
}

/// Reads a value for the sake of the names in it.
struct Names<'t>(&'t Trail);

/// Below this, comparing is cheaper than hashing.
const FEW: usize = 16;

impl<'de> DeserializeSeed<'de> for Names<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Names<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut index = 0;
        while self.0.step(items.next_element_seed(Names(self.0)), || numbered(index))?.is_some() {
            index += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut few: Vec<Cow<'de, str>> = Vec::new();
        let mut many: HashSet<Cow<'de, str>> = HashSet::new();
        while let Some(Name(name)) = members.next_key::<Name<'de>>()? {
            if few.contains(&name) || many.contains(&name) {
                return Err(self.0.stop(&name));
            }
            self.0.step(members.next_value_seed(Names(self.0)), || named(&name))?;
            match few.len() < FEW {
                true => few.push(name),
                false => drop(many.insert(name)),
            }
        }
        Ok(())
    }
}

/// Borrowed from the text, unless it has escapes.
struct Name<'de>(Cow<'de, str>);

impl<'de> serde::Deserialize<'de> for Name<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(name)))
            }

            fn visit_str<E>(self, name: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(name.to_owned())))
            }
        }
        deserializer.deserialize_str(Read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_twice_is_named_with_its_place() {
        let many: Vec<String> = (0..40).map(|n| format!("\"k{n}\":0")).collect();
        let many = format!("{{{},\"k30\":1}}", many.join(","));
        for (json, expected) in [
            (r#"{"a":1,"a":2}"#, Some(("a", ""))),
            (r#"{"entries":{"0":{},"1":{},"0":{}}}"#, Some(("0", "entries"))),
            (r#"{"entries":[{"key":[]},{"名":[{"x":1,"x":1}]}]}"#, Some(("x", "entries[1].名[0]"))),
            (r#"[[],[{"a":1,"\u0061":2}]]"#, Some(("a", "[1][0]"))),
            (&many, Some(("k30", ""))),
            (r#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}"#, None),
            (r#"{"a":1,"A":2,"a ":3}"#, None),
            (r#"{"a":1,"b":tru"#, None),
            ("", None),
        ] {
            let found = find(json);
            let told = found.as_ref().map(|found| (found.name.as_str(), found.object.as_str()));
            assert_eq!(told, expected, "{json}");
        }
        let found = find("{\n \"a\": 1,\n \"a\": 2}").unwrap().to_string();
        assert_eq!(
            found,
            "the name \"a\" is given twice in the outermost object, the second time at line 3 column 4"
        );
    }
}
