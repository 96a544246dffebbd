//! The result of a case as text, for journals and other machines. Pure.
//!
//! It holds what the engine reported, not how that was judged: the reader judges it by the
//! goals of the plan, as if the engine had just answered.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use uci::grammar::{Message, Reply};

use super::ledger::{SearchFault, SearchOutcome};
use super::plan::RunCase;
use super::score::{OutputRecorder, Search, judge};

/// What an engine did on a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) enum CaseResult {
    /// It answered: its search, or one for each move of a puzzle.
    Searched(Vec<SearchText>),
    /// It failed.
    Failed {
        fault: FaultText,
        transcript: String,
    },
}

/// A search as the engine reported it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchText {
    /// The move of `bestmove`; absent if the search was stopped early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    best_move: Option<String>,
    /// Nanoseconds from `go` to the end.
    ns: u64,
    infos: Vec<InfoText>,
}

/// An `info` with the time since `go`, by our clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct InfoText {
    /// Nanoseconds, so that all that is computed from it later is the same.
    ns: u64,
    /// Such as `depth 4 score cp 13 nodes 977 pv e2e4 e7e5`.
    info: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) enum FaultText {
    Crashed(String),
    Hung(String),
    /// The nanoseconds after which it was stopped.
    Overdue(u64),
    Illegal(String),
}

/// A result that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct ReadResultError(String);

impl CaseResult {
    /// The text of a result; `None` if the engine was not asked. `searches` are those of an answer.
    pub(crate) fn new(outcome: &SearchOutcome, searches: &[Search]) -> Option<Self> {
        match outcome {
            SearchOutcome::NeedsChess960 => None,
            SearchOutcome::Answered(_) => Some(Self::Searched(
                searches.iter().map(SearchText::new).collect(),
            )),
            SearchOutcome::Failed { fault, transcript } => Some(Self::Failed {
                fault: FaultText::new(fault),
                transcript: transcript.clone(),
            }),
        }
    }

    /// Judges the result by the goal of its case.
    ///
    /// # Errors
    ///
    /// When a move or an `info` cannot be read, or the best move is not legal in this case.
    pub(crate) fn judge(self, case: &RunCase) -> Result<SearchOutcome, ReadResultError> {
        let texts = match self {
            Self::Failed { fault, transcript } => {
                let fault = fault.read();
                return Ok(SearchOutcome::Failed { fault, transcript });
            }
            Self::Searched(texts) => texts,
        };
        let (found, expected) = (texts.len(), case.steps().count());
        if found != expected {
            let reason = format!("{found} searches of the position, expected {expected}");
            return Err(ReadResultError(reason));
        }
        let searches = texts.iter().zip(case.steps());
        let searches = searches.map(|(text, (position, _))| {
            text.read(OutputRecorder::with_lines(case.lines_of(position)))
        });
        let searches: Vec<Search> = searches.collect::<Result<_, _>>()?;
        let answer = judge(case, &searches);
        let answer = answer.map_err(|error| ReadResultError(error.to_string()))?;
        Ok(SearchOutcome::Answered(Box::new(answer)))
    }
}

impl SearchText {
    fn new(search: &Search) -> Self {
        let infos = search.heard.iter();
        let infos = infos.map(|(time, info)| InfoText {
            ns: nanoseconds(*time),
            info: info.to_string().trim_start().to_owned(),
        });
        Self {
            best_move: (!search.is_stopped).then(|| search.reply.to_string()),
            ns: nanoseconds(search.end.time),
            infos: infos.collect(),
        }
    }

    /// Records everything again.
    fn read(&self, mut recorder: OutputRecorder) -> Result<Search, ReadResultError> {
        for InfoText { ns, info } in &self.infos {
            match Message::parse(&format!("info {info}")) {
                Message::Info(info) => recorder.info(Duration::from_nanos(*ns), &info),
                _ => return Err(ReadResultError(format!("'{info}' is not an info"))),
            };
        }
        let time = Duration::from_nanos(self.ns);
        if let Some(text) = &self.best_move {
            return Ok(recorder.finish(time, reply(text)?));
        }
        let fail = || ReadResultError("neither best_move nor a PV".to_owned());
        recorder.stop(time).ok_or_else(fail)
    }
}

/// Reads a move as the engine wrote it after `bestmove`.
fn reply(text: &str) -> Result<Reply, ReadResultError> {
    match Message::parse(&format!("bestmove {text}")) {
        Message::BestMove(best_move) => Ok(best_move.reply),
        _ => Err(ReadResultError(format!("'{text}' is not a move"))),
    }
}

impl FaultText {
    fn new(fault: &SearchFault) -> Self {
        match fault {
            SearchFault::Crashed { how } => Self::Crashed(how.clone()),
            SearchFault::Hung { what } => Self::Hung(what.clone()),
            SearchFault::Overdue { after } => Self::Overdue(nanoseconds(*after)),
            SearchFault::Illegal { what } => Self::Illegal(what.clone()),
        }
    }

    fn read(self) -> SearchFault {
        match self {
            Self::Crashed(how) => SearchFault::Crashed { how },
            Self::Hung(what) => SearchFault::Hung { what },
            Self::Overdue(ns) => SearchFault::Overdue {
                after: Duration::from_nanos(ns),
            },
            Self::Illegal(what) => SearchFault::Illegal { what },
        }
    }
}

/// A time in nanoseconds; 585 years and more are the same.
pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
