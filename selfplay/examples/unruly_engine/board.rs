//! As much chess as it takes to play legal games.

use chess::notation::uci_move::UciMove;
use chess::rules::{CastlingMode, Move, Position};
use uci::grammar::{BestMove, Command, PositionCommand, Reply, StartPosition};

use crate::tunable::{self, Tunable};

/// What is on the board.
pub(crate) struct Board {
    position: Position,
    mode: CastlingMode,
    seed: u64,
    tunable: Option<Tunable>,
}

impl Board {
    /// `optimum` is where the option Margin is best, if there is one.
    pub(crate) fn new(seed: u64, optimum: Option<u64>) -> Self {
        Self {
            position: Position::startpos(),
            mode: CastlingMode::Standard,
            seed,
            tunable: optimum.map(Tunable::new),
        }
    }

    pub(crate) fn set_option(&mut self, command: &Command) {
        if let Some(tunable) = &mut self.tunable {
            tunable.obey(command);
        }
    }

    /// The score, if it is not to be made up: the balance of material.
    pub(crate) fn score(&self) -> Option<i32> {
        let balance = || tunable::balance(&self.position, self.position.side_to_move());
        self.tunable.is_some().then(balance)
    }

    pub(crate) fn set_mode(&mut self, chess960: bool) {
        self.mode = if chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
    }

    pub(crate) fn set_up(&mut self, command: &PositionCommand) {
        self.position = match &command.start {
            StartPosition::Startpos => Position::startpos(),
            StartPosition::Fen(fen) => *fen.position(),
        };
        for text in &command.moves {
            let m = text.to_move(&self.position, self.mode);
            let m = m.expect("only legal moves are sent");
            self.position = self.position.play_unchecked(m);
        }
    }

    /// The move, and, if asked for, the one expected in answer.
    pub(crate) fn best_move(&self, ponder: bool) -> BestMove {
        let Some(m) = self.choose(&self.position) else {
            return BestMove {
                reply: Reply::NoMove,
                ponder: None,
            };
        };
        let next = self.position.play_unchecked(m);
        let expected = ponder.then(|| self.choose(&next)).flatten();
        BestMove {
            reply: Reply::Move(UciMove::from_move(m, &self.position, self.mode)),
            ponder: expected.map(|m| UciMove::from_move(m, &next, self.mode)),
        }
    }

    /// Chooses by chance that depends on nothing but the position and the seed.
    fn choose(&self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        let mixed = (position.key() ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if let Some(tunable) = &self.tunable
            && !tunable.blunders(mixed >> 40)
        {
            return tunable::greedy(position, mixed >> 20);
        }
        let count = u64::try_from(moves.len()).expect("moves are few");
        let index = (mixed >> 32).checked_rem(count)?;
        moves.into_iter().nth(usize::try_from(index).ok()?)
    }
}
