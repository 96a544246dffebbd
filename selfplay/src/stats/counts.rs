//! Observed counts: games by result, pairs of games by points.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::number::to_f64;

/// The count assigned to a result that never occurred, in a distribution.
///
/// As in fishtest. Without it, a likelihood could be zero.
pub const EMPTY_CELL: f64 = 1e-3;

/// Maximum count: sums of five such counts are exact in floating point.
const MAX_COUNT: u64 = 1_000_000_000_000_000;

/// Games by result, from the point of view of the first of two engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Number of games.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points, doubled: 2 for a win, 1 for a draw.
    pub const fn half_points(self) -> u64 {
        2 * self.wins + self.draws
    }

    /// Adds a game by its points, doubled: 2 is a win, 1 a draw, 0 a loss.
    pub const fn add(&mut self, half_points: u8) {
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// Points per game; NaN without any game.
    pub fn score(self) -> f64 {
        to_f64(self.half_points()) / to_f64(2 * self.games())
    }

    /// The counts from the other engine's point of view.
    pub const fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }
}

/// Pairs of games by the points of the first engine: index = points x 2, worst first.
///
/// `[LL, LD, DD or WL, WD, WW]`. The games of a pair have the same opening with colours swapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Number of pairs.
    pub fn pairs(self) -> u64 {
        self.0.iter().sum()
    }

    /// The counts from the other engine's point of view.
    pub fn reversed(self) -> Self {
        let mut cells = self.0;
        cells.reverse();
        Self(cells)
    }

    /// Returns true if these pairs can consist of those games.
    pub fn can_be_made_of(self, games: Wdl) -> bool {
        let [_, lost, even, won, _] = self.0;
        let points: u64 = (0..)
            .zip(self.0)
            .map(|(points, pairs)| points * pairs)
            .sum();
        // Some of the even pairs are two draws, the others a win and a loss.
        let in_even_pairs = games.draws.checked_sub(lost + won);
        games.games() == 2 * self.pairs()
            && games.half_points() == points
            && in_even_pairs.is_some_and(|draws| draws % 2 == 0 && draws / 2 <= even)
    }
}

/// The observations of two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counts {
    /// Independent games.
    Games(Wdl),
    /// Pairs of games.
    Pairs {
        /// The pairs by points.
        pairs: Pentanomial,
        /// Their games by result, if known; only `BayesElo` needs them.
        games: Option<Wdl>,
    },
}

impl Counts {
    /// Pairs for which the results of the individual games are unknown.
    pub const fn of_pairs(pairs: Pentanomial) -> Self {
        Self::Pairs { pairs, games: None }
    }

    /// Number of independent observations: pairs, or else games.
    pub fn samples(&self) -> u64 {
        match self {
            Self::Games(games) => games.games(),
            Self::Pairs { pairs, .. } => pairs.pairs(),
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.samples() * u64::from(self.games_per_sample())
    }

    /// 2 for pairs, 1 for games.
    pub const fn games_per_sample(&self) -> u8 {
        match self {
            Self::Games(_) => 1,
            Self::Pairs { .. } => 2,
        }
    }

    /// Games by result, if known.
    pub const fn wdl(&self) -> Option<Wdl> {
        match self {
            Self::Games(games) => Some(*games),
            Self::Pairs { games, .. } => *games,
        }
    }

    /// The counts from the other engine's point of view.
    pub fn reversed(&self) -> Self {
        match self {
            Self::Games(games) => Self::Games(games.reversed()),
            Self::Pairs { pairs, games } => Self::Pairs {
                pairs: pairs.reversed(),
                games: games.map(Wdl::reversed),
            },
        }
    }

    /// The count of each kind of result, worst first: five for pairs, three for games.
    pub fn cells_in_use(&self) -> Vec<u64> {
        match self {
            Self::Games(games) => vec![games.losses, games.draws, games.wins],
            Self::Pairs { pairs, .. } => pairs.0.to_vec(),
        }
    }

    /// Observations at 0, 1/4, 1/2, 3/4 and 1 of the maximum points.
    pub(super) const fn cells(&self) -> [u64; 5] {
        match self {
            Self::Games(games) => [games.losses, 0, games.draws, 0, games.wins],
            Self::Pairs { pairs, .. } => pairs.0,
        }
    }
}

/// Why counts cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseCountsError {
    /// Too few counts, or too many.
    #[error("found {found} counts, expected {expected}")]
    Number {
        /// Number of counts found.
        found: usize,
        /// The expected counts.
        expected: &'static str,
    },
    /// An invalid count.
    #[error("'{found}' is not a count, expected a number from 0 to {MAX_COUNT}")]
    Count {
        /// The text found.
        found: String,
    },
}

fn parse<const N: usize>(text: &str, expected: &'static str) -> Result<[u64; N], ParseCountsError> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let words: [&str; N] =
        words
            .try_into()
            .map_err(|words: Vec<&str>| ParseCountsError::Number {
                found: words.len(),
                expected,
            })?;
    let mut counts = [0; N];
    for (count, word) in counts.iter_mut().zip(words) {
        // `parse` alone would take a sign.
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        *count = match word.parse() {
            Ok(number) if is_number && number <= MAX_COUNT => number,
            _ => {
                let found = word.to_owned();
                return Err(ParseCountsError::Count { found });
            }
        };
    }
    Ok(counts)
}

impl FromStr for Wdl {
    type Err = ParseCountsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let [wins, draws, losses] = parse(text, "three: W,D,L")?;
        Ok(Self {
            wins,
            draws,
            losses,
        })
    }
}

impl FromStr for Pentanomial {
    type Err = ParseCountsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text, "five: LL,LD,DD,WD,WW").map(Self)
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.wins, self.draws, self.losses)
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [ll, ld, dd, wd, ww] = self.0;
        write!(f, "{ll},{ld},{dd},{wd},{ww}")
    }
}

// Probabilities of the results of a game or a pair.

/// Points as a fraction of the maximum, by cell.
pub(super) const POINTS: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Observed frequencies or assumed probabilities of results.
///
/// Individual games use the cells 0, 2 and 4; the others have probability 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distribution {
    /// The probabilities of 0, 1/4, 1/2, 3/4 and 1 of the points; their sum is 1.
    pub probabilities: [f64; 5],
    /// Number of observations it was made from, with empty cells counted as [`EMPTY_CELL`].
    pub samples: f64,
    /// 2 for pairs, 1 for games.
    pub games_per_sample: f64,
}

impl Distribution {
    /// The observed frequencies, with empty cells counted as [`EMPTY_CELL`].
    pub fn from_counts(counts: &Counts) -> Self {
        let pairs = matches!(counts, Counts::Pairs { .. });
        let mut cells = [0.0; 5];
        for (index, (cell, count)) in cells.iter_mut().zip(counts.cells()).enumerate() {
            *cell = match count {
                // A single game cannot score a quarter of its point.
                0 if !pairs && index % 2 == 1 => 0.0,
                0 => EMPTY_CELL,
                count => to_f64(count),
            };
        }
        let samples: f64 = cells.iter().sum();
        Self {
            probabilities: cells.map(|cell| cell / samples),
            samples,
            games_per_sample: f64::from(counts.games_per_sample()),
        }
    }

    /// The expected score, from 0 to 1.
    pub fn mean(&self) -> f64 {
        self.expect(|points| points)
    }

    /// The expected score, and the variance of the score of one observation.
    pub fn mean_and_variance(&self) -> (f64, f64) {
        let mean = self.mean();
        (mean, self.central_moment(2))
    }

    /// The standard deviation per game; that of a pair is spread over two.
    pub fn deviation_per_game(&self) -> f64 {
        libm::sqrt(self.games_per_sample * self.central_moment(2))
    }

    pub(super) fn central_moment(&self, power: u32) -> f64 {
        let mean = self.mean();
        self.expect(|points| (0..power).fold(1.0, |product, _| product * (points - mean)))
    }

    fn expect(&self, value: impl Fn(f64) -> f64) -> f64 {
        let cells = self.probabilities.iter().zip(POINTS);
        cells.map(|(p, points)| p * value(points)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_to_counts_and_back() {
        let pairs = "1, 2,3,4,5".parse();
        assert_eq!(pairs, Ok(Pentanomial([1, 2, 3, 4, 5])));
        assert_eq!(Pentanomial([1, 2, 3, 4, 5]).to_string(), "1,2,3,4,5");
        let games: Wdl = "10,20,5".parse().expect("three counts");
        assert_eq!((games.wins, games.draws, games.losses), (10, 20, 5));
        assert_eq!(games.to_string(), "10,20,5");
    }

    #[test]
    fn faults_are_named() {
        let rows = rows![
            "1,2,3" => "found 3 counts, expected five: LL,LD,DD,WD,WW";
            "" => "found 1 counts, expected five: LL,LD,DD,WD,WW";
            "1,2,x,4,5" => "'x' is not a count, expected a number from 0 to 1000000000000000";
            "1,2,+3,4,5" => "'+3' is not a count, expected a number from 0 to 1000000000000000";
            "1,2,-3,4,5" => "'-3' is not a count, expected a number from 0 to 1000000000000000";
            "1,2,,4,5" => "'' is not a count, expected a number from 0 to 1000000000000000";
        ];
        for (text, expected) in rows {
            let error = text.parse::<Pentanomial>().expect_err(text);
            assert_eq!(error.to_string(), expected, "{text}");
        }
        let error = "1,2".parse::<Wdl>().expect_err("two counts");
        assert_eq!(error.to_string(), "found 2 counts, expected three: W,D,L");
    }

    #[test]
    fn pairs_are_made_of_games() {
        let games = |wins, draws, losses| Wdl {
            wins,
            draws,
            losses,
        };
        // LL, LD, one DD and one WL, WD, WW.
        let pairs = Pentanomial([1, 1, 2, 1, 1]);
        assert!(pairs.can_be_made_of(games(4, 4, 4)));
        assert!(pairs.can_be_made_of(games(3, 6, 3)), "DD and DD");
        assert!(pairs.can_be_made_of(games(5, 2, 5)), "WL and WL");
        assert!(!pairs.can_be_made_of(games(4, 5, 3)), "another score");
        assert!(
            !pairs.can_be_made_of(games(6, 0, 6)),
            "LD and WD need two draws"
        );
        assert!(!pairs.can_be_made_of(games(2, 8, 2)), "too many draws");
        assert!(!pairs.can_be_made_of(games(4, 4, 5)), "an odd game");
    }
}
