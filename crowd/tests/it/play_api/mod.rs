//! `/api/v1/play` from outside: answers, refusals, bounds.

mod bounds;
mod games;
mod pgn;
mod server;
