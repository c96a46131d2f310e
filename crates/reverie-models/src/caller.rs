//! How does a client ask its server: when may it, how often, until when?

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hyper::Method;
use hyper::body::Bytes;
use hyper::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reverie_core::dependency::Dependency;
use serde_json::Value;

use crate::address::{Addresses, Api, Operation};
use crate::breaker::Rules;
use crate::dependency::log;
use crate::endpoint::Endpoint;
use crate::error::{Error, Kind, Result};
use crate::pace::Surroundings;
use crate::refusal::{Asked, is_wrong_way, refusal};
use crate::retry::RetryRules;
use crate::secret::Secrets;
use crate::transport::{Outgoing, Reply, Transport};

pub(crate) struct Caller {
    addresses: Addresses,
    transport: Transport,
    headers: HeaderMap,
    secrets: Secrets,
    retry: RetryRules,
    dependency: Dependency,
    surroundings: Surroundings,
    /// Which of the address's ways has worked.
    way: AtomicUsize,
}

/// The end of somebody's patience, on the scale of [`crate::Pace::now`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Duration);

/// A test of the connection asks once, whatever the breaker says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    Usual,
    Test,
}

pub(crate) const GEMINI_KEY: HeaderName = HeaderName::from_static("x-goog-api-key");

impl Caller {
    pub(crate) fn new(
        name: &str,
        endpoint: &Endpoint,
        model: &str,
        breaker: Rules,
        surroundings: Surroundings,
    ) -> Result<Self> {
        let addresses = Addresses::read(&endpoint.address, endpoint.api, model)?;
        let transport = Transport::new(
            addresses.origin.clone(),
            endpoint.proxy.clone(),
            endpoint.trusted_pem.as_deref(),
            endpoint.limits,
            endpoint.timeout_setting.clone(),
        )?;
        let dependency = Dependency::new(name, breaker, surroundings.clock.clone());
        Ok(Self {
            headers: headers(endpoint)?,
            secrets: secrets(endpoint),
            retry: endpoint.retry,
            way: AtomicUsize::new(0),
            addresses,
            transport,
            dependency,
            surroundings,
        })
    }

    pub(crate) fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    pub(crate) fn dependency(&self) -> &Dependency {
        &self.dependency
    }

    pub(crate) fn server(&self) -> String {
        self.transport.server()
    }

    pub(crate) fn deadline(&self, within: Option<Duration>) -> Deadline {
        let patience = within.map_or(self.retry.whole, |within| within.min(self.retry.whole));
        Deadline(self.surroundings.pace.now().saturating_add(patience))
    }

    /// Asks, and tries again what can be. `read` turns the answer into what it means.
    pub(crate) async fn call<T>(
        &self,
        operation: Operation,
        body: Option<&Value>,
        read: impl Fn(&Reply, &str) -> Result<T>,
        deadline: Deadline,
        manner: Manner,
    ) -> Result<T> {
        let body = body.map_or_else(Bytes::new, |body| Bytes::from(body.to_string()));
        let mut tried = 0;
        let mut last: Option<Error> = None;
        loop {
            let permit = match manner {
                Manner::Test => None,
                // The failure that opened it says more than that it is open.
                Manner::Usual => match self.dependency.ask() {
                    Ok(permit) => Some(permit),
                    Err(resting) => return Err(last.unwrap_or_else(|| resting.into())),
                },
            };
            let left = self.left(deadline);
            if left.is_zero() {
                return Err(last.unwrap_or_else(|| self.out_of_time()));
            }
            tried += 1;
            let outcome =
                self.once(operation, &body, left).await.and_then(|reply| read(&reply, &self.server()));
            let error = match outcome {
                Ok(value) => {
                    if let Some(permit) = permit {
                        log(permit.succeeded(), self.dependency.name(), None);
                    }
                    return Ok(value);
                }
                Err(error) => error,
            };
            let pace = &self.surroundings.pace;
            let pause = self.retry.pause(tried, &error, self.left(deadline), pace.chance());
            match permit {
                Some(permit) if error.kind().is_of_the_server() => {
                    // If we wait for it ourselves, the others need not.
                    let named = error.retry_after().filter(|_| pause.is_none());
                    let turned = permit.failed(error.kind().as_str(), error.message(), named);
                    log(turned, self.dependency.name(), Some(&error));
                }
                Some(permit) => log(permit.succeeded(), self.dependency.name(), None),
                None => return Err(error),
            }
            let Some(pause) = pause else { return Err(error) };
            let millis = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
            tracing::debug!(
                kind = error.kind().as_str(),
                tried,
                millis,
                "a model is asked again after a pause"
            );
            last = Some(error);
            pace.sleep(pause).await;
        }
    }

    /// One try, by the way that has worked, or by the others where the first leads nowhere.
    async fn once(&self, operation: Operation, body: &Bytes, left: Duration) -> Result<Reply> {
        let pace = &self.surroundings.pace;
        let end = pace.now().saturating_add(left);
        let known = self.way.load(Ordering::Relaxed);
        let ways = std::iter::once(known).chain((0..self.addresses.ways()).filter(|way| *way != known));
        let mut first_error = None;
        for way in ways {
            let left = end.saturating_sub(pace.now());
            let target = self.addresses.target(way, operation);
            let method = if operation == Operation::ListModels { Method::GET } else { Method::POST };
            let outgoing = Outgoing { method, target: &target, headers: &self.headers, body: body.clone() };
            let reply = match self.transport.exchange(&outgoing, left).await {
                Ok(reply) => reply,
                Err(error) => return Err(first_error.unwrap_or(error)),
            };
            let server = self.server();
            let asked = Asked {
                server: &server,
                model: &self.addresses.model,
                secrets: &self.secrets,
                now: self.surroundings.clock.now_ms(),
            };
            let error = match refusal(&reply, &asked) {
                None => {
                    self.way.store(way, Ordering::Relaxed);
                    return Ok(reply);
                }
                Some(error) => error,
            };
            if !is_wrong_way(&reply) {
                if first_error.is_some() {
                    self.way.store(way, Ordering::Relaxed);
                }
                return Err(error);
            }
            first_error.get_or_insert(error);
        }
        Err(first_error.unwrap_or_else(|| self.out_of_time()))
    }

    fn left(&self, deadline: Deadline) -> Duration {
        deadline.0.saturating_sub(self.surroundings.pace.now())
    }

    fn out_of_time(&self) -> Error {
        Error::new(Kind::TimedOut, format!("no time was left for asking {}", self.server()))
            .hint("allow more time for the whole of it")
    }
}

fn headers(endpoint: &Endpoint) -> Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    headers.extend(key_header(endpoint)?);
    Ok(headers)
}

/// How the server wants to see its key.
pub(crate) fn key_header(endpoint: &Endpoint) -> Result<Option<(HeaderName, HeaderValue)>> {
    let Some(key) = &endpoint.key else { return Ok(None) };
    let (name, value) = match endpoint.api {
        Api::OpenAi => (AUTHORIZATION, format!("Bearer {}", key.reveal())),
        Api::Gemini => (GEMINI_KEY, key.reveal().to_owned()),
    };
    let mut value =
        HeaderValue::try_from(value).map_err(|_| Error::invalid("the key cannot be sent in a header"))?;
    value.set_sensitive(true);
    Ok(Some((name, value)))
}

fn secrets(endpoint: &Endpoint) -> Secrets {
    let mut secrets = Secrets::default();
    if let Some(key) = &endpoint.key {
        secrets.add(key.reveal());
    }
    for secret in endpoint.proxy.iter().flat_map(crate::transport::Proxy::secrets) {
        secrets.add(&secret);
    }
    secrets
}
