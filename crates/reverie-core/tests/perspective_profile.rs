//! Can a host punctuate messages in its own way, and is it told when it misspells a setting?

use reverie_core::Code;
use reverie_core::perspective::{AddressedNames, Brackets, Profile, SceneEmotion};
use reverie_testkit::{check_perspective, check_perspective_with};

const DIALOGUE: &str = "
    Narrator: Night falls.
    Bob: 【calm】Lights out.（yawns）
    [role_id=9]: Boo.
    @Eve: Wait
    @Eve: Alice?
    Alice: 【sleepy】Mm.<mm>（turns over）
    Alice: Good night.";

const ENGLISH: &str = "
    user      | <scene>Narrator - Night falls. / Bob - ~calm~Lights out.*yawns* / someone - Boo.</scene> Eve - Wait, Eve - Alice?
    assistant | ~sleepy~Mm.[mm]*turns over* + Good night.";

#[test]
fn a_profile_is_a_value() {
    let profile = Profile {
        scene: Brackets::new("<scene>", "</scene>"),
        emotion: Brackets::new("~", "~"),
        tts: Brackets::new("[", "]"),
        action: Brackets::new("*", "*"),
        name_separator: " - ".into(),
        unknown_name: "someone".into(),
        scene_joiner: " / ".into(),
        after_scene: " ".into(),
        addressed_joiner: ", ".into(),
        own_joiner: " + ".into(),
        emotion_in_scene: SceneEmotion::BeforeContent,
        addressed_names: AddressedNames::Always,
    };
    check_perspective_with(&profile, "Alice", DIALOGUE, ENGLISH);
}

#[test]
fn a_profile_is_made_of_settings() {
    let pairs = [
        ("scene_open", "<scene>"),
        ("scene_close", "</scene>"),
        ("emotion_open", "~"),
        ("emotion_close", "~"),
        ("tts_open", "["),
        ("tts_close", "]"),
        ("action_open", "*"),
        ("action_close", "*"),
        ("name_separator", " - "),
        ("unknown_name", "someone"),
        ("scene_joiner", " / "),
        ("after_scene", " "),
        ("addressed_joiner", ", "),
        ("own_joiner", " + "),
        ("emotion_in_scene", "before-content"),
        ("addressed_names", "always"),
    ];
    let profile = Profile::from_pairs(Profile::example(), pairs).unwrap();
    check_perspective_with(&profile, "Alice", DIALOGUE, ENGLISH);

    let set: Vec<&str> = pairs.iter().map(|(key, _)| *key).collect();
    let documented: Vec<&str> = Profile::KEYS.iter().map(|(key, _)| *key).collect();
    assert_eq!(set, documented);
}

#[test]
fn one_setting_changes_one_thing() {
    for (key, meaning) in Profile::KEYS {
        let value = match *key {
            "emotion_in_scene" => "before-content",
            "addressed_names" => "always",
            _ => "※",
        };
        let profile = Profile::from_pairs(Profile::example(), [(*key, value)]).unwrap();
        assert_ne!(profile, Profile::example(), "{key}");
        assert!(!meaning.is_empty());
    }
    assert_eq!(Profile::from_pairs(Profile::rule_text(), []), Ok(Profile::rule_text()));
    let last_wins = Profile::from_pairs(Profile::example(), [("unknown_name", "A"), ("unknown_name", "B")]);
    assert_eq!(last_wins.unwrap().unknown_name, "B");
}

#[test]
fn empty_marks_are_allowed() {
    let pairs = [("action_open", ""), ("action_close", ""), ("name_separator", "")];
    let profile = Profile::from_pairs(Profile::example(), pairs).unwrap();
    check_perspective_with(&profile, "钦灵", "白小喵: 好（笑）", "user | {白小喵好笑}");
}

/// Who addresses the character, hidden, when there are several, and always.
#[track_caller]
fn check_names(target: &str, dialogue: &str, expected: [&str; 3]) {
    for (names, expected) in ["hidden", "when-several", "always"].into_iter().zip(expected) {
        let pairs = [("addressed_names", names), ("addressed_joiner", "\n")];
        let profile = Profile::from_pairs(Profile::example(), pairs).expect("both keys are known");
        check_perspective_with(&profile, target, dialogue, expected);
    }
}

#[test]
fn several_speakers_are_told_apart() {
    let named = "user | 莱姆：你好⏎小红：她是谁？⏎莱姆：嘘";
    check_names(
        "钦灵",
        "
        @莱姆: 你好
        @小红: 【疑惑】她是谁？（探头）
        @莱姆: 嘘",
        ["user | 你好⏎她是谁？⏎嘘", named, named],
    );
    let named = "user | {Narrator：Night falls.}⏎Ann：Hello?⏎Ben：Anybody?";
    check_names(
        "bot",
        "
        Narrator: Night falls.
        @Ann: Hello?
        @Ben: Anybody?",
        ["user | {Narrator：Night falls.}⏎Hello?⏎Anybody?", named, named],
    );
    let named = "user | ライム：ねえ⏎Ann：Hm?";
    check_names("钦灵", "@ライム: ねえ\n@Ann: Hm?", ["user | ねえ⏎Hm?", named, named]);
}

#[test]
fn one_speaker_is_named_only_if_always() {
    check_names(
        "钦灵",
        "
        @莱姆: 一
        @莱姆: 二",
        ["user | 一⏎二", "user | 一⏎二", "user | 莱姆：一⏎莱姆：二"],
    );
    check_names("bot", "@Ann: Hello?", ["user | Hello?", "user | Hello?", "user | Ann：Hello?"]);
}

/// Speakers count within one message, and only those who address the character in it.
#[test]
fn speakers_of_other_messages_and_of_the_scene_do_not_count() {
    check_names(
        "bot",
        "
        @Ann: One.
        bot: Two.
        @Ben: Three.
        Cleo: Four.
        @Ann: Five.",
        [
            "user | One.\nassistant | Two.\nuser | {Ben：Three.⏎Cleo：Four.}⏎Five.",
            "user | One.\nassistant | Two.\nuser | {Ben：Three.⏎Cleo：Four.}⏎Five.",
            "user | Ann：One.\nassistant | Two.\nuser | {Ben：Three.⏎Cleo：Four.}⏎Ann：Five.",
        ],
    );
}

/// Nobody is invented: a line without a name stays as it is, beside those of somebody.
#[test]
fn a_nameless_speaker_is_another_one_and_stays_nameless() {
    let named = "user | 莱姆：一⏎二";
    check_names("钦灵", "@莱姆: 一\n@[role_id=7]: 二", ["user | 一⏎二", named, named]);
    check_names("钦灵", "@[role_id=7]: 一\n@[role_id=8]: 二", ["user | 一⏎二"; 3]);
}

#[test]
fn own_lines_are_joined() {
    let profile = Profile::from_pairs(Profile::example(), [("own_joiner", "\n")]).unwrap();
    check_perspective_with(
        &profile,
        "钦灵",
        "
        钦灵: 【开心】来啦（摇尾巴）
        钦灵: 等等
        @莱姆: 嗯
        钦灵: 好了",
        "
        assistant | 【开心】来啦（摇尾巴）⏎等等
        user      | 嗯
        assistant | 好了",
    );
}

#[test]
fn presets_have_names() {
    assert_eq!(Profile::from_name("example"), Ok(Profile::example()));
    assert_eq!(Profile::from_name("rule-text"), Ok(Profile::rule_text()));
    assert_eq!(Profile::default(), Profile::example());
    let error = Profile::from_name("rule_text").unwrap_err();
    assert_eq!(error.code(), Code::Invalid);
    assert!(error.message().contains("rule_text"));
    assert!(error.hint_text().unwrap().contains("rule-text"));
}

#[test]
fn a_misspelt_key_is_named_and_the_keys_are_listed() {
    for key in ["separator", "", "Scene_open", "旁白"] {
        let error = Profile::from_pairs(Profile::example(), [(key, ":")]).unwrap_err();
        assert_eq!(error.code(), Code::Invalid);
        assert!(error.message().contains(&format!("{key:?}")), "{error}");
        for (known, _) in Profile::KEYS {
            assert!(error.message().contains(known), "{known} is not listed: {error}");
        }
    }
}

#[test]
fn a_value_has_at_most_64_bytes() {
    let longest = "：".repeat(21) + "!";
    assert_eq!(longest.len(), 64);
    assert!(Profile::from_pairs(Profile::example(), [("after_scene", longest.as_str())]).is_ok());
    let too_long = "：".repeat(21) + "!!";
    let error = Profile::from_pairs(Profile::example(), [("after_scene", too_long.as_str())]).unwrap_err();
    assert_eq!(error.code(), Code::Invalid);
    assert!(error.message().contains("after_scene") && error.message().contains("65"), "{error}");
}

#[test]
fn a_choice_takes_its_names_only() {
    let choices: [(&str, &[&str]); 2] = [
        ("emotion_in_scene", &["hidden", "before-content"]),
        ("addressed_names", &["hidden", "when-several", "always"]),
    ];
    for (key, values) in choices {
        for value in values {
            assert!(Profile::from_pairs(Profile::example(), [(key, *value)]).is_ok());
        }
        let error = Profile::from_pairs(Profile::example(), [(key, "true")]).unwrap_err();
        assert_eq!(error.code(), Code::Invalid);
        assert!(error.message().contains(key) && error.message().contains("true"), "{error}");
        assert!(values.iter().all(|value| error.hint_text().unwrap().contains(value)), "{error}");
    }
}

#[test]
#[should_panic(expected = "- user      | {旁白：二}\n+ user      | {旁白：一}")]
fn a_failing_check_shows_the_difference() {
    check_perspective("钦灵", "旁白: 一", "user | {旁白：二}");
}
