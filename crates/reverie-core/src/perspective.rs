//! What did this dialogue look like to one character, as messages for a chat model?
//!
//! Everything up to the last line that somebody else spoke is scene, in braces; what the player says after
//! it is addressed to the character; the character's own consecutive lines are one assistant message.
//!
//! Who is who was settled before (see [`crate::identity::voice`]); directions to somebody else and lines
//! that the character did not witness were left out before.

mod profile;
mod settings;
mod write;

use std::ops::Range;

pub use profile::{Brackets, Profile, SceneEmotion};

/// Turns lines, oldest first, into messages. One pass, linear, one exact allocation per message.
///
/// No line is dropped, not even an empty one: every input index is in exactly one [`Message::lines`], and a
/// message may be empty. Only system messages ever follow one of their own role.
pub fn perspective<'a>(lines: impl IntoIterator<Item = Seen<'a>>, profile: &Profile) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut run = Run { role: Role::System, lines: Vec::new(), start: 0, scene: 0 };
    for line in lines {
        let role = match line.voice {
            Voice::System => Role::System,
            Voice::Own => Role::Assistant,
            Voice::User | Voice::Other => Role::User,
        };
        // Each system line stays a message of its own.
        if run.role != role || role == Role::System {
            run.close(profile, &mut messages);
            run.role = role;
        }
        run.push(line);
    }
    run.close(profile, &mut messages);
    messages
}

/// One line as perspective sees it, already related to the target.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    pub voice: Voice,
    /// The speaker's display name, for the scene.
    pub name: Option<&'a str>,
    pub content: &'a str,
    pub emotion: Option<&'a str>,
    pub tts: Option<&'a str>,
    pub action: Option<&'a str>,
}

/// Who speaks, from the target's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    /// A direction to the target, or to everyone.
    System,
    /// The target itself.
    Own,
    /// The player, under whatever name.
    User,
    /// Everybody else: other characters, the narrator.
    Other,
}

/// One message as chat models take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub role: Role,
    pub content: String,
    /// Which lines of the input it was made of, by index.
    pub lines: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    System,
    User,
    Assistant,
}

impl Role {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

/// The lines of the message that is being collected, all of one role. They are kept (as references) until its end, because
/// only then it is known which of the player's lines are scene and how much room the text needs.
struct Run<'a> {
    role: Role,
    lines: Vec<Seen<'a>>,
    /// Index in the input of the first line.
    start: usize,
    /// How many of the lines are scene: up to and with the last one that is not the player's.
    scene: usize,
}

impl<'a> Run<'a> {
    fn push(&mut self, line: Seen<'a>) {
        self.lines.push(line);
        if line.voice == Voice::Other {
            self.scene = self.lines.len();
        }
    }

    /// Writes the collected message, if there is one. The buffer is kept for the next run.
    fn close(&mut self, profile: &Profile, messages: &mut Vec<Message>) {
        if self.lines.is_empty() {
            return;
        }
        let content = match self.role {
            Role::System => write::content_only(&self.lines),
            Role::Assistant => write::own(&self.lines, profile),
            Role::User => {
                let (scene, addressed) = self.lines.split_at(self.scene);
                write::scene_and_addressed(scene, addressed, profile)
            }
        };
        let start = self.start;
        self.start += self.lines.len();
        self.scene = 0;
        self.lines.clear();
        messages.push(Message { role: self.role, content, lines: start..self.start });
    }
}
