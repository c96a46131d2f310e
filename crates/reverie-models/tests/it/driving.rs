//! Does the driver keep to its bounds, and does it lose or double nothing, whenever it is stopped?

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use reverie_core::job::Stage as JobStage;
use reverie_core::memory::Origin;
use reverie_models::breaker::State;
use reverie_models::{Chat, ChatModel, Chats, JsonMode, Lanes, RetryRules, Step};

use crate::scenarios::good;
use crate::stage::{Behaviour, ScriptedModel, gemini, openai};
use crate::world::{CHINESE, ENGLISH, Gate, World, drive, until};

fn chat(set: &World, server: &ScriptedModel) -> Arc<Chat> {
    named("models.chat", set, ChatModel::new(openai(server), "scripted-chat"))
}

fn named(name: &str, set: &World, model: ChatModel) -> Arc<Chat> {
    Arc::new(Chat::new(name, model, set.stage.surroundings()).unwrap())
}

/// Killed while a model thinks: the question is free again when its lease is over, and an answer that comes late does nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_that_was_let_go_is_asked_again() {
    for talk in [&CHINESE, &ENGLISH] {
        let set = World::of(talk);
        let gate = Gate::closed();
        let held = gate.clone();
        let server = ScriptedModel::answering(move |seen| {
            held.pass();
            good(talk, seen)
        });
        let driver = set.driver(Chats::one(chat(&set, &server)), None);
        for stop in 1..=3 {
            let asking = tokio::spawn({
                let driver = driver.clone();
                async move { driver.step().await }
            });
            until("the model is asked", || server.seen().len() == stop).await;
            asking.abort();
            assert!(asking.await.unwrap_err().is_cancelled());
            assert_eq!(driver.step().await, Step::Nothing, "it is still taken");
            assert_eq!(driver.tally().asking, 0);
            set.stage.pass(Duration::from_secs(181));
        }
        gate.open();
        drive(&driver).await;
        assert_eq!(set.job().stage, JobStage::Done);
        assert_eq!(set.job().attempts, 0, "being stopped is no failure");
        assert_eq!(set.remembered(Origin::Statement), [talk.kept]);
    }
}

/// Two that drive the same file: each question is answered once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_drivers_share_the_work() {
    let set = World::of(&CHINESE);
    let server = ScriptedModel::answering(|seen| good(&CHINESE, seen));
    let [one, two] = [(); 2].map(|()| set.driver(Chats::one(chat(&set, &server)), None));
    tokio::join!(drive(&one), drive(&two));
    drive(&one).await;
    assert_eq!(server.seen().len(), 2, "one decision and one summary");
    assert_eq!(set.remembered(Origin::Statement), [CHINESE.kept]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_purpose_may_have_its_own_model() {
    let set = World::of(&CHINESE);
    let [deciding, summarising] = [(); 2].map(|()| ScriptedModel::answering(|seen| good(&CHINESE, seen)));
    let chats = Chats {
        decide: named("models.decide", &set, ChatModel::new(gemini(&deciding), "small")),
        summarise: named("models.summarise", &set, ChatModel::new(openai(&summarising), "large")),
        retell: chat(&set, &summarising),
    };
    let driver = set.driver(chats, None);
    drive(&driver).await;
    assert_eq!(set.remembered(Origin::Statement), [CHINESE.kept]);
    let [decided] = deciding.seen().try_into().unwrap();
    let [summarised] = summarising.seen().try_into().unwrap();
    assert!(decided.target.contains("generateContent"), "{}", decided.target);
    assert_eq!(summarised.body["model"], "large");
    let names: Vec<String> = driver.health().into_iter().map(|health| health.name).collect();
    assert_eq!(names, ["models.decide", "models.summarise", "models.chat"]);
    let tally = driver.tally();
    assert!(tally.input_tokens > 0 && tally.output_tokens > 0, "{tally:?}");
}

/// Servers that know schemas are given one; those that refuse it are asked for less, and asked once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_is_asked_to_hold_its_model_to_the_shape() {
    for (mode, refuses, formats) in [
        (JsonMode::Auto, false, &["json_schema", "json_schema"][..]),
        (JsonMode::Auto, true, &["json_schema", "json_object", "json_object"]),
        (JsonMode::On, false, &["json_object", "json_object"]),
        (JsonMode::Off, false, &["", ""]),
    ] {
        let set = World::of(&CHINESE);
        let server = ScriptedModel::answering(move |seen| {
            let is_schema = seen.body["response_format"]["type"] == "json_schema";
            if refuses && is_schema {
                return Behaviour::refuses(
                    400,
                    "invalid_request_error",
                    "This response_format type is unavailable now",
                );
            }
            good(&CHINESE, seen)
        });
        let mut model = ChatModel::new(openai(&server), "scripted-chat");
        model.json = mode;
        let driver = set.driver(Chats::one(named("models.chat", &set, model)), None);
        drive(&driver).await;
        assert_eq!(set.remembered(Origin::Statement), [CHINESE.kept]);
        let asked = server.seen();
        let asked =
            asked.iter().map(|seen| seen.body["response_format"]["type"].as_str().unwrap_or_default());
        assert_eq!(asked.collect::<Vec<_>>(), formats, "{mode:?}");
    }
}

/// What does not fit into the hour is given back with the time at which it is asked, and nothing more is taken until then.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_hour_s_tokens_are_kept_to() {
    let set = World::of(&ENGLISH);
    let server = ScriptedModel::answering(|seen| good(&ENGLISH, seen));
    // Room for one question and not for the next; the scripted server counts characters.
    let driver = set.driver(Chats::one(chat(&set, &server)), Some(1700));
    let steps = drive(&driver).await;
    let next_hour = crate::stage::NOON + 3_600_000;
    assert_eq!(
        steps.get(1..),
        Some(&[Step::GivenBack { until_ms: next_hour }, Step::Resting { until_ms: next_hour }][..]),
        "{steps:?}"
    );
    assert_eq!(server.seen().len(), 1);
    let job = set.job();
    let trouble = job.trouble.unwrap();
    assert_eq!((trouble.code.as_str(), job.due_ms), ("no_budget", next_hour));
    assert!(trouble.message.contains("models.tokens_per_hour"), "{}", trouble.message);
    let (spent, per_hour) = driver.budget().unwrap();
    assert!(spent.tokens > 0 && spent.tokens <= per_hour, "{spent:?}");
    for _ in 0..3 {
        assert_eq!(drive(&driver).await, [Step::Resting { until_ms: next_hour }]);
    }
    set.stage.pass(Duration::from_secs(3600));
    drive(&driver).await;
    assert_eq!(set.remembered(Origin::Statement), [ENGLISH.kept]);
}

/// Several at once: what is out only seems to be spent. Nobody rests while an answer may give most of its estimate back, and the
/// account is exact in the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_lanes_count_what_was_really_used() {
    for (lanes, per_hour) in [(1, 20_000), (4, 20_000), (4, 3_000)] {
        let set = World::with(&ENGLISH, &[("digest.batch_rounds", "1")]);
        for turn in 0..11 {
            set.say(0, &format!("I am allergic to cashews, number {turn}."));
            set.say(1, "Understood.");
            set.digest();
        }
        let answer = r#"{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant",
            "content":"{\"should_remember\": false}"}}],"usage":{"prompt_tokens":100,"completion_tokens":20}}"#;
        let server = ScriptedModel::always(Behaviour::body(answer));
        let driver = set.driver(Chats::one(chat(&set, &server)), Some(per_hour));
        let running = Lanes::start(&driver, lanes).unwrap();
        until("all are answered", || driver.tally().answered == 12).await;
        assert!(running.stop(Duration::from_secs(30)));
        let (spent, _) = driver.budget().unwrap();
        assert_eq!((spent.tokens, driver.tally().given_back), (12 * 120, 0), "{lanes} lanes, {per_hour}");
        assert_eq!(set.engine.spend_tokens(spent.hour, 0).unwrap(), spent.tokens, "and so it is written");
    }
}

/// Whoever starts anew knows what was spent in this hour, and so does whoever shares the data.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_hour_s_tokens_outlive_a_restart() {
    let set = World::of(&ENGLISH);
    let server = ScriptedModel::answering(|seen| good(&ENGLISH, seen));
    let first = set.driver(Chats::one(chat(&set, &server)), Some(1700));
    drive(&first).await;
    let (spent, _) = first.budget().unwrap();
    assert_eq!((server.seen().len(), set.engine.spend_tokens(spent.hour, 0).unwrap()), (1, spent.tokens));
    drop(first);
    let second = set.driver(Chats::one(chat(&set, &server)), Some(1700));
    // The question was given back until the next hour; another one comes up at once.
    set.engine.retry_job(&set.world, &set.job().key).unwrap();
    let steps = drive(&second).await;
    let next_hour = crate::stage::NOON + 3_600_000;
    assert_eq!(
        steps,
        [Step::GivenBack { until_ms: next_hour }, Step::Resting { until_ms: next_hour }],
        "nothing is left of the hour"
    );
    assert_eq!((server.seen().len(), second.budget().unwrap().0), (1, spent));
    set.stage.pass(Duration::from_secs(3600));
    drive(&second).await;
    assert_eq!(set.remembered(Origin::Statement), [ENGLISH.kept]);
}

/// A model that is left alone is not asked, and one probe finds out when it is well.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_model_that_fails_is_left_alone() {
    let set = World::with(&CHINESE, &[("digest.batch_rounds", "1")]);
    let failing = Arc::new(AtomicUsize::new(5));
    let left = failing.clone();
    let server = ScriptedModel::answering(move |seen| {
        let is_failing =
            left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
        if is_failing { Behaviour::status(503, "") } else { good(&CHINESE, seen) }
    });
    let mut model = ChatModel::new(openai(&server), "scripted-chat");
    model.endpoint.retry = RetryRules { attempts: 5, ..RetryRules::default() };
    model.breaker.first_pause_ms = 60_000;
    let driver = set.driver(Chats::one(named("models.chat", &set, model)), None);
    let steps = drive(&driver).await;
    assert!(matches!(steps.last(), Some(Step::Resting { .. })), "{steps:?}");
    let [health] = driver.health().try_into().unwrap();
    assert_eq!(health.state, State::Open);
    assert_eq!(health.last_failure.unwrap().code, "server_fault");
    assert_eq!(driver.resting_until_ms(), health.next_probe_ms);
    assert_eq!(server.seen().len(), 5);
    set.stage.pass(Duration::from_secs(59));
    drive(&driver).await;
    assert_eq!(server.seen().len(), 5, "it is left alone");
    set.stage.pass(Duration::from_secs(61));
    drive(&driver).await;
    assert_eq!(set.remembered(Origin::Statement), [CHINESE.kept]);
    assert_eq!(driver.health()[0].state, State::Closed);
}

/// As many at once as it may, and no more; and it ends when told to.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lanes_keep_to_their_number_and_end() {
    let set = World::with(&ENGLISH, &[("digest.batch_rounds", "1"), ("digest.decide", "false")]);
    for turn in 0..4 {
        set.say(0, &format!("And never cashews, number {turn}."));
        set.say(1, "Understood.");
        set.digest();
    }
    let gate = Gate::closed();
    let inside = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let (held, counted) = (gate.clone(), inside.clone());
    let server = ScriptedModel::answering(move |_| {
        let now = counted.0.fetch_add(1, Ordering::SeqCst) + 1;
        counted.1.fetch_max(now, Ordering::SeqCst);
        held.pass();
        counted.0.fetch_sub(1, Ordering::SeqCst);
        Behaviour::says("{\"memories\":[]}")
    });
    let driver = set.driver(Chats::one(chat(&set, &server)), None);
    let lanes = Lanes::start(&driver, 2).unwrap();
    until("two are asked", || inside.0.load(Ordering::SeqCst) == 2).await;
    assert_eq!(driver.tally().asking, 2);
    gate.open();
    until("all are answered", || driver.tally().answered == 5).await;
    assert_eq!(inside.1.load(Ordering::SeqCst), 2, "never more than two at once");
    // What comes later is asked when somebody rings.
    set.say(0, "Nor hazelnuts.");
    set.say(1, "Fine.");
    set.digest();
    lanes.bell().ring();
    until("the last is answered", || driver.tally().answered == 6).await;
    assert!(lanes.stop(Duration::from_secs(30)));
}

/// It ends at once even while a model hangs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hanging_model_does_not_hold_up_the_end() {
    let set = World::of(&CHINESE);
    let server = ScriptedModel::always(Behaviour::Hang);
    let driver = set.driver(Chats::one(chat(&set, &server)), None);
    let lanes = Lanes::start(&driver, 1).unwrap();
    until("the model is asked", || !server.seen().is_empty()).await;
    assert!(lanes.stop(Duration::from_secs(30)));
    assert_eq!(set.job().stage, JobStage::Deciding, "nothing is lost");
}

/// The pair of prompts with which small bots have long done it: worth it or not, then one sentence.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_prompts_of_small_bots_work_too() {
    for talk in [&CHINESE, &ENGLISH] {
        let set = World::with(talk, &[("digest.batch_rounds", "1"), ("digest.prompts", "single")]);
        let server = ScriptedModel::answering(move |seen| {
            let decides = seen.prompt().contains("should_remember");
            Behaviour::says(if decides { "{\"should_remember\": true}" } else { talk.kept })
        });
        let driver = set.driver(Chats::one(chat(&set, &server)), None);
        drive(&driver).await;
        assert_eq!(set.remembered(Origin::Statement), [talk.kept]);
        let seen = server.seen();
        assert!(seen[0].prompt().starts_with("Analyze the following conversation"), "{}", seen[0].prompt());
        assert!(seen[1].prompt().trim_end().ends_with("Summary:"), "{}", seen[1].prompt());
        let format = |number: usize| seen[number].body.get("response_format").is_some();
        assert_eq!((format(0), format(1)), (true, false), "JSON is asked for where the answer is JSON");
    }
}
