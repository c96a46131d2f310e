//! Which messages does a chat model get? From what was gathered to a finished prompt, within a hard budget.
//!
//! Order: persona, constant lore, background, history, the volatile block (scene, other data, triggered lore, memories), newest message. What changes from turn to turn
//! stands late, so that the prefix stays the same.
//!
//! Every message is written once and counted once, and of a long history only what could fit. Cutting it drops whole
//! messages off its beginning and writes at most one anew.

mod again;
mod entry;
mod excerpt;
mod extras;
mod lore;
mod memories;
mod persona;
mod prompt;
mod reference;
mod story;
pub mod template;
mod text;
mod verbatim;
mod voices;
mod window;

use std::collections::BTreeSet;

use crate::cue::{Cue, Recall, Tokens};
use crate::id::LineId;
use crate::laps::{Laps, Part};
use crate::lore::Activation;
use crate::settings::WorldSettings;
use crate::store::Gathered;
use crate::{Error, Result};
pub use again::SaidAgain;
use entry::Past;
use extras::Extras;
use lore::Chosen;
pub use lore::Lore;
pub use memories::Remembering;
use memories::{Telling, Told};
use prompt::{PER_PROMPT, Piece, Prompt};
use story::Story;
use verbatim::Shown;
pub use voices::{Speaking, Voices};
use window::Room;

/// A finished prompt, and what it is made of.
pub struct Composed {
    pub recall: Recall,
    /// What the books brought into it and left running; None: no books were searched.
    pub found: Option<Activation>,
}

/// What a prompt is made of besides what was gathered.
#[derive(Default)]
pub struct With<'a> {
    /// None: no books are searched.
    pub lore: Option<Lore<'a>>,
    /// None: nobody remembers anything.
    pub memories: Option<Remembering<'a>>,
    /// Whoever wants to know how long it takes.
    pub laps: Option<&'a Laps>,
}

pub fn compose(
    gathered: &Gathered,
    cue: &Cue,
    settings: &WorldSettings,
    with: With<'_>,
    now_ms: i64,
) -> Result<Composed> {
    let With { lore, memories, laps } = with;
    let lap = |part: Part| laps.into_iter().for_each(|laps| laps.lap(part));
    let budget = cue.budget.unwrap_or(settings.budget);
    let mut past = Past::gather(gathered, cue, settings.audience, now_ms);
    let persona = persona::choose(gathered, cue, &mut past.entries);
    let persona = persona.map(|text| lore::spell_out(text, gathered, cue, &past));
    let story = Story::tell(&past, settings, budget);
    let cost_of = |persona: Option<&str>| {
        PER_PROMPT
            + persona.map_or(0, |text| Piece::system_cost(text, settings.counter))
            + story.pinned_cost()
    };
    let newest = story.newest_cost();
    let bare = persona.as_ref().map(|text| Chosen::default().pour(text, 0));
    let needed = cost_of(bare.as_deref()) + newest;
    if needed > budget {
        return Err(too_small(budget, needed));
    }
    lap(Part::Compose);
    let mut found = lore.map(|lore| lore.search(gathered, cue, settings, &past, persona.as_deref(), budget));
    lap(Part::Lore);
    let active = found.as_mut().map(|found| std::mem::take(&mut found.active)).unwrap_or_default();
    let degraded = found.as_ref().and_then(|found| lore::incomplete(&found.problems)).into_iter().collect();
    let (lore, lore_left_out) = Chosen::fit(active, budget - needed, settings.counter);
    let lore_cost = lore.own_cost();
    let poured = persona.as_ref().map(|text| lore.pour(text, budget - needed - lore_cost));
    // Outlets that would not fit after all leave their places empty.
    let fits = |text: &String| cost_of(Some(text)) + newest + lore_cost <= budget;
    let persona = poured.filter(fits).or(bare);
    let fixed = cost_of(persona.as_deref());
    let left = budget.saturating_sub(fixed + newest + lore_cost);
    let (mut extras, mut left_out) = Extras::choose(gathered, cue, settings, budget, left, &lore);
    left_out.extend(lore_left_out);
    let free = left - extras.cost();
    let telling = memories.as_ref().map(|memories| memories.telling(settings, Shown::new(&cue.shown)));
    let all = newest + free;
    let room =
        |kept_free: usize| Room::new(budget, all - kept_free, newest, extras.volatile_cost() + kept_free);
    let (start, told) = settle((&story, &extras.quoted()), telling.as_ref(), &room, free);
    left_out.extend(story.left_out(start));
    if let (Some(telling), Some(told)) = (&telling, &told) {
        telling.place(&mut extras, told);
    }
    drop(telling);
    let told = memories.zip(told).map(|(memories, told)| memories.told(told));
    let (memories, memories_left_out) = told.unwrap_or_default();
    left_out.extend(memories_left_out);
    let prompt =
        Prompt::lay_out(persona.as_deref(), story.into_pieces(start), extras, &lore, settings.counter);
    let tokens = Tokens { counter: settings.counter.name(), used: prompt.cost(), budget };
    let mut blocks = prompt.blocks();
    blocks.extend(lore.outlets());
    let found = found.map(|found| lore::shown_only(found, lore, &left_out, budget));
    let recall = Recall {
        id: String::new(),
        messages: prompt.into_messages(),
        blocks,
        left_out,
        tokens,
        revision: gathered.world.revision,
        degraded,
        books: Vec::new(),
        memories,
    };
    Ok(Composed { recall, found })
}

/// So often history and memories make way for each other.
const TRIES: usize = 4;

/// Where the history begins, and which memories stand beside it. What stands in the history, or is quoted from other
/// conversations, is not told again, so each depends on the other: the more is told, the later the history begins, and the more is
/// no longer in it. `free` is what there is for both besides the newest message.
fn settle(
    (story, quoted): (&Story<'_>, &BTreeSet<LineId>),
    telling: Option<&Telling<'_>>,
    room: &dyn Fn(usize) -> Room,
    free: usize,
) -> (usize, Option<Told>) {
    let mut start = story.start(&room(0));
    let Some(telling) = telling else { return (start, None) };
    let mut kept_free = 0;
    if start > 0 {
        kept_free = telling.usual_cost(free);
        start = story.start(&room(kept_free));
    }
    let shown = |start: usize| &story.shown(start, telling.said_again()) | quoted;
    let says = |start: usize| move |words: &str| story.says(words, start);
    for _ in 1..TRIES {
        let told = telling.tell(&shown(start), &says(start), free);
        if told.cost() <= story.rest(start, &room(0)) {
            return (start, Some(told));
        }
        kept_free = kept_free.max(told.cost());
        start = story.start(&room(kept_free));
    }
    let told = telling.tell(&shown(start), &says(start), story.rest(start, &room(0)));
    (start, Some(told))
}

fn too_small(budget: usize, needed: usize) -> Error {
    Error::invalid(format!(
        "a budget of {budget} tokens is too small: persona and newest message alone need {needed}"
    ))
    .hint(format!("raise the budget to at least {needed}, or shorten the persona"))
}
