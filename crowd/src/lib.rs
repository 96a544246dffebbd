//! People list the legal moves of a position; lists that agree become test cases.
//!
//! The core is pure; the edges are `store` (a database), `web` and `play` (HTTP), `cli` (files,
//! standard streams) and `service`, which joins them. `docs/ARCHITECTURE.md` draws the
//! modules.

#[doc(hidden)]
pub mod aggregate;
#[doc(hidden)]
pub mod assets;
#[doc(hidden)]
pub mod candidates;
#[doc(hidden)]
pub mod class;
pub mod cli;
#[doc(hidden)]
pub mod daily;
#[doc(hidden)]
pub mod insight;
mod lang;
#[doc(hidden)]
pub mod model;
#[doc(hidden)]
pub mod play;
#[doc(hidden)]
pub mod score;
#[doc(hidden)]
pub mod service;
#[doc(hidden)]
pub mod store;
mod table;
#[doc(hidden)]
pub mod trust;
#[doc(hidden)]
pub mod verify;
#[doc(hidden)]
pub mod web;
