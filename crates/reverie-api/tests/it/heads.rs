//! Undo, swipe, branch, redo, and the guard against races: what is on the path, and what is only in the tree?

use crate::host::Host;
use crate::script::{talk, talk_to};

#[test]
fn a_tree_is_walked_from_root_to_head() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"expected_head":null,"lines":[{"speaker":"a","attribute":"user","content":"问"},{"speaker":"b","attribute":"assistant","content":"答一"}]}
          201 {"head":"2"}
        POST /v1/worlds/w/conversations/c/lines {"swipe_of":"2","lines":[{"speaker":"b","attribute":"assistant","content":"答二"}]}
          201 {"lines":[{"id":"3","parent":"1"}],"head":"3"}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"再问"}]}
          201 {"lines":[{"id":"4","parent":"3"}]}
        GET /v1/worlds/w/conversations/c/lines
          200 {"items":[{"id":"1"},{"id":"3"},{"id":"4"}]}
        GET /v1/worlds/w/conversations/c/lines?newest=true
          200 {"items":[{"id":"4"},{"id":"3"},{"id":"1"}]}
        GET /v1/worlds/w/conversations/c/lines?tree=true
          200 {"items":[{"id":"1"},{"id":"2"},{"id":"3"},{"id":"4"}]}
        GET /v1/worlds/w/conversations/c/lines?children_of=1
          200 {"items":[{"content":"答一"},{"content":"答二"}]}
        GET /v1/worlds/w/conversations/c/lines?children_of=root
          200 {"items":[{"id":"1"}]}
        GET /v1/worlds/w/conversations/c/lines?children_of=1&tree=true
          400 invalid ~ both
        PUT /v1/worlds/w/conversations/c/head {"undo":2}
          200 {"head":"1"}
        POST /v1/worlds/w/recall {"character":"b","conversation":"c"}
          200 {"messages":[{"role":"user","content":"问"}]}
        GET /v1/worlds/w/history?participants=a&participants=b
          200 {"primary":[{"id":"1"}]}
        PUT /v1/worlds/w/conversations/c/head {"head":"2"}
          200 {"head":"2"}
        POST /v1/worlds/w/recall {"character":"b","conversation":"c","message":"嗯"}
          200 {"messages":[{"content":"问"},{"content":"答一"},{"content":"嗯"}]}
        POST /v1/worlds/w/conversations/c/lines {"parent":"3","lines":[{"speaker":"a","attribute":"user","content":"岔路"}]}
          201 {"lines":[{"id":"5","parent":"3"}],"head":"5"}
        POST /v1/worlds/w/conversations/c/lines {"parent":null,"lines":[{"speaker":"a","attribute":"user","content":"另起"}]}
          201 {"lines":[{"id":"6","parent":null}],"head":"6"}
        GET /v1/worlds/w/conversations/c/lines?children_of=root
          200 {"items":[{"id":"1"},{"id":"6"}]}
        PUT /v1/worlds/w/conversations/c/head {"line":null}
          200 {"head":null}
        GET /v1/worlds/w/conversations/c/lines
          200 {"items":[]}
        PUT /v1/worlds/w/conversations/c/head {"undo":1}
          400 invalid ~ only 0 lines
        PUT /v1/worlds/w/conversations/c/head {"line":"4"}
          200 {"head":"4"}
        PUT /v1/worlds/w/conversations/c/head {"undo":0}
          200 {"head":"4"}"#,
    );
}

#[test]
fn expected_head_guards_against_races() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","name":"tavern","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"expected_head":"1","lines":[{"speaker":"a","attribute":"user","content":"1"}]}
          409 conflict ~ empty
        POST /v1/worlds/w/conversations/c/lines {"expected_head":null,"lines":[{"speaker":"a","attribute":"user","content":"1"}]}
          201 {"head":"1"}
        POST /v1/worlds/w/conversations/c/lines {"expected_head":null,"lines":[{"speaker":"a","attribute":"user","content":"2"}]}
          409 conflict ~ line 1
        PUT /v1/worlds/w/conversations/c/head {"undo":1,"expected_head":"7"}
          409 conflict
        PUT /v1/worlds/w/conversations/c/present {"present":["a"],"expected_head":"7"}
          409 conflict
        PUT /v1/worlds/w/conversations/c/present {"present":["a"],"expected_head":"1"}
          200 {"present":["a"],"participants":["a","b"],"head":"1"}
        POST /v1/worlds/w/conversations/c/lines {"expected_head":"1","lines":[{"speaker":"a","attribute":"user","content":"2"}]}
          201 {"lines":[{"witnesses":["a"]}]}
        PUT /v1/worlds/w/conversations/c/head {}
          400 invalid ~ undo
        PUT /v1/worlds/w/conversations/c/head {"undo":1,"line":"1"}
          400 invalid
        PUT /v1/worlds/w/conversations/c/head {"line":"99"}
          404 not_found
        POST /v1/worlds/w/conversations/c/lines {"parent":"1","swipe_of":"1","lines":[{"speaker":"a","attribute":"user","content":"3"}]}
          400 invalid ~ both"#,
    );
}

/// Who came and went is in the tree, so undo undoes it.
#[test]
fn joining_and_leaving_is_undone_with_the_path() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","name":"tavern","participants":["a"]}
          201 {"present":["a"]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"alone"}]}
          201 {"lines":[{"witnesses":["a"]}]}
        PUT /v1/worlds/w/conversations/c/present {"present":["a","b"]}
          200 {"present":["a","b"],"participants":["a","b"],"head":"1"}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"hello b"},{"speaker":"c","attribute":"assistant","content":"me too"}]}
          201 {"lines":[{"witnesses":["a","b"]},{"witnesses":["a","b","c"]}]}
        GET /v1/worlds/w/conversations/c
          200 {"present":["a","b","c"],"participants":["a","b","c"]}
        GET /v1/worlds/w/conversations/c/lines?as=b
          200 {"items":[{"content":"hello b"},{"content":"me too"}]}
        PUT /v1/worlds/w/conversations/c/head {"line":"1"}
          200 {"present":["a"],"participants":["a"]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"still alone"}]}
          201 {"lines":[{"witnesses":["a"]}]}"#,
    );
}

#[test]
fn a_checkpoint_is_put_moved_restored_and_deleted() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"1","tick":100}]}
          201
        PUT /v1/worlds/w/checkpoints/save {}
          201 {"id":"save","tick":100}
        PUT /v1/worlds/w/characters/b {"persona":"later"}
          200
        PUT /v1/worlds/w {"settings":{"language":"en"}}
          200 {"settings":{"language":"en"}}
        PATCH /v1/worlds/w/lines/1 {"content":"edited"}
          200
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"b","attribute":"assistant","content":"2","tick":200}]}
          201
        PUT /v1/worlds/w/checkpoints/later
          201 {"tick":200}
        POST /v1/worlds/w/checkpoints/save/restore
          200 {"tick":100,"settings":{}}
        GET /v1/worlds/w/conversations/c/lines
          200 {"items":[{"content":"1"}]}
        GET /v1/worlds/w/characters/b
          200 {"persona":null}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"b","attribute":"assistant","content":"other","tick":150}]}
          201 {"degraded":[]}
        POST /v1/worlds/w/checkpoints/later/restore
          200 {"tick":200,"settings":{"language":"en"}}
        GET /v1/worlds/w/conversations/c/lines
          200 {"items":[{"content":"edited"},{"content":"2"}]}
        PUT /v1/worlds/w/checkpoints/save
          200 {"id":"save","tick":200}
        POST /v1/worlds/w/fork {"id":"v","checkpoint":"save"}
          201 {"id":"v","forked_from":"w","tick":200}
        GET /v1/worlds/v/conversations/c/lines
          200 {"items":[{"content":"edited"},{"content":"2"}]}
        POST /v1/worlds/w/fork {"id":"v"}
          409 conflict
        POST /v1/worlds/w/fork {"id":"u","checkpoint":"nowhere"}
          404 not_found
        DELETE /v1/worlds/w/checkpoints/save
          204
        GET /v1/worlds/w/checkpoints/save
          404 not_found
        POST /v1/worlds/w/checkpoints/save/restore
          404 not_found
        DELETE /v1/worlds/w
          204
        GET /v1/worlds/w
          404 not_found
        GET /v1/worlds/v/conversations/c/lines
          200 {"items":[{"content":"edited"},{"content":"2"}]}"#,
    );
}

/// A world that was restored shows what was there at the checkpoint, here and where it travels to, and all of it is in it.
#[test]
fn a_restored_world_travels_with_what_came_later_out_of_view() {
    let host = Host::with_world("{}");
    talk_to(
        &host,
        r#"
        POST /v1/worlds/w/conversations {"id":"pair","participants":["甲","乙"]}
          201
        POST /v1/worlds/w/conversations/pair/lines {"lines":[{"speaker":"甲","attribute":"user","content":"一"}]}
          201
        PUT /v1/worlds/w/checkpoints/early
          201
        PUT /v1/worlds/w/characters/masked {"display_name":"蒙面人"}
          201
        POST /v1/worlds/w/conversations {"id":"cellar","name":"地下室","participants":["甲","masked"]}
          201
        POST /v1/worlds/w/conversations/cellar/lines {"lines":[{"speaker":"masked","attribute":"user","content":"谁"}]}
          201
        PUT /v1/worlds/w/checkpoints/late
          201
        POST /v1/worlds/w/checkpoints/early/restore
          200"#,
    );
    let elsewhere = Host::new();
    elsewhere.done("POST", "/v1/import", &host.export("w", "format=jsonl"));
    for host in [&host, &elsewhere] {
        talk_to(
            host,
            r#"
            GET /v1/worlds/w/stats
              200 {"characters":2,"conversations":1,"lines":1}
            GET /v1/worlds/w/characters
              200 {"items":[{"id":"乙"},{"id":"甲"}]}
            GET /v1/worlds/w/conversations
              200 {"items":[{"id":"pair"}]}
            GET /v1/worlds/w/conversations/cellar
              200 {"name":"地下室"}
            POST /v1/worlds/w/checkpoints/late/restore
              200
            GET /v1/worlds/w/stats
              200 {"characters":3,"conversations":2,"lines":2}
            GET /v1/worlds/w/characters/masked
              200 {"display_name":"蒙面人"}
            POST /v1/worlds/w/checkpoints/early/restore
              200
            POST /v1/worlds/w/conversations {"name":"地下室","participants":["masked"]}
              200 {"id":"cellar","present":["masked"]}
            GET /v1/worlds/w/conversations
              200 {"items":[{"id":"cellar"},{"id":"pair"}]}
            GET /v1/worlds/w/stats
              200 {"characters":3,"conversations":2,"lines":1}"#,
        );
    }
}

#[test]
fn a_head_goes_to_one_place() {
    talk(
        r#"
        POST /v1/worlds/w/conversations {"id":"c","participants":["a","b"]}
          201
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"speaker":"a","attribute":"user","content":"x"}]}
          201
        PUT /v1/worlds/w/conversations/c/head {"line":"1","undo":1}
          400 invalid ~ line and undo cannot both be given
        PUT /v1/worlds/w/conversations/c/head {"line":null,"undo":1}
          400 invalid ~ line and undo cannot both be given
        PUT /v1/worlds/w/conversations/c/head {}
          400 invalid ~ say where the head goes
        GET /v1/worlds/w/conversations/c
          200 {"head":"1"}"#,
    );
}
