//! Labels that workers gave to tasks, by name and by index; reading and writing them as CSV.
//!
//! Independent of chess, and of how labels are aggregated (see `aggregate`).

use std::collections::{BTreeMap, HashMap};

/// Interned strings, numbered from 0 in order of first occurrence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InternedNames {
    texts: Vec<String>,
    indices: HashMap<String, usize>,
}

impl InternedNames {
    /// The index of a text; a new one is added.
    pub fn intern(&mut self, text: &str) -> usize {
        if let Some(&index) = self.indices.get(text) {
            return index;
        }
        let index = self.texts.len();
        self.texts.push(text.to_owned());
        self.indices.insert(text.to_owned(), index);
        index
    }

    /// The index of a text, if it has one.
    pub fn find(&self, text: &str) -> Option<usize> {
        self.indices.get(text).copied()
    }

    /// All texts, by index.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The indices in the byte order of the texts.
    pub fn sorted(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|&one, &other| self.texts[one].cmp(&self.texts[other]));
        order
    }
}

/// A label that a worker gave to a task; all three as indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// Index of the task.
    pub task: usize,
    /// Index of the worker.
    pub worker: usize,
    /// Index of the label.
    pub label: usize,
}

/// A worker gave a task two different labels.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("worker '{worker}' labelled task '{task}' '{first}' before, and now '{second}'")]
pub struct ConflictError {
    /// The task.
    pub task: String,
    /// The worker.
    pub worker: String,
    /// The label that is kept.
    pub first: String,
    /// The label that is rejected.
    pub second: String,
}

/// Labels given to tasks: at most one per worker and task.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    tasks: InternedNames,
    workers: InternedNames,
    names: InternedNames,
    given: Vec<Given>,
    /// The label by task and worker.
    seen: HashMap<(usize, usize), usize>,
}

impl Labels {
    /// Adds a label; repeating one has no effect.
    ///
    /// # Errors
    ///
    /// When the worker gave the task a different label before, which is kept.
    pub fn push(&mut self, task: &str, worker: &str, label: &str) -> Result<(), ConflictError> {
        let given = Given {
            task: self.tasks.intern(task),
            worker: self.workers.intern(worker),
            label: self.names.intern(label),
        };
        match self.seen.get(&(given.task, given.worker)) {
            None => {
                self.seen.insert((given.task, given.worker), given.label);
                self.given.push(given);
                Ok(())
            }
            Some(&first) if first == given.label => Ok(()),
            Some(&first) => Err(ConflictError {
                task: task.to_owned(),
                worker: worker.to_owned(),
                first: self.names.texts()[first].clone(),
                second: label.to_owned(),
            }),
        }
    }

    /// Adds a label to the choices, whether or not anyone has given it.
    pub fn allow(&mut self, label: &str) -> usize {
        self.names.intern(label)
    }

    /// The tasks, in order of first occurrence.
    pub fn tasks(&self) -> &InternedNames {
        &self.tasks
    }

    /// The workers, in order of first occurrence.
    pub fn workers(&self) -> &InternedNames {
        &self.workers
    }

    /// The distinct labels, in order of first occurrence.
    pub fn names(&self) -> &InternedNames {
        &self.names
    }

    /// All labels given, in the order in which they were added.
    pub fn given(&self) -> &[Given] {
        &self.given
    }
}

/// Why a file of labels cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct ReadLabelsError {
    /// Line on which the faulty row begins, or on which a quote opens that is never closed; from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: String,
}

/// Reads labels: the columns `task`, `worker` and `label` in any order; other columns are ignored.
///
/// The first row is the header. Fields are taken verbatim, including blanks; none may be empty.
/// Repeated rows are harmless.
///
/// # Errors
///
/// At the first row that cannot be read, or that gives a worker's task a different label than
/// before.
pub fn read_labels(bytes: &[u8]) -> Result<Labels, ReadLabelsError> {
    let mut labels = Labels::default();
    each_row(bytes, ["task", "worker", "label"], |row, fields| {
        let [task, worker, label] = fields;
        let pushed = labels.push(task, worker, label);
        pushed.map_err(|conflict| row.error(conflict.to_string()))
    })?;
    Ok(labels)
}

/// Reads known answers by task: the columns `task` and `label` in any order; other columns are
/// ignored.
///
/// # Errors
///
/// At the first row that cannot be read, or that gives a task a different answer than before.
pub fn read_gold(bytes: &[u8]) -> Result<BTreeMap<String, String>, ReadLabelsError> {
    let mut gold: BTreeMap<String, String> = BTreeMap::new();
    each_row(bytes, ["task", "label"], |row, [task, label]| {
        match gold.get(task) {
            Some(first) if first != label => Err(row.error(format!(
                "task '{task}' was '{first}' before, and now is '{label}'"
            ))),
            _ => {
                gold.insert(task.to_owned(), label.to_owned());
                Ok(())
            }
        }
    })?;
    Ok(gold)
}

/// The position of a row in the file.
struct Here<'a> {
    bytes: &'a [u8],
    /// Byte offset before the row, or before empty lines preceding it.
    byte: usize,
}

impl<'a> Here<'a> {
    fn new(bytes: &'a [u8], position: Option<&csv::Position>) -> Self {
        let byte = position.map_or(0, csv::Position::byte);
        let byte = usize::try_from(byte).unwrap_or(usize::MAX);
        Self {
            bytes,
            byte: byte.min(bytes.len()),
        }
    }

    /// An error in this row, whose line is counted only now.
    fn error(&self, fault: String) -> ReadLabelsError {
        let rest = &self.bytes[self.byte..];
        let breaks = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        // Lines are counted here alone, as only errors show them.
        let before = &self.bytes[..self.byte + breaks.count()];
        let line = before.split(|&byte| byte == b'\n').count();
        ReadLabelsError { line, fault }
    }
}

/// Calls `take` with the position and the wanted fields of each row.
fn each_row<const N: usize>(
    bytes: &[u8],
    columns: [&'static str; N],
    mut take: impl FnMut(Here, [&str; N]) -> Result<(), ReadLabelsError>,
) -> Result<(), ReadLabelsError> {
    // Spreadsheets begin a CSV file in UTF-8 with a byte order mark.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if let Some(line) = open_quote(bytes) {
        let fault = "the quote that opens here is never closed".to_owned();
        return Err(ReadLabelsError { line, fault });
    }
    let mut reader = csv::Reader::from_reader(bytes);
    let header = reader.headers().map_err(|error| of_csv(&error, bytes))?;
    let places = places(header, columns)?;
    for row in reader.records() {
        let row = row.map_err(|error| of_csv(&error, bytes))?;
        let here = Here::new(bytes, row.position());
        // Rows of other lengths than the header's have failed above.
        let fields = places.map(|place| row.get(place).unwrap_or_default());
        if let Some(index) = fields.iter().position(|field| field.is_empty()) {
            return Err(here.error(format!("the field '{}' is empty", columns[index])));
        }
        take(here, fields)?;
    }
    Ok(())
}

/// The state of the scanner in a row.
enum At {
    Start,
    Plain,
    Quoted,
    Closed,
}

/// The line of an unclosed quote: the CSV reader would take everything after it for one field.
fn open_quote(bytes: &[u8]) -> Option<usize> {
    let mut at = At::Start;
    let mut opened = 0;
    for (place, &byte) in bytes.iter().enumerate() {
        at = match (at, byte) {
            (At::Quoted, b'"') => At::Closed,
            // Inside quotes, two quotes stand for one (RFC 4180, section 2, rule 7).
            (At::Quoted, _) | (At::Closed, b'"') => At::Quoted,
            // A quote elsewhere than at the beginning of a field opens nothing.
            (At::Start, b'"') => {
                opened = place;
                At::Quoted
            }
            (_, b',' | b'\r' | b'\n') => At::Start,
            _ => At::Plain,
        };
    }
    let before = bytes[..opened].split(|&byte| byte == b'\n');
    matches!(at, At::Quoted).then(|| before.count())
}

fn places<const N: usize>(
    header: &csv::StringRecord,
    columns: [&'static str; N],
) -> Result<[usize; N], ReadLabelsError> {
    let error = |fault: String| ReadLabelsError { line: 1, fault };
    let mut places = [0; N];
    for (place, column) in places.iter_mut().zip(columns) {
        let mut found = (0..header.len()).filter(|&index| &header[index] == column);
        let missing = || error(format!("there is no column '{column}' in the header"));
        *place = found.next().ok_or_else(missing)?;
        if found.next().is_some() {
            let fault = format!("the column '{column}' is there more than once");
            return Err(error(fault));
        }
    }
    Ok(places)
}

fn of_csv(error: &csv::Error, bytes: &[u8]) -> ReadLabelsError {
    let here = Here::new(bytes, error.position());
    here.error(match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} fields, the header has {expected_len}"),
        csv::ErrorKind::Utf8 { .. } => "not UTF-8".to_owned(),
        _ => format!("not CSV: {error}"),
    })
}

/// Writes the columns `task`, `label` and `probability`: one row per task and label, tasks in order
/// of first occurrence, labels in byte order.
///
/// Numbers have as many digits as needed to read back the same `f64`. `probability` receives the
/// indices of task and label.
pub fn write_probabilities(labels: &Labels, probability: impl Fn(usize, usize) -> f64) -> Vec<u8> {
    let order = labels.names().sorted();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut row = |fields: [&str; 3]| {
        writer
            .write_record(fields)
            .expect("memory takes rows of three fields");
    };
    row(["task", "label", "probability"]);
    for (task, name) in labels.tasks().texts().iter().enumerate() {
        for &label in &order {
            // `Debug` writes as few digits as read back the same number, and always a point or an
            // exponent.
            let number = format!("{:?}", probability(task, label));
            row([name, &labels.names().texts()[label], &number]);
        }
    }
    writer.into_inner().expect("memory can be flushed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_first_sight() {
        let mut names = InternedNames::default();
        assert_eq!(["b", "a", "b"].map(|text| names.intern(text)), [0, 1, 0]);
        assert_eq!(names.sorted(), [1, 0]);
        assert_eq!((names.find("a"), names.find("c")), (Some(1), None));
    }

    #[test]
    fn a_label_counts_once_and_another_is_refused() {
        let mut labels = Labels::default();
        assert_eq!(labels.push("t", "w", "yes"), Ok(()));
        assert_eq!(labels.push("t", "w", "yes"), Ok(()));
        let error = labels.push("t", "w", "no").expect_err("a conflict");
        assert_eq!(
            error.to_string(),
            "worker 'w' labelled task 't' 'yes' before, and now 'no'"
        );
        assert_eq!(labels.given().len(), 1);
    }

    fn fail(text: &[u8]) -> String {
        read_labels(text).expect_err("refused").to_string()
    }

    #[test]
    fn columns_come_in_any_order_and_among_others() {
        let text = "\u{feff}label,when,task,worker\r\nyes,1,\"a, b\",w\r\n\r\nno,2,c,w\n";
        let labels = read_labels(text.as_bytes()).expect("good");
        assert_eq!(labels.tasks().texts(), ["a, b", "c"]);
        assert_eq!(labels.names().texts(), ["yes", "no"]);
        assert_eq!(labels.workers().texts(), ["w"]);
    }

    #[test]
    fn what_is_wrong_has_a_line() {
        let rows: [(&[u8], &str); 10] = [
            (b"", "line 1: there is no column 'task' in the header"),
            (
                b"task,worker\n",
                "line 1: there is no column 'label' in the header",
            ),
            (
                b"task,worker,label,task\n",
                "line 1: the column 'task' is there more than once",
            ),
            (
                b"task,worker,label\na,b,c\na,b\n",
                "line 3: 2 fields, the header has 3",
            ),
            (
                b"task,worker,label\n\na,,c\n",
                "line 3: the field 'worker' is empty",
            ),
            (
                b"\xef\xbb\xbftask,worker,label\r\na,b,c\r\n\r\na,b\r\n",
                "line 4: 2 fields, the header has 3",
            ),
            (
                b"task,worker,label\n\"a\n\",b,c\n\n\na,,c",
                "line 6: the field 'worker' is empty",
            ),
            (b"task,worker,label\na,b,\xff\n", "line 2: not UTF-8"),
            (b"task,\xff,label\n", "line 1: not UTF-8"),
            (
                b"task,worker,label\na,b,c\na,b,c\na,b,d\n",
                "line 4: worker 'b' labelled task 'a' 'c' before, and now 'd'",
            ),
        ];
        for (text, expected) in rows {
            assert_eq!(fail(text), expected);
        }
    }

    #[test]
    fn a_quote_that_is_never_closed_is_an_error() {
        for (text, line) in [
            ("task,worker,label\na,w,\"yes\n", 2),
            ("task,worker,label\na,w,\"yes", 2),
            (
                "task,worker,label\n\"a\nb\",w,yes\nc,w,\"yes\"\"\nd,w,no\n",
                4,
            ),
            ("task,worker,label\na,w,\"", 2),
            ("\"task,worker,label\na,w,yes\n", 1),
        ] {
            let expected = format!("line {line}: the quote that opens here is never closed");
            assert_eq!(fail(text.as_bytes()), expected, "{text}");
        }
        let text =
            "task,worker,label\n\"a\"\"\",w,y\"es\n\"b\",\"\"\"w\",\"y\n\"\r\n\"c\"c,w,\"yes\"";
        let labels = read_labels(text.as_bytes()).expect("good");
        assert_eq!(labels.tasks().texts(), ["a\"", "b", "cc"]);
    }

    #[test]
    fn gold_is_one_answer_for_each_task() {
        let gold = read_gold(b"label,task\nyes,a\nyes,a\nno,b\n").expect("good");
        assert_eq!(gold.len(), 2);
        let error = read_gold(b"task,label\na,yes\na,no\n").expect_err("a conflict");
        assert_eq!(
            error.to_string(),
            "line 3: task 'a' was 'yes' before, and now is 'no'"
        );
    }

    #[test]
    fn rows_are_in_order_and_numbers_read_back() {
        let mut labels = Labels::default();
        for (task, label) in [("z", "no"), ("a,\"b\"", "a")] {
            labels.push(task, "w", label).expect("no conflict");
        }
        let numbers = [[0.1 + 0.2, 1e-300], [1.0, 0.0]];
        let text = write_probabilities(&labels, |task, label| numbers[task][label]);
        assert_eq!(
            String::from_utf8(text).expect("text"),
            "task,label,probability\nz,a,1e-300\nz,no,0.30000000000000004\n\
             \"a,\"\"b\"\"\",a,0.0\n\"a,\"\"b\"\"\",no,1.0\n"
        );
    }
}
