//! What does a stamp look like, and does this text begin with one? One parsed format answers both: it
//! writes stamps, and it recognises those that a model wrote after their example.

use std::collections::BTreeSet;

use super::Language;
use super::settings::{Pairs, refused};
use crate::{Error, Result};

const LONGEST_FORMAT: usize = 256;
const WIDEST_NUMBER: usize = 9;
/// i64 ticks and an i64 start tick cannot give a number with more.
const MOST_DIGITS: usize = 20;
/// A stamp stands between these. Without them, nothing would tell a stamp that a model echoes from
/// the beginning of what it has to say.
pub(crate) const BRACKETS: [(char, char); 8] = [
    ('[', ']'),
    ('(', ')'),
    ('<', '>'),
    ('【', '】'),
    ('（', '）'),
    ('［', '］'),
    ('〔', '〕'),
    ('《', '》'),
];

/// A format for each language.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Templates {
    zh: Template,
    en: Template,
}

impl Templates {
    /// Reads `format.zh` and `format.en`. Where neither the settings nor the calendar have a format for
    /// one language, the other language's is used.
    pub(super) fn from_pairs<'a>(
        pairs: &mut Pairs<'_>,
        default_format: impl Fn(Language) -> Option<&'static str>,
        fields: impl Fn(Language) -> Vec<Field<'a>>,
    ) -> Result<Self> {
        let mut read = |language: Language| -> Option<(String, String)> {
            let key = format!("format.{}", language.name());
            let format = pairs.take(&key).or_else(|| default_format(language))?;
            Some((key, format.to_owned()))
        };
        let (zh, en) = (read(Language::Zh), read(Language::En));
        let Some((either_zh, either_en)) = zh.clone().or(en.clone()).zip(en.or(zh)) else {
            return Err(Error::invalid("calendar.format.zh and calendar.format.en are missing")
                .hint("one of them, such as [{day} {hour}], with the names of units in braces"));
        };
        let parse = |(key, format): (String, String), language| {
            Template::parse(&format, &fields(language))
                .map_err(|fault| refused(&key, &format, &fault.problem, &fault.hint))
        };
        Ok(Self { zh: parse(either_zh, Language::Zh)?, en: parse(either_en, Language::En)? })
    }

    pub(super) fn of(&self, language: Language) -> &Template {
        match language {
            Language::Zh => &self.zh,
            Language::En => &self.en,
        }
    }

    /// What follows one stamp in any language.
    pub(super) fn strip<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.zh.strip(text).or_else(|| self.en.strip(text))
    }
}

/// Something that a format can show.
pub(super) struct Field<'a> {
    name: &'a str,
    shown_as: ShownAs<'a>,
}

enum ShownAs<'a> {
    /// At least so many digits, unless the format says how many.
    Number { width: usize },
    /// The value is a place in this list.
    Name(Vec<&'a str>),
}

impl<'a> Field<'a> {
    pub(super) fn number(name: &'a str) -> Self {
        Self::padded(name, 1)
    }

    pub(super) fn padded(name: &'a str, width: usize) -> Self {
        Self { name, shown_as: ShownAs::Number { width } }
    }

    pub(super) fn names(name: &'a str, names: impl IntoIterator<Item = &'a str>) -> Self {
        Self { name, shown_as: ShownAs::Name(names.into_iter().collect()) }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Template {
    pieces: Vec<Piece>,
}

/// `field` is the field's place among those that the calendar offers, and so its value's place.
#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Literal(String),
    Number { field: usize, width: usize },
    Name { field: usize, names: Vec<String> },
}

struct Fault {
    problem: String,
    hint: String,
}

fn fault<T>(problem: impl Into<String>, hint: impl Into<String>) -> Result<T, Fault> {
    Err(Fault { problem: problem.into(), hint: hint.into() })
}

impl Template {
    /// Text with `{field}`, `{field:02}` for at least two digits, and `{{` `}}` for literal braces.
    fn parse(format: &str, fields: &[Field<'_>]) -> Result<Self, Fault> {
        if format.len() > LONGEST_FORMAT {
            return fault("too long", format!("at most {LONGEST_FORMAT} bytes"));
        }
        if format.contains(char::is_control) {
            return fault("it has a line break or another control character", "one line of text");
        }
        if !is_bracketed(format) {
            let pairs = BRACKETS.map(|(open, close)| format!("{open}{close}")).join(" ");
            return fault("a stamp stands in brackets", format!("begin and end it with one of {pairs}"));
        }
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut chars = format.chars();
        while let Some(char) = chars.next() {
            let after = chars.as_str();
            match char {
                '{' | '}' if after.starts_with(char) => {
                    literal.push(char);
                    chars.next();
                }
                '{' => {
                    let Some((inside, rest)) = after.split_once('}') else {
                        return fault("a { is never closed", "write {{ for a brace that is no field");
                    };
                    chars = rest.chars();
                    if !literal.is_empty() {
                        pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                    }
                    pieces.push(parse_field(inside, fields)?);
                }
                '}' => return fault("a } was never opened", "write }} for a brace that is no field"),
                _ => literal.push(char),
            }
        }
        if pieces.is_empty() {
            return fault("it says nothing about the time", format!("fields: {}", list(fields)));
        }
        pieces.push(Piece::Literal(literal));
        Ok(Self { pieces })
    }

    pub(super) fn render(&self, values: &[i128]) -> String {
        self.pieces.iter().map(|piece| piece.render(values)).collect()
    }

    /// Without the fields that are shorter than a day, and the words and marks that belong to them: of `{day}天, {hour}时` the first
    /// part. None if no field is left.
    pub(super) fn render_days(&self, values: &[i128], is_shorter: &[bool]) -> Option<String> {
        let is_left_out =
            |piece: &Piece| piece.field().is_some_and(|field| is_shorter.get(field) == Some(&true));
        if !self.pieces.iter().any(|piece| piece.field().is_some() && !is_left_out(piece)) {
            return None;
        }
        let mut text = String::new();
        for (place, piece) in self.pieces.iter().enumerate() {
            let Piece::Literal(literal) = piece else {
                text.push_str(&if is_left_out(piece) { String::new() } else { piece.render(values) });
                continue;
            };
            let is_before = self.pieces.get(place + 1).is_some_and(is_left_out);
            let is_behind = place.checked_sub(1).and_then(|at| self.pieces.get(at)).is_some_and(is_left_out);
            let is_mark = |c: char| !c.is_alphanumeric();
            let is_last = place + 1 == self.pieces.len();
            let kept = match (is_before, is_behind) {
                (false, false) => literal.as_str(),
                // The bracket at the end stays.
                (_, true) if is_last => literal
                    .char_indices()
                    .next_back()
                    .and_then(|(at, _)| literal.get(at..))
                    .unwrap_or_default(),
                (true, true) => "",
                // 天, : what belongs to the day stands before the first mark, unless it begins the stamp.
                (true, false) if place == 0 => literal,
                (true, false) => literal.split(is_mark).next().unwrap_or_default(),
                (false, true) => literal.trim_start_matches(char::is_alphanumeric),
            };
            // Where the stamp begins with what is left out, no mark may be left at its beginning.
            let begins = self.pieces.iter().take(place).all(|one| one.field().is_none() || is_left_out(one));
            text.push_str(if begins && is_behind && !is_last {
                kept.trim_start_matches(is_mark)
            } else {
                kept
            });
        }
        Some(text)
    }

    /// What follows a stamp of this format at the very beginning of `text`.
    ///
    /// Follows all readings at once (where a number may end, which of the names it is) instead of trying
    /// them in turn, so that no text takes long, however the format is made.
    fn strip<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut lefts = BTreeSet::from([text.len()]);
        for piece in &self.pieces {
            let rests = lefts.iter().filter_map(|left| text.get(text.len() - left..));
            lefts = rests.flat_map(|rest| piece.strip(rest)).map(str::len).collect();
        }
        let left = lefts.first()?;
        text.get(text.len() - left..)
    }
}

impl Piece {
    fn field(&self) -> Option<usize> {
        match self {
            Self::Literal(_) => None,
            Self::Number { field, .. } | Self::Name { field, .. } => Some(*field),
        }
    }

    fn render(&self, values: &[i128]) -> String {
        match self {
            Self::Literal(literal) => literal.clone(),
            Self::Number { field, width } => {
                let value = values.get(*field).copied().unwrap_or_default();
                format!("{value:0width$}")
            }
            Self::Name { field, names } => {
                let place = values.get(*field).and_then(|value| usize::try_from(*value).ok());
                place.and_then(|place| names.get(place)).cloned().unwrap_or_default()
            }
        }
    }

    /// What may follow this piece at the beginning of `text`: nothing if it is not there, several texts
    /// if it can be read in several ways.
    fn strip<'t>(&self, text: &'t str) -> Vec<&'t str> {
        match self {
            Self::Literal(literal) => strip_literal(text, literal).into_iter().collect(),
            Self::Number { .. } => strip_number(text),
            Self::Name { names, .. } => {
                names.iter().filter_map(|name| text.strip_prefix(name.as_str())).collect()
            }
        }
    }
}

/// Models are careless about blanks and the width of punctuation, so these may differ.
fn strip_literal<'t>(text: &'t str, literal: &str) -> Option<&'t str> {
    let mut rest = text;
    for expected in literal.chars().filter(|char| !char.is_whitespace()) {
        let mut chars = rest.trim_start().chars();
        if chars.next().map(folded) != Some(folded(expected)) {
            return None;
        }
        rest = chars.as_str();
    }
    Some(rest.trim_start())
}

fn folded(char: char) -> char {
    match char {
        '【' => '[',
        '】' => ']',
        // The full-width forms of ASCII, in the order of ASCII.
        '！'..='～' => char::from_u32(u32::from(char) - 0xFEE0).unwrap_or(char),
        _ => char,
    }
}

/// Any number, possible or not: a model that continues the count may well write a day 16 of 15.
fn strip_number(text: &str) -> Vec<&str> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let digits = unsigned.bytes().take(MOST_DIGITS).take_while(u8::is_ascii_digit).count();
    (1..=digits).filter_map(|end| unsigned.get(end..)).collect()
}

fn is_bracketed(format: &str) -> bool {
    BRACKETS.iter().any(|(open, close)| format.starts_with(*open) && format.ends_with(*close))
}

fn parse_field(inside: &str, fields: &[Field<'_>]) -> Result<Piece, Fault> {
    let (name, width) = match inside.split_once(':') {
        Some((name, width)) => (name, Some(width)),
        None => (inside, None),
    };
    let Some((place, field)) = fields.iter().enumerate().find(|(_, field)| field.name == name) else {
        return fault(format!("there is no field {{{name}}}"), format!("fields: {}", list(fields)));
    };
    match (&field.shown_as, width) {
        (ShownAs::Number { width }, None) => Ok(Piece::Number { field: place, width: *width }),
        (ShownAs::Number { .. }, Some(width)) => match width.strip_prefix('0').map(str::parse) {
            Some(Ok(width @ 1..=WIDEST_NUMBER)) => Ok(Piece::Number { field: place, width }),
            _ => fault(
                format!("{{{inside}}} has no width that can be used"),
                format!("01 to 0{WIDEST_NUMBER} digits, such as {{{name}:02}}"),
            ),
        },
        (ShownAs::Name(names), None) => {
            let names = names.iter().map(|name| (*name).to_owned()).collect();
            Ok(Piece::Name { field: place, names })
        }
        (ShownAs::Name(_), Some(_)) => {
            fault(format!("{{{name}}} is a word and has no width"), format!("write {{{name}}}"))
        }
    }
}

fn list(fields: &[Field<'_>]) -> String {
    fields.iter().map(|field| format!("{{{}}}", field.name)).collect::<Vec<_>>().join(" ")
}
