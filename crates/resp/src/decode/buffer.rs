//! Bytes that were received but not yet parsed.
use bytes::Bytes;

/// A bulk string of at least this length that fills the buffer takes over the buffer's storage
/// instead of being copied, as in Redis (`PROTO_MBULK_BIG_ARG`).
const BIG_BULK: usize = 32 * 1024;

/// An empty buffer with more capacity than this frees its storage.
const KEPT_CAPACITY_MAX: usize = 1024 * 1024;

/// A growing buffer with a read position. Consumed bytes are dropped once there are more of them
/// than unread bytes, so each byte is moved a bounded number of times.
#[derive(Clone, Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    /// Length of the prefix of the unread part that is known to contain no line end.
    searched: usize,
}

/// Result of a search for a line end.
pub(super) enum FoundLine {
    /// The line, without its end, is the first `usize` unread bytes.
    Whole(usize),
    /// The line end has not arrived yet.
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

    /// Drops all bytes and frees the storage.
    pub(super) fn clear(&mut self) {
        *self = Buffer::default();
    }

    /// Searches for `end` in the bytes not searched before. With `stop_at_zero`, the search stops
    /// at a zero byte, like C's `strchr`.
    pub(super) fn find(&mut self, end: u8, stop_at_zero: bool) -> FoundLine {
        let fresh = self.bytes.get(self.start.saturating_add(self.searched)..).unwrap_or_default();
        let found = if stop_at_zero { memchr::memchr2(end, 0, fresh) } else { memchr::memchr(end, fresh) };
        match found {
            Some(at) => {
                self.searched = self.searched.saturating_add(at);
                if fresh.get(at) == Some(&end) { FoundLine::Whole(self.searched) } else { FoundLine::Partial }
            }
            None => {
                self.searched = self.searched.saturating_add(fresh.len());
                FoundLine::Partial
            }
        }
    }

    /// Takes `length` bytes out and skips the two bytes of the line end after them. The caller has
    /// checked that all of them have arrived.
    pub(super) fn cut_bulk(&mut self, length: usize) -> Bytes {
        let whole = length.saturating_add(2);
        if length >= BIG_BULK && self.start == 0 && self.bytes.len() == whole {
            let mut bytes = std::mem::take(&mut self.bytes);
            bytes.truncate(length);
            self.searched = 0;
            return Bytes::from(bytes);
        }
        // A copy, so that a short value that lives long does not keep a whole network buffer alive.
        let bytes = Bytes::copy_from_slice(self.unread().get(..length).unwrap_or_default());
        self.take(whole);
        bytes
    }
}
