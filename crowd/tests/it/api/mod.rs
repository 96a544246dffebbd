//! The API and the pages as they are over a socket.

mod contribute;
mod described;
mod moderate;
mod no_hint;
mod pages;
mod people;
mod shutdown;
