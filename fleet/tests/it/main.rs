//! The server of a lab against a real `PostgreSQL`, its pages in a browser, and a lab in a storm.

mod browser;
#[cfg(target_os = "linux")]
mod chaos;
mod cluster;
#[path = "../common/mod.rs"]
mod common;
mod conduct;
mod people;
#[cfg(target_os = "linux")]
mod service;
mod store;
