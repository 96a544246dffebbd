//! Trust: when answers are certified, how they are scored, and what to ask next. Pure: no I/O, no
//! clock.
//!
//! | module | question |
//! |---|---|
//! | `evidence` | what is known of one position: votes, estimates, reliabilities |
//! | `certify` | is the crowd sure of every move? |
//! | `compare` | does the generator say the same? |
//! | `need` | which position should a person get next? |
//! | `questions` | what is asked in a second look? |
//! | `points`, `ranking`, `streak` | what is a list worth, and who leads? |
//! | `suspicion`, `orders` | does a list look like a person's own work? |
//! | `results` | what was found, missed and wrong, and why? |
//!
//! Only `compare`, `orders` and `results` know the rules of chess; everything shown to a
//! contributor who is still listing comes from the others. `docs/crowd-trust.md` has the reasons
//! and the sources.

mod certify;
mod compare;
mod evidence;
mod need;
pub mod orders;
mod points;
mod questions;
mod ranking;
mod results;
mod streak;
pub mod suspicion;

pub use certify::{Certified, Doubt, Rule, SetAside, Undecided, Unsettled, Verdict, certify};
pub use compare::{Comparison, Dispute, OracleSplit, compare};
pub use evidence::{Estimate, Evidence, Reliability};
pub use need::{NeedSettings, PersonHistory, PositionNeed, choose};
pub use points::{PairTally, Tally, moves_in_time, pair_tally, tally, tally_answers, tally_within};
pub use questions::questions;
pub use ranking::{Ranked, Record, rank, wilson_lower_bound};
pub use results::{Found, Missed, Results, Wrong, results};
pub use streak::{Streak, streak};
