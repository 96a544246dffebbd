//! Memory for tables shared by threads: freshly mapped pages, large ones where available.
#![expect(
    unsafe_code,
    reason = "bytes of an anonymous mapping become atomic integers here"
)]

use std::io;
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;

/// A cache line of eight 64-bit words.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct CacheLine(pub [AtomicU64; 8]);

const _: () = assert!(size_of::<CacheLine>() == 64);

/// Zero-initialised cache lines in a private memory mapping.
#[derive(Debug)]
pub struct Pages {
    memory: MmapMut,
    count: usize,
}

impl Pages {
    /// Maps memory for `count` lines. The system provides each page, zeroed, on first access.
    ///
    /// # Errors
    ///
    /// If the system cannot map that much memory.
    pub fn new(count: usize) -> io::Result<Self> {
        let bytes = count.checked_mul(size_of::<CacheLine>());
        let memory = MmapMut::map_anon(bytes.ok_or(io::ErrorKind::OutOfMemory)?)?;
        // Large pages speed up random reads; the table works without them.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Self { memory, count })
    }

    /// Sets all words to zero.
    pub fn zero(&mut self) {
        self.memory.fill(0);
    }

    /// All lines.
    #[expect(clippy::cast_ptr_alignment, reason = "a mapping is aligned to a page")]
    #[inline(always)]
    pub fn lines(&self) -> &[CacheLine] {
        // SAFETY: the mapping is `count` lines long, aligned to a page and so to a line, and
        // lives as long as `self`. Zeros and any other bits are valid atomic integers. While the
        // slice lives nothing else refers to the memory, and it changes through the atomics only.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast::<CacheLine>(), self.count) }
    }
}
