//! Can a host punctuate messages in its own way, and is it told when it misspells a setting?

use reverie_core::Code;
use reverie_core::perspective::{Brackets, Profile, SceneEmotion};
use reverie_testkit::{check_perspective, check_perspective_with};

const DIALOGUE: &str = "
    Narrator: Night falls.
    Bob: 【calm】Lights out.（yawns）
    [role_id=9]: Boo.
    @Eve: Wait
    @Eve: Alice?
    Alice: 【sleepy】Mm.<mm>（turns over）";

const ENGLISH: &str = "
    user      | <scene>Narrator - Night falls. / Bob - ~calm~Lights out.*yawns* / someone - Boo.</scene> Wait, Alice?
    assistant | ~sleepy~Mm.[mm]*turns over*";

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
        emotion_in_scene: SceneEmotion::BeforeContent,
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
        ("emotion_in_scene", "before-content"),
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
        let value = if *key == "emotion_in_scene" { "before-content" } else { "※" };
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
    for value in ["hidden", "before-content"] {
        assert!(Profile::from_pairs(Profile::example(), [("emotion_in_scene", value)]).is_ok());
    }
    let error = Profile::from_pairs(Profile::example(), [("emotion_in_scene", "true")]).unwrap_err();
    assert!(error.message().contains("emotion_in_scene") && error.message().contains("true"), "{error}");
    assert!(error.hint_text().unwrap().contains("before-content"));
}

#[test]
#[should_panic(expected = "- user      | {旁白：二}\n+ user      | {旁白：一}")]
fn a_failing_check_shows_the_difference() {
    check_perspective("钦灵", "旁白: 一", "user | {旁白：二}");
}
