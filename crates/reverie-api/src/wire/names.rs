//! Which words does the wire know? Every list that is closed, by name, so that clients get it as a type of its own.

use reverie_core::lore::entry;
use reverie_core::settings::Preset as CorePreset;
use reverie_core::{
    Attribute as CoreAttribute, Code, Error, Result, TimeAxis, character, cue, digest, job, layers, map,
    memory, perspective, rank, round,
};
use schemars::JsonSchema;
use serde::Serialize;

/// A list of words. With `from`, the engine's own enum that it mirrors: a word that is missing does not compile.
macro_rules! names {
    ($($(#[$doc:meta])* $name:ident $(from $core:ty)? { $($variant:ident = $word:literal),+ $(,)? })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
        pub enum $name {
            $(#[serde(rename = $word)] $variant,)+
        }

        impl $name {
            pub const ALL: &[&str] = &[$($word),+];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        names!(@from $name [$($core)?] $($variant)+);
    )+};
    (@from $name:ident [] $($variant:ident)+) => {};
    (@from $name:ident [$core:ty] $($variant:ident)+) => {
        impl From<$core> for $name {
            fn from(core: $core) -> Self {
                match core {
                    $(<$core>::$variant => Self::$variant,)+
                }
            }
        }
    };
}

impl Generation {
    /// A kind that nobody knows would silence every entry that is for some kinds only. Nothing said is the normal one.
    pub fn check(name: &str) -> Result<()> {
        match name.is_empty() || Self::ALL.contains(&name) {
            true => Ok(()),
            false => Err(Error::invalid(format!("there is no kind of generation named {name:?}"))
                .hint(format!("use one of: {}", Self::ALL.join(", ")))),
        }
    }
}

names! {
    /// A server of models: the one that is asked what is worth remembering, the one that embeds texts, the one that chats are passed
    /// on to.
    ConnectionName { Chat = "chat", Embedding = "embedding", Upstream = "upstream" }

    /// Who said where it is: nobody; somebody who chose it through the API; the settings file; the server's environment or
    /// command line, which win.
    ConnectionOrigin { None = "none", Chosen = "chosen", File = "file", Environment = "environment" }

    /// What may be written for a setting: true or false, a whole number, a number, a word of a list, any text, a list of texts, texts by
    /// names, a list of things with parts of their own.
    SettingKind {
        Flag = "flag", Integer = "integer", Number = "number", Choice = "choice", Text = "text", Texts = "texts", Named = "named",
        Things = "things",
    }

    /// In which capacity a line was spoken.
    Attribute from CoreAttribute { User = "user", Assistant = "assistant", System = "system" }

    /// In which capacity a line was spoken. `character` means `assistant`; capitals mean the same as small letters.
    AttributeOrAlias { User = "user", Assistant = "assistant", Character = "character", System = "system" }

    /// What a world's settings begin from.
    Preset from CorePreset { Companion = "companion", Game = "game", Bot = "bot" }

    /// Which clock a timeline follows.
    TimelineBy from TimeAxis { Time = "time", Tick = "tick" }

    /// Narrators tell the story: never present, never witnesses.
    CharacterKind from character::CharacterKind { Person = "person", Narrator = "narrator" }

    /// What decides which memories are near each other on a map.
    MapBy from map::By { Meaning = "meaning", Words = "words" }

    /// Of a chat message.
    Role from perspective::Role { System = "system", User = "user", Assistant = "assistant" }

    /// Which part of a prompt it is.
    Position from cue::Position {
        Persona = "persona",
        Background = "background",
        Lore = "lore",
        Granted = "granted",
        History = "history",
        Scene = "scene",
        Other = "other",
        Memory = "memory",
        Message = "message",
    }

    /// Where in a prompt memories stand.
    RecallPosition { System = "system", User = "user", Assistant = "assistant", Depth = "depth" }

    /// Why a memory is worth raising: it is still wanted or promised, it was on this day of another year, it is about somebody who is
    /// there, or it will soon be forgotten.
    Occasion from rank::Occasion { Goal = "goal", Anniversary = "anniversary", Present = "present", Fading = "fading" }

    /// What a memory has in common with another one.
    RecallLink { People = "people", Topic = "topic", Cause = "cause", Beside = "beside" }

    /// What became of a memory that came to mind. `in_history`: all that it tells stands in the history or in `shown`, or is quoted as background; `near_duplicate`: another
    /// one says the same; `not_in_template`: `recall.template` does not write it; `enough_of_kind`: `recall.most.*`; `no_room`: `recall.max_chars`, `recall.max_tokens` or the budget;
    /// `audience`: not everybody who hears the answer may know; `corrected`: it sums up what its holder has put into other words since; `faded`, `crowded`, `past`: it is dormant.
    MemoryFate {
        Kept = "kept",
        InHistory = "in_history",
        NearDuplicate = "near_duplicate",
        NotInTemplate = "not_in_template",
        EnoughOfKind = "enough_of_kind",
        NoRoom = "no_room",
        Audience = "audience",
        BelowThreshold = "below_threshold",
        Corrected = "corrected",
        Faded = "faded",
        Crowded = "crowded",
        Past = "past",
    }

    /// Why lines were left out of a prompt.
    Reason from cue::Reason { Budget = "budget", Limit = "limit" }

    /// Which conversations make up the history in a prompt: all among exactly those present, or only this one.
    HistoryScope { Primary = "primary", Conversation = "conversation" }

    /// What from elsewhere may enter a prompt.
    Audience { Open = "open", SameConversation = "same-conversation", Strict = "strict" }

    /// What counts tokens: a fast estimate that is never too low, or o200k itself.
    TokenCounter { Estimate = "estimate", O200k = "o200k" }

    /// How others' lines are written in a perspective.
    ProfileName { Example = "example", RuleText = "rule-text" }

    /// Whether the scene tells how the others feel.
    SceneEmotion { Hidden = "hidden", BeforeContent = "before-content" }

    /// Whether lines addressed to the character begin with the speaker's name.
    AddressedNames { Hidden = "hidden", WhenSeveral = "when-several", Always = "always" }

    /// Of labels and times in prompts.
    Language { Zh = "zh", En = "en" }

    /// How ticks become dates.
    CalendarKind { None = "none", Rimworld = "rimworld", Gregorian = "gregorian", Custom = "custom" }

    /// `jsonl` is readable, one record a line; `save` is one compact word that is safe in XML.
    ExportFormat { JsonLines = "jsonl", Save = "save" }

    /// Where a piece of lore stands, as its author put it.
    LorePosition from entry::Position {
        BeforeCharacter = "before_char",
        AfterCharacter = "after_char",
        NoteTop = "note_top",
        NoteBottom = "note_bottom",
        AtDepth = "at_depth",
        ExamplesTop = "examples_top",
        ExamplesBottom = "examples_bottom",
        Outlet = "outlet",
    }

    /// Why a piece of lore is active (the first eight) or is not. `filtered`: its `characterFilter` names others;
    /// `not_known_by_character`: its `known_by` names others; `not_similar`, `not_its_time`, `not_in_mood` and `not_on_topic`: it
    /// has no keys, and what else sets it off was not there; `over_budget`: the lore budget is used up; `over_prompt_budget`: the
    /// prompt has no room for it.
    LoreReason {
        Constant = "constant",
        Sticky = "sticky",
        Order = "order",
        Key = "key",
        Similarity = "similarity",
        Time = "time",
        Mood = "mood",
        Topic = "topic",
        Disabled = "disabled",
        OtherGeneration = "other_generation",
        Filtered = "filtered",
        NotKnownByCharacter = "not_known_by_character",
        Condition = "condition",
        Delayed = "delayed",
        NotThisTime = "not_this_time",
        CoolingDown = "cooling_down",
        Spent = "spent",
        WaitsForRecursion = "waits_for_recursion",
        ExcludedFromRecursion = "excluded_from_recursion",
        Forbidden = "forbidden",
        NoKeys = "no_keys",
        NotSimilar = "not_similar",
        NotItsTime = "not_its_time",
        NotInMood = "not_in_mood",
        NotOnTopic = "not_on_topic",
        NoKeyFound = "no_key_found",
        NotSearched = "not_searched",
        NotReached = "not_reached",
        Secondary = "secondary",
        ExcludedBy = "excluded_by",
        LostGroup = "lost_group",
        Unlucky = "unlucky",
        OverBudget = "over_budget",
        OverPromptBudget = "over_prompt_budget",
    }

    /// What counts the lore budget.
    LoreCounter { Estimate = "estimate", O200k = "o200k", Quarter = "utf16/4" }

    /// What a prompt is made for. Entries may be for some kinds only.
    Generation {
        Normal = "normal",
        Continue = "continue",
        Impersonate = "impersonate",
        Swipe = "swipe",
        Regenerate = "regenerate",
        Quiet = "quiet",
    }

    /// Stays active; must rest; stays for good; never comes back.
    TimerKind { Sticky = "sticky", Cooldown = "cooldown", Kept = "kept", Spent = "spent" }

    /// An open round's lines are in view and nobody remembers them yet; a closed one is over and waits to be remembered (again,
    /// if one of its lines changed); a digested one is remembered.
    RoundState from round::RoundState { Open = "open", Closed = "closed", Digested = "digested" }

    /// What happened; facts about people and the world; what someone is like; what someone wants or promised.
    MemoryKind from memory::Kind { Episodic = "episodic", Semantic = "semantic", Trait = "trait", Goal = "goal" }

    /// How far a lived memory has sunk: a round as it was said, something that happened, a day, an era.
    Layer from memory::Layer {
        Active = "active",
        Situational = "situational",
        Events = "events",
        Archive = "archive",
    }

    /// Where a memory comes from: the words of a round, an event of the host's, written by hand, what a model found worth
    /// keeping, a summary of a day, a summary of many days.
    MemoryOrigin from memory::Origin {
        Round = "round",
        Event = "event",
        Hand = "hand",
        Statement = "statement",
        Day = "day",
        Era = "era",
    }

    /// Why a memory is kept but not put before its character: its activity fell below the floor; livelier ones fill the
    /// place; newer rounds took its place and its day is summed up.
    Dormant from layers::Dormant { Faded = "faded", Crowded = "crowded", Past = "past" }

    /// What of some rounds is worth keeping for long; a day or an era in a model's words.
    JobKind from job::JobKind { Consider = "consider", Retell = "retell" }

    /// Is anything worth keeping; what is it; all is done.
    JobStage from job::Stage { Deciding = "deciding", Summarising = "summarising", Done = "done" }

    /// To be asked as soon as somebody can; somebody is asking; to be asked later, mostly because it failed; over.
    JobState { Due = "due", Asked = "asked", Waiting = "waiting", Done = "done" }

    /// Is anything in these rounds worth keeping; what of them is; a day or an era in a few sentences.
    QuestionPurpose from digest::Purpose { Decide = "decide", Summarise = "summarise", Retell = "retell" }

    /// It counts; it could not be used and the question comes again; it came too late and nothing was done.
    AnswerTaken { Taken = "taken", Again = "again", Late = "late" }

    /// Closed: it is used. Open: it failed lately and is left alone. Half open: one tries whether it works again.
    BreakerState { Closed = "closed", Open = "open", HalfOpen = "half_open" }

    /// Off: no chat model is configured. Resting: no model may be asked for now, because the hour's tokens are spent or the
    /// models fail.
    DriverState { Off = "off", Idle = "idle", Asking = "asking", Resting = "resting" }

    /// Why nobody asks a model about a job: none is configured, the tokens of this hour are spent, or the model fails and is left alone.
    HeldUpReason { NoModel = "no_model", BudgetSpent = "budget_spent", ModelFails = "model_fails" }

    /// How a model is asked what is worth keeping: several statements, each citing its lines; or one sentence.
    PromptPreset { Full = "full", Single = "single" }

    /// What an error means to the caller.
    ErrorCode from Code {
        Invalid = "invalid",
        NotFound = "not_found",
        Conflict = "conflict",
        Unavailable = "unavailable",
        Corrupt = "corrupt",
        Denied = "denied",
        Internal = "internal",
    }

    /// What went on without a part of it, or looks wrong. More may come.
    DegradedCode {
        AnsweredElsewhere = "answered_elsewhere",
        AbsentWitness = "absent_witness",
        AudienceUnknown = "audience_unknown",
        BookMissing = "book_missing",
        BooksAsNow = "books_as_now",
        CharactersReplaced = "characters_replaced",
        DatesWithoutZone = "dates_without_zone",
        FileOdd = "file_odd",
        IgnoredFields = "ignored_fields",
        LinesStayDeleted = "lines_stay_deleted",
        LoreIncomplete = "lore_incomplete",
        LoreNotEmbedded = "lore_not_embedded",
        MemoriesNotEmbedded = "memories_not_embedded",
        EmbedderUnavailable = "embedder_unavailable",
        MemoryReadOnly = "memory_read_only",
        MemoryUnavailable = "memory_unavailable",
        NarratorLeftOut = "narrator_left_out",
        ModelsUnavailable = "models_unavailable",
        ReplayedOffPath = "replayed_off_path",
        TickRanBack = "tick_ran_back",
        UnknownCharacter = "unknown_character",
        VectorsUnavailable = "vectors_unavailable",
    }

    /// Where characters were replaced; `body`: before the body was read.
    ReplacedField {
        Body = "body",
        Speaker = "speaker",
        RoleId = "role_id",
        ScriptRoleId = "script_role_id",
        DisplayName = "display_name",
        Content = "content",
        OriginalEmotion = "original_emotion",
        PredictedEmotion = "predicted_emotion",
        TtsContent = "tts_content",
        ActionContent = "action_content",
        AudioFile = "audio_file",
        HostId = "host_id",
        Witnesses = "witnesses",
    }
}
