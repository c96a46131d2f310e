//! Is it known who speaks to whom, however the client writes it?

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::{Value, json};

use super::remembers::{conversation, path, say};
use super::serve_before;
use crate::caller::Caller;

/// Everything that was ever said in a conversation, on every branch.
fn tree(caller: &mut Caller, conversation: &str) -> Vec<String> {
    let list =
        caller.get(&format!("/v1/worlds/default/conversations/{conversation}/lines?tree=true&limit=1000"));
    let text = |line: &Value| {
        format!("{}: {}", line["speaker"].as_str().unwrap(), line["content"].as_str().unwrap())
    };
    list["items"].as_array().unwrap().iter().map(text).collect()
}

/// An id, a name and the conversation itself lead to the same place: whoever comes at once by several ways waits in one row.
#[test]
fn one_message_that_comes_by_several_ways_at_once_is_recorded_once() {
    let model = ScriptedModel::answering(|seen| {
        let last = seen.body["messages"].as_array().unwrap().last().unwrap();
        Behaviour::says(&format!("answer to {}", last["content"].as_str().unwrap()))
    });
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    caller.call("PUT /v1/worlds/default", json!({}));
    caller.call("PUT /v1/worlds/default/characters/qinling", json!({"display_name": "钦灵"}));
    let mut said = vec!["user: turn 0".to_owned()];
    let place = conversation(&say(&server, "", "m@qinling", &["user: turn 0"])).to_owned();
    for turn in 1..6 {
        said.push(format!("assistant: answer to turn {}", turn - 1));
        said.push(format!("user: turn {turn}"));
        let sent: Vec<&str> = said.iter().map(String::as_str).collect();
        let named = format!("x-reverie-conversation: {place}");
        let ways = [("", "m@qinling"), ("", "m@钦灵"), (named.as_str(), "m@qinling")];
        std::thread::scope(|scope| {
            let asking: Vec<_> = ways
                .iter()
                .map(|(headers, model)| scope.spawn(|| say(&server, headers, model, &sent)))
                .collect();
            for asked in asking {
                assert_eq!(conversation(&asked.join().unwrap()), place);
            }
        });
        let all = tree(&mut caller, &place);
        let count = all.iter().filter(|line| **line == format!("user: turn {turn}")).count();
        assert_eq!(count, 1, "{all:?}");
    }
    assert_eq!(path(&mut caller, "default", &place).len(), 12);
}
