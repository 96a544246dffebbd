//! The kinds of problems besides those of every site, and what the errors of the service become.

use web::problem::{BAD_REQUEST, BUSY, NOT_FOUND, Problem, ProblemBody};

use crate::service::{
    BeginError, ClassError, ImportError, ModerateError, NamingError, ParsePhraseError, RecordError,
    ServiceError, TokenError,
};

web::kinds! {
    KINDS:
    BAD_NAME: "bad-name", 400, "This name cannot be used", "The detail describes what names look like.";
    BAD_PHRASE: "bad-phrase", 400, "This is not a recovery phrase", "A recovery phrase has twenty letters and digits.";
    UNKNOWN_PHRASE: "unknown-phrase", 404, "Nobody has this recovery phrase",
        "It may be mistyped, or a newer one has replaced it.";
    NAME_TAKEN: "name-taken", 409, "Somebody else has this name",
        "Names are unique, whether in capitals or not. Choose another.";
    NOT_A_MOVE: "not-a-move", 400, "This is not a move",
        "It cannot be one by the diagram alone. The member `seq` is the number of the event.";
    TOO_MANY_EVENTS: "too-many-events", 400, "The list has too many steps",
        "A list ends after so many steps. Finish it as it is.";
    BAD_GAME: "bad-game", 400, "The game cannot be read", "The detail names the move or the field that is not valid.";
    BAD_LEVEL: "bad-level", 400, "There is no such strength", "The detail lists the strengths.";
    NO_SESSION: "no-session", 401, "There is no session",
        "The site knows you by a cookie, which comes with the first list.";
    NOT_A_MODERATOR: "not-a-moderator", 401, "This is for moderators", "Log in with the moderators' token.";
    ADMIN_OFF: "admin-off", 403, "There are no moderators here",
        "The server was started without a moderators' token, so moderation is off.";
    UNKNOWN_LIST: "unknown-list", 404, "You have no such list",
        "It is somebody else's, or there is none. Begin a new one.";
    UNKNOWN_CAMPAIGN: "unknown-campaign", 404, "There is no such campaign", "It may be misspelt.";
    NO_CLASS: "no-class", 404, "There is no such class",
        "The code may be misspelt, or the class was deleted: by its teacher, or because its time was over.";
    NOTHING_LEFT: "nothing-left", 404, "There is no position left for you",
        "You have seen all of them. Come back when there are new ones.";
    TOO_MANY_LEFT: "too-many-left", 409, "No more positions can be skipped today",
        "A few may be skipped each day. List the one you have, or come back tomorrow.";
    NOT_JOINED: "not-joined", 409, "You are not in this class", "Join it under a name first.";
    CLASS_FINISHED: "class-finished", 409, "You have finished every position of the class", "There is nothing more to list.";
    NICKNAME_TAKEN: "nickname-taken", 409, "Another student has this name", "Choose another one.";
    CLASS_FULL: "class-full", 409, "The class is full", "The teacher can make another one.";
    GAP: "gap", 409, "Earlier events are missing",
        "Events are numbered and come in order. The member `expected` is the number from which to send them again.";
    CONFLICT: "conflict", 409, "Someone else was faster",
        "Another window has sent an event of this number, or another moderator has decided. Load it again.";
    FROZEN: "frozen", 409, "The list is finished", "It cannot change any more.";
    GAME_OVER: "game-over", 409, "The game has ended", "No move can follow.";
    EXPIRED: "expired", 410, "The time for this list is over", "Begin a new one.";
}

/// Why events of a list are rejected; only for the `OpenAPI` description.
#[derive(utoipa::IntoResponses)]
#[expect(dead_code, reason = "it describes answers that `Problem` makes")]
pub(crate) enum EventProblems {
    #[response(
        status = 400,
        description = "not-a-move: plainly none, by the diagram alone"
    )]
    NotAMove(ProblemBody<'static>),
    #[response(status = 404, description = "unknown-list")]
    UnknownList(ProblemBody<'static>),
    #[response(
        status = 409,
        description = "gap (`expected`), conflict (`seq`) or frozen"
    )]
    OutOfOrder(ProblemBody<'static>),
    #[response(status = 410, description = "expired")]
    Expired(ProblemBody<'static>),
}

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

impl From<NamingError> for Problem {
    fn from(error: NamingError) -> Self {
        match error {
            NamingError::Taken(_) => Self::new(NAME_TAKEN, error.to_string()),
            NamingError::Service(error) => error.into(),
        }
    }
}

impl From<ParsePhraseError> for Problem {
    fn from(error: ParsePhraseError) -> Self {
        Self::new(BAD_PHRASE, error.to_string())
    }
}

impl From<BeginError> for Problem {
    fn from(error: BeginError) -> Self {
        let kind = match error {
            BeginError::NothingLeft => NOTHING_LEFT,
            BeginError::UnknownCampaign(_) => UNKNOWN_CAMPAIGN,
            BeginError::TooManyLeft { .. } => TOO_MANY_LEFT,
            BeginError::Class(error) => return error.into(),
            BeginError::Service(error) => return error.into(),
        };
        Self::new(kind, error.to_string())
    }
}

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Self {
        match error {
            // Another contributor's token gets the same answer as an unknown one.
            TokenError::Unknown | TokenError::NotYours => {
                Self::new(UNKNOWN_LIST, TokenError::Unknown.to_string())
            }
            TokenError::Service(error) => error.into(),
        }
    }
}

impl From<RecordError> for Problem {
    fn from(error: RecordError) -> Self {
        let detail = error.to_string();
        match error {
            RecordError::Token(error) => error.into(),
            RecordError::Expired => Self::new(EXPIRED, detail),
            RecordError::Frozen => Self::new(FROZEN, detail),
            RecordError::TooManyLeft { .. } => Self::new(TOO_MANY_LEFT, detail),
            RecordError::Gap { expected } => Self::new(GAP, detail).with("expected", expected),
            RecordError::Conflict { seq } => Self::new(CONFLICT, detail).with("seq", seq),
            RecordError::Move { seq, .. } => Self::new(NOT_A_MOVE, detail).with("seq", seq),
            RecordError::Numbers(_) => Self::new(BAD_REQUEST, detail),
            RecordError::TooMany { .. } => Self::new(TOO_MANY_EVENTS, detail),
            RecordError::Service(error) => error.into(),
        }
    }
}

impl From<ModerateError> for Problem {
    fn from(error: ModerateError) -> Self {
        let kind = match error {
            ModerateError::NoItem(_) | ModerateError::NoPosition(_) => NOT_FOUND,
            ModerateError::Decided(_)
            | ModerateError::NotDecided(_)
            | ModerateError::Overtaken(_)
            | ModerateError::NotOpen(_) => CONFLICT,
            ModerateError::Service(error) => return error.into(),
        };
        Self::new(kind, error.to_string())
    }
}

impl From<ClassError> for Problem {
    fn from(error: ClassError) -> Self {
        let detail = error.to_string();
        let kind = match error {
            ClassError::BadLines(problems) => {
                let lines = serde_json::to_value(&problems).unwrap_or_default();
                return Self::new(BAD_REQUEST, detail).with("problems", lines);
            }
            ClassError::NoClass => NO_CLASS,
            ClassError::NotJoined => NOT_JOINED,
            ClassError::AllFinished => CLASS_FINISHED,
            ClassError::NameTaken => NICKNAME_TAKEN,
            ClassError::Full => CLASS_FULL,
            ClassError::NoPosition { .. } => NOT_FOUND,
            ClassError::Service(error) => return error.into(),
        };
        Self::new(kind, detail)
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
    fn kinds_are_distinct_from_each_other_and_the_common_ones() {
        let all = KINDS.iter().chain(web::problem::COMMON);
        let slugs: std::collections::BTreeSet<_> = all.map(|kind| kind.slug).collect();
        assert_eq!(slugs.len(), KINDS.len() + web::problem::COMMON.len());
    }

    #[test]
    fn a_busy_database_is_no_fault_of_the_server() {
        let busy = StoreError::from(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout));
        let answer = Problem::from(ServiceError::from(busy)).into_response();
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(answer.headers().contains_key(header::RETRY_AFTER));
    }
}
