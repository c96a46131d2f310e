//! Does the prompt's beginning stay the same from turn to turn, so that providers' caches hit?

use serde_json::{Value, json};

use crate::stage::Stage;

const TURNS: usize = 200;

/// The share of each prompt that the one before began with, on average over the turns in which the window is cut.
#[expect(clippy::print_stdout, reason = "the number is worth seeing, also when it is good enough")]
fn stability(settings: &str, cue: impl Fn(usize) -> Value, turn: impl Fn(usize) -> String) -> f64 {
    let stage = Stage::new(settings);
    stage.tell("钦灵、莱姆", "#钦灵: 你叫钦灵，进行角色扮演，说话要像一只狐娘。");
    let mut before = String::new();
    let mut shares = Vec::new();
    for number in 0..TURNS {
        stage.tell("钦灵、莱姆", &turn(number));
        let answer = stage.recall(&cue(number).to_string());
        let prompt = answer["messages"].to_string();
        let is_cut = answer["left_out"].as_array().is_some_and(|left_out| !left_out.is_empty());
        if is_cut && !before.is_empty() {
            let same = before.bytes().zip(prompt.bytes()).take_while(|(left, right)| left == right).count();
            shares.push(same as f64 / prompt.len() as f64);
        }
        before = prompt;
    }
    assert!(shares.len() > TURNS / 2, "the window is cut in most turns, not in {}", shares.len());
    let average = shares.iter().sum::<f64>() / shares.len() as f64;
    let leaps = shares.iter().filter(|share| **share < 0.5).count();
    println!("{average:.3} of a prompt is the same on average; {leaps} leaps in {} cut turns", shares.len());
    average
}

fn question(number: usize) -> String {
    format!(
        "钦灵: 【开心】记得呀，那是第{number}天的事，{}\n@莱姆: 第{number}个问题：{}",
        "我们一起去了海边。".repeat(1 + number * 7 % 5),
        "你还记得吗？".repeat(1 + number * 3 % 4)
    )
}

#[test]
fn a_growing_conversation_keeps_its_beginning() {
    let average = stability(
        r#"{"prompt":{"counter":"o200k","budget":3000}}"#,
        |_| json!({"character": "钦灵"}),
        question,
    );
    assert!(average >= 0.8, "only {average:.3} of a prompt is the same");
}

/// The scene, the time and the message change in every turn, as they do in a game.
#[test]
fn so_it_does_with_a_scene_and_a_calendar() {
    let cue = |number: usize| {
        let place = "港口的仓库".repeat(1 + number % 3);
        json!({"character": "钦灵", "scene": {"place": place, "time": format!("{number}时")}, "message": "然后呢？".repeat(1 + number % 6)})
    };
    let turn = |number: usize| {
        let tick = number * 1250;
        question(number).lines().map(|line| format!("{tick} {line}\n")).collect::<String>()
    };
    let average = stability(
        r#"{"prompt":{"counter":"o200k","budget":3000},"calendar":{"kind":"rimworld"}}"#,
        cue,
        turn,
    );
    assert!(average >= 0.8, "only {average:.3} of a prompt is the same");
}

/// A character who only listens has one growing user message; its beginning stays the same, too.
#[test]
fn so_it_does_for_one_who_only_listens() {
    let turn = |number: usize| {
        format!("旁白: 第{number}幕，{}\n@莱姆: 嗯{number}", "风吹过来。".repeat(1 + number % 6))
    };
    let average =
        stability(r#"{"prompt":{"counter":"o200k","budget":3000}}"#, |_| json!({"character": "钦灵"}), turn);
    assert!(average >= 0.8, "only {average:.3} of a prompt is the same");
}

/// A host that brings its own history sends a sliding window of it.
#[test]
fn so_it_does_for_an_inline_history() {
    let lines: Vec<Value> =
        (0..TURNS).flat_map(|number| crate::stage::wire_lines(&question(number))).collect();
    let cue = |number: usize| {
        let end = 2 * number + 2;
        json!({"character": "钦灵", "history": lines[end.saturating_sub(150)..end], "budget": 3000})
    };
    let average = stability(r#"{"prompt":{"counter":"o200k"}}"#, cue, |_| "@莱姆: 不相干".to_owned());
    assert!(average >= 0.8, "only {average:.3} of a prompt is the same");
}
