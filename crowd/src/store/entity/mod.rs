//! The tables, one per file; `migration` creates them.

#![expect(
    unreachable_pub,
    reason = "the derive of an entity needs it and its relations to be pub"
)]

pub(crate) mod assignment;
pub(crate) mod award;
pub(crate) mod campaign;
pub(crate) mod contributor;
pub(crate) mod estimate;
pub(crate) mod event;
pub(crate) mod flag;
pub(crate) mod gold_answer;
pub(crate) mod moderation;
pub(crate) mod pair;
pub(crate) mod position;
pub(crate) mod reliability;
pub(crate) mod session;
pub(crate) mod test_case;
