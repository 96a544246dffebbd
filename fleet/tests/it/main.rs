//! Both brokers against the same rules, the broker on a real server, and the program as its users see it.

#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "install")]
#[path = "../common/mod.rs"]
mod common;
mod in_process;
#[cfg(feature = "install")]
mod postgres;
mod rules;
