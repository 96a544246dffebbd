//! What may be wrong with positions to import, and the report on what was imported.

use serde::Serialize;

use super::ServiceError;
use super::error::from_store;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportProblem {
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
    pub reason: String,
}

impl ImportProblem {
    const DUPLICATE: &str = "this position is there already";

    pub(super) fn duplicate(line: usize) -> Self {
        Self {
            line,
            column: 1,
            reason: Self::DUPLICATE.to_owned(),
        }
    }

    pub fn is_duplicate(&self) -> bool {
        self.reason == Self::DUPLICATE
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    pub added: usize,
    pub duplicates: usize,
    /// Every rejected line and every duplicate.
    pub problems: Vec<ImportProblem>,
}

#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("{} of the lines cannot be taken; nothing was imported", .0.problems.len())]
    BadLines(ImportReport),
    #[error("there is no position in the text")]
    Empty,
    #[error(
        "'{0}' is not a name for a campaign: 1 to 40 lower-case letters, digits and hyphens are expected"
    )]
    CampaignName(String),
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store!(ImportError);

pub(super) fn check_name(name: &str) -> Result<(), ImportError> {
    let is_good = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if (1..=40).contains(&name.len()) && name.bytes().all(is_good) {
        Ok(())
    } else {
        // A wrong name may be as long as the request; the error shows its beginning.
        Err(ImportError::CampaignName(name.chars().take(60).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_campaigns_are_plain() {
        assert!(check_name("thesis-2").is_ok());
        for name in ["", "A", "a b", "a'--", &"a".repeat(41)] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
