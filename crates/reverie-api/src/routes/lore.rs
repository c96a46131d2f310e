//! Which books a world uses, and what they would say now.

use reverie_core::library::{DocumentKind, Link, Scope};
use reverie_core::lore::place;
use reverie_core::{CharacterId, Code, ConversationId, DocumentId, Error, Result};

use super::prompts::characters_replaced;
use super::world;
use crate::Api;
use crate::request::{Call, Reply};
use crate::wire::{CueBody, LinkBody, LinkView, LinkedView, LinksView, LoreBudget, PreviewView, ProblemView};

pub(super) fn list(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let mut books = Vec::new();
    for link in api.engine.links(&world(call)?)? {
        let missing = match api.engine.document(DocumentKind::Book, &link.book) {
            Err(error) if error.code() == Code::NotFound => true,
            found => found.map(|_| false)?,
        };
        books.push(LinkView { missing, ..link.into() });
    }
    Reply::ok(&LinksView { books })
}

pub(super) fn put(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: LinkBody = call.parse()?;
    let scope = scope(body.character.as_deref(), body.conversation.as_deref())?;
    let link = Link { scope, book: DocumentId::new(call.segment(1))?, rank: body.rank };
    let made = api.engine.put_link(&world(call)?, &link)?;
    let degraded = made.degraded.into_iter().map(Into::into).collect();
    Reply::made(made.created, &LinkedView { link: link.into(), degraded })
}

pub(super) fn delete(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let scope = scope(call.query.one("character")?, call.query.one("conversation")?)?;
    api.engine.remove_link(&world(call)?, &DocumentId::new(call.segment(1))?, &scope)?;
    Ok(Reply::Empty)
}

/// A dry run: nothing is kept, nothing begins to run.
pub(super) fn preview(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: CueBody = call.parse_clean()?;
    let preview = api.engine.preview_lore(&world(call)?, &body.into_cue(api.engine.limits())?)?;
    let found = &preview.found;
    let degraded = preview.degraded.into_iter().map(Into::into).chain(characters_replaced(call));
    Reply::ok(&PreviewView {
        slots: place(&found.active).iter().map(Into::into).collect(),
        active: found.active.iter().map(Into::into).collect(),
        why: found.verdicts.iter().map(Into::into).collect(),
        budget: LoreBudget { tokens: found.budget, is_over: found.is_over_budget },
        left_out: preview.left_out.iter().map(Into::into).collect(),
        tokens: preview.tokens.into(),
        problems: preview.problems.iter().map(ProblemView::from).collect(),
        degraded: degraded.collect(),
    })
}

fn scope(character: Option<&str>, conversation: Option<&str>) -> Result<Scope> {
    match (character, conversation) {
        (None, None) => Ok(Scope::World),
        (Some(id), None) => Ok(Scope::Character(CharacterId::new(id)?)),
        (None, Some(id)) => Ok(Scope::Conversation(ConversationId::new(id)?)),
        (Some(_), Some(_)) => Err(Error::invalid("a book is for a character or for a conversation")
            .hint("link it twice to have both")),
    }
}
