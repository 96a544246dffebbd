//! Playing profiles: an evaluation and a set of search features.

use std::fmt;
use std::str::FromStr;

/// A playing profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Profile {
    /// The engine at full strength.
    #[default]
    Touchstone,
    /// The engine of the `ChessBin` articles, with their mistakes fixed.
    ChessBin,
}

/// An unknown profile name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown profile \"{text}\", expected one of: Touchstone, ChessBin")]
pub struct ParseProfileError {
    /// The name as given.
    pub text: String,
}

impl Profile {
    /// Every profile, the default first.
    pub const ALL: [Self; 2] = [Self::Touchstone, Self::ChessBin];

    /// The profile's name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Touchstone => "Touchstone",
            Self::ChessBin => "ChessBin",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Profile {
    type Err = ParseProfileError;

    /// Parses a name, ignoring case.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|profile| profile.as_str().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseProfileError {
                text: text.to_owned(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for profile in Profile::ALL {
            assert_eq!(profile.to_string().to_uppercase().parse(), Ok(profile));
        }
        assert_eq!(Profile::ALL[0], Profile::default());
        let error = "rybka".parse::<Profile>().expect_err("unknown");
        assert_eq!(
            error.to_string(),
            "unknown profile \"rybka\", expected one of: Touchstone, ChessBin"
        );
    }
}
