//! In which way is a character written, and what follows from that?
//!
//! The ranges stand here, and are not asked of a library: a newer Unicode must not move a text.

/// A script's way to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Han,
    Letters,
    Digits,
    /// Mostly endings and particles.
    Hiragana,
    /// Katakana and Hangul: one character already tells something.
    Syllables,
    /// Letters and syllables that the table knows no words of.
    Other,
    /// Emoji and the like: each tells something by itself.
    Symbol,
    /// Spaces, punctuation, lines and frames.
    Nothing,
}

impl Kind {
    /// Of a folded text's character.
    pub(crate) fn of(c: char) -> Self {
        match c {
            'a'..='z' => Self::Letters,
            '0'..='9' => Self::Digits,
            '\u{4E00}'..='\u{9FFF}' => Self::Han,
            '\0'..='\u{BF}' | '×' | '÷' => Self::Nothing,
            '\u{C0}'..='\u{24F}' | '\u{1E00}'..='\u{1EFF}' => Self::Letters,
            '\u{2B0}'..='\u{36F}' => Self::Nothing,
            '\u{250}'..='\u{1FFF}' if is_punctuation(c) => Self::Nothing,
            '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{AC00}'..='\u{D7FF}' => Self::Syllables,
            '\u{3041}'..='\u{3096}' | '\u{309D}'..='\u{309F}' => Self::Hiragana,
            // Without the middle dot of foreign names.
            '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' => Self::Syllables,
            '々' | '〇' | '\u{3400}'..='\u{4DBF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' => {
                Self::Han
            }
            '\u{2300}'..='\u{23FF}' | '\u{2600}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}' => Self::Symbol,
            '\u{4DC0}'..='\u{4DFF}' | '\u{1F000}'..='\u{1FAFF}' => Self::Symbol,
            '\u{2000}'..='\u{2BFF}' | '\u{2E00}'..='\u{2E7F}' | '\u{3000}'..='\u{30FF}' => Self::Nothing,
            '\u{E000}'..='\u{F8FF}' | '\u{FE00}'..='\u{FE6F}' | '\u{FEFF}'..='\u{FFFF}' => Self::Nothing,
            '\u{E0000}'..=char::MAX => Self::Nothing,
            _ => Self::Other,
        }
    }

    /// True if a run of this kind goes on with this character.
    pub(crate) fn goes_on(self, c: char) -> bool {
        Self::of(c) == self || (self == Self::Letters && is_mark(c))
    }
}

/// A mark upon a Latin letter.
pub(crate) fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}')
}

/// Of scripts whose words the table does not know.
fn is_punctuation(c: char) -> bool {
    matches!(c,
        '\u{37E}' | '\u{387}' | '\u{55A}'..='\u{55F}' | '\u{589}'..='\u{58F}' | '\u{5BE}' | '\u{5C0}' | '\u{5C3}'
        | '\u{5F3}' | '\u{5F4}' | '\u{600}'..='\u{60F}' | '\u{61B}'..='\u{61F}' | '\u{66A}'..='\u{66D}' | '\u{6D4}'
        | '\u{964}' | '\u{965}' | '\u{970}' | '\u{E2F}' | '\u{E3F}' | '\u{E46}' | '\u{E4F}' | '\u{E5A}' | '\u{E5B}'
        | '\u{10FB}' | '\u{1360}'..='\u{1368}' | '\u{17D4}'..='\u{17DB}' | '\u{1800}'..='\u{180E}'
        | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}')
}
