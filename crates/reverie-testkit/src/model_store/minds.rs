//! What does somebody have in mind, and where does it come from?

use std::collections::{BTreeMap, BTreeSet};

use reverie_core::character::Character;
use reverie_core::embed::Vector;
use reverie_core::fingerprint::fingerprint_of_text;
use reverie_core::memories::{HeldQuery, WhichHeld};
use reverie_core::memory::Held;
use reverie_core::names::{Called, CalledBesides};
use reverie_core::recollection::{Kept, Place, Provenance, Recollections};
use reverie_core::store::Gather;
use reverie_core::{CharacterId, MemoryId, Result, Who};

use super::world::ModelWorld;

impl ModelWorld {
    /// Everything each time: this store counts no changes.
    pub(super) fn minds(&self, gather: &Gather) -> Result<Vec<Recollections>> {
        let people = self.minded(gather)?;
        Ok(people.into_iter().map(|person| self.mind(person, gather.space.as_deref())).collect())
    }

    /// Everything each time, as with minds.
    pub(super) fn called_besides(&self, gather: &Gather) -> CalledBesides {
        if gather.minds.is_empty() {
            return CalledBesides::default();
        }
        let people = (0..self.people.len()).filter(|index| !self.person(*index).erased);
        let people = people.map(|index| self.character(index)).filter(|one| !one.card.aliases.is_empty());
        let mut people: Vec<Called> =
            people.map(|one| Called { name: one.name(), id: one.id, aliases: one.card.aliases }).collect();
        people.sort_by(|a, b| a.id.cmp(&b.id));
        CalledBesides { mark: None, people: Some(people) }
    }

    pub(super) fn voiced(&self, gather: &Gather) -> Result<Vec<Character>> {
        let people = self.minded(gather)?;
        let several = gather.minds.len() > 1;
        Ok(people.into_iter().filter(|_| several).map(|person| self.character(person)).collect())
    }

    pub(super) fn strangers(&self, gather: &Gather) -> Result<Vec<Who>> {
        let mut strangers = Vec::new();
        for who in &gather.minds {
            let known = self.look(who)?.filter(|known| !self.person(*known).erased);
            strangers.extend(known.is_none().then(|| who.clone()));
        }
        Ok(strangers)
    }

    pub(super) fn minded(&self, gather: &Gather) -> Result<Vec<usize>> {
        let mut people: Vec<usize> = Vec::new();
        for who in &gather.minds {
            let known = self.look(who)?.filter(|who| !self.person(*who).erased && !self.is_narrator(*who));
            people.extend(known.filter(|known| !people.contains(known)));
        }
        Ok(people)
    }

    fn mind(&self, person: usize, space: Option<&str>) -> Recollections {
        let holder = self.person(person).id.clone();
        let query = HeldQuery { limit: usize::MAX, ..HeldQuery::of(Some(&holder), WhichHeld::Any) };
        let kept = |held: Held| Kept {
            place: held.memory.sources.first().and_then(|source| {
                let order = source.line.get();
                Some(Place { conversation: self.nodes.get(&order)?.room as u64, order })
            }),
            names: self.names_of(&held.memory.about),
            vectors: space.map(|space| self.vectors_in(space, person, &held)).unwrap_or_default(),
            held,
        };
        let kept = self.held(&query).into_iter().map(kept).collect();
        Recollections { holder, mark: None, whole: true, kept, gone: Vec::new() }
    }

    fn names_of(&self, about: &[CharacterId]) -> Vec<String> {
        let known = about.iter().filter_map(|id| self.number_of(id)).map(|who| self.character(who));
        let known = known.filter(|character| !reverie_core::character::is_erased(&character.id));
        let names: BTreeSet<String> =
            known.map(|one| one.card.display_name.unwrap_or_else(|| one.id.to_string())).collect();
        names.into_iter().collect()
    }

    fn vectors_in(&self, space: &str, person: usize, held: &Held) -> Vec<Vector> {
        let whose = held.state.text.as_ref().map(|_| person);
        let kept = self.aside.vectors.get(&(held.memory.id, whose, space.to_owned()));
        let kept = kept.filter(|(digest, ..)| *digest == fingerprint_of_text(held.text()));
        kept.map(|(_, chunks, _)| chunks.clone()).unwrap_or_default()
    }

    pub(super) fn provenance(&self, memories: &[MemoryId]) -> Vec<Provenance> {
        memories.iter().map(|memory| self.came_from(*memory)).collect()
    }

    fn came_from(&self, memory: MemoryId) -> Provenance {
        let from = self.memories.get(&memory).map(|kept| kept.memory.from.clone()).unwrap_or_default();
        let all = from.iter().chain([&memory]).filter_map(|id| self.memories.get(id));
        let lines: BTreeSet<u64> =
            all.flat_map(|kept| &kept.memory.sources).map(|source| source.line.get()).collect();
        let lines: Vec<_> = lines.into_iter().filter_map(|number| self.line(number)).collect();
        let conversations: BTreeSet<_> = lines.iter().map(|line| line.conversation.clone()).collect();
        let heard = lines.iter().map(|line| line.witnesses.iter().cloned().collect::<BTreeSet<_>>());
        let witnesses = heard.reduce(|all, these| &all & &these).unwrap_or_default();
        let holders = self.now.holdings.keys().filter(|(id, _)| *id == memory);
        let holders = holders.filter(|(_, who)| !self.person(*who).erased);
        let holders = holders.filter(|(id, who)| self.state(*id, *who).is_some_and(|state| !state.forgotten));
        let own_words = |who: usize| self.state(memory, who).and_then(|state| state.text.clone());
        let holders: BTreeMap<CharacterId, Option<String>> =
            holders.map(|(_, who)| (self.person(*who).id.clone(), own_words(*who))).collect();
        Provenance {
            conversations: conversations.into_iter().collect(),
            witnesses: witnesses.into_iter().collect(),
            holders: holders.keys().cloned().collect(),
            reworded: holders.into_iter().filter_map(|(who, words)| Some((who, words?))).collect(),
        }
    }
}
