//! Which models does this server ask, are they well, and what do they cost?

use std::sync::Arc;

use reverie::SystemClock;
use reverie_api::wire::{
    BreakerState, DependencyView, DriverState, HeldUp, HeldUpReason, ModelTestView, ModelsHealthView,
    SpendView, TroubleView, format_time,
};
use reverie_core::clock::Clock as _;
use reverie_core::digest::Purpose;
use reverie_core::{Code, Engine, Error, Result};
use reverie_models::breaker::State;
use reverie_models::{
    Budget, Chat, ChatModel, Chats, Driver, Embeddings, Health, LastFailure, Probe, Surroundings,
};

use crate::settings::{CHAT, DECIDE, Models, OfModel, RETELL, SUMMARISE, TOKENS_PER_HOUR};

/// None if no model is configured.
pub(crate) fn chats(models: &Models) -> Result<Option<Chats>> {
    let make = |model: &Option<ChatModel>, of: &OfModel| {
        model.as_ref().map(|model| chat(of.name, model)).transpose()
    };
    let common = make(&models.chat, &CHAT)?;
    let decide = make(&models.decide, &DECIDE)?;
    let summarise = make(&models.summarise, &SUMMARISE)?;
    let retell = make(&models.retell, &RETELL)?;
    // Whoever can sum up rounds can retell a day; whoever can only say yes or no comes last.
    let others = [&common, &summarise, &retell, &decide].into_iter().flatten().next().cloned();
    let Some(others) = others else { return Ok(None) };
    let [decide, summarise, retell] =
        [decide, summarise, retell].map(|own| own.unwrap_or_else(|| others.clone()));
    Ok(Some(Chats { decide, summarise, retell }))
}

/// A model behind this name, as errors and `/health` call it.
pub(crate) fn chat(name: &str, model: &ChatModel) -> Result<Arc<Chat>> {
    let surroundings = Surroundings::real(Arc::new(SystemClock));
    let chat = Chat::new(name, model.clone(), surroundings).map_err(|error| {
        let passed_on = Error::invalid(format!("{name}: {}", error.message()));
        error.hint_text().map(str::to_owned).into_iter().fold(passed_on, Error::hint)
    })?;
    Ok(Arc::new(chat))
}

/// The one that answers what no other is for.
pub(crate) fn common_chat(models: &Models) -> Result<Option<Arc<Chat>>> {
    models.chat.as_ref().map(|model| chat(CHAT.name, model)).transpose()
}

/// Whoever will ask, as soon as there is a model.
pub(crate) fn driver(engine: &Arc<Engine>, models: &Models) -> Result<Arc<Driver>> {
    let budget = models.tokens_per_hour.map(|tokens| Budget::new(tokens, Arc::new(SystemClock)));
    Ok(Arc::new(Driver::new(Arc::clone(engine), chats(models)?, budget)))
}

/// What is tested, and how.
pub(crate) enum Tested {
    /// By a question.
    Chat(Arc<Chat>),
    /// By a text to embed.
    Embeddings(Arc<Embeddings>),
    /// By asking for the models that there are: of a server whose clients choose one.
    Listing(Arc<Chat>),
}

impl Tested {
    async fn test(self) -> ModelTestView {
        match self {
            Self::Chat(chat) => view(chat.dependency().name(), chat.probe().await),
            Self::Embeddings(embeddings) => view(embeddings.dependency().name(), embeddings.probe().await),
            Self::Listing(chat) => view(chat.dependency().name(), chat.probe_by_listing().await),
        }
    }
}

/// Asks each model one tiny question, all at once; blocks for up to a minute or so.
pub(crate) fn test(chats: Option<&Chats>, embeddings: &[Arc<Embeddings>]) -> Vec<ModelTestView> {
    let chats = chats.into_iter().flat_map(Chats::all).cloned().map(Tested::Chat);
    test_all(chats.chain(embeddings.iter().cloned().map(Tested::Embeddings)).collect())
}

/// As `test`, for a single one.
pub(crate) fn test_one(one: Tested) -> Result<ModelTestView> {
    test_all(vec![one])
        .pop()
        .ok_or_else(|| Error::new(Code::Internal, "the server cannot start a thread for the test"))
}

fn test_all(all: Vec<Tested>) -> Vec<ModelTestView> {
    // A thread of its own: the caller may stand in a runtime, where another cannot run.
    let asking = std::thread::spawn(move || -> std::io::Result<Vec<ModelTestView>> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(runtime.block_on(async {
            let mut tests = tokio::task::JoinSet::new();
            for (place, one) in all.into_iter().enumerate() {
                tests.spawn(async move { (place, one.test().await) });
            }
            let mut found = tests.join_all().await;
            found.sort_by_key(|(place, _)| *place);
            found.into_iter().map(|(_, view)| view).collect()
        }))
    });
    match asking.join() {
        Ok(Ok(found)) => found,
        _ => Vec::new(),
    }
}

fn view(name: &str, probe: Probe) -> ModelTestView {
    ModelTestView {
        name: name.to_owned(),
        well: probe.is_well,
        message: probe.message,
        hint: probe.hint,
        server_said: probe.server_said,
        offered: probe.offered,
        dimensions: probe.dims,
    }
}

/// What keeps the models from being asked for a purpose; None: nothing does.
pub(crate) fn held_up(driver: &Driver, purpose: Purpose) -> Option<HeldUp> {
    let now_ms = SystemClock.now_ms();
    let Some(chats) = driver.chats() else { return Some(no_model()) };
    let left_alone = chats.of(purpose).dependency().health();
    if let Some(until_ms) = left_alone.next_probe_ms.filter(|until_ms| *until_ms > now_ms) {
        let last = left_alone.last_failure.map(|last| format!(": {}", last.message)).unwrap_or_default();
        return Some(HeldUp {
            reason: HeldUpReason::ModelFails,
            message: format!("{} fails and is left alone for a while{last}", left_alone.name),
            until_ms: Some(until_ms),
        });
    }
    driver.broke_until_ms().map(|until_ms| budget_spent(Some(until_ms)))
}

pub(crate) fn no_model() -> HeldUp {
    let (url, model) = (CHAT.url.name, CHAT.model.name);
    HeldUp {
        reason: HeldUpReason::NoModel,
        message: format!(
            "no chat model is configured: set {url} and {model}, or take questions and answer them yourself"
        ),
        until_ms: None,
    }
}

pub(crate) fn budget_spent(until_ms: Option<i64>) -> HeldUp {
    let setting = TOKENS_PER_HOUR.name;
    HeldUp {
        reason: HeldUpReason::BudgetSpent,
        message: format!("the tokens of this hour are spent: wait for the next hour, or raise {setting}"),
        until_ms,
    }
}

/// What `/health` says of it all; None: no model is configured.
pub(crate) fn health(driver: Option<&Driver>) -> ModelsHealthView {
    let Some(driver) = driver.filter(|driver| driver.chats().is_some()) else {
        return ModelsHealthView::off();
    };
    let tally = driver.tally();
    let resting_until = driver.resting_until_ms();
    let state = match () {
        () if tally.asking > 0 => DriverState::Asking,
        () if resting_until.is_some() => DriverState::Resting,
        () => DriverState::Idle,
    };
    let budget = driver.budget();
    ModelsHealthView {
        driver: state,
        resting_until: resting_until.filter(|_| state == DriverState::Resting).and_then(format_time),
        asking: tally.asking,
        answered: tally.answered,
        failed: tally.failed,
        memories: tally.memories,
        rejected: tally.rejected,
        spend: SpendView {
            input_tokens: tally.input_tokens,
            output_tokens: tally.output_tokens,
            this_hour: budget.map(|(spent, _)| spent.tokens),
            per_hour: budget.map(|(_, per_hour)| per_hour),
        },
    }
}

pub(crate) fn dependency(health: Health) -> DependencyView {
    DependencyView {
        name: health.name,
        state: match health.state {
            State::Closed => BreakerState::Closed,
            State::Open => BreakerState::Open,
            State::HalfOpen => BreakerState::HalfOpen,
        },
        since: format_time(health.since_ms),
        failures: health.failures,
        last_failure: health.last_failure.map(trouble),
        next_probe: health.next_probe_ms.and_then(format_time),
    }
}

pub(crate) fn trouble(last: LastFailure) -> TroubleView {
    TroubleView { code: last.code, message: last.message, at: format_time(last.at_ms) }
}
