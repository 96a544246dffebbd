//! Games as the statistics need them: players, results, and pairs.

use std::collections::BTreeMap;

use chess::notation::fen;
use chess::notation::pgn::{PgnGame, PgnResult};
use chess::rules::Position;

use super::{Counts, Pentanomial, Wdl};
use crate::model::GameResult;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedGame {
    /// The player of the white pieces; `?` if unknown.
    pub white: String,
    /// The player of the black pieces; `?` if unknown.
    pub black: String,
    /// The PGN tag `Round`; `None` if it is missing or unknown (`?`, `-`).
    pub round: Option<String>,
    /// The tag `GameNumber`, which gives the order in which games began.
    pub number: Option<u64>,
    /// The starting position, unless it is the usual one.
    pub opening: Option<String>,
    /// Who won.
    pub outcome: GameResult,
}

impl FinishedGame {
    /// The record of a PGN game; `None` if it is not finished. The result after the moves takes
    /// precedence over that of the tag.
    pub fn from_game(game: &PgnGame) -> Option<Self> {
        let tag = |name| game.tag(name).unwrap_or("?").trim().to_owned();
        let outcome = match (game.result, tag("Result").as_str()) {
            (Some(PgnResult::WhiteWins), _) | (None, "1-0") => GameResult::WhiteWins,
            (Some(PgnResult::BlackWins), _) | (None, "0-1") => GameResult::BlackWins,
            (Some(PgnResult::Draw), _) | (None, "1/2-1/2") => GameResult::Draw,
            _ => return None,
        };
        // `?` is unknown and `-` inappropriate (PGN standard, 8.1.1.4).
        let round = Some(tag("Round")).filter(|round| !matches!(round.as_str(), "" | "?" | "-"));
        let is_special = game.start != Position::startpos();
        Some(Self {
            white: tag("White"),
            black: tag("Black"),
            round,
            number: tag("GameNumber").parse().ok(),
            opening: is_special.then(|| fen::write(&game.start)),
            outcome,
        })
    }
}

// Finds pairs of games: one opening, colours swapped.

/// How pairs were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairingMethod {
    /// Both games have the same `Round`, which no third game has.
    Round,
    /// Both games begin with the same position, other than the usual one.
    Opening,
    /// No pairs were found; every game counts by itself.
    None,
}

impl PairingMethod {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Round => "round",
            Self::Opening => "opening",
            Self::None => "none",
        }
    }
}

/// The counted games of two players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The player whose results are counted.
    pub first: String,
    /// The opponent.
    pub second: String,
    /// How pairs were found.
    pub pairing: PairingMethod,
    /// Number of games without a partner; they are not in the counts.
    pub unpaired: u64,
    /// The results.
    pub counts: Counts,
}

/// Why games are not a match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MatchError {
    /// Not exactly two players, or one playing itself.
    #[error("the games are of {found} ({names}), expected two; 'selfplay rate' rates many")]
    Players {
        /// Number of players, in words.
        found: String,
        /// Some of their names.
        names: String,
    },
    /// The requested player is neither of the two.
    #[error("no game is of '{name}', the players are '{first}' and '{second}'")]
    NoSuchPlayer {
        /// The requested name.
        name: String,
        /// One player.
        first: String,
        /// The other player.
        second: String,
    },
}

/// Counts the games of two players from the point of view of `first`, or else of White in the game
/// that began first, as far as the tags `GameNumber` or `Round` show. `None` without games.
///
/// A pair has both colours. It is found by the tag `Round`, if its two games are the only ones of
/// their round; or else by the starting position, if one is set up: the first game of one player as
/// White goes with the first of the other, and so on. The first of these two methods is used that
/// pairs more games than it leaves over; if neither does, every game counts by itself.
///
/// # Errors
///
/// If there are not two players, or `first` is neither of them.
pub fn pair(records: &[FinishedGame], first: Option<&str>) -> Result<Option<Match>, MatchError> {
    let Some(record) = began_first(records) else {
        return Ok(None);
    };
    let mut players = [record.white.clone(), record.black.clone()];
    check_players(records, &players)?;
    match first {
        Some(name) if name == players[1] => players.swap(0, 1),
        Some(name) if name != players[0] => {
            let [first, second] = players;
            return Err(MatchError::NoSuchPlayer {
                name: name.to_owned(),
                first,
                second,
            });
        }
        _ => {}
    }
    let [first, second] = players;
    let found = by_round(records, &first).or_else(|| by_opening(records, &first));
    let singly = || (PairingMethod::None, Counts::Games(wdl(records, &first)), 0);
    let (pairing, counts, unpaired) = found.unwrap_or_else(singly);
    Ok(Some(Match {
        first,
        second,
        pairing,
        unpaired,
        counts,
    }))
}

/// The game with the lowest number, or else with the lowest round, or else the first in the file.
/// Files list games in the order in which they ended: short games of late rounds may precede the
/// first.
fn began_first(records: &[FinishedGame]) -> Option<&FinishedGame> {
    let round = |record: &FinishedGame| -> Option<Vec<u64>> {
        // Rounds may have several parts, such as `3.12` (PGN standard, 8.1.1.4), which sort as
        // numbers.
        let parts = record.round.as_deref()?.split('.');
        parts.map(|part| part.parse().ok()).collect()
    };
    if records.iter().all(|record| record.number.is_some()) {
        return records.iter().min_by_key(|record| record.number);
    }
    if records.iter().all(|record| round(record).is_some()) {
        return records.iter().min_by_key(|record| round(record));
    }
    records.first()
}

fn check_players(records: &[FinishedGame], players: &[String; 2]) -> Result<(), MatchError> {
    let mut names: Vec<&str> = Vec::new();
    for record in records {
        for name in [&record.white, &record.black] {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let is_other = record.white == record.black
            || [&record.white, &record.black]
                .iter()
                .any(|name| !players.contains(name));
        if is_other {
            let found = match names.len() {
                1 => "one player".to_owned(),
                _ if record.white == record.black => "a player against itself".to_owned(),
                _ => "more than two players".to_owned(),
            };
            let names = names.join(", ");
            return Err(MatchError::Players { found, names });
        }
    }
    Ok(())
}

fn half_points(record: &FinishedGame, first: &str) -> u8 {
    let white = record.outcome.white_half_points();
    if record.white == first {
        white
    } else {
        // Half points: a game has two of them.
        2 - white
    }
}

fn wdl<'a>(records: impl IntoIterator<Item = &'a FinishedGame>, first: &str) -> Wdl {
    let mut games = Wdl::default();
    for record in records {
        games.add(half_points(record, first));
    }
    games
}

/// The counts of these pairs, if they cover more games than are left over.
fn counted(
    pairing: PairingMethod,
    pairs: &[[&FinishedGame; 2]],
    records: &[FinishedGame],
    first: &str,
) -> Option<(PairingMethod, Counts, u64)> {
    let unpaired = records.len() - 2 * pairs.len();
    // Pairs by chance, as in a file of a tournament, would leave most games out of the counts.
    if 2 * pairs.len() <= unpaired {
        return None;
    }
    let mut cells = [0; 5];
    for games in pairs {
        let points: u8 = games.iter().map(|game| half_points(game, first)).sum();
        cells[usize::from(points)] += 1;
    }
    let counts = Counts::Pairs {
        pairs: Pentanomial(cells),
        games: Some(wdl(pairs.iter().flatten().copied(), first)),
    };
    Some((pairing, counts, unpaired as u64))
}

fn by_round(records: &[FinishedGame], first: &str) -> Option<(PairingMethod, Counts, u64)> {
    let mut rounds: BTreeMap<&str, Vec<&FinishedGame>> = BTreeMap::new();
    for record in records {
        if let Some(round) = &record.round {
            rounds.entry(round).or_default().push(record);
        }
    }
    let pairs: Vec<[&FinishedGame; 2]> = rounds
        .into_values()
        .filter_map(|games| <[&FinishedGame; 2]>::try_from(games).ok())
        // Some programs number rounds without pairs, and two games of a round are no pair then.
        .filter(|[one, other]| one.white != other.white && one.opening == other.opening)
        .collect();
    counted(PairingMethod::Round, &pairs, records, first)
}

fn by_opening(records: &[FinishedGame], first: &str) -> Option<(PairingMethod, Counts, u64)> {
    let mut openings: BTreeMap<&str, [Vec<&FinishedGame>; 2]> = BTreeMap::new();
    for record in records {
        if let Some(opening) = &record.opening {
            let colors = openings.entry(opening).or_default();
            colors[usize::from(record.white != first)].push(record);
        }
    }
    let pairs: Vec<[&FinishedGame; 2]> = openings
        .into_values()
        .flat_map(|[white, black]| {
            white
                .into_iter()
                .zip(black)
                .map(|(one, other)| [one, other])
        })
        .collect();
    counted(PairingMethod::Opening, &pairs, records, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(players: &str, round: &str, opening: &str, half_points: usize) -> FinishedGame {
        use GameResult::{BlackWins, Draw, WhiteWins};
        let (white, black) = players.split_at(1);
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        FinishedGame {
            white: white.to_owned(),
            black: black.to_owned(),
            round: some(round),
            number: None,
            opening: some(opening),
            outcome: [BlackWins, Draw, WhiteWins][half_points],
        }
    }

    fn check(records: &[FinishedGame], pairing: PairingMethod, cells: [u64; 5], unpaired: u64) {
        let found = pair(records, None).expect("two players").expect("games");
        assert_eq!((found.pairing, found.unpaired), (pairing, unpaired));
        let Counts::Pairs { pairs, games } = found.counts else {
            panic!("no pairs: {found:?}");
        };
        assert_eq!(pairs.0, cells);
        assert!(pairs.can_be_made_of(games.expect("they were counted")));
    }

    #[test]
    fn pairs_by_round() {
        // Finished in another order than begun; the last round is incomplete.
        let records = [
            game("AB", "1", "", 2),
            game("AB", "2", "", 1),
            game("BA", "1", "", 0),
            game("BA", "2", "", 2),
            game("AB", "3", "", 2),
        ];
        check(&records, PairingMethod::Round, [0, 1, 0, 0, 1], 1);
    }

    #[test]
    fn pairs_by_opening() {
        // `Round` may number the rounds of a tournament or the games.
        for rounds in [["1"; 5], ["1", "2", "3", "4", "5"], [""; 5]] {
            let records = [
                game("AB", rounds[0], "x", 2),
                game("AB", rounds[1], "y", 1),
                game("BA", rounds[2], "y", 1),
                game("BA", rounds[3], "x", 1),
                game("AB", rounds[4], "x", 0),
            ];
            check(&records, PairingMethod::Opening, [0, 0, 1, 1, 0], 1);
        }
    }

    #[test]
    fn results_are_those_of_white_in_the_game_that_began_first() {
        let numbered = |players, round, number| FinishedGame {
            number,
            ..game(players, round, "", 2)
        };
        let rows = [
            ([("BA", "1", Some(2)), ("AB", "1", Some(1))], "A"),
            ([("BA", "10.2", None), ("AB", "9.1", None)], "A"),
            ([("BA", "x", None), ("AB", "1", Some(1))], "B"),
        ];
        for (games, expected) in rows {
            let games = games.map(|(players, round, number)| numbered(players, round, number));
            let found = pair(&games, None).expect("two players").expect("games");
            assert_eq!(found.first, expected);
        }
    }

    #[test]
    fn games_of_the_usual_position_are_no_pairs() {
        let records = [
            game("AB", "1", "", 2),
            game("BA", "2", "", 1),
            game("AB", "3", "", 0),
        ];
        let found = pair(&records, Some("B"))
            .expect("two players")
            .expect("games");
        let expected = Wdl {
            wins: 1,
            draws: 1,
            losses: 1,
        };
        assert_eq!(found.counts, Counts::Games(expected));
        assert_eq!((found.first.as_str(), found.second.as_str()), ("B", "A"));
    }

    #[test]
    fn other_tournaments_are_rejected() {
        let three = [game("AB", "", "", 2), game("AC", "", "", 2)];
        let itself = [game("AA", "", "", 2)];
        let two = [game("AB", "", "", 2)];
        let rows: [(&[FinishedGame], _, _); 3] = rows![
            &three, None =>
                "the games are of more than two players (A, B, C), expected two; 'selfplay rate' rates many";
            &itself, None => "the games are of one player (A), expected two; 'selfplay rate' rates many";
            &two, Some("C") => "no game is of 'C', the players are 'A' and 'B'";
        ];
        for (records, first, expected) in rows {
            let error = pair(records, first).expect_err(expected);
            assert_eq!(error.to_string(), expected);
        }
        assert_eq!(pair(&[], None), Ok(None));
    }
}
