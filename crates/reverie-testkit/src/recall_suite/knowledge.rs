//! Does what holds no longer stay away, and does it come back when what replaced it goes?

use std::sync::Arc;

use reverie_core::Store;

use super::prompter::Prompter;

/// Models are asked at once what is worth keeping.
const ASKING: &str = "put digest.decide = false\nput digest.batch_seconds = 0\nput recall.said = 1";

fn learn(prompter: &Prompter, statement: &str) {
    prompter.theatre.play("digest now");
    let question = prompter.theatre.ask().remove(0);
    prompter.theatre.answer(&question, &format!("{{\"memories\":[{statement}]}}"));
}

pub fn superseded(store: Arc<dyn Store>) {
    let mut prompter = Prompter::new(&store, "superseded");
    prompter.play(ASKING);
    prompter.play("put language = en\nput recall.most.episodic = 0\nset Mira, Tom\n@Mira: I live in Rome.");
    learn(&prompter, r#"{"kind":"semantic","text":"Mira lives in Rome.","lines":["L1"]}"#);
    let rome = "## Memories\n### Facts\n- Mira lives in Rome.";
    let oslo = "## Memories\n### Facts\n- Mira moved to Oslo.";
    prompter.play("window 1");
    assert_eq!(
        prompter.play("ask Tom: Where does Mira live, Rome or Oslo?").trim(),
        "nothing",
        "it stands there"
    );
    prompter.play("@Mira: I moved to Oslo last week.");
    assert_eq!(prompter.play("ask Tom: Where does Mira live, Rome or Oslo?").trim(), rome);
    prompter.play("revision before");
    learn(&prompter, r#"{"kind":"semantic","text":"Mira moved to Oslo.","lines":["L1"],"replaces":"K1"}"#);
    prompter.play("@Mira: Well.");
    // Once both are undone, the line itself stands in the history.
    for (step, expected) in [
        ("", oslo),
        ("hide L2", rome),
        ("show L2", oslo),
        ("undo 2", "nothing"),
        ("head L3", oslo),
        ("as of before", rome),
        ("as of now", oslo),
    ] {
        prompter.play(step);
        let told = prompter.play("ask Tom: Where does Mira live, Rome or Oslo?");
        let told: Vec<&str> = told.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        assert_eq!(told.join("\n"), expected, "{step}");
    }
}
