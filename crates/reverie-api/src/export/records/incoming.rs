//! How is a written record understood, and what is refused?

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reverie_core::character::{Card, CharacterKind, Namespace};
use reverie_core::keepsake::{Keepsake, KeptFor};
use reverie_core::library::{DocumentEntry, Link, Scope};
use reverie_core::line::{Order, Wording};
use reverie_core::record::{
    BookRecord, CharacterRecord, ConversationRecord, HoldingRecord, KeyRecord, LineRecord, Record,
    WorldRecord,
};
use reverie_core::settings::Preset;
use reverie_core::world::{Change, Checkpoint};
use reverie_core::{
    Attribute, CharacterId, CheckpointId, ConversationId, DocumentId, Error, LineId, MemoryId, Result,
    RoundId, WorldId,
};

use super::remembered::{WireState, state_of_round};
use super::{WireCard, WireLineRecord, WireRecord, WireWording};
use crate::export::VERSION;

/// The version that brought keepsakes.
const KEEPSAKES: u32 = 3;

impl TryFrom<WireRecord> for Record {
    type Error = Error;

    fn try_from(record: WireRecord) -> Result<Self> {
        let change = |revision, change| Ok(Self::Change { revision, change });
        match record {
            WireRecord::World {
                version,
                id,
                forked_from,
                created_ms,
                revision,
                next_line,
                next_round,
                next_memory,
                checkpoint,
            } => {
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
                    next_round,
                    next_memory,
                    checkpoint: checkpoint.map(|id| CheckpointId::new(&id)).transpose()?,
                    has_keepsakes: version >= KEEPSAKES,
                }))
            }
            WireRecord::Settings { version, preset, pairs } => {
                Ok(Self::Settings { version, preset: Preset::from_name(&preset)?, pairs })
            }
            WireRecord::Character { id, aliases, cards, revision } => Ok(Self::Character(CharacterRecord {
                id: CharacterId::new(&id)?,
                host_ids: aliases.into_iter().map(host_id_in).collect::<Result<_>>()?,
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
            WireRecord::Round(round) => round.try_into().map(Self::Round),
            WireRecord::Line(line) => line_in(*line).map(Box::new).map(Self::Line),
            WireRecord::Memory(memory) => (*memory).try_into(),
            WireRecord::Holding { memory, holder, states } => {
                check_versions(states.iter().map(WireState::version))?;
                Ok(Self::Holding(HoldingRecord {
                    memory: MemoryId::new(memory)?,
                    holder: CharacterId::new(&holder)?,
                    states: states.into_iter().map(WireState::into_state).collect::<Result<_>>()?,
                }))
            }
            WireRecord::Refreshed { line, memory, holder } => Ok(Self::Refreshed {
                line: LineId::new(line)?,
                memory: MemoryId::new(memory)?,
                holder: CharacterId::new(&holder)?,
            }),
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
            WireRecord::Forgotten { revision, line, by } => {
                let by = by.iter().map(|id| CharacterId::new(id)).collect::<Result<Vec<_>>>()?;
                change(revision, Change::Forgotten { line: LineId::new(line)?, by })
            }
            WireRecord::Unshown { revision, line, unshown } => {
                change(revision, Change::Unshown { line: LineId::new(line)?, unshown })
            }
            WireRecord::RoundChange { revision, round, state } => {
                let state = state.as_deref().map(state_of_round).transpose()?;
                change(revision, Change::Round { round: RoundId::new(round)?, state })
            }
            WireRecord::HoldingChange { revision, memory, holder, version } => {
                let (memory, holder) = (MemoryId::new(memory)?, CharacterId::new(&holder)?);
                change(revision, Change::Holding { memory, holder, version })
            }
            WireRecord::Card { revision, character, version } => {
                change(revision, Change::Card { character: CharacterId::new(&character)?, version })
            }
            WireRecord::SettingsChange { revision, version } => {
                change(revision, Change::Settings { version })
            }
            WireRecord::ConversationAway { revision, conversation, away } => {
                let conversation = ConversationId::new(&conversation)?;
                change(revision, Change::ConversationAway { conversation, away })
            }
            WireRecord::CharacterAway { revision, character, away } => {
                change(revision, Change::CharacterAway { character: CharacterId::new(&character)?, away })
            }
            WireRecord::Key { conversation, key, digest, first, count, revision } => {
                Ok(Self::Key(KeyRecord {
                    conversation: ConversationId::new(&conversation)?,
                    key,
                    digest: fingerprint_in(&digest)?,
                    first: LineId::new(first)?,
                    count,
                    revision,
                }))
            }
            WireRecord::Checkpoint { id, revision, time, created_ms } => {
                Ok(Self::Checkpoint(Checkpoint { id: CheckpointId::new(&id)?, revision, time, created_ms }))
            }
            WireRecord::Keepsake { line, conversation, file, text } => {
                let of = match (line, conversation, file) {
                    (Some(line), None, None) => KeptFor::Line(LineId::new(line)?),
                    (None, Some(id), None) => KeptFor::Conversation(ConversationId::new(&id)?),
                    (None, None, Some(name)) => KeptFor::File(name),
                    _ => {
                        return Err(Error::invalid(
                            "a keepsake is of a line, of a conversation or of a file",
                        )
                        .hint("use an export just as it was written; nothing was imported"));
                    }
                };
                Ok(Self::Keepsake(Keepsake { of, text }))
            }
            WireRecord::Timers { line, text } => Ok(Self::Timers { line: LineId::new(line)?, text }),
            WireRecord::Link { book, rank, character, conversation } => {
                let scope = scope_in(character.as_deref(), conversation.as_deref())?;
                Ok(Self::Link(Link { scope, book: DocumentId::new(&book)?, rank }))
            }
            WireRecord::Book { id, name, format, text, file, imported } => {
                let file = file.map(|file| URL_SAFE_NO_PAD.decode(file)).transpose();
                let file = file.map_err(|_| Error::invalid("a book's file is not base64url"))?;
                let imported = imported.as_deref().map(fingerprint_in).transpose()?;
                let id = DocumentId::new(&id)?;
                Ok(Self::Book(Box::new(BookRecord { id, name, format, text, file, imported })))
            }
            WireRecord::Entry { book, id, text } => {
                let entry = DocumentEntry { id: id.into(), text: text.into() };
                Ok(Self::Entry { book: DocumentId::new(&book)?, entry })
            }
            WireRecord::End { .. } => Err(Error::invalid("an end is not a record")),
        }
    }
}

fn fingerprint_in(text: &str) -> Result<[u8; 16]> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok().and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| Error::invalid("a digest is not 16 bytes in base64url"))
}

fn scope_in(character: Option<&str>, conversation: Option<&str>) -> Result<Scope> {
    match (character, conversation) {
        (None, None) => Ok(Scope::World),
        (Some(id), None) => Ok(Scope::Character(CharacterId::new(id)?)),
        (None, Some(id)) => Ok(Scope::Conversation(ConversationId::new(id)?)),
        (Some(_), Some(_)) => Err(Error::invalid("a link is for a character and for a conversation")),
    }
}

fn host_id_in((name, value): (String, String)) -> Result<(Namespace, String)> {
    let namespace = Namespace::ALL.into_iter().find(|namespace| namespace.as_str() == name);
    let namespace = namespace.ok_or_else(|| Error::invalid(format!("unknown kind of alias {name:?}")))?;
    Ok((namespace, value))
}

fn card_in(card: WireCard) -> Result<(u32, Card)> {
    let kind = CharacterKind::from_name(&card.kind)?;
    let WireCard { version, display_name, aliases, persona, tags, card, .. } = card;
    let document = card.as_deref().map(DocumentId::new).transpose()?;
    Ok((version, Card { kind, display_name, aliases, persona, tags, document }))
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
        at: line.at.unwrap_or(Order::BEFORE_TIME),
        wall_ms: line.wall_ms,
        host_id: line.host_id,
        witnesses: match &line.witnesses {
            Some(witnesses) => characters(witnesses)?,
            None => present.clone(),
        },
        present,
        round: line.round.map(RoundId::new).transpose()?,
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

pub(super) fn characters(texts: &[String]) -> Result<Vec<CharacterId>> {
    texts.iter().map(|text| CharacterId::new(text)).collect()
}
