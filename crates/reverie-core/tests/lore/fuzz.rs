//! Does whatever an author hands over leave the engine standing? A short run of the fuzz targets, on mutated samples.

use proptest::prelude::*;
use reverie_core::lore::fuzz;
use reverie_testkit::strategies::{edits, mutated};

const SEEDS: &[&str] = &[
    "/(?<!un)happy|gold(?!en)/i\nunhappy golden gold",
    r"/[\w\s-]+[^\W_]\bcat\b(?:a{2,5}|\p{L}{3}|\u{1F600}|\x41|\cJ|[^]|[])*?/gimsuy",
    "/(?<x>a)b\\k<x>(\\w)\\2.$/s\naba",
    "(?:青龙|竜の巣)+[\\u4e00-\\u9fff]{2}\n青龙竜の巣",
    "@@fly\n@@@depth 3\n@@role user\n@@additional_keys 龙, 剑\n@@activate_only_every 0\n{{char}}和<USER>{{roll:3d6+2}}",
    "{{random::a::b}}{{pick:x,y}}{{// note}}{{unknown}}{{{{<BOT>",
    "s,3,7,0;1:b2:e1c,0,4294967295,1;3:龙0:",
];

fn all(bytes: &[u8]) {
    fuzz::pattern(bytes);
    fuzz::content(bytes);
    fuzz::timers(bytes);
}

#[test]
fn the_seeds_pass() {
    SEEDS.iter().for_each(|seed| all(seed.as_bytes()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn mutated_seeds_pass(which in 0..SEEDS.len(), edits in edits()) {
        all(&mutated(SEEDS[which].as_bytes(), edits));
    }

    #[test]
    fn pieces_of_the_syntax_pass(pieces in prop::collection::vec(
        prop::sample::select(&[
            "/", "\\", "[", "]", "(", "(?=", "(?<!", "(?<n>", ")", "{2,9}", "{0}", "*", "+?", "|", "^", "$", ".", "-", "a-z",
            r"\w", r"\S", r"\b", r"\1", r"\k<n>", r"\p{L}", r"\u{61}", "龙", "É", "a", "i", "u", "\n", "@@", "@@@", "{{", "}}",
            "char", "roll:", "9d9", "s,1,2,0;", "1:",
        ][..]), 0..24,
    )) {
        all(pieces.concat().as_bytes());
    }
}
