//! Strict parser of commands.
//!
//! White space may be of any width, as in UCI. Unlike in UCI, unknown words are errors and not
//! skipped: a misspelt word should be reported.

use std::str::FromStr;

use super::{
    Command, CommandFault, FenText, Go, ParseCommandError, PositionCommand, Registration,
    StartPosition,
};
use crate::grammar::words::{EMPTY, Word, Words};
use chess::notation::fen::{self, ParseFenError};
use chess::notation::uci_move::UciMove;

const COMMANDS: &str = "a command such as uci, isready, position or go";
const TIME: &str = "time in milliseconds";
const LIMITS: &str = "a limit such as depth, movetime or wtime";

impl FromStr for Command {
    type Err = ParseCommandError;

    /// Parses one line strictly. Only the width of white space is free, except in option values.
    fn from_str(line: &str) -> Result<Self, ParseCommandError> {
        CommandReader::new(line, None).line()
    }
}

/// See [`Command::parse_lenient`].
pub(super) fn lenient(line: &str) -> Result<(Command, Vec<String>), ParseCommandError> {
    let mut reader = CommandReader::new(line, Some(Vec::new()));
    let command = reader.line()?;
    Ok((command, reader.tolerated.unwrap_or_default()))
}

struct CommandReader<'a> {
    line: &'a str,
    words: Words<'a>,
    /// Remarks about what was read otherwise than it is written; `None` if nothing may be.
    tolerated: Option<Vec<String>>,
}

impl<'a> CommandReader<'a> {
    fn new(line: &'a str, tolerated: Option<Vec<String>>) -> Self {
        let words = Words::new(line);
        Self {
            line,
            words,
            tolerated,
        }
    }

    fn line(&mut self) -> Result<Command, ParseCommandError> {
        let command = self.command()?;
        match self.words.next() {
            None => Ok(command),
            Some(word) => Err(self.unexpected(word, "the end of the line")),
        }
    }

    fn command(&mut self) -> Result<Command, ParseCommandError> {
        let word = self.word(COMMANDS)?;
        Ok(match word.text {
            "uci" => Command::Uci,
            "debug" => {
                let word = self.word("on or off")?;
                Command::Debug(match word.text {
                    "on" => true,
                    "off" => false,
                    _ => return Err(self.unexpected(word, "on or off")),
                })
            }
            "isready" => Command::IsReady,
            "ucinewgame" => Command::UciNewGame,
            "register" => Command::Register(self.registration()?),
            "setoption" => self.setoption()?,
            "position" => Command::Position(self.position()?),
            "go" => Command::Go(self.go()?),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            _ => return Err(self.unexpected(word, COMMANDS)),
        })
    }

    fn registration(&mut self) -> Result<Registration, ParseCommandError> {
        const EXPECTED: &str = "later or name";
        let word = self.word(EXPECTED)?;
        match word.text {
            "later" => Ok(Registration::Later),
            "name" => {
                let name = self.text_until("code", "a name")?.to_owned();
                self.keyword("code")?;
                let code = self.text_until("", "a code")?.to_owned();
                Ok(Registration::As { name, code })
            }
            _ => Err(self.unexpected(word, EXPECTED)),
        }
    }

    fn setoption(&mut self) -> Result<Command, ParseCommandError> {
        self.keyword("name")?;
        let name = self
            .text_until("value", "the name of an option")?
            .to_owned();
        let value = self.words.next().map(|_| match self.words.rest() {
            value if value.eq_ignore_ascii_case(EMPTY) => String::new(),
            value => value.to_owned(),
        });
        Ok(Command::SetOption { name, value })
    }

    fn position(&mut self) -> Result<PositionCommand, ParseCommandError> {
        const EXPECTED: &str = "startpos or fen";
        let word = self.word(EXPECTED)?;
        let start = match word.text {
            "startpos" => StartPosition::Startpos,
            "fen" => self.fen()?,
            _ => return Err(self.unexpected(word, EXPECTED)),
        };
        let mut moves = Vec::new();
        if let Some(word) = self.words.next() {
            if word.text != "moves" {
                return Err(self.unexpected(word, "moves or the end of the line"));
            }
            while let Some(word) = self.words.next() {
                moves.push(self.uci_move(word)?);
            }
        }
        Ok(PositionCommand { start, moves })
    }

    fn fen(&mut self) -> Result<StartPosition, ParseCommandError> {
        let offset = self.words.offset();
        let text = self.text_until("moves", "a FEN")?;
        match text.parse().or_else(|error| self.tolerate(text, error)) {
            Ok(fen) => Ok(StartPosition::Fen(Box::new(fen))),
            Err(error) => {
                let first = error.faults.first().map_or(0, |fault| fault.offset);
                Err(self.fault(offset + first, CommandFault::Fen(error)))
            }
        }
    }

    /// The FEN as it can only be meant, with a remark for each fault; `error` if there is none.
    fn tolerate(&mut self, text: &str, error: ParseFenError) -> Result<FenText, ParseFenError> {
        let has_fields = (4..=6).contains(&Words::new(text).count());
        let Some(remarks) = self.tolerated.as_mut().filter(|_| has_fields) else {
            return Err(error);
        };
        let Ok(lenient) = fen::parse_lenient(text) else {
            return Err(error);
        };
        let fen: FenText = fen::write(&lenient.position).parse().map_err(|_| error)?;
        let faults = lenient.tolerated.iter();
        remarks.extend(faults.map(|fault| format!("{fault}; read as {fen}")));
        Ok(fen)
    }

    fn go(&mut self) -> Result<Go, ParseCommandError> {
        let mut go = Go::default();
        while let Some(word) = self.words.next() {
            match word.text {
                "wtime" => self.limit(word, &mut go.wtime_ms, TIME)?,
                "btime" => self.limit(word, &mut go.btime_ms, TIME)?,
                "winc" => self.limit(word, &mut go.winc_ms, TIME)?,
                "binc" => self.limit(word, &mut go.binc_ms, TIME)?,
                "movetime" => self.limit(word, &mut go.movetime_ms, TIME)?,
                "movestogo" => self.limit(word, &mut go.movestogo, "count of moves")?,
                "mate" => self.limit(word, &mut go.mate, "count of moves")?,
                "nodes" => self.limit(word, &mut go.nodes, "count of nodes")?,
                "depth" => self.limit(word, &mut go.depth, "depth")?,
                "perft" => self.limit(word, &mut go.perft, "depth")?,
                "infinite" => self.flag(word, &mut go.infinite)?,
                "ponder" => self.flag(word, &mut go.ponder)?,
                "searchmoves" => self.searchmoves(word, &mut go.searchmoves)?,
                _ => return Err(self.unexpected(word, LIMITS)),
            }
        }
        Ok(go)
    }

    fn limit<T: LimitNumber>(
        &mut self,
        word: Word<'_>,
        limit: &mut Option<T>,
        what: &'static str,
    ) -> Result<(), ParseCommandError> {
        if limit.is_some() {
            return Err(self.repeated(word));
        }
        let value = self.word(what)?;
        // UCI has no sign before non-negative numbers, although Rust would accept it.
        let number = value.text.parse().ok();
        let number = number.filter(|_| !value.text.starts_with('+'));
        let Some(number) = number.or_else(|| self.least(word, value)) else {
            let fault = CommandFault::NotANumber {
                found: value.text.to_owned(),
                what,
                least: T::LEAST,
                most: T::MOST,
            };
            return Err(self.fault(value.offset, fault));
        };
        *limit = Some(number);
        Ok(())
    }

    /// What a negative number after a limit of a search is read as, with a remark.
    fn least<T: LimitNumber>(&mut self, key: Word<'_>, value: Word<'_>) -> Option<T> {
        let remarks = self.tolerated.as_mut()?;
        let digits = value.text.strip_prefix('-')?;
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || key.text == "perft" {
            return None;
        }
        // A search of no nodes would have no move to answer with.
        let least = u8::from(matches!(key.text, "depth" | "nodes" | "mate"));
        remarks.push(format!(
            "{} {} is replaced by {least}",
            key.text, value.text
        ));
        Some(T::from(least))
    }

    fn flag(&self, word: Word<'_>, flag: &mut bool) -> Result<(), ParseCommandError> {
        if *flag {
            return Err(self.repeated(word));
        }
        *flag = true;
        Ok(())
    }

    /// Parses moves up to the next limit.
    fn searchmoves(
        &mut self,
        word: Word<'_>,
        moves: &mut Vec<UciMove>,
    ) -> Result<(), ParseCommandError> {
        if !moves.is_empty() {
            return Err(self.repeated(word));
        }
        let first = self.word("a move")?;
        if is_limit(first.text) {
            return Err(self.unexpected(first, "a move"));
        }
        moves.push(self.uci_move(first)?);
        while let Some(word) = self.words.peek().filter(|word| !is_limit(word.text)) {
            self.words.next();
            moves.push(self.uci_move(word)?);
        }
        Ok(())
    }

    fn uci_move(&self, word: Word<'_>) -> Result<UciMove, ParseCommandError> {
        word.text
            .parse()
            .map_err(|error| self.fault(word.offset, CommandFault::Move(error)))
    }

    fn word(&mut self, expected: &'static str) -> Result<Word<'a>, ParseCommandError> {
        match self.words.next() {
            Some(word) => Ok(word),
            None => Err(self.fault(self.line.len(), CommandFault::Missing { expected })),
        }
    }

    fn keyword(&mut self, keyword: &'static str) -> Result<(), ParseCommandError> {
        let word = self.word(keyword)?;
        if word.text == keyword {
            Ok(())
        } else {
            Err(self.unexpected(word, keyword))
        }
    }

    /// Takes text up to the word `stop`, which must not come first.
    fn text_until(
        &mut self,
        stop: &str,
        expected: &'static str,
    ) -> Result<&'a str, ParseCommandError> {
        let text = self.words.until(|word| word == stop);
        if !text.is_empty() {
            return Ok(text);
        }
        Err(match self.words.peek() {
            Some(word) => self.unexpected(word, expected),
            None => self.fault(self.line.len(), CommandFault::Missing { expected }),
        })
    }

    fn repeated(&self, word: Word<'_>) -> ParseCommandError {
        let key = word.text.to_owned();
        self.fault(word.offset, CommandFault::Repeated { key })
    }

    fn unexpected(&self, word: Word<'_>, expected: &'static str) -> ParseCommandError {
        let found = word.text.to_owned();
        self.fault(word.offset, CommandFault::Unexpected { found, expected })
    }

    fn fault(&self, offset: usize, fault: CommandFault) -> ParseCommandError {
        ParseCommandError {
            line: self.line.to_owned(),
            column: offset + 1,
            fault,
        }
    }
}

fn is_limit(word: &str) -> bool {
    const KEYS: &str = "wtime btime winc binc movestogo depth nodes mate movetime perft infinite \
                        ponder searchmoves";
    KEYS.split(' ').any(|key| key == word)
}

/// A number type for limits, with its range.
trait LimitNumber: FromStr + From<u8> {
    const LEAST: i64;
    const MOST: u64;
}

impl LimitNumber for u32 {
    const LEAST: i64 = 0;
    const MOST: u64 = u32::MAX as u64;
}

impl LimitNumber for u64 {
    const LEAST: i64 = 0;
    const MOST: u64 = u64::MAX;
}

impl LimitNumber for i64 {
    const LEAST: i64 = i64::MIN;
    const MOST: u64 = i64::MAX as u64;
}
