//! `perft count --lab URL`: a count as a test of a lab, which the server cuts, has counted and sums up.

use std::collections::BTreeMap;
use std::time::Instant;

use chess::notation::fen;
use chess::perft::Breakdown;
use kit::output::{self, remark, to_stderr};
use kit::report::Format;
use kit::{BadInput, Exit};
use queue::lab::{LabTest, TestClient};
use queue::wire::Verification;
use serde::Deserialize;
use serde_json::json;

use super::CommandContext;
use super::count::CountArgs;
use crate::count::result::{CompletionStatus, CountMode, CountResult, Provenance};
use crate::report::count::write_count;

/// One of so many chunks, the first among them, is counted by two workers.
const AGAIN_EVERY: u32 = 50;

/// What a lab knows of a count: a part of `touchstone/lab-summary/1`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct KnownCount {
    done: u64,
    units: u64,
    outcome: Option<String>,
    headline: String,
    perft: Option<KnownPerft>,
    workers: BTreeMap<String, WorkerUnits>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct KnownPerft {
    nodes: String,
    divide: Vec<(String, String)>,
    breakdown: Vec<(String, String)>,
    verification: Option<Verification>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct WorkerUnits {
    units: u64,
}

/// Has a position counted by the lab at `url`, and prints the result.
#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(super) fn count(args: &CountArgs, url: &str, session: &CommandContext) -> anyhow::Result<Exit> {
    let start = Instant::now();
    args.check_lab()?;
    let plan = args.plan(session)?;
    let client = TestClient::connect(url, &session.interrupt, session.quiet)?;
    let spec = json!({
        "kind": "perft",
        "perft": {
            "fen": fen::write(&plan.position),
            "depth": plan.depth,
            "breakdown": plan.mode == CountMode::Breakdown,
            "again_every": AGAIN_EVERY,
        },
    });
    let Some(submitted) = client.submit(&spec, args.lab.no_wait)? else {
        return Ok(Exit::Agreed);
    };
    let progress = session.progress(0, "units", args.format == Format::Human);
    let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    let mut show = |known: &KnownCount| {
        progress.reach(size(known.done), size(known.units));
        progress.say(format!("units: {}", known.headline));
    };
    let test: anyhow::Result<Option<LabTest<KnownCount>>> = client.wait(&submitted.id, &mut show);
    progress.finish();
    let Some(test) = test? else {
        remark(
            session.quiet,
            &format!("interrupted: the test continues: {}", submitted.url),
        );
        return Ok(Exit::Interrupted);
    };
    let mut result = CountResult::new(plan.position, plan.depth, plan.mode);
    take(&submitted.id, test, &mut result)?;
    result.time = start.elapsed();
    output::stdout_with(|out| write_count(&result, args.format, out))?;
    if result.status == CompletionStatus::Unverified {
        if args.unverified_ok {
            return Ok(Exit::Agreed);
        }
        to_stderr(
            "note: too few units were counted a second time: the lab has one worker, or had one for a minute; \
             --unverified-ok accepts the sum",
        );
    }
    Ok(result.status.exit())
}

/// Takes the final result of a test.
fn take(id: &str, test: LabTest<KnownCount>, result: &mut CountResult) -> anyhow::Result<()> {
    let state = test.state();
    let LabTest {
        summary, passed, ..
    } = test;
    let perft = summary.perft.unwrap_or_default();
    let verification = perft.verification;
    result.status = match summary.outcome.as_deref() {
        Some("complete") if is_verified(verification.as_ref()) => CompletionStatus::Complete,
        Some("complete") => CompletionStatus::Unverified,
        Some("inexact") => CompletionStatus::Different,
        // A count that does not fit is the request's fault.
        Some(_) => return Err(BadInput(summary.headline).into()),
        // A test that cannot be prepared is wrong; nobody stopped it.
        None if summary.units == 0 && passed == Some(false) => return Err(BadInput(state).into()),
        None if summary.done == 0 => anyhow::bail!(state),
        None => {
            to_stderr(&format!("error: {state}"));
            CompletionStatus::Stopped
        }
    };
    let number = |text: &str| {
        let number = text.parse::<u128>();
        number.map_err(|_| anyhow::anyhow!("the lab sent '{text}' as a count"))
    };
    if !perft.nodes.is_empty() {
        result.nodes = number(&perft.nodes)?;
    }
    if result.mode == CountMode::Divide {
        let rows = perft.divide.into_iter();
        let rows: anyhow::Result<_> = rows
            .map(|(name, text)| Ok((name, number(&text)?)))
            .collect();
        result.divide = rows?;
    }
    if result.mode == CountMode::Breakdown && summary.outcome.is_some() {
        let of = |name: &str| {
            let row = perft.breakdown.iter().find(|row| row.0 == name);
            let row = row.ok_or_else(|| anyhow::anyhow!("the lab sent no count of '{name}'"))?;
            number(&row.1)
        };
        let mut columns = [0; Breakdown::NAMES.len()];
        for (column, name) in columns.iter_mut().zip(Breakdown::NAMES) {
            *column = of(name)?;
        }
        result.breakdown = Some(columns);
    }
    let workers = summary.workers.into_iter();
    result.provenance = Some(Provenance {
        test: id.to_owned(),
        status: result.status,
        units: summary.units,
        verification: verification.unwrap_or(Verification {
            compares: true,
            done: summary.done,
            verified: 0,
            checking: summary.units,
            workers: 0,
            unseen_1_percent: 1.0,
            unseen_10_percent: 1.0,
        }),
        workers: workers.map(|(name, worker)| (name, worker.units)).collect(),
    });
    Ok(())
}

/// Whether all that was to be confirmed was, and something was at all.
fn is_verified(known: Option<&Verification>) -> bool {
    known.is_some_and(|known| known.checking == 0 && (known.verified > 0 || known.done == 0))
}
