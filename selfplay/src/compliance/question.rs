//! The positions that are sent to an engine.

use chess::notation::{fen, uci_move};
use chess::rules::{CastlingMode, Game, Move, Position};
use uci::obedience;

/// A position, as sent to an engine and as an object.
#[derive(Clone, Debug)]
pub(super) struct PositionQuestion {
    /// The `position` command.
    pub(super) line: String,
    pub(super) game: Game,
    pub(super) mode: CastlingMode,
}

impl PositionQuestion {
    /// The start position of standard chess.
    pub(super) fn startpos() -> Self {
        Self {
            line: "position startpos".to_owned(),
            game: Game::new(Position::startpos()),
            mode: CastlingMode::Standard,
        }
    }

    /// The position in which the limits of engines are tried before a match: no opening book has it, so
    /// that the answer comes from a search.
    pub(super) fn outside_books() -> Self {
        let moves = obedience::position().moves;
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        Self::startpos().after(&moves.join(" "))
    }

    /// The position of a FEN, which must be valid: those of checks are constants.
    pub(super) fn fen(text: &str) -> Self {
        let position = fen::parse(text).expect("the FENs of checks are right");
        Self {
            line: format!("position fen {text}"),
            game: Game::new(position),
            mode: CastlingMode::Standard,
        }
    }

    /// Writes castling as in Chess960.
    pub(super) fn chess960(mut self) -> Self {
        self.mode = CastlingMode::Chess960;
        self
    }

    /// The position after these moves, which must be legal: those of checks are constants, or come
    /// from the generator.
    pub(super) fn after(mut self, moves: &str) -> Self {
        for text in moves.split_whitespace() {
            let m = uci_move::parse(text, self.position(), self.mode);
            self.push(text, m.expect("the moves of checks are legal"));
        }
        self
    }

    /// Plays a legal move; `text` is its UCI notation.
    pub(super) fn push(&mut self, text: &str, m: Move) {
        let is_first = self.game.moves().len() == 0;
        self.line.push_str(if is_first { " moves " } else { " " });
        self.line.push_str(text);
        self.game.play(m).expect("the move is legal");
    }

    pub(super) fn position(&self) -> &Position {
        self.game.position()
    }
}

/// A complex middlegame position, outside of opening books.
pub(super) fn middle_game() -> PositionQuestion {
    PositionQuestion::fen("r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/P1N1B3/1PPQB1PP/R4RK1 w - - 3 29")
}

/// A legal game of `plies` plies without threefold repetition, claimable draw or mate: pieces move
/// by a fixed pseudo-random rule, with an occasional pawn move.
pub(super) fn long_game(plies: usize) -> PositionQuestion {
    for seed in 1.. {
        let question = wander(plies, seed);
        if question.game.moves().len() == plies {
            return question;
        }
    }
    unreachable!("some walk is long enough: a test takes the one that checks use")
}

/// Plays up to `plies` plies that keep the game alive.
fn wander(plies: usize, mut state: u64) -> PositionQuestion {
    let mut question = PositionQuestion::startpos();
    while question.game.moves().len() < plies {
        let position = *question.position();
        let moves = position.legal_moves();
        let mut begin = || {
            // The generator of MMIX (Knuth, TAOCP 2, section 3.3.4, table 1). The low bits of such
            // a generator have short periods, so the high ones are taken.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap_or(0) % moves.len()
        };
        let (first, second) = moves.split_at(begin());
        let keeps_alive = |m: &&Move| {
            let is_capture = position.occupied().contains(m.to());
            let mut next = question.game.clone();
            let played = next.play(**m).is_ok();
            let goes_on = next.outcome().is_none() && next.claimable_draw().is_none();
            // Pawn moves are few. They are saved until the fifty-move rule (FIDE 9.3, 100 plies)
            // comes near.
            let is_late = position.halfmove_clock() > 60;
            let resets = next.position().halfmove_clock() == 0;
            played && !is_capture && goes_on && resets == is_late
        };
        let Some(&m) = second.iter().chain(first).find(keeps_alive) else {
            break;
        };
        let text = uci_move::write(m, &position, CastlingMode::Standard);
        question.push(&text, m);
    }
    question
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_game_is_long_and_alive() {
        let question = long_game(500);
        assert_eq!(question.game.moves().len(), 500);
        assert_eq!(question.game.outcome(), None);
        assert_eq!(question.game.claimable_draw(), None);
        assert!(question.line.len() > 2500);
    }

    #[test]
    fn lines_are_as_they_are_sent() {
        let question = PositionQuestion::startpos().after("e2e4 e7e5");
        assert_eq!(question.line, "position startpos moves e2e4 e7e5");
        let question = PositionQuestion::fen("8/8/8/8/8/8/8/4K2k w - - 0 1");
        assert_eq!(question.line, "position fen 8/8/8/8/8/8/8/4K2k w - - 0 1");
    }
}
