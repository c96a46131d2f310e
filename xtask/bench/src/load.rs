//! Does the real server stand 200 clients at once, each recording and recalling, while memories are made of what they say? And does
//! it need more and more memory for that?

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::Workshop;
use crate::dialogue::Dice;
use crate::measure::Time;
use crate::minds::sentence;
use crate::server::{Client, Server};
use crate::table::{Against, Row, Target};
use crate::world;

const CLIENTS: usize = 200;
/// How long they go on if nobody says.
const SECONDS: u64 = 120;
const WORLD: &str = "/v1/worlds/load";
/// What each client says before the clock starts, so that caches are full soon.
const BEFORE: usize = 100;
const LOOK: Duration = Duration::from_millis(500);
/// After this part of the time all is warm.
const WARM: f64 = 0.5;
/// What may be more at the end than when it was warm.
const GROWTH: f64 = 1.05;
/// Of the talk that has memories for the first time.
const ROUNDS: usize = 200;
/// What memories may add to what a server takes, after the seed of this project.
const FIRST_GROWTH: f64 = 1.1;

pub(crate) fn run(workshop: &Workshop) -> Result<Vec<Row>> {
    let binary = workshop.server.as_deref().context("name the server's binary: --server=FILE")?;
    let mut rows = clients(workshop, &Server::start(binary, &world::fresh(workshop, "load.db"))?)?;
    rows.extend(first_memories(&Server::start(binary, &world::fresh(workshop, "first.db"))?)?);
    Ok(rows)
}

/// What all clients share.
struct Shared {
    over: AtomicBool,
    failed: AtomicU64,
    first_failure: Mutex<Option<String>>,
    recorded: Mutex<Vec<Duration>>,
    recalled: Mutex<Vec<Duration>>,
}

fn clients(workshop: &Workshop, server: &Server) -> Result<Vec<Row>> {
    let mut watch = Client::connect(&server.host)?;
    watch.ask("PUT", WORLD, &json!({}))?;
    for number in 0..CLIENTS {
        talked_before(&mut watch, number)?;
    }
    watch.ask("POST", &format!("{WORLD}/digest"), &json!({"now": true}))?;
    let shared = Shared {
        over: AtomicBool::new(false),
        failed: AtomicU64::new(0),
        first_failure: Mutex::default(),
        recorded: Mutex::default(),
        recalled: Mutex::default(),
    };
    let lasts = Duration::from_secs(workshop.seconds.unwrap_or(SECONDS));
    let start = Instant::now();
    let mut looks: Vec<Look> = Vec::new();
    let memories = std::thread::scope(|scope| {
        for number in 0..CLIENTS {
            let (shared, host) = (&shared, server.host.as_str());
            scope.spawn(move || shared.told(talk(host, number, shared)));
        }
        let digesting = scope.spawn(|| {
            let made = digest(&server.host, &shared.over);
            let count = made.as_ref().map_or(0, |count| *count);
            shared.told(made.map(|_| ()));
            count
        });
        while start.elapsed() < lasts && shared.failed.load(Ordering::Relaxed) == 0 {
            std::thread::sleep(LOOK);
            let part = start.elapsed().as_secs_f64() / lasts.as_secs_f64();
            looks.extend(look(server, &mut watch, part));
        }
        shared.over.store(true, Ordering::Relaxed);
        digesting.join().unwrap_or_default()
    });
    let took = start.elapsed().as_secs_f64();
    let failed = shared.failed.load(Ordering::Relaxed);
    let why = lock(&shared.first_failure).take().unwrap_or_default();
    let (recorded, recalled) =
        (std::mem::take(&mut *lock(&shared.recorded)), std::mem::take(&mut *lock(&shared.recalled)));
    ensure!(memories > 0, "no memory was made meanwhile");
    let rate = |samples: &[Duration]| format!("{:.0} a second", samples.len() as f64 / took);
    let rows = vec![
        Row {
            case: format!("record, {CLIENTS} clients for {:.0} s", took),
            note: format!("{}; {failed} errors{why}", rate(&recorded)),
            time: Time::of(recorded),
            against: None,
        },
        Row {
            case: format!("recall, {CLIENTS} clients for {:.0} s", took),
            note: format!("{}; {memories} memories made meanwhile; {}", rate(&recalled), growth(&looks)),
            time: Time::of(recalled),
            against: None,
        },
    ];
    Ok(rows)
}

/// What the server takes, at a part of the time.
pub(crate) struct Look {
    part: f64,
    resident: u64,
    /// Of it memories that are kept at hand, on purpose and up to a limit: there are more and more of them.
    at_hand: u64,
}

/// None where the system does not tell.
pub(crate) fn look(server: &Server, client: &mut Client, part: f64) -> Option<Look> {
    let health = client.ask("GET", "/health", &Value::Null).ok()?;
    let at_hand = health.get("minds")?.get("bytes")?.as_u64()?;
    Some(Look { part, resident: server.resident()?, at_hand })
}

/// The last quarter against the one before, without what is kept at hand; and how it came to that, quarter by quarter. Of each the
/// median: an allocator gives back in steps what it does not need, so that the most tells when it did so, and not how much is needed.
pub(crate) fn growth(looks: &[Look]) -> String {
    let besides = |look: &Look| look.resident.saturating_sub(look.at_hand);
    let median = |from: f64, to: f64| {
        let mut these: Vec<&Look> = looks.iter().filter(|look| (from..to).contains(&look.part)).collect();
        these.sort_by_key(|look| besides(look));
        these.get(these.len() / 2).copied()
    };
    let Some((warm, last)) = median(WARM, 0.75).zip(median(0.75, f64::INFINITY)) else {
        return "memory is not measured here".to_owned();
    };
    let quarters = [(0.0, 0.25), (0.25, WARM), (WARM, 0.75), (0.75, f64::INFINITY)];
    let quarters = quarters.iter().filter_map(|(from, to)| median(*from, *to));
    let quarters: Vec<String> = quarters.map(|look| format!("{:.0}", besides(look) as f64 / 1e6)).collect();
    let ratio = besides(last) as f64 / besides(warm) as f64;
    let verdict = if ratio <= GROWTH { "ok" } else { "MISSED" };
    format!(
        "{} MB from quarter to quarter, {ratio:.2} × at the end (≤ {GROWTH} {verdict}), besides {:.0} MB of memories at hand",
        quarters.join(", "),
        last.at_hand as f64 / 1e6
    )
}

/// A client's talk before the clock starts.
fn talked_before(client: &mut Client, number: usize) -> Result<()> {
    let (user, character) = (format!("user{number}"), format!("人{number}"));
    let open = json!({"id": format!("room{number}"), "participants": [user, character]});
    client.ask("POST", &format!("{WORLD}/conversations"), &open)?;
    let mut dice = Dice::new(number as u64 + 1001);
    let mut lines = Vec::new();
    for _ in 0..BEFORE {
        lines.push(json!({"speaker": user, "attribute": "user", "content": sentence(&mut dice, 8)}));
        lines
            .push(json!({"speaker": character, "attribute": "assistant", "content": sentence(&mut dice, 8)}));
    }
    client.ask("POST", &format!("{WORLD}/conversations/room{number}/lines"), &json!({"lines": lines}))?;
    Ok(())
}

fn talk(host: &str, number: usize, shared: &Shared) -> Result<()> {
    let mut client = Client::connect(host)?;
    let (user, character) = (format!("user{number}"), format!("人{number}"));
    let mut dice = Dice::new(number as u64 + 1);
    let lines = format!("{WORLD}/conversations/room{number}/lines");
    while !shared.over.load(Ordering::Relaxed) {
        let said = json!({"lines": [
            {"speaker": user, "attribute": "user", "content": sentence(&mut dice, 8)},
            {"speaker": character, "attribute": "assistant", "content": sentence(&mut dice, 8)},
        ]});
        let start = Instant::now();
        client.ask("POST", &lines, &said)?;
        lock(&shared.recorded).push(start.elapsed());
        let cue = json!({"character": character, "conversation": format!("room{number}"),
            "message": sentence(&mut dice, 6), "history_limit": 20});
        let start = Instant::now();
        let recall = client.ask("POST", &format!("{WORLD}/recall"), &cue)?;
        lock(&shared.recalled).push(start.elapsed());
        ensure!(recall.get("messages").is_some_and(Value::is_array), "a prompt without messages: {recall}");
    }
    Ok(())
}

/// One thread has memories made all the time; gives back how many.
fn digest(host: &str, over: &AtomicBool) -> Result<u64> {
    let mut client = Client::connect(host)?;
    while !over.load(Ordering::Relaxed) {
        client.ask("POST", &format!("{WORLD}/digest"), &json!({"now": true}))?;
    }
    let stats = client.ask("GET", &format!("{WORLD}/stats"), &Value::Null)?;
    Ok(stats.get("memories").and_then(Value::as_u64).unwrap_or(0))
}

impl Shared {
    fn told(&self, ended: Result<()>) {
        if let Err(error) = ended {
            self.failed.fetch_add(1, Ordering::Relaxed);
            lock(&self.first_failure).get_or_insert_with(|| format!(", the first: {error:#}"));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A talk goes on without memories, and then with them.
fn first_memories(server: &Server) -> Result<Vec<Row>> {
    let mut client = Client::connect(&server.host)?;
    client.ask("PUT", WORLD, &json!({"settings": {"recall": {"enabled": false}}}))?;
    let open = json!({"id": "room", "participants": ["user", "人"]});
    client.ask("POST", &format!("{WORLD}/conversations"), &open)?;
    let mut dice = Dice::new(3);
    for _ in 0..ROUNDS {
        let said = json!({"lines": [
            {"speaker": "user", "attribute": "user", "content": sentence(&mut dice, 8)},
            {"speaker": "人", "attribute": "assistant", "content": sentence(&mut dice, 8)},
        ]});
        client.ask("POST", &format!("{WORLD}/conversations/room/lines"), &said)?;
    }
    let mut ask = |client: &mut Client| -> Result<Time> {
        let mut samples = Vec::new();
        for _ in 0..ROUNDS {
            let cue = json!({"character": "人", "conversation": "room", "message": sentence(&mut dice, 6)});
            let start = Instant::now();
            client.ask("POST", &format!("{WORLD}/recall"), &cue)?;
            samples.push(start.elapsed());
        }
        Ok(Time::of(samples))
    };
    let without = ask(&mut client)?;
    let before = server.resident();
    client.ask("PUT", WORLD, &json!({"settings": {"recall": {"enabled": true}}}))?;
    client.ask("POST", &format!("{WORLD}/digest"), &json!({"now": true}))?;
    let with = ask(&mut client)?;
    let note = match before.zip(server.resident()) {
        Some((before, after)) => {
            let ratio = after as f64 / before as f64;
            let verdict = if ratio <= FIRST_GROWTH { "ok" } else { "MISSED" };
            format!(
                "the server takes {:.1} MB, {ratio:.3} × as much (≤ {FIRST_GROWTH} {verdict})",
                after as f64 / 1e6
            )
        }
        None => "memory is not measured here".to_owned(),
    };
    let against = Against { name: "without", time: without, ratio: with.over(without), target: Target::None };
    let case = format!("recall with the first memories of {ROUNDS} rounds");
    Ok(vec![Row { case, time: with, against: Some(against), note }])
}
