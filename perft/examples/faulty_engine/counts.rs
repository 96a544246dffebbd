//! Which position is counted, and what is counted there.

use std::num::NonZeroU32;

use chess::notation::{fen, uci_move};
use chess::rules::{CastlingSide, Color, Move, PieceType, Position, Square};
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
    pub(crate) fn of_command(text: &str, castling_by_text: bool) -> Option<Self> {
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let board = match start.trim().strip_prefix("fen ") {
            Some(fen) => Self::by_fen(fen)?,
            None => Self::startpos(),
        };
        if castling_by_text {
            return board.then_by_text(moves);
        }
        board.then(moves)
    }

    /// As [`Board::then`], but a rook or queen that goes as a castling king does takes the rook along.
    fn then_by_text(self, moves: &str) -> Option<Self> {
        let mut board = self;
        for word in moves.split_whitespace() {
            let castles = match word {
                "e1g1" => Some((Square::H1, Square::F1)),
                "e1c1" => Some((Square::A1, Square::D1)),
                "e8g8" => Some((Square::H8, Square::F8)),
                "e8c8" => Some((Square::A8, Square::D8)),
                _ => None,
            };
            let king = board.position().king(board.position().side_to_move());
            let is_king = king.to_string() == word[..2];
            board = board.then(word)?;
            if let Some((from, to)) = castles.filter(|_| !is_king) {
                let mut setup = board.position().to_setup();
                setup.board[to.index()] = setup.board[from.index()].take();
                board = Self(Route::by_fen(Position::from_setup(setup).ok()?));
            }
        }
        Some(board)
    }

    /// How many moves led here.
    pub(crate) fn plies(&self) -> usize {
        self.0.moves().len()
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

    /// Counts as one that has no moves where the position stands on the board for so many times.
    pub(crate) fn count_to_repetition(&self, times: usize, depth: NonZeroU32) -> Counted {
        let mut position = *self.root();
        let mut game = vec![position];
        for &m in self.0.moves() {
            position = position.play_unchecked(m);
            game.push(position);
        }
        let mut rows = Vec::new();
        if !is_repeated(&game, times) {
            for m in position.legal_moves() {
                game.push(position.play_unchecked(m));
                rows.push((m, count_to_repetition(&mut game, times, depth.get() - 1)));
                game.pop();
            }
        }
        Counted {
            depth: depth.get(),
            total: rows.iter().map(|(_, nodes)| nodes).sum(),
            rows,
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

/// The leaf nodes below the last position of a game.
fn count_to_repetition(game: &mut Vec<Position>, times: usize, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if is_repeated(game, times) {
        return 0;
    }
    let position = *game.last().expect("a game has a first position");
    let mut nodes = 0;
    for m in position.legal_moves() {
        game.push(position.play_unchecked(m));
        nodes += count_to_repetition(game, times, depth - 1);
        game.pop();
    }
    nodes
}

/// Whether the last position of a game stands on the board for so many times, or more.
fn is_repeated(game: &[Position], times: usize) -> bool {
    let key = |position: &Position| {
        let mut setup = position.to_setup();
        setup.halfmove_clock = 0;
        setup.fullmove_number = 1;
        setup
    };
    let last = game.last().map(key);
    game.iter()
        .filter(|position| Some(key(position)) == last)
        .count()
        >= times
}
