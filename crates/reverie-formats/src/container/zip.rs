//! Where is the card in a `.charx` archive, and how does another one take its place?
//!
//! Only what such archives need is read: the directory at the end, and one member. All other members are copied as bytes,
//! unseen. Because no member is ever written to a disk, their names can do no harm.

use std::io::Write;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use reverie_core::{Error, Result};
use serde_json::Value;

use super::encode;
use super::unpack::{Packing, crc32, unpack};
use crate::document::{self, Parsed};
use crate::{Limits, Warning};

const CARD: &[u8] = b"card.json";
const LOCAL: &[u8] = b"PK\x03\x04";
const ENTRY: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
const END_SIZE: usize = 22;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// Whether an archive ends here, whatever it begins with.
pub(super) fn has_directory(bytes: &[u8]) -> bool {
    find_end(bytes).is_some()
}

pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Parsed> {
    let archive = Archive::of(bytes, limits)?;
    let card = archive.card()?;
    let json = card.unpacked(bytes, limits)?;
    let mut parsed = document::parse(&json, limits)?;
    if crc32(&[&json]) != card.crc {
        parsed.warnings.push(Warning::new("the checksum of card.json is wrong"));
    }
    Ok(parsed)
}

pub(super) fn holds_card(bytes: &[u8], limits: &Limits) -> Result<bool> {
    let archive = Archive::of(bytes, limits)?;
    Ok(archive.members.iter().any(|member| member.name.eq_ignore_ascii_case(CARD)))
}

/// A member by its name, if it is there and can be read.
pub(super) fn member(bytes: &[u8], name: &str, limits: &Limits) -> Option<Vec<u8>> {
    let archive = Archive::of(bytes, limits).ok()?;
    let found = archive.members.iter().find(|member| member.name == name.as_bytes())?;
    found.unpacked(bytes, limits).ok()
}

/// What stands before the archive in the same file.
pub(super) fn before<'b>(bytes: &'b [u8], limits: &Limits) -> Option<&'b [u8]> {
    let archive = Archive::of(bytes, limits).ok()?;
    let first = archive.members.iter().map(|member| member.start).min().unwrap_or(archive.directory);
    bytes.get(..first)
}

pub(super) fn write(bytes: &[u8], value: &Value, limits: &Limits) -> Result<Vec<u8>> {
    if read(bytes, limits).is_ok_and(|current| current.value == *value) {
        return Ok(bytes.to_vec());
    }
    let archive = Archive::of(bytes, limits)?;
    let card = archive.card()?;
    let json = encode(value);
    let packed = deflate(&json)?;
    let sizes = Sizes { crc: crc32(&[&json]), packed: size(packed.len())?, unpacked: size(json.len())? };

    let mut order: Vec<&Member<'_>> = archive.members.iter().collect();
    order.sort_by_key(|member| member.start);
    let ends = order.iter().skip(1).map(|member| member.start).chain([archive.directory]);
    let first = order.first().map_or(archive.directory, |member| member.start);
    let mut out = slice(bytes, 0, first)?.to_vec();
    let mut starts: Vec<(usize, usize)> = Vec::with_capacity(order.len());
    for (member, end) in order.iter().zip(ends) {
        starts.push((member.start, out.len()));
        if member.start == card.start {
            out.extend(sizes.header(member)?);
            out.extend(&packed);
        } else {
            if member.packed_end(bytes)? > end {
                return Err(damaged("its members overlap"));
            }
            out.extend(slice(bytes, member.start, end)?);
        }
    }

    let directory = out.len();
    for member in &archive.members {
        let at = starts.binary_search_by_key(&member.start, |(old, _)| *old);
        let new = at.ok().and_then(|at| starts.get(at)).map(|(_, new)| *new);
        let new = new.ok_or_else(|| damaged("its members overlap"))?;
        let mut record = member.record.to_vec();
        if member.start == card.start {
            sizes.patch(&mut record)?;
        }
        patch(&mut record, 42, &size(new - archive.base)?.to_le_bytes())?;
        out.extend(record);
    }
    let mut end = slice(bytes, archive.end, bytes.len())?.to_vec();
    patch(&mut end, 12, &size(out.len() - directory)?.to_le_bytes())?;
    patch(&mut end, 16, &size(directory - archive.base)?.to_le_bytes())?;
    out.extend(end);
    Ok(out)
}

struct Archive<'b> {
    members: Vec<Member<'b>>,
    /// Where the archive begins; offsets in it count from here.
    base: usize,
    directory: usize,
    end: usize,
}

struct Member<'b> {
    name: &'b [u8],
    /// Its entry in the directory.
    record: &'b [u8],
    flags: u16,
    method: u16,
    crc: u32,
    packed_size: usize,
    /// Of its own header, in the file.
    start: usize,
}

impl<'b> Archive<'b> {
    fn of(bytes: &'b [u8], limits: &Limits) -> Result<Self> {
        let end = find_end(bytes).ok_or_else(|| damaged("it has no directory"))?;
        if !matches!(number16(bytes, end + 4)?, 0 | u16::MAX) {
            return Err(refused(
                "it is one of several parts",
                "join the parts, or pack it again as one file",
            ));
        }
        let count = usize::from(number16(bytes, end + 10)?);
        let size = number32(bytes, end + 12)?;
        let offset = number32(bytes, end + 16)?;
        if count == 0xFFFF || size == u32::MAX || offset == u32::MAX {
            return Err(zip64());
        }
        if count > limits.members {
            return Err(Error::invalid(format!(
                "the archive has {count} members; at most {} are read",
                limits.members
            ))
            .hint("a card needs far fewer; pack it again with only what it uses"));
        }
        let (size, offset) = (size as usize, offset as usize);
        let directory =
            end.checked_sub(size).ok_or_else(|| damaged("its directory is larger than the file"))?;
        let base =
            directory.checked_sub(offset).ok_or_else(|| damaged("its directory lies outside of the file"))?;
        let mut members = Vec::with_capacity(count);
        let mut rest = slice(bytes, directory, end)?;
        for _ in 0..count {
            let (member, after) = Member::first(rest, base)?;
            if !bytes.get(member.start..).is_some_and(|at| at.starts_with(LOCAL)) || member.start >= directory
            {
                return Err(damaged("a member lies outside of the file"));
            }
            members.push(member);
            rest = after;
        }
        Ok(Self { members, base, directory, end })
    }

    fn card(&self) -> Result<&Member<'b>> {
        let mut cards = self.members.iter().filter(|member| member.name.eq_ignore_ascii_case(CARD));
        let card = cards.next().ok_or_else(|| {
            Error::invalid("there is no card.json in this archive").hint("a .charx file has one at its top")
        })?;
        if cards.next().is_some() {
            return Err(refused("it has more than one card.json", "remove all but one of them"));
        }
        Ok(card)
    }
}

impl<'b> Member<'b> {
    fn first(rest: &'b [u8], base: usize) -> Result<(Self, &'b [u8])> {
        if !rest.starts_with(ENTRY) {
            return Err(damaged("its directory is broken"));
        }
        let name_size = usize::from(number16(rest, 28)?);
        let extra = usize::from(number16(rest, 30)?) + usize::from(number16(rest, 32)?);
        let (record, after) = rest
            .split_at_checked(46 + name_size + extra)
            .ok_or_else(|| damaged("its directory is broken"))?;
        let offset = number32(record, 42)?;
        let packed_size = number32(record, 20)?;
        if offset == u32::MAX || packed_size == u32::MAX {
            return Err(zip64());
        }
        let start = base.checked_add(offset as usize).ok_or_else(|| damaged("its directory is broken"))?;
        let member = Self {
            name: slice(record, 46, 46 + name_size)?,
            record,
            flags: number16(record, 8)?,
            method: number16(record, 10)?,
            crc: number32(record, 16)?,
            packed_size: packed_size as usize,
            start,
        };
        Ok((member, after))
    }

    fn packed_start(&self, bytes: &[u8]) -> Result<usize> {
        let name = usize::from(number16(bytes, self.start + 26)?);
        let extra = usize::from(number16(bytes, self.start + 28)?);
        Ok(self.start + 30 + name + extra)
    }

    fn packed_end(&self, bytes: &[u8]) -> Result<usize> {
        Ok(self.packed_start(bytes)?.saturating_add(self.packed_size))
    }

    fn unpacked(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<u8>> {
        let name = String::from_utf8_lossy(self.name);
        if self.flags & 1 != 0 {
            return Err(refused(&format!("its {name} is encrypted"), "pack it again without a password"));
        }
        let packed = slice(bytes, self.packed_start(bytes)?, self.packed_end(bytes)?)?;
        match self.method {
            STORED => Ok(packed.to_vec()),
            DEFLATED => unpack(packed, Packing::Deflate, limits),
            other => {
                Err(Error::invalid(format!("{name} is packed in a way that is not read here ({other})"))
                    .hint("pack the archive again with deflate"))
            }
        }
    }
}

/// What is said about the new card in two places.
struct Sizes {
    crc: u32,
    packed: u32,
    unpacked: u32,
}

impl Sizes {
    /// Flags, way of packing, checksum and sizes in a directory entry; the sizes come before the data, not after.
    fn patch(&self, record: &mut [u8]) -> Result<()> {
        let flags = number16(record, 8)? & !(1 << 3);
        patch(record, 8, &flags.to_le_bytes())?;
        patch(record, 10, &DEFLATED.to_le_bytes())?;
        patch(record, 16, &self.crc.to_le_bytes())?;
        patch(record, 20, &self.packed.to_le_bytes())?;
        patch(record, 24, &self.unpacked.to_le_bytes())
    }

    /// The header before the data repeats the directory entry from its version to the length of the name.
    fn header(&self, member: &Member<'_>) -> Result<Vec<u8>> {
        let mut record = member.record.to_vec();
        self.patch(&mut record)?;
        let no_extra = 0_u16.to_le_bytes();
        Ok([LOCAL, slice(&record, 6, 30)?, &no_extra, member.name].concat())
    }
}

/// The last place where an archive could end.
fn find_end(bytes: &[u8]) -> Option<usize> {
    let last = bytes.len().checked_sub(END_SIZE)?;
    let first = last.saturating_sub(usize::from(u16::MAX));
    (first..=last).rev().find(|at| {
        let is_end = bytes.get(*at..).is_some_and(|rest| rest.starts_with(END));
        let comment = number16(bytes, at + 20).map(usize::from);
        is_end && comment.is_ok_and(|comment| at + END_SIZE + comment <= bytes.len())
    })
}

fn deflate(data: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(data).and_then(|()| encoder.finish());
    packed.map_err(|error| Error::invalid(format!("the card cannot be packed: {error}")))
}

fn slice(bytes: &[u8], start: usize, end: usize) -> Result<&[u8]> {
    bytes.get(start..end).ok_or_else(|| damaged("a member lies outside of the file"))
}

fn number16(bytes: &[u8], at: usize) -> Result<u16> {
    let bytes = bytes.get(at..).and_then(<[u8]>::first_chunk);
    bytes.map(|bytes| u16::from_le_bytes(*bytes)).ok_or_else(|| damaged("its directory is broken"))
}

fn number32(bytes: &[u8], at: usize) -> Result<u32> {
    let bytes = bytes.get(at..).and_then(<[u8]>::first_chunk);
    bytes.map(|bytes| u32::from_le_bytes(*bytes)).ok_or_else(|| damaged("its directory is broken"))
}

fn patch(bytes: &mut [u8], at: usize, new: &[u8]) -> Result<()> {
    let place = bytes.get_mut(at..at + new.len()).ok_or_else(|| damaged("its directory is broken"))?;
    place.copy_from_slice(new);
    Ok(())
}

fn size(bytes: usize) -> Result<u32> {
    u32::try_from(bytes).map_err(|_| Error::invalid("the archive would be larger than 4 GiB"))
}

fn damaged(how: &str) -> Error {
    refused(how, "is the file whole?")
}

/// The file is whole, and all the same it is not read.
fn zip64() -> Error {
    refused(
        "it is written as zip64, for archives of more than 4 GiB or 65 534 members, which is not read",
        "pack it again as a plain zip archive; `zip -fz- new.charx …` does, and so do most tools for smaller contents",
    )
}

fn refused(why: &str, hint: &str) -> Error {
    Error::invalid(format!("the archive cannot be read: {why}")).hint(hint)
}
