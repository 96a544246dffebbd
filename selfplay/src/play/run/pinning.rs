//! Which CPUs workers and the engines they start get, and whether a run fits the machine.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use super::lease::Lease;
use crate::model::{EngineConfig, Pinning, RunConfig};

/// Assigns `threads` CPUs to each of `games` workers: first one CPU of every core, so that games
/// share a core only when cores run out, then the siblings. `None` if there are too few CPUs.
///
/// `cores` holds the usable CPUs of each core. Pure.
pub(crate) fn choose(
    cores: &[BTreeSet<usize>],
    games: usize,
    threads: usize,
) -> Option<Vec<Vec<usize>>> {
    let most = cores.iter().map(BTreeSet::len).max().unwrap_or(0);
    // The first of every core, then the second of every core, and so on.
    let nth = |n| {
        cores
            .iter()
            .filter_map(move |core| core.iter().nth(n).copied())
    };
    let in_order: Vec<usize> = (0..most).flat_map(nth).collect();
    let chosen: Vec<Vec<usize>> = in_order
        .chunks_exact(threads)
        .take(games)
        .map(<[usize]>::to_vec)
        .collect();
    (chosen.len() == games).then_some(chosen)
}

/// Why games cannot be pinned.
#[derive(Debug, thiserror::Error)]
pub enum PinningError {
    #[error("{games} games cannot be pinned to {threads} CPUs each: there are {cpus}")]
    TooFewCpus {
        games: usize,
        threads: usize,
        cpus: usize,
    },
    /// The available CPUs cannot be determined.
    #[error("games cannot be pinned to CPUs: {0}")]
    Unknown(#[source] io::Error),
}

/// The CPUs of each worker, which no other run takes for its own as long as this lives.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// `None` if games are not pinned.
    cpus: Option<Vec<Vec<usize>>>,
    _leases: Vec<Lease>,
}

impl Places {
    /// The CPUs of a worker, if games are pinned.
    pub(crate) fn of_worker(&self, number: usize) -> Option<Vec<usize>> {
        self.cpus.as_ref().map(|cpus| cpus[number].clone())
    }
}

/// Chooses the CPUs of each worker.
///
/// # Errors
///
/// When the user wants games pinned, and they cannot be.
pub(crate) fn assign(
    pinning: &Pinning,
    engines: &[EngineConfig],
    games: usize,
) -> Result<Places, PinningError> {
    let threads = threads_of_game(engines);
    let usable = match (pinning, uci::cpus::cores()) {
        (Pinning::Off, _) | (Pinning::Auto, Err(_)) => return Ok(Places::default()),
        (_, Err(error)) => return Err(PinningError::Unknown(error)),
        (Pinning::Cpus(allowed), Ok(cores)) => among(&cores, allowed),
        (_, Ok(cores)) => cores,
    };
    let free = uci::cpus::idle().map(|idle| among(&usable, &idle));
    let folder = std::env::temp_dir();
    if let Some(places) = free.and_then(|free| lease(free, games, threads, &folder)) {
        return Ok(places);
    }
    if *pinning == Pinning::Auto {
        return Ok(Places::default());
    }
    let chosen = choose(&usable, games, threads);
    let cpus = chosen.ok_or_else(|| PinningError::TooFewCpus {
        games,
        threads,
        cpus: usable.iter().map(BTreeSet::len).sum(),
    })?;
    let all = cpus.iter().flatten();
    Ok(Places {
        _leases: all.filter_map(|&cpu| Lease::take(&folder, cpu)).collect(),
        cpus: Some(cpus),
    })
}

/// Chooses among CPUs that no other run has; `None` if there are too few.
fn lease(
    mut cores: Vec<BTreeSet<usize>>,
    games: usize,
    threads: usize,
    folder: &Path,
) -> Option<Places> {
    loop {
        let cpus = choose(&cores, games, threads)?;
        let all = cpus.iter().flatten();
        match all
            .map(|&cpu| Lease::take(folder, cpu).ok_or(cpu))
            .collect()
        {
            Ok(leases) => {
                return Some(Places {
                    cpus: Some(cpus),
                    _leases: leases,
                });
            }
            Err(taken) => {
                for core in &mut cores {
                    core.remove(&taken);
                }
            }
        }
    }
}

/// The CPUs of each core that are among these.
fn among(cores: &[BTreeSet<usize>], cpus: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
    cores.iter().map(|core| core & cpus).collect()
}

// Compares the resources that a run needs with those of the machine.

/// Resources of the machine; an unknown one (`None`) is not checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Machine {
    /// Available memory, in bytes.
    pub memory: Option<u64>,
    /// Number of CPUs that this process may use.
    pub cpus: Option<usize>,
}

/// A run that is too large for the machine: what it takes, and what there is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BudgetError(String);

/// Assumed hash size of an engine without a configured one: the most common default.
const DEFAULT_HASH_MIB: u64 = 16;

/// Checks a run against the machine. Every worker keeps all engines running.
///
/// # Errors
///
/// When the machine is too small. Hash tables that exceed the memory make engines swap, and games
/// that share CPUs lose time or strength at random.
pub(crate) fn check(config: &RunConfig, machine: Machine) -> Result<(), BudgetError> {
    let games = config.concurrency;
    let hash = |engine| {
        let hash = option(engine, "Hash").or(option(engine, "memory"));
        hash.unwrap_or(DEFAULT_HASH_MIB)
    };
    let all: u64 = config.engines.iter().map(hash).sum();
    let needed = all.saturating_mul(games as u64);
    let available = machine.memory.map_or(u64::MAX, |bytes| bytes >> 20);
    if needed > available {
        return Err(BudgetError(format!(
            "the hash tables of {} engines take {needed} MiB, but {available} MiB are free: expected \
             less Hash or concurrency",
            config.engines.len() * games
        )));
    }
    let threads = threads_of_game(&config.engines);
    match machine.cpus {
        Some(cpus) if games * threads > cpus => Err(BudgetError(format!(
            "games at once: {games}, each with threads: {threads}; that takes {} CPUs, but there are \
             {cpus}: expected less Threads or concurrency",
            games * threads
        ))),
        _ => Ok(()),
    }
}

/// Number of threads that search at the same time in one game: the largest of any engine, or of two
/// engines together if one ponders.
pub(crate) fn threads_of_game(engines: &[EngineConfig]) -> usize {
    let threads = |engine: &EngineConfig| {
        let threads = option(engine, "Threads").or(option(engine, "cores"));
        threads.unwrap_or(1).max(1)
    };
    let mut all: Vec<u64> = engines.iter().map(threads).collect();
    all.sort_unstable_by_key(|&threads| std::cmp::Reverse(threads));
    let at_once = 1 + usize::from(engines.iter().any(|engine| engine.ponder));
    let sum = all.iter().take(at_once).sum::<u64>();
    usize::try_from(sum).unwrap_or(usize::MAX).min(MAX_THREADS)
}

/// More than any machine has, and small enough that products with it do not overflow.
const MAX_THREADS: usize = 1 << 20;

fn option(engine: &EngineConfig, name: &str) -> Option<u64> {
    let mut options = engine.options.iter();
    let (_, value) = options.find(|(found, _)| found.eq_ignore_ascii_case(name))?;
    value.parse().ok()
}

/// Reads the resources of this machine.
#[expect(clippy::disallowed_methods, reason = "the edge looks at the machine")]
pub(crate) fn machine() -> Machine {
    let cpus = std::thread::available_parallelism();
    let memory = std::fs::read_to_string("/proc/meminfo").ok();
    Machine {
        memory: memory.and_then(|text| available_memory(&text)),
        cpus: cpus.ok().map(usize::from),
    }
}

/// Parses `MemAvailable` of Linux's `/proc/meminfo`, in bytes.
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

    fn cores(cpus: &[&[usize]]) -> Vec<BTreeSet<usize>> {
        cpus.iter()
            .map(|core| core.iter().copied().collect())
            .collect()
    }

    #[test]
    fn siblings_come_last() {
        let four = cores(&[&[0, 4], &[1, 5], &[2], &[3, 7]]);
        let one = |cpus: &[usize]| cpus.iter().map(|&cpu| vec![cpu]).collect::<Vec<_>>();
        assert_eq!(choose(&four, 4, 1), Some(one(&[0, 1, 2, 3])));
        assert_eq!(choose(&four, 7, 1), Some(one(&[0, 1, 2, 3, 4, 5, 7])));
        assert_eq!(choose(&four, 8, 1), None);
        assert_eq!(
            choose(&four, 3, 2),
            Some(vec![vec![0, 1], vec![2, 3], vec![4, 5]])
        );
        assert_eq!(choose(&four, 4, 2), None);
        assert_eq!(choose(&[], 1, 1), None);
    }

    #[test]
    fn runs_do_not_choose_the_same_cpus() {
        let folder = tempfile::tempdir().expect("a folder");
        let four = || cores(&[&[0, 4], &[1, 5]]);
        let lease = |games, threads| lease(four(), games, threads, folder.path());
        let first = lease(2, 1).expect("all are free");
        assert_eq!(
            [0, 1].map(|game| first.of_worker(game)),
            [Some(vec![0]), Some(vec![1])]
        );
        let second = lease(1, 1).expect("two are free");
        assert_eq!(second.of_worker(0), Some(vec![4]));
        assert!(lease(1, 2).is_none());
        drop(first);
        let third = lease(1, 2).expect("two more are free");
        assert_eq!(third.of_worker(0), Some(vec![0, 1]));
    }

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
    fn runs_that_do_not_fit_are_rejected() {
        let machine = Machine {
            memory: Some(100 << 20),
            cpus: Some(4),
        };
        let plain = "cmd=a nodes=1 name=a";
        let rows = rows![
            3, "cmd=b nodes=1" => None;
            4, "cmd=b nodes=1" =>
                Some("the hash tables of 8 engines take 128 MiB, but 100 MiB are free: expected less Hash or concurrency");
            1, "cmd=b nodes=1 option.hash=84" => None;
            1, "cmd=b nodes=1 option.hash=85" =>
                Some("the hash tables of 2 engines take 101 MiB, but 100 MiB are free: expected less Hash or concurrency");
            2, "cmd=b nodes=1 option.Threads=2" => None;
            2, "cmd=b nodes=1 option.Threads=2 ponder=on" =>
                Some("games at once: 2, each with threads: 3; that takes 6 CPUs, but there are 4: expected less Threads or concurrency");
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
