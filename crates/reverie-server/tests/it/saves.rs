//! Does a save file carry a world, or one checkpoint of it, to another machine?

use serde_json::{Value, json};

use crate::caller::Caller;
use crate::run::{Directory, reverie, run, serve};

const SCENE: &str = "/v1/worlds/inn/conversations/bar";

fn say(caller: &mut Caller, speaker: &str, content: &str, tick: i64) {
    let line = json!({"speaker": speaker, "attribute": "assistant", "content": content, "tick": tick});
    caller.call(&format!("POST {SCENE}/lines"), json!({"lines": [line]}));
}

/// A scene in which somebody comes, something is edited and something whispered; the checkpoint lies in the middle.
fn play(caller: &mut Caller) {
    caller.call(
        "PUT /v1/worlds/inn",
        json!({"preset": "game", "settings": {"calendar": {"kind": "rimworld"}}}),
    );
    caller.call("PUT /v1/worlds/inn/characters/ann", json!({"display_name": "安", "persona": "你是安"}));
    caller.call(
        "POST /v1/worlds/inn/conversations",
        json!({"id": "bar", "name": "bar", "participants": ["ann"]}),
    );
    say(caller, "ann", "一个人 <&>\"]]>", 10);
    caller.call(&format!("PUT {SCENE}/present"), json!({"present": ["ann", "bo"]}));
    say(caller, "bo", "来了 😀", 20);
    caller.call("PATCH /v1/worlds/inn/lines/1", json!({"content": "只有我"}));
    caller.call("PUT /v1/worlds/inn/checkpoints/noon", Value::Null);
    say(caller, "bo", "后来的话", 30);
    caller.call("PATCH /v1/worlds/inn/lines/1", json!({"content": "改过两次"}));
    caller.call("PUT /v1/worlds/inn", json!({"settings": {"language": "en"}}));
}

/// Everything that a host can see of the scene.
fn seen(caller: &mut Caller) -> Value {
    let mut world = caller.get("/v1/worlds/inn");
    world["revision"].take();
    let prompts = ["ann", "bo"].map(|character| caller.recall("/v1/worlds/inn", character, "bar"));
    json!([world, caller.lines(SCENE), caller.get(SCENE), prompts])
}

#[test]
fn a_save_carries_a_world_to_another_machine() {
    let home = Directory::new();
    let server = serve(&["--data", home.path().to_str().unwrap()], &[]);
    let mut caller = Caller::new(&server);
    play(&mut caller);
    let now = seen(&mut caller);
    let exports = [
        (vec!["--format", "jsonl"], false),
        (vec!["--format", "save"], false),
        (vec!["--checkpoint", "noon"], true),
        (vec!["--checkpoint", "noon", "--format", "jsonl"], true),
    ];
    let saves = exports.map(|(flags, at_checkpoint)| {
        let ended = run(reverie(&home).args(["export", "inn", "--data", "."]).args(&flags));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        (flags, at_checkpoint, ended.stdout)
    });
    caller.call("POST /v1/worlds/inn/checkpoints/noon/restore", Value::Null);
    let then = seen(&mut caller);
    assert_ne!(now, then);
    for (flags, at_checkpoint, save) in &saves {
        if !flags.contains(&"jsonl") {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_/:".contains(c);
            assert!(save.chars().all(is_plain), "an XML file takes it as it is: {save}");
        }
        let away = Directory::new();
        // Somebody's editor wrapped it.
        away.write("carried", &format!("\n{save}\n"));
        let server = serve(&["--data", away.path().to_str().unwrap()], &[]);
        let ended = run(reverie(&away).args(["import", "carried", "--data", "."]));
        assert_eq!(ended.code, Some(0), "{flags:?}: {}", ended.stderr);
        let mut caller = Caller::new(&server);
        let expected = if *at_checkpoint { &then } else { &now };
        assert_eq!(&seen(&mut caller), expected, "{flags:?}");
        // It goes on there, and its checkpoint holds there too.
        say(&mut caller, "ann", "新的一天", 40);
        caller.call("POST /v1/worlds/inn/checkpoints/noon/restore", Value::Null);
        assert_eq!(seen(&mut caller), then, "{flags:?}");
    }
}
