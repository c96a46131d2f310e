//! Is what is said in a chat that is passed on recorded once, in its place, and remembered by the right ones?

use reverie_testkit::scripted_model::{Behaviour, End, ScriptedModel, Seen};
use serde_json::{Value, json};

use super::{Listening, chat, messages, serve_before, serve_patiently};
use crate::caller::{Caller, check_quiet};
use crate::client::{Reply, request};
use crate::run::{Directory, Server};
use crate::worker::until;

/// What was said on the path of a conversation, as `speaker: words`.
pub(crate) fn path(caller: &mut Caller, world: &str, conversation: &str) -> Vec<String> {
    let lines = caller.lines(&format!("/v1/worlds/{world}/conversations/{conversation}"));
    let line = |line: &Value| {
        format!("{}: {}", line["speaker"].as_str().unwrap(), line["content"].as_str().unwrap())
    };
    lines.iter().map(line).collect()
}

/// How the rounds stand that were opened for a chat.
pub(crate) fn rounds(caller: &mut Caller, world: &str, conversation: &str) -> Vec<String> {
    let list = caller.get(&format!("/v1/worlds/{world}/conversations/{conversation}/rounds"));
    let opened = list["items"].as_array().unwrap().iter().filter(|round| round["explicit"] == true);
    opened.map(|round| round["state"].as_str().unwrap().to_owned()).collect()
}

pub(crate) fn conversation(reply: &Reply) -> &str {
    assert_eq!(reply.header("x-reverie-memory"), Some("on"), "{reply:?}");
    reply.header("x-reverie-conversation").unwrap()
}

pub(crate) fn say(server: &Server, headers: &str, model: &str, said: &[&str]) -> Reply {
    let reply = chat(server, headers, &json!({"model": model, "messages": messages(said)}));
    assert_eq!(reply.status, 200, "{}", reply.body);
    reply
}

/// What the upstream was asked last.
pub(crate) fn asked(model: &ScriptedModel) -> Seen {
    model.seen().pop().unwrap()
}

#[test]
fn what_is_told_in_one_chat_comes_to_mind_in_another_to_the_right_one() {
    let model = ScriptedModel::always(Behaviour::says("I see."));
    let server = serve_before(&model, &["--log-level", "info"]);
    let reply = say(
        &server,
        "",
        "m@qin",
        &["system: You are Qin.", "user: My cat is called Mochi, she hates thunder."],
    );
    let first = conversation(&reply).to_owned();
    assert_eq!(
        (reply.header("x-reverie-world"), reply.header("x-reverie-recorded")),
        (Some("default"), Some("1"))
    );
    let mut caller = Caller::new(&server);
    assert_eq!(
        path(&mut caller, "default", &first),
        ["user: My cat is called Mochi, she hates thunder.", "qin: I see."]
    );
    until(&mut caller, "/v1/worlds/default/characters/qin/memories", |list| {
        list["items"].as_array().is_some_and(|items| !items.is_empty())
    });
    assert_eq!(rounds(&mut caller, "default", &first), ["digested"]);

    let ask = [
        "system: You are Qin.",
        "user: hi",
        "assistant: Hello there, friend.",
        "user: What does my cat Mochi hate?",
    ];
    let reply = say(&server, "", "m@qin", &ask);
    assert_ne!(conversation(&reply), first, "another chat");
    let sent = asked(&model);
    assert!(sent.prompt().contains("thunder"), "{}", sent.prompt());
    assert_eq!(sent.body["model"], "m");
    let sent = sent.body["messages"].as_array().unwrap();
    let theirs: Vec<&Value> =
        sent.iter().filter(|message| !message.to_string().contains("thunder")).collect();
    assert_eq!(json!(theirs), messages(&ask), "all that was sent went on, in its order");
    assert_eq!(sent.last().unwrap()["content"], "What does my cat Mochi hate?");

    let reply = say(&server, "", "m@zhou", &ask);
    conversation(&reply);
    assert!(!asked(&model).prompt().contains("thunder"), "nobody told Zhou");
    let reply = say(&server, "x-reverie-user: somebody%20else", "m@qin", &ask);
    conversation(&reply);
    let prompt = asked(&model).prompt();
    assert!(!prompt.contains("x-reverie"), "{prompt}");
    check_quiet(&server.log(), &["Mochi", "thunder", "qin", "zhou", "somebody"]);
}

/// Clients send everything again with every turn.
#[test]
fn a_history_that_is_sent_again_is_recorded_once() {
    let model = ScriptedModel::answering(|seen| {
        Behaviour::says(&format!("answer {}", seen.body["messages"].as_array().unwrap().len()))
    });
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    let mut said = vec!["system: s".to_owned(), "assistant: Welcome, traveller.".to_owned()];
    let mut place = String::new();
    let spoken = |said: &[String]| -> Vec<String> {
        said.iter().filter(|line| !line.starts_with("system")).cloned().collect()
    };
    for turn in 0..5 {
        said.push(format!("user: question number {turn}"));
        // From the third turn on the client sends only the end of it.
        let begin = if turn > 2 { 3 } else { 0 };
        let sent: Vec<&str> = said[begin..].iter().map(String::as_str).collect();
        let reply = say(&server, "", "m", &sent);
        let here = conversation(&reply).to_owned();
        assert!(place.is_empty() || here == place);
        place = here;
        said.push(format!(
            "assistant: {}",
            reply.json()["choices"][0]["message"]["content"].as_str().unwrap()
        ));
        assert_eq!(path(&mut caller, "default", &place), spoken(&said), "turn {turn}");
    }
    assert_eq!(rounds(&mut caller, "default", &place).len(), 5);

    // Another answer to the same words is a swipe.
    let last = said.pop().unwrap();
    let sent: Vec<&str> = said.iter().map(String::as_str).collect();
    say(&server, "", "m", &sent);
    let head = path(&mut caller, "default", &place);
    assert_eq!((head.len(), head.last().unwrap().as_str()), (11, "assistant: answer 11"), "{last}");
    assert_eq!(rounds(&mut caller, "default", &place).len(), 5, "the same round");
    // A message that was changed is a branch.
    let changed = said.len() - 1;
    said[changed] = "user: something else entirely".to_owned();
    let sent: Vec<&str> = said.iter().map(String::as_str).collect();
    say(&server, "", "m", &sent);
    let head = path(&mut caller, "default", &place);
    assert_eq!(head[9..], ["user: something else entirely".to_owned(), "assistant: answer 11".to_owned()]);
    let tree = caller.get(&format!("/v1/worlds/default/conversations/{place}/lines?tree=true&limit=1000"));
    assert_eq!(tree["items"].as_array().unwrap().len(), 14, "nothing is lost");
}

/// A bot that sends only what was said last.
#[test]
fn a_client_without_a_history_talks_on_in_one_conversation() {
    let model = ScriptedModel::always(Behaviour::tells(&["Cer", "tainly"], End::Whole));
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    for text in ["one", "two", "two"] {
        let body = json!({"model": "m", "stream": true, "user": "u 1", "messages": messages(&[&format!("user: {text}")])});
        let mut listening =
            Listening::begin(server.address, "x-reverie-character: %E9%92%A6%E7%81%B5", &body);
        assert!(listening.head.contains("x-reverie-memory: on\n"), "{}", listening.head);
        while listening.piece().is_some() {}
    }
    let list = caller.get("/v1/worlds/default/conversations");
    let place = list["items"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(list["items"].as_array().unwrap().len(), 1, "{list}");
    let said = path(&mut caller, "default", &place);
    assert_eq!(
        said,
        ["u 1: one", "钦灵: Certainly", "u 1: two", "钦灵: Certainly", "u 1: two", "钦灵: Certainly"]
    );
    assert_eq!(rounds(&mut caller, "default", &place).len(), 3);
}

/// What a client asks for itself is passed on as it is, and leaves nothing behind.
#[test]
fn utility_requests_are_not_recorded() {
    let model = ScriptedModel::always(Behaviour::says("A title"));
    let server = serve_before(&model, &[]);
    let title = json!({"model":"m","messages":[{"role":"user","content":"### Task:\nGenerate a concise, 3-5 word title with an emoji summarizing the chat history.\n### Chat History:\nUSER: hi"}]});
    let reply = chat(&server, "", &title);
    assert!(reply.header("x-reverie-memory").unwrap().starts_with("off; reason=utility"), "{reply:?}");
    assert_eq!(asked(&model).body, title);
    let plain = json!({"model": "m", "messages": messages(&["user: hi"])});
    for (headers, body, told) in [
        ("x-reverie-kind: utility", plain.clone(), "off; reason=utility:asked"),
        ("x-reverie-memory: off", plain.clone(), "off; reason=asked"),
        ("", json!({"model": "m", "messages": []}), "off; reason=utility:instructions"),
        ("", json!({"model": "m"}), "off; reason=no-messages"),
    ] {
        let reply = chat(&server, headers, &body);
        assert_eq!(reply.header("x-reverie-memory"), Some(told), "{body}");
        assert_eq!(asked(&model).raw, body.to_string().into_bytes());
    }
    let with = |ours: Value| json!({"model": "m", "messages": messages(&["user: hi"]), "reverie": ours});
    for (headers, body, told) in [
        ("x-reverie-kind: Utility", plain.clone(), "off; reason=utility:asked"),
        ("x-reverie-memory: OFF", plain.clone(), "off; reason=asked"),
        ("x-reverie-memory: no", plain.clone(), "off; reason=asked"),
        ("x-reverie-memory: False", plain.clone(), "off; reason=asked"),
        ("", with(json!({"memory": false})), "off; reason=asked"),
        ("", with(json!({"memory": "No"})), "off; reason=asked"),
        ("", with(json!({"memory": 0})), "off; reason=asked"),
        ("", with(json!({"memory": "true", "kind": "UTILITY"})), "off; reason=utility:asked"),
    ] {
        let reply = chat(&server, headers, &body);
        assert_eq!(reply.header("x-reverie-memory"), Some(told), "{headers} {body}");
    }
    let before = model.seen().len();
    for (headers, body, code) in [
        ("x-reverie-memory: nope", plain.clone(), "invalid_memory"),
        ("x-reverie-kind: summary", plain.clone(), "invalid_kind"),
        ("", with(json!({"only_witnessed": "maybe"})), "invalid_only_witnessed"),
        ("", with(json!({"memory": []})), "invalid_memory"),
    ] {
        let reply = chat(&server, headers, &body);
        assert_eq!((reply.status, &reply.json()["error"]["code"]), (400, &json!(code)), "{headers} {body}");
        assert!(reply.body.contains("one of"), "it says what may be written: {}", reply.body);
    }
    assert_eq!(model.seen().len(), before, "what is not understood is not sent");
    let worlds = Caller::new(&server).get("/v1/worlds");
    let ids: Vec<&Value> = worlds["items"].as_array().unwrap().iter().map(|world| &world["id"]).collect();
    assert_eq!(ids, ["harbour"], "nothing is left behind, and no world but the sample");
}

/// Clients that can set nothing but an address and a key.
#[test]
fn a_key_says_who_speaks_to_whom() {
    let model = ScriptedModel::always(Behaviour::says("Yes."));
    let directory = Directory::new();
    let text = format!(
        "[upstreams.a]\nurl = \"{}\"\n[keys.tavern]\ntoken = \"rv_tavern\"\nworld = \"tavern\"\ncharacter = \"钦灵\"\nuser = \"mei\"\n",
        model.openai()
    );
    let server = serve_patiently(&["--config", &directory.write("reverie.toml", &text)], &[]);
    let reply = say(&server, "authorization: Bearer rv_tavern", "m", &["user: hi"]);
    let place = conversation(&reply).to_owned();
    let mut caller = Caller::new(&server);
    assert_eq!(path(&mut caller, "tavern", &place), ["mei: hi", "钦灵: Yes."]);
    let listed = request(server.address, "GET /v1/models", "authorization: Bearer rv_tavern", "").json();
    assert!(
        listed.to_string().contains("scripted-chat@钦灵") && !listed.to_string().contains("@mei"),
        "{listed}"
    );
    let body = json!({"model": "m", "messages": messages(&["user: hi"]), "reverie": {"world": "other"}});
    let reply = chat(&server, "authorization: Bearer rv_tavern", &body);
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (403, &json!("wrong_world")));
}

/// A character that is stored speaks as itself where the client says nothing about it, and lore comes along.
#[test]
fn persona_and_lore_of_the_character_come_along() {
    let model = ScriptedModel::always(Behaviour::says("Yes."));
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    caller.call("PUT /v1/worlds/default", json!({}));
    caller.call("PUT /v1/worlds/default/characters/qin", json!({"persona": "You are Qin, a fox."}));
    let book = json!({"entries": {
        "0": {"uid": 0, "key": ["dragon"], "content": "The green dragon guards the east gate."},
        "1": {"uid": 1, "key": [], "constant": true, "content": "The city has four gates."},
    }});
    caller.call("PUT /v1/books/city", book);
    caller.call("PUT /v1/worlds/default/lore/city", json!({}));
    say(&server, "", "m@qin", &["user: I saw a dragon."]);
    let sent = asked(&model).body["messages"].clone();
    assert_eq!(sent[0]["role"], "system");
    let system = sent[0]["content"].as_str().unwrap();
    assert!(system.starts_with("You are Qin, a fox.") && system.contains("four gates"), "{sent}");
    assert!(sent[1]["content"].as_str().unwrap().contains("east gate"), "{sent}");
    assert_eq!(sent[2], json!({"role": "user", "content": "I saw a dragon."}));
    // A client that has a prompt, and the same lore in it, keeps its own.
    let own =
        ["system: You are somebody else.\n\nThe green dragon guards the east gate.", "user: I saw a dragon."];
    say(&server, "", "m@qin", &own);
    let sent = asked(&model).body["messages"].clone();
    assert_eq!(
        sent[0]["content"],
        "You are somebody else.\n\nThe green dragon guards the east gate.\n\nThe city has four gates."
    );
    assert_eq!(sent.as_array().unwrap().len(), 2, "{sent}");
}

/// Some models take a system message nowhere but at the front.
#[test]
fn memories_can_stand_in_the_user_s_message() {
    let model = ScriptedModel::always(Behaviour::says("Yes."));
    let server = serve_before(&model, &["--proxy-memory-role", "user"]);
    let mut caller = Caller::new(&server);
    caller.call("PUT /v1/worlds/default", json!({}));
    let book =
        json!({"entries": {"0": {"uid": 0, "key": ["dragon"], "content": "It guards the east gate."}}});
    caller.call("PUT /v1/books/city", book);
    caller.call("PUT /v1/worlds/default/lore/city", json!({}));
    say(&server, "", "m", &["system: s", "user: I saw a dragon."]);
    let sent = asked(&model).body["messages"].clone();
    assert_eq!(sent.as_array().unwrap().len(), 2, "{sent}");
    let text = sent[1]["content"].as_str().unwrap();
    assert!(text.contains("east gate") && text.ends_with("I saw a dragon."), "{sent}");
}

/// A name that cannot be one costs the memory, not the chat.
#[test]
fn a_name_that_is_none_turns_memory_off() {
    let model = ScriptedModel::always(Behaviour::says("Yes."));
    let server = serve_before(&model, &[]);
    let body = json!({"model": "m", "user": "x".repeat(500), "messages": messages(&["user: hi"])});
    let reply = chat(&server, "", &body);
    assert_eq!((reply.status, reply.header("x-reverie-memory")), (200, Some("off; reason=invalid:user")));
    assert_eq!(asked(&model).raw, body.to_string().into_bytes());
    let body = json!({"model": "m", "messages": messages(&["user: hi"])});
    let reply = chat(&server, &format!("x-reverie-world: {}", "w".repeat(500)), &body);
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (400, &json!("invalid_world")));
}

/// As SillyTavern sends a group: everything to everyone, names before the words, and who shall speak at the end.
#[test]
fn a_group_is_one_conversation_in_which_each_speaks_as_itself() {
    let model = ScriptedModel::answering(|seen| {
        let is_bob = seen.prompt().contains("only as Bob");
        Behaviour::says(if is_bob { "Bob: Ale, as ever." } else { "Alice: Mead for me." })
    });
    let directory = Directory::new();
    let text =
        format!("[upstreams.a]\nurl = \"{}\"\n[keys.t]\ntoken = \"rv_t\"\nuser = \"Mei\"\n", model.openai());
    let server = serve_patiently(&["--config", &directory.write("reverie.toml", &text)], &[]);
    let prompt = [
        "system: Write the next reply in this fictional chat.",
        "system: [Start a new group chat. Group members: Alice, Bob]",
    ];
    let turn = |said: &[&str], speaker: &str| {
        let nudge = format!("system: [Write the next reply only as {speaker}.]");
        let all = [&prompt[..], said, &[nudge.as_str()]].concat();
        let reply = say(&server, "authorization: Bearer rv_t", "m", &all);
        conversation(&reply).to_owned()
    };
    let place = turn(&["user: Mei: What do you drink?"], "Alice");
    let first = ["user: Mei: What do you drink?", "assistant: Alice: Mead for me."];
    assert_eq!(turn(&first, "Bob"), place);
    let said = [first[0], first[1], "assistant: Bob: Ale, as ever.", "user: Mei: Cheers!"];
    assert_eq!(turn(&said, "Bob"), place);
    let mut caller = Caller::new(&server);
    assert_eq!(
        path(&mut caller, "default", &place),
        [
            "Mei: What do you drink?",
            "Alice: Mead for me.",
            "Bob: Ale, as ever.",
            "Mei: Cheers!",
            "Bob: Ale, as ever."
        ]
    );
    let room = caller.get(&format!("/v1/worlds/default/conversations/{place}"));
    assert_eq!(room["participants"], json!(["Alice", "Bob", "Mei"]), "{room}");
}

/// Who came later did not hear what was said before, though the client sends it.
#[test]
fn what_was_not_witnessed_can_be_taken_out() {
    let model = ScriptedModel::always(Behaviour::says("I see."));
    let server = serve_before(&model, &[]);
    let said =
        ["system: An inn.", "user: The key is under the mat.", "assistant: I see.", "user: Welcome, Zhou!"];
    let room = "x-reverie-conversation: inn\nx-reverie-user: mei\nx-reverie-present: ";
    say(&server, &format!("{room}mo"), "m@mo", &said[..2]);
    let with_zhou = format!("{room}mo,zhou");
    let reply = say(&server, &format!("{with_zhou}\nx-reverie-only-witnessed: on"), "m@zhou", &said);
    assert_eq!(asked(&model).body["messages"], messages(&[said[0], said[3]]), "{reply:?}");
    say(&server, &with_zhou, "m@zhou", &said);
    assert!(asked(&model).prompt().contains("under the mat"), "only where it is asked for");
    let mut caller = Caller::new(&server);
    let place = conversation(&reply).to_owned();
    let room = caller.get(&format!("/v1/worlds/default/conversations/{place}"));
    assert_eq!((&room["name"], &room["present"]), (&json!("inn"), &json!(["mei", "mo", "zhou"])), "{room}");
}

/// Whichever branch the client goes back to, what was said on it was heard by those who were there.
#[test]
fn what_was_not_witnessed_is_taken_out_on_any_branch() {
    let model = ScriptedModel::answering(|seen| {
        let last = seen.body["messages"].as_array().unwrap().last().unwrap();
        Behaviour::says(&format!("re: {}", last["content"].as_str().unwrap()))
    });
    let server = serve_before(&model, &[]);
    let room = "x-reverie-conversation: room\nx-reverie-user: mei\nx-reverie-only-witnessed: on\nx-reverie-present: ";
    let begin = ["user: we begin here in the room today", "assistant: re: we begin here in the room today"];
    let secret = ["user: the password is swordfish", "assistant: re: the password is swordfish"];
    let alone = format!("{room}ann");
    say(&server, &alone, "m@ann", &begin[..1]);
    say(&server, &alone, "m@ann", &[&begin[..], &secret[..1]].concat());
    say(&server, &alone, "m@ann", &[&begin[..], &["user: something else altogether"]].concat());
    let with_eve = format!("{room}ann,eve");
    let hello = "user: hello eve, welcome in";
    say(&server, &with_eve, "m@eve", &[&begin[..], &secret, &[hello]].concat());
    assert_eq!(asked(&model).body["messages"], messages(&[hello]));
    let welcome = "assistant: re: hello eve, welcome in";
    say(
        &server,
        &with_eve,
        "m@eve",
        &[&begin[..], &secret, &[hello, welcome, "user: how are you?"]].concat(),
    );
    assert!(!asked(&model).prompt().contains("swordfish"), "{}", asked(&model).prompt());
    assert!(asked(&model).prompt().contains("welcome in"), "{}", asked(&model).prompt());
}

/// A memory that the client writes into its own prompt is not told twice.
#[test]
fn memories_that_the_client_has_are_not_told_again() {
    let model = ScriptedModel::always(Behaviour::says("Yes."));
    let server = serve_before(&model, &[]);
    let mut caller = Caller::new(&server);
    caller.call("PUT /v1/worlds/default", json!({}));
    for text in ["Ann is allergic to peanuts and never eats them.", "Ann is allergic to bees as well."] {
        let memory = json!({"text": text, "kind": "semantic"});
        caller.call("POST /v1/worlds/default/characters/mo/memories", memory);
    }
    let ask = "user: What is Ann allergic to, peanuts or bees?";
    say(&server, "", "m@mo", &["system: Facts:\nAnn is allergic to peanuts and never eats them.", ask]);
    let prompt = asked(&model).prompt();
    assert_eq!(prompt.matches("peanuts and never").count(), 1, "{prompt}");
    assert_eq!(prompt.matches("bees as well").count(), 1, "{prompt}");
}

/// SillyTavern's "continue": the answer is the end of the last message.
#[test]
fn an_answer_that_is_continued_stays_one_line() {
    let model =
        ScriptedModel::playing([Behaviour::says("Once upon a time"), Behaviour::says(" there was a fox.")]);
    let server = serve_before(&model, &[]);
    let reply = say(&server, "", "m", &["user: A story!"]);
    let place = conversation(&reply).to_owned();
    let more = [
        "user: A story!",
        "assistant: Once upon a time",
        "system: [Continue your last message without repeating its original content.]",
    ];
    say(&server, "", "m", &more);
    let mut caller = Caller::new(&server);
    assert_eq!(
        path(&mut caller, "default", &place),
        ["user: A story!", "assistant: Once upon a time there was a fox."]
    );
}
