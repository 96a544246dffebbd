//! Finding out how an engine wants to be asked, by asking it what is known.

use std::num::NonZeroU32;
use std::time::Duration;

use engine::rules::{CastlingMode, Position};

use super::ask::{self, NoAnswer, Sync, Tried};
use super::dialect::Dialect;
use super::format::{Format, Sample};
use super::line::Line;
use super::port::Port;
use crate::subject::Route;

/// The counts of the start position to depth 3 (OEIS A048987).
const KNOWN: [(u32, u64); 3] = [(1, 20), (2, 400), (3, 8902)];

/// How an engine is asked and understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Speech {
    pub(crate) dialect: Dialect,
    pub(crate) format: Format,
    pub(crate) sync: Sync,
}

impl Speech {
    /// Whether it is spoken by UCI.
    pub(crate) fn is_uci(&self) -> bool {
        self.dialect != Dialect::Script && self.sync != Sync::Silence
    }
}

/// Tries one dialect on an engine that is at rest, and leaves it at rest. Where it does not speak
/// it, what it did instead. A question may take as long as `patience`.
///
/// # Errors
///
/// When the engine ends, or does not come to rest.
pub(crate) fn try_dialect(
    port: &mut dyn Port,
    dialect: Dialect,
    knows_isready: bool,
    patience: Duration,
) -> Result<Result<Speech, String>, NoAnswer> {
    let sync = if knows_isready {
        Sync::ReadyAtOnce
    } else {
        Sync::Silence
    };
    let mut samples = Vec::new();
    let mut last = None;
    let mut ready_came_last = knows_isready;
    for (depth, count) in KNOWN {
        let tried = ask::try_asking(port, &question(dialect, depth), sync, patience)?;
        let Some(sample) = sample(depth, count, &tried) else {
            if knows_isready {
                ask::stop(port)?;
            }
            return Ok(Err(instead(&tried, patience)));
        };
        ready_came_last &= tried.ready_came_last;
        samples.push(sample);
        last = Some(instead(&tried, patience));
    }
    let sync = if ready_came_last {
        Sync::WhenReady
    } else {
        sync
    };
    let speech = Format::learn(&samples).map(|format| Speech {
        dialect,
        format,
        sync,
    });
    Ok(speech.ok_or_else(|| last.unwrap_or_default()))
}

/// What an engine did in place of counting, in a few words.
fn instead(tried: &Tried, patience: Duration) -> String {
    const SHOWN: usize = 80;
    if tried.lines.contains(&Line::Search) {
        return "it searched".to_owned();
    }
    let Some(last) = &tried.last else {
        return format!("it said nothing within {} s", patience.as_secs_f64());
    };
    let shown: String = last.trim().chars().take(SHOWN).collect();
    format!("it said '{shown}'")
}

/// The form in which a script answers, from what it said to each of the known questions.
pub(crate) fn learn_script(answers: impl IntoIterator<Item = Vec<Line>>) -> Option<Format> {
    let samples = KNOWN.into_iter().zip(answers);
    let samples: Vec<Sample> = samples
        .map(|((depth, count), lines)| Sample {
            depth,
            count,
            lines,
        })
        .collect();
    Format::learn(&samples)
}

/// The known questions: the start position and a depth.
pub(crate) fn known_questions() -> impl Iterator<Item = (Route, NonZeroU32)> {
    let route = Route::by_fen(Position::startpos());
    KNOWN
        .into_iter()
        .map(move |(depth, _)| (route.clone(), not_zero(depth)))
}

fn question(dialect: Dialect, depth: u32) -> Vec<String> {
    let route = Route::by_fen(Position::startpos());
    dialect.lines(&route, not_zero(depth), CastlingMode::Standard)
}

fn not_zero(depth: u32) -> NonZeroU32 {
    NonZeroU32::new(depth).expect("no known depth is 0")
}

/// `None` when it searched, or said nothing with numbers.
fn sample(depth: u32, count: u64, tried: &Tried) -> Option<Sample> {
    let lines = &tried.lines;
    let searched = lines.contains(&Line::Search);
    let has_numbers = lines
        .iter()
        .any(|line| matches!(line, Line::Row(_) | Line::Numbers(_)));
    (has_numbers && !searched).then(|| Sample {
        depth,
        count,
        lines: lines.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive::port::Heard;
    use crate::drive::port::scripted::{Scripted, lines};

    const PATIENCE: Duration = Duration::from_secs(3);

    fn depth_of(line: &str) -> Option<usize> {
        line.split_whitespace().nth(2)?.parse().ok()
    }

    /// Prints rows and a total, like Stockfish.
    fn stockfish(at_once: bool) -> impl FnMut(&str) -> Vec<Heard> {
        let mut late: Vec<Heard> = Vec::new();
        move |line| {
            if line == "isready" {
                let mut said = lines("readyok");
                if at_once {
                    said.append(&mut late);
                }
                return said;
            }
            let Some(depth) = depth_of(line).filter(|_| line.starts_with("go perft")) else {
                return Vec::new();
            };
            let nodes = [20, 400, 8902][depth - 1];
            let said = lines(&format!("e2e4: {nodes}\n\nNodes searched: {nodes}"));
            if at_once {
                late = said;
                return Vec::new();
            }
            said
        }
    }

    #[test]
    fn engines_that_count_before_they_are_ready() {
        let mut port = Scripted::new(stockfish(false));
        let speech = try_dialect(&mut port, Dialect::GoPerft, true, PATIENCE).expect("answers");
        let speech = speech.expect("speaks it");
        assert_eq!(speech.sync, Sync::WhenReady);
        assert!(speech.format.has_rows() && speech.format.has_total());
        assert_eq!(port.sent[1], "go perft 1");
    }

    #[test]
    fn engines_that_are_ready_at_once() {
        let mut port = Scripted::new(stockfish(true));
        let speech = try_dialect(&mut port, Dialect::GoPerft, true, PATIENCE).expect("answers");
        let speech = speech.expect("speaks it");
        assert_eq!(speech.sync, Sync::ReadyAtOnce);
        let question = ask::Question {
            lines: &question(Dialect::GoPerft, 3),
            depth: 3,
            format: &speech.format,
            sync: speech.sync,
            moves: 20,
        };
        let answer = question
            .ask(&mut port, Duration::from_secs(1))
            .expect("an answer");
        assert!(
            answer
                .iter()
                .any(|line| speech.format.total_in(line, 3) == Some(8902))
        );
    }

    #[test]
    fn a_search_is_no_perft() {
        let mut searching = false;
        let mut port = Scripted::new(|line: &str| match line {
            "go perft 1" => {
                searching = true;
                lines("info depth 1 score cp 20 nodes 20 pv e2e4")
            }
            "stop" if std::mem::take(&mut searching) => lines("bestmove e2e4"),
            "isready" => lines("readyok"),
            _ => Vec::new(),
        });
        let tried = try_dialect(&mut port, Dialect::GoPerft, true, PATIENCE);
        assert_eq!(tried, Ok(Err("it searched".to_owned())));
        assert!(port.sent.iter().any(|line| line == "stop"));
    }

    #[test]
    fn silence_is_no_perft_and_an_end_is_an_error() {
        let mut port = Scripted::new(|line: &str| {
            let words = if line == "isready" { "readyok" } else { "" };
            lines(words)
        });
        let tried = try_dialect(&mut port, Dialect::Perft, true, PATIENCE);
        assert_eq!(tried, Ok(Err("it said nothing within 3 s".to_owned())));
        let mut port = Scripted::new(|_: &str| vec![Heard::End]);
        assert_eq!(
            try_dialect(&mut port, Dialect::Perft, true, PATIENCE),
            Err(NoAnswer::Ended)
        );
    }

    #[test]
    fn consoles_without_isready() {
        let mut port = Scripted::new(|line: &str| match depth_of(&format!("_ {line}")) {
            Some(depth) => lines(&[20, 400, 8902][depth - 1].to_string()),
            None => Vec::new(),
        });
        let speech = try_dialect(&mut port, Dialect::PerftFen, false, PATIENCE).expect("answers");
        let speech = speech.expect("speaks it");
        assert_eq!(speech.sync, Sync::Silence);
        assert!(!speech.format.has_rows());
    }
}
