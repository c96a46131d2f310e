//! What do the world books bring into this prompt?
//!
//! Constant lore stands behind the persona, triggered lore in the volatile block, so that the prefix of the prompt stays
//! the same; lore at a depth stands where its author put it. Hosts that build their own prompt get every piece with its
//! author's position, outlets included.

use std::collections::HashSet;

use super::entry::Past;
use super::prompt::Piece;
use super::template;
use super::voices::Voices;
use crate::character::Namespace;
use crate::cue::{Block, Cue, LeftOut, LoreBlock, LoreName, LoreTexts, Position, Reason};
use crate::engine::Degraded;
use crate::id::{CharacterId, LineId, MemoryId};
use crate::lore::entry;
use crate::lore::macros;
use crate::lore::place::Slot;
use crate::lore::rules::distinct;
use crate::lore::shelf::Problem;
use crate::lore::why::{Meaning, Outcome};
use crate::lore::{Activation, Active, Dice, Draw, Meter, Names, Request, Shelf, Texts, Timers, place, scan};
use crate::perspective::{Role, Voice};
use crate::settings::WorldSettings;
use crate::store::Gathered;
use crate::tokens::Counter;

/// Of a day, for decay.
const HOURS: f64 = 24.0;

/// The books at hand, and what runs in this conversation.
pub struct Lore<'a> {
    pub shelf: &'a Shelf,
    pub timers: Timers,
    /// Also tell why the others are not active; and what is known of those that are found by meaning.
    pub explain: Option<Meaning>,
    /// Those who are given a voice, if they are several.
    pub voices: Voices,
}

/// Lore that fits, ready to be placed.
#[derive(Default)]
pub(super) struct Chosen {
    active: Vec<Active>,
    counter: Counter,
}

impl Lore<'_> {
    /// Searches the books for what was said last.
    pub(super) fn search(
        self,
        gathered: &Gathered,
        cue: &Cue,
        settings: &WorldSettings,
        past: &Past<'_>,
        persona: Option<&str>,
        budget: usize,
    ) -> Activation {
        let said = past.entries.iter().filter(|entry| entry.seen.voice != Voice::System);
        let messages: Vec<(&str, &str)> =
            said.map(|entry| (entry.seen.name.unwrap_or_default(), entry.seen.content)).collect();
        let count = match cue.history {
            Some(_) => messages.len() as u64,
            None => gathered.path_lines + u64::from(cue.message.is_some()),
        };
        let names = names(gathered, cue, past);
        let facts = facts(cue);
        let similar: Vec<_> = cue
            .lore
            .similar
            .iter()
            .map(|(name, score)| (name.book.clone(), name.entry.clone(), *score))
            .collect();
        let id = gathered.character.as_ref().map(|character| character.id.as_str());
        let tick = cue.tick.or(gathered.world.time);
        let request = Request {
            messages: &messages,
            message_count: Some(count.min(u64::from(u32::MAX)) as u32),
            texts: texts(&cue.lore.texts, persona),
            tags: tags(gathered, cue).map(|tags| settings.lore.tags_known(tags.iter().map(String::as_str))),
            similar: &similar,
            most_similar: cue.lore.most_similar,
            // Where several speak but none of them is known, nobody knows what is for somebody alone.
            character: match cue.with.is_empty() {
                true => distinct(
                    id.into_iter()
                        .chain([names.char.as_str()])
                        .chain(gathered.character.iter().flat_map(|character| files(&character.host_ids))),
                ),
                false => Vec::new(),
            },
            voices: self.voices.all(id, cue.lore.tags.as_deref(), &settings.lore),
            private: self.voices.private.iter().map(|(book, whom)| (book.as_str(), whom.clone())).collect(),
            names: names.clone(),
            generation: cue.generation.as_deref().unwrap_or_default(),
            facts: &facts,
            mood: &cue.mood,
            topics: &cue.lore.topics,
            tick,
            ticks_per_day: settings
                .calendar
                .as_ref()
                .and_then(|calendar| calendar.ticks_per_hour())
                .map(|ticks| ticks * HOURS),
            max_context: budget,
            // What is said tells enough: the same cue gives the same prompt.
            seed: 0,
            meaning: self.explain.as_ref(),
            explain: self.explain.is_some(),
        };
        let conversation = gathered.conversation.as_ref();
        let mut dice = Dice::for_occasion(&[
            gathered.world.id.as_str(),
            conversation.map_or("", |conversation| conversation.id.as_str()),
            &conversation.and_then(|c| c.head).map(|head| head.to_string()).unwrap_or_default(),
            &names.char,
            cue.message.as_ref().map_or("", |message| message.content.as_str()),
        ]);
        let meter = Meter::from(settings.counter);
        let mut found =
            scan(self.shelf, &settings.lore, &request, self.timers, meter, &mut |draw| match draw {
                Draw::Roll => dice.draw(),
                Draw::Macro(own) => own,
            });
        for active in found.active.iter_mut().filter(|active| !active.known_by.is_empty()) {
            active.content = template::labelled(&active.known_by, &active.content, settings.language);
        }
        found
    }
}

impl Chosen {
    /// As much as there is room for: constants first, then by order. The books' own budget has ended their search at the
    /// first that did not fit; here, where the room is the prompt's, a smaller one still comes behind a larger one.
    pub(super) fn fit(active: Vec<Active>, room: usize, counter: Counter) -> (Self, Option<LeftOut>) {
        let mut ranked: Vec<(usize, &Active)> = active.iter().enumerate().collect();
        ranked.sort_by_key(|(index, active)| (!active.constant, std::cmp::Reverse(active.order), *index));
        let mut cost = 0;
        let mut kept = vec![false; active.len()];
        for (index, active) in ranked {
            // As if it stood in a message of its own, which is the most it can cost. What is in an outlet costs where it
            // is poured out.
            let own = match active.position {
                entry::Position::Outlet => 0,
                _ => Piece::system_cost(&active.content, counter) + 2,
            };
            if cost + own <= room
                && let Some(kept) = kept.get_mut(index)
            {
                cost += own;
                *kept = true;
            }
        }
        let (fit, lost): (Vec<_>, Vec<_>) = active.into_iter().zip(kept).partition(|(_, kept)| *kept);
        let left_out = (!lost.is_empty()).then(|| LeftOut {
            position: Position::Lore,
            reason: Reason::Budget,
            lines: Vec::new(),
            and_older: false,
            lore: lost.iter().map(|(active, _)| name(active)).collect(),
            memories: Vec::new(),
        });
        (Self { active: fit.into_iter().map(|(active, _)| active).collect(), counter }, left_out)
    }

    /// What stands behind the persona.
    pub(super) fn constant(&self) -> Option<Piece> {
        let constant: Vec<Active> =
            self.active.iter().filter(|active| active.constant && is_floating(active)).cloned().collect();
        let parts = self.parts(&place(&constant));
        let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
        let piece =
            (!texts.is_empty()).then(|| Piece::system(texts.join("\n\n"), Position::Lore, self.counter))?;
        Some(piece.with_parts(parts))
    }

    /// Of what stands in messages of its own.
    pub(super) fn own_cost(&self) -> usize {
        let deep: usize = self.at_depth().iter().map(|(_, piece)| piece.cost()).sum();
        deep + self.constant().map_or(0, |piece| piece.cost())
    }

    /// What stands in the volatile block.
    pub(super) fn triggered(&self) -> Vec<Part> {
        let triggered: Vec<Active> =
            self.active.iter().filter(|active| !active.constant && is_floating(active)).cloned().collect();
        self.parts(&place(&triggered))
    }

    /// What stands between the messages: how many follow it, and the message.
    pub(super) fn at_depth(&self) -> Vec<(usize, Piece)> {
        let slots = place(&self.active);
        let deep = slots.iter().filter(|slot| slot.position == entry::Position::AtDepth);
        deep.filter_map(|slot| {
            let part = self.parts(std::slice::from_ref(slot)).pop()?;
            let role = slot.role.unwrap_or(Role::System);
            let piece = Piece::new(role, part.text.clone(), None, Position::Lore, self.counter);
            Some((slot.depth.unwrap_or(0) as usize, piece.with_parts(vec![part])))
        })
        .collect()
    }

    /// Outlets are for hosts to pour out; in messages they have no place of their own.
    pub(super) fn outlets(&self) -> Vec<Block> {
        let slots = place(&self.active);
        let outlets = slots.iter().filter(|slot| slot.position == entry::Position::Outlet);
        outlets
            .flat_map(|slot| self.parts(std::slice::from_ref(slot)))
            .map(|part| Block {
                position: part.position,
                depth: 0,
                role: Role::System,
                text: part.text,
                tokens: part.tokens,
                sources: Vec::new(),
                lore: part.lore,
                memories: part.memories,
            })
            .collect()
    }

    /// A persona with its `{{outlet::name}}` filled in, as often as there is room; an outlet that holds nothing leaves
    /// nothing.
    pub(super) fn pour(&self, persona: &str, mut room: usize) -> String {
        const OPEN: &str = "{{outlet::";
        let mut poured = String::with_capacity(persona.len());
        let mut rest = persona;
        let outlets = if rest.contains(OPEN) { self.outlets() } else { Vec::new() };
        while let Some((before, behind)) = rest.split_once(OPEN) {
            let Some((name, behind)) = behind.split_once("}}") else { break };
            poured.push_str(before);
            rest = behind;
            let is_named = |block: &&Block| {
                block.lore.as_ref().and_then(|lore| lore.outlet.as_deref()) == Some(name.trim())
            };
            if let Some(block) = outlets.iter().find(is_named).filter(|block| block.tokens <= room) {
                room -= block.tokens;
                poured.push_str(&block.text);
            }
        }
        poured.push_str(rest);
        poured
    }

    fn parts(&self, slots: &[Slot<'_>]) -> Vec<Part> {
        slots
            .iter()
            .map(|slot| {
                let texts: Vec<&str> = slot.entries.iter().map(|active| active.content.as_str()).collect();
                let text = texts.join("\n");
                let lore = LoreBlock {
                    position: slot.position,
                    constant: slot.entries.iter().all(|active| active.constant),
                    outlet: slot.outlet.map(str::to_owned),
                    entries: slot.entries.iter().map(|active| name(active)).collect(),
                };
                let tokens = self.counter.count(&text);
                Part {
                    position: Position::Lore,
                    text,
                    tokens,
                    sources: Vec::new(),
                    lore: Some(lore),
                    memories: Vec::new(),
                }
            })
            .collect()
    }
}

/// What was found, without what is not in the prompt after all: that is not active, and its timers have not begun.
pub(super) fn shown_only(
    mut found: Activation,
    chosen: Chosen,
    left_out: &[LeftOut],
    budget: usize,
) -> Activation {
    let hidden: HashSet<(&str, &str)> =
        left_out.iter().flat_map(|left| &left.lore).map(|name| (&*name.book, &*name.entry)).collect();
    let is_hidden = |book: &str, entry: &str| hidden.contains(&(book, entry));
    let begun = &found.begun;
    found.timers.list.retain(|timer| !(is_hidden(&timer.book, &timer.entry) && begun.contains(timer)));
    found.active = chosen.active;
    found.active.retain(|active| !is_hidden(&active.book, &active.entry));
    for verdict in found.verdicts.iter_mut().filter(|verdict| is_hidden(&verdict.book, &verdict.entry)) {
        verdict.outcome = Outcome::OverPromptBudget { budget };
    }
    found
}

/// What to tell when books were not searched to the end: how many keys, and the first.
pub(super) fn incomplete(problems: &[Problem]) -> Option<Degraded> {
    let first = problems.first()?;
    let message = match (first.entry.is_empty(), problems.len() - 1) {
        (true, _) => first.message.clone(),
        (false, 0) => format!("entry {} of book {}: {}", first.entry, first.book, first.message),
        (false, more) => {
            format!("entry {} of book {}: {}; and {more} more", first.entry, first.book, first.message)
        }
    };
    Some(Degraded {
        code: "lore_incomplete",
        message,
        hint: "POST …/lore/preview with the same body names every key; plain keys cost nothing, patterns should begin with \
               a word"
            .to_owned(),
    })
}

/// A persona with its macros spelled out; outlets come later, when they are known.
pub(super) fn spell_out(persona: &str, gathered: &Gathered, cue: &Cue, past: &Past<'_>) -> String {
    let names = names(gathered, cue, past);
    let mut dice = Dice::for_occasion(&[gathered.world.id.as_str(), &names.char]);
    macros::expand(persona, &names, &mut dice)
}

/// One of several parts of a message.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) position: Position,
    pub(super) text: String,
    pub(super) tokens: usize,
    /// The lines that it tells.
    pub(super) sources: Vec<LineId>,
    pub(super) lore: Option<LoreBlock>,
    pub(super) memories: Vec<MemoryId>,
}

/// Has no place of its own between the messages.
fn is_floating(active: &Active) -> bool {
    !matches!(active.position, entry::Position::AtDepth | entry::Position::Outlet)
}

fn name(active: &Active) -> LoreName {
    LoreName { book: active.book.clone(), entry: active.entry.clone() }
}

/// The character, and whoever spoke to it last.
fn names(gathered: &Gathered, cue: &Cue, past: &Past<'_>) -> Names {
    let usual = Names::default();
    let known = gathered.character.as_ref();
    let label = known.and_then(|character| character.card.display_name.as_deref());
    let given = || cue.character.called().or_else(|| cue.character.id().map(CharacterId::as_str));
    let char = label.or_else(given);
    let spoke = past.entries.iter().rev().filter(|entry| entry.seen.voice == Voice::User);
    let user = spoke.filter_map(|entry| entry.seen.name).next();
    // Of two people the other one is meant, though nothing was said yet.
    let is_voiced = |id: &&CharacterId| {
        known.into_iter().chain(&gathered.voiced).any(|one| one.id == **id)
            || gathered.strangers.iter().any(|who| who.first_id().is_ok_and(|stranger| stranger == **id))
    };
    let others = gathered.people.iter().filter(|id| !is_voiced(id));
    let other = match others.collect::<Vec<_>>().as_slice() {
        [only] => Some(only.as_str()),
        _ => None,
    };
    Names {
        user: user.or(other).map_or(usual.user, str::to_owned),
        char: char.map_or(usual.char, str::to_owned),
    }
}

/// Those that the host tells, and else those that are stored. Of several only what is for nobody in particular counts.
fn tags<'a>(gathered: &'a Gathered, cue: &'a Cue) -> Option<&'a [String]> {
    let stored = || gathered.character.as_ref()?.card.tags.as_deref();
    let stored_of_one = || stored().map(|tags| if cue.with.is_empty() { tags } else { &[] });
    cue.lore.tags.as_deref().or_else(stored_of_one)
}

/// The host's own ids of the character, and where that is the file of a card its name without the ending: so front ends
/// name whom an entry is for.
pub(super) fn files(aliases: &[(Namespace, String)]) -> impl Iterator<Item = &str> {
    aliases.iter().flat_map(|(_, id)| {
        let file = id.rsplit('/').next().unwrap_or(id);
        let stem = file.rsplit_once('.').filter(|(_, ending)| {
            ["png", "json", "charx"].iter().any(|known| ending.eq_ignore_ascii_case(known))
        });
        std::iter::once(id.as_str()).chain(stem.map(|(stem, _)| stem))
    })
}

fn texts<'a>(given: &'a LoreTexts, persona: Option<&'a str>) -> Texts<'a> {
    let character = Some(given.character.as_str()).filter(|text| !text.is_empty());
    Texts {
        persona: &given.persona,
        character: character.or(persona).unwrap_or_default(),
        personality: &given.personality,
        depth_prompt: &given.depth_prompt,
        scenario: &given.scenario,
        creator_notes: &given.creator_notes,
    }
}

/// What the scene says, and what the host says beyond that.
fn facts(cue: &Cue) -> Vec<(String, String)> {
    let mut facts = cue.facts.clone();
    for (fact, value) in [("place", &cue.scene.place), ("event", &cue.scene.event), ("time", &cue.scene.time)]
    {
        if let Some(value) = value.as_ref().filter(|_| !facts.iter().any(|(known, _)| known == fact)) {
            facts.push((fact.to_owned(), value.clone()));
        }
    }
    facts
}
