//! In what form does a world travel: one record a line, and for save files the same in one compact word.
//!
//! The last line says how many came before it, so that a file that lost its end is not taken for a whole one. `save` is
//! `reverie-save/1:` and the packed lines (zlib, with its checksum) in base64url: letters, digits, `-` and `_` only, so
//! that any XML, JSON or INI file can carry it as it is.
//!
//! Both are written and read piece by piece: what is held in memory does not grow with the world's lines.

mod reading;
mod records;

use std::cell::Cell;
use std::io::{BufWriter, Write};

use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::write::EncoderWriter;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use reverie_core::record::Record;
use reverie_core::{CheckpointId, Code, Engine, Error, Result, WorldId};

pub use reading::{is_export, read};
use records::WireRecord;

/// Refused if newer than this. Of a world without rounds, memories and keepsakes it is 1: earlier readers understand all of it.
pub const VERSION: u32 = 3;
const SAVE_PREFIX: &str = "reverie-save/1:";
/// Records are short; the packer works faster on larger pieces.
const PIECE: usize = 32 << 10;

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

/// Writes a world, as it is or as it was at a checkpoint, from one snapshot.
pub fn write(
    engine: &Engine,
    world: &WorldId,
    checkpoint: Option<&CheckpointId>,
    format: Format,
    to: &mut dyn Write,
) -> Result<()> {
    write_watched(engine, world, checkpoint, format, to, &mut |_, _| {})
}

/// As `write`, and tells now and then how many lines of how many are written.
pub fn write_watched(
    engine: &Engine,
    world: &WorldId,
    checkpoint: Option<&CheckpointId>,
    format: Format,
    to: &mut dyn Write,
    watch: &mut dyn FnMut(u64, u64),
) -> Result<()> {
    match format {
        Format::JsonLines => write_lines(engine, world, checkpoint, to, watch),
        Format::Save => {
            let is_cut = Cell::new(false);
            let text =
                EncoderWriter::new(Outlet { prefix: SAVE_PREFIX, to, is_cut: &is_cut }, &URL_SAFE_NO_PAD);
            let mut packer = BufWriter::with_capacity(PIECE, ZlibEncoder::new(text, Compression::default()));
            if let Err(error) = write_lines(engine, world, checkpoint, &mut packer, watch) {
                is_cut.set(true);
                return Err(error);
            }
            let end = || -> std::io::Result<()> {
                let packer = packer.into_inner().map_err(std::io::IntoInnerError::into_error)?;
                packer.finish()?.finish()?;
                Ok(())
            };
            end().map_err(|error| cannot_write(&error))
        }
    }
}

fn write_lines(
    engine: &Engine,
    world: &WorldId,
    checkpoint: Option<&CheckpointId>,
    to: &mut dyn Write,
    watch: &mut dyn FnMut(u64, u64),
) -> Result<()> {
    let mut records = 0;
    let mut lines = 0;
    engine.export(world, checkpoint, &mut |record| {
        records += 1;
        match &record {
            Record::World(world) => lines = world.next_line,
            Record::Line(line) => watch(line.id.get(), lines),
            _ => {}
        }
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

/// Where a packed export goes, behind its prefix. Packers write an end even when they are dropped; after a cut it must not
/// get through, because an end says that all is well.
struct Outlet<'o> {
    prefix: &'static str,
    to: &'o mut dyn Write,
    is_cut: &'o Cell<bool>,
}

impl Write for Outlet<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.is_cut.get() {
            return Ok(bytes.len());
        }
        self.to.write_all(std::mem::take(&mut self.prefix).as_bytes())?;
        self.to.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.to.flush()
    }
}
