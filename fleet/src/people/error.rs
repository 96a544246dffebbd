//! Why something about people and machines was not done.

use web::problem::{BUSY, Problem};
use web::secret::NoRandom;

use super::passwords::PasswordError;
use super::sessions::BeginError;
use crate::problem::{
    BAD_VALUE, FORBIDDEN, LAST_ADMINISTRATOR, LINK_USED, NAME_TAKEN, NO_ACCOUNT, NO_SESSION,
    NO_TOKEN, NO_WORKER, TOO_MANY, TOO_MANY_ATTEMPTS, WRONG_PASSWORD,
};
use crate::store::LabDatabaseError;

/// Why something about people and machines was not done.
#[derive(Debug, thiserror::Error)]
pub enum PeopleError {
    /// A value is not valid.
    #[error("{field}: {reason}")]
    BadValue {
        /// The name of the field.
        field: &'static str,
        /// What is wrong, and what is expected.
        reason: String,
    },
    /// Another account or worker has the name.
    #[error("the name '{0}' is taken")]
    NameTaken(String),
    /// There is no such account.
    #[error("there is no account '{0}'")]
    NoAccount(String),
    /// The account has no such token.
    #[error("there is no token {0} of yours")]
    NoToken(i32),
    /// The account has no such session.
    #[error("there is no session {0} of yours")]
    NoSession(i32),
    /// There is no such worker, or it is revoked.
    #[error("there is no worker '{0}', or it is revoked")]
    NoWorker(String),
    /// The name or the password is wrong, or the account is disabled.
    #[error("the name or the password is wrong")]
    WrongPassword,
    /// Too many attempts to sign in.
    #[error("too many attempts to sign in; try again in {seconds} s")]
    TooManyAttempts {
        /// When to try again.
        seconds: u32,
    },
    /// A one-time link does not exist, is used, or has expired.
    #[error("the link is used or has expired; an administrator can make another")]
    LinkUsed,
    /// Nobody could administer the lab.
    #[error("'{0}' is the only administrator; make another one first")]
    LastAdministrator(String),
    /// An account has reached a limit.
    #[error("an account has at most {most} {what}; revoke some first")]
    TooMany {
        /// What is limited, such as `tokens`.
        what: &'static str,
        /// How many it may have.
        most: u32,
    },
    /// The role does not permit it.
    #[error("{0}")]
    Forbidden(String),
    /// Too many passwords are being checked.
    #[error("too many people sign in at this moment; try again")]
    Busy,
    /// A password could not be hashed.
    #[error("a password could not be hashed: {0}")]
    Hash(String),
    /// The system has no random numbers.
    #[error("the system has no random numbers: {0}")]
    NoRandom(#[from] NoRandom),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] LabDatabaseError),
}

impl From<sqlx::Error> for PeopleError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<BeginError> for PeopleError {
    fn from(error: BeginError) -> Self {
        match error {
            BeginError::NoRandom(error) => error.into(),
            BeginError::Database(error) => error.into(),
        }
    }
}

impl From<PasswordError> for PeopleError {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Busy => Self::Busy,
            PasswordError::Weak(reason) => Self::BadValue {
                field: "password",
                reason,
            },
            PasswordError::Hash(error) => Self::Hash(error),
        }
    }
}

impl From<PeopleError> for Problem {
    fn from(error: PeopleError) -> Self {
        let detail = error.to_string();
        let kind = match error {
            PeopleError::BadValue { field, .. } => {
                return Self::new(BAD_VALUE, detail).with("field", field);
            }
            PeopleError::TooManyAttempts { seconds } => {
                return Self::new(TOO_MANY_ATTEMPTS, detail).retry_after(seconds.into());
            }
            PeopleError::NameTaken(_) => NAME_TAKEN,
            PeopleError::NoAccount(_) => NO_ACCOUNT,
            PeopleError::NoToken(_) => NO_TOKEN,
            PeopleError::NoSession(_) => NO_SESSION,
            PeopleError::NoWorker(_) => NO_WORKER,
            PeopleError::WrongPassword => WRONG_PASSWORD,
            PeopleError::LinkUsed => LINK_USED,
            PeopleError::LastAdministrator(_) => LAST_ADMINISTRATOR,
            PeopleError::TooMany { .. } => TOO_MANY,
            PeopleError::Forbidden(_) => FORBIDDEN,
            // A check takes a tenth of a second, so that a turn is soon free.
            PeopleError::Busy => return Self::new(BUSY, detail).retry_after(1),
            PeopleError::Store(error) => return error.into(),
            error @ (PeopleError::Hash(_) | PeopleError::NoRandom(_)) => {
                return Self::internal(&error);
            }
        };
        Self::new(kind, detail)
    }
}
