//! Does a test of the connection say what is wrong, and what to do?

use std::time::Duration;

use reverie_models::breaker::{Rules, State};
use reverie_models::{ChatModel, EmbeddingModel, Probe};

use crate::stage::{
    BOTH, Behaviour, ScriptedModel, Stage, chat_on, chat_with, embeddings_on, embeddings_with, openai,
    question,
};

/// `well` or `ill`, what was found, what to do.
fn told(probe: &Probe, server: &ScriptedModel) -> String {
    let state = if probe.is_well { "well" } else { "ill" };
    let hint = probe.hint.as_deref().unwrap_or("-");
    format!("{state}: {} / {hint}", probe.message).replace(&server.authority(), "HERE")
}

#[tokio::test]
async fn a_chat_model_is_tested_with_one_question() {
    let models = "choose one of the models that it offers: scripted-chat, scripted-embedding";
    for (behaviour, expected) in [
        (Behaviour::Perfect, "well: scripted-chat at HERE answers, in JSON / -".to_owned()),
        (Behaviour::in_code_fences("{\"ok\": true}"), "well: scripted-chat at HERE answers, in JSON / -".to_owned()),
        (
            Behaviour::says("Of course!"),
            "well: scripted-chat at HERE answers, but not in JSON when asked for it / it may still do, but answers that should be JSON will often be rejected; a larger model does better".to_owned(),
        ),
        (
            Behaviour::status(401, "{}"),
            "ill: HERE answered 401: it refuses the key / check that the key is set, belongs to this provider, and may use scripted-chat from where you are".to_owned(),
        ),
        (
            Behaviour::refuses(404, "x", "model \"scripted-chat\" not found, try pulling it first"),
            format!("ill: HERE knows no model scripted-chat, or has nothing at this path (404) / {models}"),
        ),
        (
            Behaviour::says_until_its_limit("<think>hm"),
            "ill: the model at HERE said nothing / it used up its tokens before the answer, perhaps for thinking: allow it more output tokens".to_owned(),
        ),
    ] {
        let refused = behaviour.clone();
        let server = ScriptedModel::answering(move |seen| {
            if seen.method == "GET" { Behaviour::Perfect } else { refused.clone() }
        });
        let probe = chat_on(&Stage::new(), openai(&server)).probe().await;
        assert_eq!(told(&probe, &server), expected);
        let posts = server.seen().iter().filter(|seen| seen.method == "POST").count();
        assert_eq!(posts, 1, "{behaviour:?}");
    }
}

#[tokio::test]
async fn an_embedding_model_is_tested_with_one_text() {
    for api in BOTH {
        let server = ScriptedModel::always(Behaviour::Perfect);
        let probe = embeddings_on(&Stage::new(), api(&server)).probe().await;
        assert_eq!(
            told(&probe, &server),
            "well: scripted-embedding at HERE answers with vectors of 8 dimensions / -"
        );
        assert_eq!(probe.dims, Some(8));
    }
    let server = ScriptedModel::answering(|_| Behaviour::body(r#"{"data":[{"embedding":[1,2,3]}]}"#));
    let mut model = EmbeddingModel::new(openai(&server), "scripted-embedding");
    model.dims = Some(768);
    let probe = embeddings_with(&Stage::new(), model).probe().await;
    assert_eq!(
        told(&probe, &server),
        "ill: scripted-embedding gives vectors of 3 dimensions, and 768 are configured / set the dimensions to 3, or leave them out, or choose another model"
    );
}

#[tokio::test]
async fn a_server_tells_its_models() {
    // One list for the one API, one for the other; Gemini's names come with a prefix.
    for (api, list) in [
        (BOTH[0], r#"{"object":"list","data":[{"id":"deepseek-chat"},{"id":"喵:8b"}]}"#),
        (BOTH[1], r#"{"models":[{"name":"models/deepseek-chat"},{"name":"models/喵:8b"}]}"#),
    ] {
        let server = ScriptedModel::always(Behaviour::body(list));
        let chat = chat_on(&Stage::new(), api(&server));
        assert_eq!(chat.models().await.unwrap(), ["deepseek-chat", "喵:8b"]);
        let embeddings = embeddings_on(&Stage::new(), api(&server));
        assert_eq!(embeddings.models().await.unwrap(), ["deepseek-chat", "喵:8b"]);
        assert!(server.seen().iter().all(|seen| seen.method == "GET" && seen.target.ends_with("/models")));
    }
    let server = ScriptedModel::always(Behaviour::body("{}"));
    assert!(chat_on(&Stage::new(), openai(&server)).models().await.is_err());
}

#[tokio::test]
async fn a_test_is_made_whatever_the_breaker_says_and_closes_it() {
    let server =
        ScriptedModel::playing([Behaviour::status(500, ""), Behaviour::status(500, ""), Behaviour::Perfect]);
    let stage = Stage::new();
    let mut model = ChatModel::new(openai(&server), "scripted-chat");
    model.breaker = Rules { failures: 1, ..Rules::default() };
    let chat = chat_with(&stage, model);
    assert!(chat.ask(&question()).await.is_err());
    assert_eq!(chat.dependency().health().state, State::Open);
    let probe = chat.probe().await;
    assert!(!probe.is_well, "{probe:?}");
    assert_eq!(chat.dependency().health().state, State::Open);
    assert!(chat.probe().await.is_well);
    assert_eq!(chat.dependency().health().state, State::Closed);
    assert!(chat.ask_within(&question(), Duration::from_secs(60)).await.is_ok());
    // Once to fail, which opens it; one bad test; one good test; one question.
    assert_eq!(server.seen().len(), 4);
}
