//! What comes to a character's mind, how much of it enters a prompt, where and how is it written, and what may be set
//! about that?

use super::{MAX_BUDGET, choose, number, real};
use crate::compose::template::Template;
use crate::memory::Kind;
use crate::{Error, Result};

/// The rules of recall: of a world, or of one character in it.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallRules {
    pub enabled: bool,
    pub legs: Legs,
    /// At most so many memories are found by meaning. None: no limit.
    pub semantic_top: Option<usize>,
    /// What is less near by meaning was not found by it.
    pub semantic_floor: f32,
    kinds: [KindRules; 4],
    /// Below this score a memory that is not constant stays away.
    pub threshold: f32,
    /// Whether age counts.
    pub time_decay: bool,
    /// Whether feelings raise what was found.
    pub emotional_boost: bool,
    /// Memories that are so much alike are one. None: each stands for itself.
    pub near_duplicate: Option<f32>,
    /// Whether dormant rounds may be found too.
    pub archive: bool,
    /// How many of the last lines are the cue.
    pub said: usize,
    /// Of all memories in a prompt, headings included. None: no limit but the prompt's.
    pub max_chars: Option<usize>,
    pub max_tokens: Option<usize>,
    /// Of one memory: of a longer one the most telling part. None: each is told whole if there is room.
    pub max_memory_chars: Option<usize>,
    pub position: Position,
    /// Messages that follow, where the position is a depth.
    pub depth: usize,
    pub by_kind: bool,
    pub show_time: bool,
    pub show_source: bool,
    /// None: the built-in one.
    pub template: Option<Template>,
}

/// How much each way of finding a memory says; 0 silences it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Legs {
    pub keyword: f32,
    pub lexical: f32,
    pub semantic: f32,
    pub temporal: f32,
    pub emotional: f32,
    pub related: f32,
}

/// What holds for the memories of one kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KindRules {
    /// In one prompt; 0: none.
    pub most: usize,
    /// What being near is worth.
    pub weight: f32,
    /// What a feeling in common is worth.
    pub emotional_weight: f32,
    /// What each day takes away.
    pub decay: f32,
    /// Whether all of them are always in a prompt, whatever was said.
    pub constant: bool,
}

/// Where in a prompt the memories stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Position {
    /// Before the newest message, as a system message.
    #[default]
    System,
    /// Before the newest message, as words to the character.
    User,
    /// Before the newest message, as words of the character's own.
    Assistant,
    /// As a system message, with so many messages behind it.
    Depth,
}

impl Position {
    const NAMES: [(&'static str, Self); 4] = [
        ("system", Self::System),
        ("user", Self::User),
        ("assistant", Self::Assistant),
        ("depth", Self::Depth),
    ];
}

/// Every key: its name, its default, what it means.
pub const KEYS: &[(&str, &str, &str)] = &[
    ("recall.enabled", "true", "memories enter prompts, and are suggested: true or false"),
    ("recall.keyword", "0.5", "what it says that a memory's keyword was named, from 0 (nothing) to 2"),
    ("recall.lexical", "1", "what the words in common say, from 0 (nothing) to 2"),
    ("recall.semantic", "1", "what being near in meaning says, from 0 (nothing) to 2; needs an embedder"),
    ("recall.temporal", "0.4", "what the time says that was named, from 0 (nothing) to 2"),
    (
        "recall.emotional",
        "0.2",
        "what a feeling in common says, beside other ways and by itself, from 0 (nothing) to 2",
    ),
    (
        "recall.related",
        "0.15",
        "what it says that somebody is named whom a memory is about, or that it belongs to a found one, from 0 (nothing) to 2",
    ),
    (
        "recall.semantic_top",
        "0",
        "memories found by meaning, the nearest so many; 0: as many as any other way of finding brings, 100",
    ),
    ("recall.semantic_floor", "0", "how near in meaning a found memory is at least (cosine), from 0 to 1"),
    ("recall.most.episodic", "3", "memories of what happened in one prompt"),
    ("recall.most.semantic", "2", "facts in one prompt"),
    ("recall.most.trait", "5", "traits in one prompt"),
    ("recall.most.goal", "3", "goals in one prompt"),
    (
        "recall.threshold",
        "0.3",
        "how near a memory is at least, times what its kind is worth (recall.weight), unless it is constant; from 0 to 1",
    ),
    ("recall.weight.episodic", "0.8", "what being near is worth for what happened, from 0 to 2"),
    ("recall.weight.semantic", "0.9", "the same for facts"),
    ("recall.weight.trait", "1", "the same for traits"),
    ("recall.weight.goal", "0.8", "the same for goals"),
    (
        "recall.emotional_weight.episodic",
        "0.5",
        "what a feeling in common is worth for what happened, from 0 to 2",
    ),
    ("recall.emotional_weight.semantic", "0.3", "the same for facts"),
    ("recall.emotional_weight.trait", "0.5", "the same for traits"),
    ("recall.emotional_weight.goal", "0.7", "the same for goals"),
    ("recall.decay.episodic", "0.1", "how fast age makes what happened count less, a day; from 0 to 1"),
    ("recall.decay.semantic", "0.05", "the same for facts"),
    ("recall.decay.trait", "0.01", "the same for traits"),
    ("recall.decay.goal", "0.02", "the same for goals"),
    (
        "recall.constant.episodic",
        "false",
        "all that happened is in every prompt, whatever was said, while it fits: true or false",
    ),
    ("recall.constant.semantic", "false", "the same for facts"),
    ("recall.constant.trait", "true", "the same for traits"),
    ("recall.constant.goal", "false", "the same for goals"),
    ("recall.time_decay", "true", "age counts: true or false"),
    (
        "recall.emotional_boost",
        "true",
        "a feeling in common raises what was found in other ways: true or false",
    ),
    (
        "recall.near_duplicate",
        "0.85",
        "memories that are so much alike enter a prompt once, from 0 to 1; 1: each enters",
    ),
    (
        "recall.archive",
        "true",
        "rounds that are long dormant may be found too, and what was said here before the history and is not remembered yet: true or false",
    ),
    ("recall.said", "4", "the last so many lines are what memories are found by"),
    ("recall.max_chars", "2000", "characters of all memories in a prompt; 0: no limit"),
    ("recall.max_tokens", "0", "tokens of all memories in a prompt; 0: no limit but the prompt's"),
    (
        "recall.max_memory_chars",
        "600",
        "characters of one memory in a prompt: of a longer one, the sentences nearest to what is being said; 0: no limit",
    ),
    (
        "recall.position",
        "system",
        "as whose words memories stand before the newest message: system, user or assistant; or depth",
    ),
    ("recall.depth", "4", "messages that follow the memories, where recall.position is depth"),
    ("recall.by_kind", "true", "memories of each kind stand together, under a heading: true or false"),
    ("recall.show_time", "false", "each memory tells when it happened: true or false"),
    ("recall.show_source", "false", "each memory tells where it comes from: true or false"),
    (
        "recall.template",
        "",
        "how memories are written, in place of the built-in template: {{#each memories}}, {{text}}, {{#if time}} …",
    ),
];

impl Default for RecallRules {
    fn default() -> Self {
        let kind = |most, weight, emotional_weight, decay, constant| KindRules {
            most,
            weight,
            emotional_weight,
            decay,
            constant,
        };
        Self {
            enabled: true,
            legs: Legs {
                keyword: 0.5,
                lexical: 1.0,
                semantic: 1.0,
                temporal: 0.4,
                emotional: 0.2,
                related: 0.15,
            },
            semantic_top: None,
            semantic_floor: 0.0,
            kinds: [
                kind(3, 0.8, 0.5, 0.1, false),
                kind(2, 0.9, 0.3, 0.05, false),
                kind(5, 1.0, 0.5, 0.01, true),
                kind(3, 0.8, 0.7, 0.02, false),
            ],
            threshold: 0.3,
            time_decay: true,
            emotional_boost: true,
            near_duplicate: Some(0.85),
            archive: true,
            said: 4,
            max_chars: Some(2000),
            max_tokens: None,
            max_memory_chars: Some(600),
            position: Position::System,
            depth: 4,
            by_kind: true,
            show_time: false,
            show_source: false,
            template: None,
        }
    }
}

impl RecallRules {
    pub fn of(&self, kind: Kind) -> &KindRules {
        let [episodic, semantic, traits, goals] = &self.kinds;
        match kind {
            Kind::Episodic => episodic,
            Kind::Semantic => semantic,
            Kind::Trait => traits,
            Kind::Goal => goals,
        }
    }

    fn of_mut(&mut self, kind: Kind) -> &mut KindRules {
        let [episodic, semantic, traits, goals] = &mut self.kinds;
        match kind {
            Kind::Episodic => episodic,
            Kind::Semantic => semantic,
            Kind::Trait => traits,
            Kind::Goal => goals,
        }
    }

    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<()> {
        let flag = || choose(key, value, &[("true", true), ("false", false)]);
        let count = || number(key, value, MAX_BUDGET);
        let limit = || Ok::<_, Error>(Some(count()?).filter(|most| *most > 0));
        let weight = || real(key, value, 0.0..=2.0).map(|weight| weight as f32);
        let share = || real(key, value, 0.0..=1.0).map(|share| share as f32);
        match key {
            "recall.enabled" => self.enabled = flag()?,
            "recall.keyword" => self.legs.keyword = weight()?,
            "recall.lexical" => self.legs.lexical = weight()?,
            "recall.semantic" => self.legs.semantic = weight()?,
            "recall.temporal" => self.legs.temporal = weight()?,
            "recall.emotional" => self.legs.emotional = weight()?,
            "recall.related" => self.legs.related = weight()?,
            "recall.semantic_top" => self.semantic_top = limit()?,
            "recall.semantic_floor" => self.semantic_floor = share()?,
            "recall.threshold" => self.threshold = share()?,
            "recall.time_decay" => self.time_decay = flag()?,
            "recall.emotional_boost" => self.emotional_boost = flag()?,
            "recall.near_duplicate" => self.near_duplicate = Some(share()?).filter(|alike| *alike < 1.0),
            "recall.archive" => self.archive = flag()?,
            "recall.said" => self.said = number(key, value, 1000)?,
            "recall.max_chars" => self.max_chars = limit()?,
            "recall.max_tokens" => self.max_tokens = limit()?,
            "recall.max_memory_chars" => self.max_memory_chars = limit()?,
            "recall.position" => self.position = choose(key, value, &Position::NAMES)?,
            "recall.depth" => self.depth = number(key, value, 10_000)?,
            "recall.by_kind" => self.by_kind = flag()?,
            "recall.show_time" => self.show_time = flag()?,
            "recall.show_source" => self.show_source = flag()?,
            "recall.template" => self.template = template(key, value)?,
            _ => {
                let (what, kind) = of_kind(key)?;
                let rules = self.of_mut(kind);
                match what {
                    "most" => rules.most = count()?,
                    "weight" => rules.weight = weight()?,
                    "emotional_weight" => rules.emotional_weight = weight()?,
                    "decay" => rules.decay = share()?,
                    "constant" => rules.constant = flag()?,
                    _ => return Err(unknown(key)),
                }
            }
        }
        Ok(())
    }
}

fn template(key: &str, value: &str) -> Result<Option<Template>> {
    if value.is_empty() {
        return Ok(None);
    }
    Template::parse(value).map(Some).map_err(|error| error.within(key))
}

/// Of `recall.most.episodic` the middle and the kind.
fn of_kind(key: &str) -> Result<(&str, Kind)> {
    let parts = key.strip_prefix("recall.").and_then(|rest| rest.split_once('.'));
    let (what, name) = parts.ok_or_else(|| unknown(key))?;
    Ok((what, Kind::from_name(name).map_err(|_| unknown(key))?))
}

fn unknown(key: &str) -> Error {
    let names: Vec<&str> = KEYS.iter().map(|(name, ..)| *name).collect();
    Error::invalid(format!("there is no setting {key:?}"))
        .hint(format!("the settings of recall are: {}", names.join(", ")))
}
