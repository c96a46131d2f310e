//! What is being asked of models: how is it kept, found, and taken away?

use reverie_core::job::{Job, JobKind, JobsQuery, Reject, Stage, Trouble, WhichJobs};
use reverie_core::{CharacterId, Error, MemoryId, WorldId};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

use crate::error::Result;
use crate::world::WorldRow;

/// 0: there is no such job.
pub(crate) fn version(connection: &Connection, world: &WorldRow, key: &str) -> Result<u64> {
    let version = connection
        .prepare_cached("SELECT version FROM job WHERE world = ?1 AND key = ?2")?
        .query_row(params![world.no, key], |row| row.get(0))
        .optional()?;
    Ok(version.unwrap_or(0))
}

/// Puts a job in place of the one with its key, or takes that one away.
pub(crate) fn put(connection: &Connection, world: &WorldRow, key: &str, job: Option<&Job>) -> Result<()> {
    if let Some(other) = job.filter(|job| job.key != key) {
        return Err(Error::invalid(format!("job {:?} cannot be put as {key:?}", other.key))
            .hint("the key of the job is that of the effect")
            .into());
    }
    let version = version(connection, world, key)? + 1;
    remove(connection, world, key)?;
    let Some(job) = job else { return Ok(()) };
    let trouble = job.trouble.as_ref();
    connection
        .prepare_cached(
            "INSERT INTO job (world, key, kind, stage, memories, known, attempts, due_ms, leased_until_ms,
               trouble_code, trouble_message, trouble_ms, made_ms, version)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        )?
        .execute(params![
            world.no,
            key,
            job.kind.as_str(),
            job.stage.as_str(),
            numbers(&job.memories),
            numbers(&job.known),
            job.attempts,
            job.due_ms,
            job.leased_until_ms,
            trouble.map(|trouble| &trouble.code),
            trouble.map(|trouble| &trouble.message),
            trouble.map(|trouble| trouble.at_ms),
            job.made_ms,
            version
        ])?;
    let mut insert = connection
        .prepare_cached("INSERT INTO job_holder (world, key, place, holder) VALUES (?1, ?2, ?3, ?4)")?;
    for (place, holder) in job.holders.iter().enumerate() {
        insert.execute(params![world.no, key, place as i64, holder.as_str()])?;
    }
    let mut insert = connection.prepare_cached(
        "INSERT INTO job_reject (world, key, place, text, reason) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    for (place, reject) in job.rejects.iter().enumerate() {
        insert.execute(params![world.no, key, place as i64, reject.text, reject.reason])?;
    }
    Ok(())
}

fn remove(connection: &Connection, world: &WorldRow, key: &str) -> Result<()> {
    for table in ["job_reject", "job_holder", "job"] {
        connection
            .prepare_cached(&format!("DELETE FROM {table} WHERE world = ?1 AND key = ?2"))?
            .execute(params![world.no, key])?;
    }
    Ok(())
}

fn numbers(ids: &[MemoryId]) -> String {
    ids.iter().map(MemoryId::to_string).collect::<Vec<_>>().join("\n")
}

fn memories(text: &str) -> Result<Vec<MemoryId>> {
    text.lines().map(|number| Ok(MemoryId::parse(number)?)).collect()
}

/// When lines or people go: what quotes dialogue goes, and so does what is about the one who goes.
pub(crate) fn forget(connection: &Connection, world: &WorldRow, person: Option<&CharacterId>) -> Result<()> {
    let mut gone: Vec<String> = connection
        .prepare_cached("SELECT key FROM job WHERE world = ?1 AND stage = 'done'")?
        .query_map([world.no], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    if let Some(person) = person {
        let of_person: Vec<String> = connection
            .prepare_cached("SELECT DISTINCT key FROM job_holder WHERE world = ?1 AND holder = ?2")?
            .query_map(params![world.no, person.as_str()], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        gone.extend(of_person);
    }
    gone.iter().try_for_each(|key| remove(connection, world, key))?;
    // Whoever read what was rejected must not write it back.
    connection
        .prepare_cached(
            "UPDATE job SET version = version + 1
             WHERE world = ?1 AND key IN (SELECT key FROM job_reject WHERE world = ?1)",
        )?
        .execute([world.no])?;
    connection.prepare_cached("DELETE FROM job_reject WHERE world = ?1")?.execute([world.no])?;
    Ok(())
}

/// Whoever asks about what was derived asks anew.
pub(crate) fn remove_all(connection: &Connection, world: &WorldRow) -> Result<()> {
    for table in ["job_reject", "job_holder", "job"] {
        connection.prepare_cached(&format!("DELETE FROM {table} WHERE world = ?1"))?.execute([world.no])?;
    }
    Ok(())
}

pub(crate) fn list(connection: &Connection, query: &JobsQuery) -> Result<Vec<(WorldId, Job)>> {
    let mut sql = "SELECT w.id, j.world, j.key, j.kind, j.stage, j.memories, j.known, j.attempts, j.due_ms,
           j.leased_until_ms, j.trouble_code, j.trouble_message, j.trouble_ms, j.made_ms, j.version
         FROM job j JOIN world w ON w.no = j.world WHERE w.arrives IS NULL"
        .to_owned();
    let mut values: Vec<Value> = Vec::new();
    let mut and = |condition: &str, value: Value| {
        values.push(value);
        sql += &format!(" AND {condition} ?{}", values.len());
    };
    if let Some(world) = &query.world {
        and("w.id =", world.as_str().to_owned().into());
    }
    match &query.which {
        WhichJobs::All => {}
        WhichJobs::One(key) => and("j.key =", key.clone().into()),
        WhichJobs::Due { now_ms } => {
            and("j.stage <> 'done' AND j.due_ms <=", (*now_ms).into());
            and("j.leased_until_ms <=", (*now_ms).into());
        }
    }
    let is_due = matches!(query.which, WhichJobs::Due { .. });
    if let Some((world, key)) = query.after.as_ref().filter(|_| !is_due) {
        and("w.id >=", world.as_str().to_owned().into());
        values.push(key.clone().into());
        let last = values.len();
        sql += &format!(" AND (w.id, j.key) > (?{}, ?{last})", last - 1);
    }
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
    let first = if is_due { "j.due_ms, " } else { "" };
    sql += &format!(" ORDER BY {first}w.id, j.key LIMIT {limit}");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(&values))?;
    let mut jobs = Vec::new();
    while let Some(row) = rows.next()? {
        jobs.push((WorldId::new(&row.get::<_, String>(0)?)?, read(connection, row)?));
    }
    Ok(jobs)
}

fn read(connection: &Connection, row: &Row<'_>) -> Result<Job> {
    let (world, key): (i64, String) = (row.get(1)?, row.get(2)?);
    let code: Option<String> = row.get(10)?;
    let trouble = match code {
        Some(code) => Some(Trouble { code, message: row.get(11)?, at_ms: row.get(12)? }),
        None => None,
    };
    Ok(Job {
        kind: JobKind::from_name(&row.get::<_, String>(3)?)?,
        stage: Stage::from_name(&row.get::<_, String>(4)?)?,
        holders: holders(connection, world, &key)?,
        memories: memories(&row.get::<_, String>(5)?)?,
        known: memories(&row.get::<_, String>(6)?)?,
        attempts: row.get(7)?,
        due_ms: row.get(8)?,
        leased_until_ms: row.get(9)?,
        trouble,
        rejects: rejects(connection, world, &key)?,
        made_ms: row.get(13)?,
        version: row.get(14)?,
        key,
    })
}

fn holders(connection: &Connection, world: i64, key: &str) -> Result<Vec<CharacterId>> {
    let ids: Vec<String> = connection
        .prepare_cached("SELECT holder FROM job_holder WHERE world = ?1 AND key = ?2 ORDER BY place")?
        .query_map(params![world, key], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    ids.iter().map(|id| Ok(CharacterId::new(id)?)).collect()
}

fn rejects(connection: &Connection, world: i64, key: &str) -> Result<Vec<Reject>> {
    let rejects = connection
        .prepare_cached("SELECT text, reason FROM job_reject WHERE world = ?1 AND key = ?2 ORDER BY place")?
        .query_map(params![world, key], |row| Ok(Reject { text: row.get(0)?, reason: row.get(1)? }))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rejects)
}

/// Tokens that models took in an hour.
pub(crate) fn spent(connection: &Connection, hour: i64) -> Result<u64> {
    let tokens = connection
        .prepare_cached("SELECT tokens FROM spent WHERE hour = ?1")?
        .query_row([hour], |row| row.get(0))
        .optional()?;
    Ok(tokens.unwrap_or(0))
}

/// Adds to them, or takes some back, and lets go of earlier hours.
pub(crate) fn spend(connection: &Connection, hour: i64, tokens: i64) -> Result<u64> {
    connection
        .prepare_cached(
            "INSERT INTO spent (hour, tokens) VALUES (?1, max(?2, 0))
             ON CONFLICT (hour) DO UPDATE SET tokens = max(tokens + ?2, 0)",
        )?
        .execute([hour, tokens])?;
    connection.prepare_cached("DELETE FROM spent WHERE hour < ?1 - 1")?.execute([hour])?;
    spent(connection, hour)
}
