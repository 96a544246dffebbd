//! Compares an engine's moves in positions of a variant with a perft-1 suite. No move generator is needed: moves are
//! compared as text.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use kit::output::counted;
use serde_json::{Value, json};
use uci::grammar::OptionKind;
use uci::{Cancel, Client, CommandLine, EngineError, Received, Start};

use crate::model::MoveText;
use crate::variant::{SuiteError, SuiteLine, read_suite};

/// A position of a variant with its trusted list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantCase {
    /// Its `id`, or its line number.
    pub name: String,
    pub fen: String,
    pub moves: BTreeSet<MoveText>,
}

/// Reads a perft-1 suite whose every line has its moves.
pub fn read_variant_cases(bytes: &[u8]) -> Result<Vec<VariantCase>, SuiteError> {
    let lines = read_suite(bytes).into_iter().map(|line| {
        let SuiteLine {
            line,
            column,
            fen,
            id,
            moves,
            ..
        } = line?;
        let moves = moves.ok_or_else(|| SuiteError {
            line,
            column,
            reason: "the moves are missing: lm".to_owned(),
        })?;
        let name = id.unwrap_or_else(|| format!("line {line}"));
        Ok(VariantCase { name, fen, moves })
    });
    lines.collect()
}

/// An engine that lists the moves of a variant's positions by `go perft 1`.
#[derive(Debug)]
pub struct PerftOne {
    client: Client,
}

/// Why an engine gives no list.
#[derive(Debug, thiserror::Error)]
pub enum PerftOneError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("it has no option UCI_Variant")]
    NoVariants,
    #[error("its option UCI_Variant has no '{0}'")]
    UnknownVariant(String),
    #[error("no 'Nodes searched' within {} s", .0.as_secs_f64())]
    Late(Duration),
    #[error("its list has more than {MOST_LINES} lines")]
    Endless,
}

/// The greatest number of lines of one answer.
const MOST_LINES: usize = 10_000;
/// Fairy-Stockfish's option for a file of variants, which are not among the values that it has printed before.
const FROM_FILE: &str = "VariantPath";

impl PerftOne {
    /// Starts an engine and sets its options, the variant last.
    pub fn start(
        command: &CommandLine,
        options: &[(String, String)],
        variant: &str,
        cancel: Cancel,
        timeout: Duration,
    ) -> Result<Self, PerftOneError> {
        let mut client = Client::start(&Start {
            cancel,
            ..Start::new(command.clone())
        })?;
        client.handshake(timeout)?;
        let set = |name: &str, value: &str| format!("setoption name {name} value {value}");
        for (name, value) in options {
            client.send_line(&set(name, value))?;
        }
        let is_from_file = options.iter().any(|(name, _)| name == FROM_FILE);
        match client.option("UCI_Variant").map(|option| &option.kind) {
            // Every engine plays chess.
            None if variant == "chess" => {}
            None => return Err(PerftOneError::NoVariants),
            Some(OptionKind::Combo { vars, .. })
                if !is_from_file && !vars.iter().any(|known| known == variant) =>
            {
                return Err(PerftOneError::UnknownVariant(variant.to_owned()));
            }
            Some(_) => {
                // By now the engine has read the file of `VariantPath`, in which the variant may
                // be.
                client.send_line(&set("UCI_Variant", variant))?;
            }
        }
        client.synchronise(timeout)?;
        Ok(Self { client })
    }

    /// The name in the engine's `id name`.
    pub fn name(&self) -> Option<String> {
        self.client.id().name.clone()
    }

    /// The moves that it lists, as it writes them.
    pub fn moves(&mut self, fen: &str, timeout: Duration) -> Result<Vec<String>, PerftOneError> {
        self.client
            .send_lines(&[&format!("position fen {fen}"), "go perft 1"])?;
        let deadline = soon(timeout);
        let mut moves = Vec::new();
        for _ in 0..MOST_LINES {
            let line = match self.client.next_line(deadline)? {
                Received::Line(line) => line.text,
                Received::Eof => return Err(self.client.ended().into()),
                Received::TimedOut => return Err(PerftOneError::Late(timeout)),
                Received::Cancelled => return Err(EngineError::Cancelled.into()),
            };
            // Stockfish and its descendants end a perft with `Nodes searched: 20`.
            if line.to_ascii_lowercase().starts_with("nodes searched") {
                return Ok(moves);
            }
            moves.extend(row(&line));
        }
        Err(PerftOneError::Endless)
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a deadline for the engine, which is outside"
)]
fn soon(timeout: Duration) -> Instant {
    Instant::now() + timeout
}

/// The move of a row such as `e2e4: 1`; `None` for any other line.
fn row(line: &str) -> Option<String> {
    let (mv, nodes) = line.split_once(':')?;
    // A move is one word: other output, such as `Nodes searched: 20`, has blanks before its colon.
    let is_row = nodes.trim().parse::<u64>().is_ok() && !mv.trim().contains(' ');
    is_row.then(|| mv.trim().to_owned())
}

/// What an engine's list lacks and has too much, against a trusted one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariantDifference {
    /// Trusted moves that it does not list.
    pub missing: Vec<MoveText>,
    /// What it lists besides, as it writes it; a move that it lists twice too.
    pub superfluous: Vec<String>,
}

impl VariantDifference {
    /// Compares a list with a trusted one.
    pub fn new(trusted: &BTreeSet<MoveText>, listed: &[String]) -> Self {
        let mut seen = BTreeSet::new();
        let mut superfluous = Vec::new();
        for text in listed {
            match text.parse::<MoveText>() {
                Ok(mv) if trusted.contains(&mv) && seen.insert(mv.clone()) => {}
                _ => superfluous.push(text.clone()),
            }
        }
        let missing = trusted.difference(&seen).cloned().collect();
        Self {
            missing,
            superfluous,
        }
    }

    fn agrees(&self) -> bool {
        *self == Self::default()
    }
}

/// A position and what the engine lists of it: the number of moves and the difference, or why there is none.
pub type VariantChecked = (VariantCase, Result<(usize, VariantDifference), String>);

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct VariantVerdict {
    pub variant: String,
    /// The name in the engine's `id name`.
    pub engine: Option<String>,
    pub checked: Vec<VariantChecked>,
    /// Why the run ended before the last position.
    pub stopped: Option<String>,
}

impl VariantVerdict {
    pub fn agreed(&self) -> usize {
        self.count(|of| matches!(of, Ok((_, difference)) if difference.agrees()))
    }

    pub fn differing(&self) -> usize {
        self.count(|of| matches!(of, Ok((_, difference)) if !difference.agrees()))
    }

    /// Number of positions for which the engine gave no list.
    pub fn failed(&self) -> usize {
        self.count(Result::is_err)
    }

    fn count(
        &self,
        is_wanted: impl Fn(&Result<(usize, VariantDifference), String>) -> bool,
    ) -> usize {
        let outcomes = self.checked.iter().map(|(_, outcome)| outcome);
        outcomes.filter(|outcome| is_wanted(outcome)).count()
    }

    /// Human-readable report: each position that does not agree, and the totals.
    pub fn human(&self) -> String {
        let mut text = String::new();
        for (case, outcome) in &self.checked {
            match outcome {
                Ok((_, difference)) if difference.agrees() => {}
                Ok((listed, difference)) => {
                    let trusted = case.moves.len();
                    let (name, fen) = (&case.name, &case.fen);
                    let _ = writeln!(text, "{name}: {listed} listed, {trusted} trusted: {fen}");
                    for mv in &difference.missing {
                        let _ = writeln!(text, "  missing {mv}");
                    }
                    for mv in &difference.superfluous {
                        // Control characters in an engine's output could move the cursor of a
                        // terminal.
                        let _ = writeln!(text, "  superfluous {}", mv.escape_debug());
                    }
                }
                Err(why) => {
                    let _ = writeln!(text, "{}: no list: {why}", case.name);
                }
            }
        }
        if let Some(why) = &self.stopped {
            let _ = writeln!(text, "stopped: {why}");
        }
        let name = self
            .engine
            .as_deref()
            .unwrap_or("the engine")
            .escape_debug();
        let _ = writeln!(
            text,
            "{name}, {}: {}, {} agreed, {} differ, {} without a list",
            self.variant,
            counted(self.checked.len(), "position"),
            self.agreed(),
            self.differing(),
            self.failed()
        );
        text
    }

    /// The report as `touchstone/crowd-verify/1`, with the variant, and moves as texts.
    pub fn json(&self) -> String {
        let position = |(case, outcome): &VariantChecked| -> Value {
            let (name, fen, trusted) = (&case.name, &case.fen, case.moves.len());
            match outcome {
                Ok((
                    listed,
                    VariantDifference {
                        missing,
                        superfluous,
                    },
                )) => json!({
                    "name": name, "fen": fen, "trusted": trusted, "listed": listed,
                    "outcome": if missing.is_empty() && superfluous.is_empty() { "agreed" } else { "differs" },
                    "missing": missing, "superfluous": superfluous,
                }),
                Err(why) => json!({
                    "name": name, "fen": fen, "trusted": trusted, "outcome": "failed", "why": why,
                }),
            }
        };
        let document = json!({
            "schema": "touchstone/crowd-verify/1",
            "variant": self.variant,
            "engine": self.engine,
            "agreed": self.agreed(),
            "differing": self.differing(),
            "failed": self.failed(),
            "stopped": self.stopped,
            "positions": self.checked.iter().map(position).collect::<Vec<_>>(),
        });
        serde_json::to_string_pretty(&document).expect("plain values can be written") + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_moves_with_a_count() {
        for (line, expected) in [
            ("e2e4: 1", Some("e2e4")),
            ("P@j10: 1", Some("P@j10")),
            ("info string variant x files 8", None),
            ("info string: 1", None),
            ("Nodes searched: 20", None),
            ("", None),
        ] {
            assert_eq!(row(line).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn differences_are_named() {
        let cases = read_variant_cases(b"8/8 w ;D1 2 ;lm a1a2 P@b2\n8/8 b ;id mate ;lm\n");
        let cases = cases.expect("good");
        assert_eq!((&*cases[0].name, &*cases[1].name), ("line 1", "mate"));
        let listed = ["a1a2", "a1a2", "c1c2", "x"].map(str::to_owned);
        let found = VariantDifference::new(&cases[0].moves, &listed);
        assert_eq!(found.missing[0].as_str(), "P@b2");
        assert_eq!(found.superfluous, ["a1a2", "c1c2", "x"]);
        assert!(VariantDifference::new(&cases[1].moves, &[]).agrees());
        let verdict = VariantVerdict {
            variant: "tiny".to_owned(),
            checked: vec![
                (cases[0].clone(), Ok((4, found))),
                (cases[1].clone(), Err("late".to_owned())),
            ],
            ..VariantVerdict::default()
        };
        assert_eq!(
            verdict.human(),
            "line 1: 4 listed, 2 trusted: 8/8 w\n  missing P@b2\n  superfluous a1a2\n  superfluous c1c2\n  \
             superfluous x\nmate: no list: late\nthe engine, tiny: 2 positions, 0 agreed, 1 differ, 1 without a list\n"
        );
        assert!(verdict.json().contains("\"outcome\": \"differs\""));
        let error = read_variant_cases(b"8/8 w ;D1 2").expect_err("no moves");
        assert_eq!(
            error.to_string(),
            "line 1, column 1: the moves are missing: lm"
        );
    }
}
