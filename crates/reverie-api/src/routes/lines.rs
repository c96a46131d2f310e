//! Lines: recorded, read, edited, hidden, deleted.

use std::collections::BTreeSet;

use reverie_core::conversation::{Attach, LinesQuery, WhichLines};
use reverie_core::store::{Erase, LinePatch};
use reverie_core::{CharacterId, Degraded, Error, Line, LineId, Record, Result};

use super::conversations::expected_head;
use super::{conversation, line, paged, world, written};
use crate::Api;
use crate::request::{Call, Reply};
use crate::wire::{
    DegradedView, LineView, PatchLine, RecordLines, RecordedView, ReplacedView, WireLine, filled, numbered,
};

pub(super) fn record(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let mut body: RecordLines = call.parse()?;
    let replaced_before = call.replaced.get();
    let replaced_names: Vec<ReplacedView> = (body.lines.iter_mut().enumerate())
        .flat_map(|(line, wire)| wire.clean_names().into_iter().map(move |found| (line, found)))
        .map(|(line, (field, count))| ReplacedView { line: Some(line), field, count })
        .collect();
    let ignored = ignored_fields(&body);
    let attach = match (body.parent, body.swipe_of) {
        (None, None) => Attach::Head,
        (Some(None), None) => Attach::Root,
        (Some(Some(parent)), None) => Attach::Behind(line(&parent)?),
        (None, Some(sibling)) => Attach::Beside(line(&sibling)?),
        (Some(_), Some(_)) => {
            return Err(Error::invalid("parent and swipe_of cannot both be given")
                .hint("a swipe has its sibling's parent"));
        }
    };
    let lines = body.lines.into_iter().enumerate();
    let record = Record {
        lines: lines.map(|(index, line)| numbered(index, line.into_new_line())).collect::<Result<_>>()?,
        attach,
        expected_head: expected_head(body.expected_head)?,
        key: filled(body.key),
        recall: filled(body.recall),
        keepsakes: Vec::new(),
    };
    let recorded = api.engine.record(&world(call)?, &conversation(call)?, record)?;
    let texts = recorded.replaced.iter();
    let mut replaced: Vec<ReplacedView> = texts
        .map(|found| ReplacedView { line: Some(found.line), field: found.field, count: found.count })
        .chain(replaced_names)
        .collect();
    replaced.sort_by_key(|found| found.line);
    call.note_replaced(replaced.iter().map(|found| found.count).sum());
    if replaced_before > 0 {
        replaced.push(ReplacedView { line: None, field: "body", count: replaced_before });
    }
    let view = RecordedView {
        lines: recorded.appended.lines.into_iter().map(LineView::from).collect(),
        head: recorded.appended.head.map(|head| head.to_string()),
        revision: recorded.appended.revision,
        replayed: recorded.appended.replayed,
        replaced,
        degraded: recorded.degraded.into_iter().chain(ignored).map(DegradedView::from).collect(),
    };
    Reply::made(!view.replayed, &view)
}

/// Hosts send whole rows of their tables; but a misspelt field must not go unnoticed.
fn ignored_fields(body: &RecordLines) -> Option<Degraded> {
    let fields: BTreeSet<&str> = body.lines.iter().flat_map(WireLine::unknown_fields).collect();
    if fields.is_empty() {
        return None;
    }
    let names = fields.into_iter().take(20).collect::<Vec<_>>().join(", ");
    Some(Degraded {
        code: "ignored_fields",
        message: format!("these fields of lines mean nothing here and were ignored: {names}"),
        hint: "check their spelling: /docs lists the fields of a line".to_owned(),
    })
}

pub(super) fn list(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let limit = call.query.number("limit", super::DEFAULT_PAGE, api.engine.limits().page)?;
    let which = match (call.query.flag("tree")?, call.query.one("children_of")?) {
        (false, None) => WhichLines::Path,
        (true, None) => WhichLines::Tree,
        (false, Some("root")) => WhichLines::Children(None),
        (false, Some(parent)) => WhichLines::Children(Some(line(parent)?)),
        (true, Some(_)) => return Err(Error::invalid("tree and children_of cannot both be given")),
    };
    let query = LinesQuery {
        which,
        witness: call.query.one("as")?.map(CharacterId::new).transpose()?,
        after: call.query.one("cursor")?.map(line).transpose()?,
        newest_first: call.query.flag("newest")?,
        limit,
    };
    let found = api.engine.lines(&world(call)?, &conversation(call)?, query)?;
    Reply::ok(&paged(found, |line: &LineView| line.id.clone()))
}

pub(super) fn get(api: &Api, call: &Call<'_>) -> Result<Reply> {
    let found = api.engine.line_anywhere(&world(call)?, line(call.segment(1))?)?;
    Reply::ok(&LineView::from(found))
}

pub(super) fn get_in_conversation(api: &Api, call: &Call<'_>) -> Result<Reply> {
    Reply::ok(&LineView::from(find_in_conversation(api, call)?))
}

pub(super) fn edit(api: &Api, call: &Call<'_>) -> Result<Reply> {
    edit_line(api, call, line(call.segment(1))?)
}

pub(super) fn edit_in_conversation(api: &Api, call: &Call<'_>) -> Result<Reply> {
    edit_line(api, call, find_in_conversation(api, call)?.id)
}

pub(super) fn delete(api: &Api, call: &Call<'_>) -> Result<Reply> {
    delete_line(api, call, line(call.segment(1))?)
}

pub(super) fn delete_in_conversation(api: &Api, call: &Call<'_>) -> Result<Reply> {
    delete_line(api, call, find_in_conversation(api, call)?.id)
}

/// The line of the path, if it stands in the conversation of the path.
fn find_in_conversation(api: &Api, call: &Call<'_>) -> Result<Line> {
    api.engine.line(&world(call)?, &conversation(call)?, line(call.segment(2))?)
}

fn edit_line(api: &Api, call: &Call<'_>, id: LineId) -> Result<Reply> {
    let body: PatchLine = call.parse()?;
    if body.content == Some(None) {
        return Err(Error::invalid("the content of a line cannot be removed")
            .hint("DELETE the line, or send an empty text to keep it without words"));
    }
    let patch = LinePatch {
        content: body.content.flatten(),
        original_emotion: body.original_emotion,
        predicted_emotion: body.predicted_emotion,
        tts: body.tts_content,
        action: body.action_content,
        audio: body.audio_file,
        hidden: body.hidden,
    };
    written::<_, LineView>(call, api.engine.revise_line(&world(call)?, id, patch)?)
}

fn delete_line(api: &Api, call: &Call<'_>, id: LineId) -> Result<Reply> {
    api.engine.erase(&world(call)?, &Erase::Line(id))?;
    Ok(Reply::Empty)
}
