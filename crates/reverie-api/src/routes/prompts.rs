//! Reading for a prompt: history, recall, perspective, lore.

use reverie_core::cue::Cue;
use reverie_core::history::{DEFAULT_LIMIT, HistoryQuery};
use reverie_core::store::Place;
use reverie_core::{CharacterId, ConversationId, Result, Who};
use reverie_formats::document;

use super::{character, world};
use crate::Api;
use crate::request::{Call, Reply};
use crate::wire::{
    CueBody, DegradedView, Explained, HistoryView, PreloadedView, ProblemView, RecallView, SuggestionsView,
};

const DEFAULT_SUGGESTIONS: usize = 10;

pub(super) fn history(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let participants = call.query.all("participants").map(|id| CharacterId::new(id).map(Who::Id));
    let query = HistoryQuery {
        participants: participants.collect::<Result<_>>()?,
        witness: call.query.one("as")?.map(CharacterId::new).transpose()?,
        also: call.query.all("also").map(ConversationId::new).collect::<Result<_>>()?,
        limit: call.query.number("limit", DEFAULT_LIMIT, api.engine.limits().history)?,
    };
    Reply::ok(&HistoryView::from(api.engine.history(&world(call)?, query)?))
}

pub(super) fn recall(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let body: CueBody = call.parse_clean()?;
    let explained = match (body.explain, body.explain_limit) {
        (false, _) => Explained::Nothing,
        (true, None) => Explained::All,
        (true, Some(most)) => Explained::Most(most),
    };
    let cue = body.into_cue(api.engine.limits())?;
    let mut view = RecallView::new(api.engine.recall(&world(call)?, &cue)?, explained);
    view.degraded.extend(characters_replaced(call));
    Reply::ok(&view)
}

pub(super) fn suggestions(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let world = world(call)?;
    let place = match call.query.one("conversation")? {
        Some(id) => Place::Conversation(ConversationId::new(id)?),
        None => Place::Nowhere,
    };
    let character = character(call)?;
    api.engine.character(&world, &character)?;
    let most = call.query.number("limit", DEFAULT_SUGGESTIONS, api.engine.limits().page)?;
    let found = api.engine.suggestions(&world, &Cue::new(Who::Id(character), place), most)?;
    Reply::ok(&SuggestionsView { items: found.iter().map(Into::into).collect() })
}

pub(super) fn preload(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let (world, character) = (world(call)?, character(call)?);
    api.engine.character(&world, &character)?;
    Reply::ok(&PreloadedView { memories: api.engine.preload(&world, &Who::Id(character))? })
}

pub(super) fn perspective(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let mut view = crate::perspective::run(call.parse_clean()?, api.engine.limits())?;
    view.degraded.extend(characters_replaced(call));
    Reply::ok(&view)
}

pub(super) fn scan_lore(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let mut view = crate::lore::run(call.parse_clean()?, api.engine.limits())?;
    let of_request = |message| ProblemView { book: String::new(), entry: None, message };
    let replaced =
        characters_replaced(call).map(|degraded| format!("{}: {}", degraded.message, degraded.hint));
    let rounded = document::rounded(call.text()?).map(|warning| warning.to_string());
    view.problems.splice(0..0, replaced.into_iter().chain(rounded).map(of_request));
    Reply::ok(&view)
}

pub(super) fn characters_replaced(call: &Call<'_>) -> Option<DegradedView> {
    let count = call.replaced.get();
    (count > 0).then(|| DegradedView {
        code: "characters_replaced",
        message: match count {
            1 => "a character of the request could not be kept".to_owned(),
            count => format!("{count} characters of the request could not be kept"),
        },
        hint: "send well-formed UTF-8, no lone surrogates, and only what XML can carry; U+FFFD stands in their place"
            .to_owned(),
    })
}
