//! A talk in the terminal: what is told in one conversation comes to mind in another, to whom it was told.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use reverie_testkit::scripted_model::{Behaviour, End, ScriptedModel};

use crate::run::{Directory, reverie, run_with};

#[test]
fn why_and_prompt_tell_of_the_last_answer() {
    let data = Directory::new();
    let talk = |arguments: &[&str], said: &str| {
        let ended =
            run_with(reverie(&data).args(["chat", "--as", "莱姆", "--data", "d"]).args(arguments), said);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        ended.stdout
    };
    talk(&["钦灵", "--persona", "你叫钦灵。"], "我的猫叫味噌，她只吃三文鱼。\n");
    let told = talk(&["钦灵", "-c", "星期五"], "我的猫喜欢吃什么？\n/why\n/prompt\n");
    assert!(told.starts_with("钦灵: 我的猫喜欢吃什么？\n"), "{told}");
    assert!(told.contains("1 memory came to mind") && told.contains("味噌"), "{told}");
    assert!(told.contains("── system\n你叫钦灵。"), "{told}");
    let told = talk(&["风雪", "-c", "星期六"], "我的猫喜欢吃什么？\n/why\n/prompt\n");
    assert!(told.contains("nothing came to mind") && !told.contains("味噌"), "{told}");
}

/// However they were named; programs are told the id.
#[test]
fn answers_are_told_in_the_name_of_who_speaks() {
    let data = Directory::new();
    let talk = |arguments: &[&str]| {
        let all = ["chat", "-w", "harbour", "--data", "d"];
        let ended = run_with(reverie(&data).args(all).args(arguments), "雾散了吗？\n");
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        ended.stdout
    };
    // The sample world comes with the data file.
    for who in ["mo", "阿默"] {
        assert_eq!(talk(&[who]), "阿默: 雾散了吗？\n", "{who}");
        assert!(talk(&[who, "--json"]).contains("\"character\":\"mo\""), "{who}");
    }
    assert_eq!(talk(&["newcomer"]), "newcomer: 雾散了吗？\n");
}

/// What a model thinks is neither shown nor recorded, in whichever pieces it comes.
#[test]
fn thoughts_are_not_words() {
    for (pieces, said) in [
        (&["<think>", "hm", "</think>", "\n\n", "你好，", "旅人。"][..], "你好，旅人。"),
        (&["<", "think", ">", "hm", "</think>", "你好，", "旅人。"], "你好，旅人。"),
        (
            &["<th", "inking>", "hm</think>", "</thinking", ">\n", "\nHello, ", "traveller."],
            "Hello, traveller.",
        ),
        (&["<", "3 you"], "<3 you"),
        (&["ほら、", "<think>は", "ただの字。"], "ほら、<think>は"),
    ] {
        let model = ScriptedModel::always(Behaviour::tells(pieces, End::Whole));
        let data = Directory::new();
        let talk = |typed: &str| {
            let url = model.openai();
            let flags = ["chat", "mo", "--data", "d", "--model", "m", "--upstream-url", url.as_str()];
            let ended = run_with(reverie(&data).args(flags), typed);
            assert_eq!(ended.code, Some(0), "{}", ended.stderr);
            ended.stdout
        };
        let told = talk("hi there\n");
        assert!(told.starts_with(&format!("mo: {said}")) && !told.contains("hm"), "{pieces:?}: {told}");
        let asked_again = talk("and now?\n");
        assert!(asked_again.starts_with(&format!("mo: {said}")), "{asked_again}");
        let prompt = model.seen().pop().unwrap().prompt();
        assert!(prompt.contains(said) && !prompt.contains("hm"), "{pieces:?}: {prompt}");
    }
}

/// A template may open the thought in the prompt: what was shown of it until its end is told apart, and not recorded.
#[test]
fn a_thought_that_nothing_opened_ends_where_it_is_closed() {
    let pieces = ["Okay, the user", " wants it.\n</th", "ink>", "\n\nWith", " joy."];
    let model = ScriptedModel::always(Behaviour::tells(&pieces, End::Whole));
    let data = Directory::new();
    let url = model.openai();
    let flags = ["chat", "mo", "--data", "d", "--model", "m", "--upstream-url", url.as_str()];
    let ended = run_with(reverie(&data).args(flags), "Dance with me\nAnd again\n");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let once = "mo: Okay, the user wants it.\n\nmo: With joy.\n";
    assert_eq!(ended.stdout, once.repeat(2));
    let prompt = model.seen().pop().unwrap().prompt();
    assert!(prompt.contains("With joy.") && !prompt.contains("Okay"), "{prompt}");
}

/// A line that nobody can read is told, and all others are said.
#[test]
fn words_in_another_encoding_do_not_end_a_talk() {
    let data = Directory::new();
    let latin: &[u8] = b"\xEF\xBB\xBFGood day\ncaf\xE9\n\xC4\xE3\xBA\xC3\nhello again\n";
    let ended = run_with(reverie(&data).args(["chat", "mo", "--data", "d"]), latin);
    assert_eq!(ended.stdout, "mo: Good day\nmo: hello again\n");
    assert!(
        ended.stderr.contains("error: this is no UTF-8, and was not said: caf\u{FFFD}"),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.contains("2 lines were not understood; all else was said"), "{}", ended.stderr);
    assert_eq!(ended.code, Some(1));
}

/// Words to which no answer came stay, once; other words come behind them.
#[test]
fn words_without_an_answer_are_said_once() {
    let model = ScriptedModel::playing([
        Behaviour::refuses(500, "boom", "no"),
        Behaviour::refuses(503, "boom", "no"),
        Behaviour::says("是的，味噌。"),
        Behaviour::refuses(500, "boom", "no"),
        Behaviour::says("It is late."),
        Behaviour::says("As I said."),
    ]);
    let data = Directory::new();
    let url = model.openai();
    let talk = |typed: &str, code: i32| {
        let flags = ["chat", "mo", "--data", "d", "--model", "m", "--upstream-url", url.as_str()];
        let ended = run_with(reverie(&data).args(flags), format!("{typed}\n"));
        assert_eq!(ended.code, Some(code), "{typed}: {}{}", ended.stdout, ended.stderr);
    };
    let cat = "我的猫叫什么名字？";
    talk(cat, 1);
    talk(cat, 1);
    talk(cat, 0);
    talk("What time is it?", 1);
    // Other words; then the same ones once more, which were answered: they are said again.
    talk("Are you asleep?", 0);
    talk("Are you asleep?", 0);
    let asked = model.seen().pop().unwrap();
    let talked: Vec<String> = asked.body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["role"] != "system")
        .map(|message| message["content"].as_str().unwrap().to_owned())
        .collect();
    let said = talked.join("\n");
    for (words, count) in [(cat, 1), ("是的，味噌。", 1), ("What time is it?", 1), ("Are you asleep?", 2)]
    {
        assert_eq!(said.matches(words).count(), count, "{words}: {said}");
    }
}

/// Ctrl-C at the prompt ends a talk, also when an answer has been heard before; what was said stays.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_talk_at_the_prompt() {
    let data = Directory::new();
    let mut child = reverie(&data)
        .args(["chat", "mo", "--data", "d"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for words in ["hello", "again"] {
        writeln!(stdin, "{words}").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert_eq!(answer.trim_end(), format!("mo: {words}"));
    }
    // While it is still busy with the last answer, nobody waits for the signal: then it comes again, as from a person.
    let mut ended = None;
    crate::stopping::wait_until(|| {
        let pid = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().is_ok());
        std::thread::sleep(std::time::Duration::from_millis(100));
        ended = child.try_wait().unwrap();
        ended.is_some()
    });
    assert_eq!(ended.unwrap().code(), Some(130));
    drop(stdin);
    let shown = run_with(reverie(&data).args(["chat", "mo", "--data", "d"]), "more\n/prompt\n");
    assert!(shown.stdout.contains("hello") && shown.stdout.contains("again"), "{}", shown.stdout);
}
