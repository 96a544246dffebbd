//! Lines sent all at once: what can be said of the answers although nobody knows which search was
//! rejected and which was not.

use chess::notation::uci_move::UciMove;
use chess::rules::{CastlingMode, Position};
use uci::grammar::{BestMove, Command, Message, Reply};

use super::model::Model;
use crate::talk::Fault;

/// What was sent, and what of it has been answered.
#[derive(Default)]
pub(crate) struct Crowd {
    /// What was on the board after any line, and how castling was written.
    boards: Vec<(Position, CastlingMode)>,
    /// How many lines begin with `go`.
    searches: usize,
    best_moves: usize,
    asked: usize,
    ready: usize,
}

impl Crowd {
    /// Notes a line, which leads to the state of `model`.
    pub(crate) fn note(&mut self, line: &[u8], model: &Model) {
        let text = String::from_utf8_lossy(line);
        self.searches += usize::from(text.split_ascii_whitespace().next() == Some("go"));
        self.asked += usize::from(text.parse() == Ok(Command::IsReady));
        let board = model
            .board
            .as_ref()
            .map(|board| (board.position, board.mode));
        self.boards.extend(board);
    }

    /// Whether `readyok` is owed.
    pub(crate) fn waits(&self) -> bool {
        self.ready < self.asked
    }

    /// Hears a line of the engine: its moves must be legal in one of the positions.
    pub(crate) fn hear(&mut self, line: &str) -> Result<(), Fault> {
        match Message::parse(line) {
            Message::ReadyOk => self.ready += 1,
            Message::BestMove(best) => {
                self.best_moves += 1;
                return self.expect_possible(&moves_of(&best)?);
            }
            Message::Info(info) => return self.expect_possible(&info.pv),
            _ => {}
        }
        Ok(())
    }

    fn expect_possible(&self, line: &[UciMove]) -> Result<(), Fault> {
        let mut boards = self.boards.iter();
        if line.is_empty() || boards.any(|(position, mode)| is_line(line, position, *mode)) {
            return Ok(());
        }
        Err("moves that are legal in no position of the dialogue".to_owned())
    }

    /// Compares the sums.
    pub(crate) fn settle(&self) -> Result<(), Fault> {
        if self.ready != self.asked || self.best_moves > self.searches {
            return Err(format!(
                "{} readyok for {} isready, {} bestmove for {} go",
                self.ready, self.asked, self.best_moves, self.searches
            ));
        }
        Ok(())
    }
}

/// Best move and expected answer.
fn moves_of(best: &BestMove) -> Result<Vec<UciMove>, Fault> {
    match best.reply {
        Reply::Move(m) => Ok(std::iter::once(m).chain(best.ponder).collect()),
        Reply::NoMove => Ok(Vec::new()),
        _ => Err("a best move that is no move".to_owned()),
    }
}

/// Whether the moves can be played one after the other.
fn is_line(line: &[UciMove], start: &Position, mode: CastlingMode) -> bool {
    let mut position = *start;
    line.iter().all(|text| match text.to_move(&position, mode) {
        Some(m) => {
            position = position.play_unchecked(m);
            true
        }
        None => false,
    })
}
