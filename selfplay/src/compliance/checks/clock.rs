//! Time management. Where timing matters the best of three tries counts, so that a busy machine is
//! not mistaken for a slow engine.

use std::time::Duration;

use chess::notation::uci_move;
use chess::rules::Color;

use super::{Check, Finding, Talk, recommended, required};
use crate::compliance::finding::{Objection, demand};
use crate::compliance::question::{Question, middle_game};

pub(super) static CHECKS: &[Check] = &[
    required(
        "movetime-kept",
        "answers go movetime 100 in time, give or take the margin",
        "with a fixed time for each move, being late loses the game",
        |talk| in_time(talk, "go movetime 100", 100),
    ),
    recommended(
        "movetime-used",
        "uses at least half of go movetime 400",
        "time that is not used is strength given away",
        |talk| {
            talk.greet()?;
            let searched = talk.search(&middle_game(), "go movetime 400")?;
            let took = searched.took.as_millis();
            demand(took >= 200, || format!("bestmove came after {took} ms"))
        },
    ),
    required(
        "little-time",
        "answers in time with 100 ms on the clock and no increment",
        "long games of bullet chess end so",
        |talk| in_time(talk, "go wtime 100 btime 100", 100),
    ),
    required(
        "last-move-of-control",
        "answers in time when this is the last move before the time control",
        "an engine that divides its time by the moves to go takes all of it, and its overhead more",
        |talk| in_time(talk, "go wtime 300 btime 300 movestogo 1", 300),
    ),
    required(
        "increment-not-on-clock",
        "does not count on an increment that it has not got yet",
        "with little time left the increment comes only after the move",
        |talk| in_time(talk, "go wtime 100 btime 100 winc 2000 binc 2000", 100),
    ),
    recommended(
        "overstepped-clock",
        "answers at once when its clock shows 1 ms, 0 or less",
        "contests that allow a margin send such times",
        overstepped_clock,
    ),
    required(
        "clock-game",
        "plays 60 moves of each side at 1+0.01 and oversteps no clock by more than the margin",
        "it is how games are lost on time",
        |talk| plays_on_the_clock(talk, talk.patience().margin),
    ),
    recommended(
        "clock-game-exact",
        "plays 60 moves of each side at 1+0.01 and oversteps no clock at all",
        "many contests allow no margin",
        |talk| plays_on_the_clock(talk, Duration::ZERO),
    ),
];

const TRIES: u32 = 3;

fn in_time(talk: &mut Talk<'_>, go: &str, time_ms: u64) -> Finding {
    talk.greet()?;
    let most = Duration::from_millis(time_ms) + talk.patience().margin;
    let mut quickest = Duration::MAX;
    for _ in 0..TRIES {
        quickest = quickest.min(talk.search(&middle_game(), go)?.took);
        if quickest <= most {
            return Ok(());
        }
    }
    let took = quickest.as_millis();
    Err(Objection::Fault(format!(
        "bestmove came {took} ms after '{go}', in the best of {TRIES} tries"
    )))
}

fn overstepped_clock(talk: &mut Talk<'_>) -> Finding {
    talk.greet()?;
    let most = Duration::from_millis(20) + talk.patience().margin;
    for time in ["1", "0", "-20"] {
        let go = format!("go wtime {time} btime {time} winc 10 binc 10");
        let took = talk.search(&middle_game(), &go)?.took;
        demand(took <= most, || {
            let took = took.as_millis();
            format!("bestmove came {took} ms after '{go}'")
        })?;
    }
    Ok(())
}

const START: Duration = Duration::from_secs(1);
const INCREMENT: Duration = Duration::from_millis(10);
const PLIES: u32 = 120;

/// The engine plays both sides, each with a clock. One faultless game of three is enough.
fn plays_on_the_clock(talk: &mut Talk<'_>, margin: Duration) -> Finding {
    talk.greet()?;
    let mut overstepped = None;
    for _ in 0..TRIES {
        talk.new_game()?;
        overstepped = play(talk, margin)?;
        if overstepped.is_none() {
            return Ok(());
        }
    }
    let (ply, by) = overstepped.unwrap_or_default();
    Err(Objection::Fault(format!(
        "the clock was overstepped in each of {TRIES} games; in the last by {:.1} ms at ply {ply}",
        by.as_secs_f64() * 1e3
    )))
}

/// Plays one game; returns the ply at which a clock was exceeded, and by how much. A finished game
/// is restarted while the clocks keep running.
fn play(talk: &mut Talk<'_>, margin: Duration) -> Result<Option<(u32, Duration)>, Objection> {
    let mut question = Question::startpos();
    let mut clocks = [START; 2];
    for ply in 1..=PLIES {
        let game = question.game();
        if game.outcome().is_some() || game.claimable_draw().is_some() {
            question = Question::startpos();
        }
        let [wtime, btime] = clocks.map(|clock| clock.as_millis());
        let increment = INCREMENT.as_millis();
        let go = format!("go wtime {wtime} btime {btime} winc {increment} binc {increment}");
        let since = talk.begin(&question, &go)?;
        let searched = talk.answer(&question, since)?;
        let is_white = question.position().side_to_move() == Color::White;
        let clock = &mut clocks[usize::from(!is_white)];
        if searched.took > *clock + margin {
            return Ok(Some((ply, searched.took.saturating_sub(*clock))));
        }
        *clock = clock.saturating_sub(searched.took) + INCREMENT;
        let best = searched.answer.best;
        let text = uci_move::write(best, question.position(), question.mode());
        question.push(&text, best);
    }
    Ok(None)
}
