//! The test bank: engines in many dialects, sound ones and broken ones, are checked by the program.
//!
//! Every engine is testkit's `examples/scripted_engine`, with a dialect and a bug of its `bank.toml`. Sound engines are
//! never accused; broken ones are found, and what is found is the bug. The verdict is read from the JSON report.

#[path = "../../../testkit/examples/scripted_engine/bank.rs"]
#[expect(dead_code, reason = "how an engine speaks is read by the engine")]
mod bank;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use bank::{Bank, Bug, Dialect, Protocol, Understood};
use regex::Regex;
use serde_json::Value;
use testkit::some;

use crate::common;

/// How many engines are checked side by side: most of the time is spent waiting for silence.
const THREADS: usize = 8;

/// The command of an engine, as it is written behind `--engine`.
fn engine(dialect: &Dialect, bug: Option<&Bug>) -> String {
    let bug = bug.map_or_else(String::new, |bug| format!(" --bug {}", bug.name));
    let words = match dialect.protocol {
        Protocol::Program => " --",
        _ => "",
    };
    let name = &dialect.name;
    format!("'{}' --dialect {name}{bug}{words}", common::path())
}

/// A check that has ended.
struct Checked {
    /// How to see it again.
    again: String,
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

/// Runs the program on an engine.
fn check(dialect: &Dialect, bug: Option<&Bug>) -> Checked {
    let engine = engine(dialect, bug);
    let mut arguments = vec!["check".to_owned()];
    match bug {
        Some(bug) if !bug.positions.is_empty() => {
            for position in &bug.positions {
                arguments.extend(["--fen".to_owned(), position.clone()]);
            }
            arguments.extend(["--depth".to_owned(), bug.depth.to_string()]);
        }
        _ => arguments.push("quick".to_owned()),
    }
    arguments.extend(bug.iter().flat_map(|bug| bug.arguments.clone()));
    let named = dialect.arguments.iter();
    arguments.extend(named.map(|argument| argument.replace("{engine}", &engine)));
    arguments.extend(["--jobs", "1", "--format", "json"].map(str::to_owned));
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let again = shlex::try_join(words.iter().copied()).expect("no argument has a zero byte");
    let command = common::command(Path::new(common::SUITES), &words);
    let mut command = assert_cmd::Command::from_std(command);
    let output = command
        .timeout(testkit::HANG)
        .output()
        .expect("the program starts");
    Checked {
        again: format!("perft {again}"),
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// What the report says of the engine.
struct Report {
    engine: Value,
    verdict: String,
}

impl Checked {
    /// The report; the exit code must say the same.
    fn report(&self) -> Result<Report, String> {
        let mut json: Value = serde_json::from_str(&self.stdout)
            .map_err(|error| format!("no report: {error}; {}", self.stderr))?;
        let engine = json["engines"][0].take();
        let verdict = engine["verdict"].as_str();
        let verdict = verdict.ok_or("the report has no verdict")?.to_owned();
        let code = match verdict.as_str() {
            "right" => 0,
            "wrong" => 1,
            "nothing" => 4,
            _ => 3,
        };
        if self.code != Some(code) {
            return Err(format!("verdict {verdict}, but exit code {:?}", self.code));
        }
        Ok(Report { engine, verdict })
    }
}

impl Report {
    /// What the calibration says.
    fn proved(&self, what: &str) -> Result<bool, String> {
        let value = &self.engine["calibration"][what];
        let value = value.as_bool();
        value.ok_or_else(|| format!("the calibration does not say whether it has {what}"))
    }

    /// What was understood, as far as the calibration says so.
    fn understood(&self) -> Result<Understood, String> {
        Ok(match self.verdict.as_str() {
            // An engine without perft whose moves say nothing of what was asked.
            "not-understood" | "nothing" => Understood::No,
            "failed" => Understood::Failed,
            "right" | "wrong" if !self.proved("fen")? => {
                return Err("judged although FEN is not proved".to_owned());
            }
            "right" | "wrong" if !self.proved("moves")? => Understood::FenOnly,
            "right" | "wrong" if !self.proved("rows")? => Understood::Totals,
            "right" | "wrong" => Understood::Full,
            other => return Err(format!("verdict {other}: {}", self.reasons())),
        })
    }

    /// Why it was not understood, or not in all.
    fn reasons(&self) -> String {
        let limits = self.engine["calibration"]["limits"].as_array();
        let limits = limits.into_iter().flatten().filter_map(Value::as_str);
        let reason = self.engine["reason"].as_str();
        limits.chain(reason).collect::<Vec<_>>().join("\n")
    }
}

/// Whether a check of a sound engine came to what it must.
fn judge_sound(dialect: &Dialect, checked: &Checked) -> Result<(), String> {
    let report = checked.report()?;
    let faults = report.engine["faults"].as_array();
    let faults = faults.into_iter().flatten();
    let faults: BTreeSet<&str> = faults.filter_map(|fault| fault["kind"].as_str()).collect();
    let expected: BTreeSet<&str> = { [dialect.fault.as_str()].into_iter() }
        .filter(|kind| !kind.is_empty())
        .collect();
    if faults != expected || (report.verdict == "wrong") == expected.is_empty() {
        return Err(format!("accused of {faults:?}, not of {expected:?}"));
    }
    let understood = report.understood()?;
    if !dialect.understood.contains(&understood) {
        let reasons = report.reasons();
        let wanted = &dialect.understood;
        return Err(format!(
            "understood {understood:?}, not {wanted:?}: {reasons}"
        ));
    }
    let reason = Regex::new(&dialect.reason).map_err(|error| error.to_string())?;
    if understood != Understood::Full && !reason.is_match(&report.reasons()) {
        let reasons = report.reasons();
        return Err(format!("'{reasons}' does not fit '{}'", dialect.reason));
    }
    if understood == Understood::Full && dialect.understood == [Understood::Full] {
        for what in ["castling", "promotions", "totals"] {
            let proved = report.proved(what)?;
            let lacks = dialect.lacks.iter().any(|lacked| lacked == what);
            if proved == lacks {
                return Err(format!("the calibration says {proved} of {what}"));
            }
        }
    }
    let right = report.engine["right"].as_u64();
    if report.verdict == "right" && right.is_none_or(|right| right == 0) {
        return Err("right, but nothing was checked".to_owned());
    }
    Ok(())
}

/// Whether a check of a broken engine came to what it must.
fn judge_broken(dialect: &Dialect, bug: &Bug, checked: &Checked) -> Result<(), String> {
    let report = checked.report()?;
    let faults = report.engine["faults"].as_array();
    let faults: Vec<(&str, Option<&str>)> = faults
        .into_iter()
        .flatten()
        .map(|fault| {
            let kind = fault["kind"].as_str().unwrap_or_default();
            (kind, fault["rule"].as_str())
        })
        .collect();
    if !bug.verdicts.contains(&report.verdict) {
        let reasons = report.reasons();
        return Err(format!("verdict {}, {faults:?}: {reasons}", report.verdict));
    }
    let text = Regex::new(&bug.report).map_err(|error| error.to_string())?;
    if !text.is_match(&report.engine.to_string()) {
        return Err(format!("'{}' is not in the report", bug.report));
    }
    if ["not-understood", "nothing"].contains(&report.verdict.as_str()) {
        return Ok(());
    }
    // Without rows a wrong count is all that an engine shows, and what explains it may be several.
    let has_rows = dialect.understood == [Understood::Full];
    let is_it = |&(kind, rule): &(&str, Option<&str>)| {
        let is_kind = bug.kinds.iter().any(|one| one == kind);
        let is_rule = rule.map_or(!has_rows, |rule| bug.rules.iter().any(|one| one == rule));
        is_kind && (is_rule || bug.rules.is_empty()) || !has_rows && kind == "wrong-count"
    };
    if faults.iter().any(is_it) {
        return Ok(());
    }
    let (kinds, rules) = (&bug.kinds, &bug.rules);
    Err(format!("found {faults:?}, not {kinds:?} by {rules:?}"))
}

/// Whether a bug shows in a dialect.
fn shows(bug: &Bug, dialect: &Dialect) -> bool {
    let may_be = |what| dialect.understood.contains(&what);
    let needs = bug.needs.iter().map(String::as_str);
    let has = |need: &str| match need {
        "rows" => !may_be(Understood::Totals) && !dialect.row.is_empty(),
        "total" => !dialect.total.is_empty(),
        "moves" => !may_be(Understood::FenOnly) && dialect.fault.is_empty(),
        "process" => dialect.protocol != Protocol::Program && !dialect.ends_after_answer,
        other => panic!("{}: no need is called {other}", bug.name),
    };
    dialect.with_bugs && !may_be(Understood::No) && needs.into_iter().all(has)
}

/// Each bug in two dialects: the next two that it shows in, from where the bug before has ended. So
/// the dialects take turns; one that has had none gets the next bug that shows in it. The choice
/// follows from the file alone.
fn pairs(bank: &Bank) -> Vec<(&Dialect, &Bug)> {
    let mut turn = bank.dialects.iter().cycle();
    let mut pairs: Vec<(&Dialect, &Bug)> = Vec::new();
    for bug in &bank.bugs {
        let some = turn.by_ref().take(bank.dialects.len());
        let some = some.filter(|dialect| shows(bug, dialect)).take(2);
        pairs.extend(some.map(|dialect| (dialect, bug)));
    }
    let mut turn = bank.bugs.iter().cycle();
    for dialect in &bank.dialects {
        if pairs.iter().all(|(one, _)| one.name != dialect.name) {
            let mut some = turn.by_ref().take(bank.bugs.len());
            let bug = some.find(|bug| shows(bug, dialect));
            pairs.extend(bug.map(|bug| (dialect, bug)));
        }
    }
    pairs
}

/// Runs a job for each item, some side by side, and fails with a list of what has failed.
fn each<T: Sync>(
    items: &[T],
    name: impl Fn(&T) -> String,
    job: impl Fn(&T) -> Result<(), String> + Sync,
) {
    // Tests run side by side; the machine is for one of them at a time.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some((index, item)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    items.get(index).map(|item| (index, item))
                } {
                    if let Err(error) = job(item) {
                        failed.lock().expect("no job panics").insert(index, error);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no job panics");
    let lines = failed
        .iter()
        .map(|(&index, error)| format!("{}: {error}", name(&items[index])));
    let lines: Vec<String> = lines.collect();
    let count = items.len();
    assert!(
        lines.is_empty(),
        "{} of {count} failed\n{}",
        lines.len(),
        lines.join("\n")
    );
}

#[test]
fn sound_engines_are_never_accused() {
    let bank = Bank::read();
    each(
        &some(bank.dialects.iter().collect(), 5),
        |dialect| dialect.name.clone(),
        |dialect| {
            let checked = check(dialect, None);
            let judged = judge_sound(dialect, &checked);
            judged.map_err(|error| format!("{error}\n    {}", checked.again))
        },
    );
}

#[test]
fn broken_engines_are_found_and_the_fault_is_the_bug() {
    let bank = Bank::read();
    each(
        &some(pairs(&bank), 4),
        |(dialect, bug)| format!("{} with {}", dialect.name, bug.name),
        |(dialect, bug)| {
            let checked = check(dialect, Some(bug));
            let judged = judge_broken(dialect, bug, &checked);
            judged.map_err(|error| format!("{error}\n    {}", checked.again))
        },
    );
}

#[test]
fn the_bank_has_every_bug_in_two_dialects_and_every_dialect_with_a_bug() {
    let bank = Bank::read();
    let dialects: BTreeSet<&str> = bank.dialects.iter().map(|one| one.name.as_str()).collect();
    let bugs: BTreeSet<&str> = bank.bugs.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(
        dialects.len(),
        bank.dialects.len(),
        "a dialect is there twice"
    );
    assert_eq!(bugs.len(), bank.bugs.len(), "a bug is there twice");
    assert!(dialects.len() >= 40, "{} dialects", dialects.len());
    let pairs = pairs(&bank);
    assert!(pairs.len() >= 40, "{} pairs", pairs.len());
    for bug in &bank.bugs {
        let times = pairs.iter().filter(|(_, one)| one.name == bug.name);
        assert!(times.count() >= 2, "{}", bug.name);
    }
    for dialect in &bank.dialects {
        let is_broken = pairs.iter().any(|(one, _)| one.name == dialect.name);
        let can_be = dialect.with_bugs && !dialect.understood.contains(&Understood::No);
        assert_eq!(is_broken, can_be, "{}", dialect.name);
        assert!(
            !dialect.about.is_empty(),
            "{} is not described",
            dialect.name
        );
    }
}
