//! Several embedding models beside each other, each for the worlds that name it.

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::run::{Directory, reverie, run, serve};
use crate::stopping::wait_until;

/// A world that names a model is embedded by it, one that names none by the table; whoever changes its mind is embedded anew.
#[test]
fn each_world_has_the_one_that_it_names() {
    let model = ScriptedModel::always(Behaviour::Perfect);
    let data = Directory::new();
    let config = format!(
        "[models.embedders.bge]\nurl = \"{}\"\nmodel = \"scripted-embedding\"\ndims = 8\nspace = \"home\"\nkey = \"sk-swordfish\"\n",
        model.openai()
    );
    let config = data.write("reverie.toml", &config);
    let server = serve(&["--config", &config], &[]);
    let mut caller = Caller::new(&server);
    caller.call("PUT /v1/worlds/plain", json!({}));
    caller.call("PUT /v1/worlds/fine", json!({"settings": {"embedder": "bge"}}));
    for world in ["plain", "fine"] {
        let happened = json!({"text": "四川火锅要配香油蒜泥", "witnesses": ["ann"]});
        caller.call(&format!("POST /v1/worlds/{world}/events"), happened);
    }
    let mut embedded = |world: &str, wanted: &dyn Fn(&str) -> bool| {
        wait_until(|| {
            let embedding = caller.get(&format!("/v1/worlds/{world}/stats"))["embedding"].clone();
            let spaces = embedding["by_space"].as_object().cloned().unwrap_or_default();
            spaces.iter().any(|(space, texts)| wanted(space) && *texts == embedding["texts"])
        });
    };
    let is_table = |space: &str| space.starts_with("reverie-");
    let is_model = |space: &str| space == "scripted-embedding:8@home";
    embedded("fine", &is_model);
    embedded("plain", &is_table);
    assert!(model.seen().iter().all(|seen| seen.header("authorization") == Some("Bearer sk-swordfish")));
    let changed = caller_put(&server, "plain", "bge");
    assert_eq!(changed["settings"]["embedder"], "bge", "{changed}");
    embedded("plain", &is_model);
    caller_put(&server, "plain", "offline");
    embedded("plain", &is_table);
    let tested = Caller::new(&server).call("POST /v1/models/test", json!({}));
    assert_eq!(tested["models"][0]["name"], "models.embedders.bge", "{tested}");
}

fn caller_put(server: &crate::run::Server, world: &str, embedder: &str) -> Value {
    Caller::new(server).call(&format!("PUT /v1/worlds/{world}"), json!({"settings": {"embedder": embedder}}))
}

#[test]
fn what_is_wrong_with_one_is_told_before_anything_begins() {
    for (fields, told) in [
        ("model = \"m\"", "models.embedders.bge has no address"),
        ("url = \"http://127.0.0.1:1\"", "models.embedders.bge has no model"),
        (
            "url = \"http://127.0.0.1:1\"\nmodel = \"m\"\ndims = 0",
            "`models.embedders.bge.dims` cannot be that",
        ),
        (
            "url = \"http://127.0.0.1:1\"\nmodel = \"m\"\nspace = \"\"",
            "`models.embedders.bge.space` cannot be that",
        ),
        (
            "url = \"http://127.0.0.1:1\"\nmodel = \"m\"\ncolour = \"red\"",
            "unknown setting `models.embedders.bge.colour`",
        ),
    ] {
        let data = Directory::new();
        let config = data.write("reverie.toml", &format!("[models.embedders.bge]\n{fields}\n"));
        let ended = run(reverie(&data).args(["config", "--config", &config]));
        assert_eq!(ended.code, Some(2), "{fields}");
        assert!(ended.stderr.contains(told), "{fields}: {}", ended.stderr);
    }
    let data = Directory::new();
    let config =
        data.write("reverie.toml", "[models.embedders.none]\nurl = \"http://127.0.0.1:1\"\nmodel = \"m\"\n");
    let ended = run(reverie(&data).args(["config", "--config", &config]));
    assert!(ended.stderr.contains("means something else already"), "{}", ended.stderr);
}
