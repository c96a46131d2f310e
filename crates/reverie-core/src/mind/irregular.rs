//! Of which English words are these forms? Those that no rule of endings leads back: *won* and *win* are one word to whoever asks.
//!
//! Forms that are as often another word (*left*, *rose*, *bit*, *lay*, *wound*) are not among them, nor those of words that say little
//! by themselves (*got*, *went*, *told*): these are in every other memory.

/// By form.
#[rustfmt::skip]
const FORMS: &[(&str, &str)] = &[
    ("ate", "eat"), ("beaten", "beat"), ("bent", "bend"), ("bitten", "bite"), ("bled", "bleed"),
    ("blew", "blow"), ("blown", "blow"), ("bought", "buy"), ("bred", "breed"), ("broke", "break"),
    ("broken", "break"), ("built", "build"), ("burnt", "burn"), ("caught", "catch"), ("children", "child"),
    ("chose", "choose"), ("chosen", "choose"), ("clung", "cling"), ("crept", "creep"), ("dealt", "deal"),
    ("drank", "drink"), ("drawn", "draw"), ("dreamt", "dream"), ("drew", "draw"), ("driven", "drive"),
    ("drove", "drive"), ("drunk", "drink"), ("dug", "dig"), ("eaten", "eat"), ("fallen", "fall"),
    ("fed", "feed"), ("feet", "foot"), ("fell", "fall"), ("fled", "flee"), ("flew", "fly"),
    ("flown", "fly"), ("forgave", "forgive"), ("forgiven", "forgive"), ("forgot", "forget"),
    ("forgotten", "forget"), ("fought", "fight"), ("froze", "freeze"), ("frozen", "freeze"),
    ("geese", "goose"), ("grew", "grow"), ("grown", "grow"), ("hid", "hide"), ("hidden", "hide"),
    ("hung", "hang"), ("knelt", "kneel"), ("knives", "knife"), ("leant", "lean"), ("leapt", "leap"),
    ("learnt", "learn"), ("lent", "lend"), ("lit", "light"), ("loaves", "loaf"), ("lost", "lose"),
    ("men", "man"), ("met", "meet"), ("mice", "mouse"), ("overheard", "overhear"),
    ("overslept", "oversleep"), ("paid", "pay"), ("ran", "run"), ("rang", "ring"), ("ridden", "ride"),
    ("risen", "rise"), ("rode", "ride"), ("rung", "ring"), ("sang", "sing"), ("sank", "sink"),
    ("sat", "sit"), ("sent", "send"), ("sewn", "sew"), ("shaken", "shake"), ("shone", "shine"),
    ("shook", "shake"), ("shot", "shoot"), ("slept", "sleep"), ("slid", "slide"), ("smelt", "smell"),
    ("sold", "sell"), ("sought", "seek"), ("sped", "speed"), ("spent", "spend"), ("spilt", "spill"),
    ("spoke", "speak"), ("spoken", "speak"), ("sprang", "spring"), ("sprung", "spring"), ("spun", "spin"),
    ("stole", "steal"), ("stolen", "steal"), ("struck", "strike"), ("stuck", "stick"), ("stung", "sting"),
    ("sung", "sing"), ("sunk", "sink"), ("swam", "swim"), ("swept", "sweep"), ("swore", "swear"),
    ("sworn", "swear"), ("swum", "swim"), ("swung", "swing"), ("taught", "teach"), ("teeth", "tooth"),
    ("thieves", "thief"), ("threw", "throw"), ("thrown", "throw"), ("tore", "tear"), ("torn", "tear"),
    ("wept", "weep"), ("withdrawn", "withdraw"), ("withdrew", "withdraw"), ("wives", "wife"),
    ("woke", "wake"), ("woken", "wake"), ("wolves", "wolf"), ("women", "woman"), ("won", "win"),
    ("wore", "wear"), ("worn", "wear"), ("wove", "weave"), ("woven", "weave"), ("written", "write"),
    ("wrote", "write"),
];

/// The word itself, if it is one of them; else what was given.
pub(super) fn base(word: &str) -> &str {
    let found = FORMS.binary_search_by_key(&word, |(form, _)| form).ok();
    found.and_then(|at| FORMS.get(at)).map_or(word, |(_, base)| base)
}

#[cfg(test)]
mod tests {
    use super::{FORMS, base};

    #[test]
    fn forms_are_found_and_other_words_stay() {
        assert!(FORMS.is_sorted(), "they are searched by halves");
        for (form, word) in FORMS {
            assert_eq!((base(form), base(word)), (*word, *word));
        }
        assert_eq!(["left", "lighthouse", ""].map(base), ["left", "lighthouse", ""]);
    }
}
