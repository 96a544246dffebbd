//! The problems that the API reports besides those of every site, and what errors become.

use queue::wire::code;
use web::problem::{BUSY, Problem};

use crate::store::LabDatabaseError;
use crate::store::work::WorkError;

web::kinds! {
    KINDS:
    UNAUTHORIZED: code::UNAUTHORIZED, 401, "The token is missing or not valid",
        "Send 'Authorization: Bearer TOKEN', or sign in. A worker's token is on the page of your machines, a program's on that of \
        your account; both are shown once. A revoked token is never valid again: make a new one.";
    FORBIDDEN: code::FORBIDDEN, 403, "This is not permitted",
        "You are known, but your role does not permit this: authors manage what is theirs, maintainers approve and stop, \
        administrators manage accounts. Or the token is of the other kind: workers' tokens permit work alone.";
    WRONG_PASSWORD: "wrong-password", 403, "The name or the password is wrong",
        "Which of the two is not reported. An administrator makes a link by which you set a new password.";
    QUARANTINED: code::QUARANTINED, 403, "The worker is quarantined",
        "Its results differed from those of others, or a maintainer decided so; the detail is the reason. It gets no more work, \
        and what nobody confirmed is done again. A maintainer ends it on the page of the machines.";
    NO_ACCOUNT: "no-account", 404, "There is no such account", "The page of the people lists all accounts.";
    NO_TOKEN: "no-token", 404, "There is no such token", "It may be another account's, or be revoked.";
    NO_SESSION: "no-session", 404, "There is no such session", "It has ended, or is another account's.";
    NO_JOB: code::NO_JOB, 404, "There is no such job",
        "No test or job has this name. Tests are named in the addresses of their pages.";
    NO_WORKER: code::NO_WORKER, 404, "There is no such worker", "The page of the machines lists all workers.";
    OTHER_JOB: code::OTHER_JOB, 409, "A different job has this name",
        "A name stands for one job for ever, so that a command that is repeated finds its job again. Choose another name.";
    NOT_LEASED: code::NOT_LEASED, 409, "The lease is not this worker's",
        "A worker returns only what it was leased. The lease may have expired: the work is then another's.";
    OTHER_STATE: "other-state", 409, "The test is in another state",
        "A test is approved while it is pending, stopped before it has finished, and resumed while it is flagged. Its page shows its state.";
    NAME_TAKEN: "name-taken", 409, "The name is taken", "Choose another name.";
    LAST_ADMINISTRATOR: "last-administrator", 409, "The lab needs an administrator",
        "Make somebody else an administrator first.";
    TOO_MANY: "too-many", 409, "The limit is reached",
        "An account has only so many machines, tokens and unfinished tests. Stop, revoke or wait for some of them.";
    LINK_USED: "link-used", 410, "The link is used or has expired",
        "Links work once, and for a limited time. An administrator makes a new one.";
    UNITS: code::UNITS, 422, "The chunks do not contain the units of the job",
        "Each unit must be in one chunk, in order. The job was not added.";
    BAD_VALUE: "bad-value", 422, "A value is not valid", "The detail names the field and what is expected there.";
    TOO_MANY_ATTEMPTS: "too-many-attempts", 429, "Too many attempts to sign in",
        "Attempts are limited for each network and each name. The header Retry-After names the seconds to wait.";
}

/// When a client may try again after a fault that passes, in seconds.
const RETRY_SECONDS: u64 = 3;

impl From<LabDatabaseError> for Problem {
    fn from(error: LabDatabaseError) -> Self {
        if error.is_passing() {
            tracing::warn!("the database is busy: {error}");
            Self::new(BUSY, "the database is busy; try again").retry_after(RETRY_SECONDS)
        } else if error.is_of_value() {
            // Strangers can send such values at will: they are no fault of the server, whose log people watch.
            tracing::info!("a request with an impossible value: {error}");
            let detail =
                "a value of the request is none: a number out of range, or a text with a NUL";
            Self::new(web::problem::BAD_REQUEST, detail)
        } else {
            Self::internal(&error)
        }
    }
}

impl From<WorkError> for Problem {
    fn from(error: WorkError) -> Self {
        let kind = match error {
            WorkError::NoJob(_) => NO_JOB,
            WorkError::OtherJob { .. } => OTHER_JOB,
            WorkError::Units { .. } => UNITS,
            WorkError::NotLeased(_) => NOT_LEASED,
            WorkError::NoWorker(_) => NO_WORKER,
            // The detail is the reason alone: workers show it with their name.
            WorkError::Quarantined { reason, .. } => return Self::new(QUARANTINED, reason),
            WorkError::Ending => {
                return Self::new(BUSY, error.to_string()).retry_after(RETRY_SECONDS);
            }
            WorkError::Store(error) => return error.into(),
            WorkError::Random(_) => return Self::internal(&error),
        };
        Self::new(kind, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_distinct_from_each_other_and_the_common_ones() {
        let all = KINDS.iter().chain(web::problem::COMMON);
        let slugs: std::collections::BTreeSet<_> = all.map(|kind| kind.slug).collect();
        assert_eq!(slugs.len(), KINDS.len() + web::problem::COMMON.len());
    }

    #[test]
    fn faults_that_pass_are_answered_by_a_retry() {
        let busy = Problem::from(LabDatabaseError::Database(sqlx::Error::PoolTimedOut));
        assert!(busy.is(BUSY));
        let broken = Problem::from(LabDatabaseError::Database(sqlx::Error::RowNotFound));
        assert!(broken.is(web::problem::INTERNAL));
    }
}
