//! Is what was found enough to say that a list is of this conversation?
//!
//! Chats begin with the same greeting, and stock answers come in all of them. A list is of a conversation if it is the end of
//! it word for word, or if both have something that a user does not say in every chat.

use super::pairs::Pair;
use super::verdict::Scene;
use crate::completions::dialogue::By;
use crate::completions::words::Words;

/// Lines in which every chat may be like the others: a greeting, a "hi" and its answer.
const OPENING: usize = 3;
/// So many messages a client may put before every chat, as if they had been said: an instruction, and that it was understood.
const MOST_TOLD: usize = 4;

impl<K> Scene<'_, K> {
    /// If the pairs are the end of the path without a gap and stand at the front of the list: how many messages behind them are
    /// new. Answers at the end of the path that are asked for anew do not count, nor does a greeting that is kept while what
    /// follows it is cut off.
    pub(super) fn new_behind_the_end(&self, pairs: &[Pair]) -> Option<usize> {
        let follows = |pair: &[Pair]| match pair {
            [one, next] => next.said == one.said + 1 && next.line == one.line + one.lines,
            _ => true,
        };
        let is_greeting =
            |pair: &Pair| pair.said == 0 && pair.line == 0 && self.by(pair) == Some(By::Assistant);
        let run = match pairs {
            [greeting, rest @ ..] if is_greeting(greeting) && !rest.is_empty() => {
                rest.first().filter(|next| next.said == 1).map(|_| rest)?
            }
            pairs => pairs.first().filter(|first| first.said == 0).map(|_| pairs)?,
        };
        let last = run.last()?;
        let new = self.said_words.len() - last.said - 1;
        let left = self.path_words.get(last.line + last.lines..).unwrap_or_default();
        let is_end = left.is_empty() || (new == 0 && left.iter().all(|line| line.by == By::Assistant));
        (is_end && run.windows(2).all(follows)).then_some(new)
    }

    /// True if some pair is not in every chat: something that the user said, or a short word of the user with the answer to it,
    /// later than where all chats begin alike.
    pub(super) fn is_proof(&self, pairs: &[Pair]) -> bool {
        let is_telling = |pair: &Pair| self.said_words.get(pair.said).is_some_and(Words::is_telling);
        let is_window = !self.path.is_whole || pairs.first().is_some_and(|first| first.line > 0);
        let told = self.told_at_the_beginning();
        let is_late = |pair: &Pair| is_window || pair.line >= OPENING.max(told);
        let is_exchange = |two: &[Pair]| match two {
            [one, next] => {
                let sides = (self.by(one), self.by(next));
                next.said == one.said + 1
                    && next.line == one.line + one.lines
                    && is_late(one)
                    && matches!(
                        sides,
                        (Some(By::User), Some(By::Assistant)) | (Some(By::Assistant), Some(By::User))
                    )
                    && (is_telling(one) || is_telling(next))
            }
            _ => false,
        };
        // What is the client's is in all of its chats.
        let is_clients = |pair: &Pair| self.path.lines.get(pair.line).is_some_and(|line| line.hidden);
        let is_users =
            |pair: &Pair| self.by(pair) == Some(By::User) && pair.line >= told && !is_clients(pair);
        pairs.iter().any(|pair| is_users(pair) && is_telling(pair)) || pairs.windows(2).any(is_exchange)
    }

    /// True for a place in which every chat may be like the others.
    pub(super) fn is_at_the_beginning(&self, line: usize) -> bool {
        self.path.is_whole && line < OPENING.max(self.told_at_the_beginning())
    }

    /// How many lines at the beginning of the path the client told with the first words that were answered here. A few of them, from words of the
    /// user to an answer, may stand before all of its chats, as a greeting does. What is said first behind them may be changed, but
    /// not any more when the chat has gone on.
    fn told_at_the_beginning(&self) -> usize {
        let lines = self.path.lines;
        let told = lines.iter().take_while(|line| line.exchange.is_none()).count();
        let (beginning, behind) = lines.split_at(told);
        let is_told = match beginning {
            [first, .., last] => first.by == By::User && last.by == By::Assistant && told <= MOST_TOLD,
            _ => false,
        };
        let has_gone_on = behind.iter().filter(|line| line.by == By::User).count() > 1;
        if is_told && has_gone_on && self.path.is_whole { told } else { 0 }
    }

    /// True if both begin with so much else that the few messages that are the same are chance. `abridged`: so many before them
    /// are the same lines, too.
    pub(super) fn is_chance(&self, pairs: &[Pair], abridged: usize) -> bool {
        let before = pairs.first().map_or(0, |first| first.said.min(first.line));
        pairs.len() + abridged <= before.saturating_sub(abridged)
    }

    fn by(&self, pair: &Pair) -> Option<By> {
        self.said_words.get(pair.said).map(|words| words.by)
    }
}
