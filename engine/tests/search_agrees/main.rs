//! The searches against plain min-max: every line to its end, no bounds, no table, no order.
//!
//! `TOUCHSTONE_POSITIONS` sets how many positions are compared, 3,200 when it is not set.

#![expect(clippy::print_stdout, reason = "a failing test shows its seed")]

mod chessbin;
mod draws;
mod games;
mod mates;
mod reference;
mod touchstone;
