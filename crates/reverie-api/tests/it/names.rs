//! In which words may a host say what a line is? Seed 000's and seed 002's, and ours.

use crate::host::Host;
use crate::script::{talk, talk_to};

/// Every spelling of one line comes back in our own words.
#[test]
fn a_line_is_understood_in_every_dialect() {
    for (sent, wanted) in [
        (
            r#"{"speaker":"player","attribute":"user","content":"你好","tick":200,"witnesses":["player","bai"],
                "original_emotion":"开心","tts_content":"こんにちは","action_content":"挥手"}"#,
            r#"{"speaker":"player","display_name":"player","attribute":"user","content":"你好","tick":200,"witnesses":["bai","player"],
                "original_emotion":"开心","tts_content":"こんにちは","action_content":"挥手"}"#,
        ),
        (
            r#"{"speaker":"player","attribute":"User","content":"a","emotion":"glad","tts":"b","action":"c","audio":"d.wav","predicted_emotion":"e"}"#,
            r#"{"original_emotion":"glad","tts_content":"b","action_content":"c","audio_file":"d.wav","predicted_emotion":"e"}"#,
        ),
        (
            r#"{"ParticipantId":"bai","Role":"character","Content":"喵","GameTicksTimestamp":1200}"#,
            r#"{"speaker":"bai","attribute":"assistant","content":"喵","tick":1200}"#,
        ),
        (
            r#"{"participantId":"bai","role":"assistant","content":"喵","gameTicksTimestamp":-5}"#,
            r#"{"speaker":"bai","attribute":"assistant","content":"喵","tick":-5}"#,
        ),
        (
            r#"{"line_id":7,"save_id":1,"parent_line_id":6,"attribute":"assistant","content":"a","display_name":"bai","role_id":null}"#,
            r#"{"speaker":"bai","display_name":"bai","parent":null}"#,
        ),
        (
            r#"{"attribute":"system","content":"你叫白","speaker":"bai"}"#,
            r#"{"attribute":"system","speaker":"bai","witnesses":["bai"]}"#,
        ),
        (
            r#"{"attribute":"system","content":"幕起"}"#,
            r#"{"attribute":"system","speaker":null,"witnesses":["bai","player"]}"#,
        ),
        (
            r#"{"attribute":"assistant","content":"天黑了","display_name":"旁白"}"#,
            r#"{"speaker":"旁白","witnesses":["bai","player"]}"#,
        ),
        (
            r#"{"speaker":"bai","attribute":"user","content":"","emotion":"","tts":null,"hidden":true,"host_id":12}"#,
            r#"{"content":"","original_emotion":null,"tts_content":null,"hidden":true,"host_id":"12"}"#,
        ),
    ] {
        talk(&format!(
            "POST /v1/worlds/w/conversations {{\"id\":\"c\",\"participants\":[\"player\",\"bai\"]}}
               201
             POST /v1/worlds/w/conversations/c/lines {{\"lines\":[{sent}]}}
               201 {{\"lines\":[{wanted}],\"head\":\"1\",\"replayed\":false,\"replaced\":[],\"degraded\":[]}}
             GET /v1/worlds/w/conversations/c/lines
               200 {{\"items\":[{wanted}],\"next\":null}}"
        ));
    }
}

/// role_id, script_role_id and display_name lead to one stable id each; numbers and texts are the same.
#[test]
fn the_hosts_own_ids_lead_to_one_character_each() {
    talk(
        r#"
        PUT /v1/worlds/w/characters/qin {"display_name":"钦灵","role_id":1}
          201 {"id":"qin","display_name":"钦灵","role_id":"1","kind":"person"}
        POST /v1/worlds/w/conversations {"id":"c","participants":["莱姆",{"role_id":"1"},{"script_role_id":1,"display_name":"白小喵"}]}
          201 {"participants":["qin","script_role_id:1","莱姆"]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[
            {"attribute":"assistant","content":"a","role_id":1},
            {"attribute":"assistant","content":"b","role_id":"1","display_name":"Qinling"},
            {"attribute":"assistant","content":"c","script_role_id":"1"},
            {"attribute":"assistant","content":"d","display_name":"白小喵"},
            {"attribute":"user","content":"e","display_name":"莱姆"},
            {"attribute":"assistant","content":"f","display_name":"钦灵"}]}
          201 {"lines":[{"speaker":"qin","display_name":"钦灵"},{"speaker":"qin","display_name":"Qinling"},
            {"speaker":"script_role_id:1","display_name":"白小喵"},{"speaker":"script_role_id:1"},{"speaker":"莱姆"},{"speaker":"qin"}]}
        GET /v1/worlds/w/characters
          200 {"items":[{"id":"qin"},{"id":"script_role_id:1","script_role_id":"1","role_id":null},{"id":"莱姆"}]}
        PUT /v1/worlds/w/characters/other {"role_id":1}
          409 conflict ~ belongs to
        PUT /v1/worlds/w/characters/teller {"kind":"narrator","name":"讲故事的人"}
          201 {"kind":"narrator","display_name":"讲故事的人"}
        POST /v1/worlds/w/conversations {"participants":["qin","莱姆",{"display_name":"讲故事的人"},"旁白",{"id":"qin"}]}
          201 {"participants":["qin","莱姆"]}
        PUT /v1/worlds/w/characters/qin {"display_name":null,"persona":"p"}
          200 {"display_name":null,"persona":"p","role_id":"1"}
        DELETE /v1/worlds/w/characters/other
          404 not_found"#,
    );
}

#[test]
fn numbers_are_ids_wherever_somebody_is_named() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":[7,"8"]}
          201 {"participants":["7","8"]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":7,"attribute":"user","content":"a","witnesses":[8]}]}
          201 {"lines":[{"speaker":"7","witnesses":["7","8"]}]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":8,"attribute":"assistant","content":"b"}],"expected_head":1,"parent":1}
          201 {"lines":[{"parent":"1"}]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":8,"attribute":"assistant","content":"b2"}],"swipe_of":2}
          201 {"lines":[{"parent":"1"}],"head":"3"}
        PUT /v1/worlds/w/conversations/c/head {"line":2,"expected_head":3}
          200 {"head":"2"}
        POST /v1/worlds/w/recall {"character":8,"conversation":"c","message":{"content":"c","speaker":7}}
          200 {"messages":[{"role":"user","content":"a","name":"7"},{"role":"assistant","content":"b","name":"8"},{"role":"user","content":"c","name":"7"}]}
        POST /v1/worlds/w/recall {"character":8.5,"conversation":"c"}
          400 invalid ~ a text or a whole number
        POST /v1/worlds/w/recall {"character":null,"conversation":"c"}
          400 invalid ~ somebody"#,
    );
}

/// Seed 000's table of lines, from the store and from nowhere, seen by the same character.
#[test]
fn perspective_reads_the_seeds_rows() {
    talk_to(
        &Host::new(),
        r#"
        POST /v1/perspective {"as":{"role_id":1},"lines":[
            {"line_id":1,"attribute":"system","content":"你叫钦灵，进行角色扮演","role_id":1},
            {"line_id":2,"attribute":"system","content":"你叫白小喵，进行角色扮演","script_role_id":1},
            {"line_id":3,"attribute":"assistant","content":"圣诞节到了","display_name":"旁白"},
            {"line_id":4,"attribute":"assistant","original_emotion":"惊讶","content":"哇","tts_content":"ワア","action_content":null,"display_name":"钦灵","role_id":"1"},
            {"line_id":5,"attribute":"user","content":"真是的...","display_name":"莱姆"},
            {"line_id":6,"attribute":"user","content":"换好了吗？","display_name":"莱姆"}]}
          200 {"messages":[{"role":"system","content":"你叫钦灵，进行角色扮演"},{"role":"user","content":"{旁白：圣诞节到了}"},
            {"role":"assistant","content":"【惊讶】哇<ワア>"},{"role":"user","content":"真是的...换好了吗？"}]}
        POST /v1/perspective {"as":"x","profile":"rule-text","lines":[{"speaker":"y","attribute":"assistant","emotion":"glad","content":"hi"},{"speaker":"p","attribute":"user","content":"a"},{"speaker":"p","attribute":"user","content":"b"}]}
          200 {"messages":[{"role":"user","content":"{y: 【glad】hi} \n a b"}]}
        POST /v1/perspective {"as":"x","profile":{"base":"rule-text","scene_open":"[","scene_close":"]"},"lines":[{"speaker":"y","attribute":"assistant","content":"hi"}]}
          200 {"messages":[{"role":"user","content":"[y: hi]"}]}
        POST /v1/perspective {"as":"x","profile":"mine","lines":[]}
          400 invalid ~ example or rule-text
        POST /v1/perspective {"as":{},"lines":[]}
          400 invalid ~ role_id
        POST /v1/perspective {"as":"x","lines":[{"attribute":"tool","content":""}]}
          400 invalid ~ lines[0]: unknown attribute"#,
    );
}
