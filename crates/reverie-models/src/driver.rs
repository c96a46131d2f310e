//! Who asks chat models what the engine wants to know, and gives it the answers?
//!
//! A [`Driver`] takes one question at a time, asks the model for its purpose, and hands back what came of it. Whatever happens in
//! between, nothing is lost and nothing counts twice: a question that was taken and never answered is free again when its lease
//! is over, and an answer that comes late is not taken. What could not be asked is given back with the reason, and with the time
//! before which asking makes no sense.
//!
//! The engine blocks, models let one wait: the engine is called on threads that may block, HTTP runs on the others.

mod asking;
mod flight;
mod lanes;
mod shapes;
mod tally;

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use reverie_core::dependency::Health;
use reverie_core::digest::Purpose;
use reverie_core::{Answered, Engine};

use crate::breaker::Millis;
use crate::budget::{Budget, HOUR_MS, Spent};
use crate::chat::Chat;

pub use self::asking::NO_BUDGET;
pub use self::lanes::{Bell, Lanes};
pub use self::tally::Tally;

/// Which model answers what. The same one may answer all.
#[derive(Clone)]
pub struct Chats {
    pub decide: Arc<Chat>,
    pub summarise: Arc<Chat>,
    pub retell: Arc<Chat>,
}

impl Chats {
    /// One model for everything.
    pub fn one(chat: Arc<Chat>) -> Self {
        Self { decide: chat.clone(), summarise: chat.clone(), retell: chat }
    }

    pub fn of(&self, purpose: Purpose) -> &Arc<Chat> {
        match purpose {
            Purpose::Decide => &self.decide,
            Purpose::Summarise => &self.summarise,
            Purpose::Retell => &self.retell,
        }
    }

    /// Each once.
    pub fn all(&self) -> Vec<&Arc<Chat>> {
        let mut all: Vec<&Arc<Chat>> = Vec::new();
        for chat in [&self.decide, &self.summarise, &self.retell] {
            if !all.iter().any(|known| Arc::ptr_eq(known, chat)) {
                all.push(chat);
            }
        }
        all
    }
}

/// What became of one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// There was nothing to ask.
    Nothing,
    /// No model may be asked before this time; nothing was taken.
    Resting { until_ms: Millis },
    /// A model was asked, and this is how its answer was taken.
    Asked(Answered),
    /// A question was taken and given back unasked, to come again at this time.
    GivenBack { until_ms: Millis },
    /// The engine could not be asked. Its own words may tell of dialogue and stay with it.
    Trouble(reverie_core::Error),
}

pub struct Driver {
    engine: Arc<Engine>,
    /// None: there is nobody to ask.
    chats: RwLock<Option<Chats>>,
    budget: Option<Budget>,
    tally: tally::Counters,
    /// The last question was too dear for what was left of the hour.
    broke_until_ms: AtomicI64,
    /// True once it was looked up what was spent before we started.
    knows_spent: AtomicBool,
    /// Questions that were granted and are not settled yet.
    in_flight: flight::InFlight,
    /// Held while what was spent is written down and read back, so that nobody learns what is no longer so.
    writing: tokio::sync::Mutex<()>,
    changed: tokio::sync::watch::Sender<u64>,
}

impl Driver {
    /// Without a budget as much is spent as there is to ask; without models nothing is asked until there are some.
    pub fn new(engine: Arc<Engine>, chats: impl Into<Option<Chats>>, budget: Option<Budget>) -> Self {
        let (changed, _) = tokio::sync::watch::channel(0);
        Self {
            engine,
            chats: RwLock::new(chats.into()),
            budget,
            tally: tally::Counters::default(),
            broke_until_ms: AtomicI64::new(0),
            knows_spent: AtomicBool::new(false),
            in_flight: flight::InFlight::default(),
            writing: tokio::sync::Mutex::new(()),
            changed,
        }
    }

    /// Whom it asks now.
    pub fn chats(&self) -> Option<Chats> {
        self.chats.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks these from now on; what was asked already is answered by whoever was asked.
    pub fn ask_from_now(&self, chats: Option<Chats>) {
        *self.chats.write().unwrap_or_else(PoisonError::into_inner) = chats;
        self.ring();
    }

    /// Of each model that it asks, for `/health`.
    pub fn health(&self) -> Vec<Health> {
        let chats = self.chats();
        let all = chats.iter().flat_map(Chats::all);
        all.map(|chat| chat.dependency().health()).collect()
    }

    pub fn tally(&self) -> Tally {
        self.tally.read()
    }

    /// What was spent in this hour, and what may be.
    pub fn budget(&self) -> Option<(Spent, u64)> {
        self.budget.as_ref().map(|budget| (budget.spent(), budget.per_hour()))
    }

    /// Until when the hour's tokens are spent.
    pub fn broke_until_ms(&self) -> Option<Millis> {
        let now = self.engine.now_ms();
        // A clock that was put right may have been far ahead.
        let is_of_this_hour = |until: &Millis| *until > now && *until <= now.saturating_add(HOUR_MS);
        Some(self.broke_until_ms.load(Ordering::Relaxed)).filter(is_of_this_hour)
    }

    /// Until when no model may be asked: the hour's tokens are spent, or all models are left alone.
    pub fn resting_until_ms(&self) -> Option<Millis> {
        let now = self.engine.now_ms();
        let spent = self.broke_until_ms();
        let rests = |health: Health| health.next_probe_ms.filter(|at| *at > now);
        let resting: Option<Vec<Millis>> = self.health().into_iter().map(rests).collect();
        let resting = resting.and_then(|all| all.into_iter().min());
        spent.into_iter().chain(resting).max()
    }
}
