//! Which ticks and times does the wire take, and what does it make of them?

use serde_json::json;

use crate::host::Host;
use crate::script::talk_to;

fn host() -> Host {
    let host = Host::with_world("{}");
    host.done("POST", "/v1/worlds/w/conversations", r#"{"id":"c","participants":["a","b"]}"#);
    host
}

#[test]
fn ticks_lie_within_two_to_the_53() {
    for (tick, is_taken) in [
        ("9007199254740992", true),
        ("-9007199254740992", true),
        ("9007199254740993", false),
        ("-9007199254740993", false),
        ("9223372036854775807", false),
        ("9223372036854775808", false),
        ("1e300", false),
        ("1.5", false),
        ("\"200\"", false),
    ] {
        let host = host();
        let line = format!(r#"{{"attribute":"user","speaker":"a","content":"x","tick":{tick}}}"#);
        let requests = [
            ("/v1/worlds/w/conversations/c/lines", format!(r#"{{"lines":[{line}]}}"#)),
            ("/v1/worlds/w/recall", format!(r#"{{"character":"b","conversation":"c","tick":{tick}}}"#)),
            ("/v1/worlds/w/recall", format!(r#"{{"character":"b","history":[{line}]}}"#)),
        ];
        for (path, body) in requests {
            let (status, answer) = host.send("POST", path, &body);
            assert_eq!(status < 300, is_taken, "{body}: {answer}");
            assert!(is_taken || answer["error"]["code"] == "invalid");
        }
        if is_taken {
            let line = &host.get("/v1/worlds/w/conversations/c/lines")["items"][0];
            assert_eq!(line["tick"].to_string(), tick);
            assert_eq!(host.get("/v1/worlds/w")["tick"].to_string(), tick);
        }
    }
}

#[test]
fn a_missing_tick_is_its_parents_and_a_tick_that_runs_back_is_reported() {
    talk_to(
        &host(),
        r#"
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"1","tick":500},{"speaker":"b","attribute":"assistant","content":"2"}]}
          201 {"lines":[{"tick":500},{"tick":500}],"degraded":[]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"3","tick":499}]}
          201 {"lines":[{"tick":499}],"degraded":[{"code":"tick_ran_back","hint":"send lines in the order of their ticks; after loading an older save, restore its checkpoint first: POST …/checkpoints/{id}/restore"}]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"4","tick":-3}]}
          201 {"degraded":[{"code":"tick_ran_back"}]}
        GET /v1/worlds/w/conversations/c/lines
          200 {"items":[{"content":"1"},{"content":"2"},{"content":"3"},{"content":"4"}]}
        GET /v1/worlds/w
          200 {"tick":500}"#,
    );
}

#[test]
fn times_are_rfc_3339_in_and_utc_out() {
    for (sent, wanted) in [
        ("2026-01-31T08:15:30Z", "2026-01-31T08:15:30.000Z"),
        ("2026-01-31T16:15:30.250+08:00", "2026-01-31T08:15:30.250Z"),
        ("1889-03-01T06:00:00-05:00", "1889-03-01T11:00:00.000Z"),
        ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
        ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"),
    ] {
        let host = host();
        let body = json!({"lines": [{"speaker": "a", "attribute": "user", "content": "x", "time": sent}]});
        let answer = host.done("POST", "/v1/worlds/w/conversations/c/lines", &body.to_string());
        assert_eq!(answer["lines"][0]["time"], wanted);
    }
    talk_to(
        &host(),
        r#"
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"now"}]}
          201 {"lines":[{"time":"2026-01-31T08:15:30.000Z"}]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"x"},{"speaker":"a","attribute":"user","content":"x","time":"yesterday"}]}
          400 invalid ~ lines[1]: "yesterday" is not a time
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"x","time":"2026-01-31"}]}
          400 invalid ~ RFC 3339
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"x","time":"9999-12-31T23:59:59-01:00"}]}
          400 invalid ~ 0000 to 9999
        GET /v1/worlds/w
          200 {"created":"2026-01-31T08:15:30.000Z"}
        PUT /v1/worlds/w/checkpoints/k
          201 {"created":"2026-01-31T08:15:30.000Z"}"#,
    );
}

/// The world's time is what the line before it made it.
#[test]
fn a_tick_that_runs_back_within_a_batch_is_reported() {
    talk_to(
        &host(),
        r#"
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"一","tick":195000},{"speaker":"b","attribute":"assistant","content":"二","tick":190000}]}
          201 {"degraded":[{"code":"tick_ran_back","message":"a tick lies before the world's time, 195000"}]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"三","tick":195000},{"speaker":"b","attribute":"assistant","content":"四","tick":195001}]}
          201 {"degraded":[]}"#,
    );
}
