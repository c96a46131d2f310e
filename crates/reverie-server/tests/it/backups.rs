//! Backups that are asked for over HTTP, or by `reverie backup` alone: are they whole, and does nobody else notice?

use serde_json::{Value, json};

use crate::caller::Caller;
use crate::client::request;
use crate::run::{Directory, reverie, run, serve};

#[test]
fn a_backup_is_all_that_there_was_and_the_oldest_makes_room() {
    let data = Directory::new();
    // Nothing else is to be written meanwhile.
    let still = ["--digest-worker", "off", "--backup-keep", "2"];
    let server = serve(&[&["--data", data.path().to_str().unwrap()], &still[..]].concat(), &[]);
    let mut caller = Caller::new(&server);
    let folder = data.path().join("backups");
    let nothing = json!({"folder": folder.to_str().unwrap(), "keep": 2, "backups": []});
    assert_eq!(caller.get("/v1/backups"), nothing);
    let first = caller.call("POST /v1/backup", Value::Null);
    let line = json!({"lines": [{"speaker": "you", "attribute": "user", "content": "雾散了吗？"}]});
    caller.call("POST /v1/worlds/harbour/conversations/lighthouse/lines", line);
    let second = caller.call("POST /v1/backup", Value::Null);
    let then = caller.send("GET /v1/worlds/harbour/export", &Value::Null).body;
    assert_eq!(caller.get("/v1/backups")["backups"], json!([second, first]));
    let third = caller.call("POST /v1/backup", Value::Null);
    assert_eq!(caller.get("/v1/backups")["backups"], json!([third, second]));
    let file = folder.join(second["file"].as_str().unwrap());
    assert_eq!(json!(std::fs::metadata(&file).unwrap().len()), second["bytes"]);
    assert_eq!(folder.read_dir().unwrap().count(), 2, "nothing else lies there");
    // As people would use it.
    let restored = Directory::new();
    std::fs::copy(&file, restored.path().join("reverie.db")).unwrap();
    let again = serve(&[&["--data", restored.path().to_str().unwrap()], &still[..]].concat(), &[]);
    let now = Caller::new(&again).send("GET /v1/worlds/harbour/export", &Value::Null).body;
    assert!(now.contains("雾散了吗？") && now == then, "{now}");
}

#[test]
fn whoever_has_no_token_gets_no_backup() {
    let server = serve(&[], &[("REVERIE_TOKEN", "rv_configured_0123456789")]);
    for (line, token, status) in [
        ("POST /v1/backup", "", 401),
        ("GET /v1/backups", "", 401),
        ("POST /v1/backup", "authorization: Bearer rv_configured_0123456789", 201),
        ("GET /v1/backups", "authorization: Bearer rv_configured_0123456789", 200),
        ("GET /v1/backup", "authorization: Bearer rv_configured_0123456789", 405),
    ] {
        assert_eq!(request(server.address, line, token, "").status, status, "{line} {token}");
    }
}

/// A folder that cannot be there.
#[test]
fn a_refusal_names_the_setting() {
    let data = Directory::new();
    let file = data.write("file", "not a folder");
    let server = serve(&["--data", data.path().to_str().unwrap(), "--backup-folder", &file], &[]);
    let mut caller = Caller::new(&server);
    for line in ["POST /v1/backup", "GET /v1/backups"] {
        let reply = caller.send(line, &Value::Null);
        assert_eq!(reply.status, 503, "{line}: {}", reply.body);
        assert!(
            reply.body.contains("the folder of backups") && reply.body.contains("backup.folder"),
            "{}",
            reply.body
        );
    }
}

#[test]
fn the_command_alone_makes_the_same() {
    let data = Directory::new();
    let folder = data.path().join("elsewhere");
    drop(serve(&["--data", data.path().to_str().unwrap()], &[]));
    let flags = [
        "--data",
        data.path().to_str().unwrap(),
        "--backup-folder",
        folder.to_str().unwrap(),
        "--backup-keep",
        "1",
    ];
    let mut files = Vec::new();
    for _ in 0..2 {
        let ended = run(reverie(&data).args(["backup", "--json"]).args(flags));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let told: Value = serde_json::from_str(&ended.stdout).unwrap();
        files.push(told["file"].as_str().unwrap().to_owned());
        assert_eq!(json!(std::fs::metadata(files.last().unwrap()).unwrap().len()), told["bytes"]);
    }
    let left: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, [std::path::PathBuf::from(&files[1])]);
}
