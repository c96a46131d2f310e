//! Which of the memories that came to mind stand in this prompt, and where?

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::again::SaidAgain;
use super::excerpt::{Wanted, excerpt};
use super::extras::Extras;
use super::lore::Part;
use super::prompt::Piece;
use super::template::{self, Item, Written};
use super::text;
use super::verbatim::{Shown, quotes_of};
use crate::cue::{LeftOut, Position, Reason, Recalled};
use crate::digest::round_told_in;
use crate::id::{CharacterId, LineId, MemoryId};
use crate::memory::Origin;
use crate::mind::Said;
use crate::perspective::Role;
use crate::rank::{Choice, Choosing, Considered, Dropped, Fate};
use crate::settings::recall::Position as Place;
use crate::settings::{RecallRules, WorldSettings};
use crate::time::{Language, Moment};

/// What came to mind.
pub struct Remembering<'a> {
    pub all: Vec<Considered>,
    pub rules: &'a RecallRules,
    /// Those who are given a voice, if they are several: id and name.
    pub people: &'a [(CharacterId, String)],
    /// What is being said: of a long memory, what is near to it is told.
    pub said: &'a Said,
    /// What a history that the host brings along tells already.
    pub said_again: &'a SaidAgain,
    /// What was said in other conversations, of which nobody made a memory yet.
    pub elsewhere: BTreeSet<LineId>,
}

/// What a text may cost besides its own tokens: a message of its own, or a break to what stands before it.
const AROUND: usize = 6;

impl Remembering<'_> {
    /// `shown`: what the model gets besides.
    pub(super) fn telling<'s>(&'s self, settings: &'s WorldSettings, shown: Shown<'s>) -> Telling<'s> {
        Telling {
            remembering: self,
            settings,
            shown,
            choosing: Choosing::new(&self.all, self.rules),
            wanted: OnceCell::new(),
            items: self.all.iter().map(|_| OnceCell::new()).collect(),
            quotes: self.all.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// What became of each of them.
    pub(super) fn told(self, told: Told) -> (Vec<Recalled>, Option<LeftOut>) {
        let Told { choice, mut excerpts, .. } = told;
        let fates = self.all.into_iter().zip(choice.fates).enumerate();
        let recalled = fates.map(|(place, (considered, fate))| {
            let excerpt = excerpts.remove(&place);
            Recalled { considered, fate, excerpt }
        });
        let recalled: Vec<Recalled> = recalled.collect();
        let had_no_room = |one: &&Recalled| one.fate == Fate::Dropped(Dropped::Room);
        let lost: Vec<MemoryId> =
            recalled.iter().filter(had_no_room).map(|one| one.considered.note.held.memory.id).collect();
        let left_out = (!lost.is_empty()).then(|| LeftOut {
            position: Position::Memory,
            reason: Reason::Budget,
            lines: Vec::new(),
            and_older: false,
            lore: Vec::new(),
            memories: lost,
        });
        (recalled, left_out)
    }

    fn item(&self, one: &Considered, text: String, settings: &WorldSettings) -> Item {
        let held = &one.note.held;
        let moment = Moment { tick: held.memory.tick, wall_ms: Some(held.memory.wall_ms) };
        let stamp = text::stamp(settings.calendar.as_ref(), moment, settings.language);
        let knows = |id: &CharacterId| one.known_by.contains(id) || one.known_besides.contains(id);
        Item {
            kind: held.memory.kind,
            text: match held.memory.id.line() {
                Some(line) => {
                    let where_said = said_where(self.elsewhere.contains(&line), settings.language);
                    format!("{where_said}\n{text}")
                }
                None => text,
            },
            time: Some(stamp.trim().to_owned()).filter(|stamp| !stamp.is_empty()).or_else(|| day(moment)),
            source: Some(source(held.memory.origin, settings.language).to_owned()),
            who: self.people.iter().filter(|(id, _)| knows(id)).map(|(_, name)| name.clone()).collect(),
            importance: held.importance(),
        }
    }
}

/// Memories on their way into a prompt.
pub(super) struct Telling<'s> {
    remembering: &'s Remembering<'s>,
    settings: &'s WorldSettings,
    shown: Shown<'s>,
    choosing: Choosing<'s>,
    wanted: OnceCell<Wanted>,
    /// Of each, as soon as it is written: with every one that enters all are written once more.
    items: Vec<OnceCell<Option<Item>>>,
    /// Of each, what it says, as soon as it would enter.
    quotes: Vec<OnceCell<Vec<String>>>,
}

/// Which memories enter, and in what words.
pub(super) struct Told {
    choice: Choice,
    text: String,
    /// By the places of those that are not told whole.
    excerpts: BTreeMap<usize, String>,
    cost: usize,
}

impl Told {
    /// In tokens, with what stands around it.
    pub(super) fn cost(&self) -> usize {
        self.cost
    }
}

/// Less than this says nothing.
const LEAST_CHARS: usize = 40;
/// Of what a long history could have, memories are given this part before it is known what they need.
const SHARE: usize = 4;

impl Telling<'_> {
    pub(super) fn said_again(&self) -> &SaidAgain {
        self.remembering.said_again
    }

    /// What is kept free for memories beside a history that is too long: the same in every turn, so that the history does not
    /// begin elsewhere whenever more or less comes to mind. They get what they need all the same.
    pub(super) fn usual_cost(&self, room: usize) -> usize {
        let rules = self.remembering.rules;
        // About one token a character, in scripts where a character says most.
        let most = rules.max_chars.unwrap_or(usize::MAX).min(rules.max_tokens.unwrap_or(usize::MAX));
        if self.remembering.all.is_empty() { 0 } else { most.saturating_add(AROUND).min(room / SHARE) }
    }

    /// What enters: what does not stand in the history, as far as there is room. If there is none for the nearest, behind what is
    /// always there, the most telling part of it.
    /// `says`: whether the history has these words, whoever said them.
    pub(super) fn tell(&self, shown: &BTreeSet<LineId>, says: &dyn Fn(&str) -> bool, room: usize) -> Told {
        let mut written = String::new();
        let mut shortened: BTreeMap<usize, Item> = BTreeMap::new();
        let mut was_tried = false;
        let mut keeps_out = |kept: &[usize]| {
            let (place, before) = kept.split_last()?;
            if self.is_said(*place, says) {
                return Some(Dropped::InHistory);
            }
            // Not even one of its words may be told.
            if self.item(*place).is_none() {
                return Some(Dropped::Room);
            }
            let mut try_out = |shortened: &BTreeMap<usize, Item>| {
                let Written { text, told } = self.write(kept, shortened);
                if told < kept.len() {
                    return Some(Dropped::NotInTemplate);
                }
                let fits = self.fits(&text, room);
                if fits {
                    written = text;
                }
                (!fits).then_some(Dropped::Room)
            };
            let tried = try_out(&shortened);
            if tried != Some(Dropped::Room) {
                return tried;
            }
            // A memory that is too long for all the room there is would never be told; nor would the nearest behind what is
            // always there, which is tried once.
            let is_next = !was_tried && self.is_nearest(*place, before);
            if !before.is_empty() && !is_next {
                return tried;
            }
            was_tried |= is_next;
            for item in self.shorter(*place) {
                shortened.insert(*place, item);
                // Nothing keeps it out any more.
                try_out(&shortened)?;
            }
            shortened.remove(place);
            tried
        };
        let choice = self.choosing.choose(shown, &mut keeps_out);
        let counter = self.settings.counter;
        let cost = if written.is_empty() { 0 } else { counter.count(&written) + AROUND };
        let excerpts = self.excerpts(&choice, &shortened);
        Told { choice, text: written, excerpts, cost }
    }

    /// Whether the model reads all of it anyway, word for word.
    fn is_said(&self, place: usize, says: &dyn Fn(&str) -> bool) -> bool {
        let (Some(one), Some(quotes)) = (self.remembering.all.get(place), self.quotes.get(place)) else {
            return false;
        };
        let quotes = quotes.get_or_init(|| match one.is_constant {
            true => Vec::new(),
            false => quotes_of(&one.note.held),
        });
        !quotes.is_empty() && quotes.iter().all(|words| says(words) || self.shown.has(words))
    }

    /// Whether nothing stands before it but what is always there.
    fn is_nearest(&self, place: usize, before: &[usize]) -> bool {
        let is_constant = |place: &usize| self.remembering.all.get(*place).is_some_and(|one| one.is_constant);
        !is_constant(&place) && before.iter().all(is_constant)
    }

    /// Puts them into the prompt.
    pub(super) fn place(&self, extras: &mut Extras, told: &Told) {
        let kept = told.choice.kept.iter().filter_map(|place| self.remembering.all.get(*place));
        let memories: Vec<MemoryId> = kept.map(|one| one.note.held.memory.id).collect();
        if !told.text.is_empty() {
            self.lay(extras, told.text.clone(), memories);
        }
    }

    fn lay(&self, extras: &mut Extras, text: String, memories: Vec<MemoryId>) {
        let counter = self.settings.counter;
        let rules = self.remembering.rules;
        let alone = |role: Role, text: String| {
            Piece::new(role, text, None, Position::Memory, counter).of_memories(memories.clone())
        };
        match rules.position {
            Place::System => {
                let tokens = counter.count(&text);
                let part = Part {
                    position: Position::Memory,
                    tokens,
                    text,
                    sources: Vec::new(),
                    lore: None,
                    memories,
                };
                extras.volatile = Some(Piece::behind(extras.volatile.take(), part, counter));
            }
            Place::User => extras.remembered = Some(alone(Role::User, text)),
            Place::Assistant => extras.remembered = Some(alone(Role::Assistant, text)),
            Place::Depth => extras.deep = Some((rules.depth, alone(Role::System, text))),
        }
    }

    fn fits(&self, text: &str, room: usize) -> bool {
        let rules = self.remembering.rules;
        if rules.max_chars.is_some_and(|most| text.chars().count() > most) {
            return false;
        }
        let most = rules.max_tokens.map_or(room, |most| most.saturating_add(AROUND).min(room));
        // No counter finds more tokens than bytes, and counting takes longer than measuring.
        text.len() + AROUND <= most || self.settings.counter.count(text) + AROUND <= most
    }

    /// What is shortened stands in place of the whole.
    fn write(&self, kept: &[usize], shortened: &BTreeMap<usize, Item>) -> Written {
        let item = |place: &usize| shortened.get(place).or_else(|| self.item(*place));
        let items: Vec<&Item> = kept.iter().filter_map(item).collect();
        template::write(&items, self.remembering.rules, self.settings.language)
    }

    fn item(&self, place: usize) -> Option<&Item> {
        let one = self.remembering.all.get(place)?;
        let most = self.remembering.rules.max_memory_chars.unwrap_or(usize::MAX);
        self.items.get(place)?.get_or_init(|| self.item_of(one, most)).as_ref()
    }

    /// At most so many characters of a memory.
    fn item_of(&self, one: &Considered, most: usize) -> Option<Item> {
        let wanted = self.wanted.get_or_init(|| Wanted::of(self.remembering.said));
        let text = excerpt(&self.words_of(one), wanted, most)?.into_owned();
        Some(self.remembering.item(one, text, self.settings))
    }

    /// What a memory says, with who was there in the language of the world: it may have been another one when it was made.
    fn words_of<'c>(&self, one: &'c Considered) -> Cow<'c, str> {
        let text = one.note.held.text();
        match one.note.held.memory.origin {
            Origin::Round => round_told_in(text, self.settings.language),
            _ => Cow::Borrowed(text),
        }
    }

    /// The same memory in half as many characters, and again.
    fn shorter(&self, place: usize) -> impl Iterator<Item = Item> {
        let one = self.remembering.all.get(place);
        let whole = self.item(place).map_or(0, |item| item.text.chars().count());
        let halves = std::iter::successors(Some(whole / 2), |most| Some(most / 2));
        let halves = halves.take_while(|most| *most >= LEAST_CHARS);
        halves.filter_map(move |most| self.item_of(one?, most))
    }

    /// Of those that are told, the words of those that are not told whole.
    fn excerpts(&self, choice: &Choice, shortened: &BTreeMap<usize, Item>) -> BTreeMap<usize, String> {
        let told = choice.kept.iter().filter_map(|place| {
            let item = shortened.get(place).or_else(|| self.item(*place))?;
            let whole = self.words_of(self.remembering.all.get(*place)?);
            (!item.text.ends_with(whole.as_ref())).then(|| (*place, item.text.clone()))
        });
        told.collect()
    }
}

/// On Earth, where the world has no calendar of its own.
fn day(moment: Moment) -> Option<String> {
    let at = jiff::Timestamp::from_millisecond(moment.wall_ms?).ok()?;
    let date = at.to_zoned(jiff::tz::TimeZone::UTC).date();
    Some(format!("{:04}-{:02}-{:02}", date.year(), date.month(), date.day()))
}

/// What stands above lines that the history does not reach back to, or that were said elsewhere.
fn said_where(is_elsewhere: bool, language: Language) -> &'static str {
    match (is_elsewhere, language) {
        (false, Language::Zh) => "[本次对话早先]",
        (false, Language::En) => "[earlier in this conversation]",
        (true, Language::Zh) => "[另一场对话]",
        (true, Language::En) => "[in another conversation]",
    }
}

fn source(origin: Origin, language: Language) -> &'static str {
    match (origin, language) {
        (Origin::Round, Language::Zh) => "对话",
        (Origin::Round, Language::En) => "conversation",
        (Origin::Event, Language::Zh) => "事件",
        (Origin::Event, Language::En) => "event",
        (Origin::Hand, Language::Zh) => "手记",
        (Origin::Hand, Language::En) => "note",
        (Origin::Statement, Language::Zh) => "对话要点",
        (Origin::Statement, Language::En) => "gist of a conversation",
        (Origin::Day, Language::Zh) => "当日摘要",
        (Origin::Day, Language::En) => "summary of a day",
        (Origin::Era, Language::Zh) => "往事摘要",
        (Origin::Era, Language::En) => "summary of days past",
    }
}
