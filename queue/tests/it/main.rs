//! The broker within one program against the rules of all brokers.

mod in_process;
mod rules;
