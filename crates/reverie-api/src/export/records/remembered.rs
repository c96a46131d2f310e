//! Rounds and memories as records: how are they written down, and how are they understood again?

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reverie_core::memory::{Kind, Layer, Memory, Origin, Source, State};
use reverie_core::record::{Record, RoundRecord};
use reverie_core::round::{Ending, Participant, RoundState, Span};
use reverie_core::{CharacterId, ConversationId, Error, LineId, MemoryId, Result, RoundId};
use serde::{Deserialize, Serialize};

use super::incoming::characters;
use super::is_first;
use super::outgoing::texts;

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::export) struct WireRound {
    id: u64,
    conversation: String,
    explicit: bool,
    /// Each one's id, and the name at that time if anybody knew one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    present: Vec<(String, Option<String>)>,
    opened_ms: i64,
    /// The first and the last line, of a round that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<(u64, u64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ending: Option<String>,
    /// The line at which its host ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    ends_at: Option<u64>,
    /// The last line that an earlier end judged, of a round that went on.
    #[serde(skip_serializing_if = "Option::is_none")]
    settled: Option<u64>,
    revision: u64,
}

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::export) struct WireMemory {
    id: u64,
    kind: String,
    origin: String,
    text: String,
    /// Each line, and the version of its wording.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sources: Vec<(u64, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    from: Vec<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    about: Vec<String>,
    importance: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    keywords: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    topics: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    emotions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tick: Option<i64>,
    wall_ms: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    /// In base64url.
    #[serde(skip_serializing_if = "Option::is_none")]
    fingerprint: Option<String>,
    revision: u64,
}

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::export) struct WireState {
    #[serde(default, skip_serializing_if = "is_first")]
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    layer: Option<String>,
    activity: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    since_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "is_false")]
    pinned: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    forgotten: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    lines_forgotten: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    shareable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    importance: Option<f64>,
    #[serde(default, skip_serializing_if = "is_false")]
    considered: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    summarised_by: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    superseded_by: Option<u64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl From<RoundRecord> for WireRound {
    fn from(round: RoundRecord) -> Self {
        let present = round.present.into_iter().map(|one| (one.character.to_string(), one.name));
        Self {
            id: round.id.get(),
            conversation: round.conversation.to_string(),
            explicit: round.explicit,
            present: present.collect(),
            opened_ms: round.opened_ms,
            span: round.span.map(|span| (span.first.get(), span.last.get())),
            ending: round.ending.map(|ending| ending_name(ending).to_owned()),
            ends_at: round.ends_at.map(LineId::get),
            settled: round.settled.map(LineId::get),
            revision: round.revision,
        }
    }
}

impl TryFrom<WireRound> for RoundRecord {
    type Error = Error;

    fn try_from(round: WireRound) -> Result<Self> {
        let participant = |(character, name): (String, Option<String>)| {
            Ok(Participant { character: CharacterId::new(&character)?, name })
        };
        let span = |(first, last)| Ok(Span { first: LineId::new(first)?, last: LineId::new(last)? });
        Ok(Self {
            id: RoundId::new(round.id)?,
            conversation: ConversationId::new(&round.conversation)?,
            explicit: round.explicit,
            present: round.present.into_iter().map(participant).collect::<Result<_>>()?,
            opened_ms: round.opened_ms,
            span: round.span.map(span).transpose()?,
            ending: round.ending.as_deref().map(ending_of).transpose()?,
            ends_at: round.ends_at.map(LineId::new).transpose()?,
            settled: round.settled.map(LineId::new).transpose()?,
            revision: round.revision,
        })
    }
}

fn ending_name(ending: Ending) -> &'static str {
    match ending {
        Ending::Complete => "complete",
        Ending::Aborted => "aborted",
    }
}

fn ending_of(name: &str) -> Result<Ending> {
    let endings = [Ending::Complete, Ending::Aborted];
    let found = endings.into_iter().find(|ending| ending_name(*ending) == name);
    found.ok_or_else(|| Error::invalid(format!("unknown ending of a round {name:?}")))
}

pub(super) fn state_of_round(name: &str) -> Result<RoundState> {
    let states = [RoundState::Open, RoundState::Closed, RoundState::Digested];
    let found = states.into_iter().find(|state| state.as_str() == name);
    found.ok_or_else(|| Error::invalid(format!("unknown state of a round {name:?}")))
}

impl WireMemory {
    pub(super) fn new(memory: Memory, fingerprint: Option<[u8; 16]>) -> Self {
        Self {
            id: memory.id.get(),
            kind: memory.kind.as_str().to_owned(),
            origin: memory.origin.as_str().to_owned(),
            text: memory.text,
            sources: memory.sources.iter().map(|source| (source.line.get(), source.version)).collect(),
            from: memory.from.into_iter().map(MemoryId::get).collect(),
            about: texts(&memory.about),
            importance: memory.importance,
            keywords: memory.keywords,
            topics: memory.topics,
            emotions: memory.emotions,
            tick: memory.tick,
            wall_ms: memory.wall_ms,
            model: memory.model,
            fingerprint: fingerprint.map(|fingerprint| URL_SAFE_NO_PAD.encode(fingerprint)),
            revision: memory.revision,
        }
    }
}

impl TryFrom<WireMemory> for Record {
    type Error = Error;

    fn try_from(memory: WireMemory) -> Result<Self> {
        let source = |(line, version)| Ok(Source { line: LineId::new(line)?, version });
        let fingerprint = memory.fingerprint.map(|text| {
            let bytes = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
            bytes.ok_or_else(|| Error::invalid("a memory's fingerprint is not 16 bytes in base64url"))
        });
        let record = Memory {
            id: MemoryId::new(memory.id)?,
            kind: Kind::from_name(&memory.kind)?,
            origin: Origin::from_name(&memory.origin)?,
            text: memory.text,
            sources: memory.sources.into_iter().map(source).collect::<Result<_>>()?,
            from: memory.from.into_iter().map(MemoryId::new).collect::<Result<_>>()?,
            about: characters(&memory.about)?,
            importance: memory.importance,
            keywords: memory.keywords,
            topics: memory.topics,
            emotions: memory.emotions,
            tick: memory.tick,
            wall_ms: memory.wall_ms,
            model: memory.model,
            revision: memory.revision,
        };
        Ok(Self::Memory { memory: Box::new(record), fingerprint: fingerprint.transpose()? })
    }
}

impl From<(u32, State)> for WireState {
    fn from((version, state): (u32, State)) -> Self {
        Self {
            version,
            layer: state.layer.map(|layer| layer.as_str().to_owned()),
            activity: state.activity,
            since: state.since,
            since_ms: state.since_ms,
            pinned: state.pinned,
            forgotten: state.forgotten,
            lines_forgotten: state.lines_forgotten,
            shareable: state.shareable,
            text: state.text,
            importance: state.importance,
            considered: state.considered,
            summarised_by: state.summarised_by.map(MemoryId::get),
            superseded_by: state.superseded_by.map(MemoryId::get),
        }
    }
}

impl WireState {
    pub(super) fn version(&self) -> u32 {
        self.version
    }

    pub(super) fn into_state(self) -> Result<(u32, State)> {
        let state = State {
            layer: self.layer.as_deref().map(Layer::from_name).transpose()?,
            activity: self.activity,
            since: self.since,
            since_ms: self.since_ms,
            pinned: self.pinned,
            forgotten: self.forgotten,
            lines_forgotten: self.lines_forgotten,
            shareable: self.shareable,
            text: self.text,
            importance: self.importance,
            considered: self.considered,
            summarised_by: self.summarised_by.map(MemoryId::new).transpose()?,
            superseded_by: self.superseded_by.map(MemoryId::new).transpose()?,
        };
        Ok((self.version, state))
    }
}
