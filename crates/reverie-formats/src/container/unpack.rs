//! How much may come out of something packed?

use std::io::Read;

use flate2::Crc;
use flate2::read::{DeflateDecoder, ZlibDecoder};
use reverie_core::{Error, Result};

use crate::Limits;

#[derive(Debug, Clone, Copy)]
pub(super) enum Packing {
    Zlib,
    Deflate,
}

/// Unpacks, up to what the limits allow.
pub(super) fn unpack(packed: &[u8], packing: Packing, limits: &Limits) -> Result<Vec<u8>> {
    let most = limits.unpacked(packed.len());
    let up_to = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let mut out = Vec::new();
    let result = match packing {
        Packing::Zlib => ZlibDecoder::new(packed).take(up_to).read_to_end(&mut out),
        Packing::Deflate => DeflateDecoder::new(packed).take(up_to).read_to_end(&mut out),
    };
    if let Err(error) = result {
        return Err(Error::invalid(format!("the packed data is damaged: {error}")).hint("is the file whole?"));
    }
    if out.len() > most {
        return Err(Error::invalid(format!(
            "{} packed bytes unpack to more than {most}; this is not read",
            packed.len()
        ))
        .hint("no card packs that well: this is a file made to fill memory"));
    }
    Ok(out)
}

/// The checksum of PNG and zip.
pub(super) fn crc32(parts: &[&[u8]]) -> u32 {
    let mut crc = Crc::new();
    for part in parts {
        crc.update(part);
    }
    crc.sum()
}
