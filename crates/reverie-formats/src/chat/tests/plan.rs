//! Chats in, trees out.

use reverie_core::MAX_ID_BYTES;
use serde_json::json;

use super::*;
use crate::Limits;
use crate::chat::read;

const SOLO: &str = include_str!("solo.jsonl");
const GROUP: &str = include_str!("group.jsonl");

fn planned(text: &str, options: &PlanOptions<'_>) -> ChatPlan {
    plan(&read(text.as_bytes(), &Limits::default()).expect("a chat"), options).expect("a plan")
}

/// Each line as `speaker: content < parent`, hidden ones in brackets, the head with a star.
fn drawn(plan: &ChatPlan) -> Vec<String> {
    let mut parents = vec![None; plan.lines.len()];
    for chain in &plan.tree.chains {
        let mut parent = chain.parent;
        for row in &chain.rows {
            parents[*row] = parent;
            parent = Some(*row);
        }
    }
    let line = |(at, line): (usize, &NewLine)| {
        let Some(Who::Id(speaker)) = &line.speaker else { panic!("{line:?}") };
        let text = format!("{speaker}: {}", line.wording.content);
        let text = if line.hidden { format!("[{text}]") } else { text };
        let parent = parents[at].map_or_else(String::new, |parent: usize| format!(" < {parent}"));
        let star = if plan.tree.head == Some(at) { "*" } else { "" };
        format!("{text}{parent}{star}")
    };
    plan.lines.iter().enumerate().map(line).collect()
}

fn member(id: &str, name: &str, avatar: &str, is_user: bool) -> Member {
    let avatar = Some(avatar.to_owned());
    Member { id: CharacterId::new(id).expect("an id"), name: name.to_owned(), avatar, is_user }
}

fn ids(plan: &ChatPlan) -> Vec<&str> {
    plan.people.iter().map(|member| member.id.as_str()).collect()
}

#[test]
fn swipes_are_siblings_and_the_chosen_one_goes_on() {
    let plan = planned(SOLO, &PlanOptions::default());
    assert_eq!(
        drawn(&plan),
        [
            "小雪: 你来了。",
            "小雪: 早上好！",
            "小雪: （挥手）",
            "Mei: おはよう, good morning! < 1",
            "[小雪: hidden by its user < 3]",
            "[Narrator: remember the tea < 4]",
            "Narrator: Snow begins to fall. < 5",
            "Mei: 下雪了。 < 6*",
        ]
        .map(|line| line.replace(" < 3]", "] < 3").replace(" < 4]", "] < 4"))
    );
    assert_eq!(ids(&plan), ["小雪", "Mei"]);
    assert_eq!(plan.narrator(), CharacterId::new(NARRATOR).ok());
    let users = plan.lines.iter().filter(|line| line.attribute == Attribute::User).count();
    assert_eq!((users, plan.lines[6].display_name.as_deref()), (2, Some("System")));
}

#[test]
fn a_message_without_a_date_was_sent_when_the_one_before_was() {
    let plan =
        planned(SOLO, &PlanOptions { zone: Zone::parse("+1").ok().as_ref(), ..PlanOptions::default() });
    let times: Vec<Option<i64>> = plan.lines.iter().map(|line| line.wall_ms).collect();
    let nine = 1_704_186_000_000;
    let minutes = [0, 1, 2, 3 - 60, 4, 4, 5, 5].map(|minute: i64| Some(nine + minute * 60_000));
    assert_eq!(times, minutes);
}

#[test]
fn pictures_decide_before_names() {
    let cast = Cast::new([
        member("card:yuki", "Yuki", "Yuki.png", false),
        member("card:cat", "Yuki", "猫.png", false),
        member("persona:mei", "Mei", "mei 2.png", true),
    ]);
    let silent = [member("card:silent", "Silent", "s.png", false)];
    let options = PlanOptions { cast: Some(&cast), also_present: &silent, ..PlanOptions::default() };
    let plan = planned(GROUP, &options);
    assert_eq!(
        drawn(&plan),
        [
            "persona:mei: Evening, both.",
            "card:yuki: こんばんは。 < 0",
            "card:yuki: おつかれ。 < 0",
            "card:cat: 喵。 < 1",
            // Two cards bear the name, and no picture tells which.
            "Yuki: I am not a cat. < 3*",
        ]
    );
    assert_eq!(ids(&plan), ["card:silent", "persona:mei", "card:yuki", "card:cat", "Yuki"]);
}

#[test]
fn the_card_of_the_folder_is_meant_by_its_old_name_too() {
    let host = member("card:snow", "Snow", "Snow.png", false);
    let plan = planned(SOLO, &PlanOptions { host: Some(&host), ..PlanOptions::default() });
    assert!(drawn(&plan)[0].starts_with("card:snow: "));
    assert_eq!(ids(&plan), ["card:snow", "Mei"]);
}

#[test]
fn names_of_every_kind_become_ids() {
    let long = "名".repeat(100);
    let chat = |name: &str, user: &str| {
        let messages = [
            json!({"name": name, "mes": "1", "is_user": false}),
            json!({"name": user, "mes": "2", "is_user": true}),
            json!({"name": "", "mes": "3", "is_user": true}),
            json!({"mes": "4"}),
        ];
        messages.map(|message| message.to_string()).join("\n")
    };
    let options = PlanOptions::default();
    assert_eq!(ids(&planned(&chat("A", "B"), &options)), ["A", "B", "User", "Character"]);
    assert_eq!(ids(&planned(&chat("A", "A"), &options)), ["A", "user:A", "User", "Character"]);
    let plan = planned(&chat(&long, &long), &options);
    let long_ids = ids(&plan);
    assert!(long_ids.iter().all(|id| id.len() <= MAX_ID_BYTES) && long_ids[0] != long_ids[1], "{long_ids:?}");
    assert!(ids(&planned(&chat("a\u{1}b", "c"), &options))[0].contains('\u{FFFD}'));
}

#[test]
fn a_chat_that_went_on_keeps_its_ids() {
    let host_ids = |text: &str| -> Vec<String> {
        planned(text, &PlanOptions::default()).lines.into_iter().filter_map(|line| line.host_id).collect()
    };
    let lines: Vec<&str> = SOLO.lines().collect();
    let (all, first) = (host_ids(SOLO), host_ids(&lines[..4].join("\n")));
    assert_eq!(all, host_ids(SOLO));
    assert_eq!(all[..first.len()], first);
    let distinct: std::collections::BTreeSet<&String> = all.iter().collect();
    assert_eq!(distinct.len(), all.len());
    // What is hidden or dated otherwise is the same line; what is worded otherwise is another, and so is all behind it.
    assert_eq!(
        host_ids(&SOLO.replace("\"is_system\":true", "\"is_system\":false").replace("2024", "2025")),
        all
    );
    let changed = host_ids(&SOLO.replace("hidden by", "shown to"));
    assert_eq!(changed[..4], all[..4]);
    assert!(changed[4..].iter().zip(&all[4..]).all(|(one, other)| one != other));
}

#[test]
fn equal_swipes_stay_apart_and_empty_ones_are_left_out() {
    let text = json!({"name": "A", "mes": "x", "swipes": ["x", "", "x"], "swipe_id": 2}).to_string();
    let plan = planned(&text, &PlanOptions::default());
    assert_eq!(drawn(&plan), ["A: x", "A: x*"]);
    assert_ne!(plan.lines[0].host_id, plan.lines[1].host_id);
    let empty = planned(&json!({"name": "A", "mes": ""}).to_string(), &PlanOptions::default());
    assert_eq!(drawn(&empty), ["A: *"]);
}
