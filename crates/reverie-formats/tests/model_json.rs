//! Is the JSON found that a model meant, and nothing taken for JSON that broke off?

use proptest::prelude::*;
use reverie_formats::fuzz;
use reverie_formats::model_json::{JsonError, MOST_BYTES, MOST_DEPTH, extract_json};
use serde_json::{Value, json};

#[track_caller]
fn check(text: &str, expected: &Value) {
    assert_eq!(extract_json(text).as_ref(), Ok(expected), "{text}");
}

#[test]
fn what_models_write_is_read() {
    let yes = json!({ "should_remember": true, "reason": "生日" });
    for text in [
        r#"{"should_remember": true, "reason": "生日"}"#,
        "```json\n{\"should_remember\": true, \"reason\": \"生日\"}\n```",
        "```\n{\"should_remember\": true, \"reason\": \"生日\"}\n```",
        "```JSON {\"should_remember\": true, \"reason\": \"生日\"}```",
        "好的，结果如下：\n\n```json\n{\"should_remember\": true, \"reason\": \"生日\"}\n```\n\n希望有帮助！",
        "Sure! {\"should_remember\": true, \"reason\": \"生日\"} Hope this helps.",
        "\u{FEFF}  {\"should_remember\": true,\n \"reason\": \"生日\",\n}\n",
        "{'should_remember': True, 'reason': '生日'}",
        "{should_remember: true, reason: \"生日\"}",
        "{“should_remember”：true，“reason”：“生日”}",
        "{\"should_remember\": true, // yes\n /* because */ \"reason\": \"生日\"}",
        "<think>Maybe {\"should_remember\": false}? No.</think>{\"should_remember\": true, \"reason\": \"生日\"}",
        "Draft:\n```json\n{\"should_remember\": false}\n```\nFinal:\n```json\n{\"should_remember\": true, \"reason\": \"生日\"}\n```",
        "Use {curly} and [1] and {{user}}: {\"should_remember\": true, \"reason\": \"生日\"} [2]",
        "{\"should_remember\": true, \"reason\": \"\\u751f\\u65E5\"} and then [",
    ] {
        check(text, &yes);
    }
    for (text, expected) in [
        ("[1, -2.5e3, .5, 1., +7, 18446744073709551615]", json!([1, -2500.0, 0.5, 1.0, 7, u64::MAX])),
        (
            r#"["\ud83d\ude00", "\ud83d", "\ude00x", "\q\'\/", "a
b"]"#,
            json!(["😀", "\u{FFFD}", "\u{FFFD}x", "q'/", "a\nb"]),
        ),
        ("[None, null, undefined, NaN, False]", json!([null, null, null, null, false])),
        ("{\"a\": {\"b\": [{}, [],],},}", json!({ "a": { "b": [{}, []] } })),
        ("{\"code\": \"```json\\n{}\\n```\"}", json!({ "code": "```json\n{}\n```" })),
        ("{\"say\": \"她说：“好”，然后 it's ok\"}", json!({ "say": "她说：“好”，然后 it's ok" })),
        ("{}", json!({})),
    ] {
        check(text, &expected);
    }
}

#[test]
fn what_breaks_off_is_an_error_and_never_its_first_half() {
    let whole = r#"{"memories": [{"text": "白小喵三岁", "n": 12}, {"text": "b", "ok": true}], "x": 1}"#;
    for end in whole.char_indices().map(|(end, _)| end).skip(1) {
        let cut = &whole[..end];
        for text in [
            cut.to_owned(),
            format!("Here: {cut}"),
            format!("```json\n{cut}"),
            format!("```json\n{cut}\n```"),
        ] {
            let found = extract_json(&text);
            assert!(found.is_err(), "{text} gave {found:?}");
        }
        assert_eq!(extract_json(cut), Err(JsonError::CutOff), "{cut}");
    }
    assert_eq!(extract_json("{\"draft\": 1} no, better: {\"memories\": [{\"a\": 1"), Err(JsonError::CutOff));
    // Broken in the middle: what stands after that is a part of it, too.
    for broken in [
        r#"{"memories": [{"text": "he said "hi" to me"}, {"text": "b"}]}"#,
        r#"{"memories": [{"text": "a"} {"text": "b"}], "x" 1}"#,
        r#"{"memories": [{"text": "a"}, {"text" = "b"}]}"#,
    ] {
        assert_eq!(extract_json(broken), Err(JsonError::Broken), "{broken}");
    }
    assert_eq!(extract_json("<think>still thinking {}"), Err(JsonError::Missing));
    for nothing in ["", "no", "true", "\"{}\" is empty", "[x]", "{a}", "I can't do that.", "{not really}"] {
        let expected = if nothing.contains("{}") { Ok(json!({})) } else { Err(JsonError::Missing) };
        assert_eq!(extract_json(nothing), expected, "{nothing}");
    }
}

#[test]
fn hostile_texts_are_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(extract_json(&nested(MOST_DEPTH)).is_ok());
    assert_eq!(
        extract_json(&nested(MOST_DEPTH + 1)),
        Err(JsonError::TooDeep),
        "nor are the inner ones an answer"
    );
    assert_eq!(extract_json(&"[".repeat(100_000)), Err(JsonError::TooDeep));
    assert_eq!(extract_json(&" ".repeat(MOST_BYTES + 1)), Err(JsonError::TooLarge));
    // Each of these would be read again and again without a bound on the work: they would not end within a day.
    let size = MOST_BYTES / 8;
    for hostile in
        ["{\"a\":", "[1,", "{/*", "[[[[\"", "{a:", "```{", "{\"a\":[0,", "{'", "[//\n", "{\"\\ud800"]
    {
        for end in ["", "x", "]", "}"] {
            let text = format!("{}{end}", hostile.repeat(size / hostile.len()));
            let found = extract_json(&text);
            assert!(found.is_err() || found == Ok(json!({})), "{hostile}");
        }
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e300..1e300).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..5)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![
            any::<char>(),
            prop::sample::select("\"'\\{}[],:`“”：，喵は\n\t/*".chars().collect::<Vec<_>>())
        ],
        0..12,
    )
    .prop_map(String::from_iter)
}

fn container() -> impl Strategy<Value = Value> {
    value().prop_filter("objects and arrays", |value| value.is_object() || value.is_array())
}

proptest! {
    #[test]
    fn all_of_json_means_what_it_says(value in container()) {
        prop_assert_eq!(extract_json(&value.to_string()), Ok(value.clone()));
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        prop_assert_eq!(extract_json(&pretty), Ok(value));
    }

    #[test]
    fn words_and_fences_around_it_change_nothing(value in container(), before in "[a-z喵 .,!？：\n]{0,20}", after in "[a-z喵 .,!？：\n]{0,20}") {
        // A fence inside a string is the one thing that a fence around it cannot hold.
        prop_assume!(!value.to_string().contains("```"));
        let fenced = format!("{before}\n```json\n{value}\n```\n{after}");
        prop_assert_eq!(extract_json(&fenced), Ok(value.clone()));
        let bare = format!("{before} {value} {after}");
        prop_assert_eq!(extract_json(&bare), Ok(value));
    }

    #[test]
    fn no_part_of_it_is_taken_for_the_whole(value in container(), at in 0.0..1.0f64) {
        let whole = value.to_string();
        let end = (1..whole.len()).filter(|end| whole.is_char_boundary(*end)).nth((whole.len() as f64 * at) as usize);
        let Some(end) = end else { return Ok(()) };
        prop_assert_eq!(extract_json(&whole[..end]), Err(JsonError::CutOff));
    }

    #[test]
    fn any_text_is_survived(text in text(), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        fuzz::model_json(text.as_bytes());
        fuzz::model_json(&bytes);
    }

    #[test]
    fn any_mutation_is_survived(value in container(), changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = value.to_string().into_bytes();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        fuzz::model_json(&bytes);
    }
}
