//! What is being said, as far as memories are found by it?

/// What is being said, in parts: the newest weighs 1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Said {
    pub parts: Vec<(String, f32)>,
    /// What those who are named in it are called, said or not: words that name somebody.
    pub names: Vec<(String, f32)>,
}

/// What was said before counts for less, the longer ago the less.
const FADES: f32 = 0.9;

impl Said {
    /// What was said, in order, the newest last.
    pub fn of<'a>(lines: impl DoubleEndedIterator<Item = &'a str>) -> Self {
        let mut weight = 1.0;
        let mut parts: Vec<(String, f32)> = Vec::new();
        for line in lines.rev().filter(|line| !line.trim().is_empty()) {
            parts.push((line.to_owned(), weight));
            weight *= FADES;
        }
        parts.reverse();
        Self { parts, names: Vec::new() }
    }

    /// What was said last, as it was said: names that are spelled out stand behind it.
    pub(crate) fn newest(&self) -> Option<&str> {
        self.parts.iter().find(|(_, weight)| *weight >= 1.0).map(|(text, _)| text.as_str())
    }
}
