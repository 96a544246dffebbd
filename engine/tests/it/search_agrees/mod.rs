//! The searches against plain min-max: every line to its end, no bounds, no table, no order.

mod chessbin;
mod draws;
mod games;
mod mates;
mod reference;
mod touchstone;
