//! In what form does a world travel: one record a line, and for save files the same in one compact word.
//!
//! `save` is `reverie-save/1:` and the deflated lines in base64url: letters, digits, `-` and `_` only, so that any XML,
//! JSON or INI file can carry it as it is.

mod records;

use std::io::{BufRead, BufReader, Read, Write};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use reverie_core::record::Record;
use reverie_core::{CheckpointId, Code, Error, Result, Store, WorldId};

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
    store: &dyn Store,
    world: &WorldId,
    checkpoint: Option<&CheckpointId>,
    format: Format,
) -> Result<Vec<u8>> {
    match format {
        Format::JsonLines => {
            let mut lines = Vec::new();
            write_lines(store, world, checkpoint, &mut lines)?;
            Ok(lines)
        }
        Format::Save => {
            let mut deflate = DeflateEncoder::new(Vec::new(), Compression::default());
            write_lines(store, world, checkpoint, &mut deflate)?;
            let packed = deflate.finish().map_err(|error| cannot_write(&error))?;
            Ok(format!("{SAVE_PREFIX}{}", URL_SAFE_NO_PAD.encode(packed)).into_bytes())
        }
    }
}

/// Streams the lines of an export into a writer.
pub fn write_lines(
    store: &dyn Store,
    world: &WorldId,
    checkpoint: Option<&CheckpointId>,
    to: &mut dyn Write,
) -> Result<()> {
    store.export(world, checkpoint, &mut |record| {
        serde_json::to_writer(&mut *to, &WireRecord::from(record))
            .map_err(std::io::Error::from)
            .and_then(|()| to.write_all(b"\n"))
            .map_err(|error| cannot_write(&error))
    })
}

fn cannot_write(error: &std::io::Error) -> Error {
    Error::new(Code::Unavailable, format!("the export cannot be written: {error}"))
}

/// Makes a world from an export in either format. `most` bounds what a packed one may unfold to.
pub fn read(store: &dyn Store, id: Option<&WorldId>, text: &str, most: usize) -> Result<reverie_core::World> {
    let text = text.trim();
    if let Some(packed) = text.strip_prefix(SAVE_PREFIX) {
        // Save files may have wrapped the line.
        let packed: Vec<u8> = packed.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let packed =
            URL_SAFE_NO_PAD.decode(packed).map_err(|error| broken(&format!("it is not whole: {error}")))?;
        let unpacked = DeflateDecoder::new(packed.as_slice()).take(most as u64 + 1);
        return read_lines(store, id, &mut BufReader::new(unpacked), most);
    }
    if text.starts_with("reverie-save/") {
        return Err(Error::invalid("this save was written by a newer Reverie").hint("update Reverie"));
    }
    read_lines(store, id, &mut text.as_bytes(), most)
}

/// Makes a world from the lines of an export.
pub fn read_lines(
    store: &dyn Store,
    id: Option<&WorldId>,
    lines: &mut dyn BufRead,
    most: usize,
) -> Result<reverie_core::World> {
    let mut reader = Lines { lines, number: 0, left: most };
    let first = reader.next().transpose()?.ok_or_else(|| broken("it is empty"))?;
    let Record::World(head) = &first else { return Err(broken("it does not begin with a world")) };
    let id = id.unwrap_or(&head.id).clone();
    store.import(&id, &mut std::iter::once(Ok(first)).chain(reader))
}

struct Lines<'l> {
    lines: &'l mut dyn BufRead,
    number: usize,
    left: usize,
}

impl Iterator for Lines<'_> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut line = String::new();
            let read = match self.lines.read_line(&mut line) {
                Ok(0) => return None,
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
            let record = serde_json::from_str::<WireRecord>(&line)
                .map_err(|error| broken(&format!("line {}: {error}", self.number)))
                .and_then(Record::try_from);
            return Some(record);
        }
    }
}

fn broken(why: &str) -> Error {
    Error::invalid(format!("this is not an export of a world: {why}"))
        .hint("use what GET /v1/worlds/{world}/export or `reverie export` wrote; nothing was imported")
}
