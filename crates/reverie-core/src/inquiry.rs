//! Does somebody ask what is remembered of a person, and do they ask for anything else?
//!
//! A name that is in every memory tells none of them apart, and in `Good morning, Lime!` it is not meant to. Whoever asks `What did
//! Lime tell you?` wants what there is of Lime. So names count for more in a clause that asks, and the more so if there is nothing
//! else in it: no word that is neither a name nor needed to ask.

mod english;
mod ideographs;

use crate::words::is_written_together;

/// Stands for a name.
pub(crate) const NAME: char = '◆';

/// What a clause asks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Inquiry {
    pub(crate) asks: Asks,
    /// Whether there is more in it than names and words to ask with.
    pub(crate) of_something: bool,
    /// Whether they want to know what is remembered of themselves.
    pub(crate) of_me: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asks {
    #[default]
    Nothing,
    /// Who, what or how somebody is.
    Openly,
    /// What was told, or is remembered.
    Memory,
}

/// A part of a text between two marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Clause<'t> {
    pub(crate) text: &'t str,
    /// A question mark ends it.
    pub(crate) is_asked: bool,
}

/// The clauses of a text whose spelling is folded. `ライムは、何を…` is one: the mark only lets the topic stand out.
pub(crate) fn clauses(text: &str) -> Vec<Clause<'_>> {
    let mut found = Vec::new();
    let mut begin = 0;
    for (at, mark) in text.char_indices().filter(|(_, char)| is_mark(*char)) {
        let clause = text.get(begin..at).unwrap_or_default();
        if mark == '、' && TOPICS.iter().any(|topic| clause.ends_with(topic)) {
            continue;
        }
        found.push(Clause { text: clause, is_asked: matches!(mark, '?' | '？') });
        begin = at + mark.len_utf8();
    }
    found.push(Clause { text: text.get(begin..).unwrap_or_default(), is_asked: false });
    found.retain(|clause| clause.text.contains(|char: char| char.is_alphanumeric()));
    found
}

const TOPICS: [&str; 5] = ["は", "って", "について", "に", "から"];

fn is_mark(char: char) -> bool {
    matches!(
        char,
        ',' | '，' | '、' | ';' | '；' | ':' | '：' | '.' | '。' | '｡' | '!' | '！' | '?' | '？' | '…' | '\n'
    )
}

/// What a clause asks, in which [`NAME`] stands for each name.
pub(crate) fn inquiry(clause: Clause<'_>) -> Inquiry {
    let pieces = pieces(clause.text);
    let mut heard = Heard { is_question: clause.is_asked, ..Heard::default() };
    english::listen(&pieces, &mut heard);
    ideographs::listen(&pieces, &mut heard);
    heard.inquiry()
}

/// What is heard in a clause, whatever the language.
#[derive(Debug, Clone, Copy, Default)]
struct Heard {
    is_question: bool,
    /// Who, what, where.
    open: bool,
    /// Who, of these.
    who: bool,
    /// How.
    manner: bool,
    /// Tell, say: what was said.
    telling: bool,
    /// Remember, know: what is in mind.
    remembering: bool,
    something: bool,
    me: bool,
    /// The name is that of whoever is spoken to, or should be told something.
    is_called: bool,
}

impl Heard {
    fn inquiry(self) -> Inquiry {
        let is_memory = self.telling || self.remembering;
        let asks = match self.is_question && !self.is_called {
            true if is_memory => Asks::Memory,
            true if self.open || self.manner => Asks::Openly,
            _ => Asks::Nothing,
        };
        // How should I know?
        let of_what = (self.open && (is_memory || self.who)) || self.remembering;
        let of_me = self.me && of_what && !self.manner && !self.something && asks != Asks::Nothing;
        Inquiry { asks, of_something: self.something, of_me }
    }
}

/// What a clause is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece<'t> {
    Name,
    Word(&'t str),
    /// Characters without a space between words.
    Run(&'t str),
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    #[derive(PartialEq, Clone, Copy)]
    enum Of {
        Nothing,
        Name,
        Word,
        Run,
    }
    let of = |char: char| match char {
        NAME => Of::Name,
        '\'' | '’' => Of::Word,
        _ if is_written_together(char) => Of::Run,
        _ if char.is_alphanumeric() => Of::Word,
        _ => Of::Nothing,
    };
    let mut found: Vec<Piece<'_>> = Vec::new();
    let (mut begin, mut kind) = (0, Of::Nothing);
    for (at, char) in text.char_indices().chain([(text.len(), ' ')]) {
        let next = of(char);
        if next == kind && next != Of::Name {
            continue;
        }
        let piece = text.get(begin..at).unwrap_or_default();
        match kind {
            Of::Name => found.push(Piece::Name),
            Of::Word => found.push(Piece::Word(piece)),
            Of::Run => found.push(Piece::Run(piece)),
            Of::Nothing => {}
        }
        (begin, kind) = (at, next);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Asks, Inquiry, clauses, inquiry};
    use crate::mind::terms::SPELLING;

    #[test]
    fn what_clauses_ask() {
        use Asks::{Memory, Nothing, Openly};
        for (text, asks, of_something) in [
            ("what did ◆ tell you?", Memory, false),
            ("what did ◆ say about the mill?", Memory, true),
            ("who is ◆", Openly, false),
            ("what does ◆ like?", Openly, true),
            ("is ◆ here?", Nothing, false),
            ("◆ told me what you said", Nothing, false),
            ("how are you ◆?", Nothing, false),
            ("◆ 跟你说过什么", Memory, false),
            ("◆ 说过磨坊什么?", Memory, true),
            ("◆ 怎么样?", Openly, false),
            ("◆ 呢?", Openly, false),
            ("◆ 什么都没说", Nothing, false),
            ("◆ 你说什么?", Nothing, false),
            ("你还记得 ◆ 吗", Memory, false),
            ("◆ は何て言ってた?", Memory, false),
            ("◆ のこと覚えてる?", Memory, false),
            ("◆ はりんごが好き?", Nothing, true),
            ("◆ さんは誰ですか", Openly, false),
        ] {
            let text = SPELLING.fold(text);
            let clause = *clauses(&text).first().unwrap();
            assert_eq!(inquiry(clause), Inquiry { asks, of_something, of_me: false }, "{text}");
        }
    }

    #[test]
    fn who_asks_for_themselves() {
        for (text, expected) in [
            ("do you remember me?", true),
            ("what did i tell you", true),
            ("who am i?", true),
            ("what should i do?", false),
            ("how should i know?", false),
            ("tell me", false),
            ("我跟你说过什么?", true),
            ("我是谁?", true),
            ("我怎么知道?", false),
            ("告诉我吧", false),
            ("私のこと覚えてる?", true),
            ("私に教えて", false),
        ] {
            let text = SPELLING.fold(text);
            let clause = *clauses(&text).first().unwrap();
            assert_eq!(inquiry(clause).of_me, expected, "{text}");
        }
    }
}
