//! Who is called so, where somebody gives a name in place of an id?

use super::{Degraded, Engine};
use crate::Result;
use crate::character::{Character, Who};
use crate::id::WorldId;
use crate::store::Select;

/// So many are read at once.
const PAGE: usize = 200;

impl Engine {
    /// Those whose name this is; where it is nobody's, those who are called so besides. In the order of their ids.
    pub fn bearers(&self, world: &WorldId, name: &str) -> Result<Vec<Character>> {
        let (mut by_name, mut by_alias) = (Vec::new(), Vec::new());
        let mut after = None;
        loop {
            let page = self.store.characters(world, &Select::Page { after, limit: PAGE })?;
            after = page.last().map(|last| last.id.to_string());
            let is_last = page.len() < PAGE;
            for character in page {
                if character.card.display_name.as_deref() == Some(name) {
                    by_name.push(character);
                } else if character.card.aliases.iter().any(|alias| alias == name) {
                    by_alias.push(character);
                }
            }
            if is_last {
                return Ok(if by_name.is_empty() { by_alias } else { by_name });
            }
        }
    }

    /// What to say of a prompt for somebody whom nobody knows by this id.
    pub fn unknown_character(&self, world: &WorldId, who: &Who) -> Result<Degraded> {
        let named = who.first_id()?;
        let bearers = self.bearers(world, named.as_str())?;
        let ids: Vec<String> = bearers.iter().map(|one| format!("{:?}", one.id.as_str())).collect();
        let (message, hint) = match ids.as_slice() {
            [] => (
                "nobody in this world is called like the character of the cue".to_owned(),
                "check its id: GET …/characters lists them all".to_owned(),
            ),
            [one] => (
                format!("nobody in this world has the id {named:?}; somebody with the id {one} is called so"),
                format!("name the character by its id: {one}"),
            ),
            several => (
                format!("nobody in this world has the id {named:?}; several are called so"),
                format!("name the one that is meant by its id: {}", several.join(", ")),
            ),
        };
        Ok(Degraded { code: "unknown_character", message, hint })
    }
}
