//! Where can a setting be written, and which of these places wins?
//!
//! A flag wins over the environment, the environment over the file, the file over the default.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use clap::{Arg, ArgAction, ArgMatches, Command};
use reverie_core::{Error, Result};

use super::table::{CONFIG_ENV, CONFIG_FLAG, Kind, Setting, TABLE};

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    Flag(&'static str),
    Environment(&'static str),
    File(PathBuf),
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "--{flag}"),
            Self::Environment(name) => f.write_str(name),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

/// A written value, not yet understood. An empty list stands for «nothing».
pub(crate) struct Written {
    pub(crate) values: Vec<String>,
    pub(crate) origin: Origin,
}

/// Looks through flags, environment and file, in this order; None means the default.
pub(crate) fn find(
    setting: &'static Setting,
    flags: &Flags,
    env: &Environment,
    file: Option<&FileValues>,
) -> Result<Option<Written>> {
    if let Some((flag, values)) = setting.flag.and_then(|flag| Some((flag, flags.values.get(flag)?))) {
        return Ok(Some(Written { values: values.clone(), origin: Origin::Flag(flag) }));
    }
    if let Some(value) = env.text(setting.env)? {
        let values = match setting.kind {
            Kind::One(_) | Kind::Secret | Kind::Object => vec![value],
            Kind::Many(_) | Kind::Secrets => {
                value.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
            }
        };
        return Ok(Some(Written { values, origin: Origin::Environment(setting.env) }));
    }
    Ok(file.and_then(|file| {
        let (values, path) = file.values.get(setting.name)?.clone();
        Some(Written { values, origin: Origin::File(path) })
    }))
}

/// The settings on the command line, by flag; the flags themselves come from the table.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flags {
    values: BTreeMap<&'static str, Vec<String>>,
}

impl Flags {
    pub(crate) fn config(&self) -> Option<&str> {
        self.values.get(CONFIG_FLAG)?.first().map(String::as_str)
    }

    #[cfg(test)]
    pub(crate) fn of(values: &[(&'static str, &str)]) -> Self {
        let mut flags = Self::default();
        for (flag, value) in values {
            flags.values.entry(flag).or_default().push((*value).to_owned());
        }
        flags
    }
}

impl Flags {
    /// For a command that has no use for settings: it takes them, as every command does, and its help is about itself.
    pub(crate) fn hidden(command: Command) -> Command {
        Self::all().map(|flag| flag.hide(true)).fold(command, Command::arg)
    }

    fn all() -> impl Iterator<Item = Arg> {
        let config = Arg::new(CONFIG_FLAG)
            .long(CONFIG_FLAG)
            .value_name("FILE")
            .help("File with settings (TOML) [default: reverie/reverie.toml below the platform's config directory]")
            .global(true)
            .help_heading("Settings");
        let of_settings = TABLE.iter().filter_map(|setting| Some((setting, setting.flag?)));
        std::iter::once(config).chain(of_settings.map(|(setting, flag)| {
            let (action, value) = match setting.kind {
                Kind::One(value) => (ArgAction::Set, value),
                Kind::Many(value) => (ArgAction::Append, value),
                Kind::Secrets => (ArgAction::Append, "TOKEN"),
                Kind::Secret => (ArgAction::Set, "SECRET"),
                Kind::Object => (ArgAction::Set, "JSON"),
            };
            let help = match super::show::default_text(setting) {
                "" => setting.meaning.to_owned(),
                default => format!("{} [default: {default}]", setting.meaning),
            };
            Arg::new(flag)
                .long(flag)
                .value_name(value)
                .action(action)
                .help(help)
                .global(true)
                .help_heading("Settings")
                // `-h` stays short; `--help` has all.
                .hide_short_help(setting.name.contains('.'))
        }))
    }
}

impl clap::Args for Flags {
    fn augment_args(command: Command) -> Command {
        Self::all().fold(command, Command::arg)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let flags = TABLE.iter().filter_map(|setting| setting.flag).chain([CONFIG_FLAG]);
        let values = flags
            .filter_map(|flag| Some((flag, matches.get_many::<String>(flag)?.cloned().collect())))
            .collect();
        Ok(Self { values })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The process's environment, read once. Has no Debug: tokens are in it.
#[derive(Clone, Default)]
pub(crate) struct Environment {
    variables: BTreeMap<OsString, OsString>,
    account_home: Option<PathBuf>,
}

impl Environment {
    /// The only place that asks the process for its environment.
    pub(crate) fn read() -> Self {
        Self { variables: std::env::vars_os().collect(), account_home: std::env::home_dir() }
    }

    #[cfg(test)]
    pub(crate) fn of(variables: &[(&str, &str)]) -> Self {
        let variables = variables.iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self { variables, account_home: None }
    }

    /// A variable's text; an empty one counts as unset, as everywhere in shells and compose files.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>> {
        let Some(value) = self.variables.get(&OsString::from(name)).filter(|value| !value.is_empty()) else {
            return Ok(None);
        };
        let text = value.to_str().ok_or_else(|| Error::invalid(format!("{name} is not valid Unicode")))?;
        Ok(Some(text.to_owned()))
    }

    pub(crate) fn path(&self, name: &str) -> Option<PathBuf> {
        self.variables.get(&OsString::from(name)).filter(|value| !value.is_empty()).map(PathBuf::from)
    }

    pub(crate) fn home(&self) -> Option<PathBuf> {
        self.path("HOME").or_else(|| self.account_home.clone())
    }

    /// A misspelt variable must not be ignored in silence; but others may own a `REVERIE_…` too, so it is no error.
    pub(crate) fn unknown_names(&self) -> Vec<String> {
        let known = |name: &str| name == CONFIG_ENV || TABLE.iter().any(|setting| setting.env == name);
        let names = self.variables.keys().filter_map(|name| name.to_str());
        names.filter(|name| name.starts_with("REVERIE_") && !known(name)).map(str::to_owned).collect()
    }
}

/// A settings file as it lies on the disk. Has no Debug: keys are in it.
#[derive(Clone)]
pub(crate) struct ConfigFile {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// A settings file, its keys known to be settings.
#[derive(Default)]
pub(crate) struct FileValues {
    path: PathBuf,
    /// With the file that each comes from.
    values: BTreeMap<&'static str, (Vec<String>, PathBuf)>,
}

impl FileValues {
    pub(super) fn one(&self, setting: &Setting) -> Option<&str> {
        self.values.get(setting.name)?.0.first().map(String::as_str)
    }

    pub(super) fn take_away(&mut self, setting: &Setting) {
        self.values.remove(setting.name);
    }

    pub(super) fn put(&mut self, setting: &'static Setting, text: String, from: &Path) {
        self.values.insert(setting.name, (vec![text], from.to_owned()));
    }

    pub(crate) fn parse(file: &ConfigFile) -> Result<Self> {
        let table: toml::Table = file.text.parse().map_err(|error| syntax_error(file, &error))?;
        let mut found = Self { path: file.path.clone(), values: BTreeMap::new() };
        found.collect("", &table)?;
        Ok(found)
    }

    fn collect(&mut self, prefix: &str, table: &toml::Table) -> Result<()> {
        for (key, value) in table {
            let name = format!("{prefix}{key}");
            let inside = format!("{name}.");
            if let Some(setting) = TABLE.iter().find(|setting| setting.name == name) {
                let texts = texts(setting, value, &self.path)?;
                self.values.insert(setting.name, (texts, self.path.clone()));
            } else if let Some(inner) = value.as_table()
                && TABLE.iter().any(|setting| setting.name.starts_with(&inside))
            {
                self.collect(&inside, inner)?;
            } else {
                return Err(unknown_key(&name, &self.path));
            }
        }
        Ok(())
    }
}

fn texts(setting: &Setting, value: &toml::Value, path: &Path) -> Result<Vec<String>> {
    let one = |value: &toml::Value| match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        _ => None,
    };
    let texts = match (value, setting.kind) {
        (toml::Value::Array(values), Kind::Many(_) | Kind::Secrets) => values.iter().map(one).collect(),
        (table @ toml::Value::Table(_), Kind::Object) => {
            serde_json::to_string(table).ok().map(|text| vec![text])
        }
        (value, _) => one(value).map(|text| vec![text]),
    };
    // The value itself is not repeated: it may be a secret.
    texts.ok_or_else(|| {
        let expected = match setting.kind {
            Kind::One(_) | Kind::Secret => "a text or a whole number",
            Kind::Many(_) | Kind::Secrets => "a list of texts",
            Kind::Object => "a table, or a text with a JSON object",
        };
        Error::invalid(format!("`{}` in {} is not {expected}", setting.name, path.display()))
            .hint(setting.meaning)
    })
}

/// Not the parser's own text: that quotes the line, and the line may hold a token.
fn syntax_error(file: &ConfigFile, error: &toml::de::Error) -> Error {
    let before = error.span().and_then(|span| file.text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let path = file.path.display();
    Error::invalid(format!("{path} is not valid TOML: line {line}: {}", error.message()))
        .hint("texts need quotation marks, as in listen = \"127.0.0.1:7878\"")
}

fn unknown_key(name: &str, path: &Path) -> Error {
    let near = near_names(name, TABLE.iter().map(|setting| setting.name));
    let error = Error::invalid(format!("unknown setting `{name}` in {}", path.display()));
    match near.as_slice() {
        [] => error.hint("`reverie config --reference` lists all settings"),
        near => error.hint(format!("did you mean {}?", near.join(" or "))),
    }
}

/// The up to three names that someone who wrote `name` may have meant, nearest first.
pub(crate) fn near_names<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<String> {
    // What all names share says nothing about which was meant.
    let whole = |name: &str| name.to_lowercase().trim_start_matches("reverie_").to_owned();
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_lowercase();
    let mut scored: Vec<(f64, &str)> = known
        .map(|candidate| {
            let by_whole = strsim::normalized_damerau_levenshtein(&whole(name), &whole(candidate));
            let by_last = strsim::normalized_damerau_levenshtein(&last(name), &last(candidate));
            (by_whole.max(by_last), candidate)
        })
        .filter(|(score, _)| *score >= 0.6)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = scored.first().map_or(0.0, |(score, _)| *score);
    let close = scored.into_iter().filter(|(score, _)| *score >= best - 0.15);
    close.take(3).map(|(_, candidate)| format!("`{candidate}`")).collect()
}
