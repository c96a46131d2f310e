//! What can be set about a chat model, for all questions and for those of one purpose?

use super::table::{Default, Kind, Setting};

/// The settings of one model.
#[derive(Debug)]
pub(crate) struct OfModel {
    /// As `/health` calls it.
    pub(crate) name: &'static str,
    pub(crate) url: Setting,
    pub(crate) api: Setting,
    pub(crate) model: Setting,
    pub(crate) key: Setting,
    pub(crate) key_file: Setting,
    pub(crate) options: Setting,
    pub(crate) json: Setting,
    pub(crate) max_tokens: Setting,
    pub(crate) timeout: Setting,
}

macro_rules! setting {
    ($of:literal $env:literal, $field:literal $variable:literal, $flag:expr, $kind:expr, $meaning:expr) => {
        Setting {
            name: concat!("models.", $of, ".", $field),
            flag: $flag,
            env: concat!("REVERIE_MODELS_", $env, "_", $variable),
            default: Default::Empty,
            kind: $kind,
            meaning: $meaning,
        }
    };
}

/// No flags: there would be dozens, and most of a model is a key.
macro_rules! instead {
    ($of:literal $env:literal, $questions:literal) => {
        OfModel {
            name: concat!("models.", $of),
            url: setting!($of $env, "url" "URL", None, Kind::One("URL"),
                concat!("Another server for ", $questions, " None: that of models.chat.url, with its key; without one, the model of another purpose.")),
            api: setting!($of $env, "api" "API", None, Kind::One("API"), concat!("models.chat.api for ", $questions)),
            model: setting!($of $env, "model" "MODEL", None, Kind::One("NAME"), concat!("Another model for ", $questions)),
            key: setting!($of $env, "key" "KEY", None, Kind::Secret, concat!("models.chat.key for ", $questions)),
            key_file: setting!($of $env, "key_file" "KEY_FILE", None, Kind::One("FILE"),
                concat!("models.chat.key_file for ", $questions)),
            options: setting!($of $env, "options" "OPTIONS", None, Kind::Object, concat!("models.chat.options for ", $questions)),
            json: setting!($of $env, "json" "JSON", None, Kind::One("MODE"), concat!("models.chat.json for ", $questions)),
            max_tokens: setting!($of $env, "max_tokens" "MAX_TOKENS", None, Kind::One("COUNT"),
                concat!("models.chat.max_tokens for ", $questions)),
            timeout: setting!($of $env, "timeout" "TIMEOUT", None, Kind::One("TIME"), concat!("models.chat.timeout for ", $questions)),
        }
    };
}

pub(crate) const CHAT: OfModel = OfModel {
    name: "models.chat",
    url: setting!("chat" "CHAT", "url" "URL", Some("models-chat-url"), Kind::One("URL"),
        "Where the chat model is, as the provider writes it: https://api.openai.com/v1, http://127.0.0.1:11434. None: no model is asked, and memories are made by rules alone."),
    api: setting!("chat" "CHAT", "api" "API", None, Kind::One("API"),
        "openai (also DeepSeek, Ollama, vLLM, llama.cpp and most others) or gemini. None: as the address tells."),
    model: setting!("chat" "CHAT", "model" "MODEL", Some("models-chat-model"), Kind::One("NAME"),
        "The model's name, as its server knows it."),
    key: setting!("chat" "CHAT", "key" "KEY", None, Kind::Secret,
        "The provider's key; goes to this server alone, in a header. Has no flag, because command lines are visible to other users."),
    key_file: setting!("chat" "CHAT", "key_file" "KEY_FILE", None, Kind::One("FILE"), "File that holds the key instead."),
    options: setting!("chat" "CHAT", "options" "OPTIONS", None, Kind::Object,
        "Merged into every request, such as {\"temperature\": 0.3}: a JSON object, in the file a table. Temperature is 0 if nobody says."),
    json: setting!("chat" "CHAT", "json" "JSON", None, Kind::One("MODE"),
        "auto, on or off: whether the server is asked to see to it that JSON is JSON. None: auto, as far as it goes along."),
    max_tokens: setting!("chat" "CHAT", "max_tokens" "MAX_TOKENS", None, Kind::One("COUNT"),
        "Longest answer; raise it for models that think first. None: what each question needs."),
    timeout: setting!("chat" "CHAT", "timeout" "TIMEOUT", None, Kind::One("TIME"),
        "How long one answer may take; tries again included, a question has a minute more. None: 2min."),
};

pub(crate) const DECIDE: OfModel =
    instead!("decide" "DECIDE", "questions whether anything is worth keeping.");
pub(crate) const SUMMARISE: OfModel = instead!("summarise" "SUMMARISE", "questions what is worth keeping.");
pub(crate) const RETELL: OfModel = instead!("retell" "RETELL", "questions that retell a day or an era.");
