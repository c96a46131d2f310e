//! A data file that cannot be opened at the start: does the server serve what needs none, say what is missing, and come by its file
//! without help? And what is final is touched by nobody.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::caller::{Caller, check_quiet};
use crate::run::{Directory, Server, reverie, run, serve};
use crate::stopping::wait_until;

/// Something that is in the way of a data file, and how it goes away.
struct Trouble {
    what: &'static str,
    flags: &'static [&'static str],
    /// Makes it so; the folder is there and empty.
    begin: fn(&Path) -> Held,
    /// Of what `/health` says.
    reason: &'static str,
    /// Whether there is a file with a world of ours under it.
    has_world: bool,
}

/// What is held until the trouble is over; its end ends the trouble.
struct Held(Box<dyn FnOnce()>);

const TROUBLES: &[Trouble] = &[
    Trouble {
        what: "another program's lock",
        flags: &[],
        begin: |folder| {
            finished(folder);
            let lock = rusqlite::Connection::open(folder.join("reverie.db")).unwrap();
            lock.pragma_update(None, "locking_mode", "exclusive").unwrap();
            lock.execute_batch("BEGIN EXCLUSIVE; CREATE TABLE mine (a)").unwrap();
            Held(Box::new(move || lock.execute_batch("ROLLBACK").map(|()| drop(lock)).unwrap()))
        },
        reason: "being opened",
        has_world: true,
    },
    Trouble {
        what: "a folder that cannot be made, because a file has its name",
        flags: &[],
        begin: |folder| {
            let folder = folder.to_owned();
            std::fs::remove_dir_all(&folder).unwrap();
            std::fs::write(&folder, "in the way").unwrap();
            Held(Box::new(move || std::fs::remove_file(&folder).unwrap()))
        },
        reason: "cannot be written",
        has_world: false,
    },
    Trouble {
        what: "a volume that is mounted later",
        flags: &["--expect-data"],
        begin: |folder| {
            let folder = folder.to_owned();
            let elsewhere = Directory::new();
            finished(elsewhere.path());
            Held(Box::new(move || {
                assert!(names(&folder).is_empty(), "nothing was made meanwhile: {:?}", names(&folder));
                put(&elsewhere.path().join("reverie.db"), &folder.join("reverie.db"));
            }))
        },
        reason: "there is no data file",
        has_world: true,
    },
];

/// A file appears under its name when it is whole.
fn put(from: &Path, to: &Path) {
    let draft = to.with_extension("on-its-way");
    std::fs::copy(from, &draft).unwrap();
    std::fs::rename(draft, to).unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

/// A closed file with a world in it.
fn finished(folder: &Path) {
    let server = serve(&["--data", folder.to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    caller.call("PUT /v1/worlds/attic", Value::Null);
    caller.call("POST /v1/worlds/attic/conversations", json!({"id": "pair", "participants": ["ann", "bo"]}));
    caller.call("POST /v1/worlds/attic/conversations/pair/lines", line("你还记得吗"));
    crate::signals::signal(&server, "TERM");
    server.wait();
}

fn line(content: &str) -> Value {
    json!({"lines": [{"speaker": "ann", "attribute": "user", "content": content}]})
}

fn health(caller: &mut Caller) -> (u16, Value) {
    let reply = caller.send("GET /health", &Value::Null);
    (reply.status, reply.json())
}

/// What `/health` says of the file.
pub(crate) fn database(health: &Value) -> Value {
    let all = health["dependencies"].as_array().unwrap();
    all.iter().find(|one| one["name"] == "database").unwrap().clone()
}

/// What is answered without a file, and how the rest is refused.
fn check_without_memory(caller: &mut Caller, what: &str, reason: &str) {
    let (status, told) = health(caller);
    assert_eq!((status, told["status"].as_str()), (503, Some("unavailable")), "{what}: {told}");
    assert!(told["error"]["message"].as_str().unwrap().contains(reason), "{what}: {told}");

    let cue = json!({
        "character": "bo", "system": "你是 bo", "message": {"content": "出发吗？", "speaker": "ann"},
        "history": [{"speaker": "ann", "attribute": "user", "content": "船来了"}, {"speaker": "bo", "attribute": "assistant", "content": "看见了"}],
    });
    let recall = caller.call("POST /v1/worlds/attic/recall", cue);
    let messages = recall["messages"].to_string();
    for said in ["你是 bo", "船来了", "看见了", "出发吗？"] {
        assert!(messages.contains(said), "{what}: {said} is not in {messages}");
    }
    let degraded: Vec<&str> =
        recall["degraded"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert!(degraded.contains(&"memory_unavailable"), "{what}: {recall}");

    // Nothing of what was said before is known; the persona and the newest words are.
    for place in [json!({"conversation": "pair"}), json!({"participants": ["ann", "bo"]})] {
        let mut cue = json!({"character": "bo", "system": "你是 bo", "message": {"content": "まだ起きてる？", "speaker": "ann"}});
        cue.as_object_mut().unwrap().extend(place.as_object().unwrap().clone());
        let recall = caller.call("POST /v1/worlds/attic/recall", cue.clone());
        let messages = recall["messages"].as_array().unwrap();
        assert_eq!(messages.len(), 2, "{what}: {recall}");
        assert!(messages[0]["content"].as_str().unwrap().contains("你是 bo"), "{what}: {recall}");
        assert!(messages[1]["content"].as_str().unwrap().contains("まだ起きてる？"), "{what}: {recall}");
        let told = recall["degraded"].as_array().unwrap();
        let told = told.iter().find(|one| one["code"] == "memory_unavailable").unwrap();
        assert!(told["message"].as_str().unwrap().contains(reason), "{what}: {told}");
        assert!(!told["hint"].as_str().unwrap().is_empty(), "{what}: {told}");
        cue["budget"] = json!(3);
        assert_eq!(
            caller.send("POST /v1/worlds/attic/recall", &cue).status,
            400,
            "{what}: the budget stays hard"
        );
    }

    let scan = json!({
        "books": [{"entries": {"0": {"uid": 0, "key": ["船"], "content": "船叫归舟号"}}}],
        "messages": [{"name": "ann", "text": "船来了"}],
    });
    let scanned = caller.call("POST /v1/lore/scan", scan);
    assert!(scanned["active"].to_string().contains("归舟号"), "{what}: {scanned}");

    for (request, body) in [
        ("POST /v1/worlds/attic/recall", json!({"character": "bo", "conversation": "pair"})),
        ("POST /v1/worlds/attic/conversations/pair/lines", line("没人记下")),
        ("GET /v1/worlds", Value::Null),
        ("PUT /v1/worlds/new", json!({})),
    ] {
        let reply = caller.send(request, &body);
        assert_eq!(reply.status, 503, "{what}, {request}: {}", reply.body);
        assert!(reply.error().starts_with("unavailable: memory is off for now: "), "{what}: {}", reply.body);
        let pause: u64 = reply.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=60).contains(&pause), "{what}: {pause}");
    }
}

fn check_with_memory(server: &Server, what: &str, has_world: bool) {
    let mut caller = Caller::new(server);
    wait_until(|| health(&mut caller).0 == 200);
    let (_, told) = health(&mut caller);
    assert_eq!(
        (&told["status"], &database(&told)["state"]),
        (&json!("ok"), &json!("closed")),
        "{what}: {told}"
    );
    if has_world {
        assert!(caller.recall("/v1/worlds/attic", "bo", "pair").contains("你还记得吗"), "{what}");
        caller.call("POST /v1/worlds/attic/conversations/pair/lines", line("记得"));
    } else {
        assert_eq!(
            caller.lines("/v1/worlds/harbour/conversations/lighthouse").len(),
            9,
            "{what}: a first start"
        );
    }
    // Whoever works on the file begins a moment later.
    wait_until(|| health(&mut caller).1["digest"]["worker"].as_str().is_some_and(|state| state != "off"));
}

#[test]
fn a_file_that_cannot_be_opened_is_waited_for() {
    for Trouble { what, flags, begin, reason, has_world } in TROUBLES {
        let data = Directory::new();
        let trouble = begin(data.path());
        let server = serve(&[&["--data", data.path().to_str().unwrap()], *flags].concat(), &[]);
        assert_eq!(server.ready["memory"], "late", "{what}: {}", server.ready);
        check_without_memory(&mut Caller::new(&server), what, reason);
        (trouble.0)();
        check_with_memory(&server, what, *has_world);
        check_quiet(&server.log(), &["归舟号", "出发吗", "没人记下"]);
        // The folder may have been made by the server itself.
        drop(server);
    }
}

#[test]
fn a_server_that_shall_not_wait_ends() {
    for Trouble { what, flags, begin, .. } in TROUBLES.iter().skip(1) {
        let data = Directory::new();
        let trouble = begin(data.path());
        let mut command = reverie(&Directory::new());
        command.args(["serve", "--listen", "127.0.0.1:0", "--fail-fast"]).args(*flags);
        let ended = run(command.current_dir("/").arg("--data").arg(data.path()));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(1), ""), "{what}: {}", ended.stderr);
        assert!(
            ended.stderr.starts_with("error: ") && ended.stderr.contains("hint: "),
            "{what}: {}",
            ended.stderr
        );
        (trouble.0)();
    }
}

fn file(folder: &Directory) -> PathBuf {
    folder.path().join("reverie.db")
}

/// What became of a good file, and what is said of it.
fn spoiled(good: &Directory) -> [(Vec<u8>, &'static str); 3] {
    let whole = std::fs::read(file(good)).unwrap();
    let (mut newer, mut foreign) = (whole.clone(), whole.clone());
    newer[60..64].copy_from_slice(&[0, 0, 0, 99]);
    foreign[68..72].copy_from_slice(b"Othr");
    [
        (whole[..whole.len() / 2].to_vec(), "is damaged"),
        (newer, "by a newer Reverie"),
        (foreign, "of another program"),
    ]
}

fn check_untouched(data: &Directory, bytes: &[u8], reason: &str) {
    assert!(std::fs::read(file(data)).unwrap() == bytes, "{reason}: it was touched");
    assert_eq!(names(data.path()), ["reverie.db"], "{reason}");
}

/// A file that can never be used as it is disables memory, not the chat. It is left as it is, no new one is made when it is taken away,
/// and a good one is used as soon as it is there.
#[test]
fn a_server_starts_beside_a_file_that_is_no_good() {
    let good = Directory::new();
    finished(good.path());
    for (bytes, reason) in spoiled(&good) {
        let data = Directory::new();
        std::fs::write(file(&data), &bytes).unwrap();
        let server = serve(&["--data", data.path().to_str().unwrap()], &[]);
        assert_eq!(server.ready["memory"], "late", "{reason}: {}", server.ready);
        let mut caller = Caller::new(&server);
        check_without_memory(&mut caller, reason, reason);
        let (_, told) = health(&mut caller);
        assert!(told["error"]["hint"].as_str().unwrap().contains("--data DIR"), "{reason}: {told}");
        assert_ne!(database(&told)["state"], "closed", "{reason}: {told}");
        check_untouched(&data, &bytes, reason);
        // Whoever mends it takes the old one away first, and the copy of the new one begins empty.
        std::fs::remove_file(file(&data)).unwrap();
        std::fs::write(file(&data), "").unwrap();
        wait_until(|| {
            health(&mut caller).1["error"]["message"].as_str().unwrap().contains("no data file any more")
        });
        assert!(std::fs::read(file(&data)).unwrap().is_empty(), "{reason}: a new one was made");
        std::fs::remove_file(file(&data)).unwrap();
        put(&file(&good), &file(&data));
        check_with_memory(&server, reason, true);
        check_quiet(&server.log(), &["你还记得吗", "まだ起きてる"]);
    }
}

/// The same for what comes while the server waits for a file.
#[test]
fn a_file_that_is_no_good_is_never_replaced_by_a_new_one() {
    let good = Directory::new();
    finished(good.path());
    let data = Directory::new();
    let server = serve(&["--expect-data", "--data", data.path().to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    for (bytes, reason) in spoiled(&good) {
        let elsewhere = Directory::new();
        std::fs::write(file(&elsewhere), &bytes).unwrap();
        put(&file(&elsewhere), &file(&data));
        wait_until(|| health(&mut caller).1["error"]["message"].as_str().unwrap().contains(reason));
        check_without_memory(&mut caller, reason, reason);
        let told = database(&health(&mut caller).1);
        assert_ne!(told["state"], "closed", "{told}");
        assert!(told["last_failure"]["message"].as_str().unwrap().contains(reason), "{told}");
        check_untouched(&data, &bytes, reason);
    }
    put(&file(&good), &file(&data));
    check_with_memory(&server, "a good file", true);
}
