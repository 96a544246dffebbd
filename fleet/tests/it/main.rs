//! The server of a lab against a real `PostgreSQL`.

#[path = "../common/mod.rs"]
mod common;
mod conduct;
mod people;
#[cfg(target_os = "linux")]
mod service;
mod store;
