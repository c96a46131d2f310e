//! What is sent to an embedding model, and what is understood of its answer?

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use reverie_models::{EmbeddingModel, Endpoint, Kind};

use crate::stage::{BOTH, Behaviour, ScriptedModel, Stage, embeddings_on, embeddings_with, openai};
use reverie_testkit::scripted_model::vector;

#[tokio::test]
async fn texts_become_vectors_in_their_order_batch_by_batch() {
    let texts: Vec<String> = (0..23).map(|number| format!("第{number}句，ねこ, cat")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let expected: Vec<Vec<f32>> = texts.iter().map(|text| vector(text, 8)).collect();
    for api in BOTH {
        let server = ScriptedModel::always(Behaviour::Perfect);
        let mut model = EmbeddingModel::new(api(&server), "scripted-embedding");
        model.batch_size = 11;
        let vectors = embeddings_with(&Stage::new(), model).embed(&texts).await.unwrap();
        assert_eq!(vectors, expected);
        let sizes: Vec<usize> = server.seen().iter().map(|seen| seen.texts().len()).collect();
        assert_eq!(sizes, [11, 11, 1]);
    }
}

#[tokio::test]
async fn each_api_is_asked_in_its_own_shape() {
    let server = ScriptedModel::always(Behaviour::Perfect);
    let embeddings = embeddings_on(&Stage::new(), openai(&server));
    embeddings.embed(&["猫", "犬"]).await.unwrap();
    let seen = server.seen();
    assert_eq!(seen[0].target, "/v1/embeddings");
    assert_eq!(seen[0].body, json!({ "model": "scripted-embedding", "input": ["猫", "犬"] }));

    // As in a configuration that was copied from a page about Gemini.
    let address = format!("{}/models/embedding-001:embedContent", server.gemini());
    let mut model = EmbeddingModel::new(Endpoint::new(&address), "embedding-001");
    model.options = json!({ "task_type": "RETRIEVAL_DOCUMENT" }).as_object().unwrap().clone();
    model.dims = Some(5);
    let embeddings = embeddings_with(&Stage::new(), model);
    assert_eq!(embeddings.embed(&["猫"]).await.unwrap(), [vector("猫", 5)]);
    assert_eq!(embeddings.embed(&["猫", "犬"]).await.unwrap().len(), 2);
    let seen = server.seen();
    let one = |text: &str| {
        json!({
            "model": "models/embedding-001", "content": { "parts": [{ "text": text }] },
            "outputDimensionality": 5, "taskType": "RETRIEVAL_DOCUMENT",
        })
    };
    assert_eq!(seen[1].target, "/v1beta/models/embedding-001:embedContent");
    assert_eq!(seen[1].body, one("猫"));
    assert_eq!(seen[2].target, "/v1beta/models/embedding-001:batchEmbedContents");
    assert_eq!(seen[2].body, json!({ "requests": [one("猫"), one("犬")] }));
}

fn data(items: &Value) -> Behaviour {
    Behaviour::body(&json!({ "data": items }).to_string())
}

#[tokio::test]
async fn vectors_come_in_many_forms() {
    let encoded = BASE64_STANDARD
        .encode([1.5f32, -2.0].iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>());
    let not_understood =
        |what: &str| format!("not_understood: the answer of HERE cannot be understood: {what}");
    for (items, expected) in [
        (
            json!([{ "index": 1, "embedding": [3, 4] }, { "index": 0, "embedding": [1.5, -2] }]),
            "[[1.5, -2.0], [3.0, 4.0]]".to_owned(),
        ),
        (json!([{ "embedding": [1] }, { "embedding": [2] }]), "[[1.0], [2.0]]".to_owned()),
        (
            json!([{ "index": 0, "embedding": encoded }, { "index": 1, "embedding": [1, 2] }]),
            "[[1.5, -2.0], [1.0, 2.0]]".to_owned(),
        ),
        (json!([{ "embedding": [1] }]), not_understood("1 vectors for 2 texts")),
        (
            json!([{ "index": 0, "embedding": [1] }, { "index": 0, "embedding": [2] }]),
            not_understood("it numbers its vectors in no order"),
        ),
        (
            json!([{ "index": 7, "embedding": [1] }, { "index": 0, "embedding": [2] }]),
            not_understood("it numbers its vectors in no order"),
        ),
        (
            json!([{ "embedding": [1] }, { "embedding": [1, 2] }]),
            not_understood("its vectors have different lengths"),
        ),
        (json!([{ "embedding": [] }, { "embedding": [] }]), not_understood("a vector is no list of numbers")),
        (
            json!([{ "embedding": ["a"] }, { "embedding": [1] }]),
            not_understood("a vector is no list of numbers"),
        ),
        (
            json!([{ "embedding": "AAA=" }, { "embedding": [1] }]),
            not_understood("a vector is no list of numbers"),
        ),
        (
            json!([{ "embedding": [1e300] }, { "embedding": [1] }]),
            not_understood("a vector is no list of numbers"),
        ),
        (
            json!([{ "embedding": [[1], [2]] }, { "embedding": [[1]] }]),
            not_understood("it has a vector for each token"),
        ),
    ] {
        let server = ScriptedModel::always(data(&items));
        let outcome = embeddings_on(&Stage::new(), openai(&server)).embed(&["a", "b"]).await;
        let found = match outcome {
            Ok(vectors) => format!("{vectors:?}"),
            Err(error) => format!("{}: {error}", error.kind().as_str()).replace(&server.authority(), "HERE"),
        };
        assert_eq!(found, expected, "{items}");
    }
}

#[tokio::test]
async fn a_model_without_a_choice_of_dimensions_is_asked_without() {
    for api in BOTH {
        let server = ScriptedModel::answering(|seen| {
            let asked = seen.body.to_string();
            if asked.contains("imension") {
                Behaviour::refuses(400, "bad", "This model does not support specifying dimensions.")
            } else {
                Behaviour::Perfect
            }
        });
        let mut model = EmbeddingModel::new(api(&server), "scripted-embedding");
        model.dims = Some(8);
        let embeddings = embeddings_with(&Stage::new(), model.clone());
        embeddings.embed(&["猫"]).await.unwrap();
        embeddings.embed(&["犬"]).await.unwrap();
        assert_eq!(server.seen().len(), 3, "it is asked once for dimensions");
        model.dims = Some(768);
        let error = embeddings_with(&Stage::new(), model).embed(&["猫"]).await.unwrap_err();
        assert!(
            error.message().ends_with("gives vectors of 8 dimensions, and 768 are configured"),
            "{error}"
        );
        assert!(error.hint_text().unwrap().starts_with("set the dimensions to 8"), "{error:?}");
    }
}

#[tokio::test]
async fn a_batch_that_is_too_large_is_halved_and_that_is_remembered() {
    let server = ScriptedModel::answering(|seen| {
        if seen.texts().len() > 10 {
            Behaviour::refuses(400, "bad", "batch size is invalid, it should not be larger than 10.")
        } else {
            Behaviour::Perfect
        }
    });
    let texts = vec!["猫"; 32];
    let embeddings = embeddings_on(&Stage::new(), openai(&server));
    assert_eq!(embeddings.embed(&texts).await.unwrap().len(), 32);
    assert_eq!(embeddings.embed(&texts).await.unwrap().len(), 32);
    let sizes: Vec<usize> = server.seen().iter().map(|seen| seen.texts().len()).collect();
    assert_eq!(sizes, [32, 16, 8, 8, 8, 8, 8, 8, 8, 8]);
}

#[tokio::test]
async fn a_text_that_is_too_long_is_told_as_such() {
    let said = "input (600 tokens) is too large to process. increase the physical batch size (current batch size: 512)";
    let server = ScriptedModel::always(Behaviour::refuses(500, "server_error", said));
    let error = embeddings_on(&Stage::new(), openai(&server)).embed(&["a", "b"]).await.unwrap_err();
    assert_eq!(error.kind(), Kind::TooLong);
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn nothing_is_asked_for_nothing() {
    let server = ScriptedModel::always(Behaviour::Perfect);
    let embeddings = embeddings_on(&Stage::new(), openai(&server));
    assert_eq!(embeddings.embed(&[]).await.unwrap(), Vec::<Vec<f32>>::new());
    let error = embeddings.embed(&["a", " 　"]).await.unwrap_err();
    assert_eq!((error.kind(), error.message()), (Kind::Invalid, "text 1 of those to embed is blank"));
    assert_eq!(server.seen().len(), 0);
}
