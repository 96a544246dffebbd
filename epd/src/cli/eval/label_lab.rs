//! `epd eval label --lab URL`: the positions are one test of a lab.

use std::sync::OnceLock;
use std::time::Duration;

use chess::rules::Position;
use kit::Interrupt;
use queue::lab::LabArgs;
use uci::Start;

use crate::cli::input::Interrupted;
use crate::cli::lab::{LabKind, LabSearches};
use crate::eval::ask::{EvalFailure, EvalReply};
use crate::eval::pattern::ParsedEvaluation;
use crate::run::driver::{SearchRules, TestedEngine};
use crate::run::ledger::{Handshake, SearchOutcome};
use crate::run::plan::{PositionLimits, RunCase};
use crate::run::score::EarlyStop;

/// Time for a worker's engine to react to `stop`.
const MARGIN: Duration = Duration::from_secs(1);

/// A test of a lab that searches all positions, as `epd run --lab` does; nothing is asked but the score.
pub(super) struct LabelTest<'a> {
    pub(super) engine: &'a str,
    pub(super) start: Start,
    /// Time limit per position.
    pub(super) timeout: Duration,
    pub(super) limits: PositionLimits,
    pub(super) args: &'a LabArgs,
    pub(super) url: &'a str,
    pub(super) interrupt: &'a Interrupt,
    pub(super) is_quiet: bool,
}

impl LabelTest<'_> {
    /// White's scores; `None` if nobody is to wait for them.
    pub(super) fn run(&self, positions: &[Position]) -> anyhow::Result<Option<Vec<EvalReply>>> {
        let cases = positions
            .iter()
            .map(|&one| RunCase::without_goal(one, self.limits));
        let cases: Vec<RunCase> = cases.collect();
        let run = LabSearches {
            args: self.args,
            url: self.url,
            kind: LabKind::Label,
            cases: &cases,
            limits: self.limits,
            rules: SearchRules {
                concurrency: 1,
                repeat: 1,
                timeout: self.timeout,
                margin: MARGIN,
                early_stop: EarlyStop::default(),
            },
            interrupt: self.interrupt,
            is_quiet: self.is_quiet,
        };
        let engine = TestedEngine {
            name: self.engine.to_owned(),
            start: self.start.clone(),
            handshake: OnceLock::new(),
        };
        let Some(trials) = run.run(&[engine])? else {
            return Ok(None);
        };
        let trial = trials.first().ok_or(Interrupted)?;
        if let Handshake::Refused { reason, .. } | Handshake::Failed { reason, .. } =
            &trial.handshake
        {
            anyhow::bail!("{}: {reason}", self.engine);
        }
        let answer = |(index, position): (usize, &Position)| {
            let outcome = trial.outcomes(index).next()?;
            Some(score_of(outcome, position))
        };
        Ok(Some(positions.iter().enumerate().map(answer).collect()))
    }
}

/// The score of a search, or why there is none.
fn score_of(outcome: &SearchOutcome, position: &Position) -> Result<ParsedEvaluation, EvalFailure> {
    let fail = |reason: String| EvalFailure {
        reason,
        transcript: String::new(),
    };
    match outcome {
        SearchOutcome::Answered(answer) => {
            let score = answer
                .score
                .ok_or_else(|| fail("the search gave no score".to_owned()))?;
            Ok(ParsedEvaluation::of_search(score, position.side_to_move()))
        }
        SearchOutcome::Failed { fault, .. } => Err(fail(fault.to_string())),
        SearchOutcome::NeedsChess960 => {
            Err(fail("the engine has no option UCI_Chess960".to_owned()))
        }
    }
}
