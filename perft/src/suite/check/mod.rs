//! Checking suites: what to count ([`plan`]), the results ([`Ledger`]), and the verdict.

mod ledger;
mod plan;

pub use ledger::{Ledger, State, Totals, Verdict};
pub use plan::{Filter, Plan, SuitePlan, Unit, plan};
