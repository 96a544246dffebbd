//! Reports of runs, in all formats.

mod formats;
mod synthetic;
