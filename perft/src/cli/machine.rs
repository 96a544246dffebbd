//! What the system reports about this machine: free memory.

/// Memory that can be used without swapping, in MiB, if the system reports it.
pub(super) fn free_mebibytes() -> Option<usize> {
    free_in(&read("/proc/meminfo")?)
}

/// Parses `MemAvailable:   24118396 kB`.
fn free_in(meminfo: &str) -> Option<usize> {
    let kibibytes = value_of("MemAvailable:", meminfo)?;
    let kibibytes: usize = kibibytes.strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024)
}

/// The rest of the line that begins with `key`.
fn value_of(key: &str, text: &str) -> Option<String> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key));
    rest.map(|rest| rest.trim().to_owned())
}

/// `None` on systems without these files.
#[expect(clippy::disallowed_methods, reason = "the edge asks the system")]
fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
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
    }
}
