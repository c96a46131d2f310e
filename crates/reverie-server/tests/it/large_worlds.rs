//! Does the memory stay small where the world is large?

use serde_json::json;

use crate::caller::Caller;
use crate::client::get;
use crate::run::{Directory, reverie, run, serve};

const LINES: usize = 1000;
const LINE_BYTES: usize = 60 << 10;

/// An export that nobody could hold by accident.
fn large() -> String {
    let content = "海".repeat(LINE_BYTES / 3);
    let mut rows = vec![
        json!({"type": "world", "version": 1, "id": "large", "created_ms": 0, "revision": 2, "next_line": LINES + 1}),
        json!({"type": "settings", "version": 0, "preset": "game", "pairs": {}}),
        json!({"type": "character", "id": "ann", "cards": [{"version": 0, "kind": "person"}], "revision": 1}),
        json!({"type": "conversation", "id": "c1", "participants": ["ann"], "revision": 1}),
    ];
    for number in 1..=LINES {
        let mut line = json!({"type": "line", "id": number, "conversation": "c1", "parent": number - 1,
            "attribute": "user", "speaker": "ann", "wordings": [{"content": content}], "wall_ms": 0,
            "present": ["ann"], "revision": 2});
        if number == 1 {
            line.as_object_mut().unwrap().shift_remove("parent");
        }
        rows.push(line);
    }
    rows.push(json!({"type": "head", "revision": 2, "conversation": "c1", "line": LINES}));
    rows.push(json!({"type": "end", "records": rows.len()}));
    rows.iter().map(|row| format!("{row}\n")).collect()
}

#[test]
fn a_large_world_comes_back_as_it_went() {
    let home = Directory::new();
    let file = large();
    home.write("large.jsonl", &file);
    let command = |arguments: &[&str]| {
        let ended = run(reverie(&home).args(arguments).args(["--data", "."]));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        ended.stdout
    };
    command(&["import", "large.jsonl"]);
    assert_same(&command(&["export", "large"]), &file);
    // Only what carries worlds is measured: whoever digests reads all of a character's days that are not summed up.
    let server = serve(&["--data", home.path().to_str().unwrap(), "--digest-worker", "off"], &[]);
    let before = peak_memory(server.child.id());
    Caller::new(&server).call("POST /v1/worlds/large/fork", json!({"id": "copy"}));
    for world in ["large", "copy"] {
        let export = get(server.address, &format!("/v1/worlds/{world}/export")).body;
        let of_lines = |text: &str| text.split_once('\n').unwrap().1.to_owned();
        assert_same(&of_lines(&export), &of_lines(&file));
    }
    let (Some(before), Some(after)) = (before, peak_memory(server.child.id())) else { return };
    let world = LINES * LINE_BYTES;
    assert!(after - before < world, "{} more bytes for a world of {world}", after - before);
}

/// Says no more than that.
fn assert_same(one: &str, other: &str) {
    assert!(one == other, "{} bytes and {} bytes that differ", one.len(), other.len());
}

/// The most bytes that a process ever held, where the system tells.
fn peak_memory(process: u32) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(kilobytes.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
}
