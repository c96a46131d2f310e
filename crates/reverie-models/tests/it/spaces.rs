//! Whose vectors may be compared: what tells two servers apart, and what makes them one?

use reverie_models::{EmbeddingModel, Endpoint};

use crate::refusals::{Place, TEXTS};
use crate::stage::{Behaviour, ScriptedModel, Stage, embeddings_with};

fn at(address: &str) -> EmbeddingModel {
    EmbeddingModel::new(Endpoint::new(address), "bge-m3")
}

fn named(address: &str, space: &str) -> EmbeddingModel {
    EmbeddingModel { space: Some(space.to_owned()), ..at(address) }
}

#[test]
fn a_space_is_called_by_its_model_and_its_server() {
    let stage = Stage::new();
    for (model, expected) in [
        (at("http://127.0.0.1:11434/v1"), "bge-m3@127.0.0.1:11434"),
        (at("127.0.0.1:11434"), "bge-m3@127.0.0.1:11434"),
        (at("http://127.0.0.1:11434/v1/embeddings"), "bge-m3@127.0.0.1:11434"),
        (at("http://127.0.0.1:11435/v1"), "bge-m3@127.0.0.1:11435"),
        (at("https://x.example/v1"), "bge-m3@x.example:443"),
        (at("https://x.example/team/v1"), "bge-m3@x.example:443/team"),
        (at("https://x.example/team"), "bge-m3@x.example:443/team"),
        (EmbeddingModel { dims: Some(512), ..at("https://x.example") }, "bge-m3:512@x.example:443"),
        (named("https://x.example", "家"), "bge-m3@家"),
        (named("http://127.0.0.1:1", "家"), "bge-m3@家"),
        (EmbeddingModel { dims: Some(512), ..named("https://x.example", "ホーム") }, "bge-m3:512@ホーム"),
    ] {
        assert_eq!(embeddings_with(&stage, model).space(), expected);
    }
}

#[test]
fn another_server_is_another_space_unless_somebody_says_so() {
    let place = Place::new();
    let (one, other) = (ScriptedModel::always(Behaviour::Perfect), ScriptedModel::always(Behaviour::Perfect));
    let embedded = |model: EmbeddingModel| {
        let engine = place.engine(model);
        let texts = engine.embed(&|| true).unwrap().texts;
        let spaces: Vec<String> = engine.spaces(&place.world).unwrap().embedded.into_keys().collect();
        (texts, spaces)
    };
    let (texts, first) = embedded(at(&one.openai()));
    assert_eq!((texts, first.len()), (TEXTS, 1));
    assert_eq!(embedded(at(&one.openai())), (0, first.clone()), "the same server again");
    let behind_at = first[0].split_once('@').unwrap().1.to_owned();
    assert_eq!(embedded(named(&other.openai(), &behind_at)), (0, first.clone()), "it moved");
    let (texts, second) = embedded(at(&other.openai()));
    assert_eq!((texts, second.len()), (TEXTS, 1), "the same model's name at another server");
    assert_ne!(first, second);
    assert_eq!(embedded(named(&one.openai(), "home")), (TEXTS, vec!["bge-m3@home".to_owned()]));
    assert_eq!(embedded(named(&other.openai(), "home")).0, 0, "both are one");
}
