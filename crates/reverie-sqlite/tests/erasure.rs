//! What was deleted: is it nowhere in the file or its WAL, once readers have let go?

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::sync::mpsc;

use reverie_core::character::{CharacterPatch, Named};
use reverie_core::conversation::{Append, AppendKey};
use reverie_core::embed::{Embedded, Unembedded, Vector};
use reverie_core::fingerprint::fingerprint;
use reverie_core::job::{Job, JobKind, Reject, Stage as Phase};
use reverie_core::keepsake::KeptFor;
use reverie_core::library::{
    DocumentEntry, DocumentKind, DocumentPut, EntryChange, EntrySelect, Link, Scope,
};
use reverie_core::line::Wording;
use reverie_core::memories::{Effect, Embedding, NewMemory};
use reverie_core::round::OpenRound;
use reverie_core::store::{Erase, LinePatch};
use reverie_core::{ConversationId, DocumentId, Library as _, LineId, Memories as _, Store as _, Who};
use reverie_sqlite::{Options, SqliteStore, examine};
use reverie_testkit::store_suite::stage::{Stage, id, lines};

/// Looks for a text in every file of the folder, byte by byte.
fn places(path: &Path, text: &str) -> Vec<String> {
    let files = std::fs::read_dir(path.parent().unwrap()).unwrap().map(|file| file.unwrap().path());
    let holds = |file: &std::path::PathBuf| {
        std::fs::read(file).unwrap().windows(text.len()).any(|window| window == text.as_bytes())
    };
    files.filter(holds).map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

#[track_caller]
fn check_nowhere(path: &Path, texts: &[&str]) {
    for text in texts {
        assert_eq!(places(path, text), [""; 0], "{text}");
    }
}

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, Options::default()).unwrap()
}

fn secret(stage: &Stage<'_>, room: &ConversationId, speaker: &str, word: &str) -> LineId {
    let mut said = lines(&format!("{speaker}: 内容{word}"));
    let text = |what: &str| Some(format!("{what}{word}"));
    said.iter_mut().for_each(|line| {
        line.wording.original_emotion = text("情绪");
        line.wording.tts = text("声音");
        line.wording.action = text("动作");
        line.host_id = text("宿主");
        line.display_name = text("化名");
    });
    let mut append = Append { lines: said, ..Append::default() };
    append.key = Some(AppendKey { key: format!("k{}", stage.view().revision), digest: fingerprint(&append) });
    stage.append(room, &append).unwrap().lines.first().unwrap().id
}

fn edit(stage: &Stage<'_>, line: LineId, word: &str) {
    let wording =
        Wording { content: format!("改成{word}"), action: Some(word.to_owned()), ..Wording::default() };
    stage.store.revise(&stage.world, line, &LinePatch::from(wording)).unwrap();
}

#[test]
fn a_line_with_all_its_wordings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let stage = Stage::new(&store);
    let room = stage.scene("酒馆", &["甲", "乙"]);
    stage.say(&room, "甲: 留下的话");
    let line = secret(&stage, &room, "甲", "机密一号");
    stage.save("s");
    edit(&stage, line, "机密二号");
    edit(&stage, line, "机密三号");
    stage.load("s");
    assert_ne!(places(&path, "机密一号"), [""; 0]);
    assert_ne!(places(&path, "机密三号"), [""; 0]);
    stage.erase(Erase::Line(line));
    check_nowhere(&path, &["机密一号", "机密二号", "机密三号"]);
    assert_eq!(stage.path(&room), "甲: 留下的话");
    drop(store);
    check_nowhere(&path, &["机密一号", "机密二号", "机密三号"]);
}

#[test]
fn a_character_with_its_words_cards_and_ids() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let stage = Stage::new(&store);
    let room = stage.scene("酒馆", &["乙"]);
    let persona = |text: &str| CharacterPatch {
        persona: Some(Some(text.to_owned())),
        display_name: Some(Some("本名机密".to_owned())),
        aliases: Some(vec![format!("外号机密{text}")]),
        tags: Some(Some(vec!["标签机密".to_owned()])),
        document: Some(Some(DocumentId::new("卡片机密").unwrap())),
        host_ids: vec![(reverie_core::character::Namespace::Role, Some("编号机密".to_owned()))],
        ..Default::default()
    };
    stage.card("代号机密", persona("旧人设机密"));
    stage.card("代号机密", persona("新人设机密"));
    for number in 0..50 {
        let line = secret(&stage, &room, "代号机密", &format!("独家{number}"));
        stage.say(&room, &format!("乙: 回答 {number}"));
        if number % 3 == 0 {
            edit(&stage, line, "独家改");
        }
    }
    stage.erase(Erase::Character(id("代号机密")));
    check_nowhere(
        &path,
        &[
            "代号机密",
            "本名机密",
            "外号机密",
            "编号机密",
            "旧人设机密",
            "新人设机密",
            "标签机密",
            "卡片机密",
            "独家",
        ],
    );
    assert_eq!(stage.lines(&room, Default::default()).len(), 50);
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

#[test]
fn a_world() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let kept = Stage::named(&store, "留下的世界", Default::default());
    kept.say(&kept.set(&["甲"]), "甲: 留下");
    let gone = Stage::named(&store, "要走的世界", Default::default());
    let room = gone.scene("秘密据点", &["间谍甲"]);
    gone.put("narrator.names.0", "秘密旁白");
    for number in 0..80 {
        let line = secret(&gone, &room, "间谍乙", &format!("绝密{number}"));
        edit(&gone, line, "绝密改");
    }
    gone.save("秘密存档");
    gone.erase(Erase::World);
    check_nowhere(&path, &["要走的世界", "秘密据点", "间谍", "绝密", "秘密存档", "秘密旁白"]);
    assert_eq!(places(&path, "留下的世界").len(), 1);
}

/// Pages split, merge and are moved about; copies must not stay behind in what is free.
#[test]
fn nothing_stays_in_free_space() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let stage = Stage::new(&store);
    let room = stage.set(&["甲", "乙"]);
    let mut gone = Vec::new();
    for number in 0..400usize {
        let long = "字".repeat(number * 7919 % 900);
        let line = if number % 2 == 0 {
            let line = stage.say(&room, &format!("甲: 涂黑{number}号{long}"));
            if number % 3 == 0 {
                stage.edit(line, &format!("涂黑再{number}号{}", "改".repeat(number * 31 % 700)));
            }
            gone.push(line);
            line
        } else {
            stage.say(&room, &format!("乙: 留下 {number} {long}"))
        };
        if number % 5 == 0 {
            stage.edit(line, &format!("{}{long}", if number % 2 == 0 { "涂黑三" } else { "留下三" }));
        }
    }
    for line in gone {
        stage.erase(Erase::Line(line));
    }
    check_nowhere(&path, &["涂黑"]);
    assert_eq!(stage.lines(&room, Default::default()).len(), 200);
}

#[test]
fn the_wal_is_emptied_as_soon_as_readers_let_go() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let stage = Stage::new(&store);
    let room = stage.set(&["甲", "乙"]);
    let line = secret(&stage, &room, "甲", "机密");
    let (let_go, wait) = mpsc::channel::<()>();
    let (has_begun, begun) = mpsc::channel();
    std::thread::scope(|scope| {
        let (store, world) = (&store, &stage.world);
        scope.spawn(move || {
            let mut is_first = true;
            let exported = store.export(world, None, &mut |_| {
                if std::mem::take(&mut is_first) {
                    has_begun.send(()).unwrap();
                    wait.recv().unwrap();
                }
                Ok(())
            });
            exported.unwrap();
        });
        begun.recv().unwrap();
        // The reader is in the middle of its snapshot; deleting does not wait for it.
        stage.erase(Erase::Line(line));
        assert_eq!(stage.path(&room), "");
        assert!(!store.tidy().unwrap(), "somebody still reads the old state");
        assert_ne!(places(&path, "机密"), [""; 0]);
        let_go.send(()).unwrap();
    });
    // Whoever read last has seen to it.
    check_nowhere(&path, &["机密"]);
    assert!(store.tidy().unwrap(), "nothing left to do");
}

fn book(word: &str) -> DocumentPut {
    let entry = |number: usize| DocumentEntry {
        id: format!("号{number}{word}").into(),
        text: format!("条目{number}{word}{}", "字".repeat(number * 7919 % 3000)).into(),
    };
    DocumentPut {
        name: format!("书名{word}"),
        format: format!("格式{word}"),
        text: format!("封面{word}"),
        entries: (0..60).map(entry).collect(),
        file: Some(format!("{}图片{word}", "x".repeat(9000)).into_bytes()),
        ..Default::default()
    }
}

#[test]
fn a_book_with_its_entries_file_and_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let (gone, kept) = (DocumentId::new("书号机密").unwrap(), DocumentId::new("留下").unwrap());
    store.put_document(DocumentKind::Book, &gone, book("机密一")).unwrap();
    store.put_document(DocumentKind::Book, &kept, book("留下的")).unwrap();
    store.put_document(DocumentKind::Book, &gone, book("机密二")).unwrap();
    let change = EntryChange::Put(DocumentEntry { id: "新".into(), text: "机密三".into() });
    store.change_entries(&gone, vec![change], None).unwrap();
    assert_ne!(places(&path, "图片机密二"), [""; 0]);
    store.erase_document(DocumentKind::Book, &gone).unwrap();
    check_nowhere(&path, &["机密"]);
    let (again, _) = store.put_document(DocumentKind::Book, &gone, book("")).unwrap();
    assert_eq!(again.revision, 4, "what is gone is remembered as a number only");
    assert_eq!(store.entries(&kept, &EntrySelect::All).unwrap().1.len(), 60);
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

#[test]
fn lore_timers_and_links() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let stage = Stage::new(&store);
    let room = stage.scene("酒馆", &["乙"]);
    let book_id = DocumentId::new("书").unwrap();
    store.put_document(DocumentKind::Book, &book_id, book("")).unwrap();
    let link = Link { scope: Scope::Character(id("代号机密")), book: book_id, rank: 0 };
    store.put_link(&stage.world, &link).unwrap();
    let say = |speaker: &str, timers: &str| {
        let lore_timers = Some(timers.to_owned());
        let append = Append { lines: lines(&format!("{speaker}: 话")), lore_timers, ..Append::default() };
        stage.append(&room, &append).unwrap().lines.first().unwrap().id
    };
    let line = say("乙", "机密计时一");
    say("代号机密", "机密计时二");
    stage.erase(Erase::Line(line));
    check_nowhere(&path, &["机密计时一"]);
    stage.erase(Erase::Character(id("代号机密")));
    check_nowhere(&path, &["机密"]);
    say("乙", "绝密计时三");
    stage.erase(Erase::World);
    check_nowhere(&path, &["绝密", "乙"]);
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

#[test]
fn what_was_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let stage = Stage::new(&store);
    let room = stage.scene("酒馆", &["甲", "乙"]);
    let kept = stage.say(&room, "甲: 留下的话");
    let line = stage.say(&room, "甲: 话");
    let memory = |word: &str, of: &[LineId]| NewMemory {
        keywords: vec![format!("词{word}"), format!("另一词{word}")],
        topics: vec![format!("题{word}")],
        emotions: vec![format!("情{word}")],
        ..stage.memory(&format!("记忆{word}"), of, &["甲", "乙"])
    };
    let first = stage.make(vec![Effect::Remember(memory("机密一", &[line]))])[0];
    stage.put_state(first, "甲", |state| state.text = Some("我的机密二".into()));
    stage.put_state(first, "甲", |state| state.text = Some("我的机密三".into()));
    stage.sum_up("一天机密四", &[first], "甲");
    stage.remember("留下的记忆", &[kept], &["甲", "乙"]);
    for number in 0..60 {
        stage.remember(&format!("机密五 {number}{}", "字".repeat(number * 7919 % 900)), &[line], &["乙"]);
    }
    assert_ne!(places(&path, "机密三"), [""; 0]);
    stage.erase(Erase::Line(line));
    check_nowhere(&path, &["机密"]);
    assert_eq!(stage.mind("乙"), "留下的记忆");

    let called = |name: &str| {
        let named =
            Named {
                role_id: Some("编号绝密".into()), display_name: Some(name.into()), ..Named::default()
            };
        let present = Some(vec![Who::Named(named), Who::Id(id("甲"))]);
        store.open_round(&stage.world, &room, &OpenRound { present, now_ms: 5 }).unwrap().id
    };
    let round = called("绝密的名字");
    called("又一个绝密的名字");
    stage.say_in(&room, round, "甲: 说到他");
    let about = NewMemory { about: vec![id("role_id:编号绝密")], ..memory("绝密六", &[]) };
    let own = stage.memory("绝密七", &[], &["role_id:编号绝密"]);
    stage.make(vec![Effect::Remember(about), Effect::Remember(own)]);
    stage.erase(Erase::Character(id("role_id:编号绝密")));
    check_nowhere(&path, &["绝密"]);
    assert_eq!(stage.mind("甲"), "留下的记忆");
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
    stage.erase(Erase::World);
    check_nowhere(&path, &["留下", "甲"]);
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

/// A vector whose values are these bytes in the file.
fn spelled(bytes: &[u8]) -> Vector {
    Vector(bytes.chunks(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect())
}

#[test]
fn what_models_said_and_where_texts_stand() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let stage = Stage::new(&store);
    let room = stage.set(&["甲", "乙"]);
    let line = stage.say(&room, "甲: 话");
    let of_line = stage.remember("记忆", &[line], &["甲", "乙"]);
    let free = stage.remember("另一段记忆", &[], &["甲", "乙"]);
    stage.put_state(free, "乙", |state| state.text = Some("乙的说法".into()));
    let job = |key: &str, stage: Phase| Job {
        key: key.to_owned(),
        kind: JobKind::Consider,
        stage,
        holders: vec![id("甲")],
        memories: vec![of_line],
        known: Vec::new(),
        attempts: 0,
        due_ms: 0,
        leased_until_ms: 0,
        trouble: None,
        rejects: vec![Reject { text: format!("机密 {key}"), reason: "its lines do not say 7".into() }],
        made_ms: 0,
        version: 0,
    };
    let put = |job: Job| Effect::Job { key: job.key.clone(), job: Some(Box::new(job)) };
    stage.make(vec![put(job("done", Phase::Done)), put(job("waiting", Phase::Deciding))]);
    let of_world = Embedding::World(stage.world.clone());
    let embed = |of: &Embedding| {
        let bare = store.unembedded("空间", of, 100).unwrap();
        let vector = |text: &Unembedded| Embedded {
            what: text.what.clone(),
            digest: text.digest,
            chunks: vec![spelled(b"SECRETVECTOR")],
        };
        store.put_vectors("空间", &bare.iter().map(vector).collect::<Vec<_>>()).unwrap();
    };
    embed(&of_world);
    assert_eq!(store.spaces(&of_world).unwrap().embedded["空间"], 3);
    for text in ["机密 done", "机密 waiting", "SECRETVECTOR"] {
        assert_ne!(places(&path, text), [""; 0], "{text}");
    }
    stage.erase(Erase::Line(line));
    check_nowhere(&path, &["机密"]);
    stage.erase(Erase::Character(id("乙")));
    assert_eq!(store.spaces(&of_world).unwrap().embedded["空间"], 1);
    stage.erase(Erase::Character(id("甲")));
    check_nowhere(&path, &["SECRETVECTOR"]);

    let book = DocumentId::new("书").unwrap();
    let entries = vec![DocumentEntry { id: "e".into(), text: "条目".into() }];
    let document = DocumentPut { name: "书".into(), format: "x".into(), entries, ..DocumentPut::default() };
    store.put_document(DocumentKind::Book, &book, document).unwrap();
    embed(&Embedding::Book { book: book.clone(), entries: vec!["e".into()] });
    assert_ne!(places(&path, "SECRETVECTOR"), [""; 0]);
    store.erase_document(DocumentKind::Book, &book).unwrap();
    check_nowhere(&path, &["SECRETVECTOR"]);
    drop(store);
    assert_eq!(examine(&path, &Options::default()).unwrap().findings, []);
}

#[test]
fn what_was_kept_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let stage = Stage::new(&store);
    let room = stage.scene("酒馆", &["甲", "代号机密"]);
    let line = secret(&stage, &room, "甲", "说出口的");
    let kept = |of: KeptFor, text: &str| {
        store.put_keepsakes(&stage.world, &[(of, Some(text.to_owned()))]).unwrap();
    };
    kept(KeptFor::Line(line), "{\"reasoning\":\"没说出口的\"}");
    kept(KeptFor::Conversation(room), "{\"character_name\":\"代号机密\",\"note\":\"旁注机密\"}");
    kept(KeptFor::File("groups/1.json".to_owned()), "{\"members\":[\"代号机密\"],\"name\":\"群名机密\"}");
    assert_ne!(places(&path, "没说出口的"), [""; 0]);
    assert_ne!(places(&path, "群名机密"), [""; 0]);
    stage.erase(Erase::Line(line));
    check_nowhere(&path, &["没说出口的", "说出口的"]);
    stage.erase(Erase::Character(id("代号机密")));
    check_nowhere(&path, &["代号机密", "旁注机密", "群名机密"]);
}

/// Texts of all lengths come, are reworded and go in any order, while pages are split, merged and rebuilt around them. Of those that went
/// not a byte is left, wherever SQLite moved it meanwhile.
#[test]
fn nothing_stays_however_pages_are_rebuilt() {
    let mut seed: u64 = 0x5EED;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("reverie.db");
    let store = open(&path);
    let stage = Stage::new(&store);
    let room = stage.scene("酒馆", &["甲", "乙"]);
    let mut there: Vec<(LineId, Vec<String>)> = Vec::new();
    let mut gone: Vec<String> = Vec::new();
    for number in 0..300 {
        let word = format!("〈密{number}〉");
        let long = "字".repeat(random(if number % 20 == 0 { 3000 } else { 120 }) as usize);
        match random(10) {
            0..=4 => {
                let said = lines(&format!("甲: {word}{long}{word}"));
                let made = stage.append(&room, &Append { lines: said, ..Append::default() }).unwrap();
                let line = made.lines.first().unwrap().id;
                stage.remember(&format!("{word}{long}"), &[line], &["甲", "乙"]);
                there.push((line, vec![word]));
            }
            5..=6 if !there.is_empty() => {
                let at = random(there.len() as u64) as usize;
                if let Some((line, words)) = there.get_mut(at) {
                    stage.edit(*line, &format!("{word}{long}"));
                    words.push(word);
                }
            }
            _ if !there.is_empty() => {
                let (line, words) = there.swap_remove(random(there.len() as u64) as usize);
                stage.erase(Erase::Line(line));
                gone.extend(words);
            }
            _ => {}
        }
    }
    assert!(gone.len() > 60 && !there.is_empty());
    let bytes: Vec<Vec<u8>> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|file| std::fs::read(file.unwrap().path()).unwrap())
        .collect();
    let is_there = |word: &String| {
        bytes.iter().any(|file| file.windows(word.len()).any(|window| window == word.as_bytes()))
    };
    assert!(there.iter().flat_map(|(_, words)| words.last()).all(is_there), "these are kept");
    let left: Vec<&String> = gone.iter().filter(|word| is_there(word)).collect();
    assert!(left.is_empty(), "of {} these are left: {left:?}", gone.len());
}
