//! How does a world arrive piece by piece, unseen until it is whole, and all of it or nothing?
//!
//! Records are written in slices, each a job among those of other writers, so that nobody waits for a whole world. Until
//! the last slice the world is nobody's to see: it has no id, only a mark that its bringer is still at work. A small world
//! is one slice. What is left of a world whose bringer failed or vanished is cleared away.

mod along;
mod arrival;
mod changes;
mod finish;
mod leftovers;
mod lines;
mod remembered;

use reverie_core::character::Card;
use reverie_core::record::{CharacterRecord, LineRecord, Record};
use reverie_core::world::World;
use reverie_core::{Error, WorldId};
use rusqlite::Connection;

use crate::error::Result;
use crate::writer::Writer;
use arrival::Arrival;
use finish::{Finish, Progress};
use leftovers::Arriving;
pub(crate) use leftovers::{abandoned, clear_abandoned, clear_condemned, condemn_whole};

/// With so many bytes a slice is full, however few records they are.
const SLICE_BYTES: usize = 4 << 20;

/// A world on its way into the store. Dropped before its end, it leaves nothing behind.
pub(crate) struct Import<'w> {
    writer: &'w Writer,
    id: WorldId,
    /// Not written yet.
    slice: Vec<Record>,
    slice_bytes: usize,
    arrival: Option<Arrival>,
    /// What to clear away, once anything of it is written.
    begun: Option<Arriving>,
}

impl<'w> Import<'w> {
    pub(crate) fn new(writer: &'w Writer, id: &WorldId) -> Self {
        Self { writer, id: id.clone(), slice: Vec::new(), slice_bytes: 0, arrival: None, begun: None }
    }

    pub(crate) fn push(&mut self, record: Record) -> Result<()> {
        self.slice_bytes += bytes(&record);
        self.slice.push(record);
        if self.slice.len() < self.writer.slice() && self.slice_bytes < SLICE_BYTES {
            return Ok(());
        }
        let (id, arrival, slice) = self.next_slice();
        let arrival = self.writer.write(move |connection| take(connection, &id, arrival, slice))?;
        self.begun = Some(arrival.arriving);
        self.arrival = Some(arrival);
        Ok(())
    }

    /// The rest, and then the world is there.
    pub(crate) fn finish(mut self) -> Result<World> {
        let steps = self.writer.slice();
        let (id, arrival, slice) = self.next_slice();
        let mut progress = self.writer.write(move |connection| {
            let arrival = take(connection, &id, arrival, slice)?;
            Finish::begin(connection, arrival)?.advance(connection, &id, steps)
        })?;
        loop {
            match progress {
                Progress::Arrived(world) => {
                    self.begun = None;
                    return Ok(world);
                }
                Progress::UnderWay(finish) => {
                    self.begun = Some(finish.arriving);
                    let id = self.id.clone();
                    progress = self.writer.write(move |connection| {
                        finish.keep_alive(connection)?;
                        finish.advance(connection, &id, steps)
                    })?;
                }
            }
        }
    }

    fn next_slice(&mut self) -> (WorldId, Option<Arrival>, Vec<Record>) {
        self.slice_bytes = 0;
        (self.id.clone(), self.arrival.take(), std::mem::take(&mut self.slice))
    }
}

impl Drop for Import<'_> {
    fn drop(&mut self) {
        if let Some(world) = self.begun {
            // If this fails too, it is cleared away like one whose bringer vanished.
            let _ = leftovers::clear(self.writer, world);
        }
    }
}

fn take(
    connection: &Connection,
    id: &WorldId,
    arrival: Option<Arrival>,
    slice: Vec<Record>,
) -> Result<Arrival> {
    let mut records = slice.into_iter();
    let mut arrival = match arrival {
        Some(arrival) => {
            arrival.keep_alive(connection)?;
            arrival
        }
        None => Arrival::begin(connection, id, records.next())?,
    };
    for record in records {
        arrival.take(connection, record)?;
    }
    Ok(arrival)
}

/// About what a record holds in memory.
fn bytes(record: &Record) -> usize {
    const ROW: usize = 256;
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let texts: usize = match record {
        Record::Line(line) => {
            let LineRecord { wordings, .. } = line.as_ref();
            let one = |(_, w): &(u32, reverie_core::line::Wording)| {
                let others = [&w.original_emotion, &w.predicted_emotion, &w.tts, &w.action, &w.audio];
                ROW + w.content.len() + others.into_iter().map(length).sum::<usize>()
            };
            wordings.iter().map(one).sum()
        }
        Record::Character(CharacterRecord { cards, .. }) => {
            let tags = |card: &Card| card.tags.iter().flatten().map(|tag| ROW + tag.len()).sum::<usize>();
            let aliases = |card: &Card| card.aliases.iter().map(|alias| ROW + alias.len()).sum::<usize>();
            let labels = |card: &Card| length(&card.display_name) + aliases(card) + tags(card);
            let one = |card: &Card| ROW + length(&card.persona) + labels(card);
            cards.iter().map(|(_, card)| one(card)).sum()
        }
        Record::Book(book) => book.name.len() + book.text.len() + book.file.as_ref().map_or(0, Vec::len),
        Record::Entry { entry, .. } => entry.id.len() + entry.text.len(),
        Record::Timers { text, .. } => text.len(),
        Record::Keepsake(keepsake) => keepsake.text.len(),
        Record::Memory { memory, .. } => {
            let words = [&memory.keywords, &memory.topics, &memory.emotions];
            memory.text.len() + words.into_iter().flatten().map(String::len).sum::<usize>()
        }
        Record::Holding(holding) => holding.states.iter().map(|(_, state)| ROW + length(&state.text)).sum(),
        _ => 0,
    };
    ROW + texts
}

fn broken(why: &str) -> crate::error::Error {
    Error::invalid(format!("this is not a whole export: {why}"))
        .hint("export the world again; nothing was imported")
        .into()
}
