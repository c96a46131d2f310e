//! Swipes that contradict each other, and fields of the wrong type.

use serde_json::json;

use super::*;

#[test]
fn the_text_that_was_shown_counts() {
    for (source, wordings, chosen, problem) in [
        (json!({"mes": "a"}), vec!["a"], 0, None),
        (json!({"mes": "a", "swipes": []}), vec!["a"], 0, None),
        (json!({"mes": "b", "swipes": ["a", "b"], "swipe_id": 1}), vec!["a", "b"], 1, None),
        (json!({"mes": "b", "swipes": ["a", "b"], "swipe_id": "1"}), vec!["a", "b"], 1, None),
        (json!({"mes": "b", "swipes": ["a", "b"]}), vec!["a", "b"], 1, None),
        (
            json!({"mes": "b", "swipes": ["a", "b"], "swipe_id": 7}),
            vec!["a", "b"],
            1,
            Some("there is no swipe 7"),
        ),
        (
            json!({"mes": "c", "swipes": ["a", "b"], "swipe_id": -1}),
            vec!["a", "b", "c"],
            2,
            Some("there is no swipe -1"),
        ),
        (
            json!({"mes": "c", "swipes": ["a", "b"], "swipe_id": 0}),
            vec!["c", "b"],
            0,
            Some("not that of swipe 0"),
        ),
        (
            json!({"mes": "c", "swipes": ["a", 5, "c"], "swipe_id": 2}),
            vec!["a", "c"],
            1,
            Some("swipe 1 is not a text"),
        ),
        (
            json!({"mes": "c", "swipes": ["a", 5, "c"], "swipe_id": 1}),
            vec!["a", "c"],
            1,
            Some("swipe 1 is not a text"),
        ),
        (json!({"mes": "a", "swipes": {"0": "a"}}), vec!["a"], 0, Some("swipes is not a list")),
        (json!({"swipes": ["a", "b"], "swipe_id": 0}), vec!["a", "b"], 0, None),
        (json!({"swipes": ["a", "b"]}), vec!["a", "b"], 1, Some("its last swipe stands for it")),
        (json!({"mes": null}), vec![], 0, Some("the message has no text")),
        (json!({"mes": 5}), vec!["5"], 0, Some("mes is not a text")),
    ] {
        let mut warnings = Vec::new();
        let message = message(source.clone(), 3, &mut warnings);
        let texts: Vec<&str> = message.wordings.iter().map(|wording| wording.text.as_str()).collect();
        assert_eq!((texts, message.chosen), (wordings, chosen), "{source}");
        match problem {
            None => assert!(warnings.is_empty(), "{source}: {warnings:?}"),
            Some(part) => assert!(
                warnings[0].to_string().starts_with("line 3: ") && warnings[0].message.contains(part),
                "{source}: {warnings:?}"
            ),
        }
    }
}

#[test]
fn hidden_is_not_system() {
    for (source, hidden, voice) in [
        (json!({"mes": "a", "name": "A"}), false, Voice::Person),
        (json!({"mes": "a", "name": "A", "is_system": true}), true, Voice::Person),
        (json!({"mes": "a", "name": "A", "is_system": "true", "extra": null}), true, Voice::Person),
        (
            json!({"mes": "a", "name": "A", "is_system": true, "extra": {"type": "comment"}}),
            true,
            Voice::Narrator,
        ),
        (
            json!({"mes": "a", "name": "A", "is_system": true, "extra": {"tool_invocations": []}}),
            true,
            Voice::Narrator,
        ),
        (json!({"mes": "a", "name": PROGRAM, "is_system": true}), true, Voice::Narrator),
        (json!({"mes": "a", "name": "A", "extra": {"type": "narrator"}}), false, Voice::Narrator),
        (json!({"mes": "a", "name": "A", "extra": {"type": "photo"}}), false, Voice::Person),
    ] {
        let message = message(source.clone(), 1, &mut Vec::new());
        assert_eq!((message.hidden, message.voice), (hidden, voice), "{source}");
    }
}

#[test]
fn pictures_are_named_by_their_file() {
    for (source, expected) in [
        (json!({"original_avatar": "A.png", "force_avatar": "/x?file=B.png"}), Some("A.png")),
        (json!({"force_avatar": "/thumbnail?type=avatar&file=A%20B.png&x=1"}), Some("A B.png")),
        (json!({"force_avatar": "User Avatars/me.png"}), Some("me.png")),
        (json!({"force_avatar": "characters\\me%.png?t=5"}), Some("me%.png")),
        (json!({"force_avatar": "data:image/png;base64,AA/AA"}), None),
        (json!({"force_avatar": false}), None),
        (json!({}), None),
    ] {
        assert_eq!(avatar(&source).as_deref(), expected, "{source}");
    }
}
