//! Positions to choose from, in files: all of a suite, a sample of the games' positions.

use std::collections::HashSet;
use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};

use chacha20::ChaCha8Rng;
use chess::notation::pgn::{ParsePgnError, PgnReader, ReadPgnError};
use chess::rules::{Position, Setup};
use rand::SeedableRng;
use rand::seq::IteratorRandom;

/// The sample of a file is the same each time.
const SEED: u64 = 64;

/// Positions of games.
#[derive(Debug, Default)]
pub(crate) struct GamePositions {
    pub(crate) positions: Vec<Position>,
    /// Number of games that were skipped because of an error.
    pub(crate) faulty_games: u64,
    pub(crate) first_error: Option<ParsePgnError>,
}

/// A uniform random sample of the positions of all games, including the first and the last of each. Its memory
/// does not grow with the number of games.
///
/// # Errors
///
/// When reading fails; faulty games are skipped and counted. Stops early once `cancel` is set.
pub(crate) fn sample_pgn(
    input: impl BufRead,
    size: usize,
    cancel: &AtomicBool,
) -> io::Result<GamePositions> {
    let mut found = GamePositions::default();
    let mut failure = None;
    let games = PgnReader::new(input).map_while(|game| {
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        match game {
            Ok(game) => {
                let positions = game.positions().map(|position| without_clocks(&position));
                return Some(positions.collect());
            }
            Err(ReadPgnError::Game(error)) => {
                found.faulty_games += 1;
                found.first_error.get_or_insert(error);
            }
            Err(ReadPgnError::Io(error)) => {
                failure = Some(error);
                return None;
            }
        }
        Some(Vec::new())
    });
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let positions: Vec<Position> = games.flatten().sample(&mut rng, size);
    match failure {
        Some(error) => Err(error),
        None => Ok(GamePositions { positions, ..found }),
    }
}

/// Removes duplicates, keeping the first. Positions with different halfmove clocks differ; the
/// fullmove number is ignored.
pub(crate) fn without_repetitions(mut positions: Vec<Position>) -> Vec<Position> {
    let mut seen = HashSet::new();
    let key = |position: &Position| {
        let record = epd::Record::new(*position);
        // EPD has no clock, so that it is added.
        (record.to_string(), position.halfmove_clock())
    };
    positions.retain(|position| seen.insert(key(position)));
    positions
}

/// The position at move 1 with a halfmove clock of 0. With the clocks of the games, nearly all
/// positions would be different, and a suite would contain clocks irrelevant to what it catches.
fn without_clocks(position: &Position) -> Position {
    let setup = Setup {
        halfmove_clock: 0,
        fullmove_number: 1,
        ..position.to_setup()
    };
    Position::from_setup(setup).expect("clocks make no position illegal")
}

/// Whether a file begins like PGN, with a tag or a move number; a FEN begins with neither.
pub(crate) fn looks_like_pgn(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    // PGN: `;` and `{` begin comments, `%` an escaped line.
    text.starts_with(['[', '{', ';', '%']) || text.starts_with("1.")
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &[u8] = b"1. e4 e5 2. Nf3 * 1. d4 d5 2. Qd8 * 1. e4 e5 1/2-1/2";

    fn sample(size: usize, cancel: bool) -> GamePositions {
        sample_pgn(GAMES, size, &AtomicBool::new(cancel)).expect("a slice can be read")
    }

    #[test]
    fn games_within_the_size_are_kept_whole() {
        let all = sample(100, false);
        assert_eq!(all.positions.len(), 4 + 3);
        // The second good game is a part of the first.
        assert_eq!(without_repetitions(all.positions).len(), 4);
        assert_eq!(all.faulty_games, 1);
        assert!(
            all.first_error
                .is_some_and(|error| error.to_string().contains("Qd8"))
        );
        assert_eq!(sample(2, false).positions.len(), 2);
    }

    #[test]
    fn reading_can_be_called_off() {
        assert_eq!(sample(9, true).positions, []);
    }

    #[test]
    fn files_are_told_by_their_beginning() {
        for text in [
            "[Event \"A\"]",
            "\u{feff}\n[Event",
            "1. e4",
            "{hm} 1. e4",
            "% pgn",
        ] {
            assert!(looks_like_pgn(text.as_bytes()), "{text}");
        }
        for text in ["", "# suite", "1k6/8/8/8/8/8/8/K7 w - -", "rnbqkbnr/pppp"] {
            assert!(!looks_like_pgn(text.as_bytes()), "{text}");
        }
    }
}
