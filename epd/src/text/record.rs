//! One EPD record: a position and operations on it.

use std::fmt;

use chess::notation::fen::{self, FenStyle};
use chess::rules::Position;

use super::diagnostic::{Diagnostic, RecordProblem};
use super::operation::{Operand, Operation, OperationError};
use super::scan::{characters, is_opcode_like, join, scan};

/// A perft count for a depth that the record already counts; returns the operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("depth {depth} is counted already, cannot add '{operation}'")]
pub struct RepeatedDepthError {
    /// In plies.
    pub depth: u32,
    /// The operation that was not added.
    pub operation: Operation,
}

/// One EPD record.
///
/// It keeps its source text and writes it back unchanged, including blanks. `str::parse` accepts
/// the standard form only; [`Record::parse_lenient`] accepts records as found in the wild.
///
/// ```
/// use epd::Record;
///
/// let record: Record = "4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+; id \"first\";".parse()?;
/// assert_eq!(record.id(), Some("first"));
/// assert_eq!(record.operation("bm").unwrap().operands()[0].as_str(), "Rh8+");
/// # Ok::<(), epd::ParseRecordError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    text: String,
    position: Position,
    operations: Vec<Operation>,
}

impl Record {
    /// Creates a record without operations. Only the four fields of EPD are written: the clocks of
    /// `position` are not part of the text, and read back as 0 and 1.
    pub fn new(position: Position) -> Self {
        let text = fen::write_epd(&position, FenStyle::default());
        Self::from_parts(text, position, Vec::new())
    }

    /// Creates a record of a perft suite: the position with its clocks, as `hmvc` and `fmvn` where they are
    /// not the usual ones, id, tags, and the leaf nodes of the depths from 1 on. It is in the standard form:
    /// the opcodes are in ASCII order.
    ///
    /// # Errors
    ///
    /// When the id or a tag cannot be written.
    ///
    /// # Examples
    ///
    /// ```
    /// use chess::rules::Position;
    /// use epd::Record;
    ///
    /// let record = Record::of_suite(Position::startpos(), Some("start"), &["opening"], &[20, 400])?;
    /// assert_eq!(
    ///     record.to_string(),
    ///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - \
    ///      D1 20; D2 400; id \"start\"; tag opening;"
    /// );
    /// # Ok::<(), epd::OperationError>(())
    /// ```
    pub fn of_suite(
        position: Position,
        id: Option<&str>,
        tags: &[&str],
        counts: &[u64],
    ) -> Result<Self, OperationError> {
        let mut operations = Vec::new();
        let mut push = |opcode: &str, operands| -> Result<(), OperationError> {
            operations.push(Operation::new(opcode, operands)?);
            Ok(())
        };
        let word = |word: &str| Operand::Word(word.to_owned());
        for (opcode, value, usual) in [
            ("hmvc", position.halfmove_clock(), 0),
            ("fmvn", position.fullmove_number(), 1),
        ] {
            if value != usual {
                push(opcode, vec![word(&value.to_string())])?;
            }
        }
        if let Some(id) = id {
            push("id", vec![Operand::Text(id.to_owned())])?;
        }
        if !tags.is_empty() {
            push("tag", tags.iter().copied().map(word).collect())?;
        }
        for (depth, nodes) in (1..).zip(counts) {
            push(&format!("D{depth}"), vec![word(&nodes.to_string())])?;
        }
        let mut record = Self::new(position);
        let set = record.set_sorted(operations);
        set.expect("each depth comes once");
        Ok(record)
    }

    /// Assembles a record from the parts of `text`.
    pub(super) fn from_parts(text: String, position: Position, operations: Vec<Operation>) -> Self {
        Self {
            text,
            position,
            operations,
        }
    }

    /// The text of the record, as [`Display`](fmt::Display) writes it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of the record, for one that is not needed any more.
    #[cfg(feature = "cli")]
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    /// Appends an operation in the standard form. The text before it is unchanged, except for white
    /// space at the end of the line and a missing semicolon.
    ///
    /// # Errors
    ///
    /// When the operation counts a depth that is already counted; the record is unchanged.
    ///
    /// # Examples
    ///
    /// ```
    /// use chess::rules::Position;
    /// use epd::{Operand, Operation, Record};
    ///
    /// let mut record = Record::new(Position::startpos());
    /// record.push(Operation::new("D1", vec![Operand::Word("20".to_owned())])?)?;
    /// assert_eq!(
    ///     record.to_string(),
    ///     "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D1 20;"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, operation: Operation) -> Result<(), RepeatedDepthError> {
        if let Some((depth, _)) = operation.perft_count()
            && self
                .perft_counts()
                .iter()
                .any(|&(counted, _)| counted == depth)
        {
            return Err(RepeatedDepthError { depth, operation });
        }
        // The operation would else be two blanks away, and a semicolon would follow a blank.
        let end = self.text.trim_end_matches([' ', '\t']).len();
        self.text.truncate(end);
        // Some files leave out the last semicolon; the new operation would be read as operands of
        // the old one.
        if !self.operations.is_empty() && !self.text.ends_with(';') {
            self.text.push(';');
        }
        self.text.push(' ');
        self.text.push_str(&operation.to_string());
        if matches!(operation.opcode(), "hmvc" | "fmvn")
            // The clocks are part of the position, and reading decides what they are beside the
            // fields of a FEN.
            && let Ok(read) = Self::parse_lenient(&self.text)
        {
            self.position = read.record.position;
        }
        self.operations.push(operation);
        Ok(())
    }

    /// Replaces all operations, written in the standard form; the text of the position is
    /// unchanged.
    ///
    /// # Errors
    ///
    /// When two operations count the same depth; the record is unchanged.
    pub fn set_operations(&mut self, operations: Vec<Operation>) -> Result<(), RepeatedDepthError> {
        let fields = join(&scan(&self.text).fields);
        // A new record, so that this one is unchanged after an error.
        let mut record = Self::from_parts(fields, self.position, Vec::new());
        for operation in operations {
            record.push(operation)?;
        }
        *self = record;
        Ok(())
    }

    /// Replaces all operations as [`Self::set_operations`] does, in the ASCII order of the standard form.
    pub(crate) fn set_sorted(
        &mut self,
        mut operations: Vec<Operation>,
    ) -> Result<(), RepeatedDepthError> {
        // The sort is stable: of several operations with one opcode, the first is still the one
        // that is read.
        operations.sort_by(|a, b| a.opcode().cmp(b.opcode()));
        self.set_operations(operations)
    }

    /// The position. Its clocks are those of the line if it has all six fields of a FEN, else those
    /// of `hmvc` and `fmvn`, else 0 and 1.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The operations, in the order written.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The first operation with this opcode.
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations_of(opcode).next()
    }

    /// The operations with this opcode: contrary to the standard, a record may have several.
    pub(crate) fn operations_of(&self, opcode: &str) -> impl Iterator<Item = &Operation> {
        let operations = self.operations.iter();
        operations.filter(move |operation| operation.opcode() == opcode)
    }

    /// The operand of `id`, if there is exactly one.
    pub fn id(&self) -> Option<&str> {
        self.only_operand("id")
    }

    /// The operand of `source`, Touchstone's own opcode, if there is exactly one: where the position
    /// comes from, such as the tracker of an engine that it broke.
    pub fn source(&self) -> Option<&str> {
        self.only_operand("source")
    }

    fn only_operand(&self, opcode: &str) -> Option<&str> {
        match self.operation(opcode)?.operands() {
            [operand] => Some(operand.as_str()),
            _ => None,
        }
    }

    /// The operands of `tag`, Touchstone's own opcode: words that describe what a position is
    /// about.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        let tags = self.operations_of("tag").flat_map(Operation::operands);
        tags.map(Operand::as_str)
    }

    /// The depths and counts of the `D` opcodes, in the order written. No depth appears twice.
    pub fn perft_counts(&self) -> Vec<(u32, u64)> {
        let operations = self.operations.iter();
        operations.filter_map(Operation::perft_count).collect()
    }

    /// Checks every operand against its opcode and returns a warning for each operation that does
    /// not fit. Reading a record skips this check, since moves in real files are often not in
    /// standard form. `line` is for the diagnostics.
    pub fn check_operands(&self, line: usize) -> Vec<Diagnostic> {
        let raw = scan(&self.text).operations.into_iter();
        // The reader ignored the others, so they have no operation to be paired with.
        let raw = raw.filter(|tokens| is_opcode_like(&tokens[0]));
        let mut diagnostics = Vec::new();
        let (mut reached, mut column) = (0, 1);
        for (operation, tokens) in self.operations.iter().zip(raw) {
            let Err(error) = operation.value(&self.position) else {
                continue;
            };
            // Token 0 is the opcode.
            let token = error.operand.map_or(0, |index| index + 1);
            let offset = tokens.get(token).map_or(0, |token| token.offset);
            column += characters(&self.text.as_bytes()[reached..offset.max(reached)]);
            reached = offset.max(reached);
            diagnostics.push(Diagnostic::new(line, column, RecordProblem::Operand(error)));
        }
        diagnostics
    }
}

/// Writes the original text, or the standard form of a record that was created.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
