//! How do lines become the text of messages, while they come?
//!
//! Every line is written at once, at the end of one text, except for the player's: whether they are scene or
//! addressed to the character shows only when somebody else speaks, or the message ends.

use super::messages::{Messages, Span};
use super::{AddressedNames, Brackets, Profile, Role, SceneEmotion, Seen, Voice};

/// What a line of a dialogue takes, about. Too little costs a few copies, too much only untouched memory.
const BYTES_PER_LINE: usize = 64;
/// More is not reserved on the word of an iterator.
const MOST_RESERVED: usize = 1 << 20;

pub(super) struct Writer<'a, 'p> {
    profile: &'p Profile,
    written: Messages,
    /// Of the message that is being written; none before the first.
    role: Option<Role>,
    /// Where that message begins, in the text and in the lines.
    text_start: usize,
    first_line: usize,
    /// Where in the text the line begins that was written last.
    last_line: usize,
    /// How many lines came so far.
    lines: usize,
    is_scene_open: bool,
    /// The player's lines since somebody else spoke.
    held: Vec<Seen<'a>>,
}

impl<'a, 'p> Writer<'a, 'p> {
    pub(super) fn new(profile: &'p Profile, lines: usize) -> Self {
        let bytes = lines.saturating_mul(BYTES_PER_LINE).min(MOST_RESERVED);
        Self {
            profile,
            written: Messages { text: String::with_capacity(bytes), spans: Vec::new() },
            role: None,
            text_start: 0,
            first_line: 0,
            last_line: 0,
            lines: 0,
            is_scene_open: false,
            held: Vec::new(),
        }
    }

    /// Directions are passed on as they are, each as a message of its own.
    pub(super) fn system(&mut self, line: &Seen<'a>) {
        self.close();
        self.enter(Role::System);
        self.last_line = self.written.text.len();
        self.put(line.content);
    }

    /// The character's own lines, one after the other: `【emotion】content<tts>（action）`.
    pub(super) fn own(&mut self, line: &Seen<'a>) {
        if self.role == Some(Role::Assistant) {
            self.put(&self.profile.own_joiner);
        }
        self.enter(Role::Assistant);
        self.last_line = self.written.text.len();
        self.put_part(line.emotion, &self.profile.emotion);
        self.put(line.content);
        self.put_part(line.tts, &self.profile.tts);
        self.put_part(line.action, &self.profile.action);
    }

    pub(super) fn user(&mut self, line: Seen<'a>) {
        self.enter(Role::User);
        self.held.push(line);
    }

    /// Makes the player's lines before it scene as well.
    pub(super) fn other(&mut self, line: &Seen<'a>) {
        self.enter(Role::User);
        if !self.held.is_empty() {
            let mut held = std::mem::take(&mut self.held);
            held.drain(..).for_each(|line| self.put_scene_line(&line));
            self.held = held;
        }
        self.put_scene_line(line);
    }

    pub(super) fn finish(mut self) -> Messages {
        self.close();
        self.written
    }

    /// Counts the line to the open message if that has this role, otherwise to a new one.
    fn enter(&mut self, role: Role) {
        if self.role != Some(role) {
            self.close();
            self.role = Some(role);
        }
        self.lines += 1;
    }

    fn close(&mut self) {
        let Some(role) = self.role.take() else { return };
        if self.is_scene_open {
            self.put(&self.profile.scene.close);
            if !self.held.is_empty() {
                self.put(&self.profile.after_scene);
            }
            self.is_scene_open = false;
        }
        self.put_addressed();
        let text_end = self.written.text.len();
        self.written.spans.push(Span {
            role,
            text: self.text_start..text_end,
            lines: self.first_line..self.lines,
            last_line: self.last_line,
        });
        self.text_start = text_end;
        self.first_line = self.lines;
    }

    fn put_addressed(&mut self) {
        let mut held = std::mem::take(&mut self.held);
        let shows_names = match self.profile.addressed_names {
            AddressedNames::Hidden => false,
            AddressedNames::WhenSeveral => has_several_speakers(&held),
            AddressedNames::Always => true,
        };
        for (index, line) in held.iter().enumerate() {
            if index > 0 {
                self.put(&self.profile.addressed_joiner);
            }
            self.last_line = self.written.text.len();
            if let Some(name) = name_of(line).filter(|_| shows_names) {
                self.put(name);
                self.put(&self.profile.name_separator);
            }
            self.put(line.content);
        }
        held.clear();
        self.held = held;
    }

    /// `name：content（action）`. The emotion is shown for those who act one out, never for the player.
    fn put_scene_line(&mut self, line: &Seen<'_>) {
        let profile = self.profile;
        self.put(if self.is_scene_open { &profile.scene_joiner } else { &profile.scene.open });
        self.is_scene_open = true;
        self.last_line = self.written.text.len();
        self.put(name_of(line).unwrap_or(&profile.unknown_name));
        self.put(&profile.name_separator);
        if profile.emotion_in_scene == SceneEmotion::BeforeContent && line.voice != Voice::User {
            self.put_part(line.emotion, &profile.emotion);
        }
        self.put(line.content);
        self.put_part(line.action, &profile.action);
    }

    /// An absent or empty part is left out with its brackets.
    fn put_part(&mut self, part: Option<&str>, brackets: &Brackets) {
        if let Some(text) = part.filter(|text| !text.is_empty()) {
            self.put(&brackets.open);
            self.put(text);
            self.put(&brackets.close);
        }
    }

    fn put(&mut self, piece: &str) {
        self.written.text.push_str(piece);
    }
}

fn has_several_speakers(lines: &[Seen<'_>]) -> bool {
    let mut names = lines.iter().map(name_of);
    let first = names.next();
    names.any(|name| Some(name) != first)
}

fn name_of<'a>(line: &Seen<'a>) -> Option<&'a str> {
    line.name.filter(|name| !name.is_empty())
}
