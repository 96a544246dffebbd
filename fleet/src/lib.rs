//! A lab for chess engines: people submit tests, a server distributes them, workers do them.
//!
//! Any number of servers share one `PostgreSQL` database and have no state of their own. Workers and
//! authors speak HTTPS to them, as [`queue::wire`] describes, and never see the database.

pub mod api;
pub mod app;
pub mod cli;
#[cfg(unix)]
mod cluster;
pub mod conduct;
pub mod kinds;
pub mod model;
pub mod pages;
pub mod people;
pub mod policy;
pub mod problem;
pub mod recipe;
pub mod serve;
mod service;
pub mod store;
pub mod worker;
