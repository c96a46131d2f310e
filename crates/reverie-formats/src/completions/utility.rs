//! Is a request not a turn of a chat, but something that the client wants to know for itself?
//!
//! Titles, tags, follow-up questions, search terms, summaries, pictures to draw, the user's next words. Known are the
//! openings of what common clients ask, and whole chats that are written into one message. What is wrongly taken for one of
//! these is not lost: it stands in the history of the next request.

use super::body::{Message, Role};
use super::markers::{Marker, markers};
use super::{names, own_words};

/// The reason of a whole chat in one message.
pub(super) const FLATTENED: &str = "flattened";

/// How much of a message is looked at.
const OPENING: usize = 400;

/// How many of its lines.
const MOST_LINES: usize = 200;

/// Openings of the last message, in lower case, and what they ask for.
const ASKED: &[(&str, &str)] = &[
    ("使用四到五个字直接返回这句话的简要主题", "title"),
    ("请使用四到五个字直接返回这句话的简要主题", "title"),
    ("please generate a four to five word title", "title"),
    ("please generate a concise, 5-word-or-less title", "title"),
    ("provide a concise, 5-word-or-less title", "title"),
    ("generate a concise, 3-5 word title", "title"),
    ("create a concise, 3-5 word phrase", "title"),
    ("based on the chat history, give this conversation a name", "title"),
    ("your task is to reflect the speaker's likely facial expression through a fitting emoji", "emoji"),
    ("you have been provided with a set of responses from various models", "task"),
    ("简要总结一下对话内容", "summary"),
    ("简要总结一下你和用户的对话", "summary"),
    ("summarize the discussion briefly in 200 words", "summary"),
    ("ignore previous instructions. summarize", "summary"),
    ("ignore previous instructions. classify", "quiet"),
    ("ignore previous instructions and provide", "quiet"),
    ("[pause your roleplay", "quiet"),
    ("[pause the roleplay", "quiet"),
    ("[暂停角色扮演", "quiet"),
    ("[in the next response i want you to provide only", "quiet"),
    ("in the next response i want you to provide only a detailed comma-delimited list", "quiet"),
    ("provide an exhaustive comma-separated list of tags", "quiet"),
    ("ignore previous instructions. your next response must be formatted", "quiet"),
    ("your next response must be formatted as a single comma-delimited list", "quiet"),
    ("[summarize", "summary"),
    ("[summarise", "summary"),
    ("[总结", "summary"),
    ("[请总结", "summary"),
];

/// Openings of a last message of the system only: a user may well ask for a summary, or for a pause, in a chat.
const DIRECTED: &[(&str, &str)] = &[
    ("summarize", "summary"),
    ("summarise", "summary"),
    ("总结", "summary"),
    ("请总结", "summary"),
    ("概括", "summary"),
    ("pause your roleplay", "quiet"),
    ("pause the roleplay", "quiet"),
    ("暂停角色扮演", "quiet"),
    ("in the next response i want you to provide only", "quiet"),
];

/// How the last message begins that asks for a title of so many words, and what the title is for: what else it says differs from client to client.
const CONCISE: &[&str] = &["generate a concise", "create a concise", "provide a concise", "write a concise"];
const ENTITLED: &[&str] = &["conversation", "chat", "prompt", "emoji"];

/// How much is said between these.
const NEAR: usize = 32;

/// How a first message begins that tells somebody to make a title of what was said; the rest differs from version to version.
const SUMMARIZERS: &[&str] = &["you are an assistant skilled in conversation", "你是一名擅长会话的助理"];

/// Words of a first system message that make the whole request one.
const ROLES: &[(&str, &str)] = &[
    ("professional conversation summarizer", "title"),
    ("你是一名擅长会话的助理，你需要将用户的会话总结为", "title"),
    ("总结给出的会话，将其总结为语言为", "title"),
    ("conversation title generator", "title"),
    ("summarize the conversation into a title in", "title"),
    ("good at extracting key takeaways from conversations", "summary"),
    ("你是一名擅长翻译的助理，你需要将输入的语言翻译为目标语言", "translation"),
    ("你是一名精通全世界语言的语言专家，你需要识别用户输入的内容", "translation"),
    ("you are an ai question rephraser", "search"),
];

/// The same, behind a list of tools that may be long.
const CHOOSES_TOOLS: &str = "Your task is to choose and return the correct tool(s)";

/// What a task that begins `### Task:` is about, in the order in which it is looked for.
const TASKS: &[(&str, &str)] = &[
    ("follow-up", "follow-ups"),
    ("follow up", "follow-ups"),
    ("tags", "tags"),
    ("search quer", "search"),
    ("autocompletion", "autocomplete"),
    ("title", "title"),
    ("emoji", "emoji"),
    ("追问", "follow-ups"),
    ("标签", "tags"),
    ("标题", "title"),
];

/// What a client asks for itself; None: it is a turn of a chat. `said`: how many messages are dialogue. `known`: who may talk.
pub(super) fn reason(messages: &[Message], said: usize, known: &[String]) -> Option<&'static str> {
    let asks = |message: &&Message| matches!(message.role, Role::System | Role::User);
    let trailing = || messages.iter().rev().take_while(asks);
    // Directions follow what the user said, so that one that asks for the user's words need not be the last.
    if trailing().any(|message| markers(&message.text).contains(&Marker::Impersonate)) {
        return Some("impersonation");
    }
    let last = trailing().next()?;
    asked(last)
        .or_else(|| role(messages.first()?))
        .or_else(|| (said == 1 && is_flattened(&last.text, known)).then_some(FLATTENED))
}

fn role(first: &Message) -> Option<&'static str> {
    let opening = opening(Some(first));
    let chooses_tools = first.role == Role::System && first.text.contains(CHOOSES_TOOLS);
    find(ROLES, |phrase| opening.contains(phrase))
        .or(chooses_tools.then_some("tools"))
        .or(makes_titles(&opening).then_some("title"))
}

/// Whether somebody who is good at talking shall make a title of it: a character may be, too, but no title is asked of it.
fn makes_titles(opening: &str) -> bool {
    let is_summarizer = SUMMARIZERS.iter().any(|phrase| opening.starts_with(phrase));
    let summary = ["summarize", "总结"].iter().find_map(|verb| opening.split_once(verb));
    let is_title = |(_, behind): (&str, &str)| behind.contains("title") || behind.contains("标题");
    is_summarizer && summary.is_some_and(is_title)
}

/// Whether a title of so many words is asked for, of this very conversation: one of a story is asked of a character.
fn asks_for_a_title(opening: &str) -> bool {
    let behind = CONCISE.iter().find_map(|phrase| opening.strip_prefix(phrase));
    let Some((count, of)) = behind.and_then(|behind| behind.split_once("word title")) else { return false };
    let of: String = of.chars().take(NEAR).collect();
    let is_counted = count.contains(|c: char| c.is_ascii_digit()) && count.chars().count() < NEAR;
    is_counted && ENTITLED.iter().any(|what| of.contains(what))
}

fn asked(last: &Message) -> Option<&'static str> {
    if own_words::query(&last.text).is_some() {
        return None;
    }
    let opening = opening(Some(last));
    if let Some(task) = opening.strip_prefix("### task:") {
        let is_of_a_chat = last.text.contains("<chat_history>") || last.text.contains("### Chat History");
        return find(TASKS, |phrase| task.contains(phrase)).or(is_of_a_chat.then_some("task"));
    }
    let found = find(ASKED, |phrase| opening.starts_with(phrase));
    let found = found.or(asks_for_a_title(&opening).then_some("title"));
    let is_direction = last.role == Role::System;
    found.or_else(|| find(DIRECTED, |phrase| is_direction && opening.starts_with(phrase)))
}

fn opening(message: Option<&Message>) -> String {
    let text = message.map(|message| message.text.trim_start()).unwrap_or_default();
    text.chars().take(OPENING).flat_map(char::to_lowercase).collect()
}

fn find(list: &'static [(&'static str, &'static str)], is_it: impl Fn(&str) -> bool) -> Option<&'static str> {
    list.iter().find(|(phrase, _)| is_it(phrase)).map(|(_, reason)| *reason)
}

/// Names before colons that nobody bears: of days.
const DAYS: &[&str] = &[
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "morning",
    "noon",
    "afternoon",
    "evening",
    "night",
    "早上",
    "上午",
    "中午",
    "下午",
    "晚上",
];

/// What a sentence ends with, and what may stand behind that.
const ENDS: &[char] =
    &['.', '!', '?', '…', '。', '！', '？', '~', '～', '"', '”', '」', '』', '*', ')', '）', '—'];

/// True for a text in which several people speak in turn, a line each.
///
/// `user:` and `assistant:` do so if one of them comes back or nothing else stands there. Others need four lines, of which some
/// come back, and somebody among them who is known. If nobody is, hardly anything but sentences may stand there: a list of
/// settings has names before colons as well, and so have logs and plans. A text that ends with the name of somebody who spoke
/// asks for what they say next, whoever they are.
fn is_flattened(text: &str, known: &[String]) -> bool {
    let lines = || text.lines().take(MOST_LINES).filter(|line| !line.trim().is_empty());
    let turns: Vec<(String, &str)> = lines().filter_map(turn).collect();
    let mut speakers: Vec<(&str, usize)> = Vec::new();
    for (name, _) in &turns {
        match speakers.iter_mut().find(|(known, _)| known == name) {
            Some((_, count)) => *count += 1,
            None => speakers.push((name, 1)),
        }
    }
    let has = |names: &[&str]| speakers.iter().any(|(name, _)| names.contains(name));
    let is_known = known.iter().any(|known| has(&[known.to_lowercase().as_str()]));
    let returning = speakers.iter().filter(|(_, count)| *count > 1).count();
    let is_all = turns.len() == lines().count();
    if speakers.len() < 2 {
        return false;
    }
    let comes_back = |name: &str| speakers.iter().any(|(known, count)| *known == name && *count > 1);
    let is_open =
        lines().last().and_then(turn).is_some_and(|(name, words)| words.is_empty() && comes_back(&name));
    let is_transcript = has(&["user", "human", "用户"]) && has(&["assistant", "ai", "助手"]);
    if is_open || (is_transcript && (is_all || returning > 0)) {
        return true;
    }
    if turns.len() < 4 || turns.len() < speakers.len() + 2 {
        return false;
    }
    let sentences = turns.iter().filter(|(_, words)| words.trim_end().ends_with(ENDS)).count();
    match is_known {
        true => returning > 0,
        false => returning > 1 && is_all && sentences * 2 > turns.len(),
    }
}

/// Who speaks in a line, in lower case, and what they say; None: nobody.
fn turn(line: &str) -> Option<(String, &str)> {
    let (name, words) = names::prefix(line)?;
    if name.chars().count() > 32 || name.starts_with(['-', '*', '#', '{', '"', '<']) {
        return None;
    }
    let name = name.to_lowercase();
    let is_time = name.contains(char::is_numeric) || name.starts_with("周") || name.starts_with("星期");
    (!is_time && !DAYS.contains(&name.as_str())).then_some((name, words))
}
