//! Points: each kind is awarded once per list.

use std::collections::{BTreeMap, BTreeSet};

use super::context::{AssignmentContext, moves};
use super::{Agreement, PositionState, Service, ServiceError};
use crate::model::{Mode, MoveText};
use crate::store::entity::assignment;
use crate::store::{Award, StoreError};
use crate::trust::{Tally, pair_tally, tally, tally_answers, tally_within};

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
        if !is_closed || row.scored || row.state != "finished" {
            return Ok(false);
        }
        let tally = match &known.legal {
            Some(legal) if !known.is_late(row) => tally_of(row, legal)?,
            // Late, or closed without an answer: no points, and the list is not scored again.
            _ => Tally::default(),
        };
        let kind = match known.state {
            PositionState::Gold => "gold",
            _ => "consensus",
        };
        let points = if row.mode == Mode::Review.as_str() {
            tally.points_of_answers()
        } else {
            tally.points()
        };
        let award = award(row, kind, i64::from(points), Some(tally));
        self.store().score(&award).await?;
        Ok(true)
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
        let tally = pair_tally(&known.universe, &listed(one)?.0, &listed(other)?.0);
        let points = |row: &assignment::Model| {
            let late = known.is_late(row);
            if late { 0 } else { i64::from(tally.points()) }
        };
        let awards = [one, other].map(|row| award(row, "pair", points(row), None));
        self.store().award(&awards).await?;
        Ok(Agreement {
            both: tally.both,
            one: tally.others,
            points: points(one),
        })
    }
}

fn award(row: &assignment::Model, kind: &'static str, points: i64, tally: Option<Tally>) -> Award {
    let tally = tally.unwrap_or_default();
    Award {
        assignment: row.id,
        kind,
        contributor: row.contributor_id,
        mode: row.mode.clone(),
        points,
        correct: i64::from(tally.right()),
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
