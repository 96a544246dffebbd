//! People list the legal moves of a position; lists that agree become test cases.
//!
//! The core is pure; the edges are `store` (a database), `web` and `play` (HTTP), `cli` (files,
//! standard streams) and `service`, which joins them. `docs/ARCHITECTURE.md` has the table of
//! modules.

pub mod aggregate;
pub mod assets;
pub mod candidates;
pub mod cli;
pub mod labels;
pub mod model;
pub mod play;
mod recent;
pub mod service;
pub mod store;
pub mod trust;
pub mod verify;
pub mod web;
