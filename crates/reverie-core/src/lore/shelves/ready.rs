//! What was made lately and may be wanted again: how much of it is kept, and who makes what is not there?

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::Result;

/// How many are kept.
const MOST: usize = 32;
/// Bytes that they may take together, about. The last one is kept however large it is: it would be made for every prompt.
const MOST_BYTES: usize = 256 << 20;

pub(super) struct Ready<K, V> {
    size: fn(&V) -> usize,
    state: Mutex<State<K, V>>,
    made: Condvar,
}

struct State<K, V> {
    /// The last one used in front.
    kept: VecDeque<(K, Arc<V>)>,
    /// What somebody is at.
    making: Vec<K>,
}

impl<K: Clone + PartialEq, V> Ready<K, V> {
    pub(super) fn new(size: fn(&V) -> usize) -> Self {
        let state = State { kept: VecDeque::new(), making: Vec::new() };
        Self { size, state: Mutex::new(state), made: Condvar::new() }
    }

    /// Whoever comes first makes it, the others wait. `make` may find that it is something else by now, and says what.
    pub(super) fn get(&self, key: &K, make: impl FnOnce() -> Result<(K, V)>) -> Result<Arc<V>> {
        let mut state = self.lock();
        loop {
            if let Some(value) = state.find(key) {
                return Ok(value);
            }
            if !state.making.contains(key) {
                break;
            }
            state = self.made.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.making.push(key.clone());
        drop(state);
        let _making = Making { ready: self, key };
        let (made, value) = make()?;
        let value = Arc::new(value);
        let mut state = self.lock();
        state.kept.retain(|(known, _)| *known != made);
        state.kept.push_front((made, Arc::clone(&value)));
        state.shrink(self.size);
        drop(state);
        Ok(value)
    }

    fn lock(&self) -> MutexGuard<'_, State<K, V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: PartialEq, V> State<K, V> {
    fn find(&mut self, key: &K) -> Option<Arc<V>> {
        let place = self.kept.iter().position(|(known, _)| known == key)?;
        let found = self.kept.remove(place)?;
        let value = Arc::clone(&found.1);
        self.kept.push_front(found);
        Some(value)
    }

    fn shrink(&mut self, size: fn(&V) -> usize) {
        self.kept.truncate(MOST);
        let bytes =
            |kept: &VecDeque<(K, Arc<V>)>| -> usize { kept.iter().map(|(_, value)| size(value)).sum() };
        while self.kept.len() > 1 && bytes(&self.kept) > MOST_BYTES {
            self.kept.pop_back();
        }
    }
}

/// Lets the others go on, whatever came of it.
struct Making<'r, K: Clone + PartialEq, V> {
    ready: &'r Ready<K, V>,
    key: &'r K,
}

impl<K: Clone + PartialEq, V> Drop for Making<'_, K, V> {
    fn drop(&mut self) {
        self.ready.lock().making.retain(|key| key != self.key);
        self.ready.made.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::Error;

    fn get(ready: &Ready<u32, usize>, key: u32, size: usize) -> bool {
        let mut is_made = false;
        ready
            .get(&key, || {
                is_made = true;
                Ok((key, size))
            })
            .unwrap();
        is_made
    }

    #[test]
    fn so_many_and_so_large() {
        let ready: Ready<u32, usize> = Ready::new(|size| *size);
        assert!((0..40).all(|key| get(&ready, key, 1)));
        assert!(!get(&ready, 8, 1), "thirty-two are kept");
        assert!(get(&ready, 7, 1));
        assert!(get(&ready, 100, MOST_BYTES - 2));
        assert!(!get(&ready, 7, 1) && !get(&ready, 8, 1));
        assert!(get(&ready, 39, 1), "too much together");
        assert!(get(&ready, 101, 2 * MOST_BYTES));
        assert!(!get(&ready, 101, 0), "the last one stays");
        assert!(get(&ready, 8, 1));
    }

    #[test]
    fn many_want_it_and_one_makes_it() {
        let ready: Ready<u32, usize> = Ready::new(|size| *size);
        let (made, together) = (AtomicUsize::new(0), Barrier::new(8));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    together.wait();
                    let make = || {
                        made.fetch_add(1, Ordering::SeqCst);
                        (0..1_000).for_each(|_| std::thread::yield_now());
                        Ok((1, 7))
                    };
                    assert_eq!(*ready.get(&1, make).unwrap(), 7);
                });
            }
        });
        assert_eq!(made.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn who_fails_lets_the_next_one_try() {
        let ready: Ready<u32, usize> = Ready::new(|size| *size);
        assert!(ready.get(&1, || Err(Error::invalid("no"))).is_err());
        assert!(get(&ready, 1, 1));
    }
}
