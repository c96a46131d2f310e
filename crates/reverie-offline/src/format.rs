//! What do the bytes of a table mean? For the program that writes one, too.
//!
//! Everything is little endian. A header of eight numbers (u32): [`MAGIC`], dimensions, entries, rows, slots, bytes of text,
//! forms, and the scale of a spelled vector. Then, one after the other:
//!
//! | part | size | what |
//! |---|---|---|
//! | vectors | rows × dimensions / 2 | of the first `rows` entries: in a byte's low half the value of a dimension of the first half, in its high half that of the second; 8 is zero |
//! | slots | slots × 4 | the hash table: 0, or an entry's number + 1 |
//! | ends | entries × 4 | where each entry's text ends |
//! | scales | rows × 2 | what a row's values are multiplied with: its length and its weight |
//! | costs | entries | how rare an entry is: eighths of -log₂ of its share of a text |
//! | text | | the entries' spellings, one behind the other |
//! | forms | forms × 8 | pairs of a traditional or Japanese character and its simplified form, sorted by the first; none leads to another |

/// Opens every table; its last digit is the version of this layout.
pub const MAGIC: u32 = u32::from_le_bytes(*b"RVT1");
/// Numbers in the header.
pub const HEADER: usize = 8;
/// Of every vector. Even.
pub const DIMENSIONS: usize = 256;
/// What a half byte holds for zero.
pub const ZERO: i32 = 8;
/// Letters of the longest Chinese word.
pub const LONGEST_WORD: usize = 6;
/// Letters of the longest English word or piece.
pub const LONGEST_PIECE: usize = 32;
/// Stands before a piece that goes on inside a word.
pub const INSIDE: u8 = b'#';
/// What a spelled vector's length is, in its own small numbers; [`crate::Table`]'s scale of a spelled vector is for weight 1.
pub const SPELLED_LENGTH: f64 = 147.539_825_132_046_2;

/// FNV-1a, continued. An entry's slot is the first free one from its hash on.
#[must_use]
pub const fn hash(mut state: u32, byte: u8) -> u32 {
    state ^= byte as u32;
    state.wrapping_mul(0x0100_0193)
}

/// Of no byte.
pub const HASH_BEGIN: u32 = 0x811C_9DC5;

/// Where the search for an entry begins. The low bits of FNV alone are poor.
#[must_use]
pub const fn slot(hash: u32, slots: u32) -> u32 {
    let mixed = (hash ^ (hash >> 15)).wrapping_mul(0x2C1B_3C6D);
    (mixed ^ (mixed >> 13)) & (slots - 1)
}
