//! `go` with each kind of limit.

use std::time::Duration;

use chess::notation::uci_move;
use chess::rules::Color;

use super::{Check, CheckFinding, Dialogue, answers, recommended, required, switch_on};
use crate::compliance::check::{Objection, demand, finding};
use crate::compliance::dialogue::{is, no_bestmove};
use crate::compliance::judge;
use crate::compliance::question::{PositionQuestion, middle_game};

const SINGLE_ANSWER: &str =
    "a match with this limit stands still without an answer, and falls out of step with two";

/// A check that `$go` is answered by one legal move. A macro, since a check is a plain function.
macro_rules! go {
    ($level:ident, $name:literal, $what:literal, $why:expr, $go:literal) => {
        $level(
            $name,
            concat!("answers ", $what, " with one legal bestmove"),
            $why,
            |dialogue| answers(dialogue, $go, both_sides()),
        )
    };
}

pub(super) static LIMITS: &[Check] = &[
    go!(
        required,
        "go-depth",
        "go depth",
        SINGLE_ANSWER,
        "go depth 3"
    ),
    go!(
        required,
        "go-nodes",
        "go nodes",
        SINGLE_ANSWER,
        "go nodes 1000"
    ),
    go!(
        recommended,
        "go-one-node",
        "go nodes 1",
        "a match at one node a move tries the evaluation alone; no other match needs it",
        "go nodes 1"
    )
    .after(&["go-nodes"]),
    go!(
        required,
        "go-movetime",
        "go movetime",
        SINGLE_ANSWER,
        "go movetime 50"
    ),
    go!(
        required,
        "go-clock",
        "go with two clocks",
        SINGLE_ANSWER,
        "go wtime 1000 btime 1000"
    ),
    go!(
        required,
        "go-increment",
        "go with clocks and increments",
        SINGLE_ANSWER,
        "go wtime 1000 btime 800 winc 10 binc 20"
    )
    .after(&["go-clock"]),
    go!(
        required,
        "go-movestogo",
        "go with clocks and movestogo",
        SINGLE_ANSWER,
        "go wtime 1000 btime 1000 movestogo 20"
    )
    .after(&["go-clock"]),
    required(
        "go-infinite",
        "searches after go infinite until stop, and no shorter",
        "UCI says so; a bestmove before stop is out of step with whoever watches",
        |dialogue| waits(dialogue, "go infinite", [middle_game()]),
    ),
    recommended(
        "infinite-forced",
        "waits for stop after go infinite even where there is one legal move, or a mate in one",
        "UCI says so, but many engines answer as soon as there is no more to think about",
        |dialogue| {
            waits(
                dialogue,
                "go infinite",
                [ONE_MOVE, MATE_IN_ONE].map(PositionQuestion::fen),
            )
        },
    )
    .after(&["go-infinite"]),
    recommended(
        "go-searchmoves",
        "chooses among the moves of searchmoves",
        "no match needs it, but those who analyse with the engine do",
        |dialogue| {
            let go = dialogue.short(3) + " searchmoves b2b3 g2g3";
            let searched = dialogue.search(&PositionQuestion::outside_books(), go)?;
            let text = searched.answer.text;
            demand(matches!(&*text, "b2b3" | "g2g3"), || {
                format!("{text} is none of b2b3 and g2g3")
            })
        },
    ),
    recommended(
        "go-mate",
        "answers go mate 1 where there is a mate in one",
        "no match needs it, but solvers of problems do",
        |dialogue| answers(dialogue, "go mate 1", [PositionQuestion::fen(MATE_IN_ONE)]),
    ),
];

/// White has one legal move, a1b1.
pub(super) const ONE_MOVE: &str = "7k/8/8/8/8/1p6/r7/K7 w - - 0 1";
/// White mates with a1a8.
pub(super) const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

/// A position with White to move, then one with Black to move.
fn both_sides() -> [PositionQuestion; 2] {
    let white = PositionQuestion::outside_books();
    [white.clone(), white.after("g1f3")]
}

/// A search must not answer before `stop`, and must answer after it.
fn waits<const N: usize>(
    dialogue: &mut Dialogue<'_>,
    go: &str,
    questions: [PositionQuestion; N],
) -> CheckFinding {
    for question in questions {
        ended_by(dialogue, &question, go, (400, "stop"))?;
    }
    Ok(())
}

/// Searches without an answer for some milliseconds, until a command ends the search; returns the time
/// of the answer to that.
fn ended_by(
    dialogue: &mut Dialogue<'_>,
    question: &PositionQuestion,
    go: &str,
    (silent_ms, command): (u64, &str),
) -> Result<Duration, Objection> {
    dialogue.begin(question, go)?;
    no_bestmove(&dialogue.listen(Duration::from_millis(silent_ms))?)?;
    let since = dialogue.say(command)?;
    let searched = dialogue.answer(question, since)?;
    dialogue.ready_without_bestmove()?;
    Ok(searched.took)
}

// Time management. Where timing matters the best of three tries counts, so that a busy machine is
// not mistaken for a slow engine.

pub(super) static CLOCK: &[Check] = &[
    required(
        "movetime-kept",
        "answers go movetime 100 in time, give or take the margin",
        "with a fixed time for each move, being late loses the game",
        |dialogue| {
            in_time(
                dialogue,
                "go movetime 100",
                (100, dialogue.patience().margin),
            )
        },
    )
    .after(&["go-movetime", "clock-game"])
    .alone(),
    recommended(
        "movetime-used",
        "uses at least half of go movetime 400",
        "time that is not used is strength given away",
        |dialogue| {
            let searched = dialogue.search(&middle_game(), "go movetime 400")?;
            let took = searched.took.as_millis();
            demand(took >= 200, || format!("bestmove came after {took} ms"))
        },
    )
    .after(&["go-movetime"])
    .alone(),
    required(
        "little-time",
        "answers in time with 100 ms on the clock and no increment",
        "long games of bullet chess end so",
        |dialogue| {
            let go = "go wtime 100 btime 100";
            in_time(dialogue, go, (100, dialogue.patience().margin))
        },
    )
    .after(&["go-clock", "clock-game"])
    .alone(),
    required(
        "last-move-of-control",
        "answers in time when this is the last move before the time control",
        "an engine that divides its time by the moves to go takes all of it, and its overhead more",
        |dialogue| {
            let go = "go wtime 300 btime 300 movestogo 1";
            in_time(dialogue, go, (300, dialogue.patience().margin))
        },
    )
    .after(&["go-movestogo", "clock-game", "little-time"])
    .alone(),
    required(
        "increment-not-on-clock",
        "does not count on an increment that it has not got yet",
        "with little time left the increment comes only after the move",
        |dialogue| {
            // No clock of a game with this increment shows less after the first move. An engine
            // that adds the increment to a share of its time uses a little more than it has, and
            // less than any margin.
            let go = "go wtime 2050 btime 2050 winc 2000 binc 2000";
            in_time(dialogue, go, (2050, Duration::ZERO))
        },
    )
    .after(&["go-increment", "clock-game", "clock-game-exact"])
    .alone(),
    recommended(
        "overstepped-clock",
        "answers at once when its clock shows 1 ms, 0 or less",
        "contests that allow a margin send such times",
        overstepped_clock,
    )
    .after(&["go-increment", "clock-game", "little-time"])
    .alone(),
    required(
        "clock-game",
        "plays 60 moves of each side at 1+0.01 and oversteps no clock by more than the margin",
        "it is how games are lost on time",
        |dialogue| plays_on_the_clock(dialogue, dialogue.patience().margin),
    )
    .after(&[
        "go-increment",
        "positions-in-any-order",
        "repetition",
        "fifty-moves",
    ])
    .unless_passed("clock-game-exact")
    .alone(),
    recommended(
        "clock-game-exact",
        "plays 60 moves of each side at 1+0.01 and oversteps no clock at all",
        "many contests allow no margin",
        |dialogue| plays_on_the_clock(dialogue, Duration::ZERO),
    )
    .after(&["clock-game"])
    .alone(),
];

const TRIES: u32 = 3;

fn in_time(
    dialogue: &mut Dialogue<'_>,
    go: &str,
    (time_ms, margin): (u64, Duration),
) -> CheckFinding {
    let most = Duration::from_millis(time_ms) + margin;
    let mut quickest = Duration::MAX;
    for _ in 0..TRIES {
        quickest = quickest.min(dialogue.search(&middle_game(), go)?.took);
        if quickest <= most {
            return Ok(());
        }
    }
    let took = quickest.as_millis();
    Err(Objection::Fault(format!(
        "bestmove came {took} ms after '{go}', in the best of {TRIES} tries"
    )))
}

fn overstepped_clock(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let most = Duration::from_millis(20) + dialogue.patience().margin;
    for time in ["1", "0", "-20"] {
        let go = format!("go wtime {time} btime {time} winc 10 binc 10");
        let since = dialogue.begin(&middle_game(), &*go)?;
        let within = dialogue.patience().answer.min(most + MUCH_TOO_LATE);
        let searched = dialogue.answer_within(&middle_game(), since, within)?;
        dialogue.ready_without_bestmove()?;
        demand(searched.took <= most, || {
            let took = searched.took.as_millis();
            format!("bestmove came {took} ms after '{go}'")
        })?;
    }
    Ok(())
}

/// Time after which an answer that is due at once is not waited for any longer.
const MUCH_TOO_LATE: Duration = Duration::from_secs(1);

const START: Duration = Duration::from_secs(1);
const INCREMENT: Duration = Duration::from_millis(10);
const PLIES: u32 = 120;

/// The engine plays both sides, each with a clock. One faultless game of three is enough.
fn plays_on_the_clock(dialogue: &mut Dialogue<'_>, margin: Duration) -> CheckFinding {
    let mut overstepped = None;
    for _ in 0..TRIES {
        dialogue.new_game()?;
        overstepped = play(dialogue, margin)?;
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
fn play(
    dialogue: &mut Dialogue<'_>,
    margin: Duration,
) -> Result<Option<(u32, Duration)>, Objection> {
    let mut question = PositionQuestion::startpos();
    let mut clocks = [START; 2];
    for ply in 1..=PLIES {
        let game = &question.game;
        if game.outcome().is_some() || game.claimable_draw().is_some() {
            question = PositionQuestion::startpos();
        }
        let [wtime, btime] = clocks.map(|clock| clock.as_millis());
        let increment = INCREMENT.as_millis();
        let go = format!("go wtime {wtime} btime {btime} winc {increment} binc {increment}");
        let since = dialogue.begin(&question, go)?;
        let searched = dialogue.answer(&question, since)?;
        let is_white = question.position().side_to_move() == Color::White;
        let clock = &mut clocks[usize::from(!is_white)];
        if searched.took > *clock + margin {
            return Ok(Some((ply, searched.took.saturating_sub(*clock))));
        }
        // As in a match, the margin excuses a late answer, but is not taken from the next move.
        *clock = clock.saturating_sub(searched.took) + INCREMENT;
        let best = searched.answer.best;
        let text = uci_move::write(best, question.position(), question.mode);
        question.push(&text, best);
    }
    Ok(None)
}

// `stop`, and other commands during a search.

pub(super) static STOPPING: &[Check] = &[
    required(
        "stop",
        "answers stop with bestmove at once",
        "what comes later is taken from the engine's clock after a ponder miss",
        stops_soon,
    )
    .after(&["go-infinite"])
    .alone(),
    required(
        "immediate-stop",
        "answers a stop that comes together with go",
        "an engine that clears its stop flag only when its search begins never hears it, and \
         searches for ever",
        immediate_stop,
    )
    .after(&["go-infinite"]),
    required(
        "isready-in-search",
        "answers isready during a search, and searches on",
        "UCI demands it: it is how one knows a thinking engine from a dead one",
        ready_in_search,
    )
    .after(&["go-infinite", "stop"]),
    required(
        "one-bestmove",
        "says bestmove once for each search, also after a stop that comes late",
        "a second bestmove is taken for the answer to the next position",
        one_bestmove,
    )
    .after(&["go-infinite", "idle-stop"]),
    required(
        "back-to-back",
        "searches 30 times, each as soon as the last bestmove has come",
        "so fast games are played; an engine that says bestmove before it can take the next \
         command loses some of them",
        back_to_back,
    )
    .after(&["positions-in-any-order"]),
    recommended(
        "go-in-search",
        "answers stop even if another go has come during the search",
        "UCI says to pass over what comes at the wrong time; an engine that waits for the end of a \
         search without end never reads stop",
        go_in_search,
    )
    .after(&["go-infinite", "stop", "immediate-stop"]),
];

/// The fastest of three tries counts: an engine that is always late is late in all of them.
fn stops_soon(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let question = middle_game();
    let mut quickest = Duration::MAX;
    for _ in 0..TRIES {
        quickest = quickest.min(ended_by(dialogue, &question, "go infinite", (150, "stop"))?);
    }
    demand(quickest <= dialogue.patience().margin, || {
        let took = quickest.as_millis();
        format!("bestmove came {took} ms after stop, in the best of three tries")
    })
}

fn immediate_stop(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let question = middle_game();
    // An engine that loses this race does not lose it every time.
    for _ in 0..10 {
        dialogue.say(&question.line)?;
        let since = dialogue.say_at_once(&["go infinite", "stop"])?;
        dialogue.answer(&question, since)?;
        dialogue.ready_without_bestmove()?;
    }
    Ok(())
}

fn ready_in_search(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let question = middle_game();
    dialogue.begin(&question, "go infinite")?;
    for _ in 0..3 {
        let ready = dialogue.ready_without_bestmove();
        ready.map_err(|objection| dialogue.of_lost_line(objection))?;
    }
    no_bestmove(&dialogue.listen(Duration::from_millis(100))?)?;
    let since = dialogue.say("stop")?;
    dialogue.answer(&question, since)?;
    dialogue.ready_without_bestmove()
}

fn one_bestmove(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let question = middle_game();
    let since = dialogue.begin(&question, 2)?;
    dialogue.answer(&question, since)?;
    dialogue.say("stop")?;
    no_bestmove(&dialogue.listen(Duration::from_millis(300))?)?;
    dialogue.begin(&question, "go infinite")?;
    no_bestmove(&dialogue.listen(Duration::from_millis(100))?)?;
    let since = dialogue.say_at_once(&["stop", "stop"])?;
    dialogue.answer(&question, since)?;
    no_bestmove(&dialogue.listen(Duration::from_millis(300))?)?;
    dialogue.ready_without_bestmove()
}

fn back_to_back(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let [white, black] = both_sides();
    // No `isready` comes in between: it would give the engine the time that this check denies it.
    for question in [white, black, middle_game()].iter().cycle().take(30) {
        let since = dialogue.begin(question, 1)?;
        dialogue.answer(question, since)?;
    }
    dialogue.ready_without_bestmove()
}

fn go_in_search(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    let question = middle_game();
    let second = dialogue.short(2);
    dialogue.begin(&question, "go infinite")?;
    dialogue.say(&second)?;
    dialogue.say("stop")?;
    // An engine may obey the second go, and then it answers twice.
    let within = dialogue.patience().answer.min(MUCH_TOO_LATE);
    let heard = dialogue.hear("bestmove", within)?;
    finding(judge::read(&question, &heard.line.text))?;
    let late = dialogue.listen(Duration::from_millis(300))?;
    for line in late.iter().filter(|line| is(line, "bestmove")) {
        finding(judge::read(&question, &line.text))?;
    }
    dialogue.ready()?;
    Ok(())
}

// Pondering, for engines with the option `Ponder`.

// `ponderhit` comes after 600 ms: an engine whose clock runs before it has lost on time by then.
const GO_PONDER: &str = "go ponder wtime 400 btime 400";

pub(super) static PONDERING: &[Check] = &[
    required(
        "ponderhit",
        "ponders until ponderhit, then answers within its clock",
        "before ponderhit its move cannot be played, and after it its clock runs",
        ponderhit,
    )
    .after(&["go-clock", "ponder-stop"])
    .alone(),
    required(
        "ponder-stop",
        "ponders until stop, then answers at once",
        "another move was played: the next search waits for the answer, on its clock",
        |dialogue| {
            switch_on(dialogue, "Ponder")?;
            waits(dialogue, GO_PONDER, [middle_game()])?;
            answers(dialogue, 2, [PositionQuestion::outside_books()])
        },
    )
    .after(&["go-infinite"]),
    required(
        "ponder-race",
        "answers a ponderhit or a stop that comes together with go ponder",
        "an opponent that moves at once makes them come so",
        ponder_race,
    )
    .after(&["immediate-stop", "ponder-stop"]),
    recommended(
        "ponder-forced",
        "waits while it ponders even where there is one legal move, or a mate in one",
        "UCI says so; who sends ponderhit must otherwise know that the answer was there before",
        |dialogue| {
            switch_on(dialogue, "Ponder")?;
            waits(
                dialogue,
                GO_PONDER,
                [ONE_MOVE, MATE_IN_ONE].map(PositionQuestion::fen),
            )
        },
    )
    .after(&["infinite-forced", "ponder-stop"]),
];

/// The fastest of three tries counts.
fn ponderhit(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    switch_on(dialogue, "Ponder")?;
    let question = middle_game();
    let mut quickest = Duration::MAX;
    for _ in 0..TRIES {
        quickest = quickest.min(ended_by(
            dialogue,
            &question,
            GO_PONDER,
            (600, "ponderhit"),
        )?);
    }
    let most = Duration::from_millis(400) + dialogue.patience().margin;
    demand(quickest <= most, || {
        let took = quickest.as_millis();
        format!("bestmove came {took} ms after ponderhit with 400 ms on the clock, three times")
    })
}

fn ponder_race(dialogue: &mut Dialogue<'_>) -> CheckFinding {
    switch_on(dialogue, "Ponder")?;
    let question = middle_game();
    for end in ["ponderhit", "stop", "ponderhit", "stop"] {
        dialogue.say(&question.line)?;
        let since = dialogue.say_at_once(&[GO_PONDER, end])?;
        dialogue.answer(&question, since)?;
        dialogue.ready_without_bestmove()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_move_is_one() {
        let question = PositionQuestion::fen(ONE_MOVE).after("a1b1");
        let before = *question.game.start();
        assert_eq!(before.legal_move_count(), 1);
    }
}
