//! The `OpenAPI` description.

use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};

use super::problem::ProblemBody;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Touchstone crowd",
        description = "People list the legal moves of positions; lists that agree become test cases. \
            A session is a cookie. Requests that change something must come from this site, or from a program \
            that is no browser. Errors are problem details (RFC 9457). Times are milliseconds since 1970 UTC.",
    ),
    tags(
        (name = "contribute", description = "Get a position, list its moves, finish, see the result."),
        (name = "results", description = "What anyone may read."),
        (name = "play", description = "Play against the engine; the browser keeps the game."),
        (name = "moderate", description = "For those who have the moderators' token."),
    ),
    components(schemas(ProblemBody)),
)]
struct Outline;

/// The description before the routes are added.
pub(crate) fn outline() -> OpenApi {
    let mut outline = Outline::openapi();
    let components = outline.components.get_or_insert_default();
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    components.add_security_scheme("moderator", bearer);
    outline
}
