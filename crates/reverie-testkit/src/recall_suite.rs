//! Do the right memories come to mind, and only those that may? One suite of stories, told through the engine's doors on
//! every store.
//!
//! A backend's test file says `reverie_testkit::recall_suite!(run)`, where `run` gives the case an empty store. Stories are
//! data: [`prompter`] says how they are written.

#![expect(clippy::unwrap_used, reason = "a case that cannot go on has failed")]

pub mod prompter;

use std::sync::Arc;

use reverie_core::Store;

/// One case: a store that is empty, and something to find out about the engine over it.
pub type Case = fn(Arc<dyn Store>);
