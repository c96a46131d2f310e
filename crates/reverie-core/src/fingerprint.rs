//! Is this what it was before? Where a thing itself shall not be kept, a fingerprint of it is.

use crate::character::Who;
use crate::conversation::{Append, Attach};
use crate::id::{ConversationId, MemoryId};
use crate::library::DocumentPut;
use crate::line::NewLine;
use crate::memory::{Kind, Origin, Source};

/// FNV-1a over 128 bits: stable for ever, unlike the hashers of the standard library.
struct Fnv(u128);

impl Fnv {
    fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013B);
        }
    }

    /// A text with its end marked, so that neighbours cannot run into each other.
    fn text(&mut self, text: Option<&str>) {
        match text {
            Some(text) => {
                self.feed(&(text.len() as u64).to_le_bytes());
                self.feed(text.as_bytes());
            }
            None => self.feed(&u64::MAX.to_le_bytes()),
        }
    }

    fn number(&mut self, number: Option<i64>) {
        self.feed(&[u8::from(number.is_some())]);
        self.feed(&number.unwrap_or(0).to_le_bytes());
    }

    fn who(&mut self, who: &Who) {
        match who {
            // A name beside the id is of the moment, and did not count before it was kept.
            Who::Id(id) | Who::Called(id, _) => {
                self.feed(b"i");
                self.text(Some(id.as_str()));
            }
            Who::Named(named) => {
                self.feed(b"n");
                self.text(named.role_id.as_deref());
                self.text(named.script_role_id.as_deref());
                self.text(named.display_name.as_deref());
            }
        }
    }

    fn line(&mut self, line: &NewLine) {
        let wording = &line.wording;
        self.text(Some(line.attribute.as_str()));
        self.feed(&[u8::from(line.speaker.is_some()), u8::from(line.hidden)]);
        line.speaker.iter().for_each(|who| self.who(who));
        for text in [
            line.display_name.as_ref(),
            Some(&wording.content),
            wording.original_emotion.as_ref(),
            wording.predicted_emotion.as_ref(),
            wording.tts.as_ref(),
            wording.action.as_ref(),
            wording.audio.as_ref(),
            line.host_id.as_ref(),
        ] {
            self.text(text.map(String::as_str));
        }
        self.number(line.tick);
        self.number(line.wall_ms);
        self.number(line.witnesses.as_ref().map(|witnesses| witnesses.len() as i64));
        line.witnesses.iter().flatten().for_each(|who| self.who(who));
        // Keys that were used before there were rounds stay what they were.
        if let Some(round) = line.round {
            self.number(Some(round.get() as i64));
        }
    }
}

/// Equal for the same lines sent to the same place, whenever they are sent.
pub fn fingerprint(append: &Append) -> [u8; 16] {
    let mut hash = Fnv::new();
    match append.attach {
        Attach::Head => hash.number(None),
        Attach::Root => hash.number(Some(0)),
        Attach::Behind(line) => hash.number(Some(line.get() as i64)),
        Attach::Beside(line) => hash.number(Some(-(line.get() as i64))),
    }
    append.lines.iter().for_each(|line| hash.line(line));
    hash.0.to_le_bytes()
}

/// Equal for the same book or card, whoever brings it and how.
pub(crate) fn fingerprint_of_document(put: &DocumentPut) -> [u8; 16] {
    let mut hash = Fnv::new();
    for text in [&put.name, &put.format, &put.text] {
        hash.text(Some(text));
    }
    hash.number(Some(put.entries.len() as i64));
    for entry in &put.entries {
        hash.text(Some(&entry.id));
        hash.text(Some(&entry.text));
    }
    hash.number(put.file.as_ref().map(|file| file.len() as i64));
    hash.feed(put.file.as_deref().unwrap_or_default());
    hash.0.to_le_bytes()
}

/// Equal for the same texts in the same order.
pub fn text_fingerprint(texts: &[&str]) -> [u8; 16] {
    let mut hash = Fnv::new();
    texts.iter().for_each(|text| hash.text(Some(text)));
    hash.0.to_le_bytes()
}

/// What a memory of a round is made of.
pub(crate) fn fingerprint_of_round(conversation: &ConversationId, sources: &[Source]) -> [u8; 16] {
    let mut fnv = Fnv::new();
    fnv.feed(b"round");
    fnv.text(Some(conversation.as_str()));
    for source in sources {
        fnv.number(Some(source.line.get() as i64));
        fnv.number(Some(source.version.into()));
    }
    fnv.0.to_le_bytes()
}

/// What a summary is made of, and what it says: holders may have reworded what it sums up.
pub(crate) fn fingerprint_of_summary(from: &[MemoryId], text: &str) -> [u8; 16] {
    let mut fnv = Fnv::new();
    fnv.feed(b"summary");
    for memory in from {
        fnv.number(Some(memory.get() as i64));
    }
    fnv.text(Some(text));
    fnv.0.to_le_bytes()
}

/// What a host calls something that it told.
pub(crate) fn fingerprint_of_key(origin: Origin, key: &str) -> [u8; 16] {
    let mut fnv = Fnv::new();
    fnv.text(Some(origin.as_str()));
    fnv.text(Some(key));
    fnv.0.to_le_bytes()
}

/// What a statement is made of, and what it says.
pub(crate) fn fingerprint_of_statement(sources: &[Source], kind: Kind, text: &str) -> [u8; 16] {
    let mut fnv = Fnv::new();
    fnv.text(Some(kind.as_str()));
    for source in sources {
        fnv.number(Some(source.line.get() as i64));
        fnv.number(Some(source.version.into()));
    }
    fnv.text(Some(text));
    fnv.0.to_le_bytes()
}

/// Of a text.
pub fn fingerprint_of_text(text: &str) -> [u8; 16] {
    let mut fnv = Fnv::new();
    fnv.text(Some(text));
    fnv.0.to_le_bytes()
}
