//! The search parameters that can be tuned. In a usual build they are constants; in a build for
//! tuning (feature `tune` of this crate) each is a UCI option.

/// Whether this is a build for tuning.
const TUNES: bool = cfg!(feature = "tune");

/// A parameter of the search, as it is declared as an option of type spin.
#[derive(Debug)]
pub struct SearchParameter {
    /// Name of the option.
    pub name: &'static str,
    /// The value of a usual build.
    pub default: u32,
    /// Smallest value.
    pub min: u32,
    /// Largest value.
    pub max: u32,
    /// The value in a set of values.
    pub value: fn(&mut Parameters) -> &mut u32,
}

/// Declares the parameters: the function that reads it, the name of its option, its value, and the
/// range of the option.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident $option:ident = $default:literal, $min:literal to $max:literal;)*) => {
        /// A value for each parameter of the search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($name: u32,)*
        }

        impl Parameters {
            /// The values of a usual build.
            pub const DEFAULT: Self = Self { $($name: $default,)* };

            /// The parameters that are options; none but in a build for tuning.
            pub const OPTIONS: &[SearchParameter] = if TUNES { Self::ALL } else { &[] };

            const ALL: &[SearchParameter] = &[$(SearchParameter {
                name: stringify!($option),
                default: $default,
                min: $min,
                max: $max,
                value: |values| &mut values.$name,
            },)*];

            $($(#[$doc])*
            #[inline(always)]
            pub(super) const fn $name(&self) -> i32 {
                // Only a constant folds into the instructions around it.
                if TUNES { self.$name.cast_signed() } else { $default }
            })*
        }
    };
}

parameters! {
    /// Initial half-width of the aspiration window, in centipawns.
    aspiration AspirationWindow = 21, 5 to 200;
    /// Reverse futility pruning: margin above beta per ply.
    reverse_step ReverseFutilityStep = 51, 0 to 300;
    /// Razoring: margin below alpha per ply.
    razor_step RazorStep = 319, 0 to 1000;
    /// Null-move pruning: the base reduction, in fractions of a ply.
    null_base NullMoveBase = 5892, 1024 to 10_240;
    /// Null-move pruning: the centipawns above beta that reduce by one more ply.
    null_step NullMoveStep = 293, 20 to 1000;
    /// Null-move pruning: the reduction per ply of depth, in fractions of a ply.
    null_slope NullMoveSlope = 191, 0 to 1024;
    /// `ProbCut` by the TT score alone: margin above beta.
    small_prob_cut_margin SmallProbCutMargin = 187, 0 to 1000;
    /// `ProbCut`: margin above beta.
    prob_cut_margin ProbCutMargin = 38, 0 to 600;
    /// Base reduction of every late move, in fractions of a ply.
    lmr_base LmrBase = 399, 0 to 4096;
    /// Reduction by the product of the binary logarithms of depth and move number, in fractions of a
    /// ply.
    lmr_slope LmrSlope = 337, 0 to 1024;
    /// The smaller reduction in PV nodes, in fractions of a ply.
    pv_less LmrPv = 1156, 0 to 4096;
    /// The larger reduction in expected cut nodes, in fractions of a ply.
    cut_more LmrCut = 1719, 0 to 4096;
    /// The larger reduction if not improving, in fractions of a ply.
    not_improving_more LmrNotImproving = 560, 0 to 4096;
    /// History score that reduces a move one ply less.
    history_ply LmrHistory = 14_233, 500 to 32_768;
    /// Capture history that reduces a capture one ply less.
    capture_history_ply LmrCaptureHistory = 20_512, 500 to 65_536;
    /// The smaller reduction in nodes that were PV nodes, in fractions of a ply.
    tt_pv_less LmrTtPv = 1000, 0 to 4096;
    /// The larger reduction where the TT move is a capture, in fractions of a ply.
    tt_capture_more LmrTtCapture = 1177, 0 to 4096;
    /// The larger reduction where the children had several cutoffs, in fractions of a ply.
    cutoffs_more LmrCutoffs = 267, 0 to 4096;
    /// The smaller reduction of moves out of check or giving check, in fractions of a ply.
    check_less LmrCheck = 344, 0 to 4096;
    /// The smaller reduction of killers, in fractions of a ply.
    killer_less LmrKiller = 1035, 0 to 4096;
    /// A reduced search this far above the best score is repeated a ply deeper.
    deeper_margin DeeperMargin = 17, 0 to 300;
    /// A reduced search less than this above the best score is repeated a ply shallower.
    shallower_margin ShallowerMargin = 13, 0 to 100;
    /// Hindsight: what the last move must have lost to make its reduction right.
    hindsight_margin HindsightMargin = 111, 0 to 500;
    /// Singular extension: margin per ply, in sixteenths.
    singular_step SingularStep = 3, 0 to 64;
    /// Singular extension: two plies if the other moves are this far below the window.
    double_margin DoubleExtensionMargin = 14, 0 to 200;
    /// Late-move pruning: number of moves before the square of the depth is added.
    late_move_base LateMoveBase = 5, 1 to 60;
    /// Futility pruning: margin at depth 0.
    futility_base FutilityBase = 157, 0 to 500;
    /// Futility pruning: margin per ply.
    futility_step FutilityStep = 17, 0 to 400;
    /// History pruning: history score per ply below which a move is skipped.
    history_step HistoryPruningStep = 5668, 0 to 65_536;
    /// SEE pruning: the allowed loss per ply of a quiet move.
    quiet_see SeeQuiet = 91, 0 to 500;
    /// SEE pruning: the allowed loss per ply of a noisy move.
    noisy_see SeeNoisy = 97, 0 to 500;
    /// Futility pruning of captures: margin at depth 0.
    capture_futility_base CaptureFutilityBase = 213, 0 to 800;
    /// Futility pruning of captures: margin per ply.
    capture_futility_step CaptureFutilityStep = 162, 0 to 500;
    /// History bonus of a cutoff per ply of depth.
    bonus_step BonusStep = 415, 0 to 1000;
    /// The largest history bonus.
    bonus_most BonusMost = 2124, 0 to 8000;
    /// History malus of a move tried before a cutoff, per ply of depth.
    malus_step MalusStep = 433, 0 to 1000;
    /// The largest history malus.
    malus_most MalusMost = 1889, 0 to 8000;
    /// History bonus of the opponent's move per centipawn of static evaluation.
    prior_eval PriorMoveEval = 6, 0 to 100;
    /// History bonus of the opponent's move that nothing answers, in 64ths of a cutoff's.
    prior_fail_low PriorMoveFailLow = 6, 0 to 128;
    /// Ordering bonus of a quiet check.
    check_bonus CheckBonus = 5325, 0 to 32_768;
    /// Weight of corrections by pawns, in 128ths.
    pawn_correction PawnCorrection = 56, 0 to 512;
    /// Weight of corrections by the pieces of a side, in 128ths.
    piece_correction PieceCorrection = 64, 0 to 512;
    /// Weight of corrections by minor pieces, in 128ths.
    minor_correction MinorCorrection = 103, 0 to 512;
    /// Weight of corrections by the last two moves, in 128ths.
    move_correction MoveCorrection = 65, 0 to 512;
    /// Delta pruning: captures that stay further than this below alpha, including the material won,
    /// are skipped.
    delta DeltaMargin = 236, 0 to 1000;
}

impl Default for Parameters {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_hold_their_parameters() {
        let options = if TUNES { Parameters::ALL.len() } else { 0 };
        assert_eq!(Parameters::OPTIONS.len(), options);
        let mut values = Parameters::DEFAULT;
        for parameter in Parameters::ALL {
            let SearchParameter {
                name,
                default,
                min,
                max,
                value,
            } = parameter;
            assert!((min..=max).contains(&default) && min < max, "{name}");
            assert_eq!(value(&mut values), default, "{name}");
            *value(&mut values) += 1;
        }
        // No two of them share a value.
        for parameter in Parameters::ALL {
            assert_eq!(*(parameter.value)(&mut values), parameter.default + 1);
        }
        let aspiration = Parameters::DEFAULT.aspiration();
        assert_eq!(values.aspiration(), aspiration + i32::from(TUNES));
    }
}
