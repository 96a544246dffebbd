//! Distributed counts within one process: the edges, with well-behaved and faulty brokers.

mod counts;
mod faults;
mod odd;

use std::collections::HashMap;
use std::num::NonZeroU64;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chess::notation::fen::{self, FenStyle};
use chess::perft::{Counter, Table};
use chess::rules::Position;
use fleet::{Broker, Put, Worker};
use kit::{Interrupt, Progress};

use super::worker::{Shift, WorkError};
use super::{Follow, FollowError, Followed, Pace, Patience, Plan, Workplace};
use crate::run;
use crate::units::{Cut, Units};

const TICK: Duration = Duration::from_millis(1);
const MINUTE: Duration = Duration::from_mins(1);
const PACE: Pace = Pace {
    visibility: MINUTE,
    poll: TICK,
    idle_exit: None,
};

fn position(text: &str) -> Position {
    fen::parse(text).expect("legal")
}

fn cut(position: &Position, depth: u32, cut: Cut) -> Units {
    Units::new(position, depth, cut, &AtomicBool::new(false)).expect("it fits")
}

fn patience(interrupt: &Interrupt) -> Patience<'_> {
    Patience {
        most: MINUTE,
        interrupt,
        say: &|_| {},
    }
}

fn put(broker: &dyn Broker, units: &Units, again_every: u64) -> Put {
    let plan = Plan {
        units,
        again_every: NonZeroU64::new(again_every),
        chunk: None,
    };
    let put = broker.put(&plan.job(), &mut plan.chunks());
    put.expect("a sound job")
}

fn job_of(units: &Units) -> String {
    let plan = Plan {
        units,
        again_every: None,
        chunk: None,
    };
    plan.job().id
}

fn follow(broker: &dyn Broker, units: &Units, interrupt: &Interrupt) -> Followed {
    try_to_follow(broker, units, interrupt).expect("an answer")
}

fn try_to_follow(
    broker: &dyn Broker,
    units: &Units,
    interrupt: &Interrupt,
) -> Result<Followed, FollowError> {
    let progress = Progress::new(0, "units", false);
    let follow = Follow {
        broker,
        job: &job_of(units),
        units,
        poll: TICK,
        wait_for_second: Duration::ZERO,
        patience: patience(interrupt),
        progress: &progress,
    };
    follow.run()
}

/// A worker's shift on one thread, with its messages.
fn work(
    broker: &dyn Broker,
    name: &str,
    pace: Pace,
    interrupt: &Interrupt,
) -> (Result<Shift, WorkError>, Vec<String>) {
    let said = Mutex::new(Vec::new());
    let say = |text: &str| said.lock().expect("nobody panics").push(text.to_owned());
    let worker = Worker {
        name: name.to_owned(),
        about: String::new(),
    };
    let table = Table::new(4).expect("memory");
    let workplace = Workplace {
        broker,
        worker: &worker,
        counter: Counter::new().table(&table),
        pool: &run::pool(Some(1)).expect("a thread"),
        pace,
        patience: Patience {
            say: &say,
            ..patience(interrupt)
        },
    };
    let shift = workplace.work();
    (shift, said.into_inner().expect("nobody panics"))
}

/// The outcome of a posted job, with workers of these names.
fn with_workers(broker: &dyn Broker, units: &Units, names: &[&str]) -> Followed {
    let (home, never) = (Interrupt::default(), Interrupt::default());
    std::thread::scope(|scope| {
        for name in names {
            let home = &home;
            scope.spawn(move || {
                let (shift, said) = work(broker, name, PACE, home);
                assert!(shift.expect("it works").interrupted, "{said:?}");
            });
        }
        let followed = follow(broker, units, &never);
        home.flag().store(true, Ordering::Relaxed);
        followed
    })
}

/// Reference perft by making moves, with a table of positions: for counts beyond 64 bits.
fn reference(position: &Position, depth: u32, known: &mut HashMap<(String, u32), u128>) -> u128 {
    if depth == 0 {
        return 1;
    }
    let key = (fen::write_epd(position, FenStyle::default()), depth);
    if let Some(&nodes) = known.get(&key) {
        return nodes;
    }
    let moves = position.legal_moves();
    let below = moves.iter().map(|&m| position.play_unchecked(m));
    let nodes = below.map(|child| reference(&child, depth - 1, known)).sum();
    known.insert(key, nodes);
    nodes
}
