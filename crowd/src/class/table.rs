//! The results of a class: students by positions, kinds of moves, and what is overlooked.

use std::collections::{BTreeMap, BTreeSet};

use chess::notation::fen;
use chess::rules::Position;

use crate::candidates::{san_of, why};
use crate::model::MoveText;
use crate::score::{Answer, KindScore, MoveKind, count};
use crate::table::csv;

#[derive(Clone, Debug)]
pub struct ClassAnswer {
    /// The number of its position, from 0.
    pub position: usize,
    pub moves: Vec<MoveText>,
    pub took_ms: i64,
    pub late: bool,
}

#[derive(Clone, Debug)]
pub struct ClassStudent {
    pub name: String,
    pub answers: Vec<ClassAnswer>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    pub legal: u32,
    pub found: u32,
    pub wrong: u32,
    pub took_ms: i64,
    pub late: bool,
    pub missed: Vec<MoveText>,
    pub illegal: Vec<MoveText>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudentRow {
    pub name: String,
    /// One for each position; none where no list is finished.
    pub cells: Vec<Option<Cell>>,
    /// The sum of the cells, without their moves.
    pub sum: Cell,
    /// Counts by kind, of the kinds that occur in the class's positions.
    pub kinds: Vec<KindScore>,
}

impl StudentRow {
    pub fn finished(&self) -> usize {
        self.cells.iter().flatten().count()
    }
}

/// A move with the number of lists on which it is missing, or on which it is although it is illegal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedMove {
    pub mv: MoveText,
    /// In SAN if it is legal.
    pub name: String,
    pub lists: usize,
    pub why: String,
}

#[derive(Clone, Debug)]
pub struct PositionRow {
    /// Its number, from 1.
    pub number: usize,
    pub position: Position,
    pub legal: u32,
    pub lists: usize,
    /// Moves found on all lists together.
    pub found: u32,
    /// Illegal moves on all lists together.
    pub wrong: u32,
    /// The moves that most lists miss, at most five.
    pub missed: Vec<CountedMove>,
    /// The illegal moves on most lists, at most five.
    pub illegal: Vec<CountedMove>,
}

impl PositionRow {
    /// The share of the legal moves that was found, in percent; none without lists or moves.
    pub fn percent(&self) -> Option<u32> {
        let all = u64::try_from(self.lists).ok()? * u64::from(self.legal);
        let percent = (u64::from(self.found) * 100).checked_div(all)?;
        u32::try_from(percent).ok()
    }

    /// Errors of a list on average, in thousandths: what makes one position harder than another.
    fn errors(&self) -> u64 {
        let lists = u64::try_from(self.lists).unwrap_or(u64::MAX);
        let missed = (lists * u64::from(self.legal)).saturating_sub(u64::from(self.found));
        let errors = missed + u64::from(self.wrong);
        (errors * 1000).checked_div(lists).unwrap_or(0)
    }
}

#[derive(Clone, Debug)]
pub struct ClassTable {
    /// In the order in which they came.
    pub students: Vec<StudentRow>,
    /// In the order of the set.
    pub positions: Vec<PositionRow>,
    /// Counts of all lists by kind, of the kinds that occur.
    pub kinds: Vec<KindScore>,
}

impl ClassTable {
    /// The positions with errors, those with the most errors a list first, at most `most`.
    pub fn hardest(&self, most: usize) -> Vec<&PositionRow> {
        let with_errors = self.positions.iter().filter(|row| row.errors() > 0);
        let mut hardest: Vec<&PositionRow> = with_errors.collect();
        hardest.sort_by_key(|row| std::cmp::Reverse(row.errors()));
        hardest.truncate(most);
        hardest
    }
}

type Kinds = BTreeMap<MoveKind, KindScore>;

fn none(kind: MoveKind) -> KindScore {
    KindScore {
        kind,
        legal: 0,
        found: 0,
        wrong: 0,
    }
}

/// Scores all lists. Lists of positions that the set does not have are ignored.
pub fn table(positions: &[Answer], students: &[ClassStudent]) -> ClassTable {
    let occurring: BTreeSet<MoveKind> = positions
        .iter()
        .flat_map(|one| one.legal.values().copied())
        .collect();
    let empty: Kinds = occurring.iter().map(|&kind| (kind, none(kind))).collect();
    let mut all = empty.clone();
    let mut tallies = vec![ClassTally::default(); positions.len()];
    let mut rows = Vec::with_capacity(students.len());
    for student in students {
        let mut kinds = empty.clone();
        let mut cells = vec![None; positions.len()];
        let mut sum = Cell::default();
        for answer in &student.answers {
            let Some(position) = positions.get(answer.position) else {
                continue;
            };
            let cell = cell(position, answer, &mut kinds);
            tallies[answer.position].add(&cell);
            sum.legal += cell.legal;
            sum.found += cell.found;
            sum.wrong += cell.wrong;
            sum.took_ms = sum.took_ms.saturating_add(cell.took_ms);
            sum.late |= cell.late;
            cells[answer.position] = Some(cell);
        }
        for (kind, one) in &kinds {
            add(all.entry(*kind).or_insert(none(*kind)), one);
        }
        // An illegal move may be of a kind that no legal one has; a column of it would be empty for others.
        kinds.retain(|kind, _| occurring.contains(kind));
        rows.push(StudentRow {
            name: student.name.clone(),
            cells,
            sum,
            kinds: kinds.into_values().collect(),
        });
    }
    let positions = (1..).zip(positions).zip(tallies);
    ClassTable {
        students: rows,
        positions: positions
            .map(|((number, position), tally)| tally.into_row(number, position))
            .collect(),
        kinds: all.into_values().collect(),
    }
}

fn cell(position: &Answer, answer: &ClassAnswer, kinds: &mut Kinds) -> Cell {
    let compared = position.compare(&answer.moves);
    for one in compared.kinds() {
        add(kinds.entry(one.kind).or_insert(none(one.kind)), &one);
    }
    let sorted = |moves: Vec<(MoveText, MoveKind)>| -> Vec<MoveText> {
        let mut moves: Vec<_> = moves.into_iter().map(|(mv, _)| mv).collect();
        moves.sort();
        moves
    };
    Cell {
        took_ms: answer.took_ms,
        late: answer.late,
        legal: count(position.legal.len()),
        found: count(compared.found.len()),
        wrong: count(compared.wrong.len()),
        missed: sorted(compared.missed),
        illegal: sorted(compared.wrong),
    }
}

fn add(sum: &mut KindScore, one: &KindScore) {
    sum.legal += one.legal;
    sum.found += one.found;
    sum.wrong += one.wrong;
}

#[derive(Clone, Debug, Default)]
struct ClassTally {
    lists: usize,
    found: u32,
    wrong: u32,
    missed: BTreeMap<MoveText, usize>,
    illegal: BTreeMap<MoveText, usize>,
}

const MOST_SHOWN: usize = 5;

impl ClassTally {
    fn add(&mut self, cell: &Cell) {
        self.lists += 1;
        self.found += cell.found;
        self.wrong += cell.wrong;
        for text in &cell.missed {
            *self.missed.entry(text.clone()).or_default() += 1;
        }
        for text in &cell.illegal {
            *self.illegal.entry(text.clone()).or_default() += 1;
        }
    }

    fn into_row(self, number: usize, position: &Answer) -> PositionRow {
        let most = |counts: BTreeMap<MoveText, usize>, name: &dyn Fn(&MoveText) -> String| {
            let mut counts: Vec<(MoveText, usize)> = counts.into_iter().collect();
            // The sort is stable: moves on as many lists stay in the order of their texts.
            counts.sort_by_key(|(_, lists)| std::cmp::Reverse(*lists));
            counts.truncate(MOST_SHOWN);
            let counted = counts.into_iter().map(|(mv, lists)| CountedMove {
                name: name(&mv),
                why: reason(&position.position, &mv),
                lists,
                mv,
            });
            counted.collect::<Vec<_>>()
        };
        PositionRow {
            number,
            position: position.position,
            legal: count(position.legal.len()),
            lists: self.lists,
            found: self.found,
            wrong: self.wrong,
            missed: most(self.missed, &|mv| san_of(&position.position, mv)),
            // SAN exists for legal moves only.
            illegal: most(self.illegal, &|mv| {
                let (from, to, _) = mv.parts();
                format!("{from}–{to}")
            }),
        }
    }
}

/// The sentence of `why` without the move at its head.
fn reason(position: &Position, mv: &MoveText) -> String {
    let why = why(position, mv);
    why.split_once(": ")
        .map_or_else(|| why.clone(), |(_, reason)| reason.to_owned())
}

/// One row for each student and position, with a header line. What a spreadsheet would take for a formula begins with an
/// apostrophe.
pub fn write_csv(table: &ClassTable) -> String {
    let head =
        "student,position,fen,legal,found,missed,illegal,seconds,late,missed moves,illegal moves";
    let texts = |moves: &[MoveText]| {
        let texts = moves.iter().map(MoveText::as_str);
        texts.collect::<Vec<_>>().join(" ")
    };
    let cells = table.students.iter().flat_map(|student| {
        let cells = table.positions.iter().zip(&student.cells);
        cells.map(move |(row, cell)| (student, row, cell))
    });
    let rows = cells.map(|(student, row, cell)| {
        // Only names are free text: moves and FENs begin with a letter or a digit.
        let (name, number) = (harmless(&student.name), row.number.to_string());
        let (fen, legal) = (fen::write(&row.position), row.legal.to_string());
        let of_cell = cell.as_ref().map(|cell| {
            [
                cell.found.to_string(),
                (cell.legal - cell.found).to_string(),
                cell.wrong.to_string(),
                (cell.took_ms / 1000).to_string(),
                if cell.late { "yes" } else { "no" }.to_owned(),
                texts(&cell.missed),
                texts(&cell.illegal),
            ]
        });
        let [found, missed, wrong, seconds, late, of_missed, of_illegal] =
            of_cell.unwrap_or_default();
        [
            name, number, fen, legal, found, missed, wrong, seconds, late, of_missed, of_illegal,
        ]
    });
    csv(head, rows)
}

fn harmless(name: &str) -> String {
    // Spreadsheets evaluate such fields as formulas (CWE-1236).
    if name.starts_with(['=', '+', '-', '@']) {
        format!("'{name}")
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(position: usize, moves: &str) -> ClassAnswer {
        ClassAnswer {
            position,
            moves: moves
                .split_whitespace()
                .map(|text| text.parse().expect("a move"))
                .collect(),
            took_ms: 61_500,
            late: false,
        }
    }

    /// A king and a pawn with six moves; castling on one side with 15.
    fn class() -> Vec<Answer> {
        [
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        ]
        .map(|text| Answer::by_rules(fen::parse(text).expect("a position")))
        .into()
    }

    fn student(name: &str, answers: Vec<ClassAnswer>) -> ClassStudent {
        ClassStudent {
            name: name.to_owned(),
            answers,
        }
    }

    #[test]
    fn a_class_is_summed_up() {
        let students = [
            student(
                "ada",
                vec![
                    answer(0, "e2e3 e2e4 e1d1 e1f1 e1d2 e1f2"),
                    answer(1, "e1g1 e1c1"),
                ],
            ),
            student("ben", vec![answer(0, "e2e3 e2e4 e2e5")]),
            student("cy", vec![answer(9, "e2e3")]),
        ];
        let table = table(&class(), &students);
        let cell =
            |student: usize, position: usize| table.students[student].cells[position].as_ref();
        let counts = |cell: Option<&Cell>| cell.map(|cell| (cell.found, cell.legal, cell.wrong));
        assert_eq!(counts(cell(0, 0)), Some((6, 6, 0)));
        // Castling by the king's two squares is found, on the other side it is illegal.
        assert_eq!(counts(cell(0, 1)), Some((1, 15, 1)));
        assert_eq!(counts(cell(1, 0)), Some((2, 6, 1)));
        assert_eq!(counts(cell(1, 1)), None);
        let sum = &table.students[0].sum;
        assert_eq!(
            (sum.found, sum.legal, sum.wrong, sum.took_ms),
            (7, 21, 1, 123_000)
        );
        assert_eq!(
            (table.students[0].finished(), table.students[2].finished()),
            (2, 0)
        );
        let kinds = table
            .kinds
            .iter()
            .map(|k| (k.kind, k.legal, k.found, k.wrong));
        assert_eq!(
            kinds.collect::<Vec<_>>(),
            [
                (MoveKind::Ordinary, 13, 4, 1),
                (MoveKind::King, 13, 4, 0),
                (MoveKind::Castling, 1, 1, 1)
            ]
        );
        let hardest = table.hardest(5);
        assert_eq!(
            hardest.iter().map(|row| row.number).collect::<Vec<_>>(),
            [2, 1]
        );
        assert_eq!((hardest[1].percent(), hardest[1].lists), (Some(66), 2));
        let missed = &hardest[1].missed[0];
        assert_eq!((missed.name.as_str(), missed.lists), ("Kd1", 1));
        let illegal = &hardest[1].illegal[0];
        assert_eq!((illegal.name.as_str(), illegal.lists), ("e2–e5", 1));
        assert!(
            !illegal.why.is_empty() && !illegal.why.contains("is illegal"),
            "{}",
            illegal.why
        );
    }

    #[test]
    fn a_name_is_no_formula() {
        let shown = ["=1+1", "+x", "-x", "@x", "ada"].map(harmless);
        assert_eq!(shown, ["'=1+1", "'+x", "'-x", "'@x", "ada"]);
    }

    #[test]
    fn a_class_without_students_is_empty() {
        let table = table(&class(), &[]);
        assert!(table.hardest(5).is_empty());
        assert_eq!(table.positions[0].percent(), None);
        assert_eq!(write_csv(&table).lines().count(), 1);
    }

    #[test]
    fn csv_has_a_row_for_each_list_and_no_formulas() {
        let students = [student("=1+1, \"x\"", vec![answer(0, "e2e6 e2e3 e2e5")])];
        let text = write_csv(&table(&class(), &students));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1],
            "\"'=1+1, \"\"x\"\"\",1,4k3/8/8/8/8/8/4P3/4K3 w - - 0 1,6,1,5,2,61,no,e1d1 e1d2 e1f1 e1f2 e2e4,e2e5 e2e6"
        );
        assert_eq!(
            lines[2],
            "\"'=1+1, \"\"x\"\"\",2,4k3/8/8/8/8/8/8/4K2R w K - 0 1,15,,,,,,,"
        );
        assert_eq!(lines.len(), 3);
    }
}
