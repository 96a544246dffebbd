//! As much chess as it takes to play legal games.

use chess::notation::uci_move;
use chess::rules::{CastlingMode, Game, Move, PieceType, Position};
use uci::grammar::{PositionCommand, StartPosition};

/// What is on the board.
pub(crate) struct Board {
    game: Game,
    mode: CastlingMode,
    /// Whether it was set up wrongly.
    is_wrong: bool,
}

impl Default for Board {
    fn default() -> Self {
        Self {
            game: Game::new(Position::startpos()),
            mode: CastlingMode::Standard,
            is_wrong: false,
        }
    }
}

impl Board {
    pub(crate) fn set_chess960(&mut self, on: bool) {
        self.mode = if on {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
    }

    /// Plays the moves of a command, up to the first that is not legal. Who leaves rooks behind is
    /// wrong about the position after castling.
    pub(crate) fn set_up(&mut self, command: &PositionCommand, leaves_rook: bool) {
        self.is_wrong = false;
        self.game = Game::new(match &command.start {
            StartPosition::Startpos => Position::startpos(),
            StartPosition::Fen(fen) => *fen.position(),
        });
        for text in &command.moves {
            let Some(m) = text.to_move(self.game.position(), self.mode) else {
                break;
            };
            self.is_wrong |= leaves_rook && self.game.position().is_castling(m);
            self.game.play(m).expect("the move is legal");
        }
    }

    /// The game so far.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// The legal moves, one that mates first.
    pub(crate) fn moves(&self, misbehaviour: &str) -> Vec<String> {
        if self.is_wrong {
            return vec!["a8a7".to_owned()];
        }
        let position = self.game.position();
        let mut moves: Vec<Move> = position.legal_moves().to_vec();
        moves.retain(|&m| misbehaviour != "no-en-passant" || !self.is_en_passant(m));
        moves.sort_by_key(|&m| misbehaviour != "blind" && !self.mates(m));
        let mode = match (self.mode, misbehaviour == "other-castling") {
            (mode, false) => mode,
            (CastlingMode::Standard, true) => CastlingMode::Chess960,
            (_, true) => CastlingMode::Standard,
        };
        let write = |m| uci_move::write(m, position, mode);
        moves.into_iter().map(write).collect()
    }

    fn mates(&self, m: Move) -> bool {
        let after = self.game.position().play_unchecked(m);
        after.is_check() && after.legal_move_count() == 0
    }

    fn is_en_passant(&self, m: Move) -> bool {
        let position = self.game.position();
        let is_pawn = position.piece_type_at(m.from()) == Some(PieceType::Pawn);
        is_pawn && position.ep_square() == Some(m.to())
    }
}
