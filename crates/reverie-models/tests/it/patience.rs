//! How often is a model asked again, after which pauses, and until when?

use std::time::Duration;

use reverie_models::breaker::{Rules, State};
use reverie_models::{ChatModel, Kind, RetryRules};

use crate::stage::{Behaviour, ScriptedModel, Stage, chat_on, chat_with, gemini, openai, question, told};

#[tokio::test]
async fn what_passes_is_waited_for() {
    for (first, pauses) in [
        (Behaviour::status(500, ""), vec![500]),
        (Behaviour::CutBody, vec![500]),
        (Behaviour::HangUp, vec![500]),
        // The server's own time, and a little more.
        (Behaviour::too_many("7"), vec![7050]),
        (Behaviour::status(503, "").with_header("retry-after", "2"), vec![2050]),
        (Behaviour::status(429, "").with_header("retry-after-ms", "900"), vec![950]),
        // Three seconds after noon.
        (Behaviour::too_many("Wed, 01 May 2024 12:00:03 GMT"), vec![3050]),
        (Behaviour::too_many("Wed, 01 May 2024 11:00:00 GMT"), vec![500]),
        (Behaviour::too_many("soon"), vec![500]),
        (Behaviour::too_many("-3"), vec![500]),
    ] {
        let server = ScriptedModel::playing([first.clone(), Behaviour::says("好")]);
        let stage = Stage::new();
        let outcome = chat_on(&stage, openai(&server)).ask(&question()).await;
        assert_eq!(told(&outcome), "好 [Stop]", "{first:?}");
        assert_eq!(stage.pauses(), pauses, "{first:?}");
    }
}

#[tokio::test]
async fn gemini_names_its_time_in_the_body() {
    let first = r#"{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"x"},{"retryDelay":"34s"}]}}"#;
    let server = ScriptedModel::playing([Behaviour::status(429, first), Behaviour::Perfect]);
    let stage = Stage::new();
    chat_on(&stage, gemini(&server)).ask(&question()).await.unwrap();
    assert_eq!(stage.pauses(), [34050]);
}

#[tokio::test]
async fn pauses_grow_and_are_counted_out() {
    let server = ScriptedModel::always(Behaviour::status(500, ""));
    let stage = Stage::new();
    let mut model = ChatModel::new(openai(&server), "scripted-chat");
    model.endpoint.retry =
        RetryRules { attempts: 7, longest_pause: Duration::from_secs(4), ..RetryRules::default() };
    model.breaker = Rules { failures: 100, ..Rules::default() };
    let outcome = chat_with(&stage, model).ask(&question()).await;
    assert_eq!(outcome.unwrap_err().kind(), Kind::ServerFault);
    assert_eq!(stage.pauses(), [500, 1000, 2000, 4000, 4000, 4000]);
    assert_eq!(server.seen().len(), 7);
}

#[tokio::test]
async fn nobody_is_kept_waiting_past_the_deadline() {
    let server = ScriptedModel::always(Behaviour::status(500, ""));
    let stage = Stage::new();
    let outcome = chat_on(&stage, openai(&server)).ask_within(&question(), Duration::from_millis(1600)).await;
    assert_eq!(outcome.unwrap_err().kind(), Kind::ServerFault);
    assert_eq!(stage.pauses(), [500, 1000], "a third pause would end too late");

    // A server that wants to be left alone for longer than the caller has: told at once, with its time.
    let server = ScriptedModel::always(Behaviour::too_many("3600"));
    let stage = Stage::new();
    let error = chat_on(&stage, openai(&server)).ask(&question()).await.unwrap_err();
    assert_eq!((error.kind(), error.retry_after()), (Kind::TooManyRequests, Some(Duration::from_secs(3600))));
    assert_eq!(stage.pauses(), []);
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn a_time_that_a_server_names_is_kept_by_all() {
    let server = ScriptedModel::always(Behaviour::too_many("60"));
    let stage = Stage::new();
    let chat = chat_on(&stage, openai(&server));
    let error = chat.ask_within(&question(), Duration::from_secs(10)).await.unwrap_err();
    assert_eq!(error.kind(), Kind::TooManyRequests);
    let health = chat.dependency().health();
    assert_eq!((health.state, health.next_probe_ms), (State::Open, Some(health.since_ms + 60_000)));
    stage.pass(Duration::from_secs(59));
    assert_eq!(chat.ask(&question()).await.unwrap_err().kind(), Kind::Resting);
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn a_model_that_fails_is_left_alone_and_tried_again_by_itself() {
    let server = ScriptedModel::answering(|seen| {
        if seen.number < 6 { Behaviour::status(500, "") } else { Behaviour::says("好") }
    });
    let stage = Stage::new();
    let chat = chat_on(&stage, openai(&server));
    assert_eq!(chat.dependency().health().state, State::Closed);
    // Four tries of the first question, one of the second: the fifth failure opens it.
    for _ in 0..2 {
        assert_eq!(chat.ask(&question()).await.unwrap_err().kind(), Kind::ServerFault);
    }
    assert_eq!(server.seen().len(), 5);
    let health = chat.dependency().health();
    assert_eq!((health.name.as_str(), health.state), ("chat", State::Open));
    let last = health.last_failure.unwrap();
    assert_eq!(
        (last.code, last.message),
        ("server_fault".to_owned(), format!("{} answered 500", server.authority()))
    );
    assert_eq!(health.next_probe_ms, Some(health.since_ms + 5_000));

    let resting = chat.ask(&question()).await.unwrap_err();
    assert_eq!(resting.kind(), Kind::Resting);
    assert!(resting.message().starts_with("chat failed and is left alone"), "{resting}");
    assert_eq!(server.seen().len(), 5, "nothing was sent");

    // One probe, which fails: left alone for twice as long.
    stage.pass(Duration::from_secs(5));
    assert_eq!(chat.ask(&question()).await.unwrap_err().kind(), Kind::ServerFault);
    assert_eq!(server.seen().len(), 6);
    let health = chat.dependency().health();
    assert_eq!(health.next_probe_ms, Some(health.since_ms + 10_000));

    // One that succeeds.
    stage.pass(Duration::from_secs(10));
    assert_eq!(chat.ask(&question()).await.unwrap().text, "好");
    assert_eq!(chat.dependency().health().state, State::Closed);
    assert_eq!(chat.dependency().health().next_probe_ms, None);
}

#[tokio::test]
async fn refused_questions_do_not_count_against_a_server() {
    let server = ScriptedModel::always(Behaviour::refuses(400, "bad", "…"));
    let chat = chat_on(&Stage::new(), openai(&server));
    for _ in 0..20 {
        assert_eq!(chat.ask(&question()).await.unwrap_err().kind(), Kind::Refused);
    }
    assert_eq!(server.seen().len(), 20);
}

#[tokio::test]
async fn a_question_that_is_given_up_half_way_leaves_the_breaker_usable() {
    let server = ScriptedModel::playing([Behaviour::status(500, ""), Behaviour::Hang, Behaviour::says("好")]);
    let stage = Stage::new();
    let mut model = ChatModel::new(openai(&server), "scripted-chat");
    model.breaker = Rules { failures: 1, ..Rules::default() };
    model.endpoint.retry = RetryRules { attempts: 1, ..RetryRules::default() };
    let chat = chat_with(&stage, model);
    assert!(chat.ask(&question()).await.is_err());
    stage.pass(Duration::from_secs(5));
    // Its caller goes away while it hangs.
    let asked = question();
    let asking = chat.ask(&asked);
    tokio::select! {
        biased;
        outcome = asking => panic!("it hangs: {outcome:?}"),
        () = async { while server.seen().len() < 2 { tokio::task::yield_now().await; } } => {}
    }
    assert_eq!(chat.dependency().health().state, State::Open);
    stage.pass(Duration::from_secs(5));
    assert_eq!(chat.ask(&question()).await.unwrap().text, "好");
}
