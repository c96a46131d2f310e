//! Rounds on the wire.

use reverie_core::Round;
use reverie_core::round::Participant;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RoundState;
use super::time::format_time;
use super::who::{TextOrNumber, WireWho, text_or_number};

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "OpenRound")]
pub struct OpenRoundBody {
    /// Everybody who is there, silent ones too; absent: those present in the conversation. They hear what is said in the round,
    /// and so does whoever speaks in it or comes to the scene meanwhile. In a scene they are present from now on; of a
    /// participant set they must be members. An id may come with a `display_name`: the name in this round.
    pub present: Option<Vec<WireWho>>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "CloseRound")]
pub struct CloseRoundBody {
    /// The last line of the round that was shown; what comes behind it is in no view any more. Absent: of a complete round
    /// everything was shown, of an aborted one only what users said.
    #[serde(default, deserialize_with = "text_or_number")]
    #[schemars(with = "Option<TextOrNumber>")]
    pub shown_through: Option<String>,
}

/// One completed exchange, or one under way.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Round")]
pub struct RoundView {
    pub id: String,
    pub conversation: String,
    /// True if a host opened it; false if it was found among lines that were only posted.
    pub explicit: bool,
    pub state: RoundState,
    /// Who was there when it opened, and under which name; empty of rounds that were found.
    pub present: Vec<ParticipantView>,
    /// When it was opened or found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opened: Option<String>,
    /// Its first line; absent while nothing was said in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_line: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_line: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Participant")]
pub struct ParticipantView {
    pub character: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
}

impl From<Round> for RoundView {
    fn from(round: Round) -> Self {
        Self {
            id: round.id.to_string(),
            conversation: round.conversation.to_string(),
            explicit: round.explicit,
            state: round.state.into(),
            present: round.present.into_iter().map(ParticipantView::from).collect(),
            opened: format_time(round.opened_ms),
            first_line: round.span.map(|span| span.first.to_string()),
            last_line: round.span.map(|span| span.last.to_string()),
        }
    }
}

impl From<Participant> for ParticipantView {
    fn from(one: Participant) -> Self {
        Self { character: one.character.to_string(), display_name: one.name }
    }
}
