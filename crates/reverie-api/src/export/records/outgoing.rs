//! How is a record written down?

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reverie_core::character::Card;
use reverie_core::keepsake::{Keepsake, KeptFor};
use reverie_core::library::{Link, Scope};
use reverie_core::line::{Order, Wording};
use reverie_core::record::{LineRecord, Record, WorldRecord};
use reverie_core::world::Change;
use reverie_core::{CharacterId, LineId, RoundId};

use super::remembered::{WireMemory, WireState};
use super::{WireCard, WireLineRecord, WireRecord, WireWording};
use crate::export::VERSION;

/// The first one that knows all that is in it.
fn version_of(world: &WorldRecord) -> u32 {
    match (world.has_keepsakes, world.next_round, world.next_memory) {
        (false, 1, 1) => 1,
        _ => VERSION,
    }
}

impl From<Record> for WireRecord {
    fn from(record: Record) -> Self {
        match record {
            Record::World(world) => Self::World {
                version: version_of(&world),
                id: world.id.to_string(),
                forked_from: world.forked_from.map(|id| id.to_string()),
                created_ms: world.created_ms,
                revision: world.revision,
                next_line: world.next_line,
                next_round: world.next_round,
                next_memory: world.next_memory,
                checkpoint: world.checkpoint.map(|id| id.to_string()),
            },
            Record::Settings { version, preset, pairs } => {
                Self::Settings { version, preset: preset.as_str().to_owned(), pairs }
            }
            Record::Character(character) => Self::Character {
                id: character.id.to_string(),
                aliases: character
                    .host_ids
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
            Record::Round(round) => Self::Round(round.into()),
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
            Record::Timers { line, text } => Self::Timers { line: line.get(), text },
            Record::Keepsake(Keepsake { of, text }) => {
                let (line, conversation, file) = match of {
                    KeptFor::Line(line) => (Some(line.get()), None, None),
                    KeptFor::Conversation(id) => (None, Some(id.to_string()), None),
                    KeptFor::File(name) => (None, None, Some(name)),
                };
                Self::Keepsake { line, conversation, file, text }
            }
            Record::Memory { memory, fingerprint } => {
                Self::Memory(Box::new(WireMemory::new(*memory, fingerprint)))
            }
            Record::Holding(holding) => Self::Holding {
                memory: holding.memory.get(),
                holder: holding.holder.to_string(),
                states: holding.states.into_iter().map(WireState::from).collect(),
            },
            Record::Refreshed { line, memory, holder } => {
                Self::Refreshed { line: line.get(), memory: memory.get(), holder: holder.to_string() }
            }
            Record::Link(link) => link_out(link),
            Record::Book(book) => Self::Book {
                id: book.id.to_string(),
                name: book.name,
                format: book.format,
                text: book.text,
                file: book.file.map(|bytes| URL_SAFE_NO_PAD.encode(bytes)),
                imported: book.imported.map(|fingerprint| URL_SAFE_NO_PAD.encode(fingerprint)),
            },
            Record::Entry { book, entry } => {
                Self::Entry { book: book.to_string(), id: entry.id.to_string(), text: entry.text.to_string() }
            }
        }
    }
}

fn link_out(link: Link) -> WireRecord {
    let (character, conversation) = match link.scope {
        Scope::World => (None, None),
        Scope::Character(id) => (Some(id.to_string()), None),
        Scope::Conversation(id) => (None, Some(id.to_string())),
    };
    WireRecord::Link { book: link.book.to_string(), rank: link.rank, character, conversation }
}

fn card_out((version, card): (u32, Card)) -> WireCard {
    let Card { kind, display_name, aliases, persona, tags, document } = card;
    let card = document.map(|id| id.to_string());
    WireCard { version, kind: kind.as_str().to_owned(), display_name, aliases, persona, tags, card }
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
        Change::Forgotten { line, by } => {
            let by = by.iter().map(ToString::to_string).collect();
            WireRecord::Forgotten { revision, line: line.get(), by }
        }
        Change::Unshown { line, unshown } => WireRecord::Unshown { revision, line: line.get(), unshown },
        Change::Round { round, state } => WireRecord::RoundChange {
            revision,
            round: round.get(),
            state: state.map(|state| state.as_str().to_owned()),
        },
        Change::Holding { memory, holder, version } => {
            WireRecord::HoldingChange { revision, memory: memory.get(), holder: holder.to_string(), version }
        }
        Change::Card { character, version } => {
            WireRecord::Card { revision, character: character.to_string(), version }
        }
        Change::Settings { version } => WireRecord::SettingsChange { revision, version },
        Change::ConversationAway { conversation, away } => {
            WireRecord::ConversationAway { revision, conversation: conversation.to_string(), away }
        }
        Change::CharacterAway { character, away } => {
            WireRecord::CharacterAway { revision, character: character.to_string(), away }
        }
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
        at: Some(line.at).filter(|at| *at != Order::BEFORE_TIME),
        wall_ms: line.wall_ms,
        host_id: line.host_id,
        witnesses: (line.witnesses != line.present).then(|| texts(&line.witnesses)),
        present: texts(&line.present),
        round: line.round.map(RoundId::get),
        revision: line.revision,
    }
}

fn wording_out((version, wording): (u32, Wording)) -> WireWording {
    let Wording { content, original_emotion, predicted_emotion, tts, action, audio } = wording;
    WireWording { version, content, original_emotion, predicted_emotion, tts, action, audio }
}

pub(super) fn texts(ids: &[CharacterId]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}
