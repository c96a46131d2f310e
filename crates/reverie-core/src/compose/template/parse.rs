//! Is this text a template, and if not, where does it go wrong and what is to be done about it?

use std::fmt;

use super::{Field, Flag, List, Node, Template, Test};
use crate::memory::Kind;
use crate::{Error, Result};

const MOST_BYTES: usize = 1 << 16;
/// Blocks within blocks.
const MOST_DEEP: usize = 16;
/// Of a tag, as far as an error repeats it.
const MOST_QUOTED: usize = 40;

const TAGS: &str =
    "the tags are {{name}}, {{#if name}}, {{else}}, {{/if}}, {{#each name}} and {{/each}}, each on one line";

const FLAGS: [(&str, Flag); 3] =
    [("by_kind", Flag::ByKind), ("show_time", Flag::ShowTime), ("show_source", Flag::ShowSource)];
/// The last two are how others call them.
const LISTS: [(&str, List); 7] = [
    ("memories", List::All),
    ("episodic", List::Of(Kind::Episodic)),
    ("semantic", List::Of(Kind::Semantic)),
    ("trait", List::Of(Kind::Trait)),
    ("goal", List::Of(Kind::Goal)),
    ("traits", List::Of(Kind::Trait)),
    ("goals", List::Of(Kind::Goal)),
];
const FIELDS: [(&str, Field); 6] = [
    ("text", Field::Text),
    ("time", Field::Time),
    ("source", Field::Source),
    ("kind", Field::Kind),
    ("who", Field::Who),
    ("importance", Field::Importance),
];

impl Template {
    /// Reads a template. A line with nothing on it but tags of blocks is not written.
    pub fn parse(text: &str) -> Result<Self> {
        if text.len() > MOST_BYTES {
            return Err(Error::invalid(format!("the template has more than {MOST_BYTES} bytes"))
                .hint("use a shorter one"));
        }
        let text = text.replace("\r\n", "\n");
        let mut reader = Reader::default();
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let pieces = pieces(line, index + 1)?;
            let is_bare = is_bare(&pieces);
            for piece in pieces {
                match piece {
                    Piece::Text(text) if !is_bare => reader.push_text(text),
                    Piece::Text(_) => {}
                    Piece::Tag { inside, place } => reader.read_tag(inside, place)?,
                }
            }
        }
        reader.finish()
    }
}

#[derive(Debug, Clone, Copy)]
struct Place {
    line: usize,
    column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

enum Piece<'a> {
    Text(&'a str),
    Tag { inside: &'a str, place: Place },
}

fn pieces(line: &str, number: usize) -> Result<Vec<Piece<'_>>> {
    let mut pieces = Vec::new();
    let (mut rest, mut column) = (line, 1);
    while let Some((before, after)) = rest.split_once("{{") {
        if !before.is_empty() {
            pieces.push(Piece::Text(before));
        }
        column += before.chars().count();
        let place = Place { line: number, column };
        let Some((inside, behind)) = after.split_once("}}") else {
            return Err(Error::invalid(format!("{place}: {{{{ is never closed"))
                .hint(format!("close it with }}}} on the same line; {TAGS}")));
        };
        pieces.push(Piece::Tag { inside: inside.trim(), place });
        column += inside.chars().count() + 4;
        rest = behind;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    Ok(pieces)
}

/// Whether a line is there for its blocks alone.
fn is_bare(pieces: &[Piece<'_>]) -> bool {
    let is_block = |inside: &str| inside.starts_with(['#', '/']) || inside == "else";
    let nothing_else = pieces.iter().all(|piece| match piece {
        Piece::Text(text) => text.trim().is_empty(),
        Piece::Tag { inside, .. } => is_block(inside),
    });
    nothing_else && pieces.iter().any(|piece| matches!(piece, Piece::Tag { .. }))
}

#[derive(Default)]
struct Reader {
    open: Vec<Open>,
    nodes: Vec<Node>,
    tells_a_text: bool,
}

/// A block that is not closed yet.
struct Open {
    block: Block,
    place: Place,
    nodes: Vec<Node>,
    /// What stood before `{{else}}`.
    then: Option<Vec<Node>>,
}

#[derive(Clone, Copy)]
enum Block {
    If(Test),
    Each(List),
}

impl Block {
    fn name(self) -> &'static str {
        match self {
            Self::If(_) => "if",
            Self::Each(_) => "each",
        }
    }
}

impl Reader {
    fn nodes(&mut self) -> &mut Vec<Node> {
        self.open.last_mut().map_or(&mut self.nodes, |open| &mut open.nodes)
    }

    fn push_text(&mut self, text: &str) {
        match self.nodes().last_mut() {
            Some(Node::Text(before)) => before.push_str(text),
            _ => self.nodes().push(Node::Text(text.to_owned())),
        }
    }

    fn is_in_each(&self) -> bool {
        self.open.iter().any(|open| matches!(open.block, Block::Each(_)))
    }

    fn read_tag(&mut self, inside: &str, place: Place) -> Result<()> {
        let words: Vec<&str> = inside.split_whitespace().collect();
        match words.as_slice() {
            ["#if", name] => {
                let test = self.test(name, place)?;
                self.enter(Block::If(test), place)
            }
            ["#each", name] => {
                if self.is_in_each() {
                    return Err(Error::invalid(format!("{place}: {{{{#each}}}} stands within another one"))
                        .hint("a memory has no list in it: close the first {{#each}} before"));
                }
                let list = find(name, &LISTS)
                    .ok_or_else(|| no_name(name, place, "{{#each …}}", &names(&[&listed(&LISTS)])))?;
                self.enter(Block::Each(list), place)
            }
            ["else"] => self.turn(place),
            ["/if"] => self.leave("if", place),
            ["/each"] => self.leave("each", place),
            [name] if !name.starts_with(['#', '/']) => self.value(name, place),
            _ => Err(Error::invalid(format!("{place}: there is no tag {}", quoted(inside))).hint(TAGS)),
        }
    }

    fn test(&self, name: &str, place: Place) -> Result<Test> {
        let field = || find(name, &FIELDS).filter(|_| self.is_in_each()).map(Test::Field);
        let flag = || find(name, &FLAGS).map(Test::Flag);
        let list = || find(name, &LISTS).map(Test::List);
        flag().or_else(list).or_else(field).ok_or_else(|| {
            if find(name, &FIELDS).is_some() {
                return outside(name, place);
            }
            let fields = if self.is_in_each() { listed(&FIELDS) } else { Vec::new() };
            no_name(name, place, "{{#if …}}", &names(&[&listed(&FLAGS), &listed(&LISTS), &fields]))
        })
    }

    fn value(&mut self, name: &str, place: Place) -> Result<()> {
        let Some(field) = find(name, &FIELDS) else {
            let is_known = find(name, &FLAGS).is_some() || find(name, &LISTS).is_some();
            if is_known {
                return Err(Error::invalid(format!("{place}: {name} is nothing that can be written")).hint(
                    format!("ask for it with {{{{#if {name}}}}}; lists are written with {{{{#each}}}}"),
                ));
            }
            return Err(no_name(name, place, "{{#each …}}", &names(&[&listed(&FIELDS)])));
        };
        if !self.is_in_each() {
            return Err(outside(name, place));
        }
        self.tells_a_text |= matches!(field, Field::Text);
        self.nodes().push(Node::Value(field));
        Ok(())
    }

    fn enter(&mut self, block: Block, place: Place) -> Result<()> {
        if self.open.len() >= MOST_DEEP {
            return Err(Error::invalid(format!("{place}: more than {MOST_DEEP} blocks within each other"))
                .hint("close some of them before"));
        }
        self.open.push(Open { block, place, nodes: Vec::new(), then: None });
        Ok(())
    }

    fn turn(&mut self, place: Place) -> Result<()> {
        let misplaced = |what: &str| {
            Error::invalid(format!("{place}: {{{{else}}}} {what}"))
                .hint("it stands once between {{#if name}} and {{/if}}")
        };
        match self.open.last_mut() {
            Some(Open { block: Block::If(_), nodes, then: then @ None, .. }) => {
                *then = Some(std::mem::take(nodes));
                Ok(())
            }
            Some(Open { block: Block::If(_), place, .. }) => {
                Err(misplaced(&format!("for the second time since the {{{{#if}}}} at {place}")))
            }
            Some(Open { block: Block::Each(_), place, .. }) => {
                Err(misplaced(&format!("within the {{{{#each}}}} at {place}")))
            }
            None => Err(misplaced("without an {{#if}}")),
        }
    }

    fn leave(&mut self, name: &str, place: Place) -> Result<()> {
        let Some(open) = self.open.pop_if(|open| open.block.name() == name) else {
            return Err(match self.open.last() {
                Some(open) => Error::invalid(format!(
                    "{place}: {{{{/{name}}}}} while the {{{{#{}}}}} at {} is open",
                    open.block.name(),
                    open.place
                ))
                .hint(format!("close that one first, with {{{{/{}}}}}", open.block.name())),
                None => Error::invalid(format!("{place}: {{{{/{name}}}}} without a {{{{#{name}}}}}"))
                    .hint(format!("take it away, or write {{{{#{name} …}}}} before it")),
            });
        };
        let node = match (open.block, open.then) {
            (Block::If(test), Some(then)) => Node::If { test, then, otherwise: open.nodes },
            (Block::If(test), None) => Node::If { test, then: open.nodes, otherwise: Vec::new() },
            (Block::Each(list), _) => Node::Each { list, body: open.nodes },
        };
        self.nodes().push(node);
        Ok(())
    }

    fn finish(self) -> Result<Template> {
        if let Some(open) = self.open.last() {
            let name = open.block.name();
            return Err(Error::invalid(format!("{}: {{{{#{name}}}}} is never closed", open.place))
                .hint(format!("write {{{{/{name}}}}} where it ends")));
        }
        if !self.tells_a_text {
            return Err(Error::invalid("the template writes no memory")
                .hint("it needs {{text}} between {{#each memories}} and {{/each}}"));
        }
        Ok(Template { nodes: self.nodes })
    }
}

fn find<T: Copy>(name: &str, known: &[(&str, T)]) -> Option<T> {
    known.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning)
}

fn listed<T>(known: &[(&'static str, T)]) -> Vec<&'static str> {
    known.iter().map(|(name, _)| *name).collect()
}

fn names(lists: &[&[&'static str]]) -> String {
    lists.concat().join(", ")
}

fn no_name(name: &str, place: Place, within: &str, known: &str) -> Error {
    Error::invalid(format!("{place}: there is no name {}", quoted(name)))
        .hint(format!("the names for {within} are: {known}"))
}

fn outside(name: &str, place: Place) -> Error {
    Error::invalid(format!("{place}: {name} belongs to one memory"))
        .hint("write it between {{#each memories}} and {{/each}}")
}

fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(MOST_QUOTED).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("{short:?}")
}
