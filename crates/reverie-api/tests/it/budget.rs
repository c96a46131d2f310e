//! What gives way when a prompt is too long?

use serde_json::{Value, json};

use crate::stage::{Stage, rendered};

/// A conversation of `turns` questions and answers.
fn long_talk(stage: &Stage, turns: usize) {
    let lines: Vec<String> = (0..turns)
        .map(|turn| format!("@莱姆: 第{turn}个问题，你还记得吗？\n钦灵: 【开心】记得，那是第{turn}天的事。"))
        .collect();
    stage.tell("钦灵、莱姆", &format!("#钦灵: 你叫钦灵，进行角色扮演\n{}", lines.join("\n")));
}

fn needed(error: &Value) -> usize {
    let message = error["error"]["message"].as_str().expect("a message");
    message.rsplit(' ').next().and_then(|number| number.parse().ok()).expect("a number at the end")
}

#[test]
fn a_budget_below_persona_and_newest_message_names_what_it_takes() {
    let personas = [r#""system":"你叫钦灵，进行角色扮演，说话简短","#, ""];
    let messages = [r#""message":"你还记得第一天吗？","#, ""];
    for (persona, message) in
        personas.iter().flat_map(|persona| messages.iter().map(move |message| (persona, message)))
    {
        for settings in [r#"{}"#, r#"{"prompt":{"counter":"o200k"}}"#, r#"{"calendar":{"kind":"rimworld"}}"#]
        {
            let stage = Stage::new(settings);
            long_talk(&stage, 30);
            let cue = |budget: usize| {
                format!(
                    r#"{{"character":"钦灵",{persona}{message}"scene":{{"place":"港口"}},"budget":{budget}}}"#
                )
            };
            for budget in [0, 1, 12] {
                let (status, error) = stage.ask(&cue(budget));
                assert_eq!((status, &error["error"]["code"]), (400, &json!("invalid")), "{error}");
                let needed = needed(&error);
                assert!(
                    error["error"]["hint"].as_str().is_some_and(|hint| hint.contains(&needed.to_string()))
                );
                let (status, answer) = stage.ask(&cue(needed));
                assert_eq!(status, 200, "{needed} tokens are enough, they said: {answer}");
                assert_eq!(answer["tokens"]["used"], needed);
                assert_eq!(answer["messages"].as_array().map(Vec::len), Some(2), "{answer}");
                let (status, _) = stage.ask(&cue(needed - 1));
                assert_eq!(status, 400, "{} are not", needed - 1);
            }
        }
    }
}

/// Own system lines of other conversations are history there and do not make the smallest budget grow.
#[test]
fn the_tokens_needed_do_not_depend_on_how_much_was_read() {
    let stage = Stage::new("{}");
    stage
        .tell("酒馆: 钦灵、莱姆", &format!("100 #钦灵: {}\n100 @莱姆: 干杯", "酒馆里要大声说话。".repeat(20)))
        .tell("钦灵、莱姆", "200 #钦灵: 你叫钦灵\n200 @莱姆: 早");
    let (status, error) = stage.ask(r#"{"character":"钦灵","budget":1}"#);
    assert_eq!(status, 400);
    let (status, answer) = stage.ask(&format!(r#"{{"character":"钦灵","budget":{}}}"#, needed(&error)));
    assert_eq!(status, 200, "{answer}");
    assert_eq!(rendered(&answer["messages"]), "system | 你叫钦灵\nuser | 早\n");
}

#[test]
fn the_oldest_history_goes_first_and_the_persona_never() {
    let stage = Stage::new("{}");
    long_talk(&stage, 40);
    let mut kept_before = 0;
    for budget in [80, 120, 200, 400, 800, 1200] {
        let answer =
            stage.recall(&format!(r#"{{"character":"钦灵","message":"然后呢？","budget":{budget}}}"#));
        let messages = answer["messages"].as_array().expect("messages");
        assert!(answer["tokens"]["used"].as_u64() <= Some(budget), "{}", answer["tokens"]);
        assert_eq!(messages[0], json!({"role":"system","content":"你叫钦灵，进行角色扮演"}));
        assert_eq!(messages[1]["role"], "user", "a window starts at a user message: {budget}");
        assert!(
            messages
                .last()
                .is_some_and(|last| last["content"].as_str().is_some_and(|text| text.ends_with("然后呢？")))
        );
        // What is kept is the end of the conversation, without a gap; what is left out is its beginning, by id.
        let left_out = &answer["left_out"][0];
        let cut: Vec<u64> = (left_out["lines"].as_array().into_iter().flatten())
            .filter_map(|id| id.as_str()?.parse().ok())
            .collect();
        let sources: Vec<u64> = (answer["blocks"].as_array().into_iter().flatten())
            .filter(|block| block["position"] != "persona")
            .flat_map(|block| block["sources"].as_array().cloned().unwrap_or_default())
            .filter_map(|id| id.as_str()?.parse().ok())
            .collect();
        assert_eq!(sources.last(), if sources.is_empty() { None } else { Some(&81) });
        assert!(sources.windows(2).all(|pair| pair[1] == pair[0] + 1), "no gap: {sources:?}");
        assert!(sources.len() >= kept_before, "a greater budget keeps no less");
        kept_before = sources.len();
        assert_eq!(
            (left_out["position"].as_str(), left_out["reason"].as_str()),
            (Some("history"), Some("budget"))
        );
        let first_kept = sources.first().copied().unwrap_or(82);
        assert_eq!(cut.last().copied(), Some(first_kept - 1), "cut and kept meet");
    }
    let answer = stage.recall(r#"{"character":"钦灵","message":"然后呢？"}"#);
    assert_eq!(answer["left_out"], json!([]));
    assert_eq!(answer["messages"].as_array().map(Vec::len), Some(82));
}

#[test]
fn what_else_does_not_fit_is_named() {
    let stage = Stage::new(r#"{"prompt":{"counter":"o200k"}}"#);
    let court = stage.open("张三、警官");
    stage
        .tell("张三、警官", &format!("张三: {}", "我招。".repeat(40)))
        .tell("钦灵、莱姆、白小喵", &format!("白小喵: {}", "喵。".repeat(40)))
        .tell("钦灵、莱姆", "@莱姆: 早");
    let cue = |budget: usize| {
        format!(
            r#"{{"character":"钦灵","budget":{budget},"also":["{court}"],"scene":{{"place":"{}"}},"other":{{"天气":"雨"}}}}"#,
            "港口".repeat(30)
        )
    };
    let left_out = |budget: usize| -> Vec<String> {
        let answer = stage.recall(&cue(budget));
        assert!(answer["tokens"]["used"].as_u64() <= Some(budget as u64));
        let left_out = answer["left_out"].as_array().cloned().unwrap_or_default();
        left_out.iter().filter_map(|one| one["position"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(left_out(10_000), Vec::<String>::new());
    assert_eq!(left_out(200), ["granted", "background"]);
    assert_eq!(left_out(40), ["scene", "granted", "background"]);
    assert_eq!(left_out(12), ["scene", "other", "granted", "background"]);
}

#[test]
fn the_history_limit_counts_lines_and_says_so() {
    let stage = Stage::new("{}");
    long_talk(&stage, 10);
    for (limit, messages) in [(0, 2), (1, 2), (2, 4), (20, 22), (21, 22), (100, 22)] {
        let answer =
            stage.recall(&format!(r#"{{"character":"钦灵","message":"然后呢？","HistoryLimit":{limit}}}"#));
        assert_eq!(
            answer["messages"].as_array().map(Vec::len),
            Some(messages),
            "{limit}: {}",
            rendered(&answer["messages"])
        );
        assert_eq!(answer["messages"][0]["content"], "你叫钦灵，进行角色扮演");
        // A window of one line would begin with the assistant, so it is empty.
        let lines = if limit == 1 { json!(["21"]) } else { json!([]) };
        let expected = json!([{"position":"history","reason":"limit","lines":lines,"and_older":true,"lore":[],"memories":[]}]);
        assert_eq!(answer["left_out"], if limit < 21 { expected } else { json!([]) }, "{limit}");
    }
    let answer = stage.recall(r#"{"character":"钦灵","message":"然后呢？","history_limit":12,"budget":120}"#);
    let reasons: Vec<&str> = (answer["left_out"].as_array().into_iter().flatten())
        .filter_map(|one| one["reason"].as_str())
        .collect();
    assert_eq!(reasons, ["limit", "budget"]);
}

#[test]
fn a_window_never_starts_at_the_assistant_even_behind_a_direction() {
    let stage = Stage::new("{}");
    let lines: Vec<String> = (0..40)
        .map(|turn| format!("@莱姆: 问题{turn}\n#: 第{turn}幕\n钦灵: 回答{turn}\n钦灵: 还有{turn}"))
        .collect();
    stage.tell("钦灵、莱姆", &lines.join("\n"));
    for budget in (40..900).step_by(37) {
        let answer = stage.recall(&format!(
            r#"{{"character":"钦灵","system":"你叫钦灵","message":"然后呢？","budget":{budget}}}"#
        ));
        let first =
            (answer["messages"].as_array().into_iter().flatten()).find(|message| message["role"] != "system");
        assert_eq!(
            first.map(|first| &first["role"]),
            Some(&json!("user")),
            "{budget}\n{}",
            rendered(&answer["messages"])
        );
    }
}

#[test]
fn budgets_have_an_upper_end() {
    let stage = Stage::new("{}");
    stage.tell("钦灵、莱姆", "@莱姆: 早").tell("钦灵、莱姆、白小喵", "白小喵: 喵").open("钦灵、莱姆");
    stage.recall(r#"{"character":"钦灵","budget":10000000}"#);
    for budget in ["10000001", "18446744073709551615", "-1", "18446744073709551616", "1.5"] {
        let (status, error) = stage.ask(&format!(r#"{{"character":"钦灵","budget":{budget}}}"#));
        assert_eq!((status, &error["error"]["code"]), (400, &json!("invalid")), "{budget}");
    }
}
