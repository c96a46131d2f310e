//! Killed while it makes its data file: does the next start find a way, and the sample world in it?

use std::process::Stdio;
use std::time::Instant;

use serde_json::Value;

use crate::caller::Caller;
use crate::client::{PATIENCE, get};
use crate::run::{Directory, reverie, run, serve};

/// The server is killed as soon as it has made a file with this beginning and this end.
const MOMENTS: &[(&str, &str)] = &[
    ("reverie.db.new-", ""),
    ("reverie.db.new-", "-journal"),
    ("reverie.db.new-", "-wal"),
    ("reverie.db", ".db"),
    ("reverie.db", ".db-wal"),
];

fn names(folder: &Directory) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap().flatten();
    entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

fn sample_lines(address: std::net::SocketAddr) -> usize {
    let lines = get(address, "/v1/worlds/harbour/conversations/lighthouse/lines");
    assert_eq!(lines.status, 200, "{}", lines.body);
    lines.json()["items"].as_array().unwrap().len()
}

#[test]
fn a_server_killed_at_its_first_start_starts_again_with_all_of_the_sample() {
    for (start, end) in MOMENTS.iter().cycle().take(MOMENTS.len() * 3) {
        let data = Directory::new();
        let mut command = reverie(&data);
        command.args(["--listen", "127.0.0.1:0", "--data", "."]);
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        let is_there = |name: &String| name.starts_with(start) && name.ends_with(end);
        // A journal may have come and gone between two looks; the finished file comes last.
        while !names(&data).iter().any(|name| is_there(name) || name == "reverie.db") {
            assert!(began.elapsed() < PATIENCE, "nothing came");
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let server = serve(&["--data", data.path().to_str().unwrap()], &[]);
        assert_eq!(get(server.address, "/health").status, 200, "{start}{end}");
        assert_eq!(sample_lines(server.address), 9, "{start}{end}");
        let left = names(&data).into_iter().find(|name| name.contains(".new-"));
        assert_eq!(left, None, "{start}{end}");
        assert_eq!(run(reverie(&data).args(["doctor", "--data", "."])).code, Some(0), "{start}{end}");
    }
}

/// Each finds one whole file, whoever made it.
#[test]
fn servers_that_start_at_once_share_one_sample() {
    let data = Directory::new();
    let servers: Vec<_> = std::thread::scope(|scope| {
        let starts: Vec<_> =
            (0..4).map(|_| scope.spawn(|| serve(&["--data", data.path().to_str().unwrap()], &[]))).collect();
        starts.into_iter().map(|start| start.join().unwrap()).collect()
    });
    for server in &servers {
        assert_eq!(sample_lines(server.address), 9);
    }
    let name = "PUT /v1/worlds/attic";
    assert_eq!(Caller::new(&servers[0]).send(name, &Value::Null).status, 201);
    assert_eq!(Caller::new(&servers[3]).send(name, &Value::Null).status, 200);
    let left = names(&data).into_iter().find(|name| name.contains(".new-"));
    assert_eq!(left, None);
}

/// A new file in its place would swallow what the journal still holds.
#[test]
fn a_journal_without_its_file_is_no_first_start() {
    let data = Directory::new();
    data.write("reverie.db-wal", "what was said last");
    let ended = run(reverie(&data).args(["--listen", "127.0.0.1:0", "--data", ".", "--fail-fast"]));
    assert_eq!(ended.code, Some(1), "{}", ended.stdout);
    assert!(ended.stderr.contains("its -wal file is there"), "{}", ended.stderr);
    assert_eq!(names(&data), ["reverie.db-wal"]);
}
