//! The rules that decide whether a move is legal, by name.

use std::fmt;

/// Declares [`Rule`], whether each rule allows the move, and its identifier.
macro_rules! rules {
    ($($(#[$meta:meta])* $Variant:ident = $word:literal, $legal:literal;)+) => {
        index_enum! {
            /// The rule that decides whether a move is legal.
            ///
            /// Articles are those of the FIDE Laws of Chess (2023).
            pub enum Rule { $($(#[$meta])* $Variant),+ }
        }

        impl Rule {
            /// The rule's identifier, machine-readable and stable across versions.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$Variant => $word),+ }
            }

            /// Whether moves decided by this rule are legal.
            pub const fn is_legal(self) -> bool {
                match self { $(Self::$Variant => $legal),+ }
            }
        }
    };
}

rules! {
    /// An ordinary legal move.
    Legal = "legal", true;
    /// All conditions of castling are met (3.8.2).
    Castling = "castling", true;
    /// The pawn captures a pawn that has just made a double step (3.7.3.1).
    EnPassant = "en-passant", true;
    /// The move captures the only checking piece.
    CapturesChecker = "captures-checker", true;
    /// The move blocks the only checking piece.
    BlocksCheck = "blocks-check", true;
    /// The king steps out of check.
    LeavesCheck = "leaves-check", true;
    /// A pinned piece stays on the line of the pin.
    AlongPin = "along-pin", true;
    /// The pawn reaches the last rank and becomes another piece (3.7.3.3).
    Promotion = "promotion", true;

    /// The origin is empty.
    NoPiece = "no-piece", false;
    /// The piece is the opponent's.
    NotYourPiece = "not-your-piece", false;
    /// A piece of this kind does not move this way, not even on an empty board (3.2 to 3.8).
    DoesNotMoveSo = "does-not-move-so", false;
    /// A piece of the same side stands on the target (3.1).
    OwnPieceOnTarget = "own-piece-on-target", false;
    /// A piece stands between origin and target (3.5).
    PathBlocked = "path-blocked", false;

    /// A pawn does not capture straight ahead (3.7.1).
    PawnCannotCaptureForward = "pawn-cannot-capture-forward", false;
    /// A pawn moves diagonally only to capture (3.7.3).
    PawnCapturesNeedAVictim = "pawn-captures-need-a-victim", false;
    /// A pawn advances two squares only from its starting square (3.7.2).
    DoubleStepNotFromStart = "double-step-not-from-start", false;
    /// The pawn to be captured en passant has not just made its double step (3.7.3.2).
    EnPassantTooLate = "en-passant-too-late", false;
    /// Two pawns leave their squares at once, and the king is attacked (3.9.2).
    EnPassantDiscoversCheck = "en-passant-discovers-check", false;
    /// A pawn cannot stay a pawn on the last rank (3.7.3.3).
    MustPromote = "must-promote", false;
    /// Only a pawn that reaches the last rank is promoted.
    CannotPromoteHere = "cannot-promote-here", false;
    /// A pawn becomes a queen, rook, bishop or knight.
    PromotionPiece = "promotion-piece", false;

    /// The king would step onto an attacked square (3.9.2).
    KingIntoAttack = "king-into-attack", false;
    /// The king would capture a protected piece (3.9.2).
    KingTakesProtected = "king-takes-protected", false;
    /// The king would stay on the line of the checking slider, which attacks through it.
    KingAlongCheckingRay = "king-along-checking-ray", false;
    /// The two kings would stand next to each other.
    KingsAdjacent = "kings-adjacent", false;
    /// Two pieces give check, so the king must move.
    DoubleCheckKingMustMove = "double-check-king-must-move", false;
    /// The checking piece is neither captured nor blocked (3.9.2).
    DoesNotAnswerCheck = "does-not-answer-check", false;
    /// The piece would leave the line on which it shields its king (3.9.2).
    Pinned = "pinned", false;

    /// The castling right was lost, or never existed (3.8.2.1).
    NoCastlingRight = "no-castling-right", false;
    /// A piece blocks the path of the king or of the rook (3.8.2.2).
    CastlingPathBlocked = "castling-path-blocked", false;
    /// The king is in check (3.8.2.2).
    CastlingOutOfCheck = "castling-out-of-check", false;
    /// The king would pass over an attacked square (3.8.2.2).
    CastlingThroughCheck = "castling-through-check", false;
    /// The king would land on an attacked square (3.8.2.2).
    CastlingIntoCheck = "castling-into-check", false;
    /// The rook is the only shield of the square where the king lands (Chess960).
    CastlingUncoversCheck = "castling-uncovers-check", false;
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
