//! How is a pattern of JavaScript said in the syntax of Rust's engines?
//!
//! The two differ in what `\w`, `\d`, `\s`, `\b` and `.` mean, in escapes, and in what stands for itself. Looking around
//! and referring back have no syntax there: they are written as groups whose names say what they are.

mod escape;
mod groups;

use std::iter::Peekable;
use std::str::Chars;

use super::needs::Needs;
use groups::Groups;
pub(super) use groups::{Around, Meaning, meaning};

/// JavaScript's white space.
const SPACE: &str =
    r"\t\n\x0B\x0C\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";
const WORD: &str = "0-9A-Za-z_";
const DIGIT: &str = "0-9";
/// Every character, and none: in a spelling whose other cases are quickly counted.
const ANY: &str = "[^a&&b]";
const NONE: &str = "[a&&b]";
const LINE_ENDS: &str = r"\n\r\x{2028}\x{2029}";

/// A pattern in the syntax of Rust's engines.
pub(super) struct Translated {
    pub(super) text: String,
    /// A cheap guess at how long it takes to read, in tenths of a microsecond.
    pub(super) work: usize,
    /// It looks around or refers back, which takes an engine that tries again.
    pub(super) backtracks: bool,
    pub(super) needs: Vec<String>,
}

pub(super) fn translate(source: &str, flags: &str) -> Result<Translated, String> {
    let has = |flag| flags.contains(flag);
    let mut translator = Translator {
        chars: source.chars().peekable(),
        out: String::with_capacity(source.len() * 2),
        dot_all: has('s'),
        unicode: has('u'),
        ignore_case: has('i'),
        groups: Groups::default(),
        depth: 0,
        needs: Needs::default(),
        work: 0,
    };
    translator.pattern()?;
    let body = translator.groups.settle(&translator.out)?;
    let options: String =
        [('i', has('i')), ('m', has('m'))].into_iter().filter(|o| o.1).map(|o| o.0).collect();
    let body = if options.is_empty() { format!("(?:{body})") } else { format!("(?{options}:{body})") };
    // Sticky: only where the search begins.
    let text = if has('y') { format!(r"\A{body}") } else { body };
    Ok(Translated {
        work: translator.work + text.len(),
        text,
        backtracks: translator.groups.backtrack(),
        needs: translator.needs.finish(),
    })
}

struct Translator<'a> {
    chars: Peekable<Chars<'a>>,
    out: String,
    dot_all: bool,
    unicode: bool,
    ignore_case: bool,
    groups: Groups,
    /// Groups that are open.
    depth: usize,
    needs: Needs,
    work: usize,
}

impl Translator<'_> {
    fn pattern(&mut self) -> Result<(), String> {
        while let Some(char) = self.chars.next() {
            match char {
                '\\' => self.escape()?,
                '[' => {
                    self.needs.anything();
                    self.class()?;
                }
                '.' => {
                    self.needs.anything();
                    match self.dot_all {
                        true => self.out.push_str(ANY),
                        false => self.out.push_str(&format!("[^{LINE_ENDS}]")),
                    }
                }
                '{' => self.brace(),
                // In JavaScript these stand for themselves where they close nothing.
                ']' | '}' => self.literal(char),
                '(' => {
                    self.depth += 1;
                    self.group()?;
                }
                ')' => {
                    let unopened = || "a parenthesis that closes nothing".to_owned();
                    self.depth = self.depth.checked_sub(1).ok_or_else(unopened)?;
                    self.needs.close();
                    self.out.push(')');
                }
                '|' => {
                    self.needs.or();
                    self.out.push('|');
                }
                '*' | '+' | '?' => self.quantifier(char)?,
                '^' | '$' => self.out.push(char),
                _ => self.literal(char),
            }
        }
        Ok(())
    }

    /// Possessive quantifiers are no JavaScript.
    fn quantifier(&mut self, char: char) -> Result<(), String> {
        self.needs.repeat(char == '+');
        self.out.push(char);
        self.after_quantifier()
    }

    /// One `?` makes a quantifier lazy; anything more is an error there, as it would be a feature here.
    fn after_quantifier(&mut self) -> Result<(), String> {
        if self.chars.peek() == Some(&'?') {
            self.chars.next();
            self.out.push('?');
        }
        match self.chars.peek() {
            Some(next @ ('*' | '+' | '?')) => Err(format!("nothing to repeat before {next:?}")),
            _ => Ok(()),
        }
    }

    fn group(&mut self) -> Result<(), String> {
        if self.chars.next_if_eq(&'?').is_none() {
            self.needs.open(true);
            self.out.push_str(&self.groups.open(None)?);
            return Ok(());
        }
        let around = match self.chars.next() {
            Some(':') => {
                self.needs.open(true);
                self.out.push_str("(?:");
                return Ok(());
            }
            Some('=') => Around { behind: false, wanted: true },
            Some('!') => Around { behind: false, wanted: false },
            Some('<') => match self.chars.next_if(|char| matches!(char, '=' | '!')) {
                Some(kind) => Around { behind: true, wanted: kind == '=' },
                None => {
                    self.needs.open(true);
                    let name = self.until('>')?;
                    self.out.push_str(&self.groups.open(Some(name))?);
                    return Ok(());
                }
            },
            _ => return Err("an unknown kind of group".to_owned()),
        };
        // What is seen ahead or behind is in the same text.
        self.needs.open(around.wanted);
        self.out.push_str(&self.groups.look(around));
        Ok(())
    }

    /// `{2}`, `{2,}` and `{2,5}` repeat; any other brace stands for itself.
    fn brace(&mut self) {
        let mut ahead = self.chars.clone();
        let mut inside = String::new();
        for char in ahead.by_ref() {
            match char {
                '0'..='9' | ',' => inside.push(char),
                '}' if is_count(&inside) => {
                    self.needs.repeat(!inside.starts_with('0'));
                    self.out.push_str(&format!("{{{inside}}}"));
                    self.chars = ahead;
                    if self.chars.peek() == Some(&'?') {
                        self.chars.next();
                        self.out.push('?');
                    }
                    return;
                }
                _ => break,
            }
        }
        self.literal('{');
    }

    fn escape(&mut self) -> Result<(), String> {
        let Some(char) = self.chars.next() else { return Err("a backslash at the end".to_owned()) };
        match char {
            'd' => self.set("[0-9]"),
            'D' => self.set("[^0-9]"),
            'w' => self.set(&format!("[{WORD}]")),
            'W' => self.set(&format!("[^{WORD}]")),
            's' => self.set(&format!("[{SPACE}]")),
            'S' => self.set(&format!("[^{SPACE}]")),
            'b' => self.out.push_str(r"(?-u:\b)"),
            'B' => self.out.push_str(r"(?-u:\B)"),
            '1'..='9' => {
                self.needs.anything();
                let mut number = String::from(char);
                while let Some(digit) = self.chars.next_if(char::is_ascii_digit) {
                    number.push(digit);
                }
                self.out.push_str(self.groups.refer(number));
            }
            'k' if self.chars.peek() == Some(&'<') => {
                self.chars.next();
                self.needs.anything();
                let name = self.until('>')?;
                self.out.push_str(self.groups.refer(name));
            }
            'p' | 'P' if self.unicode => {
                let property = self.property(char)?;
                self.set(&property);
            }
            _ => {
                let char = self.character(char)?;
                self.literal(char);
            }
        }
        Ok(())
    }

    fn class(&mut self) -> Result<(), String> {
        let negated = self.chars.next_if_eq(&'^').is_some();
        let mut inside = String::new();
        let mut all_but = Vec::new();
        loop {
            match self.chars.next() {
                None => return Err("a class of characters that is not closed".to_owned()),
                Some(']') => break,
                Some('-') => inside.push_str(if self.is_range(&inside) { "-" } else { r"\-" }),
                Some('\\') => all_but.extend(self.class_escape(&mut inside)?),
                Some(char) => self.class_literal(&mut inside, char),
            }
        }
        match (inside.is_empty(), negated) {
            (true, false) => self.out.push_str(NONE),
            (true, true) => self.out.push_str(ANY),
            (false, false) if all_but.is_empty() => self.out.push_str(&format!("[{inside}]")),
            (false, true) if all_but.is_empty() => self.out.push_str(&format!("[^{inside}]")),
            (false, false) => self.out.push_str(&format!("(?:[{inside}]|[^{}])", all_but.join("]|[^"))),
            (false, true) => self.out.push_str(&format!("[{}&&[^{inside}]]", all_but.join("&&"))),
        }
        Ok(())
    }

    /// Without regard to case, a range takes a look at each of its characters.
    fn class_literal(&mut self, inside: &mut String, char: char) {
        if self.ignore_case && inside.ends_with('-') && !inside.ends_with(r"\-") {
            let from = inside.trim_end_matches('-').chars().next_back().map_or(0, u32::from);
            self.work += (u32::from(char).saturating_sub(from) / 16) as usize;
        }
        push_class_literal(inside, char);
    }

    /// A hyphen makes a range only between two characters.
    fn is_range(&mut self, before: &str) -> bool {
        let begins = before.is_empty() || before.ends_with(CLASS_END) || ends_range(before);
        let mut ahead = self.chars.clone();
        let ends = matches!(
            (ahead.next(), ahead.next()),
            (Some(']') | None, _) | (Some('\\'), Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'p' | 'P'))
        );
        !begins && !ends
    }

    /// Gives back a set of which all others belong to the class: they are too many to be spelled out.
    fn class_escape(&mut self, inside: &mut String) -> Result<Option<&'static str>, String> {
        let Some(char) = self.chars.next() else { return Err("a backslash at the end".to_owned()) };
        let all_but = match char {
            'D' => Some(DIGIT),
            'W' => Some(WORD),
            'S' => Some(SPACE),
            _ => None,
        };
        let set = match char {
            'D' | 'W' | 'S' => "",
            'd' => DIGIT,
            'w' => WORD,
            's' => SPACE,
            'b' => r"\x08",
            'p' | 'P' if self.unicode => {
                let property = self.property(char)?;
                inside.push_str(&property);
                inside.push_str(CLASS_END);
                return Ok(None);
            }
            '0'..='9' if char != '0' => return Err("octal escapes are not supported".to_owned()),
            _ => {
                let char = self.character(char)?;
                self.class_literal(inside, char);
                return Ok(None);
            }
        };
        inside.push_str(set);
        inside.push_str(CLASS_END);
        Ok(all_but)
    }

    fn until(&mut self, end: char) -> Result<String, String> {
        let mut text = String::new();
        for char in self.chars.by_ref() {
            if char == end {
                return Ok(text);
            }
            text.push(char);
        }
        Err(format!("{end:?} is missing"))
    }

    fn literal(&mut self, char: char) {
        self.needs.literal(char, self.ignore_case);
        push_literal(&mut self.out, char);
    }

    fn set(&mut self, set: &str) {
        self.needs.anything();
        self.out.push_str(set);
    }
}

/// Behind a set inside a class, so that a hyphen there does not make a range of it. Matches nothing of its own.
const CLASS_END: &str = NONE;

/// True where `a-b` was just completed.
fn ends_range(inside: &str) -> bool {
    let mut parts = inside.rsplitn(2, '-');
    match (parts.next(), parts.next()) {
        (Some(last), Some(before)) => !before.is_empty() && !before.ends_with('\\') && is_one_literal(last),
        _ => false,
    }
}

fn is_one_literal(text: &str) -> bool {
    match text.strip_prefix('\\') {
        Some(escaped) => escaped.chars().count() == 1 || escaped.starts_with("x{"),
        None => text.chars().count() == 1,
    }
}

fn push_class_literal(inside: &mut String, char: char) {
    if matches!(char, '[' | ']' | '&' | '~' | '-' | '^' | '\\') {
        inside.push('\\');
    }
    inside.push(char);
}

/// Only what would mean something: an escaped `<` is the beginning of a word here.
fn push_literal(out: &mut String, char: char) {
    if r"\.+*?()|[]{}^$#&-~".contains(char) {
        out.push('\\');
    }
    out.push(char);
}

fn is_count(inside: &str) -> bool {
    let mut parts = inside.splitn(2, ',');
    let first = parts.next().unwrap_or_default();
    let rest = parts.next();
    !first.is_empty()
        && first.len() <= 4
        && rest.is_none_or(|rest| rest.len() <= 4 && rest.chars().all(|char| char.is_ascii_digit()))
}
