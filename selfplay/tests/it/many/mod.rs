//! Tests on many machines: workers that are threads of this process or processes of their own, with
//! engines that are processes.

#![expect(
    clippy::disallowed_methods,
    reason = "tests start programs, wait for them, and look at what they leave"
)]

mod bed;
mod games;
mod machines;
mod strangers;
