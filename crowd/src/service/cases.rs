//! Test cases: positions on which the crowd and the generators agree, with their provenance; as EPD, CSV or JSON.

use std::collections::HashMap;
use std::fmt::Write as _;

use epd::{Operand, Operation, OperationError, Record};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::positions::{KnownPosition, Positions};
use super::{Service, ServiceError};
use crate::insight::Share;
use crate::model::{MoveText, Timestamp};
use crate::store::StoreError;
use crate::store::entity::test_case;
use crate::table::csv;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseMove {
    #[serde(rename = "move")]
    pub mv: MoveText,
    pub san: String,
    pub yes: i64,
    pub no: i64,
    /// The probability that it is legal, by the crowd's labels alone.
    pub probability: f64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Provenance {
    pub campaign: String,
    pub lists: i64,
    pub first_list_at: Timestamp,
    pub last_list_at: Timestamp,
    pub method: String,
    pub version: String,
}

/// A position on whose legal moves the crowd and the generators agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestCase {
    pub position_id: i64,
    pub name: String,
    pub fen: String,
    pub chess960: bool,
    /// An EPD record of it: `id`, `D1`, `lm` and comments.
    pub epd: String,
    pub moves: Vec<CaseMove>,
    /// How much of it people overlook, over all its legal moves and the lists that count; none without such a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Share>,
    pub certified_at: Timestamp,
    pub provenance: Provenance,
}

pub(super) const METHOD: &str = "dawid-skene and majority, by class of move";

impl Service {
    pub async fn test_cases(&self) -> Result<Vec<TestCase>, ServiceError> {
        let rows = self.store().test_cases().await?;
        let overlooked = self.overlooked().await?;
        let positions = self.positions();
        let by_id = overlooked
            .positions
            .iter()
            .map(|one| (one.about.id, one.share));
        let by_id: HashMap<i64, Share> = by_id.collect();
        let cases = rows.into_iter().map(|row| {
            let difficulty = by_id.get(&row.position_id).copied();
            read_case(row, &positions, difficulty)
        });
        Ok(cases.collect::<Result<Vec<_>, StoreError>>()?)
    }
}

fn read_case(
    row: test_case::Model,
    positions: &Positions,
    difficulty: Option<Share>,
) -> Result<TestCase, StoreError> {
    let known = positions.get(row.position_id)?;
    let moves: Vec<CaseMove> = serde_json::from_str(&row.moves).map_err(|_| StoreError::Value {
        what: "the moves of a test case",
        found: row.moves.clone(),
    })?;
    let provenance = Provenance {
        campaign: positions.campaign_name(known.campaign).to_owned(),
        lists: row.lists,
        first_list_at: Timestamp(row.first_list_at),
        last_list_at: Timestamp(row.last_list_at),
        method: row.method,
        version: row.version,
    };
    Ok(TestCase {
        position_id: known.id,
        name: known.name.clone(),
        fen: known.fen.clone(),
        chess960: known.chess960,
        epd: epd_of(known, &moves, &provenance, difficulty)?,
        moves,
        difficulty,
        certified_at: Timestamp(row.certified_at),
        provenance,
    })
}

fn epd_of(
    known: &KnownPosition,
    moves: &[CaseMove],
    provenance: &Provenance,
    difficulty: Option<Share>,
) -> Result<String, StoreError> {
    let unwritable = |error: OperationError| StoreError::Value {
        what: "a test case",
        found: error.to_string(),
    };
    let mut operations = operations(known, moves, provenance).map_err(unwritable)?;
    if let Some(share) = difficulty {
        let text = format!(
            "difficulty {:.4}, 95 % interval {:.4} to {:.4}: {} of {} moves overlooked",
            share.overlooked,
            share.low,
            share.high,
            share.shown - share.found,
            share.shown
        );
        let text = vec![Operand::Text(text)];
        operations.push(Operation::new("c2", text).map_err(unwritable)?);
    }
    let mut record = Record::new(known.position);
    let set = record.set_operations(operations);
    set.expect("no count is given twice");
    Ok(record.text().to_owned())
}

fn operations(
    known: &KnownPosition,
    moves: &[CaseMove],
    provenance: &Provenance,
) -> Result<Vec<Operation>, OperationError> {
    let text = |text: String| vec![Operand::Text(text)];
    let sans = moves.iter().map(|one| Operand::Word(one.san.clone()));
    let count = Operand::Word(moves.len().to_string());
    let lists = format!(
        "{} lists, {} to {}",
        provenance.lists,
        provenance.first_list_at.date(),
        provenance.last_list_at.date()
    );
    let by = format!("{}, crowd {}", provenance.method, provenance.version);
    Ok(vec![
        Operation::new("id", text(known.name.clone()))?,
        Operation::new("D1", vec![count])?,
        Operation::new("lm", sans.collect())?,
        Operation::new("c0", text(lists))?,
        Operation::new("c1", text(by))?,
    ])
}

/// Which test cases, and in which order, by how much of their moves people overlook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, clap::Args, utoipa::IntoParams)]
#[serde(default, deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ByDifficulty {
    /// Only cases that are harder, hardest first
    ///
    /// Only cases of which people overlook more than this share of the moves, from 0 to 1; hardest
    /// first.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    #[serde(rename = "harder-than", deserialize_with = "read_share")]
    #[param(minimum = 0, maximum = 1)]
    pub harder_than: Option<f64>,
}

impl ByDifficulty {
    pub fn apply(self, cases: &mut Vec<TestCase>) {
        // An unknown difficulty is below every share, so that such cases are left out.
        let difficulty = |case: &TestCase| case.difficulty.map_or(-1.0, |share| share.overlooked);
        if let Some(least) = self.harder_than {
            cases.retain(|case| difficulty(case) > least);
            cases.sort_by(|one, other| difficulty(other).total_cmp(&difficulty(one)));
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    let is_share = (0.0..=1.0).contains(&number);
    is_share
        .then_some(number)
        .ok_or_else(|| "a share is from 0 to 1".to_owned())
}

/// From a query, where everything is text.
fn read_share<'a, D: Deserializer<'a>>(from: D) -> Result<Option<f64>, D::Error> {
    let text = String::deserialize(from)?;
    share(&text).map(Some).map_err(D::Error::custom)
}

/// Output format of test cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum CaseFormat {
    /// Suite: one record per position, with `id`, `D1`, `lm` and comments
    Epd,
    /// One row per legal move
    Csv,
    /// One object with everything
    Json,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    cases: &'a [TestCase],
}

const SCHEMA: &str = "touchstone/crowd-cases/1";
const HEAD: &str =
    "position,name,fen,chess960,move,san,yes,no,probability,lists,certified,method,version";

/// Writes test cases in a format; the text ends with a newline.
pub fn write_cases(cases: &[TestCase], format: CaseFormat) -> String {
    match format {
        CaseFormat::Epd => suite(cases),
        CaseFormat::Csv => csv(HEAD, cases.iter().flat_map(rows)),
        CaseFormat::Json => {
            let document = Document {
                schema: SCHEMA,
                cases,
            };
            let text = serde_json::to_string_pretty(&document);
            text.expect("plain values can be written") + "\n"
        }
    }
}

fn suite(cases: &[TestCase]) -> String {
    let mut text = String::from(
        "# Positions whose legal moves people listed; the lists and the generators agree.\n",
    );
    for case in cases {
        writeln!(text, "{}", case.epd).expect("a string takes all");
    }
    text
}

/// A position without legal moves has one row with an empty move.
fn rows(case: &TestCase) -> Vec<[String; 13]> {
    let row = |of_move: [String; 5]| {
        let [mv, san, yes, no, probability] = of_move;
        [
            case.position_id.to_string(),
            case.name.clone(),
            case.fen.clone(),
            case.chess960.to_string(),
            mv,
            san,
            yes,
            no,
            probability,
            case.provenance.lists.to_string(),
            case.certified_at.date().to_string(),
            case.provenance.method.clone(),
            case.provenance.version.clone(),
        ]
    };
    if case.moves.is_empty() {
        return vec![row(Default::default())];
    }
    let moves = case.moves.iter().map(|one| {
        row([
            one.mv.to_string(),
            one.san.clone(),
            one.yes.to_string(),
            one.no.to_string(),
            one.probability.to_string(),
        ])
    });
    moves.collect()
}
