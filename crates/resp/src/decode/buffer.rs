//! Bytes received and not yet understood.
use bytes::Bytes;

/// From this length on a bulk string is cut out of the buffer with its storage when it fills it,
/// as Redis does (`PROTO_MBULK_BIG_ARG`), instead of being copied.
const BIG_BULK: usize = 32 * 1024;

/// An empty buffer that once held something big gives its storage back.
const KEPT_CAPACITY_MAX: usize = 1024 * 1024;

/// A growing buffer with a read position. Consumed bytes are dropped once they outweigh the rest,
/// so that each byte is moved a bounded number of times.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    /// How much of the unread part is known to hold no line end.
    searched: usize,
}

/// What a search for the end of a line found.
pub(super) enum Line {
    /// The line without its end lies in the first `usize` unread bytes.
    Whole(usize),
    /// Not there yet.
    Partial,
}

impl Buffer {
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        if self.start == self.bytes.len() {
            if self.bytes.capacity() > KEPT_CAPACITY_MAX {
                self.bytes = Vec::new();
            }
            self.bytes.clear();
            self.start = 0;
        } else if self.start > self.bytes.len() / 2 {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn unread(&self) -> &[u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len().saturating_sub(self.start)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) fn first(&self) -> Option<u8> {
        self.bytes.get(self.start).copied()
    }

    pub(super) fn take(&mut self, count: usize) {
        self.start = self.start.saturating_add(count).min(self.bytes.len());
        self.searched = 0;
    }

    /// Drops everything.
    pub(super) fn clear(&mut self) {
        *self = Buffer::default();
    }

    /// Looks for `end` in what has not been searched yet. With `stop_at_zero`, a zero byte hides
    /// whatever follows it, as it does from C's `strchr`.
    pub(super) fn find(&mut self, end: u8, stop_at_zero: bool) -> Line {
        let fresh = self.bytes.get(self.start.saturating_add(self.searched)..).unwrap_or_default();
        let found = if stop_at_zero { memchr::memchr2(end, 0, fresh) } else { memchr::memchr(end, fresh) };
        match found {
            Some(at) => {
                self.searched = self.searched.saturating_add(at);
                if fresh.get(at) == Some(&end) { Line::Whole(self.searched) } else { Line::Partial }
            }
            None => {
                self.searched = self.searched.saturating_add(fresh.len());
                Line::Partial
            }
        }
    }

    /// Cuts out `length` bytes and skips the two of the line end behind them. The caller has seen
    /// that they are there.
    pub(super) fn cut_bulk(&mut self, length: usize) -> Bytes {
        let whole = length.saturating_add(2);
        if length >= BIG_BULK && self.start == 0 && self.bytes.len() == whole {
            let mut bytes = std::mem::take(&mut self.bytes);
            bytes.truncate(length);
            self.searched = 0;
            return Bytes::from(bytes);
        }
        // A copy, so that a short value kept for long does not keep a whole network buffer alive.
        let bytes = Bytes::copy_from_slice(self.unread().get(..length).unwrap_or_default());
        self.take(whole);
        bytes
    }
}
