//! How a game came to its end.

use serde::{Deserialize, Serialize};

/// Why a game ended. The name in the ledger, in PGN and in reports is that of [`Self::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// The king is mated.
    Checkmate,
    /// No legal move, no check.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// The same position for the third time: the contest ends the game for both.
    Threefold,
    /// Fifty moves of each side without capture or pawn move.
    FiftyMoves,
    /// The engines agree that one of them is lost.
    ResignAdjudication,
    /// The engines agree that nobody wins.
    DrawAdjudication,
    /// The game has reached its greatest length.
    MaxMoves,
    /// Endgame tables know the result.
    Tablebase,
    /// One side's fault, see [`super::Fault`].
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

    /// Its name.
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
