//! What people send who mean harm, and what a broken program sends.

mod bodies;
mod floods;
mod names;
mod paths;
mod sites;
mod sql;
mod tokens;
mod wire;
