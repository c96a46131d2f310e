//! Pictures and archives made for tests, by other means than those of the parsers.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::io::Write;

pub(crate) fn chunk(kind: &str, data: &[u8]) -> Vec<u8> {
    let crc = slow_crc(&[kind.as_bytes(), data].concat());
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    [&length[..], kind.as_bytes(), data, &crc.to_be_bytes()].concat()
}

/// A chunk `tEXt` with base64 in it.
pub(crate) fn card_chunk(keyword: &str, json: &str) -> Vec<u8> {
    chunk("tEXt", &[keyword.as_bytes(), b"\0", STANDARD.encode(json).as_bytes()].concat())
}

/// A picture of one pixel with these chunks before its data.
pub(crate) fn png(chunks: &[Vec<u8>]) -> Vec<u8> {
    let header = chunk("IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
    let data = chunk("IDAT", &zlib(&[0, 128]));
    [b"\x89PNG\r\n\x1A\n".to_vec(), header, chunks.concat(), data, chunk("IEND", b"")].concat()
}

pub(crate) fn zlib(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// An archive of stored (0) or deflated (8) members.
pub(crate) fn zip(members: &[(&str, u16, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for (name, method, data) in members {
        let packed = if *method == 8 { deflate(data) } else { data.to_vec() };
        let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
        let half = |number: usize| u16::try_from(number).unwrap().to_le_bytes();
        let mut head = Vec::new();
        head.extend([20, 0, 0, 8]);
        head.extend(method.to_le_bytes());
        head.extend([0x21, 0x43, 0x65, 0x57]);
        head.extend(slow_crc(data).to_le_bytes());
        head.extend(word(packed.len()));
        head.extend(word(data.len()));
        head.extend(half(name.len()));
        let offset = out.len();
        out.extend([b"PK\x03\x04", &head[..], &[0, 0], name.as_bytes(), &packed].concat());
        let rest = [&[0_u8; 12][..], &word(offset)].concat();
        directory.extend([b"PK\x01\x02\x14\x00", &head[..], &rest, name.as_bytes()].concat());
    }
    let count = u16::try_from(members.len()).unwrap().to_le_bytes();
    let sizes = [directory.len(), out.len()].map(|size| u32::try_from(size).unwrap().to_le_bytes());
    let end = [b"PK\x05\x06", &[0; 4][..], &count, &count, &sizes.concat(), &[0, 0]].concat();
    [out, directory, end].concat()
}

pub(crate) fn slow_crc(data: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 };
    !data.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}
