//! What does an answer say that an upstream sends packed, though it was asked not to?

use std::io::Write;

use flate2::write::{GzDecoder, ZlibDecoder};
use hyper::header::HeaderValue;

/// So much is unpacked at once: a small piece may hold very much.
const STEP: usize = 1024;

pub(super) enum Unpacking {
    Plain,
    Gzip(Box<GzDecoder<Vec<u8>>>),
    Zlib(Box<ZlibDecoder<Vec<u8>>>),
}

impl Unpacking {
    /// None: nobody here can unpack it.
    pub(super) fn new(coding: Option<&HeaderValue>) -> Option<Self> {
        let coding = coding.map_or(Ok("identity"), HeaderValue::to_str).ok()?;
        match coding.trim().to_ascii_lowercase().as_str() {
            "identity" | "" => Some(Self::Plain),
            "gzip" | "x-gzip" => Some(Self::Gzip(Box::new(GzDecoder::new(Vec::new())))),
            "deflate" => Some(Self::Zlib(Box::new(ZlibDecoder::new(Vec::new())))),
            _ => None,
        }
    }

    /// What is in this piece, behind `unpacked`. False if it cannot be unpacked, or is more than `most`.
    pub(super) fn take(&mut self, piece: &[u8], most: usize, unpacked: &mut Vec<u8>) -> bool {
        if matches!(self, Self::Plain) {
            unpacked.extend_from_slice(piece);
            return true;
        }
        piece.chunks(STEP).all(|step| {
            let is_read = self.take_packed(step, unpacked).is_ok();
            is_read && unpacked.len() <= most
        })
    }

    fn take_packed(&mut self, step: &[u8], unpacked: &mut Vec<u8>) -> std::io::Result<()> {
        let held = match self {
            Self::Plain => return Ok(()),
            Self::Gzip(decoder) => {
                decoder.write_all(step)?;
                decoder.flush()?;
                decoder.get_mut()
            }
            Self::Zlib(decoder) => {
                decoder.write_all(step)?;
                decoder.flush()?;
                decoder.get_mut()
            }
        };
        unpacked.append(held);
        Ok(())
    }
}
