//! Tokens of sessions and assignments.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::TryRng as _;
use rand::rngs::{SysError, SysRng};
use sha2::{Digest as _, Sha256};

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a token is {} characters of base64url", Secret::LENGTH)]
pub struct ParseTokenError;

/// 32 random bytes, as base64url.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Secret(String);

impl Secret {
    const LENGTH: usize = 43;

    fn random() -> Result<Self, SysError> {
        let mut bytes = [0; 32];
        SysRng.try_fill_bytes(&mut bytes)?;
        Ok(Self(URL_SAFE_NO_PAD.encode(bytes)))
    }

    fn hash(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.0.as_bytes()))
    }
}

impl FromStr for Secret {
    type Err = ParseTokenError;

    fn from_str(text: &str) -> Result<Self, ParseTokenError> {
        let is_base64url = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
        if text.len() == Self::LENGTH && text.bytes().all(is_base64url) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ParseTokenError)
        }
    }
}

macro_rules! token {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Hash)]
        pub struct $name(Secret);

        impl $name {
            /// Creates a token from the system's random bytes.
            pub fn random() -> Result<Self, SysError> {
                Secret::random().map(Self)
            }

            pub fn as_str(&self) -> &str {
                &self.0.0
            }

        }

        impl FromStr for $name {
            type Err = ParseTokenError;

            fn from_str(text: &str) -> Result<Self, ParseTokenError> {
                text.parse().map(Self)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                // A token is a secret; it must not reach a log.
                write!(f, "{}(…)", stringify!($name))
            }
        }
    };
}

token! {
    /// Identifies a browser's session; stored only as its hash.
    SessionToken
}

token! {
    /// Identifies an assignment to the one contributor it was given to.
    AssignmentToken
}

impl SessionToken {
    /// The stored form: its SHA-256, as base64url.
    pub(crate) fn hash(&self) -> String {
        self.0.hash()
    }
}

impl serde::Serialize for AssignmentToken {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_back_and_differ() {
        let token = SessionToken::random().expect("random bytes");
        assert_eq!(token.as_str().parse(), Ok(token.clone()));
        assert_ne!(SessionToken::random().expect("random bytes"), token);
        assert_ne!(token.hash(), token.as_str());
        assert_eq!(format!("{token:?}"), "SessionToken(…)");
    }

    #[test]
    fn other_texts_are_refused() {
        let long = "a".repeat(44);
        let odd = format!("{}'", "a".repeat(42));
        for text in ["", "abc", &long, &odd] {
            assert_eq!(text.parse::<AssignmentToken>(), Err(ParseTokenError));
        }
    }
}
