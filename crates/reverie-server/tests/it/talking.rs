//! A talk in the terminal: what is told in one conversation comes to mind in another, to whom it was told.

use crate::run::{Directory, reverie, run_with};

#[test]
fn why_and_prompt_tell_of_the_last_answer() {
    let data = Directory::new();
    let talk = |arguments: &[&str], said: &str| {
        let ended =
            run_with(reverie(&data).args(["chat", "--as", "莱姆", "--data", "d"]).args(arguments), said);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        ended.stdout
    };
    talk(&["钦灵", "--persona", "你叫钦灵。"], "我的猫叫味噌，她只吃三文鱼。\n");
    let told = talk(&["钦灵", "-c", "星期五"], "我的猫喜欢吃什么？\n/why\n/prompt\n");
    assert!(told.starts_with("钦灵: 我的猫喜欢吃什么？\n"), "{told}");
    assert!(told.contains("1 memory came to mind") && told.contains("味噌"), "{told}");
    assert!(told.contains("── system\n你叫钦灵。"), "{told}");
    let told = talk(&["风雪", "-c", "星期六"], "我的猫喜欢吃什么？\n/why\n/prompt\n");
    assert!(told.contains("nothing came to mind") && !told.contains("味噌"), "{told}");
}
