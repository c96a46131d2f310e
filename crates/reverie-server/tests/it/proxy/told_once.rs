//! Is what the client cannot know told in its request, and what stands there anyway not told again?

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::{Value, json};

use super::remembers::{asked, say};
use super::serve_before;
use crate::caller::Caller;
use crate::run::Server;

const GREETING: &str = "assistant: *The lamp flickers as Sera looks up from her book.* Oh! A visitor at this hour? Come in, come in, and close the door behind you.";

/// What was put into the last request: all that the client did not send.
fn told(model: &ScriptedModel, sent: &[&str]) -> String {
    let is_theirs = |message: &Value| {
        let content = message["content"].as_str().unwrap();
        sent.iter().any(|sent| sent.split_once(": ").unwrap().1 == content)
    };
    let messages = asked(model).body["messages"].as_array().unwrap().clone();
    let told = messages.iter().filter(|message| !is_theirs(message));
    told.map(|message| message["content"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
}

fn digest(server: &Server, world: &str) {
    Caller::new(server).call(&format!("POST /v1/worlds/{world}/digest"), json!({"now": true}));
}

/// Recall would quote it as background, for which a client's prompt has no place.
#[test]
fn what_was_said_in_a_group_comes_to_mind_alone() {
    let model = ScriptedModel::always(Behaviour::says("A treasure, really?"));
    let server = serve_before(&model, &[]);
    for (world, is_remembered) in [("just-now", false), ("remembered", true)] {
        let headers = format!("x-reverie-world: {world}\nx-reverie-user: Mei");
        let group = [
            "system: [Start a new group chat. Group members: Alice, Bob]",
            "user: Mei: The treasure lies under the old oak.",
            "system: [Write the next reply only as Alice.]",
        ];
        say(&server, &headers, "m", &group);
        if is_remembered {
            digest(&server, world);
        }
        let question = ["user: Where does the treasure lie?"];
        for (user, character, knows) in
            [("Mei", "Alice", true), ("Mei", "Bob", true), ("Tom", "Alice", true), ("Mei", "Cid", false)]
        {
            let headers = format!("x-reverie-world: {world}\nx-reverie-user: {user}");
            say(&server, &headers, &format!("m@{character}"), &question);
            let told = told(&model, &question);
            assert_eq!(told.contains("under the old oak"), knows, "{world}, {user} asks {character}: {told}");
        }
    }
}

/// It would take one of the few places in every chat that begins with it.
#[test]
fn the_greeting_of_every_chat_leaves_its_place_to_others() {
    let model = ScriptedModel::always(Behaviour::says("I see."));
    let server = serve_before(&model, &[]);
    let begin = ["system: You are Sera.", "system: [Start a new Chat]", GREETING];
    for fact in [
        "user: I came to this city at a late hour, by the night train.",
        "user: My sister told me to visit you; she plays the cello.",
        "user: A book of mine fell behind the door of my boat.",
        "user: My boat is called Albatross.",
    ] {
        say(&server, "", "m@sera", &[&begin[..], &[fact]].concat());
        digest(&server, "default");
    }
    let asks =
        [&begin[..], &["user: Which book fell behind the door, and at what hour did the visitor come?"]];
    let asks = asks.concat();
    say(&server, "", "m@sera", &asks);
    let told = told(&model, &asks);
    assert!(told.contains("night train") && told.contains("fell behind the door of my boat"), "{told}");
    assert!(!told.contains("The lamp flickers"), "{told}");
}

/// Also where it is a system message that says it, and where it was said elsewhere just now.
#[test]
fn what_the_client_sends_is_not_told_again() {
    let model = ScriptedModel::always(Behaviour::says("Seventeen, got it."));
    let server = serve_before(&model, &[]);
    let question = "user: What is my lucky number?";
    let said = "My lucky number is seventeen, remember it.";
    for (world, is_remembered) in [("just-now", false), ("remembered", true)] {
        let headers = format!("x-reverie-world: {world}");
        say(&server, &headers, "m@qin", &[&format!("user: {said}")]);
        if is_remembered {
            digest(&server, world);
        }
        for (system, is_told) in [
            ("system: You are Qin.".to_owned(), true),
            // The answer stands nowhere.
            (format!("system: Lore: {said}"), true),
            (
                "system: Lore: my lucky number  is Seventeen, remember it.\n\nSeventeen, got it.".to_owned(),
                false,
            ),
        ] {
            let sent = [system.as_str(), question];
            let headers = format!("{headers}\nx-reverie-user: tom");
            say(&server, &headers, "m@qin", &sent);
            let told = told(&model, &sent);
            assert_eq!(told.contains(said), is_told, "{world}, {system}: {told}");
        }
    }
}
