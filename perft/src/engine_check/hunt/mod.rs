//! The hunt: traces a subject's wrong count to the smallest position, the wrong move and the rule
//! it breaks.
//!
//! It descends by divide to the first position where the subject is wrong by itself, classifies the
//! fault, and removes parts of the position until none can be spared. The subject is a black box
//! that only answers questions; the truth comes from our own generator, with the mailbox generator
//! as oracle. Deliberately absent: processes, clocks, files, human-readable text.

mod candidates;
mod cause;
mod descend;
mod effect;
mod fault;
mod judge;
mod listing;
mod pursue;
mod question;
mod shrink;
mod trace;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod toys;

#[cfg(test)]
pub(crate) use candidates::pseudo_legal;
pub use effect::{Cause, StateEffect};
pub use fault::{
    CountPair, HuntEnd, HuntError, HuntFault, HuntResult, NoMoves, NoReply, WrongMove, WrongRow,
};
pub(crate) use fault::{as_written, leaves_king_in_check};
pub use judge::HuntLimits;
pub(crate) use judge::{Symptom, judge};
pub use pursue::hunt;
pub(crate) use pursue::hunt_with;
pub use question::CountQuestion;
pub(crate) use shrink::{parts_of, same_moves_from, without};
pub(crate) use trace::{MoveCategory, MoveClass};
