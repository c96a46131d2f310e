//! How does a chat get into a world, and nothing of it twice?
//!
//! Lines are found again by their host ids and by their words, so only what is new is recorded: nothing of the same file,
//! the end of a chat that went on, a branch where something was changed. It comes in as a whole or not at all. A line that
//! was deleted meanwhile stays so. What the chat hides and shows otherwise than before is hidden and shown, and what it says besides
//! the words follows it.

use std::collections::{BTreeSet, HashSet};

use reverie_core::character::{Character, CharacterKind, CharacterPatch, Namespace};
use reverie_core::conversation::{Conversation, ExpectedHead, HeadTarget, OpenConversation};
use reverie_core::keepsake::KeptFor;
use reverie_core::store::LinePatch;
use reverie_core::world::WorldPatch;
use reverie_core::{CharacterId, Code, ConversationId, Engine, Limits, LineId, Result, Who, WorldId};
use reverie_formats::chat::{self, Cast, ChatDocument, ChatPlan, Member, PlanOptions, Recorded, Zone};

use super::growth::{self, Growth};
use super::{BROUGHT, PERSONAS, Talk};

/// Lines of one branch.
const MOST_AT_ONCE: usize = 500;

/// Where a chat goes.
pub struct Target<'a> {
    pub world: &'a WorldId,
    /// Of the conversation.
    pub name: &'a str,
    /// The conversation, if there is one already.
    pub there: Option<Conversation>,
}

/// What became of a chat.
pub struct Imported {
    pub conversation: ConversationId,
    /// Of the chat, every wording of it.
    pub lines: usize,
    pub new: usize,
    /// Recorded by an earlier import and deleted since; they stay so.
    pub gone: usize,
    /// Shown or hidden now, as the chat has it.
    pub changed: usize,
    /// Lines, and the conversation, of which the chat says other things besides the words than before.
    pub details: usize,
    /// New lines whose date names no zone.
    pub local_times: usize,
    pub head: Option<LineId>,
    /// Everybody who is there.
    pub people: Vec<Member>,
}

/// Whether a chat could come in at all: told before anything is made for it.
pub fn check_alone(limits: &Limits, document: &ChatDocument) -> Result<()> {
    check(limits, document, &chat::plan(document, &PlanOptions::default())?)
}

/// Records what is not there yet of a chat that comes by itself: whoever is named in it is looked for in the world.
pub fn import_alone(
    engine: &Engine,
    target: Target<'_>,
    document: &ChatDocument,
    zone: &Zone,
) -> Result<Imported> {
    let world = target.world;
    let cast = cast(engine, world)?;
    let plan = PlanOptions { cast: Some(&cast), zone: Some(zone), ..PlanOptions::default() };
    let is_language_open = engine.is_language_open(world)?;
    let imported = import(engine, target, document, &plan)?;
    if is_language_open {
        engine.speak_as_there(world)?;
    }
    Ok(imported)
}

/// For a world that the import makes: each chat is a story of its own, though the same people tell it.
pub fn of_threads() -> WorldPatch {
    let mut patch = WorldPatch::default();
    patch.settings.insert("prompt.history".to_owned(), "conversation".to_owned());
    patch.settings.insert("audience".to_owned(), "same-conversation".to_owned());
    patch
}

/// Records what is not there yet.
pub fn import(
    engine: &Engine,
    target: Target<'_>,
    document: &ChatDocument,
    options: &PlanOptions<'_>,
) -> Result<Imported> {
    let Target { world, name, there } = target;
    let there = there.map(|there| Talk::read(engine, world, there)).transpose()?;
    let mut recorded = Recorded::default();
    if let Some(talk) = &there {
        talk.lines.iter().for_each(|line| recorded.add(line, &talk.keepsakes));
    }
    let cast = with_speakers(options.cast, &recorded);
    let plan = chat::plan(document, &PlanOptions { cast: Some(&cast), ..*options })?;
    check(engine.limits(), document, &plan)?;
    engine.make_world(world, of_threads(), [], [])?;
    introduce(engine, world, &plan)?;
    let told =
        there.as_ref().map(|talk| Told::read(engine, world, &talk.conversation.id)).transpose()?.flatten();
    let (conversation, mut growth, keepsakes) = match there {
        Some(talk) => {
            let there = &talk.conversation;
            let hidden = told.as_ref().map(|told| &told.hidden);
            let growth = Growth::of(&plan, &recorded, hidden, (engine, world, &there.id))?;
            let composed = talk.composed(engine, world)?;
            let mut keepsakes =
                chat::renewed((document, &plan), (&there.id, &composed), |row| growth.known(row));
            if growth.has_news() {
                admit(engine, world, there, &plan)?;
            } else if growth.known_head() != there.head {
                // Perhaps an older copy: it tells only what nobody told before.
                keepsakes.retain(|(of, _)| !talk.keepsakes.has(of));
            }
            (talk.conversation, growth, keepsakes)
        }
        None => {
            let open =
                OpenConversation { id: None, name: Some(name.to_owned()), participants: plan.participants() };
            let opened = engine.open_conversation(world, open)?.value;
            let header = (KeptFor::Conversation(opened.id.clone()), Some(plan.keepsake.clone()));
            (opened, Growth::of_new(&plan), vec![header])
        }
    };
    let head = record(engine, world, &conversation, &mut growth)?;
    // A file that says what is so here anyway tells nothing.
    if told.is_none() || growth.new > 0 || !growth.to_hide.is_empty() {
        Told::note(engine, world, &conversation.id, &growth::hidden(&plan))?;
    }
    let details = engine.put_keepsakes(world, &keepsakes)?;
    for (line, hidden) in &growth.to_hide {
        let patch = LinePatch { hidden: Some(*hidden), ..LinePatch::default() };
        engine.revise_line(world, *line, patch)?;
    }
    let (new, gone, changed) = (growth.new, growth.gone, growth.to_hide.len());
    let local_times = plan.dated_locally(document).filter(|row| growth.is_new(*row)).count();
    let (conversation, lines) = (conversation.id, plan.lines.len());
    // What comes with a new conversation is no news of its own.
    let details = if new == lines { 0 } else { details };
    Ok(Imported { conversation, lines, new, gone, changed, details, local_times, head, people: plan.people })
}

/// What a chat hid when it was last imported.
struct Told {
    hidden: HashSet<String>,
}

impl Told {
    /// None: nobody kept that yet.
    fn read(engine: &Engine, world: &WorldId, conversation: &ConversationId) -> Result<Option<Self>> {
        let name = Self::name(conversation);
        let kept = engine.keepsakes(world, None)?.into_iter().find(|kept| kept.of == name);
        let hidden = |text: String| text.lines().map(str::to_owned).collect();
        Ok(kept.map(|kept| Self { hidden: hidden(kept.text) }))
    }

    fn note(
        engine: &Engine,
        world: &WorldId,
        conversation: &ConversationId,
        hidden: &BTreeSet<&str>,
    ) -> Result<()> {
        let text = hidden.iter().copied().collect::<Vec<_>>().join("\n");
        engine.put_keepsakes(world, &[(Self::name(conversation), Some(text))]).map(drop)
    }

    fn name(conversation: &ConversationId) -> KeptFor {
        KeptFor::File(format!("{BROUGHT}hidden/{conversation}"))
    }
}

/// The head goes where the chat stands, if that is news; somebody may have gone on from where it stood before.
fn record(
    engine: &Engine,
    world: &WorldId,
    conversation: &Conversation,
    growth: &mut Growth<'_>,
) -> Result<Option<LineId>> {
    let branches = growth.branches(engine.limits().lines_per_append.clamp(1, MOST_AT_ONCE))?;
    if branches.is_empty() {
        return Ok(conversation.head);
    }
    let head = growth.new_head();
    let grafted = engine.graft(world, &conversation.id, branches, head)?.value;
    if head.is_some() {
        return Ok(grafted.head);
    }
    let target = conversation.head.map_or(HeadTarget::Empty, HeadTarget::Line);
    Ok(engine.move_head(world, &conversation.id, target, ExpectedHead::Any)?.head)
}

/// Everything that could be refused half-way is refused before.
fn check(limits: &Limits, document: &ChatDocument, plan: &ChatPlan) -> Result<()> {
    limits.check_people(plan.people.len())?;
    for (index, line) in plan.lines.iter().enumerate() {
        limits.admit_line(&mut line.clone()).map_err(|error| error.within(plan.place_of(document, index)))?;
    }
    Ok(())
}

/// Gives names to those whose ids do not tell them, and makes the narrator one. Whoever is known stays as they are.
fn introduce(engine: &Engine, world: &WorldId, plan: &ChatPlan) -> Result<()> {
    let narrator = CharacterPatch { kind: Some(CharacterKind::Narrator), ..CharacterPatch::default() };
    let mut strangers: Vec<(CharacterId, CharacterPatch)> =
        plan.narrator().map(|id| (id, narrator)).into_iter().collect();
    for member in plan.people.iter().filter(|member| member.id.as_str() != member.name) {
        let patch =
            CharacterPatch { display_name: Some(Some(member.name.clone())), ..CharacterPatch::default() };
        strangers.push((member.id.clone(), patch));
    }
    for (id, patch) in strangers {
        if found(engine.character(world, &id))?.is_none() {
            engine.put_character(world, Who::Id(id), patch)?;
        }
    }
    Ok(())
}

/// Everybody in a world; whoever has the picture of a persona is a user.
fn cast(engine: &Engine, world: &WorldId) -> Result<Cast> {
    let mut cast = Cast::default();
    each_character(engine, world, |character| {
        let alias = character.host_id(Namespace::Role);
        let persona = alias.and_then(|alias| alias.strip_prefix(PERSONAS));
        cast.add(Member {
            name: character.card.display_name.as_deref().unwrap_or(character.id.as_str()).to_owned(),
            avatar: persona.or(alias).map(ToOwned::to_owned),
            is_user: persona.is_some(),
            id: character.id.clone(),
        });
    })?;
    Ok(cast)
}

/// Nobody is in a world that is not there.
pub fn each_character(engine: &Engine, world: &WorldId, mut each: impl FnMut(&Character)) -> Result<()> {
    let mut after: Option<String> = None;
    loop {
        let Some(page) = found(engine.characters(world, after.as_deref(), engine.limits().page))? else {
            return Ok(());
        };
        page.items.iter().for_each(&mut each);
        after = page.items.last().map(|character| character.id.to_string());
        if !page.has_more {
            return Ok(());
        }
    }
}

/// Whoever spoke under a name in this conversation is meant by it, unless others bear it as well.
fn with_speakers(cast: Option<&Cast>, recorded: &Recorded) -> Cast {
    let mut cast = cast.cloned().unwrap_or_default();
    for (is_user, name, id) in recorded.speakers() {
        if !cast.knows(is_user, name) {
            cast.add(Member { id: id.clone(), name: name.to_owned(), avatar: None, is_user });
        }
    }
    cast
}

/// Whoever came into the chat since the last import hears what is new.
fn admit(engine: &Engine, world: &WorldId, conversation: &Conversation, plan: &ChatPlan) -> Result<()> {
    let known: HashSet<&CharacterId> = conversation.participants.iter().collect();
    let comes = |id: &&CharacterId| !known.contains(id);
    let mut present: Vec<Who> =
        plan.people.iter().map(|member| &member.id).filter(comes).cloned().map(Who::Id).collect();
    if present.is_empty() {
        return Ok(());
    }
    present.extend(conversation.present.iter().cloned().map(Who::Id));
    if conversation.name.is_none() {
        // The people of such a conversation never change; whoever else speaks is refused with a reason.
        return Ok(());
    }
    engine.set_present(world, &conversation.id, present, ExpectedHead::Any).map(drop)
}

/// None for what is not there.
fn found<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Err(error) if error.code() == Code::NotFound => Ok(None),
        other => other.map(Some),
    }
}
