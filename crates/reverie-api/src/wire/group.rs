//! Groups, as far as anything here speaks of them.

use schemars::JsonSchema;
use serde::Serialize;

use crate::chats::KeptGroup;

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Groups")]
pub struct GroupsView {
    pub groups: Vec<GroupView>,
}

/// A group that came with a folder.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Group")]
pub struct GroupView {
    /// The name of its file, without the ending.
    pub id: String,
    pub name: String,
    /// Cards, by the names of their files.
    pub members: Vec<String>,
    /// Its chats, by the names of their files, without the ending.
    pub chats: Vec<String>,
}

impl From<KeptGroup> for GroupView {
    fn from(group: KeptGroup) -> Self {
        let KeptGroup { id, name, members, chats, text: _ } = group;
        Self { id, name, members, chats }
    }
}
