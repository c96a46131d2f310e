//! How do new nodes get into the table of lines?

use std::sync::LazyLock;

use reverie_core::Attribute;
use reverie_core::line::Wording;
use rusqlite::{Connection, Statement};

use crate::error::Result;

/// All columns of a new node.
#[derive(Debug, Clone)]
pub(crate) struct NewRow<'a> {
    pub(crate) key: i64,
    pub(crate) conversation: i64,
    pub(crate) parent: Option<i64>,
    pub(crate) child: Option<i64>,
    pub(crate) fork: bool,
    /// How many lines the path up to here has.
    pub(crate) said: i64,
    /// Where nothing was said: the nearest line above.
    pub(crate) spoken: Option<i64>,
    pub(crate) attribute: Option<Attribute>,
    pub(crate) speaker: Option<i64>,
    pub(crate) display_name: Option<&'a str>,
    /// None: nothing was said, only who is present changed.
    pub(crate) wording: Option<&'a Wording>,
    pub(crate) tick: Option<i64>,
    pub(crate) at: i64,
    pub(crate) wall_ms: i64,
    pub(crate) host_id: Option<&'a str>,
    pub(crate) present: i64,
    pub(crate) arrival: bool,
    pub(crate) witnesses: i64,
    pub(crate) hidden: bool,
    /// The number of the round that a host put it into.
    pub(crate) round: Option<i64>,
    pub(crate) active: bool,
    pub(crate) revision: u64,
}

impl NewRow<'_> {
    /// A row in which only the witnesses are filled in.
    pub(crate) fn nothing_said(witnesses: i64) -> Self {
        Self {
            key: 0,
            conversation: 0,
            parent: None,
            child: None,
            fork: false,
            said: 0,
            spoken: None,
            attribute: None,
            speaker: None,
            display_name: None,
            wording: None,
            tick: None,
            at: 0,
            wall_ms: 0,
            host_id: None,
            present: 0,
            arrival: false,
            witnesses,
            hidden: false,
            round: None,
            active: false,
            revision: 0,
        }
    }
}

const COLUMNS: usize = 27;

/// How many rows one statement takes, largest first: a statement opens every index once, however many rows it has.
const ROWS: [usize; 3] = [32, 8, 1];

/// OR FAIL: whoever writes undoes all of it anyway, so SQLite need not keep what it would take to undo one statement.
static SQL: LazyLock<[String; ROWS.len()]> = LazyLock::new(|| {
    let row = format!("({}, 0)", vec!["?"; COLUMNS].join(", "));
    ROWS.map(|rows| {
        format!(
            "INSERT OR FAIL INTO line (id, conversation, parent, child, fork, said, spoken, attribute, speaker, display_name, content,
               original_emotion, predicted_emotion, tts, action, audio, tick, at, wall_ms, host_id, present, arrival,
               witnesses, hidden, round, active, revision, version)
             VALUES {}",
            vec![row.as_str(); rows].join(", ")
        )
    })
});

pub(crate) fn insert(connection: &Connection, mut rows: &[NewRow<'_>]) -> Result<()> {
    for (size, sql) in ROWS.into_iter().zip(SQL.iter()) {
        if rows.len() < size {
            continue;
        }
        let mut statement = connection.prepare_cached(sql)?;
        while let Some((chunk, rest)) = rows.split_at_checked(size) {
            for (place, row) in chunk.iter().enumerate() {
                bind(&mut statement, place * COLUMNS, row)?;
            }
            statement.raw_execute()?;
            rows = rest;
        }
    }
    Ok(())
}

fn bind(statement: &mut Statement<'_>, before: usize, row: &NewRow<'_>) -> Result<()> {
    let said = |part: fn(&Wording) -> Option<&str>| row.wording.and_then(part);
    let mut place = before;
    macro_rules! bind {
        ($($value:expr),* $(,)?) => {$(
            place += 1;
            statement.raw_bind_parameter(place, $value)?;
        )*};
    }
    bind!(
        row.key,
        row.conversation,
        row.parent,
        row.child,
        row.fork,
        row.said,
        row.spoken,
        row.attribute.map(Attribute::as_str),
        row.speaker,
        row.display_name,
        row.wording.map_or("", |wording| &wording.content),
        said(|wording| wording.original_emotion.as_deref()),
        said(|wording| wording.predicted_emotion.as_deref()),
        said(|wording| wording.tts.as_deref()),
        said(|wording| wording.action.as_deref()),
        said(|wording| wording.audio.as_deref()),
        row.tick,
        row.at,
        row.wall_ms,
        row.host_id,
        row.present,
        row.arrival,
        row.witnesses,
        row.hidden,
        row.round,
        row.active,
        row.revision,
    );
    debug_assert_eq!(place - before, COLUMNS);
    Ok(())
}
