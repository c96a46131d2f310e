//! How is a large world made quickly, so that it looks like one that grew line by line?
//!
//! Twenty lines a conversation, 500 characters, conversations of two to six. A pair, 春 and 秋, meets in one conversation
//! of its own and in one group of every 25. Another pair did so long ago and has been apart since. 静 sits in every group
//! of 春 and 秋 and hears nothing there but ten old lines.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use reverie_core::character::Card;
use reverie_core::line::Wording;
use reverie_core::record::{CharacterRecord, ConversationRecord, LineRecord, Record, WorldRecord};
use reverie_core::settings::{Pairs, Preset};
use reverie_core::world::Change;
use reverie_core::{Attribute, CharacterId, ConversationId, LineId, Store, WorldId};
use reverie_sqlite::{Options, SqliteStore};

use crate::Workshop;
use crate::dialogue::{Dice, feeling, words};

pub(crate) const SPRING: &str = "春";
pub(crate) const AUTUMN: &str = "秋";
pub(crate) const QUIET: &str = "静";
pub(crate) const PAST: [&str; 2] = ["昔", "往"];
const CHARACTERS: usize = 500;
const LINES_EACH: usize = 20;
const ONE_GROUP_IN: usize = 25;
const HEARD_BY_QUIET: usize = 10;
/// Changes with the layout of the worlds, so that kept files of another layout are not used.
const LAYOUT: u32 = 1;

pub(crate) fn world_id() -> Result<WorldId> {
    Ok(WorldId::new("bench")?)
}

/// The file with a world of so many lines, made if it is not there yet.
pub(crate) fn file(workshop: &Workshop, lines: usize) -> Result<PathBuf> {
    let path = workshop.folder.join(format!("world-{lines}-{LAYOUT}-{:016x}.db", schema(workshop)?));
    if path.exists() {
        return Ok(path);
    }
    eprintln!("  making a world of {lines} lines in {} conversations", lines / LINES_EACH);
    let start = Instant::now();
    let unfinished = workshop.folder.join(format!("unfinished-{lines}.db"));
    remove(&unfinished);
    let store = SqliteStore::open(&unfinished, Options::default())?;
    store.import(&world_id()?, &mut records(lines)?)?;
    store.tidy()?;
    drop(store);
    std::fs::rename(&unfinished, &path)?;
    eprintln!("  made in {:.1} s", start.elapsed().as_secs_f64());
    Ok(path)
}

/// Where a new file goes; what a run before left there is gone.
pub(crate) fn fresh(workshop: &Workshop, name: &str) -> PathBuf {
    let path = workshop.folder.join(name);
    remove(&path);
    path
}

/// Deletes what a run before left there: a server's folder, or a file with what SQLite keeps beside it.
pub(crate) fn remove(path: &Path) {
    let _ = std::fs::remove_dir_all(path);
    for side in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{side}", path.display()));
    }
}

/// Tells the present tables from those of a file that was kept.
pub(crate) fn schema(workshop: &Workshop) -> Result<u64> {
    let path = workshop.folder.join("schema.db");
    remove(&path);
    drop(SqliteStore::open(&path, Options::default())?);
    let connection = rusqlite::Connection::open(&path)?;
    let tables: String =
        connection.query_row("SELECT group_concat(sql) FROM sqlite_schema", [], |row| row.get(0))?;
    let mut hasher = DefaultHasher::new();
    tables.hash(&mut hasher);
    Ok(hasher.finish())
}

pub(crate) fn store(workshop: &Workshop, lines: usize) -> Result<SqliteStore> {
    Ok(SqliteStore::open(&file(workshop, lines)?, Options::default())?)
}

/// Who takes part, and which of its lines have which witnesses.
struct Group {
    id: ConversationId,
    present: Vec<CharacterId>,
    /// 静 is here, and hears only the first line, if that.
    quiet: Option<Hears>,
    /// All of it was said early.
    past: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Hears {
    Nothing,
    FirstLine,
}

fn records(lines: usize) -> Result<impl Iterator<Item = reverie_core::Result<Record>>> {
    let groups = groups(lines / LINES_EACH)?;
    let order = order(&groups);
    let mut head = vec![
        Record::World(WorldRecord {
            id: world_id()?,
            forked_from: None,
            created_ms: 0,
            revision: lines as u64 + 1,
            next_line: lines as u64 + 1,
            next_round: 1,
            next_memory: 1,
            checkpoint: None,
            has_keepsakes: false,
        }),
        Record::Settings { version: 0, preset: Preset::Game, pairs: Pairs::new() },
    ];
    for id in cast()? {
        let card = Card { display_name: Some(id.as_str().to_owned()), ..Card::default() };
        head.push(Record::Character(CharacterRecord {
            id,
            host_ids: Vec::new(),
            cards: vec![(0, card)],
            revision: 1,
        }));
    }
    for group in &groups {
        let (id, present) = (group.id.clone(), group.present.clone());
        head.push(Record::Conversation(ConversationRecord {
            id,
            name: None,
            participants: present,
            revision: 1,
        }));
    }
    let mut last: Vec<Option<LineId>> = vec![None; groups.len()];
    let mut tail = Vec::new();
    let mut said = Vec::with_capacity(lines);
    let mut dice = Dice::new(3);
    for (index, number) in order.into_iter().zip(1u64..) {
        let parent = last.get_mut(index).context("no such group")?;
        said.push((number, index, *parent));
        *parent = Some(LineId::new(number)?);
    }
    for (group, line) in groups.iter().zip(&last) {
        let change = Change::Head { conversation: group.id.clone(), line: *line };
        tail.push(Record::Change { revision: lines as u64, change });
    }
    let spoken = said.into_iter().map(move |(number, index, parent)| {
        let group = groups.get(index).ok_or_else(|| reverie_core::Error::invalid("no such group"))?;
        Ok(Record::Line(Box::new(line(group, number, parent, &mut dice)?)))
    });
    Ok(head.into_iter().map(Ok).chain(spoken).chain(tail.into_iter().map(Ok)))
}

fn line(
    group: &Group,
    number: u64,
    parent: Option<LineId>,
    dice: &mut Dice,
) -> reverie_core::Result<LineRecord> {
    let hears = match group.quiet {
        Some(Hears::FirstLine) => parent.is_none(),
        Some(Hears::Nothing) => false,
        None => true,
    };
    let mut witnesses = group.present.clone();
    witnesses.retain(|witness| hears || witness.as_str() != QUIET);
    let clauses = 1 + dice.below(4);
    Ok(LineRecord {
        id: LineId::new(number)?,
        conversation: group.id.clone(),
        parent,
        attribute: Some(if dice.below(3) == 0 { Attribute::User } else { Attribute::Assistant }),
        speaker: dice.pick(&witnesses).cloned(),
        display_name: None,
        wordings: vec![(
            0,
            Wording { content: words(dice, clauses), original_emotion: feeling(dice), ..Wording::default() },
        )],
        tick: Some(number as i64),
        at: number as i64,
        wall_ms: number as i64,
        round: None,
        host_id: None,
        present: group.present.clone(),
        witnesses,
        revision: number,
    })
}

fn cast() -> Result<Vec<CharacterId>> {
    let named = [SPRING, AUTUMN, QUIET].into_iter().chain(PAST).map(str::to_owned);
    let others = (named.clone().count()..CHARACTERS).map(|number| format!("人{number:03}"));
    named.chain(others).map(|name| Ok(CharacterId::new(&name)?)).collect()
}

fn groups(count: usize) -> Result<Vec<Group>> {
    let cast = cast()?;
    let [spring, autumn, quiet, past, gone] = cast.first_chunk::<5>().context("nobody is there")?.clone();
    let others = cast.get(5..).unwrap_or_default();
    let mut dice = Dice::new(11);
    let mut heard = 0;
    let mut groups = Vec::with_capacity(count);
    for number in 0..count {
        let mut present: Vec<CharacterId> =
            (0..2 + dice.below(3)).filter_map(|_| dice.pick(others).cloned()).collect();
        let mut is_quiet = None;
        let is_past = number < count / ONE_GROUP_IN;
        match number % ONE_GROUP_IN {
            _ if number + 1 == count => present = vec![spring.clone(), autumn.clone()],
            _ if is_past => present.extend([past.clone(), gone.clone()]),
            0 => {
                present.extend([spring.clone(), autumn.clone(), quiet.clone()]);
                heard += 1;
                is_quiet = Some(if heard <= HEARD_BY_QUIET { Hears::FirstLine } else { Hears::Nothing });
            }
            // Everybody of the pairs is busy elsewhere too.
            1 => present.push(spring.clone()),
            2 => present.push(autumn.clone()),
            3 => present.push(past.clone()),
            4 => present.push(gone.clone()),
            _ => {}
        }
        present.sort();
        present.dedup();
        let id = ConversationId::new(&format!("c{number}"))?;
        groups.push(Group { id, present, quiet: is_quiet, past: is_past });
    }
    distinct(&mut groups, others, &mut dice);
    Ok(groups)
}

/// A participant set is one conversation: whoever meets twice takes somebody else along.
fn distinct(groups: &mut [Group], others: &[CharacterId], dice: &mut Dice) {
    let mut seen = HashSet::new();
    for group in groups {
        while !seen.insert(group.present.clone()) {
            group.present.extend(dice.pick(others).cloned());
            group.present.sort();
            group.present.dedup();
        }
    }
}

/// By group, who speaks when: what is past comes first; everybody else talks twice, half of it each time.
fn order(groups: &[Group]) -> Vec<usize> {
    let turn = |index: usize, lines: usize| std::iter::repeat_n(index, lines);
    let of = |past: bool| {
        groups.iter().enumerate().filter(move |(_, group)| group.past == past).map(|(index, _)| index)
    };
    let early = of(true).flat_map(|index| turn(index, LINES_EACH));
    let first = of(false).flat_map(|index| turn(index, LINES_EACH / 2));
    let second = of(false).flat_map(|index| turn(index, LINES_EACH - LINES_EACH / 2));
    early.chain(first).chain(second).collect()
}
