//! A perft count: sums its units up, and says whether the sum is exact.

use std::sync::Arc;

use perft::lab::{CountFault, CountPlan, CountTotals};
use queue::Recorded;
use selfplay::lab::spec::TestKind;
use selfplay::lab::summary::{self, Outcome, PerftSummary, TestSummary, WorkerSummary};

use super::blocking::blocking;
use super::claim::Claimed;
use super::error::ConductError;
use super::run::{Bench, DecisionState, JobKind, Taken};

type Result<T> = std::result::Result<T, ConductError>;

/// A count in progress on this server.
pub(super) struct CountRun {
    plan: Arc<CountPlan>,
    totals: CountTotals,
}

impl CountRun {
    pub(super) async fn open(claimed: &Claimed) -> Result<Self> {
        let kind = claimed.kind.clone();
        let body = claimed.body.clone().unwrap_or_default();
        let plan = blocking(move || CountPlan::of_job(&kind, &body)).await?;
        let plan = Arc::new(plan.map_err(ConductError::prepare)?);
        Ok(Self {
            totals: plan.totals(),
            plan,
        })
    }

    /// The sum by root move.
    async fn divide(&self) -> Result<Vec<(String, u128)>> {
        let (plan, totals) = (Arc::clone(&self.plan), self.totals.clone());
        let divide = blocking(move || totals.divide(&plan)).await?;
        divide.map_err(ConductError::prepare)
    }
}

impl JobKind for CountRun {
    const PAGE: u32 = 10_000;

    fn cursor(&self) -> u64 {
        self.totals.last()
    }

    fn read(&self) -> u64 {
        self.totals.done() as u64
    }

    async fn take(&mut self, page: Vec<Recorded>) -> Result<Taken> {
        for recorded in &page {
            match self.totals.take(recorded) {
                Ok(()) => {}
                Err(CountFault::Twice) => return Ok(Taken::Replaced),
                Err(CountFault::Invalid) => {
                    let reason = format!("its result of unit {} is no count", recorded.key);
                    return Ok(Taken::Liar(recorded.worker.clone(), reason));
                }
                Err(CountFault::Overflow) => return Ok(Taken::Broken),
            }
        }
        Ok(Taken::Counted)
    }

    fn restart(&mut self, _: Option<(&str, &str)>) -> Result<()> {
        self.totals = self.plan.totals();
        Ok(())
    }

    async fn summary(&mut self, bench: Bench<'_>, state: &DecisionState) -> Result<TestSummary> {
        let (work, id) = (bench.work, &bench.claimed.id);
        let doubts = bench.doubts().await?;
        let (mut divide, mut verification) = (Vec::new(), None);
        let outcome = match state {
            DecisionState::Final(_) => {
                divide = self.divide().await?;
                verification = Some(work.verification(id).await?.into());
                Some(if doubts == 0 {
                    Outcome::Complete
                } else {
                    Outcome::Inexact
                })
            }
            DecisionState::Broken => Some(Outcome::Broken),
            _ => None,
        };
        let nodes = self.totals.nodes(&self.plan);
        let depth = match &bench.claimed.spec.kind {
            TestKind::Perft { perft } => perft.depth,
            _ => 0,
        };
        let headline = match outcome {
            None => format!("perft {depth}: {nodes} so far"),
            Some(Outcome::Complete) => format!("perft {depth} = {nodes}"),
            Some(Outcome::Broken) => "a count does not fit 64 bits".to_owned(),
            Some(_) => format!("perft {depth} = {nodes}, but {doubts} differences are not settled"),
        };
        let text = |(name, count): (String, u128)| (name, count.to_string());
        let workers = self.totals.workers();
        let breakdown = self.totals.breakdown(&self.plan).into_iter();
        Ok(TestSummary {
            schema: summary::SCHEMA.to_owned(),
            done: self.totals.done() as u64,
            units: self.plan.units() as u64,
            outcome,
            headline,
            perft: Some(PerftSummary {
                fen: self.plan.fen(),
                depth,
                // Counts are texts: many readers of JSON keep no more than 53 bits of a number (RFC 8259, section 6).
                nodes: nodes.to_string(),
                divide: divide.into_iter().map(text).collect(),
                breakdown: breakdown
                    .map(|(name, count)| text((name.to_owned(), count)))
                    .collect(),
                alarms: doubts as u64,
                verification,
            }),
            workers: WorkerSummary::of_units(workers.map(|(name, units)| (name.to_owned(), units))),
            ..TestSummary::default()
        })
    }
}
