//! How large may a file be that somebody else wrote?
//!
//! Every parser here takes these limits, and no file, whatever it claims about itself, makes it use more.

use reverie_core::{Error, Result};

/// The defaults are several times what the largest files in use need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Of a whole file, pictures and sounds included. Default 512 MiB.
    pub file_bytes: usize,
    /// Of the JSON in it, unpacked. Default 64 MiB.
    pub json_bytes: usize,
    /// Of all values in one JSON text, keys not counted; small values take much more memory than text. Default 4 million.
    pub json_values: usize,
    /// How many times larger than its packed form something unpacked may be, beyond its first MiB. Default 200.
    pub unpack_ratio: usize,
    /// Chunks of a PNG. Default 65 536.
    pub chunks: usize,
    /// Members of a zip archive. Default 16 384.
    pub members: usize,
    /// Entries of a book, messages of a chat, records of a memory. Default 200 000.
    pub entries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 512 << 20,
            json_bytes: 64 << 20,
            json_values: 4_000_000,
            unpack_ratio: 200,
            chunks: 65_536,
            members: 16_384,
            entries: 200_000,
        }
    }
}

impl Limits {
    pub(crate) fn check_file(&self, bytes: &[u8]) -> Result<()> {
        if bytes.len() <= self.file_bytes {
            return Ok(());
        }
        let (size, most) = (bytes.len(), self.file_bytes);
        Err(Error::invalid(format!("the file has {size} bytes; at most {most} are read"))
            .hint("divide the file; where the server or `reverie import` reads it, limits.import_bytes says how much"))
    }

    /// How many bytes may come out of this many packed ones.
    pub(crate) fn unpacked(&self, packed: usize) -> usize {
        packed.saturating_mul(self.unpack_ratio).max(1 << 20).min(self.json_bytes)
    }
}
