//! The API and the pages as they are over a socket.

#[path = "api/contribute.rs"]
mod contribute;
#[path = "api/described.rs"]
mod described;
#[path = "api/moderate.rs"]
mod moderate;
#[path = "api/no_hint.rs"]
mod no_hint;
#[path = "api/pages.rs"]
mod pages;
#[path = "api/shutdown.rs"]
mod shutdown;
mod web_common;
