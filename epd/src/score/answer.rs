//! The judgement on a search.

use chess::notation::fen;
use chess::rules::{CastlingMode, Move, Position};
use uci::grammar::{Reply, Score};

use super::line::{IllegalPv, play_out};
use super::mate::{MateFault, prove};
use super::search::{Moment, Observation, Search};
use crate::goal::Goal;

/// A `bestmove` that is no legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("bestmove {reply} is not a legal move in {fen}")]
pub struct BadReplyError {
    /// What stood there.
    pub reply: Reply,
    /// The position.
    pub fen: String,
}

/// What a search amounts to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The best move.
    pub best_move: Move,
    /// Whether all that was asked for is there at the end.
    pub solved: bool,
    /// What the best move is worth, where moves have points.
    pub points: Option<u32>,
    /// Where it is solved: when the solution came up to stay.
    pub solution: Option<Moment>,
    /// The end of the search.
    pub end: Moment,
    /// The score told with the variation that begins with the best move.
    pub score: Option<Score>,
    /// That variation as far as it is legal; the best move alone where none was told.
    pub pv: Vec<Move>,
    /// The first variation told with a move that is not legal.
    pub illegal_pv: Option<IllegalPv>,
    /// The mate, where one is wanted: in how many moves, or why it does not count.
    pub mate: Option<Result<u32, MateFault>>,
}

/// Judges a search by what was asked in a position.
///
/// A solution is *stable* from the first variation on that meets the goal, provided every later
/// one does too, and the best move with them. Where the best move meets it, but the last variation
/// does not or there is none, the solution came with the best move.
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

/// What a search is judged by.
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

    /// The mate that is wanted, announced by any variation that begins with the best move; else
    /// why the last of them does not count.
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

    /// When the goal was met for the first time never to be unmet again.
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
