//! How games end.

use serde::{Deserialize, Serialize};

/// Why a game ended. [`Self::as_str`] is the name in the ledger, in PGN and in reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// Neither side has mating material.
    InsufficientMaterial,
    /// Threefold repetition, which ends the game without a claim.
    Threefold,
    /// Fifty moves by each side without a capture or pawn move.
    FiftyMoves,
    /// Both engines' scores show that one of them is lost.
    ResignAdjudication,
    /// Both engines' scores show a draw.
    DrawAdjudication,
    /// The game has reached its maximum length.
    MaxMoves,
    /// A tablebase gives the result.
    Tablebase,
    /// An engine's fault, see [`super::Fault`].
    Fault,
}

impl Termination {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::InsufficientMaterial,
        Self::Threefold,
        Self::FiftyMoves,
        Self::ResignAdjudication,
        Self::DrawAdjudication,
        Self::MaxMoves,
        Self::Tablebase,
        Self::Fault,
    ];

    /// The name in the ledger, in PGN and in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient-material",
            Self::Threefold => "threefold",
            Self::FiftyMoves => "fifty-moves",
            Self::ResignAdjudication => "resign-adjudication",
            Self::DrawAdjudication => "draw-adjudication",
            Self::MaxMoves => "max-moves",
            Self::Tablebase => "tablebase",
            Self::Fault => "fault",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_ledger() {
        for one in Termination::ALL {
            let written = serde_json::to_string(&one).expect("a name");
            assert_eq!(written, format!("\"{}\"", one.as_str()));
        }
    }
}
