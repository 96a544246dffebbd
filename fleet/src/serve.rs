//! The server: its routes, and what operators ask it.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use tokio::time::timeout;
use tower_http::timeout::TimeoutLayer;
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use web::layers::Surround;
use web::problem::{BUSY, Problem, ProblemBody};

use crate::app::{LabState, Quota};
use crate::people::Passwords;
use crate::{api, conduct, pages, people};

/// How long a request may take until its response begins.
const ANSWER: Duration = Duration::from_secs(30);
/// Time limit of the check that the database answers.
const READY: Duration = Duration::from_secs(3);

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "A lab for chess engines",
        description = "Programs send 'Authorization: Bearer TOKEN'. A worker's token permits the calls under \
            /api/1/worker/, an account's token all others but those that need a session. Errors are problem details \
            (RFC 9457) with a `code`.",
    ),
    tags(
        (name = "tests", description = "Tests of engines: submit, follow, approve, stop, download."),
        (name = "repositories", description = "Where engines come from, and how they are built."),
        (name = "people", description = "Accounts, tokens and machines."),
        (name = "worker", description = "What workers call."),
    ),
    components(schemas(ProblemBody)),
)]
struct Outline;

fn outline() -> OpenApi {
    let mut outline = Outline::openapi();
    let components = outline.components.get_or_insert_default();
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    components.add_security_scheme("token", bearer);
    outline
}

/// The API: its calls, and their description.
fn calls(passwords: &Passwords) -> (Router<LabState>, OpenApi) {
    let (calls, described) = OpenApiRouter::with_openapi(outline())
        .merge(api::router())
        .merge(conduct::api::router())
        .merge(people::router(passwords))
        .split_for_parts();
    (calls, described.merge_from(pages::openapi()))
}

/// All routes of a server. Files and health use no quota.
pub fn router(app: &LabState) -> Router {
    // Pages and API share one limit of hashes at once, each of which takes 64 MiB.
    let passwords = Passwords::default();
    let (calls, described) = calls(&passwords);
    let limit = TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, ANSWER);
    let Quota { burst, per_second } = app.settings.quota;
    let every = Duration::from_secs(1) / per_second.max(1);
    let quota = app.quotas.limit(people::for_quota(app), every, burst);
    let routes = calls
        .merge(pages::router())
        .merge(pages::people::router(&passwords))
        .merge(pages::documentation(&described))
        // A layer surrounds those before it: beyond its quota, a request reaches neither the time limit nor a call.
        .layer(limit)
        .layer(quota)
        .merge(pages::files())
        .route("/healthz", get(async || "alive\n"))
        .route("/readyz", get(ready));
    let surround = Surround {
        https: app.settings.https,
        answer: ANSWER,
        error_page: pages::error,
    };
    surround.all(routes).with_state(app.clone())
}

async fn ready(State(app): State<LabState>) -> Result<&'static str, Problem> {
    let asked = sqlx::query("select 1").execute(&app.database.pool);
    let error = match timeout(READY, asked).await {
        Ok(Ok(_)) => return Ok("ready\n"),
        Ok(Err(error)) => error.to_string(),
        Err(elapsed) => elapsed.to_string(),
    };
    tracing::error!("not ready: {error}");
    Err(Problem::new(BUSY, "the database does not answer").retry_after(1))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// The page of the API shows calls by groups.
    #[test]
    fn every_call_is_in_a_group() {
        let (_, described) = calls(&Passwords::default());
        let value = serde_json::to_value(described).expect("it is JSON");
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let groups = list(&value["tags"]);
        for (path, item) in value["paths"].as_object().expect("paths") {
            for (method, call) in item.as_object().expect("methods") {
                let tags = list(&call["tags"]);
                let is_shown = groups.iter().any(|group| tags.contains(&group["name"]));
                assert!(is_shown, "{method} {path}");
            }
        }
    }
}
