//! The records of an export as JSON, one object each; `type` says which.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reverie_core::character::{Card, CharacterKind, Namespace};
use reverie_core::line::Wording;
use reverie_core::record::{CharacterRecord, ConversationRecord, KeyRecord, LineRecord, Record, WorldRecord};
use reverie_core::settings::{Pairs, Preset};
use reverie_core::world::{Change, Checkpoint};
use reverie_core::{Attribute, CharacterId, CheckpointId, ConversationId, Error, LineId, Result, WorldId};
use serde::{Deserialize, Serialize};

use super::VERSION;

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum WireRecord {
    World {
        /// Of the format.
        version: u32,
        id: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        forked_from: Option<String>,
        created_ms: i64,
        revision: u64,
        next_line: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        checkpoint: Option<String>,
    },
    Settings {
        version: u32,
        preset: String,
        pairs: Pairs,
    },
    Character {
        id: String,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        aliases: Vec<(String, String)>,
        cards: Vec<WireCard>,
        revision: u64,
    },
    Conversation {
        id: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        participants: Vec<String>,
        revision: u64,
    },
    Line(Box<WireLineRecord>),
    Head {
        revision: u64,
        conversation: String,
        line: Option<u64>,
    },
    Beginning {
        revision: u64,
        conversation: String,
        /// Null: not begun.
        people: Option<Vec<String>>,
    },
    Wording {
        revision: u64,
        line: u64,
        version: u32,
    },
    Hidden {
        revision: u64,
        line: u64,
        hidden: bool,
    },
    Card {
        revision: u64,
        character: String,
        version: u32,
    },
    SettingsChange {
        revision: u64,
        version: u32,
    },
    Key {
        conversation: String,
        key: String,
        digest: String,
        first: u64,
        count: u64,
        revision: u64,
    },
    Checkpoint {
        id: String,
        revision: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        time: Option<i64>,
        created_ms: i64,
    },
    /// The last line of every export.
    End {
        /// How many came before it.
        records: u64,
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WireCard {
    version: u32,
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    persona: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WireLineRecord {
    id: u64,
    conversation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<u64>,
    /// Absent: nobody spoke, only who is present changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    attribute: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speaker: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_name: Option<String>,
    wordings: Vec<WireWording>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tick: Option<i64>,
    /// Absent: before the world knew any tick.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<i64>,
    wall_ms: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    host_id: Option<String>,
    present: Vec<String>,
    /// Absent: those present.
    #[serde(skip_serializing_if = "Option::is_none")]
    witnesses: Option<Vec<String>>,
    revision: u64,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WireWording {
    #[serde(default, skip_serializing_if = "is_first")]
    version: u32,
    content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    original_emotion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    predicted_emotion: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tts: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audio: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references")]
fn is_first(version: &u32) -> bool {
    *version == 0
}

fn texts(ids: &[CharacterId]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

fn characters(texts: &[String]) -> Result<Vec<CharacterId>> {
    texts.iter().map(|text| CharacterId::new(text)).collect()
}

impl From<Record> for WireRecord {
    fn from(record: Record) -> Self {
        match record {
            Record::World(world) => Self::World {
                version: VERSION,
                id: world.id.to_string(),
                forked_from: world.forked_from.map(|id| id.to_string()),
                created_ms: world.created_ms,
                revision: world.revision,
                next_line: world.next_line,
                checkpoint: world.checkpoint.map(|id| id.to_string()),
            },
            Record::Settings { version, preset, pairs } => {
                Self::Settings { version, preset: preset.as_str().to_owned(), pairs }
            }
            Record::Character(character) => Self::Character {
                id: character.id.to_string(),
                aliases: character
                    .aliases
                    .into_iter()
                    .map(|(n, value)| (n.as_str().to_owned(), value))
                    .collect(),
                cards: character.cards.into_iter().map(card_out).collect(),
                revision: character.revision,
            },
            Record::Conversation(conversation) => Self::Conversation {
                id: conversation.id.to_string(),
                name: conversation.name,
                participants: texts(&conversation.participants),
                revision: conversation.revision,
            },
            Record::Line(line) => Self::Line(Box::new(line_out(*line))),
            Record::Change { revision, change } => change_out(revision, change),
            Record::Key(key) => Self::Key {
                conversation: key.conversation.to_string(),
                key: key.key,
                digest: URL_SAFE_NO_PAD.encode(key.digest),
                first: key.first.get(),
                count: key.count,
                revision: key.revision,
            },
            Record::Checkpoint(checkpoint) => Self::Checkpoint {
                id: checkpoint.id.to_string(),
                revision: checkpoint.revision,
                time: checkpoint.time,
                created_ms: checkpoint.created_ms,
            },
        }
    }
}

fn card_out((version, card): (u32, Card)) -> WireCard {
    let Card { kind, display_name, persona } = card;
    WireCard { version, kind: kind.as_str().to_owned(), display_name, persona }
}

fn change_out(revision: u64, change: Change) -> WireRecord {
    match change {
        Change::Head { conversation, line } => {
            WireRecord::Head { revision, conversation: conversation.to_string(), line: line.map(LineId::get) }
        }
        Change::Beginning { conversation, people } => WireRecord::Beginning {
            revision,
            conversation: conversation.to_string(),
            people: people.as_deref().map(texts),
        },
        Change::Wording { line, version } => WireRecord::Wording { revision, line: line.get(), version },
        Change::Hidden { line, hidden } => WireRecord::Hidden { revision, line: line.get(), hidden },
        Change::Card { character, version } => {
            WireRecord::Card { revision, character: character.to_string(), version }
        }
        Change::Settings { version } => WireRecord::SettingsChange { revision, version },
    }
}

fn line_out(line: LineRecord) -> WireLineRecord {
    WireLineRecord {
        id: line.id.get(),
        conversation: line.conversation.to_string(),
        parent: line.parent.map(LineId::get),
        attribute: line.attribute.map(|attribute| attribute.as_str().to_owned()),
        speaker: line.speaker.map(|speaker| speaker.to_string()),
        display_name: line.display_name,
        wordings: line.wordings.into_iter().map(wording_out).collect(),
        tick: line.tick,
        at: Some(line.at).filter(|at| *at != reverie_core::line::Order::BEFORE_TIME),
        wall_ms: line.wall_ms,
        host_id: line.host_id,
        witnesses: (line.witnesses != line.present).then(|| texts(&line.witnesses)),
        present: texts(&line.present),
        revision: line.revision,
    }
}

fn wording_out((version, wording): (u32, Wording)) -> WireWording {
    let Wording { content, original_emotion, predicted_emotion, tts, action, audio } = wording;
    WireWording { version, content, original_emotion, predicted_emotion, tts, action, audio }
}

impl TryFrom<WireRecord> for Record {
    type Error = Error;

    fn try_from(record: WireRecord) -> Result<Self> {
        let change = |revision, change| Ok(Self::Change { revision, change });
        match record {
            WireRecord::World { version, id, forked_from, created_ms, revision, next_line, checkpoint } => {
                if version > VERSION {
                    return Err(Error::invalid(format!(
                        "this export has version {version}, newer than {VERSION}"
                    ))
                    .hint("update Reverie"));
                }
                Ok(Self::World(WorldRecord {
                    id: WorldId::new(&id)?,
                    forked_from: forked_from.map(|id| WorldId::new(&id)).transpose()?,
                    created_ms,
                    revision,
                    next_line,
                    checkpoint: checkpoint.map(|id| CheckpointId::new(&id)).transpose()?,
                }))
            }
            WireRecord::Settings { version, preset, pairs } => {
                Ok(Self::Settings { version, preset: Preset::from_name(&preset)?, pairs })
            }
            WireRecord::Character { id, aliases, cards, revision } => Ok(Self::Character(CharacterRecord {
                id: CharacterId::new(&id)?,
                aliases: aliases.into_iter().map(alias_in).collect::<Result<_>>()?,
                cards: {
                    check_versions(cards.iter().map(|card| card.version))?;
                    cards.into_iter().map(card_in).collect::<Result<_>>()?
                },
                revision,
            })),
            WireRecord::Conversation { id, name, participants, revision } => {
                Ok(Self::Conversation(ConversationRecord {
                    id: ConversationId::new(&id)?,
                    name,
                    participants: characters(&participants)?,
                    revision,
                }))
            }
            WireRecord::Line(line) => line_in(*line).map(Box::new).map(Self::Line),
            WireRecord::Head { revision, conversation, line } => {
                let conversation = ConversationId::new(&conversation)?;
                change(revision, Change::Head { conversation, line: line.map(LineId::new).transpose()? })
            }
            WireRecord::Beginning { revision, conversation, people } => {
                let conversation = ConversationId::new(&conversation)?;
                let people = people.as_deref().map(characters).transpose()?;
                change(revision, Change::Beginning { conversation, people })
            }
            WireRecord::Wording { revision, line, version } => {
                change(revision, Change::Wording { line: LineId::new(line)?, version })
            }
            WireRecord::Hidden { revision, line, hidden } => {
                change(revision, Change::Hidden { line: LineId::new(line)?, hidden })
            }
            WireRecord::Card { revision, character, version } => {
                change(revision, Change::Card { character: CharacterId::new(&character)?, version })
            }
            WireRecord::SettingsChange { revision, version } => {
                change(revision, Change::Settings { version })
            }
            WireRecord::Key { conversation, key, digest, first, count, revision } => {
                let digest = URL_SAFE_NO_PAD.decode(digest).ok().and_then(|bytes| bytes.try_into().ok());
                Ok(Self::Key(KeyRecord {
                    conversation: ConversationId::new(&conversation)?,
                    key,
                    digest: digest
                        .ok_or_else(|| Error::invalid("a key's digest is not 16 bytes in base64url"))?,
                    first: LineId::new(first)?,
                    count,
                    revision,
                }))
            }
            WireRecord::Checkpoint { id, revision, time, created_ms } => {
                Ok(Self::Checkpoint(Checkpoint { id: CheckpointId::new(&id)?, revision, time, created_ms }))
            }
            WireRecord::End { .. } => Err(Error::invalid("an end is not a record")),
        }
    }
}

fn alias_in((name, value): (String, String)) -> Result<(Namespace, String)> {
    let namespace = Namespace::ALL.into_iter().find(|namespace| namespace.as_str() == name);
    let namespace = namespace.ok_or_else(|| Error::invalid(format!("unknown kind of alias {name:?}")))?;
    Ok((namespace, value))
}

fn card_in(card: WireCard) -> Result<(u32, Card)> {
    let kind = CharacterKind::from_name(&card.kind)?;
    let card_of = Card { kind, display_name: card.display_name, persona: card.persona };
    Ok((card.version, card_of))
}

fn line_in(line: WireLineRecord) -> Result<LineRecord> {
    let present = characters(&line.present)?;
    check_versions(line.wordings.iter().map(|wording| wording.version))?;
    Ok(LineRecord {
        id: LineId::new(line.id)?,
        conversation: ConversationId::new(&line.conversation)?,
        parent: line.parent.map(LineId::new).transpose()?,
        attribute: line.attribute.as_deref().map(Attribute::from_name).transpose()?,
        speaker: line.speaker.as_deref().map(CharacterId::new).transpose()?,
        display_name: line.display_name,
        wordings: line.wordings.into_iter().map(wording_in).collect(),
        tick: line.tick,
        at: line.at.unwrap_or(reverie_core::line::Order::BEFORE_TIME),
        wall_ms: line.wall_ms,
        host_id: line.host_id,
        witnesses: match &line.witnesses {
            Some(witnesses) => characters(witnesses)?,
            None => present.clone(),
        },
        present,
        revision: line.revision,
    })
}

fn wording_in(wording: WireWording) -> (u32, Wording) {
    let WireWording { version, content, original_emotion, predicted_emotion, tts, action, audio } = wording;
    let wording = Wording { content, original_emotion, predicted_emotion, tts, action, audio };
    (version, wording)
}

/// Versions count up, and leave room for more.
fn check_versions(versions: impl Iterator<Item = u32> + Clone) -> Result<()> {
    let is_rising = versions.clone().zip(versions.clone().skip(1)).all(|(one, next)| one < next);
    if is_rising && versions.into_iter().all(|version| version < 1 << 31) {
        return Ok(());
    }
    Err(Error::invalid("the versions in this export do not count up"))
}
