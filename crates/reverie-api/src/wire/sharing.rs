//! Who can recall the same as whom, on the wire.

use reverie_core::sharing::Sharing;
use schemars::JsonSchema;
use serde::Serialize;

/// Who shares how many memories with whom, of those that can be recalled now.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Sharing")]
pub struct SharingView {
    /// Who can recall most comes first. Whoever can recall nothing is not here.
    pub characters: Vec<SharerView>,
    /// Each two of these who share something; those who share most come first.
    pub links: Vec<SharedView>,
    /// How many others can recall something.
    pub left_out: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Sharer")]
pub struct SharerView {
    pub id: String,
    pub name: String,
    /// How many memories it can recall.
    pub memories: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Shared")]
pub struct SharedView {
    /// The ids of two.
    pub between: Vec<String>,
    /// How many memories both of them can recall.
    pub memories: u64,
}

impl From<Sharing> for SharingView {
    fn from(sharing: Sharing) -> Self {
        let characters = sharing.characters.into_iter().map(|one| SharerView {
            id: one.id.to_string(),
            name: one.name,
            memories: one.memories,
        });
        let links = sharing.links.into_iter().map(|link| SharedView {
            between: link.between.iter().map(ToString::to_string).collect(),
            memories: link.memories,
        });
        Self { characters: characters.collect(), links: links.collect(), left_out: sharing.left_out }
    }
}
