//! Judges searches: whether and when the position was solved, and which mates were announced.
//!
//! [`OutputRecorder`] collects the output of an engine as a [`Search`]; [`assess`] judges it. Times are
//! passed in.

use std::num::NonZeroU32;
use std::time::Duration;

use chess::notation::fen;
use chess::notation::uci_move::UciMove;
use chess::rules::{CastlingMode, Move, Outcome, Position};
use uci::grammar::{Bound, Info, Reply, Score, ScoreValue};

use super::claims::{ClaimRecorder, MateClaims};
use super::goal::{Goal, MateGoal};
pub(crate) use super::moment::SearchMoment;
use super::top::{self, TopMoves, TopRecorder};

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

/// Judges a search by the goal of its position.
///
/// A solution is *stable* from the first PV that meets the goal such that all later ones and the
/// best move meet it too. If the best move meets it, but the last PV does not or there is none, the
/// solution came with the best move.
///
/// # Errors
///
/// When the best move is not legal.
pub(crate) fn assess(
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
    let top = top.and_then(|tops| top::rank(tops, goal, position, mode));
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
        .map(|one| play_out(position, &one.pv, mode));
    Ok(SearchAnswer {
        best_move,
        solved: solution.is_some(),
        points: goal.points.as_ref().map(|points| points.points(best_move)),
        solution,
        end: search.end,
        score: reported.and_then(|reported| reported.score),
        pv: reported.map_or_else(
            || vec![best_move],
            |reported| play_out(position, &reported.pv, mode).moves,
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
pub(crate) fn meets(
    observation: &Observation,
    goal: &Goal,
    position: &Position,
    mode: CastlingMode,
) -> bool {
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
    pub(crate) text: UciMove,
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
fn play_out(position: &Position, pv: &[UciMove], mode: CastlingMode) -> ScoredLine {
    let mut line = ScoredLine {
        moves: Vec::with_capacity(pv.len()),
        end: *position,
        fault: None,
    };
    for &text in pv {
        let Some(m) = text.to_move(&line.end, mode) else {
            let (number, fen) = (line.moves.len() + 1, fen::write(&line.end));
            line.fault = Some(IllegalPv { number, text, fen });
            break;
        };
        line.end = line.end.play_unchecked(m);
        line.moves.push(m);
    }
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
    let line = play_out(position, &observation.pv, mode);
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

/// A principal variation, as reported by the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Observation {
    pub(crate) moment: SearchMoment,
    pub(crate) score: Option<Score>,
    /// Its moves, at least one; legality is not checked yet.
    pub(crate) pv: Vec<UciMove>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Record;
    use uci::grammar::Message;
    /// A back-rank mate in one by Ra8, or a mate in two by way of Kd2.
    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - -";

    /// A search from output lines, one per millisecond.
    fn search(lines: &[&str]) -> Search {
        let mut recorder = OutputRecorder::default();
        for (line, ms) in lines.iter().zip(1..) {
            let at = Duration::from_millis(ms);
            match Message::parse(line) {
                Message::Info(info) => drop(recorder.info(at, &info).cloned()),
                Message::BestMove(best_move) => return recorder.finish(at, best_move.reply),
                other => panic!("not of a search: {other}"),
            }
        }
        panic!("no best move")
    }

    fn assess_lines(record: &str, lines: &[&str]) -> Result<SearchAnswer, String> {
        let record: Record = record.parse().expect("a record");
        let goal = Goal::read(&record).expect("readable").expect("a goal");
        let position = record.position();
        assess(&search(lines), &goal, position, CastlingMode::Standard)
            .map_err(|error| error.to_string())
    }

    /// Depth, nodes and milliseconds to the solution.
    fn solution(operations: &str, lines: &[&str]) -> String {
        let answer = assess_lines(&format!("{BACK_RANK} {operations}"), lines).expect("legal");
        assert_eq!(answer.solved, answer.solution.is_some());
        let Some(moment) = answer.solution else {
            return "none".to_owned();
        };
        let (depth, nodes) = (moment.depth.unwrap_or(0), moment.nodes.unwrap_or(0));
        format!("{depth} {nodes} {}", moment.time.as_millis())
    }

    const RIGHT: &str = "info depth 1 nodes 10 pv a1a8";
    const WRONG: &str = "info depth 2 nodes 20 pv e1d2 g7g6";
    const RIGHT_AGAIN: &str = "info depth 3 nodes 30 pv a1a8";
    const DEEPER: &str = "info depth 4 nodes 40 pv a1a8";

    #[test]
    fn a_solution_counts_from_when_it_stays() {
        let multipv = [
            "info depth 5 nodes 7",
            "info multipv 1 pv a1a8",
            "info multipv 2 pv e1d2 nodes 9",
            "bestmove a1a8",
        ];
        let (best, other) = ("bestmove a1a8", "bestmove e1d2");
        let rows: [(&[&str], _); 7] = [
            (&[RIGHT, best], "1 10 1"),
            (&[RIGHT, WRONG, RIGHT_AGAIN, DEEPER, best], "3 30 3"),
            (&[RIGHT, RIGHT_AGAIN, WRONG, other], "none"),
            // The last PV is wrong, or there is none: the solution comes with the best move.
            (&[RIGHT, WRONG, best], "2 20 3"),
            (&[best], "0 0 1"),
            // The PV is right, the best move is not.
            (&[RIGHT, other], "none"),
            // Only the best MultiPV line counts; values reported on lines without a PV are kept.
            (&multipv, "5 7 2"),
        ];
        for (lines, expected) in rows {
            assert_eq!(solution("bm Ra8#;", lines), expected, "{lines:?}");
        }
    }

    #[test]
    fn moves_to_avoid_and_points() {
        let lines = [RIGHT, WRONG, "bestmove e1d2"];
        // The move to avoid came up first.
        assert_eq!(solution("am Ra8#;", &lines), "2 20 2");
        assert_eq!(solution("am Kd2;", &lines), "none");
        assert_eq!(solution("bm Kd2; am Ra8#;", &lines), "2 20 2");
        let record = format!("{BACK_RANK} c0 \"Ra8#=10, Kd2=4\";");
        let answer = assess_lines(&record, &lines).expect("legal");
        assert_eq!((answer.points, answer.solved), (Some(4), false));
    }

    /// Compares verdicts on a mate that a record asks for: score, PV and best move of a search, and the
    /// moves to mate, or why it does not count.
    fn check_mates(record: &str, table: &str) {
        for row in table.trim().lines() {
            let cells: Vec<&str> = row.split(" | ").collect();
            let [score, pv, best, expected] = cells[..] else {
                panic!("{row}");
            };
            let info = format!("info depth 3 score {score} pv {pv}");
            let answer = assess_lines(record, &[&info, &format!("bestmove {best}")]);
            let answer = answer.expect("legal");
            let mate = answer.mate.expect("a mate is wanted");
            assert_eq!(answer.solved, mate.is_ok());
            let found = mate.map_or_else(|fault| fault.to_string(), |moves| moves.to_string());
            assert_eq!(found, expected, "{row}");
        }
    }

    /// `bm #-N`, as the matedtrack suite has it: Black has one legal move, and any check on the back
    /// rank mates.
    #[test]
    fn being_mated_is_played_out_too() {
        let mates = "
mate -1 | h8g8 a1a8 | h8g8 | 1
mate -1 upperbound | h8g8 a1a8 | h8g8 | 1
mate -1 lowerbound | h8g8 a1a8 | h8g8 | no mate announced
mate 1 | h8g8 a1a8 | h8g8 | no mate announced
mate 0 | h8g8 a1a8 | h8g8 | no mate announced
cp -3000 | h8g8 a1a8 | h8g8 | no mate announced
mate -2 | h8g8 a1b1 g8h8 b1b8 | h8g8 | mated in 2 announced, mated in 1 wanted
mate -1 | h8g8 a1b1 | h8g8 | mated in 1 announced, but after the 2 plies of the PV there is none
mate -1 | h8g8 a1b1 g8h8 b1b8 | h8g8 | mated in 1 announced, but the PV mates in 2
";
        check_mates("7k/8/6K1/8/8/8/8/R7 b - - bm #-1;", mates);
    }

    #[test]
    fn mates_are_played_out() {
        let mates = "
mate 1 | a1a8 | a1a8 | 1
mate 2 | a1a8 | a1a8 | 2
mate 2 | e1d2 h7h6 a1a8 | e1d2 | mate in 2 announced, but after the 3 plies of the PV there is none
mate 2 | e1d2 f7f6 a1a8 | e1d2 | mate in 2 announced, but after the 3 plies of the PV there is none
mate 2 | e1d2 g8h8 a1a8 | e1d2 | 2
mate 1 | e1d2 g8h8 a1a8 | e1d2 | mate in 1 announced, but the PV mates in 2
mate 2 lowerbound | e1d2 g8h8 a1a8 | e1d2 | 2
mate 2 upperbound | e1d2 g8h8 a1a8 | e1d2 | no mate announced
mate 3 | a1a8 | a1a8 | 1
mate -2 | a1a8 | a1a8 | 1
cp 10000003 | a1a8 | a1a8 | 1
mate 3 | e1d2 g8h8 a1a8 | e1d2 | mate in 3 announced, mate in 2 wanted
mate -2 | e1d2 g8h8 a1a8 | e1d2 | no mate announced
cp 3000 | e1d2 g8h8 a1a8 | e1d2 | no mate announced
mate 1 | a1a8 | e1d2 | no mate announced
mate 2 | e1d2 g8g7 a1a8 | e1d2 | mate in 2 announced, but illegal PV: move 2, g8g7, is not legal in 6k1/5ppp/8/8/8/8/3K4/R7 b - - 1 1
";
        check_mates(&format!("{BACK_RANK} dm 2;"), mates);
    }

    #[test]
    fn all_that_is_asked_for_must_be_there() {
        let mate_in_one = ["info depth 2 nodes 9 score mate 1 pv a1a8", "bestmove a1a8"];
        assert_eq!(solution("bm Ra8#; dm 1;", &mate_in_one), "2 9 1");
        assert_eq!(solution("bm Ra8# #2; am Kd2;", &mate_in_one), "2 9 1");
        assert_eq!(solution("bm Kd2; dm 2;", &mate_in_one), "none");
        assert_eq!(solution("am Ra8#; dm 2;", &mate_in_one), "none");
        // A move that mates needs no score.
        let no_score = ["info depth 2 nodes 9 pv a1a8", "bestmove a1a8"];
        assert_eq!(solution("bm Ra8#; dm 1;", &no_score), "2 9 1");
        let quiet = ["info depth 2 nodes 9 pv e1d2", "bestmove e1d2"];
        assert_eq!(solution("bm Kd2; dm 2;", &quiet), "none");
        // The right move came up at once, the mate a depth later.
        let later = [
            "info depth 1 nodes 4 score cp 500 pv e1d2 g8h8 a1a8",
            "info depth 2 nodes 9 score mate 2 pv e1d2 g8h8 a1a8",
            "bestmove e1d2",
        ];
        assert_eq!(solution("bm Kd2; dm 2;", &later), "2 9 2");
        // A mate once proved counts though the PV is cut later; it is not stable, so it counts from
        // the end.
        let cut = [
            "info depth 3 nodes 5 score mate 2 pv e1d2 g8h8 a1a8",
            "info depth 9 nodes 9 score mate 2 pv e1d2",
            "bestmove e1d2",
        ];
        assert_eq!(solution("dm 2;", &cut), "9 9 3");
    }

    #[test]
    fn replies_that_are_not_legal_moves() {
        for reply in ["a1a9", "a1b2", "(none)", "0000", "e1e1"] {
            let (record, line) = (format!("{BACK_RANK} bm Ra8#;"), format!("bestmove {reply}"));
            let found = assess_lines(&record, &[&line]).unwrap_err();
            let expected = format!(
                "bestmove {reply} is not a legal move in 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
            );
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_first_illegal_move_of_a_pv_is_reported() {
        let lines = [
            "info depth 1 score cp 5 pv e1d2 e8e7",
            "info depth 2 score cp 30 pv a1a8 g8h8",
            "bestmove e1d2",
        ];
        let answer = assess_lines(&format!("{BACK_RANK} bm Ra8#;"), &lines).expect("legal");
        assert_eq!(answer.pv.len(), 1);
        assert_eq!(answer.score.expect("it has one").to_string(), "cp 5");
        let fault = answer.illegal_pv.expect("e8e7 is not legal").to_string();
        let place = "6k1/5ppp/8/8/8/8/3K4/R7 b - - 1 1";
        assert_eq!(
            fault,
            format!("illegal PV: move 2, e8e7, is not legal in {place}")
        );
    }
}
