//! What do the `{{…}}` in keys and contents stand for?

use super::dice::Dice;

/// Whom the macros name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    pub user: String,
    pub char: String,
}

impl Default for Names {
    fn default() -> Self {
        Self { user: "User".to_owned(), char: "Char".to_owned() }
    }
}

pub(super) fn has_macros(text: &str) -> bool {
    text.contains("{{") || names_in_angles(text)
}

fn names_in_angles(text: &str) -> bool {
    text.contains('<') && ["<USER>", "<BOT>", "<CHAR>"].iter().any(|name| contains_ignoring_case(text, name))
}

fn contains_ignoring_case(text: &str, name: &str) -> bool {
    text.as_bytes().windows(name.len()).any(|window| window.eq_ignore_ascii_case(name.as_bytes()))
}

/// What a macro draws from, if nothing is injected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Own {
    /// The next of the dice at hand.
    Next,
    /// The same for a given text and place.
    Fixed(f64),
}

/// Where draws come from; None: there were too many, and the macro stays as it is written.
pub(crate) type Source<'s> = dyn FnMut(Own) -> Option<f64> + 's;

/// Replaces what is known and leaves the rest as it stands. `pick` draws once for a given text and place; the others
/// draw anew each time.
pub(crate) fn expand(text: &str, names: &Names, dice: &mut Dice) -> String {
    expand_drawing(text, names, &mut |own| match own {
        Own::Next => Some(dice.draw()),
        Own::Fixed(draw) => Some(draw),
    })
}

/// As [`expand`], with draws from somewhere else.
pub(crate) fn expand_drawing(text: &str, names: &Names, draw: &mut Source<'_>) -> String {
    if !has_macros(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['{', '<']) {
        let (before, from) = rest.split_at(start);
        out.push_str(before);
        let Some((value, length)) = at(from, text, out.len(), names, draw) else {
            let mut chars = from.chars();
            out.extend(chars.next());
            rest = chars.as_str();
            continue;
        };
        out.push_str(&value);
        rest = from.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The macro that begins here: its value and how long it is written.
fn at(
    from: &str,
    whole: &str,
    place: usize,
    names: &Names,
    draw: &mut Source<'_>,
) -> Option<(String, usize)> {
    for (angle, value) in [("<USER>", &names.user), ("<BOT>", &names.char), ("<CHAR>", &names.char)] {
        if from.get(..angle.len()).is_some_and(|start| start.eq_ignore_ascii_case(angle)) {
            return Some((value.clone(), angle.len()));
        }
    }
    let inside = from.strip_prefix("{{")?;
    let end = end_of_macro(inside)?;
    let inside = inside.get(..end)?;
    Some((value(inside.trim(), whole, place, names, draw)?, end + 4))
}

/// Where `}}` stands. None if another macro begins before it: the inner one goes first. Looks no further than that, so
/// that a text of nothing but braces is read once.
fn end_of_macro(inside: &str) -> Option<usize> {
    let mut pairs = inside.as_bytes().windows(2);
    let end = pairs.position(|pair| pair == b"{{" || pair == b"}}")?;
    inside.get(end..)?.starts_with('}').then_some(end)
}

fn value(inside: &str, whole: &str, place: usize, names: &Names, draw: &mut Source<'_>) -> Option<String> {
    if inside.starts_with("//") {
        return Some(String::new());
    }
    let (name, rest) = match inside.find(':') {
        Some(colon) => inside.split_at(colon),
        None => (inside, ""),
    };
    let name = name.trim().to_ascii_lowercase();
    match (name.as_str(), rest) {
        ("user", "") => Some(names.user.clone()),
        ("char", "") => Some(names.char.clone()),
        ("newline", "") => Some("\n".to_owned()),
        ("noop", "") => Some(String::new()),
        ("random", list) if !list.is_empty() => Some(chosen(list, draw(Own::Next)?)),
        ("pick", list) if !list.is_empty() => {
            let place = place.to_string();
            let own = Dice::for_occasion(&[whole, &place, &names.char]).draw();
            Some(chosen(list, draw(Own::Fixed(own))?))
        }
        ("roll", dice_text) if !dice_text.is_empty() => roll(dice_text, draw),
        _ => None,
    }
}

/// `:a,b,c` or `::a::b::c`.
fn chosen(list: &str, draw: f64) -> String {
    let items: Vec<&str> = match list.strip_prefix("::") {
        Some(list) => list.split("::").collect(),
        None => list.trim_start_matches(':').split(',').map(str::trim).collect(),
    };
    let index = (draw * items.len() as f64) as usize;
    items.get(index.min(items.len().saturating_sub(1))).map(|item| (*item).to_owned()).unwrap_or_default()
}

/// `:20`, `:d20`, `:3d6` or `:3d6+2`.
fn roll(text: &str, draw: &mut Source<'_>) -> Option<String> {
    let text = text.trim_start_matches(':').trim().to_ascii_lowercase();
    let (throws, bonus) = match text.find(['+', '-']) {
        Some(sign) => (text.get(..sign)?, text.get(sign..)?.trim_start_matches('+').parse::<i64>().ok()?),
        None => (text.as_str(), 0),
    };
    let (count, sides) = throws.split_once('d').unwrap_or(("1", throws));
    let count: u32 = if count.is_empty() { 1 } else { count.trim().parse().ok()? };
    let sides: u32 = sides.trim().parse().ok().filter(|sides| *sides > 0)?;
    if count > 1000 {
        return None;
    }
    let mut throw = |_| Some(((draw(Own::Next)? * f64::from(sides)) as i64).min(i64::from(sides) - 1) + 1);
    let sum: i64 = (0..count).map(&mut throw).sum::<Option<i64>>()?;
    Some((sum + bonus).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_stand_for_something() {
        let names = Names { user: "小明".to_owned(), char: "若兰".to_owned() };
        for (text, expected) in [
            ("{{char}}和{{ USER }}", "若兰和小明"),
            ("<user>见<BOT>", "小明见若兰"),
            ("a{{// a note }}b", "ab"),
            ("{{roll:1}}", "1"),
            ("{{roll:3d1+2}}", "5"),
            ("{{random:x}}{{random::y}}", "xy"),
            ("{{unknown}} {{", "{{unknown}} {{"),
            ("{{pick::{{char}}::{{char}}}}", "{{pick::若兰::若兰}}"),
            ("a < b { c", "a < b { c"),
        ] {
            assert_eq!(expand(text, &names, &mut Dice::new(1)), expected, "{text}");
        }
    }

    #[test]
    fn injected_draws_decide_everything() {
        let mut given = [0.0, 0.99, 1.0, 0.5, 0.25].into_iter();
        let text = "{{random:a,b}} {{pick:a,b}} {{roll:d20}} {{roll:2d6}} {{random:a,b}}";
        let said = expand_drawing(text, &Names::default(), &mut |_| given.next());
        assert_eq!(said, "a b 20 6 {{random:a,b}}");
    }

    #[test]
    fn a_pick_stays_and_a_random_choice_does_not() {
        let names = Names::default();
        let mut dice = Dice::new(7);
        let list = "::a::b::c::d::e::f";
        let mut picks = std::collections::BTreeSet::new();
        let mut choices = std::collections::BTreeSet::new();
        for _ in 0..50 {
            picks.insert(expand(&format!("{{{{pick{list}}}}}"), &names, &mut dice));
            choices.insert(expand(&format!("{{{{random{list}}}}}"), &names, &mut dice));
        }
        assert_eq!(picks.len(), 1);
        assert_eq!(choices.len(), 6);
    }
}
