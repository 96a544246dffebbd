//! The kinds of problems besides those of every site, and what the errors of the service become.

use web::problem::{BAD_REQUEST, BUSY, NOT_FOUND, Problem, ProblemBody};

use crate::service::{
    BeginError, ClassError, ImportError, ImportProblem, ModerateError, NamingError,
    ParsePhraseError, RecordError, ServiceError, TokenError,
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

/// What the errors of an operation become; most have their text as the detail.
macro_rules! problems {
    ($($error:ident, $detail:ident { $($pattern:pat => $problem:expr,)+ })+) => {$(
        impl From<$error> for Problem {
            fn from(error: $error) -> Self {
                use $error::*;
                let $detail = error.to_string();
                match error {
                    Service(error) => error.into(),
                    $($pattern => $problem,)+
                }
            }
        }
    )+};
}

problems! {
    NamingError, detail {
        Taken(_) => Self::new(NAME_TAKEN, detail),
    }
    BeginError, detail {
        NothingLeft => Self::new(NOTHING_LEFT, detail),
        UnknownCampaign(_) => Self::new(UNKNOWN_CAMPAIGN, detail),
        TooManyLeft { .. } => Self::new(TOO_MANY_LEFT, detail),
        Class(error) => error.into(),
    }
    TokenError, _detail {
        // Another contributor's token gets the same answer as an unknown one.
        Unknown | NotYours => Self::new(UNKNOWN_LIST, Unknown.to_string()),
    }
    RecordError, detail {
        Token(error) => error.into(),
        Expired => Self::new(EXPIRED, detail),
        Frozen => Self::new(FROZEN, detail),
        TooManyLeft { .. } => Self::new(TOO_MANY_LEFT, detail),
        Gap { expected } => Self::new(GAP, detail).with("expected", expected),
        Conflict { seq } => Self::new(CONFLICT, detail).with("seq", seq),
        Move { seq, .. } => Self::new(NOT_A_MOVE, detail).with("seq", seq),
        Numbers(_) => Self::new(BAD_REQUEST, detail),
        TooMany { .. } => Self::new(TOO_MANY_EVENTS, detail),
    }
    ModerateError, detail {
        NoItem(_) | NoPosition(_) => Self::new(NOT_FOUND, detail),
        Decided(_) | NotDecided(_) | Overtaken(_) | NotOpen(_) => Self::new(CONFLICT, detail),
    }
    ClassError, detail {
        BadLines(problems) => bad_lines(detail, &problems),
        NoClass => Self::new(NO_CLASS, detail),
        NotJoined => Self::new(NOT_JOINED, detail),
        AllFinished => Self::new(CLASS_FINISHED, detail),
        NameTaken => Self::new(NICKNAME_TAKEN, detail),
        Full => Self::new(CLASS_FULL, detail),
        NoPosition { .. } => Self::new(NOT_FOUND, detail),
    }
    ImportError, detail {
        BadLines(report) => bad_lines(detail, &report.problems),
        Empty | CampaignName(_) => Self::new(BAD_REQUEST, detail),
    }
}

fn bad_lines(detail: String, problems: &[ImportProblem]) -> Problem {
    let lines = serde_json::to_value(problems).unwrap_or_default();
    Problem::new(BAD_REQUEST, detail).with("problems", lines)
}

impl From<ParsePhraseError> for Problem {
    fn from(error: ParsePhraseError) -> Self {
        Self::new(BAD_PHRASE, error.to_string())
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
