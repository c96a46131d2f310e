//! Where is a model's server, and how is it to be treated?

use std::fmt;

use crate::address::Api;
use crate::retry::RetryRules;
use crate::secret::Key;
use crate::transport::{Limits, Proxy};

/// One server, as a user configures it.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Endpoint {
    /// The base URL as people write it: with or without `/v1`, or the whole address of an operation. Empty for Gemini:
    /// Google's own.
    pub address: String,
    pub api: Api,
    pub key: Option<Key>,
    /// None: straight. The environment is not asked.
    pub proxy: Option<Proxy>,
    /// Certificates of authorities to trust besides the usual ones, in PEM form.
    pub trusted_pem: Option<String>,
    pub limits: Limits,
    /// The name of the setting that gives it more time, for hints; None: nobody can set that.
    pub timeout_setting: Option<String>,
    pub retry: RetryRules,
}

impl Endpoint {
    /// An address, with the API that it speaks as far as the address tells.
    pub fn new(address: &str) -> Self {
        Self { address: address.to_owned(), api: Api::of_address(address), ..Self::default() }
    }

    pub fn key(mut self, key: Key) -> Self {
        self.key = Some(key);
        self
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Some addresses come with a key or a password in them. They are refused, but not before they are read.
        let address = self.address.split('?').next().unwrap_or_default();
        let address = address.rsplit_once('@').map_or(address, |(_, host)| host);
        f.debug_struct("Endpoint")
            .field("address", &address)
            .field("api", &self.api)
            .field("key", &self.key)
            .field("proxy", &self.proxy)
            .field("limits", &self.limits)
            .field("retry", &self.retry)
            .finish_non_exhaustive()
    }
}
