//! Free memory of the machine.

/// Memory that can be used without swapping, in MiB, if the system reports it.
#[cfg(target_os = "linux")]
#[expect(clippy::disallowed_methods, reason = "the edge asks the system")]
pub(crate) fn free_mebibytes() -> Option<usize> {
    free_in(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

/// Memory that can be used without swapping, in MiB, if the system reports it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn free_mebibytes() -> Option<usize> {
    None
}

/// Parses `MemAvailable:   24118396 kB`.
#[cfg(any(target_os = "linux", test))]
fn free_in(meminfo: &str) -> Option<usize> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_linux_writes() {
        let text = "MemTotal:       24654612 kB\nMemAvailable:   24118396 kB\n";
        assert_eq!(free_in(text), Some(23_553));
        assert_eq!(free_in("MemTotal: 5 kB"), None);
        assert_eq!(free_in("MemAvailable: many"), None);
    }
}
