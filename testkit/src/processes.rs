//! Processes of others: whether they live, how they are killed and interrupted.

#[cfg(unix)]
pub use unix::{exists, interrupt, kill};
#[cfg(windows)]
pub use windows::{exists, kill};

/// Waits until a process has ended. Whether it has been reaped does not matter: a grandchild is
/// reaped by another process than ours, when that comes to it.
///
/// # Panics
///
/// When it lives on for [`HANG`](crate::HANG).
#[track_caller]
pub fn assert_gone(id: u32) {
    crate::programs::wait_until(&format!("process {id} ends"), || {
        !exists(id) || is_zombie(id)
    });
}

#[expect(clippy::disallowed_methods, reason = "the state of a process")]
fn is_zombie(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat"));
    stat.is_ok_and(|stat| stat.contains(") Z "))
}

#[cfg(unix)]
mod unix {
    use rustix::process::{Pid, Signal, kill_process, test_kill_process};

    /// Whether a process exists; one that has ended and has not been reaped does.
    pub fn exists(id: u32) -> bool {
        test_kill_process(pid(id)).is_ok()
    }

    /// Kills a process without warning.
    ///
    /// # Panics
    ///
    /// When it has ended already.
    pub fn kill(id: u32) {
        kill_process(pid(id), Signal::KILL).expect("a running process");
    }

    /// Interrupts a process as Ctrl-C does.
    ///
    /// # Panics
    ///
    /// When it has ended already.
    pub fn interrupt(id: u32) {
        kill_process(pid(id), Signal::INT).expect("a running process");
    }

    fn pid(id: u32) -> Pid {
        let id = i32::try_from(id).expect("numbers of processes are small");
        Pid::from_raw(id).expect("a process has a number")
    }
}

#[cfg(windows)]
mod windows {
    #![expect(unsafe_code, reason = "Windows is called by unsafe functions")]

    use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};

    use windows_sys::Win32::Foundation::WAIT_TIMEOUT;
    use windows_sys::Win32::System::Threading::{
        OpenProcess, PROCESS_SYNCHRONIZE, PROCESS_TERMINATE, TerminateProcess, WaitForSingleObject,
    };

    fn open(id: u32) -> Option<OwnedHandle> {
        // SAFETY: there are no pointers; the handle is ours.
        unsafe {
            let handle = OpenProcess(PROCESS_SYNCHRONIZE | PROCESS_TERMINATE, 0, id);
            (!handle.is_null()).then(|| OwnedHandle::from_raw_handle(handle))
        }
    }

    /// Whether a process exists and has not ended.
    pub fn exists(id: u32) -> bool {
        // SAFETY: the handle is open.
        open(id).is_some_and(|process| unsafe {
            WaitForSingleObject(process.as_raw_handle(), 0) == WAIT_TIMEOUT
        })
    }

    /// Kills a process without warning.
    ///
    /// # Panics
    ///
    /// When it has ended already.
    pub fn kill(id: u32) {
        let process = open(id).expect("a running process");
        // SAFETY: the handle is open.
        let killed = unsafe { TerminateProcess(process.as_raw_handle(), 1) };
        assert_ne!(killed, 0, "{}", std::io::Error::last_os_error());
    }
}
