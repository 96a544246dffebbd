//! What is on the board of the engine after each line.

use chess::notation::uci_move::UciMove;
use chess::rules::{CastlingMode, Move, Position};
use uci::grammar::{Command, PositionCommand, StartPosition};

use super::lenient;

#[derive(Clone)]
pub(super) struct Board {
    /// `None` after a position that was rejected.
    pub(super) position: Option<Position>,
    /// The form of castling that the first position of the game needs.
    needed: CastlingMode,
    /// The option `UCI_Chess960`.
    is_chess960: bool,
}

impl Board {
    /// That of an engine that has just started.
    pub(super) fn start() -> Self {
        Self {
            position: Some(Position::startpos()),
            needed: CastlingMode::Standard,
            is_chess960: false,
        }
    }

    /// The same engine with another first position.
    pub(super) fn with(&self, first: Position) -> Self {
        Self {
            position: Some(first),
            needed: first.castling_mode(),
            ..*self
        }
    }

    /// How castling is written.
    pub(super) fn mode(&self) -> CastlingMode {
        if self.is_chess960 {
            CastlingMode::Chess960
        } else {
            self.needed
        }
    }

    /// What a line changes.
    pub(super) fn note(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line);
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        match (&words[..], lenient(line)) {
            (["flip"], _) => {
                let mirrored = |position: Position| position.to_setup().mirrored();
                let setup = self.position.map(mirrored);
                self.position = setup.map(|setup| Position::from_setup(setup).expect("as legal"));
            }
            (_, Some(Command::Position(command))) => self.set_up(&command),
            (["position", ..], _) => self.position = None,
            (_, Some(Command::SetOption { name, value }))
                if name.eq_ignore_ascii_case("UCI_Chess960") =>
            {
                let on = value.unwrap_or_default().to_ascii_lowercase().parse();
                self.is_chess960 = on.unwrap_or(self.is_chess960);
            }
            _ => {}
        }
    }

    fn set_up(&mut self, command: &PositionCommand) {
        *self = self.with(match &command.start {
            StartPosition::Startpos => Position::startpos(),
            StartPosition::Fen(fen) => *fen.position(),
        });
        for &text in &command.moves {
            self.position = self.position.and_then(|position| {
                let m = read_move(text, &position, self.mode())?;
                Some(position.play_unchecked(m))
            });
        }
    }

    /// Whether the moves can be played one after the other, and are written as they must be.
    pub(super) fn is_line(&self, line: &[UciMove]) -> bool {
        let end = line.iter().try_fold(self.position, |position, text| {
            let position = position?;
            let m = text.to_move(&position, self.mode())?;
            Some(Some(position.play_unchecked(m)))
        });
        end.is_some()
    }
}

/// The legal move that is written so, in the form of `mode` or in the other.
fn read_move(text: UciMove, position: &Position, mode: CastlingMode) -> Option<Move> {
    let other = match mode {
        CastlingMode::Standard => CastlingMode::Chess960,
        CastlingMode::Chess960 => CastlingMode::Standard,
    };
    text.to_move(position, mode)
        .or_else(|| text.to_move(position, other))
}
