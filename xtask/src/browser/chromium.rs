//! Is there a Chromium on this machine, or can there be one?

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::environment::Environment;
use crate::run::{Echo, run, succeeded};

const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const MAC: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
const INSTALL_LIMIT: Duration = Duration::from_secs(10 * 60);

/// The error says why there is none.
pub(crate) fn find_or_install(environment: &Environment) -> Result<PathBuf> {
    if cfg!(not(unix)) {
        bail!("the browser is driven through a pipe that only Unix has");
    }
    if let Some(found) = find(environment) {
        return Ok(found);
    }
    let Some(apt) = environment.program("apt-get") else {
        bail!("there is no Chromium, and no apt-get to install it with; install the package chromium");
    };
    if !environment.is_root() {
        bail!("there is no Chromium; install the package chromium (only root can do it from here)");
    }
    println!("installing the package chromium");
    for arguments in
        [&["update", "-qq"][..], &["install", "-y", "-qq", "--no-install-recommends", "chromium"]]
    {
        let mut command = Command::new(&apt);
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        let ended = run(&mut command, INSTALL_LIMIT, Echo::None)?;
        succeeded(&command, &ended, INSTALL_LIMIT)?;
    }
    match find(environment) {
        Some(found) => Ok(found),
        None => bail!("the package chromium was installed and there is still no program of that name"),
    }
}

fn find(environment: &Environment) -> Option<PathBuf> {
    let on_path = NAMES.iter().find_map(|name| environment.program(name));
    on_path.or_else(|| Some(PathBuf::from(MAC)).filter(|path| path.is_file()))
}
