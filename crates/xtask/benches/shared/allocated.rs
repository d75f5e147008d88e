//! Counts the bytes that a bench has allocated.
// An allocator needs unsafe code.
#![allow(unsafe_code)]
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

static BYTES: AtomicUsize = AtomicUsize::new(0);

/// Currently allocated bytes.
pub fn bytes() -> usize {
    BYTES.load(Ordering::Relaxed)
}

/// Adds to the count of bytes. Benches have one thread, so a plain counter is enough; an atomic one would cost half as much as an
/// allocation.
fn count(change: impl FnOnce(usize) -> usize) {
    BYTES.store(change(bytes()), Ordering::Relaxed);
}

struct Counting;

// SAFETY: this only adds a counter to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(|bytes| bytes.wrapping_add(layout.size()));
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(|bytes| bytes.wrapping_sub(layout.size()));
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;
