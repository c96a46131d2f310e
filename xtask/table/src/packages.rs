//! What is in a package as it came from its registry: a wheel (zip) or a source archive (tar, compressed)?

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::read::{DeflateDecoder, GzDecoder};

use crate::sha256::sha256;

pub(crate) struct Package<'a> {
    name: &'a str,
    bytes: Vec<u8>,
}

/// Names every package with its version and its digest.
const LIST: &str = include_str!("../sources.txt");

impl<'a> Package<'a> {
    /// Refused if it is another one than the list names: the table would be another one, too.
    pub(crate) fn open(folder: &Path, name: &'a str) -> Result<Self> {
        let place = folder.join(name);
        let bytes = std::fs::read(&place).with_context(|| {
            format!(
                "{} is not there; the first lines of xtask/table/sources.txt say how to fetch it",
                place.display()
            )
        })?;
        let wanted =
            listed(LIST, name).with_context(|| format!("xtask/table/sources.txt has no digest of {name}"))?;
        let found = sha256(&bytes);
        if found != wanted {
            bail!(
                "{} is not what xtask/table/sources.txt names: its digest is {found}; fetch it again",
                place.display()
            );
        }
        Ok(Self { name, bytes })
    }

    /// A file of it, by the end of its path.
    pub(crate) fn file(&self, path: &str) -> Result<Vec<u8>> {
        let is_wheel = Path::new(self.name).extension().is_some_and(|end| end == "whl");
        let found = if is_wheel { in_wheel(&self.bytes, path)? } else { in_archive(&self.bytes, path)? };
        found.with_context(|| format!("{} holds no {path}", self.name))
    }
}

/// The digest of a package by the name of its file: `a-b==1 --hash=sha256:…` is a_b-1.tar.gz.
fn listed<'a>(list: &'a str, file: &str) -> Option<&'a str> {
    list.lines().find_map(|line| {
        let (package, digest) = line.split_once(" --hash=sha256:")?;
        let (name, version) = package.split_once("==")?;
        let rest = file.strip_prefix(&name.replace('-', "_"))?.strip_prefix('-')?.strip_prefix(version)?;
        rest.starts_with(['-', '.']).then_some(digest.trim())
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_package_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let name = "synonyms-3.10.2.tar.gz";
        let said = |name| {
            Package::open(folder.path(), name).err().map(|error| format!("{error:#}")).unwrap_or_default()
        };
        assert!(said(name).contains("is not there"), "{}", said(name));
        std::fs::write(folder.path().join(name), "something else").unwrap();
        assert!(said(name).contains("is not what xtask/table/sources.txt names"), "{}", said(name));
        std::fs::write(folder.path().join("unknown-1.tar.gz"), "").unwrap();
        assert!(said("unknown-1.tar.gz").contains("has no digest of"));
    }

    #[test]
    fn a_digest_is_found_by_the_name_of_the_file() {
        let list = "# c\na-b==1.0 --hash=sha256:aa\n--no-binary c\nc==1.0.1 --hash=sha256:bb\n";
        for (file, digest) in [
            ("a_b-1.0-py3-none-any.whl", Some("aa")),
            ("c-1.0.1.tar.gz", Some("bb")),
            ("c-1.0.12.tar.gz", None),
            ("d-1.tar.gz", None),
        ] {
            assert_eq!(listed(list, file), digest, "{file}");
        }
    }
}
