//! What if vectors cannot be read or written?
//!
//! They only help to find things: whatever needs them goes on without, says so, and leaves them alone for a while.

use std::sync::Arc;

use super::Engine;
use crate::breaker::Rules;
use crate::clock::Clock;
use crate::dependency::{Dependency, Health, Resting};
use crate::store::Store;
use crate::{Code, Result};

/// As `/health` calls it.
const NAME: &str = "vectors";

pub(super) fn dependency(clock: &Arc<dyn Clock>) -> Dependency {
    let rules = Rules { failures: 3, ..Rules::default() };
    Dependency::new(NAME, rules, Arc::clone(clock))
}

impl Engine {
    /// Whether vectors can be read and written, for `/health`.
    pub fn vectors_health(&self) -> Health {
        self.meanings.index.health()
    }

    /// Reads or writes vectors, unless they failed lately.
    pub(super) fn with_vectors<T>(&self, work: impl FnOnce(&dyn Store) -> Result<T>) -> Result<T> {
        let permit = self.meanings.index.ask().map_err(Resting::into_error)?;
        let result = work(self.store.as_ref());
        match &result {
            Err(error) if matches!(error.code(), Code::Unavailable | Code::Corrupt | Code::Internal) => {
                permit.failed(error.code().as_str(), error.message(), None);
            }
            _ => {
                permit.succeeded();
            }
        }
        result
    }
}
