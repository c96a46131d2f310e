//! What does an author say about a piece of lore?
//!
//! The fields are those of the world books that are in use everywhere, and a few of our own at the end. Defaults are what
//! a book means that leaves a field out.

use std::sync::Arc;

use crate::perspective::Role;
use crate::time::Tick;

/// The kinds of generation that are known.
pub const GENERATIONS: [&str; 6] = ["normal", "continue", "impersonate", "swipe", "regenerate", "quiet"];

/// Entries that belong together. What a file says beyond that stays with whoever keeps the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Book {
    /// Unique among the books that are searched together.
    pub id: Arc<str>,
    pub name: String,
    /// Where the book lies in the stack: of entries of equal order, those of the lowest book are chosen first, and stand last.
    pub rank: i64,
    /// Overrides what the world's settings say.
    pub scan_depth: Option<u32>,
    /// In tokens, for the entries of this book.
    pub token_budget: Option<u32>,
    pub recursive: Option<bool>,
    pub entries: Vec<Arc<Entry>>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Unique in its book.
    pub id: Arc<str>,
    /// The author's title or note; never part of a prompt.
    pub comment: String,
    pub content: String,
    pub disabled: bool,
    /// The part of its book, by name, that is switched off and this entry with it, whatever it says itself.
    pub disabled_with: Option<String>,

    pub keys: Vec<String>,
    pub secondary_keys: Vec<String>,
    pub logic: Logic,
    /// Without it, secondary keys are not looked at.
    pub selective: bool,
    /// True: every key is a pattern, slashes or not; false: none is (card V3). None: those between slashes are.
    pub use_regex: Option<bool>,
    pub case_sensitive: Option<bool>,
    pub whole_words: Option<bool>,
    /// How many messages are searched.
    pub scan_depth: Option<u32>,
    pub sources: Sources,

    /// Always active, without any key.
    pub constant: bool,
    /// May become active by similarity of meaning.
    pub vectorized: bool,
    /// In percent. None: no roll is made.
    pub probability: Option<f64>,
    /// Only for these kinds of generation; none: for all.
    pub generations: Vec<String>,
    pub filter: Filter,

    /// Not set off by other entries.
    pub exclude_recursion: bool,
    /// Sets off no other entries.
    pub prevent_recursion: bool,
    /// Set off by other entries only, from this level on; 0: by anything.
    pub delay_until_recursion: u32,

    /// Names of inclusion groups: only one member of each becomes active.
    pub groups: Vec<String>,
    pub group_override: bool,
    pub group_weight: f64,
    pub group_scoring: Option<bool>,

    /// In messages.
    pub sticky: Option<u32>,
    pub cooldown: Option<u32>,
    pub delay: Option<u32>,

    pub position: Position,
    pub depth: u32,
    pub role: Role,
    /// For [`Position::Outlet`].
    pub outlet: String,
    /// Greater comes later in the prompt and is searched earlier.
    pub order: i64,
    pub ignore_budget: bool,

    pub trigger: Trigger,
    /// From 0 to 100; among entries of equal order the greater is searched earlier.
    pub priority: Option<i64>,
    pub relevance_weight: Option<f64>,
    pub emotional_weight: Option<f64>,
    /// Per day of the world.
    pub time_decay: Option<f64>,
    /// When it happened, for [`Trigger::Temporal`] and for decay.
    pub tick: Option<Tick>,
    pub topics: Vec<String>,
    pub emotions: Vec<String>,

    /// All must hold in the scene at hand.
    pub conditions: Vec<Condition>,
    /// Ids or names of the characters who know it; none: everybody does.
    pub known_by: Vec<String>,
}

impl Entry {
    /// Whether it stays out whatever is said.
    pub(super) fn is_off(&self) -> bool {
        self.disabled || self.disabled_with.is_some()
    }

    /// True if likeness of meaning sets it off.
    pub(super) fn is_found_by_meaning(&self) -> bool {
        self.vectorized || self.trigger == Trigger::Semantic
    }
}

impl Default for Entry {
    fn default() -> Self {
        Self {
            id: Arc::from(""),
            comment: String::new(),
            content: String::new(),
            disabled: false,
            disabled_with: None,
            keys: Vec::new(),
            secondary_keys: Vec::new(),
            logic: Logic::AndAny,
            selective: true,
            use_regex: None,
            case_sensitive: None,
            whole_words: None,
            scan_depth: None,
            sources: Sources::default(),
            constant: false,
            vectorized: false,
            probability: Some(100.0),
            generations: Vec::new(),
            filter: Filter::default(),
            exclude_recursion: false,
            prevent_recursion: false,
            delay_until_recursion: 0,
            groups: Vec::new(),
            group_override: false,
            group_weight: 100.0,
            group_scoring: None,
            sticky: None,
            cooldown: None,
            delay: None,
            position: Position::BeforeCharacter,
            depth: 4,
            role: Role::System,
            outlet: String::new(),
            order: 100,
            ignore_budget: false,
            trigger: Trigger::Keyword,
            priority: None,
            relevance_weight: None,
            emotional_weight: None,
            time_decay: None,
            tick: None,
            topics: Vec::new(),
            emotions: Vec::new(),
            conditions: Vec::new(),
            known_by: Vec::new(),
        }
    }
}

/// What must be true of the secondary keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Logic {
    #[default]
    AndAny,
    NotAll,
    NotAny,
    AndAll,
}

/// Where the text goes, as its author put it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Position {
    #[default]
    BeforeCharacter,
    AfterCharacter,
    NoteTop,
    NoteBottom,
    AtDepth,
    ExamplesTop,
    ExamplesBottom,
    Outlet,
}

/// What sets an entry off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Trigger {
    #[default]
    Keyword,
    /// Similarity of meaning.
    Semantic,
    /// Nearness in the world's time.
    Temporal,
    /// The mood of the scene.
    Emotional,
}

/// Texts besides the chat that are searched too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Sources {
    pub persona: bool,
    pub character: bool,
    pub personality: bool,
    pub depth_prompt: bool,
    pub scenario: bool,
    pub creator_notes: bool,
}

impl std::ops::BitOr for Sources {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            persona: self.persona | other.persona,
            character: self.character | other.character,
            personality: self.personality | other.personality,
            depth_prompt: self.depth_prompt | other.depth_prompt,
            scenario: self.scenario | other.scenario,
            creator_notes: self.creator_notes | other.creator_notes,
        }
    }
}

/// Whom an entry is for, by name of the character's card or by tag.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// For everybody but these.
    pub exclude: bool,
    pub names: Vec<String>,
    pub tags: Vec<String>,
}

/// A fact of the scene and what it must be. Of a fact with several values, one is enough.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    pub fact: String,
    pub test: Test,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// One of these.
    Is(Vec<String>),
    /// No value of it is one of these; holds for a fact that is not given.
    IsNot(Vec<String>),
    /// It is given, and neither empty nor `false`.
    Set,
    NotSet,
    AtLeast(f64),
    AtMost(f64),
    /// Never holds: what cannot be read must not let an entry through that somebody meant to keep back. Says what is wrong
    /// with it.
    Unreadable(String),
}
