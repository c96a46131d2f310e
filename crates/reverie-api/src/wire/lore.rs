//! A search of world books on the wire: what is looked at.

use std::collections::BTreeMap;
use std::sync::Arc;

use reverie_core::cue::{LoreCue, LoreName, LoreTexts};
use reverie_core::lore::timers::{Kind, Timer};
use reverie_core::lore::{Names, Rules, Spelling, Timers};
use reverie_core::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Generation, TimerKind};

/// Books, messages and state in; active entries and the new state out. Nothing is stored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LoreScan")]
pub struct ScanBody {
    /// World books in any format that can be imported, or cards with a book on them; the lowest of the stack first.
    pub books: Vec<ScanBook>,
    /// Oldest first.
    #[serde(alias = "chat")]
    pub messages: Vec<ScanMessage>,
    /// How many messages the conversation has, if not only these: timers count them.
    pub message_count: Option<u32>,
    #[serde(default)]
    pub settings: LoreSettings,
    /// Tokens of the whole prompt; the lore budget is a share of it. Default 8192. Also taken as `maxContext`.
    #[serde(alias = "maxContext")]
    pub max_context: Option<usize>,
    /// What counts the lore budget; `utf16/4` is a quarter of the UTF-16 length, rounded up. Default `estimate`.
    #[schemars(with = "Option<super::LoreCounter>")]
    pub tokens: Option<String>,
    /// Whom `{{user}}` and `{{char}}` name.
    pub names: Option<ScanNames>,
    pub character: Option<ScanCharacter>,
    /// Texts besides the chat that entries may want searched. Also taken as `scan`.
    #[serde(default, alias = "scan")]
    pub texts: ScanTexts,
    /// The kind of generation. Default `normal`. Also taken as `trigger`.
    #[serde(alias = "trigger")]
    #[schemars(with = "Option<Generation>")]
    pub generation: Option<String>,
    /// Facts of the scene, for conditions: place, faction, quest flags … A text, a number, true or false, or a list of them:
    /// then a condition holds if it does for one of them; or an object, whose members are facts by their path
    /// (`quest.dragon`).
    #[serde(default)]
    pub facts: Map<String, Value>,
    /// Emotions in the air, for emotional entries.
    #[serde(default)]
    pub mood: Vec<String>,
    /// What it is about: sets off entries that name one of these topics.
    #[serde(default)]
    pub topics: Vec<String>,
    pub tick: Option<i64>,
    pub ticks_per_day: Option<f64>,
    /// Entries whose meaning is near what is said, for vectorized and semantic entries.
    #[serde(default)]
    pub similar: Vec<SimilarEntry>,
    /// `state` of the answer before; absent: nothing is running.
    pub state: Option<LoreState>,
    /// Random draws come from it; the same seed gives the same answer. Default 0.
    pub seed: Option<u64>,
    /// Random draws from 0 to 1, used before those of the seed, one after another: in each pass one for every inclusion group
    /// that is drawn, then entry by entry its chance and, where it comes in, each `{{random}}`, `{{pick}}` and die of `{{roll}}`
    /// in its content, from left to right. `draws` of an answer, sent again, bring the same answer.
    #[serde(default)]
    pub draws: Vec<f64>,
    /// Tell of every entry why it is not active.
    #[serde(default)]
    pub explain: bool,
}

/// A book, or a book with a name and a place in the stack.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ScanBook {
    Placed {
        /// Default: the number of its place in the list.
        id: Option<String>,
        /// Of entries of equal order, those of the book with the lowest rank are chosen first, as far as the budget reaches,
        /// and stand last, nearest to what is said. Default: its place in the list.
        rank: Option<i64>,
        #[schemars(with = "Map<String, Value>")]
        document: Value,
    },
    Plain(Value),
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct ScanMessage {
    #[serde(default)]
    pub name: String,
    /// Also taken as `content` and `mes`.
    #[serde(alias = "content", alias = "mes")]
    pub text: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScanNames {
    pub user: Option<String>,
    pub char: Option<String>,
}

/// Whom filters are asked about.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScanCharacter {
    /// Ids and names that mean the character.
    #[serde(default)]
    pub names: Vec<String>,
    /// The name of its card's file.
    pub file: Option<String>,
    /// Names or ids (see `settings.tags`). Absent: nobody knows them, and filters by tag let the character through; an empty
    /// list: it has none.
    pub tags: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScanTexts {
    #[serde(default, alias = "personaDescription")]
    pub persona: String,
    #[serde(default, alias = "characterDescription")]
    pub character: String,
    #[serde(default, alias = "characterPersonality")]
    pub personality: String,
    #[serde(default, alias = "characterDepthPrompt")]
    pub depth_prompt: String,
    #[serde(default)]
    pub scenario: String,
    #[serde(default, alias = "creatorNotes")]
    pub creator_notes: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SimilarEntry {
    pub book: String,
    pub entry: String,
    /// From 0 to 1.
    pub score: f64,
}

/// For world books: tags for filters, texts besides the chat, and entries near in meaning.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LoreCue")]
pub struct LoreCueBody {
    /// Of the character, for filters, as names or ids. Absent: those that are stored with it, and if none are, filters by tag
    /// let it through; an empty list: it has none.
    pub tags: Option<Vec<String>>,
    /// What it is about: sets off entries that name one of these topics.
    #[serde(default)]
    pub topics: Vec<String>,
    /// The persona is searched as `character` if none is given.
    #[serde(default)]
    pub texts: ScanTexts,
    #[serde(default)]
    pub similar: Vec<SimilarEntry>,
}

impl From<LoreCueBody> for LoreCue {
    fn from(body: LoreCueBody) -> Self {
        let near = |near: SimilarEntry| {
            (LoreName { book: Arc::from(near.book), entry: Arc::from(near.entry) }, near.score)
        };
        Self {
            tags: body.tags,
            topics: body.topics,
            texts: LoreTexts {
                persona: body.texts.persona,
                character: body.texts.character,
                personality: body.texts.personality,
                depth_prompt: body.texts.depth_prompt,
                scenario: body.texts.scenario,
                creator_notes: body.texts.creator_notes,
            },
            similar: body.similar.into_iter().map(near).collect(),
            most_similar: None,
        }
    }
}

/// How books are searched; what is absent is as authors expect it.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoreSettings {
    /// Messages to search. Default 2.
    pub depth: Option<u32>,
    /// Share of the context for lore, in percent. Default 25.
    pub budget_percent: Option<f64>,
    /// In tokens; 0: none.
    pub budget_cap: Option<u32>,
    pub recursive: Option<bool>,
    pub case_sensitive: Option<bool>,
    /// Also taken as `match_whole_words`.
    #[serde(alias = "match_whole_words")]
    pub whole_words: Option<bool>,
    /// Search `name: text`. Default true.
    pub include_names: Option<bool>,
    pub min_activations: Option<u32>,
    pub min_activations_depth_max: Option<u32>,
    pub max_recursion_steps: Option<u32>,
    /// Also taken as `use_group_scoring`.
    #[serde(alias = "use_group_scoring")]
    pub group_scoring: Option<bool>,
    /// Full-width and half-width forms are the same.
    pub fold_width: Option<bool>,
    /// Traditional, simplified and Japanese characters are the same.
    pub fold_script: Option<bool>,
    /// What tags are called: the name of each id that filters may name instead.
    #[serde(default)]
    pub tags: BTreeMap<String, String>,
}

impl From<LoreSettings> for Rules {
    fn from(settings: LoreSettings) -> Self {
        let usual = Self::default();
        Self {
            depth: settings.depth.unwrap_or(usual.depth),
            budget_percent: settings.budget_percent.unwrap_or(usual.budget_percent),
            budget_cap: settings.budget_cap.unwrap_or(usual.budget_cap),
            recursive: settings.recursive.unwrap_or(usual.recursive),
            max_recursion_steps: settings.max_recursion_steps.unwrap_or(usual.max_recursion_steps),
            min_activations: settings.min_activations.unwrap_or(usual.min_activations),
            min_activations_depth_max: settings
                .min_activations_depth_max
                .unwrap_or(usual.min_activations_depth_max),
            include_names: settings.include_names.unwrap_or(usual.include_names),
            whole_words: settings.whole_words.unwrap_or(usual.whole_words),
            group_scoring: settings.group_scoring.unwrap_or(usual.group_scoring),
            spelling: Spelling {
                case_sensitive: settings.case_sensitive.unwrap_or(usual.spelling.case_sensitive),
                fold_width: settings.fold_width.unwrap_or(usual.spelling.fold_width),
                fold_script: settings.fold_script.unwrap_or(usual.spelling.fold_script),
            },
            tags: settings.tags,
            most_steps: usual.most_steps,
        }
    }
}

impl From<ScanNames> for Names {
    fn from(names: ScanNames) -> Self {
        let usual = Self::default();
        Self { user: names.user.unwrap_or(usual.user), char: names.char.unwrap_or(usual.char) }
    }
}

/// What is running in a conversation. Keep it as it is and send it with the next search of the same branch.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoreState {
    #[serde(default)]
    pub timers: Vec<TimerView>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimerView {
    pub book: String,
    pub entry: String,
    #[schemars(with = "TimerKind")]
    pub kind: String,
    /// Messages there were when it began.
    pub start: u32,
    /// Over when there are this many.
    pub end: u32,
    #[serde(default)]
    pub protected: bool,
}

const KINDS: [(Kind, &str); 4] =
    [(Kind::Sticky, "sticky"), (Kind::Cooldown, "cooldown"), (Kind::Kept, "kept"), (Kind::Spent, "spent")];

impl LoreState {
    pub fn into_timers(self) -> Result<Timers> {
        let list = self.timers.into_iter().map(TimerView::into_timer).collect::<Result<_>>()?;
        Ok(Timers { list })
    }
}

impl TimerView {
    fn into_timer(self) -> Result<Timer> {
        let kind = KINDS.iter().find(|(_, name)| *name == self.kind).ok_or_else(|| {
            Error::invalid(format!("there is no timer of the kind {:?}", self.kind))
                .hint("send `state` back as it came")
        })?;
        Ok(Timer {
            book: Arc::from(self.book),
            entry: Arc::from(self.entry),
            kind: kind.0,
            start: self.start,
            end: self.end,
            protected: self.protected,
        })
    }
}

impl From<Timers> for LoreState {
    fn from(timers: Timers) -> Self {
        let name = |kind| KINDS.iter().find(|(known, _)| *known == kind).map_or("", |(_, name)| name);
        let view = |timer: Timer| TimerView {
            book: timer.book.to_string(),
            entry: timer.entry.to_string(),
            kind: name(timer.kind).to_owned(),
            start: timer.start,
            end: timer.end,
            protected: timer.protected,
        };
        Self { timers: timers.list.into_iter().map(view).collect() }
    }
}
