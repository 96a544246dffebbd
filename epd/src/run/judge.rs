//! Judges all searches of a case: one, or one for each move of a puzzle. Pure.

use super::moment::SearchMoment;
use super::plan::RunCase;
use super::score::{BadReplyError, Search, SearchAnswer, assess};

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
