//! A conversation as tests keep it: lines that know what they stand behind, and a head.

use reverie_formats::completions::{Alignment, By, Dialogue, Kind, Path, Said, Stored, Then};

#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    /// Each with the line that it stands behind; its key is its place, counted from 1.
    pub(crate) lines: Vec<(Option<usize>, Stored<usize>)>,
    pub(crate) head: Option<usize>,
}

impl Tree {
    pub(crate) fn say(&mut self, behind: Option<usize>, by: By, name: Option<&str>, text: &str) -> usize {
        let key = self.lines.len() + 1;
        let (name, text) = (name.map(str::to_owned), text.to_owned());
        let speaker = name.clone();
        self.lines.push((
            behind,
            Stored { key, by, name, speaker, text, exchange: None, hidden: false, waits: false },
        ));
        self.head = Some(key);
        key
    }

    pub(crate) fn line(&self, key: usize) -> &(Option<usize>, Stored<usize>) {
        &self.lines[key - 1]
    }

    pub(crate) fn path(&self) -> Vec<Stored<usize>> {
        let mut path = Vec::new();
        let mut at = self.head;
        while let Some(key) = at {
            let (behind, line) = self.line(key);
            path.push(line.clone());
            at = *behind;
        }
        path.reverse();
        path
    }

    pub(crate) fn behind(&self, key: usize) -> Vec<Stored<usize>> {
        self.lines.iter().filter(|(behind, _)| *behind == Some(key)).map(|(_, line)| line.clone()).collect()
    }

    pub(crate) fn align(&self, dialogue: &Dialogue) -> Alignment<usize> {
        let path = self.path();
        let path = Path { lines: &path, is_whole: true };
        reverie_formats::completions::align(path, |key| self.behind(key), dialogue)
    }

    /// Does what an alignment says, as a host has to. Where the coming answer belongs.
    pub(crate) fn record(&mut self, alignment: &Alignment<usize>, dialogue: &Dialogue) -> Answer {
        if let Some(line) = alignment.switch {
            self.head = Some(line);
        }
        for revised in &alignment.revised {
            self.lines[revised.line - 1].1.text = revised.text.clone();
        }
        let from = match alignment.then {
            Then::Append { from } => from,
            Then::Branch { after, from, .. } => {
                self.head = after;
                from
            }
            Then::Regenerate { beside } => {
                self.head = self.line(beside).0;
                return Answer::Behind(self.head);
            }
            Then::Reword { line } => return Answer::Instead(line),
            Then::Continue { line } => return Answer::Of(line),
            Then::Elsewhere { has_history: true } => {
                *self = Self::default();
                0
            }
            Then::Elsewhere { has_history: false } => 0,
        };
        let is_new = |(place, _): &(usize, &Said)| *place >= from && !alignment.instructions.contains(place);
        for (_, said) in dialogue.said.iter().enumerate().filter(is_new) {
            self.say(self.head, said.by, said.name.as_deref(), &said.text);
        }
        Answer::Behind(self.head)
    }

    pub(crate) fn answer(&mut self, place: Answer, text: &str) {
        match place {
            Answer::Behind(line) => {
                self.say(line, By::Assistant, None, text);
            }
            Answer::Instead(line) => text.clone_into(&mut self.lines[line - 1].1.text),
            Answer::Of(line) => self.lines[line - 1].1.text.push_str(text),
        }
    }
}

/// Where an answer belongs.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Answer {
    Behind(Option<usize>),
    /// At the end of this line.
    Of(usize),
    /// In its place.
    Instead(usize),
}

pub(crate) fn dialogue(
    said: impl IntoIterator<Item = (By, Option<String>, String)>,
    continues: bool,
) -> Dialogue {
    let said = said.into_iter().enumerate();
    let said = said
        .map(|(at, (by, name, text))| Said { at, by, speaker: name.clone(), name, text, calls: false })
        .collect();
    Dialogue {
        said,
        kind: Kind::Chat,
        speaker: None,
        nudged: None,
        members: Vec::new(),
        starts: false,
        continues,
        after_tools: None,
        answers: None,
        is_named: false,
    }
}
