//! stub

use std::path::Path;

use reverie_core::{Error, WorldId};

use crate::output::{Failure, Output};
use crate::settings::Settings;

pub(super) fn run(
    _output: Output,
    _settings: &Settings,
    _path: &Path,
    _world: Option<WorldId>,
) -> Result<(), Failure> {
    Err(Error::invalid("folders are not read yet").into())
}
