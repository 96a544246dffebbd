//! Results of lists, pages of positions whose answer is public, and points, of which each kind is awarded once per list.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use utoipa::ToSchema;

use super::positions::KnownPosition;
use super::rows::{AssignmentContext, moves};
use super::{
    Agreement, AssignmentToken, ContributorId, OwnResult, Service, ServiceError, TokenError,
};
use crate::model::{AwardKind, Mode, MoveText, PositionState, Progress};
use crate::store::StoreError;
use crate::store::entity::{assignment, award};
use crate::trust::{
    MoveEstimate, Results, Shown, Tally, pair_tally, results, tally, tally_answers, tally_within,
};

/// A position whose answer is public: gold, retired, or a test case.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ClosedPosition {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its FEN.
    pub fen: String,
    /// Whether it is a Chess960 position.
    pub chess960: bool,
    /// Why its answer is public.
    pub state: PositionState,
    /// Its legal moves, in SAN.
    pub moves: Vec<Shown>,
    /// Illegal moves that contributors listed, with explanations, most frequent first.
    pub mistakes: Vec<Shown>,
    /// Number of lists.
    pub lists: i64,
}

impl Service {
    /// The result of a contributor's list; nothing is revealed before it is finished and the answer
    /// is known.
    pub async fn result(
        &self,
        id: ContributorId,
        token: &AssignmentToken,
    ) -> Result<OwnResult, TokenError> {
        self.given_to(id, token).await?;
        let row = self.row(token).await?;
        let positions = self.positions();
        let known = positions.get(row.position_id)?;
        let is_closed = known.legal.is_some() || known.state == PositionState::Retired;
        if row.held {
            return Ok(OwnResult::Held);
        }
        if row.state != Progress::Finished || !is_closed {
            return Ok(OwnResult::Waiting);
        }
        // The owner need not wait for the next upkeep to see the points.
        self.score_if_known(&row).await?;
        let awards = self.store().awards_of(row.id).await?;
        let points = awards.iter().map(|award| award.points).sum();
        let Some(legal) = &known.legal else {
            return Ok(OwnResult::Closed { points });
        };
        let Results {
            found,
            missed,
            wrong,
        } = results_of(&row, known, legal)?;
        Ok(OwnResult::Known {
            points,
            late: known.is_late(&row),
            found,
            missed,
            wrong,
        })
    }

    /// A position whose answer is public; `None` for any other. A gold one is shown to those who
    /// have finished it.
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
        let legal_move = |mv: &MoveText| Shown {
            mv: mv.clone(),
            san: known.san(mv),
            why: None,
        };
        let lists = positions.findings.lists.get(&id).map_or(0, Vec::len);
        Ok(Some(ClosedPosition {
            id,
            name: known.name.clone(),
            fen: known.fen.clone(),
            chess960: known.chess960,
            state: known.state,
            moves: legal.iter().map(legal_move).collect(),
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
            results.found.retain(|found| asked.contains(&found.mv));
            results.missed.retain(|missed| asked.contains(&missed.mv));
            results.wrong.retain(|wrong| asked.contains(&wrong.mv));
        }
        Mode::Review => results.missed.retain(|missed| refused.contains(&missed.mv)),
    }
    // The reasons of the rules do not hold where a moderator followed the crowd against them.
    for one in results.missed.iter_mut().chain(&mut results.wrong) {
        one.why = Some(known.why(&one.mv));
    }
    Ok(results)
}

/// Illegal moves that contributors listed, most frequent first.
fn mistakes(known: &KnownPosition, legal: &BTreeSet<MoveText>) -> Vec<Shown> {
    let is_mistake = |one: &&MoveEstimate| !one.yes.is_empty() && !legal.contains(&one.text);
    let mut mistakes: Vec<&MoveEstimate> = known.estimates.iter().filter(is_mistake).collect();
    mistakes.sort_by_key(|one| std::cmp::Reverse(one.yes.len()));
    let shown = mistakes.into_iter().map(|one| Shown {
        mv: one.text.clone(),
        san: None,
        why: Some(known.why(&one.text)),
    });
    shown.collect()
}

/// The moves of a finished list: listed or answered yes, and answered no.
pub(super) fn listed(
    row: &assignment::Model,
) -> Result<(Vec<MoveText>, Vec<MoveText>), StoreError> {
    let read = |text: &Option<String>| moves(text.as_deref().unwrap_or(""));
    Ok((read(&row.moves)?, read(&row.refused)?))
}

impl Service {
    /// Awards the points of a finished list if its position is closed; returns false if it is not.
    pub(super) async fn score_if_known(
        &self,
        row: &assignment::Model,
    ) -> Result<bool, ServiceError> {
        let positions = self.positions();
        let known = positions.get(row.position_id)?;
        let is_closed = known.legal.is_some() || known.state == PositionState::Retired;
        let is_done = row.state == Progress::Finished && !row.held;
        if !is_closed || row.scored || !is_done {
            return Ok(false);
        }
        let tally = match &known.legal {
            Some(legal) if !known.is_late(row) => tally_of(row, legal)?,
            // Late, or closed without an answer: no points, and the list is not scored again.
            _ => Tally::default(),
        };
        let kind = match known.state {
            PositionState::Gold => AwardKind::Gold,
            _ => AwardKind::Consensus,
        };
        let points = if row.mode == Mode::Review {
            tally.points_of_answers()
        } else {
            tally.points()
        };
        let award = award(row, kind, i64::from(points), tally);
        Ok(self.store().score(&award, known.id, known.state).await?)
    }

    /// Awards both of a pair the points for their agreement, and returns it; late lists get
    /// none.
    pub(super) async fn score_pair(
        &self,
        one: &assignment::Model,
        other: &assignment::Model,
    ) -> Result<Agreement, ServiceError> {
        let positions = self.positions();
        let known = positions.get(one.position_id)?;
        let tally = pair_tally(&known.candidates, &listed(one)?.0, &listed(other)?.0);
        let points = |row: &assignment::Model| {
            let late = known.is_late(row);
            if late { 0 } else { i64::from(tally.points()) }
        };
        // To agree is no decision about a move, so it says nothing about accuracy.
        let awards =
            [one, other].map(|row| award(row, AwardKind::Pair, points(row), Tally::default()));
        self.store().award(&awards).await?;
        Ok(Agreement {
            both: tally.both,
            one: tally.others,
            points: points(one),
        })
    }
}

fn award(row: &assignment::Model, kind: AwardKind, points: i64, tally: Tally) -> award::Model {
    award::Model {
        assignment_id: row.id,
        kind,
        contributor_id: row.contributor_id,
        mode: row.mode,
        points,
        correct: i64::from(tally.hits),
        total: i64::from(tally.decisions()),
        given_at: row.finished_at.unwrap_or(row.issued_at),
    }
}

fn tally_of(row: &assignment::Model, legal: &BTreeSet<MoveText>) -> Result<Tally, StoreError> {
    let given = AssignmentContext::read(row)?;
    let (moves, refused) = listed(row)?;
    Ok(match given.mode {
        Mode::Calm | Mode::Timed | Mode::Pair => tally(legal, &moves),
        Mode::Missing => {
            let asked = given.asked.unwrap_or_default().into_iter().collect();
            tally_within(&asked, legal, &moves)
        }
        Mode::Review => {
            let yes = moves.into_iter().map(|mv| (mv, true));
            let no = refused.into_iter().map(|mv| (mv, false));
            let answers: BTreeMap<MoveText, bool> = yes.chain(no).collect();
            tally_answers(legal, &answers)
        }
    })
}
