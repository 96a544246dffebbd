//! Records and files, in standard form: opcodes in the order of ASCII.

use anyhow::Result;
use chess::notation::san;
use chess::rules::{Move, Position};
use epd::{Operand, Operation, Record};

use crate::judge::Pair;
use crate::themes::themes;

/// One record of a suite that is being made.
pub(crate) struct Found {
    pub(crate) position: Position,
    pub(crate) first: Move,
    /// How it is known to be one.
    pub(crate) proof: Proof,
}

pub(crate) enum Proof {
    /// It mates in so many moves.
    Mate(u8),
    Stockfish {
        pair: Pair,
        nodes: u64,
    },
}

impl Found {
    pub(crate) fn record(&self, suite: &str, number: usize) -> Result<Record> {
        let word = |text: &dyn ToString| vec![Operand::Word(text.to_string())];
        let san = |m| san::write(m, &self.position);
        let mut operations = vec![("bm", word(&san(self.first)))];
        match &self.proof {
            Proof::Mate(moves) => operations.push(("dm", word(moves))),
            Proof::Stockfish { pair, nodes } => {
                let next = pair.next.score_cp;
                let comment = format!("next best: {}, {next} centipawns", san(pair.next.first));
                operations.push(("acn", word(nodes)));
                operations.push(("c0", vec![Operand::Text(comment)]));
                operations.push(("ce", word(&pair.best.score_cp)));
            }
        }
        let id = format!("{suite}.{number:02}");
        operations.push(("id", vec![Operand::Text(id)]));
        let words = themes(&self.position, self.first).into_iter();
        let words = words.map(|theme| Operand::Word(theme.to_owned()));
        operations.push(("tag", words.collect()));
        operations.sort_unstable_by_key(|operation| operation.0);
        let mut record = Record::new(self.position);
        for (opcode, operands) in operations {
            record.push(Operation::new(opcode, operands)?)?;
        }
        Ok(record)
    }
}

pub(crate) fn file(head: &str, suite: &str, found: &[Found]) -> Result<String> {
    let head = head
        .lines()
        .map(|line| format!("# {line}").trim_end().to_owned());
    let mut lines: Vec<String> = head.collect();
    lines.push(String::new());
    for (number, one) in (1..).zip(found) {
        lines.push(one.record(suite, number)?.to_string());
    }
    Ok(lines.join("\n") + "\n")
}
