//! Why a move is legal or not: one sentence that names the rule, the piece and the squares.
//!
//! The reasoning proceeds step by step, as a player's would: whose piece it is, how it moves, what
//! blocks its way, and finally whether the king would be attacked after the move. It is slow and
//! shares no mask with the generator for play; a test checks that both agree on every conceivable
//! move. If several rules forbid a move, the first of these steps is reported.
//!
//! [`Sight`] holds the accompanying diagrams as data.
//!
//! ```
//! use chess::notation::fen;
//! use chess::rules::{Move, Square, explain};
//!
//! let position = fen::parse("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1")?;
//! let explanation = explain::explain(&position, Move::new(Square::E5, Square::D6));
//! assert!(!explanation.is_legal());
//! assert_eq!(explanation.rule().as_str(), "en-passant-discovers-check");
//! assert_eq!(
//!     explanation.to_string(),
//!     "e5d6 is illegal: capturing en passant takes both pawns off the fifth rank \
//!      and the rook on h5 attacks the king on a5"
//! );
//! # Ok::<(), fen::ParseFenError>(())
//! ```

mod castling;
mod movement;
mod rule;
mod safety;
mod view;

pub use rule::Rule;
pub use view::{Pin, Sight, line_of_sight};

use std::fmt;

use super::{Bitboard, Move, Piece, PieceType, Position};
use castling::Attempt;
use view::ExplainView;

/// Why a move is legal or not; `Display` writes the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    asked: Move,
    meant: Move,
    reason: RuleReason,
}

/// Explains why a move is legal or not. Any move is accepted.
///
/// Castling is king takes rook, as everywhere internally. A king's move from the e-file of its
/// first rank to g or c, which is castling in standard UCI notation, is understood too.
pub fn explain(position: &Position, m: Move) -> Explanation {
    let view = ExplainView::new(position);
    let attempt = Attempt::find(&view, m);
    let (Ok(reason) | Err(reason)) = judge(&view, m, attempt);
    Explanation {
        asked: m,
        meant: attempt.map_or(m, |attempt| attempt.to_move(&view)),
        reason,
    }
}

/// The reason why a move is legal, or else why it is illegal.
fn judge(view: &ExplainView, m: Move, castling: Option<Attempt>) -> Result<RuleReason, RuleReason> {
    let piece = own_piece(view, m)?;
    if let Some(attempt) = castling {
        return attempt.judge(view);
    }
    if piece.piece_type == PieceType::Pawn {
        movement::check_pawn(view, m)?;
    } else {
        movement::check(view, piece, m)?;
    }
    if piece.piece_type == PieceType::King {
        safety::check_king_step(view, m)?;
    } else {
        safety::check_king_left_behind(view, m)?;
    }
    Ok(safety::why_legal(view, piece, m))
}

fn own_piece(view: &ExplainView, m: Move) -> Result<Piece, RuleReason> {
    let from = m.from();
    let Some(piece) = view.position.piece_at(from) else {
        let because = format!("{from} is empty");
        return Err(RuleReason::new(Rule::NoPiece, from, because));
    };
    if piece.color == view.us {
        return Ok(piece);
    }
    let because = format!(
        "{} is {}'s, and it is {}'s move",
        view.name(from),
        piece.color,
        view.us
    );
    Err(RuleReason::new(Rule::NotYourPiece, from, because))
}

impl Explanation {
    /// Whether the move is legal.
    pub fn is_legal(&self) -> bool {
        self.reason.rule.is_legal()
    }

    /// The deciding rule.
    pub fn rule(&self) -> Rule {
        self.reason.rule
    }

    /// The move as given.
    pub fn asked(&self) -> Move {
        self.asked
    }

    /// The move in internal form: castling as king takes rook, if there is a rook that may castle.
    /// If the move is legal, [`Position::is_legal`] holds for this one.
    pub fn meant(&self) -> Move {
        self.meant
    }

    /// The squares the reason refers to: attackers, blockers, attacked squares. Empty for an
    /// ordinary legal move.
    pub fn squares(&self) -> Bitboard {
        self.reason.squares
    }
}

/// Writes the sentence, without a full stop: `e1g1 is illegal: the king would pass over f1, which
/// the rook on f8 attacks`.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = if self.is_legal() { "legal" } else { "illegal" };
        write!(f, "{} is {verdict}", self.asked)?;
        if !self.reason.because.is_empty() {
            write!(f, ": {}", self.reason.because)?;
        }
        Ok(())
    }
}

/// A rule and how it applies.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RuleReason {
    rule: Rule,
    /// The part of the sentence after the colon; may be empty.
    because: String,
    /// The squares the reason refers to.
    squares: Bitboard,
}

impl RuleReason {
    fn new(rule: Rule, squares: impl Into<Bitboard>, because: String) -> Self {
        Self {
            rule,
            because,
            squares: squares.into(),
        }
    }
}
