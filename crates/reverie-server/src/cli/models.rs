//! `reverie models test`: do the configured models answer, and if not, what should be done?

use reverie_core::{Code, Error, Result};
use serde_json::json;

use crate::output::{Failure, Output, error_json};
use crate::settings::Settings;
use crate::{embedding, models};

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Ask each configured chat model one tiny question, let the embedding model embed one text, and say what was found. Needs no data
    /// file.
    Test,
}

pub(super) fn run(output: Output, settings: &Settings, command: &Command) -> Result<(), Failure> {
    let Command::Test = command;
    let chats = models::chats(&settings.models).map_err(Failure::usage)?;
    let embeddings = embedding::clients(&settings.models).map_err(Failure::usage)?;
    if chats.is_none() && embeddings.is_empty() {
        let text = "no model is configured; memories are made by rules alone, and meanings compared by the built-in table\n\
                    hint: set models.chat.url and models.chat.model, models.embedding.url and models.embedding.model";
        output.answer(text, &json!({"models": []}));
        return Ok(());
    }
    let found = models::test(chats.as_ref(), &embeddings);
    let mut text = String::new();
    for model in &found {
        let word = if model.well { "ok" } else { "failed" };
        text.push_str(&format!("{}: {word}: {}\n", model.name, model.message));
        let more = [("hint", &model.hint), ("the server said", &model.server_said)];
        for (what, words) in more.into_iter().filter_map(|(what, words)| Some((what, words.as_ref()?))) {
            text.push_str(&format!("  {what}: {words}\n"));
        }
    }
    let mut answer = json!({"models": found});
    let ill = found.iter().filter(|model| !model.well).count();
    if ill == 0 && !found.is_empty() {
        output.answer(text.trim_end(), &answer);
        return Ok(());
    }
    let failure = Error::new(Code::Unavailable, format!("{ill} of {} models do not work", found.len()))
        .hint("see what was found above; everything but models works without them");
    if let Some(fields) = answer.as_object_mut() {
        fields.insert("error".to_owned(), error_json(&failure));
    }
    output.answer(text.trim_end(), &answer);
    Err(Failure::from(failure).already_in_json())
}
