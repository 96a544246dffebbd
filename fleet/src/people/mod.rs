//! Who calls: accounts and workers, identified by tokens.

pub mod tokens;
