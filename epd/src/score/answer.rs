//! Judges a search.

use chess::notation::fen;
use chess::rules::{CastlingMode, Move, Position};
use uci::grammar::{Reply, Score};

use super::line::{IllegalPv, play_out};
use super::mate::{MateFault, prove};
use super::search::{Moment, Observation, Search};
use crate::goal::Goal;

/// A `bestmove` that is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bestmove {reply} is not a legal move in {fen}")]
pub struct BadReplyError {
    /// The reply that was sent.
    pub reply: Reply,
    /// The position.
    pub fen: String,
}

/// The judged result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The best move.
    pub best_move: Move,
    /// Whether the goal is met at the end.
    pub solved: bool,
    /// The points of the best move, if moves have points.
    pub points: Option<u32>,
    /// If solved, when the solution was first found for good.
    pub solution: Option<Moment>,
    /// The end of the search.
    pub end: Moment,
    /// The score reported with the PV that begins with the best move.
    pub score: Option<Score>,
    /// The legal part of that PV; the best move alone if there is none.
    pub pv: Vec<Move>,
    /// The first PV with an illegal move.
    pub illegal_pv: Option<IllegalPv>,
    /// The mate, if one is asked for: the number of moves, or why it does not count.
    pub mate: Option<Result<u32, MateFault>>,
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
pub fn assess(
    search: &Search,
    goal: &Goal,
    position: &Position,
    mode: CastlingMode,
) -> Result<Answer, BadReplyError> {
    let best_move = search
        .reply
        .as_move()
        .and_then(|text| text.to_move(position, mode))
        .ok_or_else(|| BadReplyError {
            reply: search.reply.clone(),
            fen: fen::write(position),
        })?;
    let judge = Judge {
        goal,
        position,
        mode,
    };
    let mate = judge.mate(search, best_move);
    let solved = goal.is_met_by(best_move) && mate.as_ref().is_none_or(Result::is_ok);
    let told = judge.last_with(search, best_move);
    Ok(Answer {
        best_move,
        solved,
        points: goal.points.as_ref().map(|points| points.of(best_move)),
        solution: solved.then(|| judge.stable(search).unwrap_or(search.end)),
        end: search.end,
        score: told.and_then(|told| told.score),
        pv: told.map_or(vec![best_move], |told| {
            play_out(position, &told.pv, mode).moves
        }),
        illegal_pv: judge.illegal_pv(search),
        mate,
    })
}

struct Judge<'a> {
    goal: &'a Goal,
    position: &'a Position,
    mode: CastlingMode,
}

impl Judge<'_> {
    fn begins_with(&self, observation: &Observation, m: Move) -> bool {
        observation.pv[0].to_move(self.position, self.mode) == Some(m)
    }

    fn last_with<'s>(&self, search: &'s Search, m: Move) -> Option<&'s Observation> {
        let mut observations = search.observations.iter().rev();
        observations.find(|observation| self.begins_with(observation, m))
    }

    /// The mate asked for, announced by any PV that begins with the best move; else why the last of
    /// them does not count.
    fn mate(&self, search: &Search, best_move: Move) -> Option<Result<u32, MateFault>> {
        let wanted = self.goal.mate?;
        let mut proofs = search
            .observations
            .iter()
            .rev()
            .filter(|observation| self.begins_with(observation, best_move))
            .map(|observation| prove(observation, self.position, self.mode, wanted));
        let last = proofs.next().unwrap_or(Err(MateFault::NotAnnounced));
        Some(match last {
            Ok(moves) => Ok(moves),
            Err(fault) => proofs.find_map(Result::ok).ok_or(fault),
        })
    }

    fn meets(&self, observation: &Observation) -> bool {
        let m = observation.pv[0].to_move(self.position, self.mode);
        let mates = |wanted| prove(observation, self.position, self.mode, wanted).is_ok();
        m.is_some_and(|m| self.goal.is_met_by(m)) && self.goal.mate.is_none_or(mates)
    }

    /// When the goal was first met and remained so to the end.
    fn stable(&self, search: &Search) -> Option<Moment> {
        let stays = search
            .observations
            .iter()
            .rev()
            .take_while(|observation| self.meets(observation));
        stays.last().map(|observation| observation.moment)
    }

    fn illegal_pv(&self, search: &Search) -> Option<IllegalPv> {
        let mut faults = search
            .observations
            .iter()
            .map(|observation| play_out(self.position, &observation.pv, self.mode).fault);
        faults.find_map(|fault| fault)
    }
}
