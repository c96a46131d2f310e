//! What came of a search, in words.

use reverie_core::lore::entry::{Condition, Logic, Position, Test};
use reverie_core::lore::nature::NEAR;
use reverie_core::lore::place::Slot;
use reverie_core::lore::why::{
    By, Contest, FilteredBy, Missed, Outcome, Present, Unlike, Unmeasured, Untimely, Verdict,
};
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

/// What came of an entry, its roll if there was one, and what besides keys was missing: `no keys; mood joy, is grief`
pub(crate) fn verdict(verdict: &Verdict) -> String {
    let roll = verdict.roll.map(|roll| format!("rolled {:.0} of {}", roll.roll, roll.chance));
    let missed = verdict.missed.iter().map(missed);
    // A lost roll says enough.
    let outcome = (verdict.outcome != Outcome::Unlucky).then(|| outcome(&verdict.outcome));
    let said: Vec<String> = outcome.into_iter().chain(roll).chain(missed).collect();
    said.join("; ")
}

/// The character at which a key was found.
pub(crate) fn at(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Active(By::Key { at: Some(at), .. }) => at.to_string(),
        _ => "nowhere".to_owned(),
    }
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Active(by) => self::by(by),
        Outcome::Disabled { with: None } => "disabled".to_owned(),
        Outcome::Disabled { with: Some(part) } => format!("disabled with {part}"),
        Outcome::OtherGeneration { wanted, present } => {
            format!("for {}, is {present}", wanted.join(", "))
        }
        Outcome::Filtered(filtered) => {
            let by = match filtered.by {
                FilteredBy::Name => "name",
                FilteredBy::Tag => "tag",
            };
            let not = if filtered.exclude { "not " } else { "" };
            format!(
                "filtered by {by}, {not}for {}, is {}",
                filtered.named.join(", "),
                present(&filtered.present)
            )
        }
        Outcome::OverPromptBudget { .. } => "over the prompt's budget".to_owned(),
        Outcome::NotKnownByCharacter { known_by, present } => {
            format!("known to {}, is {}", known_by.join(", "), self::present(present))
        }
        Outcome::Condition(broken) => {
            let present = match broken.present.some.is_empty() {
                true => "not given".to_owned(),
                false => present(&broken.present),
            };
            format!("{}, is {present}", condition(&broken.condition))
        }
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
        Outcome::Unlucky => "unlucky".to_owned(),
        Outcome::OverBudget { needed, budget } => format!("needs {needed} of {budget}"),
    }
}

fn present(present: &Present) -> String {
    let some: Vec<&str> = present.some.iter().map(|one| visible(one)).collect();
    match (some.is_empty(), present.more) {
        (true, _) => "nothing".to_owned(),
        (false, 0) => some.join(", "),
        (false, more) => format!("{} and {more} more", some.join(", ")),
    }
}

fn visible(text: &str) -> &str {
    if text.is_empty() { "empty" } else { text }
}

fn condition(condition: &Condition) -> String {
    let test = match &condition.test {
        Test::Is(values) => format!("is {}", values.join("/")),
        Test::IsNot(values) => format!("is not {}", values.join("/")),
        Test::Set => "set".to_owned(),
        Test::NotSet => "not set".to_owned(),
        Test::AtLeast(least) => format!("at least {least}"),
        Test::AtMost(most) => format!("at most {most}"),
        Test::Unreadable(why) => format!("cannot be read: {why}"),
    };
    format!("{} {test}", condition.fact)
}

fn missed(missed: &Missed) -> String {
    let weak = |strength: &Option<f64>| {
        strength.map_or_else(String::new, |strength| format!(", {strength:.2} of {NEAR}"))
    };
    match missed {
        Missed::Meaning(Unlike::Below { similarity, weight, threshold }) if *weight == 1.0 => {
            format!("similar {similarity} of {threshold}")
        }
        Missed::Meaning(Unlike::Below { similarity, weight, threshold }) => {
            format!("similar {similarity} times {weight:.2} of {threshold}")
        }
        Missed::Meaning(Unlike::Behind { likeness, nearest }) => {
            format!("similar {likeness}, behind {nearest}")
        }
        Missed::Meaning(Unlike::Unmeasured(why)) => match why {
            Unmeasured::NotNamed => "similarity not named".to_owned(),
            other => format!("similarity {other:?}"),
        },
        Missed::Time(Untimely::Far { then, now, days, near }) => {
            format!("tick {then}, is {now}, {days:.1} days, {near:.2} of {NEAR}")
        }
        Missed::Time(Untimely::EntryHasNoTick) => "no tick".to_owned(),
        Missed::Time(Untimely::NobodySaysWhenItIs) => "no time".to_owned(),
        Missed::Time(Untimely::NoCalendar) => "no calendar".to_owned(),
        Missed::Mood { wanted, present, strength } => {
            format!("mood {}, is {}{}", wanted.join(", "), self::present(present), weak(strength))
        }
        Missed::Topic { wanted, named, strength } => {
            format!("topic {}, is {}{}", wanted.join(", "), self::present(named), weak(strength))
        }
    }
}

fn contest(contest: &Contest) -> String {
    match contest {
        Contest::Taken { by } => format!("taken by {by}"),
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
        By::Key { key, origin, secondary, .. } => {
            let with =
                if secondary.is_empty() { String::new() } else { format!(" with {}", secondary.join(", ")) };
            format!("{key} in {}{with}", self::origin(origin))
        }
        By::Similarity(score) => format!("similar {score}"),
        By::Time(near) => format!("near {near:.2}"),
        By::Topic(topic) => format!("topic {topic}"),
        By::Mood(mood) => format!("mood {mood}"),
    }
}

fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Message(index) => format!("message {index}"),
        Origin::Persona => "persona".to_owned(),
        Origin::Character => "character".to_owned(),
        Origin::Personality => "personality".to_owned(),
        Origin::DepthPrompt => "depth prompt".to_owned(),
        Origin::Scenario => "scenario".to_owned(),
        Origin::CreatorNotes => "creator notes".to_owned(),
        Origin::Several => "several".to_owned(),
        Origin::Entry(found) => match &*found.book {
            "book" => format!("{} of pass {}", found.entry, found.pass),
            other => format!("{other}/{} of pass {}", found.entry, found.pass),
        },
    }
}
