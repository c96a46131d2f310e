//! Which settings are there, under which names, with which defaults?
//!
//! This table is the only list: the flags, the environment variables, the keys of the file, `reverie config` and the
//! reference are all made from it.

/// One setting. `limits.queue` in the file is `REVERIE_LIMITS_QUEUE` in the environment and `--limits-queue` as a flag.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    /// None where a flag would be a mistake: command lines are visible to every user of the machine.
    pub(crate) flag: Option<&'static str>,
    pub(crate) env: &'static str,
    pub(crate) default: Default,
    pub(crate) kind: Kind,
    pub(crate) meaning: &'static str,
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    One(&'static str),
    /// Several: a flag may be repeated, a variable separates by commas, the file has an array.
    Many(&'static str),
    /// Several that are never shown.
    Secrets,
    /// One that is never shown.
    Secret,
    /// A JSON object; a table in the file.
    Object,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Default {
    Text(&'static str),
    /// Depends on the machine; the text says how.
    Platform(&'static str),
    /// Nothing.
    Empty,
}

const SIZE: Kind = Kind::One("SIZE");
const COUNT: Kind = Kind::One("COUNT");
const TIME: Kind = Kind::One("TIME");

macro_rules! settings {
    ($($id:ident: $name:literal, $flag:expr, $env:literal, $default:expr, $kind:expr, $meaning:literal;)*
     [$($model:ident)*]) => {
        $(pub(crate) const $id: Setting = Setting {
            name: $name, flag: $flag, env: $env, default: $default, kind: $kind, meaning: $meaning,
        };)*
        /// Every setting, in the order in which people should read about them.
        pub(crate) const TABLE: &[&Setting] = &[
            $(&$id,)*
            $(&$model.url, &$model.api, &$model.model, &$model.key, &$model.key_file, &$model.options, &$model.json,
              &$model.max_tokens, &$model.timeout,)*
        ];
    };
}

use self::Default::{Empty, Platform, Text};
use super::of_model::{CHAT, DECIDE, RETELL, SUMMARISE};

settings! {
    LISTEN: "listen", Some("listen"), "REVERIE_LISTEN", Text("127.0.0.1:7878"), Kind::One("ADDR"),
        "Address and port to serve on. Port 0 takes a free one. An address other than loopback needs a token.";
    DATA: "data", Some("data"), "REVERIE_DATA", Platform("reverie in the platform's data directory"), Kind::One("DIR"),
        "Directory of the data file. Created if it is missing.";
    TOKEN: "token", None, "REVERIE_TOKEN", Empty, Kind::Secrets,
        "Tokens that open the API; each begins with rv_ (make one with `reverie token`). Once one is set, every request needs one. Has no flag, because command lines are visible to other users.";
    TOKEN_FILE: "token_file", Some("token-file"), "REVERIE_TOKEN_FILE", Empty, Kind::One("FILE"),
        "File with further tokens, one a line.";
    ALLOW_HOST: "allow_host", Some("allow-host"), "REVERIE_ALLOW_HOST", Empty, Kind::Many("HOST[:PORT]"),
        "Host names by which clients may reach the server, besides loopback and the listen address. Without a port: any port.";
    ALLOW_ORIGIN: "allow_origin", Some("allow-origin"), "REVERIE_ALLOW_ORIGIN", Empty, Kind::Many("ORIGIN"),
        "Origins of web pages, webviews and extensions that may call the API, such as https://app.example; `null` for pages without one.";
    REQUEST_BYTES: "limits.request_bytes", Some("limits-request-bytes"), "REVERIE_LIMITS_REQUEST_BYTES", Text("8 MiB"), SIZE,
        "Largest body of a request.";
    IMPORT_BYTES: "limits.import_bytes", Some("limits-import-bytes"), "REVERIE_LIMITS_IMPORT_BYTES", Text("512 MiB"), SIZE,
        "Largest body of an import.";
    BUFFERED_BYTES: "limits.buffered_bytes", Some("limits-buffered-bytes"), "REVERIE_LIMITS_BUFFERED_BYTES", Text("1 GiB"), SIZE,
        "Bytes of all bodies held at once; at least as large as the largest body allowed.";
    HEADER_BYTES: "limits.header_bytes", Some("limits-header-bytes"), "REVERIE_LIMITS_HEADER_BYTES", Text("32 KiB"), SIZE,
        "Largest head (path, query and headers) of a request.";
    CONNECTIONS: "limits.connections", Some("limits-connections"), "REVERIE_LIMITS_CONNECTIONS", Text("1024"), COUNT,
        "Connections open at once; further ones wait to be accepted.";
    CONCURRENT: "limits.concurrent", Some("limits-concurrent"), "REVERIE_LIMITS_CONCURRENT", Text("32"), COUNT,
        "Requests worked on at once.";
    QUEUE: "limits.queue", Some("limits-queue"), "REVERIE_LIMITS_QUEUE", Text("256"), COUNT,
        "Requests that may wait for their turn; further ones are answered with 503.";
    BULK: "limits.bulk", Some("limits-bulk"), "REVERIE_LIMITS_BULK", Text("4"), COUNT,
        "Imports, exports, forks, restores and deletions of worlds worked on at once, besides the other requests.";
    MCP: "limits.mcp", Some("limits-mcp"), "REVERIE_LIMITS_MCP", Text("8"), COUNT,
        "Calls of tools by MCP clients worked on at once, besides the other requests.";
    LINES: "limits.lines", Some("limits-lines"), "REVERIE_LIMITS_LINES", Text("1000"), COUNT,
        "Lines in one request.";
    CONTENT_BYTES: "limits.content_bytes", Some("limits-content-bytes"), "REVERIE_LIMITS_CONTENT_BYTES", Text("64 KiB"), SIZE,
        "Longest text of a line (content, TTS, action …), and longest part of a scene.";
    MEMORY_BYTES: "limits.memory_bytes", Some("limits-memory-bytes"), "REVERIE_LIMITS_MEMORY_BYTES", Text("1 MiB"), SIZE,
        "Longest text of a memory: a whole round, or an event.";
    MEMORY_WORDS: "limits.memory_words", Some("limits-memory-words"), "REVERIE_LIMITS_MEMORY_WORDS", Text("256"), COUNT,
        "Keywords of a memory, and as many topics and emotions.";
    PARTICIPANTS: "limits.participants", Some("limits-participants"), "REVERIE_LIMITS_PARTICIPANTS", Text("256"), COUNT,
        "People in one conversation, presence list or witness list.";
    PERSONA_BYTES: "limits.persona_bytes", Some("limits-persona-bytes"), "REVERIE_LIMITS_PERSONA_BYTES", Text("1 MiB"), SIZE,
        "Longest persona of a character.";
    NAME_BYTES: "limits.name_bytes", Some("limits-name-bytes"), "REVERIE_LIMITS_NAME_BYTES", Text("1 KiB"), SIZE,
        "Longest display name, and longest id of the host's own for a character or a line; at least 128 bytes, as ids are names too.";
    KEY_BYTES: "limits.key_bytes", Some("limits-key-bytes"), "REVERIE_LIMITS_KEY_BYTES", Text("256"), SIZE,
        "Longest key that makes a retry safe.";
    SETTINGS: "limits.settings", Some("limits-settings"), "REVERIE_LIMITS_SETTINGS", Text("512"), COUNT,
        "Settings of one world.";
    SETTING_BYTES: "limits.setting_bytes", Some("limits-setting-bytes"), "REVERIE_LIMITS_SETTING_BYTES", Text("4 KiB"), SIZE,
        "Longest name, and longest value, of a world's setting.";
    ALSO: "limits.also", Some("limits-also"), "REVERIE_LIMITS_ALSO", Text("100"), COUNT,
        "Conversations that one prompt or one history may be granted with `also`.";
    BUDGET: "limits.budget", Some("limits-budget"), "REVERIE_LIMITS_BUDGET", Text("10000000"), COUNT,
        "Tokens of a prompt that a cue or a world may ask for.";
    BOOK_ENTRIES: "limits.book_entries", Some("limits-book-entries"), "REVERIE_LIMITS_BOOK_ENTRIES", Text("100000"), COUNT,
        "Entries of a world book in the library.";
    DOCUMENT_BYTES: "limits.document_bytes", Some("limits-document-bytes"), "REVERIE_LIMITS_DOCUMENT_BYTES", Text("64 MiB"), SIZE,
        "Largest world book or character card in the library, its picture included; also the largest body of a scan.";
    WINDOW_LINES: "limits.window_lines", Some("limits-window-lines"), "REVERIE_LIMITS_WINDOW_LINES", Text("10000"), COUNT,
        "Lines that one prompt may be made of.";
    MINDS_BYTES: "limits.minds_bytes", Some("limits-minds-bytes"), "REVERIE_LIMITS_MINDS_BYTES", Text("512 MiB"), SIZE,
        "Memories that are kept at hand, of all characters together, and texts that were asked about.";
    HISTORY: "limits.history", Some("limits-history"), "REVERIE_LIMITS_HISTORY", Text("1000"), COUNT,
        "Lines of each list of one history, and lines of background in a prompt.";
    PAGE: "limits.page", Some("limits-page"), "REVERIE_LIMITS_PAGE", Text("1000"), COUNT,
        "Entries on one page of a list.";
    REQUEST_TIMEOUT: "limits.request_timeout", Some("limits-request-timeout"), "REVERIE_LIMITS_REQUEST_TIMEOUT", Text("30s"), TIME,
        "Time from a request's head to its answer.";
    BULK_TIMEOUT: "limits.bulk_timeout", Some("limits-bulk-timeout"), "REVERIE_LIMITS_BULK_TIMEOUT", Text("10min"), TIME,
        "The same for imports, exports, forks, restores and deletions of worlds, and for a backup: one that takes longer is given up.";
    IDLE_TIMEOUT: "limits.idle_timeout", Some("limits-idle-timeout"), "REVERIE_LIMITS_IDLE_TIMEOUT", Text("30s"), TIME,
        "Time in which a connection must send a whole request head, counted from its opening or its last answer, and in which a client must take some of its answer; of a long one a piece of 64 KiB.";
    DRAIN_TIMEOUT: "limits.drain_timeout", Some("limits-drain-timeout"), "REVERIE_LIMITS_DRAIN_TIMEOUT", Text("10s"), TIME,
        "Time that requests under way get to finish when the server is told to stop.";
    BACKUP_FOLDER: "backup.folder", Some("backup-folder"), "REVERIE_BACKUP_FOLDER", Empty, Kind::One("DIR"),
        "Where backups go that nobody names a file for (`POST /v1/backup`, `reverie backup` alone). Made when the first one is. None: `backups` in the data directory.";
    BACKUP_KEEP: "backup.keep", Some("backup-keep"), "REVERIE_BACKUP_KEEP", Text("7"), COUNT,
        "How many of these are kept; a new one takes the place of the oldest.";
    DIGEST_WORKER: "digest.worker", Some("digest-worker"), "REVERIE_DIGEST_WORKER", Text("on"), Kind::One("SWITCH"),
        "on or off: whether the server turns what was said into memories by itself. Off: `POST …/digest` and `reverie digest` do.";
    DIGEST_SLICE: "digest.slice", Some("digest-slice"), "REVERIE_DIGEST_SLICE", Text("10ms"), TIME,
        "How long it works at a time, and how long it rests in between, so that nobody who writes has to wait.";
    DIGEST_LOOK_EVERY: "digest.look_every", Some("digest-look-every"), "REVERIE_DIGEST_LOOK_EVERY", Text("60s"), TIME,
        "How often it looks for what other programs wrote into the same file.";
    LOG_LEVEL: "log.level", Some("log-level"), "REVERIE_LOG_LEVEL", Text("info"), Kind::One("LEVEL"),
        "off, error, warn, info, debug or trace.";
    LOG_FORMAT: "log.format", Some("log-format"), "REVERIE_LOG_FORMAT", Text("text"), Kind::One("FORMAT"),
        "text or json, one line an event, on stderr.";
    MEM0_WORLD: "mem0.world", Some("mem0-world"), "REVERIE_MEM0_WORLD", Text("mem0"), Kind::One("WORLD"),
        "The world that holds what comes in mem0's shape (POST /memories, POST /search …). Made when something is added.";
    MCP_WORLD: "mcp.world", Some("mcp-world"), "REVERIE_MCP_WORLD", Text("mcp"), Kind::One("WORLD"),
        "The world of the tools for MCP clients, where a call names none. Made when something is added.";
    MCP_CHARACTER: "mcp.character", Some("mcp-character"), "REVERIE_MCP_CHARACTER", Text("assistant"), Kind::One("CHARACTER"),
        "Whose memories the tools for MCP clients are about, where a call names nobody.";
    TOKENS_PER_HOUR: "models.tokens_per_hour", Some("models-tokens-per-hour"), "REVERIE_MODELS_TOKENS_PER_HOUR", Empty, COUNT,
        "Tokens that chat models may use in an hour of the clock, questions and answers together; what does not fit waits for the next hour. None: as many as there is to ask.";
    MODELS_CONCURRENCY: "models.concurrency", Some("models-concurrency"), "REVERIE_MODELS_CONCURRENCY", Text("2"), COUNT,
        "Questions that chat models are asked at once.";
    MODELS_PROXY: "models.proxy", None, "REVERIE_MODELS_PROXY", Empty, Kind::Secret,
        "HTTP proxy on the way to the models, such as http://127.0.0.1:7890. Has no flag, because a password may be in it. None: straight, whatever HTTPS_PROXY says.";
    MODELS_TRUSTED: "models.trusted", Some("models-trusted"), "REVERIE_MODELS_TRUSTED", Empty, Kind::One("FILE"),
        "File with certificates (PEM) of authorities to trust besides the usual ones.";
    MODELS_CHOOSING: "models.choosing", Some("models-choosing"), "REVERIE_MODELS_CHOOSING", Text("on"), Kind::One("SWITCH"),
        "on or off: whether models can be chosen through the API and the console while the server runs. What was chosen counts either way; it stands in connections.json in the data directory.";
    EMBEDDING_URL: "models.embedding.url", Some("models-embedding-url"), "REVERIE_MODELS_EMBEDDING_URL", Empty, Kind::One("URL"),
        "Where the embedding model is, as the provider writes it. None: the built-in table of Chinese and English words compares meanings.";
    EMBEDDING_MODEL: "models.embedding.model", Some("models-embedding-model"), "REVERIE_MODELS_EMBEDDING_MODEL", Empty, Kind::One("NAME"),
        "The embedding model's name, as its server knows it. Another model is another space: everything is embedded anew, in the background.";
    EMBEDDING_API: "models.embedding.api", None, "REVERIE_MODELS_EMBEDDING_API", Empty, Kind::One("API"),
        "openai or gemini. None: as the address tells.";
    EMBEDDING_KEY: "models.embedding.key", None, "REVERIE_MODELS_EMBEDDING_KEY", Empty, Kind::Secret,
        "The provider's key; goes to this server alone, in a header.";
    EMBEDDING_KEY_FILE: "models.embedding.key_file", None, "REVERIE_MODELS_EMBEDDING_KEY_FILE", Empty, Kind::One("FILE"),
        "File that holds the key instead.";
    EMBEDDING_DIMS: "models.embedding.dims", None, "REVERIE_MODELS_EMBEDDING_DIMS", Empty, COUNT,
        "How many numbers a vector shall have. None: as many as the model gives.";
    EMBEDDING_SPACE: "models.embedding.space", None, "REVERIE_MODELS_EMBEDDING_SPACE", Empty, Kind::One("NAME"),
        "A name for the server instead of its address, where vectors are kept apart by model and server: whatever its address, a server of the same name has the same vectors. None: another address is another space, and everything is embedded anew.";
    EMBEDDING_OPTIONS: "models.embedding.options", None, "REVERIE_MODELS_EMBEDDING_OPTIONS", Empty, Kind::Object,
        "Merged into every request: a JSON object, in the file a table.";
    EMBEDDERS: "models.embedders", None, "REVERIE_MODELS_EMBEDDERS", Empty, Kind::Object,
        "Other embedding models, each a table [models.embedders.NAME] with url, model, api, key, key_file, dims and space. A world whose setting embedder is that name is embedded by it, and anew whenever it chooses another.";
    UPSTREAM_URL: "upstream.url", Some("upstream-url"), "REVERIE_UPSTREAM_URL", Empty, Kind::One("URL"),
        "Where chats go that come in at /v1/chat/completions, as the provider writes it. None, and no upstreams: `echo` answers, a model that repeats what it was told.";
    UPSTREAM_API: "upstream.api", None, "REVERIE_UPSTREAM_API", Empty, Kind::One("API"),
        "openai or gemini. None: as the address tells.";
    UPSTREAM_KEY: "upstream.key", None, "REVERIE_UPSTREAM_KEY", Empty, Kind::Secret,
        "The provider's key; goes to this server alone, in place of the client's. None: the client's own key is passed on.";
    UPSTREAM_KEY_FILE: "upstream.key_file", None, "REVERIE_UPSTREAM_KEY_FILE", Empty, Kind::One("FILE"),
        "File that holds the key instead.";
    UPSTREAMS: "upstreams", None, "REVERIE_UPSTREAMS", Empty, Kind::Object,
        "Several upstreams by name, each a table [upstreams.NAME] with url, api, key, key_file and models: which models go there, by name or as prefix*. The first one takes what no other does; upstream.url comes before it.";
    KEYS: "keys", None, "REVERIE_KEYS", Empty, Kind::Object,
        "Keys for clients that can set nothing but an address, a key and a model, each a table [keys.NAME] with token (begins with rv_), world, character, user, upstream and model. A key opens chats and models, not the rest of the API; one that names a world, that world alone.";
    PROXY_MEMORY: "proxy.memory", Some("proxy-memory"), "REVERIE_PROXY_MEMORY", Text("on"), Kind::One("SWITCH"),
        "on or off: whether chats that are passed on are remembered. Off: they go through byte for byte.";
    PROXY_WORLD: "proxy.world", Some("proxy-world"), "REVERIE_PROXY_WORLD", Text("default"), Kind::One("ID"),
        "The world of chats that name none; made when it is first needed.";
    PROXY_CHARACTER: "proxy.character", Some("proxy-character"), "REVERIE_PROXY_CHARACTER", Text("assistant"), Kind::One("ID"),
        "Who answers in chats that name nobody.";
    PROXY_USER: "proxy.user", Some("proxy-user"), "REVERIE_PROXY_USER", Text("user"), Kind::One("ID"),
        "Who speaks in chats that name nobody.";
    PROXY_RECALL_TIMEOUT: "proxy.recall_timeout", Some("proxy-recall-timeout"), "REVERIE_PROXY_RECALL_TIMEOUT", Text("1s"), TIME,
        "How long a chat waits for its memory; after that it goes on without, and says so.";
    PROXY_MEMORY_ROLE: "proxy.memory_role", Some("proxy-memory-role"), "REVERIE_PROXY_MEMORY_ROLE", Text("system"), Kind::One("ROLE"),
        "system or user: as what memories stand before the newest message. user: at the beginning of that message, for models that take a system message nowhere but at the front.";
    PROXY_ONLY_WITNESSED: "proxy.only_witnessed", Some("proxy-only-witnessed"), "REVERIE_PROXY_ONLY_WITNESSED", Text("off"), Kind::One("SWITCH"),
        "on or off: whether lines that the speaking character did not witness are taken out of the request. Group chats send everything to everyone.";
    PROXY_CONNECT_TIMEOUT: "proxy.connect_timeout", Some("proxy-connect-timeout"), "REVERIE_PROXY_CONNECT_TIMEOUT", Text("10s"), TIME,
        "How long a connection to an upstream may take.";
    PROXY_ANSWER_TIMEOUT: "proxy.answer_timeout", Some("proxy-answer-timeout"), "REVERIE_PROXY_ANSWER_TIMEOUT", Text("10min"), TIME,
        "How long an upstream may take until its answer begins.";
    PROXY_SILENCE_TIMEOUT: "proxy.silence_timeout", Some("proxy-silence-timeout"), "REVERIE_PROXY_SILENCE_TIMEOUT", Text("5min"), TIME,
        "How long an answer that has begun may pause.";
    [CHAT DECIDE SUMMARISE RETELL]
}

/// The file that holds settings is named by a flag and a variable of its own; it cannot name itself.
pub(crate) const CONFIG_FLAG: &str = "config";
pub(crate) const CONFIG_ENV: &str = "REVERIE_CONFIG";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flag_and_variable_follow_from_the_name() {
        for setting in TABLE {
            let dashed = setting.name.replace(['.', '_'], "-");
            let upper = format!("REVERIE_{}", setting.name.replace('.', "_").to_uppercase());
            assert!(setting.flag.is_none_or(|flag| flag == dashed), "{}", setting.name);
            assert_eq!(setting.env, upper);
            assert_eq!(TABLE.iter().filter(|other| other.name == setting.name).count(), 1);
        }
    }
}
