//! Append-only files with one JSON value per line, which survive `kill -9` and, once synced, a power cut.
//!
//! One process writes a [`Journal`]; others may read it meanwhile ([`JournalReader`]). Each line is a single
//! write. A last line without its end is torn: it was never recorded, and is cut off when the journal
//! is opened again. Any other damage is an error with file and line, and leaves the file as it is.
//!
//! The first line may be a header, which says what is being done: the work of another header is not
//! continued. It has a field `schema`; its fields `name`, at any depth, are for people and may differ.
//! Journals with the header `()` have none; a file beside them says it.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Maximum length of a line in bytes: some 200 times the record of a game of 1,000 moves.
const MAX_LINE: u64 = 64 << 20;

/// When lines are forced to the disk. They survive the end of the process at once, a power cut only then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncPolicy {
    /// With each line, for lines that took minutes of work.
    EveryLine,
    /// At most once a second: with a line that comes a second or more after the last time, by
    /// [`Journal::sync_if_due`], and at the end.
    EverySecond,
}

/// A journal that this process alone writes.
#[derive(Debug)]
pub struct Journal<Header, Line> {
    file: File,
    path: PathBuf,
    policy: SyncPolicy,
    /// When lines were last forced to the disk.
    synced: Instant,
    /// Whether none were written since.
    is_synced: bool,
    torn: u64,
    content: PhantomData<fn(&Header, &Line)>,
}

/// How much of a journal was read, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Length of all complete lines.
    pub whole: u64,
    /// Length of the torn line after them.
    pub torn: u64,
}

/// A line of a journal, shown as `FILE:LINE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalPlace {
    /// The file.
    pub path: PathBuf,
    /// From 1.
    pub line: usize,
}

/// Why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum JournalError {
    #[error("{} is not a regular file, expected a journal or a new name", path.display())]
    NoFile { path: PathBuf },
    #[error("another run is writing to {}", path.display())]
    InUse { path: PathBuf },
    #[error("cannot {action} {}: {error}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        error: io::Error,
    },
    /// A line is damaged, is not what it should be, or the header is of other work.
    #[error("{place}: {reason}")]
    Line { place: JournalPlace, reason: String },
}

impl JournalError {
    /// Whether the user named a wrong file, or changed it; otherwise the machine is at fault.
    #[must_use]
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::NoFile { .. } | Self::Line { .. } => true,
            // As for all files that are checked before the work.
            Self::Io { action, .. } => *action != "write",
            Self::InUse { .. } => false,
        }
    }
}

impl fmt::Display for JournalPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path.display(), self.line)
    }
}

impl JournalPlace {
    /// The error that something is wrong with this line.
    #[must_use]
    pub fn error(&self, reason: impl fmt::Display) -> JournalError {
        JournalError::Line {
            place: self.clone(),
            reason: reason.to_string(),
        }
    }
}

impl<Header, Line> Journal<Header, Line> {
    /// Creates a journal, or empties the one that is there.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or another process has it open.
    pub fn create(path: &Path, header: &Header, policy: SyncPolicy) -> Result<Self, JournalError>
    where
        Header: Serialize,
    {
        let mut journal = Self::lock(path, policy)?;
        journal.begin_after(Extent::default(), header)?;
        Ok(journal)
    }

    /// Opens a journal in order to append to it, or creates it. Each of its lines is first given to
    /// `take`, with its place. A torn line is cut off after that.
    ///
    /// # Errors
    ///
    /// Those of [`replay`], which leave the file unchanged; when it cannot be written, or another
    /// process has it open.
    pub fn open<E: From<JournalError>>(
        path: &Path,
        header: &Header,
        policy: SyncPolicy,
        take: impl FnMut(Line, &JournalPlace) -> Result<(), E>,
    ) -> Result<Self, E>
    where
        Header: Serialize,
        Line: DeserializeOwned,
    {
        let mut journal = Self::lock(path, policy)?;
        let extent = replay(BufReader::new(&journal.file), path, header, take)?;
        journal.begin_after(extent, header)?;
        Ok(journal)
    }

    #[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
    fn lock(path: &Path, policy: SyncPolicy) -> Result<Self, JournalError> {
        let path = path.to_owned();
        // Checked first, because opening a pipe may block forever.
        if path.metadata().is_ok_and(|data| !data.is_file()) {
            return Err(JournalError::NoFile { path });
        }
        let Some(file) = open_exclusively(&path).map_err(failed("open", &path))? else {
            return Err(JournalError::InUse { path });
        };
        Ok(Self {
            file,
            path,
            policy,
            synced: Instant::now(),
            is_synced: true,
            torn: 0,
            content: PhantomData,
        })
    }

    /// Cuts off what follows the complete lines, and writes the header if there are none.
    fn begin_after(&mut self, extent: Extent, header: &Header) -> Result<(), JournalError>
    where
        Header: Serialize,
    {
        self.torn = extent.torn;
        let begun = || {
            let mut file = &self.file;
            file.set_len(extent.whole)?;
            // Reading has moved the file's position.
            file.seek(SeekFrom::End(0))?;
            let header = to_line(header);
            if extent.whole == 0 && header != to_line(&()) {
                file.write_all(header.as_bytes())?;
            }
            file.sync_data()?;
            // The name of a new file must survive a power cut, too.
            if extent.whole == 0 {
                crate::output::sync_folder_of(&self.path)?;
            }
            Ok(())
        };
        begun().map_err(failed("write", &self.path))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Length of the torn line that was cut off when the journal was opened, in bytes.
    pub fn torn(&self) -> u64 {
        self.torn
    }

    /// Appends a line. Once this returns, it survives a kill of the program.
    ///
    /// # Errors
    ///
    /// When it cannot be written: then nothing more may be appended, since the line may be torn.
    pub fn append(&mut self, line: &Line) -> Result<(), JournalError>
    where
        Line: Serialize,
    {
        // `File` is unbuffered: one line is one write.
        let written = self.file.write_all(to_line(line).as_bytes());
        written.map_err(failed("write", &self.path))?;
        self.is_synced = false;
        match self.policy {
            SyncPolicy::EveryLine => self.sync(),
            SyncPolicy::EverySecond => self.sync_if_due(),
        }
    }

    /// Forces lines to the disk if that was last done a second ago or earlier. To be called now and then
    /// where the next line may be long in coming.
    ///
    /// # Errors
    ///
    /// As for [`Self::sync`].
    pub fn sync_if_due(&mut self) -> Result<(), JournalError> {
        if self.synced.elapsed() < Duration::from_secs(1) {
            return Ok(());
        }
        self.sync()
    }

    /// Forces all lines to the disk.
    ///
    /// # Errors
    ///
    /// When they cannot be.
    #[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
    pub fn sync(&mut self) -> Result<(), JournalError> {
        if !self.is_synced {
            self.file.sync_data().map_err(failed("write", &self.path))?;
            (self.synced, self.is_synced) = (Instant::now(), true);
        }
        Ok(())
    }
}

impl<Header, Line> Drop for Journal<Header, Line> {
    fn drop(&mut self) {
        // Who wants to know whether the last second is on disk calls it before.
        let _ = self.sync();
    }
}

/// Reads a journal without a header line by line, whether a process writes it or not. Only one line is
/// held in memory.
#[derive(Debug)]
pub struct JournalReader<Line> {
    /// `None` until the file exists: a run may be killed before its first line.
    lines: Option<CompleteLines<BufReader<File>>>,
    place: JournalPlace,
    line: PhantomData<fn() -> Line>,
}

impl<Line: DeserializeOwned> JournalReader<Line> {
    /// A reader of a journal that may not exist yet.
    pub fn new(path: &Path) -> Self {
        let (path, line) = (path.to_owned(), 0);
        Self {
            lines: None,
            place: JournalPlace { path, line },
            line: PhantomData,
        }
    }

    /// The next line, with its place; `None` if there is none yet. Later calls see lines added since.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or the line is damaged.
    #[expect(clippy::disallowed_methods, reason = "the edge reads journals")]
    pub fn next_line(&mut self) -> Result<Option<(Line, &JournalPlace)>, JournalError> {
        let path = &self.place.path;
        if self.lines.is_none() {
            match File::open(path) {
                Ok(file) => self.lines = Some(CompleteLines::new(BufReader::new(file), path)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(failed("read", path)(error)),
            }
        }
        let Some(lines) = &mut self.lines else {
            return Ok(None);
        };
        if !lines.advance()? {
            // A torn line may be cut off and written anew, so it is read again from its beginning.
            let start = SeekFrom::Start(lines.extent.whole);
            lines.input.seek(start).map_err(failed("read", path))?;
            return Ok(None);
        }
        Ok(Some((lines.parse()?, &lines.place)))
    }
}

/// Reads a whole journal; each line after the header is given to `take`, with its place. `path` is for
/// messages. Pure.
///
/// # Errors
///
/// When a complete line is damaged, the header is of other work, or `take` fails.
pub fn replay<Line: DeserializeOwned, E: From<JournalError>>(
    input: impl BufRead,
    path: &Path,
    header: &impl Serialize,
    mut take: impl FnMut(Line, &JournalPlace) -> Result<(), E>,
) -> Result<Extent, E> {
    let mut lines = CompleteLines::new(input, path);
    let ours = serde_json::to_value(header).expect("numbers and strings can be written");
    if !ours.is_null() {
        if !lines.advance()? {
            // Only a torn copy of our own header may be overwritten.
            if to_line(header).as_bytes().starts_with(&lines.bytes) {
                return Ok(lines.extent);
            }
            lines.place.line = 1;
            return Err(lines.place.error(no_header(&lines.bytes, &ours)).into());
        }
        check_header(&lines.bytes, &ours).map_err(|reason| lines.place.error(reason))?;
    }
    while lines.advance()? {
        take(lines.parse()?, &lines.place)?;
    }
    Ok(lines.extent)
}

/// A value as a line of a journal.
///
/// # Panics
///
/// When it has a map whose keys are no strings.
pub fn to_line(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value);
    text.expect("numbers and strings can be written") + "\n"
}

/// The message of a JSON error without its place, which stands in front of ours.
pub fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

/// The complete lines of an input.
#[derive(Debug)]
struct CompleteLines<Input> {
    input: Input,
    /// The last line.
    bytes: Vec<u8>,
    place: JournalPlace,
    extent: Extent,
}

impl<Input: BufRead> CompleteLines<Input> {
    fn new(input: Input, path: &Path) -> Self {
        let (path, line) = (path.to_owned(), 0);
        Self {
            input,
            bytes: Vec::new(),
            place: JournalPlace { path, line },
            extent: Extent::default(),
        }
    }

    /// Reads the next line; returns false if it has no end yet.
    fn advance(&mut self) -> Result<bool, JournalError> {
        self.bytes.clear();
        let mut line = (&mut self.input).take(MAX_LINE + 1);
        let length = line.read_until(b'\n', &mut self.bytes);
        let length = length.map_err(failed("read", &self.place.path))? as u64;
        if self.bytes.pop_if(|&mut last| last == b'\n').is_none() && length <= MAX_LINE {
            self.extent.torn = length;
            return Ok(false);
        }
        self.place.line += 1;
        if length > MAX_LINE {
            let most = MAX_LINE >> 20;
            let reason = format!("the line has more than {most} MiB, which no line has");
            return Err(self.place.error(reason));
        }
        self.extent.whole += length;
        self.extent.torn = 0;
        Ok(true)
    }

    fn parse<Line: DeserializeOwned>(&self) -> Result<Line, JournalError> {
        serde_json::from_slice(&self.bytes).map_err(|error| {
            let (column, reason) = (error.column(), reason(&error));
            self.place.error(format!("column {column}: {reason}"))
        })
    }
}

/// Compares the first line of a journal with the header that it should have.
fn check_header(line: &[u8], ours: &Value) -> Result<(), String> {
    // What is no JSON has no schema.
    let stored: Value = serde_json::from_slice(line).unwrap_or_default();
    if stored.get("schema").is_none() {
        return Err(no_header(line, ours));
    }
    difference("", &stored, ours).map_or(Ok(()), Err)
}

fn no_header(line: &[u8], ours: &Value) -> String {
    let (line, schema) = (shown(&String::from_utf8_lossy(line)), &ours["schema"]);
    format!("'{line}' is not the header of a journal, expected one of schema {schema}")
}

/// The first field in which two headers differ, and how.
fn difference(field: &str, stored: &Value, now: &Value) -> Option<String> {
    // What is not there is null.
    match (stored, now) {
        (Value::Object(old), Value::Object(new)) => {
            // Another schema explains all other differences. A name is for people, and may change.
            let names = old.keys().chain(new.keys()).map(String::as_str);
            let names = names.filter(|&name| name != "name");
            let dot = if field.is_empty() { "" } else { "." };
            std::iter::once("schema").chain(names).find_map(|name| {
                difference(&format!("{field}{dot}{name}"), &stored[name], &now[name])
            })
        }
        (Value::Array(old), Value::Array(new)) => (0..old.len().max(new.len())).find_map(|index| {
            difference(&format!("{field}[{index}]"), &stored[index], &now[index])
        }),
        _ if stored == now => None,
        _ => {
            let [stored, now] = [stored, now].map(|value| match value {
                Value::Null => "nothing".to_owned(),
                value => shown(&value.to_string()),
            });
            Some(format!("{field} differs: stored {stored}, now {now}"))
        }
    }
}

/// The beginning of a text from a file, on one line.
fn shown(text: &str) -> String {
    const MOST: usize = 100;
    let printable = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut chars = text.trim_end().chars().map(printable);
    let mut shown: String = chars.by_ref().take(MOST).collect();
    if chars.next().is_some() {
        shown.push_str("...");
    }
    shown
}

fn failed(action: &'static str, path: &Path) -> impl Fn(io::Error) -> JournalError + use<> {
    let path = path.to_owned();
    move |error| JournalError::Io {
        action,
        path: path.clone(),
        error,
    }
}

/// Opens a file for reading and writing, creating it if necessary; `None` if another process has opened
/// it so. Others may read it. The system ends this however the process ends.
///
/// On Unix, the file is locked; that it cannot be is no error, since some file systems have no locks.
/// Windows' locks would keep readers away too, so there the file is opened such that only readers may
/// join.
fn open_exclusively(path: &Path) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;
        const FILE_SHARE_READ: u32 = 1;
        const ERROR_SHARING_VIOLATION: i32 = 32;
        match options.share_mode(FILE_SHARE_READ).open(path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => Ok(None),
            Err(error) => Err(error),
        }
    }
    #[cfg(not(windows))]
    {
        let file = options.open(path)?;
        match file.try_lock() {
            Err(std::fs::TryLockError::WouldBlock) => Ok(None),
            Ok(()) | Err(std::fs::TryLockError::Error(_)) => Ok(Some(file)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Serialize)]
    struct Header {
        schema: &'static str,
        name: &'static str,
        depth: u32,
        options: Vec<&'static str>,
    }

    const HEADER: Header = Header {
        schema: "touchstone/test/1",
        name: "a",
        depth: 3,
        options: Vec::new(),
    };

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Line {
        number: u64,
    }

    /// A file in a folder of its own.
    fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("j");
        crate::output::to_file(&path, bytes).expect("written");
        (folder, path)
    }

    fn open<H: Serialize>(
        path: &Path,
        header: &H,
    ) -> Result<(Journal<H, Line>, Vec<u64>), JournalError> {
        let mut numbers = Vec::new();
        let policy = SyncPolicy::EverySecond;
        let journal = Journal::open(path, header, policy, |line: Line, place| {
            if line.number > 1000 {
                return Err(place.error("too large"));
            }
            numbers.push(line.number);
            Ok(())
        });
        Ok((journal?, numbers))
    }

    fn read(path: &Path) -> String {
        crate::read::text(path, 1 << 20).expect("text")
    }

    /// Cuts a journal of some lines at each byte: only a last line is lost, and the rest can be written.
    fn cut_everywhere(header: &impl Serialize, first: &str) {
        let numbers: Vec<u64> = vec![7, 100, 12, 7];
        let lines = numbers.iter().map(|&number| to_line(&Line { number }));
        let whole = first.to_owned() + &lines.collect::<String>();
        for end in 0..=whole.len() {
            let (_folder, path) = file(&whole.as_bytes()[..end]);
            let kept = whole[..end].rfind('\n').map_or(0, |newline| newline + 1);
            let done = whole[..kept]
                .matches('\n')
                .count()
                .saturating_sub(first.lines().count());
            let mut follower = JournalReader::<Line>::new(&path);
            let (mut journal, found) = open(&path, header).expect("it is torn, not damaged");
            assert_eq!(found, numbers[..done], "{end} bytes");
            assert_eq!(journal.torn(), (end - kept) as u64, "{end} bytes");
            for &number in &numbers[done..] {
                journal.append(&Line { number }).expect("written");
            }
            assert_eq!(read(&path), whole, "{end} bytes");
            if first.is_empty() {
                let next = || {
                    follower
                        .next_line()
                        .expect("whole")
                        .map(|(line, _)| line.number)
                };
                assert_eq!(std::iter::from_fn(next).collect::<Vec<_>>(), numbers);
            }
        }
    }

    #[test]
    fn a_journal_cut_off_anywhere_loses_at_most_its_last_line() {
        cut_everywhere(&(), "");
        cut_everywhere(&HEADER, &to_line(&HEADER));
    }

    #[test]
    fn a_reader_reads_a_torn_line_again_once_it_is_written_anew() {
        let (_folder, path) = file(b"{\"number\":1}\n{\"number\":2");
        let mut reader = JournalReader::<Line>::new(&path);
        let mut next = || {
            reader
                .next_line()
                .expect("whole")
                .map(|(line, place)| (line.number, place.line))
        };
        assert_eq!((next(), next()), (Some((1, 1)), None));
        let (mut journal, _) = open(&path, &()).expect("good");
        journal.append(&Line { number: 5 }).expect("written");
        assert_eq!((next(), next()), (Some((5, 2)), None));
        let missing = path.with_extension("none");
        assert!(
            JournalReader::<Line>::new(&missing)
                .next_line()
                .expect("none yet")
                .is_none()
        );
    }

    #[test]
    fn damage_and_other_work_are_errors_that_leave_the_file_alone() {
        let header = to_line(&HEADER);
        let other = |from: &str, to: &str| header.replace(from, to) + "{\"number\":1}\n";
        let no_header =
            "is not the header of a journal, expected one of schema \"touchstone/test/1\"";
        for (bytes, expected) in [
            (
                header.clone() + "{\"num\n{\"number\":1}\n",
                "2: column 5: EOF while parsing a string",
            ),
            (
                header.clone() + "{\"number\":1}\n\n",
                "3: column 0: EOF while parsing a value",
            ),
            (header.clone() + "{\"number\":1001}\n{\"num", "2: too large"),
            (
                other("test/1", "test/2"),
                "1: schema differs: stored \"touchstone/test/2\", now \"touchstone/test/1\"",
            ),
            (other("3", "4"), "1: depth differs: stored 4, now 3"),
            (
                other("[]", "[\"x\"]"),
                "1: options[0] differs: stored \"x\", now nothing",
            ),
            (
                other(",\"depth\":3", ""),
                "1: depth differs: stored nothing, now 3",
            ),
            ("my notes".to_owned(), &format!("1: 'my notes' {no_header}")),
            (
                "my\0notes\nof today\n".to_owned(),
                &format!("1: 'my\u{fffd}notes' {no_header}"),
            ),
            ("{}\n".to_owned(), &format!("1: '{{}}' {no_header}")),
        ] {
            let (_folder, path) = file(bytes.as_bytes());
            let error = open(&path, &HEADER).expect_err("a fault");
            assert_eq!(error.to_string(), format!("{}:{expected}", path.display()));
            assert!(error.is_bad_input());
            assert_eq!(read(&path), bytes);
        }
        let (_folder, path) = file(other("\"a\"", "\"b\"").as_bytes());
        assert!(open(&path, &HEADER).is_ok(), "another name");
    }

    #[test]
    fn there_is_one_writer_and_everybody_may_read() {
        let (_folder, path) = file(b"remains");
        let mut first =
            Journal::<(), Line>::create(&path, &(), SyncPolicy::EveryLine).expect("free");
        first.append(&Line { number: 3 }).expect("written");
        let error = open(&path, &()).expect_err("taken");
        assert!(matches!(error, JournalError::InUse { .. }) && !error.is_bad_input());
        assert_eq!(read(&path), "{\"number\":3}\n");
        drop(first);
        assert_eq!(open(&path, &()).expect("free").1, [3]);
    }

    #[test]
    fn an_endless_line_is_rejected_in_bounded_memory() {
        let (_folder, path) = file(b"{\"number\":3}\n");
        // Longer than the limit, as a sparse file that takes no space on disk.
        let file = OpenOptions::new().append(true).open(&path).expect("there");
        file.set_len(4 * MAX_LINE).expect("ours");
        let mut reader = JournalReader::<Line>::new(&path);
        assert!(reader.next_line().expect("whole").is_some());
        let error = reader.next_line().expect_err("no line").to_string();
        assert!(
            error.ends_with(":2: the line has more than 64 MiB, which no line has"),
            "{error}"
        );
        assert!(reader.lines.expect("open").bytes.capacity() as u64 <= 4 * MAX_LINE);
    }
}
