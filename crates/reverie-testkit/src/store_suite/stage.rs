//! How does a case tell its scene in few words?
//!
//! Lines are written like a play: `@莱姆: …` the player, `#钦灵: …` a direction to one, `#: …` to all, `白小喵: …` anybody
//! else, `: …` nobody; in front `[12]` gives the tick, before the colon `→ 甲, 乙` the witnesses.

use reverie_core::character::{CharacterPatch, Named, Who};
use reverie_core::conversation::{
    Append, Appended, Attach, ExpectedHead, HeadTarget, LinesQuery, OpenConversation, WhichLines,
};
use reverie_core::history::{DEFAULT_LIMIT, History, HistoryQuery};
use reverie_core::line::{NewLine, Wording};
use reverie_core::record::Record;
use reverie_core::settings::Preset;
use reverie_core::store::{Erase, LinePatch, Select};
use reverie_core::world::WorldPatch;
use reverie_core::{
    Attribute, Character, CharacterId, CheckpointId, Code, Conversation, ConversationId, Line, LineId,
    Result, Store, World, WorldId,
};

/// One world of a store, for telling a scene in it.
#[derive(Clone)]
pub struct Stage<'s> {
    pub store: &'s dyn Store,
    pub world: WorldId,
}

impl<'s> Stage<'s> {
    pub fn new(store: &'s dyn Store) -> Self {
        Self::named(store, "世界", Preset::Companion)
    }

    pub fn named(store: &'s dyn Store, id: &str, preset: Preset) -> Self {
        let world = WorldId::new(id).unwrap();
        let patch = WorldPatch { preset: Some(preset), ..WorldPatch::default() };
        store.put_world(&world, &patch, 1).unwrap();
        Self { store, world }
    }

    pub fn view(&self) -> World {
        self.store.worlds(&Select::One(self.world.to_string())).unwrap().pop().unwrap()
    }

    pub fn put(&self, key: &str, value: &str) {
        let patch = WorldPatch { preset: None, settings: [(key.to_owned(), value.to_owned())].into() };
        self.store.put_world(&self.world, &patch, 1).unwrap();
    }

    pub fn character(&self, id: &str) -> Option<Character> {
        self.store.characters(&self.world, &Select::One(id.to_owned())).unwrap().pop()
    }

    pub fn card(&self, id: &str, patch: CharacterPatch) -> Character {
        self.store.put_character(&self.world, &who(id), &patch).unwrap().0
    }

    pub fn names(&self) -> String {
        let all = self.store.characters(&self.world, &Select::default()).unwrap();
        all.iter().map(|character| character.id.as_str()).collect::<Vec<_>>().join(" | ")
    }

    pub fn open(&self, open: &OpenConversation) -> Result<(Conversation, bool)> {
        self.store.open_conversation(&self.world, open)
    }

    /// The conversation of a set of people.
    pub fn set(&self, people: &[&str]) -> ConversationId {
        self.open(&OpenConversation { participants: all(people), ..Default::default() }).unwrap().0.id
    }

    pub fn scene(&self, name: &str, people: &[&str]) -> ConversationId {
        let open =
            OpenConversation { name: Some(name.to_owned()), participants: all(people), ..Default::default() };
        self.open(&open).unwrap().0.id
    }

    pub fn room(&self, id: &ConversationId) -> Conversation {
        self.store.conversations(&self.world, &Select::One(id.to_string())).unwrap().pop().unwrap()
    }

    pub fn present(&self, room: &ConversationId, people: &[&str]) -> Conversation {
        self.store.set_present(&self.world, room, &all(people), ExpectedHead::Any).unwrap()
    }

    pub fn append(&self, room: &ConversationId, append: &Append) -> Result<Appended> {
        self.store.append(&self.world, room, append.clone())
    }

    /// Records lines at the head, one per line of text, and returns the number of the last.
    pub fn say(&self, room: &ConversationId, play: &str) -> LineId {
        self.say_at(room, Attach::Head, play)
    }

    pub fn say_at(&self, room: &ConversationId, attach: Attach, play: &str) -> LineId {
        let append = Append { lines: lines(play), attach, now_ms: 5, ..Default::default() };
        self.append(room, &append).unwrap().lines.last().unwrap().id
    }

    pub fn head(&self, room: &ConversationId, target: HeadTarget) -> Conversation {
        self.store.move_head(&self.world, room, target, ExpectedHead::Any).unwrap()
    }

    pub fn edit(&self, line: LineId, content: &str) -> Line {
        let wording = Some(Wording { content: content.to_owned(), ..Wording::default() });
        self.store.revise(&self.world, line, &wording.map(LinePatch::from).unwrap_or_default()).unwrap()
    }

    pub fn hide(&self, line: LineId, hidden: bool) -> Line {
        self.store
            .revise(&self.world, line, &LinePatch { hidden: Some(hidden), ..Default::default() })
            .unwrap()
    }

    pub fn erase(&self, what: Erase) {
        self.store.erase(&self.world, &what).unwrap();
    }

    pub fn lines(&self, room: &ConversationId, which: WhichLines) -> Vec<Line> {
        let query = LinesQuery { which, witness: None, after: None, newest_first: false, limit: 10_000 };
        self.store.lines(&self.world, room, &query).unwrap()
    }

    pub fn line(&self, id: LineId) -> Result<Line> {
        self.store.line(&self.world, id)
    }

    pub fn path(&self, room: &ConversationId) -> String {
        shown(&self.lines(room, WhichLines::Path))
    }

    /// The path as somebody witnessed it.
    pub fn path_of(&self, room: &ConversationId, witness: &str) -> String {
        let witness = Some(id(witness));
        let query =
            LinesQuery { which: WhichLines::Path, witness, after: None, newest_first: false, limit: 10_000 };
        shown(&self.store.lines(&self.world, room, &query).unwrap())
    }

    pub fn save(&self, checkpoint: &str) {
        self.store.put_checkpoint(&self.world, &save_id(checkpoint), 3).unwrap();
    }

    pub fn load(&self, checkpoint: &str) -> World {
        self.store.restore(&self.world, &save_id(checkpoint)).unwrap()
    }

    pub fn history(&self, people: &[&str], witness: Option<&str>) -> History {
        self.history_of(people, witness, &[], DEFAULT_LIMIT)
    }

    pub fn history_of(
        &self,
        people: &[&str],
        witness: Option<&str>,
        also: &[&ConversationId],
        limit: usize,
    ) -> History {
        let query = HistoryQuery {
            participants: all(people),
            witness: witness.map(id),
            also: also.iter().map(|id| (*id).clone()).collect(),
            limit,
        };
        self.store.history(&self.world, &query).unwrap()
    }

    pub fn export(&self, checkpoint: Option<&str>) -> Vec<Record> {
        crate::twins::exported(self.store, &self.world, checkpoint.map(save_id).as_ref()).unwrap()
    }

    pub fn fork(&self, as_world: &str, checkpoint: Option<&str>) -> Self {
        let world = WorldId::new(as_world).unwrap();
        self.store.fork(&self.world, &world, checkpoint.map(save_id).as_ref(), 4).unwrap();
        Self { store: self.store, world }
    }
}

pub fn id(text: &str) -> CharacterId {
    CharacterId::new(text).unwrap()
}

pub fn who(text: &str) -> Who {
    Who::Id(id(text))
}

pub fn all(people: &[&str]) -> Vec<Who> {
    people.iter().map(|person| who(person)).collect()
}

/// Someone in the words of a host's table; `-` for a column that is empty.
pub fn named(role_id: &str, script_role_id: &str, display_name: &str) -> Who {
    let column = |text: &str| (text != "-").then(|| text.to_owned());
    Who::Named(Named {
        role_id: column(role_id),
        script_role_id: column(script_role_id),
        display_name: column(display_name),
    })
}

pub fn save_id(text: &str) -> CheckpointId {
    CheckpointId::new(text).unwrap()
}

/// Reads lines as they stand in a play.
pub fn lines(play: &str) -> Vec<NewLine> {
    play.lines().map(str::trim).filter(|line| !line.is_empty()).map(line).collect()
}

fn line(text: &str) -> NewLine {
    let (tick, text) = match text.strip_prefix('[').and_then(|text| text.split_once("] ")) {
        Some((tick, rest)) => (Some(tick.parse().unwrap()), rest),
        None => (None, text),
    };
    let (speaker, content) = text.split_once(": ").unwrap();
    let (speaker, witnesses) = match speaker.split_once(" → ") {
        Some((speaker, witnesses)) => (speaker, Some(witnesses.split(", ").map(who).collect())),
        None => (speaker, None),
    };
    let (attribute, speaker) = match (speaker.strip_prefix('@'), speaker.strip_prefix('#')) {
        (Some(speaker), _) => (Attribute::User, speaker),
        (None, Some(speaker)) => (Attribute::System, speaker),
        (None, None) => (Attribute::Assistant, speaker),
    };
    let speaker = (!speaker.is_empty()).then(|| who(speaker));
    NewLine { tick, witnesses, ..NewLine::new(attribute, speaker, content) }
}

/// `speaker: content | speaker: content`
pub fn shown(lines: &[Line]) -> String {
    let one = |line: &Line| {
        let speaker = line.speaker.as_ref().map_or("", |speaker| speaker.as_str());
        format!("{speaker}: {}", line.wording.content)
    };
    lines.iter().map(one).collect::<Vec<_>>().join(" | ")
}

pub fn people(ids: &[CharacterId]) -> String {
    ids.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(" | ")
}

#[track_caller]
pub fn check_code<T: std::fmt::Debug>(result: Result<T>, expected: Code) {
    let error = result.unwrap_err();
    assert_eq!(error.code(), expected, "{error}");
}
