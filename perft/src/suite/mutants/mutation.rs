//! The mutations: one broken rule each.

use chess::rules::Color;

/// Declares the mutations with their descriptions, names and tags.
macro_rules! mutations {
    ($(#[doc = $description:literal] $Variant:ident = $name:literal [$($tag:literal),+],)+) => {
        /// One rule that a [`super::Mutant`] breaks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Mutation { $(#[doc = $description] $Variant),+ }

        impl Mutation {
            /// Number of mutations.
            pub const COUNT: usize = [$(stringify!($Variant)),+].len();
            /// Every mutation, in index order.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$Variant),+];

            /// The mutation's index, from 0 to `COUNT - 1`.
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The mutation with this index, or `None` when `index >= COUNT`.
            pub fn try_from_index(index: usize) -> Option<Self> {
                Self::ALL.get(index).copied()
            }

            /// The mutation's name, such as `castling-out-of-check`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Variant => $name),+ }
            }

            /// What is wrong with the generator, in one sentence.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$Variant => $description.trim_ascii()),+ }
            }

            /// Topics of the mutation, in the words of the suites' tags where they have one.
            pub const fn tags(self) -> &'static [&'static str] {
                match self { $(Self::$Variant => &[$($tag),+]),+ }
            }

            /// The mutation of this name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|mutation| mutation.name() == name)
            }
        }
    };
}

impl Mutation {
    /// The only side to move for which it can show, if it concerns just one side.
    pub const fn side(self) -> Option<Color> {
        match self {
            Self::EmptyA8Taken | Self::EmptyH8Taken => Some(Color::White),
            Self::CastlingThroughCheckByBlack
            | Self::CastlingByBlackMissing
            | Self::WhiteRookCapturedKeepsRight
            | Self::EpByBlackMissing
            | Self::EpGrantedByWhiteOnly
            | Self::EpVictimWrongForBlack
            | Self::DoublePushRankOfBlackWrong
            | Self::PromotionByWhiteOnly
            | Self::EmptyA1Taken
            | Self::EmptyH1Taken => Some(Color::Black),
            _ => None,
        }
    }
}

mutations! {
    // Castling: conditions.
    /// Castles although the king is in check.
    CastlingOutOfCheck = "castling-out-of-check" ["castling", "out-of-check"],
    /// Castles although a knight gives check.
    CastlingOutOfKnightCheck = "castling-out-of-knight-check" ["castling", "out-of-check"],
    /// Castles although a pawn gives check.
    CastlingOutOfPawnCheck = "castling-out-of-pawn-check" ["castling", "out-of-check", "pawn-attack"],
    /// Castles kingside although the king crosses an attacked square.
    CastlingThroughCheckShort = "castling-through-check-short" ["castling", "through-check"],
    /// Castles queenside although the king crosses an attacked square.
    CastlingThroughCheckLong = "castling-through-check-long" ["castling", "through-check"],
    /// Lets Black's king castle across an attacked square.
    CastlingThroughCheckByBlack = "castling-through-check-by-black" ["castling", "through-check"],
    /// Castles onto an attacked square.
    CastlingIntoCheck = "castling-into-check" ["castling", "into-check"],
    /// Does not see that a pawn attacks a square on the castling king's way.
    CastlingPawnGuardsUnseen = "castling-pawn-guards-unseen" ["castling", "through-check", "into-check", "pawn-attack"],
    /// Does not see that the other king attacks a square on the castling king's way.
    CastlingKingGuardsUnseen = "castling-king-guards-unseen" ["castling", "into-check", "kings"],
    /// Takes any piece to attack the castling king's way like a pawn.
    CastlingAnyPieceGuardsAsPawn = "castling-any-piece-guards-as-pawn" ["castling", "through-check", "pawn-attack"],
    /// Castles although a piece stands between king and rook.
    CastlingThroughPiece = "castling-through-piece" ["castling", "blocked"],
    /// Castles onto a piece of the other side.
    CastlingTakesPiece = "castling-takes-piece" ["castling", "blocked", "capture"],
    /// Castles although a piece of the other side stands between king and rook.
    CastlingThroughTheirPiece = "castling-through-their-piece" ["castling", "blocked"],
    /// Castles queenside although a piece stands on b1 or b8.
    CastlingLongRookPathIgnored = "castling-long-rook-path-ignored" ["castling", "blocked"],
    /// Refuses to castle when a square that only the rook crosses is attacked.
    CastlingRookPathMustBeSafe = "castling-rook-path-must-be-safe" ["castling", "rook-path-attacked"],
    /// Refuses to castle when the rook is attacked.
    CastlingRookMustBeSafe = "castling-rook-must-be-safe" ["castling", "rook-attacked"],
    /// Never castles.
    CastlingMissing = "castling-missing" ["castling"],
    /// Never castles queenside.
    CastlingLongMissing = "castling-long-missing" ["castling"],
    /// Never castles with Black.
    CastlingByBlackMissing = "castling-by-black-missing" ["castling"],
    /// Lists castling twice.
    CastlingTwice = "castling-twice" ["castling", "duplicate"],
    // Castling: rights.
    /// Castles whenever king and rook stand at home.
    CastlingWithoutRight = "castling-without-right" ["castling", "rights"],
    /// Castles by the right of the other side.
    CastlingByTheirRight = "castling-by-their-right" ["castling", "rights"],
    /// Takes the right to one side for the right to the other.
    CastlingRightsSwapped = "castling-rights-swapped" ["castling", "rights"],
    /// Keeps the rights of a king that has moved.
    KingMovedKeepsRights = "king-moved-keeps-rights" ["castling", "rights", "king-returns"],
    /// Keeps the rights of a king that has captured.
    KingCaptureKeepsRights = "king-capture-keeps-rights" ["castling", "rights", "king-returns", "capture"],
    /// Keeps the right of a rook that has moved.
    RookMovedKeepsRight = "rook-moved-keeps-right" ["castling", "rights", "rook-returns"],
    /// Keeps the right of a queenside rook that has moved.
    RookMovedKeepsRightLong = "rook-moved-keeps-right-long" ["castling", "rights", "rook-returns"],
    /// Keeps the right of a rook that has captured.
    RookCaptureKeepsRight = "rook-capture-keeps-right" ["castling", "rights", "rook-returns", "capture"],
    /// Keeps the right of a rook that was captured.
    RookCapturedKeepsRight = "rook-captured-keeps-right" ["castling", "rights", "rook-captured"],
    /// Keeps the right of a queenside rook that was captured.
    RookCapturedKeepsRightLong = "rook-captured-keeps-right-long" ["castling", "rights", "rook-captured"],
    /// Keeps the right of a white rook that was captured.
    WhiteRookCapturedKeepsRight = "white-rook-captured-keeps-right" ["castling", "rights", "rook-captured"],
    /// Keeps the right of a rook that was captured by a promoting pawn.
    RookCapturedByPromotionKeepsRight = "rook-captured-by-promotion-keeps-right" ["castling", "rights", "rook-captured", "promotion"],
    /// Drops both rights when one rook moves.
    RookMoveLosesBothRights = "rook-move-loses-both-rights" ["castling", "rights"],
    /// Drops a right when any rook moves on that side of the board.
    AnyRookMoveLosesRight = "any-rook-move-loses-right" ["castling", "rights"],
    /// Drops both rights when one rook is captured.
    RookCaptureLosesBothRights = "rook-capture-loses-both-rights" ["castling", "rights", "rook-captured"],
    /// Drops the rights of a king that was in check.
    CheckLosesRights = "check-loses-rights" ["castling", "rights", "check"],
    // Castling: making the move.
    /// Leaves the rook where it is when castling.
    CastlingRookNotMoved = "castling-rook-not-moved" ["castling"],
    /// Puts king and rook one file too far when castling queenside.
    CastlingLongOneTooFar = "castling-long-one-too-far" ["castling"],
    /// Keeps the rights of a king that has castled.
    CastlingKeepsRights = "castling-keeps-rights" ["castling", "rights"],
    /// Drops the rights of the other side when castling.
    CastlingClearsTheirRights = "castling-clears-their-rights" ["castling", "rights"],
    /// Does not see a check by castling.
    CastlingCheckUnseen = "castling-check-unseen" ["castling", "gives-check"],
    /// Takes the king to be on its old square after castling.
    KingSquareNotUpdatedByCastling = "king-square-not-updated-by-castling" ["castling", "stale"],
    /// Lets the same side move again after castling.
    SideKeptByCastling = "side-kept-by-castling" ["castling", "side-to-move"],
    // Castling in Chess960.
    /// Castles although the rook leaves the king in check along the rank.
    Chess960UncoveredCheck = "chess960-uncovered-check" ["chess960", "castling", "uncovered-check"],
    /// Wipes out the king that castles to the rook's square.
    Chess960SwapErasesKing = "chess960-swap-erases-king" ["chess960", "castling", "swap"],
    /// Refuses to castle when king and rook change places.
    Chess960SwapForbidden = "chess960-swap-forbidden" ["chess960", "castling", "swap"],
    /// Refuses to castle when the rook stands where the king lands.
    Chess960TargetOfKingMustBeFree = "chess960-target-of-king-must-be-free" ["chess960", "castling", "swap"],
    /// Refuses to castle when the king stands where the rook lands.
    Chess960TargetOfRookMustBeFree = "chess960-target-of-rook-must-be-free" ["chess960", "castling", "swap"],
    /// Refuses to castle when the king stays where it is.
    Chess960KingMustMove = "chess960-king-must-move" ["chess960", "castling", "king-stays"],
    /// Refuses to castle when the rook stays where it is.
    Chess960RookMustMove = "chess960-rook-must-move" ["chess960", "castling", "rook-stays"],
    /// Castles although a piece stands in the rook's way alone.
    Chess960RookPathIgnored = "chess960-rook-path-ignored" ["chess960", "castling", "blocked"],
    /// Tests only the squares between king and rook for pieces.
    Chess960OnlyBetweenTested = "chess960-only-between-tested" ["chess960", "castling", "blocked"],
    /// Tests only the first and the last square of the castling king's way for attacks.
    Chess960LongPathUntested = "chess960-long-path-untested" ["chess960", "castling", "through-check"],
    /// Takes the outermost rook for the one that may castle.
    Chess960OutermostRookAssumed = "chess960-outermost-rook-assumed" ["chess960", "castling", "inner-rook"],
    /// Drops a right only when something happens on a corner.
    Chess960RightsTiedToCorners = "chess960-rights-tied-to-corners" ["chess960", "castling", "rights"],
    /// Castles from the e-file alone.
    Chess960KingFromEOnly = "chess960-king-from-e-only" ["chess960", "castling"],
    /// Castles with rooks on the corners alone.
    Chess960CornerRooksOnly = "chess960-corner-rooks-only" ["chess960", "castling"],
    // En passant: who may take.
    /// Never takes en passant.
    EpMissing = "ep-missing" ["ep"],
    /// Never takes en passant with Black.
    EpByBlackMissing = "ep-by-black-missing" ["ep"],
    /// Takes en passant only toward the a-file.
    EpTowardAOnly = "ep-toward-a-only" ["ep"],
    /// Takes en passant only toward the h-file.
    EpTowardHOnly = "ep-toward-h-only" ["ep"],
    /// Does not take en passant on the a-file and the h-file.
    EpOnEdgeFileMissing = "ep-on-edge-file-missing" ["ep"],
    /// Lets only one of two pawns take en passant.
    EpByOnePawnOnly = "ep-by-one-pawn-only" ["ep", "double-capture"],
    /// Takes en passant also from one rank behind.
    EpFromWrongRank = "ep-from-wrong-rank" ["ep"],
    /// Removes the pawn when any piece moves to the en passant square.
    EpByAnyPiece = "ep-by-any-piece" ["ep"],
    /// Takes en passant across the edge of the board.
    EpWraps = "ep-wraps" ["ep", "wrap"],
    /// Lists en passant twice.
    EpTwice = "ep-twice" ["ep", "duplicate"],
    /// Takes en passant on the a-file where there is no en passant square.
    EpNoneIsFileA = "ep-none-is-file-a" ["ep"],
    // En passant: the square.
    /// Grants en passant after a single step.
    EpAfterSingleStep = "ep-after-single-step" ["ep"],
    /// Grants en passant after any piece has gone two squares along a file.
    EpAfterAnyDoubleStep = "ep-after-any-double-step" ["ep"],
    /// Takes the en passant square for a piece that stops sliders.
    EpSquareStopsSliders = "ep-square-stops-sliders" ["ep", "check"],
    /// Grants no en passant after a double push of Black.
    EpGrantedByWhiteOnly = "ep-granted-by-white-only" ["ep"],
    /// Keeps the en passant square until the next double push.
    EpNeverCleared = "ep-never-cleared" ["ep", "stale"],
    /// Keeps the en passant square when no pawn moves.
    EpClearedByPawnsOnly = "ep-cleared-by-pawns-only" ["ep", "stale"],
    /// Keeps the en passant square when castling.
    EpNotClearedByCastling = "ep-not-cleared-by-castling" ["ep", "castling", "stale"],
    /// Keeps the en passant square when capturing.
    EpNotClearedByCapture = "ep-not-cleared-by-capture" ["ep", "capture", "stale"],
    /// Keeps the en passant square when the king moves.
    EpNotClearedByKing = "ep-not-cleared-by-king" ["ep", "stale"],
    // En passant: making the move.
    /// Leaves the pawn taken en passant on the board.
    EpVictimNotRemoved = "ep-victim-not-removed" ["ep"],
    /// Empties the square beyond the en passant square instead of the victim's.
    EpVictimAboveTarget = "ep-victim-above-target" ["ep"],
    /// Empties the wrong square when Black takes en passant.
    EpVictimWrongForBlack = "ep-victim-wrong-for-black" ["ep"],
    /// Lets the same side move again after en passant.
    SideKeptByEnPassant = "side-kept-by-en-passant" ["ep", "side-to-move"],
    /// Does not see a check uncovered by en passant.
    EpDiscoveredCheckUnseen = "ep-discovered-check-unseen" ["ep", "discovered-check", "gives-check"],
    // En passant: king safety.
    /// Does not test whether en passant leaves the king in check.
    EpNotTested = "ep-not-tested" ["ep", "pin", "check"],
    /// Takes en passant although both pawns leave the king's rank open.
    EpRankPinIgnored = "ep-rank-pin-ignored" ["ep", "rank-pin"],
    /// Misses the open rank after en passant when the king is nearer to the victim.
    EpRankPinIgnoredTowardVictim = "ep-rank-pin-ignored-toward-victim" ["ep", "rank-pin"],
    /// Takes en passant with a pawn pinned on a diagonal.
    EpDiagonalPinIgnored = "ep-diagonal-pin-ignored" ["ep", "diagonal-pin"],
    /// Takes en passant with a pawn pinned on a file.
    EpFilePinIgnored = "ep-file-pin-ignored" ["ep", "file-pin"],
    /// Does not take en passant with a pawn pinned on that diagonal, where it is parallel to a1-h8.
    EpAlongDiagonalPinMissing = "ep-along-diagonal-pin-missing" ["ep", "pin", "diagonal-pin"],
    /// Does not take en passant with a pawn pinned on that diagonal, where it is parallel to h1-a8.
    EpAlongAntidiagonalPinMissing = "ep-along-antidiagonal-pin-missing" ["ep", "pin", "diagonal-pin"],
    /// Tests en passant without both pawns that may take.
    EpTestedWithoutBothCapturers = "ep-tested-without-both-capturers" ["ep", "rank-pin", "double-capture"],
    /// Refuses en passant on the king's rank with a rook or queen there, whatever stands between.
    EpRankPinThroughPieces = "ep-rank-pin-through-pieces" ["ep", "rank-pin"],
    /// Tests en passant without the pawn where it lands.
    EpTestedWithoutCapturer = "ep-tested-without-capturer" ["ep", "file-pin"],
    /// Never takes en passant in check.
    EpNoEvasion = "ep-no-evasion" ["ep", "check", "evasion"],
    /// Does not take en passant the pawn that gives check.
    EpCheckerNotTaken = "ep-checker-not-taken" ["ep", "check", "capture-checker", "evasion"],
    /// Takes en passant in check although the check remains.
    EpAnswersAnyCheck = "ep-answers-any-check" ["ep", "check", "evasion"],
    // Pins: which are seen.
    /// Moves pinned pieces freely.
    PinsIgnored = "pins-ignored" ["pin"],
    /// Does not see pins along a file.
    FilePinIgnored = "file-pin-ignored" ["pin", "file-pin"],
    /// Does not see pins along a rank.
    RankPinIgnored = "rank-pin-ignored" ["pin", "rank-pin"],
    /// Does not see pins along a diagonal parallel to a1-h8.
    DiagonalPinIgnored = "diagonal-pin-ignored" ["pin", "diagonal-pin"],
    /// Does not see pins along a diagonal parallel to h1-a8.
    AntidiagonalPinIgnored = "antidiagonal-pin-ignored" ["pin", "diagonal-pin"],
    /// Does not see pins by a bishop.
    BishopPinsUnseen = "bishop-pins-unseen" ["pin", "diagonal-pin"],
    /// Does not see pins by a rook.
    RookPinsUnseen = "rook-pins-unseen" ["pin"],
    /// Does not see pins by a queen.
    QueenPinsUnseen = "queen-pins-unseen" ["pin"],
    /// Sees only one of several pins.
    OnlyOnePinSeen = "only-one-pin-seen" ["pin"],
    /// Sees a pin only beside the king.
    PinBesideKingOnly = "pin-beside-king-only" ["pin"],
    /// Sees a pin only by a slider beside the pinned piece.
    PinByNeighborOnly = "pin-by-neighbor-only" ["pin"],
    /// Forgets pins when in check.
    PinsForgottenInCheck = "pins-forgotten-in-check" ["pin", "check", "evasion"],
    /// Takes the first of two pieces of its own before a slider for pinned.
    PinThroughTwoPieces = "pin-through-two-pieces" ["pin"],
    /// Sees a pin although a piece of the other side stands before the slider.
    PinThroughTheirPiece = "pin-through-their-piece" ["pin"],
    /// Lets bishops pin on files and ranks, and rooks on diagonals.
    AnySliderPins = "any-slider-pins" ["pin"],
    // Pins: how the pinned piece moves.
    /// Moves pinned knights freely.
    PinnedKnightMoves = "pinned-knight-moves" ["pin"],
    /// Moves pinned pawns freely.
    PinnedPawnMoves = "pinned-pawn-moves" ["pin"],
    /// Moves pinned queens freely.
    PinnedQueenMoves = "pinned-queen-moves" ["pin"],
    /// Moves pinned rooks freely.
    PinnedRookMoves = "pinned-rook-moves" ["pin"],
    /// Moves pinned bishops freely.
    PinnedBishopMoves = "pinned-bishop-moves" ["pin"],
    /// Pushes a pawn that is pinned on a rank or a diagonal.
    PinnedPawnPushes = "pinned-pawn-pushes" ["pin", "diagonal-pin", "rank-pin"],
    /// Captures with a pinned pawn off its line.
    PinnedPawnCaptures = "pinned-pawn-captures" ["pin"],
    /// Moves a rook or queen pinned on a file along the rank, and the other way round.
    PinnedRookTurns = "pinned-rook-turns" ["pin", "file-pin", "rank-pin"],
    /// Moves a bishop or queen pinned on one diagonal along the other.
    PinnedBishopTurns = "pinned-bishop-turns" ["pin", "diagonal-pin"],
    /// Captures with a pinned piece off its line.
    PinnedPieceTakesElsewhere = "pinned-piece-takes-elsewhere" ["pin", "capture"],
    /// Does not move a pinned piece along its line.
    PinnedPieceFrozen = "pinned-piece-frozen" ["pin"],
    /// Does not move a pinned slider along its line.
    PinnedSliderFrozen = "pinned-slider-frozen" ["pin"],
    /// Does not push a pawn pinned on its file.
    PinnedPawnPushMissing = "pinned-pawn-push-missing" ["pin", "file-pin"],
    /// Does not push a pawn pinned on its file two squares.
    PinnedPawnDoublePushMissing = "pinned-pawn-double-push-missing" ["pin", "file-pin", "double-push"],
    /// Does not promote a pinned pawn by capturing the pinner.
    PinnedPawnPromotionMissing = "pinned-pawn-promotion-missing" ["pin", "diagonal-pin", "promotion", "capture"],
    /// Promotes a pinned pawn to a queen alone.
    PinnedPawnPromotesToQueenOnly = "pinned-pawn-promotes-to-queen-only" ["pin", "diagonal-pin", "promotion", "underpromotion"],
    /// Does not capture the pinner with a pinned pawn.
    PinnedPawnCaptureMissing = "pinned-pawn-capture-missing" ["pin", "diagonal-pin", "capture"],
    /// Never captures the pinner with the pinned piece.
    PinnerNotTaken = "pinner-not-taken" ["pin", "capture"],
    /// Lets a pinned piece do nothing but capture the pinner.
    PinnedPieceStaysBeforePinner = "pinned-piece-stays-before-pinner" ["pin"],
    // Checks: which are seen.
    /// Does not see checks by pawns.
    PawnChecksUnseen = "pawn-checks-unseen" ["check", "pawn-attack"],
    /// Does not see checks by knights.
    KnightChecksUnseen = "knight-checks-unseen" ["check"],
    /// Does not see checks by bishops.
    BishopChecksUnseen = "bishop-checks-unseen" ["check"],
    /// Does not see checks by rooks.
    RookChecksUnseen = "rook-checks-unseen" ["check"],
    /// Does not see checks by queens.
    QueenChecksUnseen = "queen-checks-unseen" ["check"],
    /// Sees only checks by the piece that has moved.
    DiscoveredCheckUnseen = "discovered-check-unseen" ["check", "discovered-check"],
    /// Does not see a check by the piece just promoted.
    PromotionCheckUnseen = "promotion-check-unseen" ["check", "promotion", "gives-check"],
    /// Does not see a check uncovered by a promotion.
    PromotionDiscoversCheckUnseen = "promotion-discovers-check-unseen" ["check", "promotion", "discovered-check"],
    /// Does not see a check uncovered by the king.
    KingDiscoversCheckUnseen = "king-discovers-check-unseen" ["check", "kings", "discovered-check"],
    /// Does not see a check by a pawn that has gone two squares.
    DoublePushCheckUnseen = "double-push-check-unseen" ["check", "double-push", "pawn-attack"],
    // Checks: how they are answered.
    /// Answers a double check by capturing one checker.
    DoubleCheckTaken = "double-check-taken" ["check", "double-check", "evasion"],
    /// Answers a double check by blocking one checker.
    DoubleCheckBlocked = "double-check-blocked" ["check", "double-check", "evasion"],
    /// Captures a checker with the king alone.
    CheckerNotTaken = "checker-not-taken" ["check", "capture-checker", "evasion"],
    /// Does not capture a checker with a pawn.
    CheckerNotTakenByPawn = "checker-not-taken-by-pawn" ["check", "capture-checker", "evasion"],
    /// Does not capture a checker with a knight.
    CheckerNotTakenByKnight = "checker-not-taken-by-knight" ["check", "capture-checker", "evasion"],
    /// Does not capture a checker with a bishop.
    CheckerNotTakenByBishop = "checker-not-taken-by-bishop" ["check", "capture-checker", "evasion"],
    /// Does not capture a checker with a rook.
    CheckerNotTakenByRook = "checker-not-taken-by-rook" ["check", "capture-checker", "evasion"],
    /// Does not capture a checker with a queen.
    CheckerNotTakenByQueen = "checker-not-taken-by-queen" ["check", "capture-checker", "evasion"],
    /// Never blocks a check.
    CheckNotBlocked = "check-not-blocked" ["check", "block-check", "evasion"],
    /// Does not block a check with a pawn.
    CheckNotBlockedByPawn = "check-not-blocked-by-pawn" ["check", "block-check", "evasion"],
    /// Does not block a check with a knight.
    CheckNotBlockedByKnight = "check-not-blocked-by-knight" ["check", "block-check", "evasion"],
    /// Does not block a check with a bishop.
    CheckNotBlockedByBishop = "check-not-blocked-by-bishop" ["check", "block-check", "evasion"],
    /// Does not block a check with a rook.
    CheckNotBlockedByRook = "check-not-blocked-by-rook" ["check", "block-check", "evasion"],
    /// Does not block a check with a queen.
    CheckNotBlockedByQueen = "check-not-blocked-by-queen" ["check", "block-check", "evasion"],
    /// Does not block a check with a double push.
    CheckNotBlockedByDoublePush = "check-not-blocked-by-double-push" ["check", "block-check", "double-push", "evasion"],
    /// Does not block a check on the square next to the king.
    CheckNotBlockedNextToKing = "check-not-blocked-next-to-king" ["check", "block-check", "evasion"],
    /// Takes a square behind the checker for a block.
    CheckBlockedBehindChecker = "check-blocked-behind-checker" ["check", "block-check", "evasion"],
    /// Blocks a check by a knight.
    KnightCheckBlocked = "knight-check-blocked" ["check", "block-check", "evasion"],
    /// Never answers a check with a promotion.
    PromotionNoEvasion = "promotion-no-evasion" ["check", "promotion", "evasion"],
    /// Never captures a checker with a promotion.
    PromotionTakesNoChecker = "promotion-takes-no-checker" ["check", "promotion", "capture-checker", "evasion"],
    /// Promotes to a queen alone when that captures a checking knight.
    KnightTakenByQueenOnly = "knight-taken-by-queen-only" ["check", "promotion", "underpromotion", "capture-checker", "evasion"],
    /// Promotes to a queen alone when that captures a checking bishop.
    BishopTakenByQueenOnly = "bishop-taken-by-queen-only" ["check", "promotion", "underpromotion", "capture-checker", "evasion"],
    /// Promotes to a queen alone when that captures a checking rook.
    RookTakenByQueenOnly = "rook-taken-by-queen-only" ["check", "promotion", "underpromotion", "capture-checker", "evasion"],
    /// Promotes to a queen alone when that captures a checking queen.
    QueenTakenByQueenOnly = "queen-taken-by-queen-only" ["check", "promotion", "underpromotion", "capture-checker", "evasion"],
    /// Never blocks a check with a promotion.
    PromotionBlocksNoCheck = "promotion-blocks-no-check" ["check", "promotion", "block-check", "evasion"],
    /// Promotes to a queen alone when that blocks a check.
    PromotionBlocksToQueenOnly = "promotion-blocks-to-queen-only" ["check", "promotion", "underpromotion", "block-check", "evasion"],
    // Kings.
    /// Captures a protected piece with the king.
    KingTakesProtected = "king-takes-protected" ["kings", "protected"],
    /// Does not capture a checker with the king.
    KingCannotTakeChecker = "king-cannot-take-checker" ["kings", "capture-checker", "evasion"],
    /// Captures nothing with a king in check.
    KingCannotTakeInCheck = "king-cannot-take-in-check" ["kings", "capture", "evasion"],
    /// Captures nothing with a king in double check.
    KingCannotTakeInDoubleCheck = "king-cannot-take-in-double-check" ["kings", "capture", "double-check", "evasion"],
    /// Lets the king step back along the line of the slider that gives check.
    KingShadowsRay = "king-shadows-ray" ["kings", "x-ray", "evasion"],
    /// Lets the kings stand side by side.
    KingsMayTouch = "kings-may-touch" ["kings"],
    /// Lets the kings stand side by side on a diagonal.
    KingsMayTouchDiagonally = "kings-may-touch-diagonally" ["kings"],
    /// Moves the king onto squares that pawns attack.
    PawnGuardsUnseen = "pawn-guards-unseen" ["kings", "pawn-attack"],
    /// Takes pawns to attack backward.
    PawnGuardsBackward = "pawn-guards-backward" ["kings", "pawn-attack"],
    /// Takes pawns to attack across the edge of the board.
    PawnGuardsWrap = "pawn-guards-wrap" ["kings", "pawn-attack", "wrap"],
    /// Moves the king onto squares that knights attack.
    KnightGuardsUnseen = "knight-guards-unseen" ["kings"],
    /// Sees no attack of a queen on diagonals.
    QueenAttacksStraightOnly = "queen-attacks-straight-only" ["kings", "check"],
    /// Sees no attack of a queen on files and ranks.
    QueenAttacksDiagonallyOnly = "queen-attacks-diagonally-only" ["kings", "check"],
    /// Moves the king onto squares attacked on a diagonal from five squares away or more.
    LongDiagonalGuardsUnseen = "long-diagonal-guards-unseen" ["kings"],
    /// Moves the king beside a slider that attacks the square.
    AdjacentSliderGuardsUnseen = "adjacent-slider-guards-unseen" ["kings", "protected"],
    /// Takes pinned pieces to attack nothing.
    PinnedPieceGuardsNothing = "pinned-piece-guards-nothing" ["kings", "pin"],
    /// Lets the king step across the a-file.
    KingWrapsAFile = "king-wraps-a-file" ["kings", "wrap"],
    /// Lets the king step across the h-file.
    KingWrapsHFile = "king-wraps-h-file" ["kings", "wrap"],
    /// Lets the king step from the last rank to the first.
    KingWrapsRanks = "king-wraps-ranks" ["kings", "wrap"],
    /// Lists captures of the king twice.
    KingCaptureTwice = "king-capture-twice" ["kings", "duplicate"],
    // Pawns.
    /// Never pushes a pawn two squares.
    DoublePushMissing = "double-push-missing" ["double-push"],
    /// Never pushes a pawn of the a-file or h-file two squares.
    DoublePushMissingOnEdge = "double-push-missing-on-edge" ["double-push"],
    /// Pushes a pawn two squares over a piece.
    DoublePushJumps = "double-push-jumps" ["double-push", "blocked"],
    /// Captures with a double push.
    DoublePushCaptures = "double-push-captures" ["double-push", "capture"],
    /// Pushes a pawn two squares from its third rank, too.
    DoublePushFromThirdRank = "double-push-from-third-rank" ["double-push"],
    /// Pushes a pawn two squares from any rank.
    DoublePushFromAnyRank = "double-push-from-any-rank" ["double-push"],
    /// Pushes Black's pawns two squares from the sixth rank instead of the seventh.
    DoublePushRankOfBlackWrong = "double-push-rank-of-black-wrong" ["double-push"],
    /// Lists double pushes twice.
    DoublePushTwice = "double-push-twice" ["double-push", "duplicate"],
    /// Captures with a push.
    PushCaptures = "push-captures" ["blocked", "capture"],
    /// Captures pieces of its own side with pawns.
    PawnCapturesOwn = "pawn-captures-own" ["capture"],
    /// Does not capture with pawns toward the a-file.
    PawnCaptureTowardAMissing = "pawn-capture-toward-a-missing" ["capture"],
    /// Does not capture with pawns toward the h-file.
    PawnCaptureTowardHMissing = "pawn-capture-toward-h-missing" ["capture"],
    /// Captures with pawns across the a-file.
    PawnCaptureWrapsAFile = "pawn-capture-wraps-a-file" ["capture", "wrap"],
    /// Captures with pawns across the h-file.
    PawnCaptureWrapsHFile = "pawn-capture-wraps-h-file" ["capture", "wrap"],
    // Promotion.
    /// Leaves a pawn on the last rank a pawn.
    PromotionForgotten = "promotion-forgotten" ["promotion"],
    /// Leaves a black pawn on the last rank a pawn.
    PromotionByWhiteOnly = "promotion-by-white-only" ["promotion"],
    /// Leaves a pawn that captures on the last rank a pawn.
    CapturePromotionForgotten = "capture-promotion-forgotten" ["promotion", "capture"],
    /// Promotes pawns on the seventh rank, too.
    PromotionOneRankEarly = "promotion-one-rank-early" ["promotion"],
    /// Does not promote to a knight.
    PromotionToKnightMissing = "promotion-to-knight-missing" ["promotion", "underpromotion"],
    /// Does not promote to a bishop.
    PromotionToBishopMissing = "promotion-to-bishop-missing" ["promotion", "underpromotion"],
    /// Does not promote to a rook.
    PromotionToRookMissing = "promotion-to-rook-missing" ["promotion", "underpromotion"],
    /// Does not promote to a queen.
    PromotionToQueenMissing = "promotion-to-queen-missing" ["promotion"],
    /// Promotes to a queen alone.
    PromotionToQueenOnly = "promotion-to-queen-only" ["promotion", "underpromotion"],
    /// Promotes to a king, too.
    PromotionToKing = "promotion-to-king" ["promotion", "kings"],
    /// Promotes to a pawn, too.
    PromotionToPawn = "promotion-to-pawn" ["promotion"],
    /// Never promotes by a capture.
    CapturePromotionMissing = "capture-promotion-missing" ["promotion", "capture"],
    /// Promotes by a capture to a queen alone.
    CapturePromotionToQueenOnly = "capture-promotion-to-queen-only" ["promotion", "underpromotion", "capture"],
    /// Lists promotions by a capture twice.
    CapturePromotionTwice = "capture-promotion-twice" ["promotion", "capture", "duplicate"],
    /// Promotes by a capture although the square is empty.
    CapturePromotionOntoEmpty = "capture-promotion-onto-empty" ["promotion", "capture"],
    /// Promotes by a capture on an empty a8.
    EmptyA8Taken = "empty-a8-taken" ["promotion", "capture"],
    /// Promotes by a capture on an empty h8.
    EmptyH8Taken = "empty-h8-taken" ["promotion", "capture"],
    /// Promotes by a capture on an empty a1.
    EmptyA1Taken = "empty-a1-taken" ["promotion", "capture"],
    /// Promotes by a capture on an empty h1.
    EmptyH1Taken = "empty-h1-taken" ["promotion", "capture"],
    /// Makes a queen of every promoted pawn.
    UnderpromotionMakesQueen = "underpromotion-makes-queen" ["promotion", "underpromotion"],
    /// Gives the promoted piece to the other side.
    PromotionChangesColor = "promotion-changes-color" ["promotion"],
    /// Lets the same side move again after a promotion.
    SideKeptByPromotion = "side-kept-by-promotion" ["promotion", "side-to-move"],
    // Knights and sliders.
    /// Lacks the jump of a knight two files left and one rank down.
    KnightJumpMissing = "knight-jump-missing" ["knight"],
    /// Captures pieces of its own side with knights.
    KnightCapturesOwn = "knight-captures-own" ["knight", "capture"],
    /// Lets knights jump across the a-file.
    KnightWrapsAFile = "knight-wraps-a-file" ["knight", "wrap"],
    /// Lets knights jump across the h-file.
    KnightWrapsHFile = "knight-wraps-h-file" ["knight", "wrap"],
    /// Lets knights of the b-file jump across the a-file.
    KnightWrapsFromBFile = "knight-wraps-from-b-file" ["knight", "wrap"],
    /// Lets knights of the g-file jump across the h-file.
    KnightWrapsFromGFile = "knight-wraps-from-g-file" ["knight", "wrap"],
    /// Lists captures of knights twice.
    KnightCaptureTwice = "knight-capture-twice" ["knight", "duplicate"],
    /// Moves queens like rooks.
    QueenMovesStraightOnly = "queen-moves-straight-only" ["slider"],
    /// Moves queens like bishops.
    QueenMovesDiagonallyOnly = "queen-moves-diagonally-only" ["slider"],
    /// Does not move sliders to the edge of the board.
    SliderStopsBeforeEdge = "slider-stops-before-edge" ["slider"],
    /// Moves sliders six squares at most.
    SliderLacksSeventhStep = "slider-lacks-seventh-step" ["slider"],
    /// Does not capture with sliders on the edge of the board.
    SliderCaptureOnEdgeMissing = "slider-capture-on-edge-missing" ["slider", "capture"],
    /// Does not capture with sliders on the next square.
    SliderCaptureOfNeighborMissing = "slider-capture-of-neighbor-missing" ["slider", "capture"],
    /// Captures pieces of its own side with sliders.
    SliderCapturesOwn = "slider-captures-own" ["slider", "capture"],
    /// Moves sliders over a piece of their own side.
    SliderJumpsOwn = "slider-jumps-own" ["slider", "x-ray"],
    /// Moves sliders over a piece of the other side.
    SliderJumpsTheirs = "slider-jumps-theirs" ["slider", "x-ray"],
    /// Moves sliders over their own king.
    SliderLooksThroughKing = "slider-looks-through-king" ["slider", "x-ray"],
    /// Lists captures of sliders twice.
    SliderCaptureTwice = "slider-capture-twice" ["slider", "duplicate"],
    /// Moves bishops across the edge of the board.
    BishopWraps = "bishop-wraps" ["slider", "wrap"],
    /// Moves rooks across the a-file.
    RookWrapsAFile = "rook-wraps-a-file" ["slider", "wrap"],
    /// Moves rooks across the h-file.
    RookWrapsHFile = "rook-wraps-h-file" ["slider", "wrap"],
    /// Moves queens across the edge of the board.
    QueenWraps = "queen-wraps" ["slider", "wrap"],
    // Lists that are too short.
    /// Ends a list of moves at 64.
    MoveListOf64 = "move-list-of-64" ["many-moves"],
    /// Ends a list of moves at 100.
    MoveListOf100 = "move-list-of-100" ["many-moves"],
    /// Ends a list of moves at 128.
    MoveListOf128 = "move-list-of-128" ["many-moves"],
    /// Ends a list of moves at 192.
    MoveListOf192 = "move-list-of-192" ["many-moves"],
    /// Ends a list of moves at 200.
    MoveListOf200 = "move-list-of-200" ["many-moves"],
    /// Ends a list of moves at 217.
    MoveListOf217 = "move-list-of-217" ["many-moves"],
    /// Ends a list of captures at 32.
    CaptureListOf32 = "capture-list-of-32" ["many-moves", "capture"],
    /// Moves only two knights of a side.
    KnightListOfTwo = "knight-list-of-two" ["many-pieces"],
    /// Moves only nine knights of a side.
    KnightListOfNine = "knight-list-of-nine" ["many-pieces"],
    /// Moves only two bishops of a side.
    BishopListOfTwo = "bishop-list-of-two" ["many-pieces"],
    /// Moves only nine bishops of a side.
    BishopListOfNine = "bishop-list-of-nine" ["many-pieces"],
    /// Moves only two rooks of a side.
    RookListOfTwo = "rook-list-of-two" ["many-pieces"],
    /// Moves only nine rooks of a side.
    RookListOfNine = "rook-list-of-nine" ["many-pieces"],
    /// Moves only one queen of a side.
    QueenListOfOne = "queen-list-of-one" ["many-pieces"],
    /// Moves only four queens of a side.
    QueenListOfFour = "queen-list-of-four" ["many-pieces"],
    /// Moves only eight queens of a side.
    QueenListOfEight = "queen-list-of-eight" ["many-pieces"],
    /// Sees the attacks of only two knights of a side.
    AttacksOfTwoKnights = "attacks-of-two-knights" ["many-pieces", "check"],
    /// Sees the attacks of only two bishops of a side.
    AttacksOfTwoBishops = "attacks-of-two-bishops" ["many-pieces", "check"],
    /// Sees the attacks of only two rooks of a side.
    AttacksOfTwoRooks = "attacks-of-two-rooks" ["many-pieces", "check"],
    /// Sees the attacks of only one queen of a side.
    AttacksOfOneQueen = "attacks-of-one-queen" ["many-pieces", "check"],
    // What is not taken back.
    /// Does not restore the en passant square when a move is taken back.
    EpSquareNotRestored = "ep-square-not-restored" ["stale", "ep"],
    /// Does not put back the pawn taken en passant.
    EpVictimNotRestored = "ep-victim-not-restored" ["stale", "ep"],
    /// Does not restore castling rights when a move is taken back.
    RightsNotRestored = "rights-not-restored" ["stale", "castling", "rights"],
    /// Does not restore castling rights when a capture is taken back.
    RightsNotRestoredAfterCapture = "rights-not-restored-after-capture" ["stale", "castling", "rights", "capture"],
    /// Leaves the rook where castling put it.
    CastledRookNotTakenBack = "castled-rook-not-taken-back" ["stale", "castling"],
    /// Takes the king to be where a move put it that was taken back.
    KingSquareNotRestored = "king-square-not-restored" ["stale", "kings"],
    /// Does not put back a piece that a promoting pawn has captured.
    PromotionCaptureNotRestored = "promotion-capture-not-restored" ["stale", "promotion", "capture"],
    /// Leaves the promoted piece where the pawn stood.
    PromotedPieceNotTakenBack = "promoted-piece-not-taken-back" ["stale", "promotion"],
    // Counting.
    /// Counts a mate as one leaf.
    MateCountsOne = "mate-counts-one" ["counting", "mate"],
    /// Counts a stalemate as one leaf.
    StalemateCountsOne = "stalemate-counts-one" ["counting", "stalemate"],
    /// Counts a position of bare kings as one leaf, above the last ply too.
    BareKingsCountOne = "bare-kings-count-one" ["counting", "few-pieces"],
    /// Finds no moves where a side has one minor piece and no other is left.
    LoneMinorEndsGame = "lone-minor-ends-game" ["counting", "few-pieces"],
    /// Finds no moves where only two minor pieces are left.
    TwoMinorsEndGame = "two-minors-end-game" ["counting", "few-pieces"],
    /// Finds no moves once 50 plies have passed without capture or pawn move.
    FiftyPliesEndGame = "fifty-plies-end-game" ["counting", "clock"],
    /// Finds no moves once 50 moves of each side have passed without capture or pawn move.
    FiftyMovesEndGame = "fifty-moves-end-game" ["counting", "clock"],
    /// Finds no moves one ply after 50 moves of each side without capture or pawn move.
    FiftyMovesEndGameLate = "fifty-moves-end-game-late" ["counting", "clock"],
    /// Finds no moves once 75 moves of each side have passed without capture or pawn move.
    SeventyFiveMovesEndGame = "seventy-five-moves-end-game" ["counting", "clock"],
    /// Finds no moves one ply after 75 moves of each side without capture or pawn move.
    SeventyFiveMovesEndGameLate = "seventy-five-moves-end-game-late" ["counting", "clock"],
    // A table of counts.
    /// Keeps counts in a table that does not tell en passant squares apart.
    TableLacksEpSquare = "table-lacks-ep-square" ["table", "ep"],
    /// Keeps counts in a table that does not tell castling rights apart.
    TableLacksRights = "table-lacks-rights" ["table", "castling", "rights"],
    /// Keeps counts in a table that does not tell the squares of kings apart.
    TableLacksKings = "table-lacks-kings" ["table", "kings"],
    /// Counts moves that leave the king in check on the last ply.
    LastPlyNotTested = "last-ply-not-tested" ["counting", "check", "pin"],
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_the_variants_in_kebab_case() {
        for mutation in Mutation::ALL {
            let mut name = String::new();
            for letter in format!("{mutation:?}").chars() {
                // `of-64`, but `chess960`.
                let is_number_apart = letter.is_ascii_digit() && name.ends_with("-of");
                if (letter.is_ascii_uppercase() || is_number_apart) && !name.is_empty() {
                    name.push('-');
                }
                name.push(letter.to_ascii_lowercase());
            }
            assert_eq!(mutation.name(), name);
            assert_eq!(Mutation::from_name(&name), Some(mutation));
            assert_eq!(Mutation::try_from_index(mutation.index()), Some(mutation));
        }
        assert_eq!(Mutation::from_name("nonesuch"), None);
        assert_eq!(Mutation::try_from_index(Mutation::COUNT), None);
    }

    #[test]
    fn each_is_described_in_a_sentence_of_its_own() {
        let mut seen = HashSet::new();
        for mutation in Mutation::ALL {
            let description = mutation.description();
            assert!(description.ends_with('.'), "{mutation:?}: {description}");
            assert!(description.starts_with(|first: char| first.is_ascii_uppercase()));
            assert!(seen.insert(description), "{mutation:?}: {description}");
            assert!(!mutation.tags().is_empty(), "{mutation:?}");
        }
    }
}
