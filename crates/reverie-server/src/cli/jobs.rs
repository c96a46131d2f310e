//! `reverie jobs`: what models are asked, how far it has come, and what went wrong.

use reverie_api::wire::{JobState, JobView};
use reverie_core::{Engine, Result, WorldId};
use serde_json::{Value, json};

use super::export::check_world;
use crate::data;
use crate::output::{Failure, Output};
use crate::settings::Settings;

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
        let job = JobView::at(api.engine().now_ms(), job);
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
    for world in worlds {
        for job in jobs(engine, &world)?.into_iter().filter(|job| options.all || job.state != JobState::Done)
        {
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

fn jobs(engine: &Engine, world: &WorldId) -> Result<Vec<JobView>> {
    let mut jobs: Vec<JobView> = Vec::new();
    loop {
        let after = jobs.last().map(|job| job.id.clone());
        let page = engine.jobs(world, after.as_deref(), engine.limits().page)?;
        jobs.extend(page.items.into_iter().map(|job| JobView::at(engine.now_ms(), job)));
        if !page.has_more {
            return Ok(jobs);
        }
    }
}

fn told(job: &JobView) -> String {
    let mut text = format!("{}  {}, {}", job.id, job.state.as_str(), job.stage.as_str());
    if job.attempts > 0 {
        text.push_str(&format!(", {} tries", job.attempts));
    }
    if let Some(due) = job.due.as_ref().filter(|_| job.state == JobState::Waiting) {
        text.push_str(&format!(", again at {due}"));
    }
    text.push('\n');
    if let Some(trouble) = &job.trouble {
        text.push_str(&format!("  {}: {}\n", trouble.code, trouble.message));
    }
    for reject in &job.rejects {
        text.push_str(&format!("  not believed ({}): {}\n", reject.reason, reject.text));
    }
    text
}
