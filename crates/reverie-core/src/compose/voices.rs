//! Who are the several to whom one prompt gives a voice, as far as world books ask?

use super::lore::files;
use crate::character::Namespace;
use crate::id::{CharacterId, DocumentId};
use crate::lore::Voice;
use crate::lore::rules::{Rules, distinct};

/// Several who speak, and what is only for some of them.
#[derive(Debug, Clone, Default)]
pub struct Voices {
    pub people: Vec<Speaking>,
    /// Books that are only for some of them: for whom, by place.
    pub private: Vec<(DocumentId, Vec<usize>)>,
}

/// One of them.
#[derive(Debug, Clone)]
pub struct Speaking {
    pub id: CharacterId,
    pub name: String,
    /// None: nobody knows.
    pub tags: Option<Vec<String>>,
    /// The host's own ids.
    pub host_ids: Vec<(Namespace, String)>,
}

impl Voices {
    /// The cue's tags are those of the character for whom it is.
    pub(super) fn all<'a>(
        &'a self,
        character: Option<&str>,
        tags: Option<&'a [String]>,
        rules: &'a Rules,
    ) -> Vec<Voice<'a>> {
        let voice = |one: &'a Speaking| {
            let told = tags.filter(|_| character == Some(one.id.as_str())).or(one.tags.as_deref());
            Voice {
                name: &one.name,
                known_as: distinct(
                    [one.id.as_str(), one.name.as_str()].into_iter().chain(files(&one.host_ids)),
                ),
                tags: told.map(|tags| rules.tags_known(tags.iter().map(String::as_str))),
            }
        };
        self.people.iter().map(voice).collect()
    }
}
