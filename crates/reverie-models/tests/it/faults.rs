//! What is said of each thing that can go wrong, and is it tried again?

use reverie_models::{ChatModel, Endpoint, Kind, Limits, RetryRules};

use crate::stage::{
    BOTH, Behaviour, ScriptedModel, Stage, chat_on, chat_with, embeddings_on, limits, openai, question, told,
};

/// How often it was asked, and what came of it; on both APIs, for chat.
#[track_caller]
fn expect(found: &str, asked: usize, expected: &str, behaviour: &Behaviour) {
    let found = format!("{asked} × {found}");
    assert_eq!(found, expected, "{behaviour:?}");
}

#[tokio::test]
async fn each_fault_has_its_own_words_and_only_passing_ones_are_tried_again() {
    let page = "<!DOCTYPE html><title>Welcome</title>";
    let cases = [
        (Behaviour::status(401, "{}"), "1 × key_refused: HERE answered 401: it refuses the key"),
        (
            Behaviour::refuses(403, "unsupported_country", "no"),
            "1 × key_refused: HERE answered 403 (unsupported_country): it refuses the key",
        ),
        (
            Behaviour::status(
                400,
                r#"{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}"#,
            ),
            "1 × key_refused: HERE answered 400 (api_key_invalid): it refuses the key",
        ),
        (
            Behaviour::refuses(402, "x", "Insufficient Balance"),
            "1 × unpaid: HERE says that the account has no credit left (402)",
        ),
        (
            Behaviour::refuses(429, "insufficient_quota", "…"),
            "1 × unpaid: HERE says that the account has no credit left (429)",
        ),
        (
            Behaviour::refuses(404, "model_not_found", "The model `scripted-chat` does not exist"),
            "1 × no_such_model: HERE knows no model MODEL, or has nothing at this path (404)",
        ),
        (Behaviour::too_many("1"), "4 × too_many_requests: HERE wants fewer requests (429)"),
        (Behaviour::status(500, "oops"), "4 × server_fault: HERE answered 500"),
        (Behaviour::refuses(503, "overloaded", "…"), "4 × server_fault: HERE answered 503 (overloaded)"),
        (
            Behaviour::refuses(501, "not_supported_error", "This server does not support embeddings."),
            "1 × refused: HERE answered 501 (not_supported_error): it does not accept the request",
        ),
        (Behaviour::status(408, ""), "4 × timed_out: HERE answered 408"),
        (
            Behaviour::refuses(400, "context_length_exceeded", "…"),
            "1 × too_long: the question is longer than MODEL can read (HERE answered 400 (context_length_exceeded))",
        ),
        (
            Behaviour::status(413, ""),
            "1 × too_long: the question is longer than MODEL can read (HERE answered 413)",
        ),
        (
            Behaviour::refuses(400, "bad", "…"),
            "1 × refused: HERE answered 400 (bad): it does not accept the request",
        ),
        (
            Behaviour::body(r#"{"error":"Unexpected endpoint"}"#),
            "1 × refused: HERE answered 200: it does not accept the request",
        ),
        (Behaviour::CutBody, "4 × cut: the answer of HERE broke off"),
        (Behaviour::CutStream("一二三四五六七八九十".to_owned()), "4 × cut: the answer of HERE broke off"),
        (Behaviour::body(r#"{"choices":[{"message":{"con"#), "4 × cut: the answer of HERE broke off"),
        (Behaviour::HangUp, "4 × cut: the answer of HERE broke off"),
        (Behaviour::Babbles, "4 × unreachable: what listens at HERE does not speak HTTP as expected"),
        (
            Behaviour::body("{not json at all}"),
            "1 × not_understood: HERE answered with something that is not JSON",
        ),
        (Behaviour::body(page), "1 × not_understood: HERE answered with a web page"),
        (Behaviour::body(""), "1 × empty: HERE answered with nothing at all"),
        (Behaviour::says("  "), "1 × empty: the model at HERE said nothing"),
        (
            Behaviour::Huge { bytes: 2 << 20, is_announced: true },
            "1 × too_large: the answer of HERE is larger than 1048576 bytes",
        ),
        (
            Behaviour::Huge { bytes: 2 << 20, is_announced: false },
            "1 × too_large: the answer of HERE is larger than 1048576 bytes",
        ),
        (
            Behaviour::status(301, "").with_header("location", "https://elsewhere.example/secret?key=1"),
            "1 × redirected: HERE redirects to https://elsewhere.example, and redirects are not followed",
        ),
    ];
    for api in BOTH {
        for (behaviour, expected) in &cases {
            let server = ScriptedModel::always(behaviour.clone());
            let outcome = chat_on(&Stage::new(), api(&server)).ask(&question()).await;
            let found = told(&outcome).replace(&server.authority(), "HERE");
            let found = found.replace("models/scripted-chat", "MODEL").replace("scripted-chat", "MODEL");
            expect(&found, server.seen().len(), expected, behaviour);
            let error = outcome.unwrap_err();
            assert!(
                error.hint_text().is_some_and(|hint| hint.len() > 10),
                "every fault says what to do: {error}"
            );
        }
    }
}

#[tokio::test]
async fn embeddings_know_the_same_faults() {
    for (behaviour, kind) in [
        (Behaviour::status(401, "{}"), Kind::KeyRefused),
        (Behaviour::too_many("1"), Kind::TooManyRequests),
        (Behaviour::status(500, "oops"), Kind::ServerFault),
        (Behaviour::CutBody, Kind::Cut),
        (Behaviour::body("no"), Kind::NotUnderstood),
        (Behaviour::body("{}"), Kind::NotUnderstood),
        (Behaviour::body(""), Kind::Empty),
    ] {
        for api in BOTH {
            let server = ScriptedModel::always(behaviour.clone());
            let error = embeddings_on(&Stage::new(), api(&server)).embed(&["喵"]).await.unwrap_err();
            assert_eq!(error.kind(), kind, "{behaviour:?}");
        }
    }
}

#[tokio::test]
async fn nobody_there_is_told_as_such() {
    let server = ScriptedModel::always(Behaviour::Perfect);
    let endpoint = openai(&server);
    let authority = server.authority();
    drop(server);
    let stage = Stage::new();
    let outcome = chat_on(&stage, endpoint).ask(&question()).await;
    assert_eq!(told(&outcome), format!("unreachable: {authority} cannot be reached: nobody listens there"));
    assert_eq!(stage.pauses().len(), 3, "it may come back");

    let nowhere = Endpoint { limits: limits(), ..Endpoint::new("http://no-such-host.invalid:9/v1") };
    let mut model = ChatModel::new(nowhere, "m");
    model.endpoint.retry = RetryRules { attempts: 1, ..RetryRules::default() };
    let outcome = chat_with(&Stage::new(), model).ask(&question()).await;
    assert_eq!(told(&outcome), "unreachable: there is no host named no-such-host.invalid");
}

#[tokio::test]
async fn no_wait_is_without_a_limit() {
    use std::time::Duration;
    let short = Duration::from_millis(60);
    let long = Duration::from_secs(3600);
    let all = Limits { connect: long, first_byte: long, whole: long, response_bytes: 1 << 20 };
    // Which wait a limit on the whole ends depends on how busy the machine is; that it ends does not.
    let late = "timed_out: HERE took too long: ";
    for (behaviour, limits, expected) in [
        (
            Behaviour::Hang,
            Limits { first_byte: short, ..all },
            "timed_out: HERE took too long: no answer began",
        ),
        (Behaviour::Hang, Limits { whole: short, ..all }, late),
        (Behaviour::HangInBody, Limits { whole: short, ..all }, late),
        (Behaviour::Slow(Duration::from_millis(10)), all, "{\"ok\": true} [Stop]"),
    ] {
        let server = ScriptedModel::always(behaviour);
        let mut endpoint = openai(&server);
        endpoint.limits = limits;
        endpoint.retry = RetryRules { attempts: 1, whole: long, ..RetryRules::default() };
        let outcome = chat_on(&Stage::new(), endpoint).ask(&question()).await;
        let said = told(&outcome).replace(&server.authority(), "HERE");
        assert!(said.starts_with(expected), "{said}");
    }
    for (setting, expected) in [
        (Some("models.chat.timeout"), "or raise models.chat.timeout"),
        (None, "see whether the server is up, busy or still loading the model"),
    ] {
        let server = ScriptedModel::always(Behaviour::Hang);
        let mut endpoint = openai(&server);
        endpoint.limits = Limits { first_byte: short, ..all };
        endpoint.retry = RetryRules { attempts: 1, whole: long, ..RetryRules::default() };
        endpoint.timeout_setting = setting.map(str::to_owned);
        let error = chat_on(&Stage::new(), endpoint).ask(&question()).await.unwrap_err();
        let hint = error.hint_text().unwrap_or_default();
        assert!(hint.ends_with(expected), "what it names can be set: {hint}");
    }
    // A server that takes the connection and then says nothing: no TLS comes about.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let here = silent.local_addr().unwrap().to_string();
    let mut endpoint = Endpoint::new(&format!("https://{here}/v1"));
    endpoint.limits = Limits { connect: short, ..all };
    endpoint.retry.attempts = 1;
    let outcome = chat_on(&Stage::new(), endpoint).ask(&question()).await;
    assert_eq!(told(&outcome), format!("timed_out: {here} took too long: no connection was made"));

    let server = ScriptedModel::always(Behaviour::Hang);
    let outcome = chat_on(&Stage::new(), openai(&server)).ask_within(&question(), short).await;
    let said = told(&outcome).replace(&server.authority(), "HERE");
    assert!(said.starts_with(late), "the caller's own limit: {said}");
}
