//! What a machine has: cores, memory, tool chains, tablebases. An edge: it asks the system.
#![expect(clippy::disallowed_methods, reason = "the edge asks the system")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Programs that recipes need, by the names under which jobs ask for them.
const TOOLS: [&str; 17] = [
    "cargo", "rustc", "make", "cmake", "ninja", "meson", "gcc", "g++", "clang", "clang++", "go",
    "zig", "dotnet", "java", "nim", "python3", "git",
];
/// The largest file of `/proc` that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// The tool chains that are installed.
pub(super) fn tools() -> Vec<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let is_here = |name: &&str| {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        folders.iter().any(|folder| folder.join(&name).is_file())
    };
    TOOLS
        .into_iter()
        .filter(is_here)
        .map(str::to_owned)
        .collect()
}

/// Instructions of the CPU that engines are built for.
pub(super) fn instructions() -> Vec<String> {
    let mut found = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        let all = [
            ("popcnt", std::arch::is_x86_feature_detected!("popcnt")),
            ("bmi2", std::arch::is_x86_feature_detected!("bmi2")),
            ("avx2", std::arch::is_x86_feature_detected!("avx2")),
            // Networks of 8- and 16-bit integers need `avx512bw`; Stockfish builds its `avx512` with it, too.
            ("avx512", std::arch::is_x86_feature_detected!("avx512bw")),
        ];
        let all = all.into_iter().filter(|(_, is_here)| *is_here);
        found.extend(all.map(|(name, _)| name.to_owned()));
    }
    #[cfg(target_arch = "aarch64")]
    found.push("neon".to_owned());
    found
}

/// `syzygy-3` up to the largest number of pieces of which there are tables in these folders.
pub(super) fn tablebases(folders: &[PathBuf]) -> Vec<String> {
    let files = folders.iter().filter_map(|folder| folder.read_dir().ok());
    let names = files.flatten().flatten().map(|entry| entry.file_name());
    let pieces: BTreeSet<usize> = names
        .filter_map(|name| pieces_of(Path::new(&name)))
        .collect();
    let most = pieces.last().copied().unwrap_or(0);
    (3..=most)
        .map(|pieces| format!("syzygy-{pieces}"))
        .collect()
}

/// The number of pieces of a table, such as `KQvKR.rtbw`.
fn pieces_of(name: &Path) -> Option<usize> {
    if name.extension()? != "rtbw" {
        return None;
    }
    let (white, black) = name.file_stem()?.to_str()?.split_once('v')?;
    let is_side =
        |side: &str| side.starts_with('K') && side.bytes().all(|one| b"KQRBNP".contains(&one));
    (is_side(white) && is_side(black)).then_some(white.len() + black.len())
}

/// Number of CPUs that this process may use.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Memory that can be used without swapping, in MiB, if the system reports it.
pub(super) fn free_mebibytes() -> Option<u64> {
    let text = kit::read::text("/proc/meminfo".as_ref(), LARGEST).ok()?;
    free_in(&text)
}

/// Parses `MemAvailable:   24118396 kB`.
fn free_in(meminfo: &str) -> Option<u64> {
    let kibibytes = value_of("MemAvailable:", meminfo)?;
    let kibibytes: u64 = kibibytes.strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024)
}

/// The processor's model name, if the system reports it.
pub(super) fn processor() -> Option<String> {
    let text = kit::read::text("/proc/cpuinfo".as_ref(), LARGEST).ok()?;
    processor_in(&text)
}

/// Parses `model name : AMD EPYC`.
fn processor_in(cpuinfo: &str) -> Option<String> {
    // Kernels for ARM64 print no such line; pages then show the system in its place.
    let name = value_of("model name", cpuinfo)?;
    Some(name.trim_start_matches([':', ' ']).to_owned())
}

/// The rest of the line that begins with `key`.
fn value_of<'t>(key: &str, text: &'t str) -> Option<&'t str> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key));
    rest.map(str::trim)
}

/// Operating system and architecture.
pub(super) fn system() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_linux_are_parsed() {
        let text = "MemTotal:       24654612 kB\nMemAvailable:   24118396 kB\n";
        assert_eq!(free_in(text), Some(23_553));
        assert_eq!(free_in("MemTotal: 5 kB"), None);
        assert_eq!(free_in("MemAvailable: many"), None);
        let text = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC\n";
        assert_eq!(processor_in(text).as_deref(), Some("AMD EPYC"));
        assert_eq!(processor_in("processor\t: 0\n"), None);
    }

    #[test]
    fn tables_are_counted_by_their_pieces() {
        for (name, expected) in [
            ("KQvK.rtbw", Some(3)),
            ("KRPvKR.rtbw", Some(5)),
            ("KRPvKR.rtbz", None),
            ("KXvK.rtbw", None),
            ("readme.txt", None),
        ] {
            assert_eq!(pieces_of(Path::new(name)), expected, "{name}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["KQvK.rtbw", "KRPvKR.rtbw"] {
            std::fs::write(folder.path().join(name), "").expect("new");
        }
        let found = tablebases(&[folder.path().to_owned()]);
        assert_eq!(found, ["syzygy-3", "syzygy-4", "syzygy-5"]);
        assert!(tablebases(&[]).is_empty());
    }
}
