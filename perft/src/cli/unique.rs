//! `perft count --unique`.

use std::time::Duration;

use chess::perft::UniqueCounter;
use kit::{Exit, Interrupt, Progress, output};

use super::args::CountArgs;
use crate::count::Format;
use crate::run;
use crate::unique::Unique;

pub(super) fn unique(args: &CountArgs, interrupt: &Interrupt) -> anyhow::Result<Exit> {
    let (position, depth) = args.position_and_depth()?;
    let mut unique = Unique {
        position,
        depth,
        plies: Vec::new(),
        interrupted: false,
        time: Duration::ZERO,
    };
    let counter = UniqueCounter::new(args.memory_mebibytes()).cancel(interrupt.flag());
    let pool = run::pool(args.effort.threads())?;
    let progress = Progress::new(0, "positions", args.format == Format::Human);
    let counted = run::unique(&mut unique, counter, &pool, &progress);
    progress.finish();
    // The finished plies are worth showing even if the next one failed.
    output::to_stdout(&unique.write(args.format)?)?;
    counted?;
    Ok(if unique.interrupted {
        Exit::Interrupted
    } else {
        Exit::Agreed
    })
}
