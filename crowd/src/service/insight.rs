//! What people overlook, from the lists in the database; as CSV and JSON.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use serde::Serialize;

use super::core::on_a_thread;
use super::overlooked::{HardPosition, Overlooked};
use super::positions::{KnownPosition, Positions};
use super::results::listed;
use super::{Service, ServiceError};
use crate::candidates::canonical;
use crate::insight::{ClosedLists, Insight, Listed, PositionShare, Share, analyse};
use crate::model::PositionState;
use crate::store::StoreError;
use crate::store::entity::assignment;

/// States of positions that have an answer. That of a gold position is shown only to those who have finished it.
const ANSWERED: [PositionState; 3] = [
    PositionState::Agreed,
    PositionState::Retired,
    PositionState::Gold,
];

impl Service {
    /// What people overlook. Gold positions count, but are not among the positions: their answers are not public.
    pub async fn overlooked(&self) -> Result<Arc<Overlooked>, ServiceError> {
        // One evaluation at a time; those who ask meanwhile get the same.
        let mut last = self.last_insight().await;
        let positions = self.positions();
        let flags = self.store().count_flags().await?;
        if let Some((of, flags_then, made)) = &last.made
            // New lists and decisions replace the positions, so the same pointer means nothing is
            // new.
            && Arc::ptr_eq(of, &positions)
            && *flags_then == flags
        {
            return Ok(Arc::clone(made));
        }
        let mut made = self.overlooked_with_gold().await?;
        made.positions
            .retain(|one| one.state != PositionState::Gold);
        let made = Arc::new(made);
        last.made = Some((positions, flags, Arc::clone(&made)));
        Ok(made)
    }

    /// With the gold positions, for those who operate the site.
    pub async fn overlooked_with_gold(&self) -> Result<Overlooked, ServiceError> {
        let positions = self.positions();
        let quarantined = self.store().quarantined_people().await?;
        let flagged = self.store().flagged_lists().await?;
        let mut rows = self.store().whole_lists(&ANSWERED).await?;
        rows.retain(|row| is_counted(row, &quarantined, &flagged));
        let of = Arc::clone(&positions);
        let work = move || Ok::<_, StoreError>(analyse(&closed_lists(&rows, &of)?));
        let Insight {
            lists,
            people,
            positions: by_position,
            kinds,
            rules,
        } = on_a_thread(work).await??;
        let named = |share: PositionShare| Ok(hard(positions.get(share.id)?, share));
        let by_position = by_position.into_iter().map(named);
        Ok(Overlooked {
            lists,
            people,
            kinds,
            rules,
            positions: by_position.collect::<Result<_, StoreError>>()?,
        })
    }
}

/// Whether a list is a person's own work, as far as is known, and an attempt.
fn is_counted(row: &assignment::Model, quarantined: &HashSet<i64>, flagged: &HashSet<i64>) -> bool {
    // Empty lists are handed in to see the answer of gold: they are no attempt.
    let is_empty = row.moves.as_deref().unwrap_or("").is_empty();
    !is_empty && !quarantined.contains(&row.contributor_id) && !flagged.contains(&row.id)
}

/// The lists of each position with a known answer; without those that were finished after it became public.
fn closed_lists(
    rows: &[assignment::Model],
    positions: &Positions,
) -> Result<Vec<ClosedLists>, StoreError> {
    let mut closed: BTreeMap<i64, ClosedLists> = BTreeMap::new();
    for row in rows {
        let Some(known) = positions.find(row.position_id) else {
            continue;
        };
        let Some(legal) = &known.legal else { continue };
        if known.is_late(row) {
            continue;
        }
        let position = known.position;
        let moves = listed(row)?.0.into_iter();
        let moves = moves.map(|mv| canonical(&position, &mv).unwrap_or(mv));
        let entry = closed.entry(known.id).or_insert_with(|| ClosedLists {
            id: known.id,
            position,
            legal: legal.clone(),
            overruled: known.overruled.clone(),
            lists: Vec::new(),
        });
        entry.lists.push(Listed {
            person: row.contributor_id,
            moves: moves.collect(),
        });
    }
    Ok(closed.into_values().collect())
}

fn hard(known: &KnownPosition, share: PositionShare) -> HardPosition {
    HardPosition {
        id: known.id,
        name: known.name.clone(),
        fen: known.fen.clone(),
        chess960: known.chess960,
        state: known.state,
        lists: share.lists,
        difficulty: share.share,
        moves: share.moves,
        illegal: share.illegal,
    }
}

/// Output format of what people overlook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum OverlookedFormat {
    /// Tables of kinds and rules, and the hardest positions
    Human,
    /// One row per position and move
    Csv,
    /// One object with everything
    Json,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    #[serde(flatten)]
    overlooked: &'a Overlooked,
}

/// The document of schema `touchstone/crowd-overlooked/1`; it ends with a newline.
pub fn overlooked_json(overlooked: &Overlooked) -> String {
    let document = Document {
        schema: "touchstone/crowd-overlooked/1",
        overlooked,
    };
    let text = serde_json::to_string_pretty(&document);
    text.expect("plain values can be written") + "\n"
}

const HEAD: [&str; 15] = [
    "position", "name", "state", "fen", "chess960", "move", "san", "legal", "rule", "kinds",
    "lists", "listed", "wrong", "low", "high",
];

/// One row for each legal move of a position and each illegal one on a list, hardest position and move first.
pub fn overlooked_csv(overlooked: &Overlooked) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let in_memory = "memory takes all";
    writer.write_record(HEAD).expect(in_memory);
    for one in &overlooked.positions {
        let mut row = |words: [&str; 5], listed: u64, share: &Share| {
            let number = |number: f64| format!("{number:.6}");
            let [mv, san, legal, rule, kinds] = words;
            let fields: [String; HEAD.len()] = [
                one.id.to_string(),
                one.name.clone(),
                one.state.to_string(),
                one.fen.clone(),
                one.chess960.to_string(),
                mv.to_owned(),
                san.to_owned(),
                legal.to_owned(),
                rule.to_owned(),
                kinds.to_owned(),
                share.shown.to_string(),
                listed.to_string(),
                number(share.overlooked),
                number(share.low),
                number(share.high),
            ];
            writer.write_record(fields).expect(in_memory);
        };
        for legal in &one.moves {
            let kinds: Vec<&str> = legal.kinds.iter().map(|kind| kind.as_str()).collect();
            let words = [legal.mv.as_str(), &legal.san, "true", "", &kinds.join(" ")];
            row(words, legal.share.found, &legal.share);
        }
        for wrong in &one.illegal {
            let words = [wrong.mv.as_str(), "", "false", wrong.rule.as_str(), ""];
            row(words, wrong.share.shown - wrong.share.found, &wrong.share);
        }
    }
    let bytes = writer.into_inner().expect(in_memory);
    String::from_utf8(bytes).expect("all of it was text")
}

/// What a rule forbids, in words that follow "A move that is illegal because".
pub fn rule_in_words(rule: chess::rules::explain::Rule) -> &'static str {
    use chess::rules::explain::Rule;
    match rule {
        Rule::NoPiece => "the square is empty",
        Rule::NotYourPiece => "the piece is the opponent’s",
        Rule::DoesNotMoveSo => "the piece does not move so",
        Rule::OwnPieceOnTarget => "an own piece is on the square",
        Rule::PathBlocked => "a piece is in the way",
        Rule::PawnCannotCaptureForward => "a pawn does not capture straight ahead",
        Rule::PawnCapturesNeedAVictim => "a pawn goes diagonally only to capture",
        Rule::DoubleStepNotFromStart => "a pawn goes two squares only from its first",
        Rule::EnPassantTooLate => "en passant is possible for one move only",
        Rule::EnPassantDiscoversCheck => "en passant would uncover check",
        Rule::MustPromote | Rule::CannotPromoteHere | Rule::PromotionPiece => {
            "promotion is for pawns on the last rank"
        }
        Rule::KingIntoAttack => "the king would step onto an attacked square",
        Rule::KingTakesProtected => "the king would take a protected piece",
        Rule::KingAlongCheckingRay => "the king would stay on the line of the check",
        Rule::KingsAdjacent => "the kings would stand side by side",
        Rule::DoubleCheckKingMustMove => "in double check only the king moves",
        Rule::DoesNotAnswerCheck => "the king would stay in check",
        Rule::Pinned => "the piece is pinned",
        Rule::NoCastlingRight => "there is no right to castle",
        Rule::CastlingPathBlocked => "a piece is in the way of castling",
        Rule::CastlingOutOfCheck => "a king in check does not castle",
        Rule::CastlingThroughCheck => "the king would castle through check",
        Rule::CastlingIntoCheck => "the king would castle into check",
        Rule::CastlingUncoversCheck => "castling would uncover check",
        Rule::Legal
        | Rule::Castling
        | Rule::EnPassant
        | Rule::CapturesChecker
        | Rule::BlocksCheck
        | Rule::LeavesCheck
        | Rule::AlongPin
        | Rule::Promotion => "it was ruled illegal",
    }
}
