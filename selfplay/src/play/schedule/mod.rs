//! Schedules: which engines play each other, and in which order. A pure function of the
//! configuration and of the results so far.
//!
//! A schedule is a sequence of [`Wave`]s. All pairings of a wave are known when it starts; the next
//! wave depends on the results of those before it, and is computed once all of them are in. The
//! order in which games end therefore has no effect, and a schedule that receives the records of an
//! interrupted run continues as if it had never stopped.
//!
//! - A match is one wave with one couple; a gauntlet one wave of the first engine with every other;
//!   a round robin one wave of all couples, in the order of the circle method.
//! - A Swiss tournament has one wave per round. Engines are ranked by points, ties broken by a lot
//!   drawn once from the seed of the run. Engines equal in points meet; rematches are avoided as
//!   long as possible. A bye is worth a pair won.
//! - A knockout has one wave per stage, and one per tie-break pair of tied couples, at most
//!   [`MAX_EXTRA_PAIRS`]; then the higher seed advances. Engines are seeded in the order of the
//!   configuration, and the best seeds have the byes.
//!
//! A *round* is played from one opening: every couple of the wave plays one pair. Rounds are
//! numbered across waves, and the number selects the opening, so that all couples of a wave get the
//! same openings.
//!
//! Future games are not stored. Of games that were played only totals are stored, and the games
//! that are ahead of an unfinished one.

mod error;
mod knockout;
mod matching;
mod pairs;
mod standings;
mod state;
mod swiss;

pub use error::ScheduleError;
pub use knockout::{MAX_EXTRA_PAIRS, Meeting, champion, stages};
pub use pairs::{Couple, PairLedger, Wave};
pub use standings::{Standings, StandingsRow};
pub use state::{Next, Schedule};
pub(crate) use swiss::draw_lots;
