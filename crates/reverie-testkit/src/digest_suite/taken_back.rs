//! What becomes of what was learned when that is undone, and of what it took the place of?

use std::sync::Arc;

use reverie_core::memory::Origin;
use reverie_core::{Code, Store};

use super::theatre::{Theatre, id_of};

fn statement(text: &str, replaces: &str) -> String {
    format!(r#"{{"text":"{text}","lines":["L1"]{replaces}}}"#)
}

/// The number of what somebody knows by these words, recalled or not.
fn number(theatre: &Theatre, name: &str, text: &str) -> String {
    let all = theatre.all_of(name, true);
    let found = all.iter().find(|one| one.held.text() == text).unwrap();
    format!("M{}", found.held.memory.id)
}

/// Everything is taken back twice, and thereby is as it was.
pub fn what_a_model_added(store: Arc<dyn Store>) {
    for (what, who, other, said, text) in [
        ("中文", "李四", "王五", "我喜欢喝茶", "李四喜欢喝茶。"),
        ("日本語", "健", "花", "お茶が好きです", "健はお茶が好きです。"),
        ("English", "Ann", "Bob", "I love tea.", "Ann loves tea."),
    ] {
        let theatre = Theatre::asking(&store, what);
        theatre.learn(&format!("set {who}, {other}\n@{who}: {said}"), &statement(text, ""));
        let memory = number(&theatre, other, text);
        for (step, own, others) in [
            (format!("take back {other} {memory}"), vec![text], vec![]),
            (format!("take back {other} {memory}"), vec![text], vec![text]),
            (format!("take back {who} {memory}"), vec![], vec![text]),
            ("digest now".to_owned(), vec![], vec![text]),
        ] {
            theatre.play(&step);
            assert_eq!(theatre.statements_of(who), own, "{what}: {who}, {step}");
            assert_eq!(theatre.statements_of(other), others, "{what}: {other}, {step}");
        }
        theatre.play("rebuild");
        theatre.learn("digest now", &statement(text, ""));
        assert_eq!(theatre.statements_of(who), [""; 0], "{what}: nobody is taught it again");
        assert_eq!(theatre.statements_of(other), [text], "{what}");
    }
}

pub fn what_took_the_place_of_something(store: Arc<dyn Store>) {
    let (old, new) = ("Mira lives in Rome.", "Mira moved to Oslo.");
    let theatre = Theatre::asking(&store, "moved");
    theatre.learn("set Mira, Tom\n@Mira: I live in Rome.", &statement(old, ""));
    theatre.learn("@Mira: I moved to Oslo.", &statement(new, r#","replaces":"K1""#));
    assert_eq!(theatre.statements_of("Tom"), [new]);
    let newer = number(&theatre, "Tom", new);
    for (step, mira, tom) in [
        (format!("take back Tom {newer}"), vec![new], vec![old]),
        (format!("take back Tom {newer}"), vec![new], vec![new]),
        (format!("take back Tom {newer}"), vec![new], vec![old]),
        ("save there\nhide L1\nshow L1\nload there".to_owned(), vec![new], vec![old]),
        (format!("unforget Tom {newer}"), vec![new], vec![new]),
        // Forgetting is another thing: it bars the older one, too.
        (format!("forget Tom {newer}"), vec![new], vec![]),
        (format!("take back Tom {newer}"), vec![new], vec![new]),
    ] {
        theatre.play(&step);
        assert_eq!(theatre.statements_of("Mira"), mira, "Mira, {step}");
        assert_eq!(theatre.statements_of("Tom"), tom, "Tom, {step}");
    }
    let theatre = Theatre::asking(&store, "for all");
    theatre.learn("set Mira, Tom\n@Mira: I live in Rome.", &statement(old, ""));
    theatre.learn("@Mira: I moved to Oslo.", &statement(new, r#","replaces":"K1""#));
    // It did not take the place of the older one after all: both count.
    let older = number(&theatre, "Tom", old);
    theatre.play(&format!("take back Tom {older}"));
    assert_eq!(theatre.statements_of("Tom"), [old, new]);
    theatre.play(&format!("take back Tom {older}"));
    assert_eq!(theatre.statements_of("Tom"), [new]);
    theatre.play(&format!("take back {}", number(&theatre, "Tom", new)));
    for name in ["Mira", "Tom"] {
        assert_eq!(theatre.statements_of(name), [old], "{name}");
    }
}

/// What a host told of and what was written by hand was added, too; what was lived through was not.
pub fn what_others_added(store: Arc<dyn Store>) {
    let theatre = Theatre::new(store, "世界");
    theatre.play("set 张三, 李四\nevent 张三, 李四: 打了一仗\n@张三: 赢了\ndigest now");
    theatre.play("take back 张三 M1");
    let origins =
        |name: &str| -> Vec<Origin> { theatre.held_by(name).iter().map(|held| held.memory.origin).collect() };
    assert_eq!(origins("张三"), [Origin::Round]);
    assert_eq!(origins("李四"), [Origin::Event, Origin::Round]);
    let round = theatre.held_by("张三")[0].memory.id;
    let refused = theatre.engine.undo_memory(&theatre.world, round, Some(&id_of("张三")), None).unwrap_err();
    assert_eq!(refused.code(), Code::Conflict);
    theatre.play("take back 张三 M1");
    assert_eq!(origins("张三"), [Origin::Event, Origin::Round]);
}
