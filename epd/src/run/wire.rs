//! The result of a case as text, for journals and other machines. Pure.
//!
//! It holds what the engine reported, not how that was judged: whoever reads it judges it by the
//! goals of the plan, as if the engine had just answered.

use std::time::Duration;

use chess::notation::uci_move::UciMove;
use serde::{Deserialize, Serialize};
use uci::grammar::{Info, Message, Reply, Score};

use super::ledger::{Fault, SearchOutcome};
use super::plan::Case;
use super::score::{Moment, Observation, Search, assess};

/// What an engine did on a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) enum CaseResult {
    /// It answered: its search.
    Searched(SearchText),
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
    /// The move of `bestmove`.
    best_move: String,
    /// What was known at the end.
    end: InfoText,
    /// Every PV, in order.
    pvs: Vec<InfoText>,
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
    /// The text of a result; `None` if the engine was not asked. `search` is that of an answer.
    pub(crate) fn new(outcome: &SearchOutcome, search: Option<&Search>) -> Option<Self> {
        match (outcome, search) {
            (SearchOutcome::Failed { fault, transcript }, _) => Some(Self::Failed {
                fault: FaultText::new(fault),
                transcript: transcript.clone(),
            }),
            (SearchOutcome::Answered(_), Some(search)) => {
                Some(Self::Searched(SearchText::new(search)))
            }
            _ => None,
        }
    }

    /// Judges the result by the goal of its case.
    ///
    /// # Errors
    ///
    /// When a move or an `info` cannot be read, or the best move is not legal in this case.
    pub(crate) fn judge(self, case: &Case) -> Result<SearchOutcome, ReadResultError> {
        let search = match self {
            Self::Failed { fault, transcript } => {
                let fault = fault.read();
                return Ok(SearchOutcome::Failed { fault, transcript });
            }
            Self::Searched(search) => search.read()?,
        };
        let position = case.record.position();
        let answer = assess(&search, &case.goal, position, position.castling_mode());
        let answer = answer.map_err(|error| ReadResultError(error.to_string()))?;
        Ok(SearchOutcome::Answered(Box::new(answer)))
    }
}

impl SearchText {
    fn new(search: &Search) -> Self {
        let pvs = search.observations.iter();
        let pvs = pvs.map(|one| InfoText::new(one.moment, one.score, &one.pv));
        Self {
            best_move: search.reply.to_string(),
            end: InfoText::new(search.end, None, &[]),
            pvs: pvs.collect(),
        }
    }

    fn read(&self) -> Result<Search, ReadResultError> {
        let pv = |text: &InfoText| match text.read()? {
            (_, info) if info.pv.is_empty() => {
                Err(ReadResultError(format!("'{}' has no PV", text.info)))
            }
            (moment, info) => Ok(Observation {
                moment,
                score: info.score,
                pv: info.pv,
            }),
        };
        Ok(Search {
            observations: self.pvs.iter().map(pv).collect::<Result<_, _>>()?,
            reply: reply(&self.best_move)?,
            end: self.end.read()?.0,
        })
    }
}

/// Reads a move as the engine wrote it after `bestmove`.
fn reply(text: &str) -> Result<Reply, ReadResultError> {
    match Message::parse(&format!("bestmove {text}")) {
        Message::BestMove(best_move) => Ok(best_move.reply),
        _ => Err(ReadResultError(format!("'{text}' is not a move"))),
    }
}

impl InfoText {
    fn new(moment: Moment, score: Option<Score>, pv: &[UciMove]) -> Self {
        let info = Info {
            depth: moment.depth,
            nodes: moment.nodes,
            score,
            pv: pv.to_vec(),
            ..Info::default()
        };
        Self {
            ns: nanoseconds(moment.time),
            info: info.to_string().trim_start().to_owned(),
        }
    }

    fn read(&self) -> Result<(Moment, Info), ReadResultError> {
        let text = &self.info;
        let Message::Info(info) = Message::parse(&format!("info {text}")) else {
            return Err(ReadResultError(format!("'{text}' is not an info")));
        };
        let moment = Moment {
            depth: info.depth,
            nodes: info.nodes,
            time: Duration::from_nanos(self.ns),
        };
        Ok((moment, *info))
    }
}

impl FaultText {
    fn new(fault: &Fault) -> Self {
        match fault {
            Fault::Crashed { how } => Self::Crashed(how.clone()),
            Fault::Hung { what } => Self::Hung(what.clone()),
            Fault::Overdue { after } => Self::Overdue(nanoseconds(*after)),
            Fault::Illegal { what } => Self::Illegal(what.clone()),
        }
    }

    fn read(self) -> Fault {
        match self {
            Self::Crashed(how) => Fault::Crashed { how },
            Self::Hung(what) => Fault::Hung { what },
            Self::Overdue(ns) => Fault::Overdue {
                after: Duration::from_nanos(ns),
            },
            Self::Illegal(what) => Fault::Illegal { what },
        }
    }
}

/// A time in nanoseconds; 585 years and more are the same.
pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
