//! Which characters have a property of Unicode, by the names that JavaScript takes?
//!
//! Rust's tables are asked, which take more names than JavaScript does: only those count that are listed.

use std::collections::HashMap;
use std::sync::OnceLock;

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

/// What it takes to look one up, in tenths of a microsecond.
pub(super) const WORK: usize = 300;

/// Paragraphs that begin with a kind: all its names.
static NAMES: &str = include_str!("properties.txt");

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Category,
    Script,
    Binary,
}

/// None: there is no such property, or Rust has no table of it.
pub(super) fn find(name: &str) -> Option<ClassUnicode> {
    let (value, kinds): (_, &[Kind]) = match name.split_once('=') {
        None => (name, &[Kind::Category, Kind::Binary]),
        Some(("gc" | "General_Category", value)) => (value, &[Kind::Category]),
        Some(("sc" | "Script" | "scx" | "Script_Extensions", value)) => (value, &[Kind::Script]),
        Some(_) => return None,
    };
    let kind = names().get(value).and_then(|known| known.iter().find(|kind| kinds.contains(kind)))?;
    match kind {
        // Texts have no halves of characters.
        Kind::Category if matches!(value, "Cs" | "Surrogate") => Some(ClassUnicode::empty()),
        Kind::Category => lookup(&format!("gc={value}")),
        Kind::Script | Kind::Binary => lookup(name),
    }
}

fn names() -> &'static HashMap<&'static str, Vec<Kind>> {
    static KNOWN: OnceLock<HashMap<&'static str, Vec<Kind>>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let mut known: HashMap<&str, Vec<Kind>> = HashMap::new();
        for paragraph in NAMES.split("\n\n") {
            let mut words = paragraph.split_whitespace();
            let kind = match words.next() {
                Some("category") => Kind::Category,
                Some("script") => Kind::Script,
                _ => Kind::Binary,
            };
            words.for_each(|name| known.entry(name).or_default().push(kind));
        }
        known
    })
}

fn lookup(name: &str) -> Option<ClassUnicode> {
    let parsed = regex_syntax::parse(&format!(r"\p{{{name}}}")).ok()?;
    match parsed.into_kind() {
        HirKind::Class(Class::Unicode(set)) => Some(set),
        // One character is no set there.
        HirKind::Literal(literal) => {
            let char = std::str::from_utf8(&literal.0).ok()?.chars().next()?;
            Some(ClassUnicode::new([ClassUnicodeRange::new(char, char)]))
        }
        HirKind::Class(Class::Bytes(set)) => set.to_unicode_class(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_table() {
        let missing: Vec<String> = names()
            .iter()
            .flat_map(|(name, kinds)| {
                kinds.iter().map(move |kind| match kind {
                    Kind::Category => format!("gc={name}"),
                    Kind::Script => format!("sc={name}"),
                    Kind::Binary => (*name).to_owned(),
                })
            })
            .filter(|name| find(name).is_none())
            .collect();
        assert!(missing.iter().all(|name| name.contains("NFKC") || name == "CWKCF"), "{missing:?}");
    }

    #[test]
    fn names_that_only_rust_takes() {
        for name in ["han", "Han", "sc=han", "latin", "Letter=Lu", "", "=", "gc=", "L&", "Script", "InGreek"]
        {
            assert!(find(name).is_none(), "{name}");
        }
    }
}
