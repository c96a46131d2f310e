//! Does a pattern that reads its text once find something, and how much work is that?
//!
//! An automaton is made while it is needed and thrown away with the search, so that a pattern keeps no more memory than
//! its program, and the same search is always the same work: one step for each byte, and for each state that is made
//! as many as the pattern has places at which it can be at once.
//! Whoever asks has paid for the bytes.

use regex_automata::hybrid::dfa::{Cache, Config, DFA};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::{Anchored, Input};
use regex_syntax::hir::{Dot, Hir, Look, Repetition};

use super::{Search, size};

/// Bytes that states may take in one search, before they are made anew.
const MOST_STATES: usize = 128 << 10;
/// What a new state costs beyond its places, in steps: it is looked up and copied.
const NEW_STATE: usize = 64;

#[derive(Debug, Clone)]
pub(super) struct Straight {
    automaton: DFA,
    /// Its own characters before a match count as part of it.
    anchored: Anchored,
    price_of_state: usize,
}

impl Straight {
    /// None: it takes more bytes than it may.
    pub(super) fn new(pattern: &Hir, most_bytes: usize) -> Option<Self> {
        let config = thompson::Config::new()
            .which_captures(WhichCaptures::None)
            .nfa_size_limit(Some(most_bytes))
            .shrink(false);
        // A place inside of a character is none, but bytes that belong to no word stand on both sides of it.
        let sees_bytes = pattern.properties().look_set().contains(Look::WordAsciiNegate);
        let whole = sees_bytes.then(|| Hir::concat(vec![anything(), pattern.clone()]));
        let anchored = if sees_bytes { Anchored::Yes } else { Anchored::No };
        let mut compiler = thompson::Compiler::new();
        let program = compiler.configure(config).build_from_hir(whole.as_ref().unwrap_or(pattern)).ok()?;
        let config = Config::new().cache_capacity(MOST_STATES).skip_cache_capacity_check(true);
        let automaton = DFA::builder().configure(config).build_from_nfa(program).ok()?;
        Some(Self { automaton, anchored, price_of_state: NEW_STATE + size::places(pattern) })
    }

    /// Takes what it uses from `steps`.
    pub(super) fn search(&self, text: &str, steps: &mut usize) -> Search {
        self.walk(text, steps).unwrap_or(Search::GivenUp)
    }

    fn walk(&self, text: &str, steps: &mut usize) -> Option<Search> {
        let automaton = &self.automaton;
        let mut cache = Cache::new(automaton);
        let input = Input::new(text).anchored(self.anchored);
        let mut state = automaton.start_state_forward(&mut cache, &input).ok()?;
        if state.is_dead() {
            return Some(Search::NotFound);
        }
        for byte in text.bytes() {
            let mut next = automaton.next_state_untagged(&cache, state, byte);
            if next.is_unknown() {
                let left = steps.checked_sub(self.price_of_state);
                *steps = left.unwrap_or(0);
                left?;
                next = automaton.next_state(&mut cache, state, byte).ok()?;
            }
            if next.is_tagged() {
                if next.is_match() {
                    return Some(Search::Found);
                }
                if next.is_dead() {
                    return Some(Search::NotFound);
                }
                if next.is_quit() {
                    return None;
                }
            }
            state = next;
        }
        let end = automaton.next_eoi_state(&mut cache, state).ok()?;
        Some(if end.is_match() { Search::Found } else { Search::NotFound })
    }
}

/// Characters before a match.
fn anything() -> Hir {
    let sub = Box::new(Hir::dot(Dot::AnyChar));
    Hir::repetition(Repetition { min: 0, max: None, greedy: false, sub })
}
