//! What the search of profile `Touchstone` does besides the plain search, each a switch.

/// Declares the switches, and their names for the user.
macro_rules! features {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What the search does besides alpha-beta with table and quiescence. What each was worth in
        /// games is told in `docs/strength.md`; tests, and the option `Without`, switch them off.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Features {
            $($(#[$doc])* pub $name: bool,)*
        }

        impl Features {
            /// The names of all features.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];
            /// Nothing at all: the value is that of min-max.
            pub const NONE: Self = Self { $($name: false,)* };
            /// The search of profile `Touchstone`: everything.
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
    /// A visit that repeats a position of the line searched is a draw at once, and values of the
    /// table count from any sufficient depth: what min-max would do with more patience.
    shortcuts,
    /// Each iteration is first searched within narrow bounds around the value of the one before.
    aspiration,
    /// Quiet moves are ordered by how often they have been good.
    history,
    /// The same for captures.
    capture_history,
    /// The same for answers to the moves one and two plies before.
    continuation_history,
    /// The quiet move that last refuted the move before is tried early.
    countermoves,
    /// Captures that lose material are tried last.
    exchange_order,
    /// In quiescence, captures that lose material are not tried.
    exchange_quiescence,
    /// Near the leaves, moves that lose much material are not tried.
    exchange_pruning,
    /// Where passing is good enough, moving will be.
    null_move,
    /// Where the evaluation is far above beta near the leaves, nothing is searched.
    reverse_futility,
    /// Where the evaluation is far below alpha near the leaves, quiescence alone is searched.
    razoring,
    /// Late moves are searched less deeply at first.
    late_reductions,
    /// Near the leaves, late quiet moves are not tried; in check all are.
    late_pruning,
    /// Near the leaves, quiet moves are not tried where the evaluation is far below alpha.
    futility,
    /// Near the leaves, quiet moves that have been bad are not tried; what has been good is reduced
    /// less.
    history_pruning,
    /// Prunes and reduces less where the evaluation has risen since our last move.
    improving,
    /// Nodes for which the table knows no move are searched less deeply.
    internal_reduction,
    /// Quiet moves that give check directly are tried earlier, and are not left out themselves for
    /// being late or far below alpha.
    check_order,
    /// Moves that give check without losing material are searched one ply deeper.
    check_extension,
    /// A move that alone is good is searched deeper.
    singular_extension,
    /// Where a capture is far above beta at a lower depth, it will be at the full one.
    probability_cut,
    /// The evaluation learns from the searches of positions alike.
    correction_history,
    /// The time for a move depends on how settled the search is.
    time_by_trend,
}

/// There is no feature of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no feature '{name}', only {}", Features::NAMES.join(", "))]
pub struct UnknownFeatureError {
    /// The name.
    pub name: String,
}

impl Features {
    /// The same without some features, given by their names with blanks between them.
    ///
    /// # Errors
    ///
    /// The first name that is none.
    pub fn without(mut self, names: &str) -> Result<Self, UnknownFeatureError> {
        for name in names.split_whitespace() {
            *self.switch(name).ok_or_else(|| UnknownFeatureError {
                name: name.to_owned(),
            })? = false;
        }
        Ok(self)
    }

    /// The same, but for what keeps moves from being looked at: for mates to be proved.
    pub(super) fn without_pruning(self) -> Self {
        Self {
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
