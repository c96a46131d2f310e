//! Cards in pictures and archives, made for tests.

use serde_json::Value;

/// A picture with a card in it.
pub(crate) fn png(card: &Value) -> Vec<u8> {
    let text = [b"chara\0".to_vec(), base64(card.to_string().as_bytes())].concat();
    let header = chunk("IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
    let rest = [chunk("tEXt", &text), chunk("IDAT", b""), chunk("IEND", b"")].concat();
    [b"\x89PNG\r\n\x1A\n".to_vec(), header, rest].concat()
}

/// An archive with a card in it, not packed.
pub(crate) fn charx(card: &Value) -> Vec<u8> {
    let (name, data) = (b"card.json", card.to_string().into_bytes());
    let size = u32::try_from(data.len()).unwrap().to_le_bytes();
    let crc = crc(&data).to_le_bytes();
    let head = [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &crc, &size, &size, &[9, 0]].concat();
    let file = [b"PK\x03\x04", &head[..], &[0, 0], name, &data].concat();
    let entry = [b"PK\x01\x02\x14\x00", &head[..], &[0; 16], name].concat();
    let sizes = [entry.len(), file.len()].map(|size| u32::try_from(size).unwrap().to_le_bytes()).concat();
    let end = [b"PK\x05\x06", &[0, 0, 0, 0, 1, 0, 1, 0][..], &sizes, &[0, 0]].concat();
    [file, entry, end].concat()
}

fn chunk(kind: &str, data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap().to_be_bytes();
    let crc = crc(&[kind.as_bytes(), data].concat()).to_be_bytes();
    [&length[..], kind.as_bytes(), data, &crc].concat()
}

fn crc(data: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { 0xEDB8_8320 ^ (crc >> 1) } else { crc >> 1 };
    !data.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

fn base64(data: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = Vec::new();
    for part in data.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, at| bits << 8 | u32::from(part.get(at).copied().unwrap_or(0)));
        let digits = (0..4).map(|at| DIGITS[(bits >> (18 - 6 * at) & 63) as usize]);
        text.extend(digits.take(part.len() + 1));
        text.extend(std::iter::repeat_n(b'=', 3 - part.len()));
    }
    text
}
