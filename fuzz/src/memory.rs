//! Counts allocated bytes, so that the memory limit is exact and the same on every machine.
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static TAKEN: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator with a count of the allocated bytes and their maximum.
pub struct Counting;

fn taken(bytes: usize) {
    let now = TAKEN.fetch_add(bytes, Relaxed).wrapping_add(bytes);
    PEAK.fetch_max(now, Relaxed);
}

fn given_back(bytes: usize) {
    TAKEN.fetch_sub(bytes, Relaxed);
}

// SAFETY: every call is passed to the system's allocator unchanged; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        given_back(layout.size());
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks may exist for a moment.
        taken(size);
        given_back(layout.size());
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Runs a function that may allocate at most this many bytes in addition to those already allocated.
pub fn within<R>(bytes_max: usize, act: impl FnOnce() -> R) -> R {
    let before = TAKEN.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = act();
    let most = PEAK.load(Relaxed).saturating_sub(before);
    assert!(most <= bytes_max, "{most} bytes were taken at a time, where {bytes_max} are the bound");
    result
}
