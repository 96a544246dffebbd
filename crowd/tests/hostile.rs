//! What people send who mean harm, and what a broken program sends.

#[path = "hostile/bodies.rs"]
mod bodies;
#[path = "hostile/floods.rs"]
mod floods;
#[path = "hostile/names.rs"]
mod names;
#[path = "hostile/paths.rs"]
mod paths;
#[path = "hostile/sites.rs"]
mod sites;
#[path = "hostile/sql.rs"]
mod sql;
#[path = "hostile/tokens.rs"]
mod tokens;
mod web_common;
#[path = "hostile/wire.rs"]
mod wire;
