//! The hunt: from a wrong count of a subject down to the smallest position, the wrong move and the
//! rule it breaks.
//!
//! It descends by divide to the first position where the subject is wrong by itself, tells what
//! kind of fault it is, and takes the position apart until nothing more can be removed. All it
//! knows of the subject are its answers; the truth is our own generator's, with the mailbox
//! generator as oracle. Deliberately absent: processes, clocks, files, text for people.

mod ask;
mod candidates;
mod class;
mod descend;
mod fault;
mod finding;
mod judge;
mod listing;
mod parts;
mod pursue;
mod question;
mod shrink;
mod trace;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod toys;

pub use ask::Limits;
pub use fault::{Breakdown, Fault, NoMoves, WrongMove, WrongRow};
pub use finding::{Counts, End, Finding, HuntError};
pub(crate) use judge::{Symptom, judge};
pub use pursue::hunt;
pub(crate) use pursue::hunt_with;
pub use question::Question;
