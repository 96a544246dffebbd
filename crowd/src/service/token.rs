//! Tokens of sessions and lists.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use web::secret::{self, NoRandom};

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a token is {} characters of base64url", secret::LENGTH)]
pub struct ParseTokenError;

macro_rules! token {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, Hash)]
        pub struct $name(String);

        impl $name {
            /// Creates a token from the system's random bytes.
            pub fn random() -> Result<Self, NoRandom> {
                secret::random().map(Self)
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = ParseTokenError;

            fn from_str(text: &str) -> Result<Self, ParseTokenError> {
                if secret::is_well_formed(text) {
                    Ok(Self(text.to_owned()))
                } else {
                    Err(ParseTokenError)
                }
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
    /// Identifies a list to the one contributor it was given to.
    ListToken
}

token! {
    /// Identifies the teacher of a class, or a student in a class; stored only as its hash.
    ClassToken
}

impl SessionToken {
    /// The stored form: its SHA-256, as base64url.
    pub(crate) fn hash(&self) -> String {
        // A token has 256 random bits, so a fast hash without salt is enough: it cannot be guessed.
        BASE64_URL_SAFE_NO_PAD.encode(secret::hash(&self.0))
    }
}

impl ClassToken {
    pub(crate) fn hash(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(secret::hash(&self.0))
    }
}

impl serde::Serialize for ListToken {
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
            assert_eq!(text.parse::<ListToken>(), Err(ParseTokenError));
        }
    }
}
