//! How is a round written down for those who remember it?

use super::heading::ROUND;
use crate::character::is_erased;
use crate::round::Participant;

/// Something that somebody said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said<'a> {
    pub name: Option<&'a str>,
    pub content: &'a str,
}

/// Whoever has no name.
const NOBODY: &str = "???";
/// Whoever was there and was erased since.
const SOMEBODY: &str = "某人";

/// Everyone who was there, then what was said:
///
/// ```text
/// [对话参与者：张三、李四、王五]
/// 张三: "你好，今天天气真好。"
/// 李四: "是啊，适合出去打猎。"
/// ```
///
/// Somebody who was erased since is `某人` there.
pub fn round_text<'a>(present: &[Participant], said: impl IntoIterator<Item = Said<'a>>) -> String {
    let names: Vec<&str> = present.iter().map(name_of).collect();
    let mut text = format!("{ROUND}{}]", names.join("、"));
    for Said { name, content } in said.into_iter().filter(|said| !said.content.trim().is_empty()) {
        let name = name.unwrap_or(NOBODY);
        text.push_str(&format!("\n{name}: \"{content}\""));
    }
    text
}

fn name_of(one: &Participant) -> &str {
    let unnamed = if is_erased(&one.character) { SOMEBODY } else { NOBODY };
    one.name.as_deref().unwrap_or(unnamed)
}
