//! Counts what a bench has allocated.
// An allocator takes unsafe code.
#![allow(unsafe_code)]
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

static BYTES: AtomicUsize = AtomicUsize::new(0);

/// What is allocated now, in bytes.
pub fn bytes() -> usize {
    BYTES.load(Ordering::Relaxed)
}

/// Counts so many bytes more or less. Benches have one thread, so no other counts meanwhile, and what several threads could share
/// would cost half of what an allocation does.
fn count(change: impl FnOnce(usize) -> usize) {
    BYTES.store(change(bytes()), Ordering::Relaxed);
}

struct Counting;

// SAFETY: all that is added to the system's allocator is a count.
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
