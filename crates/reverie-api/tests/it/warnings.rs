//! What is said when a request is understood but looks wrong?

use crate::host::Host;
use crate::script::talk;

/// A misspelt list of witnesses would make a whisper public.
#[test]
fn fields_that_mean_nothing_are_named() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"嘘","witness":["b"]}]}
          201 {"degraded":[{"code":"ignored_fields","message":"these fields of lines mean nothing here and were ignored: witness"}]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"line_id":3,"save_id":1,"parent_line_id":2,"speaker":"a","attribute":"user","content":"行"}]}
          201 {"degraded":[]}"#,
    );
}

#[test]
fn a_character_that_nobody_knows_is_named() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/recall {"character":"nobody","conversation":"c","message":"x"}
          200 {"messages":[{"role":"user","content":"x"}],"degraded":[{"code":"unknown_character"}]}
        POST /v1/worlds/w/recall {"character":"nobody","history":[],"message":"x"}
          200 {"degraded":[]}"#,
    );
}

/// Hosts confuse what somebody is called with the id.
#[test]
fn a_name_in_place_of_an_id_leads_to_its_bearer() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["mo","xia","guest"]}
          201
        PUT /v1/worlds/w/characters/mo {"display_name":"阿默","aliases":["老默"]}
          200
        POST /v1/worlds/w/recall {"character":"阿默","conversation":"c","message":"x"}
          200 {"degraded":[{"code":"unknown_character","message":"nobody in this world has the id \"阿默\"; somebody with the id \"mo\" is called so","hint":"name the character by its id: \"mo\""}]}
        POST /v1/worlds/w/recall {"character":"老默","conversation":"c","message":"x"}
          200 {"degraded":[{"hint":"name the character by its id: \"mo\""}]}
        PUT /v1/worlds/w/characters/xia {"display_name":"阿默"}
          200
        POST /v1/worlds/w/recall {"character":"阿默","conversation":"c","message":"x"}
          200 {"degraded":[{"message":"nobody in this world has the id \"阿默\"; several are called so","hint":"name the one that is meant by its id: \"mo\", \"xia\""}]}
        POST /v1/worlds/w/recall {"character":"mo","conversation":"c","message":"x"}
          200 {"degraded":[]}"#,
    );
}

/// Whoever is misspelt there would be voiced without knowing anything.
#[test]
fn strangers_who_are_given_a_voice_are_named() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","小雪"]}
          201
        POST /v1/worlds/w/recall {"character":"a","with":["小雪"],"conversation":"c","message":"x"}
          200 {"degraded":[]}
        POST /v1/worlds/w/recall {"character":"a","with":["小雷","小雪",{"role_id":7}],"conversation":"c","message":"x"}
          200 {"degraded":[{"code":"unknown_character","message":"nobody in this world is called like these, who are given a voice and know nothing: \"小雷\", \"role_id:7\"","hint":"check the ids in `with`: GET …/characters lists them all"}]}
        POST /v1/worlds/w/recall {"character":"a","with":["小雷"],"history":[],"message":"x"}
          200 {"degraded":[]}"#,
    );
}

/// A bot whose host does not say to whom it speaks tells nothing of what it remembers; that must not go unnoticed.
#[test]
fn a_history_that_does_not_tell_who_listens() {
    talk(
        r#"
        PUT /v1/worlds/w {"preset":"bot"}
          200
        POST /v1/worlds/w/recall {"character":"a","history":[{"attribute":"user","content":"嗨"}],"message":"x"}
          200 {"degraded":[{"code":"audience_unknown","message":"`history` does not say who listens, so that by the world's `audience` only what is shareable may be told"}]}
        POST /v1/worlds/w/recall {"character":"a","history":[{"attribute":"user","speaker":"b","content":"嗨"}],"message":"x"}
          200 {"degraded":[]}
        PUT /v1/worlds/w {"settings":{"audience":"open"}}
          200
        POST /v1/worlds/w/recall {"character":"a","history":[{"attribute":"user","content":"嗨"}],"message":"x"}
          200 {"degraded":[]}"#,
    );
}

/// Books are shared by worlds, so no revision of one brings their wording back; that must not go unnoticed.
#[test]
fn books_of_an_earlier_revision_are_those_of_now() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/recall {"character":"a","conversation":"c","message":"灯塔","as_of":1}
          200 {"degraded":[]}
        PUT /v1/books/b {"entries":{"0":{"uid":0,"key":["灯塔"],"content":"灯塔在北岸"}}}
          201
        PUT /v1/worlds/w/lore/b {}
          201
        POST /v1/worlds/w/recall {"character":"a","conversation":"c","message":"灯塔"}
          200 {"degraded":[]}
        POST /v1/worlds/w/recall {"character":"a","conversation":"c","message":"灯塔","as_of":1}
          200 {"messages":[{"content":"灯塔在北岸"},{"content":"灯塔"}],"degraded":[{"code":"books_as_now","message":"books are as they are linked and written now: they belong to no revision of a world","hint":"keep a copy of a book whose earlier wording matters: GET /v1/books/{book}/document"}]}
        DELETE /v1/books/b
          204
        POST /v1/worlds/w/recall {"character":"a","conversation":"c","message":"灯塔","as_of":1}
          200 {"degraded":[{"code":"book_missing"},{"code":"books_as_now"}]}"#,
    );
}

#[test]
fn a_view_of_somebody_who_is_not_in_the_lines_is_named() {
    talk(
        r#"
        POST /v1/perspective {"as":{"role_id":9},"lines":[{"attribute":"user","content":"你好","role_id":1}]}
          200 {"messages":[{"role":"user","content":"你好"}],"degraded":[{"code":"unknown_character"}]}
        POST /v1/perspective {"as":"さくら","lines":[{"attribute":"user","content":"x","speaker":"a","witnesses":["さくら"]}]}
          200 {"degraded":[]}
        POST /v1/perspective {"as":"a","lines":[{"attribute":"user","content":"x","speaker":"a"}]}
          200 {"degraded":[]}
        POST /v1/perspective {"as":"a","lines":[]}
          200 {"degraded":[]}"#,
    );
}

/// Recorded all the same: a host may whisper to somebody who is not listed.
#[test]
fn witnesses_who_are_not_there_are_named() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["玩家","白"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"玩家","attribute":"user","content":"嘘","witnesses":["ghost","白","ghost"]}]}
          201 {"lines":[{"witnesses":["ghost","玩家","白"]}],"degraded":[{"code":"absent_witness","message":"these witnesses are not in the conversation: ghost"}]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"玩家","attribute":"user","content":"嘘","witnesses":["白"]}]}
          201 {"degraded":[]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"ghost","attribute":"system","content":"你在别处","witnesses":["白"]}]}
          201 {"lines":[{"witnesses":["ghost"]}],"degraded":[]}
        POST /v1/worlds/w/conversations {"id":"s","name":"酒馆","participants":["玩家"]}
          201
        POST /v1/worlds/w/conversations/s/lines {"lines":[{"speaker":"玩家","attribute":"user","content":"谁？","witnesses":["Bob"]},{"speaker":"Bob","attribute":"assistant","content":"me"}]}
          201 {"degraded":[]}
        PUT /v1/worlds/w/conversations/s/present {"present":["玩家"]}
          200
        POST /v1/worlds/w/conversations/s/lines {"lines":[{"speaker":"玩家","attribute":"user","content":"再见","witnesses":["Bob","ボブ"]}]}
          201 {"degraded":[{"code":"absent_witness","message":"these witnesses are not in the conversation: ボブ"}]}"#,
    );
}

/// A key that comes again after a save was loaded must not swallow what is said now.
#[test]
fn a_replay_off_the_active_path_is_named() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        PUT /v1/worlds/w/checkpoints/save
          201
        POST /v1/worlds/w/conversations/c/lines {"key":"1","lines":[{"speaker":"a","attribute":"user","content":"一"},{"speaker":"b","attribute":"assistant","content":"二"}]}
          201 {"degraded":[]}
        POST /v1/worlds/w/conversations/c/lines {"key":"1","lines":[{"speaker":"a","attribute":"user","content":"一"},{"speaker":"b","attribute":"assistant","content":"二"}]}
          200 {"replayed":true,"degraded":[]}
        PUT /v1/worlds/w/conversations/c/head {"line":"1"}
          200
        POST /v1/worlds/w/conversations/c/lines {"key":"1","lines":[{"speaker":"a","attribute":"user","content":"一"},{"speaker":"b","attribute":"assistant","content":"二"}]}
          200 {"replayed":true,"head":"1","degraded":[{"code":"replayed_off_path"}]}
        POST /v1/worlds/w/checkpoints/save/restore
          200
        POST /v1/worlds/w/conversations/c/lines {"key":"1","lines":[{"speaker":"a","attribute":"user","content":"一"},{"speaker":"b","attribute":"assistant","content":"二"}]}
          200 {"lines":[{"id":"1"},{"id":"2"}],"head":null,"degraded":[{"code":"replayed_off_path",
            "hint":"choose another key to record them anew, or go back to them: PUT …/head {\"line\":\"2\"}"}]}
        PUT /v1/worlds/w/conversations/c/head {"line":"2"}
          200
        POST /v1/worlds/w/conversations/c/lines {"key":"1","lines":[{"speaker":"a","attribute":"user","content":"一"},{"speaker":"b","attribute":"assistant","content":"二"}]}
          200 {"replayed":true,"degraded":[]}"#,
    );
}

/// Lists are set as a whole, and null takes away all that stands below.
#[test]
fn a_patch_of_settings_leaves_nothing_behind() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        PUT /v1/worlds/w {"settings":{"narrator":{"names":["A","B"]},"calendar":{"kind":"rimworld","longitude":30}}}
          200 {"settings":{"narrator":{"names":["A","B"]},"calendar":{"kind":"rimworld"}}}
        PUT /v1/worlds/w {"settings":{"narrator":{"names":["Z"]},"calendar":null}}
          200 {"settings":{"narrator":{"names":["Z"]},"calendar":null}}
        PUT /v1/worlds/w []
          400 invalid ~ not a JSON object"#,
    );
}

/// Numbers and lists come back as what they are, also where they were sent as text; text stays text.
#[test]
fn settings_come_back_with_their_types() {
    talk(
        r#"
        PUT /v1/worlds/w {"settings":{"prompt":{"budget":4000,"background_lines":"0","background_percent":50,"counter":"o200k"},"narrator":{"names":["7","旁白"]}}}
          200 {"settings":{"prompt":{"budget":4000,"background_lines":0,"background_percent":50,"counter":"o200k"},"narrator":{"names":["7","旁白"]}}}
        PUT /v1/worlds/w {"settings":{"calendar":{"kind":"rimworld","longitude":-97.5,"base_year":"5500","ticks":"game","start_tick":-12}}}
          200 {"settings":{"calendar":{"kind":"rimworld","longitude":-97.5,"base_year":5500,"ticks":"game","start_tick":-12}}}
        PUT /v1/worlds/w {"settings":{"calendar":null}}
          200
        PUT /v1/worlds/w {"settings":{"calendar":{"kind":"gregorian","epoch":"1889-03-01T06:00","ticks_per_second":"1/60"}}}
          200 {"settings":{"calendar":{"kind":"gregorian","epoch":"1889-03-01T06:00","ticks_per_second":"1/60"}}}
        PUT /v1/worlds/w {"settings":{"calendar.ticks_per_second":60,"perspective":{"name_separator":"12"}}}
          200 {"settings":{"calendar":{"ticks_per_second":60},"perspective":{"name_separator":"12"}}}
        PUT /v1/worlds/x {"settings":{"calendar":{"kind":"custom","format":{"en":"[{hour}:{minute}]"},"units":[{"name":"minute","size":"10"},{"name":"hour","size":60,"first":1}]}}}
          201 {"settings":{"calendar":{"units":[{"name":"minute","size":10},{"name":"hour","size":60,"first":1}]}}}
        PUT /v1/worlds/y {"settings":{"narrator.names.3":"Nobody"}}
          201 {"settings":{"narrator":{"names":["Nobody"]}}}"#,
    );
    // What was read can be put again.
    let host = Host::with_world(
        r#"{"settings":{"prompt.budget":"4000","narrator.names.0":"7","calendar":{"kind":"rimworld","longitude":"30"}}}"#,
    );
    let settings = host.get("/v1/worlds/w")["settings"].clone();
    let again = host.done("PUT", "/v1/worlds/again", &serde_json::json!({"settings": settings}).to_string());
    assert_eq!(again["settings"], settings);
}

#[test]
fn texts_of_a_cue_have_limits() {
    let long = "长".repeat(100_000);
    for part in [
        format!(r#""message":"{long}""#),
        format!(r#""scene":{{"place":"{long}"}}"#),
        format!(r#""other":{{"x":"{long}"}}"#),
        format!(r#""history":[{{"attribute":"user","content":"{long}"}}]"#),
    ] {
        let place = if part.contains("history") { "" } else { r#""participants":["a"],"# };
        talk(&format!(
            "POST /v1/worlds/w/recall {{{place}\"character\":\"a\",{part}}}
               400 invalid ~ limits.content_bytes"
        ));
    }
}

/// What is put is what is read; null takes an id away, so that another character can have it.
#[test]
fn a_strong_id_is_replaced_and_taken_away() {
    talk(
        r#"
        PUT /v1/worlds/w/characters/qin {"role_id":1}
          201 {"role_id":"1"}
        PUT /v1/worlds/w/characters/qin {"role_id":2}
          200 {"role_id":"2"}
        PUT /v1/worlds/w/characters/bai {"role_id":2}
          409 conflict ~ qin
        PUT /v1/worlds/w/characters/qin {"role_id":null}
          200 {"role_id":null}
        PUT /v1/worlds/w/characters/bai {"role_id":2}
          201 {"role_id":"2"}"#,
    );
}
