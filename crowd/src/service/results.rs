//! Results of lists, and pages of positions whose answer is public.

use std::collections::BTreeSet;

use super::context::AssignmentContext;
use super::positions::KnownPosition;
use super::score::listed;
use super::{
    AssignmentToken, ClosedPosition, ContributorId, OwnResult, PositionState, Service,
    ServiceError, Shown, TokenError,
};
use crate::model::{Mode, MoveText, Timestamp};
use crate::store::StoreError;
use crate::store::entity::assignment;
use crate::trust::{Estimate, Results, results};

impl Service {
    /// The result of a contributor's list; nothing is revealed before it is finished and the answer
    /// is known.
    ///
    /// # Errors
    ///
    /// [`TokenError`] when the token is not valid for this contributor, or the database fails.
    pub async fn result(
        &self,
        id: ContributorId,
        token: &AssignmentToken,
        _now: Timestamp,
    ) -> Result<OwnResult, TokenError> {
        self.given_to(id, token).await?;
        let row = self.row(token).await?;
        let positions = self.positions();
        let known = positions.get(row.position_id)?;
        let is_closed = known.legal.is_some() || known.state == PositionState::Retired;
        if row.state != "finished" || !is_closed {
            return Ok(OwnResult::Waiting);
        }
        self.score_if_known(&row).await?;
        let awards = self.store().awards_of(row.id).await?;
        let points = awards.iter().map(|award| award.points).sum();
        let Some(legal) = &known.legal else {
            return Ok(OwnResult::Closed { points });
        };
        Ok(shown(
            results_of(&row, known, legal)?,
            points,
            known.is_late(&row),
        ))
    }

    /// A position whose answer is public; `None` for any other. A gold one is shown to those who
    /// have finished it.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn position_page(
        &self,
        id: i64,
        viewer: Option<ContributorId>,
    ) -> Result<Option<ClosedPosition>, ServiceError> {
        let positions = self.positions();
        let Some(known) = positions.find(id) else {
            return Ok(None);
        };
        let Some(legal) = &known.legal else {
            return Ok(None);
        };
        if known.state == PositionState::Gold && !self.has_finished(viewer, id).await? {
            return Ok(None);
        }
        let lists = positions.findings.lists.get(&id).map_or(0, Vec::len);
        Ok(Some(ClosedPosition {
            id,
            name: known.name.clone(),
            fen: known.fen.clone(),
            chess960: known.chess960,
            state: known.state,
            moves: legal.iter().map(|mv| legal_move(known, mv)).collect(),
            mistakes: mistakes(known, legal),
            lists: i64::try_from(lists).unwrap_or(i64::MAX),
        }))
    }

    async fn has_finished(
        &self,
        viewer: Option<ContributorId>,
        position: i64,
    ) -> Result<bool, ServiceError> {
        match viewer {
            Some(person) => Ok(self.store().has_finished(person.0, position).await?),
            None => Ok(false),
        }
    }
}

/// For a list of missing moves only the moves that were asked for are shown, as only they count; in
/// a second look, legal moves answered no count as missed.
fn results_of(
    row: &assignment::Model,
    known: &KnownPosition,
    legal: &BTreeSet<MoveText>,
) -> Result<Results, StoreError> {
    let given = AssignmentContext::read(row)?;
    let (moves, refused) = listed(row)?;
    let mut results = results(&known.position, legal, &moves);
    match given.mode {
        Mode::Calm | Mode::Timed | Mode::Pair => {}
        Mode::Missing => {
            let asked = given.asked.unwrap_or_default();
            results.found.retain(|found| asked.contains(&found.text));
            results.missed.retain(|missed| asked.contains(&missed.text));
            results.wrong.retain(|wrong| asked.contains(&wrong.text));
        }
        Mode::Review => results
            .missed
            .retain(|missed| refused.contains(&missed.text)),
    }
    for missed in &mut results.missed {
        missed.why = known.why(&missed.text);
    }
    for wrong in &mut results.wrong {
        wrong.why = known.why(&wrong.text);
    }
    Ok(results)
}

fn shown(results: Results, points: i64, late: bool) -> OwnResult {
    let found = results.found.into_iter().map(|one| Shown {
        mv: one.text,
        san: Some(one.san),
        why: None,
    });
    let missed = results.missed.into_iter().map(|one| Shown {
        mv: one.text,
        san: Some(one.san),
        why: Some(one.why),
    });
    let wrong = results.wrong.into_iter().map(|one| Shown {
        mv: one.text,
        san: None,
        why: Some(one.why),
    });
    OwnResult::Known {
        points,
        late,
        found: found.collect(),
        missed: missed.collect(),
        wrong: wrong.collect(),
    }
}

fn legal_move(known: &KnownPosition, mv: &MoveText) -> Shown {
    Shown {
        mv: mv.clone(),
        san: known.san(mv),
        why: None,
    }
}

/// Illegal moves that contributors listed, most frequent first.
fn mistakes(known: &KnownPosition, legal: &BTreeSet<MoveText>) -> Vec<Shown> {
    let is_mistake = |one: &&Estimate| !one.yes.is_empty() && !legal.contains(&one.text);
    let mut mistakes: Vec<&Estimate> = known.estimates.iter().filter(is_mistake).collect();
    mistakes.sort_by_key(|one| std::cmp::Reverse(one.yes.len()));
    let shown = mistakes.into_iter().map(|one| Shown {
        mv: one.text.clone(),
        san: None,
        why: Some(known.why(&one.text)),
    });
    shown.collect()
}
