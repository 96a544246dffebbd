//! The ways in which engines are asked for perft.

use std::num::NonZeroU32;

use engine::notation::fen::{self, CastlingText, FenStyle};
use engine::notation::uci_move;
use engine::rules::{CastlingMode, Position};

use crate::subject::Route;

/// A way to ask for perft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Dialect {
    /// `position fen FEN moves …`, then `go perft N`, as Stockfish.
    GoPerft,
    /// `position fen FEN moves …`, then `perft N`.
    Perft,
    /// `perft N FEN`.
    PerftFen,
    /// A program called as `PROGRAM N FEN [MOVES]` for each question.
    Script,
}

impl Dialect {
    /// Those spoken over standard input and output, in the order in which they are tried.
    pub(crate) const SPOKEN: [Self; 3] = [Self::GoPerft, Self::Perft, Self::PerftFen];

    /// As it is written on the command line and in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::GoPerft => "go-perft",
            Self::Perft => "perft",
            Self::PerftFen => "perft-fen",
            Self::Script => "script",
        }
    }

    /// How a question reads.
    pub(crate) fn question(self) -> &'static str {
        match self {
            Self::GoPerft => "go perft N",
            Self::Perft => "perft N",
            Self::PerftFen => "perft N FEN",
            Self::Script => "PROGRAM N FEN",
        }
    }

    /// The lines to send; none for a script, which is called with [`script_arguments`].
    pub(crate) fn lines(self, route: &Route, depth: NonZeroU32, mode: CastlingMode) -> Vec<String> {
        match self {
            Self::GoPerft => vec![position_line(route, mode), format!("go perft {depth}")],
            Self::Perft => vec![position_line(route, mode), format!("perft {depth}")],
            Self::PerftFen => {
                let fen = fen_text(route.position(), mode);
                vec![format!("perft {depth} {fen}")]
            }
            Self::Script => Vec::new(),
        }
    }
}

/// The words with which a script is called.
pub(crate) fn script_arguments(
    route: &Route,
    depth: NonZeroU32,
    mode: CastlingMode,
) -> Vec<String> {
    let mut words = vec![depth.to_string(), fen_text(route.root(), mode)];
    let moves = moves_text(route, mode);
    if !moves.is_empty() {
        words.push(moves);
    }
    words
}

/// `position fen FEN moves …`.
pub(crate) fn position_line(route: &Route, mode: CastlingMode) -> String {
    let fen = fen_text(route.root(), mode);
    let moves = moves_text(route, mode);
    if moves.is_empty() {
        format!("position fen {fen}")
    } else {
        format!("position fen {fen} moves {moves}")
    }
}

/// In Chess960 the rooks' files are written, which every reader of Chess960 understands.
fn fen_text(position: &Position, mode: CastlingMode) -> String {
    let castling = match mode {
        CastlingMode::Standard => CastlingText::XFen,
        CastlingMode::Chess960 => CastlingText::Shredder,
    };
    let style = FenStyle {
        castling,
        ..FenStyle::default()
    };
    fen::write_with(position, style)
}

fn moves_text(route: &Route, mode: CastlingMode) -> String {
    moves_of(route, mode).join(" ")
}

/// The moves of a route as UCI writes them from its root.
pub fn route_moves(route: &Route) -> Vec<String> {
    moves_of(route, route.root().castling_mode())
}

fn moves_of(route: &Route, mode: CastlingMode) -> Vec<String> {
    let mut position = *route.root();
    let mut words = Vec::new();
    for &m in route.moves() {
        words.push(uci_move::write(m, &position, mode));
        position = position.play(m).expect("a route has legal moves");
    }
    words
}

#[cfg(test)]
mod tests {
    use engine::rules::{Move, Square};

    use super::*;

    fn lines(dialect: Dialect, mode: CastlingMode) -> Vec<String> {
        let root = fen::parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("legal");
        let route = Route::by_fen(root).then(Move::new(Square::E1, Square::H1));
        dialect.lines(&route, NonZeroU32::new(3).expect("not zero"), mode)
    }

    #[test]
    fn questions() {
        let (standard, chess960) = (CastlingMode::Standard, CastlingMode::Chess960);
        assert_eq!(
            lines(Dialect::GoPerft, standard),
            [
                "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1",
                "go perft 3"
            ]
        );
        assert_eq!(
            lines(Dialect::Perft, chess960),
            [
                "position fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1 moves e1h1",
                "perft 3"
            ]
        );
        assert_eq!(
            lines(Dialect::PerftFen, standard),
            ["perft 3 4k3/8/8/8/8/8/8/5RK1 b - - 1 1"]
        );
    }

    #[test]
    fn scripts_are_called_with_words() {
        let route = Route::by_fen(Position::startpos());
        let depth = NonZeroU32::MIN;
        let words = script_arguments(&route, depth, CastlingMode::Standard);
        assert_eq!(
            words,
            [
                "1",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
            ]
        );
        let played = route.then(Move::new(Square::E2, Square::E4));
        let words = script_arguments(&played, depth, CastlingMode::Standard);
        assert_eq!(words[2], "e2e4");
    }
}
