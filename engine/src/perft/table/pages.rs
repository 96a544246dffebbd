//! The memory of the table: fresh pages from the system, large ones where it has them.
#![expect(
    unsafe_code,
    reason = "bytes of an anonymous mapping become atomic integers here"
)]

use memmap2::MmapMut;

use super::Bucket;

/// Buckets of zeros in memory of their own.
#[derive(Debug)]
pub(super) struct Pages {
    memory: MmapMut,
    count: usize,
}

impl Pages {
    /// Memory for `count` buckets. The system gives each page, zeroed, when it is first touched.
    pub(super) fn new(count: usize) -> std::io::Result<Self> {
        let memory = MmapMut::map_anon(count * size_of::<Bucket>())?;
        // Large pages make random reads faster; without them the table works all the same.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        Ok(Self { memory, count })
    }

    #[expect(clippy::cast_ptr_alignment, reason = "a mapping is aligned to a page")]
    pub(super) fn buckets(&self) -> &[Bucket] {
        // SAFETY: the mapping is `count` buckets long, aligned to a page and so to a bucket, and
        // lives as long as `self`. Zeros and any other bits are valid atomic integers. Nothing
        // else refers to the memory, and it changes through the atomics only.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast::<Bucket>(), self.count) }
    }
}
