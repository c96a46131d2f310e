//! How likely was each token, in OpenAI's form?

use serde_json::{Value, json};

/// `logprobs` of a choice; null where Gemini says nothing of it.
pub(super) fn logprobs(candidate: &Value) -> Value {
    let Some(chosen) = candidate.pointer("/logprobsResult/chosenCandidates").and_then(Value::as_array) else {
        return Value::Null;
    };
    let others = candidate.pointer("/logprobsResult/topCandidates").and_then(Value::as_array);
    let others = others.map_or(&[][..], Vec::as_slice);
    let content: Vec<Value> = chosen
        .iter()
        .enumerate()
        .map(|(place, chosen)| {
            let others = others.get(place).and_then(|others| others.get("candidates")?.as_array());
            let others: Vec<Value> = others.into_iter().flatten().map(token).collect();
            let mut told = token(chosen);
            if let Some(told) = told.as_object_mut() {
                told.insert("top_logprobs".to_owned(), others.into());
            }
            told
        })
        .collect();
    json!({ "content": content, "refusal": null })
}

fn token(token: &Value) -> Value {
    let text = token.get("token").and_then(Value::as_str).unwrap_or_default();
    let logprob = token.get("logProbability").cloned().unwrap_or_default();
    json!({ "token": text, "logprob": logprob, "bytes": text.as_bytes() })
}
