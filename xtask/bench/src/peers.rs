//! How are other stores asked the same, in the same run? A Python process has them all and answers one question at a time; it
//! measures itself, so that nobody pays for the way between.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use reverie_core::embed::Vector;
use serde_json::Value;

use crate::Workshop;

const SCRIPT: &str = include_str!("../python/peers.py");

pub(crate) struct Peers {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    /// Those that work here, with their versions.
    pub(crate) names: Vec<(&'static str, String)>,
    /// Those that do not, with why.
    pub(crate) missing: Vec<(&'static str, String)>,
}

/// What one of them found.
pub(crate) struct Found {
    pub(crate) took: Duration,
    pub(crate) rows: Vec<usize>,
}

impl Peers {
    pub(crate) fn start(
        workshop: &Workshop,
        python: &Path,
        (vectors, queries): (&[Vector], &[Vector]),
        asked: impl Iterator<Item = &'static str>,
    ) -> Result<Self> {
        let asked: Vec<&'static str> = asked.collect();
        let folder = workshop.folder.join("peers");
        std::fs::create_dir_all(&folder)?;
        let (vectors_file, queries_file) = (folder.join("vectors.f32"), folder.join("queries.f32"));
        write(&vectors_file, vectors)?;
        write(&queries_file, queries)?;
        let script = folder.join("peers.py");
        std::fs::write(&script, SCRIPT)?;
        let dimensions = vectors.first().map_or(0, |vector| vector.0.len());
        let mut child = Command::new(python)
            .arg(&script)
            .args([&vectors_file, &queries_file])
            .arg(dimensions.to_string())
            .arg(folder.join("stores"))
            .args(&asked)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", python.display()))?;
        let to = child.stdin.take().context("no way to the peers")?;
        let from = BufReader::new(child.stdout.take().context("no way from the peers")?);
        let mut peers = Self { child, to, from, names: Vec::new(), missing: Vec::new() };
        let ready = peers.read()?;
        for name in asked {
            let about = ready.get("ready").and_then(|ready| ready.get(name)).cloned().unwrap_or_default();
            let text = |key: &str| about.get(key).and_then(Value::as_str).map(str::to_owned);
            match text("version") {
                Some(version) => peers.names.push((name, version)),
                None => peers.missing.push((name, text("failed").unwrap_or_default())),
            }
        }
        Ok(peers)
    }

    pub(crate) fn search(&mut self, name: &str, query: usize, top: usize) -> Result<Found> {
        writeln!(self.to, "{name} {query} {top}")?;
        self.to.flush()?;
        let answer = self.read()?;
        let took = answer.get("ns").and_then(Value::as_u64).context("no time")?;
        let rows = answer.get("rows").and_then(Value::as_array).context("no rows")?;
        let rows = rows.iter().filter_map(|row| usize::try_from(row.as_u64()?).ok()).collect();
        Ok(Found { took: Duration::from_nanos(took), rows })
    }

    fn read(&mut self) -> Result<Value> {
        let mut line = String::new();
        if self.from.read_line(&mut line)? == 0 {
            bail!("the peers have ended; what they said stands above");
        }
        Ok(serde_json::from_str(&line)?)
    }
}

impl Drop for Peers {
    fn drop(&mut self) {
        // Fails only if it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write(path: &Path, vectors: &[Vector]) -> Result<()> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    for value in vectors.iter().flat_map(|vector| vector.0.iter()) {
        file.write_all(&value.to_le_bytes())?;
    }
    Ok(file.flush()?)
}
