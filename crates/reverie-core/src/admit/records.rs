//! May the records of an export come in? The same rules as for words that are spoken here.

use std::collections::{HashMap, HashSet};

use crate::character::Card;
use crate::id::{CharacterId, DocumentId};
use crate::library::DocumentEntry;
use crate::limits::{Limits, check};
use crate::line::{check_tick, check_wall_ms};
use crate::lore::Timers;
use crate::memory::{Memory, State};
use crate::record::{
    BookRecord, CharacterRecord, ConversationRecord, HoldingRecord, KeyRecord, LineRecord, Record,
    RoundRecord,
};
use crate::settings::{Pairs, Preset, WorldSettings};
use crate::world::Change;
use crate::{Error, Result};

use super::{admit_scene, check_share, keep, length};

/// No thing gets so many versions by honest work.
const MAX_VERSION: u32 = 1 << 31;

/// Looks at one record after another and remembers what the later ones depend on.
pub(crate) struct Inspection<'l> {
    limits: &'l Limits,
    /// Whoever spoke so far: speaking in a scene makes one present, beyond any list.
    speakers: HashSet<CharacterId>,
    books: HashMap<DocumentId, Size>,
    replaced: usize,
}

/// Of a book, as far as it has come in.
#[derive(Default)]
struct Size {
    entries: usize,
    bytes: usize,
}

impl<'l> Inspection<'l> {
    pub(crate) fn new(limits: &'l Limits) -> Self {
        Self { limits, speakers: HashSet::new(), books: HashMap::new(), replaced: 0 }
    }

    /// How many characters could not be kept.
    pub(crate) fn replaced(&self) -> usize {
        self.replaced
    }

    /// The record as it may come in, or an error that names it.
    pub(crate) fn pass(&mut self, mut record: Record) -> Result<Record> {
        match &mut record {
            Record::World(world) => {
                check_wall_ms(world.created_ms).map_err(|error| error.within("the world"))?;
            }
            Record::Checkpoint(checkpoint) => {
                let passed =
                    check_wall_ms(checkpoint.created_ms).and(checkpoint.time.map_or(Ok(0), check_tick));
                passed.map_err(|error| error.within(format!("checkpoint {:?}", checkpoint.id)))?;
            }
            Record::Link(_) => {}
            Record::Book(book) => {
                self.book(book).map_err(|error| error.within(format!("book {:?}", book.id)))?;
            }
            Record::Entry { book, entry } => {
                let passed = self.entry(book, entry);
                passed.map_err(|error| error.within(format!("entry {:?} of book {book:?}", entry.id)))?;
            }
            Record::Timers { line, text } => {
                let passed = self.timers(text);
                passed.map_err(|error| error.within(format!("the lore timers of line {line}")))?;
            }
            Record::Keepsake(keepsake) => {
                let passed = self.limits.check_keepsake(&keepsake.of, &keepsake.text);
                passed.map_err(|error| error.within(format!("what is kept of {:?}", keepsake.of)))?;
            }
            Record::Settings { version, preset, pairs } => {
                let passed = check_version(*version).and_then(|()| self.settings(*preset, pairs));
                passed.map_err(|error| error.within(format!("settings {version}")))?;
            }
            Record::Character(character) => {
                let passed = self.character(character);
                passed.map_err(|error| error.within(format!("character {:?}", character.id)))?;
            }
            Record::Conversation(conversation) => {
                let passed = self.conversation(conversation);
                passed.map_err(|error| error.within(format!("conversation {:?}", conversation.id)))?;
            }
            Record::Line(line) => {
                self.line(line).map_err(|error| error.within(format!("line {}", line.id)))?;
            }
            Record::Round(round) => {
                self.round(round).map_err(|error| error.within(format!("round {}", round.id)))?;
            }
            Record::Memory { memory, .. } => {
                self.memory(memory).map_err(|error| error.within(format!("memory {}", memory.id)))?;
            }
            Record::Holding(holding) => {
                let passed = self.holding(holding);
                passed.map_err(|error| {
                    error.within(format!("memory {} of {:?}", holding.memory, holding.holder))
                })?;
            }
            Record::Refreshed { .. } => {}
            Record::Change { change: Change::Beginning { conversation, people }, .. } => {
                let passed = self.limits.check_people(people.as_ref().map_or(0, Vec::len));
                passed.map_err(|error| {
                    error.within(format!("the beginning of conversation {conversation:?}"))
                })?;
            }
            Record::Change { .. } => {}
            Record::Key(key) => {
                let passed = self.key(key);
                passed
                    .map_err(|error| error.within(format!("a key of conversation {:?}", key.conversation)))?;
            }
        }
        Ok(record)
    }

    /// A key stands for what can be recorded at once.
    fn key(&self, record: &KeyRecord) -> Result<()> {
        self.limits.check_key(&record.key)?;
        let count = usize::try_from(record.count).unwrap_or(usize::MAX);
        check("lines", count, self.limits.lines_per_append, "limits.lines")
            .map_err(|error| error.within(format!("{:?}", record.key)))
    }

    /// Not cleaned: these are files of their authors, and what they cannot say plainly JSON says by an escape.
    fn book(&mut self, record: &BookRecord) -> Result<()> {
        let Size { entries, bytes } = self.books.entry(record.id.clone()).or_default();
        *bytes += record.name.len() + record.text.len() + record.file.as_ref().map_or(0, Vec::len);
        self.limits.check_book(*entries, *bytes)
    }

    fn entry(&mut self, book: &DocumentId, entry: &DocumentEntry) -> Result<()> {
        let Size { entries, bytes } = self.books.entry(book.clone()).or_default();
        *entries += 1;
        *bytes += entry.id.len() + entry.text.len();
        self.limits.check_book(*entries, *bytes)
    }

    /// Text that says no timers would only be found when they are needed.
    fn timers(&mut self, text: &str) -> Result<()> {
        let most = self.limits.bytes_per_document;
        check("bytes", text.len(), most, "limits.document_bytes")?;
        let read = text.parse::<Timers>().map(drop);
        read.map_err(|_| Error::invalid("they cannot be read").hint("use an export just as it was written"))
    }

    fn settings(&mut self, preset: Preset, pairs: &mut Pairs) -> Result<()> {
        self.replaced += self.limits.admit_pairs(pairs)?;
        check("settings", pairs.len(), self.limits.settings, "limits.settings")?;
        self.limits.check_settings(pairs, &WorldSettings::resolve(preset, pairs)?)
    }

    fn character(&mut self, record: &mut CharacterRecord) -> Result<()> {
        for (namespace, value) in &mut record.host_ids {
            self.replaced += crate::text::clean_in_place(value);
            self.limits.check_name(namespace.as_str(), value.len())?;
        }
        for (version, Card { display_name, aliases, persona, tags, .. }) in &mut record.cards {
            check_version(*version)?;
            self.replaced += keep(display_name) + keep(persona);
            self.limits.check_name("display_name", length(display_name))?;
            self.limits.check_persona("the persona", length(persona))?;
            self.replaced += self.limits.admit_aliases(aliases)?;
            if let Some(tags) = tags {
                self.replaced += self.limits.admit_tags(tags)?;
            }
        }
        Ok(())
    }

    fn conversation(&mut self, record: &mut ConversationRecord) -> Result<()> {
        if let Some(name) = &mut record.name {
            let (admitted, replaced) = admit_scene(name)?;
            self.replaced += replaced;
            *name = admitted;
        }
        self.limits.check_people(record.participants.len())
    }

    fn round(&mut self, record: &mut RoundRecord) -> Result<()> {
        check_wall_ms(record.opened_ms)?;
        for participant in &mut record.present {
            self.replaced += keep(&mut participant.name);
            self.limits.check_name("a name", length(&participant.name))?;
        }
        let most = self.limits.people.saturating_add(self.speakers.len());
        check("people", record.present.len(), most, "limits.participants")
    }

    fn memory(&mut self, memory: &mut Memory) -> Result<()> {
        check_wall_ms(memory.wall_ms)?;
        memory.tick.map(check_tick).transpose()?;
        check_share("importance", memory.importance)?;
        // What was recorded here must be able to return: a round is as long as its lines.
        let of_lines = memory.sources.len() * (self.limits.bytes_per_text + self.limits.bytes_per_name);
        let most = self.limits.bytes_per_memory.saturating_add(of_lines);
        let limits = Limits { bytes_per_memory: most, ..self.limits.clone() };
        self.replaced += limits.admit_memory_text(&mut memory.text)?;
        for words in [&mut memory.keywords, &mut memory.topics, &mut memory.emotions] {
            self.replaced += self.limits.admit_words(words)?;
        }
        Ok(())
    }

    fn holding(&mut self, record: &mut HoldingRecord) -> Result<()> {
        for (version, State { activity, since, since_ms, text, importance, .. }) in &mut record.states {
            check_version(*version)?;
            check_share("activity", *activity)?;
            importance.map(|share| check_share("importance", share)).transpose()?;
            since.map(check_tick).transpose()?;
            since_ms.map(check_wall_ms).transpose()?;
            if let Some(text) = text {
                self.replaced += self.limits.admit_memory_text(text)?;
            }
        }
        Ok(())
    }

    fn line(&mut self, record: &mut LineRecord) -> Result<()> {
        check_wall_ms(record.wall_ms)?;
        for (version, wording) in &mut record.wordings {
            check_version(*version)?;
            let replaced = self.limits.admit_wording(wording)?;
            self.replaced += replaced.into_iter().map(|(_, count)| count).sum::<usize>();
        }
        for (field, text) in [("display_name", &mut record.display_name), ("host_id", &mut record.host_id)] {
            self.replaced += keep(text);
            self.limits.check_name(field, length(text))?;
        }
        if let Some(speaker) = record.speaker.as_ref().filter(|speaker| !self.speakers.contains(*speaker)) {
            self.speakers.insert(speaker.clone());
        }
        let most = self.limits.people.saturating_add(self.speakers.len());
        let people = record.present.len().max(record.witnesses.len());
        check("people", people, most, "limits.participants")
    }
}

/// One more must always fit.
fn check_version(version: u32) -> Result<()> {
    if version <= MAX_VERSION {
        return Ok(());
    }
    Err(Error::invalid(format!("version {version} is beyond counting"))
        .hint("export the world again; nothing was imported"))
}
