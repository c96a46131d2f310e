//! What must hold for every request and every export? The bodies of the fuzz targets, which the tests run for a moment too.
//!
//! Each begins and ends with an empty store, so that what it finds can be found again.

use std::fmt::Write;

use reverie_core::{Code, WorldId};
use serde_json::Value;

use crate::{Api, Request, export, status_of};

/// Of an import, unpacked.
const MOST: u64 = 1 << 20;

/// Requests one after the other: a line with method and target, then the body up to a line with only a hyphen.
pub fn requests(api: &Api, bytes: &[u8]) {
    for request in
        bytes.split_inclusive(|byte| *byte == b'\n').collect::<Vec<_>>().split(|line| *line == b"-\n")
    {
        let Some((first, body)) = request.split_first() else { continue };
        let first = String::from_utf8_lossy(first);
        let Some((method, target)) = first.trim().split_once(' ') else { continue };
        ask(api, method, target, body.concat());
    }
    for world in ids(api, "worlds") {
        copy(api, &world);
    }
    clear(api);
}

/// The export of a world, in either form.
pub fn import(api: &Api, bytes: &[u8]) {
    let id = export::is_export(bytes);
    if let Ok(imported) = export::read(api.engine(), None, &mut &*bytes, MOST) {
        assert!(id, "what can be read is known by its beginning");
        copy(api, imported.value.id.as_str());
    }
    clear(api);
}

/// Whatever was done to a world, it can be taken along, and is the same there.
fn copy(api: &Api, world: &str) {
    let exported =
        |world: &str| ask(api, "GET", &format!("/v1/worlds/{}/export", encoded(world)), Vec::new());
    let before = exported(world);
    let elsewhere = format!("{}-copy", world.chars().take(20).collect::<String>());
    let Ok(elsewhere) = WorldId::new(&elsewhere) else { return };
    let Err(error) = export::read(api.engine(), Some(&elsewhere), &mut before.as_slice(), 64 * MOST) else {
        let lines = |export: &[u8]| export.split(|byte| *byte == b'\n').count();
        assert_eq!(lines(&exported(elsewhere.as_str())), lines(&before), "as many records as before");
        return;
    };
    assert_eq!(error.code(), Code::Conflict, "an export can be imported: {error}");
}

fn ask(api: &Api, method: &str, target: &str, body: Vec<u8>) -> Vec<u8> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let request = Request { method: method.to_owned(), path: path.to_owned(), query: query.to_owned(), body };
    let response = api.dispatch(&request);
    let text = String::from_utf8_lossy(&response.body);
    let ours = [Code::Internal, Code::Corrupt, Code::Unavailable].map(status_of);
    assert!(!ours.contains(&response.status), "{method} {target} is not our fault: {text}");
    if response.status >= 400 {
        let error: Option<Value> = serde_json::from_slice(&response.body).ok();
        let code = error.as_ref().and_then(|error| error.pointer("/error/code"));
        assert!(code.is_some_and(Value::is_string), "an error says what it is: {text}");
    }
    response.body
}

/// Everything goes, by the same door.
fn clear(api: &Api) {
    for kind in ["worlds", "books", "cards"] {
        for id in ids(api, kind) {
            ask(api, "DELETE", &format!("/v1/{kind}/{}", encoded(&id)), Vec::new());
        }
        assert_eq!(ids(api, kind), Vec::<String>::new(), "what is deleted is gone");
    }
}

/// All of them, page by page.
fn ids(api: &Api, kind: &str) -> Vec<String> {
    let mut ids = Vec::new();
    let mut target = format!("/v1/{kind}?limit=2");
    loop {
        let page: Value = serde_json::from_slice(&ask(api, "GET", &target, Vec::new())).unwrap_or_default();
        let items = page.get("items").and_then(Value::as_array).cloned().unwrap_or_default();
        ids.extend(items.iter().filter_map(|item| item.get("id")?.as_str().map(str::to_owned)));
        let Some(next) = page.get("next").and_then(Value::as_str) else { return ids };
        target = format!("/v1/{kind}?limit=2&cursor={}", encoded(next));
    }
}

fn encoded(id: &str) -> String {
    id.bytes().fold(String::new(), |mut encoded, byte| {
        let _ = write!(encoded, "%{byte:02X}");
        encoded
    })
}
