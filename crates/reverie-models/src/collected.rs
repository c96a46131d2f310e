//! What has a model said, once all the pieces of its answer are put together?

use crate::chat::{ChatReply, Finish, Usage};
use crate::error::{Error, Kind, Result};

#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) text: String,
    pub(crate) finish: Option<Finish>,
    pub(crate) usage: Option<Usage>,
    /// The provider, or the model itself, declined.
    pub(crate) is_declined: bool,
}

impl Collected {
    pub(crate) fn into_reply(self, server: &str) -> Result<ChatReply> {
        let text = without_thoughts(&self.text).trim();
        if !text.is_empty() {
            let text = text.to_owned();
            let finish = self.finish.unwrap_or(Finish::Other(String::new()));
            return Ok(ChatReply { text, finish, usage: self.usage });
        }
        if self.is_declined || self.finish == Some(Finish::Filtered) {
            return Err(Error::new(
                Kind::Filtered,
                format!("{server} declined to answer: its filter was set off"),
            )
            .hint("another provider, or a model of your own, may have other rules"));
        }
        let error = Error::new(Kind::Empty, format!("the model at {server} said nothing"));
        Err(if self.finish == Some(Finish::Length) {
            error.hint(
                "it used up its tokens before the answer, perhaps for thinking: allow it more output tokens",
            )
        } else {
            error.hint("ask again; if it stays silent, try another model or check its chat template")
        })
    }
}

/// What a model thought aloud before its answer holds drafts. Thoughts without an end are all there is.
fn without_thoughts(text: &str) -> &str {
    let trimmed = text.trim_start_matches(['\u{FEFF}', ' ', '\t', '\r', '\n']);
    for (begin, end) in [("<think>", "</think>"), ("<thinking>", "</thinking>")] {
        if trimmed.starts_with(begin) {
            return trimmed.split_once(end).map_or("", |(_, answer)| answer);
        }
        // Some chat templates write the opening tag into the prompt, and the answer has only the closing one.
        if let Some((thoughts, answer)) = trimmed.split_once(end)
            && !thoughts.contains(begin)
        {
            return answer;
        }
    }
    text
}
