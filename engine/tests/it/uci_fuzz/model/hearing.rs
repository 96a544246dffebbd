//! What the engine says, and whether it is what was expected.

use std::ops::RangeInclusive;

use chess::notation::fen;
use chess::notation::uci_move::UciMove;
use chess::perft;
use chess::rules::Position;
use uci::grammar::{BestMove, EngineOption, Go, Info, Message, Reply};

use super::{Busy, Expected, Model, Work};
use crate::talk::Fault;

/// What the engine says of a command that comes at the wrong time.
const NOT_NOW: &str = "not during a ";
/// Counts up to this depth are checked, those deeper take long.
const CHECKED_DEPTH: u32 = 2;

/// What was said between a line and the `readyok` after it, apart from searches.
#[derive(Default)]
pub(crate) struct Answer {
    strings: Vec<String>,
    no_moves: usize,
    handshake: Vec<Message>,
    text: bool,
}

impl Model {
    /// Hears a line of the engine.
    pub(crate) fn hear(&mut self, line: &str, answer: &mut Answer) -> Result<(), Fault> {
        match Message::parse(line) {
            Message::Info(info) => self.hear_info(*info, answer),
            Message::BestMove(best_move) => self.hear_best_move(&best_move, answer),
            // After a count there is an empty line.
            Message::Other(text) if text.is_empty() => Ok(()),
            Message::Other(text) => self.hear_text(&text, answer),
            Message::ReadyOk => Err("readyok, but nobody asked".to_owned()),
            message @ (Message::IdName(_)
            | Message::IdAuthor(_)
            | Message::Option(_)
            | Message::UciOk) => {
                answer.handshake.push(message);
                Ok(())
            }
            _ => Err("a message that this engine has no use for".to_owned()),
        }
    }

    fn hear_info(&mut self, info: Info, answer: &mut Answer) -> Result<(), Fault> {
        if let Some(text) = info.string {
            self.hear_string(text, answer);
            return Ok(());
        }
        match self.works.first_mut() {
            Some(Work::Search(search)) => search.hear(&info),
            _ => Err("info without a search".to_owned()),
        }
    }

    fn hear_string(&mut self, text: String, answer: &mut Answer) {
        let ends = match self.works.first() {
            Some(Work::Perft(..)) => text == "go perft: counting was cancelled",
            Some(Work::Bench) => text == "bench: cancelled",
            _ => false,
        };
        if ends {
            self.works.remove(0);
        } else {
            answer.strings.push(text);
        }
    }

    fn hear_best_move(&mut self, best: &BestMove, answer: &mut Answer) -> Result<(), Fault> {
        match self.works.first() {
            Some(Work::Search(search)) => {
                search.end(best)?;
                self.works.remove(0);
                Ok(())
            }
            Some(Work::NoMove) if best.reply == Reply::NoMove => {
                self.works.remove(0);
                Ok(())
            }
            None | Some(Work::Perft(..) | Work::Bench) if best.reply == Reply::NoMove => {
                answer.no_moves += 1;
                Ok(())
            }
            _ => Err("a best move without a search".to_owned()),
        }
    }

    fn hear_text(&mut self, text: &str, answer: &mut Answer) -> Result<(), Fault> {
        let ends = match self.works.first() {
            Some(Work::Perft(position, depth)) => match text.strip_prefix("Nodes searched: ") {
                Some(total) => check_count(position, *depth, total)?,
                None if is_count(text) => return Ok(()),
                None => false,
            },
            Some(Work::Bench) if is_bench(text) => text.ends_with(" nps"),
            _ => false,
        };
        if ends {
            self.works.remove(0);
        } else if !matches!(self.works.first(), Some(Work::Bench) if is_bench(text)) {
            answer.text = true;
        }
        Ok(())
    }

    /// Compares what came without being asked for with nothing.
    pub(crate) fn settle_unasked(&mut self, answer: &Answer) -> Result<(), Fault> {
        self.tolerated = 0;
        self.settle(&Expected::Strings(0, 0), answer)
    }

    /// Compares an answer with what was expected.
    pub(crate) fn settle(&mut self, expected: &Expected, answer: &Answer) -> Result<(), Fault> {
        let count = answer.strings.len();
        let (strings, no_moves) = match expected {
            Expected::Strings(least, most) => (*least..=*most, 0..=0),
            Expected::Text | Expected::Handshake | Expected::Quit => (0..=0, 0..=0),
            Expected::Begun { go, busy } => {
                let rejected = answer.strings.iter().any(|text| text.contains(NOT_NOW));
                if rejected && *busy == Busy::Maybe {
                    // What was rejected cannot have been answered.
                    let rejected = self
                        .works
                        .pop()
                        .ok_or("rejected, but the engine was not busy")?;
                    let chore = "not during a count or a bench";
                    let owed = matches!(rejected, Work::Search(_))
                        && answer.strings.iter().any(|text| text.contains(chore));
                    // It comes after the moves that are owed for searches before the chore.
                    let is_chore = |work: &Work| matches!(work, Work::Perft(..) | Work::Bench);
                    let waits = owed && answer.no_moves == 0 && !self.works.iter().all(is_chore);
                    if waits {
                        self.works.push(Work::NoMove);
                    }
                    let owed = usize::from(owed && !waits);
                    (1..=1, owed..=owed)
                } else {
                    (self.settle_begun(go, *busy)?, 0..=0)
                }
            }
            Expected::NoSearch(Some(owed)) => (1..=1, usize::from(*owed)..=usize::from(*owed)),
            Expected::NoSearch(None) => {
                let is_later = matches!(self.works.last(), Some(Work::NoMove));
                if is_later && answer.no_moves == 1 {
                    self.works.pop();
                }
                (1..=1, 0..=1)
            }
        };
        let most = if self.debug {
            usize::MAX
        } else {
            *strings.end() + self.tolerated
        };
        if count < *strings.start() + self.tolerated || count > most {
            return Err(format!("{count} info strings, expected {strings:?}"));
        }
        if !no_moves.contains(&answer.no_moves) {
            return Err(format!(
                "{} times (none), expected {no_moves:?}",
                answer.no_moves
            ));
        }
        let handshake = matches!(expected, Expected::Handshake);
        if handshake == answer.handshake.is_empty() {
            return Err("a handshake at the wrong time, or none".to_owned());
        }
        if handshake {
            self.settle_handshake(&answer.handshake)?;
        }
        if answer.text != matches!(expected, Expected::Text) {
            return Err("text at the wrong time, or none".to_owned());
        }
        Ok(())
    }

    /// Work was begun; gives how many info strings there may be.
    fn settle_begun(&self, go: &Go, busy: Busy) -> Result<RangeInclusive<usize>, Fault> {
        if busy != Busy::Queue && self.works.len() > 1 {
            return Err("neither begun nor rejected".to_owned());
        }
        let zeros = [go.depth == Some(0), go.nodes == Some(0), go.mate == Some(0)];
        let zeros =
            zeros.iter().filter(|&&zero| zero).count() + usize::from(go.movestogo == Some(0));
        let remarks = if go.perft.is_some() { 0 } else { zeros };
        // The book remarks on its move.
        Ok(remarks..=remarks + usize::from(self.own_book))
    }

    fn settle_handshake(&self, messages: &[Message]) -> Result<(), Fault> {
        let options: Vec<&EngineOption> = messages
            .iter()
            .filter_map(|message| match message {
                Message::Option(option) => Some(option),
                _ => None,
            })
            .collect();
        let ends = messages.last() == Some(&Message::UciOk);
        let named = messages.iter().any(|one| matches!(one, Message::IdName(_)));
        if ends && named && options.iter().copied().eq(&self.options) {
            return Ok(());
        }
        Err("another handshake than at first".to_owned())
    }
}

/// Whether a line is that of a move with its count.
fn is_count(text: &str) -> bool {
    let (m, count) = text.split_once(": ").unwrap_or_default();
    m.parse::<UciMove>().is_ok() && count.parse::<u64>().is_ok()
}

/// Whether a line is part of what a bench comes to.
fn is_bench(text: &str) -> bool {
    let starts = [
        "=====",
        "Total time (ms) ",
        "Nodes searched ",
        "Nodes/second ",
    ];
    text.ends_with(" nps") || starts.iter().any(|start| text.starts_with(start))
}

fn check_count(position: &Position, depth: u32, total: &str) -> Result<bool, Fault> {
    if depth > CHECKED_DEPTH {
        return Ok(true);
    }
    let expected = perft::count(position, depth).map_err(|error| error.to_string())?;
    if total == expected.to_string() {
        return Ok(true);
    }
    Err(format!(
        "{total}, expected {expected} in {}",
        fen::write(position)
    ))
}
