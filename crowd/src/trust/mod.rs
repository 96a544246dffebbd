//! Trust: when answers are certified, how they are scored, and what to ask next. Pure: no I/O, no
//! clock.
//!
//! | module | question |
//! |---|---|
//! | `certify` | what is known of one position, and is the crowd sure of every move? |
//! | `caps` | how many people count who come at once, or from one network? |
//! | `count` | whose answers count, and where? |
//! | `compare` | does the generator say the same? |
//! | `independence`, `coalition` | who does not answer on their own? |
//! | `measured` | what do people answer where they do not know that the answer is known? |
//! | `need` | which position should a person get next, and what is asked in a second look? |
//! | `points` | what is a list worth, and who leads? |
//! | `suspicion`, `orders` | does a list look like a person's own work? |
//!
//! Only `compare` and `orders` know the rules of chess; everything shown to a contributor who is
//! still listing comes from the others. `docs/crowd-trust.md` has the reasons
//! and the sources.

mod caps;
mod certify;
mod coalition;
mod compare;
mod copying;
mod count;
mod independence;
mod measured;
mod need;
pub mod orders;
mod points;
pub mod suspicion;

pub use crate::aggregate::moves::{KnownLabels, KnownStanding, MoveEstimate, Reliability};
pub use caps::{Arrival, Caps};
pub use certify::{
    CertificateRule, CertificateVerdict, Certified, Doubt, Evidence, MOST_CARE, Undecided,
    Unsettled, certify, gather,
};
pub use compare::{Comparison, QueueMove, agreed_answer, compare};
pub use count::{Answers, CountedAnswers, CrowdAnswers};
pub use need::{NeedSettings, PersonHistory, PositionNeed, choose, questions};
pub use points::{
    PairTally, PeriodRecord, Ranked, Tally, moves_in_time, pair_tally, rank, streak, tally,
    tally_answers, wilson_lower_bound,
};
