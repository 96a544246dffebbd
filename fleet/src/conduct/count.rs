//! Conducts a perft count: sums its units up until all are in, and says whether the sum is exact.

use std::collections::BTreeMap;
use std::sync::Arc;

use perft::lab::{CountFault, CountPlan, CountTotals};
use queue::undecided;
use queue::wire::Verification;
use selfplay::lab::spec::TestKind;
use selfplay::lab::summary::{self, Outcome, PerftSummary, Point, TestSummary, WorkerSummary};

use super::NextStep;
use super::blocking::blocking;
use super::claim::{Claimed, Conductor, News};
use super::confirm::Confirming;
use super::error::ConductError;
use crate::model::JobStage;
use crate::store::work::Work;

type Result<T> = std::result::Result<T, ConductError>;

/// Number of results that are read at once.
const PAGE: u32 = 10_000;

/// A count in progress on this server. All of it can be computed again from the results.
pub(super) struct CountRun {
    claimed: Claimed,
    plan: Arc<CountPlan>,
    totals: CountTotals,
    /// Number of units at the last point of the graph.
    drawn: u64,
    confirming: Confirming,
}

impl CountRun {
    pub(super) async fn open(claimed: Claimed) -> Result<Self> {
        let kind = claimed.kind.clone();
        let body = claimed.body.clone().unwrap_or_default();
        let plan = blocking(move || CountPlan::of_job(&kind, &body)).await?;
        let plan = Arc::new(plan.map_err(ConductError::prepare)?);
        Ok(Self {
            claimed,
            totals: plan.totals(),
            plan,
            drawn: 0,
            confirming: Confirming::default(),
        })
    }

    /// Reads a page of results; returns what comes next.
    pub(super) async fn step(&mut self, conductor: &Conductor, work: &Work) -> Result<NextStep> {
        let (stage, _) = conductor.renew(self.claimed.number).await?;
        if stage == JobStage::Stopped {
            let summary = self.summary(None, Vec::new(), 0, None);
            return self.conclude(conductor, summary).await;
        }
        if !matches!(stage, JobStage::Running | JobStage::Done) {
            return Ok(NextStep::Leave);
        }
        let id = self.claimed.id.clone();
        let before = self.totals.last();
        let page = work.results(&id, before, PAGE).await?;
        for recorded in &page {
            match self.totals.take(recorded) {
                Ok(()) => {}
                // A result was discarded and replaced: all are read again.
                Err(CountFault::Twice) => {
                    self.totals = self.plan.totals();
                    return Ok(NextStep::Continue);
                }
                Err(CountFault::Invalid) => {
                    let reason = format!("{id}: its result of unit {} is no count", recorded.key);
                    work.quarantine(&recorded.worker, &reason).await?;
                    work.discard(&id, &recorded.worker).await?;
                    self.totals = self.plan.totals();
                    return Ok(NextStep::Continue);
                }
                Err(CountFault::Overflow) => {
                    let summary = self.summary(Some(Outcome::Broken), Vec::new(), 0, None);
                    return self.conclude(conductor, summary).await;
                }
            }
        }
        if page.len() == PAGE as usize {
            return Ok(NextStep::Continue);
        }
        let progress = work.progress(&id).await?;
        if progress.is_complete() && self.confirming.sum(conductor, work, &id, &progress).await? {
            return self.end(conductor, work).await;
        }
        if !page.is_empty() {
            let summary = self.summary(None, Vec::new(), progress.alarms, None);
            let news = self.news(&summary);
            conductor.store(self.claimed.number, &news).await?;
        }
        Ok(NextStep::Pause)
    }

    /// All units are counted: the final sum, read once more from the beginning, as results may have
    /// been replaced.
    async fn end(&mut self, conductor: &Conductor, work: &Work) -> Result<NextStep> {
        let id = &self.claimed.id;
        let mut totals = self.plan.totals();
        loop {
            let page = work.results(id, totals.last(), PAGE).await?;
            let taken: std::result::Result<(), _> =
                page.iter().try_for_each(|recorded| totals.take(recorded));
            if taken.is_err() {
                return Ok(NextStep::Pause);
            }
            if page.len() < PAGE as usize {
                break;
            }
            conductor.renew(self.claimed.number).await?;
        }
        self.totals = totals;
        if self.totals.done() < self.plan.units() {
            // Results were discarded at this moment, and are counted again.
            return Ok(NextStep::Pause);
        }
        let alarms = work.alarms(id).await?;
        let doubts = if alarms.is_empty() {
            0
        } else {
            undecided(&alarms, &work.workers().await?).len() as u64
        };
        let (plan, totals) = (Arc::clone(&self.plan), self.totals.clone());
        let divide = blocking(move || totals.divide(&plan)).await?;
        let divide = divide.map_err(ConductError::prepare)?;
        let outcome = if doubts == 0 {
            Outcome::Complete
        } else {
            Outcome::Inexact
        };
        let verification = work.verification(id).await?.into();
        let summary = self.summary(Some(outcome), divide, doubts, Some(verification));
        self.conclude(conductor, summary).await
    }

    async fn conclude(
        &mut self,
        conductor: &Conductor,
        mut summary: TestSummary,
    ) -> Result<NextStep> {
        summary.warnings.extend(self.confirming.warning());
        let news = self.news(&summary);
        conductor.conclude(&self.claimed, &news).await?;
        tracing::info!("{}: {}", self.claimed.id, summary.headline);
        Ok(NextStep::Leave)
    }

    fn summary(
        &self,
        outcome: Option<Outcome>,
        divide: Vec<(String, u128)>,
        alarms: u64,
        verification: Option<Verification>,
    ) -> TestSummary {
        let nodes = self.totals.nodes(&self.plan);
        let depth = match &self.claimed.spec.kind {
            TestKind::Perft { perft } => perft.depth,
            _ => 0,
        };
        let headline = match outcome {
            None => format!("perft {depth}: {nodes} so far"),
            Some(Outcome::Complete) => format!("perft {depth} = {nodes}"),
            Some(Outcome::Broken) => "a count does not fit 64 bits".to_owned(),
            Some(_) => format!("perft {depth} = {nodes}, but {alarms} differences are not settled"),
        };
        let text = |count: u128| count.to_string();
        let workers = self.totals.workers().map(|(name, units)| {
            let summary = WorkerSummary {
                units,
                ..WorkerSummary::default()
            };
            (name.to_owned(), summary)
        });
        let breakdown = self.totals.breakdown(&self.plan).into_iter();
        TestSummary {
            schema: summary::SCHEMA.to_owned(),
            done: self.totals.done() as u64,
            units: self.plan.units() as u64,
            outcome,
            headline,
            perft: Some(PerftSummary {
                fen: self.plan.fen(),
                depth,
                nodes: text(nodes),
                divide: divide
                    .into_iter()
                    .map(|(m, nodes)| (m, text(nodes)))
                    .collect(),
                breakdown: breakdown
                    .map(|(name, count)| (name.to_owned(), text(count)))
                    .collect(),
                alarms,
                verification,
            }),
            workers: workers.collect::<BTreeMap<_, _>>(),
            ..TestSummary::default()
        }
    }

    fn news<'a>(&mut self, summary: &'a TestSummary) -> News<'a> {
        let done = summary.done;
        let is_due = done >= self.drawn + (self.drawn / 200).max(1);
        if is_due {
            self.drawn = done;
        }
        News {
            summary,
            cursor: self.totals.last(),
            point: is_due.then_some(Point {
                done,
                ..Point::default()
            }),
        }
    }
}
