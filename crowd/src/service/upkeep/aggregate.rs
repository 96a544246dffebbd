//! Aggregates answers to estimates.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::aggregate::moves::MoveLabel;
use crate::model::{MoveText, Purpose, Timestamp};
use crate::service::core::on_a_thread;
use crate::service::positions::{Findings, KnownPosition, Positions};
use crate::service::results::listed;
use crate::service::{Service, ServiceError, Settings};
use crate::store::StoreError;
use crate::store::entity::{estimate as estimate_row, list, reliability};
use crate::trust::{Arrival, CrowdAnswers, MoveEstimate, Reliability};

struct Made {
    findings: Findings,
    estimates: Vec<estimate_row::Model>,
    reliabilities: Vec<reliability::Model>,
}

impl Service {
    /// Recomputes all estimates, writes those that have changed, and caches them in memory.
    pub(super) async fn aggregate(&self) -> Result<(), ServiceError> {
        let quarantined = self.store().quarantined_people().await?;
        let mut rows = self.store().finished().await?;
        rows.retain(|row| !quarantined.contains(&row.contributor_id));
        // Checked after the lists were read, so that every list belongs to a known position.
        if self.are_positions_new().await? {
            self.read_positions().await?;
        }
        let positions = self.positions();
        let settings = self.settings().clone();
        let made = on_a_thread(move || make(&rows, &positions, &settings)).await??;
        self.store().put_estimates(&made.estimates).await?;
        self.store().put_reliabilities(&made.reliabilities).await?;
        self.read_positions_with(Arc::new(made.findings)).await
    }
}

fn make(
    rows: &[list::Model],
    positions: &Positions,
    settings: &Settings,
) -> Result<Made, StoreError> {
    let mut crowd = CrowdAnswers {
        known: answers(positions, |position| position.legal.as_ref()),
        hidden: answers(positions, |position| position.hidden.as_ref()),
        ..CrowdAnswers::default()
    };
    let mut whole: Vec<(i64, i64, Timestamp)> = Vec::new();
    for row in rows {
        let Some(known) = positions.find(row.position_id) else {
            tracing::warn!("a list of position {}, which is not known", row.position_id);
            continue;
        };
        if known.is_late(row) {
            continue;
        }
        add_labels(&mut crowd.labels, row, known)?;
        // The caps go by the times of finishing, as they do when positions are drawn.
        let arrival = Arrival {
            at: row.last_at(),
            network: row.network,
        };
        let key = (known.id, row.contributor_id);
        crowd.arrivals.insert(key, arrival);
        let is_whole = row.complete && row.purpose.asks_for_list();
        if is_whole && let Some(at) = row.finished_at {
            whole.push((known.id, row.contributor_id, Timestamp(at)));
        }
    }
    // What is hidden only measures people: otherwise those positions are as any other.
    let counted = crowd.count(settings.caps, settings.min_reliability);
    let mut lists: BTreeMap<i64, Vec<Timestamp>> = BTreeMap::new();
    for (position, worker, at) in whole {
        let is_known = positions.find(position).is_some_and(|p| p.legal.is_some());
        // What does not count must not make a position look full.
        if is_known || counted.people.contains(&(position, worker)) {
            lists.entry(position).or_default().push(at);
        }
    }
    let [estimates, vouched] = counted.estimates();
    let measured = counted.measured;
    let mut reliabilities: Vec<Reliability> = estimates.workers.into_values().collect();
    // The model above must not know hidden answers, so what they show of people is added after it.
    measured.add_to(&mut reliabilities);
    Ok(Made {
        estimates: estimates_to_write(&estimates.moves, &positions.findings),
        reliabilities: reliabilities_to_write(&reliabilities, &positions.findings),
        findings: Findings {
            estimates: estimates.moves,
            vouched: vouched.moves,
            reliability: means(&reliabilities),
            elsewhere: measured.elsewhere(&reliabilities),
            lists,
            reliabilities,
        },
    })
}

/// Adds the labels that a finished list gives to candidates. A list cut off by the time limit
/// says nothing about moves that are not on it.
fn add_labels(
    labels: &mut Vec<MoveLabel>,
    row: &list::Model,
    known: &KnownPosition,
) -> Result<(), StoreError> {
    let (moves, refused) = listed(row)?;
    for candidate in known.candidates.iter() {
        let is_on = moves.contains(&candidate.text);
        let is_answered = match row.purpose {
            Purpose::Review => is_on || refused.contains(&candidate.text),
            _ => is_on || row.complete,
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

/// The answer to each candidate of the positions that have one: gold and closed positions, or those
/// that measure people without their knowledge.
fn answers<'a>(
    positions: &'a Positions,
    of: impl Fn(&'a KnownPosition) -> Option<&'a BTreeSet<MoveText>>,
) -> BTreeMap<(i64, MoveText), bool> {
    let answered = positions.all().filter_map(|p| Some((p, of(p)?)));
    let answers = answered.flat_map(|(known, legal)| {
        let answer = |text: &MoveText| legal.contains(text);
        let candidates = known.candidates.iter();
        candidates.map(move |one| ((known.id, one.text.clone()), answer(&one.text)))
    });
    answers.collect()
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

/// Smaller changes of a number are not written.
const NOTEWORTHY: f64 = 1e-6;

fn estimates_to_write(
    estimates: &BTreeMap<(i64, MoveText), MoveEstimate>,
    before: &Findings,
) -> Vec<estimate_row::Model> {
    let changed = estimates.iter().filter(|(key, now)| {
        // Each new list changes the last digits of all estimates; rows are written only for more
        // than that.
        before.estimates.get(*key).is_none_or(|old| {
            (old.yes.len(), old.no.len()) != (now.yes.len(), now.no.len())
                || (old.dawid_skene - now.dawid_skene).abs() > NOTEWORTHY
        })
    });
    let row = |((position, text), now): (&(i64, MoveText), &MoveEstimate)| estimate_row::Model {
        position_id: *position,
        mv: text.to_string(),
        class: now.class,
        yes: i32::try_from(now.yes.len()).unwrap_or(i32::MAX),
        no: i32::try_from(now.no.len()).unwrap_or(i32::MAX),
        dawid_skene: now.dawid_skene,
    };
    changed.map(row).collect()
}

fn reliabilities_to_write(now: &[Reliability], before: &Findings) -> Vec<reliability::Model> {
    let before: HashMap<_, f64> = before
        .reliabilities
        .iter()
        .map(|old| ((old.worker, old.class), old.value))
        .collect();
    let changed = now.iter().filter(|now| {
        let old = before.get(&(now.worker, now.class));
        old.is_none_or(|old| (old - now.value).abs() > NOTEWORTHY)
    });
    let row = |now: &Reliability| reliability::Model {
        contributor_id: now.worker,
        class: now.class,
        reliability: now.value,
        labels: i32::try_from(now.labels).unwrap_or(i32::MAX),
    };
    changed.map(row).collect()
}
