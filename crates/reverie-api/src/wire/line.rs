//! Lines on the wire, in the names that hosts already use.

use std::collections::BTreeMap;

use reverie_core::character::Who;
use reverie_core::cue::InlineLine;
use reverie_core::line::{NewLine, Wording};
use reverie_core::text::clean_in_place;
use reverie_core::{Attribute, CharacterId, Degraded, Line, Result, RoundId};
use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::AttributeOrAlias;
use super::time::{format_time, parse_time};
use super::who::{TextOrNumber, WireNamed, WireWho, filled, into_all, text_or_number};

/// A line as a host sends it. Fields of the host's own table that are not listed are ignored.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "NewLine")]
pub struct WireLine {
    /// Who speaks, by id; of a system line: whom it addresses. Also taken as `ParticipantId`, `participantId` and
    /// `participant_id`.
    #[serde(default, alias = "ParticipantId", alias = "participantId", alias = "participant_id")]
    #[serde(deserialize_with = "text_or_number")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub speaker: Option<String>,
    /// The host's own number of a character, instead of `speaker`.
    #[serde(default, deserialize_with = "text_or_number")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub role_id: Option<String>,
    /// The host's own id of a script's character, instead of `speaker`.
    #[serde(default, deserialize_with = "text_or_number")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub script_role_id: Option<String>,
    /// The name to show; identifies the speaker where nothing else does.
    pub display_name: Option<String>,
    /// Also taken as `role` and `Role`.
    #[serde(alias = "Role", alias = "role")]
    #[schemars(with = "AttributeOrAlias")]
    pub attribute: String,
    /// What is said. Also taken as `Content`.
    #[serde(alias = "Content")]
    pub content: String,
    /// How the speaker feels. Also taken as `emotion`.
    #[serde(alias = "emotion")]
    pub original_emotion: Option<String>,
    pub predicted_emotion: Option<String>,
    /// The text for speech synthesis. Also taken as `tts`.
    #[serde(alias = "tts")]
    pub tts_content: Option<String>,
    /// What the speaker does. Also taken as `action`.
    #[serde(alias = "action")]
    pub action_content: Option<String>,
    /// Also taken as `audio`.
    #[serde(alias = "audio")]
    pub audio_file: Option<String>,
    /// Game time. Also taken as `GameTicksTimestamp`, `gameTicksTimestamp` and `game_ticks_timestamp`.
    #[serde(alias = "GameTicksTimestamp", alias = "gameTicksTimestamp", alias = "game_ticks_timestamp")]
    pub tick: Option<i64>,
    /// Wall time, RFC 3339; absent: now.
    pub time: Option<String>,
    /// The host's own id for this line, unique in its conversation.
    #[serde(default, deserialize_with = "text_or_number")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub host_id: Option<String>,
    /// Who sees or hears it; absent: everybody present, in a round everybody who is with it. The speaker always does.
    pub witnesses: Option<Vec<WireWho>>,
    /// Kept out of prompts.
    #[serde(default)]
    pub hidden: bool,
    /// The open round that it belongs to: the id that opening it returned. Another answer beside a line of a round that is over
    /// can be put into that round as well, which then goes on until it is completed again.
    #[serde(default, deserialize_with = "text_or_number")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub round: Option<String>,
    /// Whatever else the host's table has.
    #[serde(flatten)]
    #[schemars(skip)]
    pub(crate) ignored: BTreeMap<String, IgnoredAny>,
}

/// Columns of hosts' tables that are left aside without a word.
const KNOWN_COLUMNS: [&str; 4] = ["id", "line_id", "save_id", "parent_line_id"];

impl WireLine {
    /// Fields that mean nothing here: perhaps misspelt, and then a whisper would be public.
    pub(crate) fn unknown_fields(&self) -> impl Iterator<Item = &str> {
        self.ignored.keys().map(String::as_str).filter(|field| !KNOWN_COLUMNS.contains(field))
    }

    /// Replaces in names and ids what XML cannot carry, so that no line fails for it; where, and how many characters.
    pub fn clean_names(&mut self) -> Vec<(&'static str, usize)> {
        let names = [
            ("speaker", &mut self.speaker),
            ("role_id", &mut self.role_id),
            ("script_role_id", &mut self.script_role_id),
            ("display_name", &mut self.display_name),
        ];
        let names =
            names.into_iter().filter_map(|(field, text)| Some((field, clean_in_place(text.as_mut()?))));
        let mut cleaned: Vec<(&'static str, usize)> = names.collect();
        cleaned.push(("witnesses", self.witnesses.iter_mut().flatten().map(WireWho::clean).sum()));
        cleaned.retain(|(_, count)| *count > 0);
        cleaned
    }

    fn who(&mut self) -> Result<Option<Who>> {
        if let Some(id) = filled(self.speaker.take()) {
            return CharacterId::new(&id).map(Who::Id).map(Some);
        }
        WireNamed {
            id: None,
            role_id: self.role_id.take(),
            script_role_id: self.script_role_id.take(),
            display_name: self.display_name.clone(),
        }
        .into_who()
    }

    pub fn attribute(&self) -> Result<Attribute> {
        Attribute::from_name(&self.attribute)
    }

    fn wording(&mut self) -> Wording {
        Wording {
            content: std::mem::take(&mut self.content),
            original_emotion: filled(self.original_emotion.take()),
            predicted_emotion: filled(self.predicted_emotion.take()),
            tts: filled(self.tts_content.take()),
            action: filled(self.action_content.take()),
            audio: filled(self.audio_file.take()),
        }
    }

    pub fn into_new_line(mut self) -> Result<NewLine> {
        self.clean_names();
        Ok(NewLine {
            attribute: self.attribute()?,
            speaker: self.who()?,
            wording: self.wording(),
            display_name: filled(self.display_name),
            tick: self.tick,
            wall_ms: self.time.as_deref().map(parse_time).transpose()?,
            host_id: filled(self.host_id),
            witnesses: self.witnesses.map(into_all).transpose()?,
            hidden: self.hidden,
            round: filled(self.round).as_deref().map(RoundId::parse).transpose()?,
        })
    }

    /// Of a line that is not recorded: it belongs to no round.
    pub fn into_inline(mut self) -> Result<InlineLine> {
        self.round = None;
        let NewLine { attribute, speaker, display_name, wording, tick, wall_ms, witnesses, .. } =
            self.into_new_line()?;
        Ok(InlineLine { attribute, speaker, display_name, wording, tick, wall_ms, witnesses })
    }
}

/// Names the line that is wrong.
pub fn numbered<T>(index: usize, result: Result<T>) -> Result<T> {
    result.map_err(|error| error.within(format!("lines[{index}]")))
}

/// A recorded line.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "Line")]
pub struct LineView {
    pub id: String,
    /// Its place in the world's order of recording.
    pub seq: u64,
    pub conversation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    pub attribute: super::Attribute,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    pub content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original_emotion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicted_emotion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tts_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action_content: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audio_file: Option<String>,
    /// Its own tick, else its parent's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_id: Option<String>,
    pub witnesses: Vec<String>,
    /// Those of them who forgot it: it is in none of their views. Absent: nobody.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub forgotten_by: Vec<String>,
    pub hidden: bool,
    /// False if its round ended before it was shown to anybody: then it is in no view. Absent: it was shown.
    #[serde(skip_serializing_if = "is_true")]
    #[schemars(default = "shown")]
    pub shown: bool,
    /// The round that the host put it into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<String>,
    /// How often it was edited.
    pub version: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references")]
fn is_true(flag: &bool) -> bool {
    *flag
}

fn shown() -> bool {
    true
}

impl From<Line> for LineView {
    fn from(line: Line) -> Self {
        let Wording { content, original_emotion, predicted_emotion, tts, action, audio } = line.wording;
        Self {
            id: line.id.to_string(),
            seq: line.id.get(),
            conversation: line.conversation.to_string(),
            parent: line.parent.map(|parent| parent.to_string()),
            attribute: line.attribute.into(),
            speaker: line.speaker.map(|speaker| speaker.to_string()),
            display_name: line.name,
            content,
            original_emotion,
            predicted_emotion,
            tts_content: tts,
            action_content: action,
            audio_file: audio,
            tick: line.tick,
            time: format_time(line.wall_ms),
            host_id: line.host_id,
            witnesses: line.witnesses.iter().map(ToString::to_string).collect(),
            forgotten_by: line.forgotten_by.iter().map(ToString::to_string).collect(),
            hidden: line.hidden,
            shown: line.shown,
            round: line.round.map(|round| round.to_string()),
            version: line.version,
        }
    }
}

/// A batch of lines.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordLines {
    pub lines: Vec<WireLine>,
    /// Chosen by the client: the same key with the same lines is recorded once, also after an undo or
    /// a restore; with other lines it is a conflict.
    pub key: Option<String>,
    /// `id` of the recall that these lines answer: what the prompt set off runs on.
    pub recall: Option<String>,
    /// The line that the client believes to be the head (null: none); a mismatch is a conflict.
    #[serde(default, deserialize_with = "super::present_id")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub expected_head: Option<Option<String>>,
    /// Attach behind this line instead of the head: a branch. Null attaches at the root.
    #[serde(default, deserialize_with = "super::present_id")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub parent: Option<Option<String>>,
    /// Attach beside this line: a swipe.
    #[serde(default, deserialize_with = "text_or_number")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub swipe_of: Option<String>,
}

/// What was recorded.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Recorded")]
pub struct RecordedView {
    pub lines: Vec<LineView>,
    /// The newest line of the active path; absent if it was undone before a replay.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    pub revision: u64,
    /// True if the key had been used before and nothing was written.
    pub replayed: bool,
    /// Characters that could not be kept: lone surrogates and what XML cannot carry.
    pub replaced: Vec<ReplacedView>,
    pub degraded: Vec<DegradedView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Replaced")]
pub struct ReplacedView {
    /// Index in the batch; absent: before the body was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    #[schemars(with = "super::ReplacedField")]
    pub field: &'static str,
    pub count: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Degraded")]
pub struct DegradedView {
    #[schemars(with = "super::DegradedCode")]
    pub code: &'static str,
    pub message: String,
    pub hint: String,
}

impl From<Degraded> for DegradedView {
    fn from(found: Degraded) -> Self {
        Self { code: found.code, message: found.message, hint: found.hint }
    }
}

/// What to change about a line; an absent field stays, null removes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatchLine {
    /// Cannot be removed: an empty text stays a line.
    #[serde(default, deserialize_with = "super::present")]
    #[schemars(with = "String")]
    pub content: Option<Option<String>>,
    /// Also taken as `emotion`.
    #[serde(default, alias = "emotion", deserialize_with = "super::present")]
    #[schemars(with = "Option<String>")]
    pub original_emotion: Option<Option<String>>,
    #[serde(default, deserialize_with = "super::present")]
    #[schemars(with = "Option<String>")]
    pub predicted_emotion: Option<Option<String>>,
    /// Also taken as `tts`.
    #[serde(default, alias = "tts", deserialize_with = "super::present")]
    #[schemars(with = "Option<String>")]
    pub tts_content: Option<Option<String>>,
    /// Also taken as `action`.
    #[serde(default, alias = "action", deserialize_with = "super::present")]
    #[schemars(with = "Option<String>")]
    pub action_content: Option<Option<String>>,
    /// Also taken as `audio`.
    #[serde(default, alias = "audio", deserialize_with = "super::present")]
    #[schemars(with = "Option<String>")]
    pub audio_file: Option<Option<String>>,
    /// Keep it out of prompts, or let it in again.
    pub hidden: Option<bool>,
}
