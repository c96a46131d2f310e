//! What did those who are about to speak hear that nobody remembers yet, and what of it have they decided about before?

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use reverie_core::settings::Audience;
use reverie_core::store::{ELSEWHERE_BYTES, ELSEWHERE_LINES, Gather, Gathered, UNREMEMBERED_BYTES};
use reverie_core::{CharacterId, Line, LineId};
use rusqlite::{Connection, params};

use crate::backlog;
use crate::candidates::{Want, Which};
use crate::cast::Known;
use crate::circle;
use crate::conversation::ConversationRow;
use crate::error::Result;
use crate::forgotten;
use crate::history;
use crate::line;
use crate::merge::{Found, Stop};
use crate::world::WorldRow;

pub(crate) struct Waiting<'w> {
    pub(crate) connection: &'w Connection,
    pub(crate) world: &'w WorldRow,
    pub(crate) here: Option<&'w ConversationRow>,
    /// Each once: the character, and those whose memories are wanted.
    pub(crate) voices: &'w [&'w Known],
    pub(crate) gather: &'w Gather,
}

impl Waiting<'_> {
    /// `window` is what the prompt shows as its history.
    pub(crate) fn read_into(
        &self,
        gathered: &mut Gathered,
        window: &Found,
        audience: Audience,
    ) -> Result<()> {
        let mut keys: BTreeSet<i64> = BTreeSet::new();
        let mut unremembered = Vec::new();
        if let Some(here) = self.here {
            let through = backlog::covered(self.connection, self.world, here)?;
            gathered.remembered_through = through.map(|line| LineId::new(line.unsigned_abs())).transpose()?;
            let through = through.map_or(0, |line| self.world.line_key(line.unsigned_abs()));
            let shown = window.lines.iter().filter(|(of, _)| *of == here.no).map(|(_, key)| *key);
            keys.extend(shown.clone().filter(|key| *key > through));
            unremembered = self.unremembered(here, through, shown.min().unwrap_or(i64::MAX))?;
        }
        let elsewhere = match audience {
            Audience::SameConversation => Vec::new(),
            Audience::Open | Audience::Strict => self.elsewhere()?,
        };
        keys.extend(unremembered.iter().chain(&elsewhere).map(|(_, key)| *key));
        gathered.decided = self.decided(&keys)?;
        gathered.unremembered = self.news(gathered, unremembered)?;
        gathered.elsewhere = self.news(gathered, elsewhere)?;
        Ok(())
    }

    /// The newest words behind a line that one of them witnessed and has in mind, but for those that the history shows: what all of them
    /// witnessed, from its first line on, as the first of them has it in mind.
    fn unremembered(&self, here: &ConversationRow, behind: i64, shown_from: i64) -> Result<Vec<(i64, i64)>> {
        let everybody: Vec<i64> = self.voices.iter().map(|voice| voice.no).collect();
        let common: HashSet<i64> =
            circle::streams(self.connection, here.no, &everybody)?.into_iter().collect();
        let mut found: BTreeMap<i64, usize> = BTreeMap::new();
        for (place, voice) in self.voices.iter().enumerate() {
            for stream in circle::streams(self.connection, here.no, &[voice.no])? {
                let mut read = |between: (i64, i64), forgotten_by: Option<i64>| {
                    self.words(here, (stream, voice.no), between, forgotten_by, &mut found)
                };
                if !common.contains(&stream) {
                    read((behind, i64::MAX), None)?;
                    continue;
                }
                read((behind, shown_from), None)?;
                // What the first of them forgot does not stand in the history.
                if let (Some(first), true) = (everybody.first(), place > 0 && shown_from < i64::MAX) {
                    read((behind.max(shown_from - 1), i64::MAX), Some(*first))?;
                }
            }
        }
        let mut bytes = UNREMEMBERED_BYTES;
        let newest = found.into_iter().rev().take(self.gather.unremembered_lines);
        let is_read = |(_, length): &(i64, usize)| {
            let is_read = bytes > 0;
            bytes = bytes.saturating_sub(*length);
            is_read
        };
        let mut keys: Vec<(i64, i64)> = newest.take_while(is_read).map(|(key, _)| (here.no, key)).collect();
        keys.reverse();
        Ok(keys)
    }

    /// The newest of one set of witnesses, and how long each is.
    fn words(
        &self,
        here: &ConversationRow,
        (stream, voice): (i64, i64),
        (behind, before): (i64, i64),
        forgotten_by: Option<i64>,
        found: &mut BTreeMap<i64, usize>,
    ) -> Result<()> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT id, length(CAST(content AS BLOB)) FROM line
             WHERE conversation = ?1 AND witnesses = ?2 AND active = 1 AND id > ?3 AND id < ?4
               AND attribute IN ('user', 'assistant') AND hidden = 0 AND {}
               AND (?6 IS NULL OR NOT {}) ORDER BY id DESC LIMIT ?7",
            forgotten::is_in_mind("line", "?5"),
            forgotten::is_in_mind("line", "?6"),
        ))?;
        let most = i64::try_from(self.gather.unremembered_lines).unwrap_or(i64::MAX);
        let asked = params![here.no, stream, behind, before, voice, forgotten_by, most];
        for row in statement.query_map(asked, |row| Ok((row.get(0)?, row.get(1)?)))? {
            let (key, length) = row?;
            found.insert(key, length);
        }
        Ok(())
    }

    /// Of the last words that each of them heard in other conversations, those behind what is remembered there. At an earlier revision
    /// nobody wrote down which conversations wait.
    fn elsewhere(&self) -> Result<Vec<(i64, i64)>> {
        let (connection, world) = (self.connection, self.world);
        let except = self.here.map(|here| here.no);
        let is_earlier = self.gather.as_of.is_some();
        if !is_earlier && !backlog::is_any_waiting(connection, world, except)? {
            return Ok(Vec::new());
        }
        let mut found: BTreeMap<i64, i64> = BTreeMap::new();
        for voice in self.voices {
            let heard = [voice.no];
            let want = Want { participants: &heard, which: Which::WithOthers, witnesses: &heard, except };
            let stop = Stop::after_spoken_bytes(ELSEWHERE_LINES, ELSEWHERE_BYTES);
            let lines = history::newest_lines(connection, world, &want, None, stop)?.lines;
            found.extend(lines.into_iter().map(|(conversation, key)| (key, conversation)));
        }
        let mut covered: HashMap<i64, i64> = HashMap::new();
        for conversation in found.values() {
            if !covered.contains_key(conversation) {
                let room = ConversationRow::by_no(connection, *conversation)?;
                let through = backlog::covered(connection, world, &room)?;
                covered.insert(room.no, through.map_or(0, |line| world.line_key(line.unsigned_abs())));
            }
        }
        let is_new =
            |(key, conversation): &(i64, i64)| covered.get(conversation).is_some_and(|last| key > last);
        Ok(found.into_iter().filter(is_new).map(|(key, conversation)| (conversation, key)).collect())
    }

    /// Who of them forgot what was made of these lines before, or put it into other words: while they wait to be remembered anew, what was
    /// forgotten stays forgotten, and what was reworded is not said in the first words.
    fn decided(&self, keys: &BTreeSet<i64>) -> Result<BTreeMap<LineId, Vec<CharacterId>>> {
        let mut statement = self.connection.prepare_cached(
            "SELECT h.holder FROM memory_source s CROSS JOIN holding h ON h.memory = s.memory
             WHERE s.line = ?1 AND h.version IS NOT NULL AND (h.forgotten = 1 OR h.text IS NOT NULL)",
        )?;
        let mut decided = BTreeMap::new();
        for key in keys {
            let by: HashSet<i64> =
                statement.query_map([key], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            let voices = self.voices.iter().filter(|voice| by.contains(&voice.no));
            let mut voices: Vec<CharacterId> = voices.map(|voice| voice.id.clone()).collect();
            if !voices.is_empty() {
                voices.sort_unstable();
                decided.insert(LineId::new(line::number(*key))?, voices);
            }
        }
        Ok(decided)
    }

    fn news(&self, gathered: &Gathered, found: Vec<(i64, i64)>) -> Result<Vec<Line>> {
        let mut lines = history::load(self.connection, found)?;
        lines.retain(|line| self.voices.iter().any(|voice| gathered.is_news_to(&voice.id, line)));
        Ok(lines)
    }
}
