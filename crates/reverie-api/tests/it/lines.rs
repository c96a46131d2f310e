//! How are lines recorded once, edited, hidden and deleted?

use crate::host::Host;
use crate::script::{talk, talk_to};

#[test]
fn a_key_records_a_batch_once() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations {"id":"d","participants":["a","b","c"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"key":"turn-1","lines":[{"speaker":"a","attribute":"user","content":"你好"},{"speaker":"b","attribute":"assistant","content":"嗯"}]}
          201 {"lines":[{"id":"1","seq":1},{"id":"2","seq":2,"parent":"1"}],"head":"2","replayed":false,"revision":4}
        POST /v1/worlds/w/conversations/c/lines {"key":"turn-1","lines":[{"speaker":"a","attribute":"user","content":"你好"},{"speaker":"b","attribute":"assistant","content":"嗯"}]}
          200 {"lines":[{"id":"1"},{"id":"2"}],"head":"2","replayed":true,"revision":4}
        POST /v1/worlds/w/conversations/c/lines {"key":"turn-1","lines":[{"speaker":"a","attribute":"user","content":"你好！"}]}
          409 conflict ~ turn-1
        POST /v1/worlds/w/conversations/d/lines {"key":"turn-1","lines":[{"speaker":"a","attribute":"user","content":"elsewhere"}]}
          201 {"head":"3","replayed":false}
        PATCH /v1/worlds/w/lines/1 {"content":"edited"}
          200 {"content":"edited","version":1}
        POST /v1/worlds/w/conversations/c/lines {"key":"turn-1","lines":[{"speaker":"a","attribute":"user","content":"你好"},{"speaker":"b","attribute":"assistant","content":"嗯"}]}
          200 {"lines":[{"content":"edited"},{"content":"嗯"}],"replayed":true}
        POST /v1/worlds/w/conversations/c/lines {"key":"turn-1","expected_head":"1","lines":[{"speaker":"a","attribute":"user","content":"你好"},{"speaker":"b","attribute":"assistant","content":"嗯"}]}
          200 {"replayed":true}
        GET /v1/worlds/w/conversations/c/lines
          200 {"items":[{"id":"1"},{"id":"2"}]}"#,
    );
}

#[test]
fn a_batch_is_recorded_whole_or_not_at_all() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"1","host_id":"h"}]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"2"},{"speaker":"a","attribute":"user","content":"3","host_id":"h"}]}
          409 conflict ~ h
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"2"},{"speaker":"a","attribute":"shout","content":"3"}]}
          400 invalid ~ lines[1]: unknown attribute "shout"
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"2"},{"speaker":"z","attribute":"user","content":"3"}]}
          400 invalid ~ "z"
        POST /v1/worlds/w/conversations/c/lines {"lines":[]}
          400 invalid ~ at least one line
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","content":"3"}]}
          400 invalid ~ attribute
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user"}]}
          400 invalid ~ content
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"3"}],"keys":"x"}
          400 invalid ~ keys
        POST /v1/worlds/w/conversations/nowhere/lines {"lines":[{"speaker":"a","attribute":"user","content":"3"}]}
          404 not_found
        POST /v1/worlds/nowhere/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"3"}]}
          404 not_found ~ PUT /v1/worlds/{world}
        GET /v1/worlds/w/conversations/c/lines
          200 {"items":[{"content":"1"}]}
        GET /v1/worlds/w/characters/z
          404 not_found"#,
    );
}

#[test]
fn lines_are_edited_hidden_and_deleted_by_either_path() {
    for path in ["/v1/worlds/w/lines", "/v1/worlds/w/conversations/c/lines"] {
        let host = Host::with_world("{}");
        talk_to(
            &host,
            &r#"
            POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
              201
            POST /v1/worlds/w/conversations {"id":"d","participants":["a","c"]}
              201
            POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"1","emotion":"e","tts":"t","action":"x","audio":"f"},
                {"speaker":"b","attribute":"assistant","content":"2"},{"speaker":"a","attribute":"user","content":"3"}]}
              201
            POST /v1/worlds/w/conversations/d/lines {"lines":[{"speaker":"a","attribute":"user","content":"4"}]}
              201
            PATCH PATH/1 {"content":"一","emotion":null,"tts":"","action":"y"}
              200 {"id":"1","content":"一","original_emotion":null,"tts_content":null,"action_content":"y","audio_file":"f","version":1}
            PATCH PATH/1 {}
              200 {"content":"一","version":1}
            PATCH PATH/2 {"hidden":true}
              200 {"hidden":true,"version":0}
            POST /v1/worlds/w/recall {"character":"b","conversation":"c","history_scope":"conversation"}
              200 {"messages":[{"role":"user","content":"一3"}]}
            GET /v1/worlds/w/history?participants=a&participants=b
              200 {"primary":[{"id":"1"},{"id":"3"}]}
            GET /v1/worlds/w/conversations/c/lines
              200 {"items":[{"id":"1"},{"id":"2","hidden":true},{"id":"3"}]}
            PATCH PATH/2 {"hidden":false,"predicted_emotion":"p"}
              200 {"hidden":false,"predicted_emotion":"p","version":1}
            DELETE PATH/2
              204
            DELETE PATH/2
              404 not_found
            PATCH PATH/2 {"content":"back"}
              404 not_found
            POST /v1/worlds/w/recall {"character":"b","conversation":"c"}
              200 {"messages":[{"role":"user","content":"一3"}]}
            GET /v1/worlds/w/conversations/c/lines
              200 {"items":[{"id":"1"},{"id":"3","parent":"1"}]}
            PATCH PATH/x {"content":"?"}
              404 not_found
            PATCH PATH/99 {"content":"?"}
              404 not_found
            PATCH PATH/1 {"speaker":"b"}
              400 invalid ~ speaker
            GET /v1/worlds/w/conversations/d/lines
              200 {"items":[{"id":"4","content":"4"}]}"#
                .replace("PATH", path),
        );
        assert!(!host.export("w", "").contains("\"2\""), "a deleted line leaves no text");
    }
}

#[test]
fn a_line_is_reached_only_by_way_of_its_own_conversation() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations {"id":"d","participants":["a","b","c"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"1"}]}
          201
        POST /v1/worlds/w/conversations/d/lines {"lines":[{"speaker":"a","attribute":"user","content":"2"}]}
          201
        PATCH /v1/worlds/w/conversations/d/lines/1 {"content":"?"}
          404 not_found ~ there is no line 1 in conversation
        DELETE /v1/worlds/w/conversations/c/lines/2
          404 not_found
        DELETE /v1/worlds/w/conversations/nowhere/lines/2
          404 not_found
        GET /v1/worlds/w/conversations/c/lines
          200 {"items":[{"content":"1"}]}
        GET /v1/worlds/w/conversations/d/lines
          200 {"items":[{"content":"2"}]}"#,
    );
}

#[test]
fn what_a_deleted_character_said_is_gone() {
    let host = Host::with_world("{}");
    talk_to(
        &host,
        r#"
        PUT /v1/worlds/w/characters/b {"persona":"机密人设"}
          201
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"问"},{"speaker":"b","attribute":"assistant","content":"机密回答"},{"speaker":"a","attribute":"user","content":"再问"}]}
          201
        DELETE /v1/worlds/w/characters/b
          204
        GET /v1/worlds/w/characters/b
          404 not_found
        GET /v1/worlds/w/conversations/c/lines
          200 {"items":[{"content":"问"},{"content":"再问"}]}"#,
    );
    assert!(!host.export("w", "").contains("机密"));
}

#[test]
fn a_single_line_is_read_wherever_it_stands() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations {"id":"d","name":"港口","participants":["a"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"问","witnesses":["b"],"tick":7,"emotion":"开心"},{"speaker":"b","attribute":"assistant","content":"答"}]}
          201
        PUT /v1/worlds/w/conversations/c/head {"undo":1}
          200
        GET /v1/worlds/w/lines/1
          200 {"id":"1","seq":1,"conversation":"c","attribute":"user","speaker":"a","content":"问","witnesses":["a","b"],"tick":7,"original_emotion":"开心","hidden":false,"version":0}
        GET /v1/worlds/w/lines/2
          200 {"id":"2","parent":"1","content":"答"}
        GET /v1/worlds/w/conversations/c/lines/2
          200 {"id":"2","conversation":"c","content":"答"}
        GET /v1/worlds/w/conversations/d/lines/2
          404 not_found ~ no line 2 in conversation
        PATCH /v1/worlds/w/lines/2 {"content":"改","hidden":true}
          200
        GET /v1/worlds/w/lines/2
          200 {"content":"改","hidden":true,"version":1}
        PUT /v1/worlds/w/conversations/d/present {"present":["a","b"]}
          200
        POST /v1/worlds/w/conversations/d/lines {"lines":[{"speaker":"a","attribute":"user","content":"x"}]}
          201
        GET /v1/worlds/w/lines/3
          404 not_found ~ there is no line 3
        GET /v1/worlds/w/lines/4
          200 {"conversation":"d"}
        DELETE /v1/worlds/w/lines/1
          204
        GET /v1/worlds/w/lines/1
          404 not_found ~ there is no line 1
        GET /v1/worlds/w/lines/x
          404 not_found ~ the number that recording it returned
        GET /v1/worlds/nowhere/lines/2
          404 not_found ~ there is no world"#,
    );
}
