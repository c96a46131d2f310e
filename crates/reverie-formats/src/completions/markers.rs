//! Which texts does a client put between the lines, and what do they mean?
//!
//! Role-play clients talk to the model in square brackets: where the chat begins, who shall answer, that the last message is
//! to be continued. Their wording can be changed by users, so it is known by how it begins, in English and in Chinese.

/// What a text in square brackets is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Marker {
    /// The chat begins here: what stands before it is no dialogue. In a group, with who is in it.
    Start(Vec<String>),
    /// An example of how somebody talks begins here.
    Example,
    /// Who shall answer.
    Only(String),
    /// The last message shall be continued.
    Continue,
    /// The answer shall be the user's next message.
    Impersonate,
    /// Any other direction.
    Note,
}

const START: &[&str] = &[
    "start a new chat",
    "start a new group chat",
    "start new chat",
    "开始新的聊天",
    "开始新聊天",
    "开始新的对话",
    "开始新的群聊",
];
const EXAMPLE: &[&str] = &["example chat", "example dialogue", "对话示例", "示例对话", "示例聊天"];
const ONLY: &[&str] = &["write the next reply only as "];
const CONTINUE: &[&str] = &[
    "continue your last message",
    "continue the last message",
    "continue the following message",
    "continue from where",
    "继续你的上一条",
    "继续上一条",
    "续写上一条",
];
const IMPERSONATE: &[&str] = &["write your next reply from the point of view of"];
const NOTE: &[&str] = &[
    "write 1 reply only",
    "write one reply only",
    "write the next reply",
    "continue the chat",
    "continue the conversation",
    "continue the story",
    "continue the scene",
    "continue the roleplay",
    "继续聊天",
    "继续对话",
    "继续剧情",
    "继续故事",
    "system note",
    "system:",
    "author's note",
    "authors note",
    "a/n",
    "note:",
    "ooc",
    "instruction",
    "details of the fictional world",
    "scenario:",
    "circumstances",
    "style:",
    "summary:",
    "系统提示",
    "系统指令",
    "系统：",
    "作者注",
    "旁注",
    "注：",
    "注意：",
    "提示：",
    "指令：",
    "场景：",
    "设定：",
    "前情提要",
    "摘要：",
];
const MEMBERS: &[&str] = &["group members:", "群成员：", "成员："];

/// What one paragraph means; None: it is no marker that is known.
pub(super) fn marker(paragraph: &str) -> Option<Marker> {
    let inner = bracketed(paragraph)?;
    let lower = inner.to_lowercase();
    let begins = |list: &[&str]| list.iter().any(|phrase| lower.starts_with(phrase));
    if begins(START) {
        return Some(Marker::Start(members(inner)));
    }
    if begins(ONLY) {
        return Some(Marker::Only(only(inner)));
    }
    match () {
        () if begins(EXAMPLE) => Some(Marker::Example),
        () if begins(CONTINUE) => Some(Marker::Continue),
        () if begins(IMPERSONATE) => Some(Marker::Impersonate),
        () if begins(NOTE) => Some(Marker::Note),
        () => None,
    }
}

/// What stands in the one pair of square brackets that holds the whole text.
pub(super) fn bracketed(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut depth = 0_i32;
    for c in inner.chars() {
        depth += i32::from(c == '[') - i32::from(c == ']');
        if depth < 0 {
            return None;
        }
    }
    (depth == 0).then(|| inner.trim())
}

/// The markers in a message, in their order. Clients join system messages, so each may stand in a line of its own.
pub(super) fn markers(text: &str) -> Vec<Marker> {
    match marker(text) {
        Some(marker) => vec![marker],
        None => text.lines().filter_map(marker).collect(),
    }
}

/// What stands behind the last place in a message where a chat begins: what stands before it are prompts. All of it, if none begins there.
pub(super) fn behind_start(text: &str) -> &str {
    let is_start = |text: &str| matches!(marker(text), Some(Marker::Start(_)));
    if is_start(text) {
        return "";
    }
    let (mut end, mut behind) = (0, text);
    for line in text.split_inclusive('\n') {
        end += line.len();
        if is_start(line) {
            behind = text.get(end..).unwrap_or_default();
        }
    }
    behind
}

/// A message of the user without the markers before and behind it: clients that send no system messages but the first join
/// the others to what the user says.
pub(super) fn without_markers(text: &str) -> &str {
    let mut rest = text.trim();
    while let Some((first, behind)) = rest.split_once('\n')
        && marker(first).is_some()
    {
        rest = behind.trim_start();
    }
    while let Some((before, last)) = rest.rsplit_once('\n')
        && marker(last).is_some()
    {
        rest = before.trim_end();
    }
    match marker(rest) {
        Some(_) => "",
        None => rest,
    }
}

fn members(inner: &str) -> Vec<String> {
    let lower = inner.to_lowercase();
    // A letter that changes its length in lower case would move the place.
    let same = lower.len() == inner.len();
    let begin = MEMBERS.iter().filter(|_| same).find_map(|label| Some(lower.find(label)? + label.len()));
    let list = begin.and_then(|begin| inner.get(begin..)).unwrap_or_default();
    let names = list.split([',', '，', '、']).map(str::trim).filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

fn only(inner: &str) -> String {
    let name = inner.chars().skip(ONLY.first().map_or(0, |phrase| phrase.chars().count()));
    let name: String = name.collect();
    name.trim().trim_end_matches(['.', '。']).trim().to_owned()
}
