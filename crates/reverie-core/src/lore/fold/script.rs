//! Which character is the simplified form of a traditional or Japanese one?

/// Pairs of three bytes each, little endian, sorted by the traditional or Japanese character.
static SIMPLIFIED: &[u8] = include_bytes!("simplified.bin");
const PAIR: usize = 6;

pub(super) fn simplified(char: char) -> char {
    let (mut low, mut high) = (0, SIMPLIFIED.len() / PAIR);
    while low < high {
        let middle = low.midpoint(high);
        let Some((other, simple)) = pair(middle) else { return char };
        match other.cmp(&u32::from(char)) {
            std::cmp::Ordering::Equal => return char::from_u32(simple).unwrap_or(char),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    char
}

/// Every character that has a simplified form.
pub(super) fn traditional() -> impl Iterator<Item = char> {
    (0..SIMPLIFIED.len() / PAIR).filter_map(|index| char::from_u32(pair(index)?.0))
}

fn pair(index: usize) -> Option<(u32, u32)> {
    match SIMPLIFIED.get(index * PAIR..(index + 1) * PAIR)? {
        [a, b, c, d, e, f] => {
            Some((u32::from_le_bytes([*a, *b, *c, 0]), u32::from_le_bytes([*d, *e, *f, 0])))
        }
        _ => None,
    }
}
