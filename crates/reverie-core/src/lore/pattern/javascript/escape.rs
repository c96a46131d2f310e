//! Which character does an escape of JavaScript stand for, and which property?

use super::Translator;

impl Translator<'_> {
    /// The single character that an escape stands for.
    pub(super) fn character(&mut self, escaped: char) -> Result<char, String> {
        let point = match escaped {
            't' => return Ok('\t'),
            'n' => return Ok('\n'),
            'r' => return Ok('\r'),
            'v' => return Ok('\x0B'),
            'f' => return Ok('\x0C'),
            '0' => return Ok('\0'),
            'c' => match self.chars.next_if(char::is_ascii_alphabetic) {
                Some(letter) => u32::from(letter) % 32,
                None => return Err("\\c needs a letter".to_owned()),
            },
            'x' => match self.hex(2) {
                Some(point) => point,
                None => return Ok('x'),
            },
            'u' if self.chars.peek() == Some(&'{') => {
                self.chars.next();
                let digits = self.until('}')?;
                u32::from_str_radix(&digits, 16).map_err(|_| format!("\\u{{{digits}}} is no character"))?
            }
            'u' => match self.hex(4) {
                Some(high @ 0xD800..=0xDBFF) => self.surrogate(high)?,
                Some(point) => point,
                None => return Ok('u'),
            },
            _ => return Ok(escaped),
        };
        char::from_u32(point).ok_or_else(|| format!("U+{point:X} is no character"))
    }

    /// The second half of a pair.
    fn surrogate(&mut self, high: u32) -> Result<u32, String> {
        let mut ahead = self.chars.clone();
        if (ahead.next(), ahead.next()) == (Some('\\'), Some('u')) {
            self.chars = ahead;
            if let Some(low @ 0xDC00..=0xDFFF) = self.hex(4) {
                return Ok(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
            }
        }
        Err("half a surrogate pair".to_owned())
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let ahead: String = self.chars.clone().take(digits).collect();
        let point = (ahead.len() == digits && ahead.chars().all(|char| char.is_ascii_hexdigit()))
            .then(|| u32::from_str_radix(&ahead, 16).ok())??;
        self.chars.nth(digits - 1);
        Some(point)
    }

    pub(super) fn property(&mut self, kind: char) -> Result<String, String> {
        if self.chars.next() != Some('{') {
            return Err(format!("\\{kind} needs a property in braces"));
        }
        let name = self.until('}')?;
        if !name.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '=')) {
            return Err(format!("{name:?} is no property"));
        }
        self.work += if self.ignore_case { 20_000 } else { 200 };
        Ok(format!(r"\{kind}{{{name}}}"))
    }
}
