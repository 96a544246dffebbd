//! The configuration of the search of profile `Touchstone`: its features, each a switch, and
//! tablebases.

use tablebase::Probing;

use super::parameters::Parameters;
use crate::search::SearchLimits;

/// Declares the switches and their option names.
macro_rules! features {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Features besides alpha-beta with transposition table and quiescence. Their value in
        /// games is documented in `docs/strength.md`; tests and the option `Without` disable them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Features {
            $($(#[$doc])* pub $name: bool,)*
        }

        impl Features {
            /// The names of all features.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];
            /// No features: the score is that of plain minimax.
            pub const NONE: Self = Self { $($name: false,)* };
            /// The search of profile `Touchstone`: all features.
            pub const TOUCHSTONE: Self = Self { $($name: true,)* };

            fn switch(&mut self, name: &str) -> Option<&mut bool> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

features! {
    /// A single repetition within the search is scored as a draw, and TT scores of any sufficient
    /// depth cause cutoffs. Minimax would find the same with more depth.
    shortcuts,
    /// Aspiration windows: each iteration starts with a narrow window around the previous score.
    aspiration,
    /// History heuristic for quiet moves.
    history,
    /// Capture history.
    capture_history,
    /// Continuation history: replies to the moves one and two plies before.
    continuation_history,
    /// Countermove heuristic: the quiet move that last refuted the previous move is tried early.
    countermoves,
    /// Captures that lose material by SEE are tried last.
    exchange_order,
    /// Captures that lose material by SEE are not searched in quiescence.
    exchange_quiescence,
    /// SEE pruning: near the leaves, moves that lose much material are skipped.
    exchange_pruning,
    /// Null-move pruning.
    null_move,
    /// Reverse futility pruning: near the leaves, nodes with a static eval far above beta fail
    /// high.
    reverse_futility,
    /// Razoring: near the leaves, nodes with a static eval far below alpha drop into quiescence.
    razoring,
    /// Late-move reductions (LMR).
    late_reductions,
    /// Late-move pruning: near the leaves, late quiet moves are skipped, except in check.
    late_pruning,
    /// Futility pruning: near the leaves, quiet moves are skipped if the static eval is far below
    /// alpha.
    futility,
    /// History pruning: near the leaves, quiet moves with bad history are skipped; reductions
    /// depend on history.
    history_pruning,
    /// Prunes and reduces less if the static eval has improved since our previous move.
    improving,
    /// Internal iterative reductions: nodes without a TT move are searched less deeply.
    internal_reduction,
    /// Quiet moves that give direct check are ordered earlier and are exempt from late-move and
    /// futility pruning.
    check_order,
    /// Check extension: checks that lose no material are searched one ply deeper.
    check_extension,
    /// Singular extension: a move much better than all others is searched deeper.
    singular_extension,
    /// `ProbCut`: a capture far above beta at reduced depth causes a cutoff.
    probability_cut,
    /// Correction history: static evals are corrected by search results of positions with the same
    /// pawns or the same pieces of one side.
    correction_history,
    /// Correction history by minor pieces and kings.
    minor_correction,
    /// Correction history by the last two moves.
    continuation_correction,
    /// Quiet history by whether origin and target are attacked.
    threat_history,
    /// Pawn history: quiet moves by pawn structure.
    pawn_history,
    /// Low-ply history: quiet moves near the root.
    low_ply_history,
    /// Continuation history four plies back.
    fourth_continuation,
    /// The opponent's quiet move is rewarded by the static eval that it leads to, and if no move
    /// answers it.
    prior_move_history,
    /// TT-PV: nodes once searched as PV nodes are reduced less.
    tt_pv,
    /// Moves are reduced more where the TT move is a capture, and where the child plies had many
    /// cutoffs.
    reduction_signals,
    /// Reductions of captures and promotions depend on capture history.
    capture_reduction,
    /// Futility pruning of captures.
    capture_futility,
    /// After a reduced search that fails high, the full search is deeper or shallower by its score.
    deeper_shallower,
    /// Hindsight: a node whose move was reduced by much is searched deeper if the reduction looks
    /// wrong, less deeply if it looks right.
    hindsight,
    /// A move that raises alpha lowers the depth of the rest.
    raised_alpha,
    /// TT cutoffs update the histories.
    tt_history,
    /// Where the root fails high, it is searched again with less depth.
    fail_high_reduction,
    /// Scores above beta are drawn towards it.
    fail_high_damping,
    /// `ProbCut` by the TT score alone.
    small_probability_cut,
    /// The TT move is tried first in quiescence.
    tt_quiescence,
    /// Mate search: while checkmates are dense in the tree, there is no razoring and no futility
    /// pruning, and quiescence begins with quiet checks too.
    mate_search,
    /// Upcoming repetitions are draws that the side to move can have.
    upcoming_repetition,
    /// Static evals fade with the halfmove clock.
    fifty_move_damping,
    /// The time for a move depends on the stability of the search.
    time_by_trend,
}

/// An unknown feature name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no feature '{name}', only {}", Features::NAMES.join(", "))]
pub struct UnknownFeatureError {
    /// The name as given.
    pub name: String,
}

/// Where a search has its features from: fixed when it is compiled, so that a switch costs nothing
/// where it is asked, or chosen at run time.
pub(super) trait Switches: Copy + Send + Sync {
    /// The features.
    fn features(self) -> Features;
}

/// All features, fixed.
#[derive(Clone, Copy, Debug)]
pub(super) struct AllFeatures;

impl Switches for AllFeatures {
    #[inline(always)]
    fn features(self) -> Features {
        Features::TOUCHSTONE
    }
}

impl Switches for Features {
    #[inline(always)]
    fn features(self) -> Features {
        self
    }
}

impl Features {
    /// Disables some features, given by their names separated by spaces.
    ///
    /// # Errors
    ///
    /// The first unknown name.
    pub fn without(mut self, names: &str) -> Result<Self, UnknownFeatureError> {
        for name in names.split_whitespace() {
            *self.switch(name).ok_or_else(|| UnknownFeatureError {
                name: name.to_owned(),
            })? = false;
        }
        Ok(self)
    }

    /// Disables the features that may skip a mating line, for mate proofs.
    pub(super) fn without_pruning(self) -> Self {
        Self {
            // Ordering skips no move, and the shortest mate repeats no position.
            shortcuts: true,
            history: self.history,
            capture_history: self.capture_history,
            continuation_history: self.continuation_history,
            countermoves: self.countermoves,
            exchange_order: self.exchange_order,
            ..Self::NONE
        }
    }
}

/// Search configuration.
#[derive(Clone, Copy, Debug)]
pub struct Config<'a> {
    /// Features besides plain alpha-beta.
    pub features: Features,
    /// The values of what can be tuned.
    pub parameters: Parameters,
    /// Endgame tablebases.
    pub tables: Option<&'a Probing>,
}

impl Default for Config<'_> {
    fn default() -> Self {
        Self {
            features: Features::TOUCHSTONE,
            parameters: Parameters::DEFAULT,
            tables: None,
        }
    }
}

impl Config<'_> {
    /// The configuration adapted to the limits: a proof of a mate must not prune any move.
    pub(in crate::search) fn within(mut self, limits: &SearchLimits) -> Self {
        if limits.mate.is_some() {
            self.features = self.features.without_pruning();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_switched_off_by_name() {
        let all = Features::NAMES.join(" ");
        assert_eq!(Features::TOUCHSTONE.without(&all), Ok(Features::NONE));
        let some = Features::TOUCHSTONE.without(" null_move\tfutility ");
        let some = some.expect("both exist");
        assert!(!some.null_move && !some.futility && some.history);
        let error = Features::NONE
            .without("history magic")
            .expect_err("unknown");
        let text = error.to_string();
        assert!(
            text.starts_with("there is no feature 'magic', only shortcuts, "),
            "{text}"
        );
    }
}
