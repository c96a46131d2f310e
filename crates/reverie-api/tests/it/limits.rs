//! Does every door keep every limit, imports too, and does the refusal name the setting that moves it?

use reverie_core::Limits;
use serde_json::{Value, json};

use crate::host::Host;
use crate::script::talk_to;

/// So small that a script reaches each of them.
fn small() -> Limits {
    Limits {
        lines_per_append: 3,
        bytes_per_text: 20,
        bytes_per_memory: 40,
        words_per_memory: 2,
        people: 3,
        bytes_per_persona: 30,
        bytes_per_name: 12,
        bytes_per_key: 5,
        settings: 2,
        bytes_per_setting: 24,
        also: 2,
        budget: 5000,
        entries_per_book: 2,
        bytes_per_document: 400,
        window_lines: 4,
        page: 5,
        history: 6,
        minds_bytes: 1 << 20,
    }
}

const FURNISHED: &str = r#"
    PUT /v1/worlds/w {"settings":{"prompt":{"budget":5000,"background_lines":6}}}
      201
    POST /v1/worlds/w/conversations {"id":"c","participants":["a","b","d"]}
      201
    POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"12345678901234567890"}],"key":"12345"}
      201"#;

fn furnished() -> Host {
    let host = Host::with_limits(small());
    talk_to(&host, FURNISHED);
    host
}

#[test]
fn what_is_recorded() {
    talk_to(
        &furnished(),
        r#"
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"123456789012345678901"}]}
          400 invalid ~ lines[0]: 21 bytes in content are too many: at most 20
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"1234567890123456789\u0001"}]}
          400 invalid ~ lines[0]: 22 bytes in content
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"x"}],"key":"123456"}
          400 invalid ~ limits.key_bytes
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"x"},{"speaker":"a","attribute":"user","content":"x","display_name":"1234567890123"}]}
          400 invalid ~ lines[1]: 13 bytes in display_name
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"x","host_id":"1234567890123"}]}
          400 invalid ~ limits.name_bytes
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"role_id":"1234567890123","attribute":"user","content":"x"}]}
          400 invalid ~ 13 bytes in role_id
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"x","witnesses":[{"display_name":"1234567890123"}]}]}
          400 invalid ~ 13 bytes in display_name
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"x","witnesses":["a","b","d","e"]}]}
          400 invalid ~ limits.participants
        PATCH /v1/worlds/w/lines/1 {"content":"123456789012345678901"}
          400 invalid ~ limits.content_bytes
        PATCH /v1/worlds/w/lines/1 {"action":"1234567890123456789\u0001"}
          400 invalid ~ 22 bytes in action_content
        GET /v1/worlds/w/conversations/c/lines
          200 {"items":[{"id":"1","content":"12345678901234567890","action_content":null,"version":0}]}
        GET /v1/worlds/w/characters
          200 {"items":[{"id":"a"},{"id":"b"},{"id":"d"}]}"#,
    );
}

#[test]
fn who_is_there() {
    talk_to(
        &furnished(),
        r#"
        PUT /v1/worlds/w/characters/a {"display_name":"1234567890123"}
          400 invalid ~ limits.name_bytes
        PUT /v1/worlds/w/characters/a {"role_id":"1234567890123"}
          400 invalid ~ 13 bytes in role_id
        PUT /v1/worlds/w/characters/a {"script_role_id":"12345678901\u0001"}
          400 invalid ~ 14 bytes in script_role_id
        PUT /v1/worlds/w/characters/a {"persona":"1234567890123456789012345678901"}
          400 invalid ~ limits.persona_bytes
        POST /v1/worlds/w/conversations {"participants":["a","b","d","e"]}
          400 invalid ~ limits.participants
        POST /v1/worlds/w/conversations {"name":"s","participants":[{"display_name":"1234567890123"}]}
          400 invalid ~ limits.name_bytes
        POST /v1/worlds/w/conversations {"name":"s","participants":["a"]}
          201 {"id":"c1"}
        PUT /v1/worlds/w/conversations/c1/present {"present":["a","b","d","e"]}
          400 invalid ~ limits.participants
        PUT /v1/worlds/w/conversations/c1/present {"present":[{"role_id":"1","display_name":"1234567890123"}]}
          400 invalid ~ limits.name_bytes
        GET /v1/worlds/w/characters
          200 {"items":[{"id":"a","role_id":null,"persona":null},{"id":"b"},{"id":"d"}]}
        GET /v1/worlds/w/conversations/c1
          200 {"present":["a"]}"#,
    );
}

#[test]
fn what_is_set() {
    talk_to(
        &furnished(),
        r#"
        PUT /v1/worlds/w {"settings":{"prompt.budget":5001}}
          400 invalid ~ limits.budget
        PUT /v1/worlds/w {"settings":{"prompt.background_lines":7}}
          400 invalid ~ limits.history
        PUT /v1/worlds/w {"settings":{"language":"en"}}
          400 invalid ~ 3 settings are too many: at most 2
        PUT /v1/worlds/v {"settings":{"narrator":{"names":["1234567890123456789012345"]}}}
          400 invalid ~ limits.setting_bytes
        PUT /v1/worlds/v {"settings":{"narrator.names.1234567890":"x"}}
          400 invalid ~ limits.setting_bytes
        PUT /v1/worlds/v {"settings":{"narrator":{"names":["1","2","3"]}}}
          400 invalid ~ limits.settings
        PUT /v1/worlds/w {"settings":{"prompt":{"budget":null},"language":"en"}}
          200 {"settings":{"language":"en","prompt":{"background_lines":6}}}
        POST /v1/worlds/w/recall {"character":"a","conversation":"c"}
          200 {"tokens":{"budget":5000}}
        GET /v1/worlds/v
          404 not_found"#,
    );
}

#[test]
fn what_is_asked() {
    talk_to(
        &furnished(),
        r#"
        POST /v1/worlds/w/recall {"character":"a","conversation":"c","budget":5001}
          400 invalid ~ limits.budget
        POST /v1/worlds/w/recall {"character":"a","conversation":"c","also":["c","c","c"]}
          400 invalid ~ limits.also
        GET /v1/worlds/w/history?participants=a&also=c&also=c&also=c
          400 invalid ~ limits.also
        GET /v1/worlds/w/history?participants=a&participants=b&participants=d&participants=e
          400 invalid ~ limits.participants
        GET /v1/worlds/w/history?participants=a&limit=7
          400 invalid ~ from 1 to 6
        GET /v1/worlds/w/characters?limit=6
          400 invalid ~ from 1 to 5
        POST /v1/perspective {"as":"a","lines":[{"speaker":"a","attribute":"user","content":"123456789012345678901"}]}
          400 invalid ~ limits.content_bytes
        POST /v1/perspective {"as":"a","lines":[{"attribute":"user","content":"1"},{"attribute":"user","content":"2"},{"attribute":"user","content":"3"},
            {"attribute":"user","content":"4"},{"attribute":"user","content":"5"}]}
          400 invalid ~ limits.window_lines
        POST /v1/worlds/w/recall {"character":"a","conversation":"c","budget":5000,"also":["c","c"]}
          200"#,
    );
}

/// A short name with a long one below it would be written out for each value.
#[test]
fn settings_do_not_multiply() {
    let host = Host::with_limits(Limits { bytes_per_setting: usize::MAX, ..small() });
    let values: Vec<Value> = (0..10_000).map(Value::from).collect();
    let (status, error) =
        host.send("PUT", "/v1/worlds/w", &json!({"settings": {"x".repeat(1 << 20): values}}).to_string());
    assert_eq!((status, &error["error"]["code"]), (400, &json!("invalid")));
}

/// What one world holds within its limits does not enter where the limits are narrower; the record is named, and nothing
/// comes in.
#[test]
fn imports_keep_the_limits() {
    let host = Host::new();
    talk_to(
        &host,
        r#"
        PUT /v1/worlds/w {"settings":{"narrator":{"names":["旁白"]}}}
          201
        PUT /v1/worlds/w/characters/a {"display_name":"Alice","persona":"a sailor","role_id":"role-7"}
          201
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations {"id":"s","name":"tavern","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations/s/lines {"lines":[{"speaker":"a","attribute":"user","content":"one","host_id":"host-1","tts":"wun"}],"key":"key-1"}
          201
        PATCH /v1/worlds/w/lines/1 {"content":"the second wording"}
          200"#,
    );
    let (lines, save) = (host.export("w", "format=jsonl"), host.export("w", "format=save"));
    type Narrow = fn(&mut Limits);
    let cases: [(Narrow, &str, &str); 10] = [
        (|limits| limits.bytes_per_text = 17, "line 1: 18 bytes in content", "limits.content_bytes"),
        (|limits| limits.bytes_per_text = 2, "line 1: ", "limits.content_bytes"),
        (|limits| limits.bytes_per_name = 4, "character \"a\": ", "limits.name_bytes"),
        (|limits| limits.bytes_per_name = 5, "character \"a\": 6 bytes in role_id", "limits.name_bytes"),
        (
            |limits| limits.bytes_per_persona = 7,
            "character \"a\": 8 bytes in the persona",
            "limits.persona_bytes",
        ),
        (|limits| limits.bytes_per_key = 4, "a key of conversation \"s\": ", "limits.key_bytes"),
        (
            |limits| limits.lines_per_append = 0,
            "a key of conversation \"s\": \"key-1\": 1 lines",
            "limits.lines",
        ),
        (|limits| limits.people = 1, "conversation \"c\": 2 people", "limits.participants"),
        (|limits| limits.settings = 0, "settings 0: 1 settings", "limits.settings"),
        (|limits| limits.bytes_per_setting = 5, "settings 0: ", "limits.setting_bytes"),
    ];
    for (narrow, record, setting) in cases {
        let mut limits = Limits::default();
        narrow(&mut limits);
        let host = Host::with_limits(limits);
        for parcel in [&lines, &save] {
            let (status, error) = host.send("POST", "/v1/import", parcel);
            assert_eq!((status, &error["error"]["code"]), (400, &json!("invalid")), "{record}");
            let said = error["error"]["message"].as_str().expect("a message");
            assert!(said.starts_with(record), "{record}: {error}");
            assert!(error["error"]["hint"].as_str().is_some_and(|hint| hint.contains(setting)), "{error}");
            assert_eq!(host.get("/v1/worlds")["items"], json!([]), "{record} left something behind");
        }
    }
    Host::new().done("POST", "/v1/import", &lines);
}

/// Numbers that no honest world has, whatever they would lead to.
#[test]
fn numbers_beyond_counting_in_an_import() {
    let host = Host::new();
    talk_to(
        &host,
        r#"
        PUT /v1/worlds/w {}
          201
        POST /v1/worlds/w/conversations {"id":"s","name":"tavern","participants":["a"]}
          201
        POST /v1/worlds/w/conversations/s/lines {"lines":[{"speaker":"a","attribute":"user","content":"one","time":"2026-01-01T00:00:00Z"}],"key":"key-1"}
          201
        PATCH /v1/worlds/w/lines/1 {"content":"two"}
          200
        PUT /v1/worlds/w {"settings":{"language":"en"}}
          200
        PUT /v1/worlds/w/checkpoints/x {}
          201"#,
    );
    let lines = host.export("w", "format=jsonl");
    let damaged = |changes: &[(&str, i64)]| -> String {
        let damaged = lines.lines().map(|line| {
            let mut record: serde_json::Value = serde_json::from_str(line).expect("a record");
            // The world's own version is that of the format.
            for (field, value) in
                changes.iter().filter(|(field, _)| *field != "/version" || line.contains("preset"))
            {
                record.pointer_mut(field).into_iter().for_each(|found| *found = json!(value));
            }
            record.to_string()
        });
        damaged.collect::<Vec<_>>().join("\n")
    };
    let cases: [(&[(&str, i64)], &str); 4] = [
        (&[("/wall_ms", i64::MAX)], "line 1: "),
        (&[("/created_ms", i64::MIN)], "the world: "),
        (&[("/version", i64::from(u32::MAX))], "settings 4294967295: "),
        (
            &[("/next_line", (1 << 40) - 1), ("/count", (1 << 40) - 2)],
            "a key of conversation \"s\": \"key-1\": ",
        ),
    ];
    for (changes, record) in cases {
        let (status, error) = host.send("POST", "/v1/import?world=v", &damaged(changes));
        assert_eq!((status, &error["error"]["code"]), (400, &json!("invalid")), "{record}: {error}");
        let said = error["error"]["message"].as_str().unwrap_or_default();
        assert!(said.starts_with(record), "{record}: {error}");
    }
    host.done("POST", "/v1/import?world=v", &damaged(&[]));
}

/// A beginning, and whoever is present at a line, are lists of people too.
#[test]
fn lists_of_people_in_an_import() {
    let host = Host::with_limits(Limits { people: 4, ..Limits::default() });
    talk_to(
        &host,
        r#"
        PUT /v1/worlds/w {}
          201
        POST /v1/worlds/w/conversations {"id":"s","name":"tavern","participants":["a","b","c"]}
          201"#,
    );
    let narrow = Host::with_limits(Limits { people: 2, ..Limits::default() });
    let (_, error) = narrow.send("POST", "/v1/import", &host.export("w", ""));
    let said = error["error"]["message"].as_str().unwrap_or_default();
    assert!(said.starts_with("the beginning of conversation \"s\": 3 people"), "{error}");

    host.done("PUT", "/v1/worlds/w/conversations/s/present", r#"{"present":["a"]}"#);
    let (one, whisper) = (
        r#"{"lines":[{"speaker":"a","attribute":"user","content":"x"}]}"#,
        r#"{"lines":[{"speaker":"a","attribute":"user","content":"x","witnesses":["b","c","d","e"]}]}"#,
    );
    host.done("POST", "/v1/worlds/w/conversations/s/lines", one);
    host.done("POST", "/v1/worlds/w/conversations/s/lines", whisper);
    let narrow = Host::with_limits(Limits { people: 3, ..Limits::default() });
    let (_, error) = narrow.send("POST", "/v1/import", &host.export("w", ""));
    let said = error["error"]["message"].as_str().unwrap_or_default();
    assert!(said.contains("5 people are too many: at most 4"), "{error}");
}

/// Speaking makes one present beyond any list; what was recorded here must be able to return.
#[test]
fn a_crowd_that_gathered_by_speaking_can_be_imported() {
    let limits = Limits { people: 2, ..Limits::default() };
    let host = Host::with_limits(limits.clone());
    talk_to(
        &host,
        r#"
        PUT /v1/worlds/w {}
          201
        POST /v1/worlds/w/conversations {"id":"s","name":"square","participants":["a","b"]}
          201"#,
    );
    for speaker in ["c", "d", "e", "f"] {
        let line = json!({"lines": [{"speaker": speaker, "attribute": "assistant", "content": "hello"}]});
        host.done("POST", "/v1/worlds/w/conversations/s/lines", &line.to_string());
    }
    assert_eq!(host.get("/v1/worlds/w/conversations/s")["present"].as_array().map(Vec::len), Some(6));
    Host::with_limits(limits).done("POST", "/v1/import", &host.export("w", ""));
}
