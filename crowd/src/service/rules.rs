//! The rules of a position: those of standard chess, which a generator knows, or those of a rules card, which nobody
//! here knows but people.

use std::collections::BTreeSet;
use std::sync::Arc;

use chess::notation::{fen, san};
use chess::rules::Position;

use super::rows::read;
use crate::candidates::{Candidate, candidates, canonical, legal_texts, move_of, why};
use crate::model::{MoveText, Side};
use crate::store::StoreError;
use crate::store::entity::position;
use crate::trust::orders::{GeneratorOrder, generator_orders};
use crate::trust::{Certified, Comparison, Results, Shown, compare, results};
use crate::variant::{self, Card, Placement};

/// A position with its rules.
#[derive(Clone, Debug)]
pub(super) enum Rules {
    Standard(Position),
    Variant(Arc<Card>, Arc<Placement>),
}

impl Rules {
    /// Reads the position of a campaign, which may have a card.
    pub(super) fn read(
        row: &position::Model,
        card: Option<&Arc<Card>>,
    ) -> Result<Self, StoreError> {
        let unreadable = || StoreError::Value {
            what: "the FEN of a position",
            found: format!("'{}'", row.fen),
        };
        Ok(match card {
            None => Self::Standard(fen::parse(&row.fen).map_err(|_| unreadable())?),
            Some(card) => {
                let placement = Placement::read(card, &row.fen).map_err(|_| unreadable())?;
                Self::Variant(Arc::clone(card), Arc::new(placement))
            }
        })
    }

    pub(super) fn card(&self) -> Option<&Arc<Card>> {
        match self {
            Self::Standard(_) => None,
            Self::Variant(card, _) => Some(card),
        }
    }

    pub(super) fn candidates(&self) -> Vec<Candidate> {
        match self {
            Self::Standard(position) => candidates(position),
            Self::Variant(card, placement) => variant::candidates(card, placement),
        }
    }

    /// A listed move in its one form, or why it cannot be listed.
    pub(super) fn canonical(&self, mv: &MoveText) -> Result<MoveText, String> {
        match self {
            Self::Standard(position) => canonical(position, mv).map_err(|error| error.to_string()),
            Self::Variant(card, placement) => {
                variant::canonical(card, placement, mv).map_err(|error| error.to_string())
            }
        }
    }

    pub(super) fn side_to_move(&self) -> Side {
        match self {
            Self::Standard(position) => position.side_to_move().into(),
            Self::Variant(_, placement) if placement.white_to_move => Side::White,
            Self::Variant(..) => Side::Black,
        }
    }

    /// The generator's list, if there is a generator.
    pub(super) fn legal(&self) -> Option<BTreeSet<MoveText>> {
        match self {
            Self::Standard(position) => Some(legal_texts(position)),
            Self::Variant(..) => None,
        }
    }

    /// A legal move for people: in SAN, if there is a generator.
    pub(super) fn written(&self, mv: &MoveText) -> String {
        match self {
            Self::Standard(position) => san::write(move_of(position, mv), position),
            Self::Variant(..) => mv.to_string(),
        }
    }

    /// Why a move is legal or not by the generator.
    pub(super) fn why(&self, mv: &MoveText) -> String {
        match self {
            Self::Standard(position) => why(position, mv),
            Self::Variant(card, _) => format!(
                "{mv} is for the rules card to decide: there is no generator of {}",
                card.title
            ),
        }
    }

    /// What the generators say of a certified list; without any, the crowd's word stands.
    pub(super) fn compare(&self, certified: &Certified) -> Comparison {
        match self {
            Self::Standard(position) => compare(position, certified),
            Self::Variant(..) => Comparison::Agreed,
        }
    }

    /// A list against a known answer.
    pub(super) fn results(&self, legal: &BTreeSet<MoveText>, given: &[MoveText]) -> Results {
        let Self::Standard(position) = self else {
            let given: BTreeSet<&MoveText> = given.iter().collect();
            let shown = |mv: &MoveText| Shown {
                mv: mv.clone(),
                san: None,
                why: None,
            };
            let (found, wrong) = given
                .iter()
                .partition::<Vec<_>, _>(|mv| legal.contains(**mv));
            let missed = legal.iter().filter(|mv| !given.contains(mv));
            return Results {
                found: found.into_iter().map(shown).collect(),
                missed: missed.map(shown).collect(),
                wrong: wrong.into_iter().map(shown).collect(),
            };
        };
        results(position, legal, given)
    }

    /// The orders of programs that know the rules.
    pub(super) fn generator_orders(&self) -> Vec<GeneratorOrder> {
        match self {
            Self::Standard(position) => generator_orders(position),
            Self::Variant(..) => Vec::new(),
        }
    }
}

/// The card of a campaign, from the database.
pub(super) fn card_of(text: &str) -> Result<Card, StoreError> {
    variant::read_card(text).map_err(|error| StoreError::Value {
        what: "the rules card of a campaign",
        found: error.to_string(),
    })
}

/// The moves of a test case, from the database.
pub(super) fn case_moves(text: &str) -> Result<BTreeSet<MoveText>, StoreError> {
    #[derive(serde::Deserialize)]
    struct OfCase {
        #[serde(rename = "move")]
        mv: String,
    }
    let moves: Vec<OfCase> = serde_json::from_str(text).map_err(|_| StoreError::Value {
        what: "the moves of a test case",
        found: text.to_owned(),
    })?;
    moves.iter().map(|one| read("a move", &one.mv)).collect()
}
