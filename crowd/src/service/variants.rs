//! Campaigns of variants: with a rules card, and positions from perft-1 suites.

use std::sync::Arc;

use super::import_problem::check_name;
use super::rules::card_of;
use super::{ImportError, ImportProblem, Service, ServiceError};
use crate::model::{MoveText, PositionState, Timestamp};
use crate::store::NewPosition;
use crate::variant::{Card, Placement, SuiteLine, candidates, canonical, read_card, read_suite};

/// The greatest number of candidate moves of a position: each is a question to everybody who lists it.
const CANDIDATES: usize = 4096;

/// A campaign with a rules card.
#[derive(Clone, Debug)]
pub struct VariantCampaign {
    /// The campaign.
    pub name: String,
    /// Its rules.
    pub card: Arc<Card>,
    /// Number of positions that people list, without gold.
    pub positions: usize,
    /// Number of them on whose moves people agree.
    pub agreed: usize,
}

impl Service {
    /// Every campaign with a rules card, by name.
    pub fn variant_campaigns(&self) -> Vec<VariantCampaign> {
        let positions = self.positions();
        let named = positions.campaigns.iter();
        let campaigns = named.filter_map(|(name, id)| {
            let of_it = || positions.all().filter(|known| known.campaign == *id);
            let is_gold = |state| state == PositionState::Gold;
            Some(VariantCampaign {
                name: name.clone(),
                card: Arc::clone(positions.cards.get(id)?),
                positions: of_it().filter(|known| !is_gold(known.state)).count(),
                agreed: of_it()
                    .filter(|known| known.state == PositionState::Agreed)
                    .count(),
            })
        });
        campaigns.collect()
    }

    /// Gives a campaign its rules card, in TOML; the campaign is created if missing, with the card's title if it gets
    /// none. From then on its positions are of that variant.
    pub async fn set_card(
        &self,
        campaign: &str,
        title: Option<&str>,
        text: &str,
        now: Timestamp,
    ) -> Result<(), ImportError> {
        check_name(campaign)?;
        let card = read_card(text)?;
        let title = title.unwrap_or(&card.title);
        let is_set = self.store().set_card(campaign, Some(title), text, now.0);
        if !is_set.await? {
            return Err(ImportError::CardFixed(campaign.to_owned()));
        }
        self.read_positions().await?;
        Ok(())
    }

    /// The card of a campaign, as the database has it now.
    pub async fn card_named(&self, name: &str) -> Result<Option<Arc<Card>>, ServiceError> {
        let campaigns = self.store().campaigns().await?;
        let campaign = campaigns.into_iter().find(|one| one.name == name);
        let text = campaign.and_then(|campaign| campaign.card);
        let card = text.map(|text| card_of(&text)).transpose()?;
        Ok(card.map(Arc::new))
    }
}

/// The faults of a text to be imported into a campaign with this card; empty if all of it could be.
pub fn variant_import_problems(card: &Card, text: &[u8], gold: bool) -> Vec<ImportProblem> {
    read(card, "", text, gold).1
}

/// Positions with their lines, and faults.
pub(super) fn read(
    card: &Card,
    campaign: &str,
    text: &[u8],
    gold: bool,
) -> (Vec<(usize, NewPosition)>, Vec<ImportProblem>) {
    let (mut good, mut problems) = (Vec::new(), Vec::new());
    for line in read_suite(text) {
        let read = line.map_err(|error| ImportProblem {
            line: error.line,
            column: error.column,
            reason: error.reason,
        });
        match read.and_then(|line| Ok((line.line, new_position(card, campaign, line, gold)?))) {
            Ok(line) => good.push(line),
            Err(problem) => problems.push(problem),
        }
    }
    (good, problems)
}

fn new_position(
    card: &Card,
    campaign: &str,
    line: SuiteLine,
    gold: bool,
) -> Result<NewPosition, ImportProblem> {
    let problem = |column: usize, reason: String| ImportProblem {
        line: line.line,
        column,
        reason,
    };
    let here = |reason: String| problem(line.column, reason);
    let placement = Placement::read(card, &line.fen)
        .map_err(|error| problem(line.column + error.column - 1, error.reason))?;
    let asked = candidates(card, &placement);
    // A position without candidates has no question, and could never be certified.
    if asked.is_empty() || asked.len() > CANDIDATES {
        let found = asked.len();
        return Err(here(format!(
            "it has {found} candidate moves by the card, 1 to {CANDIDATES} are expected"
        )));
    }
    let answer = match (line.moves, gold) {
        (None, true) => {
            return Err(here("a gold position needs its moves: lm".to_owned()));
        }
        (Some(moves), _) => {
            for mv in &moves {
                canonical(card, &placement, mv).map_err(|error| here(format!("lm: {error}")))?;
                // Nobody would be asked about such a move, so the crowd could never agree with the
                // answer.
                if !asked.iter().any(|one| one.text == *mv) {
                    return Err(here(format!(
                        "lm: {mv} is not how a piece moves by the card"
                    )));
                }
            }
            Some(moves.iter().map(MoveText::to_string).collect())
        }
        (None, false) => None,
    };
    Ok(NewPosition {
        name: line
            .id
            .unwrap_or_else(|| format!("{campaign}.{}", line.line)),
        // The same diagram may be a position of several variants.
        same_as: format!("{} {}", card.variant, placement.key()),
        fen: placement.fen,
        chess960: false,
        gold,
        answer,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::SHIPPED;

    #[test]
    fn faults_have_a_place() {
        let card = read_card(SHIPPED[0].card).expect("good");
        for (text, gold, column, part) in [
            ("8/8/8/8/8/8/8/7K w - - 0 1", false, 0, ""),
            (" 8/8/8/8/8/8/8/7X w - - 0 1", false, 17, "'X' is none of"),
            ("8/8/8/8/8/8/8/7k w - - 0 1", false, 1, "0 candidate moves"),
            ("8/8/8/8/8/8/8/7K w - - 0 1", true, 1, "needs its moves"),
            ("8/8/8/8/8/8/8/7K w ;D1 3 ;lm h1g1 h1g2 h1h2", true, 0, ""),
            ("8/8/8/8/8/8/8/7K w ;lm h1f1", true, 1, "is not how"),
            (
                "8/8/8/8/8/8/8/7K w ;lm a1a2",
                true,
                1,
                "no piece of the side",
            ),
            ("8/8/8/8/8/8/8/7K w ;D1 x", false, 21, "D1: 'x'"),
        ] {
            let problems = variant_import_problems(&card, text.as_bytes(), gold);
            if column == 0 {
                assert_eq!(problems, [], "{text}");
            } else {
                assert_eq!(
                    (problems[0].line, problems[0].column),
                    (1, column),
                    "{text}"
                );
                assert!(problems[0].reason.contains(part), "{problems:?}");
            }
        }
    }
}
