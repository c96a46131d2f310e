//! At most how many tokens does `o200k_base` make of a text?
//!
//! Splits the text into the pieces that the encoding merges in, by the encoding's own rules
//!
//! ```text
//! word        [^\r\n\p{L}\p{N}]? (upper* lower+ | upper+ lower*) ('s|'t|'re|'ve|'m|'ll|'d)?
//! number      \p{N}{1,3}
//! marks        ?[^\s\p{L}\p{N}]+[\r\n/]*
//! whitespace  \s*[\r\n]+ | \s+(?!\S) | \s+
//! ```
//!
//! and adds up what each can cost.

use super::bonds::has_bonds;
use super::chars::{Class, Kind, Role, Wide, kind_of};
use super::ideographs::Ideographs;
use super::joiners::is_torn_by_space;
use super::merges::{Edges, Piece};

const SPACE: u16 = b' ' as u16;

pub(super) fn count(text: &str) -> usize {
    let mut walk = Walk {
        rest: text,
        before: Before::Seam,
        tokens: 0,
        piece: Piece::new(),
        ideographs: Ideographs::new(),
    };
    while let Some(c) = walk.rest.chars().next() {
        match kind_of(c) {
            Kind::Wide(wide) => walk.wide(c, wide),
            Kind::Known(class, symbol) => {
                walk.ideographs.interrupt();
                walk.known(class, symbol);
            }
        }
    }
    walk.tokens + walk.ideographs.finish()
}

/// What touches the rest of the text from the left and may belong to the same piece?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Seam,
    /// A space that is counted already and tears some of the characters that can follow it.
    Space,
    Letter,
    Mark,
    Unclear,
}

struct Walk<'a> {
    rest: &'a str,
    before: Before,
    tokens: usize,
    piece: Piece,
    ideographs: Ideographs,
}

impl Walk<'_> {
    fn wide(&mut self, c: char, wide: Wide) {
        self.skip();
        let after_space = self.before == Before::Space;
        if wide.role == Role::Letter && wide.cost == 1 && has_bonds(c) && !after_space {
            self.ideographs.push(c);
        } else {
            self.ideographs.interrupt();
            self.tokens += wide.cost + usize::from(after_space && wide.torn_by_space);
        }
        self.before = match wide.role {
            Role::Letter => Before::Letter,
            Role::Mark => Before::Mark,
            Role::Unclear => Before::Unclear,
        };
    }

    fn known(&mut self, class: Class, symbol: u16) {
        match class {
            _ if self.before == Before::Unclear && !class.is_whitespace() => self.beside_unclear(),
            Class::Newline if self.before == Before::Mark => self.marks(),
            Class::Blank | Class::Newline => self.whitespace(),
            Class::Upper | Class::Lower => self.word(),
            Class::Digit => self.number(),
            Class::Mark => self.mark(symbol),
        }
    }

    /// One token each, up to the next whitespace: always enough.
    fn beside_unclear(&mut self) {
        while let Some(Kind::Known(class, _)) = self.next() {
            if class.is_whitespace() {
                break;
            }
            self.tokens += 1;
            self.skip();
        }
    }

    /// A mark before a letter leads that word, unless it continues a run of marks or ends the last word.
    fn mark(&mut self, symbol: u16) {
        if self.before == Before::Letter && self.take_contraction() {
            self.close(Edges::Open);
            return;
        }
        match self.rest.chars().nth(1).map(kind_of) {
            _ if self.before == Before::Mark => self.marks(),
            Some(Kind::Known(class, _)) if class.is_letter() => {
                self.take(symbol);
                self.before = Before::Seam;
                self.word();
            }
            Some(Kind::Wide(Wide { role: Role::Letter, .. })) => {
                self.take(symbol);
                self.close(Edges::Open);
            }
            _ => self.marks(),
        }
    }

    /// Capitals, then small letters, then a contraction; the piece may hold the leading character already.
    fn word(&mut self) {
        let joined = matches!(self.before, Before::Letter | Before::Mark);
        let mut small_seen = false;
        while let Some(Kind::Known(class, symbol)) = self.next() {
            if !class.is_letter() || (small_seen && class == Class::Upper) {
                break;
            }
            small_seen |= class == Class::Lower;
            self.take(symbol);
        }
        self.take_contraction();
        self.close(match self.next_role() {
            Some(Role::Unclear) => Edges::Unclear,
            Some(Role::Letter) => Edges::Open,
            _ if joined => Edges::Open,
            _ => Edges::Closed,
        });
    }

    /// Groups of up to three digits are a token each.
    fn number(&mut self) {
        let mut digits: usize = 0;
        while let Some(Kind::Known(Class::Digit, _)) = self.next() {
            digits += 1;
            self.skip();
        }
        self.tokens += if self.next_role() == Some(Role::Unclear) { digits } else { digits.div_ceil(3) };
        self.before = Before::Seam;
    }

    /// A run of marks, then line ends and slashes; the piece may hold a leading space already.
    fn marks(&mut self) {
        let joined = self.before == Before::Mark;
        while let Some(Kind::Known(Class::Mark, symbol)) = self.next() {
            self.take(symbol);
        }
        let edges = match self.next_role() {
            Some(Role::Unclear) => Edges::Unclear,
            Some(Role::Mark) => Edges::Open,
            _ if joined => Edges::Open,
            _ => Edges::Closed,
        };
        while let Some(c @ ('\r' | '\n' | '/')) = self.rest.chars().next() {
            self.take(u32::from(c) as u16);
        }
        self.close(edges);
    }

    /// Everything up to the last line end is one piece. Of the blanks behind it, the last leads what follows.
    fn whitespace(&mut self) {
        let mut end = 0;
        let mut lines_end = 0;
        for (start, c) in self.rest.char_indices() {
            match kind_of(c) {
                Kind::Known(class, _) if class.is_whitespace() => {
                    end = start + c.len_utf8();
                    lines_end = if class == Class::Newline { end } else { lines_end };
                }
                _ => break,
            }
        }
        let (run, rest) = self.rest.split_at(end);
        let (lines, blanks) = run.split_at(lines_end);
        let after_unclear = self.before == Before::Unclear;
        self.rest = rest;
        let unclear = after_unclear || self.next_role() == Some(Role::Unclear);
        let edges = if unclear { Edges::Unclear } else { Edges::Closed };
        self.piece_of(lines, edges);
        let mut leading_first = blanks.chars();
        if self.rest.is_empty() {
            self.piece_of(blanks, edges);
        } else if let Some(leading) = leading_first.next_back() {
            self.piece_of(leading_first.as_str(), edges);
            self.lead(leading);
        }
    }

    /// The one blank before something else.
    fn lead(&mut self, blank: char) {
        let Kind::Known(_, symbol) = kind_of(blank) else { return };
        self.piece.push(symbol);
        match self.next() {
            Some(Kind::Known(class, _)) if class.is_letter() => self.word(),
            Some(Kind::Known(Class::Mark, _))
                if symbol == SPACE && self.rest.starts_with(is_torn_by_space) =>
            {
                self.close(Edges::Open);
                self.before = Before::Unclear;
            }
            Some(Kind::Known(Class::Mark, _)) if symbol == SPACE => self.marks(),
            Some(Kind::Wide(_)) if symbol == SPACE => {
                self.close(Edges::Open);
                self.before = Before::Space;
            }
            _ => self.close(Edges::Open),
        }
    }

    fn piece_of(&mut self, text: &str, edges: Edges) {
        for c in text.chars() {
            if let Kind::Known(_, symbol) = kind_of(c) {
                self.piece.push(symbol);
            }
        }
        self.close(edges);
    }

    /// `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll` or `'d`, if it comes next.
    fn take_contraction(&mut self) -> bool {
        let length = match self.rest.as_bytes() {
            [b'\'', b's' | b'S' | b't' | b'T' | b'm' | b'M' | b'd' | b'D', ..] => 2,
            [b'\'', b'r' | b'R' | b'v' | b'V', b'e' | b'E', ..] => 3,
            [b'\'', b'l' | b'L', b'l' | b'L', ..] => 3,
            _ => return false,
        };
        for _ in 0..length {
            if let Some(Kind::Known(_, symbol)) = self.next() {
                self.take(symbol);
            }
        }
        true
    }

    fn take(&mut self, symbol: u16) {
        self.piece.push(symbol);
        self.skip();
    }

    fn close(&mut self, edges: Edges) {
        self.tokens += self.piece.take_tokens(edges);
        self.before = Before::Seam;
    }

    fn skip(&mut self) {
        let mut chars = self.rest.chars();
        chars.next();
        self.rest = chars.as_str();
    }

    fn next(&self) -> Option<Kind> {
        self.rest.chars().next().map(kind_of)
    }

    fn next_role(&self) -> Option<Role> {
        match self.next()? {
            Kind::Wide(wide) => Some(wide.role),
            Kind::Known(..) => None,
        }
    }
}
