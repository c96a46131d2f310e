//! How much is too much for this server, and for the engine in it?

use std::time::Duration;

use reverie_core::{Error, MAX_ID_BYTES, Result};

use super::{Reader, table::*, values};

#[derive(Debug, Clone)]
pub(crate) struct Limits {
    pub(crate) request_bytes: usize,
    pub(crate) import_bytes: usize,
    pub(crate) buffered_bytes: usize,
    pub(crate) header_bytes: usize,
    pub(crate) connections: usize,
    pub(crate) concurrent: usize,
    pub(crate) queue: usize,
    pub(crate) bulk: usize,
    pub(crate) mcp: usize,
    pub(crate) lines: usize,
    pub(crate) content_bytes: usize,
    pub(crate) memory_bytes: usize,
    pub(crate) memory_words: usize,
    pub(crate) participants: usize,
    pub(crate) persona_bytes: usize,
    pub(crate) name_bytes: usize,
    pub(crate) key_bytes: usize,
    pub(crate) settings: usize,
    pub(crate) setting_bytes: usize,
    pub(crate) also: usize,
    pub(crate) budget: usize,
    pub(crate) book_entries: usize,
    pub(crate) document_bytes: usize,
    pub(crate) window_lines: usize,
    pub(crate) minds_bytes: usize,
    pub(crate) history: usize,
    pub(crate) page: usize,
    pub(crate) request_timeout: Duration,
    pub(crate) bulk_timeout: Duration,
    pub(crate) idle_timeout: Duration,
    pub(crate) drain_timeout: Duration,
}

impl Limits {
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let limits = Self {
            request_bytes: reader.one(&REQUEST_BYTES, values::bytes)?,
            import_bytes: reader.one(&IMPORT_BYTES, values::bytes)?,
            buffered_bytes: reader.one(&BUFFERED_BYTES, values::bytes)?,
            header_bytes: reader.one(&HEADER_BYTES, values::bytes)?,
            connections: reader.one(&CONNECTIONS, values::count)?,
            concurrent: reader.one(&CONCURRENT, values::count)?,
            queue: reader.one(&QUEUE, values::count)?,
            bulk: reader.one(&BULK, values::count)?,
            mcp: reader.one(&MCP, values::count)?,
            lines: reader.one(&LINES, values::count)?,
            content_bytes: reader.one(&CONTENT_BYTES, values::bytes)?,
            memory_bytes: reader.one(&MEMORY_BYTES, values::bytes)?,
            memory_words: reader.one(&MEMORY_WORDS, values::count)?,
            participants: reader.one(&PARTICIPANTS, values::count)?,
            persona_bytes: reader.one(&PERSONA_BYTES, values::bytes)?,
            name_bytes: reader.one(&NAME_BYTES, values::bytes)?,
            key_bytes: reader.one(&KEY_BYTES, values::bytes)?,
            settings: reader.one(&SETTINGS, values::count)?,
            setting_bytes: reader.one(&SETTING_BYTES, values::bytes)?,
            also: reader.one(&ALSO, values::count)?,
            budget: reader.one(&BUDGET, values::tokens)?,
            book_entries: reader.one(&BOOK_ENTRIES, values::count)?,
            document_bytes: reader.one(&DOCUMENT_BYTES, values::bytes)?,
            window_lines: reader.one(&WINDOW_LINES, values::count)?,
            minds_bytes: reader.one(&MINDS_BYTES, values::bytes)?,
            history: reader.one(&HISTORY, values::count)?,
            page: reader.one(&PAGE, values::count)?,
            request_timeout: reader.one(&REQUEST_TIMEOUT, values::duration)?,
            bulk_timeout: reader.one(&BULK_TIMEOUT, values::duration)?,
            idle_timeout: reader.one(&IDLE_TIMEOUT, values::duration)?,
            drain_timeout: reader.one(&DRAIN_TIMEOUT, values::duration)?,
        };
        limits.check()
    }

    fn check(self) -> Result<Self> {
        if self.buffered_bytes < self.request_bytes.max(self.import_bytes).max(self.document_bytes) {
            return Err(Error::invalid("limits.buffered_bytes is smaller than the largest body allowed")
                .hint(
                    "raise it, or lower limits.request_bytes, limits.document_bytes and limits.import_bytes",
                ));
        }
        // Whoever is only known by an id bears it as a name.
        if self.name_bytes < MAX_ID_BYTES {
            return Err(Error::invalid(format!(
                "limits.name_bytes is smaller than an id, {MAX_ID_BYTES} bytes"
            ))
            .hint("raise it: ids are names too"));
        }
        Ok(self)
    }

    /// The part of them that the engine keeps.
    pub(crate) fn of_engine(&self) -> reverie_core::Limits {
        reverie_core::Limits {
            lines_per_append: self.lines,
            bytes_per_text: self.content_bytes,
            bytes_per_memory: self.memory_bytes,
            words_per_memory: self.memory_words,
            people: self.participants,
            bytes_per_persona: self.persona_bytes,
            bytes_per_name: self.name_bytes,
            bytes_per_key: self.key_bytes,
            settings: self.settings,
            bytes_per_setting: self.setting_bytes,
            also: self.also,
            budget: self.budget,
            entries_per_book: self.book_entries,
            bytes_per_document: self.document_bytes,
            window_lines: self.window_lines,
            minds_bytes: self.minds_bytes,
            page: self.page,
            history: self.history,
        }
    }
}
