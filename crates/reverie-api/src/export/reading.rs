//! How is an export read, in either form, without holding it whole?

use std::io::{self, BufRead, BufReader, Read};

use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::read::DecoderReader;
use flate2::read::ZlibDecoder;
use reverie_core::record::Record;
use reverie_core::{Engine, Error, Result, World, WorldId, Written};
use reverie_formats::utf8;
use serde_json::Value;

use super::SAVE_PREFIX;
use super::records::WireRecord;

/// What every packed export begins with, of whatever version.
const ANY_SAVE: &str = "reverie-save/";
/// So much of a file is looked at to know what it is.
const LOOKED_AT: usize = 4096;

/// True if a file that begins like this is an export, in either form. The first record fits into 4096 bytes.
pub fn is_export(beginning: &[u8]) -> bool {
    let beginning = String::from_utf8_lossy(beginning.get(..LOOKED_AT).unwrap_or(beginning));
    let beginning = beginning.trim_start_matches('\u{FEFF}').trim_start();
    let first = beginning.lines().next().unwrap_or_default();
    let is_world = |value: Value| value.get("type").and_then(Value::as_str) == Some("world");
    beginning.starts_with(ANY_SAVE) || serde_json::from_str(first).is_ok_and(is_world)
}

/// Makes a world from an export in either form. `most` bounds how many bytes its lines may have, unpacked.
pub fn read(
    engine: &Engine,
    id: Option<&WorldId>,
    from: &mut dyn BufRead,
    most: u64,
) -> Result<Written<World>> {
    skip_blank(from)?;
    let is_packed = from.fill_buf().map_err(|error| unreadable(&error))?.starts_with(ANY_SAVE.as_bytes());
    if !is_packed {
        return read_lines(engine, id, from, most);
    }
    let mut prefix = vec![0; SAVE_PREFIX.len()];
    from.read_exact(&mut prefix).map_err(|error| unreadable(&error))?;
    if prefix != SAVE_PREFIX.as_bytes() {
        return Err(Error::invalid("this save was written by a newer Reverie").hint("update Reverie"));
    }
    let packed = DecoderReader::new(Unwrapped { from }, &URL_SAFE_NO_PAD);
    read_lines(engine, id, &mut BufReader::new(ZlibDecoder::new(packed)), most)
}

fn read_lines(
    engine: &Engine,
    id: Option<&WorldId>,
    lines: &mut dyn BufRead,
    most: u64,
) -> Result<Written<World>> {
    let mut reader = Lines { lines, line: Vec::new(), number: 0, left: most, records: 0, has_ended: false };
    let first = reader.next().transpose()?.ok_or_else(|| broken("it is empty"))?;
    let Record::World(head) = &first else { return Err(broken("it does not begin with a world")) };
    let id = id.unwrap_or(&head.id).clone();
    engine.import(&id, &mut std::iter::once(Ok(first)).chain(reader))
}

/// White space, and the mark that some editors put before everything.
fn skip_blank(from: &mut dyn BufRead) -> Result<()> {
    loop {
        let next = from.fill_buf().map_err(|error| unreadable(&error))?;
        let blank =
            next.iter().take_while(|byte| byte.is_ascii_whitespace() || b"\xEF\xBB\xBF".contains(byte));
        match blank.count() {
            0 => return Ok(()),
            blank => from.consume(blank),
        }
    }
}

/// Save files may have wrapped the word.
struct Unwrapped<'f> {
    from: &'f mut dyn BufRead,
}

impl Read for Unwrapped<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let next = self.from.fill_buf()?;
            if next.is_empty() || to.is_empty() {
                return Ok(0);
            }
            let seen = next.len().min(to.len());
            let kept = next.iter().take(seen).filter(|byte| !byte.is_ascii_whitespace());
            let written = to.iter_mut().zip(kept).map(|(place, byte)| *place = *byte).count();
            self.from.consume(seen);
            if written > 0 {
                return Ok(written);
            }
        }
    }
}

struct Lines<'l> {
    lines: &'l mut dyn BufRead,
    line: Vec<u8>,
    number: usize,
    left: u64,
    records: u64,
    has_ended: bool,
}

impl Iterator for Lines<'_> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.line.clear();
            // One byte more than is left tells too much from just enough.
            let mut rest = (&mut *self.lines).take(self.left.saturating_add(1));
            let read = match rest.read_until(b'\n', &mut self.line) {
                Ok(0) if self.has_ended => return None,
                Ok(0) => return Some(Err(broken("its end is missing"))),
                Ok(read) => read as u64,
                Err(error) => {
                    let line = self.number + 1;
                    return Some(Err(broken(&format!("it is damaged at line {line}: {error}"))));
                }
            };
            self.number += 1;
            if read > self.left {
                let error = Error::invalid("this export is larger than an import may be");
                return Some(Err(error.hint("raise limits.import_bytes")));
            }
            self.left -= read;
            match self.record() {
                Ok(None) => {}
                Ok(Some(record)) => return Some(Ok(record)),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Lines<'_> {
    /// None if the line is empty, or the last one.
    fn record(&mut self) -> Result<Option<Record>> {
        let line =
            utf8::text(&self.line).map_err(|problem| broken(&format!("line {}: {problem}", self.number)))?;
        if line.trim().is_empty() {
            return Ok(None);
        }
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

fn unreadable(error: &io::Error) -> Error {
    broken(&format!("it cannot be read: {error}"))
}

fn broken(why: &str) -> Error {
    Error::invalid(format!("this is not an export of a world: {why}"))
        .hint("use an export just as it was written; nothing was imported")
}
