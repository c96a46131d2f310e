//! Is what a client sends found again on the path? The cases stand in `align.txt`.

use reverie_formats::completions::{By, Dialogue, Path, Then, align};

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
    let (mut is_whole, mut continues) = (true, false);
    let mut expected = Vec::new();
    let mut section = "";
    let mut answers = None;
    for line in case.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let Some(content) = line.strip_prefix("  ") else {
            section = line.split(',').next().unwrap();
            is_whole &= line != "path, its end";
            continues |= line == "list, to be continued";
            answers = answers.or_else(|| line.strip_prefix("list, for ").map(str::to_owned));
            continue;
        };
        match section {
            "path" => path_line(&mut tree, content),
            "list" => {
                let (by, name, text) = words(content);
                said.push((by, name.map(str::to_owned), text));
            }
            "gives" => expected.push(content.to_owned()),
            section => panic!("{title}: what is {section:?}?"),
        }
    }
    let path = tree.path();
    let path = Path { lines: &path, is_whole };
    let dialogue = Dialogue { answers, ..dialogue(said, continues) };
    let found = align(path, |key| tree.behind(key), &dialogue);
    let mut given: Vec<String> = found.switch.iter().map(|line| format!("switch {line}")).collect();
    given.extend(found.revised.iter().map(|revised| format!("revise {} {}", revised.line, revised.text)));
    given.push(match found.then {
        Then::Append { from } => format!("append {from}"),
        Then::Regenerate { beside } => format!("regenerate {beside}"),
        Then::Reword { line } => format!("reword {line}"),
        Then::Branch { after, beside, from } => format!("branch {after} {beside} {from}"),
        Then::Continue { line } => format!("continue {line}"),
        Then::Elsewhere { has_history: true } => "another chat".into(),
        Then::Elsewhere { has_history: false } => "no history".into(),
    });
    given.extend(found.instructions.iter().map(|place| format!("instruction {place}")));
    if expected.iter().any(|line| line.starts_with("seen")) {
        let seen: Vec<String> = found.seen.iter().map(|(at, line)| format!("{at}={line}")).collect();
        given.push(format!("seen {}", seen.join(" ")));
    }
    (given != expected).then(|| format!("{title}: {given:?} instead of {expected:?}"))
}

/// `u words` behind the head, or `3< a words`: behind line 3, off the path. `u words  #2`: of the second exchange.
fn path_line(tree: &mut Tree, content: &str) {
    let (content, exchange) = match content.rsplit_once("  #") {
        Some((content, exchange)) => (content, exchange.parse().ok()),
        None => (content, None),
    };
    say(tree, content);
    tree.lines.last_mut().unwrap().1.exchange = exchange;
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
