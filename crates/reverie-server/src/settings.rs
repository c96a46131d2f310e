//! How should the server run? One finished struct, from flags, environment, file and defaults.

mod connections;
mod limits;
mod models;
mod named;
mod of_model;
mod platform;
mod proxy;
mod show;
mod sources;
mod table;
#[cfg(test)]
mod tests;
mod values;

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use reverie_core::{CharacterId, Code, Error, Result, WorldId};

pub(crate) use self::connections::{Choice, Chosen, Connection};
pub(crate) use self::limits::Limits;
pub(crate) use self::models::Models;
pub(crate) use self::of_model::{CHAT, DECIDE, OfModel, RETELL, SUMMARISE};
use self::platform::Platform;
pub(crate) use self::proxy::{ClientKey, Forwarding, ONLY};
pub(crate) use self::show::{config_json, config_text, reference};
pub(crate) use self::sources::near_names;
pub(crate) use self::sources::{ConfigFile, Environment, Flags, Origin};
use self::sources::{FileValues, Written, find};
use self::table::Default as TableDefault;
pub(crate) use self::table::*;
use crate::http::authority::{Authority, WebOrigin};
use crate::secret::Secret;

/// Everything that can be set, understood and checked.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) listen: SocketAddr,
    pub(crate) data: PathBuf,
    pub(crate) tokens: Vec<Secret>,
    pub(crate) token_file: Option<PathBuf>,
    pub(crate) allow_host: Vec<Authority>,
    pub(crate) allow_origin: Vec<WebOrigin>,
    pub(crate) limits: Limits,
    pub(crate) backup: Backup,
    pub(crate) digest: Digest,
    pub(crate) log: Log,
    pub(crate) models: Models,
    pub(crate) forwarding: Forwarding,
    /// The world of what comes in mem0's shape.
    pub(crate) mem0: WorldId,
    pub(crate) mcp: Mcp,
    /// Each value as it was written, with where, in the order of the table.
    pub(crate) resolved: Vec<Resolved>,
    /// What looks wrong without being an error.
    pub(crate) warnings: Vec<String>,
    /// What all this was made of, for whoever chooses other models while the server runs.
    pub(crate) sources: Arc<Sources>,
}

/// Where settings were read, kept as it was then. Its Debug shows nothing: tokens and keys are in it.
#[derive(Clone, Default)]
pub(crate) struct Sources {
    flags: Flags,
    env: Environment,
    file: Option<ConfigFile>,
}

impl fmt::Debug for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sources")
    }
}

impl Sources {
    /// Where the settings file was looked for, and whether it was there.
    pub(crate) fn settings_file(&self) -> Option<(PathBuf, bool)> {
        Some((config_place(&self.flags, &self.env)?, self.file.is_some()))
    }

    /// The settings with these models, from the same places as before.
    pub(crate) fn with(&self, chosen: &Chosen) -> Result<Settings> {
        Settings::resolve_with(&self.flags, &self.env, self.file.as_ref(), chosen)
    }
}

/// What becomes of backups that nobody names a file for.
#[derive(Debug, Clone)]
pub(crate) struct Backup {
    /// None: beside the data file.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) keep: usize,
}

/// How the server digests by itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Digest {
    pub(crate) worker: bool,
    pub(crate) slice: Duration,
    pub(crate) look_every: Duration,
}

/// What the tools for MCP clients are about, where a call does not say.
#[derive(Debug, Clone)]
pub(crate) struct Mcp {
    pub(crate) world: WorldId,
    pub(crate) character: CharacterId,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Log {
    pub(crate) level: tracing::level_filters::LevelFilter,
    pub(crate) json: bool,
}

/// One row of `reverie config`.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) setting: &'static Setting,
    /// Secrets are already hidden here.
    pub(crate) shown: Vec<String>,
    pub(crate) origin: Origin,
}

impl Settings {
    /// Finds and reads the files that the settings need, then resolves.
    pub(crate) fn load(flags: &Flags, env: &Environment) -> Result<Self> {
        let file = read_config_file(flags, env)?;
        let chosen = Chosen::read(&data_directory(flags, env, file.as_ref())?)?;
        let mut settings = Self::resolve_with(flags, env, file.as_ref(), &chosen)?;
        settings.sources = Arc::new(Sources { flags: flags.clone(), env: env.clone(), file });
        if let Some(path) = &settings.token_file {
            let text = read(path, "the token file")?;
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            let origin = Origin::File(path.clone());
            for line in lines {
                settings.tokens.push(token(line, &origin)?);
            }
        }
        Ok(settings)
    }

    #[cfg(test)]
    pub(crate) fn resolve(flags: &Flags, env: &Environment, file: Option<&ConfigFile>) -> Result<Self> {
        Self::resolve_with(flags, env, file, &Chosen::default())
    }

    /// Touches no disk but for the files that keys and certificates stand in, and no process.
    fn resolve_with(
        flags: &Flags,
        env: &Environment,
        file: Option<&ConfigFile>,
        chosen: &Chosen,
    ) -> Result<Self> {
        let file = chosen.over(file.map(FileValues::parse).transpose()?);
        let mut reader = Reader { flags, env, file: file.as_ref(), resolved: Vec::new() };
        let mut settings = Self {
            listen: reader.one(&LISTEN, values::address)?,
            data: reader.data()?,
            tokens: reader.secrets(&TOKEN)?,
            token_file: reader.optional(&TOKEN_FILE, path)?,
            allow_host: reader.many(&ALLOW_HOST, Authority::parse_setting)?,
            allow_origin: reader.many(&ALLOW_ORIGIN, WebOrigin::parse_setting)?,
            limits: Limits::read(&mut reader)?,
            backup: Backup {
                folder: reader.optional(&BACKUP_FOLDER, path)?,
                keep: reader.one(&BACKUP_KEEP, values::count)?,
            },
            digest: Digest {
                worker: reader.one(&DIGEST_WORKER, switch)?,
                slice: reader.one(&DIGEST_SLICE, values::duration)?,
                look_every: reader.one(&DIGEST_LOOK_EVERY, values::duration)?,
            },
            log: Log {
                level: reader.one(&LOG_LEVEL, level)?,
                json: reader.one(&LOG_FORMAT, format_is_json)?,
            },
            mem0: reader.one(&MEM0_WORLD, world)?,
            mcp: Mcp {
                world: reader.one(&MCP_WORLD, world)?,
                character: reader.one(&MCP_CHARACTER, character)?,
            },
            models: Models::read(&mut reader)?,
            forwarding: Forwarding::read(&mut reader)?,
            resolved: Vec::new(),
            sources: Arc::default(),
            warnings: env.unknown_names().iter().map(|name| unknown_variable(name)).collect(),
        };
        settings.forwarding.are_reached_by(&settings.models.way);
        settings.resolved = reader.resolved;
        Ok(settings)
    }

    /// The one file that holds all worlds.
    pub(crate) fn data_file(&self) -> PathBuf {
        self.data.join("reverie.db")
    }

    pub(crate) fn backup_folder(&self) -> PathBuf {
        self.backup.folder.clone().unwrap_or_else(|| self.data.join("backups"))
    }
}

/// Reads settings one by one and keeps what it saw, for `reverie config`.
struct Reader<'a> {
    flags: &'a Flags,
    env: &'a Environment,
    file: Option<&'a FileValues>,
    resolved: Vec<Resolved>,
}

impl Reader<'_> {
    fn data(&mut self) -> Result<PathBuf> {
        let env = self.env;
        self.one_or(&DATA, path, || platform::data_directory(Platform::here(), env))
    }

    fn one<T>(&mut self, setting: &'static Setting, parse: fn(&str) -> Result<T, String>) -> Result<T> {
        self.one_or(setting, parse, || None)
    }

    fn one_or<T>(
        &mut self,
        setting: &'static Setting,
        parse: fn(&str) -> Result<T, String>,
        platform_default: impl FnOnce() -> Option<PathBuf>,
    ) -> Result<T> {
        let default = || match setting.default {
            TableDefault::Text(text) => Some(text.to_owned()),
            TableDefault::Platform(_) => platform_default()?.to_str().map(str::to_owned),
            TableDefault::Empty => None,
        };
        let written = match find(setting, self.flags, self.env, self.file)? {
            Some(written) => written,
            None => Written { values: default().into_iter().collect(), origin: Origin::Default },
        };
        let [text] = written.values.as_slice() else {
            let hint = format!("set --{} or {}", setting.name, setting.env);
            return Err(Error::invalid(format!("`{}` has no value here", setting.name)).hint(hint));
        };
        let value = parse(text).map_err(|expected| wrong_value(setting, text, &written.origin, &expected))?;
        self.keep(setting, written.values.clone(), written.origin);
        Ok(value)
    }

    fn optional<T>(
        &mut self,
        setting: &'static Setting,
        parse: fn(&str) -> Result<T, String>,
    ) -> Result<Option<T>> {
        Ok(self.many(setting, parse)?.pop())
    }

    fn many<T>(&mut self, setting: &'static Setting, parse: fn(&str) -> Result<T, String>) -> Result<Vec<T>> {
        let Some(written) = find(setting, self.flags, self.env, self.file)? else {
            self.keep(setting, Vec::new(), Origin::Default);
            return Ok(Vec::new());
        };
        let parsed = written.values.iter().map(|text| {
            parse(text).map_err(|expected| wrong_value(setting, text, &written.origin, &expected))
        });
        let parsed = parsed.collect::<Result<_>>()?;
        self.keep(setting, written.values, written.origin);
        Ok(parsed)
    }

    fn secrets(&mut self, setting: &'static Setting) -> Result<Vec<Secret>> {
        let Some(written) = find(setting, self.flags, self.env, self.file)? else {
            self.keep(setting, Vec::new(), Origin::Default);
            return Ok(Vec::new());
        };
        let tokens = written.values.iter().map(|text| token(text, &written.origin));
        let tokens = tokens.collect::<Result<Vec<_>>>()?;
        self.keep(setting, tokens.iter().map(Secret::to_string).collect(), written.origin);
        Ok(tokens)
    }

    /// One text that nobody is shown. Whoever parses it keeps it out of errors, too.
    fn secret(&mut self, setting: &'static Setting) -> Result<Option<String>> {
        let Some(written) = find(setting, self.flags, self.env, self.file)? else {
            self.keep(setting, Vec::new(), Origin::Default);
            return Ok(None);
        };
        let text = written.values.into_iter().next().filter(|text| !text.trim().is_empty());
        self.keep(setting, text.iter().map(|_| "[hidden]".to_owned()).collect(), written.origin);
        Ok(text)
    }

    /// An address, of which only what is no secret is shown: people paste keys and passwords along with it.
    fn address(&mut self, setting: &'static Setting) -> Result<Option<String>> {
        let Some(written) = find(setting, self.flags, self.env, self.file)? else {
            self.keep(setting, Vec::new(), Origin::Default);
            return Ok(None);
        };
        let text = written.values.into_iter().next().filter(|text| !text.trim().is_empty());
        self.keep(setting, text.iter().map(|text| without_secrets(text)).collect(), written.origin);
        Ok(text)
    }

    fn keep(&mut self, setting: &'static Setting, shown: Vec<String>, origin: Origin) {
        self.resolved.push(Resolved { setting, shown, origin });
    }
}

/// Where the data file is, which tells where the chosen models are.
fn data_directory(flags: &Flags, env: &Environment, file: Option<&ConfigFile>) -> Result<PathBuf> {
    let file = file.map(FileValues::parse).transpose()?;
    Reader { flags, env, file: file.as_ref(), resolved: Vec::new() }.data()
}

fn named_config(flags: &Flags, env: &Environment) -> Option<PathBuf> {
    flags.config().map(PathBuf::from).or_else(|| env.path(CONFIG_ENV))
}

/// Where the settings file is looked for. None: nobody named one, and the platform has no place for it.
fn config_place(flags: &Flags, env: &Environment) -> Option<PathBuf> {
    let of_platform = || Some(platform::config_directory(Platform::here(), env)?.join("reverie.toml"));
    named_config(flags, env).or_else(of_platform)
}

/// The file named by flag or variable must exist; the platform's own may.
fn read_config_file(flags: &Flags, env: &Environment) -> Result<Option<ConfigFile>> {
    let is_named = named_config(flags, env).is_some();
    let Some(path) = config_place(flags, env) else { return Ok(None) };
    if !is_named && !path.exists() {
        return Ok(None);
    }
    let text = read(&path, "the settings file")?;
    Ok(Some(ConfigFile { path, text }))
}

fn read(path: &Path, what: &str) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| {
        Error::new(Code::Unavailable, format!("cannot read {what} {}: {error}", path.display()))
    })
}

fn token(text: &str, origin: &Origin) -> Result<Secret> {
    Secret::parse(text).map_err(|expected| {
        Error::invalid(format!("a token from {origin} {expected}")).hint("`reverie token` makes one")
    })
}

fn wrong_value(setting: &Setting, text: &str, origin: &Origin, expected: &str) -> Error {
    Error::invalid(format!("`{}` cannot be \"{text}\" (from {origin})", setting.name)).hint(expected)
}

/// `https://user:word@host/path?key=…` is shown as `https://host/path`.
fn without_secrets(address: &str) -> String {
    let address = address.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = address.split_once("://").map_or(("", address), |(scheme, rest)| (scheme, rest));
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    if scheme.is_empty() { rest.to_owned() } else { format!("{scheme}://{rest}") }
}

fn unknown_variable(name: &str) -> String {
    match near_names(name, TABLE.iter().map(|setting| setting.env)).as_slice() {
        [] => format!("the environment variable {name} is not a setting of Reverie"),
        near => {
            format!("the environment variable {name} is not a setting; did you mean {}?", near.join(" or "))
        }
    }
}

fn path(text: &str) -> Result<PathBuf, String> {
    if text.is_empty() { Err("write a path".to_owned()) } else { Ok(PathBuf::from(text)) }
}

fn world(text: &str) -> Result<WorldId, String> {
    WorldId::new(text).map_err(|error| error.to_string())
}

fn character(text: &str) -> Result<CharacterId, String> {
    CharacterId::new(text).map_err(|error| error.to_string())
}

fn switch(text: &str) -> Result<bool, String> {
    match text {
        "on" | "true" => Ok(true),
        "off" | "false" => Ok(false),
        _ => Err("write on or off".to_owned()),
    }
}

fn level(text: &str) -> Result<tracing::level_filters::LevelFilter, String> {
    text.parse().map_err(|_| LOG_LEVEL.meaning.to_owned())
}

fn format_is_json(text: &str) -> Result<bool, String> {
    match text {
        "json" => Ok(true),
        "text" => Ok(false),
        _ => Err(LOG_FORMAT.meaning.to_owned()),
    }
}
