//! Tests of the server's rooms on a private `PostgreSQL`.

#[path = "../common/mod.rs"]
mod common;
mod people;
