//! Is this line the speaking character's own, told to it, or none of its business?

use crate::Attribute;
use crate::character::{Character, Named, Namespace, Who};
use crate::id::CharacterId;
use crate::identity::{Identity, voice};
use crate::perspective::Voice;

/// The character whose view is wanted, by every name that a line may use for it.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    id: Option<&'a str>,
    identity: Identity<'a>,
}

impl<'a> Target<'a> {
    /// Whoever the host means, with what the world knows about them.
    pub fn new(who: &'a Who, known: Option<&'a Character>) -> Self {
        let id = known.map(|character| character.id.as_str());
        let alias = |namespace| known.and_then(|character| character.host_id(namespace));
        let label = known.and_then(|character| character.card.display_name.as_deref());
        let identity = match who {
            // A host that knows people only by name has the name as id.
            Who::Id(id) => Identity {
                role_id: alias(Namespace::Role),
                script_role_id: alias(Namespace::ScriptRole),
                display_name: label.or(Some(id.as_str())),
            },
            Who::Called(_, name) => Identity {
                role_id: alias(Namespace::Role),
                script_role_id: alias(Namespace::ScriptRole),
                display_name: label.or(Some(name)),
            },
            Who::Named(named) => Identity {
                role_id: named.role_id.as_deref().or_else(|| alias(Namespace::Role)),
                script_role_id: named.script_role_id.as_deref().or_else(|| alias(Namespace::ScriptRole)),
                display_name: named.display_name.as_deref().or(label),
            },
        };
        let given = who.id().map(CharacterId::as_str);
        Self { id: given.or(id), identity }
    }

    /// How the character takes a line; None: it never sees it.
    pub fn voice(&self, attribute: Attribute, speaker: Option<&Who>) -> Option<Voice> {
        match speaker {
            Some(Who::Id(id) | Who::Called(id, _)) => match (attribute, self.id == Some(id.as_str())) {
                (Attribute::User, _) => Some(Voice::User),
                (Attribute::Assistant, true) => Some(Voice::Own),
                (Attribute::Assistant, false) => Some(Voice::Other),
                (Attribute::System, true) => Some(Voice::System),
                (Attribute::System, false) => None,
            },
            Some(Who::Named(named)) => voice(attribute, &identity(named), &self.identity),
            None => voice(attribute, &Identity::default(), &self.identity),
        }
    }

    /// True if the character spoke a line or witnessed it; without a list everybody did.
    pub fn witnesses(&self, speaker: Option<&Who>, witnesses: Option<&[Who]>) -> bool {
        witnesses.is_none_or(|witnesses| speaker.into_iter().chain(witnesses).any(|who| self.is(who)))
    }

    /// True if this is the character itself.
    pub fn is(&self, who: &Who) -> bool {
        match who {
            Who::Id(id) | Who::Called(id, _) => self.id == Some(id.as_str()),
            Who::Named(named) => identity(named).same_as(&self.identity),
        }
    }
}

fn identity(named: &Named) -> Identity<'_> {
    Identity {
        role_id: named.role_id.as_deref(),
        script_role_id: named.script_role_id.as_deref(),
        display_name: named.display_name.as_deref(),
    }
}
