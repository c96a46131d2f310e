//! Worlds: presets, settings, revisions, and the walls between them.

use reverie_core::conversation::HeadTarget;
use reverie_core::memories::Effect;
use reverie_core::settings::{Audience, Preset, WorldSettings};
use reverie_core::store::{Counts, Erase, Select};
use reverie_core::world::WorldPatch;
use reverie_core::{Code, Store, WorldId};

use super::stage::{Stage, check_code, shown};

pub fn a_world_is_created_once(store: &dyn Store) {
    let id = WorldId::new("存档 1").unwrap();
    let (world, created) = store.put_world(&id, &WorldPatch::default(), 42).unwrap();
    assert!(created);
    assert_eq!((world.preset, world.revision, world.created_ms), (Preset::Companion, 1, 42));
    assert_eq!((world.time, world.forked_from.clone()), (None, None));
    let (again, created) = store.put_world(&id, &WorldPatch::default(), 99).unwrap();
    assert!(!created);
    assert_eq!(again, world);
}

pub fn presets_choose_defaults(store: &dyn Store) {
    for (preset, audience) in
        [(Preset::Companion, Audience::Open), (Preset::Game, Audience::Open), (Preset::Bot, Audience::Strict)]
    {
        let stage = Stage::named(store, preset.as_str(), preset);
        let world = stage.view();
        assert_eq!(world.preset, preset);
        assert_eq!(WorldSettings::resolve(world.preset, &world.settings).unwrap().audience, audience);
    }
}

pub fn settings_are_patched_and_checked(store: &dyn Store) {
    let stage = Stage::new(store);
    stage.put("language", "en");
    stage.put("prompt.budget", "2000");
    assert_eq!(stage.view().settings.len(), 2);
    stage.put("language", "");
    assert_eq!(stage.view().settings, [("prompt.budget".to_owned(), "2000".to_owned())].into());
    for (key, value) in [("prompt.budget", "many"), ("no.such.key", "1"), ("audience", "loud")] {
        let patch = WorldPatch { preset: None, settings: [(key.to_owned(), value.to_owned())].into() };
        check_code(store.put_world(&stage.world, &patch, 1), Code::Invalid);
        check_code(store.put_world(&WorldId::new("neu").unwrap(), &patch, 1), Code::Invalid);
    }
    assert_eq!(stage.view().settings.len(), 1);
    assert_eq!(store.worlds(&Select::default()).unwrap().len(), 1);
}

pub fn worlds_are_listed_in_pages(store: &dyn Store) {
    for id in ["b", "世界", "a", "ワールド"] {
        Stage::named(store, id, Preset::Game);
    }
    let page = |after: Option<&str>, limit| {
        let worlds = store.worlds(&Select::Page { after: after.map(Into::into), limit }).unwrap();
        worlds.iter().map(|world| world.id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(page(None, 3), ["a", "b", "ワールド"]);
    assert_eq!(page(Some("ワールド"), 3), ["世界"]);
    assert_eq!(page(Some("世界"), 3), [""; 0]);
    assert_eq!(store.worlds(&Select::One("c".to_owned())).unwrap(), []);
}

pub fn nothing_crosses_worlds(store: &dyn Store) {
    let (one, two) =
        (Stage::named(store, "one", Preset::Companion), Stage::named(store, "two", Preset::Companion));
    let (room, other) = (one.set(&["甲", "乙"]), two.set(&["甲", "乙"]));
    let line = one.say(&room, "甲: 秘密");
    assert_eq!(two.path(&other), "");
    assert_eq!(shown(&two.history(&["甲", "乙"], None).primary), "");
    assert_eq!((one.view().revision, two.view().revision), (3, 2));
    check_code(two.store.erase(&two.world, &Erase::Line(line)), Code::NotFound);
    assert_eq!(two.say(&other, "乙: 我们的第一句"), line, "each world counts for itself");
    two.erase(Erase::World);
    assert_eq!(one.path(&room), "甲: 秘密");
}

pub fn what_is_there_is_counted(store: &dyn Store) {
    let (stage, other) = (Stage::new(store), Stage::named(store, "other", Preset::Game));
    other.say(&other.set(&["甲", "丙"]), "甲: 别处");
    let room = stage.scene("酒馆", &["甲", "乙"]);
    let first = stage.say(&room, "甲: 一");
    stage.say(&room, "乙: 二");
    let open = stage.begin(&room);
    stage.say_in(&room, open, "甲: 三");
    let none = Counts { characters: 2, conversations: 1, lines: 3, open_rounds: 1, ..Counts::default() };
    assert_eq!(store.counts(&stage.world).unwrap(), none);
    stage.complete(open);
    let remembered = stage.memory("甲说了一", &[], &["甲", "乙"]);
    stage.commit(Vec::new(), vec![Effect::Remember(remembered), Effect::Digested(open)]).unwrap();
    let some = Counts { open_rounds: 0, digested_rounds: 1, memories: 1, ..none };
    assert_eq!(store.counts(&stage.world).unwrap(), some);
    stage.erase(Erase::Line(first));
    assert_eq!(store.counts(&stage.world).unwrap().lines, 2);
    stage.head(&room, HeadTarget::Back(1));
    assert_eq!(store.counts(&stage.world).unwrap().lines, 1, "what was taken back is on no path");
    check_code(store.counts(&WorldId::new("nowhere").unwrap()), Code::NotFound);
}

pub fn every_change_is_a_revision(store: &dyn Store) {
    let stage = Stage::new(store);
    let mut last = stage.view().revision;
    let mut step = |what: &str, by: u64| {
        let now = stage.view().revision;
        assert_eq!(now - last, by, "{what}");
        last = now;
    };
    let room = stage.scene("酒馆", &["甲"]);
    step("opened", 1);
    stage.scene("酒馆", &["甲"]);
    step("found again", 0);
    stage.scene("酒馆", &["甲", "乙"]);
    step("found again, with somebody more there", 1);
    let line = stage.say(&room, "乙: 一\n丙: 二");
    step("one batch", 1);
    stage.present(&room, &["甲"]);
    step("left", 1);
    stage.present(&room, &["甲", "旁白"]);
    step("the same people, and a narrator who is new", 1);
    stage.edit(line, "三");
    step("edited", 1);
    stage.edit(line, "三");
    step("edited into the same", 0);
    stage.save("s");
    step("a checkpoint names a revision", 0);
    stage.load("s");
    step("restored", 1);
    stage.put("language", "en");
    step("settings", 1);
    stage.card("甲", Default::default());
    step("nothing about somebody known", 0);
    stage.card("丁", Default::default());
    step("somebody new", 1);
    stage.erase(Erase::Line(line));
    step("deleted", 1);
}

pub fn an_erased_world_is_gone(store: &dyn Store) {
    let stage = Stage::new(store);
    let room = stage.set(&["甲", "乙"]);
    stage.say(&room, "甲: 你好");
    stage.save("s");
    stage.erase(Erase::World);
    check_code(store.erase(&stage.world, &Erase::World), Code::NotFound);
    check_code(store.conversations(&stage.world, &Select::default()), Code::NotFound);
    let anew = Stage::new(store);
    assert_eq!(anew.names(), "");
    assert_eq!(anew.path(&anew.set(&["甲", "乙"])), "");
}
