//! Results of lists, pages of positions whose answer is public, and points, of which each kind is awarded once per list.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use utoipa::ToSchema;

use super::daily::{DayRank, is_in_time};
use super::list::GivenPosition;
use super::positions::KnownPosition;
use super::rows::moves;
use super::{ContributorId, ListToken, Service, ServiceError, TokenError};
use crate::model::{AwardKind, MoveText, PositionState, Progress, Purpose, Reveal, Timestamp};
use crate::score::{Answer, Score, Shown, score};
use crate::store::StoreError;
use crate::store::entity::{award, list};
use crate::trust::{MoveEstimate, Tally, pair_tally, tally, tally_answers};

/// What has become of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ListOutcome {
    /// It is not finished.
    Open,
    /// It was not finished in time.
    Expired,
    /// The answer is not known yet.
    Waiting,
    /// It shows signs that it is no work of a person: it does not count until a moderator allows it.
    Held,
    /// The answer is shown when all lists of the class are finished.
    Hidden,
    /// A moderator closed the position without an answer.
    Closed,
    /// The answer is known.
    Known,
}

/// Agreement of a pair; available when both have finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Agreement {
    /// Number of moves on both lists, counting only candidate moves.
    pub both: u32,
    /// Number of candidate moves on one list only.
    pub one: u32,
    /// The points for each of the two.
    pub points: i64,
}

/// The result of a list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ListResult {
    /// What the list was for.
    pub purpose: Purpose,
    /// The position.
    pub position: GivenPosition,
    /// What has become of it.
    pub state: ListOutcome,
    /// Number of moves on the list, or of answers given; of a finished one.
    pub moves: u32,
    /// The time it took by the server's clock, in milliseconds; of a finished one.
    pub took_ms: Option<i64>,
    /// Whether it was finished after the answer was public, after its day or after its time: then it earns nothing.
    pub late: bool,
    /// The total points for this list.
    pub points: i64,
    /// Number of lists that make a test case of the position, if they agree; of a list whose answer is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lacking: Option<u32>,
    /// What was found, missed and wrong, if the answer is shown.
    #[serde(flatten)]
    pub score: Option<Score>,
    /// The agreement of a pair of which both have finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    /// How it compares with the other lists of the board of the day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<DayRank>,
    /// What the contributor may try next instead: a race against the clock, or a partner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offer: Option<Purpose>,
}

/// A position whose answer is public: gold, retired, or a test case.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosedPosition {
    pub id: i64,
    pub name: String,
    pub fen: String,
    pub chess960: bool,
    pub state: PositionState,
    pub moves: Vec<Shown>,
    /// Illegal moves that contributors listed, with explanations, most frequent first.
    pub mistakes: Vec<Shown>,
    pub lists: i64,
}

impl Service {
    /// The result of a contributor's list; nothing is revealed before it is finished and the answer is known.
    pub async fn result(
        &self,
        id: ContributorId,
        token: &ListToken,
        now: Timestamp,
    ) -> Result<ListResult, TokenError> {
        self.given_to(id, token).await?;
        let row = self.row(token).await?;
        let known = self.known(row.position_id).await?;
        let state = self.outcome(&row, &known).await?;
        // The owner need not wait for the next upkeep to see the points.
        self.score_if_known(&row).await?;
        let awards = self.store().awards_of(row.id).await?;
        let score = match (state, &known.legal) {
            (ListOutcome::Known, Some(legal)) => Some(score_of_list(&row, &known, legal)?),
            _ => None,
        };
        let is_finished = row.state == Progress::Finished;
        let day = match &score {
            Some(score) if row.purpose == Purpose::Daily => {
                Some(self.day_rank(&row, score, now).await?)
            }
            _ => None,
        };
        Ok(ListResult {
            purpose: row.purpose,
            position: GivenPosition::from_known(&known),
            state,
            moves: count(&row),
            took_ms: row.finished_at.map(|_| row.took_ms()),
            late: is_finished && is_late(&row, &known),
            points: awards.iter().map(|award| award.points).sum(),
            lacking: (state == ListOutcome::Waiting)
                .then(|| self.lacking(&known))
                .flatten(),
            score,
            agreement: self.agreement(&row).await?,
            day,
            offer: match row.purpose {
                Purpose::Class => None,
                _ => offer(self.store().finish_times(id.0).await?.len()),
            },
        })
    }

    /// Notes that the owner of a list has seen its result.
    pub async fn seen(&self, id: ContributorId, token: &ListToken) -> Result<(), TokenError> {
        let given = self.given_to(id, token).await?;
        self.store().set_seen(id.0, given.id).await?;
        Ok(())
    }

    /// The last finished list whose result its owner has not seen, because the answer to its end was lost.
    pub async fn unseen(&self, id: ContributorId) -> Result<Option<ListToken>, ServiceError> {
        let row = self.store().unseen(id.0).await?;
        Ok(row
            .map(|row| super::rows::read("a token", &row.token))
            .transpose()?)
    }

    /// What has become of a list.
    pub(super) async fn outcome(
        &self,
        row: &list::Model,
        known: &KnownPosition,
    ) -> Result<ListOutcome, ServiceError> {
        Ok(match row.state {
            Progress::Open => ListOutcome::Open,
            Progress::Expired | Progress::Skipped => ListOutcome::Expired,
            Progress::Finished if row.held => ListOutcome::Held,
            Progress::Finished if row.reveal == Reveal::AtEnd => {
                if self
                    .is_class_finished(known.campaign, row.contributor_id)
                    .await?
                {
                    ListOutcome::Known
                } else {
                    ListOutcome::Hidden
                }
            }
            Progress::Finished if known.legal.is_some() => ListOutcome::Known,
            Progress::Finished if known.state == PositionState::Retired => ListOutcome::Closed,
            Progress::Finished => ListOutcome::Waiting,
        })
    }

    /// How many more lists make a test case of an open position, if they agree.
    fn lacking(&self, known: &KnownPosition) -> Option<u32> {
        let lists = known.verdict.as_ref().map_or(0, |verdict| verdict.lists);
        let enough = self.settings().rule().sufficient_lists();
        let is_open = known.state == PositionState::Open;
        // A list that has just come is counted in the next round of upkeep.
        is_open.then(|| enough.saturating_sub(lists).max(1))
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

/// What somebody who has finished so many lists is offered: nothing at first, then now and then something else.
fn offer(lists: usize) -> Option<Purpose> {
    match (lists, lists % 3) {
        (0..3, _) | (_, 2) => None,
        (_, 0) => Some(Purpose::Timed),
        _ => Some(Purpose::Pair),
    }
}

/// Number of moves on a list, or of answers given.
pub(super) fn count(row: &list::Model) -> u32 {
    let texts = [&row.moves, &row.refused].into_iter().flatten();
    let moves = texts.flat_map(|text| text.split_ascii_whitespace()).count();
    u32::try_from(moves).unwrap_or(u32::MAX)
}

/// In a second look, legal moves answered no count as missed, and others were not asked for.
fn score_of_list(
    row: &list::Model,
    known: &KnownPosition,
    legal: &BTreeSet<MoveText>,
) -> Result<Score, StoreError> {
    let (moves, refused) = listed(row)?;
    let mut legal = legal.clone();
    if row.purpose == Purpose::Review {
        legal.retain(|mv| moves.contains(mv) || refused.contains(mv));
    }
    // The reasons of the rules do not hold where a moderator followed the crowd against them.
    let why = |mv: &MoveText| known.why(mv);
    Ok(score(&Answer::new(known.position, legal), &moves, why))
}

/// How long after its time limit a list of a class is not late: it takes a moment to arrive.
const CLASS_GRACE_MS: i64 = 10_000;

/// Whether a finished list earns nothing, since it came too late.
pub(super) fn is_late(row: &list::Model, known: &KnownPosition) -> bool {
    match row.purpose {
        Purpose::Daily => !is_in_time(row),
        Purpose::Class => {
            (row.limit_ms).is_some_and(|limit| row.took_ms() > limit + CLASS_GRACE_MS)
        }
        Purpose::Campaign | Purpose::Timed | Purpose::Pair | Purpose::Review => known.is_late(row),
    }
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
pub(super) fn listed(row: &list::Model) -> Result<(Vec<MoveText>, Vec<MoveText>), StoreError> {
    let read = |text: &Option<String>| moves(text.as_deref().unwrap_or(""));
    Ok((read(&row.moves)?, read(&row.refused)?))
}

impl Service {
    /// Awards the points of a finished list if its position is closed; returns false if it is not.
    pub(super) async fn score_if_known(&self, row: &list::Model) -> Result<bool, ServiceError> {
        let known = self.known(row.position_id).await?;
        let is_closed = known.legal.is_some() || known.state == PositionState::Retired;
        let is_done = row.state == Progress::Finished && !row.held;
        // The teacher's table has what the lists of a class are worth.
        if !is_closed || row.scored || !is_done || row.purpose == Purpose::Class {
            return Ok(false);
        }
        let is_late = is_late(row, &known);
        if is_late && row.purpose == Purpose::Daily {
            return Ok(false);
        }
        let tally = match &known.legal {
            Some(legal) if !is_late => tally_of(row, legal)?,
            // Late, or closed without an answer: no points, and the list is not scored again.
            _ => Tally::default(),
        };
        let kind = match known.state {
            PositionState::Gold => AwardKind::Gold,
            PositionState::Lesson => AwardKind::Daily,
            _ => AwardKind::Consensus,
        };
        let points = match row.purpose {
            // People are compared, so that many illegal moves are worse than a few.
            Purpose::Daily => i64::from(tally.hits) - i64::from(tally.wrong),
            Purpose::Review => tally.points_of_answers().into(),
            _ => tally.points().into(),
        };
        let award = award(row, kind, points, tally);
        Ok(self.store().score(&award, known.id, known.state).await?)
    }

    /// Awards both of a pair the points for their agreement, and returns it; late lists get
    /// none.
    pub(super) async fn score_pair(
        &self,
        one: &list::Model,
        other: &list::Model,
    ) -> Result<Agreement, ServiceError> {
        let positions = self.positions();
        let known = positions.get(one.position_id)?;
        let tally = pair_tally(&known.candidates, &listed(one)?.0, &listed(other)?.0);
        let points = |row: &list::Model| {
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

fn award(row: &list::Model, kind: AwardKind, points: i64, tally: Tally) -> award::Model {
    award::Model {
        list_id: row.id,
        kind,
        contributor_id: row.contributor_id,
        purpose: row.purpose,
        points,
        correct: i64::from(tally.hits),
        total: i64::from(tally.decisions()),
        given_at: row.last_at().0,
    }
}

fn tally_of(row: &list::Model, legal: &BTreeSet<MoveText>) -> Result<Tally, StoreError> {
    let (moves, refused) = listed(row)?;
    if row.purpose != Purpose::Review {
        return Ok(tally(legal, &moves));
    }
    let yes = moves.into_iter().map(|mv| (mv, true));
    let no = refused.into_iter().map(|mv| (mv, false));
    let answers: BTreeMap<MoveText, bool> = yes.chain(no).collect();
    Ok(tally_answers(legal, &answers))
}
