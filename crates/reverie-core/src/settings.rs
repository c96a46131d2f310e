//! What can be set about a world, what does each preset choose, and what does a value mean?
//!
//! Settings live as flat dotted keys with text values (`calendar.kind` = `rimworld`): one shape for the wire, the
//! store and the reference.

pub mod described;
mod for_one_prompt;
pub mod recall;

use std::collections::BTreeMap;

use crate::digest::DigestRules;
use crate::layers::LayerRules;
use crate::lore::Rules;
use crate::perspective::{AddressedNames, Profile};
use crate::time::{Calendar, Language};
use crate::tokens::Counter;
use crate::{CharacterId, Error, Result};
pub use recall::RecallRules;

/// Flat dotted keys and their values.
pub type Pairs = BTreeMap<String, String>;

/// Defaults for a kind of host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preset {
    /// A character and the person it keeps company.
    #[default]
    Companion,
    /// A cast in a simulated world.
    Game,
    /// One bot among many people who must not learn each other's secrets.
    Bot,
}

impl Preset {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Companion => "companion",
            Self::Game => "game",
            Self::Bot => "bot",
        }
    }

    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "companion" => Ok(Self::Companion),
            "game" => Ok(Self::Game),
            "bot" => Ok(Self::Bot),
            _ => Err(Error::invalid(format!("unknown preset {name:?}")).hint("use companion, game or bot")),
        }
    }
}

/// Who must have witnessed a thing from elsewhere before it may enter a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Audience {
    /// The character itself.
    #[default]
    Open,
    /// Nothing from elsewhere at all.
    SameConversation,
    /// Everybody who is present now.
    Strict,
}

/// Which conversations make up the history in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HistoryScope {
    /// All conversations among exactly those present.
    #[default]
    Primary,
    /// Only the one that is going on.
    Conversation,
}

impl HistoryScope {
    const NAMES: [(&'static str, Self); 2] =
        [("primary", Self::Primary), ("conversation", Self::Conversation)];

    pub fn from_name(name: &str) -> Result<Self> {
        choose("the history scope", name, &Self::NAMES)
    }
}

/// Settings as the engine uses them.
#[derive(Debug, Clone, PartialEq)]
pub struct WorldSettings {
    pub language: Language,
    pub narrator_names: Vec<String>,
    pub calendar: Option<Calendar>,
    pub profile: Profile,
    pub audience: Audience,
    pub history_scope: HistoryScope,
    pub counter: Counter,
    /// Tokens of a whole prompt, where the cue names no budget.
    pub budget: usize,
    /// Lines of background in a prompt.
    pub background_lines: usize,
    /// The most of the budget that background may take, in percent.
    pub background_percent: usize,
    pub lore: Rules,
    /// Entries that are found by meaning: how near at least, and how many at most.
    pub lore_similarity: f64,
    pub lore_similar_entries: usize,
    /// Which embedder compares meanings; None: the default.
    pub embedder: Option<String>,
    /// How long a prompt waits for an embedder.
    pub embed_ms: i64,
    pub digest: DigestRules,
    pub layers: LayerRules,
    /// Of whoever has no rules of their own: see [`Self::recall_of`].
    pub recall: RecallRules,
    recall_of: BTreeMap<CharacterId, RecallRules>,
}

/// Every key: its name (`*` for a family), its default, what it means.
pub const KEYS: &[(&str, &str, &str)] = &[
    (
        "language",
        "zh",
        "language of labels and times in prompts: zh or en. With en, lines that a profile joins with nothing between them stand below each other",
    ),
    ("narrator.names.*", "旁白, Narrator", "speakers with these names are narrators; numbered from 0"),
    ("calendar.*", "none", "how ticks become dates; see the table of calendar keys"),
    (
        "perspective.profile",
        "example (bot: with addressed_names = when-several and a line break as addressed_joiner)",
        "how others' lines are written: example or rule-text, just as they are",
    ),
    ("perspective.*", "", "single parts of the profile; see the table of profile keys"),
    (
        "audience",
        "open (bot: strict)",
        "what from elsewhere may enter a prompt: open, same-conversation or strict",
    ),
    (
        "prompt.history",
        "primary (bot: conversation)",
        "history in a prompt: primary (all conversations among exactly those present) or conversation",
    ),
    ("lore.depth", "2", "messages that world books are searched for"),
    ("lore.budget_percent", "25", "the most of the budget that lore may take, in percent"),
    ("lore.budget_cap", "0", "the most tokens of lore; 0: no cap"),
    ("lore.recursive", "false", "entries set off others: true or false"),
    ("lore.max_recursion_steps", "0", "passes over the books at most; 0: no limit"),
    ("lore.min_activations", "0", "search further back until so many entries are active"),
    ("lore.min_activations_depth_max", "0", "how many messages back at most; 0: no limit"),
    ("lore.include_names", "true", "search the names of speakers too: true or false"),
    ("lore.case_sensitive", "false", "upper and lower case differ in keys: true or false"),
    ("lore.whole_words", "false", "keys match whole words only: true or false"),
    ("lore.group_scoring", "false", "in a group the entry with the most keys wins: true or false"),
    (
        "lore.fold_width",
        "false",
        "full-width and half-width forms are the same in keys and patterns: true or false",
    ),
    (
        "lore.fold_script",
        "false",
        "traditional, simplified and Japanese forms are the same in keys and patterns: true or false",
    ),
    (
        "lore.tags.*",
        "",
        "what a tag is called: the key ends in its id, as filters of imported books name it; the value is its name",
    ),
    ("lore.similarity", "0.3", "entries that are found by meaning: how near at least, from 0 to 1"),
    ("lore.similar_entries", "5", "entries that are found by meaning, the nearest so many"),
    (
        "embedder",
        "default",
        "what compares meanings: default (the configured model, else the built-in table), offline (the built-in table) or none",
    ),
    ("prompt.embed_ms", "300", "how long a prompt waits for the embedder, in milliseconds"),
    ("prompt.counter", "estimate", "token counter: estimate or o200k"),
    ("prompt.budget", "16384", "tokens of a whole prompt, where the cue names no budget"),
    ("prompt.background_lines", "10", "lines of background in a prompt; 0 turns it off"),
    ("prompt.background_percent", "25", "the most of the budget that background may take, in percent"),
    ("digest.*", "", "what becomes a memory; see the table of digest keys"),
    ("layers.*", "", "how memories fade; see the table of layer keys"),
    (
        "recall.*",
        "",
        "what comes to mind; see the table of recall keys. For one character alone: the key, `@` and its id",
    ),
];

/// However the limits are set: a hundredfold of it is exact on machines of 32 bits too.
pub const MAX_BUDGET: usize = 1 << 25;

impl WorldSettings {
    /// Checks all pairs and gives every setting a value.
    pub fn resolve(preset: Preset, pairs: &Pairs) -> Result<Self> {
        let mut settings = Self::defaults(preset);
        for (key, value) in pairs {
            settings.set(key, value)?;
        }
        settings.narrator_names = narrator_names(pairs);
        settings.calendar = Calendar::from_pairs(family(pairs, "calendar."))?;
        if let Some(name) = pairs.get("perspective.profile") {
            settings.profile = Profile::from_name(name)?;
        }
        if settings.language == Language::En {
            settings.profile = settings.profile.spaced();
        }
        let parts = family(pairs, "perspective.").filter(|(key, _)| *key != "profile");
        settings.profile = Profile::from_pairs(settings.profile, parts)?;
        settings.recall_of = recall_of(&settings.recall, pairs)?;
        Ok(settings)
    }

    /// The rules of recall for a character: its own, and else the world's.
    pub fn recall_of(&self, character: &CharacterId) -> &RecallRules {
        self.recall_of.get(character).unwrap_or(&self.recall)
    }

    fn defaults(preset: Preset) -> Self {
        Self {
            language: Language::Zh,
            narrator_names: Vec::new(),
            calendar: None,
            profile: default_profile(preset),
            audience: if preset == Preset::Bot { Audience::Strict } else { Audience::Open },
            // A bot's private chat and its group can have the same people in it, as far as it knows.
            history_scope: if preset == Preset::Bot {
                HistoryScope::Conversation
            } else {
                HistoryScope::Primary
            },
            counter: Counter::Estimate,
            budget: 16384,
            background_lines: 10,
            background_percent: 25,
            lore: Rules::default(),
            lore_similarity: 0.3,
            lore_similar_entries: 5,
            embedder: None,
            embed_ms: 300,
            digest: DigestRules::default(),
            layers: LayerRules::default(),
            recall: RecallRules::default(),
            recall_of: BTreeMap::new(),
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        match key {
            "language" => self.language = Language::from_name(value)?,
            "audience" => {
                self.audience = choose(
                    key,
                    value,
                    &[
                        ("open", Audience::Open),
                        ("same-conversation", Audience::SameConversation),
                        ("strict", Audience::Strict),
                    ],
                )?;
            }
            "prompt.history" => self.history_scope = choose(key, value, &HistoryScope::NAMES)?,
            "embedder" => self.embedder = embedder_name(key, value)?,
            "prompt.embed_ms" => self.embed_ms = number(key, value, 60_000)? as i64,
            "lore.similarity" => self.lore_similarity = real(key, value, 0.0..=1.0)?,
            "lore.similar_entries" => self.lore_similar_entries = number(key, value, 1000)?,
            "prompt.counter" => self.counter = Counter::from_name(value)?,
            "prompt.budget" => self.budget = number(key, value, MAX_BUDGET)?,
            "prompt.background_lines" => self.background_lines = number(key, value, MAX_BUDGET)?,
            "prompt.background_percent" => self.background_percent = number(key, value, 100)?,
            _ if key.starts_with("lore.") => self.set_lore(key, value)?,
            _ if key.starts_with("digest.") => self.digest.set(key, value)?,
            _ if key.starts_with("layers.") => self.layers.set(key, value)?,
            // Those of single characters wait for the whole of the world's.
            _ if key.starts_with("recall.") && key.contains('@') => {}
            _ if key.starts_with("recall.") => self.recall.set(key, value)?,
            // Families are read as a whole.
            _ if ["narrator.names.", "calendar.", "perspective."]
                .iter()
                .any(|family| key.starts_with(family)) => {}
            _ => return Err(unknown(key)),
        }
        Ok(())
    }
}

impl WorldSettings {
    fn set_lore(&mut self, key: &str, value: &str) -> Result<()> {
        let count = || number(key, value, MAX_BUDGET).map(|number| number as u32);
        let flag = || choose(key, value, &[("true", true), ("false", false)]);
        let lore = &mut self.lore;
        match key {
            "lore.depth" => lore.depth = count()?,
            "lore.budget_percent" => lore.budget_percent = number(key, value, 100)? as f64,
            "lore.budget_cap" => lore.budget_cap = count()?,
            "lore.recursive" => lore.recursive = flag()?,
            "lore.max_recursion_steps" => lore.max_recursion_steps = count()?,
            "lore.min_activations" => lore.min_activations = count()?,
            "lore.min_activations_depth_max" => lore.min_activations_depth_max = count()?,
            "lore.include_names" => lore.include_names = flag()?,
            "lore.case_sensitive" => lore.spelling.case_sensitive = flag()?,
            "lore.whole_words" => lore.whole_words = flag()?,
            "lore.group_scoring" => lore.group_scoring = flag()?,
            "lore.fold_width" => lore.spelling.fold_width = flag()?,
            "lore.fold_script" => lore.spelling.fold_script = flag()?,
            _ => match key.strip_prefix("lore.tags.").filter(|id| !id.is_empty()) {
                Some(id) => drop(lore.tags.insert(id.to_owned(), value.to_owned())),
                None => return Err(unknown(key)),
            },
        }
        Ok(())
    }
}

/// The rules of characters that have their own: the world's, but for what is set for them.
fn recall_of(world: &RecallRules, pairs: &Pairs) -> Result<BTreeMap<CharacterId, RecallRules>> {
    let mut rules: BTreeMap<CharacterId, RecallRules> = BTreeMap::new();
    for (whole, value) in pairs.iter().filter(|(key, _)| key.starts_with("recall.")) {
        let Some((key, character)) = whole.split_once('@') else { continue };
        let refused = |error: Error| error.within(whole);
        let character = CharacterId::new(character).map_err(refused)?;
        let own = rules.entry(character).or_insert_with(|| world.clone());
        own.set(key, value).map_err(refused)?;
    }
    Ok(rules)
}

/// The settings after a change: an empty value takes one away, an empty value of `family.*` all that begin like it.
pub fn patched(mut pairs: Pairs, patch: &Pairs) -> Pairs {
    for family in
        patch.iter().filter(|(_, value)| value.is_empty()).filter_map(|(key, _)| key.strip_suffix('*'))
    {
        pairs.retain(|key, _| !key.starts_with(family));
    }
    for (key, value) in patch {
        if value.is_empty() {
            pairs.remove(key);
        } else {
            pairs.insert(key.clone(), value.clone());
        }
    }
    pairs
}

/// Among many people a bot must know who of them said what.
fn default_profile(preset: Preset) -> Profile {
    match preset {
        Preset::Companion | Preset::Game => Profile::example(),
        Preset::Bot => Profile {
            addressed_names: AddressedNames::WhenSeveral,
            addressed_joiner: "\n".to_owned(),
            ..Profile::example()
        },
    }
}

/// The names that make a speaker a narrator.
pub fn narrator_names(pairs: &Pairs) -> Vec<String> {
    let named: Vec<String> = family(pairs, "narrator.names.").map(|(_, name)| name.to_owned()).collect();
    if named.is_empty() { vec!["旁白".to_owned(), "Narrator".to_owned()] } else { named }
}

fn family<'a>(pairs: &'a Pairs, prefix: &'static str) -> impl Iterator<Item = (&'a str, &'a str)> {
    pairs.iter().filter_map(move |(key, value)| key.strip_prefix(prefix).map(|key| (key, value.as_str())))
}

pub(crate) fn choose<T: Copy>(key: &str, value: &str, choices: &[(&str, T)]) -> Result<T> {
    choices.iter().find(|(name, _)| *name == value).map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        Error::invalid(format!("{key} cannot be {value:?}")).hint(format!("use one of: {}", names.join(", ")))
    })
}

pub(crate) fn number(key: &str, value: &str, most: usize) -> Result<usize> {
    match value.parse() {
        Ok(number) if number <= most => Ok(number),
        _ => Err(Error::invalid(format!("{key} cannot be {value:?}"))
            .hint(format!("use a whole number from 0 to {most}"))),
    }
}

/// Which ones there are, only the engine knows.
fn embedder_name(key: &str, value: &str) -> Result<Option<String>> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match value {
        "default" => Ok(None),
        _ if !value.is_empty() && value.len() <= 64 && value.chars().all(is_name) => {
            Ok(Some(value.to_owned()))
        }
        _ => Err(Error::invalid(format!("{key} cannot be {value:?}"))
            .hint("use default, offline or none, or the name that the host gave an embedder")),
    }
}

/// A number with a point in it.
pub(crate) fn real(key: &str, value: &str, within: std::ops::RangeInclusive<f64>) -> Result<f64> {
    match value.parse::<f64>() {
        Ok(number) if within.contains(&number) => Ok(number),
        _ => Err(Error::invalid(format!("{key} cannot be {value:?}")).hint(format!(
            "use a number from {} to {}",
            within.start(),
            within.end()
        ))),
    }
}

pub(crate) fn unknown(key: &str) -> Error {
    let names: Vec<&str> = KEYS.iter().map(|(name, ..)| *name).collect();
    Error::invalid(format!("there is no setting {key:?}"))
        .hint(format!("the settings are: {}", names.join(", ")))
}
