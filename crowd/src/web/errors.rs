//! Maps the service's errors to HTTP problems.

use super::problem::{
    BAD_REQUEST, BUSY, CONFLICT, EXPIRED, FROZEN, GAP, NOT_A_MOVE, NOT_FOUND, NOTHING_LEFT,
    Problem, TOO_MANY_EVENTS, UNKNOWN_ASSIGNMENT, UNKNOWN_CAMPAIGN,
};
use crate::service::{
    AssignError, ImportError, RecordError, ResolveError, RetireError, ServiceError, TokenError,
};

/// When to retry if the database is busy.
const RETRY_SECONDS: u64 = 5;

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Store(error) if error.is_busy() => {
                tracing::warn!("the database is busy: {error}");
                Self::new(BUSY, "the database is busy; try again").retry_after(RETRY_SECONDS)
            }
            error => Self::internal(&error),
        }
    }
}

impl From<AssignError> for Problem {
    fn from(error: AssignError) -> Self {
        let kind = match error {
            AssignError::NothingLeft => NOTHING_LEFT,
            AssignError::UnknownCampaign(_) => UNKNOWN_CAMPAIGN,
            AssignError::Service(error) => return error.into(),
        };
        Self::new(kind, error.to_string())
    }
}

/// Another contributor's token gets the same answer as an unknown one.
fn unknown() -> Problem {
    Problem::new(UNKNOWN_ASSIGNMENT, TokenError::Unknown.to_string())
}

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Self {
        match error {
            TokenError::Unknown | TokenError::NotYours => unknown(),
            TokenError::Service(error) => error.into(),
        }
    }
}

impl From<RecordError> for Problem {
    fn from(error: RecordError) -> Self {
        let detail = error.to_string();
        match error {
            RecordError::Unknown | RecordError::NotYours => unknown(),
            RecordError::Expired => Self::new(EXPIRED, detail),
            RecordError::Frozen => Self::new(FROZEN, detail),
            RecordError::Gap { expected } => Self::new(GAP, detail).with("expected", expected),
            RecordError::Conflict { seq } => Self::new(CONFLICT, detail).with("seq", seq),
            RecordError::Move { seq, .. } => Self::new(NOT_A_MOVE, detail).with("seq", seq),
            RecordError::Numbers(_) => Self::new(BAD_REQUEST, detail),
            RecordError::TooMany { .. } => Self::new(TOO_MANY_EVENTS, detail),
            RecordError::Service(error) => error.into(),
        }
    }
}

impl From<ResolveError> for Problem {
    fn from(error: ResolveError) -> Self {
        let kind = match error {
            ResolveError::Unknown(_) => NOT_FOUND,
            ResolveError::Decided(_) => CONFLICT,
            ResolveError::Service(error) => return error.into(),
        };
        Self::new(kind, error.to_string())
    }
}

impl From<RetireError> for Problem {
    fn from(error: RetireError) -> Self {
        let kind = match error {
            RetireError::Unknown(_) => NOT_FOUND,
            RetireError::NotOpen(_) => CONFLICT,
            RetireError::Service(error) => return error.into(),
        };
        Self::new(kind, error.to_string())
    }
}

impl From<ImportError> for Problem {
    fn from(error: ImportError) -> Self {
        let detail = error.to_string();
        match error {
            ImportError::BadLines(report) => {
                let lines = serde_json::to_value(&report.problems).unwrap_or_default();
                Self::new(BAD_REQUEST, detail).with("problems", lines)
            }
            ImportError::Empty | ImportError::CampaignName(_) => Self::new(BAD_REQUEST, detail),
            ImportError::Service(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{StatusCode, header};
    use axum::response::IntoResponse as _;
    use sea_orm::{ConnAcquireErr, DbErr};

    use super::*;
    use crate::store::StoreError;

    #[test]
    fn a_busy_database_is_no_fault_of_the_server() {
        let busy = StoreError::from(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout));
        let answer = Problem::from(ServiceError::from(busy)).into_response();
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(answer.headers().contains_key(header::RETRY_AFTER));
    }
}
