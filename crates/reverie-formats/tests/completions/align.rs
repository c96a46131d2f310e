//! Is what a client sends found again on the path? The cases stand in `align.txt`.

use reverie_formats::completions::{By, Dialogue, Path, Then, align, sent_in_other_chats};

use crate::tree::{Tree, dialogue};

#[test]
fn lists_are_found_on_the_path() {
    let cases = include_str!("align.txt").split("\n# ").skip(1);
    let told: Vec<_> = cases.map(check).collect();
    assert!(told.len() > 30, "the cases are read: {}", told.len());
    let wrong: Vec<String> = told.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A title, a path, a list, and what it gives; what is wrong, if something is.
fn check(case: &str) -> Option<String> {
    let title = case.lines().next().unwrap();
    let mut tree = Tree::default();
    let mut said = Vec::new();
    let (mut is_whole, mut continues, mut is_after_tools, mut starts) = (true, false, false, false);
    let mut calls = Vec::new();
    let mut expected = Vec::new();
    let mut section = "";
    let mut answers = None;
    for line in case.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let Some(content) = line.strip_prefix("  ") else {
            section = line.split(',').next().unwrap();
            is_whole &= line != "path, its end";
            continues |= line == "list, to be continued";
            is_after_tools |= line == "list, after tools";
            starts |= line == "list, a new chat";
            answers = answers.or_else(|| line.strip_prefix("list, for ").map(str::to_owned));
            continue;
        };
        match section {
            "path" => path_line(&mut tree, content),
            "list" => {
                let said_with_calls = content.strip_prefix("calls ");
                calls.extend(said_with_calls.map(|_| said.len()));
                let (by, name, text) = words(said_with_calls.unwrap_or(content));
                said.push((by, name.map(str::to_owned), text));
            }
            "gives" => expected.push(content.to_owned()),
            section => panic!("{title}: what is {section:?}?"),
        }
    }
    let path = tree.path();
    let path = Path { lines: &path, is_whole };
    let newest = said.iter().rposition(|(by, ..)| *by == By::User).unwrap_or_default();
    let after_tools = is_after_tools.then_some(newest + 1);
    let mut dialogue = Dialogue { answers, after_tools, starts, ..dialogue(said, continues) };
    calls.into_iter().for_each(|at| dialogue.said[at].calls = true);
    let found = align(path, |key| tree.behind(key), &dialogue);
    let mut given: Vec<String> = found.switch.iter().map(|line| format!("switch {line}")).collect();
    given.extend(found.revised.iter().map(|revised| format!("revise {} {}", revised.line, revised.text)));
    given.push(match found.then {
        Then::Append { from } => format!("append {from}"),
        Then::Regenerate { beside } => format!("regenerate {beside}"),
        Then::Reword { line } => format!("reword {line}"),
        Then::Branch { after, beside, from } => {
            let after = after.map_or("root".to_owned(), |after| after.to_string());
            format!("branch {after} {beside} {from}")
        }
        Then::Continue { line } => format!("continue {line}"),
        Then::Elsewhere { has_history: true } => "another chat".into(),
        Then::Elsewhere { has_history: false } => "no history".into(),
    });
    given.extend(found.instructions.iter().map(|place| format!("instruction {place}")));
    given.extend(found.clients.iter().map(|line| format!("the client's {line}")));
    if expected.iter().any(|line| line.starts_with("seen")) {
        let seen: Vec<String> = found.seen.iter().map(|(at, line)| format!("{at}={line}")).collect();
        given.push(format!("seen {}", seen.join(" ")));
    }
    (given != expected).then(|| format!("{title}: {given:?} instead of {expected:?}"))
}

/// `u words` behind the head, or `3< a words`: behind line 3, off the path. `u words  #2`: of the second exchange; `a words  #2 …`: which
/// goes on behind this line when tools have answered. `u words  (hidden)`: nobody is to remember it.
fn path_line(tree: &mut Tree, content: &str) {
    let (content, hidden) =
        content.strip_suffix("  (hidden)").map_or((content, false), |shown| (shown, true));
    let (content, waits) = match content.strip_suffix(" …") {
        Some(begun) if begun.contains("  #") => (begun, true),
        _ => (content, false),
    };
    let (content, exchange) = match content.rsplit_once("  #") {
        Some((content, exchange)) => (content, exchange.parse().ok()),
        None => (content, None),
    };
    say(tree, content);
    let line = &mut tree.lines.last_mut().unwrap().1;
    (line.exchange, line.waits, line.hidden) = (exchange, waits, hidden);
}

fn say(tree: &mut Tree, content: &str) {
    let head = tree.head;
    match content.split_once("< ") {
        Some((behind, content)) if behind.parse::<usize>().is_ok() => {
            let (by, name, text) = words(content);
            tree.say(behind.parse().ok(), by, name, &text);
            tree.head = head;
        }
        _ => {
            let (by, name, text) = words(content);
            tree.say(head, by, name, &text);
        }
    }
}

/// `u words`, `a words`, `a@Name words`; `\n` is a break.
fn words(content: &str) -> (By, Option<&str>, String) {
    let (who, text) = content.split_once(' ').unwrap();
    let (side, name) = match who.split_once('@') {
        Some((side, name)) => (side, Some(name)),
        None => (who, None),
    };
    let by = match side {
        "u" => By::User,
        "a" => By::Assistant,
        side => panic!("who is {side:?}?"),
    };
    (by, name, text.replace("\\n", "\n"))
}

/// What a client sends in the user's name in each of its chats is known in the first request of the next one.
#[test]
fn what_is_sent_in_each_chat_is_known() {
    let nya = "请以猫娘的口吻继续。";
    let instruction = "Stay in character and write at most two paragraphs.";
    for (list, chats, found) in [
        // It stood beside other words there, before or behind them.
        (
            &["u 请以猫娘的口吻继续。", "u 晚上好。"][..],
            &[&["u 请以猫娘的口吻继续。", "u 早。", "a 早喵。"][..]][..],
            &[nya][..],
        ),
        (
            &["a Welcome.", "u It rains.", "u Stay in character and write at most two paragraphs."],
            &[&["a Welcome.", "u Hello.", "u Stay in character and write at most two paragraphs.", "a Hi."]],
            &[instruction],
        ),
        // With its answer, which no model gave here, before all else.
        (
            &["u 请以猫娘的口吻继续。", "a 好的喵。", "u 晚上好。"],
            &[&["u 请以猫娘的口吻继续。", "a 好的喵。", "u 早。  #1", "a 早喵。  #1"]],
            &[nya],
        ),
        (
            &["u 请以猫娘的口吻继续。", "a 好的喵。", "u 晚上好。"],
            &[&["u 请以猫娘的口吻继续。  #1", "a 好的喵。  #1"]],
            &[],
        ),
        // Beside the same words: the same two messages may be said again.
        (&["u 请以猫娘的口吻继续。", "u 早。"], &[&["u 请以猫娘的口吻继续。", "u 早。", "a 早喵。"]], &[]),
        // It stood alone there, or stands alone here: somebody says it.
        (&["u 请以猫娘的口吻继续。", "u 晚上好。"], &[&["u 请以猫娘的口吻继续。", "a 好的喵。"]], &[]),
        (&["u 请以猫娘的口吻继续。"], &[&["u 请以猫娘的口吻继续。", "u 早。", "a 早喵。"]], &[]),
        // Others say the same.
        (
            &["u@Tom Good morning, all of you!", "u@Ann It rains."],
            &[&["u@Tom Good morning, all of you!", "u@Ann Hello.", "a Hi."]],
            &[],
        ),
        // Everybody says that.
        (&["u 你好呀。", "u 下雨了。"], &[&["u 你好呀。", "u 天气真好。", "a 是啊。"]], &[]),
        // It is known to be the client's: wherever it stands, if it is not all that is said.
        (&["u Be a kitten.", "u It rains."], &[&["u Be a kitten.  (hidden)", "a Hi."]], &["Be a kitten."]),
        (
            &["u Be a kitten.", "a Welcome.", "u Hi."],
            &[&["a Welcome.", "u Be a kitten.  (hidden)"]],
            &["Be a kitten."],
        ),
        (&["a Welcome.", "u Be a kitten."], &[&["u Be a kitten.  (hidden)", "a Hi."]], &[]),
        (&["a Welcome.", "u Be a kitten.", "u Be a kitten."], &[&["u Be a kitten.  (hidden)", "a Hi."]], &[]),
    ] {
        let said =
            list.iter().map(|line| words(line)).map(|(by, name, text)| (by, name.map(str::to_owned), text));
        let dialogue = dialogue(said, false);
        let chat = |lines: &&[&str]| {
            let mut tree = Tree::default();
            lines.iter().for_each(|line| path_line(&mut tree, line));
            tree.path()
        };
        let chats: Vec<_> = chats.iter().map(chat).collect();
        let places = sent_in_other_chats(&dialogue, || Ok::<_, ()>(chats.clone())).unwrap();
        let texts: Vec<&str> = places.iter().map(|place| dialogue.said[*place].text.as_str()).collect();
        assert_eq!(texts, found, "{list:?} {chats:?}");
    }
}
