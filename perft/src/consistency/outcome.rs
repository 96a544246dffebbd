//! The result of a run: what was checked how often, what is wrong, and the verdict.

use std::time::Duration;

use crate::count::subject::Failure;
use crate::engine_check::ledger::EngineVerdict;

use super::fen_fields::FenPart;
use super::question::{ConsistencyQuestion, ListedMoves, MoveFeature};

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ConsistencyFault {
    Fen(FenPart),
    Checkers,
    /// The key by moves is not the key of the same position by FEN.
    IncrementalKey,
    /// Two orders of the same moves give two keys.
    TranspositionKey,
    /// Two positions that differ in castling rights alone have one key.
    KeyIgnoresCastling,
    /// Two positions that differ in a legal en passant capture alone have one key.
    KeyIgnoresEp,
    /// Two positions that differ in the side to move alone have one key.
    KeyIgnoresSide,
    /// Two other positions have one key.
    KeyCollision,
    /// After a search, the engine prints another position or key than before.
    Search,
    List(ListedMoves),
}

impl ConsistencyFault {
    /// A stable name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Fen(FenPart::Board) => "fen-board",
            Self::Fen(FenPart::Side) => "fen-side-to-move",
            Self::Fen(FenPart::Castling) => "fen-castling",
            Self::Fen(FenPart::EpSquare) => "fen-ep-square",
            Self::Fen(FenPart::Clocks) => "fen-clocks",
            Self::Checkers => "checkers",
            Self::IncrementalKey => "incremental-key",
            Self::TranspositionKey => "transposition-key",
            Self::KeyIgnoresCastling => "key-ignores-castling",
            Self::KeyIgnoresEp => "key-ignores-ep",
            Self::KeyIgnoresSide => "key-ignores-side-to-move",
            Self::KeyCollision => "key-collision",
            Self::Search => "search-changes-position",
            Self::List(ListedMoves::Legal) => "list-legal",
            Self::List(ListedMoves::Captures) => "list-captures",
            Self::List(ListedMoves::Evasions) => "list-evasions",
            Self::List(ListedMoves::Checks) => "list-checks",
        }
    }

    /// One sentence without its end.
    pub(crate) const fn sentence(self) -> &'static str {
        match self {
            Self::Fen(FenPart::Board) => "the pieces of the FEN are wrong",
            Self::Fen(FenPart::Side) => "the side to move of the FEN is wrong",
            Self::Fen(FenPart::Castling) => "the castling rights of the FEN are wrong",
            Self::Fen(FenPart::EpSquare) => {
                "the en passant square of the FEN is wrong by every convention"
            }
            Self::Fen(FenPart::Clocks) => "a clock of the FEN is wrong",
            Self::Checkers => "the checkers are wrong",
            Self::IncrementalKey => {
                "the key after moves is not the key of the same position given by FEN"
            }
            Self::TranspositionKey => "two orders of the same moves give different keys",
            Self::KeyIgnoresCastling => {
                "positions that differ in their castling rights have the same key"
            }
            Self::KeyIgnoresEp => {
                "a position where an en passant capture is legal and the same without it have the same key"
            }
            Self::KeyIgnoresSide => "positions that differ in the side to move have the same key",
            Self::KeyCollision => "two different positions have the same key",
            Self::Search => "a search changes the position that the engine prints",
            Self::List(_) => "the list of moves is wrong",
        }
    }

    pub(crate) const fn aspect(self) -> Aspect {
        match self {
            Self::Fen(FenPart::Clocks) => Aspect::Clocks,
            Self::Fen(_) => Aspect::Fen,
            Self::Checkers => Aspect::Checkers,
            Self::IncrementalKey => Aspect::IncrementalKey,
            Self::TranspositionKey => Aspect::TranspositionKey,
            Self::KeyIgnoresCastling
            | Self::KeyIgnoresEp
            | Self::KeyIgnoresSide
            | Self::KeyCollision => Aspect::DistinctKeys,
            Self::Search => Aspect::Search,
            Self::List(set) => Aspect::List(set),
        }
    }
}

/// What is checked: a row of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Aspect {
    Fen,
    Clocks,
    Checkers,
    IncrementalKey,
    TranspositionKey,
    DistinctKeys,
    Search,
    List(ListedMoves),
}

impl Aspect {
    // The order is that of the report's rows.
    pub(crate) const ALL: [Self; 11] = [
        Self::Fen,
        Self::Clocks,
        Self::Checkers,
        Self::IncrementalKey,
        Self::TranspositionKey,
        Self::DistinctKeys,
        Self::Search,
        Self::List(ListedMoves::Legal),
        Self::List(ListedMoves::Captures),
        Self::List(ListedMoves::Evasions),
        Self::List(ListedMoves::Checks),
    ];

    /// A stable name.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Fen => "fen",
            Self::Clocks => "clocks",
            Self::Checkers => "checkers",
            Self::IncrementalKey => "incremental-key",
            Self::TranspositionKey => "transposition-key",
            Self::DistinctKeys => "distinct-keys",
            Self::Search => "search",
            Self::List(ListedMoves::Legal) => "list-legal",
            Self::List(ListedMoves::Captures) => "list-captures",
            Self::List(ListedMoves::Evasions) => "list-evasions",
            Self::List(ListedMoves::Checks) => "list-checks",
        }
    }

    /// Why it is not checked, unless something special is known.
    const fn missing(self) -> &'static str {
        match self {
            Self::Fen => "no line Fen",
            Self::Clocks => "no clocks in the line Fen",
            Self::Checkers => "no line Checkers",
            Self::IncrementalKey | Self::TranspositionKey | Self::DistinctKeys => "no line Key",
            Self::Search => "nothing is printed before and after a short search",
            Self::List(_) => "no such position was met",
        }
    }
}

/// Lines to send, and what the engine prints then.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Reproduction {
    pub(crate) lines: Vec<String>,
    pub(crate) printed: String,
}

/// A fault as one question shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConsistencySymptom {
    pub(crate) kind: ConsistencyFault,
    /// Of [`ConsistencyFault::IncrementalKey`]: what the last move does. None for a quiet move.
    pub(crate) cause: Vec<MoveFeature>,
    pub(crate) expected: String,
    pub(crate) evidence: Vec<Reproduction>,
}

impl ConsistencySymptom {
    /// A fault without a cause. An option is set once, in the first of the evidence.
    pub(crate) fn new(
        kind: ConsistencyFault,
        expected: String,
        mut evidence: Vec<Reproduction>,
    ) -> Self {
        // Later lines are sent to the same engine, which has the option already.
        for later in evidence.iter_mut().skip(1) {
            later.lines.retain(|line| !line.starts_with("setoption "));
        }
        Self {
            kind,
            cause: Vec::new(),
            expected,
            evidence,
        }
    }

    /// Whether a fault that shows in `other` shows here too, because this one has the same kind and
    /// every property of the move that causes the other.
    pub(crate) fn is_explained_by(&self, other: &Self) -> bool {
        self.kind == other.kind && other.cause.iter().all(|one| self.cause.contains(one))
    }
}

/// A fault with its shortest example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConsistencyFinding {
    pub(crate) symptom: ConsistencySymptom,
    /// The shortest question that shows it.
    pub(crate) question: ConsistencyQuestion,
    /// Number of the game in which it was found, from 1.
    pub(crate) game: usize,
    /// Whether it showed again when asked again.
    pub(crate) is_steady: bool,
}

/// A question without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unanswered {
    /// The lines that were sent.
    pub(crate) lines: Vec<String>,
    pub(crate) failure: Failure,
    pub(crate) transcript: String,
}

/// What the engine printed on the first `position` and the first `d`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FirstDisplay {
    /// At least one of the three lines was read.
    Displays,
    /// None was.
    NoDisplay { transcript: String },
    /// The engine could not be started, or did not answer.
    Failed {
        failure: Failure,
        transcript: String,
    },
}

/// The result of checking an engine.
#[derive(Clone, Debug)]
pub(crate) struct ConsistencyOutcome {
    pub(crate) command: String,
    /// As the engine calls itself.
    pub(crate) name: Option<String>,
    pub(crate) seed: u64,
    /// The command that prints the position; the first that was tried if none does.
    pub(crate) ask: String,
    pub(crate) start: FirstDisplay,
    /// Games that have ended, also by a failure.
    pub(crate) games: usize,
    /// Games that were to be played.
    pub(crate) planned: usize,
    /// Positions after a move or at the start of a game.
    pub(crate) positions: usize,
    pub(crate) questions: u64,
    checked: [u64; Aspect::ALL.len()],
    /// Special reasons why something is not checked.
    not_checked: Vec<(Aspect, String)>,
    pub(crate) findings: Vec<ConsistencyFinding>,
    pub(crate) incidents: Vec<Unanswered>,
    /// Remarks on what was found but is no fault.
    pub(crate) notes: Vec<String>,
    /// Wall-clock time.
    pub(crate) time: Duration,
    pub(crate) interrupted: bool,
}

impl ConsistencyOutcome {
    pub(crate) fn new(command: &str, seed: u64, planned: usize) -> Self {
        Self {
            command: command.to_owned(),
            name: None,
            seed,
            ask: "d".to_owned(),
            start: FirstDisplay::Displays,
            games: 0,
            planned,
            positions: 0,
            questions: 0,
            checked: [0; Aspect::ALL.len()],
            not_checked: Vec::new(),
            findings: Vec::new(),
            incidents: Vec::new(),
            notes: Vec::new(),
            time: Duration::ZERO,
            interrupted: false,
        }
    }

    fn index(aspect: Aspect) -> usize {
        let index = Aspect::ALL.iter().position(|&one| one == aspect);
        index.expect("all aspects are listed")
    }

    /// Counts a comparison.
    pub(crate) fn count(&mut self, aspect: Aspect) {
        self.checked[Self::index(aspect)] += 1;
    }

    /// Number of comparisons.
    pub(crate) fn checked(&self, aspect: Aspect) -> u64 {
        self.checked[Self::index(aspect)]
    }

    /// Gives up an aspect, for a reason.
    pub(crate) fn give_up(&mut self, aspect: Aspect, why: String) {
        self.not_checked.push((aspect, why));
    }

    pub(crate) fn is_given_up(&self, aspect: Aspect) -> bool {
        self.not_checked.iter().any(|(one, _)| *one == aspect)
    }

    /// Why an aspect is not checked, if it is not.
    pub(crate) fn why_not(&self, aspect: Aspect) -> Option<&str> {
        let given_up = self.not_checked.iter().find(|(one, _)| *one == aspect);
        match given_up {
            Some((_, why)) => Some(why),
            None if self.checked(aspect) > 0 => None,
            // There are lines Key, but no two of them stand for one position.
            None if matches!(aspect, Aspect::IncrementalKey | Aspect::TranspositionKey)
                && self.checked(Aspect::DistinctKeys) > 0 =>
            {
                Some("no position was printed in two ways")
            }
            None => Some(aspect.missing()),
        }
    }

    /// The findings of an aspect.
    pub(crate) fn of_aspect(&self, aspect: Aspect) -> impl Iterator<Item = &ConsistencyFinding> {
        let findings = self.findings.iter();
        findings.filter(move |finding| finding.symptom.kind.aspect() == aspect)
    }

    pub(crate) fn verdict(&self) -> EngineVerdict {
        let checked = self.checked.iter().sum::<u64>();
        match &self.start {
            // A run that was not finished has no verdict.
            _ if self.interrupted => EngineVerdict::Interrupted,
            FirstDisplay::Failed { .. } => EngineVerdict::DoesNotStart,
            FirstDisplay::NoDisplay { .. } => EngineVerdict::NotUnderstood,
            // A fault that was shown stands, whatever remained without an answer.
            FirstDisplay::Displays if !self.findings.is_empty() => EngineVerdict::Wrong,
            FirstDisplay::Displays if !self.incidents.is_empty() => EngineVerdict::Failed,
            // Exit code 0 never means unchecked.
            FirstDisplay::Displays if checked == 0 => EngineVerdict::Nothing,
            FirstDisplay::Displays => EngineVerdict::Right,
        }
    }
}
