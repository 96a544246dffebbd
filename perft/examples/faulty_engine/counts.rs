//! Which position is counted, and what is counted there.

use std::num::NonZeroU32;

use engine::notation::{fen, uci_move};
use engine::rules::{CastlingSide, Color, Move, PieceType, Position};
use perft::mutants::{Mutant, Mutation};
use perft::subject::{Meaning, Route, Subject};

/// What is on the board, and how it came there.
#[derive(Clone, Debug)]
pub(crate) struct Board(Route);

/// What is counted at a depth.
pub(crate) struct Counted {
    pub(crate) depth: u32,
    /// Moves and the counts below them.
    pub(crate) rows: Vec<(Move, u64)>,
    pub(crate) total: u64,
}

impl Board {
    pub(crate) fn startpos() -> Self {
        Self(Route::by_fen(Position::startpos()))
    }

    /// `DEPTH FEN [MOVES]`.
    pub(crate) fn of_words(words: &[String]) -> Option<(NonZeroU32, Self)> {
        let [depth, fen, moves @ ..] = words else {
            return None;
        };
        Some((
            depth.parse().ok()?,
            Self::by_fen(fen)?.then(&moves.join(" "))?,
        ))
    }

    /// What stands behind `position`.
    pub(crate) fn of_command(text: &str) -> Option<Self> {
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let board = match start.trim().strip_prefix("fen ") {
            Some(fen) => Self::by_fen(fen)?,
            None => Self::startpos(),
        };
        board.then(moves)
    }

    pub(crate) fn by_fen(text: &str) -> Option<Self> {
        let position = fen::parse(text.trim()).ok()?;
        Some(Self(Route::by_fen(position)))
    }

    fn then(self, moves: &str) -> Option<Self> {
        let mode = self.0.root().castling_mode();
        let mut route = self.0;
        for word in moves.split_whitespace() {
            let m = uci_move::parse(word, route.position(), mode).ok()?;
            route = route.then(m);
        }
        Some(Self(route))
    }

    pub(crate) fn position(&self) -> &Position {
        self.0.position()
    }

    pub(crate) fn root(&self) -> &Position {
        self.0.root()
    }

    /// Whether a castling move is legal.
    pub(crate) fn can_castle(&self) -> bool {
        let position = self.position();
        let moves = position.legal_moves();
        moves.iter().any(|&m| position.is_castling(m))
    }

    /// The moves are really played by the mutant, so that what it forgets or keeps shows.
    pub(crate) fn count(&self, mutation: Option<Mutation>, depth: NonZeroU32) -> Counted {
        let answer = Subject::perft(&mut Mutant::new(mutation), &self.0, depth)
            .expect("a mutant always answers");
        let rows = answer.rows.expect("a mutant divides");
        let to_move = |meaning| match meaning {
            Meaning::Legal(m) | Meaning::Illegal(m) => Some(m),
            Meaning::Unreadable => None,
        };
        Counted {
            depth: depth.get(),
            rows: rows
                .into_iter()
                .filter_map(|row| Some((to_move(row.meaning)?, row.nodes)))
                .collect(),
            total: answer.total.expect("a mutant has a total"),
        }
    }

    /// How a castling move, legal or not, moves the king; `None` for other moves.
    pub(crate) fn castling_side(&self, m: Move) -> Option<(CastlingSide, Color)> {
        let king = self.position().piece_at(m.from())?;
        let rook = self.position().piece_at(m.to())?;
        let castles = king.piece_type == PieceType::King
            && rook.piece_type == PieceType::Rook
            && king.color == rook.color;
        castles.then(|| (CastlingSide::of(m.from(), m.to()), king.color))
    }
}
