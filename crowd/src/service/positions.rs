//! All positions, with what the crowd found, cached in memory.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use chess::notation::fen;
use chess::rules::Position;

use super::Settings;
use super::rows::{read, read_questions};
use crate::candidates::{Candidate, candidates, legal_texts, san_of, why};
use crate::model::{MoveText, PositionState, QueueState, Resolution, Timestamp};
use crate::store::entity::{gold_answer, list, moderation, position};
use crate::store::{Store, StoreError};
use crate::trust::{
    CertificateVerdict, Evidence, MoveEstimate, Reliability, Undecided, certify, gather,
};

/// All positions, cached in memory as of the last upkeep.
#[derive(Clone, Debug, Default)]
pub(super) struct Positions {
    by_id: BTreeMap<i64, Arc<KnownPosition>>,
    pub(super) campaigns: BTreeMap<String, i64>,
    pub(super) findings: Arc<Findings>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    /// The estimate for each candidate that has answers.
    pub(super) estimates: BTreeMap<(i64, MoveText), MoveEstimate>,
    /// The same, from the answers of those for whom known answers vouch.
    pub(super) vouched: BTreeMap<(i64, MoveText), MoveEstimate>,
    pub(super) reliabilities: Vec<Reliability>,
    pub(super) reliability: HashMap<i64, f64>,
    /// For each open position that measures people, the reliabilities of those who listed it, by
    /// what they answered elsewhere.
    pub(super) elsewhere: BTreeMap<i64, Vec<Reliability>>,
    /// For each position, when its complete lists were finished that count, in order.
    pub(super) lists: BTreeMap<i64, Vec<Timestamp>>,
}

#[derive(Clone, Debug)]
pub(super) struct KnownPosition {
    pub(super) id: i64,
    pub(super) campaign: i64,
    pub(super) name: String,
    pub(super) fen: String,
    pub(super) chess960: bool,
    pub(super) state: PositionState,
    pub(super) position: Position,
    pub(super) candidates: Arc<Vec<Candidate>>,
    /// The answer, if it is shown to those who have finished.
    pub(super) legal: Option<BTreeSet<MoveText>>,
    /// Whether it was drawn if it measures people while it is open.
    pub(super) is_drawn: bool,
    /// The answer, if it measures people without their knowledge. Nothing that people see may
    /// depend on it.
    pub(super) hidden: Option<BTreeSet<MoveText>>,
    /// The moves on which the crowd is right against the generator.
    pub(super) overruled: BTreeSet<MoveText>,
    pub(super) closed_at: Option<Timestamp>,
    /// The times (from, until) in which an answer was public whose decision was reversed later.
    shown: Vec<(Timestamp, Timestamp)>,
    pub(super) estimates: Vec<MoveEstimate>,
    pub(super) verdict: Option<Undecided>,
}

impl Positions {
    /// Loads the positions from the database, combined with the findings.
    pub(super) async fn read(
        store: &Store,
        settings: &Settings,
        findings: Arc<Findings>,
    ) -> Result<Self, StoreError> {
        let campaigns = store.campaigns().await?;
        let mut gold: HashMap<i64, Vec<gold_answer::Model>> = HashMap::new();
        for answer in store.gold_answers().await? {
            gold.entry(answer.position_id).or_default().push(answer);
        }
        let mut read = Self::default();
        for campaign in campaigns {
            read.campaigns.insert(campaign.name, campaign.id);
        }
        let closings = Closings::read(store).await?;
        for row in store.positions().await? {
            let answers = gold.remove(&row.id).unwrap_or_default();
            let mut position = KnownPosition::read(row, &answers)?;
            closings.close(&mut position)?;
            position.take_findings(&findings, settings);
            read.by_id.insert(position.id, Arc::new(position));
        }
        read.findings = findings;
        Ok(read)
    }

    pub(super) fn get(&self, id: i64) -> Result<&Arc<KnownPosition>, StoreError> {
        self.by_id.get(&id).ok_or_else(|| StoreError::Value {
            what: "a position",
            found: format!("no position {id}"),
        })
    }

    pub(super) fn find(&self, id: i64) -> Option<&Arc<KnownPosition>> {
        self.by_id.get(&id)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<KnownPosition>> {
        self.by_id.values()
    }

    pub(super) fn campaign_name(&self, id: i64) -> &str {
        let mut names = self.campaigns.iter();
        let found = names.find(|(_, number)| **number == id);
        found.map_or("", |(name, _)| name.as_str())
    }
}

/// When and how positions were closed, from the database.
struct Closings {
    certified: HashMap<i64, i64>,
    /// The most recently resolved queue item of each position.
    decided: HashMap<i64, moderation::Model>,
    reversed: Vec<moderation::Model>,
}

impl Closings {
    async fn read(store: &Store) -> Result<Self, StoreError> {
        let mut decided = HashMap::new();
        let mut reversed = Vec::new();
        // The newest item comes first.
        for item in store.queue().await? {
            match item.state {
                QueueState::Open => {}
                QueueState::Resolved => {
                    decided.entry(item.position_id).or_insert(item);
                }
                QueueState::Reversed => reversed.push(item),
            }
        }
        let certified = store.certified_at().await?.into_iter().collect();
        Ok(Self {
            certified,
            decided,
            reversed,
        })
    }

    fn close(&self, known: &mut KnownPosition) -> Result<(), StoreError> {
        let at = match known.state {
            PositionState::Agreed => self.certified.get(&known.id).copied(),
            PositionState::Retired => {
                let item = self.decided.get(&known.id);
                match item.and_then(|item| Some((item.resolution?, item))) {
                    Some((Resolution::CrowdIsRight, item)) => known.follow_the_crowd(item)?,
                    // Nobody established the answer of a position that was closed without one.
                    Some((Resolution::Retire, _)) => known.legal = None,
                    Some((Resolution::GeneratorIsRight | Resolution::AskAgain, _)) | None => {}
                }
                item.and_then(|item| item.resolved_at)
            }
            PositionState::Open
            | PositionState::Disputed
            | PositionState::Gold
            | PositionState::Lesson => None,
        };
        known.closed_at = at.map(Timestamp);
        let reversed = self.reversed.iter();
        known.shown = reversed
            .filter(|item| item.position_id == known.id)
            .filter_map(|item| Some((Timestamp(item.shown_at?), Timestamp(item.reversed_at?))))
            .collect();
        Ok(())
    }
}

impl KnownPosition {
    pub(super) fn read(
        row: position::Model,
        answers: &[gold_answer::Model],
    ) -> Result<Self, StoreError> {
        let position = fen::parse(&row.fen).map_err(|_| StoreError::Value {
            what: "the FEN of a position",
            found: format!("'{}'", row.fen),
        })?;
        let state = row.state;
        let answers = answers.iter().map(|answer| read("a move", &answer.mv));
        let answers = answers.collect::<Result<BTreeSet<MoveText>, _>>()?;
        let legal = match state {
            PositionState::Gold => Some(answers),
            PositionState::Agreed | PositionState::Retired | PositionState::Lesson => {
                Some(legal_texts(&position))
            }
            PositionState::Open | PositionState::Disputed => None,
        };
        let hidden = match state {
            // After its end a position has a public answer, which measures people as gold does.
            PositionState::Open | PositionState::Disputed if row.hidden == Some(true) => {
                Some(legal_texts(&position))
            }
            _ => None,
        };
        Ok(Self {
            id: row.id,
            campaign: row.campaign_id,
            name: row.name,
            fen: row.fen,
            chess960: row.chess960,
            state,
            candidates: Arc::new(candidates(&position)),
            position,
            legal,
            is_drawn: row.hidden.is_some(),
            hidden,
            overruled: BTreeSet::new(),
            closed_at: None,
            shown: Vec::new(),
            estimates: Vec::new(),
            verdict: None,
        })
    }

    /// If the crowd is right, the answer is the generator's except for the moves in question.
    fn follow_the_crowd(&mut self, item: &moderation::Model) -> Result<(), StoreError> {
        let legal = self.legal.get_or_insert_default();
        for question in read_questions(&item.moves)? {
            let is_changed = if question.crowd_says {
                legal.insert(question.mv.clone())
            } else {
                legal.remove(&question.mv)
            };
            if is_changed {
                self.overruled.insert(question.mv);
            }
        }
        Ok(())
    }

    /// The SAN of a move, if the generator has it.
    pub(super) fn san(&self, mv: &MoveText) -> Option<String> {
        let is_written = !self.overruled.contains(mv);
        is_written.then(|| san_of(&self.position, mv))
    }

    pub(super) fn why(&self, mv: &MoveText) -> String {
        if !self.overruled.contains(mv) {
            return why(&self.position, mv);
        }
        let is_legal = self.legal.as_ref().is_some_and(|l| l.contains(mv));
        let word = if is_legal { "legal" } else { "illegal" };
        format!("{mv} is {word}: people and a moderator say so, against the generator")
    }

    fn take_findings(&mut self, findings: &Findings, settings: &Settings) {
        self.estimates = gather(self.id, &self.candidates, &findings.estimates);
        self.verdict = match certify(&self.evidence(findings), &settings.rule()) {
            CertificateVerdict::Undecided(undecided) => Some(undecided),
            CertificateVerdict::Certified(_) => None,
        };
    }

    /// Whether a list was finished when its owner could already see the answer: it earns nothing
    /// and does not count.
    pub(super) fn is_late(&self, row: &list::Model) -> bool {
        let Some(finished) = row.finished_at.map(Timestamp) else {
            return false;
        };
        let was_shown =
            |&(from, until): &(Timestamp, Timestamp)| from < finished && finished <= until;
        // A list of the same millisecond counts: its owner cannot have seen the answer.
        self.closed_at.is_some_and(|closed| finished > closed) || self.shown.iter().any(was_shown)
    }

    pub(super) fn evidence<'a>(&'a self, findings: &'a Findings) -> Evidence<'a> {
        let elsewhere = findings.elsewhere.get(&self.id);
        Evidence {
            estimates: &self.estimates,
            reliabilities: elsewhere.unwrap_or(&findings.reliabilities),
        }
    }

    pub(super) fn unsettled(&self) -> Vec<MoveText> {
        let unsettled = self.verdict.iter().flat_map(Undecided::disputed);
        unsettled.map(|one| one.text.clone()).collect()
    }
}
