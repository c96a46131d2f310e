//! Which models can be chosen? Those of the upstreams, and each of them with each character that the client may speak with.

use std::sync::Arc;
use std::time::Duration;

use hyper::Method;
use hyper::body::Bytes;
use reverie_core::WorldId;
use reverie_models::{Api, Passing, Upstream};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::faces::{Face, answering};
use super::upstreams::Server;
use super::{Client, Proxy, echo, failure, headers};
use crate::http::admission::Outcome;
use crate::http::answer::Answer;
use crate::http::{App, deadline_in};

/// A client waits for its list before anything else.
const PATIENCE: Duration = Duration::from_secs(10);
const MOST_BYTES: usize = 16 << 20;
/// Beyond so many, only the models that settings name are listed with each character.
const MOST_PAIRS: usize = 2000;

pub(super) async fn list(app: &Arc<App>, proxy: &Arc<Proxy>, client: &Client<'_>) -> Answer {
    let models = match upstream_models(proxy, client).await {
        Ok(models) => models,
        Err(answer) => return answer,
    };
    let characters = characters(app, proxy, client).await;
    let mut data = models.clone();
    data.extend(pairs(proxy, client, &models, &characters));
    json_answer(&json!({ "object": "list", "data": data }))
}

pub(super) async fn one(app: &Arc<App>, proxy: &Arc<Proxy>, client: &Client<'_>, id: &str) -> Answer {
    let (base, character) = proxy.upstreams().split(id);
    let models = match upstream_models(proxy, client).await {
        Ok(models) => models,
        Err(answer) => return answer,
    };
    let known = models.iter().find(|model| name(model) == Some(base));
    let found = match character {
        None => known.cloned(),
        Some(character) => {
            let faces = characters(app, proxy, client).await;
            let is_there = faces.iter().any(|face| face.is_called(character));
            is_there.then(|| known.map(|model| renamed(model, id))).flatten()
        }
    };
    match found {
        Some(model) => json_answer(&model),
        None => failure::refusal(
            404,
            "model_not_found",
            &format!("there is no model {id:?}; GET /v1/models lists all"),
        ),
    }
}

fn json_answer(value: &Value) -> Answer {
    Answer::new("listModels", "application/json", format!("{value}\n"))
}

fn name(model: &Value) -> Option<&str> {
    model.get("id")?.as_str()
}

fn renamed(model: &Value, id: &str) -> Value {
    let mut renamed = model.clone();
    if let Some(map) = renamed.as_object_mut() {
        map.insert("id".to_owned(), id.into());
    }
    renamed
}

/// All that any upstream has. One that does not answer is left out, unless none does: then its answer is passed on.
async fn upstream_models(proxy: &Arc<Proxy>, client: &Client<'_>) -> Result<Vec<Value>, Answer> {
    let upstreams = proxy.upstreams();
    if upstreams.is_empty() {
        return Ok(vec![json!({ "id": echo::NAME, "object": "model", "created": 0, "owned_by": "reverie" })]);
    }
    let chosen = client.key.as_ref().and_then(|key| key.upstream.as_deref());
    let asked = upstreams.iter().filter(|server| chosen.is_none_or(|chosen| chosen == server.name));
    let asked: Vec<&Server> = asked.collect();
    let mut asking = tokio::task::JoinSet::new();
    for (place, server) in asked.iter().enumerate() {
        let upstream = Arc::clone(&server.upstream);
        // Whose key the client has is not said: it is for where chats go that name nobody else's model, and for no other.
        let passing = listing(server, (place == 0).then_some(client));
        asking.spawn(async move { (place, timeout(PATIENCE, ask(&upstream, passing)).await) });
    }
    let mut answers = asking.join_all().await;
    answers.sort_by_key(|(place, _)| *place);
    let mut models: Vec<Value> = Vec::new();
    let mut refused = None;
    let mut has_answered = false;
    for (place, answer) in answers {
        match answer {
            Ok(Ok(found)) => {
                has_answered = true;
                if let Some(server) = asked.get(place) {
                    server.lists(found.iter().filter_map(name));
                }
                let is_new = |model: &Value| models.iter().all(|known| name(known) != name(model));
                let found: Vec<Value> = found.into_iter().filter(is_new).collect();
                models.extend(found);
            }
            Ok(Err(answer)) => refused = refused.or(Some(answer)),
            Err(_) => {
                let silent = failure::refusal(
                    504,
                    "upstream_timed_out",
                    "the upstream did not list its models in time",
                );
                refused = refused.or(Some(silent));
            }
        }
    }
    match refused {
        Some(refused) if !has_answered => Err(refused),
        _ => Ok(models),
    }
}

/// `asking`: whose key and other headers go along.
fn listing(server: &Server, asking: Option<&Client<'_>>) -> Passing {
    let mut headers = asking.map(|client| headers::going_on(&client.head.headers, true)).unwrap_or_default();
    headers.remove("content-type");
    let is_gemini = server.upstream.api() == Api::Gemini;
    if is_gemini {
        Upstream::gemini_headers(&mut headers);
    }
    let query = is_gemini.then(|| "pageSize=1000".to_owned());
    Passing { method: Method::GET, path: "/models".to_owned(), query, headers, body: Bytes::new() }
}

/// The models of one upstream in OpenAI's form, or what it said instead.
async fn ask(upstream: &Upstream, passing: Passing) -> Result<Vec<Value>, Answer> {
    let passed = upstream.pass(passing).await.map_err(|error| failure::of_upstream(&error))?;
    let (status, kept) = (passed.status, headers::coming_back(passed.headers));
    let body = passed.body.whole(MOST_BYTES).await.unwrap_or_default();
    let read: Option<Value> = serde_json::from_slice(&body).ok();
    let models = read.as_ref().filter(|_| status == 200).and_then(|list| models_of(list, upstream.api()));
    models.ok_or_else(|| {
        let status = if status == 200 { 502 } else { status };
        let body = crate::http::outgoing::Outgoing::Whole(body.into());
        super::passing::passed_answer(status, kept, body, "listModels")
    })
}

fn models_of(list: &Value, api: Api) -> Option<Vec<Value>> {
    match api {
        Api::OpenAi => {
            let items = list.get("data").unwrap_or(list).as_array()?;
            Some(items.iter().filter(|model| name(model).is_some()).cloned().collect())
        }
        Api::Gemini => {
            let items = list.get("models")?.as_array()?.iter();
            let id = |model: &Value| {
                let name = model.get("name")?.as_str()?;
                Some(name.strip_prefix("models/").unwrap_or(name).to_owned())
            };
            let model =
                |id: String| json!({ "id": id, "object": "model", "created": 0, "owned_by": "google" });
            Some(items.filter_map(|found| id(found).map(model)).collect())
        }
    }
}

/// Who can be spoken with in the world that this client would speak in; nobody while the store is away.
async fn characters(app: &Arc<App>, proxy: &Arc<Proxy>, client: &Client<'_>) -> Vec<Face> {
    let of_key = client.key.as_ref().and_then(|key| key.world.clone());
    let named = headers::text(&client.head.headers, "x-reverie-world").and_then(|id| WorldId::new(&id).ok());
    let world = of_key.or(named).unwrap_or_else(|| proxy.settings.world.clone());
    let user =
        client.key.as_ref().and_then(|key| key.user.clone()).unwrap_or_else(|| proxy.settings.user.clone());
    let engine = Arc::clone(&proxy.engine);
    let read = move || answering(&engine, &world, &user);
    match app.admission.run(deadline_in(PATIENCE), read).await {
        Outcome::Done(Ok(found)) => found,
        _ => Vec::new(),
    }
}

/// Each model with each character, by the first of its names that is understood behind this model.
fn pairs(proxy: &Proxy, client: &Client<'_>, models: &[Value], characters: &[Face]) -> Vec<Value> {
    let own = client.key.as_ref().and_then(|key| key.model.as_deref());
    let upstreams = proxy.upstreams();
    let is_named = |model: &Value| {
        let exact = upstreams
            .iter()
            .flat_map(|server| &server.models)
            .any(|known| Some(known.as_str()) == name(model));
        exact || (own.is_some() && own == name(model))
    };
    let are_too_many = models.len().saturating_mul(characters.len()) > MOST_PAIRS;
    let models = models.iter().filter(|model| !are_too_many || is_named(model));
    let pair = |model: &Value, character: &Face| {
        let base = name(model)?;
        let mut names = character.names().map(|name| (format!("{base}@{name}"), name));
        let (id, _) = names.find(|(id, name)| upstreams.split(id) == (base, Some(*name)))?;
        Some(renamed(model, &id))
    };
    models
        .flat_map(|model| characters.iter().filter_map(move |character| pair(model, character)))
        .take(MOST_PAIRS)
        .collect()
}
