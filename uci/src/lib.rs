//! Driving other people's engines, written once for every program of the suite.
//!
//! [`perft`] puts perft questions to an engine of which nothing is known but its command line.
//!
//! Deliberately absent: processes, pipes and the UCI grammar (they are `engine`'s), and any judgement
//! of an engine's counts.

pub mod perft;
