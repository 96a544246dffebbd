//! Random dialogues with `touchstone`, held against a model of what must come of every line.
//!
//! A dialogue is a seed. Lines are sound commands in any order, a part of them soiled: words
//! dropped, doubled, swapped, bytes that are no text, numbers out of every range, lines of any
//! length. What is tested: no end before `quit` and none but exit code 0; `readyok` to each
//! `isready`; exactly one `bestmove` to each `go` that is not rejected, at the right time, and none
//! else; moves and lines that are legal, in order, within the limits; one `info string` to each
//! line that is rejected; nothing on the output that is no UCI.
//!
//! A dialogue that fails prints its seed and all that was said. `TOUCHSTONE_SEED` repeats it.

mod crowd;
mod dialogue;
mod dirt;
mod lines;
mod model;
pub(crate) mod search;

use std::sync::atomic::{AtomicU64, Ordering};

use self::dialogue::{Dialogue, declared_options};
use crate::talk::Talk;
use testkit::scale;
use uci::grammar::EngineOption;

/// Dialogues held at a time: they mostly wait.
const LANES: usize = 3;

/// Holds the dialogue of a seed; a fault comes with the transcript.
fn hold(seed: u64, options: &[EngineOption]) -> Result<(), String> {
    // Its book chooses by the seed.
    let talk = Talk::start(&["--seed", &seed.to_string()]);
    let mut dialogue = Dialogue::new(talk, options.to_vec(), seed);
    let held = match seed % 4 {
        0 => dialogue.all_at_once(),
        _ => dialogue.step_by_step(),
    };
    held.map_err(|fault| {
        let text = dialogue.text();
        format!("{text}FAULT {fault}\nagain with TOUCHSTONE_SEED={seed}")
    })
}

#[test]
fn every_line_is_answered_as_it_must_be() {
    let (first, count) = match testkit::number("TOUCHSTONE_SEED") {
        Some(seed) => (seed, 1),
        None => (1, scale(60, 400)),
    };
    let end = first + count;
    let options = declared_options(&mut Talk::start(&[])).expect("a handshake");
    let next = AtomicU64::new(first);
    let hold_some = || {
        let seeds = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        seeds
            .take_while(|&seed| seed < end)
            .try_for_each(|seed| hold(seed, &options))
    };
    let held: Vec<Result<(), String>> = std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES).map(|_| scope.spawn(hold_some)).collect();
        let joined = lanes
            .into_iter()
            .map(|lane| lane.join().expect("no panic there"));
        joined.collect()
    });
    if let Some(fault) = held.into_iter().find_map(Result::err) {
        panic!("{fault}");
    }
}
