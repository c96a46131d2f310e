//! Is a server asked only for what it understands?

use reverie_models::{ChatModel, JsonMode, Shape};
use serde_json::{Value, json};

use crate::chat::schema;
use crate::stage::{BOTH, Behaviour, ScriptedModel, Seen, Stage, chat_on, chat_with, openai, question};

/// The formats of the requests that a server got, one for each.
fn formats(server: &ScriptedModel) -> String {
    let format = |seen: &Seen| {
        let format = seen.body.pointer("/response_format/type").and_then(Value::as_str);
        let gemini = seen.body.get("generationConfig").map(|config| {
            match (config.get("responseMimeType").is_some(), config.get("responseJsonSchema").is_some()) {
                (_, true) => "json_schema",
                (true, false) => "json_object",
                (false, false) => "none",
            }
        });
        format.or(gemini).unwrap_or("none").to_owned()
    };
    server.seen().iter().map(format).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn json_help_is_asked_for_as_far_as_the_server_goes_along_and_that_is_remembered() {
    let stubborn = |refused: &'static [&'static str]| {
        move |seen: &Seen| {
            let body = seen.body.to_string();
            match refused.iter().find(|word| body.contains(*word)) {
                Some(word) => {
                    Behaviour::refuses(400, "invalid_request_error", &format!("{word} is not supported here"))
                }
                None => Behaviour::Perfect,
            }
        }
    };
    let openai_words: &[(&[&str], &str)] = &[
        (&[], "json_schema json_schema"),
        (&["json_schema"], "json_schema json_object json_object"),
        (&["response_format"], "json_schema json_object none none"),
    ];
    let gemini_words: &[(&[&str], &str)] = &[
        (&[], "json_schema json_schema"),
        (&["responseJsonSchema"], "json_schema json_object json_object"),
        (&["responseMimeType"], "json_schema json_object none none"),
    ];
    for (api, words) in [(BOTH[0], openai_words), (BOTH[1], gemini_words)] {
        for (refused, expected) in words {
            let server = ScriptedModel::answering(stubborn(refused));
            let chat = chat_on(&Stage::new(), api(&server));
            for _ in 0..2 {
                chat.ask(&question().shape(Shape::Schema(schema()))).await.unwrap();
            }
            assert_eq!(&formats(&server), expected, "{refused:?}");
        }
    }
}

#[tokio::test]
async fn json_mode_can_be_forced_or_forbidden() {
    let server = ScriptedModel::always(Behaviour::refuses(400, "x", "response_format is not supported"));
    for (mode, expected) in
        [(JsonMode::On, "json_object"), (JsonMode::Off, "none"), (JsonMode::Auto, "json_object none")]
    {
        let before = server.seen().len();
        let mut model = ChatModel::new(openai(&server), "scripted-chat");
        model.json = mode;
        let error = chat_with(&Stage::new(), model).ask(&question().shape(Shape::Json)).await.unwrap_err();
        assert_eq!(error.server_said(), Some("response_format is not supported"));
        let formats = formats(&server);
        let since: Vec<&str> = formats.split(' ').skip(before).collect();
        assert_eq!(since.join(" "), expected, "{mode:?}");
    }
}

#[tokio::test]
async fn a_refusal_for_want_of_the_word_json_is_not_held_against_the_server() {
    let server = ScriptedModel::playing([
        Behaviour::refuses(
            400,
            "x",
            "'messages' must contain the word 'json' to use 'response_format' of type 'json_object'.",
        ),
        Behaviour::Perfect,
    ]);
    let chat = chat_on(&Stage::new(), openai(&server));
    for _ in 0..2 {
        chat.ask(&question().shape(Shape::Json)).await.unwrap();
    }
    assert_eq!(formats(&server), "json_object none json_object");
}

#[tokio::test]
async fn parameters_that_a_model_does_not_know_are_put_otherwise() {
    let server = ScriptedModel::answering(|seen| match () {
        () if seen.body.get("max_tokens").is_some() => Behaviour::refuses(
            400,
            "unsupported_parameter",
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        ),
        () if seen.body.get("temperature").is_some() => Behaviour::refuses(
            400,
            "unsupported_value",
            "Unsupported value: 'temperature' does not support 0 with this model.",
        ),
        () => Behaviour::Perfect,
    });
    let mut model = ChatModel::new(openai(&server), "scripted-chat");
    model.max_output_tokens = Some(10);
    model.temperature = Some(0.0);
    let chat = chat_with(&Stage::new(), model);
    chat.ask(&question()).await.unwrap();
    assert_eq!(server.seen().len(), 3);
    chat.ask(&question()).await.unwrap();
    let last = server.seen().pop().unwrap();
    assert_eq!(last.number, 3, "what was learned is remembered");
    assert_eq!(last.body.get("max_completion_tokens"), Some(&json!(10)));
}
