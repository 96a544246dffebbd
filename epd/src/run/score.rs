//! What an engine reports in a search, and what it comes to: whether and when the position was solved,
//! and which mates were announced. Pure: times are passed in.
//!
//! [`OutputRecorder`] collects the output of a search as a [`Search`], while [`EarlyStopWatch`] looks for the
//! moment to stop it. [`judge`] then judges all searches of a case: one, or one for each move of a puzzle.

use std::num::NonZeroU32;
use std::time::Duration;

use chess::notation::fen;
use chess::notation::uci_move::UciMove;
use chess::rules::{CastlingMode, Move, Outcome, Position};
use serde::{Serialize, Serializer};
use uci::grammar::{Bound, Info, Reply, Score, ScoreValue};

use super::claims::{ClaimRecorder, MateClaims};
use super::goal::{Goal, MateGoal};
use super::plan::RunCase;

/// The progress of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct SearchMoment {
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    /// The time since `go`, by our own clock.
    #[serde(rename = "seconds", serialize_with = "seconds")]
    pub(crate) time: Duration,
}

/// Writes a time as JSON does.
pub(super) fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// A principal variation, as reported by the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Observation {
    pub(crate) moment: SearchMoment,
    pub(crate) score: Option<Score>,
    /// Its moves, at least one; legality is not checked yet.
    pub(crate) pv: Vec<UciMove>,
    /// What follows them, if it cannot be a move.
    pub(crate) rest: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Search {
    pub(crate) observations: Vec<Observation>,
    /// The best lines of each complete depth, if several were asked for.
    pub(crate) tops: Option<Vec<TopMoves>>,
    pub(crate) claims: ClaimRecorder,
    pub(crate) reply: Reply,
    /// The end of the search, when `bestmove` came.
    pub(crate) end: SearchMoment,
    /// Whether it was stopped once its solution was stable.
    pub(crate) is_stopped: bool,
    /// What was recorded: with it, another [`OutputRecorder`] gives the same search.
    pub(crate) heard: Vec<(Duration, Info)>,
}

/// Records an engine's output. With `multipv`, only the best line counts, unless several are asked
/// for.
#[derive(Clone, Debug, Default)]
pub(crate) struct OutputRecorder {
    observations: Vec<Observation>,
    tops: Option<TopRecorder>,
    claims: ClaimRecorder,
    latest: SearchMoment,
    heard: Vec<(Duration, Info)>,
}

impl OutputRecorder {
    /// Records so many lines of the position.
    pub(crate) fn with_lines(lines: Option<usize>) -> Self {
        Self {
            tops: lines.map(TopRecorder::new),
            ..Self::default()
        }
    }

    /// Records an `info` line that came `since_go` after `go`. Returns the PV if it is one of the
    /// best move.
    pub(crate) fn info(&mut self, since_go: Duration, info: &Info) -> Option<&Observation> {
        self.hear(since_go, info);
        self.latest.nodes = info.nodes.or(self.latest.nodes);
        if let Some(tops) = &mut self.tops {
            let time = since_go;
            tops.info(
                SearchMoment {
                    time,
                    ..self.latest
                },
                info,
            );
        }
        self.claims.info(info, self.latest.nodes);
        if info.multipv.is_some_and(|rank| rank > 1) {
            return None;
        }
        self.latest.depth = info.depth.or(self.latest.depth);
        self.latest.time = since_go;
        if info.pv.is_empty() {
            return None;
        }
        self.observations.push(Observation {
            moment: self.latest,
            score: info.score,
            pv: info.pv.clone(),
            rest: info.pv_rest.clone(),
        });
        self.observations.last()
    }

    /// Keeps what is used of a line. Lines with nothing but a depth and nodes replace one another.
    fn hear(&mut self, since_go: Duration, info: &Info) {
        let mut info = Info {
            depth: info.depth,
            multipv: info.multipv,
            score: info.score,
            nodes: info.nodes,
            pv: info.pv.clone(),
            pv_rest: info.pv_rest.clone(),
            ..Info::default()
        };
        let is_plain =
            |one: &Info| one.pv.is_empty() && one.score.is_none() && one.multipv.is_none();
        if let Some((_, last)) = self.heard.last()
            && is_plain(last)
            && is_plain(&info)
        {
            info.depth = info.depth.or(last.depth);
            info.nodes = info.nodes.or(last.nodes);
            self.heard.pop();
        }
        self.heard.push((since_go, info));
    }

    /// Finishes the search with the best move that came `since_go` after `go`.
    pub(crate) fn finish(self, since_go: Duration, reply: Reply) -> Search {
        let end = SearchMoment {
            time: since_go,
            ..self.latest
        };
        Search {
            observations: self.observations,
            tops: self.tops.map(TopRecorder::finish),
            claims: self.claims,
            reply,
            end,
            is_stopped: false,
            heard: self.heard,
        }
    }

    /// Ends the search with its last PV as the result, because the solution is stable, `since_go`
    /// after `go`; `None` if there is no PV. What the engine replies to `stop` does not count.
    pub(crate) fn stop(self, since_go: Duration) -> Option<Search> {
        let reply = Reply::Move(self.observations.last()?.pv[0]);
        let is_stopped = true;
        Some(Search {
            is_stopped,
            ..self.finish(since_go, reply)
        })
    }
}

/// The first moves of the K best lines of a complete depth, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TopMoves {
    pub(crate) moment: SearchMoment,
    pub(crate) moves: Vec<UciMove>,
}

/// Collects the lines of each depth.
#[derive(Clone, Debug)]
struct TopRecorder {
    /// The latest line of each rank: its depth and its first move.
    lines: Vec<Option<(u32, UciMove)>>,
    complete: Vec<TopMoves>,
}

impl TopRecorder {
    /// Expects `count` lines; fewer where there are fewer legal moves.
    fn new(count: usize) -> Self {
        Self {
            lines: vec![None; count],
            complete: Vec::new(),
        }
    }

    /// Records a line that came at `moment`. Bounds are no result of a depth.
    fn info(&mut self, moment: SearchMoment, info: &Info) {
        let (Some(depth), Some(&first)) = (info.depth, info.pv.first()) else {
            return;
        };
        if info.score.is_some_and(|score| score.bound.is_some()) {
            return;
        }
        let rank = info.multipv.unwrap_or(1) as usize;
        let Some(line) = rank
            .checked_sub(1)
            .and_then(|rank| self.lines.get_mut(rank))
        else {
            return;
        };
        *line = Some((depth, first));
        let of_depth = |line: &Option<(u32, UciMove)>| {
            let (of_depth, first) = (*line)?;
            (of_depth == depth).then_some(first)
        };
        let moves: Option<Vec<UciMove>> = self.lines.iter().map(of_depth).collect();
        if let Some(moves) = moves {
            let moment = SearchMoment {
                depth: Some(depth),
                ..moment
            };
            self.complete.push(TopMoves { moment, moves });
        }
    }

    fn finish(self) -> Vec<TopMoves> {
        self.complete
    }
}

/// For how long a solution must be stable before the engine is stopped. By default it is never
/// stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::Args)]
pub(crate) struct EarlyStop {
    /// Stop once the solution is stable for N plies
    ///
    /// Stop a search once its solution has been stable for so many more plies. Example: `--movetime
    /// 60s --extra-plies 3`
    #[arg(hide_short_help = true, long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=255))]
    #[cfg_attr(feature = "fleet", arg(conflicts_with = "lab"))]
    pub(crate) extra_plies: Option<u32>,
}

impl EarlyStop {
    /// The rule in words; none if searches are never stopped early.
    pub(crate) fn describe(self) -> Option<String> {
        self.extra_plies.map(|plies| format!("extra plies {plies}"))
    }
}

/// Watches a search for the moment to stop it.
#[derive(Clone, Debug)]
pub(crate) struct EarlyStopWatch<'a> {
    rule: EarlyStop,
    goal: &'a Goal,
    position: &'a Position,
    mode: CastlingMode,
    /// The first of the latest PVs, all of which meet the goal.
    stable_since: Option<SearchMoment>,
    has_extra_plies: bool,
}

impl<'a> EarlyStopWatch<'a> {
    pub(crate) fn new(
        rule: EarlyStop,
        goal: &'a Goal,
        position: &'a Position,
        mode: CastlingMode,
    ) -> Self {
        Self {
            rule,
            goal,
            position,
            mode,
            stable_since: None,
            has_extra_plies: false,
        }
    }

    /// Takes note of a PV of the best move.
    pub(crate) fn see(&mut self, observation: &Observation) {
        // A move to avoid alone is nothing that can be found: any first move would end the search.
        if !self.goal.can_be_found() || !meets(observation, self.goal, self.position, self.mode) {
            self.stable_since = None;
            self.has_extra_plies = false;
            return;
        }
        let since = *self.stable_since.get_or_insert(observation.moment);
        // A bound is no result of a depth: the engine searches on.
        let is_exact = observation.score.is_none_or(|score| score.bound.is_none());
        if let (Some(plies), true) = (self.rule.extra_plies, is_exact) {
            let depth = observation.moment.depth.unwrap_or(0);
            let wanted = since.depth.unwrap_or(0).saturating_add(plies);
            self.has_extra_plies |= depth >= wanted;
        }
    }

    /// Whether the search is to be stopped.
    pub(crate) const fn is_over(&self) -> bool {
        self.has_extra_plies
    }
}

/// A `bestmove` that is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bestmove {reply} is not a legal move in {fen}")]
pub(crate) struct BadReplyError {
    pub(crate) reply: Reply,
    pub(crate) fen: String,
}

impl BadReplyError {
    /// Returns the move of a reply that is legal.
    pub(crate) fn check(reply: &Reply, position: &Position) -> Result<Move, Self> {
        let text = reply.as_move();
        let m = text.and_then(|text| text.to_move(position, position.castling_mode()));
        m.ok_or_else(|| Self {
            reply: reply.clone(),
            fen: fen::write(position),
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SearchAnswer {
    pub(crate) best_move: Move,
    pub(crate) solved: bool,
    pub(crate) points: Option<u32>,
    /// If solved, when the solution was first found for good.
    pub(crate) solution: Option<SearchMoment>,
    pub(crate) end: SearchMoment,
    /// The score reported with the PV that begins with the best move.
    pub(crate) score: Option<Score>,
    /// The legal part of that PV; the best move alone if there is none.
    pub(crate) pv: Vec<Move>,
    /// The first PV with an illegal move.
    pub(crate) illegal_pv: Option<IllegalPv>,
    /// The mate, if one is asked for: the number of moves, or why it does not count.
    pub(crate) mate: Option<Result<u32, MateFault>>,
    /// If several lines were asked for: the rank of the first that is a solution.
    pub(crate) rank: Option<u32>,
    /// Whether the search was stopped once its solution was stable.
    pub(crate) is_stopped: bool,
    /// The answers to each move of a puzzle; else empty.
    pub(crate) steps: Vec<SearchAnswer>,
    /// Every mate that was announced, if one is asked for.
    pub(crate) claims: Option<MateClaims>,
}

impl SearchAnswer {
    /// Number of moves found: of a puzzle several, else 1 or 0.
    pub(crate) fn moves_found(&self) -> usize {
        match self.steps.as_slice() {
            [] => usize::from(self.solved),
            steps => steps.iter().filter(|step| step.solved).count(),
        }
    }

    /// Whether the best move itself is a solution, not only one of several lines.
    pub(crate) fn is_first(&self) -> bool {
        self.solved && self.rank.is_none_or(|rank| rank == 1)
    }
}

/// Judges the searches of a case, one for each of its steps.
///
/// A puzzle is solved if every move is found. Nodes and time are sums; best move, score and PV are
/// those of the first position, and [`SearchAnswer::steps`] has all.
///
/// # Errors
///
/// When a best move is not legal.
pub(crate) fn judge(case: &RunCase, searches: &[Search]) -> Result<SearchAnswer, BadReplyError> {
    let steps = case.steps().zip(searches);
    let answers = steps
        .map(|((position, goal), search)| assess(search, goal, position, position.castling_mode()));
    let answers: Vec<SearchAnswer> = answers.collect::<Result<_, _>>()?;
    let mut answer = answers[0].clone();
    if case.puzzle.is_none() {
        return Ok(answer);
    }
    answer.solved = answers.iter().all(|step| step.solved);
    answer.end = sum(answers.iter().map(|step| step.end));
    let solutions: Option<Vec<SearchMoment>> = answers.iter().map(|step| step.solution).collect();
    answer.solution = solutions.map(|solutions| sum(solutions.into_iter()));
    answer.is_stopped = answers.iter().any(|step| step.is_stopped);
    let ranks: Option<Vec<u32>> = answers.iter().map(|step| step.rank).collect();
    answer.rank = ranks.and_then(|ranks| ranks.into_iter().max());
    let mut illegal = answers.iter();
    answer.illegal_pv = illegal.find_map(|step| step.illegal_pv.clone());
    answer.steps = answers;
    Ok(answer)
}

/// Nodes and time of all moments, and their greatest depth.
fn sum(moments: impl Iterator<Item = SearchMoment>) -> SearchMoment {
    moments.fold(SearchMoment::default(), |sum, one| SearchMoment {
        depth: sum.depth.max(one.depth),
        nodes: match (sum.nodes, one.nodes) {
            (Some(sum), Some(one)) => Some(sum.saturating_add(one)),
            (sum, one) => sum.or(one),
        },
        time: sum.time + one.time,
    })
}

/// Judges a search by the goal of its position.
///
/// A solution is *stable* from the first PV that meets the goal such that all later ones and the
/// best move meet it too. If the best move meets it, but the last PV does not or there is none, the
/// solution came with the best move.
///
/// # Errors
///
/// When the best move is not legal.
fn assess(
    search: &Search,
    goal: &Goal,
    position: &Position,
    mode: CastlingMode,
) -> Result<SearchAnswer, BadReplyError> {
    let best_move = BadReplyError::check(&search.reply, position)?;
    let move_of = |observation: &Observation| observation.pv[0].to_move(position, mode);
    let begins = |one: &&Observation| move_of(one) == Some(best_move);
    let last_to_first = || search.observations.iter().rev();
    // The mate asked for, announced by any PV that begins with the best move, or on the board after it;
    // else why the last of them does not count.
    let mate = goal.mate.map(|wanted| {
        let mut proofs = last_to_first()
            .filter(begins)
            .map(|observation| prove(observation, position, mode, wanted));
        let last = proofs.next().unwrap_or(Err(MateFault::NotAnnounced));
        last.or_else(|fault| proofs.find_map(Result::ok).ok_or(fault))
            .or_else(|fault| {
                if mates(best_move, position, wanted) {
                    Ok(1)
                } else {
                    Err(fault)
                }
            })
    });
    let is_first = goal.is_met_by(best_move) && mate.as_ref().is_none_or(Result::is_ok);
    let stable = last_to_first().take_while(|one| meets(one, goal, position, mode));
    let stable = stable.last();
    let top = search.tops.as_ref();
    let top = top.and_then(|tops| solution_rank(tops, goal, position, mode));
    // As the first line, or as one of several.
    let first = is_first.then(|| stable.map_or(search.end, |one| one.moment));
    let one_of = top.map(|(_, moment)| moment);
    let solution = [first, one_of].into_iter().flatten();
    let solution = solution.min_by_key(|moment| moment.time);
    let rank = if is_first {
        Some(1)
    } else {
        top.map(|(rank, _)| rank)
    };
    let reported = last_to_first().find(begins);
    let mut played = search
        .observations
        .iter()
        .map(|one| play_out(position, one, mode));
    Ok(SearchAnswer {
        best_move,
        solved: solution.is_some(),
        points: goal.points.as_ref().map(|points| points.points(best_move)),
        solution,
        end: search.end,
        score: reported.and_then(|reported| reported.score),
        pv: reported.map_or_else(
            || vec![best_move],
            |reported| play_out(position, reported, mode).moves,
        ),
        illegal_pv: played.find_map(|line| line.fault),
        mate,
        rank: search.tops.as_ref().and(rank),
        is_stopped: search.is_stopped,
        steps: Vec::new(),
        claims: goal
            .mate
            .map(|wanted| search.claims.judge(wanted, position, mode)),
    })
}

/// Whether a move mates at once, whatever the engine says of it.
fn mates(m: Move, position: &Position, wanted: MateGoal) -> bool {
    let winner = position.side_to_move();
    let is_mate = position.play_unchecked(m).outcome() == Some(Outcome::Checkmate { winner });
    is_mate && matches!(wanted, MateGoal::Mates(_))
}

/// Whether a PV meets the goal.
fn meets(observation: &Observation, goal: &Goal, position: &Position, mode: CastlingMode) -> bool {
    let first = observation.pv[0].to_move(position, mode);
    let is_mate = |m, wanted| {
        mates(m, position, wanted) || prove(observation, position, mode, wanted).is_ok()
    };
    first.is_some_and(|m| goal.is_met_by(m) && goal.mate.is_none_or(|wanted| is_mate(m, wanted)))
}

/// A PV that has an illegal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal PV: move {number}, {text}, is not legal in {fen}")]
pub(crate) struct IllegalPv {
    /// The number of the move, from 1.
    pub(crate) number: usize,
    pub(crate) text: String,
    /// The position in which it is not legal.
    pub(crate) fen: String,
}

#[derive(Clone, Debug)]
struct ScoredLine {
    moves: Vec<Move>,
    end: Position,
    /// The first move that is not legal.
    fault: Option<IllegalPv>,
}

/// Plays the moves of a PV up to the first illegal one.
fn play_out(position: &Position, observation: &Observation, mode: CastlingMode) -> ScoredLine {
    let mut line = ScoredLine {
        moves: Vec::with_capacity(observation.pv.len()),
        end: *position,
        fault: None,
    };
    let fault = |line: &ScoredLine, text: String| IllegalPv {
        number: line.moves.len() + 1,
        text,
        fen: fen::write(&line.end),
    };
    for &text in &observation.pv {
        let Some(m) = text.to_move(&line.end, mode) else {
            line.fault = Some(fault(&line, text.to_string()));
            return line;
        };
        line.end = line.end.play_unchecked(m);
        line.moves.push(m);
    }
    line.fault = { observation.rest.as_ref() }.map(|word| fault(&line, word.clone()));
    line
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MateFault {
    #[error("no mate announced")]
    NotAnnounced,
    #[error("{announced} announced, {wanted} wanted")]
    TooLong {
        announced: MateGoal,
        wanted: MateGoal,
    },
    #[error("{announced} announced, but {fault}")]
    Illegal {
        announced: MateGoal,
        fault: IllegalPv,
    },
    #[error("{announced} announced, but after the {plies} plies of the PV there is none")]
    NoMate { announced: MateGoal, plies: usize },
    #[error("{announced} announced, but the PV mates in {mates}")]
    Later { announced: MateGoal, mates: u32 },
}

/// Returns the moves to mate that a PV announces, provided that its moves are legal and end in mate
/// in time. That the opponent has no better defence is the engine's claim and not checked.
///
/// # Errors
///
/// When no mate of the side in `wanted` is announced, or only a longer one; when the moves are not
/// legal, or do not mate, or not as soon as announced.
fn prove(
    observation: &Observation,
    position: &Position,
    mode: CastlingMode,
    wanted: MateGoal,
) -> Result<u32, MateFault> {
    let moves = announced(observation, wanted).ok_or(MateFault::NotAnnounced)?;
    let announced = wanted.with_moves(moves);
    if moves > wanted.moves() {
        return Err(MateFault::TooLong { announced, wanted });
    }
    let line = play_out(position, observation, mode);
    if let Some(fault) = line.fault {
        return Err(MateFault::Illegal { announced, fault });
    }
    let plies = line.moves.len();
    let winner = match wanted {
        MateGoal::Mates(_) => position.side_to_move(),
        MateGoal::Mated(_) => !position.side_to_move(),
    };
    if line.end.outcome() != Some(Outcome::Checkmate { winner }) {
        return Err(MateFault::NoMate { announced, plies });
    }
    let mates = u32::try_from(plies.div_ceil(2)).unwrap_or(u32::MAX);
    if mates > moves.get() {
        return Err(MateFault::Later { announced, mates });
    }
    Ok(moves.get())
}

/// The moves to mate that a PV announces for the wanted side. A bound that leaves room for a better
/// score of the mated side does not count.
fn announced(observation: &Observation, wanted: MateGoal) -> Option<NonZeroU32> {
    let score = observation.score?;
    let ScoreValue::Mate(moves) = score.value else {
        return None;
    };
    let (is_wanted_side, open_bound) = match wanted {
        MateGoal::Mates(_) => (moves > 0, Bound::Upper),
        MateGoal::Mated(_) => (moves < 0, Bound::Lower),
    };
    let moves = NonZeroU32::new(moves.unsigned_abs())?;
    (is_wanted_side && score.bound != Some(open_bound)).then_some(moves)
}

/// The rank of the solution among the lines of the last complete depth, from 1, and since when it
/// has been among them for good.
///
/// Only moves to find have a rank; moves to avoid and mates are judged by the best move alone: among
/// several lines there is nearly always one that avoids a move.
fn solution_rank(
    tops: &[TopMoves],
    goal: &Goal,
    position: &Position,
    mode: CastlingMode,
) -> Option<(u32, SearchMoment)> {
    if goal.mate.is_some() || !goal.can_be_found() {
        return None;
    }
    let meets = |text: &UciMove| {
        let m: Option<Move> = text.to_move(position, mode);
        m.is_some_and(|m| goal.is_met_by(m))
    };
    let place = |top: &TopMoves| top.moves.iter().position(meets);
    let rank = u32::try_from(place(tops.last()?)? + 1).ok()?;
    let stable = tops.iter().rev().take_while(|top| place(top).is_some());
    Some((rank, stable.last()?.moment))
}

#[cfg(test)]
mod tests;
