//! What people overlook, from the lists in the database; and as CSV.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::core::on_a_thread;
use super::positions::Positions;
use super::results::listed;
use super::{Service, ServiceError};
use crate::candidates::canonical;
use crate::insight::{ClosedLists, Insight, Listed, PositionName, Share, analyse};
use crate::model::PositionState;
use crate::store::StoreError;
use crate::store::entity::list;
use crate::table::csv;

/// States of positions that have an answer. That of a gold position is shown only to those who have finished it.
const ANSWERED: [PositionState; 3] = [
    PositionState::Agreed,
    PositionState::Retired,
    PositionState::Gold,
];

impl Service {
    /// What people overlook. Gold positions count, but are not among the positions: their answers are not public.
    pub async fn overlooked(&self) -> Result<Arc<Insight>, ServiceError> {
        // One evaluation at a time; those who ask meanwhile get the same.
        let mut last = self.last_insight().await;
        let positions = self.positions();
        let flags = self.store().count_flags().await?;
        if let Some((of, flags_then, made)) = &*last
            // New lists and decisions replace the positions, so the same pointer means nothing is
            // new.
            && Arc::ptr_eq(of, &positions)
            && *flags_then == flags
        {
            return Ok(Arc::clone(made));
        }
        let mut made = self.overlooked_with_gold().await?;
        made.positions
            .retain(|one| one.about.state != PositionState::Gold);
        let made = Arc::new(made);
        *last = Some((positions, flags, Arc::clone(&made)));
        Ok(made)
    }

    /// With the gold positions, for those who operate the site.
    pub async fn overlooked_with_gold(&self) -> Result<Insight, ServiceError> {
        let positions = self.positions();
        let quarantined = self.store().quarantined_people().await?;
        let flagged = self.store().flagged_lists().await?;
        let mut rows = self.store().whole_lists(&ANSWERED).await?;
        rows.retain(|row| is_counted(row, &quarantined, &flagged));
        let work = move || Ok::<_, StoreError>(analyse(&closed_lists(&rows, &positions)?));
        Ok(on_a_thread(work).await??)
    }
}

/// Whether a list is a person's own work, as far as is known, and an attempt.
fn is_counted(row: &list::Model, quarantined: &HashSet<i64>, flagged: &HashSet<i64>) -> bool {
    // Empty lists are handed in to see the answer of gold: they are no attempt.
    let is_empty = row.moves.as_deref().unwrap_or("").is_empty();
    !is_empty && !quarantined.contains(&row.contributor_id) && !flagged.contains(&row.id)
}

/// The lists of each position with a known answer; without those that were finished after it became public.
fn closed_lists(
    rows: &[list::Model],
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
            about: PositionName {
                id: known.id,
                name: known.name.clone(),
                fen: known.fen.clone(),
                chess960: known.chess960,
                state: known.state,
            },
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

/// Output format of what people overlook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum OverlookedFormat {
    /// Tables of kinds and rules, and the hardest positions
    Human,
    /// One row per position and move
    Csv,
}

const HEAD: &str =
    "position,name,state,fen,chess960,move,san,legal,rule,kinds,lists,listed,wrong,low,high";

/// One row for each legal move of a position and each illegal one on a list, hardest position and move first.
pub fn overlooked_csv(overlooked: &Insight) -> String {
    let mut rows = Vec::new();
    for one in &overlooked.positions {
        let about = &one.about;
        let mut row = |words: [&str; 5], listed: u64, share: &Share| {
            let number = |number: f64| format!("{number:.6}");
            let [mv, san, legal, rule, kinds] = words.map(str::to_owned);
            rows.push([
                about.id.to_string(),
                about.name.clone(),
                about.state.to_string(),
                about.fen.clone(),
                about.chess960.to_string(),
                mv,
                san,
                legal,
                rule,
                kinds,
                share.shown.to_string(),
                listed.to_string(),
                number(share.overlooked),
                number(share.low),
                number(share.high),
            ]);
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
    csv(HEAD, rows)
}
