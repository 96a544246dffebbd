//! People list the legal moves of a position; lists that agree become test cases.
//!
//! The core is pure; the edges are `store` (a database), `web` and `play` (HTTP), `cli` (files,
//! standard streams) and `service`, which joins them. `docs/ARCHITECTURE.md` has the table of
//! modules.

pub mod aggregate;
pub mod assets;
pub mod cli;
mod clock;
pub mod labels;
pub mod model;
pub mod play;
pub mod service;
pub mod store;
pub mod trust;
pub mod universe;
pub mod verify;
pub mod web;
