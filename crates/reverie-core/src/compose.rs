//! Which messages does a chat model get? From what was gathered to a finished prompt, within a hard budget.
//!
//! Order: persona, background, history, the volatile block (scene, other data), newest message. What changes from turn to turn
//! stands late, so that the prefix stays the same.

mod entry;
mod text;
mod window;

use crate::cue::{Block, Cue, LeftOut, Position, PromptMessage, Reason, Recall, Tokens};
use crate::id::LineId;
use crate::line::Line;
use crate::perspective::{Message, Role, Voice, perspective};
use crate::settings::WorldSettings;
use crate::store::Gathered;
use crate::tokens::Counter;
use crate::{Error, Result};
use entry::{Entry, entries};

/// What providers add around each message and before the answer, in tokens.
const PER_MESSAGE: usize = 4;
const PER_PROMPT: usize = 3;

pub fn compose(gathered: &Gathered, cue: &Cue, settings: &WorldSettings, now_ms: i64) -> Result<Recall> {
    let budget = cue.budget.unwrap_or(settings.budget);
    let frame = Frame { gathered, cue, settings };
    let mut entries = entries(gathered, cue, now_ms);
    let persona = frame.persona(&mut entries);
    let needed = cost(
        &frame.assemble(persona, &entries, newest(&entries), &Extras::default()).messages,
        settings.counter,
    );
    if needed > budget {
        return Err(Error::invalid(format!(
            "a budget of {budget} tokens is too small: persona and newest message alone need {needed}"
        ))
        .hint(format!("raise the budget to at least {needed}, or shorten the persona")));
    }
    let (extras, mut left_out) = frame.extras(persona, &entries, budget);
    let mut start = 0;
    let mut prompt = frame.assemble(persona, &entries, start, &extras);
    let mut used = cost(&prompt.messages, settings.counter);
    if used > budget {
        let fixed =
            cost(&frame.assemble(persona, &entries, newest(&entries), &extras).messages, settings.counter);
        let costs: Vec<usize> = entries.iter().map(|entry| frame.entry_cost(entry)).collect();
        let held = entries.len() - newest(&entries);
        start = window::start(&entries, &costs, held, budget.saturating_sub(fixed));
        prompt = frame.assemble(persona, &entries, start, &extras);
        used = cost(&prompt.messages, settings.counter);
        // The sum of the parts is an estimate; the finished messages decide.
        while used > budget && start < newest(&entries) {
            start = next_start(&entries, start + 1);
            prompt = frame.assemble(persona, &entries, start, &extras);
            used = cost(&prompt.messages, settings.counter);
        }
    }
    left_out.extend(frame.history_left_out(&entries, start));
    let blocks = prompt.blocks(&entries, settings.counter);
    let tokens = Tokens { counter: settings.counter.name(), used, budget };
    Ok(Recall { messages: prompt.messages, blocks, left_out, tokens, revision: gathered.world.revision })
}

/// The index of the newest entry: what the character answers to.
fn newest(entries: &[Entry<'_>]) -> usize {
    entries.len().saturating_sub(1)
}

fn next_start(entries: &[Entry<'_>], from: usize) -> usize {
    let last = newest(entries);
    entries
        .iter()
        .enumerate()
        .skip(from)
        .find(|(index, entry)| *index >= last || entry.seen.voice != Voice::Own)
        .map_or(last, |(index, _)| index.min(last))
}

fn cost(messages: &[PromptMessage], counter: Counter) -> usize {
    let message = |message: &PromptMessage| {
        let name = message.name.as_deref().map_or(0, |name| 1 + counter.count(name));
        PER_MESSAGE + counter.count(&message.content) + name
    };
    PER_PROMPT + messages.iter().map(message).sum::<usize>()
}

/// The parts beside persona and history, ready to be placed.
#[derive(Default)]
struct Extras {
    background: Option<(String, Vec<LineId>)>,
    granted: Option<(String, Vec<LineId>)>,
    scene: Option<String>,
    other: Option<String>,
}

/// What all steps look at.
struct Frame<'a> {
    gathered: &'a Gathered,
    cue: &'a Cue,
    settings: &'a WorldSettings,
}

impl<'a> Frame<'a> {
    /// The persona comes from one source. A given one replaces the system lines that would have been it: those for this
    /// character, and those for everyone that stand before the first word.
    fn persona(&self, entries: &mut Vec<Entry<'a>>) -> Option<&'a str> {
        let stored = self.gathered.character.as_ref().and_then(|character| character.card.persona.as_deref());
        let persona = self.cue.system.as_deref().or(stored)?;
        let mut has_begun = false;
        entries.retain(|entry| {
            let is_system = entry.seen.voice == Voice::System;
            has_begun |= !is_system;
            !(is_system && (entry.is_addressed_system || !has_begun))
        });
        Some(persona)
    }

    /// Lays the parts out from entry `start` on. Own system lines before it stay.
    fn assemble(
        &self,
        persona: Option<&str>,
        entries: &[Entry<'a>],
        start: usize,
        extras: &Extras,
    ) -> Prompt {
        let kept: Vec<usize> = entries
            .iter()
            .enumerate()
            .filter(|(index, entry)| {
                *index >= start || (persona.is_none() && entry.seen.voice == Voice::System)
            })
            .map(|(index, _)| index)
            .collect();
        let seen = kept.iter().filter_map(|index| entries.get(*index)).map(|entry| entry.seen);
        let history = perspective(seen, &self.settings.profile);
        let mut prompt = Prompt::default();
        if let Some(persona) = persona {
            prompt.push(Role::System, persona.to_owned(), None, vec![Part::own(Position::Persona)]);
        }
        let leading = history.iter().take_while(|message| message.role == Role::System).count();
        let ends_with_user = history.last().is_some_and(|message| message.role == Role::User);
        let volatile_at = if ends_with_user { history.len() - 1 } else { history.len() };
        for (index, message) in history.iter().enumerate() {
            if index == leading {
                prompt.push_background(extras);
            }
            if index == volatile_at {
                prompt.push_volatile(extras);
            }
            self.push_message(
                &mut prompt,
                message,
                entries,
                &kept,
                index + 1 == history.len(),
                index < leading,
            );
        }
        if leading == history.len() {
            prompt.push_background(extras);
        }
        if volatile_at == history.len() {
            prompt.push_volatile(extras);
        }
        prompt
    }

    fn push_message(
        &self,
        prompt: &mut Prompt,
        message: &Message,
        entries: &[Entry<'a>],
        kept: &[usize],
        is_last: bool,
        is_leading: bool,
    ) {
        let indices: Vec<usize> = kept.get(message.lines.clone()).unwrap_or_default().to_vec();
        let first = indices.first().and_then(|index| entries.get(*index));
        let stamp = match (message.role, first) {
            (Role::System, _) | (_, None) => String::new(),
            (_, Some(entry)) => {
                text::stamp(self.settings.calendar.as_ref(), entry.moment, self.settings.language)
            }
        };
        let position = match message.role {
            Role::System if is_leading => Position::Persona,
            Role::User if is_last => Position::Message,
            _ => Position::History,
        };
        let name = speaker_name(&indices, entries, message.role);
        let content = stamp + &message.content;
        prompt.push(
            message.role,
            content,
            name,
            vec![Part { position, text: None, entries: indices, lines: Vec::new() }],
        );
    }

    /// Scene, other data and background, as far as the budget lets them in; scene first.
    fn extras(&self, persona: Option<&str>, entries: &[Entry<'a>], budget: usize) -> (Extras, Vec<LeftOut>) {
        let language = self.settings.language;
        let mut extras = Extras::default();
        let mut left_out = Vec::new();
        let fits = |extras: &Extras| {
            let prompt = self.assemble(persona, entries, newest(entries), extras);
            cost(&prompt.messages, self.settings.counter) <= budget
        };
        extras.scene = text::scene(&self.cue.scene, language);
        if extras.scene.is_some() && !fits(&extras) {
            extras.scene = None;
            left_out.push(LeftOut {
                position: Position::Scene,
                reason: Reason::Budget,
                lines: Vec::new(),
                and_older: false,
            });
        }
        extras.other = text::other(&self.cue.other, language);
        if extras.other.is_some() && !fits(&extras) {
            extras.other = None;
            left_out.push(LeftOut {
                position: Position::Other,
                reason: Reason::Budget,
                lines: Vec::new(),
                and_older: false,
            });
        }
        let labels = text::labels(language);
        let share = budget * self.settings.background_percent / 100;
        let (granted, cut) = self.reference(labels.granted, &self.gathered.also, share);
        extras.granted = granted;
        if extras.granted.is_some() && !fits(&extras) {
            extras.granted = None;
            left_out.push(whole(Position::Granted, &self.gathered.also));
        } else if !cut.is_empty() {
            left_out.push(LeftOut {
                position: Position::Granted,
                reason: Reason::Budget,
                lines: cut,
                and_older: false,
            });
        }
        let (background, cut) = self.reference(labels.background, &self.gathered.background, share);
        extras.background = background;
        if extras.background.is_some() && !fits(&extras) {
            extras.background = None;
            left_out.push(whole(Position::Background, &self.gathered.background));
        } else if !cut.is_empty() {
            left_out.push(LeftOut {
                position: Position::Background,
                reason: Reason::Budget,
                lines: cut,
                and_older: false,
            });
        }
        (extras, left_out)
    }

    /// A labelled list of lines, the newest that fit into the share.
    fn reference(
        &self,
        label: &str,
        lines: &[Line],
        share: usize,
    ) -> (Option<(String, Vec<LineId>)>, Vec<LineId>) {
        let WorldSettings { profile, calendar, language, counter, .. } = self.settings;
        let mut left = share.saturating_sub(counter.count(label));
        let mut taken: Vec<(String, LineId)> = Vec::new();
        for line in lines.iter().rev() {
            let text = text::background_line(line, profile, calendar.as_ref(), *language);
            let cost = counter.count(&text) + 1;
            if cost > left {
                break;
            }
            left -= cost;
            taken.push((text, line.id));
        }
        let cut = lines.iter().take(lines.len() - taken.len()).map(|line| line.id).collect();
        if taken.is_empty() {
            return (None, cut);
        }
        let mut text = label.to_owned();
        let mut sources = Vec::with_capacity(taken.len());
        for (line, id) in taken.iter().rev() {
            text.push('\n');
            text.push_str(line);
            sources.push(*id);
        }
        (Some((text, sources)), cut)
    }

    /// About what an entry adds to the prompt, and rather more.
    fn entry_cost(&self, entry: &Entry<'_>) -> usize {
        let counter = self.settings.counter;
        let count = |text: Option<&str>| text.map_or(0, |text| counter.count(text) + 2);
        let seen = &entry.seen;
        let stamp = text::stamp(self.settings.calendar.as_ref(), entry.moment, self.settings.language);
        let parts =
            [Some(seen.content), seen.name, seen.emotion, seen.tts, seen.action, Some(stamp.as_str())];
        parts.into_iter().map(count).sum::<usize>() + PER_MESSAGE
    }

    fn history_left_out(&self, entries: &[Entry<'_>], start: usize) -> Option<LeftOut> {
        let cut: Vec<LineId> = entries
            .iter()
            .take(start)
            .filter(|entry| entry.seen.voice != Voice::System)
            .filter_map(|entry| entry.source)
            .collect();
        let and_older = self.gathered.window_is_cut && self.cue.history.is_none();
        if start == 0 && !and_older {
            return None;
        }
        let reason =
            if start == 0 && self.cue.history_limit.is_some() { Reason::Limit } else { Reason::Budget };
        Some(LeftOut { position: Position::History, reason, lines: cut, and_older })
    }
}

fn whole(position: Position, lines: &[Line]) -> LeftOut {
    let lines = lines.iter().map(|line| line.id).collect();
    LeftOut { position, reason: Reason::Budget, lines, and_older: false }
}

/// The one speaker of what is said in a message, if providers accept the name.
fn speaker_name(indices: &[usize], entries: &[Entry<'_>], role: Role) -> Option<String> {
    let mut speakers =
        indices.iter().rev().filter_map(|index| entries.get(*index)).take_while(|entry| match role {
            Role::User => entry.seen.voice == Voice::User,
            Role::Assistant => entry.seen.voice == Voice::Own,
            Role::System => false,
        });
    let first = speakers.next()?;
    let is_same = |entry: &Entry<'_>| (entry.seen.name, entry.speaker) == (first.seen.name, first.speaker);
    if !speakers.all(is_same) {
        return None;
    }
    [first.seen.name, first.speaker]
        .into_iter()
        .flatten()
        .find(|name| is_provider_name(name))
        .map(str::to_owned)
}

fn is_provider_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// Messages as they are laid out, each with the parts it is made of.
#[derive(Default)]
struct Prompt {
    messages: Vec<PromptMessage>,
    parts: Vec<Vec<Part>>,
}

struct Part {
    position: Position,
    /// None: the whole message.
    text: Option<String>,
    entries: Vec<usize>,
    lines: Vec<LineId>,
}

impl Part {
    fn own(position: Position) -> Self {
        Self { position, text: None, entries: Vec::new(), lines: Vec::new() }
    }
}

impl Prompt {
    fn push(&mut self, role: Role, content: String, name: Option<String>, parts: Vec<Part>) {
        self.messages.push(PromptMessage { role, content, name });
        self.parts.push(parts);
    }

    fn push_background(&mut self, extras: &Extras) {
        for (position, extra) in
            [(Position::Background, &extras.background), (Position::Granted, &extras.granted)]
        {
            if let Some((text, lines)) = extra {
                let part = Part { position, text: None, entries: Vec::new(), lines: lines.clone() };
                self.push(Role::System, text.clone(), None, vec![part]);
            }
        }
    }

    fn push_volatile(&mut self, extras: &Extras) {
        let texts = [(Position::Scene, &extras.scene), (Position::Other, &extras.other)];
        let texts: Vec<(Position, &String)> = texts
            .into_iter()
            .filter_map(|(position, text)| text.as_ref().map(|text| (position, text)))
            .collect();
        if texts.is_empty() {
            return;
        }
        let content: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
        let parts = texts
            .iter()
            .map(|(position, text)| Part { text: Some((*text).clone()), ..Part::own(*position) })
            .collect();
        self.push(Role::System, content.join("\n\n"), None, parts);
    }

    fn blocks(&self, entries: &[Entry<'_>], counter: Counter) -> Vec<Block> {
        let mut blocks = Vec::new();
        for (index, (message, parts)) in self.messages.iter().zip(&self.parts).enumerate() {
            for part in parts {
                let text = part.text.clone().unwrap_or_else(|| message.content.clone());
                let sources = part.entries.iter().filter_map(|index| entries.get(*index)?.source);
                blocks.push(Block {
                    position: part.position,
                    depth: self.messages.len() - 1 - index,
                    role: message.role,
                    tokens: counter.count(&text),
                    sources: sources.chain(part.lines.iter().copied()).collect(),
                    text,
                });
            }
        }
        blocks
    }
}
