//! A picture for a card that has none.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use reverie_core::{Error, Result};

use super::png::SIGNATURE;
use super::unpack::crc32;

/// The shape in which front ends show cards.
const WIDTH: u32 = 64;
const HEIGHT: u32 = 96;
const GREY: u8 = 0x80;

/// A small grey PNG.
pub(super) fn picture() -> Result<Vec<u8>> {
    // Each row begins with the filter, which is none.
    let row = [vec![0], vec![GREY; WIDTH as usize]].concat();
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let pixels = (0..HEIGHT).try_for_each(|_| encoder.write_all(&row)).and_then(|()| encoder.finish());
    let pixels = pixels.map_err(|error| Error::invalid(format!("the picture cannot be packed: {error}")))?;
    // Eight bits of grey, in the only way of packing that there is.
    let header = [&WIDTH.to_be_bytes()[..], &HEIGHT.to_be_bytes(), &[8, 0, 0, 0, 0]].concat();
    let chunks = [chunk(b"IHDR", &header)?, chunk(b"IDAT", &pixels)?, chunk(b"IEND", &[])?];
    Ok([SIGNATURE.to_vec(), chunks.concat()].concat())
}

fn chunk(kind: &[u8; 4], data: &[u8]) -> Result<Vec<u8>> {
    let length = u32::try_from(data.len()).map_err(|_| Error::invalid("the picture is too large"))?;
    let crc = crc32(&[kind, data]).to_be_bytes();
    Ok([&length.to_be_bytes()[..], kind, data, &crc].concat())
}
