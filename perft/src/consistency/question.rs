//! What an engine is asked, and the lines that ask it.

use std::fmt;

use chess::notation::fen::{self, CastlingText, EnPassantMode, FenStyle};
use chess::notation::uci_move;
use chess::rules::{CastlingMode, Move, Position};
use uci::Until;

use crate::count::subject::{Failure, Route};

/// Prints lines in answer to a line.
pub(crate) trait LineSubject {
    /// Sends a line, and returns what is printed until the engine is ready again, or has found a move.
    /// Lines are sent one by one, since some engines print their position on `position`: what each
    /// line makes them print has to be known.
    ///
    /// # Errors
    ///
    /// When it crashed, or did not answer in time. It is ready for the next question nevertheless.
    fn ask(&mut self, line: &str, until: Until) -> Result<Vec<String>, Failure>;

    /// The lines in both directions, up to the last failure if there was one just now.
    fn transcript(&self) -> String;
}

/// How positions are written, and what prints them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PositionForm {
    /// Whether `UCI_Chess960` is set.
    pub(crate) mode: CastlingMode,
    pub(crate) castling: CastlingText,
    /// The command that prints the position: `d`. `None` if only `position` prints it.
    pub(crate) ask: Option<String>,
}

impl PositionForm {
    /// The FEN of a position, with an en passant square only where a capture is legal: no engine has a
    /// reason to reject it.
    pub(crate) fn fen(&self, position: &Position) -> String {
        let style = FenStyle {
            ep: EnPassantMode::Legal,
            castling: self.castling,
        };
        fen::write_with(position, style)
    }

    /// `position startpos moves …` or `position fen … moves …`.
    pub(crate) fn position(&self, route: &Route) -> String {
        let mut text = "position ".to_owned();
        if *route.root() == Position::startpos() {
            text += "startpos";
        } else {
            text += "fen ";
            text += &self.fen(route.root());
        }
        let mut position = *route.root();
        for (index, &m) in route.moves().iter().enumerate() {
            text += if index == 0 { " moves " } else { " " };
            text += &uci_move::write(m, &position, self.mode);
            position = position.play_unchecked(m);
        }
        text
    }
}

/// A question whose answer shows whether a kind of fault is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConsistencyQuestion {
    /// FEN and checkers after the moves, and the key: the same as that of the FEN.
    Display(Route),
    /// The same position by two orders of moves has one key.
    Orders([Route; 2]),
    /// Two different positions have different keys.
    Pair([Route; 2]),
    /// A search leaves the position as it is.
    Search(Route),
    /// `list …` prints these moves.
    List(ListedMoves, Route),
}

impl ConsistencyQuestion {
    pub(crate) fn routes(&self) -> &[Route] {
        match self {
            Self::Display(route) | Self::Search(route) | Self::List(_, route) => {
                std::slice::from_ref(route)
            }
            Self::Orders(routes) | Self::Pair(routes) => routes,
        }
    }

    /// The same question about other routes; `None` if one of them does not exist.
    pub(crate) fn map(&self, change: impl Fn(&Route) -> Option<Route>) -> Option<Self> {
        let both = |[one, other]: &[Route; 2]| Some([change(one)?, change(other)?]);
        Some(match self {
            Self::Display(route) => Self::Display(change(route)?),
            Self::Orders(routes) => Self::Orders(both(routes)?),
            Self::Pair(routes) => Self::Pair(both(routes)?),
            Self::Search(route) => Self::Search(change(route)?),
            Self::List(set, route) => Self::List(*set, change(route)?),
        })
    }
}

/// The moves that `list` may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ListedMoves {
    Legal,
    /// Captures, en passant included. Promotions that do not capture may be listed or not.
    Captures,
    /// Legal moves out of check.
    Evasions,
    /// Moves that give check.
    Checks,
}

impl ListedMoves {
    pub(crate) const ALL: [Self; 4] = [Self::Legal, Self::Captures, Self::Evasions, Self::Checks];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Captures => "captures",
            Self::Evasions => "evasions",
            Self::Checks => "checks",
        }
    }

    /// Whether a legal move belongs to the set.
    pub(crate) fn contains(self, m: Move, position: &Position) -> bool {
        match self {
            // Evasions are asked for in check only, where they are all the legal moves.
            Self::Legal | Self::Evasions => true,
            Self::Captures => position.is_capture(m),
            Self::Checks => position.play_unchecked(m).is_check(),
        }
    }

    /// Whether a legal move that does not belong to the set may be listed all the same.
    pub(crate) fn tolerates(self, m: Move) -> bool {
        // Many engines generate promotions along with captures, since both change the material.
        self == Self::Captures && m.promotion().is_some()
    }
}

/// What a move does to the state that a key stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MoveFeature {
    EnPassant,
    Castling,
    Promotion,
    Capture,
    /// A castling right of either side ends.
    LostRight,
    /// A pawn makes a double step, so that an en passant square may be set.
    DoubleStep,
    /// The en passant square of the move before ends.
    EndOfEpSquare,
}

impl MoveFeature {
    /// The features of a legal move; none for a quiet one.
    fn from_move(m: Move, before: &Position) -> Vec<Self> {
        let after = before.play_unchecked(m);
        let ep = before.is_en_passant(m);
        let features = [
            (Self::EnPassant, ep),
            (Self::Castling, before.is_castling(m)),
            (Self::Promotion, m.promotion().is_some()),
            // Engines have separate code for the pawn taken en passant.
            (Self::Capture, before.is_capture(m) && !ep),
            (
                Self::LostRight,
                before.castling_rooks() != after.castling_rooks(),
            ),
            (Self::DoubleStep, after.ep_square().is_some()),
            // The capture ends the square as well, but it has a feature of its own.
            (Self::EndOfEpSquare, before.ep_square().is_some() && !ep),
        ];
        let features = features.into_iter().filter(|(_, has)| *has);
        features.map(|(feature, _)| feature).collect()
    }

    /// The features of a route's last move.
    pub(crate) fn of_last(route: &Route) -> Vec<Self> {
        let last = route.by_last_moves(1);
        let m = last.moves().first();
        m.map_or_else(Vec::new, |&m| Self::from_move(m, last.root()))
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::EnPassant => "en-passant",
            Self::Castling => "castling",
            Self::Promotion => "promotion",
            Self::Capture => "capture",
            Self::LostRight => "lost-castling-right",
            Self::DoubleStep => "double-step",
            Self::EndOfEpSquare => "end-of-ep-square",
        }
    }
}

impl fmt::Display for MoveFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EnPassant => "an en passant capture",
            Self::Castling => "castling",
            Self::Promotion => "a promotion",
            Self::Capture => "a capture",
            Self::LostRight => "the loss of a castling right",
            Self::DoubleStep => "a pawn's double step",
            Self::EndOfEpSquare => "a move that ends an en passant square",
        })
    }
}
