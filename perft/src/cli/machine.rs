//! Name and processor of this machine, as reported by the system.

use rand::TryRng as _;
use rand::rngs::SysRng;

/// Machine name, process id and a random number: unique for every worker.
pub(crate) fn worker_name() -> String {
    let host = read("/proc/sys/kernel/hostname").unwrap_or_else(|| "host".to_owned());
    let mut chance = [0; 4];
    // Without it, the process id still makes most names unique.
    let _ = SysRng.try_fill_bytes(&mut chance);
    let chance = u32::from_le_bytes(chance);
    format!("{}-{}-{chance:08x}", host.trim(), std::process::id())
}

/// The processor's model name.
pub(crate) fn processor() -> Option<String> {
    processor_in(&read("/proc/cpuinfo")?)
}

/// Parses the line that begins with `model name`, after its colon.
fn processor_in(cpuinfo: &str) -> Option<String> {
    let mut lines = cpuinfo.lines();
    let line = lines.find_map(|line| line.strip_prefix("model name"))?;
    let (_, name) = line.split_once(':')?;
    Some(name.trim().to_owned())
}

#[expect(clippy::disallowed_methods, reason = "the edge asks the system")]
fn read(path: &str) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_linux_writes() {
        let text = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC\n";
        assert_eq!(processor_in(text).as_deref(), Some("AMD EPYC"));
        assert_eq!(processor_in("processor\t: 0\n"), None);
    }

    #[test]
    fn no_two_workers_have_one_name() {
        let (one, other) = (worker_name(), worker_name());
        assert_ne!(one, other);
        assert!(one.contains(&format!("-{}-", std::process::id())), "{one}");
        assert!(!one.contains(char::is_whitespace), "{one}");
    }
}
