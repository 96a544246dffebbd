//! Checks of the whole workspace.

mod architecture;
mod docs;
mod licences;
mod modules;
mod unsafe_code;
