//! Checking engines: they count every position of the suites, and every wrong answer is hunted down.
//!
//! The engine is reached over `uci::perft`, which detects its dialect and adapts it to a
//! [`crate::count::subject::Subject`]. [`case`] defines what is asked, [`run`] asks it in parallel
//! processes (the edge), [`ledger`] holds the results and the verdict, [`common`] groups
//! findings by their cause; [`hunt`] traces a wrong count
//! to the smallest position, the wrong move and the rule it breaks.

pub(crate) mod accept;
pub(crate) mod case;
pub(crate) mod common;
pub mod hunt;
pub(crate) mod ledger;
pub(crate) mod random;
pub(crate) mod run;
pub(crate) mod stages;
mod time_left;
