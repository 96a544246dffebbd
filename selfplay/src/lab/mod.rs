//! Tests on a lab's server: what people submit ([`spec`]), and what they see of it ([`summary`]).
//! Plain values, in JSON: the server, its pages and the command line share them. Pure.

pub mod spec;
pub mod summary;
