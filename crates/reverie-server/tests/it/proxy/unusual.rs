//! Is a message remembered that looks like a note, or is longer than a prompt?

use reverie_testkit::scripted_model::{Behaviour, ScriptedModel};
use serde_json::json;

use super::remembers::{asked, conversation, path, say};
use super::{chat, serve_before};
use crate::caller::Caller;
use crate::client::Reply;

/// A client that sends nothing of what was said before never sends again what is passed over.
#[test]
fn notes_of_a_client_without_a_history_are_not_lost() {
    let model = ScriptedModel::always(Behaviour::says("I see."));
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    let pasted =
        "Alice: The bread is ready.\nTom: Good morning.\nAlice: Good morning, Tom.\nTom: Is there coffee?";
    let told = |reply: &Reply| reply.header("x-reverie-memory").unwrap().to_owned();
    for (headers, user) in [("", "mei"), ("x-reverie-conversation: room", "小明")] {
        let send = |words: &str| {
            let body =
                json!({"model": "m@mo", "user": user, "messages": [{"role": "user", "content": words}]});
            chat(&server, headers, &body)
        };
        // Nobody knows yet what this client does.
        assert_eq!(told(&send("[Note: call me Mei]")), "off; reason=utility:instructions");
        assert_eq!(told(&send(pasted)), "off; reason=utility:flattened");
        for words in ["早上好。", "I slept well.", "It rains."] {
            assert_eq!(told(&send(words)), "on");
        }
        assert_eq!(told(&send("[Note: my birthday is May 4th]")), "on");
        let reply = send(pasted);
        let place = conversation(&reply).to_owned();
        let said = path(&mut caller, "default", &place);
        assert_eq!(said[6], format!("{user}: [Note: my birthday is May 4th]"), "{said:?}");
        assert_eq!(said[8], format!("{user}: {pasted}"), "{said:?}");
        assert_eq!(
            told(&send("### Task:\nGenerate a concise, 3-5 word title.")),
            "off; reason=utility:title"
        );
    }
    // One that keeps a history sends it again.
    let said = ["user: Hello there, Mo.", "assistant: I see.", "user: How are you today?"];
    conversation(&say(&server, "x-reverie-user: tom", "m@mo", &said));
    let note = say(&server, "x-reverie-user: tom", "m@mo", &["user: [Note: my birthday is May 4th]"]);
    assert_eq!(told(&note), "off; reason=utility:instructions");
}

/// The newest message stands in the client's prompt, however long it is.
#[test]
fn a_long_message_reminds_of_something_all_the_same() {
    let model = ScriptedModel::always(Behaviour::says("Yes."));
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    let (english, chinese) = ("Is Ann allergic to peanuts?", "安对花生过敏吗？");
    for (world, known, long, told) in [
        ("before", "Ann is allergic to peanuts.", format!("{english} {}.", "x y ".repeat(12_000)), "on"),
        ("behind", "Ann is allergic to peanuts.", format!("{} {english}", "x y ".repeat(12_000)), "on"),
        // Longer than a line may be.
        (
            "chinese",
            "安对花生过敏。",
            format!("{chinese}{}", "雾散了。".repeat(6_000)),
            "on; degraded=text_cut",
        ),
    ] {
        caller.call(&format!("PUT /v1/worlds/{world}"), json!({}));
        let memory = json!({"text": known, "kind": "semantic"});
        caller.call(&format!("POST /v1/worlds/{world}/characters/mo/memories"), memory);
        let said = format!("user: {long}");
        // Once more: it is recorded already then.
        for (recorded, told) in [("1", told), ("0", "on")] {
            let reply = say(&server, &format!("x-reverie-world: {world}"), "m@mo", &["system: s", &said]);
            assert_eq!(reply.header("x-reverie-memory"), Some(told), "{world} {recorded}");
            assert_eq!(reply.header("x-reverie-recorded"), Some(recorded));
            assert!(asked(&model).prompt().contains(known), "{world} {recorded}");
            let sent = asked(&model).body["messages"].as_array().unwrap().last().unwrap().clone();
            assert!(sent["content"].as_str() == Some(long.as_str()), "it goes on as it came");
        }
    }
}

/// However long what was asked is, and asked for again: before others a bot keeps what was said to it alone.
#[test]
fn a_long_message_in_a_group_brings_up_nobodys_secret() {
    let model = ScriptedModel::always(Behaviour::says("Hm."));
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    caller.call("PUT /v1/worlds/default", json!({"preset": "bot"}));
    let (secret, asks) = ("A golden frog lives in my cellar.", "What of the golden frog in my cellar?");
    let long = format!("user: {asks} {}", "x y ".repeat(3000));
    let alone = "x-reverie-user: mei\nx-reverie-conversation: alone";
    conversation(&say(&server, alone, "m@mo", &[&format!("user: {secret}")]));
    caller.call("POST /v1/worlds/default/digest", json!({"now": true}));
    let group = "x-reverie-user: mei\nx-reverie-conversation: inn\nx-reverie-present: mo,zhou";
    let another = "x-reverie-user: mei\nx-reverie-conversation: another";
    for (place, is_told) in [(group, false), (another, true)] {
        for recorded in ["1", "0"] {
            let reply = say(&server, place, "m@mo", &["system: s", &long]);
            conversation(&reply);
            assert_eq!(reply.header("x-reverie-recorded"), Some(recorded), "{place}");
            assert_eq!(asked(&model).prompt().contains(secret), is_told, "{place} {recorded}");
        }
    }
}

/// A template may open a model's thought in the prompt. A client shows it as it came, and sends it back so.
#[test]
fn a_thought_that_nothing_opened_is_not_recorded() {
    let thought = |said: &str| format!("Okay, the user wants it.\n</think>\n\n{said}");
    let model = ScriptedModel::playing(
        ["With joy.", "はい。", "Any time."].map(thought).map(|said| Behaviour::says(&said)),
    );
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    let joy = format!("assistant: {}", thought("With joy."));
    let sent = [
        "user: Dance with me, please.",
        &joy,
        "user: もう一度？",
        "assistant: はい。",
        "user: Lovely, thank you.",
    ];
    for count in [1, 3, 5] {
        let place = conversation(&say(&server, "", "m", &sent[..count])).to_owned();
        let tree = caller.get(&format!("/v1/worlds/default/conversations/{place}/lines?tree=true"));
        assert_eq!(tree["items"].as_array().unwrap().len(), count + 1, "{tree}");
        assert!(!tree.to_string().contains("think"), "{tree}");
    }
}
