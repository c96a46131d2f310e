//! Is it known which messages somebody said? The cases stand in `dialogue.txt`.

use reverie_core::time::Calendar;
use reverie_formats::completions::{Body, By, Dialogue, Kind, Rules};
use serde_json::json;

#[test]
fn dialogue_is_told_from_all_else() {
    let told: Vec<_> = include_str!("dialogue.txt").split("\n# ").skip(1).map(check).collect();
    assert!(told.len() > 25, "the cases are read: {}", told.len());
    let wrong: Vec<String> = told.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn stamps_that_a_model_echoes_are_no_words() {
    let calendar = Calendar::from_pairs([("kind", "rimworld")].into_iter()).unwrap();
    let rules =
        Rules { characters: vec![vec!["钦灵".into()]], calendar: calendar.as_ref(), ..Rules::default() };
    for stamped in
        ["[时间: 5503年春季第5天, 13时] 钦灵：早。", "钦灵: [Time: day 5 of spring 5503, 13h] 早。"]
    {
        let body = json!({ "messages": [{ "role": "assistant", "content": stamped }] }).to_string();
        let said = Body::parse(body.as_bytes()).unwrap().dialogue(&rules).said;
        assert_eq!((said[0].name.as_deref(), said[0].text.as_str()), (Some("钦灵"), "早。"), "{stamped}");
    }
}

/// A title, a request, what is known and what it gives; what is wrong, if something is.
fn check(case: &str) -> Option<String> {
    let title = case.lines().next().unwrap();
    let mut rules = Rules::default();
    let (mut body, mut messages, mut expected) = (String::new(), Vec::new(), Vec::new());
    let mut section = "";
    for line in case.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        if let Some(content) = line.strip_prefix("  ") {
            match section {
                "messages" => messages.push(content),
                _ => expected.push(content.to_owned()),
            }
            continue;
        }
        match line.split_once(' ').unwrap_or((line, "")) {
            ("file", "sillytavern-solo.json") => body = include_str!("bodies/sillytavern-solo.json").into(),
            ("file", "sillytavern-group.json") => body = include_str!("bodies/sillytavern-group.json").into(),
            ("known", names) => {
                let (users, characters) = names.split_once(" + ").unwrap();
                (rules.users, rules.characters) = (people(users), people(characters));
            }
            ("writes", "names before what users say") => rules.has_personas = true,
            ("sends", "only what is new") => rules.takes_notes = true,
            ("told", "chat") => rules.kind = Some(Kind::Chat),
            ("told", "utility") => rules.kind = Some(Kind::Utility("told")),
            ("messages" | "gives", "") => section = line,
            _ => panic!("{title}: what is {line:?}?"),
        }
    }
    if body.is_empty() {
        body = format!(r#"{{"model":"m","messages":[{}]}}"#, messages.join(","));
    }
    let given = told(&Body::parse(body.as_bytes()).unwrap().dialogue(&rules));
    (given != expected)
        .then(|| format!("{title}:\n  {}\ninstead of\n  {}", given.join("\n  "), expected.join("\n  ")))
}

/// `Tom, Ann=ann-1`: two people, one of them by two names.
fn people(names: &str) -> Vec<Vec<String>> {
    let person = |names: &str| names.split('=').map(str::to_owned).collect();
    names.split(", ").map(person).collect()
}

fn told(dialogue: &Dialogue) -> Vec<String> {
    let mut told = match dialogue.kind {
        Kind::Utility(reason) => return vec![format!("utility {reason}")],
        Kind::Chat => vec!["chat".to_owned()],
    };
    told.extend(dialogue.speaker.iter().map(|name| format!("speaker {name}")));
    told.extend(dialogue.nudged.iter().map(|name| format!("nudged {name}")));
    if !dialogue.members.is_empty() {
        told.push(format!("members {}", dialogue.members.join(", ")));
    }
    told.extend(dialogue.continues.then(|| "continues".to_owned()));
    for said in &dialogue.said {
        let side = if said.by == By::User { "u" } else { "a" };
        let name = said.name.iter().map(|name| format!("@{name}")).collect::<String>();
        told.push(format!("{} {side}{name} {}", said.at, said.text.replace('\n', "\\n")));
    }
    told
}
