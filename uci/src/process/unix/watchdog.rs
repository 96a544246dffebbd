//! A watchdog kills our engines if we are killed ourselves: after `kill -9` no code of ours runs.
//!
//! It is a shell that reads from a pipe which process groups exist. When the pipe ends, because we
//! do, it kills those that are left. One serves all engines of this process, so that starting an
//! engine costs one small write. Where there is no `/bin/sh`, engines run without a watchdog.
//!
//! A group becomes known right after its engine has been started. If we are killed in between, the
//! engine reads the end of its input before its first command.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::Pid;

/// `+ GROUP` and `- GROUP` add and remove a group. The signals are those of a terminal that closes,
/// or of a shutdown, which are not meant for the watchdog: it ends after us.
const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM
groups=' '
while read -r sign group; do
    case $sign in
        +) groups="$groups$group " ;;
        -) groups="${groups%% "$group" *} ${groups#* "$group" }" ;;
    esac
done
for group in $groups; do
    kill -s KILL -- "-$group"
done
"#;

/// One a process, like its children: libraries above share it without knowing.
static WATCHDOG: Mutex<Watchdog> = Mutex::new(Watchdog {
    groups: BTreeSet::new(),
    shell: None,
});

struct Watchdog {
    /// The groups that exist, for a new shell if the old one has been killed.
    groups: BTreeSet<i32>,
    shell: Option<Child>,
}

/// Has a process group killed if we end.
pub(super) fn watch(group: Pid) {
    change(|watchdog| {
        let group = group.as_raw_pid();
        watchdog.groups.insert(group);
        watchdog.write(&format!("+ {group}\n"))
    });
}

/// Forgets a process group. The child that leads it must not have been reaped: from then on its
/// number may be another's.
pub(super) fn release(group: Pid) {
    change(|watchdog| {
        let group = group.as_raw_pid();
        watchdog.groups.remove(&group);
        watchdog.write(&format!("- {group}\n"))
    });
}

fn change(change: impl FnOnce(&mut Watchdog) -> io::Result<()>) {
    let mut watchdog = WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner);
    let changed = change(&mut watchdog).or_else(|_| watchdog.start());
    if let Err(error) = changed {
        log::warn!("engines are not killed if this program is: no watchdog: {error}");
    }
}

impl Watchdog {
    /// Fails if the shell has ended, or does not read.
    fn write(&mut self, line: &str) -> io::Result<()> {
        let stdin = self.shell.as_mut().and_then(|shell| shell.stdin.as_mut());
        // Lines this short are written whole or not at all.
        stdin
            .ok_or(io::ErrorKind::NotConnected)?
            .write_all(line.as_bytes())
    }

    /// Starts a shell that knows all groups.
    #[expect(clippy::disallowed_methods, reason = "the watchdog is a process")]
    fn start(&mut self) -> io::Result<()> {
        if let Some(mut old) = self.shell.take() {
            // It ends by itself if it can, but must not kill anything on its way.
            let _ = old.kill();
            let _ = old.wait();
        }
        if self.groups.is_empty() {
            return Ok(());
        }
        let mut shell = Command::new("/bin/sh");
        shell
            .args(["-c", SCRIPT, "watchdog of engines"])
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C in a terminal, and a signal to our whole group, do not reach it.
            .process_group(0);
        let mut shell = super::spawn(&mut shell)?;
        if let Some(stdin) = &shell.stdin {
            rustix::io::ioctl_fionbio(stdin, true)?;
        }
        shell.stdin.as_mut().map_or(Ok(()), |stdin| {
            self.groups
                .iter()
                .try_for_each(|group| stdin.write_all(format!("+ {group}\n").as_bytes()))
        })?;
        self.shell = Some(shell);
        Ok(())
    }
}
