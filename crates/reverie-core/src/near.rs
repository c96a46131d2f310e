//! Which names look as if one of them were the other, misspelt?

use crate::lore::fold::Folding;

/// Names that differ in case, width, script or marks around them, or in a letter or two; of short names in one letter at most. What is
/// one letter long looks like nothing else.
pub(crate) fn looks_like(one: &str, other: &str) -> bool {
    let (one, other) = (plain(one), plain(other));
    if one == other {
        return true;
    }
    let shorter = one.len().min(other.len());
    let most = match shorter {
        0 | 1 => return false,
        2..=5 => 1,
        _ => 2,
    };
    one.len().abs_diff(other.len()) <= most && differences(&one, &other) <= most
}

fn plain(name: &str) -> Vec<char> {
    let folded = Folding { case: true, width: true, script: true }.fold(name);
    folded.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Letters to add, leave out, exchange, or swap with their neighbour.
fn differences(one: &[char], other: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (row, a) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, b) in other.iter().enumerate() {
            let at = |list: &[usize], place: usize| list.get(place).copied().unwrap_or(usize::MAX / 2);
            let exchanged = at(&last, column) + usize::from(a != b);
            let mut least = exchanged.min(at(&last, column + 1) + 1).min(at(&next, column) + 1);
            let is_swapped =
                row > 0 && column > 0 && one.get(row - 1) == Some(b) && other.get(column - 1) == Some(a);
            if is_swapped {
                least = least.min(at(&before, column - 1) + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut last, next);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::looks_like;

    #[test]
    fn what_looks_like_a_slip() {
        for (one, other, expected) in [
            ("Alice", "alice", true),
            ("Alice", "Alcie", true),
            ("Alice", "Ailce", true),
            ("Alice", "Alicia", false),
            ("Ａｌｉｃｅ", "Alice", true),
            ("钦灵", "欽灵", true),
            ("钦灵", "白小喵", false),
            ("白小喵", "白小猫", true),
            ("さくら", "サクラ", false),
            ("さくら", "さぐら", true),
            ("甲", "乙", false),
            ("甲", "甲", true),
            ("", "", true),
            ("", "甲", false),
            ("Captain Haddock", "Captin Hadock", true),
            ("bob", "rob", true),
            ("b", "bob", false),
        ] {
            assert_eq!(looks_like(one, other), expected, "{one} / {other}");
            assert_eq!(looks_like(other, one), expected, "{other} / {one}");
        }
    }
}
