//! How is a round written down for those who remember it?

use super::heading::round_heading;
use crate::character::is_erased;
use crate::round::Participant;
use crate::time::Language;

/// Something that somebody said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said<'a> {
    pub name: Option<&'a str>,
    pub content: &'a str,
}

/// Whoever has no name.
const NOBODY: &str = "???";

/// Everyone who was there, in the words of the world's language, then what was said:
///
/// ```text
/// [对话参与者：张三、李四、王五]
/// 张三: "你好，今天天气真好。"
/// 李四: "是啊，适合出去打猎。"
/// ```
///
/// ```text
/// [Participants: Ann, Bob]
/// Ann: "Good morning."
/// ```
///
/// Somebody who was erased since is `某人` or `someone` there.
pub fn round_text<'a>(
    present: &[Participant],
    said: impl IntoIterator<Item = Said<'a>>,
    language: Language,
) -> String {
    let names: Vec<Option<&str>> = present.iter().map(name_of).collect();
    let mut text = round_heading(&names, language);
    for Said { name, content } in said.into_iter().filter(|said| !said.content.trim().is_empty()) {
        let name = name.unwrap_or(NOBODY);
        text.push_str(&format!("\n{name}: \"{content}\""));
    }
    text
}

/// None: somebody who was erased.
fn name_of(one: &Participant) -> Option<&str> {
    let unnamed = if is_erased(&one.character) { None } else { Some(NOBODY) };
    one.name.as_deref().or(unnamed)
}
