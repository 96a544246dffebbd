//! Positions with the results of their games and with scores, in the formats people have.
//!
//! Files are read line by line; nothing is kept but the line at hand.

use std::fmt;
use std::io::{self, BufRead, Cursor, Read};

use chess::notation::fen;
use chess::notation::pgn::PgnResult;
use chess::rules::{Color, Position};

use super::pattern::MATE_CP;
use crate::text::{Operation, Record};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum GameResult {
    BlackWins,
    Draw,
    WhiteWins,
}

impl GameResult {
    pub(crate) const COUNT: usize = 3;

    /// White's points: 0, 1/2 or 1.
    pub(crate) fn points(self) -> f64 {
        match self {
            Self::BlackWins => 0.0,
            Self::Draw => 0.5,
            Self::WhiteWins => 1.0,
        }
    }

    /// A result that is known.
    pub(crate) fn of_pgn(result: PgnResult) -> Option<Self> {
        match result {
            PgnResult::WhiteWins => Some(Self::WhiteWins),
            PgnResult::BlackWins => Some(Self::BlackWins),
            PgnResult::Draw => Some(Self::Draw),
            PgnResult::Unknown => None,
        }
    }

    /// Reads a result in any of the notations in use; `Ok(None)` if it is unknown (`*`, or nothing).
    fn read(text: &str) -> Result<Option<Self>, String> {
        let text = text.trim().trim_matches('"');
        // "1", "1.0" and "1.000" are the same number.
        let number = if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.')
        } else {
            text
        };
        match text {
            "1-0" => Ok(Some(Self::WhiteWins)),
            "0-1" => Ok(Some(Self::BlackWins)),
            "1/2-1/2" | "1/2" | "½-½" | "=" => Ok(Some(Self::Draw)),
            "*" | "" => Ok(None),
            _ if number == "1" => Ok(Some(Self::WhiteWins)),
            _ if number == "0.5" || number == ".5" => Ok(Some(Self::Draw)),
            _ if number == "0" => Ok(Some(Self::BlackWins)),
            _ => Err(format!(
                "'{text}' is not a result, expected 1-0, 0-1, 1/2-1/2, or White's points 1, 0.5, 0"
            )),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::WhiteWins => "1-0",
        })
    }
}

/// A position and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Labelled {
    /// The line, from 1.
    pub(crate) line: usize,
    pub(crate) position: Position,
    pub(crate) result: Option<GameResult>,
    /// Centipawns from White's view; [`MATE_CP`] for a mate.
    pub(crate) score_cp: Option<i32>,
    pub(crate) themes: Vec<String>,
    /// Identifies the game within the file, if it is known.
    pub(crate) game: Option<u64>,
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {reason}")]
pub(crate) struct DataFault {
    /// The line, from 1.
    pub(crate) line: usize,
    /// The column of the field, from 1, in characters.
    pub(crate) column: usize,
    pub(crate) reason: String,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadDataError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Line(#[from] DataFault),
}

/// The format of a file, one position per line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum DataFormat {
    /// EPD: result in c9, score in ce (side to move's view), themes in tag
    Epd,
    /// A FEN and a result: `FEN [0.5]`, `FEN; 1-0`, `FEN "1-0"`
    Fen,
    /// The text format of bullet: `FEN | centipawns | points`, both from White's view
    Bullet,
    /// The format of touchstone's trainer: `GAME;FEN;RESULT;CENTIPAWNS`
    Trainer,
    /// Columns named in the first line: fen, result, score, theme, game
    Csv,
}

impl DataFormat {
    /// The format that a line is written in.
    pub(crate) fn detect(line: &str) -> Self {
        let is_first_number = |rest: &str| {
            let number = rest.split(';').next().unwrap_or_default();
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_bullet = || {
            let fields: Vec<&str> = line.split('|').collect();
            fields.len() == 3 && fen::parse_lenient(fields[0].trim()).is_ok()
        };
        // The strictest forms come first; a FEN with a result is what remains.
        if is_bullet() {
            Self::Bullet
        } else if is_first_number(line) {
            Self::Trainer
        } else if CsvColumns::read(line).is_ok() {
            Self::Csv
        } else if operations_of(line).is_some_and(|rest| rest.starts_with(char::is_alphabetic)) {
            Self::Epd
        } else {
            Self::Fen
        }
    }
}

/// Reads the positions of a file one by one.
pub(crate) struct DataReader<'a> {
    lines: DataLines<'a>,
    /// Known from the first line on.
    format: Option<DataFormat>,
    columns: Option<CsvColumns>,
}

impl<'a> DataReader<'a> {
    /// Reads `input`, in the format of its first line.
    pub(crate) fn new(input: impl BufRead + 'a) -> Self {
        Self {
            lines: DataLines::new(Box::new(input)),
            format: None,
            columns: None,
        }
    }

    fn read(&self, format: DataFormat, text: &str) -> Result<Labelled, (usize, String)> {
        match format {
            DataFormat::Epd => read_epd(text),
            DataFormat::Fen => read_fen_and_result(text),
            DataFormat::Bullet => read_bullet(text),
            DataFormat::Trainer => read_trainer(text),
            DataFormat::Csv => {
                let columns = self.columns.as_ref();
                columns.expect("the first line was read").read_row(text)
            }
        }
    }
}

impl Iterator for DataReader<'_> {
    type Item = Result<Labelled, ReadDataError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (line, text) = match self.lines.next_line() {
                Ok(found) => found?,
                Err(error) => return Some(Err(error)),
            };
            let text = text.trim_end();
            if text.trim_start().is_empty() || text.starts_with('#') {
                continue;
            }
            let text = text.to_owned();
            let format = *self.format.get_or_insert_with(|| DataFormat::detect(&text));
            if format == DataFormat::Csv && self.columns.is_none() {
                match CsvColumns::read(&text) {
                    Ok(columns) => self.columns = Some(columns),
                    Err(reason) => return Some(Err(fault(line, 1, reason))),
                }
                continue;
            }
            return Some(match self.read(format, &text) {
                Ok(found) => Ok(Labelled { line, ..found }),
                Err((column, reason)) => Err(fault(line, column, reason)),
            });
        }
    }
}

fn fault(line: usize, column: usize, reason: String) -> ReadDataError {
    ReadDataError::Line(DataFault {
        line,
        column,
        reason,
    })
}

/// Lines of UTF-8 text.
struct DataLines<'a> {
    input: Box<dyn BufRead + 'a>,
    number: usize,
    bytes: Vec<u8>,
}

impl<'a> DataLines<'a> {
    /// Longer lines are no positions, but may be a file without line ends.
    const LONGEST: u64 = 1 << 20;

    fn new(input: Box<dyn BufRead + 'a>) -> Self {
        Self {
            input,
            number: 0,
            bytes: Vec::new(),
        }
    }

    fn next_line(&mut self) -> Result<Option<(usize, &str)>, ReadDataError> {
        self.bytes.clear();
        let mut limited = (&mut self.input).take(Self::LONGEST);
        if limited.read_until(b'\n', &mut self.bytes)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if limited.limit() == 0 {
            return Err(fault(self.number, 1, "a line of more than 1 MB".to_owned()));
        }
        let bytes = self.bytes.as_slice();
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let offset = error.valid_up_to();
            let column = String::from_utf8_lossy(&bytes[..offset]).chars().count() + 1;
            let reason = format!("byte {:#04x} is not UTF-8", bytes[offset]);
            fault(self.number, column, reason)
        })?;
        Ok(Some((self.number, text)))
    }
}

/// What is wrong, and the column, from 1.
type ColumnFault = (usize, String);

fn column_of(text: &str, part: &str) -> usize {
    // The part is a slice of the text, so the distance of their addresses is its offset.
    let offset = part.as_ptr().addr().saturating_sub(text.as_ptr().addr());
    text.get(..offset)
        .map_or(1, |before| before.chars().count() + 1)
}

fn position_of(text: &str, part: &str) -> Result<Position, ColumnFault> {
    let read = fen::parse_lenient(part.trim());
    let read = read.map_err(|error| (column_of(text, part), error.to_string()))?;
    Ok(read.position)
}

/// Reads centipawns, or a mate as `#3`, `M3`, `mate 3`, with a sign.
fn score_of(text: &str, part: &str) -> Result<Option<i32>, ColumnFault> {
    let written = part.trim();
    if written.is_empty() {
        return Ok(None);
    }
    let (sign, rest) = match written.strip_prefix(['-', '+']) {
        Some(rest) => (if written.starts_with('-') { -1 } else { 1 }, rest),
        None => (1, written),
    };
    let mate = ["#", "mate ", "M", "m"];
    if let Some(moves) = mate.iter().find_map(|start| rest.strip_prefix(start))
        && let Ok(moves) = moves.trim().parse::<i32>()
    {
        return Ok(Some(if (moves < 0) == (sign < 0) {
            MATE_CP
        } else {
            -MATE_CP
        }));
    }
    match written.parse::<f64>() {
        // A greater number is another column, such as a count of nodes or a time.
        Ok(number) if number.abs() < 1e9 => Ok(Some(clamp(number))),
        _ => {
            let reason = format!("'{written}' is not a score, expected centipawns or a mate, #3");
            Err((column_of(text, part), reason))
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "it is clamped")]
fn clamp(cp: f64) -> i32 {
    let most = f64::from(MATE_CP);
    cp.round().clamp(-most, most) as i32
}

impl Labelled {
    /// A position of which nothing is known; its line is set by the reader.
    fn bare(position: Position) -> Self {
        Self {
            line: 0,
            position,
            result: None,
            score_cp: None,
            themes: Vec::new(),
            game: None,
        }
    }

    fn set_result(&mut self, text: &str, part: &str) -> Result<(), ColumnFault> {
        let read = GameResult::read(part);
        self.result = read.map_err(|reason| (column_of(text, part), reason))?;
        Ok(())
    }
}

fn read_epd(text: &str) -> Result<Labelled, ColumnFault> {
    let read = Record::parse_lenient(text).map_err(|error| {
        let first = error.diagnostics.first();
        let column = first.map_or(1, |one| one.column);
        let reason = first.map_or_else(|| error.to_string(), |one| one.problem.to_string());
        (column, reason)
    })?;
    let record = read.record;
    let mut found = Labelled::bare(*record.position());
    let operand = |opcode: &str| match record.operation(opcode).map(Operation::operands) {
        Some([operand]) => Some(operand.as_str().to_owned()),
        _ => None,
    };
    if let Some(result) = operand("c9") {
        let set = found.set_result(&result, &result);
        set.map_err(|(_, reason)| (1, format!("c9: {reason}")))?;
    }
    if let Some(score) = operand("ce") {
        let score = score_of(&score, &score).map_err(|(_, reason)| (1, format!("ce: {reason}")))?;
        found.score_cp = score.map(|score| match found.position.side_to_move() {
            Color::White => score,
            Color::Black => -score,
        });
    }
    found.themes = record.tags().map(str::to_owned).collect();
    found.game = record.id().and_then(game_of_id);
    Ok(found)
}

/// The game of an id as `epd from-pgn --add id` and `epd eval label` write it: file, game, ply.
fn game_of_id(id: &str) -> Option<u64> {
    let (game, ply) = id.rsplit_once(' ')?;
    let (_, number) = game.rsplit_once(' ')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number(ply) && is_number(number)).then(|| hash_of(game))
}

/// FNV-1a with its bits mixed, which is the same on every machine and in every version.
pub(crate) fn hash_of(text: &str) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    mixed(text.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step))
}

/// Spreads a number over all bits, so that neighbours fall anywhere (`SplitMix64`, Steele et al. 2014).
pub(crate) const fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// What follows the position of a line: four fields, and clocks if there are any.
fn operations_of(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    for _ in 0..4 {
        let (_, after) = rest.split_once(char::is_whitespace)?;
        rest = after.trim_start();
    }
    for _ in 0..2 {
        let word = rest.split([' ', '\t', ';']).next().unwrap_or_default();
        if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        rest = rest[word.len()..].trim_start();
    }
    Some(rest)
}

fn read_fen_and_result(text: &str) -> Result<Labelled, ColumnFault> {
    let rest = operations_of(text).ok_or_else(|| {
        let is_tag = text.starts_with('[') && text.ends_with("\"]");
        let hint = if is_tag {
            "; `epd eval label` makes data of PGN"
        } else {
            ""
        };
        (1, format!("expected a FEN and a result{hint}"))
    })?;
    let position = position_of(text, &text[..text.len() - rest.len()])?;
    let result =
        rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, ';' | ',' | '[' | ']'));
    let mut found = Labelled::bare(position);
    found.set_result(text, result)?;
    Ok(found)
}

fn read_bullet(text: &str) -> Result<Labelled, ColumnFault> {
    let fields: Vec<&str> = text.split('|').collect();
    let &[fen, score, result] = fields.as_slice() else {
        let count = fields.len();
        return Err((
            1,
            format!("{count} fields between '|', expected 3: FEN, score, result"),
        ));
    };
    let mut found = Labelled::bare(position_of(text, fen)?);
    found.score_cp = score_of(text, score)?;
    found.set_result(text, result)?;
    Ok(found)
}

fn read_trainer(text: &str) -> Result<Labelled, ColumnFault> {
    let fields: Vec<&str> = text.split(';').collect();
    let &[game, fen, result, score] = fields.as_slice() else {
        let count = fields.len();
        return Err((
            1,
            format!("{count} fields, expected 4: game, FEN, result, score"),
        ));
    };
    let mut found = Labelled::bare(position_of(text, fen)?);
    found.set_result(text, result)?;
    found.score_cp = score_of(text, score)?;
    found.game = (!game.trim().is_empty()).then(|| hash_of(game));
    Ok(found)
}

/// Where the columns of a CSV file are.
#[derive(Clone, Debug)]
struct CsvColumns {
    delimiter: u8,
    fen: usize,
    result: Option<usize>,
    score: Option<usize>,
    themes: Option<usize>,
    game: Option<usize>,
}

impl CsvColumns {
    fn read(header: &str) -> Result<Self, String> {
        let delimiters = [b',', b';', b'\t'];
        let read = delimiters.into_iter().find_map(|delimiter| {
            let names = split_csv(header, delimiter).ok()?;
            let column = |known: &[&str]| {
                let is_known = |name: &String| known.contains(&name.trim().to_lowercase().as_str());
                names.iter().position(is_known)
            };
            Some(Self {
                delimiter,
                fen: column(&["fen", "position", "epd"])?,
                result: column(&["result", "wdl", "outcome", "game_result"]),
                score: column(&["score", "score_cp", "cp", "eval", "evaluation", "ce"]),
                themes: column(&["theme", "themes", "tag", "tags"]),
                game: column(&["game", "game_id", "gameid"]),
            })
        });
        read.ok_or_else(|| "no column is called 'fen'".to_owned())
    }

    fn read_row(&self, text: &str) -> Result<Labelled, ColumnFault> {
        let fields = split_csv(text, self.delimiter).map_err(|reason| (1, reason))?;
        // The columns of quoted fields are not those of the line: name the field instead.
        let named = |name: &str, (_, reason): ColumnFault| (1, format!("{name}: {reason}"));
        let field = |index: Option<usize>| index.and_then(|index| fields.get(index));
        let fen = field(Some(self.fen)).ok_or_else(|| {
            let (found, expected) = (fields.len(), self.fen + 1);
            (1, format!("{found} fields, the FEN is in the {expected}th"))
        })?;
        let mut found = Labelled::bare(position_of(fen, fen).map_err(|error| named("fen", error))?);
        if let Some(result) = field(self.result) {
            let set = found.set_result(result, result);
            set.map_err(|error| named("result", error))?;
        }
        if let Some(score) = field(self.score) {
            found.score_cp = score_of(score, score).map_err(|error| named("score", error))?;
        }
        if let Some(themes) = field(self.themes) {
            let themes = themes
                // Lichess separates the themes of its puzzles by blanks.
                .split([' ', ',', '|'])
                .filter(|theme| !theme.is_empty());
            found.themes = themes.map(str::to_owned).collect();
        }
        // A row without a game is a game of its own.
        let game = field(self.game).filter(|game| !game.trim().is_empty());
        found.game = game.map(|game| hash_of(game));
        Ok(found)
    }
}

fn split_csv(line: &str, delimiter: u8) -> Result<Vec<String>, String> {
    let mut reader = csv::ReaderBuilder::new();
    reader.has_headers(false).delimiter(delimiter);
    let mut records = reader.from_reader(Cursor::new(line)).into_records();
    match records.next() {
        Some(Ok(record)) => Ok(record.iter().map(str::to_owned).collect()),
        Some(Err(error)) => Err(error.to_string()),
        None => Ok(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;

    const FEN: &str = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";

    fn read(text: &str) -> Vec<Result<Labelled, String>> {
        let reader = DataReader::new(text.as_bytes());
        reader
            .map(|one| one.map_err(|error| error.to_string()))
            .collect()
    }

    fn one(text: &str) -> Labelled {
        let found = read(text).pop().unwrap();
        found.unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn results_in_all_notations() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        for (texts, expected) in [
            ("1-0 1 1.0 \"1-0\"", Some(WhiteWins)),
            ("0-1 0 0.000", Some(BlackWins)),
            ("1/2-1/2 0.5 0.50", Some(Draw)),
            ("*", None),
        ] {
            for text in texts.split(' ') {
                assert_eq!(GameResult::read(text).unwrap(), expected, "{text}");
            }
        }
        for text in ["0.7", "10", "00", "2-0", "win", "-", "."] {
            assert!(GameResult::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_format_is_detected_and_read() {
        let four = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq -";
        #[rustfmt::skip]
        let rows = [
            (format!("{FEN} [0.0]"), DataFormat::Fen, None),
            (format!("{four} [0.0]"), DataFormat::Fen, None),
            (format!("{FEN}; 0-1"), DataFormat::Fen, None),
            (format!("{FEN} \"0-1\";"), DataFormat::Fen, None),
            (format!("{FEN} 0-1"), DataFormat::Fen, None),
            (format!("{FEN} | -35 | 0.0"), DataFormat::Bullet, Some(-35)),
            (format!("{FEN}|-35|0"), DataFormat::Bullet, Some(-35)),
            (format!("17;{FEN};0-1;-35"), DataFormat::Trainer, Some(-35)),
            (format!("{four} c9 \"0-1\";"), DataFormat::Epd, None),
            (format!("{four} ce 35; c9 \"0-1\";"), DataFormat::Epd, Some(-35)),
            (format!("{FEN} c9 \"0-1\"; ce 35;"), DataFormat::Epd, Some(-35)),
            (format!("fen,wdl,cp\n{FEN},0,-35"), DataFormat::Csv, Some(-35)),
            (format!("Result;FEN;Score\n0-1;{FEN};-35.2"), DataFormat::Csv, Some(-35)),
            (format!("id,fen,result,eval\n\"a, b\",\"{FEN}\",0-1,-35"), DataFormat::Csv, Some(-35)),
        ];
        for (text, format, score) in rows {
            let first = text.lines().next().unwrap();
            assert_eq!(DataFormat::detect(first), format, "{text}");
            let found = one(&text);
            assert_eq!(found.result, Some(GameResult::BlackWins), "{text}");
            assert_eq!(found.score_cp, score, "{text}");
            assert_eq!(found.position.side_to_move(), Color::Black, "{text}");
        }
    }

    #[test]
    fn mates_themes_and_games() {
        for (text, expected) in [("#3", MATE_CP), ("#-3", -MATE_CP), ("-M3", -MATE_CP)] {
            let found = one(&format!("{FEN} | {text} | 1.0"));
            assert_eq!(found.score_cp, Some(expected), "{text}");
        }
        let id = |id: &str| one(&format!("{FEN} id \"{id}\"; tag pin fork; c9 \"1-0\";"));
        let found = id("games.pgn 4 17");
        assert_eq!(found.themes, ["pin", "fork"]);
        assert!(found.game.is_some());
        assert_eq!(found.game, id("games.pgn 4 18").game);
        assert_ne!(found.game, id("games.pgn 5 17").game);
        assert_eq!(id("WAC 17").game, None);
        let found = one(&format!("fen,themes,game\n{FEN},pin fork, "));
        assert_eq!(found.game, None);
        let found = one(&format!("fen,themes,game\n{FEN},pin fork,abc"));
        assert_eq!(found.themes, ["pin", "fork"]);
    }

    #[test]
    fn faults_say_where() {
        let what = "is not a result, expected 1-0, 0-1, 1/2-1/2, or White's points 1, 0.5, 0";
        for (text, expected) in [
            (
                "# data\nFEN | x | 1.0",
                "2:68: 'x' is not a score, expected centipawns or a mate, #3",
            ),
            ("FEN | 1 | 0.7", &format!("1:72: '0.7' {what}")),
            (
                "FEN | 1 | 0.5\nFEN | 1",
                "2:1: 2 fields between '|', expected 3: FEN, score, result",
            ),
            ("fen,result\nFEN,0.7", &format!("2:1: result: '0.7' {what}")),
            ("FEN [0.5]\nrubbish", "2:1: expected a FEN and a result"),
            (
                "[Event \"?\"]",
                "1:1: expected a FEN and a result; `epd eval label` makes data of PGN",
            ),
        ] {
            let error = read(&text.replace("FEN", FEN)).pop().unwrap().unwrap_err();
            assert_eq!(error, expected, "{text}");
        }
        let error = read("8/8 w - - 0 1 [0.5]").pop().unwrap().unwrap_err();
        assert!(error.starts_with("1:1: placement"), "{error}");
        let mut reader = DataReader::new(b"\xff\n".as_slice());
        let error = reader.next().unwrap().unwrap_err().to_string();
        assert_eq!(error, "1:1: byte 0xff is not UTF-8");
    }

    /// Lines of every format, with characters replaced, left out and put in: whatever comes of it is
    /// read, or a fault within its line.
    #[test]
    fn mutated_lines_are_read_or_faulted_where_they_are() {
        let lines = [
            format!("{FEN} [0.5]"),
            format!("{FEN} | -35 | 0.0"),
            format!("17;{FEN};0-1;-35"),
            format!("{FEN} c9 \"0-1\"; ce 35; id \"a 1 2\"; tag x y;"),
            format!("fen,wdl,cp\n\"{FEN}\",0,#-3"),
        ];
        let parts = [
            "|", ";", ",", "[", "\"", "\n", " ", "0.5", "#", "M", "-", "\u{e9}", "fen", "1e999",
            "\u{0}",
        ];
        let mut random = ChaCha8Rng::seed_from_u64(11);
        for round in 0..20_000 {
            let mut text = lines[round % lines.len()].clone();
            for _ in 0..random.random_range(1..4) {
                let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
                let from = places[random.random_range(0..places.len())];
                let next = places.iter().copied().find(|&at| at > from);
                let to = next.unwrap_or(text.len());
                let to = if random.random_bool(0.5) { to } else { from };
                text.replace_range(from..to, parts[random.random_range(0..parts.len())]);
            }
            for found in DataReader::new(text.as_bytes()) {
                let Err(ReadDataError::Line(fault)) = found else {
                    continue;
                };
                let line = text.split('\n').nth(fault.line - 1);
                let most = line.map_or(0, |line| line.chars().count()) + 1;
                assert!((1..=most).contains(&fault.column), "{fault}: {text:?}");
                assert!(!fault.reason.is_empty(), "{text:?}");
            }
        }
    }
}
