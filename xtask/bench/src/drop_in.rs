//! What does a chat pay for going through Reverie: until the first word, in a provider's prompt cache, and with 500 at once?

mod listener;
mod upstream;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use self::listener::Listener;
use self::upstream::{Manner, Upstream};
use crate::Workshop;
use crate::dialogue::Dice;
use crate::load::{Look, growth, look};
use crate::measure::Time;
use crate::minds::sentence;
use crate::server::{Client, Server};
use crate::table::{Against, Row, Target};
use crate::world;

/// What the character has in mind.
const MEMORIES: usize = 10_000;
const REQUESTS: usize = 1000;
/// What may be added until the first word, at the median.
const ADDED: Duration = Duration::from_millis(3);
const TURNS: usize = 50;
/// The share of a request that stays as it was a turn before.
const SAME: f64 = 0.8;
const STREAMS: usize = 500;
/// How long they last if nobody says.
const STREAMS_SECONDS: u64 = 60;
/// Messages that such a client sends at most, as most do: the newest.
const SENT: usize = 30;
const WORLD: &str = "/v1/worlds/default";
const LINES_AT_ONCE: usize = 1000;

pub(crate) fn run(workshop: &Workshop) -> Result<Vec<Row>> {
    let binary = workshop.server.as_deref().context("name the server's binary: --server=FILE")?;
    let instant = Upstream::start(Manner { words: 5, pause: Duration::ZERO })?;
    let url = format!("http://{}/v1", instant.host);
    let server =
        Server::start_with(binary, &world::fresh(workshop, "drop-in.db"), &[("REVERIE_UPSTREAM_URL", &url)])?;
    furnish(&server)?;
    let mut rows = vec![first_word(&server, &instant)?, prompt_cache(&server, &instant)?];
    drop(server);
    let slow = Upstream::start(Manner { words: 40, pause: Duration::from_millis(50) })?;
    let url = format!("http://{}/v1", slow.host);
    let server =
        Server::start_with(binary, &world::fresh(workshop, "streams.db"), &[("REVERIE_UPSTREAM_URL", &url)])?;
    let lasts = Duration::from_secs(workshop.seconds.unwrap_or(STREAMS_SECONDS));
    rows.push(streams(&server, lasts)?);
    Ok(rows)
}

/// Gives 人 much to remember, of talks with the same person in another room.
fn furnish(server: &Server) -> Result<()> {
    let mut client = Client::connect(&server.host)?;
    client.ask("PUT", WORLD, &json!({}))?;
    let open = json!({"id": "before", "name": "before", "participants": ["user", "人"]});
    client.ask("POST", &format!("{WORLD}/conversations"), &open)?;
    let mut dice = Dice::new(7);
    let mut lines = Vec::new();
    for number in 0..MEMORIES {
        lines.push(json!({"speaker": "user", "attribute": "user", "content": sentence(&mut dice, 8)}));
        lines.push(json!({"speaker": "人", "attribute": "assistant", "content": sentence(&mut dice, 8)}));
        if lines.len() >= LINES_AT_ONCE || number + 1 == MEMORIES {
            let said = json!({"lines": std::mem::take(&mut lines)});
            client.ask("POST", &format!("{WORLD}/conversations/before/lines"), &said)?;
        }
    }
    loop {
        let digested = client.ask("POST", &format!("{WORLD}/digest"), &json!({"now": true}))?;
        if digested.get("more").and_then(Value::as_bool) != Some(true) {
            break;
        }
    }
    let stats = client.ask("GET", &format!("{WORLD}/stats"), &Value::Null)?;
    let memories = stats.get("memories").and_then(Value::as_u64).unwrap_or(0);
    ensure!(memories >= MEMORIES as u64, "only {memories} memories were made");
    Ok(())
}

fn chat(messages: &[Value]) -> Value {
    json!({"model": "m@人", "stream": true, "user": "user", "messages": messages})
}

fn message(role: &str, content: &str) -> Value {
    json!({"role": role, "content": content})
}

/// The same requests in turns: straight to the model, and through Reverie.
fn first_word(server: &Server, model: &Upstream) -> Result<Row> {
    let (mut straight, mut through) = (Listener::connect(&model.host)?, Listener::connect(&server.host)?);
    let mut dice = Dice::new(11);
    let (mut without, mut with, mut added) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..REQUESTS + 20 {
        let body = chat(&[message("system", "You are 人."), message("user", &sentence(&mut dice, 8))]);
        let direct = straight.ask(&body, "")?.first;
        let proxied = through.ask(&body, "x-reverie-conversation: first-word\r\n")?;
        ensure!(number < 20 || !proxied.is_without(), "memory is {:?}", proxied.memory);
        let proxied = proxied.first;
        // The first ones warm up.
        if number >= 20 {
            without.push(direct);
            with.push(proxied);
            added.push(proxied.saturating_sub(direct));
        }
    }
    let added = Time::of(added);
    let verdict = if added.median < ADDED { "ok" } else { "MISSED" };
    let (with, without) = (Time::of(with), Time::of(without));
    Ok(Row {
        case: format!("first word, {REQUESTS} requests, {MEMORIES} memories"),
        time: with,
        against: Some(Against {
            name: "straight",
            time: without,
            ratio: with.over(without),
            target: Target::None,
        }),
        note: format!(
            "adds {:.2} ms at the median (< {} ms {verdict}), {:.2} ms at p99",
            added.median.as_secs_f64() * 1e3,
            ADDED.as_millis(),
            added.p99.as_secs_f64() * 1e3
        ),
    })
}

/// A client that sends all that was said, turn after turn: how much of what the model gets begins as it did a turn before?
fn prompt_cache(server: &Server, model: &Upstream) -> Result<Row> {
    let mut client = Listener::connect(&server.host)?;
    let mut dice = Dice::new(13);
    let persona = format!("You are 人. {}", sentence(&mut dice, 200));
    let mut messages = vec![message("system", &persona)];
    // Longer than any window from the first turn.
    for _ in 0..100 {
        messages.push(message("user", &sentence(&mut dice, 20)));
        messages.push(message("assistant", &sentence(&mut dice, 20)));
    }
    let mut before: Option<Vec<u8>> = None;
    let (mut shares, mut samples) = (Vec::new(), Vec::new());
    for _ in 0..=TURNS {
        messages.push(message("user", &sentence(&mut dice, 12)));
        let heard = client.ask(&chat(&messages), "x-reverie-conversation: long\r\n")?;
        ensure!(!heard.is_without(), "memory is {:?}", heard.memory);
        samples.push(heard.first);
        messages.push(message("assistant", &said(&heard.text)));
        let sent = model.last();
        if let Some(before) = &before {
            let same = before.iter().zip(&sent).take_while(|(a, b)| a == b).count();
            shares.push(same as f64 / sent.len() as f64);
        }
        before = Some(sent);
    }
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    let least = shares.iter().copied().fold(1.0, f64::min);
    let verdict = if mean >= SAME { "ok" } else { "MISSED" };
    Ok(Row {
        case: format!("{TURNS} turns of a long talk"),
        time: Time::of(samples),
        against: None,
        note: format!(
            "{mean:.3} of a request on average begins as the one before (≥ {SAME} {verdict}), {least:.3} at least"
        ),
    })
}

/// The words of an answer.
fn said(events: &str) -> String {
    let events = events.lines().filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok());
    let words = events
        .filter_map(|event: Value| Some(event.pointer("/choices/0/delta/content")?.as_str()?.to_owned()));
    words.collect::<String>().trim().to_owned()
}

/// Many chats at once, each with a person and a character of its own, as fast as the model speaks.
fn streams(server: &Server, lasts: Duration) -> Result<Row> {
    let talks = Talks::default();
    let failures: Mutex<Vec<String>> = Mutex::default();
    let lock = |failures: &Mutex<Vec<String>>, error: String| {
        failures.lock().unwrap_or_else(PoisonError::into_inner).push(error);
    };
    let mut watch = Client::connect(&server.host)?;
    let start = Instant::now();
    let mut looks: Vec<Look> = Vec::new();
    std::thread::scope(|scope| {
        for number in 0..STREAMS {
            let (talks, failures, host) = (&talks, &failures, server.host.as_str());
            let talking = move || {
                if let Err(error) = talk(host, number, talks) {
                    lock(failures, format!("{error:#}"));
                }
            };
            let started = std::thread::Builder::new().stack_size(256 << 10).spawn_scoped(scope, talking);
            if let Err(error) = started {
                lock(failures, format!("no thread for a client: {error}"));
            }
        }
        while start.elapsed() < lasts {
            std::thread::sleep(Duration::from_millis(500));
            let part = start.elapsed().as_secs_f64() / lasts.as_secs_f64();
            looks.extend(look(server, &mut watch, part));
        }
        talks.over.store(true, Ordering::Relaxed);
    });
    let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    let first_failure = failures.first().map(|error| format!(", the first: {error}")).unwrap_or_default();
    Ok(Row {
        case: format!("{STREAMS} streams at once for {} s", lasts.as_secs()),
        note: format!(
            "{} answers, {} of them without memory, {} errors{first_failure}; {}",
            talks.answered.load(Ordering::Relaxed),
            talks.without.load(Ordering::Relaxed),
            failures.len(),
            growth(&looks)
        ),
        time: Time::of(talks.firsts.into_inner().unwrap_or_else(PoisonError::into_inner)),
        against: None,
    })
}

/// What all streams share.
#[derive(Default)]
struct Talks {
    over: AtomicBool,
    answered: AtomicU64,
    /// Of these, what was made without memory because that was late. The client is told, and nothing else is missing.
    without: AtomicU64,
    firsts: Mutex<Vec<Duration>>,
}

fn talk(host: &str, number: usize, talks: &Talks) -> Result<()> {
    let mut client = Listener::connect(host)?;
    let mut dice = Dice::new(number as u64 + 1);
    let mut messages = Vec::new();
    while !talks.over.load(Ordering::Relaxed) {
        messages.push(message("user", &sentence(&mut dice, 8)));
        messages.drain(..messages.len().saturating_sub(SENT));
        let body = json!({"model": format!("m@人{number}"), "stream": true, "user": format!("user{number}"),
            "messages": messages});
        let heard = client.ask(&body, "")?;
        talks.firsts.lock().unwrap_or_else(PoisonError::into_inner).push(heard.first);
        talks.without.fetch_add(u64::from(heard.is_without()), Ordering::Relaxed);
        messages.push(message("assistant", &said(&heard.text)));
        talks.answered.fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}
