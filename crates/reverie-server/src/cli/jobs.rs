//! `reverie jobs`: what models are asked, how far it has come, and what went wrong.

use reverie::SystemClock;
use reverie_api::wire::{HeldUp, HeldUpReason, JobState, JobView};
use reverie_core::clock::Clock as _;
use reverie_core::digest::Purpose;
use reverie_core::job::{Job, Stage};
use reverie_core::{Engine, Result, WorldId};
use reverie_models::{Kind, NO_BUDGET};
use serde_json::{Value, json};

use super::export::check_world;
use crate::output::{Failure, Output};
use crate::settings::Settings;
use crate::{data, models};

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Only this world.
    world: Option<String>,
    /// Make this job due now, whatever it waits for.
    #[arg(long, value_name = "JOB", requires = "world")]
    retry: Option<String>,
    /// Also those that are done.
    #[arg(long)]
    all: bool,
}

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    let world = options.world.as_deref().map(WorldId::new).transpose()?;
    if let (Some(world), Some(key)) = (&world, &options.retry) {
        let (_, api) = data::open_to_change(settings)?;
        check_world(api.engine(), world)?;
        let job = api.engine().retry_job(world, key)?;
        let job = JobView::at(api.engine().now_ms(), job).held_up(&held_up(settings, &[]));
        output.answer(told(&job).trim_end(), &json!({"job": job}));
        return Ok(());
    }
    let (_, api) = data::open_existing(settings)?;
    let engine = api.engine();
    let worlds = match world {
        Some(world) => {
            check_world(engine, &world)?;
            vec![world]
        }
        None => all_worlds(engine)?,
    };
    let mut text = String::new();
    let mut listed = Vec::new();
    let mut all = Vec::new();
    for world in worlds {
        all.extend(jobs(engine, &world)?.into_iter().map(|job| (world.clone(), job)));
    }
    let held_up = held_up(settings, &all.iter().map(|(_, job)| job).collect::<Vec<_>>());
    let now_ms = engine.now_ms();
    for (world, job) in all {
        let job = JobView::at(now_ms, job).held_up(&held_up);
        if options.all || job.state != JobState::Done {
            text.push_str(&format!("{world}  {}", told(&job)));
            let mut job = serde_json::to_value(&job).unwrap_or_default();
            if let Value::Object(fields) = &mut job {
                fields.insert("world".to_owned(), json!(world.to_string()));
            }
            listed.push(job);
        }
    }
    text.push_str(&format!("{} jobs", listed.len()));
    output.answer(&text, &json!({"jobs": listed}));
    Ok(())
}

fn all_worlds(engine: &Engine) -> Result<Vec<WorldId>> {
    let mut worlds: Vec<WorldId> = Vec::new();
    loop {
        let after = worlds.last().map(ToString::to_string);
        let page = engine.worlds(after.as_deref(), engine.limits().page)?;
        worlds.extend(page.items.into_iter().map(|world| world.id));
        if !page.has_more {
            return Ok(worlds);
        }
    }
}

fn jobs(engine: &Engine, world: &WorldId) -> Result<Vec<Job>> {
    let mut jobs: Vec<Job> = Vec::new();
    loop {
        let after = jobs.last().map(|job| job.key.clone());
        let page = engine.jobs(world, after.as_deref(), engine.limits().page)?;
        jobs.extend(page.items);
        if !page.has_more {
            return Ok(jobs);
        }
    }
}

/// Failures after which the next question would fail as well.
const ILL: [Kind; 9] = [
    Kind::Unreachable,
    Kind::KeyRefused,
    Kind::Unpaid,
    Kind::NoSuchModel,
    Kind::TooManyRequests,
    Kind::ServerFault,
    Kind::TimedOut,
    Kind::Cut,
    Kind::Resting,
];

/// What holds jobs up, as far as settings and data tell: how the models of a running server are, only that knows. Where it gave a
/// question back or a model failed, and it is not tried again yet, the others wait for the same.
fn held_up(settings: &Settings, all: &[&Job]) -> impl Fn(Purpose) -> Option<HeldUp> + use<> {
    let is_configured = settings.models.asks();
    let now_ms = SystemClock.now_ms();
    let last = all.iter().filter(|job| job.stage != Stage::Done && job.due_ms > now_ms);
    let last = last
        .filter_map(|job| Some((job.trouble.clone()?, job.due_ms)))
        .max_by_key(|(trouble, _)| trouble.at_ms);
    let held_up = match last {
        _ if !is_configured => Some(models::no_model()),
        Some((trouble, until_ms)) if trouble.code == NO_BUDGET => Some(models::budget_spent(Some(until_ms))),
        Some((trouble, until_ms)) if ILL.iter().any(|kind| kind.as_str() == trouble.code) => Some(HeldUp {
            reason: HeldUpReason::ModelFails,
            message: format!("the model failed when it was last asked: {}", trouble.message),
            until_ms: Some(until_ms),
        }),
        _ => None,
    };
    move |_| held_up.clone()
}

fn told(job: &JobView) -> String {
    let mut text = format!("{}  {}, {}", job.id, job.state.as_str(), job.stage.as_str());
    if job.attempts > 0 {
        text.push_str(&format!(", {} tries", job.attempts));
    }
    // Nobody asks again where nobody asks.
    let asks = job.held_up.as_ref().is_none_or(|held_up| held_up.reason != HeldUpReason::NoModel);
    if let Some(due) = job.due.as_ref().filter(|_| job.state == JobState::Waiting && asks) {
        text.push_str(&format!(", again at {due}"));
    }
    text.push('\n');
    if let Some(held_up) = &job.held_up {
        let until = held_up.until.as_ref().map(|until| format!(" (until {until})")).unwrap_or_default();
        text.push_str(&format!("  held up, {}{until}: {}\n", held_up.reason.as_str(), held_up.message));
    }
    if let Some(trouble) = &job.trouble {
        text.push_str(&format!("  {}: {}\n", trouble.code, trouble.message));
    }
    for reject in &job.rejects {
        text.push_str(&format!("  not believed ({}): {}\n", reject.reason, reject.text));
    }
    text
}
