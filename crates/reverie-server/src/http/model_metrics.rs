//! What chat models were asked, what it cost, and which of them are left alone: as Prometheus text.

use std::fmt::{Result, Write};

use reverie_models::breaker::State;
use reverie_models::{Driver, Health};

use super::metrics::describe;

/// Nothing if no model is configured.
pub(super) fn write(page: &mut String, driver: Option<&Driver>) -> Result {
    let Some(driver) = driver else { return Ok(()) };
    let tally = driver.tally();
    let name = "reverie_model_questions_total";
    describe(page, name, "counter", "Questions to chat models, by what became of them.")?;
    for (outcome, count) in [
        ("answered", tally.answered),
        ("failed", tally.failed),
        ("given_back", tally.given_back),
        ("late", tally.late),
    ] {
        writeln!(page, "{name}{{outcome=\"{outcome}\"}} {count}")?;
    }
    let name = "reverie_model_tokens_total";
    describe(page, name, "counter", "Tokens of questions and answers, as counted by servers or estimated.")?;
    writeln!(page, "{name}{{direction=\"input\"}} {}", tally.input_tokens)?;
    writeln!(page, "{name}{{direction=\"output\"}} {}", tally.output_tokens)?;
    for (name, help, count) in [
        ("reverie_model_memories_total", "Memories made of models' answers.", tally.memories),
        ("reverie_model_rejected_total", "Statements of models that were not believed.", tally.rejected),
    ] {
        describe(page, name, "counter", help)?;
        writeln!(page, "{name} {count}")?;
    }
    describe(page, "reverie_model_asking", "gauge", "Questions that are being asked.")?;
    writeln!(page, "reverie_model_asking {}", tally.asking)?;
    if let Some((spent, per_hour)) = driver.budget() {
        describe(
            page,
            "reverie_model_tokens_this_hour",
            "gauge",
            "Tokens of the budget spent in this hour.",
        )?;
        writeln!(page, "reverie_model_tokens_this_hour {}", spent.tokens)?;
        describe(page, "reverie_model_tokens_per_hour", "gauge", "The budget of an hour.")?;
        writeln!(page, "reverie_model_tokens_per_hour {per_hour}")?;
    }
    Ok(())
}

pub(super) fn write_dependencies(page: &mut String, dependencies: &[Health]) -> Result {
    let name = "reverie_dependency_state";
    describe(page, name, "gauge", "1 for the state that a dependency's breaker is in.")?;
    for health in dependencies {
        for state in [State::Closed, State::Open, State::HalfOpen] {
            let is_it = u8::from(health.state == state);
            writeln!(page, "{name}{{name=\"{}\",state=\"{}\"}} {is_it}", health.name, state.as_str())?;
        }
    }
    Ok(())
}
