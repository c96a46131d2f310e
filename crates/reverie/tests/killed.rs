//! A process that is killed at any step of digest: does the next one end with the same memories, none lost, none twice?
//!
//! A story is told to a file. A child process digests it, asks a model and embeds, and dies at the step that it was told; another one
//! goes on to the end. What is remembered then must be what it is where nobody died. The second half of each life is with another
//! embedder, so that everything is embedded anew.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use reverie::clock::Clock;
use reverie::digest::{Answer, Purpose, Question};
use reverie::embed::Embedder;
use reverie::fail_point::{Step, arm, reached};
use reverie::job::Stage;
use reverie::memory::Held;
use reverie::{
    CharacterId, Engine, Error, Limits, MemoriesQuery, MemoryId, Options, Result, Slice, SqliteStore,
};
use reverie_testkit::digest_suite::theatre::{NOON, Theatre};
use reverie_testkit::letters::LetterEmbedder;

/// What the child is to do: a file, a space, a number of days, a step and how often it is to be reached.
const CHILD: &str = "REVERIE_KILLED";
const WORLD: &str = "世界";
const PEOPLE: [&str; 5] = ["李四", "白小喵", "さくら", "Ann", "Bob"];
const SPACES: [&str; 2] = ["first", "second"];
/// Days until the second embedder comes.
const BETWEEN: i64 = 100;

/// Rounds that were found, with a whisper in one; a round of the host's, and one that it never closed; several days.
const STORY: &str = "
    put digest.batch_rounds = 1
    set 白小喵, 李四, さくら
    @李四: 我从小就怕打雷，一听见雷声就想躲起来。
    白小喵: 放心，打雷的时候我陪着你。
    wait 60
    @李四 → 白小喵: 悄悄告诉你，我在存钱买船。
    白小喵 → 李四: 好，我不说。
    wait 90000
    @さくら: 明日は雪が降る。
    白小喵: 那就去看雪。
    wait 90000
    set Ann, Bob
    @Ann: I am allergic to peanuts, so please never bake with them.
    Bob: No peanuts, I promise.
    wait 600
    open
    @Ann: There is 毒 on the table.
    Bob: I see it.
    close
    wait 90000
    open
    @Ann: Is anybody there?
    outside
    event 白小喵, 李四: 灯塔在夜里熄灭了。
";

/// What a model makes of lines that say this.
const STATEMENTS: &[(&str, &str)] = &[
    (
        "怕打雷",
        r#"{"memories":[{"kind":"trait","text":"李四怕打雷，一听见雷声就想躲起来。","about":["李四"],"lines":["L1"]}]}"#,
    ),
    (
        "peanuts",
        r#"{"memories":[{"kind":"trait","text":"Ann is allergic to peanuts.","about":["Ann"],"lines":["L1"]}]}"#,
    ),
];

#[test]
fn whoever_is_killed_at_any_step_loses_nothing_and_doubles_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let story = folder.path().join("story.db");
    tell(&story);
    let (expected, hits) = live(&copy(&story, "never-killed"), 0);
    check_whole(&expected);
    for step in Step::ALL {
        assert!(hits.keys().any(|(reached, _)| reached == step.name()), "{} is never reached", step.name());
    }
    let mut deaths: Vec<(&str, &str, u64)> = Vec::new();
    for ((step, space), times) in &hits {
        for time in [1, *times] {
            if !deaths.contains(&(step, space, time)) {
                deaths.push((step, space, time));
            }
        }
    }
    // Whoever dies later need not live through the first part each time.
    let half_way = copy(&story, "half-way");
    run(&half_way, "first", 0, None).unwrap();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((step, space, time)) = deaths.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let (begin, days) = if *space == "second" { (&half_way, BETWEEN) } else { (&story, 0) };
                    let file = copy(begin, &format!("{step}-{space}-{time}"));
                    let dead = run(&file, space, days, Some((step, *time)));
                    assert!(dead.is_err(), "{step} is not reached for the {time}th time in {space}");
                    let told = match *space {
                        "first" => live(&file, 300).0,
                        _ => memories(&run(&file, space, 300, None).unwrap()).to_owned(),
                    };
                    check_same(&told, &expected, &format!("killed at {step} ({time}, {space})"));
                }
            });
        }
    });
}

/// One after the other on one file: each begins where the one before it died.
#[test]
fn many_deaths_in_a_row_change_nothing_either() {
    let folder = tempfile::tempdir().unwrap();
    let story = folder.path().join("story.db");
    tell(&story);
    let (expected, _) = live(&copy(&story, "never-killed"), 0);
    let file = copy(&story, "often-killed");
    let mut deaths = 0;
    for (place, step) in Step::ALL.iter().chain(Step::ALL).enumerate() {
        let days = 1 + i64::try_from(place).unwrap();
        deaths += usize::from(run(&file, "first", days, Some((step.name(), 1))).is_err());
    }
    assert!(deaths > Step::ALL.len() / 2, "only {deaths} died");
    let (told, _) = live(&file, 300);
    check_same(&told, &expected, "killed again and again");
}

#[track_caller]
fn check_same(told: &str, expected: &str, how: &str) {
    let missing: Vec<&str> =
        expected.lines().filter(|line| !told.lines().any(|other| other == *line)).collect();
    let new: Vec<&str> = told.lines().filter(|line| !expected.lines().any(|other| other == *line)).collect();
    assert!(told == expected, "{how}\nlost:\n{}\nnew:\n{}", missing.join("\n"), new.join("\n"));
}

fn tell(path: &Path) {
    let store = SqliteStore::open(path, Options::default()).unwrap();
    Theatre::new(Arc::new(store), WORLD).play(STORY);
}

fn copy(file: &Path, name: &str) -> PathBuf {
    let to = file.with_file_name(format!("{name}.db"));
    std::fs::copy(file, &to).unwrap();
    to
}

/// How often each step was reached, in each space.
type Hits = BTreeMap<(String, &'static str), u64>;

/// To the end, first with one embedder, then with another; what is remembered then.
fn live(file: &Path, days: i64) -> (String, Hits) {
    let mut hits = Hits::new();
    let mut told = String::new();
    for (space, days) in SPACES.into_iter().zip([days, days + BETWEEN]) {
        let said = run(file, space, days, None).unwrap();
        for line in said.lines().filter_map(|line| line.strip_prefix("hits ")) {
            let (step, times) = line.split_once(' ').unwrap();
            hits.insert((step.to_owned(), space), times.parse().unwrap());
        }
        told = memories(&said).to_owned();
    }
    (told, hits)
}

fn memories(said: &str) -> &str {
    said.split_once("memories\n").unwrap().1.split_once("end\n").unwrap().0
}

/// What a child said, or that it died.
fn run(file: &Path, space: &str, days: i64, death: Option<(&str, u64)>) -> Result<String, ()> {
    let (step, times) = death.unwrap_or(("", 0));
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, format!("{}\n{space}\n{days}\n{step}\n{times}", file.display()))
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    let (said, complained) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    match child.status.success() {
        true => Ok(said.into_owned()),
        // A panic ends with a code; whoever is told to die has none, or another one on Windows.
        false => {
            assert_ne!(child.status.code(), Some(101), "{said}{complained}");
            Err(())
        }
    }
}

/// One memory for each round and group of witnesses, counted by hand.
fn check_whole(told: &str) {
    let rounds = |person: &str| -> Vec<&str> {
        let start = format!("{person} | round | ");
        told.lines()
            .filter_map(|line| line.strip_prefix(&start))
            .map(|rest| rest.split(" | ").next().unwrap())
            .collect()
    };
    let expected: [(&str, &[&str]); 5] = [
        // In the order of their letters.
        ("李四", &["1,2", "3,4", "5,6"]),
        ("白小喵", &["1,2", "3,4", "5,6"]),
        ("さくら", &["1,2", "5,6"]),
        ("Ann", &["11", "7,8", "9,10"]),
        ("Bob", &["11", "7,8", "9,10"]),
    ];
    for (person, lines) in expected {
        assert_eq!(rounds(person), lines, "{person}:\n{told}");
    }
}

/// Not a test of its own: what the children of the others do.
#[test]
fn child() {
    #[expect(clippy::disallowed_methods, reason = "the one way to speak to this process before it starts")]
    let Ok(told) = std::env::var(CHILD) else { return };
    let told: Vec<&str> = told.lines().collect();
    let [path, space, days, step, times] = told.as_slice() else { panic!("{told:?}") };
    if let Some(step) = Step::ALL.iter().find(|known| known.name() == *step) {
        arm(*step, times.parse().unwrap());
    }
    let clock = Arc::new(Hands(AtomicI64::new(NOON + (400 + days.parse::<i64>().unwrap()) * DAY_MS)));
    let store = SqliteStore::open(Path::new(path), Options::default()).unwrap();
    let engine = Engine::new(Arc::new(store), clock.clone(), Limits::default())
        .reading_answers(reverie_formats::answer::read)
        .embedding_with(Arc::new(Choosy(LetterEmbedder::new(space))));
    drive(&engine, &clock);
    for (step, times) in reached() {
        println!("hits {} {times}", step.name());
    }
    println!("memories\n{}end", remembered(&engine));
}

const DAY_MS: i64 = 86_400_000;

struct Hands(AtomicI64);

impl Clock for Hands {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Refuses what is poisoned.
struct Choosy(LetterEmbedder);

impl Embedder for Choosy {
    fn space(&self) -> &str {
        self.0.space()
    }

    fn is_local(&self) -> bool {
        true
    }

    fn embed(&self, texts: &[&str], deadline_ms: i64) -> Result<Vec<Vec<f32>>> {
        if texts.iter().any(|text| text.contains('毒')) {
            return Err(Error::invalid("this text is not taken"));
        }
        self.0.embed(texts, deadline_ms)
    }
}

/// Digests, asks and embeds until nothing is left to do.
fn drive(engine: &Engine, clock: &Hands) {
    let mut is_first = true;
    let mut idle = 0;
    while idle < 3 {
        let mut did = 0;
        loop {
            let done = engine.digest(&Slice { world: None, now: false, go_on: &|| true }).unwrap();
            assert!(done.failed.is_empty() && done.not_embedded.is_none(), "{done:?}");
            did += done.memories;
            if !done.more {
                break;
            }
        }
        for question in engine.questions(None, 100).unwrap() {
            did += 1;
            let answer = if std::mem::take(&mut is_first) { failure() } else { answer(&question) };
            engine.answer(&question.world, &question.id, answer).unwrap();
        }
        idle = if did > 0 { 0 } else { idle + 1 };
        // Past every lease and every wait.
        clock.0.fetch_add(7 * 3_600_000, Ordering::SeqCst);
    }
}

fn failure() -> Answer {
    Answer::Failed { code: "timed_out".to_owned(), message: "no answer".to_owned(), not_before_ms: None }
}

fn answer(question: &Question) -> Answer {
    let prompt: String = question.messages.iter().map(|(_, text)| text.as_str()).collect();
    let known = STATEMENTS.iter().find(|(said, _)| prompt.contains(said));
    let text = match (question.purpose, known) {
        (Purpose::Decide, _) => r#"{"should_remember": true}"#,
        (Purpose::Summarise, Some((_, statement))) => statement,
        (Purpose::Summarise, None) => r#"{"memories":[]}"#,
        (Purpose::Retell, _) => retold(&prompt),
    };
    Answer::Said { text: text.to_owned(), model: "model-x".to_owned() }
}

/// Believable where the lines say that, and not believed elsewhere.
fn retold(prompt: &str) -> &'static str {
    match () {
        () if prompt.contains("打雷") => "李四怕打雷，白小喵打雷的时候陪着李四。",
        () if prompt.contains("peanuts") => "Ann is allergic to peanuts, and Bob promised no peanuts.",
        () => "Nobody can tell.",
    }
}

/// All that anybody has, in an order that does not depend on who was first; what vectors there are; what is not done.
fn remembered(engine: &Engine) -> String {
    let world = reverie::WorldId::new(WORLD).unwrap();
    let mut all: Vec<Held> = Vec::new();
    for person in PEOPLE {
        let query =
            MemoriesQuery { all: true, limit: 1000, ..MemoriesQuery::of(CharacterId::new(person).unwrap()) };
        all.extend(engine.memories(&world, &query).unwrap().items.into_iter().map(|one| one.held));
    }
    let words: BTreeMap<MemoryId, String> =
        all.iter().map(|held| (held.memory.id, held.memory.text.clone())).collect();
    let wording = |id: &MemoryId| words.get(id).map_or("?", String::as_str).replace('\n', "⏎");
    let told = |held: &Held| {
        let (memory, state) = (&held.memory, &held.state);
        let lines: Vec<String> = memory.sources.iter().map(|source| source.line.to_string()).collect();
        let mut from: Vec<String> = memory.from.iter().map(wording).collect();
        from.sort();
        format!(
            "{} | {} | {} | {} | {:?} | {from:?} | {:?} | {} | {:?} {} | by {:?}, {:?}\n",
            held.holder,
            memory.origin.as_str(),
            lines.join(","),
            memory.text.replace('\n', "⏎"),
            memory.kind,
            memory.about,
            memory.importance,
            state.layer,
            state.considered,
            state.summarised_by.as_ref().map(wording),
            state.superseded_by.as_ref().map(wording),
        )
    };
    let mut lines: Vec<String> = all.iter().map(told).collect();
    lines.sort();
    let spaces = engine.spaces(&world).unwrap();
    lines.push(format!("{} texts, vectors {:?}\n", spaces.texts, spaces.embedded));
    for aside in engine.set_aside_texts(&world, 100).unwrap() {
        lines.push(format!("set aside in {}: {}\n", aside.space, aside.reason));
    }
    let jobs = engine.jobs(&world, None, 1000).unwrap().items;
    for reject in jobs.iter().flat_map(|job| &job.rejects) {
        lines.push(format!("rejected: {} because {}\n", reject.text, reject.reason));
    }
    let left = jobs.iter().filter(|job| job.stage != Stage::Done).count();
    lines.push(format!("{left} jobs are not done\n"));
    lines.concat()
}
