//! Live progress of a run: a status line on a terminal that is updated as games end, or a line from
//! time to time.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

use kit::StatusLine;

use super::summary::EndSummary;
use super::{FEWEST_GAMES, count, decimals, elo_interval, percent, rate, wdl};
use crate::play::event::{Awaited, AwaitedAnswer, GameOver, RunEvent, RunProgress};
use crate::stats::spread;
use crate::stats::{Counts, duplicates};

/// Shows a run while it is played.
pub struct LiveStatus {
    place: LivePlace,
    /// When this process started to play, and the number of games at that time.
    began: Option<(Instant, u64)>,
    progress: RunProgress,
    awaited: Option<Awaited>,
    /// Of the run.
    directory: PathBuf,
    /// Whether a line is printed for each game.
    each_game: bool,
    /// The line that says what is played and where, until games begin: a run that is rejected before
    /// leaves no directory.
    begin_line: Option<String>,
}

const TEMPLATE: &str = "{spinner} [{elapsed_precise}] {wide_msg}";
/// Columns before the text, as in `⠁ [01:23:45] `, or with days.
const BEFORE_TEXT: usize = 16;

enum LivePlace {
    Terminal(StatusLine),
    /// Anything else, with a line from time to time.
    Lines(LiveLines),
    Nowhere,
}

/// Lines on standard error, written by a separate thread so that a blocked pipe does not block the
/// run.
struct LiveLines {
    writer: SyncSender<String>,
    last: Option<Instant>,
    /// The awaited answer in the last line, if it should have come.
    awaited: Option<(String, AwaitedAnswer)>,
}

/// Number of lines that wait for a blocked pipe.
const MOST_LINES: usize = 1000;
/// Interval between two lines if standard error is not a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(30);
/// The same while an answer is awaited that should have come.
const BETWEEN_WAITS: Duration = Duration::from_secs(10);
/// The same if it is another answer: an answer is reported here after 5 s or less, so that it is
/// named before 10 s are over, however many engines are slow in turn.
const BEFORE_NEW_WAIT: Duration = Duration::from_secs(4);

impl LiveStatus {
    /// Shows the progress of a run on standard error if `is_wanted`, after its `begin_line`; with
    /// `each_game`, a line for each game in place of a line that changes.
    pub fn new(
        is_wanted: bool,
        each_game: bool,
        directory: &Path,
        begin_line: Option<String>,
    ) -> Self {
        let place = if !is_wanted {
            LivePlace::Nowhere
        } else if std::io::stderr().is_terminal() && !each_game {
            LivePlace::Terminal(StatusLine::new(TEMPLATE, true))
        } else {
            LiveLines::start().map_or(LivePlace::Nowhere, LivePlace::Lines)
        };
        Self {
            place,
            began: None,
            progress: RunProgress::default(),
            awaited: None,
            directory: directory.to_owned(),
            each_game,
            begin_line: begin_line.filter(|_| is_wanted),
        }
    }

    pub fn take(&mut self, event: RunEvent) {
        match event {
            RunEvent::Progress(progress) => self.progress = progress,
            RunEvent::Waiting(awaited) => self.awaited = awaited,
            RunEvent::Ready => {
                if let Some(line) = self.begin_line.take() {
                    self.print(&line);
                }
                return;
            }
            RunEvent::Game(game) if self.each_game => return self.print(&game_line(&game)),
            RunEvent::Game(_) => return,
            RunEvent::Standing(results) => {
                let summary = EndSummary::new(&results, &self.directory);
                return self.print(summary.human().trim_end());
            }
            RunEvent::Concurrency(Ok(games)) => {
                return self.print(&format!("{} at once", count(games as u64, "game")));
            }
            RunEvent::Concurrency(Err(error)) => {
                let kept = "note: the number of games at once stays as it is";
                return self.print(&format!("{kept}: {error}"));
            }
            RunEvent::Misunderstood => {
                return self
                    .print("note: expected a number of games at once, s (standing) or f (finish)");
            }
            RunEvent::Finishing(games) => {
                let games = count(games as u64, "game");
                return self.print(&format!("finishing {games}, then stopping"));
            }
        }
        let (games, now) = (self.progress.games, now());
        let (began, before) = *self.began.get_or_insert((now, games));
        let pace = GameRate {
            games: games - before,
            elapsed: now - began,
        };
        let awaited = self.awaited.as_ref();
        let text = |columns| line(&self.progress, awaited, pace, columns);
        match &mut self.place {
            LivePlace::Terminal(status) => {
                let columns = status.columns().map(|all| all.saturating_sub(BEFORE_TEXT));
                status.show(text(columns));
            }
            LivePlace::Lines(lines) => {
                if lines.is_due(now, began, awaited) {
                    // Skips this line if too many are still to be written.
                    let _ = lines.writer.try_send(text(None));
                }
            }
            LivePlace::Nowhere => {}
        }
    }

    /// Prints lines that stay, above the status line.
    fn print(&self, text: &str) {
        match &self.place {
            LivePlace::Lines(lines) => {
                // Skips them if too many wait.
                let _ = lines.writer.try_send(text.to_owned());
            }
            LivePlace::Terminal(_) => {
                // The status line is drawn again soon.
                let _ = std::io::stderr().write_all(format!("\r\x1b[2K{text}\n").as_bytes());
            }
            LivePlace::Nowhere => {
                let _ = writeln!(std::io::stderr(), "{text}");
            }
        }
    }

    pub fn finish(&mut self) {
        if let LivePlace::Terminal(status) = &mut self.place {
            status.finish();
        }
    }
}

impl LiveLines {
    /// `None` if the thread cannot be started: progress lines are not worth a failure.
    fn start() -> Option<Self> {
        let (writer, lines) = sync_channel::<String>(MOST_LINES);
        let write = move || {
            for line in lines {
                // Standard error may be closed, which does not stop the run.
                let _ = writeln!(std::io::stderr(), "{line}");
            }
        };
        std::thread::Builder::new().spawn(write).ok()?;
        Some(Self {
            writer,
            last: None,
            awaited: None,
        })
    }

    /// Returns true if a line is to be written, and notes that it is.
    fn is_due(&mut self, now: Instant, began: Instant, awaited: Option<&Awaited>) -> bool {
        let overdue = awaited.filter(|one| !one.is_timed);
        let overdue = overdue.map(|one| (one.engine.clone(), one.what.clone()));
        let is_new = overdue.is_some() && overdue != self.awaited;
        let between = match &overdue {
            None => BETWEEN_LINES,
            Some(_) if !is_new => BETWEEN_WAITS,
            // Before the first game there is nothing else to show.
            Some((_, AwaitedAnswer::Move(_) | AwaitedAnswer::Readyok | AwaitedAnswer::Pong)) => {
                BEFORE_NEW_WAIT
            }
            Some(_) => Duration::ZERO,
        };
        let is_first_wait = is_new && self.last.is_none();
        let is_due = is_first_wait || now - self.last.unwrap_or(began) >= between;
        if is_due {
            self.last = Some(now);
            self.awaited = overdue;
        }
        is_due
    }
}

/// `game 12: A - B 1-0, checkmate, 87 plies`.
fn game_line(game: &GameOver) -> String {
    let GameOver {
        number,
        white,
        black,
        result,
        end,
        plies,
    } = game;
    let result = result.as_str();
    format!("game {number}: {white} - {black} {result}, {end}, {plies} plies")
}

/// Number of games in an elapsed time.
#[derive(Clone, Copy, Debug)]
struct GameRate {
    games: u64,
    elapsed: Duration,
}

/// Formats the line: the first part, and those after it as far as they fit into so many columns. Pure.
fn line(
    progress: &RunProgress,
    awaited: Option<&Awaited>,
    pace: GameRate,
    columns: Option<usize>,
) -> String {
    let waiting = awaited.map(|awaited| {
        let (engine, seconds) = (&awaited.engine, awaited.elapsed.as_secs());
        match &awaited.what {
            AwaitedAnswer::Uciok if progress.games == 0 => format!(
                "waiting for uciok of '{engine}'; if it speaks XBoard's protocol, it needs proto=xboard"
            ),
            AwaitedAnswer::Features if progress.games == 0 => format!(
                "waiting for feature done=1 of '{engine}'; if it speaks UCI, leave out proto=xboard"
            ),
            AwaitedAnswer::Uciok => format!("waiting for uciok of '{engine}'"),
            AwaitedAnswer::Features => format!("waiting for feature done=1 of '{engine}'"),
            AwaitedAnswer::Pong => format!("waiting for pong of '{engine}', {seconds} s"),
            AwaitedAnswer::Readyok => format!("waiting for readyok of '{engine}', {seconds} s"),
            AwaitedAnswer::Trial(command) => {
                format!("waiting for {engine}, {command}, {seconds} s")
            }
            AwaitedAnswer::Move(number) => {
                format!("waiting for {engine}, move {number}, {seconds} s")
            }
        }
    });
    let is_move = |one: &Awaited| matches!(one.what, AwaitedAnswer::Move(_));
    if progress.games == 0 && awaited.is_some_and(|one| !is_move(one)) {
        return waiting.unwrap_or_default();
    }
    let mut line = String::new();
    for part in waiting.into_iter().chain(parts(progress, pace)) {
        if line.is_empty() {
            line = part;
            continue;
        }
        let length = line.chars().count() + ", ".len() + part.chars().count();
        if columns.is_some_and(|columns| length > columns) {
            break;
        }
        line.extend([", ", &part]);
    }
    line
}

/// The parts of the line, by importance: trouble first.
fn parts(progress: &RunProgress, pace: GameRate) -> Vec<String> {
    let RunProgress {
        games,
        distinct,
        total,
        faults,
        incidents,
        counts,
        test,
    } = progress;
    let mut parts = Vec::new();
    for (number, what) in [(*faults, "failure"), (*incidents, "incident")] {
        if number > 0 {
            parts.push(count(number, what));
        }
    }
    // A single copy is chance.
    let copies = games.saturating_sub(*distinct);
    if copies > 1 && duplicates::are_too_many(copies, *games) {
        parts.push(format!("only {distinct} of {games} games differ"));
    }
    parts.push(match (counts, total) {
        (Some(counts @ Counts::Pairs { .. }), Some(total)) => {
            format!("{}/{} pairs", counts.samples(), total / 2)
        }
        (Some(counts @ Counts::Pairs { .. }), None) => count(counts.samples(), "pair"),
        (_, Some(total)) => format!("{games}/{total} games"),
        (_, None) => count(*games, "game"),
    });
    if let Some(test) = test {
        let [low, high] = test.bounds;
        let [llr, low, high] = [test.llr, low, high].map(|x| decimals(x, 2));
        parts.push(format!("LLR {llr} [{low}, {high}]"));
    }
    let counted = counts.filter(spread::is_known);
    let summary = counted.and_then(|counts| spread::strength(&counts));
    if let Some(summary) = &summary {
        parts.push(format!("Elo {}", elo_interval(&summary.elo, 1)));
    }
    let per_minute = per_minute(pace);
    let is_enough = pace.games >= FEWEST_GAMES;
    if let Some((left, per_minute)) = games_left(progress).zip(per_minute).filter(|_| is_enough) {
        parts.push(format!("about {} left", duration(left / per_minute * 60.0)));
    }
    parts.extend(counts.and_then(|counts| counts.wdl()).map(wdl));
    if let Some(summary) = &summary {
        parts.push(format!("LOS {}", percent(summary.los)));
    }
    if let Some(per_minute) = per_minute {
        parts.push(format!("{} games/min", rate(per_minute)));
    }
    parts
}

#[expect(clippy::cast_precision_loss, reason = "an estimate is rounded anyway")]
fn per_minute(pace: GameRate) -> Option<f64> {
    let minutes = pace.elapsed.as_secs_f64() / 60.0;
    (pace.games > 0 && minutes > 0.0).then(|| pace.games as f64 / minutes)
}

/// Expected number of games left; for a test, extrapolated from its progress.
#[expect(clippy::cast_precision_loss, reason = "an estimate is rounded anyway")]
fn games_left(progress: &RunProgress) -> Option<f64> {
    let games = progress.games as f64;
    let total = progress.total.map(|total| total as f64 - games);
    let Some(test) = progress.test else {
        return total;
    };
    let progress = test.progress.abs();
    // Before that the estimate would be noise.
    let left = (progress > 0.1).then(|| games * (1.0 - progress) / progress)?;
    Some(total.map_or(left, |total| left.min(total)))
}

/// `59s`, `12m03s`, `3h05m`, `4d02h`.
fn duration(seconds: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the conversion saturates"
    )]
    let seconds = seconds.round() as u64;
    let (first, second, units) = match seconds {
        0..60 => return format!("{seconds}s"),
        60..3600 => (seconds / 60, seconds % 60, ["m", "s"]),
        3600..86_400 => (seconds / 3600, seconds / 60 % 60, ["h", "m"]),
        _ => (seconds / 86_400, seconds / 3600 % 24, ["d", "h"]),
    };
    format!("{first}{}{second:02}{}", units[0], units[1])
}

#[expect(clippy::disallowed_methods, reason = "the pace is measured here")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{EloModel, EngineIndex, FaultKind, GameResult, SprtConfig};
    use crate::play::run::RunState;
    use crate::play::samples::{config, fault, record};

    const PACE: GameRate = GameRate {
        games: 30,
        elapsed: Duration::from_mins(1),
    };

    fn progress(sprt: Option<SprtConfig>, games: u64) -> RunProgress {
        let mut config = config();
        config.sprt = sprt;
        let records: Vec<_> = (0..games)
            .map(|game| {
                let plies = usize::try_from(game).expect("few") + 1;
                let mut record = record(game, plies);
                if game % 4 == 0 {
                    record.result = GameResult::WhiteWins;
                }
                record
            })
            .collect();
        RunState::new(config, &records)
            .expect("of this run")
            .progress()
    }

    const NONE: GameRate = GameRate { games: 0, ..PACE };

    #[test]
    fn the_line_shows_progress() {
        let none = line(&progress(None, 0), None, NONE, None);
        assert_eq!(none, "0/100 pairs, +0 =0 -0");
        // One game gives no estimate of the duration of the others.
        let one = GameRate { games: 1, ..PACE };
        assert!(!line(&progress(None, 1), None, one, None).contains("left"));
        let cut = |columns| line(&progress(None, 40), None, PACE, columns);
        let expected = "20/100 pairs, Elo 88.7 [49.1, 130.8], about 5m20s left, +10 =30 -0, LOS 100.00%, 30.0 games/min";
        assert_eq!(cut(None), expected);
        assert_eq!(cut(Some(40)), "20/100 pairs, Elo 88.7 [49.1, 130.8]");
        assert_eq!(cut(Some(35)), "20/100 pairs");
        assert_eq!(cut(Some(5)), "20/100 pairs");
        let sprt = SprtConfig::new([0.0, 20.0], EloModel::Logistic);
        let text = line(&progress(Some(sprt), 40), None, PACE, None);
        let expected = "20/100 pairs, LLR 1.12 [-2.94, 2.92], Elo 88.7 [";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.contains(", about "), "{text}");
    }

    #[test]
    fn a_game_has_a_line() {
        let game = GameOver {
            number: 12,
            white: "new".to_owned(),
            black: "base".to_owned(),
            result: GameResult::WhiteWins,
            end: "crash by base".to_owned(),
            plies: 87,
        };
        let expected = "game 12: new - base 1-0, crash by base, 87 plies";
        assert_eq!(game_line(&game), expected);
    }

    #[test]
    fn games_that_are_not_in_pairs_are_counted_as_games() {
        let mut config = config();
        config.pairing.no_swap = true;
        let mut records = [record(0, 1), record(1, 2)];
        let first = records[0].plan.white;
        records[1].plan.white = first;
        records[1].plan.black = records[0].plan.black;
        records[1].result = GameResult::BlackWins;
        let state = RunState::new(config, &records).expect("of this run");
        let text = line(&state.progress(), None, PACE, None);
        assert!(text.starts_with("2/200 games, about "), "{text}");
        assert!(text.contains(", +0 =1 -1, "), "{text}");
        assert_eq!(state.result().in_incomplete_pairs, None);
    }

    #[test]
    fn an_awaited_engine_comes_first() {
        let progress = progress(None, 0);
        let mut awaited = Awaited {
            engine: "slow".to_owned(),
            what: AwaitedAnswer::Move(1),
            elapsed: Duration::from_millis(12_900),
            is_timed: false,
        };
        let text = line(&progress, Some(&awaited), NONE, None);
        let expected = "waiting for slow, move 1, 12 s, 0/100 pairs, +0 =0 -0";
        assert_eq!(text, expected);
        awaited.what = AwaitedAnswer::Trial("go nodes 1000".to_owned());
        let text = line(&progress, Some(&awaited), NONE, None);
        assert_eq!(text, "waiting for slow, go nodes 1000, 12 s");
    }

    #[test]
    fn an_engine_that_is_overdue_is_named_at_once_and_again() {
        let (writer, _written) = sync_channel(1);
        let mut lines = LiveLines {
            writer,
            last: None,
            awaited: None,
        };
        let began = now();
        let awaited = |engine: &str, number, is_timed| Awaited {
            engine: engine.to_owned(),
            what: AwaitedAnswer::Move(number),
            elapsed: Duration::from_secs(5),
            is_timed,
        };
        // Second, who is awaited, and whether a line is written.
        let rows = [
            (1, None, false),
            // Long moves by the clock are normal.
            (2, Some(awaited("a", 1, true)), false),
            (5, Some(awaited("b", 7, false)), true),
            (6, Some(awaited("b", 7, false)), false),
            // Another one soon after.
            (7, Some(awaited("a", 3, false)), false),
            (9, Some(awaited("a", 3, false)), true),
            (18, Some(awaited("a", 3, false)), false),
            (19, Some(awaited("a", 3, false)), true),
            (29, Some(awaited("a", 3, false)), true),
            (48, None, false),
            (58, Some(awaited("a", 4, true)), false),
            (59, Some(awaited("a", 4, true)), true),
        ];
        for (second, awaited, expected) in rows {
            let at = began + Duration::from_secs(second);
            let found = lines.is_due(at, began, awaited.as_ref());
            assert_eq!(found, expected, "{second}");
        }
    }

    #[test]
    fn what_goes_wrong_comes_first() {
        let mut config = config();
        config.sprt = None;
        let mut games = vec![record(0, 4), record(1, 4)];
        games[1].incidents = vec![fault(EngineIndex(1), FaultKind::NoReadyok, "nothing came")];
        let state = RunState::new(config, &games).expect("of this run");
        let text = line(&state.progress(), None, PACE, None);
        let expected = "1 incident, 1/100 pairs, about ";
        assert!(
            text.starts_with(expected),
            "one copy is chance, one pair no estimate: {text}"
        );
        assert!(!text.contains("Elo") && !text.contains("LOS"), "{text}");
        games.push(record(2, 4));
        let state = RunState::new(state.config, &games).expect("of this run");
        let text = line(&state.progress(), None, PACE, None);
        let expected = "1 incident, only 1 of 3 games differ, ";
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn durations() {
        let rows = [
            (0.0, "0s"),
            (59.4, "59s"),
            (723.0, "12m03s"),
            (11_100.0, "3h05m"),
            (352_800.0, "4d02h"),
        ];
        for (seconds, expected) in rows {
            assert_eq!(duration(seconds), expected);
        }
    }
}
