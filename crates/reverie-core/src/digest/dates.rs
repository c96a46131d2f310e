//! Which day is meant by "tomorrow"?
//!
//! A memory outlives the day on which it was said, so words that count from that day get the date beside them. Where nobody can tell
//! which of several days is meant, the day on which it was said stands there instead.

use super::evidence::{Evidence, Times};
use super::language::{Tongue, tongue_of};
use crate::time::{Calendar, Language, Moment};
use crate::time_words::{bare, date, dates, day_of, weekday};

/// The moment from which days are counted. Where a world has ticks and no calendar, nobody knows which day it is in it: the wall
/// clock tells only when somebody played.
pub(super) fn counted_from(moment: Moment, calendar: Option<&Calendar>) -> Moment {
    match (calendar, moment.tick) {
        (None, Some(_)) => Moment { wall_ms: None, ..moment },
        _ => moment,
    }
}

/// The text with a date behind each word that counts from the day on which it was said.
pub(super) fn with_dates(text: &str, evidence: &Evidence<'_>) -> String {
    let tongue = tongue_of([text]);
    let mut dated = String::with_capacity(text.len() + 16);
    let mut end = 0;
    let times = Times::new(text, evidence);
    for (word, meant) in times.to_date() {
        let behind = text.get(word.at.end..).unwrap_or_default();
        let is_dated = behind.trim_start().starts_with(['(', '（', ')', '）']);
        let date = match meant {
            Some((days, said)) if word.counts_from_then() || word.is_of_some_week() => {
                dates(days, said, evidence.calendar, language(tongue), to(tongue))
            }
            _ if word.is_of_some_week() => said_on(evidence, tongue),
            _ => None,
        };
        let Some(date) = date.filter(|_| !is_dated) else { continue };
        dated.push_str(text.get(end..word.at.end).unwrap_or_default());
        let is_ascii = text.get(word.at.clone()).is_some_and(str::is_ascii);
        dated.push_str(&if is_ascii { format!(" ({date})") } else { format!("（{date}）") });
        end = word.at.end;
    }
    dated.push_str(text.get(end..).unwrap_or_default());
    dated
}

/// Where all of it was said on one day.
fn said_on(evidence: &Evidence<'_>, tongue: Tongue) -> Option<String> {
    let calendar = evidence.calendar;
    let mut days = evidence.said.iter().map(|said| day_of(said.moment, calendar));
    let first = days.next()??;
    let said = evidence.said.first()?.moment;
    let date =
        date(first, said, calendar, language(tongue)).filter(|_| days.all(|day| day == Some(first)))?;
    Some(match tongue {
        Tongue::Chinese => format!("说于{date}"),
        Tongue::Japanese => format!("{date}の話"),
        Tongue::Alphabetic => format!("said {date}"),
    })
}

fn language(tongue: Tongue) -> Language {
    if tongue == Tongue::Alphabetic { Language::En } else { Language::Zh }
}

fn to(tongue: Tongue) -> &'static str {
    match tongue {
        Tongue::Chinese => "至",
        Tongue::Japanese => "〜",
        Tongue::Alphabetic => " to ",
    }
}

/// The date of a moment: in the world's own calendar, else on Earth.
pub(super) fn date_of(moment: Moment, calendar: Option<&Calendar>, language: Language) -> Option<String> {
    let stamp = calendar.and_then(|calendar| calendar.format(moment, language));
    stamp.map(|stamp| bare(&stamp)).or_else(|| date(day_of(moment, None)?, moment, None, language))
}

/// When something was said, for a model that has to know which day "tomorrow" is: a line of its own where a new day begins.
#[derive(Default)]
pub(super) struct Headings {
    day: Option<i64>,
    written: String,
}

impl Headings {
    /// The heading before what was said at a moment; None while it is the same day.
    pub(super) fn before(
        &mut self,
        moment: Moment,
        calendar: Option<&Calendar>,
        tongue: Tongue,
    ) -> Option<String> {
        let moment = counted_from(moment, calendar);
        let own = calendar.filter(|calendar| !calendar.is_gregorian());
        let day = day_of(moment, calendar);
        let written = match (own, day) {
            (Some(calendar), _) => date_of(moment, Some(calendar), language(tongue))?,
            (None, Some(day)) => {
                let date = date(day, moment, None, language(tongue))?;
                match tongue {
                    Tongue::Chinese => format!("{date}，{}", weekday(day, tongue)),
                    Tongue::Japanese => format!("{date}、{}", weekday(day, tongue)),
                    Tongue::Alphabetic => format!("{date}, {}", weekday(day, tongue)),
                }
            }
            (None, None) => return None,
        };
        let is_same = if day.is_some() { self.day == day } else { self.written == written };
        let is_first = self.written.is_empty();
        (self.day, self.written) = (day, written);
        let written = &self.written;
        (is_first || !is_same).then(|| match tongue {
            Tongue::Alphabetic => format!("({written})"),
            _ => format!("（{written}）"),
        })
    }
}
