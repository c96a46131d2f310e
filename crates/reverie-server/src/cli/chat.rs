//! `reverie chat`: talk to a character in the terminal, with everything that it remembers.
//!
//! A line that is typed is said; one that begins with `/` is a command (`commands`), and one that begins with `//` says what stands behind the first. Each exchange is a round: opened when something is
//! said, complete when the answer has ended, broken off where it was.

mod commands;
mod prompt;
mod talk;

use std::io::{IsTerminal, Write};

use reverie_core::character::CharacterPatch;
use reverie_core::conversation::OpenConversation;
use reverie_core::world::WorldPatch;
use reverie_core::{CharacterId, Code, Engine, Error, Who, WorldId};

use self::commands::Next;
use self::prompt::Typed;
use self::talk::Talk;
use super::{people, worlds};
use crate::output::{Failure, Output, counted};
use crate::proxy::Speaker;
use crate::settings::Settings;
use crate::{data, sample};

#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Whom to talk to, by id or by name; whoever is not there is made. Absent: proxy.character.
    character: Option<String>,
    /// In which world; absent: proxy.world. One that is not there is made.
    #[arg(long, short, value_name = "WORLD")]
    world: Option<String>,
    /// Who you are, by id or by name; absent: proxy.user.
    #[arg(long = "as", short = 'a', value_name = "CHARACTER")]
    user: Option<String>,
    /// A conversation of its own by this name; absent: the one of you two.
    #[arg(long, short, value_name = "NAME")]
    conversation: Option<String>,
    /// The model's name, as the upstream knows it.
    #[arg(long, short, value_name = "MODEL", default_value = "")]
    model: String,
    /// Who the character is, from now on.
    #[arg(long, value_name = "TEXT")]
    persona: Option<String>,
}

pub(super) fn run(output: Output, settings: &Settings, options: &Options) -> Result<(), Failure> {
    sample::make_data_file(settings)?;
    let (_, api) = data::open_to_change(settings)?;
    let engine = api.engine();
    let forwarding = &settings.forwarding;
    let world = options.world.as_deref().map_or_else(|| Ok(forwarding.world.clone()), WorldId::new)?;
    let person = |given: &Option<String>, default: &CharacterId| match given {
        Some(given) => meant(engine, &world, given),
        None => Ok(Person { id: default.clone(), is_new: false }),
    };
    let Person { id: character, is_new } = person(&options.character, &forwarding.character)?;
    let user = person(&options.user, &forwarding.user)?.id;
    if character == user {
        let alone = Error::invalid(format!("{user} would talk to themselves"));
        return Err(Failure::usage(alone.hint("name somebody else, or yourself with --as")));
    }
    let is_new_world = options.world.is_some() && !worlds::is_there(engine, &world)?;
    if is_new_world {
        output.note(&worlds::begins(engine, &world)?);
    } else if is_new {
        output.note(&format!("nobody in the world {world} is called {character}: a new character begins"));
    }
    engine.make_world(&world, WorldPatch::default(), [], [])?;
    if let Some(persona) = &options.persona {
        let patch = CharacterPatch { persona: Some(Some(persona.clone())), ..CharacterPatch::default() };
        engine.put_character(&world, Who::Id(character.clone()), patch)?;
    }
    let open = OpenConversation {
        id: None,
        name: options.conversation.clone(),
        participants: vec![Who::Id(user.clone()), Who::Id(character.clone())],
    };
    let room = engine.open_conversation(&world, open)?.value.id;
    let speaker = Speaker::new(forwarding)?;
    if speaker.is_echo() {
        output.note("no upstream is configured: `echo` answers, and repeats what you say (REVERIE_UPSTREAM_URL sets one)");
    }
    let mut talk =
        Talk::new(output, engine, speaker, talk::People { world, room, user, character }, &options.model)?;
    let is_typed = std::io::stdin().is_terminal() && !output.json;
    if is_typed {
        output.note("/help lists the commands; Ctrl-D or /quit ends");
    }
    converse(output, &mut talk, is_typed)
}

/// Somebody who was named.
struct Person {
    id: CharacterId,
    is_new: bool,
}

/// Whoever is called so, else somebody new.
fn meant(engine: &Engine, world: &WorldId, name: &str) -> Result<Person, Failure> {
    Ok(match people::find(engine, world, name)? {
        Some(character) => Person { id: character.id, is_new: false },
        None => Person { id: CharacterId::new(name)?, is_new: true },
    })
}

fn converse(output: Output, talk: &mut Talk<'_>, is_typed: bool) -> Result<(), Failure> {
    let mut slips = 0;
    loop {
        if is_typed {
            let mut stdout = std::io::stdout().lock();
            // A terminal that is gone ends the input, too.
            let _ = write!(stdout, "{}> ", talk.user());
            let _ = stdout.flush();
        }
        let typed = prompt::read(talk.runtime())
            .map_err(|error| Error::invalid(format!("what you say cannot be read: {error}")))?;
        let said = match typed {
            Typed::Line(said) => said,
            Typed::Unreadable(shown) => {
                let error = Error::invalid(format!("this is no UTF-8, and was not said: {}", shown.trim()));
                output.failure(&Failure::from(error.hint("set the terminal, or the file, to UTF-8")));
                slips += u64::from(!is_typed);
                continue;
            }
            Typed::End => break,
            Typed::BrokenOff => return Err(Failure::broken_off()),
        };
        let line = said.trim();
        if line.is_empty() {
            continue;
        }
        let next = match line.strip_prefix('/') {
            Some(words) if words.starts_with('/') => talk.say(words).map(|()| Next::GoOn),
            Some(command) => commands::obey(talk, command),
            None => talk.say(line).map(|()| Next::GoOn),
        };
        match next {
            Ok(Next::GoOn) => {}
            Ok(Next::End) => break,
            // A person says something else.
            Err(error) if is_typed => output.failure(&Failure::from(error)),
            // A program wants to know, but what it says behind a slip is said all the same.
            Err(error) if is_slip(&error) && line.starts_with('/') => {
                output.failure(&Failure::from(error));
                slips += 1;
            }
            Err(error) => return Err(error.into()),
        }
    }
    match slips {
        0 => Ok(()),
        slips => {
            let slips = counted(slips, "line was", "lines were");
            let error = Error::invalid(format!("{slips} not understood; all else was said"));
            Err(Failure::from(error).already_in_json())
        }
    }
}

/// A command that is none, or means something that is not there.
fn is_slip(error: &Error) -> bool {
    matches!(error.code(), Code::Invalid | Code::NotFound)
}
