//! Pages of people: signing in, one's account and machines, everybody's accounts, the audit log. Plain
//! forms, no script.

use std::convert::Infallible;
use std::net::IpAddr;

use askama::Template;
use axum::extract::{DefaultBodyLimit, FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde::Deserialize;
use web::extract::{Form, Path, Query};
use web::limits::client;
use web::problem::Problem;

use super::PageFrame;
use super::format::moment;
use crate::app::LabState;
use crate::model::{Account, Role};
use crate::people::accounts::{self, AccountRow, Visitor};
use crate::people::audit::{self, AuditRow};
use crate::people::machines::{self, MachineRow, TokenRow};
use crate::people::passwords::Passwords;
use crate::people::sessions::{self, COOKIE, LONGEST_SECONDS, SessionId, SessionRow};
use crate::people::{InSession, OnPage, PeopleError, Right, link_address};

/// The largest form.
const FORM_BYTES: usize = 16 * 1024;
/// Entries of the audit log on one page.
const ENTRIES: u16 = 100;

/// The pages of people and machines.
pub fn router(passwords: &Passwords) -> Router<LabState> {
    Router::new()
        .route("/sign-in", get(ask).post(sign_in))
        .route("/sign-out", post(sign_out))
        .route("/link", get(show_link).post(redeem))
        .route("/account", get(account))
        .route("/account/password", post(change_password))
        .route("/account/tokens", post(add_token))
        .route("/account/tokens/{id}/revoke", post(revoke_token))
        .route("/account/sessions/end", post(end_sessions))
        .route("/account/sessions/{id}/end", post(end_session))
        .route("/account/machines", get(own_machines).post(add_machine))
        .route("/account/machines/{name}/token", post(renew_machine))
        .route("/account/machines/{name}/revoke", post(revoke_machine))
        .route("/people", get(people).post(invite))
        .route("/people/{name}/reset", post(reset))
        .route("/people/{name}/role", post(set_role))
        .route("/people/{name}/disable", post(disable))
        .route("/people/{name}/enable", post(enable))
        .route("/audit", get(audit_log))
        .layer(DefaultBodyLimit::max(FORM_BYTES))
        .layer(Extension(passwords.clone()))
}

/// Where to go after signing in: a path of this site, or the first page.
fn next_of(text: &str) -> &str {
    // Browsers take `//host` and `/\host` for other sites, and drop tabs and line ends.
    let is_path = text.starts_with('/')
        && !text.starts_with("//")
        && !text.contains('\\')
        && text.bytes().all(|b| b.is_ascii_graphic());
    if is_path { text } else { "/" }
}

/// The page, or the problem that it cannot be filled.
fn page(status: StatusCode, template: &impl Template) -> Result<Response, Problem> {
    match template.render() {
        Ok(text) => Ok((status, axum::response::Html(text)).into_response()),
        Err(error) => Err(Problem::internal(&error)),
    }
}

/// An error that a page shows beside its form; others get a page of their own.
fn shown(error: PeopleError) -> Result<(StatusCode, String), Problem> {
    let detail = match &error {
        // The message stands beside its field, which needs no name.
        PeopleError::BadValue { reason, .. } => reason.clone(),
        error => error.to_string(),
    };
    let problem = Problem::from(error);
    if problem.status().is_server_error() {
        return Err(problem);
    }
    Ok((problem.status(), detail))
}

fn browser_of(headers: &HeaderMap) -> &str {
    let value = headers.get(header::USER_AGENT);
    value.and_then(|value| value.to_str().ok()).unwrap_or("")
}

fn with_session(app: &LabState, cookie: &str, to: &str) -> Response {
    // The database ends a session after 14 idle days; the cookie must only not end before it.
    let cookie = COOKIE.set(cookie, LONGEST_SECONDS, app.settings.https);
    ([(header::SET_COOKIE, cookie)], Redirect::to(to)).into_response()
}

#[derive(Template)]
#[template(path = "people/sign_in.html")]
struct SignInPage<'a> {
    frame: PageFrame,
    name: &'a str,
    next: &'a str,
    error: Option<String>,
}

#[derive(Deserialize)]
struct Next {
    #[serde(default)]
    next: String,
}

async fn ask(Query(Next { next }): Query<Next>) -> Result<Response, Problem> {
    let frame = PageFrame::new("Sign in", "account", None);
    let (name, next, error) = ("", next_of(&next), None);
    page(
        StatusCode::OK,
        &SignInPage {
            frame,
            name,
            next,
            error,
        },
    )
}

#[derive(Deserialize)]
struct SignInForm {
    name: String,
    password: String,
    #[serde(default)]
    next: String,
}

/// The network that a request comes from, as far as known.
struct Address(Option<IpAddr>);

impl FromRequestParts<LabState> for Address {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &LabState) -> Result<Self, Infallible> {
        let (headers, extensions) = (&parts.headers, &parts.extensions);
        Ok(Self(client(headers, extensions, app.settings.trust_proxy)))
    }
}

async fn sign_in(
    State(app): State<LabState>,
    Extension(passwords): Extension<Passwords>,
    Address(address): Address,
    headers: HeaderMap,
    Form(form): Form<SignInForm>,
) -> Result<Response, Problem> {
    let visitor = Visitor {
        address,
        browser: browser_of(&headers),
        old_cookie: COOKIE.read(&headers, app.settings.https),
    };
    let next = next_of(&form.next);
    let signed = accounts::sign_in(
        &app.database,
        &passwords,
        &form.name,
        &form.password,
        visitor,
    );
    match signed.await {
        Ok(cookie) => Ok(with_session(&app, &cookie, next)),
        Err(error) => {
            let (status, text) = shown(error)?;
            let frame = PageFrame::new("Sign in", "account", None);
            let name = &form.name;
            let error = Some(text);
            page(
                status,
                &SignInPage {
                    frame,
                    name,
                    next,
                    error,
                },
            )
        }
    }
}

async fn sign_out(State(app): State<LabState>, headers: HeaderMap) -> Result<Response, Problem> {
    if let Some(cookie) = COOKIE.read(&headers, app.settings.https) {
        let mut connection = app
            .database
            .pool
            .acquire()
            .await
            .map_err(PeopleError::from)?;
        let ended = sessions::end_of(&mut connection, cookie).await;
        ended.map_err(PeopleError::from)?;
    }
    let gone = COOKIE.remove(app.settings.https);
    Ok(([(header::SET_COOKIE, gone)], Redirect::to("/")).into_response())
}

#[derive(Template)]
#[template(path = "people/link.html")]
struct LinkPage<'a> {
    frame: PageFrame,
    secret: &'a str,
    error: Option<String>,
}

async fn show_link() -> Result<Response, Problem> {
    // The secret is behind the `#`, which no server gets: a script puts it into the form.
    let frame = PageFrame::new("Set a password", "account", None);
    let (secret, error) = ("", None);
    page(
        StatusCode::OK,
        &LinkPage {
            frame,
            secret,
            error,
        },
    )
}

#[derive(Deserialize)]
struct LinkForm {
    secret: String,
    password: String,
    again: String,
}

async fn redeem(
    State(app): State<LabState>,
    Extension(passwords): Extension<Passwords>,
    headers: HeaderMap,
    Form(form): Form<LinkForm>,
) -> Result<Response, Problem> {
    // Without scripts, people paste what they were given: the end of the link, or all of it.
    let secret = form.secret.trim();
    let secret = secret.rsplit('#').next().unwrap_or(secret);
    let done = if form.password == form.again {
        let browser = browser_of(&headers);
        accounts::redeem(&app.database, &passwords, secret, &form.password, browser).await
    } else {
        Err(different())
    };
    match done {
        Ok(cookie) => Ok(with_session(&app, &cookie, "/account")),
        Err(error) => {
            let (status, text) = shown(error)?;
            let frame = PageFrame::new("Set a password", "account", None);
            let error = Some(text);
            page(
                status,
                &LinkPage {
                    frame,
                    secret,
                    error,
                },
            )
        }
    }
}

fn different() -> PeopleError {
    PeopleError::BadValue {
        field: "again",
        reason: String::from("the two passwords differ"),
    }
}

#[derive(Template)]
#[template(path = "people/account.html")]
struct AccountPage {
    frame: PageFrame,
    account: Account,
    may_manage: bool,
    this_session: SessionId,
    tokens: Vec<TokenRow>,
    sessions: Vec<SessionRow>,
    password_error: Option<String>,
    password_changed: bool,
    token_error: Option<String>,
}

impl AccountPage {
    async fn new(app: &LabState, caller: &InSession) -> Result<Self, Problem> {
        let account = caller.account.clone();
        Ok(Self {
            frame: PageFrame::new("Account", "account", Some(account.clone())),
            may_manage: account.may(Right::ManagePeople),
            this_session: caller.session,
            tokens: machines::tokens(&app.database, account.id).await?,
            sessions: sessions::list(&app.database, account.id).await?,
            password_error: None,
            password_changed: false,
            token_error: None,
            account,
        })
    }
}

async fn account(State(app): State<LabState>, OnPage(caller): OnPage) -> Result<Response, Problem> {
    page(StatusCode::OK, &AccountPage::new(&app, &caller).await?)
}

#[derive(Deserialize)]
struct PasswordForm {
    old: String,
    password: String,
    again: String,
}

async fn change_password(
    State(app): State<LabState>,
    Extension(passwords): Extension<Passwords>,
    OnPage(caller): OnPage,
    Form(form): Form<PasswordForm>,
) -> Result<Response, Problem> {
    let whose = (&caller.account, caller.session);
    let done = if form.password == form.again {
        let (old, new) = (&form.old, &form.password);
        accounts::change_password(&app.database, &passwords, whose, old, new).await
    } else {
        Err(different())
    };
    // The page is filled after the change, as that ends other sessions.
    let mut shown_page = AccountPage::new(&app, &caller).await?;
    let status = match done {
        Ok(()) => {
            shown_page.password_changed = true;
            StatusCode::OK
        }
        Err(error) => {
            let (status, text) = shown(error)?;
            shown_page.password_error = Some(text);
            status
        }
    };
    page(status, &shown_page)
}

/// Something that is shown once: a token or a link, and what to do with it.
#[derive(Template)]
#[template(path = "people/secret.html")]
struct SecretPage<'a> {
    frame: PageFrame,
    secret: &'a str,
    purpose: Purpose<'a>,
    back: &'static str,
}

enum Purpose<'a> {
    /// A token for a program, of this name.
    Program { name: &'a str, url: &'a str },
    /// A token for a worker, of this name.
    Worker { name: &'a str, url: &'a str },
    /// A link for the owner of this account.
    Person { name: &'a str },
}

/// A name of something new, in a form.
#[derive(Deserialize)]
struct NameForm {
    name: String,
}

async fn add_token(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
    Form(NameForm { name }): Form<NameForm>,
) -> Result<Response, Problem> {
    match machines::add_token(&app.database, &caller.account, &name).await {
        Ok(token) => {
            let secret = SecretPage {
                frame: PageFrame::new("New token", "account", Some(caller.account)),
                secret: &token,
                purpose: Purpose::Program {
                    name: &name,
                    url: &app.settings.public_url,
                },
                back: "/account",
            };
            page(StatusCode::OK, &secret)
        }
        Err(error) => {
            let (status, text) = shown(error)?;
            let mut shown_page = AccountPage::new(&app, &caller).await?;
            shown_page.token_error = Some(text);
            page(status, &shown_page)
        }
    }
}

async fn revoke_token(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
    Path(id): Path<i32>,
) -> Result<Redirect, Problem> {
    machines::revoke_token(&app.database, &caller.account, id).await?;
    Ok(Redirect::to("/account#tokens"))
}

async fn end_sessions(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
) -> Result<Response, Problem> {
    accounts::sign_out_everywhere(&app.database, &caller.account).await?;
    let gone = COOKIE.remove(app.settings.https);
    Ok(([(header::SET_COOKIE, gone)], Redirect::to("/sign-in")).into_response())
}

async fn end_session(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
    Path(id): Path<i32>,
) -> Result<Redirect, Problem> {
    if sessions::end(&app.database, caller.account.id, SessionId(id)).await? {
        Ok(Redirect::to("/account#sessions"))
    } else {
        Err(PeopleError::NoSession(id).into())
    }
}

#[derive(Template)]
#[template(path = "people/machines.html")]
struct OwnMachinesPage {
    frame: PageFrame,
    machines: Vec<MachineRow>,
    name: String,
    error: Option<String>,
    next: Option<String>,
}

impl OwnMachinesPage {
    async fn new(app: &LabState, account: &Account, after: &str) -> Result<Self, Problem> {
        let machines = machines::workers(&app.database, Some(account.id), after).await?;
        Ok(Self {
            frame: PageFrame::new("Your machines", "machines", Some(account.clone())),
            next: next_page(&machines, |row| &row.name),
            machines,
            name: String::new(),
            error: None,
        })
    }
}

/// Maximum number of rows of a list; the next page begins after the last name.
const ROWS: usize = 1000;

fn next_page<T>(rows: &[T], name: impl Fn(&T) -> &str) -> Option<String> {
    let last = rows.last().filter(|_| rows.len() >= ROWS);
    last.map(|row| name(row).to_owned())
}

#[derive(Deserialize)]
struct AfterName {
    #[serde(default)]
    after: String,
}

async fn own_machines(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
    Query(AfterName { after }): Query<AfterName>,
) -> Result<Response, Problem> {
    let shown_page = OwnMachinesPage::new(&app, &caller.account, &after).await?;
    page(StatusCode::OK, &shown_page)
}

async fn add_machine(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
    Form(NameForm { name }): Form<NameForm>,
) -> Result<Response, Problem> {
    caller.account.require(Right::Submit)?;
    match machines::add_worker(&app.database, &caller.account, &name).await {
        Ok(token) => worker_token(&app, caller.account, &name, &token),
        Err(error) => {
            let (status, text) = shown(error)?;
            let mut shown_page = OwnMachinesPage::new(&app, &caller.account, "").await?;
            shown_page.name = name;
            shown_page.error = Some(text);
            page(status, &shown_page)
        }
    }
}

fn worker_token(
    app: &LabState,
    account: Account,
    name: &str,
    token: &str,
) -> Result<Response, Problem> {
    let secret = SecretPage {
        frame: PageFrame::new("Token of a machine", "machines", Some(account)),
        secret: token,
        purpose: Purpose::Worker {
            name,
            url: &app.settings.public_url,
        },
        back: "/account/machines",
    };
    page(StatusCode::OK, &secret)
}

async fn renew_machine(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    let token = machines::renew_worker(&app.database, &caller.account, &name).await?;
    worker_token(&app, caller.account, &name, &token)
}

async fn revoke_machine(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
    Path(name): Path<String>,
) -> Result<Redirect, Problem> {
    machines::revoke_worker(&app.database, Some(&caller.account), &name).await?;
    Ok(Redirect::to("/account/machines"))
}

#[derive(Template)]
#[template(path = "people/people.html")]
struct PeoplePage {
    frame: PageFrame,
    accounts: Vec<AccountRow>,
    name: String,
    error: Option<String>,
    next: Option<String>,
}

impl PeoplePage {
    async fn new(app: &LabState, account: &Account, after: &str) -> Result<Self, Problem> {
        account.require(Right::ManagePeople)?;
        let accounts = accounts::list(&app.database, after).await?;
        Ok(Self {
            frame: PageFrame::new("People", "account", Some(account.clone())),
            next: next_page(&accounts, |row| &row.name),
            accounts,
            name: String::new(),
            error: None,
        })
    }
}

async fn people(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
    Query(AfterName { after }): Query<AfterName>,
) -> Result<Response, Problem> {
    let shown_page = PeoplePage::new(&app, &caller.account, &after).await?;
    page(StatusCode::OK, &shown_page)
}

#[derive(Deserialize)]
struct InviteForm {
    name: String,
    role: Role,
}

/// The page with a link for somebody, or the list with what was wrong.
async fn linked(
    app: &LabState,
    account: Account,
    name: &str,
    made: Result<String, PeopleError>,
) -> Result<Response, Problem> {
    match made {
        Ok(secret) => {
            let link = SecretPage {
                frame: PageFrame::new("Link for a person", "account", Some(account)),
                secret: &link_address(&app.settings.public_url, &secret),
                purpose: Purpose::Person { name },
                back: "/people",
            };
            page(StatusCode::OK, &link)
        }
        Err(error) => {
            let (status, text) = shown(error)?;
            let mut shown_page = PeoplePage::new(app, &account, "").await?;
            name.clone_into(&mut shown_page.name);
            shown_page.error = Some(text);
            page(status, &shown_page)
        }
    }
}

async fn invite(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
    Form(InviteForm { name, role }): Form<InviteForm>,
) -> Result<Response, Problem> {
    caller.account.require(Right::ManagePeople)?;
    // Operators call this without an account: its callers check the rights.
    let made = accounts::invite(&app.database, Some(caller.account.id), &name, role).await;
    linked(&app, caller.account, &name, made).await
}

async fn reset(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    caller.account.require(Right::ManagePeople)?;
    let made = accounts::reset(&app.database, Some(caller.account.id), &name).await;
    linked(&app, caller.account, &name, made).await
}

#[derive(Deserialize)]
struct RoleForm {
    role: Role,
}

async fn set_role(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
    Path(name): Path<String>,
    Form(RoleForm { role }): Form<RoleForm>,
) -> Result<Redirect, Problem> {
    caller.account.require(Right::ManagePeople)?;
    accounts::set_role(&app.database, Some(caller.account.id), &name, role).await?;
    Ok(Redirect::to("/people"))
}

async fn disable(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
    Path(name): Path<String>,
) -> Result<Redirect, Problem> {
    caller.account.require(Right::ManagePeople)?;
    accounts::disable(&app.database, Some(caller.account.id), &name).await?;
    Ok(Redirect::to("/people"))
}

async fn enable(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
    Path(name): Path<String>,
) -> Result<Redirect, Problem> {
    caller.account.require(Right::ManagePeople)?;
    accounts::enable(&app.database, Some(caller.account.id), &name).await?;
    Ok(Redirect::to("/people"))
}

#[derive(Template)]
#[template(path = "people/audit.html")]
struct AuditPage {
    frame: PageFrame,
    entries: Vec<AuditRow>,
    next: Option<i64>,
}

#[derive(Deserialize)]
struct BeforeEntry {
    before: Option<i64>,
}

async fn audit_log(
    State(app): State<LabState>,
    OnPage(caller): OnPage,
    Query(BeforeEntry { before }): Query<BeforeEntry>,
) -> Result<Response, Problem> {
    caller.account.require(Right::ReadAudit)?;
    let entries = audit::entries(&app.database, before, ENTRIES).await?;
    let is_full = entries.len() >= usize::from(ENTRIES);
    let next = entries.last().filter(|_| is_full).map(|entry| entry.id);
    let frame = PageFrame::new("Audit log", "account", Some(caller.account));
    page(
        StatusCode::OK,
        &AuditPage {
            frame,
            entries,
            next,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signing_in_leads_to_pages_of_this_site_alone() {
        for path in ["/", "/tests/5", "/tests?state=done"] {
            assert_eq!(next_of(path), path);
        }
        for text in [
            "",
            "tests",
            "//evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "https://evil.example",
        ] {
            assert_eq!(next_of(text), "/", "{text:?}");
        }
    }
}
