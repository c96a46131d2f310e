//! What a character is called besides, over HTTP: set, shown, said, carried along.

use serde_json::json;

use crate::host::Host;
use crate::script::{talk, talk_to};

#[test]
fn they_are_set_shown_and_meant() {
    talk(
        r#"
        PUT /v1/worlds/w/characters/mo {"display_name":"阿默","aliases":["老默"," 灯塔  爷爷 ","","Mo","老默"]}
          201 {"id":"mo","display_name":"阿默","aliases":["老默","灯塔 爷爷","Mo"]}
        PUT /v1/worlds/w/characters/mo {"persona":"守灯塔的人"}
          200 {"persona":"守灯塔的人","aliases":["老默","灯塔 爷爷","Mo"]}
        PUT /v1/worlds/w/characters/mo {"aliases":["Cafe\u0301","老默"]}
          200 {"aliases":["Café","老默"]}
        POST /v1/worlds/w/conversations {"id":"c","participants":["雪","p","mo"]}
          201
        POST /v1/worlds/w/characters/雪/memories {"about":["mo"],"text":"每天傍晚都去点灯","keywords":[]}
          201
        POST /v1/worlds/w/recall {"character":"雪","conversation":"c","message":"老默还好吗"}
          200 {"memories":[{"id":"1"}]}
        POST /v1/worlds/w/conversations/c/lines {"lines":[{"attribute":"user","content":"早","display_name":"老默"}]}
          201 {"lines":[{"speaker":"mo"}]}
        PUT /v1/worlds/w/characters/mo {"aliases":null}
          200
        POST /v1/worlds/w/recall {"character":"雪","conversation":"c","message":"老默还好吗"}
          200 {"memories":[]}
        PUT /v1/worlds/w/characters/mo {"aliases":"老默"}
          400 invalid"#,
    );
}

#[test]
fn there_may_be_so_many() {
    let host = Host::with_world("{}");
    let names: Vec<String> = (0..65).map(|number| format!("名{number}")).collect();
    let most = json!({ "aliases": names[..64] });
    let many = json!({ "aliases": names });
    talk_to(
        &host,
        &format!(
            r#"
        PUT /v1/worlds/w/characters/a {many}
          400 invalid ~ 64
        PUT /v1/worlds/w/characters/a {most}
          201"#
        ),
    );
}

#[test]
fn a_card_with_a_nickname_has_two_names() {
    let card = r#"{"spec":"chara_card_v3","spec_version":"3.0","data":{"name":"Mirabelle Dubois","nickname":"ミラ","description":"","personality":"","scenario":"","first_mes":"","mes_example":"","creator_notes":"","system_prompt":"","post_history_instructions":"","alternate_greetings":[],"tags":[],"creator":"","character_version":"","extensions":{},"group_only_greetings":[]}}"#;
    let host = Host::with_world("{}");
    talk_to(
        &host,
        &format!(
            r#"
        PUT /v1/cards/mira {card}
          201
        PUT /v1/worlds/w/characters/m {{"aliases":["美拉"]}}
          201
        PUT /v1/worlds/w/characters/m/card {{"card":"mira"}}
          200 {{"display_name":"ミラ","aliases":["美拉","Mirabelle Dubois"]}}
        PUT /v1/worlds/w/characters/m/card {{"card":"mira"}}
          200 {{"display_name":"ミラ","aliases":["美拉","Mirabelle Dubois"]}}"#
        ),
    );
}
