//! What does a character keep of what it lived through?
//!
//! All of it is decided here, from what a store read, and handed back as a [`Commit`](crate::memories::Commit) that the store
//! carries out only if what was read is still so. Nothing here reads a clock, a store or a network.

mod asking;
mod compare;
mod consider;
mod dates;
mod evidence;
mod facts;
mod heading;
mod inherit;
mod language;
mod promotion;
mod prompts;
mod question;
mod retell;
mod round_text;
mod rounds;
mod rules;
mod salience;
mod subjects;
mod summary;

pub(crate) use asking::{decide_question, retell_question, summarise_question};
pub(crate) use compare::{Compared, compare};
pub(crate) use consider::{Batch, Cast, Considered, Numbered, statements};
pub(crate) use evidence::is_ordinary_word;
pub(crate) use facts::{Facts, KnownFacts};
pub use heading::meant;
pub(crate) use heading::{is_heading, round_told_in, speech, without_form};
pub(crate) use inherit::inherit;
pub use inherit::{as_before, predecessor};
pub use language::{Tongue, is_of_letters, tongue_of};
pub use promotion::{Promotion, promotions};
pub(crate) use promotion::{STEPS, day, is_over};
pub use prompts::Prompts;
pub use question::{Answer, Purpose, Question, RawStatement, ReadAnswer, Understood};
pub(crate) use retell::{Retelling, retell, told_anew};
pub use round_text::{Said, round_text};
pub use rounds::{Closing, Rounds, digest_rounds, remember_anew};
pub(crate) use rules::MOST_LINES;
pub use rules::{DigestRules, KEYS};
pub use salience::importance_of_event;
pub(crate) use subjects::tells_of_a_stranger;
pub(crate) use summary::rule_summary;
