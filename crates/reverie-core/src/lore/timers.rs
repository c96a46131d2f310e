//! Which entries stay for a while, and which must rest?
//!
//! Everything counts messages of one branch of a conversation. An effect that began after the point to which the
//! conversation went back has never been.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::{Code, Error};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Sticky,
    Cooldown,
    /// Set off once, by an order that it stay for good.
    Kept,
    /// Set off once, by an order that it never come back.
    Spent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timer {
    pub book: Arc<str>,
    pub entry: Arc<str>,
    pub kind: Kind,
    /// Messages there were when it began.
    pub start: u32,
    /// Over when there are this many.
    pub end: u32,
    /// Began when another ended, while nothing new was said: going back to its beginning keeps it.
    pub protected: bool,
}

/// All effects of a conversation's branch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Timers {
    pub list: Vec<Timer>,
}

/// What an entry says about its own timing, as far as timers need it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timing {
    pub(super) sticky: Option<u32>,
    pub(super) cooldown: Option<u32>,
}

impl Timers {
    /// Lets time pass: what is over goes, what follows begins. `timing` knows the entries; None: not searched today.
    pub(super) fn advance(&mut self, messages: u32, timing: impl Fn(&Timer) -> Option<Timing>) {
        let mut begun = Vec::new();
        self.list.retain(|timer| {
            if messages <= timer.start && !timer.protected {
                return false;
            }
            let Some(timing) = timing(timer) else { return messages < timer.end };
            let configured = match timer.kind {
                Kind::Sticky => timing.sticky.is_some(),
                Kind::Cooldown => timing.cooldown.is_some(),
                Kind::Kept | Kind::Spent => true,
            };
            if !configured {
                return false;
            }
            if messages < timer.end {
                return true;
            }
            if let (Kind::Sticky, Some(cooldown)) = (timer.kind, timing.cooldown) {
                begun.push(Timer {
                    kind: Kind::Cooldown,
                    start: messages,
                    end: messages.saturating_add(cooldown),
                    protected: true,
                    ..timer.clone()
                });
            }
            false
        });
        for timer in begun {
            self.list.retain(|old| {
                !(old.kind == timer.kind && old.book == timer.book && old.entry == timer.entry)
            });
            self.list.push(timer);
        }
    }

    pub(super) fn find(&self, kind: Kind, book: &str, entry: &str) -> Option<&Timer> {
        self.list.iter().find(|timer| timer.kind == kind && *timer.book == *book && *timer.entry == *entry)
    }

    /// Begins an effect, unless it is on already.
    pub(super) fn begin(
        &mut self,
        kind: Kind,
        book: &Arc<str>,
        entry: &Arc<str>,
        messages: u32,
        length: u32,
    ) {
        if self.find(kind, book, entry).is_none() {
            self.list.push(Timer {
                book: Arc::clone(book),
                entry: Arc::clone(entry),
                kind,
                start: messages,
                end: messages.saturating_add(length),
                protected: false,
            });
        }
    }
}

/// As text: `kind,start,end,protected;` and the two names with their lengths in bytes.
impl fmt::Display for Timers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for timer in &self.list {
            let kind = match timer.kind {
                Kind::Sticky => 's',
                Kind::Cooldown => 'c',
                Kind::Kept => 'k',
                Kind::Spent => 'x',
            };
            let protected = u8::from(timer.protected);
            write!(f, "{kind},{},{},{protected};", timer.start, timer.end)?;
            write!(f, "{}:{}{}:{}", timer.book.len(), timer.book, timer.entry.len(), timer.entry)?;
        }
        Ok(())
    }
}

impl FromStr for Timers {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut rest = text;
        let mut list = Vec::new();
        while !rest.is_empty() {
            let timer =
                read(&mut rest).ok_or_else(|| Error::new(Code::Corrupt, "lore timers cannot be read"))?;
            list.push(timer);
        }
        Ok(Self { list })
    }
}

fn read(rest: &mut &str) -> Option<Timer> {
    let (numbers, behind) = rest.split_once(';')?;
    *rest = behind;
    let mut numbers = numbers.split(',');
    let kind = match numbers.next()? {
        "s" => Kind::Sticky,
        "c" => Kind::Cooldown,
        "k" => Kind::Kept,
        "x" => Kind::Spent,
        _ => return None,
    };
    let mut number = || numbers.next()?.parse::<u32>().ok();
    let (start, end, protected) = (number()?, number()?, number()? != 0);
    let mut name = || {
        let (length, behind) = rest.split_once(':')?;
        let (name, behind) = behind.split_at_checked(length.parse().ok()?)?;
        *rest = behind;
        Some(Arc::from(name))
    };
    Some(Timer { book: name()?, entry: name()?, kind, start, end, protected })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_are_kept_as_text() {
        let mut timers = Timers::default();
        timers.begin(Kind::Sticky, &Arc::from("书:1"), &Arc::from(""), 3, 4);
        timers.begin(Kind::Spent, &Arc::from("b"), &Arc::from("7;,"), 0, u32::MAX);
        let text = timers.to_string();
        assert_eq!(text.parse::<Timers>().unwrap(), timers);
        assert_eq!("".parse::<Timers>().unwrap(), Timers::default());
        for wrong in ["s", "s,1,2,0;9:b", "q,1,2,0;1:b1:e", "s,1,2,0;1:书1:e"] {
            assert!(wrong.parse::<Timers>().is_err(), "{wrong}");
        }
    }
}
