//! Compares certified positions with the generators: they become test cases, or go to a moderator.
//! So do positions that many lists do not settle.

use std::collections::HashMap;
use std::sync::Arc;

use crate::candidates::why;
use crate::model::{MoveText, PositionState, QueueState, Resolution, Timestamp};
use crate::service::cases::METHOD;
use crate::service::core::on_a_thread;
use crate::service::positions::{Findings, KnownPosition};
use crate::service::rules::in_san;
use crate::service::{CaseMove, QueueMove, Service, ServiceError, UpkeepReport};
use crate::store::entity::test_case;
use crate::trust::{
    CertificateVerdict, Certified, Comparison, MoveEstimate, Undecided, certify, compare,
};

enum DecisionOutcome {
    Agreed(test_case::Model),
    Disputed(i64, String),
}

impl Service {
    pub(super) async fn decide(
        &self,
        now: Timestamp,
        report: &mut UpkeepReport,
    ) -> Result<(), ServiceError> {
        let asked_again = self.asked_again().await?;
        let positions = self.positions();
        let rule = self.settings().rule();
        let most = self.settings().unsettled_lists;
        let work = move || {
            let open = positions.all().filter(|p| p.state == PositionState::Open);
            let decided = open.filter_map(|known| {
                let findings = &positions.findings;
                let since = asked_again.get(&known.id);
                let has_new = |enough: u32| has_new_lists(known, since, findings, enough);
                // A moderator has asked for more lists: the old ones alone must not decide again.
                if !has_new(rule.min_lists) {
                    return None;
                }
                match certify(&known.evidence(findings), &rule) {
                    CertificateVerdict::Certified(certified) => {
                        Some(decide(known, &certified, findings, now))
                    }
                    CertificateVerdict::Undecided(undecided) => {
                        let is_long = undecided.lists >= most && has_new(most);
                        is_long.then(|| unsettled(known, &undecided)).flatten()
                    }
                }
            });
            decided.collect::<Vec<DecisionOutcome>>()
        };
        let outcomes = on_a_thread(work).await?;
        let is_any = !outcomes.is_empty();
        for outcome in outcomes {
            match outcome {
                DecisionOutcome::Agreed(case) => {
                    report.agreed += u64::from(self.store().agree(case).await?);
                }
                DecisionOutcome::Disputed(position, moves) => {
                    let queued = self.store().dispute(position, moves, now.0).await?;
                    report.disputed += u64::from(queued);
                }
            }
        }
        if is_any {
            self.read_positions().await?;
        }
        Ok(())
    }

    /// When moderators last asked for more lists, by position.
    async fn asked_again(&self) -> Result<HashMap<i64, Timestamp>, ServiceError> {
        let mut asked = HashMap::new();
        for item in self.store().queue().await? {
            // A moderator who reverses the wish for more lists no longer asks for any.
            let is_reversed = item.state == QueueState::Reversed;
            let decided = (item.resolution, item.resolved_at);
            if let (false, (Some(Resolution::AskAgain), Some(at))) = (is_reversed, decided) {
                // The newest item comes first.
                asked.entry(item.position_id).or_insert(Timestamp(at));
            }
        }
        Ok(asked)
    }
}

/// Whether there are enough lists since a moderator asked for more.
fn has_new_lists(
    known: &KnownPosition,
    since: Option<&Timestamp>,
    findings: &Findings,
    enough: u32,
) -> bool {
    let Some(since) = since else { return true };
    let lists = findings.lists.get(&known.id);
    let newer = lists.map_or(0, |lists| lists.iter().filter(|at| *at > since).count());
    newer >= enough as usize
}

fn decide(
    known: &Arc<KnownPosition>,
    certified: &Certified,
    findings: &Findings,
    now: Timestamp,
) -> DecisionOutcome {
    let in_question = match compare(&known.position, certified) {
        Comparison::Agreed => {
            return DecisionOutcome::Agreed(case(known, certified, findings, now));
        }
        Comparison::Disputed(disputes) => disputes
            .into_iter()
            .map(|one| question(one.text, one.crowd_says, one.explanation))
            .collect(),
        Comparison::GeneratorsDiffer(splits) => splits
            .into_iter()
            .map(|one| {
                let explanation = format!("the two generators differ: {}", one.explanation);
                question(one.text, one.crowd_says, explanation)
            })
            .collect::<Vec<QueueMove>>(),
    };
    disputed(known, &in_question)
}

fn disputed(known: &KnownPosition, in_question: &[QueueMove]) -> DecisionOutcome {
    let text = serde_json::to_string(in_question).expect("plain values can be written");
    DecisionOutcome::Disputed(known.id, text)
}

/// The moves that many lists did not settle, for a moderator; `None` if there are none.
fn unsettled(known: &KnownPosition, undecided: &Undecided) -> Option<DecisionOutcome> {
    let in_doubt = |one: &&MoveEstimate| undecided.disputed().any(|open| open.text == one.text);
    let in_question: Vec<QueueMove> = known
        .estimates
        .iter()
        .filter(in_doubt)
        .map(|one| {
            let (yes, no) = (one.yes.len(), one.no.len());
            let rules = why(&known.position, &one.text);
            let explanation =
                format!("this is not settled, {yes} say yes and {no} say no; by the rules {rules}");
            question(one.text.clone(), one.dawid_skene >= 0.5, explanation)
        })
        .collect();
    let is_any = undecided.disputed().next().is_some();
    is_any.then(|| disputed(known, &in_question))
}

fn question(mv: MoveText, crowd_says: bool, explanation: String) -> QueueMove {
    QueueMove {
        mv,
        crowd_says,
        explanation,
    }
}

fn case(
    known: &KnownPosition,
    certified: &Certified,
    findings: &Findings,
    now: Timestamp,
) -> test_case::Model {
    let on_it = known.estimates.iter();
    let on_it = on_it.filter(|estimate| certified.moves().contains(&estimate.text));
    let moves: Vec<CaseMove> = on_it
        .map(|estimate| CaseMove {
            mv: estimate.text.clone(),
            san: in_san(&known.position, &estimate.text),
            yes: count(estimate.yes.len()),
            no: count(estimate.no.len()),
            probability: estimate.dawid_skene,
        })
        .collect();
    let lists = findings.lists.get(&known.id);
    let times = lists.map_or(&[][..], Vec::as_slice);
    test_case::Model {
        position_id: known.id,
        moves: serde_json::to_string(&moves).expect("plain values can be written"),
        lists: i64::from(certified.lists()),
        first_list_at: times.first().map_or(now.0, |at| at.0),
        last_list_at: times.last().map_or(now.0, |at| at.0),
        certified_at: now.0,
        method: format!(
            "{METHOD}; wrong with a probability of at most {:.0e}, if at most {:.0} % are wrong together",
            certified.error_bound(),
            100.0 * certified.wrong_share()
        ),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
