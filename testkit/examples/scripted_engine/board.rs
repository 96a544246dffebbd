//! The board: the game so far, the choice of moves, and counts.

use std::num::NonZeroU32;

use chess::notation::uci_move;
use chess::rules::{
    CastlingMode, CastlingSide, Color, Game, Move, PieceType, Position, Setup, Square,
};
use perft::faults::Faulty;
use perft::subject::{MoveMeaning, Route, Subject};
use uci::grammar::{PositionCommand, StartPosition};

use crate::breach::Breach;
use crate::flags::{Count, Play};
use crate::tunable;

#[derive(Clone, Debug)]
pub(crate) struct Board {
    game: Game,
    /// By `UCI_Chess960`; before that is set, by the FEN.
    mode: Option<CastlingMode>,
    /// Whether a castling rook was left behind.
    is_wrong: bool,
}

/// What is counted at a depth.
pub(crate) struct Counted {
    pub(crate) depth: u32,
    /// Moves and the counts below them.
    pub(crate) rows: Vec<(Move, u64)>,
    pub(crate) total: u64,
}

impl Board {
    pub(crate) fn startpos() -> Self {
        Self {
            game: Game::new(Position::startpos()),
            mode: None,
            is_wrong: false,
        }
    }

    pub(crate) fn set_chess960(&mut self, on: bool) {
        self.mode = Some(if on {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        });
    }

    fn mode(&self) -> CastlingMode {
        self.mode.unwrap_or(self.root().castling_mode())
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn position(&self) -> &Position {
        self.game.position()
    }

    pub(crate) fn root(&self) -> &Position {
        self.game.start()
    }

    /// Plays the moves of a command. `None` if one is not legal.
    pub(crate) fn set_up(
        &mut self,
        command: &PositionCommand,
        castling_by_text: bool,
        leaves_rook: bool,
    ) -> Option<()> {
        self.start_from(match &command.start {
            StartPosition::Startpos => Position::startpos(),
            StartPosition::Fen(fen) => *fen.position(),
        });
        for text in &command.moves {
            let m = text.to_move(self.position(), self.mode())?;
            self.is_wrong |= leaves_rook && self.position().is_castling(m);
            let castles = match &*text.to_string() {
                "e1g1" => Some((Square::H1, Square::F1)),
                "e1c1" => Some((Square::A1, Square::D1)),
                "e8g8" => Some((Square::H8, Square::F8)),
                "e8c8" => Some((Square::A8, Square::D8)),
                _ => None,
            };
            let is_king = self.position().king(self.position().side_to_move()) == text.from;
            self.game.play(m).ok()?;
            if let Some((from, to)) = castles.filter(|_| castling_by_text && !is_king) {
                let mut setup = self.position().to_setup();
                setup.board[to.index()] = setup.board[from.index()].take();
                self.start_from(Position::from_setup(setup).ok()?);
            }
        }
        Some(())
    }

    /// Plays a move in any notation. `None` if it is not legal.
    pub(crate) fn play(&mut self, text: &str) -> Option<()> {
        let m = chess::notation::san::parse_lenient(text, self.position()).ok()?;
        self.game.play(m).ok()
    }

    pub(crate) fn start_from(&mut self, position: Position) {
        self.game = Game::new(position);
        self.is_wrong = false;
    }

    /// The legal moves as text, the best first: a mate, or else the first of the generator.
    pub(crate) fn moves(&self, breach: Option<Breach>) -> Vec<String> {
        if self.is_wrong {
            return vec!["a8a7".to_owned()];
        }
        let position = self.position();
        let is_en_passant = |m: Move| {
            let is_pawn = position.piece_type_at(m.from()) == Some(PieceType::Pawn);
            is_pawn && position.ep_square() == Some(m.to())
        };
        let mates = |m: Move| {
            let after = position.play_unchecked(m);
            after.is_check() && after.legal_move_count() == 0
        };
        let mut moves: Vec<Move> = position.legal_moves().to_vec();
        moves.retain(|&m| breach != Some(Breach::NoEnPassant) || !is_en_passant(m));
        moves.sort_by_key(|&m| breach != Some(Breach::Blind) && !mates(m));
        let mode = match (self.mode(), breach == Some(Breach::OtherCastling)) {
            (mode, false) => mode,
            (CastlingMode::Standard, true) => CastlingMode::Chess960,
            (_, true) => CastlingMode::Standard,
        };
        let write = |m| uci_move::write(m, position, mode);
        moves.into_iter().map(write).collect()
    }

    /// The move that the seed chooses, and the expected reply.
    pub(crate) fn choose(&self, play: &Play, margin: u64) -> Option<(String, Option<String>)> {
        // It depends on nothing but the position and the seed, so that games can be repeated.
        let choose = |position: &Position| {
            let mixed = (position.key() ^ play.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            if let Some(optimum) = play.optimum
                && (mixed >> 40) % 100 >= margin.abs_diff(optimum)
            {
                return tunable::greedy(position, mixed >> 20);
            }
            let moves = position.legal_moves();
            let count = u64::try_from(moves.len()).expect("moves are few");
            let index = (mixed >> 32).checked_rem(count)?;
            moves.into_iter().nth(usize::try_from(index).ok()?)
        };
        let position = self.position();
        let m = choose(position)?;
        let next = position.play_unchecked(m);
        let expected = play.ponder.then(|| choose(&next)).flatten();
        let write = |m, position| uci_move::write(m, position, self.mode());
        Some((write(m, position), expected.map(|m| write(m, &next))))
    }

    /// Whether Black, to move, has a bare king against two men. None of the positions by which `uci::perft` finds out
    /// how to ask an engine is like this.
    pub(crate) fn is_bare_king(&self) -> bool {
        let men = |color| self.position().by_color(color).count();
        self.position().side_to_move() == Color::Black
            && men(Color::Black) == 1
            && men(Color::White) == 2
    }

    pub(crate) fn can_castle(&self) -> bool {
        let moves = self.position().legal_moves();
        moves.iter().any(|&m| self.position().is_castling(m))
    }

    /// How a castling move, legal or not, moves the king; `None` for other moves.
    pub(crate) fn castling_side(&self, m: Move) -> Option<(CastlingSide, Color)> {
        let king = self.position().piece_at(m.from())?;
        let rook = self.position().piece_at(m.to())?;
        let castles = king.piece_type == PieceType::King
            && rook.piece_type == PieceType::Rook
            && king.color == rook.color;
        castles.then(|| (CastlingSide::new(m.from(), m.to()), king.color))
    }

    pub(crate) fn count(&self, flags: &Count, depth: NonZeroU32) -> Counted {
        if let Some(times) = flags.repetition_ends {
            return self.count_to_repetition(times, depth);
        }
        // The generator plays the moves from the root itself, so that what it forgets or keeps shows.
        let root = Route::by_fen(*self.root());
        let route = self.game.moves().fold(root, |route, m| route.then(m));
        let mut faulty = Faulty::new(flags.bug.clone().unwrap_or_default());
        let answer = Subject::perft(&mut faulty, &route, depth).expect("it always answers");
        let rows = answer.rows.expect("it divides");
        let to_move = |meaning| match meaning {
            MoveMeaning::Legal(m) | MoveMeaning::Illegal(m) => Some(m),
            MoveMeaning::Unreadable => None,
        };
        Counted {
            depth: depth.get(),
            rows: rows
                .into_iter()
                .filter_map(|row| Some((to_move(row.meaning)?, row.nodes)))
                .collect(),
            total: answer.total.expect("it has a total"),
        }
    }

    fn count_to_repetition(&self, times: usize, depth: NonZeroU32) -> Counted {
        let mut position = *self.root();
        let mut game = vec![position];
        for m in self.game.moves() {
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

/// Whether the last position of a game has occurred at least so many times.
fn is_repeated(game: &[Position], times: usize) -> bool {
    let without_counters = |position: &Position| Setup {
        halfmove_clock: 0,
        fullmove_number: 1,
        ..position.to_setup()
    };
    let last = game.last().map(without_counters);
    let same = |position: &&Position| Some(without_counters(position)) == last;
    game.iter().filter(same).count() >= times
}
