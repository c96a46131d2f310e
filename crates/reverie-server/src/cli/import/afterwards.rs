//! What should somebody know who has just brought talks in, before they wonder?

use reverie_core::{Code, Engine, Result, WorldId};

use crate::output::Output;

/// How a world stood before an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    Absent,
    There,
}

impl Before {
    pub(super) fn of(engine: &Engine, world: &WorldId) -> Result<Self> {
        match engine.world(world) {
            Ok(_) => Ok(Self::There),
            Err(error) if error.code() == Code::NotFound => Ok(Self::Absent),
            Err(error) => Err(error),
        }
    }
}

/// Who may be told what was set with a new world, and when lines become memories.
pub(super) fn tell(
    output: Output,
    engine: &Engine,
    world: &WorldId,
    before: Before,
    new_lines: usize,
) -> Result<()> {
    if new_lines == 0 {
        return Ok(());
    }
    let made = if before == Before::Absent { Some(engine.world(world)?) } else { None };
    let audience = made.as_ref().and_then(|made| made.settings.get("audience"));
    if audience.is_some_and(|audience| audience == "same-conversation") {
        output.note(&format!(
            "the new world {world} has `audience: same-conversation`: what was told in one chat comes to mind in no other. With \
             `strict` it does among those who heard it; the settings of the world change it, in the console or over HTTP"
        ));
    }
    output.note(&format!(
        "memories of these lines follow while a server runs, or at once with `reverie digest {}`",
        quoted(world)
    ));
    Ok(())
}

/// As a shell takes it for one word.
fn quoted(world: &WorldId) -> String {
    let is_plain = world.as_str().chars().all(|c| c.is_alphanumeric() || "-_.:".contains(c));
    if is_plain { world.to_string() } else { format!("{:?}", world.as_str()) }
}
