//! What do people say? Endless talk in Chinese and English, the same on every run.

/// A small generator of numbers, so that every run measures the same text.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }

    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }
}

const PARTS: &[&str] = &[
    "灯塔的光又暗了，",
    "今晚的风比昨天大，",
    "你还记得去年的那艘船吗？",
    "别告诉小夏，",
    "我把钥匙放在老地方，",
    "等雨停了再走吧。",
    "Then we have one day, not two. ",
    "The reactor is humming again, ",
    "I never said that I would stay. ",
    "Keep your voice down, ",
    "someone is standing at the door. ",
    "码头上没有人，",
    "只有一盏灯还亮着。",
    "You promised, remember? ",
];

/// A few clauses; about 20 bytes each.
pub(crate) fn words(dice: &mut Dice, clauses: usize) -> String {
    (0..clauses).filter_map(|_| dice.pick(PARTS).copied()).collect()
}

const FEELINGS: &[&str] = &["平静", "担心", "worried", "高兴", "tired"];

pub(crate) fn feeling(dice: &mut Dice) -> Option<String> {
    dice.pick(FEELINGS).map(|feeling| (*feeling).to_owned())
}
