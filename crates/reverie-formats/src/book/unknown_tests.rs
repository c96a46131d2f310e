//! What is told of a book that goes where its fields are not known, and how it comes back.

use serde_json::{Value, json};

use super::*;
use crate::Limits;

fn told(book: &BookDocument) -> Vec<String> {
    book.warnings.iter().map(ToString::to_string).collect()
}

fn book_of(format: Format, entries: &[Value]) -> BookDocument {
    let mut book = new_book(format, "b");
    for (number, source) in entries.iter().enumerate() {
        book.entries.push(BookEntry { id: number.to_string(), slot: None, source: source.clone() });
    }
    book
}

/// What keeps an entry back is told of each, the rest once for each field; what says nothing is not told.
#[test]
fn fields_that_a_format_does_not_know_are_told() {
    use Format::*;
    let secret = json!({"uid": 0, "key": ["雪"], "keysecondary": ["月"], "selectiveLogic": 3, "content": "秘", "probability": 30,
        "sticky": 2, "group": "g", "position": 4, "disable": true,
        "characterFilter": {"isExclude": false, "names": ["Rei"], "tags": []},
        "extensions": {"reverie": {"known_by": ["Rei"], "conditions": [{"fact": "night", "set": true}]}}});
    let plain = json!({"uid": 1, "key": ["a"], "keysecondary": [], "content": "b", "probability": 100, "useProbability": true,
        "selective": true, "group": "", "groupWeight": 50, "sticky": 0, "position": 1, "depth": 2, "role": 1, "disable": false,
        "characterFilter": {"isExclude": true, "names": [], "tags": []}, "caseSensitive": false, "order": 5});
    let lasting = json!({"uid": 2, "key": ["a"], "content": "b", "sticky": 1});
    let book = book_of(SillyTavern, &[secret, plain, lasting]);
    let counted = |format: &str, fields: &[(&str, usize)]| -> Vec<String> {
        let noun = |count: usize| if count == 1 { "entry" } else { "entries" };
        let one = |(field, count): &(&str, usize)| {
            format!(
                "{field}: the tools of the format {format} do not know this (in {count} {})",
                noun(*count)
            )
        };
        fields.iter().map(one).collect()
    };
    let anybody = "this entry may come for anybody and at any time";
    let rest = [("selectiveLogic", 1), ("position", 1), ("probability", 1), ("group", 1), ("sticky", 2)];
    let without_chance: Vec<(&str, usize)> =
        rest.into_iter().filter(|(field, _)| *field != "probability").collect();
    for (to, guards, others) in [
        (Agnai, "keysecondary, characterFilter, conditions, known_by", counted("agnai", &rest)),
        (NovelAi, "keysecondary, characterFilter, conditions, known_by", counted("novelai", &rest)),
        (Risu, "characterFilter, conditions, known_by", {
            let mut others = counted("risu", &without_chance);
            others.insert(
                2,
                "disable: the format risu has no switch; a chance of 0 percent stands for it (in 1 entry)"
                    .to_owned(),
            );
            others
        }),
    ] {
        let name = to.as_str();
        let mut expected =
            vec![format!("entry 0: the tools of the format {name} do not know {guards}: there {anybody}")];
        expected.extend(others);
        assert_eq!(told(&book.to(to)), expected, "{name}");
    }
    for to in [CardV2, CardV3, LorebookV3] {
        let name = to.as_str();
        let only = format!("of the tools of the format {name} only SillyTavern knows");
        let mut expected = vec![
            format!(
                "entry 0: the tools of the format {name} do not know conditions, known_by: there {anybody}"
            ),
            format!("entry 0: {only} characterFilter: with others {anybody}"),
        ];
        let others = rest.iter().map(|(field, count)| {
            format!("{field}: {only} this (in {count} {})", if *count == 1 { "entry" } else { "entries" })
        });
        expected.extend(others);
        assert_eq!(told(&book.to(to)), expected, "{name}");
    }
    assert_eq!(told(&book.to(SillyTavern)), Vec::<String>::new());
}

/// RisuAI's format has no switch.
#[test]
fn a_disabled_entry_has_no_chance_in_risu_and_its_own_at_home() {
    for (chance, own) in
        [(json!({}), 100.0), (json!({"probability": 30}), 30.0), (json!({"probability": 0}), 0.0)]
    {
        let mut source = json!({"uid": 1, "key": ["a"], "content": "b", "disable": true});
        source.as_object_mut().unwrap().extend(chance.as_object().unwrap().clone());
        let book = book_of(Format::SillyTavern, std::slice::from_ref(&source));
        let risu = from_value(write(&book.to(Format::Risu)), Format::Risu, &Limits::default()).unwrap();
        let there = &risu.entries[0].source;
        assert_eq!(there["activationPercent"], 0, "{there}");
        let (read, warnings) = entry(there, Format::Risu);
        assert_eq!((read.disabled, read.probability, warnings), (true, Some(own), vec![]), "{there}");
        assert_eq!(risu.to(Format::SillyTavern).entries[0].source, source, "{there}");
        let edit = |source: &Value, edit: Value| {
            let new = patch_entry(source, Format::Risu, edit.as_object().unwrap()).unwrap();
            let (entry, _) = entry(&new, Format::Risu);
            (new["activationPercent"].clone(), entry.disabled, entry.probability)
        };
        let (percent, disabled, probability) = edit(there, json!({"disable": false}));
        assert_eq!((percent.as_f64().unwrap_or(100.0), disabled, probability), (own, false, Some(own)));
        assert_eq!(edit(there, json!({"probability": 40})), (json!(0), true, Some(40.0)));
        assert_eq!(edit(there, json!({"probability": 40, "disable": false})), (json!(40), false, Some(40.0)));
        // Switched on by its own tool.
        let mut woken = there.clone();
        woken["activationPercent"] = json!(70);
        let (read, _) = entry(&woken, Format::Risu);
        assert_eq!((read.disabled, read.probability), (false, Some(70.0)));
        assert_eq!(edit(&woken, json!({"probability": 20})), (json!(20), false, Some(20.0)));
        assert_eq!(edit(&woken, json!({"disable": true})), (json!(0), true, Some(70.0)));
    }
}
