//! Somebody stops an answer and goes on at once: is what was shown recorded once, behind what it answers?

use reverie_testkit::scripted_model::{Behaviour, End, ScriptedModel};
use serde_json::{Value, json};

use super::remembers::path;
use super::{Listening, chat, messages, serve_before};
use crate::caller::Caller;
use crate::client::PATIENCE;

/// Races differ from time to time.
const TIMES: usize = 8;

fn asking(model: &str, said: &[&str]) -> Value {
    json!({"model": model, "stream": true, "messages": messages(said)})
}

#[test]
fn an_answer_that_is_stopped_is_recorded_once_and_in_its_place() {
    let model = ScriptedModel::answering(|seen| match seen.prompt().contains("second") {
        true => Behaviour::says("The second answer."),
        false => Behaviour::tells(&["First ", "answer, long as "], End::Hang),
    });
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    let first = "user: The first words of it";
    let second = "user: The second words of it";
    for (kind, next) in [
        ("whole", &[first, "assistant: First answer, long as", second][..]),
        // What came last was not shown any more.
        ("shorter", &[first, "assistant: First", second]),
        ("alone", &[second]),
    ] {
        for time in 0..TIMES {
            let name = format!("m@{kind}{time}");
            let mut listening = Listening::begin(server.address, "", &asking(&name, &[first]));
            listening.piece().unwrap();
            listening.piece().unwrap();
            listening.leave();
            // Who tells nothing of what was shown is understood as soon as it is known that they left.
            while kind == "alone" && model.being_served() > 0 {
                std::thread::yield_now();
            }
            let reply = chat(&server, "", &asking(&name, next));
            let place = reply.header("x-reverie-conversation").unwrap().to_owned();
            let shown = next.get(1).copied().unwrap_or("assistant: First answer, long as");
            let wanted = [first, shown, second, "assistant: The second answer."];
            let wanted = wanted.map(|line| line.split_once(": ").unwrap().1);
            let start = std::time::Instant::now();
            loop {
                let said = path(&mut caller, "default", &place);
                let words: Vec<&str> = said.iter().map(|line| line.split_once(": ").unwrap().1).collect();
                let tree = format!("/v1/worlds/default/conversations/{place}/lines?tree=true&limit=100");
                let tree = caller.get(&tree);
                let is_so = words == wanted && tree["items"].as_array().unwrap().len() == wanted.len();
                if is_so {
                    break;
                }
                assert!(start.elapsed() < PATIENCE / 4, "{name}: {said:?} {tree}");
                std::thread::yield_now();
            }
        }
    }
}

/// Whoever changes what they said has left the answer to it: their old words are no longer on the path.
#[test]
fn words_that_are_changed_while_they_are_answered_take_the_place_of_the_old_ones() {
    let model = ScriptedModel::answering(|seen| {
        let last = seen.body["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
        match last.contains("slow") {
            true => Behaviour::tells(&["Half an answer"], End::Hang),
            false => Behaviour::says("The whole answer."),
        }
    });
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    for time in 0..TIMES {
        let name = format!("m@changed{time}");
        let before = ["user: Good evening to you all.", "assistant: The whole answer."];
        chat(&server, "", &asking(&name, &before[..1]));
        let slow = [before[0], before[1], "user: A slow question about ships"];
        let mut listening = Listening::begin(server.address, "", &asking(&name, &slow));
        listening.piece().unwrap();
        listening.leave();
        while model.being_served() > 0 {
            std::thread::yield_now();
        }
        let changed = [before[0], before[1], "user: How far is the harbour?"];
        let reply = chat(&server, "", &asking(&name, &changed));
        let place = reply.header("x-reverie-conversation").unwrap();
        let said = path(&mut caller, "default", place);
        let words: Vec<&str> = said.iter().map(|line| line.split_once(": ").unwrap().1).collect();
        let wanted =
            ["Good evening to you all.", "The whole answer.", "How far is the harbour?", "The whole answer."];
        assert_eq!(words, wanted, "{name}");
    }
}
