//! What can be typed besides words, and what does it do?

use std::collections::BTreeSet;

use reverie_core::conversation::{ExpectedHead, HeadTarget, WhichLines};
use reverie_core::{Attribute, CheckpointId, Error, Line, LineId, Result};
use serde_json::json;

use super::super::people;
use super::super::recall::{Voices, explained, prompt};
use super::talk::{People, Talk};

pub(super) enum Next {
    GoOn,
    End,
}

const HELP: &str = "\
/why            every memory that came to mind for the last answer, and why it was in the prompt or was not
/prompt         the last prompt, as the model got it
/again          another answer to what you said last
/undo [N]       takes back the last N exchanges; they stay on a branch
/branch [N]     lists the ends of all branches, or goes to one
/save NAME      a checkpoint of the whole world
/load [NAME]    lists the checkpoints, or begins anew at one
//TEXT          says /TEXT
/quit           ends, as Ctrl-D does";

/// Words of a line in a list.
const SHOWN: usize = 40;

pub(super) fn obey(talk: &mut Talk<'_>, command: &str) -> Result<Next> {
    let (name, argument) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    let argument = argument.trim();
    match name {
        "help" | "?" => talk.output.answer(HELP, &json!({"help": HELP})),
        "why" => why(talk)?,
        "prompt" => last_prompt(talk)?,
        "again" => talk.answer_anew()?,
        "undo" => undo(talk, argument)?,
        "branch" => branch(talk, argument)?,
        "save" => save(talk, argument)?,
        "load" => load(talk, argument)?,
        "quit" | "exit" | "q" => return Ok(Next::End),
        _ => return Err(Error::invalid(format!("there is no command /{name}")).hint("/help lists them")),
    }
    Ok(Next::GoOn)
}

fn recalled<'t>(talk: &'t Talk<'_>) -> Result<&'t reverie_api::wire::RecallView> {
    let nothing = || Error::invalid("nothing was answered yet").hint("say something first");
    talk.recalled.as_ref().ok_or_else(nothing)
}

fn why(talk: &Talk<'_>) -> Result<()> {
    let recall = recalled(talk)?;
    let name_of = |id: &str| people::name_of(talk.engine, &talk.people.world, id);
    talk.output.answer(&explained(recall, Voices::One, &name_of), &json!({"considered": recall.considered}));
    Ok(())
}

fn last_prompt(talk: &Talk<'_>) -> Result<()> {
    let recall = recalled(talk)?;
    talk.output.answer(&prompt(recall), &json!({"messages": recall.messages}));
    Ok(())
}

fn undo(talk: &Talk<'_>, argument: &str) -> Result<()> {
    let wanted = match argument {
        "" => 1,
        number => number.parse().map_err(|_| not_a_number(number))?,
    };
    let path = talk.path()?;
    let asked = path.iter().enumerate().rev().filter(|(_, line)| line.attribute == Attribute::User);
    let Some((at, line)) = asked.take(wanted).last() else {
        return Err(Error::invalid("nothing was said that could be taken back"));
    };
    let target = HeadTarget::Back(path.len() - at);
    talk.engine.move_head(&talk.people.world, &talk.people.room, target, ExpectedHead::Any)?;
    let text = format!("taken back to before: {}", shortened(line));
    talk.output.answer(&text, &json!({"taken_back": path.len() - at, "before": line.id.to_string()}));
    Ok(())
}

/// The ends of branches are lines that nothing follows.
fn branch(talk: &Talk<'_>, argument: &str) -> Result<()> {
    let all = talk.lines(WhichLines::Tree, talk.engine.limits().page)?;
    let followed: BTreeSet<LineId> = all.iter().filter_map(|line| line.parent).collect();
    let ends: Vec<&Line> = all.iter().filter(|line| !followed.contains(&line.id)).collect();
    if argument.is_empty() {
        let here = talk.path()?.last().map(|line| line.id);
        let told = |(at, line): (usize, &&Line)| {
            let mark = if Some(line.id) == here { '*' } else { ' ' };
            format!("{mark}{:>3}  {}\n", at + 1, shortened(line))
        };
        let text: String = ends.iter().enumerate().map(told).collect();
        let ids: Vec<String> = ends.iter().map(|line| line.id.to_string()).collect();
        talk.output
            .answer(if text.is_empty() { "nothing was said yet" } else { &text }, &json!({"branches": ids}));
        return Ok(());
    }
    let number: usize = argument.parse().map_err(|_| not_a_number(argument))?;
    let Some(end) = number.checked_sub(1).and_then(|at| ends.get(at)) else {
        return Err(Error::not_found(format!("there is no branch {number}")).hint("/branch lists them"));
    };
    talk.engine.move_head(
        &talk.people.world,
        &talk.people.room,
        HeadTarget::Line(end.id),
        ExpectedHead::Any,
    )?;
    talk.output.answer(&format!("gone to: {}", shortened(end)), &json!({"head": end.id.to_string()}));
    Ok(())
}

fn save(talk: &Talk<'_>, name: &str) -> Result<()> {
    if name.is_empty() {
        return Err(Error::invalid("a checkpoint needs a name").hint("/save before-the-storm"));
    }
    let id = CheckpointId::new(name)?;
    let saved = talk.engine.put_checkpoint(&talk.people.world, &id)?;
    let how = if saved.created { "saved" } else { "saved over the one before" };
    talk.output.answer(&format!("{how}: {name}"), &json!({"saved": name, "revision": saved.value.revision}));
    Ok(())
}

fn load(talk: &Talk<'_>, name: &str) -> Result<()> {
    let People { world, .. } = &talk.people;
    if name.is_empty() {
        let all = talk.engine.checkpoints(world, None, talk.engine.limits().page)?.items;
        let names: Vec<&str> = all.iter().map(|one| one.id.as_str()).collect();
        let text = if names.is_empty() { "nothing is saved yet".to_owned() } else { names.join("\n") };
        talk.output.answer(&text, &json!({"checkpoints": names}));
        return Ok(());
    }
    let restored =
        talk.engine.restore(world, &CheckpointId::new(name)?).map_err(|error| match error.code() {
            reverie_core::Code::NotFound => Error::not_found(error.message()).hint("/load lists them"),
            _ => error,
        })?;
    talk.output
        .answer(&format!("begun anew at {name}"), &json!({"loaded": name, "revision": restored.revision}));
    Ok(())
}

fn not_a_number(text: &str) -> Error {
    Error::invalid(format!("{text:?} is no number"))
}

fn shortened(line: &Line) -> String {
    let words: String = line.wording.content.split_whitespace().collect::<Vec<_>>().join(" ");
    let speaker = line.name.as_deref().or(line.speaker.as_ref().map(|who| who.as_str())).unwrap_or("…");
    let cut: String = words.chars().take(SHOWN).collect();
    let dots = if cut.len() < words.len() { "…" } else { "" };
    format!("{speaker}: {cut}{dots}")
}
