//! Machines: whose they are, what they can do, what they did, and what of it was verified.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use web::extract::Query;
use web::problem::Problem;

use super::format::{ago, grouped};
use super::queries::{self, MachineSummary};
use super::tests_list::{Badge, form, percent_encoded};
use super::{PageFrame, page, reading};
use crate::app::LabState;
use crate::model::Account;
use crate::people::{Right, SignedIn};

/// A worker that was silent for longer is not at work.
// Lists of tests count a worker for as long (`queries::at_work`).
const SILENT_MS: i64 = 120_000;

/// A machine as the page shows it.
struct ShownMachine {
    name: String,
    /// Its name within an address.
    address: String,
    owner: String,
    badge: Badge,
    seen: String,
    quarantine: Option<String>,
    system: String,
    version: String,
    cores: u32,
    memory: String,
    speed: String,
    has: String,
    /// Running tests that have results of it: name and title.
    tests: Vec<(String, String)>,
    units: String,
    record: String,
    may_quarantine: bool,
    may_release: bool,
    may_revoke: bool,
}

impl ShownMachine {
    fn new(machine: MachineSummary, account: Option<&Account>) -> Self {
        let abilities = machine.abilities();
        let may = |right| account.is_some_and(|account| account.may(right));
        let is_owner = account.is_some_and(|account| account.id == machine.owner);
        let is_quarantined = machine.quarantine_reason.is_some();
        let works = machine.silent_ms.is_some_and(|ms| ms < SILENT_MS);
        let (text, class) = if machine.is_revoked {
            ("revoked", "")
        } else if is_quarantined {
            ("quarantined", "bad")
        } else if works {
            ("at work", "good")
        } else {
            ("silent", "warn")
        };
        // Workers report 0 for what they do not know.
        let shown = |number: u64, unit: &str| match number {
            0 => "–".to_owned(),
            number => format!("{} {unit}", grouped(number)),
        };
        let record = match machine.chunks {
            0 => "nothing yet".to_owned(),
            chunks => format!(
                "{} of {} chunks",
                grouped(machine.confirmed),
                grouped(chunks)
            ),
        };
        Self {
            address: percent_encoded(&machine.name),
            badge: Badge {
                text: text.to_owned(),
                class,
            },
            seen: machine.silent_ms.map_or_else(|| "never".to_owned(), ago),
            quarantine: machine.quarantine_reason.clone(),
            system: abilities.system,
            version: abilities.version,
            cores: abilities.cores,
            memory: shown(abilities.memory_mib, "MiB"),
            speed: shown(abilities.speed / 1_000_000, "Mn/s"),
            has: abilities.has.join(", "),
            tests: machine.tests.0,
            units: grouped(machine.units),
            record,
            may_quarantine: may(Right::Quarantine) && !is_quarantined && !machine.is_revoked,
            may_release: may(Right::Quarantine) && is_quarantined,
            may_revoke: (is_owner || may(Right::ManageWorkers)) && !machine.is_revoked,
            name: machine.name,
            owner: machine.owner_name,
        }
    }
}

#[derive(Template)]
#[template(path = "machines.html")]
struct MachinesPage {
    frame: PageFrame,
    rows: Vec<ShownMachine>,
    next: Option<String>,
}

/// Which machines are shown.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MachinesFilter {
    /// Only machines whose names come after this one.
    after: String,
}

/// Shows machines by name.
pub(crate) async fn show(
    State(app): State<LabState>,
    who: Option<SignedIn>,
    Query(wanted): Query<MachinesFilter>,
) -> Result<Response, Problem> {
    let found = queries::machines(&app.database.pool, &wanted.after).await;
    let mut machines = found.map_err(reading)?;
    let has_more = machines.len() > usize::try_from(queries::MACHINES).unwrap_or(usize::MAX);
    if has_more {
        machines.pop();
    }
    let last = machines.last().filter(|_| has_more);
    let next = last.map(|last| format!("/machines?{}", form(&[("after", &last.name)])));
    let account = who.map(|who| who.0);
    let rows = machines.into_iter();
    let rows = rows
        .map(|one| ShownMachine::new(one, account.as_ref()))
        .collect();
    let frame = PageFrame::new("Machines", "machines", account);
    Ok(page(&MachinesPage { frame, rows, next }))
}
