//! Vectors of the lines of standard input, as 32-bit floats, little endian, on standard output: for measuring elsewhere.

use std::io::{Read, Write};

use reverie_offline::OfflineEmbedder;

fn main() -> std::io::Result<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let lines: Vec<&str> = text.lines().collect();
    let mut out = std::io::stdout().lock();
    for vector in OfflineEmbedder::new().vectors(&lines) {
        let bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
        out.write_all(&bytes)?;
    }
    out.flush()
}
