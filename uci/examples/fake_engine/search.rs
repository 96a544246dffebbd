//! As much chess as it takes to be a right engine.

use chess::notation::uci_move::UciMove;
use chess::perft::Counter;
use chess::rules::{CastlingMode, Position};
use uci::grammar::{
    BestMove, Info, Message, PositionCommand, Reply, Score, ScoreValue, StartPosition,
};

/// What is on the board.
pub(crate) struct Board(Position);

const MODE: CastlingMode = CastlingMode::Standard;

impl Default for Board {
    fn default() -> Self {
        Self(Position::startpos())
    }
}

impl Board {
    /// Plays the moves of a command, up to the first that is not legal.
    pub(crate) fn new(command: &PositionCommand) -> Self {
        let mut position = match &command.start {
            StartPosition::Startpos => Position::startpos(),
            StartPosition::Fen(fen) => *fen.position(),
        };
        for text in &command.moves {
            let Some(m) = text.to_move(&position, MODE) else {
                break;
            };
            position = position.play_unchecked(m);
        }
        Self(position)
    }

    /// The lines that answer `go perft`.
    pub(crate) fn perft(&self, depth: u32) -> Vec<String> {
        let counted = match Counter::new().divide(&self.0, depth) {
            Ok(counted) => counted,
            Err(error) => return vec![format!("error: {error}")],
        };
        let total: u64 = counted.iter().map(|(_, nodes)| nodes).sum();
        let name = |m| UciMove::from_move(m, &self.0, MODE);
        let mut lines: Vec<String> = counted
            .iter()
            .map(|&(m, nodes)| format!("{}: {nodes}", name(m)))
            .collect();
        lines.extend([
            String::new(),
            format!("Nodes searched: {total}"),
            String::new(),
        ]);
        lines
    }

    /// The lines before `bestmove`.
    pub(crate) fn search(&self, depth: u32) -> Vec<String> {
        let info = Info {
            depth: Some(depth),
            score: Some(Score {
                value: ScoreValue::Cp(0),
                bound: None,
            }),
            nodes: Some(1),
            pv: self.first_move().into_iter().collect(),
            ..Info::default()
        };
        vec![Message::Info(Box::new(info)).to_string()]
    }

    /// The first legal move.
    pub(crate) fn best_move(&self) -> Message {
        let reply = self.first_move().map_or(Reply::NoMove, Reply::Move);
        let ponder = None;
        Message::BestMove(BestMove { reply, ponder })
    }

    fn first_move(&self) -> Option<UciMove> {
        let m = *self.0.legal_moves().first()?;
        Some(UciMove::from_move(m, &self.0, MODE))
    }
}
