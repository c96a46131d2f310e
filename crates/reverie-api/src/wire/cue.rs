//! Cues, history and perspective on the wire.

use reverie_core::cue::{Cue, CueMessage, Detail, Scene};
use reverie_core::history::History;
use reverie_core::settings::HistoryScope;
use reverie_core::store::Place;
use reverie_core::{ConversationId, Error, Limits, Result};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::facts::facts;
use super::line::{LineView, WireLine, numbered};
use super::schemas::{ProfileParts, PromptSettings};
use super::settings::flatten;
use super::who::{WireWho, into_all};
use super::{Generation, LoreCueBody, MessageView, ProfileName};

/// Who is about to speak, and where.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Cue")]
pub struct CueBody {
    /// The character about to speak.
    pub character: WireWho,
    /// Others who are given a voice by the same prompt: what all of them witnessed is its history, and each memory, and lore
    /// that only some of them know, says who knows it.
    #[serde(default)]
    pub with: Vec<WireWho>,
    /// Where it speaks. Instead of it: `participants`, or the host's own `history`.
    pub conversation: Option<String>,
    /// Among whom it speaks, where there is no conversation id at hand. Also taken as `CurrentParticipants`.
    #[serde(alias = "CurrentParticipants")]
    pub participants: Option<Vec<WireWho>>,
    /// The host's own history, oldest first; used instead of what is stored and recorded nowhere. An answer without a speaker is
    /// the character's own, so that a list of `role` and `content` is enough.
    pub history: Option<Vec<WireLine>>,
    /// What was just said to the character and is not recorded yet.
    pub message: Option<MessageBody>,
    /// The persona, instead of the stored one. Also taken as `SystemPrompt`.
    #[serde(alias = "SystemPrompt")]
    pub system: Option<String>,
    /// Also taken as `Scene`.
    #[serde(alias = "Scene")]
    pub scene: Option<SceneBody>,
    /// Weather, reference material …: any labels with texts. Also taken as `other_data` and `OtherData`.
    #[serde(default, alias = "OtherData", alias = "other_data")]
    pub other: Map<String, Value>,
    /// Facts of the scene, for lore that has conditions: faction, quest flags … A text, a number, true or false, or a list of
    /// them: then a condition holds if it does for one of them; or an object, whose members are facts by their path
    /// (`quest.dragon`). `place`, `event` and `time` come from the scene if they are not given.
    #[serde(default)]
    pub facts: Map<String, Value>,
    /// Emotions in the air, for lore that they set off.
    #[serde(default)]
    pub mood: Vec<String>,
    /// What the prompt is made for; lore can be for some kinds only. Default `normal`.
    #[schemars(with = "Option<super::Generation>")]
    pub generation: Option<String>,
    /// What only the host knows of what world books ask for.
    #[serde(default)]
    pub lore: LoreCueBody,
    pub tick: Option<i64>,
    /// Conversations opened to this one prompt, witnessed or not.
    #[serde(default)]
    pub also: Vec<String>,
    /// False: nothing is quoted that these people said with others around, for hosts that have no place for it; such things come to
    /// mind like all others. Default true.
    pub background: Option<bool>,
    /// Texts that the model gets besides, in a prompt of the host's own. A memory all of whose words stand there, or in the history,
    /// is not told again (`in_history`) and leaves its room to others.
    #[serde(default)]
    pub shown: Vec<String>,
    /// Absent: as the world has it.
    #[schemars(with = "Option<super::HistoryScope>")]
    pub history_scope: Option<String>,
    /// Lines of history at most. Also taken as `limit` and `HistoryLimit`.
    #[serde(alias = "HistoryLimit", alias = "limit")]
    pub history_limit: Option<usize>,
    /// Tokens of the whole prompt at most; absent: as the world has it.
    pub budget: Option<usize>,
    /// As it would have been at this revision of the world: what was said, remembered and set by then. Books are what they are now,
    /// which `degraded` tells (`books_as_now`), and what was deleted since is gone.
    pub as_of: Option<u64>,
    /// Settings of `recall` and `lore`, spelled as those of a world, for this prompt alone: over the world's and the characters'.
    /// With `@` and an id behind the key for one character alone; null: the default.
    #[serde(default)]
    #[schemars(with = "PromptSettings")]
    pub settings: Map<String, Value>,
    /// Also tell of every memory that came to mind why it stands in the prompt or does not (`considered`).
    #[serde(default)]
    pub explain: bool,
    /// With `explain`: at most so many of them, the best first, besides those that stand in the prompt; `considered_in_all` tells how
    /// many came to mind. Absent: all.
    pub explain_limit: Option<usize>,
}

#[derive(Debug, JsonSchema)]
#[schemars(rename = "CueMessage", untagged)]
pub enum MessageBody {
    Text(String),
    Said(SaidBody),
}

impl<'de> Deserialize<'de> for MessageBody {
    /// By hand, so that a mistake is named instead of "did not match any variant".
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match Value::deserialize(from)? {
            Value::String(text) => Ok(Self::Text(text)),
            fields => SaidBody::deserialize(fields).map(Self::Said).map_err(D::Error::custom),
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Said")]
pub struct SaidBody {
    pub content: String,
    pub speaker: Option<WireWho>,
}

/// Time, place, people, event; other labels are shown as they are.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "Scene")]
pub struct SceneBody {
    pub time: Option<String>,
    pub place: Option<String>,
    #[serde(default)]
    pub people: Vec<String>,
    pub event: Option<String>,
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl CueBody {
    pub fn into_cue(self, limits: &Limits) -> Result<Cue> {
        self.generation.as_deref().map_or(Ok(()), Generation::check)?;
        let history = self.history.map(|lines| {
            let lines = lines.into_iter().enumerate();
            lines.map(|(index, line)| numbered(index, line.into_inline())).collect::<Result<Vec<_>>>()
        });
        let history = history.transpose()?;
        let place = match (self.conversation, self.participants) {
            (None, None) if history.is_some() => Place::Nowhere,
            _ if history.is_some() => {
                return Err(Error::invalid("the cue brings its own history and says where to find another")
                    .hint("give history, or conversation, or participants: one of them"));
            }
            (Some(id), None) => Place::Conversation(ConversationId::new(&id)?),
            (None, Some(participants)) => Place::Among(into_all(participants)?),
            (None, None) => {
                return Err(Error::invalid("the cue does not say where the character speaks")
                    .hint("give conversation, participants, or the history itself"));
            }
            (Some(_), Some(_)) => {
                return Err(
                    Error::invalid("the cue names a conversation and participants").hint("give one of them")
                );
            }
        };
        let message = self.message.map(|message| -> Result<CueMessage> {
            match message {
                MessageBody::Text(content) => Ok(CueMessage { content, speaker: None }),
                MessageBody::Said(said) => {
                    let speaker = said.speaker.map(WireWho::into_who).transpose()?;
                    Ok(CueMessage { content: said.content, speaker })
                }
            }
        });
        Ok(Cue {
            character: self.character.into_who()?,
            with: into_all(self.with)?,
            place,
            history,
            // Who says nothing has not said anything.
            message: message.transpose()?.filter(|message| !message.content.is_empty()),
            system: self.system,
            scene: self.scene.map(into_scene).unwrap_or_default(),
            other: labelled(self.other),
            facts: facts(self.facts)?,
            mood: self.mood,
            generation: self.generation,
            lore: self.lore.into(),
            tick: self.tick,
            also: self.also.iter().map(|id| ConversationId::new(id)).collect::<Result<_>>()?,
            background: self.background.unwrap_or(true),
            shown: self.shown,
            scope: self.history_scope.as_deref().map(HistoryScope::from_name).transpose()?,
            history_limit: self.history_limit,
            budget: self.budget,
            as_of: self.as_of,
            settings: flatten(&self.settings, limits)?,
            detail: Detail::Related,
        })
    }
}

fn into_scene(scene: SceneBody) -> Scene {
    let SceneBody { time, place, people, event, more } = scene;
    Scene { time, place, people, event, more: labelled(more) }
}

/// Texts as they are, lists joined, anything else as JSON.
fn labelled(map: Map<String, Value>) -> Vec<(String, String)> {
    let text = |value: Value| match value {
        Value::String(text) => text,
        Value::Null => String::new(),
        Value::Array(values) if values.iter().all(Value::is_string) => {
            values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("、")
        }
        other => other.to_string(),
    };
    map.into_iter().map(|(label, value)| (label, text(value))).collect()
}

/// Each list oldest first.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "History")]
pub struct HistoryView {
    /// From all conversations with exactly these participants.
    pub primary: Vec<LineView>,
    /// From conversations of these and others.
    pub ancillary: Vec<LineView>,
    /// From conversations granted with `also`, witnessed or not.
    pub also: Vec<LineView>,
}

impl From<History> for HistoryView {
    fn from(history: History) -> Self {
        let view = |lines: Vec<reverie_core::Line>| lines.into_iter().map(Into::into).collect();
        Self { primary: view(history.primary), ancillary: view(history.ancillary), also: view(history.also) }
    }
}

/// Lines in, one character's messages out.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PerspectiveRequest")]
pub struct PerspectiveBody {
    /// Whose view: an id, or `{"role_id":1}`, `{"script_role_id":"…"}`, `{"display_name":"…"}`.
    #[serde(rename = "as")]
    pub target: WireWho,
    /// A name, or single parts with `base` for the profile that they change; absent: `example`.
    pub profile: Option<ProfileBody>,
    pub lines: Vec<WireLine>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "Profile")]
pub enum ProfileBody {
    Name(#[schemars(with = "ProfileName")] String),
    Parts(#[schemars(with = "ProfileParts")] Map<String, Value>),
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Perspective")]
pub struct PerspectiveView {
    pub messages: Vec<MessageView>,
    /// What went on without a part of it.
    pub degraded: Vec<super::DegradedView>,
}
