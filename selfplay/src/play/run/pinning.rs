//! Which CPUs workers and the engines they start get, and whether a run fits the machine.

use std::collections::BTreeSet;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use queue::program::DEFAULT_HASH_MIB;

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
    /// CPUs that are not there, or not for this process.
    #[error(
        "games cannot be pinned to CPU {missing}: expected some of {usable}, which the machine, taskset or \
         a container gives this process"
    )]
    NotUsable { missing: String, usable: String },
    /// The available CPUs cannot be determined.
    #[error("games cannot be pinned to CPUs: {0}")]
    Unknown(#[source] io::Error),
}

/// The CPUs of each worker, which no other run takes for its own as long as this lives.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// `None` if games are not pinned.
    cpus: Option<Vec<Vec<usize>>>,
    _leases: Vec<CpuLease>,
    /// Whether games turned out to need more CPUs.
    are_given_up: AtomicBool,
}

impl Places {
    /// The CPUs of a worker, if games are pinned.
    pub(crate) fn of_worker(&self, number: usize) -> Option<&[usize]> {
        let cpus = self.cpus.as_ref()?;
        (!self.are_given_up.load(Ordering::Relaxed)).then_some(cpus[number].as_slice())
    }

    /// Returns true if the system chooses, for all workers.
    pub(crate) fn are_none(&self) -> bool {
        self.cpus.is_none() || self.are_given_up.load(Ordering::Relaxed)
    }

    /// Leaves the choice to the system, for workers that ask from now on.
    pub(crate) fn give_up(&self) {
        self.are_given_up.store(true, Ordering::Relaxed);
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
    // What is sent at the start may ask for any number of threads.
    let are_threads_known = engines.iter().all(|engine| engine.startup.is_empty());
    let is_auto = *pinning == Pinning::Auto;
    if *pinning == Pinning::Off || is_auto && !are_threads_known {
        return Ok(Places::default());
    }
    match uci::cpus::cores() {
        // Nobody asked for pinning, so the run does not fail for the lack of it.
        Err(_) if is_auto => Ok(Places::default()),
        Err(error) => Err(PinningError::Unknown(error)),
        Ok(cores) => {
            if let Pinning::Cpus(asked) = pinning {
                check_usable(&cores, asked)?;
            }
            let room = Room {
                cores: match pinning {
                    Pinning::Cpus(allowed) => among(&cores, allowed),
                    _ => cores,
                },
                games,
                threads: threads_of_game(engines),
                folder: std::env::temp_dir(),
            };
            room.assign(is_auto, uci::cpus::idle())
        }
    }
}

/// Checks that all CPUs of a list can be used.
fn check_usable(cores: &[BTreeSet<usize>], asked: &BTreeSet<usize>) -> Result<(), PinningError> {
    let usable: BTreeSet<usize> = cores.iter().flatten().copied().collect();
    let missing = asked - &usable;
    if missing.is_empty() {
        return Ok(());
    }
    Err(PinningError::NotUsable {
        missing: list(&missing),
        usable: list(&usable),
    })
}

/// CPUs such as `0,2,4-6`.
fn list(cpus: &BTreeSet<usize>) -> String {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for &cpu in cpus {
        match ranges.last_mut() {
            Some([_, last]) if *last + 1 == cpu => *last = cpu,
            _ => ranges.push([cpu, cpu]),
        }
    }
    let text = |[first, last]: [usize; 2]| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    };
    ranges.into_iter().map(text).collect::<Vec<_>>().join(",")
}

/// What is to be placed, and where.
struct Room {
    cores: Vec<BTreeSet<usize>>,
    games: usize,
    threads: usize,
    /// Where leases are.
    folder: PathBuf,
}

impl Room {
    /// Chooses idle CPUs that no other run has; if there are too few, and games are to be pinned in
    /// any case, busy ones; then those of other runs.
    fn assign(&self, is_auto: bool, idle: Option<BTreeSet<usize>>) -> Result<Places, PinningError> {
        if let Some(places) = idle.and_then(|idle| self.lease(idle)) {
            return Ok(places);
        }
        if is_auto {
            return Ok(Places::default());
        }
        let all: BTreeSet<usize> = self.cores.iter().flatten().copied().collect();
        let cpus = all.len();
        if let Some(places) = self.lease(all) {
            return Ok(places);
        }
        let chosen = choose(&self.cores, self.games, self.threads);
        let cpus = chosen.ok_or(PinningError::TooFewCpus {
            games: self.games,
            threads: self.threads,
            cpus,
        })?;
        Ok(Places {
            cpus: Some(cpus),
            ..Places::default()
        })
    }

    /// Chooses among CPUs that no other run has; `None` if there are too few.
    fn lease(&self, mut free: BTreeSet<usize>) -> Option<Places> {
        loop {
            let cpus = choose(&self.free_first(&free), self.games, self.threads)?;
            let all = cpus.iter().flatten();
            let leased = all.map(|&cpu| CpuLease::take(&self.folder, cpu).ok_or(cpu));
            match leased.collect() {
                Ok(leases) => {
                    return Some(Places {
                        cpus: Some(cpus),
                        _leases: leases,
                        ..Places::default()
                    });
                }
                // Each attempt has one CPU less, so the loop ends. Leases taken so far have been
                // dropped.
                Err(taken) => free.remove(&taken),
            };
        }
    }

    /// The free CPUs of each core. Cores that are free altogether come first: a CPU whose sibling works is
    /// slower.
    fn free_first(&self, free: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
        let left = among(&self.cores, free);
        let mut cores: Vec<_> = self.cores.iter().zip(left).collect();
        cores.sort_by_key(|(core, left)| core.len() - left.len());
        cores.into_iter().map(|(_, left)| left).collect()
    }
}

/// The CPUs of each core that are among these.
fn among(cores: &[BTreeSet<usize>], cpus: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
    cores.iter().map(|core| core & cpus).collect()
}

// Compares the resources that a run needs with those of the machine.

/// Resources of the machine; an unknown one (`None`) is not checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MachineResources {
    /// Available memory, in bytes.
    pub memory: Option<u64>,
    /// Number of CPUs that this process may use.
    pub cpus: Option<usize>,
}

/// A run that is too large for the machine: what it takes, and what there is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct BudgetError(String);

/// Checks a run against the machine. Every worker keeps all engines running.
///
/// # Errors
///
/// When the machine is too small. Hash tables that exceed the memory make engines swap, and games
/// that share CPUs lose time or strength at random.
pub(crate) fn check(config: &RunConfig, machine: MachineResources) -> Result<(), BudgetError> {
    let games = config.concurrency;
    let all: u64 = config.engines.iter().map(hash_mib).sum();
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

/// The size of an engine's hash table, in MiB.
pub(crate) fn hash_mib(engine: &EngineConfig) -> u64 {
    // `memory` and `cores` are the names in XBoard's protocol.
    let hash = option(engine, "Hash").or(option(engine, "memory"));
    hash.unwrap_or(DEFAULT_HASH_MIB)
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
pub(crate) fn machine() -> MachineResources {
    let cpus = std::thread::available_parallelism();
    let memory = std::fs::read_to_string("/proc/meminfo").ok();
    MachineResources {
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

/// A CPU that no other run takes as long as this lives, so that two runs of this machine do not choose the same: a
/// locked file for each CPU, in the folder for temporary files. The lock ends with the process, however that ends.
#[derive(Debug)]
struct CpuLease {
    _locked: File,
}

impl CpuLease {
    /// Takes a CPU; `None` if another run has it, or its file cannot be had.
    fn take(folder: &Path, cpu: usize) -> Option<Self> {
        let file = open_lease(&folder.join(format!("touchstone-cpu-{cpu}.lock"))).ok()?;
        // In a folder that all may write to, it may be anything of anybody.
        file.metadata().ok().filter(Metadata::is_file)?;
        file.try_lock().ok()?;
        Some(Self { _locked: file })
    }
}

/// Other users may read the file, which is enough to lock it. A new file must be one: in a folder that
/// all may write to, the name could be a link to elsewhere.
fn open_lease(path: &Path) -> io::Result<File> {
    let mut existing = OpenOptions::new();
    existing.read(true);
    // A pipe that nobody writes to would block.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut existing,
        i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).expect("a flag"),
    );
    match existing.open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let mut options = OpenOptions::new();
            match options.write(true).create_new(true).open(path) {
                Ok(file) => {
                    for_all(&file);
                    Ok(file)
                }
                // Another run may have been faster.
                Err(_) => existing.open(path),
            }
        }
        opened => opened,
    }
}

/// Lets all users read a file, whatever this user's files are like else. If that fails, only this user
/// takes the CPU.
fn for_all(file: &File) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let _ = file.set_permissions(std::fs::Permissions::from_mode(0o644));
    }
    #[cfg(not(unix))]
    let _ = file;
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
    fn cpus_that_cannot_be_used_are_named() {
        let cores = [[1, 9].into(), [2, 10].into(), [3].into()];
        let error = |asked: &[usize]| {
            check_usable(&cores, &asked.iter().copied().collect())
                .map_err(|error| error.to_string())
        };
        assert_eq!(error(&[1, 10]), Ok(()));
        let expected = "games cannot be pinned to CPU 0,4-6: expected some of 1-3,9-10, which the \
                        machine, taskset or a container gives this process";
        assert_eq!(error(&[0, 1, 4, 5, 6]), Err(expected.to_owned()));
    }

    #[test]
    fn siblings_come_last() {
        let four = cores(&[&[0, 4], &[1, 5], &[2], &[3, 7]]);
        let one = |cpus: &[usize]| cpus.iter().map(|&cpu| vec![cpu]).collect::<Vec<_>>();
        assert_eq!(choose(&four, 4, 1), Some(one(&[0, 1, 2, 3])));
        assert_eq!(choose(&four, 7, 1), Some(one(&[0, 1, 2, 3, 4, 5, 7])));
        assert_eq!(choose(&four, 8, 1), None);
        let expected = Some(vec![vec![0, 1], vec![2, 3], vec![4, 5]]);
        assert_eq!(choose(&four, 3, 2), expected);
        assert_eq!(choose(&four, 4, 2), None);
        assert_eq!(choose(&[], 1, 1), None);
    }

    #[test]
    fn runs_choose_idle_cpus_that_no_other_has() {
        let folder = tempfile::tempdir().expect("a folder");
        let room = |games, threads| Room {
            cores: cores(&[&[0, 4], &[1, 5], &[2, 6], &[3, 7]]),
            games,
            threads,
            folder: folder.path().to_owned(),
        };
        let set = |cpus: &[usize]| Some(cpus.iter().copied().collect::<BTreeSet<_>>());
        let all = || set(&[0, 1, 2, 3, 4, 5, 6, 7]);
        let chosen = |places: &Places| places.cpus.clone();
        let first = room(1, 1).assign(true, all()).expect("all are free");
        assert_eq!(chosen(&first), Some(vec![vec![0]]));
        // Not beside the other run, and not beside what else works.
        let second = room(1, 1).assign(true, all()).expect("most are free");
        assert_eq!(chosen(&second), Some(vec![vec![1]]));
        let idle = set(&[0, 1, 3, 4, 5, 6, 7]);
        let third = room(2, 1).assign(true, idle).expect("some are free");
        assert_eq!(chosen(&third), Some(vec![vec![3], vec![4]]));
        // Too few are idle: not pinned, or pinned to busy ones that no other run has.
        let auto = room(1, 2).assign(true, set(&[7])).expect("not pinned");
        assert_eq!(chosen(&auto), None);
        let pinned = room(1, 2).assign(false, set(&[7])).expect("busy ones");
        assert_eq!(chosen(&pinned), Some(vec![vec![2, 5]]));
        let shared = room(4, 1).assign(false, None).expect("those of others");
        let expected = Some(vec![vec![0], vec![1], vec![2], vec![3]]);
        assert_eq!(chosen(&shared), expected);
        assert!(room(9, 1).assign(false, all()).is_err());
        drop(first);
        let again = room(1, 1).assign(true, all()).expect("it is free again");
        assert_eq!(chosen(&again), Some(vec![vec![0]]));
        again.give_up();
        assert_eq!(again.of_worker(0), None);
    }

    fn config(concurrency: usize, engines: [&str; 2]) -> RunConfig {
        let draft = Draft {
            rounds: Some(1),
            concurrency: Some(crate::config::AtOnce(concurrency)),
            engines: engines.map(|text| text.parse().expect("an engine")).into(),
            ..Draft::default()
        };
        resolve(draft, Contest::Match).expect("a match")
    }

    #[test]
    fn runs_that_do_not_fit_are_rejected() {
        let machine = MachineResources {
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
        assert_eq!(check(&large, MachineResources::default()), Ok(()));
    }

    #[test]
    fn memory_is_read_as_linux_writes_it() {
        let text = "MemTotal:  100 kB\nMemAvailable:   24028384 kB\n";
        assert_eq!(available_memory(text), Some(24_028_384 << 10));
        assert_eq!(available_memory("MemAvailable: many kB\n"), None);
    }

    #[test]
    fn a_cpu_has_one_holder_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = CpuLease::take(folder.path(), 3).expect("it is free");
        assert!(CpuLease::take(folder.path(), 3).is_none());
        assert!(CpuLease::take(folder.path(), 4).is_some());
        drop(first);
        assert!(CpuLease::take(folder.path(), 3).is_some());
        assert!(CpuLease::take(Path::new("/nonexistent"), 1).is_none());
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{CWD, Mode, mkfifoat};
            let pipe = folder.path().join("touchstone-cpu-5.lock");
            mkfifoat(CWD, &pipe, Mode::RUSR | Mode::WUSR).expect("a pipe");
            assert!(
                CpuLease::take(folder.path(), 5).is_none(),
                "it does not block"
            );
        }
    }
}
