//! Every setting of a world, on the wire: its name, what it is by default and what it may be.

use reverie_core::settings::described::{Described, Elsewhere, Sort};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::SettingKind;

/// What can be set about a world.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DescribedSettings")]
pub struct SettingsView {
    pub settings: Vec<SettingView>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DescribedSetting")]
pub struct SettingView {
    /// With dots, as `PUT /v1/worlds/{world}` takes it.
    pub name: String,
    /// What it means, in English.
    pub description: &'static str,
    pub kind: SettingKind,
    /// What it is where nobody sets it; absent: nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Where it is something else by default: by the name of a preset (`bot`), of a profile (`rule-text`), of a language (`en`) or of a
    /// calendar (`gregorian`).
    pub differs: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<f64>,
    /// For a `choice`, all that it may be; for a `text`, words that mean something by themselves.
    pub choices: Vec<&'static str>,
    /// Whether it can be set for one character alone, as `NAME@CHARACTER`.
    pub personal: bool,
}

impl From<Described> for SettingView {
    fn from(one: Described) -> Self {
        let (kind, minimum, maximum, choices): (_, _, _, &[&str]) = match one.sort {
            Sort::Flag => (SettingKind::Flag, None, None, &[]),
            Sort::Count(most) => (SettingKind::Integer, Some(0.0), Some(most as f64), &[]),
            Sort::Whole => (SettingKind::Integer, None, None, &[]),
            Sort::Real(least, most) => (SettingKind::Number, Some(least), Some(most), &[]),
            Sort::Choice(words) => (SettingKind::Choice, None, None, words),
            Sort::Text(words) => (SettingKind::Text, None, None, words),
            Sort::Texts => (SettingKind::Texts, None, None, &[]),
            Sort::Named => (SettingKind::Named, None, None, &[]),
            Sort::Things => (SettingKind::Things, None, None, &[]),
        };
        let place = |place: Elsewhere| match place {
            Elsewhere::Preset(preset) => preset.as_str(),
            Elsewhere::Language(language) => language.name(),
            Elsewhere::Profile(name) | Elsewhere::Calendar(name) => name,
        };
        let differs = one.elsewhere.iter().map(|(at, text)| (place(*at).to_owned(), value(one.sort, text)));
        Self {
            differs: differs.collect(),
            default: one.default.as_deref().map(|text| value(one.sort, text)),
            name: one.key,
            description: one.meaning,
            kind,
            minimum,
            maximum,
            choices: choices.to_vec(),
            personal: one.is_personal,
        }
    }
}

/// As it comes back when it is read.
fn value(sort: Sort, text: &str) -> Value {
    let plain = || Value::from(text);
    match sort {
        Sort::Flag => Value::from(text == "true"),
        Sort::Count(_) | Sort::Whole => text.parse::<i64>().map_or_else(|_| plain(), Value::from),
        Sort::Real(..) => text.parse::<f64>().map_or_else(|_| plain(), Value::from),
        Sort::Texts => json!(text.split(", ").collect::<Vec<_>>()),
        Sort::Choice(_) | Sort::Text(_) | Sort::Named | Sort::Things => plain(),
    }
}
