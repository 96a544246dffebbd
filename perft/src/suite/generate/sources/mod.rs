//! Sources of positions: random play, random placements, files.

mod files;
mod placements;
mod play;

use chacha20::ChaCha8Rng;
use chess::rules::Position;
use rand::{RngExt, SeedableRng};

pub(crate) use files::{Sample, looks_like_pgn, read_epd, read_pgn, without_repetitions};
pub(crate) use play::random_move;

/// An endless source of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub(crate) enum Source {
    /// Games of random moves, rare ones before others
    Play,
    /// Few pieces on random squares, arranged for rare rules
    Placements,
}

/// Settings of the random sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Random {
    /// The sources, used in turn.
    pub(crate) sources: Vec<Source>,
    /// Whether every other position is one of Chess960.
    pub chess960: bool,
    pub(crate) seed: u64,
}

impl Random {
    /// Candidate number `index`, a pure function of the settings.
    pub(crate) fn position(&self, index: u32) -> Position {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(u64::from(index));
        let index = index as usize;
        let turn = index / self.sources.len();
        let chess960 = self.chess960 && turn % 2 == 1;
        match self.sources[index % self.sources.len()] {
            Source::Play => play::position(&mut rng, chess960),
            Source::Placements => placements::position(&mut rng, chess960),
        }
    }
}

/// True with probability `part / whole`.
fn chance(rng: &mut ChaCha8Rng, part: u32, whole: u32) -> bool {
    rng.random_range(0..whole) < part
}

#[cfg(test)]
mod tests {
    use chess::notation::fen::{self, CastlingText, FenStyle};
    use chess::rules::PieceType;

    use super::*;

    fn positions(sources: &[Source], chess960: bool) -> Vec<Position> {
        let random = Random {
            sources: sources.to_vec(),
            chess960,
            seed: 7,
        };
        (0..400).map(|index| random.position(index)).collect()
    }

    fn share(positions: &[Position], is_so: impl Fn(&Position) -> bool) -> usize {
        positions.iter().filter(|position| is_so(position)).count() * 100 / positions.len()
    }

    /// In file notation, the castling field of standard chess is `HAha` or a part of it.
    fn is_chess960(position: &Position) -> bool {
        let style = FenStyle {
            castling: CastlingText::Shredder,
            ..FenStyle::default()
        };
        let text = fen::write_epd(position, style);
        let castling = text.split(' ').nth(2).unwrap_or_default();
        castling.contains(|c| !matches!(c, 'H' | 'A' | 'h' | 'a' | '-'))
    }

    #[test]
    fn the_same_number_draws_the_same_position() {
        let both = [Source::Play, Source::Placements];
        assert_eq!(positions(&both, true), positions(&both, true));
        let distinct = without_repetitions(positions(&both, true));
        assert!(distinct.len() > 390, "{}", distinct.len());
    }

    #[test]
    fn placements_are_few_pieces_in_rare_arrangements() {
        let positions = positions(&[Source::Placements], false);
        assert!(
            positions
                .iter()
                .all(|position| position.occupied().count() < 20)
        );
        assert!(share(&positions, |one| one.ep_square().is_some()) > 5);
        assert!(share(&positions, |one| !one.castling_rooks().is_empty()) > 30);
        let seventh = |one: &Position| {
            let moves = one.legal_moves();
            moves.iter().any(|m| m.promotion().is_some())
        };
        assert!(share(&positions, seventh) > 10);
        assert_eq!(share(&positions, is_chess960), 0);
    }

    #[test]
    fn play_goes_on_to_the_end_of_the_board() {
        let positions = positions(&[Source::Play], false);
        assert!(share(&positions, |one| one.by_type(PieceType::Pawn).count() < 12) > 30);
        assert!(share(&positions, |one| one.ep_square().is_some()) > 0);
        assert_eq!(share(&positions, is_chess960), 0);
    }

    #[test]
    fn half_are_of_chess960_where_that_is_wanted() {
        let placements = positions(&[Source::Placements], true);
        assert!((10..50).contains(&share(&placements, is_chess960)));
        let play = positions(&[Source::Play], true);
        assert!((5..50).contains(&share(&play, is_chess960)));
    }
}
