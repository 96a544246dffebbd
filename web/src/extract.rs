//! Strict extractors: anything that cannot be parsed is a [`Problem`] that states where.

use axum::extract::rejection::{FormRejection, JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::problem::{BAD_REQUEST, NOT_FOUND, Problem};

/// What most endpoints of the API return.
pub type ApiAnswer<T> = Result<Json<T>, Problem>;

/// A JSON body, in requests and responses.
#[derive(Debug)]
pub struct Json<T>(pub T);

/// The body of a form.
#[derive(Debug)]
pub struct Form<T>(pub T);

/// The query string of the address.
#[derive(Debug)]
pub struct Query<T>(pub T);

/// The variable parts of the path.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        read_json(axum::Json::from_request(request, state).await).map(Self)
    }
}

/// What cannot be read, in words for people: axum names its own types first, such as "Failed to deserialize query string: ".
fn unread(text: &str) -> Problem {
    let plain = match text.split_once(": ") {
        Some((start, rest)) if start.starts_with("Failed to ") => rest,
        _ => text,
    };
    let number = "a whole number is expected";
    let detail = plain.replace("invalid digit found in string", number);
    Problem::new(BAD_REQUEST, detail)
}

/// The value of a body, or the problem with it.
///
/// # Errors
/// The body is not JSON, or not the expected value.
pub fn read_json<T>(read: Result<axum::Json<T>, JsonRejection>) -> Result<T, Problem> {
    match read {
        Ok(axum::Json(value)) => Ok(value),
        // axum has status 422 for it; here, all that cannot be read has 400.
        Err(JsonRejection::JsonDataError(error)) => Err(unread(&error.body_text())),
        Err(JsonRejection::JsonSyntaxError(error)) => Err(unread(&error.body_text())),
        Err(error) => Err(Problem::of_status(error.status(), error.body_text())),
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Form<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match axum::Form::from_request(request, state).await {
            Ok(axum::Form(value)) => Ok(Self(value)),
            Err(FormRejection::FailedToDeserializeFormBody(error)) => {
                Err(unread(&error.body_text()))
            }
            Err(error) => Err(Problem::of_status(error.status(), error.body_text())),
        }
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        read_query(axum::extract::Query::from_request_parts(parts, state).await).map(Self)
    }
}

/// The value of a query string, or the problem with it.
///
/// # Errors
/// The query string is not the expected value.
pub fn read_query<T>(read: Result<axum::extract::Query<T>, QueryRejection>) -> Result<T, Problem> {
    read.map(|axum::extract::Query(value)| value)
        .map_err(|error| unread(&error.body_text()))
}

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = axum::extract::Path::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(value)| Self(value))
            .map_err(|error: PathRejection| {
                // A path whose parts are not of their type leads nowhere; other errors are faults
                // of a route.
                if error.status() == StatusCode::BAD_REQUEST {
                    Problem::new(NOT_FOUND, "no page has this address")
                } else {
                    Problem::internal(&error)
                }
            })
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}
