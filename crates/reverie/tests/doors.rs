//! Does a program that links the library get the same treatment as one that speaks HTTP?

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use reverie::character::{CharacterPatch, Named, Namespace};
use reverie::conversation::{ExpectedHead, LinesQuery, OpenConversation, WhichLines};
use reverie::history::HistoryQuery;
use reverie::line::NewLine;
use reverie::memory::Kind;
use reverie::store::LinePatch;
use reverie::world::WorldPatch;
use reverie::{
    Attribute, CharacterId, Code, Conversation, Error, Limits, LineId, Memory, MemoryPatch, Record, Remember,
    Result, Who, WorldId,
};
use tempfile::TempDir;

struct Program {
    engine: Memory,
    world: WorldId,
    scene: Conversation,
    line: LineId,
    _folder: TempDir,
}

impl Program {
    /// A world with a scene of two, and one line in it.
    fn new(limits: Limits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = format!("sqlite:{}", folder.path().join("memory.db").display());
        let engine = reverie::open_with(&address, limits).unwrap();
        let world = WorldId::new("w").unwrap();
        engine.put_world(&world, WorldPatch::default()).unwrap();
        let open = OpenConversation {
            name: Some("酒馆".to_owned()),
            participants: vec![id("a"), id("b")],
            ..Default::default()
        };
        let scene = engine.open_conversation(&world, open).unwrap().value;
        let record = Record { lines: vec![said("你好")], ..Default::default() };
        let line = engine.record(&world, &scene.id, record).unwrap().appended.head.unwrap();
        Self { engine, world, scene, line, _folder: folder }
    }
}

fn id(text: &str) -> Who {
    Who::Id(CharacterId::new(text).unwrap())
}

fn named(role_id: &str, display_name: &str) -> Who {
    Who::Named(Named {
        role_id: Some(role_id.to_owned()),
        script_role_id: None,
        display_name: Some(display_name.to_owned()),
    })
}

fn said(content: &str) -> NewLine {
    NewLine::new(Attribute::User, Some(id("a")), content)
}

/// What XML cannot carry is replaced and counted, at every door.
#[test]
fn every_door_cleans() {
    let Program { engine, world, scene, line, .. } = &Program::new(Limits::default());

    let patch = LinePatch {
        content: Some("改\u{1}".to_owned()),
        tts: Some(Some("\u{2}\u{3}".to_owned())),
        ..Default::default()
    };
    let revised = engine.revise_line(world, *line, patch).unwrap();
    assert_eq!((revised.replaced, revised.value.wording.content.as_str()), (3, "改\u{FFFD}"));
    let emptied = LinePatch { tts: Some(Some(String::new())), ..Default::default() };
    assert_eq!(engine.revise_line(world, *line, emptied).unwrap().value.wording.tts, None);

    let patch = CharacterPatch {
        display_name: Some(Some("甲\u{1}".to_owned())),
        persona: Some(Some("\u{B}".to_owned())),
        host_ids: vec![(Namespace::Role, Some("7\u{C}".to_owned()))],
        ..Default::default()
    };
    let put = engine.put_character(world, id("a"), patch).unwrap();
    assert_eq!((put.replaced, put.created), (3, false));
    assert_eq!(put.value.card.display_name.as_deref(), Some("甲\u{FFFD}"));
    assert_eq!(put.value.host_id(Namespace::Role), Some("7\u{FFFD}"));

    let present = vec![id("b"), named("9", "丙\u{1}")];
    let set = engine.set_present(world, &scene.id, present, ExpectedHead::Any).unwrap();
    assert_eq!((set.replaced, set.value.present.len()), (1, 2));
    let third = engine.character(world, &CharacterId::new("role_id:9").unwrap()).unwrap();
    assert_eq!(third.card.display_name.as_deref(), Some("丙\u{FFFD}"));

    // U+0065 U+0301 is U+00E9, and a name says what it says however it is composed.
    for (name, replaced) in [("cafe\u{301}\u{1}", 1), ("caf\u{e9}\u{FFFD}", 0)] {
        let open = OpenConversation { name: Some(name.to_owned()), ..Default::default() };
        let opened = engine.open_conversation(world, open).unwrap();
        assert_eq!((opened.replaced, opened.created), (replaced, replaced == 1));
        assert_eq!(opened.value.name.as_deref(), Some("caf\u{e9}\u{FFFD}"));
    }

    let settings = [("narrator.names.0".to_owned(), "旁\u{1}白".to_owned())].into_iter().collect();
    let put = engine.put_world(world, WorldPatch { preset: None, settings }).unwrap();
    assert_eq!((put.replaced, put.created), (1, false));
    assert_eq!(put.value.settings.get("narrator.names.0").map(String::as_str), Some("旁\u{FFFD}白"));

    let line = NewLine {
        speaker: Some(named("8", "丁\u{1}")),
        witnesses: Some(vec![named("6", "\u{2}")]),
        ..said("\u{3}")
    };
    let recorded =
        engine.record(world, &scene.id, Record { lines: vec![line], ..Default::default() }).unwrap();
    let replaced: Vec<_> = recorded.replaced.iter().map(|found| (found.field, found.count)).collect();
    assert_eq!(replaced, [("content", 1), ("speaker", 1), ("witnesses", 1)]);

    let branch = |parent, content| (parent, Record { lines: vec![said(content)], ..Default::default() });
    let branches = vec![branch(None, "一\u{1}"), branch(Some(0), "二\u{2}\u{3}")];
    let grafted = engine.graft(world, &scene.id, branches, Some(0)).unwrap();
    assert_eq!((grafted.replaced, grafted.created), (3, true));
    let head = engine.line_anywhere(world, grafted.value.head.unwrap()).unwrap();
    assert_eq!(head.wording.content, "一\u{FFFD}");
}

/// Too much is refused, whoever asks, with the setting that moves the limit.
#[test]
fn every_door_is_bounded() {
    let limits = Limits {
        bytes_per_text: 9,
        bytes_per_name: 6,
        bytes_per_persona: 6,
        bytes_per_key: 3,
        people: 2,
        also: 1,
        page: 2,
        history: 2,
        settings: 1,
        ..Limits::default()
    };
    let Program { engine, world, scene, line, .. } = &Program::new(limits);
    let text = |text: &str| Some(Some(text.to_owned()));
    let three = || vec![id("a"), id("b"), id("c")];
    let line_with = |line: NewLine| {
        engine.record(world, &scene.id, Record { lines: vec![line], ..Default::default() }).map(drop)
    };
    let graft_of = |contents: &[&str]| {
        let record = |content| Record { lines: vec![said(content)], ..Default::default() };
        let branches = contents.iter().map(|content| (None, record(content))).collect();
        engine.graft(world, &scene.id, branches, None).map(drop)
    };
    let query = |limit| LinesQuery {
        which: WhichLines::Path,
        witness: None,
        after: None,
        newest_first: false,
        limit,
    };
    let history = |participants, also: usize, limit| HistoryQuery {
        participants,
        witness: None,
        also: vec![scene.id.clone(); also],
        limit,
    };
    let pairs = |pairs: &[(&str, &str)]| WorldPatch {
        preset: None,
        settings: pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
    };
    let refused: Vec<(&str, Result<()>)> = vec![
        ("limits.content_bytes", line_with(said("0123456789"))),
        ("limits.content_bytes", graft_of(&["x", "0123456789"])),
        ("limits.name_bytes", line_with(NewLine { host_id: Some("1234567".to_owned()), ..said("x") })),
        ("limits.name_bytes", line_with(NewLine { speaker: Some(named("1", "1234567")), ..said("x") })),
        ("limits.participants", line_with(NewLine { witnesses: Some(three()), ..said("x") })),
        (
            "limits.key_bytes",
            engine
                .record(
                    world,
                    &scene.id,
                    Record { lines: vec![said("x")], key: Some("1234".to_owned()), ..Default::default() },
                )
                .map(drop),
        ),
        (
            "limits.content_bytes",
            engine
                .revise_line(world, *line, LinePatch { action: text("0123456789"), ..Default::default() })
                .map(drop),
        ),
        (
            "limits.name_bytes",
            engine
                .put_character(
                    world,
                    id("a"),
                    CharacterPatch { display_name: text("1234567"), ..Default::default() },
                )
                .map(drop),
        ),
        (
            "limits.persona_bytes",
            engine
                .put_character(
                    world,
                    id("a"),
                    CharacterPatch { persona: text("1234567"), ..Default::default() },
                )
                .map(drop),
        ),
        (
            "limits.participants",
            engine
                .open_conversation(world, OpenConversation { participants: three(), ..Default::default() })
                .map(drop),
        ),
        ("limits.participants", engine.set_present(world, &scene.id, three(), ExpectedHead::Any).map(drop)),
        (
            "limits.settings",
            engine.put_world(world, pairs(&[("language", "en"), ("audience", "open")])).map(drop),
        ),
        ("limits.page", engine.lines(world, &scene.id, query(3)).map(drop)),
        ("limits.page", engine.characters(world, None, 3).map(drop)),
        ("limits.history", engine.history(world, history(vec![id("a")], 0, 3)).map(drop)),
        ("limits.also", engine.history(world, history(vec![id("a")], 2, 2)).map(drop)),
        ("limits.participants", engine.history(world, history(three(), 0, 2)).map(drop)),
    ];
    for (number, (setting, result)) in refused.into_iter().enumerate() {
        let error: Error = result.expect_err(setting);
        assert_eq!(error.code(), Code::Invalid, "{number}: {error}");
        assert!(error.hint_text().is_some_and(|hint| hint.contains(setting)), "{number}: {error:?}");
    }
    let lines = engine.lines(world, &scene.id, query(2)).unwrap();
    assert_eq!((lines.items.len(), lines.has_more), (1, false), "nothing was recorded");
    let people = engine.characters(world, None, 1).unwrap();
    assert_eq!((people.items.len(), people.has_more), (1, true));
    assert_eq!(engine.world(world).unwrap().settings.len(), 0);
}

/// A program that is its own host looks after the file itself.
#[test]
fn the_file_is_looked_after() {
    let program = Program::new(Limits::default());
    let copy = program._folder.path().join("copy.db");
    program.engine.backup(&copy).unwrap();
    assert_eq!(program.engine.backup(&copy).unwrap_err().code(), Code::Conflict);
    assert!(program.engine.tidy().unwrap());
    program.engine.check().unwrap();
    assert!(program.engine.look_through(&Default::default()).unwrap());
    let again = reverie::open(&format!("sqlite:{}", copy.display())).unwrap();
    assert_eq!(again.line(&program.world, &program.scene.id, program.line).unwrap().wording.content, "你好");
}

/// What a host tells of, and what it writes about memories, is cleaned and bounded like everything else.
#[test]
fn memories_come_in_by_the_same_doors() {
    let limits = Limits { bytes_per_memory: 40, ..Limits::default() };
    let Program { engine, world, .. } = &Program::new(limits);
    let event = |text: &str| Remember {
        text: text.to_owned(),
        holders: vec![named("7", "王\u{1}五")],
        about: None,
        kind: Kind::Episodic,
        importance: None,
        keywords: None,
        topics: vec!["天\u{2}气".to_owned()],
        emotions: Vec::new(),
        tick: None,
        wall_ms: None,
        pinned: false,
        shareable: false,
        key: None,
    };
    let made = engine.event(world, event("下\u{3}雨")).unwrap();
    assert_eq!((made.created, made.replaced, made.held.len()), (true, 3, 1));
    let memory = &made.held[0].memory;
    assert_eq!(
        (memory.text.as_str(), memory.topics.as_slice()),
        ("下\u{FFFD}雨", &["天\u{FFFD}气".to_owned()][..])
    );
    let too_long = engine.event(world, event(&"长".repeat(14))).unwrap_err();
    assert!(too_long.hint_text().is_some_and(|hint| hint.contains("limits.memory_bytes")), "{too_long:?}");
    let patch = MemoryPatch { text: Some(Some("晴\u{4}".to_owned())), ..Default::default() };
    let changed = engine.change_memory(world, memory.id, None, patch).unwrap();
    assert_eq!((changed.replaced, changed.value[0].text()), (1, "晴\u{FFFD}"));
}
