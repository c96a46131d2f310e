//! What counts now, of what can be changed while the server runs?

use std::sync::{Arc, PoisonError, RwLock};

/// A thing that may be another one from one moment to the next. Whoever has taken hold of one keeps it for as long as the work takes.
pub(crate) struct Current<T: ?Sized>(RwLock<Arc<T>>);

impl<T: ?Sized> Current<T> {
    pub(crate) fn new(first: Arc<T>) -> Self {
        Self(RwLock::new(first))
    }

    pub(crate) fn get(&self) -> Arc<T> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn put(&self, next: Arc<T>) {
        let before = std::mem::replace(&mut *self.0.write().unwrap_or_else(PoisonError::into_inner), next);
        // Not while others wait for the lock: whatever ends with it may take its time.
        drop(before);
    }
}
