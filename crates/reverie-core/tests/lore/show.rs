//! What came of a search, in words.

use reverie_core::lore::entry::{Logic, Position};
use reverie_core::lore::place::Slot;
use reverie_core::lore::why::{By, Contest, Outcome};
use reverie_core::lore::{Active, Origin};
use reverie_core::perspective::Role;

/// `before: harbour, tower`
pub(crate) fn slot(slot: &Slot<'_>) -> String {
    let place = match slot.position {
        Position::BeforeCharacter => "before".to_owned(),
        Position::AfterCharacter => "after".to_owned(),
        Position::NoteTop => "note top".to_owned(),
        Position::NoteBottom => "note bottom".to_owned(),
        Position::ExamplesTop => "examples top".to_owned(),
        Position::ExamplesBottom => "examples bottom".to_owned(),
        Position::AtDepth => {
            format!("{} {}", slot.depth.expect("a depth"), role(slot.role.expect("a role at depth")))
        }
        Position::Outlet => format!("outlet {}", slot.outlet.expect("an outlet has a name")),
    };
    format!("{place}: {}", ids(slot.entries.iter().copied()))
}

pub(crate) fn ids<'a>(entries: impl Iterator<Item = &'a Active>) -> String {
    entries.map(|active| &*active.entry).collect::<Vec<&str>>().join(", ")
}

fn role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

pub(crate) fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Active(by) => self::by(by),
        Outcome::Disabled => "disabled".to_owned(),
        Outcome::OtherGeneration => "other generation".to_owned(),
        Outcome::Filtered => "filtered".to_owned(),
        Outcome::OverPromptBudget { .. } => "over the prompt's budget".to_owned(),
        Outcome::NotKnownByCharacter => "not known to them".to_owned(),
        Outcome::Condition(fact) => format!("condition {fact}"),
        Outcome::Delayed { missing } => format!("delayed, {missing} missing"),
        Outcome::NotThisTime { every } => format!("every {every}"),
        Outcome::CoolingDown { left } => format!("cooling down, {left} left"),
        Outcome::Spent => "spent".to_owned(),
        Outcome::WaitsForRecursion { level } => format!("waits for recursion {level}"),
        Outcome::ExcludedFromRecursion => "excluded from recursion".to_owned(),
        Outcome::Forbidden => "forbidden".to_owned(),
        Outcome::NoKeys => "no keys".to_owned(),
        Outcome::NoKeyFound => "no key found".to_owned(),
        Outcome::NotSearched { key } => format!("not searched for {key}"),
        Outcome::NotReached { stop, by } => format!("not reached ({stop:?}): {}", self::by(by)),
        Outcome::Secondary { key, logic, found } => {
            let logic = match logic {
                Logic::AndAny => "any",
                Logic::NotAll => "not all",
                Logic::NotAny => "not any",
                Logic::AndAll => "all",
            };
            format!("{key}, but {logic} of ({})", found.join(", "))
        }
        Outcome::ExcludedBy { key, by } => format!("{key}, but also {by}"),
        Outcome::LostGroup { group, how } => format!("group {group}: {}", contest(how)),
        Outcome::Unlucky { roll, chance } => format!("rolled {roll:.0} of {chance}"),
        Outcome::OverBudget { needed, budget } => format!("needs {needed} of {budget}"),
    }
}

fn contest(contest: &Contest) -> String {
    match contest {
        Contest::Taken => "taken".to_owned(),
        Contest::Sticky => "another stays".to_owned(),
        Contest::Score { own, best } => format!("{own} keys to {best}"),
        Contest::Override { winner } => format!("{winner} is preferred"),
        Contest::Draw { winner, roll, total } => format!("{winner} drawn, {roll:.0} of {total}"),
    }
}

fn by(by: &By) -> String {
    match by {
        By::Constant => "constant".to_owned(),
        By::Sticky => "sticky".to_owned(),
        By::Order => "order".to_owned(),
        By::Key { key, origin, secondary } => {
            let with =
                if secondary.is_empty() { String::new() } else { format!(" with {}", secondary.join(", ")) };
            format!("{key} in {}{with}", self::origin(*origin))
        }
        By::Similarity(score) => format!("similar {score}"),
        By::Time(near) => format!("near {near:.2}"),
        By::Topic(topic) => format!("topic {topic}"),
        By::Mood(mood) => format!("mood {mood}"),
    }
}

fn origin(origin: Origin) -> String {
    match origin {
        Origin::Message(index) => format!("message {index}"),
        Origin::Persona => "persona".to_owned(),
        Origin::Character => "character".to_owned(),
        Origin::Personality => "personality".to_owned(),
        Origin::DepthPrompt => "depth prompt".to_owned(),
        Origin::Scenario => "scenario".to_owned(),
        Origin::CreatorNotes => "creator notes".to_owned(),
        Origin::Several => "several".to_owned(),
        Origin::Entry { pass, .. } => format!("entry of pass {pass}"),
    }
}
