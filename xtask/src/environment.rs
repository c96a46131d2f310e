//! Where is the project, and what does the machine offer?

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::json::text;
use crate::run::output;

const QUICK: Duration = Duration::from_secs(120);

pub(crate) struct Environment {
    pub(crate) root: PathBuf,
    cargo: OsString,
    path: OsString,
    /// What rustc calls this machine.
    pub(crate) host: String,
}

impl Environment {
    pub(crate) fn read() -> Result<Self> {
        let manifest = PathBuf::from(variable("CARGO_MANIFEST_DIR").context("run this as `cargo xtask`")?);
        let root = manifest.parent().context("xtask stands in no workspace")?.to_owned();
        let rustc = variable("RUSTC").unwrap_or_else(|| "rustc".into());
        let about = output(Command::new(rustc).arg("-vV"), QUICK)?;
        let host =
            about.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?;
        Ok(Self {
            root,
            cargo: variable("CARGO").unwrap_or_else(|| "cargo".into()),
            path: variable("PATH").unwrap_or_default(),
            host: host.to_owned(),
        })
    }

    /// Cargo in the project's folder, without network: whatever is needed was fetched before.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.cargo_online(arguments);
        command.env("CARGO_NET_OFFLINE", "true");
        command
    }

    pub(crate) fn cargo_online(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.cargo);
        command.args(arguments).current_dir(&self.root);
        // What cargo told this program about itself is not about the next one.
        for name in ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_PKG_NAME"] {
            command.env_remove(name);
        }
        command
    }

    /// The workspace's own packages, as cargo sees them.
    pub(crate) fn metadata(&self) -> Result<Value> {
        let mut command = self.cargo(&["metadata", "--format-version", "1", "--no-deps", "--locked"]);
        Ok(serde_json::from_str(&output(&mut command, QUICK)?)?)
    }

    /// All packages that a build on this machine may use.
    pub(crate) fn metadata_with_dependencies(&self) -> Result<Value> {
        let arguments = ["metadata", "--format-version", "1", "--locked", "--filter-platform", &self.host];
        Ok(serde_json::from_str(&output(&mut self.cargo(&arguments), QUICK)?)?)
    }

    /// Where cargo puts what it builds.
    pub(crate) fn target(&self) -> Result<PathBuf> {
        let metadata = self.metadata()?;
        let folder = text(&metadata, "/target_directory").context("cargo names no target directory")?;
        Ok(PathBuf::from(folder))
    }

    /// A program by its name, from PATH.
    pub(crate) fn program(&self, name: &str) -> Option<PathBuf> {
        let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(&self.path).map(|folder| folder.join(&file)).find(|path| path.is_file())
    }

    pub(crate) fn is_root(&self) -> bool {
        output(Command::new("id").arg("-u"), QUICK).is_ok_and(|id| id.trim() == "0")
    }
}

/// A folder of its own for a chore, gone when the value is dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Result<Self> {
        let path = std::env::temp_dir().join(format!("reverie-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
        Ok(Self(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left lies in the system's temporary folder.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[expect(clippy::disallowed_methods, reason = "chores have no settings; this is their only door")]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}
