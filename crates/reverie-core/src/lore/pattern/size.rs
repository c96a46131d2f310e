//! How many bytes does a pattern take when it is compiled?
//!
//! Reckoned from its syntax: to compile it, only to throw it away, would cost what must be spared.

use regex_syntax::hir::{Class, Hir, HirKind};

/// What is around any compiled pattern.
const AROUND: usize = 4 << 10;
/// A state of the machine.
const STATE: usize = 40;
/// Characters of several bytes.
const BEYOND_ASCII: usize = 800;
/// A range of characters: a few states that others may share.
const RANGE: usize = 80;

/// An error: the pattern is wrong. `in_parts`: every group may be compiled by itself.
pub(super) fn of(pattern: &str, in_parts: bool) -> Result<usize, String> {
    let parsed = regex_syntax::parse(pattern).map_err(|error| error.to_string())?;
    let parts = if in_parts { pattern.matches('(').count() } else { 1 };
    Ok(states(&parsed).saturating_add(parts * AROUND))
}

fn states(hir: &Hir) -> usize {
    let sum = |list: &[Hir]| list.iter().map(states).fold(STATE, usize::saturating_add);
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => STATE,
        HirKind::Literal(literal) => literal.0.len() * STATE,
        HirKind::Class(Class::Unicode(class)) if !class.is_ascii() => {
            BEYOND_ASCII + class.ranges().len() * RANGE
        }
        HirKind::Class(_) => 2 * STATE,
        HirKind::Capture(capture) => states(&capture.sub).saturating_add(2 * STATE),
        HirKind::Concat(list) | HirKind::Alternation(list) => sum(list),
        HirKind::Repetition(repeated) => {
            let times = repeated.max.unwrap_or(repeated.min.saturating_add(1)).max(1);
            states(&repeated.sub).saturating_add(STATE).saturating_mul(times as usize)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least limit under which it compiles.
    fn measured(pattern: &str) -> usize {
        let fits = |bytes: usize| regex::RegexBuilder::new(pattern).size_limit(bytes).build().is_ok();
        (4..30).map(|power| 1_usize << power).find(|bytes| fits(*bytes)).unwrap()
    }

    #[test]
    fn what_is_reckoned_is_near_what_is_measured() {
        for pattern in [
            r"dragon",
            r"(?i:dragon|wyrm|龙)",
            r"\p{L}",
            r"(?i:\p{L}{12})",
            r"\p{L}{24}x",
            r"[^x]{50}",
            r"(?:[\u{4e00}-\u{9fff}]{2,40}){3}",
            r"\p{Han}{2,8}",
            r"(?:a{1,100}){1,20}",
            r"[a-z]{1000}",
            r"(?:(?:ab|cd)+(?:e|f)?){200}",
            r"\P{Lu}{10}",
        ] {
            let (reckoned, measured) = (of(pattern, false).unwrap(), measured(pattern));
            assert!(reckoned * 2 >= measured, "{pattern}: {reckoned} of {measured}");
            assert!(reckoned <= measured * 8 + 2 * AROUND, "{pattern}: {reckoned} of {measured}");
        }
    }
}
