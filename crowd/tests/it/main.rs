//! The library, the service on both databases, the API and the pages over a socket and in browsers, the program as its
//! users see it, and simulated crowds.

mod api;
mod browser;
mod candidates_agree;
mod check_cli;
mod class;
mod closing;
#[path = "../common/mod.rs"]
mod common;
mod daily;
mod database_cli;
mod hidden_gold;
mod hostile;
mod kill;
mod load;
mod overlooked;
mod people;
mod play_api;
#[cfg(unix)]
mod serve;
mod steering;
mod store;
mod trust_simulation;
mod upgrade;
mod verify_cli;
