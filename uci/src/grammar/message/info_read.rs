//! Lenient parser of `info`.

use std::str::FromStr;

use super::info::{Bound, CurrLine, Info, Score, ScoreValue, WinDrawLoss};
use crate::grammar::words::Words;
use chess::notation::uci_move::UciMove;

const KEYS: [&str; 23] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "cp",
    "mate",
    "lowerbound",
    "upperbound",
    "wdl",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "sbhits",
    "cpuload",
    "time",
    "currmove",
    "currmovenumber",
    "refutation",
    "currline",
    "pv",
    "string",
    "info",
];

impl Info {
    /// Parses the arguments of `info`.
    pub(super) fn read(words: &mut Words<'_>) -> Self {
        let mut info = Self::default();
        while let Some(key) = words.next() {
            info.read_value(key.text, words);
        }
        info
    }

    /// Parses the value of `key`. An unknown key is skipped, and so are its values, because they
    /// are not keys either.
    fn read_value(&mut self, key: &str, words: &mut Words<'_>) {
        match key {
            "depth" => self.depth = value(words),
            "seldepth" => self.seldepth = value(words),
            "multipv" => self.multipv = value(words),
            "cp" => self.set_score(value(words).map(ScoreValue::Cp)),
            "mate" => self.set_score(value(words).map(ScoreValue::Mate)),
            "lowerbound" => self.set_bound(Bound::Lower),
            "upperbound" => self.set_bound(Bound::Upper),
            "wdl" => self.wdl = wdl(words),
            "nodes" => self.nodes = value(words),
            "nps" => self.nps = value(words),
            "hashfull" => self.hashfull = value(words),
            "tbhits" => self.tbhits = value(words),
            "sbhits" => self.sbhits = value(words),
            "cpuload" => self.cpuload = value(words),
            "time" => self.time_ms = value(words),
            "currmove" => self.currmove = value(words),
            "currmovenumber" => self.currmovenumber = value(words),
            "refutation" => self.refutation = moves(words),
            "currline" => self.currline = Some(currline(words)),
            "pv" => self.pv = moves(words),
            "string" => self.string = Some(words.rest().to_owned()),
            _ => {}
        }
    }

    fn set_score(&mut self, value: Option<ScoreValue>) {
        self.score = value.map(|value| Score { value, bound: None });
    }

    fn set_bound(&mut self, bound: Bound) {
        if let Some(score) = &mut self.score {
            score.bound = Some(bound);
        }
    }
}

/// Parses the next word as a value. A key is left unread: its own value may follow.
fn value<T: FromStr>(words: &mut Words<'_>) -> Option<T> {
    let word = words.peek().filter(|word| !KEYS.contains(&word.text))?;
    words.next();
    word.text.parse().ok()
}

/// Parses words as long as they are moves.
fn moves(words: &mut Words<'_>) -> Vec<UciMove> {
    let mut moves = Vec::new();
    while let Some(m) = words.peek().and_then(|word| word.text.parse().ok()) {
        moves.push(m);
        words.next();
    }
    moves
}

fn wdl(words: &mut Words<'_>) -> Option<WinDrawLoss> {
    Some(WinDrawLoss {
        win: value(words)?,
        draw: value(words)?,
        loss: value(words)?,
    })
}

fn currline(words: &mut Words<'_>) -> CurrLine {
    let number = words.peek().and_then(|word| word.text.parse().ok());
    if number.is_some() {
        words.next();
    }
    CurrLine {
        cpu: number,
        moves: moves(words),
    }
}
