//! JSON, one object each. The names of the keys and the schema are stable.

use std::collections::BTreeMap;
use std::io::Write;

use chess::notation::{fen, uci_move};
use chess::rules::Position;
use chess::rules::explain::explain;
use kit::report::Lazily;
use serde::Serialize;
use uci::perft::{Detection, Dialect, uci_moves};

use super::stages::ProgressReport;
use super::words::tried_lines;
use super::{CheckReport, EngineReport, Fens, described, finding};
use crate::engine_check::case::CheckCase;
use crate::engine_check::hunt::{HuntResult, WrongMove, as_written};
use crate::engine_check::ledger::{
    CaseOutcome, EngineCheck, EngineTotals, EngineVerdict, TagCount,
};
use crate::suite::check::ledger::{SuiteTotals, SuiteVerdict};
use crate::suite::check::plan::SuitePlan;

#[derive(Serialize)]
struct CheckObject<'a, C: Serialize> {
    schema: &'static str,
    verdict: SuiteVerdict,
    #[serde(flatten)]
    totals: SuiteTotals,
    seconds: f64,
    threads: usize,
    suites: Vec<SuiteReport<'a>>,
    /// A list of [`CountReport`].
    counts: C,
}

#[derive(Serialize)]
struct SuiteReport<'a> {
    name: &'a str,
    records: usize,
    positions: usize,
    diagnostics: Vec<DiagnosticReport>,
}

#[derive(Serialize)]
struct DiagnosticReport {
    line: usize,
    column: usize,
    severity: String,
    message: String,
}

#[derive(Serialize)]
struct CountReport<'a> {
    suite: &'a str,
    line: usize,
    id: Option<&'a str>,
    fen: String,
    depth: u32,
    expected: u64,
    /// `agrees`, `differs`, `uncountable` or `open`.
    state: &'static str,
    counted: Option<u64>,
    #[serde(rename = "witness")]
    oracle: Option<u64>,
    seconds: Option<f64>,
}

pub(super) fn check<'a>(report: &'a CheckReport<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let CheckReport { plan, ledger, .. } = report;
    let count_report = |fens: &mut Fens<'a>, (suite, count, state): (&'a str, _, _)| {
        let (state, counted, oracle, seconds) = described(count, state);
        CountReport {
            suite,
            line: count.record.line(),
            id: count.record.id(),
            fen: fens.of(count),
            depth: count.depth,
            expected: count.expected,
            state,
            counted,
            oracle,
            seconds,
        }
    };
    let object = CheckObject {
        schema: "touchstone/perft-check/1",
        verdict: ledger.verdict(plan),
        totals: ledger.totals(plan, None),
        seconds: report.time.as_secs_f64(),
        threads: report.threads,
        suites: plan.suites.iter().map(suite_report).collect(),
        counts: Lazily(|| {
            let mut fens = Fens::default();
            let counts = report.counts();
            counts.map(move |count| count_report(&mut fens, count))
        }),
    };
    kit::report::json(&object, out)
}

fn suite_report(suite: &SuitePlan) -> SuiteReport<'_> {
    let diagnostics = suite.diagnostics.iter().map(|diagnostic| DiagnosticReport {
        line: diagnostic.line,
        column: diagnostic.column,
        severity: diagnostic.severity().to_string(),
        message: diagnostic.problem.to_string(),
    });
    SuiteReport {
        name: &suite.name,
        records: suite.records,
        positions: suite.positions,
        diagnostics: diagnostics.collect(),
    }
}

#[derive(Serialize)]
struct EnginesObject<'a, E: Serialize> {
    schema: &'static str,
    seconds: f64,
    suites: Vec<SuiteReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    random: Option<RandomReport>,
    /// A list of [`EngineObject`].
    engines: E,
}

/// The positions of a seed that were asked.
#[derive(Serialize)]
struct RandomReport {
    seed: u64,
    skipped: u32,
    end: u32,
    /// How many positions have a feature.
    features: BTreeMap<&'static str, u64>,
}

#[derive(Serialize)]
struct EngineObject<'a, P: Serialize> {
    command: &'a str,
    name: Option<&'a str>,
    dialect: Option<&'static str>,
    divides: Option<bool>,
    chess960: Option<bool>,
    /// The results of calibration, which determine how the engine is asked.
    calibration: Option<CalibrationReport<'a>>,
    /// Why the engine could not be tested.
    reason: Option<String>,
    verdict: EngineVerdict,
    #[serde(flatten)]
    totals: EngineTotals,
    /// What was asked of no position: `counts`, `moves and counts` or `deeper counts`.
    #[serde(skip_serializing_if = "Option::is_none")]
    never_asked: Option<&'static str>,
    seconds: f64,
    /// How far it has come in the suite `stages`.
    #[serde(skip_serializing_if = "Option::is_none")]
    stages: Option<ProgressReport<'a>>,
    faults: Vec<FaultReport<'a>>,
    tags: Vec<TagCount<'a>>,
    /// A list of [`PositionReport`].
    positions: P,
}

#[derive(Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is proved by itself")]
struct CalibrationReport<'a> {
    ask: &'a [String],
    fen: bool,
    moves: bool,
    promotions: bool,
    castling: bool,
    chess960: bool,
    rows: bool,
    totals: bool,
    limits: &'a [String],
}

#[derive(Serialize)]
struct FaultReport<'a> {
    kind: &'static str,
    rule: Option<&'static str>,
    /// What a move leaves behind wrong, if that is known.
    cause: Option<&'static str>,
    /// The moves that the engine lists wrongly.
    wrong_moves: Vec<WrongMoveReport>,
    fen: String,
    moves: Vec<String>,
    depth: u32,
    right: u64,
    counted: Option<u64>,
    text: String,
    again: String,
    positions: Vec<PlaceReport<'a>>,
}

#[derive(Serialize)]
struct WrongMoveReport {
    kind: &'static str,
    /// In UCI notation; `None` for a row that is not a move.
    r#move: Option<String>,
    /// What the engine lists: an unreadable row, or the pieces of a promotion.
    listed: Vec<String>,
    rule: Option<&'static str>,
}

#[derive(Serialize)]
struct PlaceReport<'a> {
    suite: &'a str,
    line: usize,
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
}

#[derive(Serialize)]
struct PositionReport<'a> {
    #[serde(flatten)]
    place: PlaceReport<'a>,
    fen: String,
    /// `right`, `wrong`, `failed`, `needs-chess960` or `open`.
    state: &'static str,
    /// The depth of the wrong or missing answer.
    depth: Option<u32>,
    right: Option<u64>,
    counted: Option<u64>,
    failure: Option<String>,
    transcript: Option<&'a str>,
    seconds: Option<f64>,
}

pub(super) fn engines(report: &EngineReport<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let suites = report.check.plan.suites.iter();
    let engines = || {
        report
            .engines
            .iter()
            .map(|engine| engine_object(report, engine))
    };
    let object = EnginesObject {
        schema: "touchstone/perft-check/1",
        seconds: report.check.time.as_secs_f64(),
        suites: suites.map(suite_report).collect(),
        random: report.random.map(|span| RandomReport {
            seed: span.start.seed,
            skipped: span.start.skipped,
            end: span.end,
            features: span.features.iter().collect(),
        }),
        engines: Lazily(engines),
    };
    kit::report::json(&object, out)
}

fn engine_object<'a>(
    report: &'a EngineReport<'_>,
    engine: &'a EngineCheck,
) -> EngineObject<'a, impl Serialize> {
    let (name, reason) = match &engine.detection {
        Detection::Understood(detected) => (detected.name.as_deref(), None),
        Detection::NotUnderstood { name, tried } => {
            (name.as_deref(), Some(tried_lines(tried).join("\n")))
        }
        Detection::Failed { reason } => (None, Some(reason.clone())),
    };
    let dialect = engine.dialect();
    let calibration = dialect.map(Dialect::calibration);
    let position = move |(index, case): (usize, CheckCase<'a>)| {
        let outcome = engine.outcome(index);
        let counts = outcome.and_then(CaseOutcome::counts);
        let (failure, transcript) = match outcome {
            Some(CaseOutcome::Failed {
                failure,
                transcript,
                ..
            }) => (Some(failure.to_string()), Some(transcript.as_str())),
            _ => (None, None),
        };
        PositionReport {
            place: place_report(report, case),
            fen: fen::write(case.route().position()),
            state: outcome.map_or("open", CaseOutcome::as_str),
            depth: engine.failing_depth(index).map(std::num::NonZeroU32::get),
            right: counts.map(|counts| counts.ours),
            counted: counts.and_then(|counts| counts.theirs),
            failure,
            transcript,
            seconds: engine.time_of(index).map(|time| time.as_secs_f64()),
        }
    };
    let faults = engine.faults().into_iter();
    EngineObject {
        command: &engine.command,
        name,
        dialect: dialect.map(|dialect| dialect.ask().name()),
        divides: calibration.map(|proved| proved.rows),
        chess960: calibration.map(|proved| proved.chess960),
        calibration: dialect.map(CalibrationReport::new),
        reason,
        verdict: engine.verdict(report.cases),
        totals: engine.totals(report.cases, None),
        never_asked: engine.never_asked(),
        seconds: engine.time.as_secs_f64(),
        stages: engine.progress(report.cases).map(ProgressReport::from),
        faults: faults
            .map(|fault| fault_report(report, engine, fault.finding, &fault.cases))
            .collect(),
        tags: engine.by_tag(report.cases),
        positions: Lazily(move || report.cases.iter().enumerate().map(position)),
    }
}

impl<'a> CalibrationReport<'a> {
    fn new(dialect: &'a Dialect) -> Self {
        let proved = dialect.calibration();
        Self {
            ask: dialect.ask().templates(),
            fen: proved.fen,
            moves: proved.moves,
            promotions: proved.promotions,
            castling: proved.castling,
            chess960: proved.chess960,
            rows: proved.rows,
            totals: proved.totals,
            limits: &proved.limits,
        }
    }
}

fn fault_report<'a>(
    report: &'a EngineReport<'_>,
    engine: &EngineCheck,
    finding: &HuntResult,
    cases: &[usize],
) -> FaultReport<'a> {
    let route = &finding.shown.route;
    let wrong_moves = finding.fault.wrong_moves().iter();
    let places = cases
        .iter()
        .map(|&case| place_report(report, report.cases.get(case)));
    FaultReport {
        kind: finding.fault.kind(),
        rule: finding.rule(),
        cause: finding.cause.map(|cause| cause.effect.as_str()),
        wrong_moves: wrong_moves
            .map(|wrong| wrong_move_report(wrong, finding.shown.position()))
            .collect(),
        fen: fen::write(route.root()),
        moves: uci_moves(route),
        depth: finding.shown.depth.get(),
        right: finding.counts.ours,
        counted: finding.counts.theirs,
        text: finding::write(finding, engine.dialect()),
        again: engine.again(finding),
        positions: places.collect(),
    }
}

fn wrong_move_report(wrong: &WrongMove, position: &Position) -> WrongMoveReport {
    let listed = match wrong {
        WrongMove::Promotions { listed, .. } => listed
            .iter()
            .map(|kind| kind.map_or_else(String::new, |kind| kind.to_char().to_string()))
            .collect(),
        WrongMove::Extra { text, .. } | WrongMove::Unreadable { text } if !text.is_empty() => {
            vec![text.clone()]
        }
        WrongMove::Duplicate { m, times } => vec![m.to_string(); *times],
        _ => Vec::new(),
    };
    let m = wrong.to_move().map(|m| as_written(m, position));
    WrongMoveReport {
        kind: wrong.kind(),
        r#move: m.map(|m| uci_move::write(m, position, position.castling_mode())),
        listed,
        rule: m.map(|m| explain(position, m).rule().as_str()),
    }
}

fn place_report<'a>(report: &'a EngineReport<'_>, case: CheckCase<'a>) -> PlaceReport<'a> {
    PlaceReport {
        suite: report.suite_name(case),
        line: case.line(),
        id: case.id(),
        source: case.source(),
    }
}

#[cfg(test)]
mod tests {
    use chess::rules::{Move, Square};

    use super::*;

    /// Inside, castling goes to the square of the rook, whether it stands there or has been captured. The
    /// text explains the move as UCI writes it.
    #[test]
    fn illegal_castling_is_named_as_in_the_text() {
        for text in [
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K2n w - - 0 1",
        ] {
            let position = fen::parse(text).expect("legal");
            let wrong = WrongMove::Extra {
                m: Move::new(Square::E1, Square::H1),
                text: String::new(),
            };
            let found = wrong_move_report(&wrong, &position);
            assert_eq!(found.r#move.as_deref(), Some("e1g1"), "{text}");
            assert_eq!(found.rule, Some("no-castling-right"), "{text}");
        }
    }
}
