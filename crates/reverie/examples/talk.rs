//! Two characters talk, one whispers, and each gets the prompt of what it witnessed, and remembers no more than that. Run:
//! `cargo run --example talk`.

use reverie::conversation::OpenConversation;
use reverie::line::NewLine;
use reverie::round::{CloseRound, Ending};
use reverie::store::Place;
use reverie::{Attribute, CharacterId, Cue, MemoriesQuery, Record, Result, Who, WorldId};
use std::time::Duration;

fn main() -> Result<()> {
    let folder = std::env::temp_dir().join(format!("reverie-talk-{}", std::process::id()));
    let engine = reverie::open(&format!("sqlite:{}", folder.join("memory.db").display()))?;
    let world = WorldId::new("inn")?;
    engine.put_world(&world, Default::default())?;

    let open = OpenConversation {
        name: Some("evening".to_owned()),
        participants: vec![who("ann")?, who("bob")?, who("player")?],
        ..Default::default()
    };
    let scene = engine.open_conversation(&world, open)?.value;

    let round = engine.open_round(&world, &scene.id, None)?.value.id;
    let mut lines = vec![
        line("player", Attribute::User, "Where is the key?", None)?,
        line("ann", Attribute::Assistant, "Under the third stair. Do not tell Bob.", Some(&["player"]))?,
        line("bob", Attribute::Assistant, "What are you two whispering about?", None)?,
    ];
    lines.iter_mut().for_each(|line| line.round = Some(round));
    engine.record(
        &world,
        &scene.id,
        Record { lines, key: Some("turn-1".to_owned()), ..Default::default() },
    )?;

    for name in ["ann", "bob"] {
        let recall = engine.recall(&world, &Cue::new(who(name)?, Place::Conversation(scene.id.clone())))?;
        eprintln!("\n{name} would be sent:");
        for message in recall.messages {
            eprintln!("  {:<9} | {}", message.role.as_str(), message.content.replace('\n', "⏎"));
        }
    }

    engine.close_round(&world, round, CloseRound { ending: Ending::Complete, shown_through: None })?;
    engine.digest(Duration::from_millis(100))?;
    for name in ["ann", "bob"] {
        let of = MemoriesQuery::of(CharacterId::new(name)?);
        for memory in engine.memories(&world, &of)?.items {
            eprintln!("\n{name} remembers:\n{}", memory.held.text());
        }
    }
    drop(engine);
    std::fs::remove_dir_all(folder).ok();
    Ok(())
}

fn who(id: &str) -> Result<Who> {
    CharacterId::new(id).map(Who::Id)
}

fn line(
    speaker: &str,
    attribute: Attribute,
    content: &str,
    whispered_to: Option<&[&str]>,
) -> Result<NewLine> {
    Ok(NewLine {
        witnesses: whispered_to.map(|names| names.iter().map(|name| who(name)).collect()).transpose()?,
        ..NewLine::new(attribute, Some(who(speaker)?), content)
    })
}
