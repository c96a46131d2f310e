//! Who are the several to whom one prompt gives a voice, as far as world books ask?

use crate::id::{CharacterId, DocumentId};
use crate::lore::Voice;
use crate::lore::rules::distinct;

/// Several who speak, and what is only for some of them.
#[derive(Debug, Clone, Default)]
pub struct Voices {
    /// Id and name.
    pub people: Vec<(CharacterId, String)>,
    /// Books that are only for some of them: for whom, by place.
    pub private: Vec<(DocumentId, Vec<usize>)>,
}

impl Voices {
    /// Tags are those of the character for whom the cue is.
    pub(super) fn all<'a>(&'a self, character: Option<&str>, tags: Option<&'a [String]>) -> Vec<Voice<'a>> {
        let voice = |(id, name): &'a (CharacterId, String)| Voice {
            name,
            known_as: distinct([id.as_str(), name.as_str()]),
            tags: tags
                .filter(|_| character == Some(id.as_str()))
                .map(|tags| distinct(tags.iter().map(String::as_str))),
        };
        self.people.iter().map(voice).collect()
    }
}
