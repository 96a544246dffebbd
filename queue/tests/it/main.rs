//! The broker within one program against the rules of all brokers, and the loop of workers.

mod in_process;
mod rules;
mod work;
