//! The Windows calls that the standard library lacks, behind safe functions.
#![expect(unsafe_code, reason = "Windows is called by unsafe functions")]

use std::io;
use std::os::windows::ffi::OsStrExt as _;
use std::os::windows::io::{
    AsHandle, AsRawHandle as _, BorrowedHandle, FromRawHandle as _, OwnedHandle,
};
use std::path::Path;
use std::ptr::{self, NonNull};
use std::time::Duration;

use windows_sys::Win32::Foundation::{
    ERROR_IO_INCOMPLETE, ERROR_IO_PENDING, HANDLE, INVALID_HANDLE_VALUE, NTSTATUS, WAIT_FAILED,
    WAIT_OBJECT_0,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, PIPE_ACCESS_INBOUND, PIPE_ACCESS_OUTBOUND,
    ReadFile, WriteFile,
};
use windows_sys::Win32::System::IO::{CancelIoEx, GetOverlappedResult, OVERLAPPED};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Pipes::{
    CreateNamedPipeW, PIPE_READMODE_BYTE, PIPE_REJECT_REMOTE_CLIENTS, PIPE_TYPE_BYTE,
};
use windows_sys::Win32::System::SystemInformation::{
    GetLogicalProcessorInformation, RelationProcessorCore, SYSTEM_LOGICAL_PROCESSOR_INFORMATION,
};
use windows_sys::Win32::System::Threading::{
    CreateEventW, GetCurrentProcess, GetCurrentThread, GetProcessAffinityMask, INFINITE, SetEvent,
    SetProcessAffinityMask, SetThreadAffinityMask, WaitForMultipleObjects, WaitForSingleObject,
};

/// The result of a call that returns 0 on failure.
fn checked(result: i32) -> io::Result<()> {
    if result == 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

/// Takes ownership of a handle that a call has just created; null and −1 mean failure.
fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle is open, and nobody else has it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// Processes that are killed together, at the latest when the handle is closed: by us, or by the
/// system when our process ends. It is not inherited.
pub(super) struct Job(OwnedHandle);

impl Job {
    pub(super) fn new() -> io::Result<Self> {
        // SAFETY: null stands for default attributes and no name.
        let job = owned(unsafe { CreateJobObjectW(ptr::null(), ptr::null()) })?;
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        // SAFETY: the class says which structure it is, and its size is passed.
        checked(unsafe {
            SetInformationJobObject(
                job.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                ptr::from_ref(&limits).cast(),
                size_of_val(&limits) as u32,
            )
        })?;
        Ok(Self(job))
    }

    pub(super) fn assign(&self, process: BorrowedHandle<'_>) -> io::Result<()> {
        // SAFETY: both handles are open.
        checked(unsafe {
            AssignProcessToJobObject(self.0.as_raw_handle(), process.as_raw_handle())
        })
    }

    pub(super) fn kill(&self, exit_code: u32) -> io::Result<()> {
        // SAFETY: the handle is open.
        checked(unsafe { TerminateJobObject(self.0.as_raw_handle(), exit_code) })
    }
}

/// This process.
pub(super) fn ourselves() -> BorrowedHandle<'static> {
    // SAFETY: it is a constant that stands for this process, valid as long as we run.
    unsafe { BorrowedHandle::borrow_raw(GetCurrentProcess()) }
}

#[link(name = "ntdll", kind = "raw-dylib")]
unsafe extern "system" {
    /// Resumes all threads of a process. The documented way needs the handle of the first thread,
    /// which the standard library closes, so it would have to be searched for among all threads of
    /// the machine. This call has existed unchanged since Windows XP, and debuggers rely on it.
    fn NtResumeProcess(process: HANDLE) -> NTSTATUS;
}

/// Lets a process run that was started suspended.
pub(super) fn resume(process: BorrowedHandle<'_>) -> io::Result<()> {
    // SAFETY: the handle is open.
    let status = unsafe { NtResumeProcess(process.as_raw_handle()) };
    if status < 0 {
        return Err(io::Error::other(format!(
            "the process cannot be resumed: {status:#x}"
        )));
    }
    Ok(())
}

/// A flag that can be waited for; once set, it stays set.
pub(super) struct Event(OwnedHandle);

impl Event {
    pub(super) fn new() -> io::Result<Self> {
        // SAFETY: null stands for default attributes and no name; it is reset by hand, and not set.
        owned(unsafe { CreateEventW(ptr::null(), 1, 0, ptr::null()) }).map(Self)
    }

    pub(super) fn set(&self) -> io::Result<()> {
        // SAFETY: the handle is open.
        checked(unsafe { SetEvent(self.0.as_raw_handle()) })
    }
}

impl AsHandle for Event {
    fn as_handle(&self) -> BorrowedHandle<'_> {
        self.0.as_handle()
    }
}

/// Waits until one of the handles is signalled or the time is over; `None` waits forever.
pub(super) fn wait_for_any(
    handles: &[BorrowedHandle<'_>],
    time: Option<Duration>,
) -> io::Result<()> {
    // Rounded up: a wait that ends early would be repeated in a busy loop.
    let milliseconds = time.map_or(INFINITE, |time| {
        u32::try_from(time.as_micros().div_ceil(1000))
            .map_or(INFINITE - 1, |ms| ms.min(INFINITE - 1))
    });
    let raw: Vec<HANDLE> = handles
        .iter()
        .map(|handle| handle.as_raw_handle())
        .collect();
    // SAFETY: the handles are open, and their number is passed.
    let result = unsafe { WaitForMultipleObjects(raw.len() as u32, raw.as_ptr(), 0, milliseconds) };
    if result == WAIT_FAILED {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Whether a handle is signalled: an event is set, a process has ended.
pub(super) fn is_signalled(handle: BorrowedHandle<'_>) -> bool {
    // SAFETY: the handle is open.
    unsafe { WaitForSingleObject(handle.as_raw_handle(), 0) == WAIT_OBJECT_0 }
}

/// The CPUs that this process may use, and those of each core, as sets of bits.
pub(super) fn cpus() -> io::Result<(usize, Vec<usize>)> {
    let (mut ours, mut all) = (0, 0);
    // SAFETY: the process is our own, and the results are written to variables of ours.
    checked(unsafe { GetProcessAffinityMask(GetCurrentProcess(), &mut ours, &mut all) })?;
    let mut size = 0;
    // SAFETY: without room, only the size is written. It fails, as it must.
    unsafe { GetLogicalProcessorInformation(ptr::null_mut(), &mut size) };
    let count = size as usize / size_of::<SYSTEM_LOGICAL_PROCESSOR_INFORMATION>();
    let mut known = vec![SYSTEM_LOGICAL_PROCESSOR_INFORMATION::default(); count];
    // SAFETY: the buffer has the size that is passed, and the structures are plain values.
    checked(unsafe { GetLogicalProcessorInformation(known.as_mut_ptr(), &mut size) })?;
    let cores = known
        .iter()
        .filter(|known| known.Relationship == RelationProcessorCore);
    Ok((ours, cores.map(|core| core.ProcessorMask).collect()))
}

/// Pins this thread to a set of CPUs.
pub(super) fn pin_thread(cpus: usize) -> io::Result<()> {
    // SAFETY: the thread is our own. The result is the former set.
    let former = unsafe { SetThreadAffinityMask(GetCurrentThread(), cpus) };
    checked(i32::from(former != 0))
}

/// Pins all threads of a process to a set of CPUs, and all processes that it will start.
pub(super) fn pin_process(process: BorrowedHandle<'_>, cpus: usize) -> io::Result<()> {
    // SAFETY: the handle is open.
    checked(unsafe { SetProcessAffinityMask(process.as_raw_handle(), cpus) })
}

/// The direction of a pipe, as its creator sees it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
}

/// Creates a named pipe for one client, and returns our end of it, which is asynchronous. Pipes
/// without names cannot be.
pub(super) fn named_pipe(name: &Path, direction: Direction) -> io::Result<OwnedHandle> {
    /// As much as a pipe on Linux holds.
    const SIZE: u32 = 64 << 10;
    let name: Vec<u16> = name.as_os_str().encode_wide().chain([0]).collect();
    let access = match direction {
        Direction::In => PIPE_ACCESS_INBOUND,
        Direction::Out => PIPE_ACCESS_OUTBOUND,
    };
    // SAFETY: the name ends with 0; null stands for default attributes.
    owned(unsafe {
        CreateNamedPipeW(
            name.as_ptr(),
            access | FILE_FLAG_FIRST_PIPE_INSTANCE | FILE_FLAG_OVERLAPPED,
            PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_REJECT_REMOTE_CLIENTS,
            1,
            SIZE,
            SIZE,
            0,
            ptr::null(),
        )
    })
}

/// Bytes of one transfer.
pub(super) const TRANSFER: usize = 16 << 10;

/// Our end of a pipe, with at most one read or write under way.
pub(super) struct Transfer {
    pipe: OwnedHandle,
    /// Set by the system when the operation has ended.
    done: Event,
    operation: NonNull<Operation>,
    is_under_way: bool,
}

/// What the system writes to during an operation. It stays where it is until the operation has ended,
/// and is reached by raw pointers only.
struct Operation {
    overlapped: OVERLAPPED,
    bytes: [u8; TRANSFER],
}

// SAFETY: `operation` is owned, and nothing in it belongs to a thread.
unsafe impl Send for Transfer {}

impl Transfer {
    pub(super) fn new(pipe: OwnedHandle) -> io::Result<Self> {
        let done = Event::new()?;
        let operation = Box::new(Operation {
            overlapped: OVERLAPPED::default(),
            bytes: [0; TRANSFER],
        });
        Ok(Self {
            pipe,
            done,
            operation: NonNull::from(Box::leak(operation)),
            is_under_way: false,
        })
    }

    /// Signalled when the operation under way has ended.
    pub(super) fn done(&self) -> BorrowedHandle<'_> {
        self.done.as_handle()
    }

    pub(super) fn is_under_way(&self) -> bool {
        self.is_under_way
    }

    /// Starts to read.
    pub(super) fn start_read(&mut self) -> io::Result<()> {
        let (overlapped, bytes) = self.prepare();
        // SAFETY: no operation is under way, so the memory is ours; it remains valid until this
        // one has ended, because `drop` waits for that.
        let started = unsafe {
            ReadFile(
                self.pipe.as_raw_handle(),
                bytes,
                TRANSFER as u32,
                ptr::null_mut(),
                overlapped,
            )
        };
        self.note_start(started)
    }

    /// Starts to write at most [`TRANSFER`] bytes.
    pub(super) fn start_write(&mut self, text: &[u8]) -> io::Result<()> {
        let (overlapped, bytes) = self.prepare();
        let count = text.len().min(TRANSFER);
        // SAFETY: no operation is under way, so the memory is ours, of at least `count` bytes; it
        // remains valid until this one has ended, because `drop` waits for that.
        let started = unsafe {
            ptr::copy_nonoverlapping(text.as_ptr(), bytes, count);
            WriteFile(
                self.pipe.as_raw_handle(),
                bytes,
                count as u32,
                ptr::null_mut(),
                overlapped,
            )
        };
        self.note_start(started)
    }

    fn prepare(&mut self) -> (*mut OVERLAPPED, *mut u8) {
        assert!(!self.is_under_way, "one operation at a time");
        let operation = self.operation.as_ptr();
        // SAFETY: no operation is under way, so nobody else accesses the memory. No reference is
        // made to it.
        unsafe {
            (*operation).overlapped = OVERLAPPED {
                hEvent: self.done.0.as_raw_handle(),
                ..OVERLAPPED::default()
            };
            (
                &raw mut (*operation).overlapped,
                (&raw mut (*operation).bytes).cast(),
            )
        }
    }

    /// An operation that ends at once is asked for its result like any other.
    fn note_start(&mut self, started: i32) -> io::Result<()> {
        let result = checked(started);
        let is_pending =
            |error: &io::Error| error.raw_os_error() == Some(ERROR_IO_PENDING.cast_signed());
        self.is_under_way = result.as_ref().err().is_none_or(is_pending);
        if self.is_under_way { Ok(()) } else { result }
    }

    /// The number of bytes transferred by the operation under way; `None` if it has not ended.
    pub(super) fn result(&mut self) -> io::Result<Option<usize>> {
        if !self.is_under_way {
            return Ok(None);
        }
        let result = self.await_result(false);
        if let Err(error) = &result
            && error.raw_os_error() == Some(ERROR_IO_INCOMPLETE.cast_signed())
        {
            return Ok(None);
        }
        self.is_under_way = false;
        result.map(Some)
    }

    fn await_result(&self, waits: bool) -> io::Result<usize> {
        let mut count = 0;
        // SAFETY: the structure belongs to an operation that has been started on this handle.
        let result = unsafe {
            let overlapped = &raw const (*self.operation.as_ptr()).overlapped;
            GetOverlappedResult(
                self.pipe.as_raw_handle(),
                overlapped,
                &mut count,
                i32::from(waits),
            )
        };
        checked(result).map(|()| count as usize)
    }

    /// Copies bytes that have been read, from `start`; there must be as many.
    pub(super) fn copy_read(&self, start: usize, to: &mut [u8]) {
        assert!(!self.is_under_way && start + to.len() <= TRANSFER);
        // SAFETY: no operation is under way, so the memory is ours and initialised, and it reaches
        // to the end of what is copied.
        unsafe {
            let bytes: *const u8 = (&raw const (*self.operation.as_ptr()).bytes).cast();
            ptr::copy_nonoverlapping(bytes.add(start), to.as_mut_ptr(), to.len());
        }
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        if self.is_under_way {
            // SAFETY: the handle is open, and the structure belongs to an operation on it. It fails
            // if the operation has ended meanwhile.
            unsafe {
                CancelIoEx(
                    self.pipe.as_raw_handle(),
                    &raw const (*self.operation.as_ptr()).overlapped,
                );
            }
            // Whatever came of it: afterwards, the system no longer accesses the memory.
            let _ = self.await_result(true);
        }
        // SAFETY: it was leaked from a box by `new`, and no operation is under way.
        drop(unsafe { Box::from_raw(self.operation.as_ptr()) });
    }
}
