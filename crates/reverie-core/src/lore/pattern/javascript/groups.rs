//! What does a group of a pattern mean?
//!
//! Groups that remember, groups that look around and references back are all written as named groups, so that one parser
//! reads every pattern. The name is a letter that says what it is, and a number.

use std::collections::HashMap;

/// More groups than any author has; each takes room in every search.
const MOST: usize = 1000;

/// A reference to a group that may come later. Something stands inside, so that it does not pass for nothing.
const UNSETTLED: &str = "(?<r>x)";

/// Looks around without moving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lore::pattern) struct Around {
    pub(in crate::lore::pattern) behind: bool,
    /// It must be there; else it must not.
    pub(in crate::lore::pattern) wanted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lore::pattern) enum Meaning {
    /// Remembers what it matched, under this number.
    Remembers(u32),
    Looks(Around),
    /// Stands for what that group matched.
    Refers(u32),
}

/// What the name of a group says.
pub(in crate::lore::pattern) fn meaning(name: &str) -> Option<Meaning> {
    let around = |behind, wanted| Some(Meaning::Looks(Around { behind, wanted }));
    let mut parts = name.split('_');
    let (kind, number) = (parts.next()?, parts.next()?.parse().ok()?);
    match kind {
        "g" => Some(Meaning::Remembers(number)),
        "r" => Some(Meaning::Refers(number)),
        "ahead" => around(false, true),
        "notahead" => around(false, false),
        "behind" => around(true, true),
        "notbehind" => around(true, false),
        _ => None,
    }
}

/// The groups of a pattern so far.
#[derive(Default)]
pub(super) struct Groups {
    count: usize,
    looks: usize,
    named: HashMap<String, usize>,
    /// What was written where it is referred to a group, which may come later.
    references: Vec<String>,
}

impl Groups {
    pub(super) fn open(&mut self, name: Option<String>) -> Result<String, String> {
        self.count += 1;
        if self.count > MOST {
            return Err(format!("more than {MOST} groups"));
        }
        match name {
            Some(name) if name.is_empty() => return Err("a group without a name".to_owned()),
            Some(name) if self.named.contains_key(&name) => {
                return Err(format!("two groups are named {name:?}"));
            }
            Some(name) => {
                self.named.insert(name, self.count);
            }
            None => {}
        }
        Ok(format!("(?<g_{}>", self.count))
    }

    pub(super) fn look(&mut self, around: Around) -> String {
        self.looks += 1;
        let not = if around.wanted { "" } else { "not" };
        let place = if around.behind { "behind" } else { "ahead" };
        format!("(?<{not}{place}_{}>", self.looks)
    }

    /// To be settled when all groups are known.
    pub(super) fn refer(&mut self, to: String) -> &'static str {
        self.references.push(to);
        UNSETTLED
    }

    pub(super) fn backtrack(&self) -> bool {
        self.looks > 0 || !self.references.is_empty()
    }

    /// The same with every reference named by the number of its group.
    pub(super) fn settle(&self, pattern: &str) -> Result<String, String> {
        let mut settled = String::with_capacity(pattern.len());
        let mut parts = pattern.split(UNSETTLED);
        settled.push_str(parts.next().unwrap_or_default());
        for ((place, to), behind) in (1..).zip(&self.references).zip(parts) {
            let numbered = || to.parse().ok().filter(|number| (1..=self.count).contains(number));
            let Some(group) = self.named.get(to).copied().or_else(numbered) else {
                return Err(format!("there is no group {to:?}"));
            };
            settled.push_str(&format!("(?<r_{group}_{place}>x){behind}"));
        }
        Ok(settled)
    }
}
