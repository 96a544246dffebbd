//! A game: its sequence of positions, with repetition detection and undo.

use super::{ClaimableDraw, IllegalMoveError, Move, Outcome, Position};

/// A game: a starting position and the moves played from it.
///
/// ```
/// use chess::rules::{ClaimableDraw, Game, Move, Position, Square};
///
/// let mut game = Game::new(Position::startpos());
/// for _ in 0..2 {
///     game.play(Move::new(Square::G1, Square::F3))?;
///     game.play(Move::new(Square::G8, Square::F6))?;
///     game.play(Move::new(Square::F3, Square::G1))?;
///     game.play(Move::new(Square::F6, Square::G8))?;
/// }
/// assert_eq!(game.claimable_draw(), Some(ClaimableDraw::ThreefoldRepetition));
/// # Ok::<(), chess::rules::IllegalMoveError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    start: Position,
    played: Vec<(Move, Position)>,
}

impl Game {
    /// A new game that starts from `start`.
    pub const fn new(start: Position) -> Self {
        Self {
            start,
            played: Vec::new(),
        }
    }

    /// The starting position.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        let last = self.played.last();
        last.map_or(&self.start, |(_, position)| position)
    }

    /// The moves played, first to last.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.played.iter().map(|&(m, _)| m)
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// If the move is illegal; the game is then unchanged.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMoveError> {
        let next = self.position().play(m)?;
        self.played.push((m, next));
        Ok(())
    }

    /// Undoes the last move and returns it; `None` if no move has been played.
    pub fn undo(&mut self) -> Option<Move> {
        self.played.pop().map(|(m, _)| m)
    }

    /// Number of occurrences of the current position, including the present one (FIDE 9.2.3): the
    /// same side to move, the same pieces on the same squares, the same possible moves.
    pub fn repetitions(&self) -> usize {
        let current = self.position();
        // No position before the last capture or pawn move can be the same.
        let reach = current.halfmove_clock() as usize;
        let played = self.played.iter().map(|(_, position)| position);
        let positions = std::iter::once(&self.start).chain(played);
        let earlier = positions.rev().skip(1).take(reach);
        let same = earlier.filter(|position| current.is_repetition_of(position));
        1 + same.count()
    }

    /// The result of the game, if it ended without a claim.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.position().outcome() {
            None | Some(Outcome::SeventyFiveMoves) if self.repetitions() >= 5 => {
                Some(Outcome::FivefoldRepetition)
            }
            outcome => outcome,
        }
    }

    /// The draw that the side to move may claim, if the game is not over.
    pub fn claimable_draw(&self) -> Option<ClaimableDraw> {
        if self.outcome().is_some() {
            None
        } else if self.repetitions() >= 3 {
            Some(ClaimableDraw::ThreefoldRepetition)
        } else {
            (self.position().halfmove_clock() >= 100).then_some(ClaimableDraw::FiftyMoves)
        }
    }
}

impl Position {
    /// Whether two positions are the same in the sense of FIDE 9.2.3. An en passant square matters
    /// only if the capture is legal.
    pub fn is_repetition_of(&self, other: &Self) -> bool {
        self.by_type == other.by_type
            && self.by_color == other.by_color
            && self.side_to_move == other.side_to_move
            && self.castling_rooks == other.castling_rooks
            && self.legal_ep_square() == other.legal_ep_square()
    }

    /// The en passant square, if an en passant capture is legal.
    pub fn legal_ep_square(&self) -> Option<super::Square> {
        let target = self.ep_square()?;
        let mut capturers = self.ep_capturers(target).into_iter();
        capturers
            .any(|from| self.is_legal(Move::new(from, target)))
            .then_some(target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, uci_move};
    use crate::rules::CastlingMode;

    fn game(start: &str, moves: &str) -> Game {
        let mut game = Game::new(fen::parse(start).expect("legal"));
        for text in moves.split_whitespace() {
            let m = uci_move::parse(text, game.position(), CastlingMode::Standard).expect("legal");
            game.play(m).expect("legal");
        }
        game
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8 ";

    #[test]
    fn repetition_counts_from_the_first_position() {
        assert_eq!(game(START, "").repetitions(), 1);
        assert_eq!(game(START, SHUFFLE).repetitions(), 2);
        assert_eq!(game(START, &SHUFFLE.repeat(2)).repetitions(), 3);
        assert_eq!(game(START, &SHUFFLE.repeat(3)).outcome(), None);
        let ended = game(START, &SHUFFLE.repeat(4));
        assert_eq!(ended.outcome(), Some(Outcome::FivefoldRepetition));
        assert_eq!(ended.claimable_draw(), None);
    }

    #[test]
    fn a_lost_right_makes_another_position() {
        let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let shuffle = "a1b1 a8b8 b1a1 b8a8 ";
        assert_eq!(game(start, shuffle).repetitions(), 1);
        assert_eq!(game(start, &shuffle.repeat(2)).repetitions(), 2);
    }

    #[test]
    fn an_ep_square_counts_only_where_the_capture_is_legal() {
        // With the rook on h4, capturing en passant would uncover a check along the rank.
        let start = "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1";
        let first = game(start, "e2e4");
        assert_eq!(first.position().ep_square(), Some(crate::rules::Square::E3));
        assert_eq!(first.position().legal_ep_square(), None);
        let back = game(start, "e2e4 a4a5 e1d1 a5a4 d1e1");
        assert_eq!(back.repetitions(), 2);
        // Without the rook the capture is legal, so the first position is not repeated.
        let start = "8/8/8/8/k2p4/8/4P3/4K3 w - - 0 1";
        let back = game(start, "e2e4 a4a5 e1d1 a5a4 d1e1");
        assert_eq!(back.repetitions(), 1);
    }

    #[test]
    fn fifty_moves_may_be_claimed() {
        let start = "4k3/8/8/8/8/8/8/4K2R w - - 99 80";
        assert_eq!(game(start, "").claimable_draw(), None);
        let claimable = game(start, "h1h2").claimable_draw();
        assert_eq!(claimable, Some(ClaimableDraw::FiftyMoves));
    }

    #[test]
    fn undo_gives_the_moves_back() {
        let mut played = game(START, "e2e4 e7e5");
        assert_eq!(played.moves().len(), 2);
        let undone = [played.undo(), played.undo(), played.undo()];
        let undone = undone.map(|m| m.map_or_else(String::new, |m| m.to_string()));
        assert_eq!(undone, ["e7e5", "e2e4", ""]);
        assert_eq!(played, game(START, ""));
    }
}
