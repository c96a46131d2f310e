//! How are timers kept as text?

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::{Kind, Timer, Timers};
use crate::{Code, Error};

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
        let timer = |kind, book, entry, end| Timer {
            book: Arc::from(book),
            entry: Arc::from(entry),
            kind,
            start: 3,
            end,
            protected: kind == Kind::Cooldown,
        };
        let list = vec![
            timer(Kind::Sticky, "书:1", "", 7),
            timer(Kind::Cooldown, "", "0", 0),
            timer(Kind::Spent, "b", "7;,", u32::MAX),
        ];
        let timers = Timers { list };
        let text = timers.to_string();
        assert_eq!(text.parse::<Timers>().unwrap(), timers);
        assert_eq!("".parse::<Timers>().unwrap(), Timers::default());
        for wrong in ["s", "s,1,2,0;9:b", "q,1,2,0;1:b1:e", "s,1,2,0;1:书1:e"] {
            assert!(wrong.parse::<Timers>().is_err(), "{wrong}");
        }
    }
}
