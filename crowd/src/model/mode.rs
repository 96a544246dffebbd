use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How a position is given to a person.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// All moves, in one's own time.
    Calm,
    /// All moves, before the time is up.
    Timed,
    /// The same position as a stranger, with points for agreement, after the ESP game.
    Pair,
    /// What others have missed: only moves that are not settled count.
    Missing,
    /// Second look: yes or no to moves that people dispute, among others that they do not.
    Review,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Self; 5] = [
        Self::Calm,
        Self::Timed,
        Self::Pair,
        Self::Missing,
        Self::Review,
    ];

    /// The word for it in texts, addresses and the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Calm => "calm",
            Self::Timed => "timed",
            Self::Pair => "pair",
            Self::Missing => "missing",
            Self::Review => "review",
        }
    }

    /// Whether a list of moves is asked for; otherwise answers to questions are.
    pub fn asks_for_list(self) -> bool {
        self != Self::Review
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that is no mode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a mode; modes are calm, timed, pair, missing and review")]
pub struct ParseModeError(pub String);

impl FromStr for Mode {
    type Err = ParseModeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|mode| mode.as_str() == text)
            .ok_or_else(|| ParseModeError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        for mode in Mode::ALL {
            assert_eq!(mode.as_str().parse(), Ok(mode));
        }
        assert!("Calm".parse::<Mode>().is_err());
    }
}
