//! Test cases: positions on which the crowd and the generators agree, with their provenance.

use epd::{Operand, Operation, OperationError, Record};

use super::positions::{KnownPosition, Positions};
use super::{CaseMove, Provenance, Service, ServiceError, TestCase};
use crate::model::Timestamp;
use crate::store::StoreError;
use crate::store::entity::test_case;

/// How lists are aggregated, for the provenance.
pub(super) const METHOD: &str = "dawid-skene and majority, by class of move";

impl Service {
    /// Every test case, by position number.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn test_cases(&self) -> Result<Vec<TestCase>, ServiceError> {
        let rows = self.store().test_cases().await?;
        let positions = self.positions();
        let cases = rows.into_iter().map(|row| read_case(row, &positions));
        Ok(cases.collect::<Result<_, StoreError>>()?)
    }
}

fn read_case(row: test_case::Model, positions: &Positions) -> Result<TestCase, StoreError> {
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
        epd: epd_of(known, &moves, &provenance)?,
        moves,
        certified_at: Timestamp(row.certified_at),
        provenance,
    })
}

fn epd_of(
    known: &KnownPosition,
    moves: &[CaseMove],
    provenance: &Provenance,
) -> Result<String, StoreError> {
    let unwritable = |error: OperationError| StoreError::Value {
        what: "a test case",
        found: error.to_string(),
    };
    let operations = operations(known, moves, provenance).map_err(unwritable)?;
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
        day(provenance.first_list_at),
        day(provenance.last_list_at)
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

/// The UTC date in ISO 8601.
pub(crate) fn day(at: Timestamp) -> String {
    let seconds = at.0.div_euclid(1000);
    match time::OffsetDateTime::from_unix_timestamp(seconds) {
        Ok(time) => time.date().to_string(),
        Err(_) => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_told_in_utc() {
        assert_eq!(day(Timestamp(0)), "1970-01-01");
        assert_eq!(day(Timestamp(1_800_000_000_000)), "2027-01-15");
    }
}
