//! The mutations: one broken rule each.

use std::sync::LazyLock;

use chess::rules::Color;

/// Declares the mutations: name, topics in the words of the suites' tags, and what is wrong.
macro_rules! mutations {
    ($($Variant:ident [$($tag:literal),+] $description:literal)+) => {
        /// One rule that a [`super::Mutant`] breaks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum Mutation { $(#[doc = $description] $Variant),+ }

        impl Mutation {
            /// Number of mutations.
            pub const COUNT: usize = [$(stringify!($Variant)),+].len();
            /// Every mutation, in index order.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$Variant),+];

            /// What is wrong with the generator, in one sentence.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$Variant => $description),+ }
            }

            /// Topics of the mutation, in the words of the suites' tags where they have one.
            pub const fn tags(self) -> &'static [&'static str] {
                match self { $(Self::$Variant => &[$($tag),+]),+ }
            }
        }
    };
}

impl Mutation {
    /// The mutation's index, from 0 to `COUNT - 1`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The mutation's name, such as `castling-out-of-check`.
    pub fn name(self) -> &'static str {
        static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
            Mutation::ALL
                .iter()
                .map(|one| kebab_case(&format!("{one:?}")))
                .collect()
        });
        &NAMES[self.index()]
    }

    /// The mutation of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|mutation| mutation.name() == name)
    }

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

/// `CastlingOutOfCheck` becomes `castling-out-of-check`, `MoveListOf64` `move-list-of-64`.
fn kebab_case(variant: &str) -> String {
    let mut name = String::new();
    for letter in variant.chars() {
        // But `Chess960` is one word.
        let is_number_apart = letter.is_ascii_digit() && name.ends_with("-of");
        if (letter.is_ascii_uppercase() || is_number_apart) && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

mutations! {
    // Castling: conditions.
    CastlingOutOfCheck ["castling", "out-of-check"] "Castles although the king is in check."
    CastlingOutOfKnightCheck ["castling", "out-of-check"] "Castles although a knight gives check."
    CastlingOutOfPawnCheck ["castling", "out-of-check", "pawn-attack"] "Castles although a pawn gives check."
    CastlingThroughCheckShort ["castling", "through-check"] "Castles kingside although the king crosses an attacked square."
    CastlingThroughCheckLong ["castling", "through-check"] "Castles queenside although the king crosses an attacked square."
    CastlingThroughCheckByBlack ["castling", "through-check"] "Lets Black's king castle across an attacked square."
    CastlingIntoCheck ["castling", "into-check"] "Castles onto an attacked square."
    CastlingPawnGuardsUnseen ["castling", "through-check", "into-check", "pawn-attack"] "Does not see that a pawn attacks a square on the castling king's way."
    CastlingKingGuardsUnseen ["castling", "into-check", "kings"] "Does not see that the other king attacks a square on the castling king's way."
    CastlingAnyPieceGuardsAsPawn ["castling", "through-check", "pawn-attack"] "Takes any piece to attack the castling king's way like a pawn."
    CastlingThroughPiece ["castling", "blocked"] "Castles although a piece stands between king and rook."
    CastlingTakesPiece ["castling", "blocked", "capture"] "Castles onto a piece of the other side."
    CastlingThroughTheirPiece ["castling", "blocked"] "Castles although a piece of the other side stands between king and rook."
    CastlingLongRookPathIgnored ["castling", "blocked"] "Castles queenside although a piece stands on b1 or b8."
    CastlingRookPathMustBeSafe ["castling", "rook-path-attacked"] "Refuses to castle when a square that only the rook crosses is attacked."
    CastlingRookMustBeSafe ["castling", "rook-attacked"] "Refuses to castle when the rook is attacked."
    CastlingMissing ["castling"] "Never castles."
    CastlingLongMissing ["castling"] "Never castles queenside."
    CastlingByBlackMissing ["castling"] "Never castles with Black."
    CastlingTwice ["castling", "duplicate"] "Lists castling twice."
    // Castling: rights.
    CastlingWithoutRight ["castling", "rights"] "Castles whenever king and rook stand at home."
    CastlingByTheirRight ["castling", "rights"] "Castles by the right of the other side."
    CastlingRightsSwapped ["castling", "rights"] "Takes the right to one side for the right to the other."
    KingMovedKeepsRights ["castling", "rights", "king-returns"] "Keeps the rights of a king that has moved."
    KingCaptureKeepsRights ["castling", "rights", "king-returns", "capture"] "Keeps the rights of a king that has captured."
    RookMovedKeepsRight ["castling", "rights", "rook-returns"] "Keeps the right of a rook that has moved."
    RookMovedKeepsRightLong ["castling", "rights", "rook-returns"] "Keeps the right of a queenside rook that has moved."
    RookCaptureKeepsRight ["castling", "rights", "rook-returns", "capture"] "Keeps the right of a rook that has captured."
    RookCapturedKeepsRight ["castling", "rights", "rook-captured"] "Keeps the right of a rook that was captured."
    RookCapturedKeepsRightLong ["castling", "rights", "rook-captured"] "Keeps the right of a queenside rook that was captured."
    WhiteRookCapturedKeepsRight ["castling", "rights", "rook-captured"] "Keeps the right of a white rook that was captured."
    RookCapturedByPromotionKeepsRight ["castling", "rights", "rook-captured", "promotion"] "Keeps the right of a rook that was captured by a promoting pawn."
    RookMoveLosesBothRights ["castling", "rights"] "Drops both rights when one rook moves."
    AnyRookMoveLosesRight ["castling", "rights"] "Drops a right when any rook moves on that side of the board."
    RookCaptureLosesBothRights ["castling", "rights", "rook-captured"] "Drops both rights when one rook is captured."
    CheckLosesRights ["castling", "rights", "check"] "Drops the rights of a king that was in check."
    // Castling: making the move.
    CastlingRookNotMoved ["castling"] "Leaves the rook where it is when castling."
    CastlingLongOneTooFar ["castling"] "Puts king and rook one file too far when castling queenside."
    CastlingKeepsRights ["castling", "rights"] "Keeps the rights of a king that has castled."
    CastlingClearsTheirRights ["castling", "rights"] "Drops the rights of the other side when castling."
    CastlingCheckUnseen ["castling", "gives-check"] "Does not see a check by castling."
    KingSquareNotUpdatedByCastling ["castling", "stale"] "Takes the king to be on its old square after castling."
    SideKeptByCastling ["castling", "side-to-move"] "Lets the same side move again after castling."
    // Castling in Chess960.
    Chess960UncoveredCheck ["chess960", "castling", "uncovered-check"] "Castles although the rook leaves the king in check along the rank."
    Chess960SwapErasesKing ["chess960", "castling", "swap"] "Wipes out the king that castles to the rook's square."
    Chess960SwapForbidden ["chess960", "castling", "swap"] "Refuses to castle when king and rook change places."
    Chess960TargetOfKingMustBeFree ["chess960", "castling", "swap"] "Refuses to castle when the rook stands where the king lands."
    Chess960TargetOfRookMustBeFree ["chess960", "castling", "swap"] "Refuses to castle when the king stands where the rook lands."
    Chess960KingMustMove ["chess960", "castling", "king-stays"] "Refuses to castle when the king stays where it is."
    Chess960RookMustMove ["chess960", "castling", "rook-stays"] "Refuses to castle when the rook stays where it is."
    Chess960RookPathIgnored ["chess960", "castling", "blocked"] "Castles although a piece stands in the rook's way alone."
    Chess960OnlyBetweenTested ["chess960", "castling", "blocked"] "Tests only the squares between king and rook for pieces."
    Chess960LongPathUntested ["chess960", "castling", "through-check"] "Tests only the first and the last square of the castling king's way for attacks."
    Chess960OutermostRookAssumed ["chess960", "castling", "inner-rook"] "Takes the outermost rook for the one that may castle."
    Chess960RightsTiedToCorners ["chess960", "castling", "rights"] "Drops a right only when something happens on a corner."
    Chess960KingFromEOnly ["chess960", "castling"] "Castles from the e-file alone."
    Chess960CornerRooksOnly ["chess960", "castling"] "Castles with rooks on the corners alone."
    // En passant: who may take.
    EpMissing ["ep"] "Never takes en passant."
    EpByBlackMissing ["ep"] "Never takes en passant with Black."
    EpTowardAOnly ["ep"] "Takes en passant only toward the a-file."
    EpTowardHOnly ["ep"] "Takes en passant only toward the h-file."
    EpOnEdgeFileMissing ["ep"] "Does not take en passant on the a-file and the h-file."
    EpByOnePawnOnly ["ep", "double-capture"] "Lets only one of two pawns take en passant."
    EpFromWrongRank ["ep"] "Takes en passant also from one rank behind."
    EpByAnyPiece ["ep"] "Removes the pawn when any piece moves to the en passant square."
    EpWraps ["ep", "wrap"] "Takes en passant across the edge of the board."
    EpTwice ["ep", "duplicate"] "Lists en passant twice."
    EpNoneIsFileA ["ep"] "Takes en passant on the a-file where there is no en passant square."
    // En passant: the square.
    EpAfterSingleStep ["ep"] "Grants en passant after a single step."
    EpAfterAnyDoubleStep ["ep"] "Grants en passant after any piece has gone two squares along a file."
    EpSquareStopsSliders ["ep", "check"] "Takes the en passant square for a piece that stops sliders."
    EpGrantedByWhiteOnly ["ep"] "Grants no en passant after a double push of Black."
    EpNeverCleared ["ep", "stale"] "Keeps the en passant square until the next double push."
    EpClearedByPawnsOnly ["ep", "stale"] "Keeps the en passant square when no pawn moves."
    EpNotClearedByCastling ["ep", "castling", "stale"] "Keeps the en passant square when castling."
    EpNotClearedByCapture ["ep", "capture", "stale"] "Keeps the en passant square when capturing."
    EpNotClearedByKing ["ep", "stale"] "Keeps the en passant square when the king moves."
    // En passant: making the move.
    EpVictimNotRemoved ["ep"] "Leaves the pawn taken en passant on the board."
    EpVictimAboveTarget ["ep"] "Empties the square beyond the en passant square instead of the victim's."
    EpVictimWrongForBlack ["ep"] "Empties the wrong square when Black takes en passant."
    SideKeptByEnPassant ["ep", "side-to-move"] "Lets the same side move again after en passant."
    EpDiscoveredCheckUnseen ["ep", "discovered-check", "gives-check"] "Does not see a check uncovered by en passant."
    // En passant: king safety.
    EpNotTested ["ep", "pin", "check"] "Does not test whether en passant leaves the king in check."
    EpRankPinIgnored ["ep", "rank-pin"] "Takes en passant although both pawns leave the king's rank open."
    EpRankPinIgnoredTowardVictim ["ep", "rank-pin"] "Misses the open rank after en passant when the king is nearer to the victim."
    EpDiagonalPinIgnored ["ep", "diagonal-pin"] "Takes en passant with a pawn pinned on a diagonal."
    EpFilePinIgnored ["ep", "file-pin"] "Takes en passant with a pawn pinned on a file."
    EpAlongDiagonalPinMissing ["ep", "pin", "diagonal-pin"] "Does not take en passant with a pawn pinned on that diagonal, where it is parallel to a1-h8."
    EpAlongAntidiagonalPinMissing ["ep", "pin", "diagonal-pin"] "Does not take en passant with a pawn pinned on that diagonal, where it is parallel to h1-a8."
    EpTestedWithoutBothCapturers ["ep", "rank-pin", "double-capture"] "Tests en passant without both pawns that may take."
    EpRankPinThroughPieces ["ep", "rank-pin"] "Refuses en passant on the king's rank with a rook or queen there, whatever stands between."
    EpTestedWithoutCapturer ["ep", "file-pin"] "Tests en passant without the pawn where it lands."
    EpNoEvasion ["ep", "check", "evasion"] "Never takes en passant in check."
    EpCheckerNotTaken ["ep", "check", "capture-checker", "evasion"] "Does not take en passant the pawn that gives check."
    EpAnswersAnyCheck ["ep", "check", "evasion"] "Takes en passant in check although the check remains."
    // Pins: which are seen.
    PinsIgnored ["pin"] "Moves pinned pieces freely."
    FilePinIgnored ["pin", "file-pin"] "Does not see pins along a file."
    RankPinIgnored ["pin", "rank-pin"] "Does not see pins along a rank."
    DiagonalPinIgnored ["pin", "diagonal-pin"] "Does not see pins along a diagonal parallel to a1-h8."
    AntidiagonalPinIgnored ["pin", "diagonal-pin"] "Does not see pins along a diagonal parallel to h1-a8."
    BishopPinsUnseen ["pin", "diagonal-pin"] "Does not see pins by a bishop."
    RookPinsUnseen ["pin"] "Does not see pins by a rook."
    QueenPinsUnseen ["pin"] "Does not see pins by a queen."
    OnlyOnePinSeen ["pin"] "Sees only one of several pins."
    PinBesideKingOnly ["pin"] "Sees a pin only beside the king."
    PinByNeighborOnly ["pin"] "Sees a pin only by a slider beside the pinned piece."
    PinsForgottenInCheck ["pin", "check", "evasion"] "Forgets pins when in check."
    PinThroughTwoPieces ["pin"] "Takes the first of two pieces of its own before a slider for pinned."
    PinThroughTheirPiece ["pin"] "Sees a pin although a piece of the other side stands before the slider."
    AnySliderPins ["pin"] "Lets bishops pin on files and ranks, and rooks on diagonals."
    // Pins: how the pinned piece moves.
    PinnedKnightMoves ["pin"] "Moves pinned knights freely."
    PinnedPawnMoves ["pin"] "Moves pinned pawns freely."
    PinnedQueenMoves ["pin"] "Moves pinned queens freely."
    PinnedRookMoves ["pin"] "Moves pinned rooks freely."
    PinnedBishopMoves ["pin"] "Moves pinned bishops freely."
    PinnedPawnPushes ["pin", "diagonal-pin", "rank-pin"] "Pushes a pawn that is pinned on a rank or a diagonal."
    PinnedPawnCaptures ["pin"] "Captures with a pinned pawn off its line."
    PinnedRookTurns ["pin", "file-pin", "rank-pin"] "Moves a rook or queen pinned on a file along the rank, and the other way round."
    PinnedBishopTurns ["pin", "diagonal-pin"] "Moves a bishop or queen pinned on one diagonal along the other."
    PinnedPieceTakesElsewhere ["pin", "capture"] "Captures with a pinned piece off its line."
    PinnedPieceFrozen ["pin"] "Does not move a pinned piece along its line."
    PinnedSliderFrozen ["pin"] "Does not move a pinned slider along its line."
    PinnedPawnPushMissing ["pin", "file-pin"] "Does not push a pawn pinned on its file."
    PinnedPawnDoublePushMissing ["pin", "file-pin", "double-push"] "Does not push a pawn pinned on its file two squares."
    PinnedPawnPromotionMissing ["pin", "diagonal-pin", "promotion", "capture"] "Does not promote a pinned pawn by capturing the pinner."
    PinnedPawnPromotesToQueenOnly ["pin", "diagonal-pin", "promotion", "underpromotion"] "Promotes a pinned pawn to a queen alone."
    PinnedPawnCaptureMissing ["pin", "diagonal-pin", "capture"] "Does not capture the pinner with a pinned pawn."
    PinnerNotTaken ["pin", "capture"] "Never captures the pinner with the pinned piece."
    PinnedPieceStaysBeforePinner ["pin"] "Lets a pinned piece do nothing but capture the pinner."
    // Checks: which are seen.
    PawnChecksUnseen ["check", "pawn-attack"] "Does not see checks by pawns."
    KnightChecksUnseen ["check"] "Does not see checks by knights."
    BishopChecksUnseen ["check"] "Does not see checks by bishops."
    RookChecksUnseen ["check"] "Does not see checks by rooks."
    QueenChecksUnseen ["check"] "Does not see checks by queens."
    DiscoveredCheckUnseen ["check", "discovered-check"] "Sees only checks by the piece that has moved."
    PromotionCheckUnseen ["check", "promotion", "gives-check"] "Does not see a check by the piece just promoted."
    PromotionDiscoversCheckUnseen ["check", "promotion", "discovered-check"] "Does not see a check uncovered by a promotion."
    KingDiscoversCheckUnseen ["check", "kings", "discovered-check"] "Does not see a check uncovered by the king."
    DoublePushCheckUnseen ["check", "double-push", "pawn-attack"] "Does not see a check by a pawn that has gone two squares."
    // Checks: how they are answered.
    DoubleCheckTaken ["check", "double-check", "evasion"] "Answers a double check by capturing one checker."
    DoubleCheckBlocked ["check", "double-check", "evasion"] "Answers a double check by blocking one checker."
    CheckerNotTaken ["check", "capture-checker", "evasion"] "Captures a checker with the king alone."
    CheckerNotTakenByPawn ["check", "capture-checker", "evasion"] "Does not capture a checker with a pawn."
    CheckerNotTakenByKnight ["check", "capture-checker", "evasion"] "Does not capture a checker with a knight."
    CheckerNotTakenByBishop ["check", "capture-checker", "evasion"] "Does not capture a checker with a bishop."
    CheckerNotTakenByRook ["check", "capture-checker", "evasion"] "Does not capture a checker with a rook."
    CheckerNotTakenByQueen ["check", "capture-checker", "evasion"] "Does not capture a checker with a queen."
    CheckNotBlocked ["check", "block-check", "evasion"] "Never blocks a check."
    CheckNotBlockedByPawn ["check", "block-check", "evasion"] "Does not block a check with a pawn."
    CheckNotBlockedByKnight ["check", "block-check", "evasion"] "Does not block a check with a knight."
    CheckNotBlockedByBishop ["check", "block-check", "evasion"] "Does not block a check with a bishop."
    CheckNotBlockedByRook ["check", "block-check", "evasion"] "Does not block a check with a rook."
    CheckNotBlockedByQueen ["check", "block-check", "evasion"] "Does not block a check with a queen."
    CheckNotBlockedByDoublePush ["check", "block-check", "double-push", "evasion"] "Does not block a check with a double push."
    CheckNotBlockedNextToKing ["check", "block-check", "evasion"] "Does not block a check on the square next to the king."
    CheckBlockedBehindChecker ["check", "block-check", "evasion"] "Takes a square behind the checker for a block."
    KnightCheckBlocked ["check", "block-check", "evasion"] "Blocks a check by a knight."
    PromotionNoEvasion ["check", "promotion", "evasion"] "Never answers a check with a promotion."
    PromotionTakesNoChecker ["check", "promotion", "capture-checker", "evasion"] "Never captures a checker with a promotion."
    KnightTakenByQueenOnly ["check", "promotion", "underpromotion", "capture-checker", "evasion"] "Promotes to a queen alone when that captures a checking knight."
    BishopTakenByQueenOnly ["check", "promotion", "underpromotion", "capture-checker", "evasion"] "Promotes to a queen alone when that captures a checking bishop."
    RookTakenByQueenOnly ["check", "promotion", "underpromotion", "capture-checker", "evasion"] "Promotes to a queen alone when that captures a checking rook."
    QueenTakenByQueenOnly ["check", "promotion", "underpromotion", "capture-checker", "evasion"] "Promotes to a queen alone when that captures a checking queen."
    PromotionBlocksNoCheck ["check", "promotion", "block-check", "evasion"] "Never blocks a check with a promotion."
    PromotionBlocksToQueenOnly ["check", "promotion", "underpromotion", "block-check", "evasion"] "Promotes to a queen alone when that blocks a check."
    // Kings.
    KingTakesProtected ["kings", "protected"] "Captures a protected piece with the king."
    KingCannotTakeChecker ["kings", "capture-checker", "evasion"] "Does not capture a checker with the king."
    KingCannotTakeInCheck ["kings", "capture", "evasion"] "Captures nothing with a king in check."
    KingCannotTakeInDoubleCheck ["kings", "capture", "double-check", "evasion"] "Captures nothing with a king in double check."
    KingShadowsRay ["kings", "x-ray", "evasion"] "Lets the king step back along the line of the slider that gives check."
    KingsMayTouch ["kings"] "Lets the kings stand side by side."
    KingsMayTouchDiagonally ["kings"] "Lets the kings stand side by side on a diagonal."
    PawnGuardsUnseen ["kings", "pawn-attack"] "Moves the king onto squares that pawns attack."
    PawnGuardsBackward ["kings", "pawn-attack"] "Takes pawns to attack backward."
    PawnGuardsWrap ["kings", "pawn-attack", "wrap"] "Takes pawns to attack across the edge of the board."
    KnightGuardsUnseen ["kings"] "Moves the king onto squares that knights attack."
    QueenAttacksStraightOnly ["kings", "check"] "Sees no attack of a queen on diagonals."
    QueenAttacksDiagonallyOnly ["kings", "check"] "Sees no attack of a queen on files and ranks."
    LongDiagonalGuardsUnseen ["kings"] "Moves the king onto squares attacked on a diagonal from five squares away or more."
    AdjacentSliderGuardsUnseen ["kings", "protected"] "Moves the king beside a slider that attacks the square."
    PinnedPieceGuardsNothing ["kings", "pin"] "Takes pinned pieces to attack nothing."
    KingWrapsAFile ["kings", "wrap"] "Lets the king step across the a-file."
    KingWrapsHFile ["kings", "wrap"] "Lets the king step across the h-file."
    KingWrapsRanks ["kings", "wrap"] "Lets the king step from the last rank to the first."
    KingCaptureTwice ["kings", "duplicate"] "Lists captures of the king twice."
    // Pawns.
    DoublePushMissing ["double-push"] "Never pushes a pawn two squares."
    DoublePushMissingOnEdge ["double-push"] "Never pushes a pawn of the a-file or h-file two squares."
    DoublePushJumps ["double-push", "blocked"] "Pushes a pawn two squares over a piece."
    DoublePushCaptures ["double-push", "capture"] "Captures with a double push."
    DoublePushFromThirdRank ["double-push"] "Pushes a pawn two squares from its third rank, too."
    DoublePushFromAnyRank ["double-push"] "Pushes a pawn two squares from any rank."
    DoublePushRankOfBlackWrong ["double-push"] "Pushes Black's pawns two squares from the sixth rank instead of the seventh."
    DoublePushTwice ["double-push", "duplicate"] "Lists double pushes twice."
    PushCaptures ["blocked", "capture"] "Captures with a push."
    PawnCapturesOwn ["capture"] "Captures pieces of its own side with pawns."
    PawnCaptureTowardAMissing ["capture"] "Does not capture with pawns toward the a-file."
    PawnCaptureTowardHMissing ["capture"] "Does not capture with pawns toward the h-file."
    PawnCaptureWrapsAFile ["capture", "wrap"] "Captures with pawns across the a-file."
    PawnCaptureWrapsHFile ["capture", "wrap"] "Captures with pawns across the h-file."
    // Promotion.
    PromotionForgotten ["promotion"] "Leaves a pawn on the last rank a pawn."
    PromotionByWhiteOnly ["promotion"] "Leaves a black pawn on the last rank a pawn."
    CapturePromotionForgotten ["promotion", "capture"] "Leaves a pawn that captures on the last rank a pawn."
    PromotionOneRankEarly ["promotion"] "Promotes pawns on the seventh rank, too."
    PromotionToKnightMissing ["promotion", "underpromotion"] "Does not promote to a knight."
    PromotionToBishopMissing ["promotion", "underpromotion"] "Does not promote to a bishop."
    PromotionToRookMissing ["promotion", "underpromotion"] "Does not promote to a rook."
    PromotionToQueenMissing ["promotion"] "Does not promote to a queen."
    PromotionToQueenOnly ["promotion", "underpromotion"] "Promotes to a queen alone."
    PromotionToKing ["promotion", "kings"] "Promotes to a king, too."
    PromotionToPawn ["promotion"] "Promotes to a pawn, too."
    CapturePromotionMissing ["promotion", "capture"] "Never promotes by a capture."
    CapturePromotionToQueenOnly ["promotion", "underpromotion", "capture"] "Promotes by a capture to a queen alone."
    CapturePromotionTwice ["promotion", "capture", "duplicate"] "Lists promotions by a capture twice."
    CapturePromotionOntoEmpty ["promotion", "capture"] "Promotes by a capture although the square is empty."
    EmptyA8Taken ["promotion", "capture"] "Promotes by a capture on an empty a8."
    EmptyH8Taken ["promotion", "capture"] "Promotes by a capture on an empty h8."
    EmptyA1Taken ["promotion", "capture"] "Promotes by a capture on an empty a1."
    EmptyH1Taken ["promotion", "capture"] "Promotes by a capture on an empty h1."
    UnderpromotionMakesQueen ["promotion", "underpromotion"] "Makes a queen of every promoted pawn."
    PromotionChangesColor ["promotion"] "Gives the promoted piece to the other side."
    SideKeptByPromotion ["promotion", "side-to-move"] "Lets the same side move again after a promotion."
    // Knights and sliders.
    KnightJumpMissing ["knight"] "Lacks the jump of a knight two files left and one rank down."
    KnightCapturesOwn ["knight", "capture"] "Captures pieces of its own side with knights."
    KnightWrapsAFile ["knight", "wrap"] "Lets knights jump across the a-file."
    KnightWrapsHFile ["knight", "wrap"] "Lets knights jump across the h-file."
    KnightWrapsFromBFile ["knight", "wrap"] "Lets knights of the b-file jump across the a-file."
    KnightWrapsFromGFile ["knight", "wrap"] "Lets knights of the g-file jump across the h-file."
    KnightCaptureTwice ["knight", "duplicate"] "Lists captures of knights twice."
    QueenMovesStraightOnly ["slider"] "Moves queens like rooks."
    QueenMovesDiagonallyOnly ["slider"] "Moves queens like bishops."
    SliderStopsBeforeEdge ["slider"] "Does not move sliders to the edge of the board."
    SliderLacksSeventhStep ["slider"] "Moves sliders six squares at most."
    SliderCaptureOnEdgeMissing ["slider", "capture"] "Does not capture with sliders on the edge of the board."
    SliderCaptureOfNeighborMissing ["slider", "capture"] "Does not capture with sliders on the next square."
    SliderCapturesOwn ["slider", "capture"] "Captures pieces of its own side with sliders."
    SliderJumpsOwn ["slider", "x-ray"] "Moves sliders over a piece of their own side."
    SliderJumpsTheirs ["slider", "x-ray"] "Moves sliders over a piece of the other side."
    SliderLooksThroughKing ["slider", "x-ray"] "Moves sliders over their own king."
    SliderCaptureTwice ["slider", "duplicate"] "Lists captures of sliders twice."
    BishopWraps ["slider", "wrap"] "Moves bishops across the edge of the board."
    RookWrapsAFile ["slider", "wrap"] "Moves rooks across the a-file."
    RookWrapsHFile ["slider", "wrap"] "Moves rooks across the h-file."
    QueenWraps ["slider", "wrap"] "Moves queens across the edge of the board."
    // Lists that are too short.
    MoveListOf64 ["many-moves"] "Ends a list of moves at 64."
    MoveListOf100 ["many-moves"] "Ends a list of moves at 100."
    MoveListOf128 ["many-moves"] "Ends a list of moves at 128."
    MoveListOf192 ["many-moves"] "Ends a list of moves at 192."
    MoveListOf200 ["many-moves"] "Ends a list of moves at 200."
    MoveListOf217 ["many-moves"] "Ends a list of moves at 217."
    CaptureListOf32 ["many-moves", "capture"] "Ends a list of captures at 32."
    KnightListOfTwo ["many-pieces"] "Moves only two knights of a side."
    KnightListOfNine ["many-pieces"] "Moves only nine knights of a side."
    BishopListOfTwo ["many-pieces"] "Moves only two bishops of a side."
    BishopListOfNine ["many-pieces"] "Moves only nine bishops of a side."
    RookListOfTwo ["many-pieces"] "Moves only two rooks of a side."
    RookListOfNine ["many-pieces"] "Moves only nine rooks of a side."
    QueenListOfOne ["many-pieces"] "Moves only one queen of a side."
    QueenListOfFour ["many-pieces"] "Moves only four queens of a side."
    QueenListOfEight ["many-pieces"] "Moves only eight queens of a side."
    AttacksOfTwoKnights ["many-pieces", "check"] "Sees the attacks of only two knights of a side."
    AttacksOfTwoBishops ["many-pieces", "check"] "Sees the attacks of only two bishops of a side."
    AttacksOfTwoRooks ["many-pieces", "check"] "Sees the attacks of only two rooks of a side."
    AttacksOfOneQueen ["many-pieces", "check"] "Sees the attacks of only one queen of a side."
    // What is not taken back.
    EpSquareNotRestored ["stale", "ep"] "Does not restore the en passant square when a move is taken back."
    EpVictimNotRestored ["stale", "ep"] "Does not put back the pawn taken en passant."
    RightsNotRestored ["stale", "castling", "rights"] "Does not restore castling rights when a move is taken back."
    RightsNotRestoredAfterCapture ["stale", "castling", "rights", "capture"] "Does not restore castling rights when a capture is taken back."
    CastledRookNotTakenBack ["stale", "castling"] "Leaves the rook where castling put it."
    KingSquareNotRestored ["stale", "kings"] "Takes the king to be where a move put it that was taken back."
    PromotionCaptureNotRestored ["stale", "promotion", "capture"] "Does not put back a piece that a promoting pawn has captured."
    PromotedPieceNotTakenBack ["stale", "promotion"] "Leaves the promoted piece where the pawn stood."
    // Counting.
    MateCountsOne ["counting", "mate"] "Counts a mate as one leaf."
    StalemateCountsOne ["counting", "stalemate"] "Counts a stalemate as one leaf."
    BareKingsCountOne ["counting", "few-pieces"] "Counts a position of bare kings as one leaf, above the last ply too."
    LoneMinorEndsGame ["counting", "few-pieces"] "Finds no moves where a side has one minor piece and no other is left."
    TwoMinorsEndGame ["counting", "few-pieces"] "Finds no moves where only two minor pieces are left."
    FiftyPliesEndGame ["counting", "clock"] "Finds no moves once 50 plies have passed without capture or pawn move."
    FiftyMovesEndGame ["counting", "clock"] "Finds no moves once 50 moves of each side have passed without capture or pawn move."
    FiftyMovesEndGameLate ["counting", "clock"] "Finds no moves one ply after 50 moves of each side without capture or pawn move."
    SeventyFiveMovesEndGame ["counting", "clock"] "Finds no moves once 75 moves of each side have passed without capture or pawn move."
    SeventyFiveMovesEndGameLate ["counting", "clock"] "Finds no moves one ply after 75 moves of each side without capture or pawn move."
    // A table of counts.
    TableLacksEpSquare ["table", "ep"] "Keeps counts in a table that does not tell en passant squares apart."
    TableLacksRights ["table", "castling", "rights"] "Keeps counts in a table that does not tell castling rights apart."
    TableLacksKings ["table", "kings"] "Keeps counts in a table that does not tell the squares of kings apart."
    LastPlyNotTested ["counting", "check", "pin"] "Counts moves that leave the king in check on the last ply."
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_the_variants_in_kebab_case() {
        for (mutation, name) in [
            (Mutation::CastlingOutOfCheck, "castling-out-of-check"),
            (Mutation::MoveListOf64, "move-list-of-64"),
            (Mutation::Chess960KingFromEOnly, "chess960-king-from-e-only"),
            (Mutation::EmptyA8Taken, "empty-a8-taken"),
        ] {
            assert_eq!(mutation.name(), name);
        }
        for mutation in Mutation::ALL {
            assert_eq!(Mutation::from_name(mutation.name()), Some(mutation));
        }
        assert_eq!(Mutation::from_name("nonesuch"), None);
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
