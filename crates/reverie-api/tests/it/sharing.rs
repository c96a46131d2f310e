//! Who shares how many memories with whom, over the wire.

use crate::script::talk;

#[test]
fn what_two_remember_alike_is_counted() {
    talk(
        r#"
        GET /v1/worlds/w/sharing
          200 {"characters":[],"links":[],"left_out":0}
        POST /v1/worlds/w/events {"text":"城门着火了","witnesses":["甲","さくら","Bob"]}
          201
        POST /v1/worlds/w/events {"text":"They promised to meet again","witnesses":["甲","さくら"]}
          201
        POST /v1/worlds/w/characters/%E7%94%B2/memories {"text":"李四怕水"}
          201
        PUT /v1/worlds/w/characters/Bob {"display_name":"鲍勃"}
          200
        GET /v1/worlds/w/sharing
          200 {"characters":[{"id":"甲","name":"甲","memories":3},{"id":"さくら","memories":2},{"id":"Bob","name":"鲍勃","memories":1}],
               "links":[{"between":["さくら","甲"],"memories":2},{"between":["Bob","さくら"],"memories":1},{"between":["Bob","甲"],"memories":1}],
               "left_out":0}
        GET /v1/worlds/w/sharing?limit=2
          200 {"characters":[{"id":"甲"},{"id":"さくら"}],"links":[{"memories":2}],"left_out":1}
        DELETE /v1/worlds/w/memories/2?holder=%E7%94%B2
          204
        GET /v1/worlds/w/sharing?limit=2
          200 {"links":[{"between":["さくら","甲"],"memories":1}]}
        GET /v1/worlds/w/sharing?limit=201
          400 invalid ~ from 1 to 200
        GET /v1/worlds/nowhere/sharing
          404 not_found ~ there is no world"#,
    );
}
