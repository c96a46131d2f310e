//! Does a key go anywhere but into its header?

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use reverie_models::{ChatModel, Endpoint, Key, Proxy};
use tracing_subscriber::fmt::MakeWriter;

use crate::stage::{BOTH, Behaviour, ScriptedModel, Stage, chat_on, embeddings_on, question};

/// Everything that is logged, at any level.
#[derive(Clone, Default)]
struct Logged(Arc<Mutex<Vec<u8>>>);

impl Write for Logged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Logged {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

const DIALOGUE: &str = "白小喵几岁了";

#[tokio::test]
async fn neither_errors_nor_health_nor_logs_show_a_key() {
    let logged = Logged::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(logged.clone())
        .finish();
    // For all tests: a listener for one thread alone is not always heard when others run beside it.
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let mut shown = String::new();
    // A careless server repeats in its errors whatever it was sent, headers and all.
    for status in [200, 301, 400, 401, 403, 404, 413, 422, 429, 500, 503] {
        for api in BOTH {
            let server = ScriptedModel::answering(move |seen| {
                let headers: Vec<String> =
                    seen.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
                let echo = format!("you sent {} and {}", headers.join("; "), seen.body);
                Behaviour::refuses(status, "sk-swordfish", &echo)
                    .with_header("location", "http://x.example/?sk-swordfish")
            });
            let stage = Stage::new();
            let chat = chat_on(&stage, api(&server));
            let embeddings = embeddings_on(&stage, api(&server));
            let errors = [
                chat.ask(&question()).await.unwrap_err(),
                chat.ask(&question()).await.unwrap_err(),
                chat.ask(&question()).await.unwrap_err(),
                embeddings.embed(&[DIALOGUE]).await.unwrap_err(),
            ];
            for error in errors {
                assert!(!error.message().contains("白小喵"), "no dialogue either: {error}");
                shown
                    .push_str(&format!("{error} {error:?} {:?}\n", reverie_core::Error::from(error.clone())));
            }
            let probe = chat.probe().await;
            shown.push_str(&format!("{probe:?} {:?} {:?}\n", chat.dependency().health(), chat.dependency()));
            let sent = server.seen();
            assert!(sent.iter().all(|seen| !seen.target.contains("swordfish")), "never in a URL");
            assert!(sent.iter().all(|seen| !seen.body.to_string().contains("swordfish")), "never in a body");
            assert!(
                sent.iter().any(|seen| format!("{:?}", seen.headers).contains("sk-swordfish")),
                "in its header"
            );
        }
    }
    let log = String::from_utf8(logged.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("left alone for a while"), "the log was listened to: {log}");
    assert!(!log.contains("白小喵"), "no dialogue in a log: {log}");
    shown.push_str(&log);
    for secret in ["swordfish", "sk-s"] {
        assert!(
            !shown.contains(secret),
            "{}",
            shown.lines().find(|line| line.contains(secret)).unwrap_or_default()
        );
    }
}

#[test]
fn a_configuration_can_be_printed() {
    let mut endpoint = Endpoint::new("https://mei:swordfish@model.example/v1?key=swordfish")
        .key(Key::new("sk-swordfish").unwrap());
    endpoint.proxy = Some(Proxy::new("http://mei:swordfish@127.0.0.1:7890").unwrap());
    let model = ChatModel::new(endpoint, "m");
    let printed = format!("{model:?} {}", model.endpoint.key.as_ref().unwrap());
    assert!(!printed.contains("swordfish"), "{printed}");
    assert!(printed.contains("model.example") && printed.contains("[hidden]@127.0.0.1:7890"), "{printed}");
}

#[test]
fn a_secret_that_is_cut_off_is_hidden_too() {
    // What a server said is cut after 400 characters, perhaps in the middle of the key.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for before in 385..400 {
            let server = ScriptedModel::answering(move |_| {
                Behaviour::refuses(400, "bad", &format!("{}sk-swordfish", "x".repeat(before)))
            });
            let error = chat_on(&Stage::new(), BOTH[0](&server)).ask(&question()).await.unwrap_err();
            let said = error.server_said().unwrap();
            assert!(!said.contains("sk-s"), "{said}");
        }
    });
}
