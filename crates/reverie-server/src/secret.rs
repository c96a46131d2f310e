//! What is a token, how is one made, and how is it kept from being seen?

use std::fmt;
use std::hint::black_box;

use reverie_core::{Code, Error, Result};

/// Every token begins like this, so that scanners, people and a proxy in between can tell it from other keys.
pub(crate) const PREFIX: &str = "rv_";

/// A token that no `{}` and no `{:?}` shows.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    /// 32 random bytes from the operating system.
    pub(crate) fn random() -> Result<Self> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(no_random_bytes)?;
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self(format!("{PREFIX}{hex}")))
    }

    /// The error completes a sentence that begins «a token …» and never repeats the text.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let Some(rest) = text.strip_prefix(PREFIX) else {
            return Err(format!("does not begin with {PREFIX}"));
        };
        if rest.is_empty() || !rest.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(format!("needs visible ASCII characters, and nothing else, after {PREFIX}"));
        }
        Ok(Self(text.to_owned()))
    }

    /// The only way to the text: for the one who asked for it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Takes the same time wherever the first difference is. (The length of a token is no secret.)
    pub(crate) fn matches(&self, presented: &[u8]) -> bool {
        let secret = self.0.as_bytes();
        if secret.len() != presented.len() {
            return false;
        }
        let pairs = secret.iter().zip(presented);
        let difference = pairs.fold(0, |difference, (a, b)| black_box(difference | (a ^ b)));
        difference == 0
    }
}

/// For ids that should differ from run to run; nothing secret.
pub(crate) fn random_number() -> Result<u32> {
    getrandom::u32().map_err(no_random_bytes)
}

fn no_random_bytes(error: getrandom::Error) -> Error {
    Error::new(Code::Internal, format!("the operating system gives no random bytes: {error}"))
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}[hidden]")
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_shown() {
        let secret = Secret::parse("rv_swordfish").unwrap();
        assert_eq!(format!("{secret} {secret:?} {:?}", [&secret]), "rv_[hidden] rv_[hidden] [rv_[hidden]]");
        for wrong in ["swordfish", "rv_", "rv_sword fish", "rv_剑鱼", "RV_swordfish"] {
            let error = Secret::parse(wrong).unwrap_err();
            assert!(!error.contains("fish"), "{error}");
        }
    }

    #[test]
    fn only_the_same_text_matches() {
        let secret = Secret::random().unwrap();
        assert_eq!(secret.reveal().len(), PREFIX.len() + 64);
        assert!(secret.matches(secret.reveal().as_bytes()));
        assert!(!secret.matches(Secret::random().unwrap().reveal().as_bytes()));
        assert!(!secret.matches(b""));
    }
}
