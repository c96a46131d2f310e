//! In what form does a world travel: one record a line, and for save files the same in one compact word.
//!
//! The last line says how many came before it, so that a file that lost its end is not taken for a whole one. `save` is
//! `reverie-save/1:` and the packed lines (zlib, with its checksum) in base64url: letters, digits, `-` and `_` only, so
//! that any XML, JSON or INI file can carry it as it is.

mod records;

use std::io::{BufRead, BufReader, Read, Write};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use reverie_core::record::Record;
use reverie_core::{CheckpointId, Code, Engine, Error, Result, World, WorldId, Written};

use records::WireRecord;

/// Refused if newer than this.
pub const VERSION: u32 = 1;
const SAVE_PREFIX: &str = "reverie-save/1:";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    JsonLines,
    Save,
}

impl Format {
    pub fn from_name(name: &str) -> Result<Self> {
        match name {
            "jsonl" => Ok(Self::JsonLines),
            "save" => Ok(Self::Save),
            _ => Err(Error::invalid(format!("unknown export format {name:?}")).hint("use jsonl or save")),
        }
    }
}

pub fn write(
    engine: &Engine,
    world: &WorldId,
    checkpoint: Option<&CheckpointId>,
    format: Format,
) -> Result<Vec<u8>> {
    match format {
        Format::JsonLines => {
            let mut lines = Vec::new();
            write_lines(engine, world, checkpoint, &mut lines)?;
            Ok(lines)
        }
        Format::Save => {
            let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
            write_lines(engine, world, checkpoint, &mut packer)?;
            let packed = packer.finish().map_err(|error| cannot_write(&error))?;
            Ok(format!("{SAVE_PREFIX}{}", URL_SAFE_NO_PAD.encode(packed)).into_bytes())
        }
    }
}

/// Streams the lines of an export into a writer.
pub fn write_lines(
    engine: &Engine,
    world: &WorldId,
    checkpoint: Option<&CheckpointId>,
    to: &mut dyn Write,
) -> Result<()> {
    let mut records = 0;
    engine.export(world, checkpoint, &mut |record| {
        records += 1;
        write_line(&WireRecord::from(record), to)
    })?;
    write_line(&WireRecord::End { records }, to)
}

fn write_line(line: &WireRecord, to: &mut dyn Write) -> Result<()> {
    serde_json::to_writer(&mut *to, line)
        .map_err(std::io::Error::from)
        .and_then(|()| to.write_all(b"\n"))
        .map_err(|error| cannot_write(&error))
}

fn cannot_write(error: &std::io::Error) -> Error {
    Error::new(Code::Unavailable, format!("the export cannot be written: {error}"))
}

/// Makes a world from an export in either format. `most` bounds what a packed one may unfold to.
pub fn read(engine: &Engine, id: Option<&WorldId>, text: &str, most: usize) -> Result<Written<World>> {
    let text = text.trim();
    if let Some(packed) = text.strip_prefix(SAVE_PREFIX) {
        // Save files may have wrapped the line.
        let packed: Vec<u8> = packed.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let packed =
            URL_SAFE_NO_PAD.decode(packed).map_err(|error| broken(&format!("it is not whole: {error}")))?;
        let unpacked = ZlibDecoder::new(packed.as_slice()).take(most as u64 + 1);
        return read_lines(engine, id, &mut BufReader::new(unpacked), most);
    }
    if text.starts_with("reverie-save/") {
        return Err(Error::invalid("this save was written by a newer Reverie").hint("update Reverie"));
    }
    read_lines(engine, id, &mut text.as_bytes(), most)
}

/// Makes a world from the lines of an export.
pub fn read_lines(
    engine: &Engine,
    id: Option<&WorldId>,
    lines: &mut dyn BufRead,
    most: usize,
) -> Result<Written<World>> {
    let mut reader = Lines { lines, number: 0, left: most, records: 0, has_ended: false };
    let first = reader.next().transpose()?.ok_or_else(|| broken("it is empty"))?;
    let Record::World(head) = &first else { return Err(broken("it does not begin with a world")) };
    let id = id.unwrap_or(&head.id).clone();
    engine.import(&id, &mut std::iter::once(Ok(first)).chain(reader))
}

struct Lines<'l> {
    lines: &'l mut dyn BufRead,
    number: usize,
    left: usize,
    records: u64,
    has_ended: bool,
}

impl Iterator for Lines<'_> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut line = String::new();
            let read = match self.lines.read_line(&mut line) {
                Ok(0) if self.has_ended => return None,
                Ok(0) => return Some(Err(broken("its end is missing"))),
                Ok(read) => read,
                Err(error) => return Some(Err(broken(&format!("line {}: {error}", self.number + 1)))),
            };
            self.number += 1;
            if read > self.left {
                let error = Error::invalid("this export is larger than an import may be");
                return Some(Err(error.hint("raise limits.import_bytes")));
            }
            self.left -= read;
            if line.trim().is_empty() {
                continue;
            }
            match self.record(&line) {
                Ok(None) => {}
                Ok(Some(record)) => return Some(Ok(record)),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Lines<'_> {
    /// None at the end.
    fn record(&mut self, line: &str) -> Result<Option<Record>> {
        if self.has_ended {
            return Err(broken(&format!("line {} stands behind its end", self.number)));
        }
        let record = serde_json::from_str::<WireRecord>(line);
        match record.map_err(|error| broken(&format!("line {}: {error}", self.number)))? {
            WireRecord::End { records } if records == self.records => {
                self.has_ended = true;
                Ok(None)
            }
            WireRecord::End { records } => {
                Err(broken(&format!("it had {records} records and has {}", self.records)))
            }
            record => {
                self.records += 1;
                Record::try_from(record).map(Some)
            }
        }
    }
}

fn broken(why: &str) -> Error {
    Error::invalid(format!("this is not an export of a world: {why}"))
        .hint("use an export just as it was written; nothing was imported")
}
