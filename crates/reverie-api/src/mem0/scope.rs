//! Whose memories are meant: `user_id`, `agent_id`, `run_id`, at the top or in `filters`, and what are they here?

use reverie_core::fingerprint::text_fingerprint;
use reverie_core::{CharacterId, ConversationId, Engine, MAX_ID_BYTES, Result, Who, WorldId};
use serde_json::{Map, Value};

use super::Asked;
use super::refusal::{Refusal, Refused, or_nothing};

/// The ids that a request names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Scope {
    pub(super) user_id: Option<String>,
    pub(super) agent_id: Option<String>,
    pub(super) run_id: Option<String>,
}

const USER: &str = "user_id";
const AGENT: &str = "agent_id";
const RUN: &str = "run_id";

/// Conversations of a run are found by how their ids begin; those of no run have nothing between the slashes.
const PLACE: &str = "mem0/";
/// Conversations that are looked at together.
const PAGE: usize = 100;

impl Scope {
    /// From fields of a body. Ids may be numbers.
    pub(super) fn of_fields(fields: &Map<String, Value>) -> Refused<Self> {
        let id = |name: &str| match fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone()).filter(|text| !text.is_empty())),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(_) => Err(Refusal::field("string_type", &[name], "Input should be a valid string")),
        };
        Ok(Self { user_id: id(USER)?, agent_id: id(AGENT)?, run_id: id(RUN)? })
    }

    pub(super) fn of_query(asked: &Asked<'_>) -> Self {
        let id = |name: &str| asked.parameter(name).map(str::to_owned);
        Self { user_id: id(USER), agent_id: id(AGENT), run_id: id(RUN) }
    }

    /// Those that a filter asks to be equal: whatever else it says, nothing else can match.
    pub(super) fn of_filters(filters: &Map<String, Value>) -> Self {
        let all = filters.get("AND").and_then(Value::as_array).into_iter().flatten();
        let nested = all.filter_map(Value::as_object).map(Self::of_filters);
        let plain = |name: &str| {
            let value = match filters.get(name)? {
                Value::Object(operators) => operators.get("eq")?,
                value => value,
            };
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                _ => return None,
            };
            Some(text).filter(|text| text != "*" && !text.is_empty())
        };
        let own = Self { user_id: plain(USER), agent_id: plain(AGENT), run_id: plain(RUN) };
        nested.fold(own, Self::or)
    }

    /// What this one does not name, another may.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            user_id: self.user_id.or(other.user_id),
            agent_id: self.agent_id.or(other.agent_id),
            run_id: self.run_id.or(other.run_id),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Who has what is added: the user and the agent; where neither is named, the run itself.
    pub(super) fn holders(&self) -> Result<Vec<CharacterId>> {
        let mut holders = Vec::new();
        let people = [&self.user_id, &self.agent_id].into_iter().flatten();
        for id in people.chain(self.run_id.iter().filter(|_| self.is_of_nobody())) {
            let id = CharacterId::new(id)?;
            if !holders.contains(&id) {
                holders.push(id);
            }
        }
        Ok(holders)
    }

    fn is_of_nobody(&self) -> bool {
        self.user_id.is_none() && self.agent_id.is_none()
    }

    /// One of whom all that is meant is a memory; of a run alone, everybody who took part in it.
    pub(super) fn searched(&self, engine: &Engine, world: &WorldId) -> Result<Vec<CharacterId>> {
        let mut holders = self.holders()?;
        if let Some(run) = self.run_id.as_deref().filter(|_| self.is_of_nobody()) {
            for other in or_nothing(of_run(engine, world, run))? {
                if !holders.contains(&other) {
                    holders.push(other);
                }
            }
        } else {
            holders.truncate(1);
        }
        Ok(holders)
    }

    /// Where what is added is said: a conversation for each run and each set of people.
    pub(super) fn conversation(&self) -> Result<ConversationId> {
        let text = |id: &Option<String>| id.clone().unwrap_or_default();
        let (user, agent, run) = (text(&self.user_id), text(&self.agent_id), text(&self.run_id));
        let plain = format!("{}{user}+{agent}", place(&run));
        if plain.len() <= MAX_ID_BYTES {
            return ConversationId::new(&plain);
        }
        let print: String =
            text_fingerprint(&[&user, &agent]).iter().map(|byte| format!("{byte:02x}")).collect();
        ConversationId::new(&format!("{}{print}", place(&run)))
    }

    pub(super) fn people(&self) -> Result<Vec<Who>> {
        Ok(self.holders()?.into_iter().map(called).collect())
    }
}

/// A new character is called what its id says.
pub(super) fn called(id: CharacterId) -> Who {
    let name = id.to_string();
    Who::Called(id, name)
}

/// A run's id is in the way of the others, so a long one is told by its print.
fn place(run: &str) -> String {
    const LONG: usize = 64;
    match run.len() <= LONG {
        true => format!("{PLACE}{run}/"),
        false => {
            let print = text_fingerprint(&[run]);
            format!("{PLACE}#{}/", print.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        }
    }
}

/// Everybody who took part in a run.
fn of_run(engine: &Engine, world: &WorldId, run: &str) -> Result<Vec<CharacterId>> {
    let begins = place(run);
    let mut people = Vec::new();
    let mut after = Some(begins.clone());
    loop {
        let page = engine.conversations(world, after.as_deref(), PAGE)?;
        for conversation in &page.items {
            if !conversation.id.as_str().starts_with(&begins) {
                return Ok(people);
            }
            people.extend(conversation.participants.iter().cloned());
        }
        match page.items.last() {
            Some(last) if page.has_more => after = Some(last.id.to_string()),
            _ => return Ok(people),
        }
    }
}
