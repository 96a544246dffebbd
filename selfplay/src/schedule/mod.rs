//! Who meets whom, in which order: a pure function of the configuration and of the results so far.
//!
//! A schedule is a sequence of [`Wave`]s. Within a wave everything is known from its start; which
//! wave follows depends on the results of those before it, and is asked once all of them are in. The
//! order in which games end is therefore without influence, and a schedule that is fed the records of
//! a run that was broken off goes on as if it had never stopped.
//!
//! - A match is one wave of one couple; a gauntlet one wave of the first engine with every other; a
//!   round robin one wave of all couples, in the order of the circle method.
//! - A Swiss tournament has a wave for each round. Engines are ranked by points, equals by a lot drawn
//!   once from the seed of the run; equals in points meet, and nobody meets another again while that
//!   can be avoided. A bye is worth a pair won.
//! - A knockout has a wave for each stage, and one for each extra pair of those that are level,
//!   [`MAX_EXTRA_PAIRS`] at most; then the higher seed goes on. Seeds are in the order of the
//!   configuration, and the best have the byes.
//!
//! A *round* is what is played from one opening: every couple of the wave plays one pair. Rounds are
//! counted through, and the opening of a round has its number, so that all couples of a wave meet the
//! same openings.
//!
//! Nothing is kept of games to come. Of games that were played only sums are kept, and those that ran
//! ahead of an unfinished one.

mod error;
mod game_set;
mod knockout;
mod matching;
mod pairs;
mod standings;
mod state;
mod swiss;
mod wave;

pub use error::ScheduleError;
pub use knockout::MAX_EXTRA_PAIRS;
pub use pairs::PairLedger;
pub use standings::{Row, Score, Standings};
pub use state::{Next, Schedule};
pub use wave::{Couple, Wave};
