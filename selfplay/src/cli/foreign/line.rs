//! A whole line, or one option of it, in our words. Pure.

use super::group::groups;
use super::options::read;
use super::plan::{ForeignMachine, System, Translation, quoted};
use super::state::ForeignState;
use super::{Program, engines};

/// Translates a line without the name of the program.
pub(super) fn translate(
    program: Program,
    words: &[String],
    machine: ForeignMachine,
) -> Result<Translation, String> {
    // Read by fastchess itself, with everything behind it.
    if let (Program::Fastchess, [first, rest @ ..]) = (program, words)
        && first == "--compliance"
    {
        if rest.is_empty() {
            return Err("--compliance has no value, expected an engine".to_owned());
        }
        let engine: Vec<String> = rest.iter().map(|word| quoted(word)).collect();
        return Ok(Translation {
            words: vec!["compliance".to_owned(), engine.join(" ")],
            notes: Vec::new(),
        });
    }
    let mut state = ForeignState::new(program, machine);
    for group in groups(words) {
        read(&mut state, &group)?;
        if let Some(words) = state.ends {
            let notes = Vec::new();
            return Ok(Translation { words, notes });
        }
    }
    if state.plan.system == System::Knockout && state.given.contains("-rounds") {
        return Err("-rounds in a knockout: expected -games, or another system".to_owned());
    }
    if state.is_fastchess() {
        state.count_rounds()?;
    }
    engines::finish(&mut state)?;
    state.finish()
}

/// The words of ours for one option, as far as they do not depend on others.
pub(super) fn translate_option(
    program: Program,
    words: &[String],
    machine: ForeignMachine,
) -> Option<Vec<String>> {
    let mut state = ForeignState::new(program, machine);
    for group in groups(words) {
        read(&mut state, &group).ok()?;
    }
    state.plan.each = engines::shared(&mut state).ok()?;
    if let Some(book) = &mut state.plan.book {
        book.settle().ok()?;
    }
    let mut words = state.plan.own_words(false);
    if state.is_fastchess() {
        if let Some(rounds) = state.rounds {
            words.extend(["--rounds".to_owned(), rounds.to_string()]);
        }
        if state.games == 1 {
            words.extend(["--games", "1"].map(str::to_owned));
        }
    }
    (!words.is_empty()).then_some(words)
}
