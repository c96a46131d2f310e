//! What does the id of a prompt carry?
//!
//! All that recording the answer needs to know, so that it means the same after a restart and in another process. It is
//! checked when it is used; who makes one up can set off timers of its own world and freshen memories there, and nothing else.
//!
//! It says what a prompt set off, not whose prompt it was: two characters before the same line whose prompts set off the
//! same have the same id. Nothing follows from that, for recording with either does the same, and doing it twice leaves
//! what once leaves ([`Step::apply`]).

use std::fmt::Write;

use crate::id::{CharacterId, ConversationId, LineId, MemoryId, WorldId};
use crate::lore::timers::Step;
use crate::{Error, Result};

const PREFIX: &str = "rc1-";
/// More timers than any shelf of books begins in one turn.
const MOST_BYTES: usize = 256 << 10;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecallId {
    pub(crate) world: String,
    /// Empty: the prompt was for a conversation that had not begun.
    pub(crate) conversation: String,
    /// The newest line that was seen; None: there was none.
    pub(crate) head: Option<LineId>,
    pub(crate) step: Step,
    /// What stood in the prompt, and whose memory it was.
    pub(crate) memories: Vec<(MemoryId, CharacterId)>,
}

impl RecallId {
    /// Letters, digits and a hyphen only.
    pub(crate) fn encode(&self) -> String {
        let mut text = String::new();
        let head = self.head.map(|head| head.to_string()).unwrap_or_default();
        let (ended, begun) = (self.step.ended.to_string(), self.step.begun.to_string());
        let mut put = |part: &str| {
            // Lengths first: parts may hold anything.
            let _ = write!(text, "{}:{part}", part.len());
        };
        [&self.world, &self.conversation, &head, &ended, &begun].into_iter().for_each(|part| put(part));
        for (memory, holder) in &self.memories {
            put(&memory.to_string());
            put(holder.as_str());
        }
        Self::seal(&text)
    }

    /// Whether recording with it does anything.
    pub(crate) fn has_effect(&self) -> bool {
        !self.step.is_empty() || !self.memories.is_empty()
    }

    /// Puts the checksum before it.
    pub(crate) fn seal(text: &str) -> String {
        let mut code = String::with_capacity(PREFIX.len() + 16 + text.len() * 2);
        let _ = write!(code, "{PREFIX}{:016x}", checksum(text.as_bytes()));
        text.bytes().for_each(|byte| {
            let _ = write!(code, "{byte:02x}");
        });
        code
    }

    pub(crate) fn decode(code: &str) -> Result<Self> {
        Self::read(code).ok_or_else(|| {
            Error::invalid("this is not the id of a prompt").hint("send `id` of the recall as it came")
        })
    }

    /// For an answer in this place.
    pub(crate) fn check(&self, world: &WorldId, conversation: &ConversationId) -> Result<()> {
        let elsewhere = |what: &str| {
            Err(Error::invalid(format!("the prompt was made for another {what}"))
                .hint("record the answer where the prompt was asked for"))
        };
        if self.world != world.as_str() {
            return elsewhere("world");
        }
        if !self.conversation.is_empty() && self.conversation != conversation.as_str() {
            return elsewhere("conversation");
        }
        Ok(())
    }

    fn read(code: &str) -> Option<Self> {
        let code = code.strip_prefix(PREFIX).filter(|code| code.len() <= MOST_BYTES)?;
        let (sum, hex) = code.split_at_checked(16)?;
        let bytes: Option<Vec<u8>> =
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()).collect();
        let text = String::from_utf8(bytes?).ok()?;
        if u64::from_str_radix(sum, 16).ok()? != checksum(text.as_bytes()) {
            return None;
        }
        let mut rest = text.as_str();
        let mut next = || next_part(&mut rest);
        let (world, conversation) = (next()?.to_owned(), next()?.to_owned());
        let head = match next()? {
            "" => None,
            head => Some(LineId::parse(head).ok()?),
        };
        let step = Step { ended: next()?.parse().ok()?, begun: next()?.parse().ok()? };
        let mut memories = Vec::new();
        while !rest.is_empty() {
            let memory = MemoryId::parse(next_part(&mut rest)?).ok()?;
            memories.push((memory, CharacterId::new(next_part(&mut rest)?).ok()?));
        }
        Some(Self { world, conversation, head, step, memories })
    }
}

fn next_part<'t>(rest: &mut &'t str) -> Option<&'t str> {
    let (length, behind) = rest.split_once(':')?;
    let (part, behind) = behind.split_at_checked(length.parse().ok()?)?;
    *rest = behind;
    Some(part)
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_says_what_it_was_made_for() {
        for begun in ["", "s,1,2,0;1:a1:b"] {
            let id = RecallId {
                world: "港口:1".to_owned(),
                conversation: "c".to_owned(),
                head: LineId::new(7).ok(),
                step: Step { ended: "".parse().unwrap(), begun: begun.parse().unwrap() },
                memories: begun
                    .chars()
                    .take(2)
                    .map(|_| (MemoryId::new(3).unwrap(), CharacterId::new("钦灵:1").unwrap()))
                    .collect(),
            };
            let code = id.encode();
            assert!(code.chars().all(|char| char.is_ascii_alphanumeric() || char == '-'));
            assert_eq!(RecallId::decode(&code).unwrap(), id);
            let other = if code.ends_with('0') { '1' } else { '0' };
            assert!(RecallId::decode(&format!("{}{other}", &code[..code.len() - 1])).is_err());
            assert!(RecallId::decode(&code[..code.len() - 1]).is_err());
        }
        for code in ["", "rc1-", "rc1-é", "rc1-00000000000000000"] {
            assert!(RecallId::decode(code).is_err(), "{code}");
        }
    }

    #[test]
    fn an_id_with_something_else_in_it_is_none() {
        let text = "1:w1:c0:4:junk0:";
        assert!(RecallId::decode(&RecallId::seal(text)).is_err());
    }
}
