//! Cards in pictures and archives, made for tests.

use serde_json::Value;

/// A picture with a card in it.
pub(crate) fn png(card: &Value) -> Vec<u8> {
    let text = [b"chara\0".to_vec(), base64(card.to_string().as_bytes())].concat();
    let header = chunk("IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
    let rest = [chunk("tEXt", &text), chunk("IDAT", b""), chunk("IEND", b"")].concat();
    [b"\x89PNG\r\n\x1A\n".to_vec(), header, rest].concat()
}

/// A picture that moves, with a card for older tools and one for newer ones.
pub(crate) fn apng(older: &Value, card: &Value) -> Vec<u8> {
    let text = |name: &[u8], card: &Value| {
        chunk("tEXt", &[name, b"\0", &base64(card.to_string().as_bytes())].concat())
    };
    let frame = |number: u8| chunk("fcTL", &[&[0, 0, 0, number][..], &[0; 22]].concat());
    let parts = [
        b"\x89PNG\r\n\x1A\n".to_vec(),
        chunk("IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]),
        chunk("acTL", &[0, 0, 0, 2, 0, 0, 0, 0]),
        text(b"chara", older),
        text(b"ccv3", card),
        text(b"Software", &Value::from("paint")),
        frame(0),
        chunk("IDAT", b"first"),
        frame(1),
        chunk("fdAT", b"\0\0\0\x02second"),
        chunk("IEND", b""),
    ];
    parts.concat()
}

/// An archive with a card in it, not packed.
pub(crate) fn charx(card: &Value) -> Vec<u8> {
    archive(&[("card.json", card.to_string().as_bytes())])
}

/// Files by name, none of them packed.
pub(crate) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let number = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let (mut all, mut directory) = (Vec::new(), Vec::new());
    for (name, data) in files {
        let (size, length) = (number(data.len()), u16::try_from(name.len()).unwrap().to_le_bytes());
        let head =
            [&[20, 0, 0, 0, 0, 0, 0, 0, 0, 0][..], &crc(data).to_le_bytes(), &size, &size, &length].concat();
        directory.extend(
            [b"PK\x01\x02\x14\x00", &head[..], &[0; 12], &number(all.len()), name.as_bytes()].concat(),
        );
        all.extend([b"PK\x03\x04", &head[..], &[0, 0], name.as_bytes(), data].concat());
    }
    let count = u16::try_from(files.len()).unwrap().to_le_bytes();
    let sizes = [directory.len(), all.len()].map(number).concat();
    let end = [b"PK\x05\x06\0\0\0\0", &count[..], &count, &sizes, &[0, 0]].concat();
    [all, directory, end].concat()
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
