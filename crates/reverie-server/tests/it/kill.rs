//! What is left when the server is killed in the middle of many writers' work?

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::mpsc::{Sender, channel};

use serde_json::{Value, json};

use crate::caller::{Caller, check_quiet};
use crate::client::PATIENCE;
use crate::run::{Directory, Server, reverie, run, serve};

const ROUNDS: u64 = 12;
const WORLD: &str = "/v1/worlds/storm";

/// Conversation and speaker of each writer: some share a conversation, two of them a scene.
const WRITERS: &[(&str, &str)] = &[
    ("pair", "ann"),
    ("pair", "bo"),
    ("trio", "ann"),
    ("alone", "bo"),
    ("market", "ann"),
    ("market", "stranger"),
];

/// A batch as it was sent; the same bytes again are the same batch.
#[derive(Debug, Clone)]
struct Batch {
    conversation: &'static str,
    body: String,
}

/// What one writer knows when the server is gone.
#[derive(Debug, Default)]
struct Account {
    acknowledged: Vec<Value>,
    /// Sent, and nobody knows whether it was written.
    open: Option<Batch>,
}

/// Per conversation: line number and content of all that was acknowledged.
type Ledger = BTreeMap<String, BTreeMap<u64, String>>;

#[test]
fn acknowledged_lines_survive_a_kill() {
    let data = Directory::new();
    let data_flag = data.path().to_str().unwrap();
    let mut ledger = Ledger::new();
    let mut open: Vec<Batch> = Vec::new();
    let mut random = Random(0x5eed);
    for round in 0..ROUNDS {
        // In every other round the doctor comes first, to a file that nobody has opened since the kill.
        if round % 2 == 1 {
            check_health(&data);
        }
        let server = serve(&["--data", data_flag], &[]);
        let mut caller = Caller::new(&server);
        if round == 0 {
            prepare(&mut caller);
        }
        check_survivors(&mut caller, &ledger, &open);
        for batch in open.drain(..) {
            let reply = caller.try_send(&batch.line(), &batch.body).unwrap();
            assert!([200, 201].contains(&reply.status), "round {round}: {}", reply.body);
            enter(&mut ledger, &reply.json()["lines"]);
        }
        check_paths(&mut caller, &ledger);
        let kill_after = 1 + random.below(60);
        for account in write_until_killed(server, round, kill_after) {
            account.acknowledged.iter().for_each(|lines| enter(&mut ledger, lines));
            open.extend(account.open);
        }
    }
    check_health(&data);
    let written: usize = ledger.values().map(BTreeMap::len).sum();
    assert!(written > ROUNDS as usize, "{written} lines are no test");
}

fn check_health(data: &Directory) {
    let doctor = run(reverie(data).args(["doctor", "--json", "--data", "."]));
    assert_eq!(doctor.code, Some(0), "{}{}", doctor.stdout, doctor.stderr);
    assert_eq!(doctor.json()["findings"], json!([]));
}

fn prepare(caller: &mut Caller) {
    caller.call(&format!("PUT {WORLD}"), json!({}));
    for (id, name, participants) in [
        ("pair", None, json!(["ann", "bo"])),
        ("trio", None, json!(["ann", "bo", "cy"])),
        ("alone", None, json!(["bo"])),
        ("market", Some("market"), json!(["ann"])),
    ] {
        let body = json!({"id": id, "name": name, "participants": participants});
        caller.call(&format!("POST {WORLD}/conversations"), body);
    }
}

/// Every writer goes on until the server is gone; the server goes after so many acknowledgements.
fn write_until_killed(mut server: Server, round: u64, kill_after: u64) -> Vec<Account> {
    let (acknowledge, acknowledged) = channel();
    let address = server.address;
    let accounts = std::thread::scope(|scope| {
        let writers: Vec<_> = WRITERS
            .iter()
            .enumerate()
            .map(|(number, writer)| {
                let acknowledge = acknowledge.clone();
                scope.spawn(move || write(address, round, number, *writer, &acknowledge))
            })
            .collect();
        for _ in 0..kill_after {
            acknowledged.recv_timeout(PATIENCE).expect("the writers stopped");
        }
        server.child.kill().unwrap();
        writers.into_iter().map(|writer| writer.join().unwrap()).collect()
    });
    let (status, _, log) = server.wait();
    assert!(!status.success());
    check_quiet(&log, &["storm", "ann", "stranger", "market", "round", "key-"]);
    accounts
}

fn write(
    address: SocketAddr,
    round: u64,
    number: usize,
    (conversation, speaker): (&'static str, &str),
    acknowledge: &Sender<()>,
) -> Account {
    let mut account = Account::default();
    let Ok(mut caller) = Caller::try_new(address) else { return account };
    for turn in 0.. {
        let line = |index: usize| {
            json!({"speaker": speaker, "attribute": "assistant", "tick": round,
                "content": format!("round {round}, writer {number}, turn {turn}, line {index}")})
        };
        let lines: Vec<Value> = (0..=turn % 3).map(line).collect();
        let key = format!("key-{round}-{number}-{turn}");
        let batch = Batch { conversation, body: json!({"key": key, "lines": lines}).to_string() };
        let Ok(reply) = caller.try_send(&batch.line(), &batch.body) else {
            account.open = Some(batch);
            return account;
        };
        assert_eq!(reply.status, 201, "{}", reply.body);
        account.acknowledged.push(reply.json()["lines"].clone());
        // Nobody listens once the server is killed.
        let _ = acknowledge.send(());
    }
    account
}

impl Batch {
    fn line(&self) -> String {
        format!("POST {WORLD}/conversations/{}/lines", self.conversation)
    }

    fn contents(&self) -> Vec<String> {
        let body: Value = serde_json::from_str(&self.body).unwrap();
        body["lines"].as_array().unwrap().iter().map(content).collect()
    }
}

fn content(line: &Value) -> String {
    line["content"].as_str().unwrap().to_owned()
}

fn enter(ledger: &mut Ledger, lines: &Value) {
    for line in lines.as_array().unwrap() {
        let of = ledger.entry(line["conversation"].as_str().unwrap().to_owned()).or_default();
        let before = of.insert(line["seq"].as_u64().unwrap(), content(line));
        assert_eq!(before, None, "acknowledged twice");
    }
}

/// Right after the restart: all that was acknowledged, in its order; beyond it only whole batches that nobody has an
/// answer for.
fn check_survivors(caller: &mut Caller, ledger: &Ledger, open: &[Batch]) {
    for (conversation, acknowledged) in ledger {
        let mut expected = acknowledged.values().peekable();
        let mut beyond = Vec::new();
        for line in caller.lines(&format!("{WORLD}/conversations/{conversation}")) {
            let content = content(&line);
            if expected.next_if(|expected| **expected == content).is_none() {
                beyond.push(content);
            }
        }
        assert_eq!(expected.next(), None, "{conversation}: acknowledged and lost");
        let open = open.iter().filter(|batch| batch.conversation == conversation);
        for batch in open.map(Batch::contents) {
            let found = beyond.iter().filter(|content| batch.contains(content)).count();
            assert!([0, batch.len()].contains(&found), "{conversation}: {found} of {batch:?}");
            beyond.retain(|content| !batch.contains(content));
        }
        assert_eq!(
            beyond,
            Vec::<String>::new(),
            "{conversation}: nobody sent these, or they are there twice"
        );
    }
}

/// Once nothing is open: the path is exactly what was acknowledged, each line behind the one before.
fn check_paths(caller: &mut Caller, ledger: &Ledger) {
    for (conversation, acknowledged) in ledger {
        let path = caller.lines(&format!("{WORLD}/conversations/{conversation}"));
        let found: Vec<(u64, String)> =
            path.iter().map(|line| (line["seq"].as_u64().unwrap(), content(line))).collect();
        let expected: Vec<(u64, String)> =
            acknowledged.iter().map(|(seq, content)| (*seq, content.clone())).collect();
        assert_eq!(found, expected, "{conversation}");
        assert!(path[0]["parent"].is_null());
        for pair in path.windows(2) {
            assert_eq!(pair[1]["parent"], pair[0]["id"], "{conversation}");
        }
    }
}

/// The same numbers in every run; what differs is what the machine makes of them.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}
