//! Files that only look like tables, and real tables read by others.

mod files;
#[cfg(feature = "oracles")]
mod oracles;
