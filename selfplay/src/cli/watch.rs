//! `selfplay watch`.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kit::{Exit, Interrupt, output};

use crate::ledger::{Follower, Stored};
use crate::model::RunConfig;
use crate::report::run::{Collector, RunReport};

/// Watch a run from its directory, until it ends or Ctrl-C comes
///
/// On a terminal, shows a summary that is updated in place, and the report at the end; otherwise
/// prints a line from time to time if something was played. Nothing is written to the directory,
/// and the run is not affected.
///
/// Example: `selfplay watch run`.
#[derive(Debug, clap::Args)]
pub(super) struct WatchArgs {
    /// Run directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Seconds between two lines, if standard error is not a terminal
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    every: f64,
}

/// Polling interval of the directory.
const LOOK: Duration = Duration::from_millis(200);

pub(super) fn run(args: &WatchArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let every = Duration::try_from_secs_f64(args.every);
    let every =
        every.map_err(|_| super::bad(format!("--every is {}, expected seconds", args.every)))?;
    let (Stored { config, .. }, follower) = Follower::open(&args.directory).map_err(super::bad)?;
    let mut watch = Watch {
        collector: Collector::new(&config).map_err(super::bad)?,
        follower,
        config: &config,
        directory: super::shell_word(&args.directory.to_string_lossy()),
        path: args.directory.clone(),
    };
    watch
        .collector
        .set_aside(watch.follower.set_aside().map_err(super::bad)?);
    let mut screen = Screen::new(every);
    loop {
        // Checked before reading, so that games written until the lock is released are still read.
        let is_over = !watch.follower.is_running().map_err(super::bad)?;
        let has_news = watch.look(interrupt)?;
        if interrupt.has_come() {
            screen.clear();
            return Ok(Exit::Interrupted);
        }
        if is_over {
            screen.end(&watch)?;
            return Ok(super::games_or_none(watch.collector.games()));
        }
        screen.show(&watch, has_news)?;
        std::thread::sleep(LOOK);
    }
}

/// A run that is being watched.
struct Watch<'a> {
    config: &'a RunConfig,
    directory: String,
    path: PathBuf,
    follower: Follower,
    collector: Collector,
}

impl Watch<'_> {
    /// Reads what was added to the ledger; returns whether there was anything.
    fn look(&mut self, interrupt: &Interrupt) -> anyhow::Result<bool> {
        if self.follower.is_replaced().map_err(super::bad)? {
            // Games of a quarantined worker were removed, so everything is read again.
            (_, self.follower) = Follower::open(&self.path).map_err(super::bad)?;
            self.collector = Collector::new(self.config).map_err(super::bad)?;
            self.collector
                .set_aside(self.follower.set_aside().map_err(super::bad)?);
        }
        let before = self.collector.games();
        while let Some(record) = self.follower.next_record().map_err(super::bad)? {
            self.collector.record(&record).map_err(super::bad)?;
            if interrupt.has_come() {
                break;
            }
        }
        Ok(self.collector.games() > before)
    }
}

/// Where progress is shown.
enum Screen {
    /// A terminal, with text updated in place.
    Live(ProgressBar),
    /// Anything else, with at most one line per interval.
    Lines {
        every: Duration,
        last: Option<Instant>,
        is_due: bool,
    },
}

impl Screen {
    fn new(every: Duration) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self::Lines {
                every,
                last: None,
                is_due: false,
            };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{msg}").expect("the template is well formed");
        bar.set_style(style);
        Self::Live(bar)
    }

    fn show(&mut self, watch: &Watch<'_>, has_news: bool) -> anyhow::Result<()> {
        match self {
            Self::Live(bar) => {
                if has_news || bar.message().is_empty() {
                    let summary = watch.collector.summary();
                    let report = RunReport::new(watch.config, &summary);
                    let text = report.at(&watch.directory, true).live();
                    bar.set_message(text.trim_end().to_owned());
                }
                Ok(())
            }
            Self::Lines {
                every,
                last,
                is_due,
            } => {
                *is_due |= has_news;
                let now = now();
                let is_time = last.is_none_or(|last| now - last >= *every);
                if !(*is_due && is_time) {
                    return Ok(());
                }
                (*is_due, *last) = (false, Some(now));
                let summary = watch.collector.summary();
                output::to_stdout(RunReport::new(watch.config, &summary).line() + "\n")
            }
        }
    }

    /// Prints the end of the run.
    fn end(&self, watch: &Watch<'_>) -> anyhow::Result<()> {
        self.clear();
        let summary = watch.collector.summary();
        let report = RunReport::new(watch.config, &summary).at(&watch.directory, false);
        output::to_stdout(match self {
            Self::Live(_) => report.human(),
            Self::Lines { .. } => report.line() + "\n",
        })
    }

    fn clear(&self) {
        if let Self::Live(bar) = self {
            bar.finish_and_clear();
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the edge writes lines at most so often"
)]
fn now() -> Instant {
    Instant::now()
}
