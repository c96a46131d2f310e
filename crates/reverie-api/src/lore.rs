//! A search of books that nobody stores.

use std::collections::HashMap;
use std::sync::Arc;

use reverie_core::lore::rules::distinct;
use reverie_core::lore::{Book, Dice, Draw, Meter, Names, Request, Rules, Shelf, Texts, Timers, place, scan};
use reverie_core::tokens::Counter;
use reverie_core::{Error, Limits, Result};
use reverie_formats::book::{self, BookDocument};
use reverie_formats::card;
use serde_json::Value;

use crate::wire::facts::facts;
use crate::wire::{Generation, LoreBudget, LoreCounter, ProblemView, ScanBody, ScanBook, ScanView};

/// Tokens of a prompt where nobody says it.
const USUAL_CONTEXT: usize = 8192;

pub fn run(body: ScanBody, limits: &Limits) -> Result<ScanView> {
    check(&body, limits)?;
    let mut problems = Vec::new();
    let books = body.books.into_iter().enumerate();
    let books: Vec<Book> =
        books.map(|(index, given)| read(index, given, &mut problems)).collect::<Result<_>>()?;
    check_ids(&books)?;
    let rules = Rules::from(body.settings);
    let shelf = Shelf::new(&books, rules.spelling).map_err(|problem| {
        Error::invalid(format!("these books cannot be searched together: {problem}"))
            .hint("search fewer or smaller books")
    })?;
    problems.extend(shelf.problems().iter().map(ProblemView::from));
    let timers = body.state.map(|state| state.into_timers()).transpose()?.unwrap_or_else(Timers::default);
    let messages: Vec<(&str, &str)> =
        body.messages.iter().map(|message| (message.name.as_str(), message.text.as_str())).collect();
    let facts = facts(body.facts)?;
    let similar: Vec<_> = body
        .similar
        .iter()
        .map(|near| (Arc::from(near.book.as_str()), Arc::from(near.entry.as_str()), near.score))
        .collect();
    let character = body.character.as_ref();
    let known = character.into_iter().flat_map(|character| character.names.iter().chain(&character.file));
    let request = Request {
        messages: &messages,
        message_count: body.message_count,
        texts: Texts {
            persona: &body.texts.persona,
            character: &body.texts.character,
            personality: &body.texts.personality,
            depth_prompt: &body.texts.depth_prompt,
            scenario: &body.texts.scenario,
            creator_notes: &body.texts.creator_notes,
        },
        names: body.names.map(Names::from).unwrap_or_default(),
        character: distinct(known.map(String::as_str)),
        tags: character
            .and_then(|character| character.tags.as_ref())
            .map(|tags| rules.tags_known(tags.iter().map(String::as_str))),
        voices: Vec::new(),
        private: HashMap::new(),
        generation: body.generation.as_deref().unwrap_or_default(),
        facts: &facts,
        mood: &body.mood,
        topics: &body.topics,
        tick: body.tick,
        ticks_per_day: body.ticks_per_day,
        similar: &similar,
        // Whoever says what is near has chosen.
        most_similar: None,
        meaning: None,
        max_context: body.max_context.unwrap_or(USUAL_CONTEXT),
        seed: body.seed.unwrap_or(0),
        explain: body.explain,
    };
    let mut dice = Dice::new(body.seed.unwrap_or(0));
    let mut given = body.draws.into_iter();
    let mut draws = Vec::new();
    let mut draw = |draw| {
        let value = given.next().unwrap_or_else(|| match draw {
            Draw::Roll => dice.draw(),
            Draw::Macro(own) => own,
        });
        draws.push(value);
        value
    };
    let found = scan(&shelf, &rules, &request, timers, meter(body.tokens.as_deref())?, &mut draw);
    problems.extend(found.problems.iter().map(ProblemView::from));
    Ok(ScanView {
        slots: place(&found.active).iter().map(Into::into).collect(),
        active: found.active.iter().map(Into::into).collect(),
        state: found.timers.into(),
        why: found.verdicts.iter().map(Into::into).collect(),
        budget: LoreBudget { tokens: found.budget, is_over: found.is_over_budget },
        draws,
        problems,
    })
}

/// What runs is known by the ids of book and entry: with two books of one id it would pass from one to the other.
fn check_ids(books: &[Book]) -> Result<()> {
    let mut ids: Vec<&str> = books.iter().map(|book| &*book.id).collect();
    ids.sort_unstable();
    match ids.windows(2).find(|two| two.first() == two.last()) {
        Some(two) => {
            let id = two.first().copied().unwrap_or_default();
            Err(Error::invalid(format!("two books have the id {id:?}"))
                .hint("give each book an id of its own"))
        }
        None => Ok(()),
    }
}

fn check(body: &ScanBody, limits: &Limits) -> Result<()> {
    limits.check_messages(body.messages.len())?;
    if body.draws.iter().any(|draw| !(0.0..=1.0).contains(draw)) {
        return Err(Error::invalid("draws lie between 0 and 1"));
    }
    body.generation.as_deref().map_or(Ok(()), Generation::check)
}

fn read(index: usize, given: ScanBook, problems: &mut Vec<ProblemView>) -> Result<Book> {
    let (id, rank, value) = match given {
        ScanBook::Placed { id, rank, document } => (id, rank, document),
        ScanBook::Plain(value) => (None, None, value),
    };
    let id = id.unwrap_or_else(|| index.to_string());
    let document = document_of(value).map_err(|error| error.within(format!("book {id:?}")))?;
    let (book, warnings) = document.to_core(&id, rank.unwrap_or(index as i64));
    problems.extend(warnings.into_iter().map(|warning| ProblemView {
        book: id.clone(),
        entry: warning.entry.clone(),
        message: warning.to_string(),
    }));
    Ok(book)
}

/// A book, or the book on a card.
fn document_of(value: Value) -> Result<BookDocument> {
    let limits = reverie_formats::Limits::default();
    if card::is_card(&value) {
        return card::from_value(value, &limits)?.book.ok_or_else(|| {
            Error::invalid("this is a character card without a book")
                .hint("send a world book, or a card with a `character_book`")
        });
    }
    let format = book::detect(&value)?;
    book::from_value(value, format, &limits)
}

/// A quarter of the UTF-16 length is what front ends assume that have no tokenizer at hand.
fn meter(name: Option<&str>) -> Result<Meter> {
    match name {
        Some("utf16/4") => Ok(Meter { length: |text| text.encode_utf16().count(), per_token: 4 }),
        None => Ok(Counter::default().into()),
        Some(name) => Counter::from_name(name)
            .map(Meter::from)
            .map_err(|error| error.hint(format!("use one of: {}", LoreCounter::ALL.join(", ")))),
    }
}
