//! The server of a lab against a real `PostgreSQL`.
#[path = "../common/mod.rs"]
mod common;
mod store;
//! Tests of the server's rooms on a private `PostgreSQL`.
mod people;
