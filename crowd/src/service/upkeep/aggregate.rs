//! Aggregates answers to estimates.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::aggregate::moves::{Estimates, MoveLabel, estimate};
use crate::model::{Mode, MoveText, PositionState, Timestamp};
use crate::service::core::on_a_thread;
use crate::service::positions::{Findings, KnownPosition, Positions};
use crate::service::results::listed;
use crate::service::rows::AssignmentContext;
use crate::service::{Service, ServiceError};
use crate::store::StoreError;
use crate::store::entity::{assignment, estimate as estimate_row, reliability};
use crate::trust::{Estimate, Reliability};

/// The result of one round of aggregation.
struct Made {
    findings: Findings,
    estimates: Vec<estimate_row::Model>,
    reliabilities: Vec<reliability::Model>,
}

impl Service {
    /// Recomputes all estimates, writes those that have changed, and caches them in memory.
    pub(super) async fn aggregate(&self) -> Result<(), ServiceError> {
        let quarantined: HashSet<i64> = self
            .store()
            .quarantined_people()
            .await?
            .into_iter()
            .collect();
        let mut rows = self.store().finished().await?;
        rows.retain(|row| !quarantined.contains(&row.contributor_id));
        // Checked after the lists were read, so that every list belongs to a known position.
        if self.are_positions_new().await? {
            self.read_positions().await?;
        }
        let positions = self.positions();
        let made = on_a_thread(move || make(&rows, &positions)).await??;
        self.store().put_estimates(&made.estimates).await?;
        self.store().put_reliabilities(&made.reliabilities).await?;
        self.read_positions_with(Arc::new(made.findings)).await
    }
}

fn make(rows: &[assignment::Model], positions: &Positions) -> Result<Made, StoreError> {
    let mut labels = Vec::new();
    let mut lists: BTreeMap<i64, Vec<Timestamp>> = BTreeMap::new();
    for row in rows {
        let Some(known) = positions.find(row.position_id) else {
            tracing::warn!("a list of position {}, which is not known", row.position_id);
            continue;
        };
        if known.is_late(row) {
            continue;
        }
        add_labels(&mut labels, row, known)?;
        let is_whole = row.complete && matches!(row.mode, Mode::Calm | Mode::Timed | Mode::Pair);
        if is_whole && let Some(at) = row.finished_at {
            lists.entry(known.id).or_default().push(Timestamp(at));
        }
    }
    let estimates = estimate(&labels, &gold(positions));
    let reliabilities = reliabilities(&estimates);
    let changed = estimates_to_write(&estimates, &positions.findings);
    let voters = voters(&labels);
    let findings = Findings {
        estimates: with_voters(&estimates, voters),
        reliability: means(&reliabilities),
        lists,
        reliabilities,
    };
    Ok(Made {
        reliabilities: reliabilities_to_write(&estimates, &positions.findings),
        estimates: changed,
        findings,
    })
}

/// Adds the labels that a finished assignment gives to candidates. A list cut off by the time limit
/// says nothing about moves that are not on it.
fn add_labels(
    labels: &mut Vec<MoveLabel>,
    row: &assignment::Model,
    known: &KnownPosition,
) -> Result<(), StoreError> {
    let given = AssignmentContext::read(row)?;
    let (moves, refused) = listed(row)?;
    let asked = given.asked.unwrap_or_default();
    for candidate in known.candidates.iter() {
        let is_on = moves.contains(&candidate.text);
        let is_answered = match given.mode {
            Mode::Review => is_on || refused.contains(&candidate.text),
            Mode::Missing => asked.contains(&candidate.text),
            Mode::Calm | Mode::Timed | Mode::Pair => is_on || row.complete,
        };
        if is_answered {
            labels.push(MoveLabel {
                position: known.id,
                candidate: candidate.text.clone(),
                class: candidate.class,
                worker: row.contributor_id,
                yes: is_on,
            });
        }
    }
    Ok(())
}

fn gold(positions: &Positions) -> BTreeMap<(i64, MoveText), bool> {
    let gold = positions.all().filter(|p| p.state == PositionState::Gold);
    let answers = gold.flat_map(|known| {
        let answer = |text: &MoveText| known.legal.as_ref().is_some_and(|l| l.contains(text));
        let candidates = known.candidates.iter();
        candidates.map(move |one| ((known.id, one.text.clone()), answer(&one.text)))
    });
    answers.collect()
}

fn reliabilities(estimates: &Estimates) -> Vec<Reliability> {
    let each = estimates.workers.iter();
    let each = each.map(|(&(worker, class), quality)| Reliability {
        worker,
        class,
        value: quality.reliability,
        labels: quality.labels,
    });
    each.collect()
}

fn means(reliabilities: &[Reliability]) -> HashMap<i64, f64> {
    let mut sums: HashMap<i64, (f64, f64)> = HashMap::new();
    for one in reliabilities {
        let (sum, count) = sums.entry(one.worker).or_default();
        *sum += one.value;
        *count += 1.0;
    }
    let mean = |(worker, (sum, count)): (i64, (f64, f64))| (worker, sum / count);
    sums.into_iter().map(mean).collect()
}

/// The contributors who answered yes and no for each candidate.
type Voters<'a> = HashMap<(i64, &'a MoveText), (Vec<i64>, Vec<i64>)>;

fn voters(labels: &[MoveLabel]) -> Voters<'_> {
    let mut voters = Voters::new();
    for label in labels {
        let of_both = voters
            .entry((label.position, &label.candidate))
            .or_default();
        let side = if label.yes {
            &mut of_both.0
        } else {
            &mut of_both.1
        };
        side.push(label.worker);
    }
    voters
}

fn with_voters<'a>(
    estimates: &'a Estimates,
    mut voters: Voters<'a>,
) -> BTreeMap<(i64, MoveText), Estimate> {
    let each = estimates.moves.iter().map(|((position, text), found)| {
        let (yes, no) = voters.remove(&(*position, text)).unwrap_or_default();
        let estimate = Estimate {
            text: text.clone(),
            class: found.class,
            yes,
            no,
            dawid_skene: found.dawid_skene,
        };
        ((*position, text.clone()), estimate)
    });
    each.collect()
}

/// Smaller changes of a number are not written.
const NOTEWORTHY: f64 = 1e-6;

fn estimates_to_write(estimates: &Estimates, before: &Findings) -> Vec<estimate_row::Model> {
    let changed = estimates.moves.iter().filter(|(key, now)| {
        before.estimates.get(*key).is_none_or(|old| {
            (old.yes.len(), old.no.len()) != (now.yes as usize, now.no as usize)
                || (old.dawid_skene - now.dawid_skene).abs() > NOTEWORTHY
        })
    });
    let row = |((position, text), now): (&(i64, MoveText), &crate::aggregate::moves::Estimate)| {
        estimate_row::Model {
            position_id: *position,
            mv: text.to_string(),
            class: now.class,
            yes: i32::try_from(now.yes).unwrap_or(i32::MAX),
            no: i32::try_from(now.no).unwrap_or(i32::MAX),
            majority: now.majority,
            one_coin: now.one_coin,
            dawid_skene: now.dawid_skene,
        }
    };
    changed.map(row).collect()
}

fn reliabilities_to_write(estimates: &Estimates, before: &Findings) -> Vec<reliability::Model> {
    let before: HashMap<_, f64> = before
        .reliabilities
        .iter()
        .map(|old| ((old.worker, old.class), old.value))
        .collect();
    let changed = estimates.workers.iter().filter(|(key, now)| {
        let old = before.get(*key);
        old.is_none_or(|old| (old - now.reliability).abs() > NOTEWORTHY)
    });
    let row = |((worker, class), now): (
        &(i64, crate::model::MoveClass),
        &crate::aggregate::moves::ClassQuality,
    )| {
        reliability::Model {
            contributor_id: *worker,
            class: *class,
            reliability: now.reliability,
            labels: i32::try_from(now.labels).unwrap_or(i32::MAX),
        }
    };
    changed.map(row).collect()
}
