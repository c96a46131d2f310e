//! Which memories does a filter let through?
//!
//! `{"key": value}`, `{"key": "*"}`, `{"key": {"gte": 10, "lt": 20}}` with eq, ne, gt, gte, lt, lte, in, nin, contains and
//! icontains, and AND, OR and NOT of such. Keys are metadata, or fields that every memory has.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::refusal::{Refusal, Refused};

/// How a memory tells what a key is; None: it has none.
pub(super) type Field<'f> = &'f dyn Fn(&str) -> Option<Value>;

/// Refuses operators that nobody knows, so that nothing is let through by mistake.
pub(super) fn admits(filters: &Map<String, Value>, field: Field<'_>) -> Refused<bool> {
    for (key, wanted) in filters {
        let is_met = match key.as_str() {
            "AND" | "and" => all_of(wanted)?.iter().try_fold(true, |met, one| and(met, one, field))?,
            "OR" | "or" => {
                let mut is_met = false;
                for one in all_of(wanted)? {
                    is_met |= admits(one, field)?;
                }
                is_met
            }
            "NOT" | "not" => {
                let mut is_met = true;
                for one in all_of(wanted)? {
                    is_met &= !admits(one, field)?;
                }
                is_met
            }
            _ => is_met(key, wanted, field(key).as_ref())?,
        };
        if !is_met {
            return Ok(false);
        }
    }
    Ok(true)
}

fn and(met: bool, one: &Map<String, Value>, field: Field<'_>) -> Refused<bool> {
    Ok(met && admits(one, field)?)
}

/// A list of filters, or one.
fn all_of(value: &Value) -> Refused<Vec<&Map<String, Value>>> {
    let all = match value {
        Value::Array(all) => all.iter().collect(),
        one => vec![one],
    };
    let objects = all.into_iter().map(Value::as_object).collect::<Option<Vec<_>>>();
    objects.ok_or_else(|| Refusal::new(400, "AND, OR and NOT take lists of filters"))
}

fn is_met(key: &str, wanted: &Value, actual: Option<&Value>) -> Refused<bool> {
    let Value::Object(operators) = wanted else {
        return Ok(match wanted {
            Value::String(any) if any == "*" => actual.is_some(),
            Value::Array(any) => any.iter().any(|one| is_equal(actual, one)),
            wanted => is_equal(actual, wanted),
        });
    };
    for (operator, operand) in operators {
        let among = || operand.as_array().is_some_and(|all| all.iter().any(|one| is_equal(actual, one)));
        let compared = actual.and_then(|actual| order(actual, operand));
        let is_met = match operator.as_str() {
            "eq" => is_equal(actual, operand),
            "ne" => !is_equal(actual, operand),
            "gt" => compared == Some(Ordering::Greater),
            "gte" => matches!(compared, Some(Ordering::Greater | Ordering::Equal)),
            "lt" => compared == Some(Ordering::Less),
            "lte" => matches!(compared, Some(Ordering::Less | Ordering::Equal)),
            "in" => among(),
            "nin" => !among(),
            "contains" => contains(actual, operand, str::to_owned),
            "icontains" => contains(actual, operand, str::to_lowercase),
            other => {
                let detail = format!(
                    "the filter of {key:?} has the unknown operator {other:?} (use eq, ne, gt, gte, lt, lte, in, nin, contains or icontains)"
                );
                return Err(Refusal::new(400, &detail));
            }
        };
        if !is_met {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Ids are texts, and clients write them as numbers too.
fn is_equal(actual: Option<&Value>, wanted: &Value) -> bool {
    match (actual, wanted) {
        (None, wanted) => wanted.is_null(),
        (Some(Value::String(actual)), Value::Number(wanted)) => *actual == wanted.to_string(),
        (Some(Value::Number(actual)), Value::Number(wanted)) => actual.as_f64() == wanted.as_f64(),
        (Some(actual), wanted) => actual == wanted,
    }
}

/// Numbers with numbers, texts (and with them times) with texts.
fn order(actual: &Value, wanted: &Value) -> Option<Ordering> {
    match (actual, wanted) {
        (Value::Number(actual), Value::Number(wanted)) => actual.as_f64()?.partial_cmp(&wanted.as_f64()?),
        (Value::String(actual), Value::String(wanted)) => Some(actual.cmp(wanted)),
        _ => None,
    }
}

fn contains(actual: Option<&Value>, wanted: &Value, folded: fn(&str) -> String) -> bool {
    match (actual, wanted) {
        (Some(Value::String(actual)), Value::String(wanted)) => folded(actual).contains(&folded(wanted)),
        (Some(Value::Array(actual)), wanted) => actual.iter().any(|one| is_equal(Some(one), wanted)),
        _ => false,
    }
}
