//! A name in place of an id, and one that nobody bears: what does a prompt on the command line say?

use serde_json::Value;

use crate::run::{Directory, reverie, run, run_with};

#[test]
fn a_misspelt_name_gets_the_same_note_with_and_without_a_conversation() {
    let data = Directory::new();
    // The sample world comes with the data file.
    assert_eq!(
        run_with(reverie(&data).args(["chat", "mo", "-w", "harbour", "--data", "d"]), "hi\n").code,
        Some(0)
    );
    let recall = |arguments: &[&str]| -> Value {
        let all = [&["recall", "harbour"], arguments, &["--message", "hi", "--data", "d", "--json"]].concat();
        run(reverie(&data).args(all)).json()["degraded"].clone()
    };
    let without = recall(&["moo"]);
    assert_eq!(without, recall(&["moo", "--conversation", "lighthouse"]));
    assert_eq!(without[0]["code"], "unknown_character");
    assert!(without[0]["hint"].as_str().unwrap().contains("mo (阿默)"), "{without}");
    for known in ["mo", "阿默"] {
        // By the conversation's id, and by its name.
        for conversation in ["lighthouse", "灯塔"] {
            assert_eq!(recall(&[known, "--conversation", conversation]), serde_json::json!([]), "{known}");
        }
    }
}
