//! From a schedule to the games in the ledger.
//!
//! [`schedule`] decides which pairing is next, [`game`] plays one game between two players under the
//! eyes of the [`referee`], [`ledger`] records it before it is counted, and [`run`] is the loop that
//! owns a run. The edges are `player`, `game`, `tablebase`, [`ledger`] and `run`.

#[cfg(unix)]
pub mod game;
pub mod ledger;
#[cfg(unix)]
pub mod player;
pub mod referee;
#[cfg(unix)]
pub mod run;
pub mod schedule;
pub mod tablebase;
