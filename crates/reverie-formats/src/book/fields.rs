//! Where does each format keep what an entry says?
//!
//! The common names are SillyTavern's; a table per format says where a value lies there and how it is spelled. A field
//! that a format has no place for lies under `extensions.reverie`, which all tools hand on unread.

use std::sync::LazyLock;

use super::Format;

/// Where one field lies in one format.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) field: &'static str,
    pub(super) path: &'static [&'static str],
    pub(super) spelling: Spelling,
    pub(super) writing: Writing,
}

/// How the value is spelled there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    Plain,
    /// The opposite truth value.
    Not,
    /// A list as one text with commas.
    Commas,
    /// Only `before_char` and `after_char`.
    Side,
    /// `use_regex` of a card: SillyTavern sets it on every entry that it writes and means nothing by it.
    Pattern,
}

/// Whether a change goes there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Writing {
    Always,
    /// Only if something is there already: another tool's name for the same thing.
    IfPresent,
    /// It means something of its own, and only stands in.
    Never,
}

/// All fields of a format: the name, and its places in the order in which they are looked at.
pub(super) type Table = Vec<(&'static str, Vec<Place>)>;

/// Of an entry.
pub(super) fn entry_table(format: Format) -> &'static Table {
    static TABLES: LazyLock<[Table; 5]> = LazyLock::new(|| {
        [SILLYTAVERN, CARD, RISU, AGNAI, NOVELAI].map(|rows| table(rows, ENTRY_ELSEWHERE, ALIASES))
    });
    let [sillytavern, card, risu, agnai, novelai] = &*TABLES;
    match format {
        Format::SillyTavern => sillytavern,
        Format::CardV2 | Format::CardV3 | Format::LorebookV3 => card,
        Format::Risu => risu,
        Format::Agnai => agnai,
        Format::NovelAi => novelai,
    }
}

/// Of the book around the entries.
pub(super) fn book_table(format: Format) -> &'static Table {
    static TABLES: LazyLock<[Table; 4]> = LazyLock::new(|| {
        [
            table(BOOK, BOOK_ELSEWHERE, &[]),
            table(BOOK_IN_DATA, BOOK_ELSEWHERE, &[]),
            table(BOOK_AGNAI, BOOK_ELSEWHERE, &[]),
            table(&[], BOOK_ELSEWHERE, &[]),
        ]
    });
    let [plain, in_data, agnai, none] = &*TABLES;
    match format {
        Format::SillyTavern | Format::CardV2 | Format::CardV3 => plain,
        Format::LorebookV3 => in_data,
        Format::Agnai => agnai,
        Format::Risu | Format::NovelAi => none,
    }
}

/// The field that somebody means by a name, and how its value is spelled under it: the common names, those that hosts use,
/// and what the format's own tool or a card calls it.
pub(super) fn named(format: Format, name: &str) -> Option<(&'static str, Spelling)> {
    let common =
        ENTRY_ELSEWHERE.iter().find(|place| place.field == name).map(|place| (place.field, Spelling::Plain));
    let alias =
        || ALIASES.iter().find(|alias| alias.path == [name]).map(|alias| (alias.field, alias.spelling));
    let is_called = |place: &&Place| place.writing != Writing::Never && place.path.last() == Some(&name);
    let own = || entry_table(format).iter().flat_map(|(_, places)| places).find(is_called);
    let of_cards = || CARD.iter().find(is_called);
    common.or_else(alias).or_else(|| own().or_else(of_cards).map(|place| (place.field, place.spelling)))
}

fn table(rows: &[Place], elsewhere: &[Place], aliases: &[Place]) -> Table {
    let all = elsewhere.iter().map(|fallback| {
        let mut places: Vec<Place> = rows.iter().filter(|row| row.field == fallback.field).copied().collect();
        if !places.iter().any(|place| place.writing == Writing::Always) {
            places.insert(0, *fallback);
        }
        let is_new = |alias: &&Place| !rows.iter().any(|row| row.path == alias.path);
        places.extend(aliases.iter().filter(|alias| alias.field == fallback.field).filter(is_new));
        (fallback.field, places)
    });
    all.collect()
}

const fn at(field: &'static str, path: &'static [&'static str]) -> Place {
    Place { field, path, spelling: Spelling::Plain, writing: Writing::Always }
}

const fn also(field: &'static str, path: &'static [&'static str]) -> Place {
    Place { field, path, spelling: Spelling::Plain, writing: Writing::IfPresent }
}

const fn stands_in(field: &'static str, path: &'static [&'static str]) -> Place {
    Place { field, path, spelling: Spelling::Plain, writing: Writing::Never }
}

const fn spelled(place: Place, spelling: Spelling) -> Place {
    Place { spelling, ..place }
}

macro_rules! fields {
    (native: [$($native:literal),* $(,)?], own: [$($own:literal),* $(,)?]) => {
        /// Every field, where it lies in a format that does not know it.
        const ENTRY_ELSEWHERE: &[Place] = &[
            $(at($native, &["extensions", "reverie", $native]),)*
            $(at($own, &["extensions", "reverie", $own]),)*
        ];
        const SILLYTAVERN: &[Place] = &[
            $(at($native, &[$native]),)*
            spelled(also("disable", &["enabled"]), Spelling::Not),
            also("key", &["keys"]),
            also("keysecondary", &["secondary_keys"]),
            also("order", &["insertion_order"]),
        ];
    };
}

fields! {
    native: [
        "uid", "key", "keysecondary", "comment", "content", "constant", "vectorized", "selective", "selectiveLogic",
        "order", "position", "role", "depth", "disable", "excludeRecursion", "preventRecursion", "delayUntilRecursion",
        "probability", "useProbability", "group", "groupOverride", "groupWeight", "useGroupScoring", "scanDepth",
        "caseSensitive", "matchWholeWords", "sticky", "cooldown", "delay", "characterFilter", "automationId",
        "ignoreBudget", "outletName", "triggers", "matchPersonaDescription", "matchCharacterDescription",
        "matchCharacterPersonality", "matchCharacterDepthPrompt", "matchScenario", "matchCreatorNotes", "displayIndex",
        "addMemo",
    ],
    own: [
        "use_regex", "trigger", "priority", "relevance_weight", "emotional_weight", "time_decay", "tick", "topics",
        "emotions", "conditions", "known_by",
    ]
}

/// Names that hosts of ours use at the head of an entry, in whatever format.
const ALIASES: &[Place] = &[
    also("uid", &["id"]),
    also("key", &["keywords"]),
    also("constant", &["isConstant"]),
    also("trigger", &["triggerType"]),
    also("trigger", &["trigger"]),
    also("priority", &["priority"]),
    also("relevance_weight", &["relevanceWeight"]),
    also("relevance_weight", &["relevance_weight"]),
    also("emotional_weight", &["emotionalWeight"]),
    also("emotional_weight", &["emotional_weight"]),
    also("time_decay", &["timeDecayFactor"]),
    also("time_decay", &["time_decay"]),
    also("tick", &["tick"]),
    also("topics", &["relatedTopics"]),
    also("topics", &["topics"]),
    also("emotions", &["emotionalContext"]),
    also("emotions", &["emotions"]),
    also("conditions", &["conditions"]),
    also("known_by", &["known_by"]),
    also("use_regex", &["use_regex"]),
];

const CARD: &[Place] = &[
    at("uid", &["id"]),
    at("key", &["keys"]),
    at("keysecondary", &["secondary_keys"]),
    at("comment", &["comment"]),
    stands_in("comment", &["name"]),
    at("content", &["content"]),
    at("constant", &["constant"]),
    at("selective", &["selective"]),
    at("order", &["insertion_order"]),
    spelled(at("disable", &["enabled"]), Spelling::Not),
    at("priority", &["priority"]),
    at("use_regex", &["extensions", "reverie", "use_regex"]),
    spelled(at("use_regex", &["use_regex"]), Spelling::Pattern),
    at("position", &["extensions", "position"]),
    spelled(at("position", &["position"]), Spelling::Side),
    at("caseSensitive", &["extensions", "case_sensitive"]),
    also("caseSensitive", &["case_sensitive"]),
    at("vectorized", &["extensions", "vectorized"]),
    at("selectiveLogic", &["extensions", "selectiveLogic"]),
    at("role", &["extensions", "role"]),
    at("depth", &["extensions", "depth"]),
    at("excludeRecursion", &["extensions", "exclude_recursion"]),
    at("preventRecursion", &["extensions", "prevent_recursion"]),
    at("delayUntilRecursion", &["extensions", "delay_until_recursion"]),
    at("probability", &["extensions", "probability"]),
    at("useProbability", &["extensions", "useProbability"]),
    at("group", &["extensions", "group"]),
    at("groupOverride", &["extensions", "group_override"]),
    at("groupWeight", &["extensions", "group_weight"]),
    at("useGroupScoring", &["extensions", "use_group_scoring"]),
    at("scanDepth", &["extensions", "scan_depth"]),
    at("matchWholeWords", &["extensions", "match_whole_words"]),
    at("sticky", &["extensions", "sticky"]),
    at("cooldown", &["extensions", "cooldown"]),
    at("delay", &["extensions", "delay"]),
    at("characterFilter", &["extensions", "character_filter"]),
    at("automationId", &["extensions", "automation_id"]),
    at("ignoreBudget", &["extensions", "ignore_budget"]),
    at("outletName", &["extensions", "outlet_name"]),
    at("triggers", &["extensions", "triggers"]),
    at("matchPersonaDescription", &["extensions", "match_persona_description"]),
    at("matchCharacterDescription", &["extensions", "match_character_description"]),
    at("matchCharacterPersonality", &["extensions", "match_character_personality"]),
    at("matchCharacterDepthPrompt", &["extensions", "match_character_depth_prompt"]),
    at("matchScenario", &["extensions", "match_scenario"]),
    at("matchCreatorNotes", &["extensions", "match_creator_notes"]),
    at("displayIndex", &["extensions", "display_index"]),
];

const RISU: &[Place] = &[
    at("uid", &["id"]),
    spelled(at("key", &["key"]), Spelling::Commas),
    spelled(at("keysecondary", &["secondkey"]), Spelling::Commas),
    at("comment", &["comment"]),
    at("content", &["content"]),
    at("constant", &["alwaysActive"]),
    at("selective", &["selective"]),
    at("order", &["insertorder"]),
    at("probability", &["activationPercent"]),
    also("use_regex", &["extensions", "reverie", "use_regex"]),
    at("use_regex", &["useRegex"]),
    // Its spelling of the word.
    at("caseSensitive", &["extentions", "risu_case_sensitive"]),
];

const AGNAI: &[Place] = &[
    at("uid", &["id"]),
    at("key", &["keywords"]),
    at("keysecondary", &["secondaryKeys"]),
    at("comment", &["name"]),
    stands_in("comment", &["comment"]),
    at("content", &["entry"]),
    at("constant", &["constant"]),
    at("selective", &["selective"]),
    at("order", &["weight"]),
    at("priority", &["priority"]),
    at("position", &["extensions", "reverie", "position"]),
    spelled(also("position", &["position"]), Spelling::Side),
    spelled(at("disable", &["enabled"]), Spelling::Not),
];

const NOVELAI: &[Place] = &[
    at("uid", &["id"]),
    at("key", &["keys"]),
    at("comment", &["displayName"]),
    at("content", &["text"]),
    at("constant", &["forceActivation"]),
    at("order", &["contextConfig", "budgetPriority"]),
    spelled(at("disable", &["enabled"]), Spelling::Not),
];

const BOOK: &[Place] = &[
    at("name", &["name"]),
    at("description", &["description"]),
    at("scan_depth", &["scan_depth"]),
    at("token_budget", &["token_budget"]),
    at("recursive_scanning", &["recursive_scanning"]),
];

const BOOK_IN_DATA: &[Place] = &[
    at("name", &["data", "name"]),
    at("description", &["data", "description"]),
    at("scan_depth", &["data", "scan_depth"]),
    at("token_budget", &["data", "token_budget"]),
    at("recursive_scanning", &["data", "recursive_scanning"]),
];

const BOOK_AGNAI: &[Place] = &[
    at("name", &["name"]),
    at("description", &["description"]),
    at("scan_depth", &["scanDepth"]),
    at("token_budget", &["tokenBudget"]),
    at("recursive_scanning", &["recursiveScanning"]),
];

const BOOK_ELSEWHERE: &[Place] = &[
    at("name", &["extensions", "reverie", "name"]),
    at("description", &["extensions", "reverie", "description"]),
    at("scan_depth", &["extensions", "reverie", "scan_depth"]),
    at("token_budget", &["extensions", "reverie", "token_budget"]),
    at("recursive_scanning", &["extensions", "reverie", "recursive_scanning"]),
];
