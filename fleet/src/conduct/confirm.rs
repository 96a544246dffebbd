//! Waits until others have confirmed a decision. An edge: it reads the clock.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use queue::Progress;
use selfplay::stats::Pentanomial;

use super::Result;
use super::claim::Conductor;
use crate::policy::confirm::{
    AGREEING_PAIRS, Finality, LEAST_CHECKED, Participant, RequiredEvidence, Waited, confirm,
};
use crate::store::work::Work;

/// A decision, or a sum, that others are to confirm.
#[derive(Debug, Default)]
pub(super) struct Confirming {
    /// What was known at the last change, and when it changed.
    // It is lost with the server: one that takes over begins to wait anew.
    last: Option<(u64, Instant)>,
    /// Number of results that were to be compared, and are not.
    missing: u64,
}

/// What workers have played of a test that is decided.
pub(super) struct PlayedPairs<'a> {
    /// The test.
    pub(super) id: &'a str,
    /// Whether its results compare.
    pub(super) compares: bool,
    /// The pairs of each worker.
    pub(super) pairs: BTreeMap<String, Pentanomial>,
}

impl Confirming {
    /// How long nothing has changed.
    #[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
    fn unchanged(&mut self, known: u64) -> Duration {
        match self.last {
            Some((last, since)) if last == known => since.elapsed(),
            _ => {
                self.last = Some((known, Instant::now()));
                Duration::ZERO
            }
        }
    }

    /// Whether the decision of a test between two engines is final.
    pub(super) async fn decision(
        &mut self,
        conductor: &Conductor,
        work: &Work,
        played: &PlayedPairs<'_>,
    ) -> Result<Finality> {
        let PlayedPairs {
            id,
            compares,
            pairs,
        } = played;
        let mut progress = work.progress(id).await?;
        // Planned checks count towards the least number, so more are only looked for when they are done.
        if *compares && progress.to_compare <= progress.compared {
            work.check_more(id, LEAST_CHECKED).await?;
            progress = work.progress(id).await?;
        }
        self.missing = progress.to_compare.saturating_sub(progress.compared);
        // Those get no more of the test: what is missing are the pairs of another worker.
        let has_enough =
            |one: &(&String, &Pentanomial)| !compares && one.1.pairs() >= AGREEING_PAIRS;
        let enough: Vec<String> = { pairs.iter() }
            .filter(has_enough)
            .map(|(name, _)| name.clone())
            .collect();
        let mut deciding = work.decided(id, &enough).await?;
        for one in &mut deciding.participants {
            one.pairs = pairs.get(&one.name).copied().unwrap_or_default();
        }
        let evidence = if *compares {
            RequiredEvidence::Checks {
                missing: self.missing,
            }
        } else {
            RequiredEvidence::Pairs {
                are_left: progress.done < progress.units,
            }
        };
        let waited = Waited {
            since_decision: deciding.since,
            since_news: self.unchanged(progress.done + progress.compared),
        };
        let found = confirm(
            evidence,
            &deciding.participants,
            waited,
            &conductor.patience,
        );
        Ok(match found {
            Finality::Final(by_one) => Finality::Final(by_one),
            // A maintainer has resumed the test after workers disagreed; it must not be flagged for that again.
            _ if deciding.is_vouched => Finality::Final(None),
            found => found,
        })
    }

    /// Whether a sum is final: what was to be compared is, nobody else can do it, or does not for long.
    pub(super) async fn sum(
        &mut self,
        conductor: &Conductor,
        work: &Work,
        id: &str,
        progress: &Progress,
    ) -> Result<bool> {
        self.missing = progress.to_compare.saturating_sub(progress.compared);
        if self.missing == 0 || self.unchanged(progress.compared) >= conductor.patience.checks {
            return Ok(true);
        }
        // It also notes the time of the decision, which puts the checks before the work of other tests.
        let deciding = work.decided(id, &[]).await?;
        let took_part = deciding
            .participants
            .iter()
            .filter(|one| one.took_part)
            .count();
        // A worker that did everything alone cannot check its own results.
        let could = |one: &&Participant| one.is_able && !(one.took_part && took_part == 1);
        Ok(!deciding.participants.iter().any(|one| could(&one)))
    }

    /// What people should know of it.
    pub(super) fn warning(&self) -> Option<String> {
        let missing = self.missing;
        (missing > 0).then(|| {
            format!("{missing} results that were to be confirmed by another worker are not")
        })
    }
}
