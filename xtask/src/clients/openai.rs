//! Do the OpenAI SDKs notice anything but the memory?
//!
//! Those for Python and JavaScript talk to the real binary in front of a real model. In between a recorder passes
//! everything on and writes down what the model was sent.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Result;

use crate::clients::checks;
use crate::docs;
use crate::environment::{Environment, Scratch};
use crate::llama::Model;
use crate::packages::{INSTALL_LIMIT, node, python};
use crate::report::Tally;
use crate::server::{Server, started};

const PYTHON: &[&str] = &["openai==3.49.0"];
const NODE: &[&str] = &["openai@7.53.0"];
/// A weak machine writes some ten tokens a second.
const LIMIT: Duration = Duration::from_secs(10 * 60);

pub(crate) fn check(environment: &Environment) -> Result<Tally> {
    let scripts = environment.root.join("xtask/clients");
    let model = match Model::start(environment) {
        Ok(model) => model,
        Err(why) => {
            println!("skipped: no real model to be had: {why:#}");
            return Ok(Tally::SKIPPED);
        }
    };
    let mut tally = Tally::default();
    match python(environment, "clients-openai", PYTHON, &[]) {
        Ok(python) => {
            let script = scripts.join("openai_python.py");
            let folder = scripts.clone();
            tally.add(talk(environment, &model, &python, Client { python: &python, script, folder })?);
        }
        Err(why) => skip(&mut tally, "Python", &why),
    }
    match (node(environment, "clients-node", NODE), environment.program("python3")) {
        (Ok((node, folder)), Some(python)) => {
            let script = scripts.join("openai_node.mjs");
            tally.add(talk(environment, &model, &node, Client { python: &python, script, folder })?);
        }
        (Err(why), _) => skip(&mut tally, "JavaScript", &why),
        (_, None) => skip(&mut tally, "JavaScript", &anyhow::anyhow!("there is no python3")),
    }
    Ok(tally)
}

fn skip(tally: &mut Tally, what: &str, why: &anyhow::Error) {
    println!("skipped: the OpenAI SDK for {what} is not to be had: {why:#}");
    tally.add(Tally::SKIPPED);
}

struct Client<'a> {
    /// Runs the recorder.
    python: &'a Path,
    script: PathBuf,
    /// Where its packages are found.
    folder: PathBuf,
}

fn talk(environment: &Environment, model: &Model, program: &Path, client: Client<'_>) -> Result<Tally> {
    let scratch = Scratch::new("clients")?;
    let seen = scratch.path().join("seen.jsonl");
    let recorder = Recorder::start(client.python, &environment.root, &model.address, &seen)?;
    let upstream = format!("{}/v1", recorder.address);
    let variables = [("REVERIE_UPSTREAM_URL", upstream.as_str())];
    let server = Server::start(&docs::binary(environment)?, scratch.path(), &variables)?;
    let mut command = Command::new(program);
    command
        .arg(&client.script)
        .current_dir(&client.folder)
        .env("REVERIE", &server.address)
        .env("UPSTREAM", &model.address)
        .env("RECORD", &seen);
    let name = client.script.file_name().unwrap_or_default().to_string_lossy().into_owned();
    checks(&mut command, &name, LIMIT)
}

/// Until it is dropped.
struct Recorder {
    child: Child,
    address: String,
}

impl Recorder {
    fn start(python: &Path, root: &Path, upstream: &str, seen: &Path) -> Result<Self> {
        let mut command = Command::new(python);
        command
            .arg(root.join("xtask/clients/recorder.py"))
            .arg(upstream)
            .arg(seen)
            .stdin(Stdio::piped())
            .stderr(Stdio::null());
        let (child, line) = started(command, INSTALL_LIMIT)?;
        Ok(Self { child, address: line.trim().to_owned() })
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        crate::run::end(&mut self.child);
    }
}
