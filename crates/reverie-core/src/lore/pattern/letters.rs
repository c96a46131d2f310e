//! Which letters differ in nothing but their case, as JavaScript sees it?
//!
//! With the flag `u` those that Unicode folds to the same letter: ſ is an s, the sign of the kelvin a k. Without it those
//! that have the same single capital, and none outside ASCII is like one inside.

use std::collections::HashMap;
use std::sync::OnceLock;

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// Beyond it nothing has a case.
const LAST: char = '\u{1FFFF}';

pub(super) struct Letters {
    /// Each letter that has others, and the number of its family; sorted.
    members: Vec<(char, usize)>,
    families: Vec<Vec<char>>,
}

impl Letters {
    pub(super) fn of(unicode: bool) -> &'static Self {
        static PLAIN: OnceLock<Letters> = OnceLock::new();
        static UNICODE: OnceLock<Letters> = OnceLock::new();
        match unicode {
            true => UNICODE.get_or_init(|| Self::new(folded_alike())),
            false => PLAIN.get_or_init(|| Self::new(of_one_capital())),
        }
    }

    fn new(families: Vec<Vec<char>>) -> Self {
        let numbered = families.iter().enumerate();
        let mut members: Vec<(char, usize)> =
            numbered.flat_map(|(number, family)| family.iter().map(move |char| (*char, number))).collect();
        members.sort_unstable();
        Self { members, families }
    }

    /// The others and the letter itself; none if there are no others.
    pub(super) fn like(&self, char: char) -> &[char] {
        self.family(char).and_then(|family| self.families.get(family)).map_or(&[], Vec::as_slice)
    }

    pub(super) fn are_alike(&self, a: char, b: char) -> bool {
        a == b || self.family(a).is_some_and(|family| self.family(b) == Some(family))
    }

    /// Adds all letters that are like one of the set. Tells how many were looked at.
    pub(super) fn complete(&self, set: &mut ClassUnicode) -> usize {
        let mut looked_at = 0;
        let mut others = Vec::new();
        for range in set.ranges() {
            let from = self.members.partition_point(|(char, _)| *char < range.start());
            let inside = self.members.get(from..).unwrap_or_default();
            for (_, family) in inside.iter().take_while(|(char, _)| *char <= range.end()) {
                looked_at += 1;
                let family = self.families.get(*family).into_iter().flatten();
                let outside = family.filter(|char| !has(set, **char));
                others.extend(outside.map(|char| ClassUnicodeRange::new(*char, *char)));
            }
        }
        if !others.is_empty() {
            set.union(&ClassUnicode::new(others));
        }
        looked_at
    }

    fn family(&self, char: char) -> Option<usize> {
        let place = self.members.binary_search_by_key(&char, |member| member.0).ok()?;
        self.members.get(place).map(|member| member.1)
    }
}

/// True if a character is in a set.
pub(super) fn has(set: &ClassUnicode, char: char) -> bool {
    let place = set.ranges().partition_point(|range| range.end() < char);
    set.ranges().get(place).is_some_and(|range| range.start() <= char)
}

/// Characters of more than one unit are two characters where there is no `u`.
fn of_one_capital() -> Vec<Vec<char>> {
    let mut families: HashMap<char, Vec<char>> = HashMap::new();
    for char in '\0'..='\u{FFFF}' {
        families.entry(capital(char)).or_default().push(char);
    }
    families.into_values().filter(|family| family.len() > 1).collect()
}

fn capital(char: char) -> char {
    let mut capitals = char.to_uppercase();
    match (capitals.next(), capitals.next()) {
        (Some(capital), None) if char.is_ascii() || !capital.is_ascii() => capital,
        _ => char,
    }
}

fn folded_alike() -> Vec<Vec<char>> {
    let mut families = Vec::new();
    for char in '\0'..=LAST {
        if char.to_lowercase().eq([char]) && char.to_uppercase().eq([char]) {
            continue;
        }
        let mut family = ClassUnicode::new([ClassUnicodeRange::new(char, char)]);
        // It fails only where the tables are left out, which are never.
        if family.try_case_fold_simple().is_err() {
            continue;
        }
        let family: Vec<_> = family.iter().flat_map(|range| range.start()..=range.end()).collect();
        if family.len() > 1 && family.first() == Some(&char) {
            families.push(family);
        }
    }
    families
}
