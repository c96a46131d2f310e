//! Does the whole loop work with a real chat model, once: lines, digest, questions, answers?
//!
//! A model of 135 million weights on llama.cpp's own server, both from the package index, on loopback. It is weak: what is checked is
//! that it was asked, that its answers were taken or refused with a reason, and that nothing else went wrong; not what it said.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::docs;
use crate::environment::{Environment, Scratch};
use crate::json::{at, list, text};
use crate::llama::{self, Model};
use crate::report::Tally;
use crate::server::Server;

/// A small machine that does other things as well reads some twenty tokens a second.
const ANSWER_LIMIT: Duration = Duration::from_secs(8 * 60);
/// World, settings, lines: a user's and a character's.
const WORLDS: &[(&str, &str, [&str; 2])] = &[
    (
        "deciding",
        r#"{"settings":{"digest":{"batch_rounds":1}}}"#,
        ["I am allergic to peanuts, so please never bake with them.", "No peanuts, I promise."],
    ),
    (
        "summarising",
        r#"{"settings":{"digest":{"batch_rounds":1,"decide":false,"prompts":"single"}}}"#,
        ["My sister Mary lives in the lighthouse.", "Then we will visit Mary in the lighthouse."],
    ),
];

/// What a weak model may do wrong.
const WEAK: &[&str] = &["unreadable", "broken_off", "empty"];

pub(crate) fn check(environment: &Environment) -> Result<Tally> {
    let model = match Model::start(environment) {
        Ok(model) => model,
        Err(why) => {
            println!("skipped: no real model to be had: {why:#}");
            return Ok(Tally::SKIPPED);
        }
    };
    let scratch = Scratch::new("real-model")?;
    println!("a real model answers at {}", model.address);
    let server = Server::start(
        &docs::binary(environment)?,
        scratch.path(),
        &[
            ("REVERIE_MODELS_CHAT_URL", &model.address),
            ("REVERIE_MODELS_CHAT_MODEL", llama::MODEL),
            ("REVERIE_MODELS_CHAT_MAX_TOKENS", "120"),
            ("REVERIE_MODELS_CHAT_TIMEOUT", "5min"),
        ],
    )?;
    let test = server.ask("POST", "/v1/models/test", "")?;
    if *at(&test, "/models/0/well") != true {
        bail!("the test of the connection says: {test}");
    }
    println!("  {}", text(&test, "/models/0/message").unwrap_or_default());
    for (world, settings, lines) in WORLDS {
        talk(&server, world, settings, lines)?;
    }
    for (world, ..) in WORLDS {
        println!("  {world}: {}", settled(&server, world)?);
    }
    let health = server.ask("GET", "/health", "")?;
    let dependency = at(&health, "/dependencies/0");
    if text(dependency, "/state") != Some("closed") || !at(dependency, "/last_failure").is_null() {
        bail!("the model failed: {dependency}");
    }
    let spent = at(&health, "/models/spend/input_tokens").as_u64().unwrap_or(0);
    if spent == 0 {
        bail!("no token was counted: {health}");
    }
    println!("  {} answered, {spent} tokens read", at(&health, "/models/answered"));
    Ok(Tally::PASSED)
}

fn talk(server: &Server, world: &str, settings: &str, lines: &[&str; 2]) -> Result<()> {
    let at_world = format!("/v1/worlds/{world}");
    server.ask("PUT", &at_world, settings)?;
    let room = r#"{"id":"room","participants":["Ann","Bob"]}"#;
    server.ask("POST", &format!("{at_world}/conversations"), room)?;
    let round = server.ask("POST", &format!("{at_world}/conversations/room/rounds"), "{}")?;
    let round = text(&round, "/id").context("a round without an id")?;
    let [user, character] = lines.map(|line| Value::from(line).to_string());
    let body = format!(
        r#"{{"lines":[{{"speaker":"Ann","attribute":"user","content":{user},"round":"{round}"}},
            {{"speaker":"Bob","attribute":"assistant","content":{character},"round":"{round}"}}]}}"#
    );
    server.ask("POST", &format!("{at_world}/conversations/room/lines"), &body)?;
    server.ask("POST", &format!("{at_world}/rounds/{round}/complete"), "{}")?;
    Ok(())
}

/// What became of the only job of a world, in words; an error if it went wrong in another way than weak models do.
fn settled(server: &Server, world: &str) -> Result<String> {
    let start = Instant::now();
    loop {
        let jobs = server.ask("GET", &format!("/v1/worlds/{world}/jobs"), "")?;
        let job = list(&jobs, "/items").next().cloned().unwrap_or_default();
        let trouble = text(&job, "/trouble/code");
        match (text(&job, "/state"), trouble) {
            (Some("done"), _) => {
                let memories =
                    server.ask("GET", &format!("/v1/worlds/{world}/characters/Bob/memories"), "")?;
                let kept: Vec<&str> = list(&memories, "/items")
                    .filter(|memory| text(memory, "/origin") == Some("statement"))
                    .filter_map(|memory| text(memory, "/text"))
                    .collect();
                let rejects = list(&job, "/rejects").filter_map(|reject| text(reject, "/reason"));
                return Ok(format!("done; kept {kept:?}, not believed {:?}", rejects.collect::<Vec<_>>()));
            }
            (_, Some(code)) if WEAK.contains(&code) => {
                return Ok(format!("asked, and what it said was of no use ({code})"));
            }
            (_, Some(code)) => bail!("{world}: {code}: {job}"),
            _ if start.elapsed() > ANSWER_LIMIT => bail!("{world} is not done: {jobs}"),
            _ => std::thread::sleep(Duration::from_millis(200)),
        }
    }
}
