//! How many tokens may be spent in an hour, and when may more be?
//!
//! One bucket for each hour of the wall clock. What a question will cost is an estimate; when its answer is there, the
//! estimate is replaced by what it did cost. A question that is larger than the whole budget may be asked in an hour in
//! which nothing else was, or it could never be.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use reverie_core::clock::Clock;

use crate::breaker::Millis;

pub struct Budget {
    per_hour: u64,
    clock: Arc<dyn Clock>,
    account: Mutex<Account>,
}

/// Of one hour: what is written down for all who share the budget, and what of ours is not yet.
#[derive(Debug, Clone, Copy, Default)]
struct Account {
    hour: i64,
    written: u64,
    /// Less than nothing where an answer cost less than the estimate that is written down.
    unwritten: i64,
}

impl Account {
    fn tokens(&self) -> u64 {
        self.written.saturating_add_signed(self.unwritten)
    }
}

/// What was spent in which hour. A [`Driver`](crate::Driver) keeps it in the data of its engine, so that a restart does not
/// give it again, and several servers on one file share it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Hours since 1970.
    pub hour: i64,
    pub tokens: u64,
}

/// An estimate that was granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "settle it with what was really used"]
pub struct Granted {
    hour: i64,
    estimate: u64,
}

/// There is no budget left before this time, in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotBefore(pub Millis);

pub(crate) const HOUR_MS: Millis = 3_600_000;

impl Granted {
    /// Hours since 1970.
    pub fn hour(&self) -> i64 {
        self.hour
    }
}

impl Budget {
    pub fn new(per_hour: u64, clock: Arc<dyn Clock>) -> Self {
        Self::resumed(per_hour, clock, Spent::default())
    }

    /// Goes on where an earlier run stopped.
    pub fn resumed(per_hour: u64, clock: Arc<dyn Clock>, spent: Spent) -> Self {
        let account = Account { hour: spent.hour, written: spent.tokens, unwritten: 0 };
        Self { per_hour, clock, account: Mutex::new(account) }
    }

    pub fn take(&self, estimate: u64) -> Result<Granted, NotBefore> {
        let mut account = self.current();
        let fits = account.tokens().saturating_add(estimate) <= self.per_hour;
        let is_alone = account.tokens() == 0 && self.per_hour > 0;
        if !fits && !is_alone {
            return Err(NotBefore(account.hour.saturating_add(1).saturating_mul(HOUR_MS)));
        }
        account.unwritten = account.unwritten.saturating_add(signed(estimate));
        Ok(Granted { hour: account.hour, estimate })
    }

    /// Replaces the estimate by what was used: 0 for a question that was never sent. Without a word the estimate stands.
    pub fn settle(&self, granted: Granted, used: u64) {
        let mut account = self.current();
        // What belongs to an hour that is over changes nothing any more.
        if granted.hour == account.hour {
            let change = signed(used).saturating_sub(signed(granted.estimate));
            account.unwritten = account.unwritten.saturating_add(change);
        }
    }

    /// What is written down for all who share the budget, now that we have added this much of ours to it. Whoever writes and
    /// learns in one go, one after the other, is never wrong about it.
    pub fn learn(&self, written: Spent, ours: i64) {
        let mut account = self.current();
        if account.hour == written.hour {
            account.written = written.tokens;
            account.unwritten = account.unwritten.saturating_sub(ours);
        }
    }

    pub fn spent(&self) -> Spent {
        let account = self.current();
        Spent { hour: account.hour, tokens: account.tokens() }
    }

    pub fn per_hour(&self) -> u64 {
        self.per_hour
    }

    /// The bucket of the present hour. A clock that is put back by an hour does not fill it again; one that is put right
    /// after having been far ahead does, or nothing could be spent for as long.
    fn current(&self) -> MutexGuard<'_, Account> {
        let hour = self.clock.now_ms().div_euclid(HOUR_MS);
        let mut account = self.account.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = account.hour == hour || account.hour == hour.saturating_add(1);
        if !is_same {
            *account = Account { hour, ..Account::default() };
        }
        account
    }
}

pub(crate) fn signed(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}
