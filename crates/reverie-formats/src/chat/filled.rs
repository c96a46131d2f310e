//! How does a message become what the file said, with what became of its lines since?
//!
//! What was kept is taken as it is; only what a line says otherwise by now is written anew: words that were edited, swipes
//! that came or went, another choice among them, a message that is hidden or shown.

use std::collections::HashMap;

use reverie_core::{Line, LineId};
use serde_json::{Map, Value, json};

use super::compose::{date, extra_of};
use super::kept::{Keepsakes, Kept};
use crate::lenient::as_flag;

/// A message of the path.
pub(super) struct Scene<'a> {
    /// The wording that is chosen now.
    pub(super) line: &'a Line,
    /// All of them, in the order of recording.
    pub(super) wordings: &'a [&'a Line],
    pub(super) is_narrated: bool,
    pub(super) keepsakes: &'a Keepsakes,
}

/// What each swipe of one's own says besides its words.
const OF_SWIPE: [&str; 4] = ["send_date", "gen_started", "gen_finished", "extra"];

impl<'a> Scene<'a> {
    /// The line with which the message was kept: the one that is chosen, or the one that was chosen last in a file.
    pub(super) fn owner(&self) -> Option<(&'a Line, &'a Kept)> {
        let has_message = |line: &'a Line| {
            self.keepsakes.of(line.id).filter(|kept| kept.message.is_some()).map(|kept| (line, kept))
        };
        has_message(self.line).or_else(|| self.wordings.iter().rev().find_map(|line| has_message(line)))
    }

    /// The message with what was kept of it.
    pub(super) fn filled(&self, owner: &Line, kept: &Kept) -> Option<Value> {
        let template = kept.message.as_ref()?;
        let list = List::of(self, owner, template);
        let is_owner = owner.id == self.line.id;
        let text = self.words(self.line);
        let mut message = Map::new();
        for (key, value) in template {
            let value = match (key.as_str(), value) {
                ("mes", Value::Array(slot)) => match slot.first() {
                    Some(original) if is_owner && (original.is_null() || reads_as(original, text)) => {
                        original.clone()
                    }
                    _ => json!(text),
                },
                ("swipes", Value::Array(slots)) => self.swipes(slots, &list),
                ("swipe_info", Value::Array(slots)) => self.about(slots, &list),
                (_, other) => other.clone(),
            };
            message.insert(key.clone(), value);
        }
        if !template.get("swipes").is_some_and(Value::is_array) && self.wordings.len() > 1 {
            message.insert("swipes".to_owned(), self.wordings.iter().map(|line| self.words(line)).collect());
            message
                .insert("swipe_info".to_owned(), self.wordings.iter().map(|line| self.info(line)).collect());
        }
        if (list.has_changed || !is_owner)
            && let Some(place) = list.place
        {
            message.insert("swipe_id".to_owned(), json!(place));
        }
        if !is_owner {
            self.choose(&mut message);
        }
        let is_hidden = message.get("is_system").and_then(as_flag).unwrap_or(false);
        if is_hidden != self.line.hidden {
            message.insert("is_system".to_owned(), json!(self.line.hidden));
        }
        Some(Value::Object(message))
    }

    pub(super) fn words(&self, line: &'a Line) -> &'a str {
        Kept::words(self.keepsakes.of(line.id), &line.wording.content)
    }

    /// What stands about a swipe.
    pub(super) fn info(&self, line: &Line) -> Value {
        let kept = self.keepsakes.of(line.id);
        if let Some(info) = kept.and_then(|kept| kept.info.clone()) {
            return info;
        }
        // Of a message without swipes, what is about the message is about its words.
        let mut info = Map::new();
        let own = kept.and_then(|kept| kept.message.as_ref());
        for key in OF_SWIPE {
            info.extend(own.and_then(|own| own.get(key)).map(|value| (key.to_owned(), value.clone())));
        }
        if own.is_none() {
            info.insert("send_date".to_owned(), json!(date(line.wall_ms)));
            info.insert("extra".to_owned(), extra_of(self.is_narrated));
        }
        Value::Object(info)
    }

    /// Another swipe was chosen here: the message says of itself what the list says of that one.
    fn choose(&self, message: &mut Map<String, Value>) {
        let info = self.info(self.line);
        for key in OF_SWIPE {
            match info.get(key) {
                Some(value) => drop(message.insert(key.to_owned(), value.clone())),
                None if key == "send_date" => {
                    message.insert(key.to_owned(), json!(date(self.line.wall_ms)));
                }
                None => drop(message.shift_remove(key)),
            }
        }
    }

    fn swipes(&self, slots: &[Value], list: &List<'a>) -> Value {
        let mut swipes: Vec<Value> = Vec::with_capacity(slots.len());
        for (at, slot) in slots.iter().enumerate() {
            match (list.lines.get(&at), kept_in(slot)) {
                (Some(line), Some(original)) if list.is_as_kept(line) => swipes.push(original.clone()),
                (Some(line), _) => swipes.push(json!(self.words(line))),
                (None, Some(original)) => swipes.push(original.clone()),
                // The line is gone.
                (None, None) => {}
            }
        }
        swipes.extend(list.more.iter().map(|line| json!(self.words(line))));
        Value::Array(swipes)
    }

    fn about(&self, slots: &[Value], list: &List<'a>) -> Value {
        let mut about: Vec<Value> = Vec::with_capacity(slots.len());
        for (at, slot) in slots.iter().enumerate() {
            match (list.lines.get(&at), kept_in(slot)) {
                _ if list.gone.contains(&at) => {}
                (_, Some(original)) => about.push(original.clone()),
                (Some(line), None) => about.push(self.info(line)),
                (None, None) => {}
            }
        }
        // Only where there is something about every swipe, more can stand behind.
        if slots.len() == list.slots {
            about.extend(list.more.iter().map(|line| self.info(line)));
        }
        Value::Array(about)
    }
}

/// Which line stands where among the swipes.
struct List<'a> {
    /// How many there were.
    slots: usize,
    lines: HashMap<usize, &'a Line>,
    /// Places whose line was deleted.
    gone: Vec<usize>,
    /// Lines that have no place there yet.
    more: Vec<&'a Line>,
    /// The one whose words and place the file has twice, and not alike.
    odd: Option<LineId>,
    /// Where the chosen wording stands now.
    place: Option<usize>,
    has_changed: bool,
}

impl<'a> List<'a> {
    fn of(scene: &Scene<'a>, owner: &Line, template: &Map<String, Value>) -> Self {
        let slots: &[Value] = template.get("swipes").and_then(Value::as_array).map_or(&[], Vec::as_slice);
        let has_list = template.get("swipes").is_some_and(Value::is_array);
        let own = |line: &Line| scene.keepsakes.of(line.id).and_then(|kept| kept.at);
        let fits = |line: &Line, at: usize| {
            slots.get(at).is_some_and(|slot| kept_in(slot).is_none() || line.id == owner.id)
        };
        let mut lines: HashMap<usize, &Line> = HashMap::new();
        let all = scene.wordings.iter().copied();
        // Of several that claim a place, the chosen one has it, else the newest.
        for line in all.clone().filter(|line| line.id != scene.line.id).chain([scene.line]) {
            if let Some(at) = own(line).filter(|at| fits(line, *at)) {
                lines.insert(at, line);
            }
        }
        let is_placed = |line: &Line| lines.values().any(|placed| placed.id == line.id);
        let mut more: Vec<&Line> = all.filter(|line| has_list && !is_placed(line)).collect();
        // A message may have words that are not in its list.
        let stands_alone =
            |line: &&Line| line.id == scene.line.id && line.id == owner.id && own(line).is_none();
        if more.iter().all(stands_alone) {
            more.clear();
        }
        let is_gone = |at: &usize| {
            !lines.contains_key(at) && slots.get(*at).is_some_and(|slot| kept_in(slot).is_none())
        };
        let gone: Vec<usize> = (0..slots.len()).filter(is_gone).collect();
        let order = (0..slots.len()).filter(|at| !gone.contains(at)).map(|at| lines.get(&at).copied());
        let order = order.chain(more.iter().copied().map(Some));
        let place = match has_list {
            true => order.into_iter().position(|line| line.is_some_and(|line| line.id == scene.line.id)),
            false => scene.wordings.iter().position(|line| line.id == scene.line.id),
        };
        let is_kept_twice =
            own(owner).and_then(|at| slots.get(at)).is_some_and(|slot| kept_in(slot).is_some());
        let mes =
            template.get("mes").and_then(kept_in).filter(|_| is_kept_twice && owner.id == scene.line.id);
        let odd = mes.filter(|mes| reads_as(mes, scene.words(scene.line))).map(|_| owner.id);
        let has_more = if has_list { !more.is_empty() } else { scene.wordings.len() > 1 };
        let has_changed = has_more || !gone.is_empty();
        Self { slots: slots.len(), lines, gone, more, odd, place, has_changed }
    }

    /// True if the list has other words for it than the message, and nothing was edited.
    fn is_as_kept(&self, line: &Line) -> bool {
        self.odd == Some(line.id)
    }
}

/// `[…]`; None: `[]`, which stands for a line.
fn kept_in(slot: &Value) -> Option<&Value> {
    slot.as_array().and_then(|slot| slot.first())
}

/// What is no text is read as its JSON.
fn reads_as(original: &Value, text: &str) -> bool {
    match original {
        Value::String(original) => original == text,
        other => {
            let shown = other.to_string();
            shown == text
        }
    }
}

#[cfg(test)]
#[path = "tests/filled.rs"]
mod tests;
