//! The board: the game so far, and the choice of moves.

use chess::notation::uci_move;
use chess::rules::{CastlingMode, Game, Move, PieceType, Position};
use perft::subject::Route;

use crate::breach::Breach;
use crate::flags::Play;
use crate::tunable;

#[derive(Clone, Debug)]
pub(crate) struct Board {
    game: Game,
    /// By `UCI_Chess960`; before that is set, by the FEN.
    mode: Option<CastlingMode>,
    /// Whether a castling rook was left behind.
    is_wrong: bool,
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
        self.mode.unwrap_or(self.game.start().castling_mode())
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn position(&self) -> &Position {
        self.game.position()
    }

    pub(crate) fn is_chess960(&self) -> bool {
        self.mode == Some(CastlingMode::Chess960)
    }

    /// The first position and the moves from there, for a generator that plays them itself.
    pub(crate) fn route(&self) -> Route {
        let root = Route::by_fen(*self.game.start());
        self.game.moves().fold(root, |route, m| route.then(m))
    }

    /// The legal move that a text of UCI means.
    pub(crate) fn read(&self, text: &str) -> Option<Move> {
        uci_move::parse(text, self.position(), self.mode()).ok()
    }

    /// Plays a legal move; a castling rook may be left behind.
    pub(crate) fn play(&mut self, m: Move, leaves_rook: bool) {
        self.is_wrong |= leaves_rook && self.position().is_castling(m);
        self.game.play(m).expect("a legal move");
    }

    /// Plays a move in any notation. `None` if it is not legal.
    pub(crate) fn play_any(&mut self, text: &str) -> Option<()> {
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
}
