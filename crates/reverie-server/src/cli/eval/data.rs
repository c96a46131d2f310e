//! What is there to find, who asks for what, and where does each stand in a space of meanings?

use std::collections::{HashMap, HashSet};
use std::path::Path;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use reverie_core::embed::{Embedder, Evidence, Languages, Tongue, Vector};
use reverie_core::feeling::heard;
use reverie_core::memory::{Held, Kind, Memory, Origin, State};
use reverie_core::mind::{Mind, Note, Said, when};
use reverie_core::rank::{Bearing, Question};
use reverie_core::recollection::{Kept, Place};
use reverie_core::time::Moment;
use reverie_core::words::keywords;
use reverie_core::{CharacterId, Error, MemoryId, Result};
use reverie_offline::OfflineEmbedder;
use serde_json::Value;

use crate::cli::read_file;

/// All items, by whose memory they are.
pub(super) struct Corpus {
    scopes: HashMap<String, Scope>,
}

/// The memory of one.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) mind: Mind,
    /// In the order of the file; the place is the number of the memory.
    items: Vec<Item>,
}

struct Item {
    id: String,
    /// As the file has it, and in UTC where it names a zone: questions say with the beginning of a time what was there.
    time: String,
    seq: Option<i64>,
}

pub(super) struct Query {
    pub(super) id: String,
    pub(super) scope: String,
    pub(super) text: String,
    pub(super) gold: HashSet<String>,
    is_adversarial: bool,
    as_of: Option<String>,
    as_of_seq: Option<i64>,
    /// When it was asked.
    asked_ms: Option<i64>,
}

/// Where texts stand.
#[derive(Default)]
pub(super) struct Vectors {
    /// From a file, by ids.
    read: HashMap<String, Vector>,
    embedder: Option<OfflineEmbedder>,
    bearing: Bearing,
}

impl Corpus {
    pub(super) fn read(path: &Path, vectors: &Vectors) -> Result<Self> {
        let mut scopes: HashMap<String, Scope> = HashMap::new();
        let mut ids = HashSet::new();
        for row in rows(path)? {
            let item = Item {
                id: row.text("id")?,
                time: row.optional("time").map(without_zone).unwrap_or_default(),
                seq: row.number("seq")?,
            };
            if !ids.insert(item.id.clone()) {
                return Err(row.wrong(&format!("the id {:?} is there already", item.id)));
            }
            let scope = scopes.entry(row.text("scope")?).or_default();
            let speaker = row.optional("speaker").filter(|speaker| !speaker.trim().is_empty());
            let place = scope.items.len() as u64 + 1;
            let wall_ms = row.wall_ms(&item.time)?;
            let told = row.told()?;
            let kept = Kept {
                vectors: vectors.of(&item.id, &told).into_iter().collect(),
                held: held(place, told, speaker.as_deref(), wall_ms.unwrap_or_default())?,
                // What has no time may stand in any order.
                place: wall_ms.map(|_| Place { conversation: 0, order: place }),
                names: speaker.into_iter().collect(),
            };
            scope.mind.keep(kept, None);
            scope.items.push(item);
        }
        Ok(Self { scopes })
    }

    pub(super) fn scope(&self, name: &str) -> Option<&Scope> {
        self.scopes.get(name)
    }

    /// Of every item.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.scopes.values().flat_map(|scope| &scope.items).map(|item| item.id.as_str())
    }

    fn has(&self, scope: &str, id: &str) -> bool {
        self.scope(scope).is_some_and(|scope| scope.items.iter().any(|item| item.id == id))
    }
}

impl Scope {
    pub(super) fn id_of(&self, slot: usize) -> Option<&str> {
        Some(&self.item(self.mind.note(slot)?)?.id)
    }

    /// Only what was there when the question was asked can be found.
    pub(super) fn is_visible(&self, note: &Note, query: &Query) -> bool {
        let Some(item) = self.item(note) else { return false };
        let is_earlier = |as_of: &String| {
            let day: String = item.time.chars().take(as_of.chars().count()).collect();
            day <= *as_of
        };
        query.as_of.as_ref().is_none_or(is_earlier)
            && query.as_of_seq.zip(item.seq).is_none_or(|(asked, seq)| seq < asked)
    }

    fn item(&self, note: &Note) -> Option<&Item> {
        self.items.get(usize::try_from(note.held.memory.id.get()).ok()?.checked_sub(1)?)
    }
}

impl Query {
    /// As recall asks it: what is said, what it means, of which days it speaks, what is felt.
    pub(super) fn question(&self, vectors: &Vectors) -> Question {
        let newest = self.text.lines().last().unwrap_or_default();
        let asked = Moment { tick: None, wall_ms: self.asked_ms };
        let asked_for = when::without_counted(newest, asked, None);
        let before = self.text.lines().count().saturating_sub(1);
        let said: Vec<&str> = self.text.lines().take(before).chain([asked_for.as_ref()]).collect();
        Question {
            said: Said::of(said.iter().copied()),
            meaning: vectors.of(&self.id, &said.join("\n")),
            newest: vectors.of_newest(&asked_for).filter(|_| before > 0),
            bearing: vectors.bearing,
            tongue: Tongue::of(newest),
            days: when::days(newest, asked, None),
            feelings: heard(newest),
            ..Question::default()
        }
    }

    /// Headline figures leave out what cannot be found.
    pub(super) fn counts(&self) -> bool {
        !self.is_adversarial && !self.gold.is_empty()
    }
}

pub(super) fn queries(path: &Path, corpus: &Corpus) -> Result<Vec<Query>> {
    let mut queries = Vec::new();
    for row in rows(path)? {
        let scope = row.text("scope")?;
        let gold = row.gold()?;
        if let Some(unknown) = gold.iter().find(|id| !corpus.has(&scope, id)) {
            return Err(row.wrong(&format!(
                "gold names {unknown:?}, which scope {scope:?} of the corpus does not have"
            )));
        }
        queries.push(Query {
            id: row.text("id")?,
            text: row.question()?,
            gold,
            is_adversarial: row.optional("category").as_deref() == Some("adversarial"),
            as_of: row.optional("as_of").map(without_zone),
            as_of_seq: row.number("as_of_seq")?,
            asked_ms: row.asked_ms()?,
            scope,
        });
    }
    Ok(queries)
}

impl Vectors {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let mut vectors = HashMap::new();
        let mut dimensions = None;
        for row in rows(path)? {
            let values = row.value.get("vector").and_then(Value::as_array);
            let values = values.ok_or_else(|| row.wrong("`vector` must be a list of numbers"))?;
            let values: Vec<f32> =
                values.iter().filter_map(Value::as_f64).map(|value| value as f32).collect();
            if *dimensions.get_or_insert(values.len()) != values.len() {
                return Err(row.wrong("this vector has another number of dimensions than those before"));
            }
            let vector = Vector::normal(values).ok_or_else(|| row.wrong("this vector has no direction"))?;
            vectors.insert(row.text("id")?, vector);
        }
        Ok(Self { read: vectors, ..Self::default() })
    }

    /// As recall has them where no model is configured.
    pub(super) fn built_in() -> Result<Self> {
        let embedder = OfflineEmbedder::new();
        let languages = Some(Languages::ask(&embedder, i64::MAX)?);
        let bearing = Bearing { reading: embedder.reading(), languages };
        Ok(Self { read: HashMap::new(), embedder: Some(embedder), bearing })
    }

    /// Nobody can be asked which languages vectors from a file speak: all items together tell.
    pub(super) fn listen_to(&mut self, corpus: &Corpus) {
        if self.embedder.is_some() || self.read.is_empty() {
            return;
        }
        let told = |tongue: Tongue| {
            let scopes = corpus.scopes.values().map(|scope| scope.mind.evidence(tongue));
            scopes.fold(Evidence::default(), Evidence::and)
        };
        self.bearing.languages = Some(Languages::seen(Tongue::ALL.map(told)));
    }

    /// Whether the file has one of this id.
    pub(super) fn has(&self, id: &str) -> bool {
        self.read.contains_key(id)
    }

    fn of(&self, id: &str, text: &str) -> Option<Vector> {
        match &self.embedder {
            Some(_) => self.of_newest(text),
            None => self.read.get(id).cloned(),
        }
    }

    /// A file has no vectors of single lines.
    fn of_newest(&self, text: &str) -> Option<Vector> {
        self.embedder.as_ref()?.vectors(&[text]).pop().and_then(Vector::normal)
    }
}

/// A line of a file.
struct Row {
    place: String,
    value: Value,
}

fn rows(path: &Path) -> Result<Vec<Row>> {
    let bytes = read_file(path)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Error::invalid(format!("{} is not UTF-8", path.display())).hint("save it as UTF-8"))?;
    let mut rows = Vec::new();
    // Editors on Windows begin a file with a mark of their own.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("{}:{}", path.display(), number + 1);
        let value = serde_json::from_str(line).map_err(|error| {
            Error::invalid(format!("{place}: {error}")).hint("every line must be one JSON object")
        })?;
        rows.push(Row { place, value });
    }
    Ok(rows)
}

impl Row {
    fn text(&self, name: &str) -> Result<String> {
        self.optional(name).ok_or_else(|| self.wrong(&format!("`{name}` must be a text")))
    }

    /// What is asked: nothing is found by nothing, and counting it would blame the search.
    fn question(&self) -> Result<String> {
        let question = self.text("query")?;
        if question.trim().is_empty() {
            return Err(self.wrong("`query` is empty"));
        }
        Ok(question)
    }

    fn optional(&self, name: &str) -> Option<String> {
        self.value.get(name)?.as_str().map(str::to_owned)
    }

    /// None: it is not there.
    fn number(&self, name: &str) -> Result<Option<i64>> {
        match self.value.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let number = value.as_i64();
                number.map(Some).ok_or_else(|| self.wrong(&format!("`{name}` must be a whole number")))
            }
        }
    }

    /// The ids of what should be found.
    fn gold(&self) -> Result<HashSet<String>> {
        let ids = match self.value.get("gold") {
            None | Some(Value::Null) => return Ok(HashSet::new()),
            Some(Value::Array(ids)) => ids.iter().map(|id| id.as_str().map(str::to_owned)).collect(),
            Some(_) => None,
        };
        ids.ok_or_else(|| self.wrong("`gold` must be a list of ids of the corpus, as texts"))
    }

    /// When it was asked.
    fn asked_ms(&self) -> Result<Option<i64>> {
        let Some(time) = self.optional("as_of").map(without_zone) else { return Ok(None) };
        let wrong = "`as_of` must be like 2024-05, 2024-05-01, 2024-05-01T12:30 or 2024-05-01T12:30:00Z";
        end_of(&time).map(Some).ok_or_else(|| self.wrong(wrong))
    }

    fn wrong(&self, what: &str) -> Error {
        Error::invalid(format!("{}: {what}", self.place)).hint("`reverie eval --help` names the fields")
    }

    /// With whoever said it, unless the text begins with them.
    fn told(&self) -> Result<String> {
        let text = self.text("text")?;
        let speaker = self.optional("speaker").filter(|speaker| !text.starts_with(speaker.as_str()));
        Ok(speaker.map_or_else(|| text.clone(), |speaker| format!("{speaker}: {text}")))
    }

    fn wall_ms(&self, time: &str) -> Result<Option<i64>> {
        if time.is_empty() {
            return Ok(None);
        }
        let wrong = "`time` must be like 2024-05-01, 2024-05-01T12:30, 2024-05-01T12:30:00Z or …+08:00";
        in_utc(time).map(Some).ok_or_else(|| self.wrong(wrong))
    }
}

/// A moment of some zone (`Z`, `+08:00`) as a clock in UTC shows it; what names no zone is one already. Nobody else looks at the zone: a
/// [`DateTime`] would leave an offset out and be hours wrong.
fn without_zone(time: String) -> String {
    match time.parse::<Timestamp>() {
        Ok(moment) => moment.to_zoned(TimeZone::UTC).datetime().to_string(),
        Err(_) => time,
    }
}

fn in_utc(time: &str) -> Option<i64> {
    Some(time.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp().as_millisecond())
}

/// The end of a month or of a day, or a moment.
fn end_of(time: &str) -> Option<i64> {
    let moment = match time.len() {
        7 => format!("{time}-28T23:59"),
        10 => format!("{time}T23:59"),
        _ => time.to_owned(),
    };
    in_utc(&moment)
}

/// So many words stand for a memory, as digest has it.
const KEYWORDS: usize = 16;

/// As the digest without a model remembers it: about whoever said it, with the words that stand for it.
fn held(place: u64, text: String, speaker: Option<&str>, wall_ms: i64) -> Result<Held> {
    let names: Vec<&str> = speaker.into_iter().collect();
    let about = names.iter().filter_map(|name| CharacterId::new(name).ok());
    let memory = Memory {
        id: MemoryId::new(place)?,
        kind: Kind::Episodic,
        origin: Origin::Round,
        keywords: keywords([text.as_str()], &names, KEYWORDS),
        text,
        sources: Vec::new(),
        from: Vec::new(),
        about: about.collect(),
        importance: 0.6,
        topics: Vec::new(),
        emotions: Vec::new(),
        tick: None,
        wall_ms,
        model: None,
        revision: 1,
    };
    Ok(Held {
        memory,
        holder: CharacterId::new("eval")?,
        state: State::new(None, None),
        version: 0,
        live: true,
        summarised: None,
        superseded: None,
        refreshed: None,
    })
}
