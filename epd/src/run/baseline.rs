//! Saved results, and comparison with them.
//!
//! A [`Baseline`] is what `--save` writes and `--baseline` reads: JSON with the schema
//! `touchstone/epd-baseline/2`. [`compare`] compares an engine's results with saved ones;
//! [`statistics`](super::statistics) tests whether the difference is significant.
//!
//! A search by one thread up to a number of nodes or a depth comes out the same each time; one that is
//! limited by time, or has several threads, does not. Such a baseline says so, and has several searches of
//! each position: then a position that is not solved now may be chance, and only counts can be compared.

use std::collections::{HashMap, VecDeque};

use chess::notation::fen::{self, FenStyle};
use chess::notation::san;
use serde::{Deserialize, Serialize};

use super::driver::TestedEngine;
use super::ledger::{Handshake, PositionState, Trial};
use super::plan::{RunCase, RunPlan};
use super::statistics::{
    SignTest, SolvedCounts, SolvedTest, sign_test, solved_test, to_f64, worse_positions,
};

/// The schema name in every baseline file.
pub(crate) const SCHEMA: &str = "touchstone/epd-baseline/2";

/// Results of a run, as saved to a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    pub(crate) schema: String,
    /// The limits of the command line, as text.
    pub(crate) limits: String,
    pub(crate) repeat: usize,
    pub(crate) engines: Vec<EngineResults>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EngineResults {
    pub(crate) command: String,
    /// The name it reported in `id name`.
    pub(crate) name: Option<String>,
    /// The UCI options that were set, in order; a button has no value.
    pub(crate) options: Vec<(String, Option<String>)>,
    /// Why its searches do not come out the same each time, if they do not.
    pub(crate) not_repeatable: Option<String>,
    /// Nodes a second over all searches, as far as reported, if time limits them.
    pub(crate) nps: Option<u64>,
    /// The nodes of its `bench`, which identify its search, if it has one: only in a file.
    #[serde(default)]
    pub(crate) bench: Option<u64>,
    /// Results of its positions, in the order of the run.
    pub(crate) positions: Vec<PositionResult>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PositionResult {
    /// The suite it came from; informational only.
    pub(crate) suite: String,
    /// Its name in the suite; informational only.
    pub(crate) name: String,
    /// The four fields of the position. Together with `asked` they identify the question.
    pub(crate) position: String,
    /// The goal, in a canonical wording: the same goal always gives the same text.
    pub(crate) asked: String,
    /// Whether it was solved in more than half of its searches.
    pub(crate) solved: bool,
    pub(crate) solved_searches: usize,
    pub(crate) searches: usize,
    /// The best move, in SAN; `None` if the engine failed.
    pub(crate) best_move: Option<String>,
    /// The score of its line, as engines write it: `cp 31`, `mate 3`.
    pub(crate) score: Option<String>,
    pub(crate) points: Option<u64>,
    /// Depth of the stable solution; the median search.
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) ms: Option<u64>,
    pub(crate) fault: Option<String>,
}

/// Why a file is not a valid baseline.
#[derive(Debug, thiserror::Error)]
pub enum ParseBaselineError {
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    #[error("its schema is '{found}', expected '{SCHEMA}': --save makes a new one")]
    Schema { found: String },
    #[error("repeat is {found}, expected 1 to {MOST_SEARCHES}")]
    Repeat { found: usize },
    #[error(
        "{position}: {solved} of {searches} searches solved it, expected at most {MOST_SEARCHES}"
    )]
    Counts {
        position: String,
        solved: usize,
        searches: usize,
    },
}

/// The most searches of a position: what `--repeat` takes.
const MOST_SEARCHES: usize = 1000;

impl Baseline {
    /// Parses the text of a baseline file.
    ///
    /// # Errors
    ///
    /// When the text is not JSON, has another schema, lacks a field, or has numbers of searches that cannot
    /// be.
    pub fn parse(text: &str) -> Result<Self, ParseBaselineError> {
        #[derive(Deserialize)]
        struct BaselineHead {
            schema: String,
        }
        let BaselineHead { schema: found } = serde_json::from_str(text)?;
        if found != SCHEMA {
            return Err(ParseBaselineError::Schema { found });
        }
        let baseline: Self = serde_json::from_str(text)?;
        let found = baseline.repeat;
        if !(1..=MOST_SEARCHES).contains(&found) {
            return Err(ParseBaselineError::Repeat { found });
        }
        let mut positions = { baseline.engines.iter() }.flat_map(|engine| &engine.positions);
        let is_wrong = |one: &&PositionResult| {
            one.solved_searches > one.searches || one.searches > MOST_SEARCHES
        };
        match positions.find(is_wrong) {
            Some(wrong) => Err(ParseBaselineError::Counts {
                position: wrong.position.clone(),
                solved: wrong.solved_searches,
                searches: wrong.searches,
            }),
            None => Ok(baseline),
        }
    }

    /// Writes the baseline as JSON.
    ///
    /// # Errors
    ///
    /// When serialisation fails.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The saved results to compare the engine at `index` with: the only engine if there is just
    /// one, else the one at the same index.
    pub(crate) fn for_engine(&self, index: usize) -> Option<&EngineResults> {
        match self.engines.as_slice() {
            [only] => Some(only),
            several => several.get(index),
        }
    }
}

/// Solutions below this many nodes count as equal: ratios of tiny node counts are noise.
const LEAST_NODES: u64 = 1000;
/// Error level of all tests of single positions together; that of their sum has as much.
const LEVEL_OF_POSITIONS: f64 = 0.025;
/// Where searches are not repeatable, all solutions together have to take so many times the nodes: the
/// load of the machine alone changes how the work of threads is shared.
const SLOWER_OVERALL: f64 = 1.1;

/// Why searches of an engine do not come out the same each time, as far as limits and options tell.
pub(crate) fn not_repeatable(cases: &[RunCase], start: &uci::Start) -> Option<String> {
    if cases.iter().any(|case| case.limits.time.is_some()) {
        return Some("limited by time".to_owned());
    }
    let threads = kit::options::threads(&start.options).filter(|&threads| threads > 1);
    threads.map(|threads| format!("{threads} threads"))
}

/// Why they do not, as the searches themselves tell, if each position was searched several times.
pub(crate) fn searched_otherwise(trial: &Trial, cases: usize) -> Option<String> {
    let is_otherwise = |&case: &usize| {
        let mut answers = trial.answers(case).map(|answer| {
            let (end, solution) = (answer.end, answer.solution);
            let solution = solution.map(|moment| (moment.depth, moment.nodes));
            (answer.best_move, end.depth, end.nodes, solution)
        });
        let first = answers.next();
        answers.any(|answer| Some(answer) != first)
    };
    let otherwise = (0..cases).filter(is_otherwise).count();
    (otherwise > 0)
        .then(|| format!("asked again, it searches otherwise: {otherwise} of {cases} positions"))
}

/// A position in the baseline and in the current run.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct PositionChange<'a> {
    pub(crate) then: &'a PositionResult,
    pub(crate) now: &'a PositionResult,
    #[serde(skip)]
    pub(crate) index: usize,
}

/// Results compared with a baseline. Positions match if they are the same question: the same four
/// fields and the same goal. Duplicates are matched in file order.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct BaselineComparison<'a> {
    pub(crate) common: usize,
    pub(crate) solved_then: usize,
    pub(crate) solved_now: usize,
    pub(crate) newly_failed: Vec<PositionChange<'a>>,
    pub(crate) newly_solved: Vec<PositionChange<'a>>,
    /// Solved in neither.
    pub(crate) known_failures: Vec<PositionChange<'a>>,
    /// Solved in both, now with at least `factor` times the nodes.
    pub(crate) slower: Vec<PositionChange<'a>>,
    /// Solved in both; the baseline took at least `factor` times the nodes.
    pub(crate) faster: Vec<PositionChange<'a>>,
    /// Solved significantly less often, each by itself.
    pub(crate) less_often: Vec<LessOften<'a>>,
    pub(crate) missing: Vec<&'a PositionResult>,
    pub(crate) new: Vec<&'a PositionResult>,
    /// How often positions were solved then and now.
    #[serde(rename = "solved_test")]
    pub(crate) solved: SolvedTest,
    /// Sign test on the positions solved in both: the solution takes more nodes (`worse`) or fewer
    /// (`better`).
    #[serde(rename = "nodes_sign_test")]
    pub(crate) nodes: SignTest,
    /// The geometric mean of nodes now by nodes then, of positions solved in both.
    pub(crate) nodes_ratio: f64,
    /// Why a position may come out otherwise by chance, if it may.
    pub(crate) not_repeatable: Option<&'a str>,
    /// Nodes a second then and now, if limits of time make results depend on them and they differ by more
    /// than a tenth.
    pub(crate) speed: Option<(u64, u64)>,
    /// The engine of the baseline.
    #[serde(skip)]
    pub(crate) made_by: Option<&'a EngineResults>,
}

/// A position that is solved significantly less often than then.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct LessOften<'a> {
    #[serde(flatten)]
    pub(crate) change: PositionChange<'a>,
    /// Of Fisher's exact test, corrected for the number of positions (Holm).
    pub(crate) p_value: f64,
}

/// Compares results with a baseline. A solution is slower if it takes at least `factor` times the
/// nodes; anything below 1000 nodes counts as 1000.
pub(crate) fn compare<'a>(
    then: &'a EngineResults,
    now: &'a EngineResults,
    factor: f64,
) -> BaselineComparison<'a> {
    let mut kept: HashMap<(&str, &str), VecDeque<(usize, &PositionResult)>> = HashMap::new();
    for (index, position) in then.positions.iter().enumerate() {
        let same = kept.entry(question(position)).or_default();
        same.push_back((index, position));
    }
    let mut comparison = BaselineComparison {
        speed: changed_speed(then, now),
        made_by: Some(then),
        not_repeatable: { then.not_repeatable.as_deref() }.or(now.not_repeatable.as_deref()),
        ..BaselineComparison::default()
    };
    let mut changes = Vec::new();
    for (index, now) in now.positions.iter().enumerate() {
        match kept.get_mut(&question(now)).and_then(VecDeque::pop_front) {
            Some((_, then)) => {
                let change = PositionChange { then, now, index };
                comparison.add(change, factor);
                changes.push(change);
            }
            None => comparison.new.push(now),
        }
    }
    let mut missing: Vec<_> = kept.into_values().flatten().collect();
    missing.sort_by_key(|&(index, _)| index);
    comparison.missing = missing.into_iter().map(|(_, position)| position).collect();
    let counts: Vec<SolvedCounts> = changes.iter().map(PositionChange::counts).collect();
    comparison.solved = solved_test(&counts);
    let less_often = worse_positions(&counts, LEVEL_OF_POSITIONS).into_iter();
    let less_often = less_often.map(|(index, p_value)| LessOften {
        change: changes[index],
        p_value,
    });
    comparison.less_often = less_often.collect();
    comparison.nodes = sign_test(comparison.nodes.worse, comparison.nodes.better);
    comparison.nodes_ratio = mean_ratio(&changes);
    comparison
}

/// The geometric mean of nodes now by nodes then, of positions solved in both.
fn mean_ratio(changes: &[PositionChange<'_>]) -> f64 {
    let nodes = |one: &PositionResult| one.nodes.filter(|_| one.solved);
    let of_both = changes.iter().filter_map(|change| {
        let (then, now) = (nodes(change.then)?, nodes(change.now)?);
        Some((to_f64(now.max(LEAST_NODES)) / to_f64(then.max(LEAST_NODES))).ln())
    });
    let logarithms: Vec<f64> = of_both.collect();
    let count = to_f64(logarithms.len().max(1) as u64);
    (logarithms.iter().sum::<f64>() / count).exp()
}

impl PositionChange<'_> {
    fn counts(&self) -> SolvedCounts {
        SolvedCounts {
            solved_then: self.then.solved_searches,
            searches_then: self.then.searches,
            solved_now: self.now.solved_searches,
            searches_now: self.now.searches,
        }
    }
}

fn question(position: &PositionResult) -> (&str, &str) {
    (&position.position, &position.asked)
}

impl<'a> BaselineComparison<'a> {
    /// Whether solutions take more nodes by more than chance, at a level such as 0.05.
    pub(crate) fn is_slower_overall(&self, level: f64) -> bool {
        let least = self.not_repeatable.map_or(1.0, |_| SLOWER_OVERALL);
        self.nodes.is_worse(level) && self.nodes_ratio >= least
    }

    fn add(&mut self, change: PositionChange<'a>, factor: f64) {
        self.common += 1;
        self.solved_then += usize::from(change.then.solved);
        self.solved_now += usize::from(change.now.solved);
        match (change.then.solved, change.now.solved) {
            (true, false) => self.newly_failed.push(change),
            (false, true) => self.newly_solved.push(change),
            (false, false) => self.known_failures.push(change),
            (true, true) => {
                let (Some(then), Some(now)) = (change.then.nodes, change.now.nodes) else {
                    return;
                };
                self.nodes.worse += u64::from(now > then);
                self.nodes.better += u64::from(now < then);
                if is_larger(now, then, factor) {
                    self.slower.push(change);
                } else if is_larger(then, now, factor) {
                    self.faster.push(change);
                }
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a ratio is rounded anyway")]
fn is_larger(nodes: u64, than: u64, factor: f64) -> bool {
    let (nodes, than) = (nodes.max(LEAST_NODES), than.max(LEAST_NODES));
    nodes > than && nodes as f64 >= factor * than as f64
}

impl Baseline {
    /// Builds the baseline of a run; `engines` has an engine for each trial, with what is known before of
    /// why it is not repeatable. Positions that were not searched are left out.
    pub(crate) fn of_run(
        plan: &RunPlan,
        trials: &[Trial],
        engines: &[(&TestedEngine, Option<String>)],
        limits: String,
        repeat: usize,
    ) -> Self {
        let engine =
            |(trial, (tested, reason)): (&Trial, &(&TestedEngine, Option<String>))| EngineResults {
                command: trial.command.clone(),
                name: match &trial.handshake {
                    Handshake::Ready { name, .. } => name.clone(),
                    _ => None,
                },
                options: tested.start.options.clone(),
                not_repeatable: { reason.clone() }
                    .or_else(|| searched_otherwise(trial, plan.cases.len())),
                nps: speed(plan, trial),
                bench: None,
                positions: trial
                    .searched()
                    .map(|case| position(plan, trial, case))
                    .collect(),
            };
        Self {
            schema: SCHEMA.to_owned(),
            limits,
            repeat,
            engines: trials.iter().zip(engines).map(engine).collect(),
        }
    }
}

/// Nodes a second then and now, if they differ by more than a tenth.
fn changed_speed(then: &EngineResults, now: &EngineResults) -> Option<(u64, u64)> {
    let speeds = then.nps.zip(now.nps);
    speeds.filter(|&(then, now)| 10 * then.abs_diff(now) > then)
}

/// Nodes a second over all searches, as far as reported, if time limits them: else nothing depends on it.
fn speed(plan: &RunPlan, trial: &Trial) -> Option<u64> {
    plan.cases.iter().find(|case| case.limits.time.is_some())?;
    let totals = trial.totals(&plan.cases, None);
    let milliseconds = u64::try_from(totals.time.as_millis()).ok()?;
    { totals.nodes.saturating_mul(1000) }
        .checked_div(milliseconds)
        .filter(|&nps| nps > 0)
}

fn position(plan: &RunPlan, trial: &Trial, index: usize) -> PositionResult {
    let case = &plan.cases[index];
    let position = case.record.position();
    let (solved_searches, searches) = trial.solved_of(index);
    let solution = trial.median_solution(index);
    let typical = trial.typical(index);
    PositionResult {
        suite: plan.suites[case.suite].name.clone(),
        name: case.name(),
        position: fen::write_epd(position, FenStyle::default()),
        asked: case.asked.clone(),
        solved: trial.state(index) == PositionState::Solved,
        solved_searches,
        searches,
        best_move: typical.map(|answer| san::write(answer.best_move, position)),
        score: typical.and_then(|answer| answer.score.map(|score| score.to_string())),
        points: trial.points(&plan.cases, index).map(|(points, _)| points),
        depth: solution.and_then(|moment| moment.depth),
        nodes: solution.and_then(|moment| moment.nodes),
        ms: solution.and_then(|moment| u64::try_from(moment.time.as_millis()).ok()),
        fault: trial.fault(index).map(|(fault, _)| fault.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    /// Results from names, whether solved, and nodes.
    fn results(positions: &[(&str, bool, u64)]) -> EngineResults {
        EngineResults {
            command: "engine".to_owned(),
            name: None,
            options: Vec::new(),
            not_repeatable: None,
            nps: None,
            bench: None,
            positions: positions.iter().map(position).collect(),
        }
    }

    fn position(&(name, solved, nodes): &(&str, bool, u64)) -> PositionResult {
        PositionResult {
            suite: "suite".to_owned(),
            name: name.to_owned(),
            position: format!("position of {}", &name[..1]),
            asked: "bm a1".to_owned(),
            solved,
            solved_searches: usize::from(solved),
            searches: 1,
            best_move: None,
            score: None,
            points: None,
            depth: None,
            nodes: solved.then_some(nodes),
            ms: None,
            fault: None,
        }
    }

    fn names<'a>(changes: &[PositionChange<'a>]) -> Vec<&'a str> {
        changes.iter().map(|one| one.now.name.as_str()).collect()
    }

    #[test]
    fn changes_are_classified() {
        let rows = |text: &'static str| {
            let rows = text.split(", ").map(|row| match row.split_once(' ') {
                Some((name, nodes)) => (name, true, nodes.parse().expect("a number")),
                None => (row, false, 0),
            });
            results(&rows.collect::<Vec<_>>())
        };
        // The nodes of the solved ones.
        let then = rows("a 5000, b 5000, c 5000, d, e, f 20000, g 2, z 5000");
        let now = rows("g 999, a 9999, b, c 10000, d 70, e, f 10000, n 1");
        let found = compare(&then, &now, 2.0);
        assert_eq!(found.common, 7);
        assert_eq!((found.solved_then, found.solved_now), (5, 5));
        assert_eq!(names(&found.newly_failed), ["b"]);
        assert_eq!(names(&found.newly_solved), ["d"]);
        // 9,999 is not twice 5,000, and counts below 1,000 are equal.
        assert_eq!(names(&found.slower), ["c"]);
        assert_eq!(names(&found.faster), ["f"]);
        assert_eq!((found.missing.len(), &*found.missing[0].name), (1, "z"));
        assert_eq!((found.new.len(), &*found.new[0].name), (1, "n"));
        let counts = found.solved.counts;
        assert_eq!((counts.solved_then, counts.solved_now), (5, 5));
        assert!((found.solved.p_value - 1.0).abs() < 1e-12);
        // g, a and c take more nodes, f fewer.
        assert_eq!((found.nodes.worse, found.nodes.better), (3, 1));
        assert!((found.nodes.p_value - 10.0 / 16.0).abs() < 1e-12);
    }

    #[test]
    fn duplicate_positions_are_matched_in_order() {
        // Names do not matter, only the position and what is asked.
        let then = results(&[("a1", true, 1), ("a2", false, 1)]);
        let now = results(&[("a3", true, 1), ("a4", true, 1), ("a5", true, 1)]);
        let found = compare(&then, &now, 2.0);
        assert_eq!(names(&found.newly_solved), ["a4"]);
        assert_eq!(found.new.len(), 1);
        let mut other = now.clone();
        other.positions[0].asked = "bm a2".to_owned();
        assert_eq!(compare(&then, &other, 2.0).new[0].name, "a3");
    }

    #[test]
    fn a_factor_of_one_finds_no_standstill() {
        let results = results(&[("a", true, 5000), ("b", true, 10)]);
        let found = compare(&results, &results, 1.0);
        assert!(found.slower.is_empty() && found.faster.is_empty());
        assert!((found.nodes.p_value - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn files_are_written_and_read() {
        let kept = Baseline {
            schema: SCHEMA.to_owned(),
            limits: "nodes 5".to_owned(),
            repeat: 1,
            engines: vec![results(&[("a", true, 5)]), results(&[])],
        };
        let text = kept.to_text().expect("it can be written");
        assert_eq!(Baseline::parse(&text).expect("it can be read"), kept);
        assert_eq!(kept.for_engine(1), Some(&kept.engines[1]));
        assert_eq!(kept.for_engine(2), None);
        let changed = |from: &str, to: &str| text.replace(from, to);
        let never = changed("\"repeat\": 1", "\"repeat\": 0");
        let too_often = changed("\"solved_searches\": 1", "\"solved_searches\": 2");
        let other = "its schema is 'touchstone/epd-baseline/1', expected 'touchstone/epd-baseline/2': --save makes a new one";
        let rows = [
            (&*never, "repeat is 0, expected 1 to 1000"),
            (
                &too_often,
                "position of a: 2 of 1 searches solved it, expected at most 1000",
            ),
            ("", "EOF while parsing a value at line 1 column 0"),
            ("{}", "missing field `schema` at line 1 column 2"),
            ("{\"schema\": \"touchstone/epd-baseline/1\"}", other),
            (
                "{\"schema\": \"touchstone/epd-baseline/2\"}",
                "missing field `limits` at line 1 column 39",
            ),
        ];
        for (text, expected) in rows {
            let error = Baseline::parse(text).expect_err(text);
            assert_eq!(error.to_string(), expected);
        }
    }
}
