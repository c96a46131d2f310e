//! What do the settings of recall mean, for a world and for one character in it, and what is refused?

use reverie_core::memory::Kind;
use reverie_core::settings::recall::{KEYS, Position};
use reverie_core::settings::{Pairs, Preset, RecallRules, WorldSettings};
use reverie_core::{CharacterId, Result};

fn resolve(pairs: &[(&str, &str)]) -> Result<WorldSettings> {
    let pairs: Pairs = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    WorldSettings::resolve(Preset::default(), &pairs)
}

fn rules(key: &str, value: &str) -> RecallRules {
    resolve(&[(key, value)]).expect("a legal setting").recall
}

#[test]
fn the_table_tells_the_defaults() {
    let spelled_out: Vec<(&str, &str)> = KEYS.iter().map(|(key, default, _)| (*key, *default)).collect();
    let bare = resolve(&[]).expect("no settings are legal");
    assert_eq!(resolve(&spelled_out).expect("the defaults are legal").recall, bare.recall);
    assert_eq!(bare.recall, RecallRules::default());
}

/// Every key, a value that is not its default, and what then is so.
#[test]
fn every_setting_is_read() {
    type Is = fn(&RecallRules) -> bool;
    let expected: &[(&str, &str, Is)] = &[
        ("recall.enabled", "false", |rules| !rules.enabled),
        ("recall.keyword", "0", |rules| rules.legs.keyword == 0.0),
        ("recall.lexical", "2", |rules| rules.legs.lexical == 2.0),
        ("recall.semantic", "0.25", |rules| rules.legs.semantic == 0.25),
        ("recall.temporal", "1.5", |rules| rules.legs.temporal == 1.5),
        ("recall.emotional", "0.5", |rules| rules.legs.emotional == 0.5),
        ("recall.related", "0", |rules| rules.legs.related == 0.0),
        ("recall.semantic_top", "3", |rules| rules.semantic_top == Some(3)),
        ("recall.semantic_floor", "0.5", |rules| rules.semantic_floor == 0.5),
        ("recall.most.episodic", "7", |rules| rules.of(Kind::Episodic).most == 7),
        ("recall.most.semantic", "0", |rules| rules.of(Kind::Semantic).most == 0),
        ("recall.most.trait", "9", |rules| rules.of(Kind::Trait).most == 9),
        ("recall.most.goal", "1", |rules| rules.of(Kind::Goal).most == 1),
        ("recall.threshold", "0.75", |rules| rules.threshold == 0.75),
        ("recall.weight.episodic", "0.5", |rules| rules.of(Kind::Episodic).weight == 0.5),
        ("recall.weight.semantic", "2", |rules| rules.of(Kind::Semantic).weight == 2.0),
        ("recall.weight.trait", "0", |rules| rules.of(Kind::Trait).weight == 0.0),
        ("recall.weight.goal", "1", |rules| rules.of(Kind::Goal).weight == 1.0),
        ("recall.emotional_weight.episodic", "1", |rules| rules.of(Kind::Episodic).emotional_weight == 1.0),
        ("recall.emotional_weight.semantic", "1", |rules| rules.of(Kind::Semantic).emotional_weight == 1.0),
        ("recall.emotional_weight.trait", "1", |rules| rules.of(Kind::Trait).emotional_weight == 1.0),
        ("recall.emotional_weight.goal", "0", |rules| rules.of(Kind::Goal).emotional_weight == 0.0),
        ("recall.decay.episodic", "0.25", |rules| rules.of(Kind::Episodic).decay == 0.25),
        ("recall.decay.semantic", "0.5", |rules| rules.of(Kind::Semantic).decay == 0.5),
        ("recall.decay.trait", "0", |rules| rules.of(Kind::Trait).decay == 0.0),
        ("recall.decay.goal", "1", |rules| rules.of(Kind::Goal).decay == 1.0),
        ("recall.constant.episodic", "true", |rules| rules.of(Kind::Episodic).constant),
        ("recall.constant.semantic", "true", |rules| rules.of(Kind::Semantic).constant),
        ("recall.constant.trait", "false", |rules| !rules.of(Kind::Trait).constant),
        ("recall.constant.goal", "true", |rules| rules.of(Kind::Goal).constant),
        ("recall.time_decay", "false", |rules| !rules.time_decay),
        ("recall.emotional_boost", "false", |rules| !rules.emotional_boost),
        ("recall.near_duplicate", "1", |rules| rules.near_duplicate.is_none()),
        ("recall.archive", "false", |rules| !rules.archive),
        ("recall.said", "1", |rules| rules.said == 1),
        ("recall.max_chars", "0", |rules| rules.max_chars.is_none()),
        ("recall.max_tokens", "500", |rules| rules.max_tokens == Some(500)),
        ("recall.max_memory_chars", "80", |rules| rules.max_memory_chars == Some(80)),
        ("recall.position", "depth", |rules| rules.position == Position::Depth),
        ("recall.depth", "0", |rules| rules.depth == 0),
        ("recall.by_kind", "false", |rules| !rules.by_kind),
        ("recall.show_time", "true", |rules| rules.show_time),
        ("recall.show_source", "true", |rules| rules.show_source),
        ("recall.template", "{{#each memories}}{{text}}{{/each}}", |rules| rules.template.is_some()),
    ];
    let shown: Vec<&str> = expected.iter().map(|(key, ..)| *key).collect();
    let known: Vec<&str> = KEYS.iter().map(|(key, ..)| *key).collect();
    assert_eq!(shown, known, "each key once, in the table's order");
    for (key, value, is) in expected {
        assert!(is(&rules(key, value)), "{key} = {value}");
        assert!(!is(&RecallRules::default()), "{key} = {value} is the default");
        let own = format!("{key}@钦灵");
        let world = resolve(&[(&own, value)]).expect("a legal setting");
        assert_eq!(world.recall, RecallRules::default(), "{own}");
        assert!(is(world.recall_of(&CharacterId::new("钦灵").expect("an id"))), "{own} = {value}");
    }
}

#[test]
fn a_character_has_its_own_rules() {
    let world = resolve(&[
        ("recall.threshold@钦灵", "0.5"),
        // Behind the first @ everything is the id.
        ("recall.threshold@mei@example", "0.9"),
        ("recall.said@user.42", "2"),
        // Written in two ways, one id.
        ("recall.depth@cafe\u{301}", "7"),
        // Set for the world, whatever stands before it in the alphabet.
        ("recall.weight.goal", "0.1"),
        ("recall.threshold", "0.4"),
    ]);
    let world = world.expect("legal settings");
    let expected: &[(&str, f32, usize, usize)] = &[
        ("钦灵", 0.5, 4, 4),
        ("mei@example", 0.9, 4, 4),
        ("mei", 0.4, 4, 4),
        ("user.42", 0.4, 2, 4),
        ("caf\u{e9}", 0.4, 4, 7),
        ("小明", 0.4, 4, 4),
    ];
    for (name, threshold, said, depth) in expected {
        let rules = world.recall_of(&CharacterId::new(name).expect("an id"));
        assert_eq!((rules.threshold, rules.said, rules.depth), (*threshold, *said, *depth), "{name}");
        assert_eq!(rules.of(Kind::Goal).weight, 0.1, "{name}");
    }
}

/// What is refused, what the error says, and what its hint says.
#[test]
fn what_cannot_be_is_refused() {
    for (key, value, says, hints) in [
        ("recall.treshold", "0.3", "there is no setting \"recall.treshold\"", "recall.threshold"),
        ("recall.most.dreams", "3", "there is no setting \"recall.most.dreams\"", "recall.most.goal"),
        ("recall.size.goal", "3", "there is no setting \"recall.size.goal\"", "recall.most.goal"),
        ("recall.", "3", "there is no setting", "recall.enabled"),
        ("recall", "true", "there is no setting", "recall.*"),
        ("recall.lexical", "2.1", "recall.lexical cannot be \"2.1\"", "from 0 to 2"),
        ("recall.lexical", "-0.1", "recall.lexical cannot be", "from 0 to 2"),
        ("recall.semantic", "NaN", "recall.semantic cannot be", "from 0 to 2"),
        ("recall.threshold", "1.5", "recall.threshold cannot be", "from 0 to 1"),
        ("recall.semantic_top", "3.5", "recall.semantic_top cannot be", "whole number"),
        ("recall.max_chars", "-1", "recall.max_chars cannot be", "whole number"),
        ("recall.enabled", "yes", "recall.enabled cannot be \"yes\"", "true, false"),
        ("recall.position", "top", "recall.position cannot be", "system, user, assistant, depth"),
        ("recall.threshold@钦灵", "much", "recall.threshold@钦灵: recall.threshold cannot be", "from 0 to 1"),
        ("recall.treshold@钦灵", "0.3", "recall.treshold@钦灵: there is no setting", "recall.threshold"),
        ("recall.threshold@", "0.3", "recall.threshold@: a character id must not be empty", ""),
        (
            "recall.template",
            "记忆：\n{{#iff x}}",
            "recall.template: line 2, column 1: there is no tag",
            "{{#if name}}",
        ),
        (
            "recall.template@钦灵",
            "{{text",
            "recall.template@钦灵: recall.template: line 1",
            "close it with }}",
        ),
        ("recall.@钦灵", "0.3", "there is no setting \"recall.\"", "recall.threshold"),
        ("digest.enabled@钦灵", "true", "there is no setting \"digest.enabled@钦灵\"", "digest.*"),
    ] {
        let error = resolve(&[(key, value)]).expect_err(key);
        assert!(error.message().contains(says), "{key} = {value}: {error}");
        assert!(error.hint_text().unwrap_or_default().contains(hints), "{key} = {value}: {error:?}");
    }
}

/// What a world has, what a cue sets for its own prompt, and what then holds for 钦灵 and for 小明.
#[test]
fn a_cue_has_its_own_rules_over_all_others() {
    let world: Pairs =
        [("recall.threshold", "0.4"), ("recall.threshold@钦灵", "0.5"), ("recall.said@钦灵", "9")]
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .into();
    let resolve = |own: &[(&str, &str)]| {
        let own = own.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        WorldSettings::for_one_prompt(Preset::default(), &world, &own)
    };
    type Own<'a> = &'a [(&'a str, &'a str)];
    /// Threshold and lines that are listened to.
    type Rules = (f32, usize);
    let expected: &[(Own<'_>, Rules, Rules)] = &[
        (&[], (0.5, 9), (0.4, 4)),
        (&[("recall.threshold", "0.1")], (0.1, 9), (0.1, 4)),
        (&[("recall.threshold@钦灵", "0.1")], (0.1, 9), (0.4, 4)),
        (&[("recall.threshold", "0.1"), ("recall.threshold@钦灵", "0.2")], (0.2, 9), (0.1, 4)),
        (&[("recall.threshold@小明", "0")], (0.5, 9), (0.0, 4)),
        // As if nobody had set it.
        (&[("recall.threshold", "")], (0.3, 9), (0.3, 4)),
        (&[("recall.threshold@钦灵", "")], (0.4, 9), (0.4, 4)),
        (&[("recall", ""), ("recall.*", "")], (0.3, 4), (0.3, 4)),
        (&[("lore.depth", "7")], (0.5, 9), (0.4, 4)),
    ];
    for (own, of_qin, of_ming) in expected {
        let settings = resolve(own).expect("legal settings");
        for (name, rules) in [("钦灵", of_qin), ("小明", of_ming)] {
            let found = settings.recall_of(&CharacterId::new(name).expect("an id"));
            assert_eq!((found.threshold, found.said), *rules, "{name}, {own:?}");
        }
    }
    assert_eq!(resolve(&[("lore.depth", "7")]).expect("a legal setting").lore.depth, 7);
    for (key, value, says) in [
        ("recall.treshold", "1", "there is no setting \"recall.treshold\""),
        ("nonsense", "1", "there is no setting \"nonsense\""),
        ("recall.threshold", "2", "recall.threshold cannot be \"2\""),
        ("recall.threshold@钦灵", "2", "recall.threshold cannot be \"2\""),
        ("audience", "open", "audience cannot be set for one prompt"),
        ("prompt.budget", "100", "prompt.budget cannot be set for one prompt"),
        ("recalled", "", "recalled cannot be set for one prompt"),
    ] {
        let refused = resolve(&[(key, value)]).expect_err(key);
        assert!(refused.message().contains(says), "{key}: {refused}");
        assert!(refused.hint_text().is_some(), "{key}");
    }
}
