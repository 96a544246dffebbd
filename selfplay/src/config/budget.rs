//! What a run will take, against what the machine has.

use crate::model::{EngineConfig, RunConfig};

/// What the machine has; what is not known does not bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    /// Memory that can be had, in bytes.
    pub memory: Option<u64>,
    /// CPUs that we may use.
    pub cpus: Option<usize>,
}

/// A run that is too large for the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BudgetError {
    /// Too little memory.
    #[error(
        "the hash tables of {processes} engines take {needed} MiB, but {available} MiB are free: expected \
         less Hash or concurrency"
    )]
    Memory {
        /// Processes of engines at once.
        processes: usize,
        /// What their tables take, in MiB.
        needed: u64,
        /// What there is, in MiB.
        available: u64,
    },
    /// Too few CPUs.
    #[error(
        "games at once: {games}, each with threads: {threads}; that takes {} CPUs, but there are {cpus}: expected \
         less Threads or concurrency", games * threads
    )]
    Cpus {
        /// Games at once.
        games: usize,
        /// Threads that think at the same time in one game.
        threads: usize,
        /// What there is.
        cpus: usize,
    },
}

/// What an engine's tables take unless it is told: what most take.
const DEFAULT_HASH_MIB: u64 = 16;

/// Compares. Every worker keeps all engines running.
///
/// # Errors
///
/// When the machine is too small. Tables that do not fit make engines swap, and games that share CPUs lose
/// on time or strength by chance.
pub fn check(config: &RunConfig, machine: Machine) -> Result<(), BudgetError> {
    let games = config.concurrency;
    let hash = |engine| option(engine, "Hash").unwrap_or(DEFAULT_HASH_MIB);
    let all: u64 = config.engines.iter().map(hash).sum();
    let needed = all.saturating_mul(games as u64);
    let available = machine.memory.map_or(u64::MAX, |bytes| bytes >> 20);
    if needed > available {
        return Err(BudgetError::Memory {
            processes: config.engines.len() * games,
            needed,
            available,
        });
    }
    let threads = threads_of_game(config);
    match machine.cpus {
        Some(cpus) if games * threads > cpus => Err(BudgetError::Cpus {
            games,
            threads,
            cpus,
        }),
        _ => Ok(()),
    }
}

/// How many threads think at the same time in one game: those of the engine that has most, or of two if
/// one ponders.
pub fn threads_of_game(config: &RunConfig) -> usize {
    let threads = |engine: &EngineConfig| option(engine, "Threads").unwrap_or(1).max(1);
    let mut all: Vec<u64> = config.engines.iter().map(threads).collect();
    all.sort_unstable_by_key(|&threads| std::cmp::Reverse(threads));
    let at_once = if config.engines.iter().any(|engine| engine.ponder) {
        2
    } else {
        1
    };
    let sum = all.iter().take(at_once).sum::<u64>();
    usize::try_from(sum).unwrap_or(usize::MAX).min(MAX_THREADS)
}

/// More than any machine has; products with it do not overflow.
const MAX_THREADS: usize = 1 << 20;

fn option(engine: &EngineConfig, name: &str) -> Option<u64> {
    let mut options = engine.options.iter();
    let (_, value) = options.find(|(found, _)| found.eq_ignore_ascii_case(name))?;
    value.parse().ok()
}

/// Looks at the machine.
#[expect(clippy::disallowed_methods, reason = "the edge looks at the machine")]
pub fn machine() -> Machine {
    let cpus = std::thread::available_parallelism();
    let memory = std::fs::read_to_string("/proc/meminfo").ok();
    Machine {
        memory: memory.and_then(|text| available_memory(&text)),
        cpus: cpus.ok().map(usize::from),
    }
}

/// The line `MemAvailable` of Linux, in bytes.
fn available_memory(meminfo: &str) -> Option<u64> {
    let mut lines = meminfo.lines();
    let rest = lines.find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Contest, Draft, resolve};

    fn config(concurrency: usize, engines: [&str; 2]) -> RunConfig {
        let draft = Draft {
            rounds: Some(1),
            concurrency: Some(concurrency),
            engines: engines.map(|text| text.parse().expect("an engine")).into(),
            ..Draft::default()
        };
        resolve(draft, Contest::Match).expect("a match")
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let machine = Machine {
            memory: Some(100 << 20),
            cpus: Some(4),
        };
        let plain = "cmd=a nodes=1 name=a";
        let rows = [
            (3, "cmd=b nodes=1", None),
            (
                4,
                "cmd=b nodes=1",
                Some(
                    "the hash tables of 8 engines take 128 MiB, but 100 MiB are free: expected less Hash or concurrency",
                ),
            ),
            (1, "cmd=b nodes=1 option.hash=84", None),
            (
                1,
                "cmd=b nodes=1 option.hash=85",
                Some(
                    "the hash tables of 2 engines take 101 MiB, but 100 MiB are free: expected less Hash or concurrency",
                ),
            ),
            (2, "cmd=b nodes=1 option.Threads=2", None),
            (
                2,
                "cmd=b nodes=1 option.Threads=2 ponder=on",
                Some(
                    "games at once: 2, each with threads: 3; that takes 6 CPUs, but there are 4: expected less Threads or concurrency",
                ),
            ),
        ];
        for (concurrency, engine, expected) in rows {
            let found = check(&config(concurrency, [plain, engine]), machine);
            let found = found.err().map(|error| error.to_string());
            assert_eq!(found.as_deref(), expected, "{engine}");
        }
        let large = config(999, [plain, "cmd=b nodes=1 option.Threads=99999999999999"]);
        assert_eq!(check(&large, Machine::default()), Ok(()));
    }

    #[test]
    fn memory_is_read_as_linux_writes_it() {
        let text = "MemTotal:  100 kB\nMemAvailable:   24028384 kB\n";
        assert_eq!(available_memory(text), Some(24_028_384 << 10));
        assert_eq!(available_memory("MemAvailable: many kB\n"), None);
    }
}
