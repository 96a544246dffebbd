//! Inputs of any size in bounded memory: blocks of lines on all cores, in order ([`blocks`]), entries
//! sorted on the disk ([`sorter`]), and texts that wait there ([`spool`]).
//!
//! Temporary files have no name and are gone when the program ends, however it ends.

pub(crate) mod blocks;
pub(crate) mod sorter;
pub(crate) mod spool;
mod temporary;
