//! What is a line of a fixture, and who of the cast sees it?

use reverie_core::attribute::Attribute;
use reverie_core::identity::{Identity, voice};
use reverie_core::perspective::Seen;

/// A line as a host would hand it in, owned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub attribute: Attribute,
    /// Who speaks; of a system line, who is addressed.
    pub speaker: Speaker,
    pub content: String,
    pub emotion: Option<String>,
    pub tts: Option<String>,
    pub action: Option<String>,
    /// Who is present besides the speaker; `None` means everybody.
    pub witnesses: Option<Vec<Speaker>>,
}

/// An owned [`Identity`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Speaker {
    pub role_id: Option<String>,
    pub script_role_id: Option<String>,
    pub display_name: Option<String>,
}

/// What `target` sees of the lines, each with its index.
pub fn seen_by<'a>(target: &'a Speaker, lines: &'a [Line]) -> impl Iterator<Item = (usize, Seen<'a>)> {
    lines.iter().enumerate().filter_map(|(index, line)| {
        let voice = voice(line.attribute, &line.speaker.identity(), &target.identity())?;
        let seen = Seen {
            voice,
            name: line.speaker.display_name.as_deref(),
            content: &line.content,
            emotion: line.emotion.as_deref(),
            tts: line.tts.as_deref(),
            action: line.action.as_deref(),
        };
        line.is_witnessed_by(target).then_some((index, seen))
    })
}

impl Line {
    fn is_witnessed_by(&self, target: &Speaker) -> bool {
        let is_target = |who: &Speaker| who.identity().same_as(&target.identity());
        match &self.witnesses {
            None => true,
            Some(witnesses) => is_target(&self.speaker) || witnesses.iter().any(is_target),
        }
    }
}

impl Speaker {
    pub fn named(name: &str) -> Self {
        Self { display_name: Some(name.to_owned()), ..Self::default() }
    }

    pub fn identity(&self) -> Identity<'_> {
        Identity {
            role_id: self.role_id.as_deref(),
            script_role_id: self.script_role_id.as_deref(),
            display_name: self.display_name.as_deref(),
        }
    }
}
