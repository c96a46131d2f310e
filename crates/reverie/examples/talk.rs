//! Two characters talk, one whispers, and each gets the prompt of what it witnessed. Run: `cargo run --example talk`.

use reverie::conversation::OpenConversation;
use reverie::line::{NewLine, Wording};
use reverie::store::Place;
use reverie::{Attribute, CharacterId, Cue, Record, Result, Who, WorldId};

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

    let lines = vec![
        line("player", Attribute::User, "Where is the key?", None)?,
        line("ann", Attribute::Assistant, "Under the third stair. Do not tell Bob.", Some(&["player"]))?,
        line("bob", Attribute::Assistant, "What are you two whispering about?", None)?,
    ];
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
        attribute,
        speaker: Some(who(speaker)?),
        display_name: None,
        wording: Wording { content: content.to_owned(), ..Default::default() },
        tick: None,
        wall_ms: None,
        host_id: None,
        witnesses: whispered_to.map(|names| names.iter().map(|name| who(name)).collect()).transpose()?,
        hidden: false,
        round: None,
    })
}
