//! What is a prompt made of: how is all of it read in one snapshot?

use std::collections::BTreeMap;

use reverie_core::character::{Character, is_erased};
use reverie_core::conversation::Conversation;
use reverie_core::names::CalledBesides;
use reverie_core::recollection::Recollections;
use reverie_core::settings::{Audience, HistoryScope, WorldSettings};
use reverie_core::store::{Gather, Gathered, Place, Select};
use reverie_core::{CharacterId, Line, Who, WorldId};
use rusqlite::{Connection, OptionalExtension};

use crate::candidates::{Candidate, Want, Which};
use crate::cast::{Cast, Known};
use crate::character;
use crate::circle::{self, Circles};
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::forgotten;
use crate::history;
use crate::link;
use crate::log;
use crate::merge::{Found, Stop, View, merge};
use crate::mind;
use crate::naming;
use crate::timer;
use crate::tree;
use crate::waiting::Waiting;
use crate::world::{self, WorldRow};

pub(crate) fn gather(connection: &Connection, id: &WorldId, gather: &Gather) -> Result<Gathered> {
    let row = WorldRow::find(connection, id)?;
    let world = world::read(connection, id)?;
    let settings = WorldSettings::resolve(world.preset, &world.settings)?;
    let cast = Cast::new(connection, &row);
    let known = cast.look(&gather.character)?;
    let character = match &known {
        Some(known) => character::list(connection, &row, &Select::One(known.id.as_str().to_owned()))?.pop(),
        None => None,
    };
    let mut place = Surroundings::look(connection, &row, &cast, &gather.place)?;
    place.listen(&cast, &gather.listeners)?;
    let here = place.row.as_ref();
    let lines = settings.background_lines;
    let viewer = known.as_ref().map(|known| known.no);
    let also = history::granted(connection, &row, &gather.also, viewer, lines)?;
    let (minded, strangers) = minded(&cast, gather)?;
    let mut gathered = Gathered {
        world,
        character,
        conversation: place.conversation.clone(),
        people: place.everybody(connection)?,
        earlier_system: Vec::new(),
        window: Vec::new(),
        window_is_cut: false,
        remembered_through: None,
        unremembered: Vec::new(),
        elsewhere: Vec::new(),
        decided: BTreeMap::new(),
        background: Vec::new(),
        also,
        books: Vec::new(),
        missing_books: Vec::new(),
        lore_timers: here.map(|here| timer::newest(connection, &row, here)).transpose()?.flatten(),
        path_lines: here.map_or(Ok(0), |here| path_lines(connection, &row, here))?,
        minds: minds(connection, &minded, gather)?,
        names: match gather.minds.is_empty() {
            true => CalledBesides::default(),
            false => naming::read(connection, row.no, gather.known_names)?,
        },
        voiced: voiced(connection, &row, &minded, gather)?,
        strangers,
    };
    // Whoever was deleted speaks no more.
    let known = known.filter(|_| gathered.character.is_some());
    let others = minded.iter().filter(|other| known.as_ref().is_none_or(|known| known.no != other.no));
    let all: Vec<&Known> = known.iter().chain(others).collect();
    (gathered.books, gathered.missing_books) = link::books(connection, &row, &all, here)?;
    let found = match &known {
        Some(known) => {
            let scope = gather.scope.unwrap_or(settings.history_scope);
            let stop = Stop::after_bytes(gather.window_lines, gather.window_bytes(&settings));
            window(connection, &row, &place, scope, known.no, stop)?
        }
        None => Found::default(),
    };
    if gather.unremembered_lines > 0 {
        let waiting = Waiting { connection, world: &row, here, voices: &all, gather };
        waiting.read_into(&mut gathered, &found, settings.audience)?;
    }
    let Some(known) = known else { return Ok(gathered) };
    gathered.window_is_cut = found.is_cut;
    gathered.earlier_system = earlier_system(connection, &place, known.no, &found)?;
    gathered.window = history::load(connection, found.lines)?;
    // A stranger witnessed nothing, so nothing from elsewhere may be told before them.
    let may_be_told = place.strangers.is_empty() || settings.audience != Audience::Strict;
    if gather.background && may_be_told {
        gathered.background = background(connection, &row, &place, settings.audience, known.no, lines)?;
    }
    Ok(gathered)
}

/// As it was at a revision.
pub(crate) fn gather_as_of(
    connection: &Connection,
    id: &WorldId,
    asked: &Gather,
    revision: u64,
) -> Result<Gathered> {
    log::as_of(connection, id, revision, |_| {
        let mut gathered =
            gather(connection, id, &Gather { known: Vec::new(), known_names: None, ..asked.clone() })?;
        gathered.world.revision = revision;
        gathered.minds.iter_mut().for_each(|mind| mind.mark = None);
        gathered.names.mark = None;
        Ok(gathered)
    })
}

/// Each once, whoever was deleted left out.
fn minds(connection: &Connection, minded: &[Known], gather: &Gather) -> Result<Vec<Recollections>> {
    let space = gather.space.as_deref();
    minded.iter().map(|known| mind::read(connection, (known.no, &known.id), &gather.known, space)).collect()
}

/// Of one alone nobody asks who it is besides.
fn voiced(
    connection: &Connection,
    world: &WorldRow,
    minded: &[Known],
    gather: &Gather,
) -> Result<Vec<Character>> {
    if gather.minds.len() < 2 {
        return Ok(Vec::new());
    }
    let mut voiced = Vec::new();
    for known in minded {
        voiced.extend(character::list(connection, world, &Select::One(known.id.as_str().to_owned()))?);
    }
    Ok(voiced)
}

/// Those whose memories are wanted, each once, and whoever of them nobody knows.
fn minded(cast: &Cast<'_>, gather: &Gather) -> Result<(Vec<Known>, Vec<Who>)> {
    let mut minded: Vec<Known> = Vec::new();
    let mut strangers = Vec::new();
    for who in &gather.minds {
        match cast.look(who)?.filter(|known| !is_erased(&known.id)) {
            None => strangers.push(who.clone()),
            Some(known) if known.is_narrator || minded.iter().any(|other| other.no == known.no) => {}
            Some(known) => minded.push(known),
        }
    }
    Ok((minded, strangers))
}

/// How many lines were said on the way to the head.
fn path_lines(connection: &Connection, world: &WorldRow, here: &ConversationRow) -> Result<u64> {
    let said = here.head.map_or(Ok(0), |head| Ok(tree::node(connection, world, head)?.said));
    said.map(|said: i64| said.unsigned_abs())
}

/// Where the character is, in numbers.
#[derive(Default)]
struct Surroundings {
    row: Option<ConversationRow>,
    conversation: Option<Conversation>,
    /// Those whose common history is wanted: a set's participants, or who is in the scene now.
    people: Vec<i64>,
    /// Everybody known who hears what is said: they, and whoever else is said to listen. Sorted.
    listeners: Vec<i64>,
    /// Others who do, by the ids that they would get.
    strangers: Vec<CharacterId>,
}

impl Surroundings {
    fn look(connection: &Connection, world: &WorldRow, cast: &Cast<'_>, place: &Place) -> Result<Self> {
        match place {
            Place::Nowhere => Ok(Self::default()),
            Place::Among(all) => {
                let (known, strangers) = cast.tell_apart(all)?;
                // Among people of whom one is new nothing was ever said; but they listen.
                if !strangers.is_empty() {
                    return Ok(Self { listeners: known, strangers, ..Self::default() });
                }
                let row = history::set_conversation(connection, world, &known)?
                    .map(|no| ConversationRow::by_no(connection, no))
                    .transpose()?;
                Self::at(connection, world, row, known)
            }
            Place::Conversation(id) => {
                let row = ConversationRow::find(connection, world, id)?;
                let people = circle::members(connection, row.present(connection, world)?)?;
                Self::at(connection, world, Some(row), people)
            }
        }
    }

    fn at(
        connection: &Connection,
        world: &WorldRow,
        row: Option<ConversationRow>,
        people: Vec<i64>,
    ) -> Result<Self> {
        let read = |row: &ConversationRow| row.read(connection, world, &mut Circles::default());
        let conversation = row.as_ref().map(read).transpose()?;
        Ok(Self { conversation, row, listeners: people.clone(), people, strangers: Vec::new() })
    }

    /// Adds whoever else hears it.
    fn listen(&mut self, cast: &Cast<'_>, others: &[Who]) -> Result<()> {
        let (known, strangers) = cast.tell_apart(others)?;
        for no in known {
            if let Err(place) = self.listeners.binary_search(&no) {
                self.listeners.insert(place, no);
            }
        }
        self.strangers.extend(strangers);
        Ok(())
    }

    fn everybody(&self, connection: &Connection) -> Result<Vec<CharacterId>> {
        let mut ids = character::ids(connection, &self.listeners)?;
        ids.extend(self.strangers.iter().cloned());
        ids.sort_unstable();
        ids.dedup();
        Ok(ids)
    }
}

fn window(
    connection: &Connection,
    world: &WorldRow,
    place: &Surroundings,
    scope: HistoryScope,
    character: i64,
    stop: Stop,
) -> Result<Found> {
    let witnesses = [character];
    let own = place.row.as_ref().map(|row| Candidate::first(row.no));
    if scope == HistoryScope::Conversation && place.row.is_some() {
        return merge(connection, &mut own.into_iter().map(Ok), View::of(&witnesses), stop);
    }
    let want = Want {
        participants: &place.people,
        which: Which::Exactly,
        witnesses: &witnesses,
        except: place.row.as_ref().map(|row| row.no),
    };
    history::newest_lines(connection, world, &want, own, stop)
}

/// Directions that the character must not lose, however far back they stand: its own, and those to everyone before the
/// first word.
fn earlier_system(
    connection: &Connection,
    place: &Surroundings,
    character: i64,
    found: &Found,
) -> Result<Vec<Line>> {
    let Some(conversation) = place.row.as_ref().filter(|_| found.is_cut).map(|row| row.no) else {
        return Ok(Vec::new());
    };
    let first = found.lines.iter().find(|(of, _)| *of == conversation).map_or(i64::MAX, |(_, key)| *key);
    let mut first_word = i64::MAX;
    for stream in circle::streams(connection, conversation, &[character])? {
        let word: Option<i64> = connection
            .prepare_cached(&format!(
                "SELECT id FROM line WHERE conversation = ?1 AND witnesses = ?2 AND active = 1
                   AND attribute IN ('user', 'assistant') AND hidden = 0 AND {} ORDER BY id LIMIT 1",
                forgotten::is_in_mind("line", "?3")
            ))?
            .query_row([conversation, stream, character], |row| row.get(0))
            .optional()?;
        first_word = word.map_or(first_word, |word| word.min(first_word));
    }
    let keys: Vec<(i64, i64)> = connection
        .prepare_cached(&format!(
            "SELECT l.id FROM line l WHERE l.conversation = ?1 AND l.attribute = 'system' AND l.id < ?2
               AND l.active = 1 AND l.hidden = 0 AND (l.speaker = ?3 OR l.id < ?4)
               AND EXISTS (SELECT 1 FROM circle_member m WHERE m.circle = l.witnesses AND m.character = ?3)
               AND {} ORDER BY l.id",
            forgotten::is_in_mind("l", "?3")
        ))?
        .query_map([conversation, first, character, first_word], |row| Ok((conversation, row.get(0)?)))?
        .collect::<rusqlite::Result<_>>()?;
    history::load(connection, keys)
}

fn background(
    connection: &Connection,
    world: &WorldRow,
    place: &Surroundings,
    audience: Audience,
    character: i64,
    lines: usize,
) -> Result<Vec<Line>> {
    let mut witnesses = vec![character];
    match audience {
        Audience::Open => {}
        Audience::SameConversation => return Ok(Vec::new()),
        Audience::Strict => witnesses.extend(place.listeners.iter().filter(|person| **person != character)),
    }
    let want = Want {
        participants: &place.people,
        which: Which::WithOthers,
        witnesses: &witnesses,
        except: place.row.as_ref().map(|row| row.no),
    };
    let found = history::newest_lines(connection, world, &want, None, Stop::after_spoken(lines))?;
    history::load(connection, found.lines)
}
