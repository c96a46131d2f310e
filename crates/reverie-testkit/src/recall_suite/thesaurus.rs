//! An embedder for tests that is no model and no mock: texts are near each other when they name the same things, in
//! whatever language.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use reverie_core::embed::Embedder;
use reverie_core::{Code, Error, Result};

/// What each thing is called.
const THINGS: [&[&str]; 6] = [
    &["猫", "cat", "ネコ", "kitten", "喵"],
    &["海", "ocean", "sea", "うみ", "波"],
    &["酒", "wine", "beer", "さけ", "醉"],
    &["病", "sick", "ill", "びょうき", "发烧"],
    &["书", "book", "novel", "本屋", "图书"],
    &["雪", "snow", "ゆき", "winter", "寒"],
];

/// Counts which things a text names. It can be counted how often it is asked about one text, as prompts do; and it can be told
/// to fail.
pub struct Thesaurus {
    pub asked: AtomicUsize,
    pub fails: AtomicBool,
    is_far: bool,
}

impl Thesaurus {
    pub fn new() -> Self {
        Self { asked: AtomicUsize::new(0), fails: AtomicBool::new(false), is_far: false }
    }

    /// One that is asked over a network, as far as the engine knows.
    pub fn far() -> Self {
        Self { is_far: true, ..Self::new() }
    }
}

impl Default for Thesaurus {
    fn default() -> Self {
        Self::new()
    }
}

impl Embedder for Thesaurus {
    fn space(&self) -> &str {
        "thesaurus"
    }

    fn is_local(&self) -> bool {
        !self.is_far
    }

    fn embed(&self, texts: &[&str], _deadline_ms: i64) -> Result<Vec<Vec<f32>>> {
        self.asked.fetch_add(usize::from(texts.len() == 1), Ordering::SeqCst);
        if self.fails.load(Ordering::SeqCst) {
            return Err(Error::new(Code::Unavailable, "the thesaurus was lent"));
        }
        Ok(texts.iter().map(|text| things(text)).collect())
    }
}

/// One dimension for each thing, and some in which every text goes its own way, so that texts without things are not alike.
fn things(text: &str) -> Vec<f32> {
    let text = text.to_lowercase();
    let count = |names: &&[&str]| names.iter().map(|name| text.matches(name).count()).sum::<usize>();
    let things = THINGS.iter().map(|names| count(names) as f32);
    let hash = text.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    let own = (0..OWN_WAYS).map(|way| {
        let spread = (hash ^ way).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        if spread >> 63 == 0 { OWN } else { -OWN }
    });
    things.chain(own).collect()
}

const OWN_WAYS: u64 = 256;
const OWN: f32 = 0.025;
