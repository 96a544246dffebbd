//! Trials of engines: they count every position of the suites, and every wrong answer is hunted
//! down.
//!
//! [`case`] defines the test cases, [`ledger`] holds the results and the verdict; `run` does the
//! asking.

pub mod case;
mod examine;
pub mod ledger;
pub(crate) mod routes;
pub(crate) mod run;

use chess::notation::fen;
use chess::rules::explain;
use uci::perft::uci_moves;

use crate::hunt::Finding;
use ledger::Trial;

/// The rule that the first wrong move of a finding concerns, in one word.
pub fn rule(finding: &Finding) -> Option<&'static str> {
    let m = finding.fault.wrong_moves().first()?.to_move()?;
    let explained = explain::explain(finding.shown.position(), m);
    Some(explained.rule().as_str())
}

/// The command that reproduces a finding.
pub fn again(trial: &Trial, finding: &Finding) -> String {
    let route = &finding.shown.route;
    let moves = uci_moves(route);
    let moves = match moves.as_slice() {
        [] => String::new(),
        moves => format!(" moves {}", moves.join(" ")),
    };
    let fen = fen::write(route.root());
    let mut words = vec!["perft", "check", trial.flag(), &trial.command];
    words.extend(trial.arguments.iter().map(String::as_str));
    let (position, depth) = (format!("{fen}{moves}"), finding.shown.depth.to_string());
    words.extend(["--fen", &position, "--depth", &depth]);
    let quote = |word| shlex::try_quote(word).expect("no argument of a program holds a NUL");
    words.into_iter().map(quote).collect::<Vec<_>>().join(" ")
}
