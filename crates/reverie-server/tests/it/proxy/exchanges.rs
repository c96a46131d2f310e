//! What belongs to one exchange? An answer that calls tools goes on when they have answered, and in a group several answer the same words.

use reverie_testkit::scripted_model::{Behaviour, End, ScriptedModel};
use serde_json::{Value, json};

use super::remembers::{conversation, path, say};
use super::{chat, serve_before};
use crate::caller::Caller;
use crate::worker::until;

/// What each round of a conversation holds, as its first and last words, and how it stands.
fn rounds(caller: &mut Caller, place: &str) -> Vec<String> {
    let lines = caller.lines(&format!("/v1/worlds/default/conversations/{place}"));
    let words = |id: &Value| {
        let line = lines.iter().find(|line| line["id"] == *id);
        line.map_or("nothing", |line| line["content"].as_str().unwrap()).to_owned()
    };
    let list = caller.get(&format!("/v1/worlds/default/conversations/{place}/rounds"));
    let told = |round: &Value| {
        format!(
            "{} … {}: {}",
            words(&round["first_line"]),
            words(&round["last_line"]),
            round["state"].as_str().unwrap()
        )
    };
    list["items"].as_array().unwrap().iter().map(told).collect()
}

fn call() -> Value {
    json!({"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}})
}

/// Says something and calls a tool, at once or in pieces.
fn calling(text: &str, is_stream: bool) -> Behaviour {
    if !is_stream {
        let message = json!({"role": "assistant", "content": text, "tool_calls": [call()]});
        let choice = json!({"index": 0, "message": message, "finish_reason": "tool_calls"});
        return Behaviour::body(&json!({"choices": [choice]}).to_string());
    }
    let event = |delta: Value, finish: Value| {
        format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}))
    };
    let pieces = vec![
        event(json!({"content": text}), Value::Null),
        event(json!({"tool_calls": [call()]}), Value::Null),
        event(json!({}), json!("tool_calls")),
        "data: [DONE]\n\n".to_owned(),
    ];
    Behaviour::Pieces { pieces, end: End::Whole }
}

#[test]
fn an_answer_that_calls_tools_goes_on_in_its_round() {
    for is_stream in [false, true] {
        let model = ScriptedModel::playing([
            calling("Let me look that up.", is_stream),
            Behaviour::says("It is sunny in Oslo."),
            calling("One moment, please.", is_stream),
            Behaviour::says("You are welcome."),
        ]);
        let server = serve_before(&model, &[]);
        let mut caller = Caller::new(&server);
        let mut said = vec![json!({"role": "user", "content": "What is the weather in Oslo?"})];
        let ask = |said: &[Value]| {
            let reply = chat(&server, "", &json!({"model": "m", "stream": is_stream, "messages": said}));
            conversation(&reply).to_owned()
        };
        let place = ask(&said);
        assert_eq!(
            rounds(&mut caller, &place),
            ["What is the weather in Oslo? … Let me look that up.: open"]
        );
        said.push(json!({"role": "assistant", "content": "Let me look that up.", "tool_calls": [call()]}));
        said.push(json!({"role": "tool", "tool_call_id": "c1", "content": "sunny"}));
        assert_eq!(ask(&said), place);
        let rounds_of = format!("/v1/worlds/default/conversations/{place}/rounds");
        until(&mut caller, &rounds_of, |list| list["items"][0]["state"] == "digested");
        let first = "What is the weather in Oslo? … It is sunny in Oslo.: digested";
        assert_eq!(rounds(&mut caller, &place), [first]);
        // A tool that never answers: the next words end it.
        said.push(json!({"role": "assistant", "content": "It is sunny in Oslo."}));
        said.push(json!({"role": "user", "content": "And in Bergen?"}));
        ask(&said);
        said.push(json!({"role": "assistant", "content": "One moment, please."}));
        said.push(json!({"role": "user", "content": "Never mind, thank you."}));
        ask(&said);
        until(&mut caller, &rounds_of, |list| list["items"][2]["state"] == "digested");
        let all = [
            first,
            "And in Bergen? … One moment, please.: digested",
            "Never mind, thank you. … You are welcome.: digested",
        ];
        assert_eq!(rounds(&mut caller, &place), all, "stream: {is_stream}");
    }
}

/// However a client writes down what was said at a call of tools, or does not, it is one exchange.
#[test]
fn an_answer_that_calls_tools_is_one_exchange_in_any_words() {
    let (asks, looks, tells) = ("天气？", "让我查一下天气。", "晴。");
    for written in [json!(null), json!(""), json!("(weather)"), json!("让我查一下"), json!(looks)] {
        let model = ScriptedModel::playing([
            calling(looks, true),
            calling("もう少し。", false),
            Behaviour::says(tells),
            Behaviour::says("不客气。"),
        ]);
        let server = serve_before(&model, &[]);
        let mut caller = Caller::new(&server);
        let ask = |said: &[Value]| {
            let reply = chat(&server, "", &json!({"model": "m", "messages": said}));
            conversation(&reply).to_owned()
        };
        let answered = json!({"role": "tool", "tool_call_id": "c1", "content": "sunny"});
        let called = json!({"role": "assistant", "content": written, "tool_calls": [call()]});
        let mut said = vec![json!({"role": "user", "content": asks})];
        let place = ask(&said);
        said.extend([called.clone(), answered.clone()]);
        assert_eq!(ask(&said), place, "{written}");
        // Not all is told the second time.
        said.extend([json!({"role": "assistant", "tool_calls": [call()]}), answered]);
        assert_eq!(ask(&said), place, "{written}");
        said.extend([json!({"role": "assistant", "content": tells})]);
        said.push(json!({"role": "user", "content": "谢谢。"}));
        assert_eq!(ask(&said), place, "{written}");
        let rounds_of = format!("/v1/worlds/default/conversations/{place}/rounds");
        until(&mut caller, &rounds_of, |list| list["items"][1]["state"] == "digested");
        let all = ["天气？ … 晴。: digested", "谢谢。 … 不客气。: digested"];
        assert_eq!(rounds(&mut caller, &place), all, "{written}");
        let tree = caller.get(&format!("/v1/worlds/default/conversations/{place}/lines?tree=true"));
        let words: Vec<&str> =
            tree["items"].as_array().unwrap().iter().map(|line| line["content"].as_str().unwrap()).collect();
        assert_eq!(words, [asks, looks, "もう少し。", tells, "谢谢。", "不客气。"], "{written}");
    }
}

#[test]
fn all_who_answer_in_a_group_answer_the_same_words() {
    let model = ScriptedModel::answering(|seen| {
        let asked = seen.body["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
        let name = ["Alice", "Bob", "钦灵"].into_iter().find(|name| asked.contains(name)).unwrap();
        Behaviour::says(&format!("{name}: That key is {name}'s."))
    });
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    let mut said = vec!["system: [Start a new group chat. Group members: Alice, Bob, 钦灵]".to_owned()];
    let mut place = String::new();
    for (words, names) in [
        ("Look, I have found a golden key.", &["Alice", "Bob", "钦灵"][..]),
        ("Whose is it then, really?", &["Bob", "Alice"]),
    ] {
        said.push(format!("user: {words}"));
        for name in names {
            let nudge = format!("system: [Write the next reply only as {name}.]");
            let sent: Vec<&str> = said.iter().map(String::as_str).chain([nudge.as_str()]).collect();
            place = conversation(&say(&server, "", "m", &sent)).to_owned();
            said.push(format!("assistant: {name}: That key is {name}'s."));
        }
    }
    assert_eq!(path(&mut caller, "default", &place).len(), 7);
    let first = "Look, I have found a golden key. … That key is 钦灵's.: digested";
    let rounds_of = format!("/v1/worlds/default/conversations/{place}/rounds");
    until(&mut caller, &rounds_of, |list| list["items"][0]["state"] == "digested");
    // The second is not over yet: somebody else may answer.
    assert_eq!(rounds(&mut caller, &place), [first]);
    caller.call("POST /v1/worlds/default/digest", json!({"now": true}));
    let second = "Whose is it then, really? … That key is Alice's.: digested";
    assert_eq!(rounds(&mut caller, &place), [first, second]);
    let known = caller.get("/v1/worlds/default/characters/Bob/memories");
    let texts: Vec<&str> =
        known["items"].as_array().unwrap().iter().map(|memory| memory["text"].as_str().unwrap()).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    for words in ["a golden key", "Alice's", "Bob's", "钦灵's"] {
        assert!(
            texts.iter().any(|text| text.contains("golden") && text.contains(words)),
            "{words}: {texts:?}"
        );
    }
}

/// What a client writes of an answer itself, and what the model says behind it, are one line.
#[test]
fn an_answer_that_the_client_begins_is_one_line() {
    for flag in ["prefix", "partial"] {
        let model = ScriptedModel::playing([
            Behaviour::says(" a time there was a boat."),
            Behaviour::says("It sank."),
            Behaviour::refuses(500, "boom", "no"),
            Behaviour::says("没有人知道。"),
        ]);
        let server = serve_before(&model, &[]);
        let mut caller = Caller::new(&server);
        let tale = json!({"role": "user", "content": "Tell me a tale of the sea."});
        let begun = |words: &str| json!({"role": "assistant", "content": words, flag: true});
        let ask = |said: &[Value]| {
            let reply = chat(&server, "", &json!({"model": "m", "messages": said}));
            reply.header("x-reverie-conversation").unwrap().to_owned()
        };
        let place = ask(&[tale.clone(), begun("Once upon")]);
        let told = "Once upon a time there was a boat.";
        let first = ["user: Tell me a tale of the sea.".to_owned(), format!("assistant: {told}")];
        assert_eq!(path(&mut caller, "default", &place), first);
        let mut said = vec![tale, json!({"role": "assistant", "content": told})];
        said.push(json!({"role": "user", "content": "And then what happened?"}));
        assert_eq!(ask(&said), place);
        // Another answer, which the client begins in its own words, stands beside the first; nothing does while none comes.
        said.push(begun("据说，"));
        assert_eq!(ask(&said), place);
        let lines = format!("/v1/worlds/default/conversations/{place}/lines?limit=100");
        until(&mut caller, &lines, |list| list["items"][3]["content"] == "It sank.");
        assert_eq!(ask(&said), place);
        assert_eq!(
            path(&mut caller, "default", &place)[2..],
            ["user: And then what happened?".to_owned(), "assistant: 据说，没有人知道。".to_owned(),]
        );
        let rounds_of = format!("/v1/worlds/default/conversations/{place}/rounds");
        until(&mut caller, &rounds_of, |list| list["items"][1]["state"] == "digested");
        assert_eq!(rounds(&mut caller, &place).len(), 2, "{flag}");
    }
}
