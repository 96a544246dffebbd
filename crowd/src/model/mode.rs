use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How a contributor works on a position.
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
    /// All moves, without a time limit.
    Calm,
    /// All moves, within a time limit.
    Timed,
    /// The same position as another contributor, with points for agreement, as in the ESP game.
    Pair,
    /// Moves that others have missed: only unsettled moves count.
    Missing,
    /// Second look: yes/no questions on disputed moves, mixed with undisputed ones.
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

    /// Its name in texts, addresses and the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Calm => "calm",
            Self::Timed => "timed",
            Self::Pair => "pair",
            Self::Missing => "missing",
            Self::Review => "review",
        }
    }

    /// Whether the contributor makes a list of moves; otherwise they answer questions.
    pub fn asks_for_list(self) -> bool {
        self != Self::Review
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Not the name of a mode.
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
