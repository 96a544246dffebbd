//! The speed of a machine, by a fixed protocol: one benchmark for all engines, on as many threads as
//! games are played at the same time.
//!
//! The benchmark is our own perft: the 4,085,603 leaf nodes of Kiwipete at depth 4, with the plain
//! kernel, which runs the same code on every CPU. An engine's `bench` would be closer to the engine,
//! but many engines have none, no two are comparable, and a changed engine may count differently.
//!
//! Each thread counts many short blocks. Whatever disturbs a machine makes blocks slower, never
//! faster: the speed is that of the fastest blocks, less the few whose time is measured badly. Where
//! too few blocks are near it, or other programs use the CPUs meanwhile, the machine is [`Busy`], and
//! no number is given: games in time would not be fair there either.

use std::num::NonZeroU64;
use std::sync::Barrier;
use std::time::{Duration, Instant};

use chess::notation::fen;
use chess::perft::{Counter, Kernel};
use chess::rules::Position;

use crate::model::{ClockStage, EngineConfig, Limits, RunConfig};
use crate::stats::number::to_f64;

/// Position 2 of <https://www.chessprogramming.org/Perft_Results>.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const DEPTH: u32 = 4;
const LEAVES: u64 = 4_085_603;
/// Blocks that warm up caches and CPU clocks, and are not measured.
const WARM_UP: usize = 12;
/// Blocks that are measured, on each thread.
const BLOCKS: usize = 64;
/// The share of blocks that are faster than a thread's speed.
const FASTEST: f64 = 0.05;
/// A block is disturbed if it is slower than the thread's speed by more than this share.
const TOLERANCE: f64 = 0.05;
/// The share of blocks that may be disturbed on a quiet machine.
const DISTURBED: f64 = 0.4;
/// The share of all CPUs that other programs may use on a quiet machine.
const OTHERS: f64 = 0.05;

/// A machine whose speed cannot be measured now.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "the machine is busy: other programs use {:.0} % of its CPUs, and {:.0} % of the measurements were disturbed",
    others * 100.0, disturbed * 100.0
)]
pub struct Busy {
    /// The share of all CPUs that other programs used meanwhile; 0 if the system does not say.
    pub others: f64,
    /// The share of disturbed blocks.
    pub disturbed: f64,
    /// What the speed may be, in perft nodes per second and thread.
    pub estimate: NonZeroU64,
}

/// Nodes per second of one thread while `threads` threads run at once.
///
/// # Errors
/// The machine is busy with something else.
///
/// # Panics
/// If the kernel returns a wrong count.
pub fn measure(threads: usize) -> Result<NonZeroU64, Busy> {
    let position = fen::parse(KIWIPETE).expect("a position");
    let threads = threads.max(1);
    let together = Barrier::new(threads);
    let before = load::Usage::read();
    let began = now();
    let blocks: Vec<Vec<f64>> = std::thread::scope(|scope| {
        let counting: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    // All start at once, since threads on other cores slow each other down, as
                    // games do.
                    together.wait();
                    let mut speeds = Vec::with_capacity(BLOCKS);
                    for block in 0..WARM_UP + BLOCKS {
                        // A coarse clock may show no time at all.
                        let seconds = count(&position).as_secs_f64().max(1e-9);
                        if block >= WARM_UP {
                            speeds.push(to_f64(LEAVES) / seconds);
                        }
                    }
                    speeds
                })
            })
            .collect();
        let counted = counting
            .into_iter()
            .map(|thread| thread.join().expect("it counts"));
        counted.collect()
    });
    let wall = now() - began;
    let others = before.zip(load::Usage::read());
    let others = others.map_or(0.0, |(before, after)| after.others_since(&before, wall));
    judge(blocks, others)
}

/// The speed by the blocks of each thread, and the share of the CPUs that others used. Pure.
fn judge(blocks: Vec<Vec<f64>>, others: f64) -> Result<NonZeroU64, Busy> {
    let (mut sum, mut disturbed, mut all) = (0.0, 0_u32, 0_u32);
    let threads = u32::try_from(blocks.len().max(1)).unwrap_or(u32::MAX);
    for mut speeds in blocks {
        speeds.sort_unstable_by(|one, other| other.total_cmp(one));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a place among some dozens"
        )]
        let place = (FASTEST * speeds.len() as f64) as usize;
        let speed = speeds.get(place).copied().unwrap_or(0.0);
        sum += speed;
        for block in speeds {
            all += 1;
            disturbed += u32::from(block < speed * (1.0 - TOLERANCE));
        }
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the conversion saturates"
    )]
    let speed = (sum / f64::from(threads)).round() as u64;
    let estimate = NonZeroU64::new(speed).unwrap_or(NonZeroU64::MIN);
    let disturbed = f64::from(disturbed) / f64::from(all.max(1));
    if others > OTHERS || disturbed > DISTURBED {
        return Err(Busy {
            others,
            disturbed,
            estimate,
        });
    }
    Ok(estimate)
}

fn count(position: &Position) -> Duration {
    let began = now();
    let counter = Counter::new().kernel(Kernel::Plain);
    assert_eq!(counter.count(position, DEPTH), Ok(LEAVES));
    now() - began
}

#[expect(clippy::disallowed_methods, reason = "speed is measured by the clock")]
fn now() -> Instant {
    Instant::now()
}

/// CPU time that others used, as Linux reports it.
mod load {
    use std::time::Duration;

    /// Ticks per second of these files on every Linux.
    const TICKS: f64 = 100.0;
    /// The largest file that is read, in bytes.
    const LARGEST: u64 = 1 << 20;

    /// Ticks since the start of the system.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) struct Usage {
        /// What all programs used, and other systems on this machine took.
        all: u64,
        /// What this program used.
        own: u64,
        cpus: u32,
    }

    impl Usage {
        /// `None` if the system does not say.
        pub(super) fn read() -> Option<Self> {
            let read = |path: &str| kit::read::text(path.as_ref(), LARGEST).ok();
            Self::parse(&read("/proc/stat")?, &read("/proc/self/stat")?)
        }

        pub(super) fn parse(all: &str, own: &str) -> Option<Self> {
            let cpus = all.lines().filter(|line| {
                let rest = line.strip_prefix("cpu");
                rest.is_some_and(|rest| rest.starts_with(|one: char| one.is_ascii_digit()))
            });
            let cpus = u32::try_from(cpus.count()).ok().filter(|cpus| *cpus > 0)?;
            // user, nice, system, idle, iowait, irq, softirq, steal
            let fields = all.lines().next()?.strip_prefix("cpu ")?.split_whitespace();
            let fields: Vec<u64> = fields.map_while(|field| field.parse().ok()).collect();
            // Time of guest systems is part of `user` already (proc_stat(5)).
            let [user, nice, system, _, _, irq, softirq, steal, ..] = fields[..] else {
                return None;
            };
            // The name, in parentheses, may contain blanks.
            let (_, rest) = own.rsplit_once(')')?;
            // proc_pid_stat(5): fields 14 and 15 are utime and stime; these begin at field 3.
            let mut rest = rest.split_whitespace().skip(11);
            let mut next = || rest.next()?.parse::<u64>().ok();
            let own = next()? + next()?;
            let all = user + nice + system + irq + softirq + steal;
            Some(Self { all, own, cpus })
        }

        /// The share of all CPUs that others used.
        pub(super) fn others_since(&self, before: &Self, wall: Duration) -> f64 {
            let all = self.all.saturating_sub(before.all);
            let others = all.saturating_sub(self.own.saturating_sub(before.own));
            let others = f64::from(u32::try_from(others).unwrap_or(u32::MAX)) / TICKS;
            others / (f64::from(self.cpus) * wall.as_secs_f64().max(1e-3))
        }
    }
}

// Time scaling: slower machines get longer times, by measured speeds. Pure.

/// Maximum factor by which a machine may be faster or slower than the reference. Beyond it, perft
/// no longer predicts the speed of an engine well enough.
pub const MOST: f64 = 4.0;

/// The factor applied to all configured times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeScale(f64);

/// A machine that is too slow or too fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this machine counts {own} nodes a second in each game, the one that times are meant for {reference}: times \
     would be multiplied by {:.3}, expected {} to {MOST}", ratio(*reference, *own), 1.0 / MOST
)]
pub struct ScaleError {
    /// The speed of the reference machine, in perft nodes per second.
    pub reference: NonZeroU64,
    /// The measured speed, in the same unit.
    pub own: NonZeroU64,
}

fn ratio(reference: NonZeroU64, own: NonZeroU64) -> f64 {
    to_f64(reference.get()) / to_f64(own.get())
}

impl TimeScale {
    /// Computes the scale from two speeds in the same unit. It is rounded to four digits, so that
    /// the recorded scale is exactly the one used.
    pub fn new(reference: NonZeroU64, own: NonZeroU64) -> Result<Self, ScaleError> {
        let scale = (ratio(reference, own) * 1e4).round() / 1e4;
        if Self::is_bearable(scale) {
            Ok(Self(scale))
        } else {
            Err(ScaleError { reference, own })
        }
    }

    /// Returns true if the scale is within the allowed range.
    pub fn is_bearable(scale: f64) -> bool {
        (1.0 / MOST..=MOST).contains(&scale)
    }

    pub const fn factor(self) -> f64 {
        self.0
    }

    /// The limits of an engine on this machine. Nodes and depth are unchanged; so is the time
    /// margin, which covers delays of the system, not thinking time.
    pub fn scaled(self, limits: &Limits) -> Limits {
        let mut scaled = limits.clone();
        scaled.movetime_ms = limits.movetime_ms.map(|ms| self.milliseconds(ms));
        if let Some(clock) = &mut scaled.clock {
            for stage in &mut clock.stages {
                *stage = ClockStage {
                    time_ms: self.milliseconds(stage.time_ms),
                    increment_ms: self.milliseconds(stage.increment_ms),
                    ..*stage
                };
            }
        }
        scaled
    }

    /// Scales a time; a non-zero time never becomes zero.
    fn milliseconds(self, ms: u64) -> u64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the conversion saturates"
        )]
        let scaled = (to_f64(ms) * self.0).round() as u64;
        scaled.max(ms.min(1))
    }
}

/// Returns true if a run depends on the speed of machines.
pub fn depends_on_time(config: &RunConfig) -> bool {
    let has_time = |engine: &EngineConfig| {
        engine.limits.clock.is_some() || engine.limits.movetime_ms.is_some()
    };
    config.engines.iter().any(has_time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_a_number_of_nodes_a_second() {
        // From far slower to far faster than any machine in use, be it busy or not.
        let speed = measure(2).unwrap_or_else(|busy| busy.estimate);
        assert!((100_000..100_000_000_000).contains(&speed.get()));
    }

    #[test]
    fn disturbances_do_not_change_a_speed_and_many_are_reported() {
        let quiet: Vec<f64> = (0..64).map(|block| 1e8 - f64::from(block) * 1e3).collect();
        let speed = judge(vec![quiet.clone(), quiet.clone()], 0.01).expect("quiet");
        assert_eq!(speed.get(), 99_997_000);
        // A quarter of the blocks takes up to twice as long, one seems to take no time.
        let mut disturbed = quiet.clone();
        for (block, speed) in disturbed.iter_mut().enumerate() {
            if block % 4 == 1 {
                *speed *= 0.5;
            }
        }
        disturbed[5] = 1e12;
        let one = judge(vec![disturbed.clone(), quiet.clone()], 0.01).expect("quiet enough");
        let change = to_f64(one.get()) / to_f64(speed.get()) - 1.0;
        assert!(change.abs() < 0.001, "{change}");
        for (block, speed) in disturbed.iter_mut().enumerate() {
            if block % 2 == 0 {
                *speed *= 0.6;
            }
        }
        let busy = judge(vec![disturbed], 0.0).expect_err("most are slower");
        assert!(busy.disturbed > 0.5, "{busy}");
        let busy = judge(vec![quiet], 0.25)
            .expect_err("others work")
            .to_string();
        let expected = "the machine is busy: other programs use 25 % of its CPUs, and 0 % of the measurements were \
                        disturbed";
        assert_eq!(busy, expected);
    }

    #[test]
    fn what_others_use_is_what_is_left() {
        let own = "42 (a name) with) S 1 2 3 4 5 6 7 8 9 10 50 5 0 0 20 0";
        let stat = |user: u32, steal: u32| {
            format!("cpu  {user} 10 20 9000 5 1 2 {steal} 0 0\ncpu0 1 1\ncpu1 1 1\nintr 7\n")
        };
        let before = load::Usage::parse(&stat(100, 0), own).expect("well formed");
        let own = own.replace(" 50 5 ", " 150 5 ");
        let after = load::Usage::parse(&stat(240, 10), &own).expect("well formed");
        // 150 ticks, of which 100 are our own, on two CPUs in one second.
        let others = after.others_since(&before, Duration::from_secs(1));
        assert!((others - 0.25).abs() < 1e-9, "{others}");
        assert_eq!(load::Usage::parse("cpu 1 2\ncpu0 1 2\n", &own), None);
        assert_eq!(load::Usage::parse("", ""), None);
    }

    fn speed(number: u64) -> NonZeroU64 {
        NonZeroU64::new(number).expect("a speed")
    }

    #[test]
    fn slower_machines_have_more_time() {
        let limits = Limits {
            clock: Some("40/60+0.6:20/10".parse().expect("a time control")),
            movetime_ms: Some(100),
            nodes: Some(5000),
            depth: Some(9),
            margin_ms: 20,
            ..Limits::default()
        };
        let rows = [
            (300, 200, "40/90+0.9:20/15", 150),
            (200, 200, "40/60+0.6:20/10", 100),
            (100, 400, "40/15+0.15:20/2.5", 25),
        ];
        for (reference, own, clock, movetime) in rows {
            let scale = TimeScale::new(speed(reference), speed(own)).expect("near enough");
            let expected = Limits {
                clock: Some(clock.parse().expect("a time control")),
                movetime_ms: Some(movetime),
                ..limits.clone()
            };
            assert_eq!(scale.scaled(&limits), expected);
        }
        let quarter = TimeScale::new(speed(1), speed(4)).expect("near enough");
        assert_eq!((quarter.milliseconds(1), quarter.milliseconds(0)), (1, 0));
    }

    #[test]
    fn machines_that_are_too_different_are_rejected() {
        assert!(TimeScale::new(speed(400), speed(100)).is_ok());
        let error = TimeScale::new(speed(401), speed(100)).expect_err("too slow");
        assert_eq!(
            error.to_string(),
            "this machine counts 100 nodes a second in each game, the one that times are meant for 401: times \
             would be multiplied by 4.010, expected 0.25 to 4"
        );
        assert!(TimeScale::new(speed(100), speed(401)).is_err());
        assert!(!TimeScale::is_bearable(f64::NAN));
    }
}
