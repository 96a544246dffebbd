//! What the buttons of pages do: forms that are sent, and lead back to a page. Requests of other sites
//! are rejected before they come here.

use axum::extract::State;
use axum::response::{IntoResponse as _, Redirect, Response};
use serde::Deserialize;
use web::extract::{Form, Path};
use web::problem::{INTERNAL, Problem};

use super::tests_list::percent_encoded;
use crate::app::LabState;
use crate::conduct::api::Turn;
use crate::conduct::{repositories, submit};
use crate::people::{OnPage, Right, audit, machines};
use crate::problem::NO_WORKER;
use crate::store::work::WorkError;

type Done = Result<Response, Problem>;

/// The longest reason, in characters.
// The form has the same limit (`maxlength`).
const REASON: usize = 200;

fn to_test(id: &str) -> Response {
    // With 303, a page that is loaded again does not send the form again (RFC 9110, section 15.4.4).
    Redirect::to(&format!("/tests/{}", percent_encoded(id))).into_response()
}

/// Approves a test.
pub(crate) async fn approve(
    State(app): State<LabState>,
    OnPage(who): OnPage,
    Path(id): Path<String>,
) -> Done {
    submit::approve(&app.database, &who.account, &id).await?;
    Ok(to_test(&id))
}

/// Rejects a test.
pub(crate) async fn reject(
    State(app): State<LabState>,
    OnPage(who): OnPage,
    Path(id): Path<String>,
) -> Done {
    let reason = format!("rejected by {}", who.account.name);
    submit::reject(&app.database, &who.account, &id, &reason).await?;
    Ok(to_test(&id))
}

/// Stops a test.
pub(crate) async fn stop(
    State(app): State<LabState>,
    OnPage(who): OnPage,
    Path(id): Path<String>,
) -> Done {
    let reason = format!("stopped by {}", who.account.name);
    submit::stop(&app.database, &who.account, &id, &reason).await?;
    app.work.jobs_changed();
    Ok(to_test(&id))
}

/// Lets a flagged test go on.
pub(crate) async fn resume(
    State(app): State<LabState>,
    OnPage(who): OnPage,
    Path(id): Path<String>,
) -> Done {
    submit::resume(&app.database, &who.account, &id).await?;
    app.work.jobs_changed();
    Ok(to_test(&id))
}

/// What people write about a test.
#[derive(Debug, Deserialize)]
pub(crate) struct NoteForm {
    note: String,
}

/// Writes a note about a test in place of the one before.
pub(crate) async fn note(
    State(app): State<LabState>,
    OnPage(who): OnPage,
    Path(id): Path<String>,
    Form(NoteForm { note }): Form<NoteForm>,
) -> Done {
    submit::annotate(&app.database, &who.account, &id, note.trim()).await?;
    Ok(to_test(&id))
}

/// Changes priority and weight of a test.
pub(crate) async fn turn(
    State(app): State<LabState>,
    OnPage(who): OnPage,
    Path(id): Path<String>,
    Form(Turn { priority, weight }): Form<Turn>,
) -> Done {
    submit::reschedule(&app.database, &who.account, &id, (priority, weight)).await?;
    app.work.jobs_changed();
    Ok(to_test(&id))
}

/// Approves a repository.
pub(crate) async fn approve_repository(
    State(app): State<LabState>,
    OnPage(who): OnPage,
    Path(name): Path<String>,
) -> Done {
    repositories::approve(&app.database, &who.account, &name).await?;
    Ok(Redirect::to("/repositories").into_response())
}

/// Why something is done.
#[derive(Debug, Deserialize)]
pub(crate) struct Why {
    reason: String,
}

/// Quarantines a machine.
pub(crate) async fn quarantine(
    State(app): State<LabState>,
    OnPage(who): OnPage,
    Path(name): Path<String>,
    Form(Why { reason }): Form<Why>,
) -> Done {
    who.account.require(Right::Quarantine)?;
    let reason: String = reason.trim().chars().take(REASON).collect();
    let done = app.work.quarantine(&name, &reason).await;
    done.map_err(|error| match error {
        WorkError::NoWorker(name) => {
            Problem::new(NO_WORKER, format!("there is no worker '{name}'"))
        }
        WorkError::Store(error) => error.into(),
        error => {
            tracing::error!("{name} was not quarantined: {error}");
            Problem::new(INTERNAL, "the fault is in the server's log")
        }
    })?;
    let by = Some(who.account.id);
    audit(&app.database.pool, by, "quarantine worker", &name, &reason).await?;
    Ok(Redirect::to("/machines").into_response())
}

/// Ends the quarantine of a machine.
pub(crate) async fn release(
    State(app): State<LabState>,
    OnPage(who): OnPage,
    Path(name): Path<String>,
) -> Done {
    who.account.require(Right::Quarantine)?;
    let failed = super::reading;
    let mut transaction = app.database.pool.begin().await.map_err(failed)?;
    let sql = "update lab.workers set quarantined_at = null, quarantine_reason = null
        where name = $1 and quarantined_at is not null";
    let released = sqlx::query(sql).bind(&name);
    let released = released.execute(&mut *transaction).await.map_err(failed)?;
    if released.rows_affected() == 0 {
        let detail = format!("there is no worker '{name}' in quarantine");
        return Err(Problem::new(NO_WORKER, detail));
    }
    let by = Some(who.account.id);
    audit(&mut *transaction, by, "end quarantine of worker", &name, "").await?;
    transaction.commit().await.map_err(failed)?;
    Ok(Redirect::to("/machines").into_response())
}

/// Revokes the token of a machine.
pub(crate) async fn revoke(
    State(app): State<LabState>,
    OnPage(who): OnPage,
    Path(name): Path<String>,
) -> Done {
    machines::revoke_worker(&app.database, Some(&who.account), &name).await?;
    Ok(Redirect::to("/machines").into_response())
}
