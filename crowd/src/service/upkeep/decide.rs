//! Compares certified positions with the generators: they become test cases, or go to a moderator.
//! So do positions that many lists do not settle. Only people for whom gold vouches send a position
//! to a moderator; one that others have sent comes back.

use std::collections::{HashMap, HashSet};

use crate::candidates::{san_of, why};
use crate::model::{PositionState, QueueState, Resolution, Timestamp};
use crate::service::cases::METHOD;
use crate::service::core::on_a_thread;
use crate::service::positions::{Findings, KnownPosition};
use crate::service::{CaseMove, QueueMove, Service, ServiceError, UpkeepReport};
use crate::store::entity::test_case;
use crate::trust::{
    CertificateRule, CertificateVerdict, Certified, Comparison, Evidence, MoveEstimate, certify,
    compare, gather,
};

enum DecisionOutcome {
    Agreed(test_case::Model),
    Disputed(i64, String),
    /// It was disputed by lists that do not count any longer.
    Reopened(i64),
}

/// What moderators have to do with positions.
#[derive(Default)]
struct Moderated {
    asked_again: HashMap<i64, Timestamp>,
    /// The positions that wait, and about which none has decided yet.
    untouched: HashSet<i64>,
}

impl Service {
    pub(super) async fn decide(
        &self,
        now: Timestamp,
        report: &mut UpkeepReport,
    ) -> Result<(), ServiceError> {
        let moderated = self.moderated().await?;
        let positions = self.positions();
        let rule = self.settings().rule();
        let most = self.settings().unsettled_lists;
        let work = move || {
            let decided = positions.all().filter_map(|known| {
                let findings = &positions.findings;
                if moderated.untouched.contains(&known.id) {
                    let is_disputed = disputed(known, findings, &rule, most).is_some();
                    return (!is_disputed).then_some(DecisionOutcome::Reopened(known.id));
                }
                if known.state != PositionState::Open {
                    return None;
                }
                let since = moderated.asked_again.get(&known.id);
                let has_new = |enough: u32| has_new_lists(known, since, findings, enough);
                // A moderator has asked for more lists: the old ones alone must not decide again.
                if !has_new(rule.min_lists) {
                    return None;
                }
                let vouched = gather(known.id, &known.candidates, &findings.vouched);
                let evidence = known.evidence(findings);
                for (estimates, rule) in
                    [&known.estimates, &vouched].into_iter().zip(rule.of_both())
                {
                    let evidence = Evidence {
                        estimates,
                        ..evidence
                    };
                    if let CertificateVerdict::Certified(certified) = certify(&evidence, &rule)
                        && compare(&known.position, &certified) == Comparison::Agreed
                    {
                        let case = case(known, (&certified, estimates), findings, now);
                        return Some(DecisionOutcome::Agreed(case));
                    }
                }
                let enough = if has_new(most) { most } else { u32::MAX };
                let moves = disputed(known, findings, &rule, enough)?;
                Some(DecisionOutcome::Disputed(known.id, moves))
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
                DecisionOutcome::Reopened(position) => {
                    self.store().reopen(position).await?;
                }
            }
        }
        if is_any {
            self.read_positions().await?;
        }
        Ok(())
    }

    async fn moderated(&self) -> Result<Moderated, ServiceError> {
        let mut moderated = Moderated::default();
        let mut touched = HashSet::new();
        for item in self.store().queue().await? {
            // A moderator who reverses the wish for more lists no longer asks for any.
            let is_reversed = item.state == QueueState::Reversed;
            let decided = (item.resolution, item.resolved_at);
            if let (false, (Some(Resolution::AskAgain), Some(at))) = (is_reversed, decided) {
                // The newest item comes first.
                let asked = moderated.asked_again.entry(item.position_id);
                asked.or_insert(Timestamp(at));
            }
            if item.state == QueueState::Open {
                moderated.untouched.insert(item.position_id);
            } else {
                touched.insert(item.position_id);
            }
        }
        moderated.untouched.retain(|id| !touched.contains(id));
        Ok(moderated)
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

/// The moves in question of a position that goes to a moderator, as JSON: those on which a certified
/// list and the generators differ, or that at least so many lists did not settle. Only the lists of
/// people for whom gold vouches count here.
fn disputed(
    known: &KnownPosition,
    findings: &Findings,
    rule: &CertificateRule,
    unsettled_lists: u32,
) -> Option<String> {
    let evidence = known.evidence(findings);
    let vouched = Evidence {
        estimates: &gather(known.id, &known.candidates, &findings.vouched),
        ..evidence
    };
    let in_question: Vec<QueueMove> = match certify(&vouched, rule) {
        CertificateVerdict::Certified(certified) => match compare(&known.position, &certified) {
            // It waits for those of whom nothing is known.
            Comparison::Agreed => Vec::new(),
            Comparison::Disputed(moves) => moves,
        },
        CertificateVerdict::Undecided(undecided) if undecided.lists >= unsettled_lists => {
            let in_doubt =
                |one: &&MoveEstimate| undecided.disputed().any(|open| open.text == one.text);
            let unsettled = vouched.estimates.iter().filter(in_doubt).map(|one| {
                let (yes, no) = (one.yes.len(), one.no.len());
                let rules = why(&known.position, &one.text);
                let explanation = format!(
                    "this is not settled, {yes} say yes and {no} say no; by the rules {rules}"
                );
                QueueMove {
                    mv: one.text.clone(),
                    crowd_says: one.dawid_skene >= 0.5,
                    explanation,
                }
            });
            unsettled.collect()
        }
        CertificateVerdict::Undecided(_) => Vec::new(),
    };
    let is_any = !in_question.is_empty();
    is_any.then(|| serde_json::to_string(&in_question).expect("plain values can be written"))
}

fn case(
    known: &KnownPosition,
    (certified, estimates): (&Certified, &[MoveEstimate]),
    findings: &Findings,
    now: Timestamp,
) -> test_case::Model {
    let on_it = estimates.iter();
    let on_it = on_it.filter(|estimate| certified.moves().contains(&estimate.text));
    let moves: Vec<CaseMove> = on_it
        .map(|estimate| CaseMove {
            mv: estimate.text.clone(),
            san: san_of(&known.position, &estimate.text),
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
