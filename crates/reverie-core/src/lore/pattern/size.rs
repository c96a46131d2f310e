//! How many bytes does a pattern take when it is compiled?
//!
//! Reckoned from its syntax: to compile it, only to throw it away, would cost what must be spared. What is reckoned is
//! never less than what is taken, divided by [`MOST_OFF`]; a test counts what is allocated.

use regex_syntax::hir::{Class, Hir, HirKind};

/// A pattern takes at most so many times what was reckoned.
pub(super) const MOST_OFF: usize = 2;

/// What is around any compiled pattern.
const AROUND: usize = 1 << 10;
/// A state of a machine, or a step of a program.
const STATE: usize = 48;
/// Characters of several bytes.
const BEYOND_ASCII: usize = 240;
/// A range of characters: a few states that others may share.
const RANGE: usize = 32;

pub(super) fn of(pattern: &Hir, backtracks: bool) -> usize {
    let bytes = match backtracks {
        false => states(pattern),
        true => steps(pattern).saturating_add(sets(pattern)),
    };
    bytes.saturating_add(AROUND)
}

/// Of a machine, in bytes.
fn states(pattern: &Hir) -> usize {
    let sum = |list: &[Hir]| list.iter().map(states).fold(STATE, usize::saturating_add);
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => STATE,
        HirKind::Literal(literal) => literal.0.len() * STATE,
        HirKind::Class(Class::Unicode(class)) if !class.is_ascii() => {
            BEYOND_ASCII + class.ranges().len() * RANGE
        }
        HirKind::Class(_) => STATE,
        HirKind::Capture(capture) => states(&capture.sub),
        HirKind::Concat(list) | HirKind::Alternation(list) => sum(list),
        HirKind::Repetition(repeated) => times(repeated.min, repeated.max, states(&repeated.sub), STATE),
    }
}

/// Of a program, in bytes.
fn steps(pattern: &Hir) -> usize {
    let sum = |list: &[Hir]| list.iter().map(steps).fold(2 * list.len() * STATE, usize::saturating_add);
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) => STATE,
        HirKind::Literal(literal) => STATE + literal.0.len(),
        HirKind::Capture(capture) => steps(&capture.sub).saturating_add(2 * STATE),
        HirKind::Concat(list) | HirKind::Alternation(list) => sum(list),
        HirKind::Repetition(repeated) => times(repeated.min, repeated.max, steps(&repeated.sub), 4 * STATE),
    }
}

/// Of the sets of characters that all steps share, in bytes.
fn sets(pattern: &Hir) -> usize {
    match pattern.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            BEYOND_ASCII + class.ranges().len() * size_of::<(char, char)>()
        }
        kind => kind.subs().iter().map(sets).fold(0, usize::saturating_add),
    }
}

/// Places of a pattern at which a search can be at once, about.
pub(super) fn places(pattern: &Hir) -> usize {
    let sum = |list: &[Hir]| list.iter().map(places).fold(1, usize::saturating_add);
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => 1,
        HirKind::Literal(literal) => literal.0.len(),
        HirKind::Class(_) => 2,
        HirKind::Capture(capture) => places(&capture.sub),
        HirKind::Concat(list) | HirKind::Alternation(list) => sum(list),
        HirKind::Repetition(repeated) => times(repeated.min, repeated.max, places(&repeated.sub), 1),
    }
}

/// What is repeated is written out.
fn times(min: u32, max: Option<u32>, sub: usize, fork: usize) -> usize {
    let times = max.unwrap_or(min.saturating_add(1)).max(1);
    sub.saturating_add(fork).saturating_mul(times as usize)
}
