//! Does whatever a client or a save file says leave the store whole? A short run of the fuzz targets, on mutated samples.

use proptest::prelude::*;
use reverie_api::fuzz;

use crate::host::Host;

const REQUESTS: &[&str] = &[
    r#"PUT /v1/worlds/w
{"preset":"game","settings":{"lore":{"recursive":true}}}
-
PUT /v1/worlds/w/characters/甲
{"display_name":"若兰","persona":"{{outlet::x}}"}
-
PUT /v1/books/b
{"entries":{"0":{"uid":0,"key":["/灯(?=塔)/","lamp"],"content":"@@depth 1\n{{char}}","sticky":3}}}
-
PUT /v1/worlds/w/lore/b
-
POST /v1/worlds/w/conversations
{"id":"c","participants":["甲","乙"]}
-
POST /v1/worlds/w/conversations/c/lines
{"lines":[{"speaker":"乙","attribute":"user","content":"灯塔, lamp"}],"key":"k"}
-
POST /v1/worlds/w/recall
{"character":"甲","conversation":"c","message":"早","budget":900}
-
PUT /v1/worlds/w/checkpoints/save%201
-
GET /v1/worlds/w/conversations/c/lines?cursor=1&limit=1
-
PUT /v1/worlds/w/conversations/c/head
{"undo":1}
-
POST /v1/worlds/w/checkpoints/save%201/restore
-
POST /v1/worlds/w/fork
{"id":"w2"}
-
GET /v1/worlds/w/export?format=save
"#,
    r#"POST /v1/lore/scan
{"books":[{"document":{"entries":{"0":{"uid":0,"key":["lamp"],"content":"x"}}}}],"messages":[{"name":"a","content":"lamp"}]}
-
POST /v1/perspective
{"target":{"id":"a"},"lines":[{"speaker":"a","attribute":"assistant","content":"hi"}]}
-
GET /v1/worlds?limit=1&cursor=%E9%BE%99
-
GET /v1/books/x/entries?cursor=0
-
PATCH /v1/worlds/w/lines/1
{"content":"\ud800"}
"#,
];

#[test]
fn the_seeds_pass() {
    let host = Host::new();
    REQUESTS.iter().for_each(|seed| fuzz::requests(host.api(), seed.as_bytes()));
    for seed in exports() {
        fuzz::import(host.api(), &seed);
    }
}

/// What the first sample leaves behind, in both forms.
fn exports() -> Vec<Vec<u8>> {
    let host = Host::new();
    for request in REQUESTS[0].split("-\n") {
        let (first, body) = request.split_once('\n').unwrap_or((request, ""));
        let (method, target) = first.split_once(' ').unwrap_or_default();
        host.done(method, target, body);
    }
    ["format=jsonl", "format=save"].map(|form| host.export("w", form).into_bytes()).to_vec()
}

type Edit = (prop::sample::Index, u8, u8);

fn mutated(seed: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for (at, byte, edit) in edits {
        let at = at.index(bytes.len().max(1));
        let to = (at + usize::from(*byte % 40)).min(bytes.len());
        match edit {
            0 if at < bytes.len() => bytes[at] = *byte,
            1 => drop(bytes.drain(at.min(to)..to)),
            2 => bytes.insert(at.min(bytes.len()), *byte),
            _ => bytes.extend_from_within(at.min(to)..to),
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Several to a store: each leaves it empty.
    #[test]
    fn mutated_seeds_pass(
        edits in prop::collection::vec(prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..6), 6),
    ) {
        let host = Host::new();
        let exports = exports();
        for (number, edits) in edits.iter().enumerate() {
            fuzz::requests(host.api(), &mutated(REQUESTS[number % REQUESTS.len()].as_bytes(), edits));
            fuzz::import(host.api(), &mutated(&exports[number % exports.len()], edits));
        }
    }
}
