//! In what order do the parts stand, what does each cost, and what are they called for hosts that build their own?

use super::extras::Extras;
use super::lore::{Chosen, Part};
use crate::cue::{Block, Position, PromptMessage};
use crate::id::{LineId, MemoryId};
use crate::perspective::Role;
use crate::tokens::Counter;

/// What providers add around each message, before a name, and before the answer, in tokens.
const PER_MESSAGE: usize = 4;
const PER_NAME: usize = 1;
pub(super) const PER_PROMPT: usize = 3;

/// One message, counted.
pub(super) struct Piece {
    pub(super) role: Role,
    content: String,
    name: Option<String>,
    /// Of the content.
    tokens: usize,
    cost: usize,
    position: Position,
    sources: Vec<LineId>,
    /// Of a message that tells several lines: where in the content the last one begins, and how many sources that has.
    last_line: Option<(usize, usize)>,
    /// What the content is made of, where it has several parts.
    parts: Vec<Part>,
    memories: Vec<MemoryId>,
}

impl Piece {
    pub(super) fn new(
        role: Role,
        content: String,
        name: Option<String>,
        position: Position,
        counter: Counter,
    ) -> Self {
        let tokens = counter.count(&content);
        let name_cost = name.as_deref().map_or(0, |name| PER_NAME + counter.count(name));
        let cost = PER_MESSAGE + tokens + name_cost;
        Self {
            role,
            content,
            name,
            tokens,
            cost,
            position,
            sources: Vec::new(),
            last_line: None,
            parts: Vec::new(),
            memories: Vec::new(),
        }
    }

    pub(super) fn system(content: String, position: Position, counter: Counter) -> Self {
        Self::new(Role::System, content, None, position, counter)
    }

    /// What a system message of this text costs.
    pub(super) fn system_cost(content: &str, counter: Counter) -> usize {
        PER_MESSAGE + counter.count(content)
    }

    pub(super) fn made_of(mut self, sources: Vec<LineId>) -> Self {
        self.sources = sources;
        self
    }

    /// Where in the content the last of several lines begins, and how many sources that one has.
    pub(super) fn ending(mut self, at: usize, sources: usize) -> Self {
        self.last_line = Some((at, sources));
        self
    }

    pub(super) fn of_memories(mut self, memories: Vec<MemoryId>) -> Self {
        self.memories = memories;
        self
    }

    pub(super) fn with_parts(mut self, parts: Vec<Part>) -> Self {
        self.parts = parts;
        self
    }

    /// One more part behind what there is.
    pub(super) fn behind(before: Option<Self>, part: Part, counter: Counter) -> Self {
        let (content, mut parts) = match before {
            Some(Self { content, parts, .. }) => (content + "\n\n" + &part.text, parts),
            None => (part.text.clone(), Vec::new()),
        };
        let position = part.position;
        parts.push(part);
        Self::system(content, position, counter).with_parts(parts)
    }

    /// Memories and what is said in one message: some providers refuse two of the same role in a row.
    fn joined(first: Self, second: Self, counter: Counter) -> Self {
        let content = format!("{}\n\n{}", first.content, second.content);
        let said = if first.memories.is_empty() { &first } else { &second };
        let (name, position, sources) = (said.name.clone(), said.position, said.sources.clone());
        let parts = first.as_parts(counter).into_iter().chain(second.as_parts(counter)).collect();
        Self::new(first.role, content, name, position, counter).made_of(sources).with_parts(parts)
    }

    fn in_parts(self, counter: Counter) -> Self {
        let parts = self.as_parts(counter);
        self.with_parts(parts)
    }

    /// What the character answers to, and what was said before in the same message, are two parts.
    fn as_parts(&self, counter: Counter) -> Vec<Part> {
        let part = |position: Position, text: &str, tokens: usize, sources: &[LineId]| Part {
            position,
            text: text.to_owned(),
            tokens,
            sources: sources.to_vec(),
            lore: None,
            memories: self.memories.clone(),
        };
        let last_line = self.last_line.filter(|_| self.position == Position::Message);
        let split = last_line.and_then(|(at, of_last)| {
            let (earlier, newest) = self.content.split_at_checked(at)?;
            let (before, last) = self.sources.split_at_checked(self.sources.len() - of_last)?;
            (!newest.is_empty()).then_some((earlier.trim_end(), newest, before, last))
        });
        let Some((earlier, newest, before, last)) = split else {
            return vec![part(self.position, &self.content, self.tokens, &self.sources)];
        };
        let tokens = counter.count(newest).min(self.tokens);
        vec![
            part(Position::History, earlier, self.tokens - tokens, before),
            part(Position::Message, newest, tokens, last),
        ]
    }

    pub(super) fn cost(&self) -> usize {
        self.cost
    }

    /// The lines that it tells.
    pub(super) fn sources(&self) -> &[LineId] {
        &self.sources
    }
}

pub(super) struct Prompt {
    pieces: Vec<Piece>,
}

impl Prompt {
    pub(super) fn lay_out(
        persona: Option<&str>,
        mut history: Vec<Piece>,
        extras: Extras,
        lore: &Chosen,
        counter: Counter,
    ) -> Self {
        let is_system = |piece: &Piece| piece.role == Role::System;
        let leading = history.iter().take_while(|piece| is_system(piece)).count();
        history.iter_mut().take(leading).for_each(|piece| piece.position = Position::Persona);
        let newest = newest_message(&mut history);
        let volatile_at = newest.unwrap_or(history.len());
        let mut pieces = Vec::with_capacity(history.len() + 4);
        pieces.extend(persona.map(|text| Piece::system(text.to_owned(), Position::Persona, counter)));
        let mut background = lore.constant().into_iter().chain(extras.background).chain(extras.granted);
        let (mut volatile, mut remembered) = (extras.volatile, extras.remembered);
        for (index, mut piece) in history.into_iter().enumerate() {
            if index == leading {
                pieces.extend(background.by_ref());
            }
            if index == volatile_at {
                piece = match remembered.take_if(|memories| memories.role == piece.role) {
                    Some(memories) => Piece::joined(memories, piece, counter),
                    None => piece.in_parts(counter),
                };
                put_behind(&mut pieces, remembered.take(), counter);
                pieces.extend(volatile.take());
            }
            pieces.push(piece);
        }
        pieces.extend(background);
        put_behind(&mut pieces, remembered, counter);
        pieces.extend(volatile);
        put_deep(&mut pieces, lore.at_depth().into_iter().chain(extras.deep).collect());
        Self { pieces }
    }

    pub(super) fn cost(&self) -> usize {
        PER_PROMPT + self.pieces.iter().map(Piece::cost).sum::<usize>()
    }

    pub(super) fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::with_capacity(self.pieces.len() + 1);
        for (index, piece) in self.pieces.iter().enumerate() {
            let block = |position: Position, text: &str, tokens: usize| Block {
                position,
                depth: self.pieces.len() - 1 - index,
                role: piece.role,
                text: text.to_owned(),
                tokens,
                sources: piece.sources.clone(),
                lore: None,
                memories: piece.memories.clone(),
            };
            if piece.parts.is_empty() {
                blocks.push(block(piece.position, &piece.content, piece.tokens));
            }
            blocks.extend(piece.parts.iter().map(|part| Block {
                lore: part.lore.clone(),
                memories: part.memories.clone(),
                sources: part.sources.clone(),
                ..block(part.position, &part.text, part.tokens)
            }));
        }
        blocks
    }

    pub(super) fn into_messages(self) -> Vec<PromptMessage> {
        let message =
            |piece: Piece| PromptMessage { role: piece.role, content: piece.content, name: piece.name };
        self.pieces.into_iter().map(message).collect()
    }
}

/// Puts memories behind what there is: into what the character itself said last, or as a message of their own.
fn put_behind(pieces: &mut Vec<Piece>, memories: Option<Piece>, counter: Counter) {
    let Some(memories) = memories else { return };
    let last = pieces.pop_if(|last| last.role == memories.role && is_told(last.position));
    pieces.push(match last {
        Some(last) => Piece::joined(last, memories, counter),
        None => memories,
    });
}

fn is_told(position: Position) -> bool {
    matches!(position, Position::History | Position::Message)
}

/// Puts each piece where so many messages of the history follow it; what lies deeper than the history stands before it.
fn put_deep(pieces: &mut Vec<Piece>, mut deep: Vec<(usize, Piece)>) {
    let told = pieces.iter().enumerate().filter(|(_, piece)| is_told(piece.position));
    let told: Vec<usize> = told.map(|(index, _)| index).collect();
    // From the end, so that earlier places stay what they are; the last of equals first, so that they keep their order.
    deep.reverse();
    deep.sort_by_key(|(depth, _)| *depth);
    for (depth, piece) in deep {
        let place = match depth {
            0 => None,
            _ => told.get(told.len().saturating_sub(depth)).copied(),
        };
        pieces.insert(place.unwrap_or(pieces.len()), piece);
    }
}

/// Marks what the character answers to: the last thing said, if somebody else said it. Directions may follow it.
fn newest_message(history: &mut [Piece]) -> Option<usize> {
    let last = history.iter().rposition(|piece| piece.role != Role::System)?;
    let piece = history.get_mut(last).filter(|piece| piece.role == Role::User)?;
    piece.position = Position::Message;
    Some(last)
}
