//! What did this dialogue look like to one character, as messages for a chat model?
//!
//! Everything up to the last line that somebody else spoke is scene, in braces; what the player says after
//! it is addressed to the character; the character's own consecutive lines are one assistant message.
//!
//! Who is who was settled before (see [`crate::identity::voice`]); directions to somebody else and lines
//! that the character did not witness were left out before.

mod messages;
mod profile;
mod settings;
mod write;

pub use messages::{Message, Messages};
pub use profile::{AddressedNames, Brackets, Profile, SceneEmotion};
use write::Writer;

/// Turns lines, oldest first, into messages. One pass, linear, into one text.
///
/// No line is dropped, not even an empty one: every input index is in exactly one [`Message::lines`], and a
/// message may be empty. Only system messages ever follow one of their own role.
pub fn perspective<'a>(lines: impl IntoIterator<Item = Seen<'a>>, profile: &Profile) -> Messages {
    let lines = lines.into_iter();
    let mut writer = Writer::new(profile, lines.size_hint().0);
    for line in lines {
        match line.voice {
            Voice::System => writer.system(&line),
            Voice::Own => writer.own(&line),
            Voice::User => writer.user(line),
            Voice::Other => writer.other(&line),
        }
    }
    writer.finish()
}

/// One line as perspective sees it, already related to the target.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    pub voice: Voice,
    /// The speaker's display name, for the scene and where the profile names who is addressing the character.
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
