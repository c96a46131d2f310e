//! How does a file of an older schema become one of ours?

use std::path::Path;

use rusqlite::Connection;

use super::looking::APPLICATION_ID;
use super::{describe, side_file};
use crate::error::Result;
use crate::{fuller, giving_way, living};

pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/0001.sql"),
    include_str!("../migrations/0002.sql"),
    include_str!("../migrations/0003.sql"),
    include_str!("../migrations/0004.sql"),
    include_str!("../migrations/0005.sql"),
    include_str!("../migrations/0006.sql"),
    include_str!("../migrations/0007.sql"),
    include_str!("../migrations/0008.sql"),
    include_str!("../migrations/0009.sql"),
    include_str!("../migrations/0010.sql"),
    include_str!("../migrations/0011.sql"),
    include_str!("../migrations/0012.sql"),
    include_str!("../migrations/0013.sql"),
];

/// The schema that first says which memory of an exchange counts.
const GIVING_WAY: usize = 9;
/// The schema that first says which summary of a day counts.
const SUMMED_UP: usize = 13;

pub(super) fn migrate(writer: &Connection, path: &Path) -> reverie_core::Result<()> {
    let version = |connection: &Connection| -> Result<usize> {
        Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
    };
    let run = || -> Result<()> {
        let found = version(writer)?;
        if found == MIGRATIONS.len() {
            return Ok(());
        }
        if found > 0 {
            let backup = side_file(path, &format!(".schema{found}.bak"));
            writer.execute("VACUUM INTO ?1", [backup.to_string_lossy()])?;
        }
        writer.execute_batch("BEGIN IMMEDIATE")?;
        // Another process may have been faster.
        let found = version(writer)?;
        for (number, sql) in MIGRATIONS.iter().enumerate().skip(found) {
            writer.execute_batch(sql)?;
            writer.pragma_update(None, "user_version", number as i64 + 1)?;
        }
        if found < SUMMED_UP {
            let deepest = fuller::settle_depths(writer)?;
            if found < GIVING_WAY {
                giving_way::settle_all(writer)?;
            }
            living::settle_all_summaries(writer, deepest)?;
        }
        writer.pragma_update(None, "application_id", APPLICATION_ID)?;
        writer.execute_batch("COMMIT")?;
        Ok(())
    };
    run().map_err(|error| describe(path, error))
}
