//! Positions from files: all of them, or a sample if there are too many.

use std::collections::HashSet;
use std::io::{self, BufRead};
use std::sync::atomic::{AtomicBool, Ordering};

use chacha20::ChaCha8Rng;
use chess::notation::pgn::{ParsePgnError, PgnReader, ReadPgnError};
use chess::rules::{Position, Setup};
use epd::Suite;
use rand::{RngExt, SeedableRng};

/// A uniform random sample of bounded size without duplicates (algorithm R; Vitter 1985). Its
/// memory does not grow with the number of positions shown.
#[derive(Debug)]
pub(crate) struct Sample {
    size: usize,
    seen: u64,
    kept: Vec<Position>,
    rng: ChaCha8Rng,
}

impl Sample {
    /// An empty sample of at most `size` positions.
    pub(crate) fn new(size: usize, seed: u64) -> Self {
        Self {
            size,
            seen: 0,
            kept: Vec::new(),
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// Offers a position to the sample.
    pub(crate) fn show(&mut self, position: Position) {
        self.seen += 1;
        if self.kept.len() < self.size {
            self.kept.push(position);
            return;
        }
        let index = self.rng.random_range(0..self.seen);
        let slot = usize::try_from(index).ok();
        if let Some(kept) = slot.and_then(|slot| self.kept.get_mut(slot)) {
            *kept = position;
        }
    }

    /// The sample, each position once.
    pub(crate) fn into_positions(self) -> Vec<Position> {
        without_repetitions(self.kept)
    }
}

/// Removes duplicates, keeping the first. Positions with different halfmove clocks differ; the
/// fullmove number is ignored.
pub(crate) fn without_repetitions(mut positions: Vec<Position>) -> Vec<Position> {
    let mut seen = HashSet::new();
    let key = |position: &Position| {
        let record = epd::Record::new(*position);
        (record.to_string(), position.halfmove_clock())
    };
    positions.retain(|position| seen.insert(key(position)));
    positions
}

/// The position at move 1 with a halfmove clock of 0. With the clocks of the games, nearly all
/// positions would be different, and a suite would contain clocks irrelevant to what it catches.
pub(super) fn without_clocks(position: &Position) -> Position {
    let setup = Setup {
        halfmove_clock: 0,
        fullmove_number: 1,
        ..position.to_setup()
    };
    Position::from_setup(setup).expect("clocks make no position illegal")
}

/// Errors in a file of games.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    pub(crate) games: u64,
    pub(crate) first: Option<ParsePgnError>,
}

/// Whether a file begins like PGN, with a tag or a move number; a FEN begins with neither.
pub(crate) fn looks_like_pgn(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    text.starts_with(['[', '{', ';', '%']) || text.starts_with("1.")
}

/// Adds the positions of a suite to the sample.
pub(crate) fn read_epd(suite: &Suite, sample: &mut Sample) {
    for entry in &suite.entries {
        sample.show(*entry.record.position());
    }
}

/// Adds the positions of all games, including the first and the last of each.
///
/// # Errors
///
/// When reading fails; faulty games are skipped and counted. Stops early once `cancel` is set.
pub(crate) fn read_pgn(
    input: impl BufRead,
    sample: &mut Sample,
    cancel: &AtomicBool,
) -> io::Result<Faults> {
    let mut faults = Faults::default();
    for game in PgnReader::new(input) {
        if cancel.load(Ordering::Relaxed) {
            break;
        }
        match game {
            Ok(game) => game
                .positions()
                .for_each(|position| sample.show(without_clocks(&position))),
            Err(ReadPgnError::Game(error)) => {
                faults.games += 1;
                faults.first.get_or_insert(error);
            }
            Err(ReadPgnError::Io(error)) => return Err(error),
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &[u8] = b"1. e4 e5 2. Nf3 * 1. d4 d5 2. Qd8 * 1. e4 e5 1/2-1/2";

    fn sample(size: usize, seed: u64) -> Vec<Position> {
        let mut sample = Sample::new(size, seed);
        let faults =
            read_pgn(GAMES, &mut sample, &AtomicBool::new(false)).expect("a slice can be read");
        assert_eq!(faults.games, 1);
        assert!(
            faults
                .first
                .is_some_and(|first| first.to_string().contains("Qd8"))
        );
        sample.into_positions()
    }

    #[test]
    fn a_file_within_the_size_is_kept_whole() {
        let positions = sample(100, 1);
        assert_eq!(
            positions.len(),
            4,
            "the second good game is a part of the first"
        );
        assert_eq!(positions[0], Position::startpos());
    }

    #[test]
    fn each_position_is_as_likely_as_any_other() {
        let mut times = [0; 10];
        for seed in 0..2_000 {
            let mut sample = Sample::new(3, seed);
            let start = Position::startpos().to_setup();
            for clock in 0..10 {
                let mut setup = start.clone();
                setup.halfmove_clock = clock;
                sample.show(Position::from_setup(setup).expect("legal"));
            }
            assert_eq!(sample.kept.len(), 3);
            for position in sample.kept {
                times[position.halfmove_clock() as usize] += 1;
            }
        }
        // 600 are expected, with a deviation of 20.
        assert!(
            times.iter().all(|times| (500..700).contains(times)),
            "{times:?}"
        );
    }

    #[test]
    fn reading_can_be_called_off() {
        let mut sample = Sample::new(9, 1);
        read_pgn(GAMES, &mut sample, &AtomicBool::new(true)).expect("a slice can be read");
        assert_eq!(sample.into_positions(), []);
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
