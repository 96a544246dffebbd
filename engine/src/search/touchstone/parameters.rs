//! The search parameters that can be tuned. In a usual build they are constants; in a build for
//! tuning (`TOUCHSTONE_TUNE=1 cargo build …`) each is a UCI option.

/// Whether this is a build for tuning.
const TUNES: bool = option_env!("TOUCHSTONE_TUNE").is_some();

/// A parameter of the search, as it is declared as an option of type spin.
#[derive(Debug)]
pub struct Parameter {
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
            pub const OPTIONS: &[Parameter] = if TUNES { Self::ALL } else { &[] };

            const ALL: &[Parameter] = &[$(Parameter {
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
    aspiration AspirationWindow = 20, 5 to 200;
    /// Reverse futility pruning: margin above beta per ply.
    reverse_step ReverseFutilityStep = 51, 0 to 300;
    /// Razoring: margin below alpha per ply.
    razor_step RazorStep = 263, 0 to 1000;
    /// Null-move pruning: the base reduction, in fractions of a ply.
    null_base NullMoveBase = 4710, 1024 to 10_240;
    /// Null-move pruning: the centipawns above beta that reduce by one more ply.
    null_step NullMoveStep = 178, 20 to 1000;
    /// `ProbCut`: margin above beta.
    prob_cut_margin ProbCutMargin = 120, 0 to 600;
    /// Base reduction of every late move, in fractions of a ply.
    lmr_base LmrBase = 880, 0 to 4096;
    /// Reduction by the product of the binary logarithms of depth and move number, in fractions of a
    /// ply.
    lmr_slope LmrSlope = 268, 0 to 1024;
    /// The smaller reduction in PV nodes, in fractions of a ply.
    pv_less LmrPv = 850, 0 to 4096;
    /// The larger reduction in expected cut nodes, in fractions of a ply.
    cut_more LmrCut = 1200, 0 to 4096;
    /// The larger reduction if not improving, in fractions of a ply.
    not_improving_more LmrNotImproving = 480, 0 to 4096;
    /// History score that reduces a move one ply less.
    history_ply LmrHistory = 5900, 500 to 32_768;
    /// Late-move pruning: number of moves before the square of the depth is added.
    late_move_base LateMoveBase = 5, 1 to 60;
    /// Futility pruning: margin at depth 0.
    futility_base FutilityBase = 70, 0 to 500;
    /// Futility pruning: margin per ply.
    futility_step FutilityStep = 62, 0 to 400;
    /// History pruning: history score per ply below which a move is skipped.
    history_step HistoryPruningStep = 5500, 0 to 32_768;
    /// SEE pruning: the allowed loss per ply of a quiet move.
    quiet_see SeeQuiet = 60, 0 to 500;
    /// SEE pruning: the allowed loss per ply of a noisy move.
    noisy_see SeeNoisy = 95, 0 to 500;
    /// Delta pruning: captures that stay further than this below alpha, including the material won,
    /// are skipped.
    delta DeltaMargin = 198, 0 to 1000;
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
        assert_eq!(Parameters::OPTIONS.len(), if TUNES { 19 } else { 0 });
        let mut values = Parameters::DEFAULT;
        for parameter in Parameters::ALL {
            let Parameter {
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
        assert_eq!(values.aspiration(), if TUNES { 21 } else { 20 });
    }
}
