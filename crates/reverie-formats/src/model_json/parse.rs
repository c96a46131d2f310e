//! What does JSON mean that is not quite JSON?
//!
//! Beyond the standard: trailing commas; strings in single or typographic quotes and with raw line breaks; unquoted keys;
//! `True`, `False`, `None`; full-width colons and commas; comments. Whatever the standard allows means what it says.

use serde_json::{Map, Number, Value};

use super::MOST_DEPTH;

/// Why no value could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// The text ended first.
    CutOff,
    TooDeep,
    /// This is no JSON.
    Wrong,
    /// All the work that was allowed is done.
    Tired,
}

pub(super) struct Parser<'t, 'w> {
    text: &'t str,
    at: usize,
    depth: usize,
    work: &'w mut usize,
}

/// The closing quote of each opening one.
const QUOTES: &[(char, char)] = &[('"', '"'), ('\'', '\''), ('“', '”'), ('‘', '’'), ('「', '」')];

impl<'t, 'w> Parser<'t, 'w> {
    pub(super) fn new(text: &'t str, work: &'w mut usize) -> Self {
        Self { text, at: 0, depth: 0, work }
    }

    /// How many bytes were read.
    pub(super) fn read(&self) -> usize {
        self.at
    }

    /// An object or an array.
    pub(super) fn container(&mut self) -> Result<Value, Fault> {
        match self.peek() {
            Some('{') => self.object(),
            Some('[') => self.array(),
            Some(_) => Err(Fault::Wrong),
            None => Err(Fault::CutOff),
        }
    }

    /// Nothing but space may follow.
    pub(super) fn end(&mut self) -> Result<(), Fault> {
        self.skip_space()?;
        if self.peek().is_none() { Ok(()) } else { Err(Fault::Wrong) }
    }

    fn value(&mut self) -> Result<Value, Fault> {
        match self.peek().ok_or(Fault::CutOff)? {
            '{' => self.object(),
            '[' => self.array(),
            c if closing(c).is_some() => self.string().map(Value::String),
            '-' | '+' | '.' | '0'..='9' => self.number(),
            _ => self.word(),
        }
    }

    fn object(&mut self) -> Result<Value, Fault> {
        self.enter()?;
        let mut map = Map::new();
        loop {
            self.skip_space()?;
            match self.peek().ok_or(Fault::CutOff)? {
                '}' => break,
                c if closing(c).is_some() => {
                    let key = self.string()?;
                    self.member(key, &mut map)?;
                }
                _ => {
                    let key = self.name()?.to_owned();
                    self.member(key, &mut map)?;
                }
            }
            if !self.comma('}')? {
                break;
            }
        }
        self.leave();
        Ok(Value::Object(map))
    }

    fn member(&mut self, key: String, map: &mut Map<String, Value>) -> Result<(), Fault> {
        self.skip_space()?;
        match self.next()? {
            ':' | '：' => {}
            _ => return Err(Fault::Wrong),
        }
        self.skip_space()?;
        let value = self.value()?;
        map.insert(key, value);
        Ok(())
    }

    fn array(&mut self) -> Result<Value, Fault> {
        self.enter()?;
        let mut items = Vec::new();
        loop {
            self.skip_space()?;
            if self.peek().ok_or(Fault::CutOff)? == ']' {
                break;
            }
            items.push(self.value()?);
            if !self.comma(']')? {
                break;
            }
        }
        self.leave();
        Ok(Value::Array(items))
    }

    /// True if there was one; false if the container ends here.
    fn comma(&mut self, end: char) -> Result<bool, Fault> {
        self.skip_space()?;
        match self.peek().ok_or(Fault::CutOff)? {
            ',' | '，' => self.next().map(|_| true),
            c if c == end => Ok(false),
            _ => Err(Fault::Wrong),
        }
    }

    fn enter(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(Fault::TooDeep);
        }
        self.next().map(drop)
    }

    /// Past the closing bracket, which the caller has seen.
    fn leave(&mut self) {
        self.depth -= 1;
        self.at += 1;
    }

    fn string(&mut self) -> Result<String, Fault> {
        let end = closing(self.next()?).ok_or(Fault::Wrong)?;
        let mut string = String::new();
        loop {
            match self.next()? {
                c if c == end => return Ok(string),
                '\\' => self.escape(&mut string)?,
                c => string.push(c),
            }
        }
    }

    fn escape(&mut self, string: &mut String) -> Result<(), Fault> {
        string.push(match self.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{C}',
            'u' => self.code_point()?,
            c => c,
        });
        Ok(())
    }

    /// After `\u`: four digits, or two halves of a pair. Half a pair alone is no character.
    fn code_point(&mut self) -> Result<char, Fault> {
        let first = self.four_digits()?;
        let rest = self.rest();
        let is_high = (0xD800..0xDC00).contains(&first);
        if is_high && rest.starts_with("\\u") {
            let before = self.at;
            self.at += 2;
            let second = self.four_digits()?;
            if (0xDC00..0xE000).contains(&second) {
                let joined = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = before;
        } else if is_high && rest.len() < 2 {
            return Err(Fault::CutOff);
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn four_digits(&mut self) -> Result<u32, Fault> {
        let mut code = 0;
        for _ in 0..4 {
            code = code * 16 + self.next()?.to_digit(16).ok_or(Fault::Wrong)?;
        }
        Ok(code)
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
        let digits = self.take_while(is_part)?;
        // A number at the very end may have lost its last digits.
        if self.peek().is_none() {
            return Err(Fault::CutOff);
        }
        let digits = digits.strip_prefix('+').unwrap_or(digits);
        let whole =
            digits.parse::<i64>().map(Number::from).or_else(|_| digits.parse::<u64>().map(Number::from));
        // Also `.5` and `1.`; not what is too large to be one.
        let number = whole.ok().or_else(|| digits.parse().ok().and_then(Number::from_f64));
        number.map(Value::Number).ok_or(Fault::Wrong)
    }

    fn word(&mut self) -> Result<Value, Fault> {
        match self.name()? {
            "true" | "True" | "TRUE" => Ok(Value::Bool(true)),
            "false" | "False" | "FALSE" => Ok(Value::Bool(false)),
            "null" | "None" | "NULL" | "undefined" | "NaN" => Ok(Value::Null),
            _ => Err(Fault::Wrong),
        }
    }

    /// A word as programming languages name things.
    fn name(&mut self) -> Result<&'t str, Fault> {
        let name = self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '-'))?;
        match (name.is_empty(), self.peek()) {
            (_, None) => Err(Fault::CutOff),
            (true, _) => Err(Fault::Wrong),
            _ => Ok(name),
        }
    }

    /// White space and comments.
    fn skip_space(&mut self) -> Result<(), Fault> {
        loop {
            self.take_while(|c| c.is_whitespace() || c == '\u{FEFF}')?;
            let rest = self.rest();
            if rest.starts_with("//") {
                self.take_while(|c| c != '\n')?;
            } else if rest.starts_with("/*") {
                let length = rest.find("*/").ok_or(Fault::CutOff)? + 2;
                self.tire(length)?;
                self.at += length;
            } else {
                return Ok(());
            }
        }
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> Result<&'t str, Fault> {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.tire(length)?;
        self.at += length;
        Ok(rest.get(..length).unwrap_or_default())
    }

    fn next(&mut self) -> Result<char, Fault> {
        let c = self.peek().ok_or(Fault::CutOff)?;
        self.tire(c.len_utf8())?;
        self.at += c.len_utf8();
        Ok(c)
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn tire(&mut self, bytes: usize) -> Result<(), Fault> {
        *self.work = self.work.checked_sub(bytes).ok_or(Fault::Tired)?;
        Ok(())
    }
}

fn closing(opening: char) -> Option<char> {
    QUOTES.iter().find(|(known, _)| *known == opening).map(|(_, closing)| *closing)
}
