//! To which server does a model belong, and what of a model's name is a character's?

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};

use reverie::SystemClock;
use reverie_api::wire::{UpstreamView, format_time};
use reverie_core::{Error, Result};
use reverie_models::{Seen, Upstream};

use crate::models::trouble;
use crate::settings::{Forwarding, ONLY, PROXY_ANSWER_TIMEOUT};

pub(super) struct Upstreams(Vec<Server>);

#[derive(Clone)]
pub(super) struct Server {
    pub(super) name: String,
    pub(super) upstream: Arc<Upstream>,
    /// Names, or beginnings of names with a `*` behind them.
    pub(super) models: Vec<String>,
    /// Of the names in its last list, those that look like a model and a character.
    listed: Arc<RwLock<HashSet<String>>>,
}

impl Server {
    /// These are its models, by its own word.
    pub(super) fn lists<'m>(&self, names: impl Iterator<Item = &'m str>) {
        let listed = names.filter(|name| name.contains('@')).map(str::to_owned).collect();
        *self.listed.write().unwrap_or_else(PoisonError::into_inner) = listed;
    }

    fn has(&self, model: &str) -> bool {
        let is_listed = || self.listed.read().unwrap_or_else(PoisonError::into_inner).contains(model);
        self.models.iter().any(|known| known == model) || is_listed()
    }

    /// How it did so far.
    pub(super) fn seen(&self) -> UpstreamView {
        let Seen { answered, failed, last_answer_ms, last_failure } = self.upstream.seen();
        UpstreamView {
            name: self.name.clone(),
            models: self.models.clone(),
            answered,
            failed,
            last_answer: last_answer_ms.and_then(format_time),
            last_failure: last_failure.map(trouble),
        }
    }
}

impl Upstreams {
    pub(super) fn new(settings: &Forwarding) -> Result<Self> {
        let all = settings.upstreams.iter().map(|server| {
            let (patience, clock) = (settings.patience, Arc::new(SystemClock));
            let upstream = Upstream::new(&server.endpoint, patience, PROXY_ANSWER_TIMEOUT.name, clock);
            let upstream = upstream.map_err(|error| {
                let passed_on = Error::invalid(format!("{}: {}", server.name, error.message()));
                error.hint_text().map(str::to_owned).into_iter().fold(passed_on, Error::hint)
            })?;
            Ok(Server {
                name: server.name.clone(),
                upstream: Arc::new(upstream),
                models: server.models.clone(),
                listed: Arc::default(),
            })
        });
        all.collect::<Result<_>>().map(Self)
    }

    /// Those with a name stay who they were, with all that was seen of them.
    pub(super) fn keeping_others(mut self, before: &Self) -> Self {
        for server in self.0.iter_mut().filter(|server| server.name != ONLY) {
            if let Some(known) = before.0.iter().find(|known| known.name == server.name) {
                server.clone_from(known);
            }
        }
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Server> {
        self.0.iter()
    }

    /// Whoever has this very model; else whoever has the longest beginning of its name; else the first. A key may have chosen.
    pub(super) fn of_model(&self, model: &str, chosen: Option<&str>) -> Option<&Server> {
        if let Some(server) = chosen.and_then(|chosen| self.0.iter().find(|server| server.name == chosen)) {
            return Some(server);
        }
        let mut best: Option<(usize, &Server)> = None;
        for server in &self.0 {
            let fits = server.models.iter().filter_map(|pattern| fit(pattern, model)).max();
            if let Some(fit) = fits
                && best.is_none_or(|(known, _)| fit > known)
            {
                best = Some((fit, server));
            }
        }
        best.map(|(_, server)| server).or(self.0.first())
    }

    /// `deepseek-chat@钦灵` is a model and who speaks with it. Names that are configured, or that an upstream listed, stay whole, and so do
    /// those that only look so (`is_of_model`).
    pub(super) fn split<'m>(&self, model: &'m str) -> (&'m str, Option<&'m str>) {
        let Some((base, character)) = model.rsplit_once('@') else { return (model, None) };
        let character = character.trim();
        if character.is_empty()
            || is_of_model(base, character)
            || self.0.iter().any(|server| server.has(model))
        {
            return (model, None);
        }
        (base.trim(), Some(character))
    }
}

/// Whether what stands behind an `@` belongs to the model's name: a path (`workers-ai/@cf/meta/llama`), a version (`claude@20250514`,
/// `@latest`) or how it is packed (`qwen@q4_k_m`, `@8bit`).
fn is_of_model(base: &str, behind: &str) -> bool {
    let is_path = (base.is_empty() || base.ends_with('/')) && behind.contains('/');
    let is_version = behind.len() >= 6 && behind.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let is_newest = matches!(behind, "latest" | "default");
    is_path || is_version || is_newest || is_packing(&behind.to_ascii_lowercase())
}

/// `q4_k_m`, `iq2_xs`, `bf16`, `fp8`, `4bit`.
fn is_packing(text: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let parts = text.strip_prefix("iq").or_else(|| text.strip_prefix('q')).map(|rest| rest.split('_'));
    let is_quantized = parts.is_some_and(|mut parts| {
        let bits = parts.next().unwrap_or_default();
        let is_plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_number(bits) && parts.all(is_plain)
    });
    let is_float = ["bf", "fp", "f"].iter().any(|kind| text.strip_prefix(kind).is_some_and(is_number));
    is_quantized
        || is_float
        || text.strip_suffix("bit").is_some_and(|bits| is_number(bits.trim_end_matches('-')))
}

/// How much of the name the pattern fits.
fn fit(pattern: &str, model: &str) -> Option<usize> {
    match pattern.strip_suffix('*') {
        Some(beginning) => model.starts_with(beginning).then_some(beginning.len()),
        None => (pattern == model).then_some(usize::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{ConfigFile, Environment, Flags, Settings};

    #[test]
    fn each_model_finds_its_server() {
        let text = r#"
            [upstreams.zhipu]
            url = "https://open.example/v4"
            [upstreams.deepseek]
            url = "https://api.deepseek.com"
            models = ["deepseek-*", "mail@server"]
            [upstreams.local]
            url = "127.0.0.1:8080"
            models = ["deepseek-r1-*", "qwen"]
        "#;
        let file = ConfigFile { path: "reverie.toml".into(), text: text.to_owned() };
        let env = Environment::of(&[("HOME", "/home/mei")]);
        let settings = Settings::resolve(&Flags::default(), &env, Some(&file)).unwrap();
        let upstreams = Upstreams::new(&settings.forwarding).unwrap();
        for (model, chosen, server) in [
            ("deepseek-chat", None, "deepseek"),
            ("deepseek-r1-7b", None, "local"),
            ("qwen", None, "local"),
            ("qwen2", None, "zhipu"),
            ("", None, "zhipu"),
            ("qwen", Some("deepseek"), "deepseek"),
        ] {
            let found = upstreams.of_model(model, chosen).map(|found| found.name.as_str());
            assert_eq!(found, Some(server), "{model}");
        }
        for (model, base, character) in [
            ("deepseek-chat@钦灵", "deepseek-chat", Some("钦灵")),
            ("@钦灵", "", Some("钦灵")),
            ("gpt-4o", "gpt-4o", None),
            ("mail@server", "mail@server", None),
            ("mail@server@mo", "mail@server", Some("mo")),
            ("@cf/meta/llama-3", "@cf/meta/llama-3", None),
            ("claude-sonnet-4@20250514", "claude-sonnet-4@20250514", None),
            ("gpt@", "gpt@", None),
            ("workers-ai/@cf/meta/llama-3", "workers-ai/@cf/meta/llama-3", None),
            ("workers-ai/@cf/meta/llama-3@钦灵", "workers-ai/@cf/meta/llama-3", Some("钦灵")),
            ("qwen3-8b@q4_k_m", "qwen3-8b@q4_k_m", None),
            ("qwen3-8b@Q8_0", "qwen3-8b@Q8_0", None),
            ("llama@iq2_xs", "llama@iq2_xs", None),
            ("llama@bf16", "llama@bf16", None),
            ("mlx/llama@4bit", "mlx/llama@4bit", None),
            ("qwen3-8b@q4_k_m@q", "qwen3-8b@q4_k_m", Some("q")),
            ("m@quin", "m", Some("quin")),
            ("m@q", "m", Some("q")),
            ("m@f", "m", Some("f")),
            ("m@R2D2", "m", Some("R2D2")),
            ("m@a/b", "m", Some("a/b")),
        ] {
            assert_eq!(upstreams.split(model), (base, character), "{model}");
        }
    }
}
