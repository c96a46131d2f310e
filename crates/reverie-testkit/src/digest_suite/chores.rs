//! What becomes of jobs that nobody needs, and what else can be set about asking?

use std::sync::Arc;

use reverie_core::digest::Purpose;
use reverie_core::memory::Origin;
use reverie_core::{Answered, Code, Store};

use super::theatre::Theatre;

fn begin(store: &Arc<dyn Store>, world: &str) -> Theatre {
    let theatre = Theatre::new(store.clone(), world);
    theatre.play("put digest.batch_seconds = 0\nset 张三, 李四\n@张三: 我喜欢火锅\n李四: 哦\ndigest now");
    theatre
}

pub fn models_can_be_switched_off(store: Arc<dyn Store>) {
    let theatre = begin(&store, "世界");
    assert_eq!(theatre.ask().len(), 1);
    theatre.wait(200);
    theatre.play("put digest.models = false");
    assert_eq!((theatre.ask(), theatre.jobs()), (vec![], vec![]), "what nobody asks stands in nobody's way");
    theatre.play("put digest.models = true");
    assert_eq!(theatre.ask().len(), 1, "nothing is lost");
    let other = begin(&store, "another world");
    assert_eq!(theatre.engine.questions(None, 10).unwrap().len(), 1);
    assert_eq!(other.jobs().len(), 1);
}

pub fn done_jobs_are_cleared_away(store: Arc<dyn Store>) {
    let theatre = begin(&store, "世界");
    let question = theatre.ask().remove(0);
    theatre.answer(&question, "false");
    theatre.wait(6 * 86_400);
    theatre.play("put digest.idle_seconds = 1");
    theatre.ask();
    assert_eq!(theatre.jobs().len(), 1, "for a week one can see what became of it");
    theatre.wait(2 * 86_400);
    theatre.play("put digest.idle_seconds = 2");
    theatre.ask();
    assert_eq!(theatre.jobs(), []);
}

pub fn one_sentence(store: Arc<dyn Store>) {
    let theatre = begin(&store, "as small bots do it");
    theatre.play("put digest.prompts = single");
    let question = theatre.ask().remove(0);
    assert!(question.messages[0].1.starts_with("Analyze the following conversation"));
    theatre.answer(&question, r#"{"should_remember": true, "reason": "taste"}"#);
    let question = theatre.ask().remove(0);
    assert_eq!((question.purpose, question.json), (Purpose::Summarise, false));
    assert!(question.messages[0].1.ends_with("Summary:"));
    assert_eq!(theatre.answer(&question, "张三喜欢火锅。"), Answered::Taken { memories: 1, rejected: 0 });
    let held = theatre.held_by("李四").pop().unwrap();
    assert_eq!(
        (held.text(), held.memory.origin, held.memory.sources.len()),
        ("张三喜欢火锅。", Origin::Statement, 2)
    );

    let theatre = begin(&store, "in a host's own words");
    theatre.play("put digest.decide_prompt = Worth it? {conversation} Answer in {language}.");
    let question = theatre.ask().remove(0);
    assert_eq!(
        question.messages[0].1,
        "Worth it? （2024-05-05，星期日）\n[L1] 张三: 我喜欢火锅\n[L2] 李四: 哦\n Answer in 中文."
    );
    let settings = [("digest.decide_prompt".to_owned(), "Worth it?".to_owned())].into();
    let patch = reverie_core::world::WorldPatch { preset: None, settings };
    let refused = theatre.engine.put_world(&theatre.world, patch).unwrap_err();
    assert_eq!(refused.code(), Code::Invalid, "a prompt without the conversation asks about nothing");
}
