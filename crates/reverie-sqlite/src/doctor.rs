//! Is everything in a data file as it should be? Reads only.

mod remembered;

use std::path::Path;

use reverie_core::{Code, Error, Result};
use rusqlite::Connection;

use crate::file::{self, Options};

/// What the doctor saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub worlds: u64,
    pub characters: u64,
    pub conversations: u64,
    pub lines: u64,
    pub bytes: u64,
    /// Empty: the file is sound.
    pub findings: Vec<Finding>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which rule is broken.
    pub rule: &'static str,
    /// Where, or SQLite's own words.
    pub detail: String,
}

/// The most findings listed for one rule.
const MOST: usize = 20;

/// Worlds on their way in. They are not whole yet, and nobody sees them.
const ARRIVING: &str = "(SELECT no FROM world WHERE arrives IS NOT NULL)";

/// Each rule and a query for what breaks it: the number of the world, and where.
const RULES: &[(&str, &str)] = &[
    (
        "a parent comes before its child, in the same conversation",
        "SELECT l.id >> 40, 'line ' || (l.id & 1099511627775) FROM line l
         LEFT JOIN line p ON p.id = (l.id & ~1099511627775) + l.parent
         WHERE l.parent IS NOT NULL AND (p.id IS NULL OR p.id >= l.id OR p.conversation <> l.conversation)",
    ),
    (
        "a head is a line of its conversation",
        "SELECT c.world, 'conversation ' || c.id FROM conversation c
         LEFT JOIN line l ON l.id = c.world * 1099511627776 + c.head
         WHERE c.head IS NOT NULL AND (l.id IS NULL OR l.conversation <> c.no OR l.active = 0)",
    ),
    (
        "the lines marked active are the path to the head",
        "SELECT l.id >> 40, 'line ' || (l.id & 1099511627775) FROM line l JOIN conversation c ON c.no = l.conversation
         LEFT JOIN line p ON p.id = (l.id & ~1099511627775) + l.parent
         WHERE l.active = 1 AND (c.head IS NULL OR (l.parent IS NOT NULL AND p.active = 0)
           OR ((l.id & 1099511627775) <> c.head AND l.id NOT IN
               (SELECT (k.id & ~1099511627775) + k.parent FROM line k WHERE k.active = 1 AND k.parent IS NOT NULL)))",
    ),
    (
        "a line goes on with the child that is no fork",
        "SELECT l.id >> 40, 'line ' || (l.id & 1099511627775) FROM line l
         LEFT JOIN line p ON p.id = (l.id & ~1099511627775) + l.parent
         LEFT JOIN line k ON k.id = (l.id & ~1099511627775) + l.child
         WHERE l.fork IS NOT (p.id IS NULL OR p.child IS NOT (l.id & 1099511627775))
           OR (l.child IS NOT NULL AND k.parent IS NOT (l.id & 1099511627775))",
    ),
    (
        "a line counts the lines before it",
        "SELECT l.id >> 40, 'line ' || (l.id & 1099511627775) FROM line l
         LEFT JOIN line p ON p.id = (l.id & ~1099511627775) + l.parent
         WHERE l.said < coalesce(p.said, 0) + (l.attribute IS NOT NULL)",
    ),
    (
        "where somebody came or went, the line before is known",
        "SELECT l.id >> 40, 'line ' || (l.id & 1099511627775) FROM line l
         LEFT JOIN line p ON p.id = (l.id & ~1099511627775) + l.parent
         WHERE l.attribute IS NULL AND l.spoken IS NOT iif(p.attribute IS NULL, p.spoken, l.parent)",
    ),
    (
        "lore timers stand with a line of their conversation",
        "SELECT t.line >> 40, 'timers of line ' || (t.line & 1099511627775) FROM lore_timers t
         LEFT JOIN line l ON l.id = t.line
         WHERE l.conversation IS NOT t.conversation OR l.attribute IS NULL",
    ),
    (
        "what is kept of a file stands with a line of its conversation",
        "SELECT k.line >> 40, 'keepsake of line ' || (k.line & 1099511627775) FROM line_keepsake k
         LEFT JOIN line l ON l.id = k.line
         WHERE l.conversation IS NOT k.conversation OR l.attribute IS NULL",
    ),
    (
        "what is kept of a file belongs to a conversation or a world",
        "SELECT 0, 'keepsake of conversation number ' || k.conversation FROM conversation_keepsake k
         WHERE NOT EXISTS (SELECT 1 FROM conversation c WHERE c.no = k.conversation)
         UNION ALL SELECT 0, 'keepsake of world number ' || k.world FROM world_keepsake k
         WHERE NOT EXISTS (SELECT 1 FROM world w WHERE w.no = k.world)",
    ),
    (
        "a link is for somebody or something of its world",
        "SELECT k.world, 'link to ' || k.book || ' in world ' || k.world FROM link k
         LEFT JOIN character c ON k.scope = 1 AND c.no = k.of
         LEFT JOIN conversation r ON k.scope = 2 AND r.no = k.of
         LEFT JOIN world w ON k.scope = 0 AND k.of = 0 AND w.no = k.world
         WHERE k.world IS NOT coalesce(c.world, r.world, w.no) OR c.erased = 1",
    ),
    (
        "a document knows how many entries it has",
        "SELECT d.arrives, 'document ' || d.id FROM document d
         WHERE d.entries <> (SELECT count(*) FROM entry e WHERE e.document = d.no)",
    ),
    (
        "a document that arrives comes with a world that arrives",
        "SELECT 0, 'document ' || d.id FROM document d
         WHERE d.arrives <> 0 AND NOT EXISTS (SELECT 1 FROM world w WHERE w.no = d.arrives AND w.arrives IS NOT NULL)",
    ),
    (
        "entries and files belong to a document",
        "SELECT 0, 'document number ' || o.document FROM
           (SELECT DISTINCT document FROM entry UNION SELECT document FROM document_file) o
         WHERE NOT EXISTS (SELECT 1 FROM document d WHERE d.no = o.document)",
    ),
    (
        "a line's witnesses are listed with its conversation",
        "SELECT DISTINCT l.id >> 40, 'conversation ' || conversation FROM line l WHERE l.attribute IS NOT NULL
           AND NOT EXISTS (SELECT 1 FROM stream s WHERE s.conversation = l.conversation AND s.circle = l.witnesses)",
    ),
    (
        "a conversation that is not hot is ranked where its latest line stands",
        "SELECT c.world, 'conversation ' || c.id FROM conversation c
         WHERE c.hot = 0 AND (coalesce(c.ranked, 0) <> c.latest
           OR (c.ranked IS NOT NULL AND (c.ranked_at <> c.latest_at OR c.ranked_members <> c.members)))",
    ),
    (
        "every member of a ranked conversation finds it in the ranking",
        "SELECT c.world, 'conversation ' || c.id FROM conversation c JOIN circle_member m ON m.circle = c.ranked_members
         WHERE NOT EXISTS (SELECT 1 FROM rank r WHERE r.a = m.character AND r.b = m.character
           AND r.at = c.ranked_at AND r.line = c.ranked AND r.conversation = c.no)",
    ),
    (
        "a seat knows the newest line that its character witnessed",
        "SELECT c.world, 'seat of ' || s.character || ' in ' || s.conversation FROM seat s
         JOIN conversation c ON c.no = s.conversation AND c.hot = 0
         WHERE s.heard IS NOT (SELECT max(l.id & 1099511627775) FROM stream t
             JOIN circle_member m ON m.circle = t.circle AND m.character = s.character
             JOIN line l ON l.conversation = t.conversation AND l.witnesses = t.circle AND l.active = 1
             WHERE t.conversation = s.conversation)",
    ),
    (
        "whoever witnessed a line of a ranked conversation has a seat in it",
        "SELECT DISTINCT c.world, 'conversation ' || c.id FROM conversation c JOIN stream t ON t.conversation = c.no
         JOIN circle_member m ON m.circle = t.circle
         WHERE c.hot = 0 AND c.ranked IS NOT NULL
           AND EXISTS (SELECT 1 FROM line l
             WHERE l.conversation = c.no AND l.witnesses = t.circle AND l.active = 1)
           AND NOT EXISTS (SELECT 1 FROM seat s WHERE s.conversation = c.no AND s.character = m.character)",
    ),
    (
        "nothing stands in the ranking but what was ranked",
        "SELECT c.world, 'rank of ' || r.a || ' and ' || r.b || ' at line ' || r.line FROM rank r
         LEFT JOIN conversation c ON c.no = r.conversation
         WHERE c.ranked IS NOT r.line OR c.ranked_at IS NOT r.at OR NOT EXISTS
           (SELECT 1 FROM circle_member m WHERE m.circle = c.ranked_members AND m.character = r.a)",
    ),
    (
        "what is on an active path is there",
        "SELECT c.world, 'conversation ' || c.id FROM conversation c WHERE c.away = 1 AND c.head IS NOT NULL
         UNION ALL SELECT c.world, 'character ' || c.id FROM character c
         WHERE c.away = 1 AND c.erased = 0 AND EXISTS
           (SELECT 1 FROM conversation r JOIN circle_member m ON m.circle = r.members
            WHERE r.world = c.world AND r.away = 0 AND m.character = c.no)",
    ),
    (
        "a world knows its time",
        "SELECT w.no, 'world ' || w.id FROM world w
         WHERE coalesce(w.time, -9223372036854775808) <> coalesce(
           (SELECT max(c.latest_at) FROM conversation c WHERE c.world = w.no), -9223372036854775808)",
    ),
];

/// Examines a file without changing it.
pub fn examine(path: &Path, options: &Options) -> Result<Report> {
    let bytes = std::fs::metadata(path).map(|file| file.len()).map_err(|error| {
        Error::new(Code::NotFound, format!("there is no data file {}: {error}", path.display()))
            .hint("name the folder with --data DIR; `reverie serve` creates the file")
    })?;
    let connection = file::open_examiner(path, options)?;
    let look = || -> crate::error::Result<Report> {
        let count = |table: &str| -> crate::error::Result<u64> {
            Ok(connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))?)
        };
        let mut findings = Vec::new();
        for detail in
            texts(&connection, "PRAGMA integrity_check")?.into_iter().filter(|detail| detail != "ok")
        {
            findings.push(Finding { rule: "the file is whole", detail });
        }
        for (rule, query) in RULES.iter().chain(remembered::RULES) {
            let of_whole_worlds = format!(
                "WITH broken (world, detail) AS ({query})
                 SELECT detail FROM broken WHERE world IS NULL OR world NOT IN {ARRIVING}"
            );
            let details = texts(&connection, &of_whole_worlds)?;
            findings.extend(details.into_iter().map(|detail| Finding { rule, detail }));
        }
        Ok(Report {
            worlds: count("world WHERE arrives IS NULL")?,
            characters: count(&format!("character WHERE erased = 0 AND world NOT IN {ARRIVING}"))?,
            conversations: count(&format!("conversation WHERE world NOT IN {ARRIVING}"))?,
            lines: count(&format!("line WHERE attribute IS NOT NULL AND id >> 40 NOT IN {ARRIVING}"))?,
            bytes,
            findings,
        })
    };
    Ok(look()?)
}

fn texts(connection: &Connection, query: &str) -> crate::error::Result<Vec<String>> {
    let mut statement = connection.prepare(query)?;
    let rows = statement.query_map([], |row| row.get(0))?;
    Ok(rows.take(MOST).collect::<rusqlite::Result<_>>()?)
}
