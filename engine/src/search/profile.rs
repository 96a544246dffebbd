//! Playing profiles (an evaluation and a set of search features), and limited playing strength.

use std::fmt;
use std::ops::RangeInclusive;
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

/// A playing strength, in Elo of the rating list CCRL Blitz.
///
/// A weaker search visits fewer nodes, as many as matches of profile `Touchstone` have shown to be
/// worth its Elo (`docs/strength.md`, "What nodes are worth"). The same position and strength
/// always give the same move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength(u32);

/// Elo and nodes per move: from 56 nodes on measured against levels of Stockfish whose place on the
/// list is known, below them in self-play.
const MEASURED: [(u32, u32); 10] = [
    (315, 1),
    (515, 8),
    (740, 16),
    (1030, 32),
    (1268, 56),
    (1553, 150),
    (1948, 600),
    (2494, 6_000),
    (2693, 20_000),
    (2804, 60_000),
];

impl Strength {
    /// The range of supported Elo.
    pub const ELO: RangeInclusive<u32> = 320..=2800;

    /// The strength of `elo`, or `None` outside [`Strength::ELO`].
    pub fn from_elo(elo: u32) -> Option<Self> {
        Self::ELO.contains(&elo).then_some(Self(elo))
    }

    /// The Elo rating.
    pub const fn elo(self) -> u32 {
        self.0
    }

    /// The node limit of a search of this strength. Between measured strengths it is interpolated
    /// geometrically.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it lies between two of the table"
    )]
    pub fn nodes(self) -> u64 {
        let above = MEASURED.partition_point(|&(elo, _)| elo <= self.0);
        let [(low, fewer), (high, more)] = [MEASURED[above - 1], MEASURED[above]];
        let way = f64::from(self.0 - low) / f64::from(high - low);
        let [fewer, more] = [fewer, more].map(f64::from);
        (fewer * (more / fewer).powf(way)).round() as u64
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

    #[test]
    fn more_elo_is_more_nodes() {
        let nodes = |elo| Strength::from_elo(elo).expect("in range").nodes();
        let all: Vec<u64> = Strength::ELO.map(nodes).collect();
        assert!(all.is_sorted());
        assert_eq!([319, 2801].map(Strength::from_elo), [None, None]);
        assert_eq!(Strength::from_elo(2800).map(Strength::elo), Some(2800));
        assert_eq!(
            [320, 1268, 1300, 2494, 2800].map(nodes),
            [1, 56, 63, 6_000, 57_671]
        );
    }
}
