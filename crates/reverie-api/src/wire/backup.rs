//! Copies of the data file on the wire.

use schemars::JsonSchema;
use serde::Serialize;

/// A copy of the data file, as it was at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Backup")]
pub struct BackupView {
    /// Its name in the folder of the backups.
    pub file: String,
    pub bytes: u64,
    /// When it was made.
    pub at: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Backups")]
pub struct BackupsView {
    /// Where they lie, on the server's machine: the setting `backup.folder`.
    pub folder: String,
    /// So many are kept, the setting `backup.keep`; a new one takes the place of the oldest.
    pub keep: usize,
    /// The newest first. Other files in the folder are not touched.
    pub backups: Vec<BackupView>,
}
